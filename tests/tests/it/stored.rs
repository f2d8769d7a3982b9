//! A file as it is stored, read without the editor's importer: JSON, buffers, and the elements of accessors.

use std::ops::Range;

use base64::Engine as _;
use serde_json::Value;

/// A file and those beside it: (name, bytes), the file first.
pub type Files = Vec<(String, Vec<u8>)>;

/// A file taken apart.
pub struct Stored {
    pub json: Value,
    /// `None` for a buffer without bytes, as compression leaves behind.
    pub buffers: Vec<Option<Vec<u8>>>,
    /// Chunks of a GLB other than JSON and BIN.
    pub other_chunks: Vec<(u32, Vec<u8>)>,
    pub is_glb: bool,
}

/// The elements of an accessor as stored, one after the other.
#[derive(PartialEq)]
pub struct Elements {
    pub component: u64,
    size: usize,
    bytes: Vec<u8>,
}

impl Stored {
    #[track_caller]
    pub fn of(files: &Files) -> Self {
        let (_, main) = &files[0];
        if !main.starts_with(b"glTF") {
            let json: Value = serde_json::from_slice(main).expect("the text is JSON");
            return Self { buffers: buffers(&json, None, files), json, other_chunks: Vec::new(), is_glb: false };
        }
        let word = |at: usize| u32::from_le_bytes(main[at..at + 4].try_into().expect("four bytes"));
        assert_eq!((word(4), word(8) as usize), (2, main.len()), "GLB version and length");
        let (mut json, mut bin, mut other_chunks, mut at) = (None, None, Vec::new(), 12);
        while at < main.len() {
            let (len, kind) = (word(at) as usize, word(at + 4));
            assert_eq!(len % 4, 0, "chunks are aligned");
            let body = &main[at + 8..at + 8 + len];
            match kind {
                0x4E4F_534A if json.is_none() => json = serde_json::from_slice(body).ok(),
                0x004E_4942 if bin.is_none() => bin = Some(body.to_vec()),
                _ => other_chunks.push((kind, body.to_vec())),
            }
            at += 8 + len;
        }
        let json: Value = json.expect("a JSON chunk");
        Self { buffers: buffers(&json, bin, files), json, other_chunks, is_glb: true }
    }

    pub fn n(&self, list: &str) -> usize {
        self.json[list].as_array().map_or(0, Vec::len)
    }

    /// The accessor of an attribute.
    pub fn attribute(&self, mesh: usize, primitive: usize, name: &str) -> Option<usize> {
        index(&self.json["meshes"][mesh]["primitives"][primitive]["attributes"][name])
    }

    /// The attributes JOINTS_n (or WEIGHTS_n) of a primitive, by n.
    pub fn sets(&self, mesh: usize, primitive: usize, kind: &str) -> Vec<(String, usize)> {
        (0..)
            .map_while(|n| self.attribute(mesh, primitive, &format!("{kind}_{n}")).map(|a| (format!("{kind}_{n}"), a)))
            .collect()
    }

    /// Whether a view's bytes are compressed, so that they say nothing by themselves.
    pub fn is_compressed(&self, accessor: usize) -> bool {
        index(&self.json["accessors"][accessor]["bufferView"])
            .is_some_and(|view| self.json["bufferViews"][view]["extensions"].get("EXT_meshopt_compression").is_some())
    }

    /// The elements of an accessor, the sparse part applied; `None` if they are compressed.
    pub fn elements(&self, accessor: usize) -> Option<Elements> {
        if self.is_compressed(accessor) {
            return None;
        }
        let json = &self.json["accessors"][accessor];
        let component = json["componentType"].as_u64().expect("a component type");
        let size = self.element_size(accessor);
        let count = json["count"].as_u64().expect("a count") as usize;
        let mut bytes = vec![0; size * count];
        if let Some((buffer, first)) = self.place(accessor, 0) {
            let stored = self.buffers[buffer].as_ref().expect("the buffer's bytes");
            let stride = self.stride(accessor);
            for (i, element) in bytes.chunks_exact_mut(size).enumerate() {
                element.copy_from_slice(&stored[first.start + i * stride..first.start + i * stride + size]);
            }
        }
        if let Some(sparse) = json.get("sparse") {
            let n = sparse["count"].as_u64().expect("a count") as usize;
            let index_size = component_size(sparse["indices"]["componentType"].as_u64().expect("a type"));
            for i in 0..n {
                let mut number = [0; 8];
                let stored = self.packed(&sparse["indices"], i, index_size);
                number[..index_size].copy_from_slice(stored);
                let element = u64::from_le_bytes(number) as usize * size;
                bytes[element..element + size].copy_from_slice(self.packed(&sparse["values"], i, size));
            }
        }
        Some(Elements { component, size, bytes })
    }

