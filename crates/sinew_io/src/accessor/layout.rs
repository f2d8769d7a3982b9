//! How an accessor is stored: what its JSON says.

use crate::accessor::component::Component;
use crate::accessor::view::View;
use crate::error::OpenError;
use crate::json::Json;

/// The most elements of an accessor that no bytes stand behind.
const MAX_COUNT_WITHOUT_BYTES: usize = 1 << 24;

/// The most elements of any accessor: vertices and indices are numbered in 32 bits.
const MAX_COUNT: u64 = u32::MAX as u64;

/// An accessor's `type`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One number.
    Scalar,
    /// Two numbers.
    Vec2,
    /// Three numbers.
    Vec3,
    /// Four numbers.
    Vec4,
    /// Two columns of two.
    Mat2,
    /// Three columns of three.
    Mat3,
    /// Four columns of four.
    Mat4,
}

/// Where elements lie in a buffer view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The view.
    pub view: u32,
    /// First byte, in the view.
    pub offset: usize,
    /// Bytes from one element to the next.
    pub stride: usize,
}

/// The sparse part of an accessor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SparseLayout {
    /// How many elements it replaces.
    pub count: usize,
    /// How the element numbers are stored.
    pub index_component: Component,
    /// Where the element numbers lie.
    pub indices: Placement,
    /// Where the elements lie.
    pub values: Placement,
}

/// How an accessor is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessorLayout {
    /// The accessor.
    pub accessor: u32,
    /// How each number is stored.
    pub component: Component,
    /// How many numbers an element has.
    pub shape: Shape,
    /// Whether integers stand for 0 to 1 (or -1 to 1).
    pub normalized: bool,
    /// How many elements there are.
    pub count: usize,
    /// Where they lie; without a view they are zeros.
    pub base: Option<Placement>,
    /// What replaces some of them.
    pub sparse: Option<SparseLayout>,
}

impl Shape {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "SCALAR" => Self::Scalar,
            "VEC2" => Self::Vec2,
            "VEC3" => Self::Vec3,
            "VEC4" => Self::Vec4,
            "MAT2" => Self::Mat2,
            "MAT3" => Self::Mat3,
            "MAT4" => Self::Mat4,
            _ => return None,
        })
    }

    /// The specification's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "SCALAR",
            Self::Vec2 => "VEC2",
            Self::Vec3 => "VEC3",
            Self::Vec4 => "VEC4",
            Self::Mat2 => "MAT2",
            Self::Mat3 => "MAT3",
            Self::Mat4 => "MAT4",
        }
    }

    /// Columns, and numbers in each.
    const fn columns_rows(self) -> (usize, usize) {
        match self {
            Self::Scalar => (1, 1),
            Self::Vec2 => (1, 2),
            Self::Vec3 => (1, 3),
            Self::Vec4 => (1, 4),
            Self::Mat2 => (2, 2),
            Self::Mat3 => (3, 3),
            Self::Mat4 => (4, 4),
        }
    }

    /// How many numbers an element has.
    pub const fn n_components(self) -> usize {
        let (columns, rows) = self.columns_rows();
        columns * rows
    }

    /// Bytes from one column to the next: columns of matrices start at multiples of 4 (glTF 2.0 §3.6.2.4).
    const fn column_stride(self, component: Component) -> usize {
        let (columns, rows) = self.columns_rows();
        let size = rows * component.size();
        if columns > 1 { size.next_multiple_of(4) } else { size }
    }

    /// Bytes of one element.
    pub const fn element_size(self, component: Component) -> usize {
        let (columns, rows) = self.columns_rows();
        (columns - 1) * self.column_stride(component) + rows * component.size()
    }

    /// Where in an element each of its first `N` numbers lies.
    pub(super) fn component_offsets<const N: usize>(self, component: Component) -> [usize; N] {
        let (_, rows) = self.columns_rows();
        std::array::from_fn(|i| i / rows * self.column_stride(component) + i % rows * component.size())
    }

    /// The stride of elements that lie end to end.
    const fn packed_stride(self, component: Component) -> usize {
        let (columns, _) = self.columns_rows();
        if columns > 1 { columns * self.column_stride(component) } else { self.element_size(component) }
    }
}

