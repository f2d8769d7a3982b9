//! A glTF file in the making: JSON as a value, one binary buffer, and extra files beside it.
//!
//! Everything is public and nothing is checked on writing, so that a test can break a file in any way it likes.

use serde_json::{Map, Value, json};

use crate::container::{data_uri, glb_bytes};

/// A component type of glTF 2.0 (§3.6.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Signed byte, 5120.
    I8,
    /// Unsigned byte, 5121.
    U8,
    /// Signed short, 5122.
    I16,
    /// Unsigned short, 5123.
    U16,
    /// Unsigned int, 5125.
    U32,
    /// Float, 5126.
    F32,
}

impl Component {
    /// The number that stands for it in a file.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    /// Bytes of one component.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Appends `value` as this type; integers are rounded.
    pub fn push(self, bytes: &mut Vec<u8>, value: f64) {
        match self {
            Self::I8 => bytes.extend_from_slice(&(value.round() as i8).to_le_bytes()),
            Self::U8 => bytes.push(value.round() as u8),
            Self::I16 => bytes.extend_from_slice(&(value.round() as i16).to_le_bytes()),
            Self::U16 => bytes.extend_from_slice(&(value.round() as u16).to_le_bytes()),
            Self::U32 => bytes.extend_from_slice(&(value.round() as u32).to_le_bytes()),
            Self::F32 => bytes.extend_from_slice(&(value as f32).to_le_bytes()),
        }
    }
}

/// JSON and binary buffer of a glTF file.
#[derive(Clone, Debug)]
pub struct GltfBuilder {
    /// The document; change it as you like.
    pub json: Value,
    /// The bytes of buffer 0. Writers do not touch its `byteLength`: it is kept by [`GltfBuilder::view`].
    pub bin: Vec<u8>,
    /// Files that lie beside a `.gltf` or `.glb` (images with a URI): name and bytes.
    pub extra_files: Vec<(String, Vec<u8>)>,
}

impl Default for GltfBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl GltfBuilder {
    /// An empty file: `asset` only.
    #[must_use]
    pub fn new() -> Self {
        Self { json: json!({ "asset": { "version": "2.0" } }), bin: Vec::new(), extra_files: Vec::new() }
    }

    /// Appends `value` to the top-level array `array`, made if absent; gives its index.
    pub fn push(&mut self, array: &str, value: Value) -> usize {
        let list = &mut self.json[array];
        if list.is_null() {
            *list = Value::Array(Vec::new());
        }
        let items = list.as_array_mut().expect("a top-level list is an array");
        items.push(value);
        items.len() - 1
    }

    /// Appends bytes to the buffer, aligned to four, as a new buffer view; gives its index.
    pub fn view(&mut self, bytes: &[u8], byte_stride: Option<usize>, target: Option<u32>) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() });
        if let Some(byte_stride) = byte_stride {
            view["byteStride"] = json!(byte_stride);
        }
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bin.extend_from_slice(bytes);
        // The buffer's length covers its last view; a GLB's padding comes after it.
        if self.json["buffers"].is_null() {
            self.json["buffers"] = json!([{}]);
        }
        self.json["buffers"][0]["byteLength"] = json!(self.bin.len());
        self.push("bufferViews", view)
    }

    /// A tightly packed accessor in a view of its own; `values` holds the components one after the other,
    /// as stored (so a normalised integer is given as the integer). Writes `min` and `max`. Gives the accessor's index.
    pub fn accessor(
        &mut self,
        component: Component,
        shape: &str,
        normalized: bool,
        values: &[f64],
        target: Option<u32>,
    ) -> usize {
        let mut bytes = Vec::with_capacity(values.len() * component.size());
        for &value in values {
            component.push(&mut bytes, value);
        }
        let view = self.view(&bytes, None, target);
        let mut accessor = accessor_json(component, shape, normalized, values);
        accessor["bufferView"] = json!(view);
        self.push("accessors", accessor)
    }

    /// The JSON text: compact, keys sorted, so that the same scene gives the same bytes in every build.
    #[must_use]
    pub fn json_text(&self) -> String {
        let mut json = self.json.clone();
        json.sort_all_objects();
        json.to_string()
    }

    /// The file as `.glb`.
    #[must_use]
    pub fn glb(&self) -> Vec<u8> {
        glb_bytes(self.json_text().as_bytes(), &self.bin)
    }

    /// The file as `NAME.gltf` with `NAME.bin` beside it, and the extra files: (file name, bytes), the `.gltf` first.
    /// A buffer URI that is already there stays, and the bytes are then given under `NAME.bin` all the same.
    #[must_use]
    pub fn gltf_files(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let bin_name = format!("{name}.bin");
        let mut copy = self.clone();
        if let Some(buffer) = copy.first_buffer() {
            buffer.entry("uri").or_insert_with(|| json!(bin_name));
        }
        let mut files = vec![(format!("{name}.gltf"), copy.json_text().into_bytes())];
        if !self.bin.is_empty() {
            files.push((bin_name, self.bin.clone()));
        }
        files.extend(self.extra_files.iter().cloned());
        files
    }

    /// The file as one `.gltf` text with the buffer as a data URI.
    #[must_use]
    pub fn gltf_embedded(&self) -> Vec<u8> {
        let mut copy = self.clone();
        let uri = data_uri("application/octet-stream", &self.bin);
        if let Some(buffer) = copy.first_buffer() {
            buffer.insert("uri".to_owned(), json!(uri));
        }
        copy.json_text().into_bytes()
    }

    fn first_buffer(&mut self) -> Option<&mut Map<String, Value>> {
        self.json.get_mut("buffers")?.get_mut(0)?.as_object_mut()
    }
}

/// An accessor without a buffer view: type, count, `min` and `max` of the stored values.
pub(crate) fn accessor_json(component: Component, shape: &str, normalized: bool, values: &[f64]) -> Value {
    let n_components = n_components(shape);
    let mut accessor =
        json!({ "componentType": component.code(), "type": shape, "count": values.len() / n_components });
    if normalized {
        accessor["normalized"] = json!(true);
    }
    let finite = values.iter().all(|value| value.is_finite());
    if !values.is_empty() && finite {
        let extreme = |pick: fn(f64, f64) -> f64| -> Vec<Value> {
            (0..n_components)
                .map(|c| values.iter().skip(c).step_by(n_components).copied().reduce(pick).unwrap_or(0.0))
                .map(|value| json_number(component, value))
                .collect()
        };
        accessor["min"] = Value::Array(extreme(f64::min));
        accessor["max"] = Value::Array(extreme(f64::max));
    }
    accessor
}

/// Components of an accessor type.
fn n_components(shape: &str) -> usize {
    match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        other => panic!("fixtures do not use accessors of type {other}"),
    }
}

fn json_number(component: Component, value: f64) -> Value {
    if component == Component::F32 { short(value as f32) } else { json!(value.round() as i64) }
}

/// A float as JSON, in the fewest digits that give the same float back.
pub(crate) fn short(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, |value| json!(value))
}

/// Floats as a JSON array, each in its fewest digits.
pub(crate) fn shorts(values: &[f32]) -> Value {
    Value::Array(values.iter().map(|&value| short(value)).collect())
}