    /// Where element `i` of an accessor lies: buffer and bytes. `None` without a base view.
    pub fn place(&self, accessor: usize, i: usize) -> Option<(usize, Range<usize>)> {
        let json = &self.json["accessors"][accessor];
        let view = &self.json["bufferViews"][index(&json["bufferView"])?];
        let size = self.element_size(accessor);
        let start = offset(view) + offset(json) + i * self.stride(accessor);
        Some((index(&view["buffer"])?, start..start + size))
    }

    fn stride(&self, accessor: usize) -> usize {
        let view = index(&self.json["accessors"][accessor]["bufferView"]);
        let stride = view.and_then(|view| index(&self.json["bufferViews"][view]["byteStride"]));
        stride.unwrap_or_else(|| self.element_size(accessor))
    }

    /// The bytes of a buffer view; `None` if its buffer has none.
    pub fn view(&self, view: usize) -> Option<&[u8]> {
        let json = &self.json["bufferViews"][view];
        let bytes = self.buffers[index(&json["buffer"])?].as_ref()?;
        Some(&bytes[offset(json)..offset(json) + index(&json["byteLength"])?])
    }

    fn packed(&self, json: &Value, i: usize, size: usize) -> &[u8] {
        let view = self.view(index(&json["bufferView"]).expect("a view")).expect("the buffer's bytes");
        &view[offset(json) + i * size..offset(json) + (i + 1) * size]
    }

    fn element_size(&self, accessor: usize) -> usize {
        let json = &self.json["accessors"][accessor];
        let size = component_size(json["componentType"].as_u64().expect("a component type"));
        match (json["type"].as_str().expect("a type"), size) {
            ("SCALAR", _) => size,
            ("VEC2", _) => 2 * size,
            ("VEC3", _) => 3 * size,
            ("VEC4", _) | ("MAT2", 4) => 4 * size,
            ("MAT3", 4) => 9 * size,
            ("MAT4", _) => 16 * size,
            (other, _) => panic!("no sample has accessors of type {other} and component size {size}"),
        }
    }
}

impl Elements {
    /// The components of an element as stored: floats by value, integers as they are.
    pub fn numbers(&self, i: usize) -> Vec<f64> {
        let number = |bytes: &[u8]| match self.component {
            5121 => f64::from(bytes[0]),
            5123 => f64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            5126 => f64::from(f32::from_le_bytes(bytes.try_into().expect("four bytes"))),
            other => panic!("joints and weights are never of type {other}"),
        };
        self.bytes[i * self.size..(i + 1) * self.size].chunks(component_size(self.component)).map(number).collect()
    }

    /// What weight 1 is, as stored.
    pub fn full(&self) -> f64 {
        match self.component {
            5121 => 255.0,
            5123 => 65535.0,
            _ => 1.0,
        }
    }
}

/// A JSON number as an index.
pub fn index(json: &Value) -> Option<usize> {
    json.as_u64().map(|n| n as usize)
}

fn offset(json: &Value) -> usize {
    index(&json["byteOffset"]).unwrap_or(0)
}

fn component_size(component: u64) -> usize {
    match component {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        _ => 4,
    }
}

fn buffers(json: &Value, bin: Option<Vec<u8>>, files: &Files) -> Vec<Option<Vec<u8>>> {
    let list = json["buffers"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut bin = bin;
    list.iter()
        .map(|buffer| {
            let Some(uri) = buffer["uri"].as_str() else { return bin.take() };
            if let Some((_, body)) = uri.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) {
                return Some(base64::engine::general_purpose::STANDARD.decode(body).expect("base64"));
            }
            let decoded = percent_decoded(uri);
            let beside = files.iter().find(|(name, _)| *name == decoded).or(files.iter().find(|(name, _)| name == uri));
            Some(beside.unwrap_or_else(|| panic!("no file {decoded} beside the model")).1.clone())
        })
        .collect()
}

/// A URI with its `%XX` turned back.
pub fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let code = uri.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(byte) = code.filter(|_| bytes[at] == b'%') {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