impl AccessorLayout {
    pub(super) fn read(
        accessor: u32,
        json: Json<'_>,
        view: impl Fn(u32) -> Result<View, OpenError>,
    ) -> Result<Self, OpenError> {
        json.object()?;
        let component = read_component(json)?;
        let shape = json.need("type", "an accessor type")?;
        let shape = shape
            .value()
            .as_str()
            .and_then(Shape::from_name)
            .ok_or_else(|| shape.wrong("SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4"))?;
        let count = read_count(json, MAX_COUNT)?;
        let base = match json.get("bufferView") {
            None => None,
            Some(_) => Some(read_base(accessor, json, shape, component, &view)?),
        };
        let sparse = match json.get("sparse") {
            None => None,
            Some(sparse) => Some(read_sparse(sparse, shape, component, count, &view)?),
        };
        Ok(Self { accessor, component, shape, normalized: json.flag("normalized")?, count, base, sparse })
    }

    /// Bytes of one element.
    pub fn element_size(&self) -> usize {
        self.shape.element_size(self.component)
    }

    /// What it is, for messages.
    pub(crate) fn describe(&self) -> String {
        let normalized = if self.normalized { "normalized " } else { "" };
        format!("{} of {normalized}{}", self.shape.name(), self.component.name())
    }

    /// Zeros need no bytes in the file, so nothing but a limit keeps a file from asking for any number of them.
    pub(super) fn check_count_without_bytes(&self) -> Result<(), OpenError> {
        if self.count <= MAX_COUNT_WITHOUT_BYTES {
            return Ok(());
        }
        Err(OpenError::PastEnd {
            path: format!("accessors/{}/count", self.accessor),
            needs: self.count as u64 * self.element_size() as u64,
            whose: "a buffer view that it does not name".to_owned(),
            has: 0,
        })
    }
}

fn read_component(json: Json<'_>) -> Result<Component, OpenError> {
    let code = json.need("componentType", "a component type")?;
    let component = code.as_whole().ok().and_then(Component::from_code);
    Ok(component.ok_or_else(|| code.wrong("5120, 5121, 5122, 5123, 5125 or 5126"))?)
}

fn read_count(json: Json<'_>, most: u64) -> Result<usize, OpenError> {
    let member = json.need("count", "a count")?;
    let count = member.as_whole()?;
    if count > most {
        return Err(member.wrong(&format!("at most {most}")).into());
    }
    Ok(count as usize)
}

fn read_placement(
    json: Json<'_>,
    stride: usize,
    view: &impl Fn(u32) -> Result<View, OpenError>,
) -> Result<Placement, OpenError> {
    let member = json.need("bufferView", "a buffer view")?;
    let index = member.as_index(u32::MAX as usize)?;
    view(index).map_err(|error| match error {
        OpenError::Json(inner) if inner.path == "bufferViews" => member.wrong(&inner.expected).into(),
        other => other,
    })?;
    let offset = json.whole("byteOffset")?.unwrap_or(0);
    // Larger offsets than any file stay larger than any file.
    Ok(Placement { view: index, offset: usize::try_from(offset).unwrap_or(usize::MAX), stride })
}

fn read_base(
    accessor: u32,
    json: Json<'_>,
    shape: Shape,
    component: Component,
    view: &impl Fn(u32) -> Result<View, OpenError>,
) -> Result<Placement, OpenError> {
    let at = read_placement(json, shape.packed_stride(component), view)?;
    let stride = view(at.view)?.stride.unwrap_or(at.stride);
    if stride < shape.element_size(component) {
        return Err(OpenError::Accessor {
            path: format!("accessors/{accessor}"),
            used_as: format!("{} of {}", shape.name(), component.name()),
            expected: format!("a byteStride of at least {}", shape.element_size(component)),
            found: format!("bufferViews/{}/byteStride {stride}", at.view),
        });
    }
    Ok(Placement { stride, ..at })
}

fn read_sparse(
    json: Json<'_>,
    shape: Shape,
    component: Component,
    accessor_count: usize,
    view: &impl Fn(u32) -> Result<View, OpenError>,
) -> Result<SparseLayout, OpenError> {
    let count = read_count(json, accessor_count as u64)?;
    let indices = json.need("indices", "an object")?;
    let index_component = read_component(indices)?;
    if !matches!(index_component, Component::U8 | Component::U16 | Component::U32) {
        return Err(indices.need("componentType", "")?.wrong("5121, 5123 or 5125").into());
    }
    let values = json.need("values", "an object")?;
    Ok(SparseLayout {
        count,
        index_component,
        indices: read_placement(indices, index_component.size(), view)?,
        values: read_placement(values, shape.packed_stride(component), view)?,
    })
}
