//! Our own accessor reader: every count, offset, stride, view and sparse block is checked against the bytes that are
//! there before anything is allocated or read.
//!
//! Boundary: numbers out of bytes. What an accessor means (positions, weights …) is decided in `import`.

mod budget;
mod component;
mod layout;
mod read;
mod stored;
mod view;

pub use budget::MemoryBudget;
pub use component::Component;
pub use layout::{AccessorLayout, Placement, Shape, SparseLayout};
pub(crate) use view::View;

use std::sync::OnceLock;

use crate::error::OpenError;
use crate::json::{Json, JsonError};
use crate::meshopt;
use crate::source::Buffer;

/// The accessors of a file. Compressed views are decoded once, when they are first read.
pub struct Accessors<'a> {
    entries: Vec<Json<'a>>,
    views: Vec<Json<'a>>,
    buffers: &'a [Buffer],
    decoded: Vec<OnceLock<Vec<u8>>>,
    pub(crate) budget: MemoryBudget,
}

/// An accessor whose every element is known to lie within its bytes.
#[derive(Clone, Debug)]
pub struct Accessor<'a> {
    /// Where the elements lie.
    pub layout: AccessorLayout,
    base: Option<&'a [u8]>,
    sparse: Option<SparseBytes<'a>>,
    budget: &'a MemoryBudget,
    place: String,
}

#[derive(Clone, Copy, Debug)]
struct SparseBytes<'a> {
    indices: &'a [u8],
    values: &'a [u8],
}

impl<'a> Accessors<'a> {
    /// The accessors of a file's JSON over its buffers.
    pub(crate) fn new(root: Json<'a>, buffers: &'a [Buffer]) -> Result<Self, JsonError> {
        let views: Vec<Json<'a>> = root.list("bufferViews")?.collect();
        let decoded = views.iter().map(|_| OnceLock::new()).collect();
        let budget = MemoryBudget::for_file(buffers.iter().map(|buffer| buffer.bytes.len() as u64).sum());
        Ok(Self { entries: root.list("accessors")?.collect(), views, buffers, decoded, budget })
    }

    /// How many accessors there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no accessor.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How an accessor is stored, as the JSON says; whether its bytes are there is not checked.
    pub fn layout(&self, accessor: u32) -> Result<AccessorLayout, OpenError> {
        let json = self.entries.get(accessor as usize).ok_or_else(|| JsonError {
            path: format!("accessors/{accessor}"),
            expected: format!("an index below {}", self.len()),
            found: accessor.to_string(),
        })?;
        AccessorLayout::read(accessor, *json, |view| self.view(view))
    }

    /// One accessor, checked.
    pub fn get(&self, accessor: u32) -> Result<Accessor<'_>, OpenError> {
        let layout = self.layout(accessor)?;
        let place = format!("accessors/{accessor}");
        let base = match &layout.base {
            None => None,
            Some(base) => Some(self.slice(base, layout.count, layout.element_size(), &place)?),
        };
        let sparse = match &layout.sparse {
            None => None,
            Some(sparse) => {
                let place = format!("{place}/sparse");
                let size = sparse.index_component.size();
                Some(SparseBytes {
                    indices: self.slice(&sparse.indices, sparse.count, size, &place)?,
                    values: self.slice(&sparse.values, sparse.count, layout.element_size(), &place)?,
                })
            }
        };
        if base.is_none() {
            layout.check_count_without_bytes()?;
        }
        Ok(Accessor { layout, base, sparse, budget: &self.budget, place })
    }

    /// Where a buffer view lies.
    pub(crate) fn view(&self, view: u32) -> Result<View, OpenError> {
        let json = self.views.get(view as usize).ok_or_else(|| JsonError {
            path: "bufferViews".to_owned(),
            expected: format!("an index below {}", self.views.len()),
            found: view.to_string(),
        })?;
        View::read(view, *json, self.buffers.len())
    }

    /// The bytes of a buffer view, decoded if they are compressed.
    pub(crate) fn view_bytes(&self, view: u32) -> Result<&[u8], OpenError> {
        self.bytes_of(&self.view(view)?)
    }

    fn bytes_of(&self, view: &View) -> Result<&[u8], OpenError> {
        let Some(compression) = &view.compression else {
            return view.cut(view.buffer, view.offset, view.length, self.buffers);
        };
        let cell = &self.decoded[view.index as usize];
        if let Some(decoded) = cell.get() {
            return Ok(decoded);
        }
        let encoded = view.cut(compression.buffer, compression.offset, compression.length, self.buffers)?;
        self.budget.charge(compression.decoded_len(), || format!("bufferViews/{}", view.index))?;
        let decoded = meshopt::decode(encoded, compression)
            .map_err(|reason| OpenError::Compressed { path: format!("bufferViews/{}", view.index), reason })?;
        Ok(cell.get_or_init(|| decoded))
    }

    /// The bytes from the first element to the end of the last.
    fn slice(&self, at: &Placement, count: usize, size: usize, place: &str) -> Result<&[u8], OpenError> {
        let view = self.view(at.view)?;
        let bytes = self.bytes_of(&view)?;
        let span = if count == 0 { 0 } else { (count as u128 - 1) * at.stride as u128 + size as u128 };
        let needs = at.offset as u128 + span;
        if needs > bytes.len() as u128 {
            return Err(OpenError::PastEnd {
                path: place.to_owned(),
                needs: u64::try_from(needs).unwrap_or(u64::MAX),
                whose: format!("bufferViews/{}", at.view),
                has: bytes.len() as u64,
            });
        }
        Ok(&bytes[at.offset..needs as usize])
    }
}
