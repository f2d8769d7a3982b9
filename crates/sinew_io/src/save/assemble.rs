//! The bytes of the saved file: the opened bytes with the planned elements written over them or appended.
//!
//! Boundary: bytes. The only copy of the data that is made here is the one that goes to the disk.

use std::ops::Range;

use crate::container::{Chunk, ContainerKind};
use crate::save::error::SaveError;
use crate::save::packaging::{HomeForm, Moved};
use crate::save::plan::{Place, Plan};
use crate::source::{BufferOrigin, GltfSource};

const GLB_HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// The content of the home buffer where that is no BIN chunk; none where there is nothing in it.
pub(super) fn home_content(source: &GltfSource, plan: &Plan) -> Option<Vec<u8>> {
    let existing = match plan.packaging.home.form {
        HomeForm::Bin => return None,
        HomeForm::DataUri(existing) | HomeForm::File(existing) => existing,
    };
    if existing.is_none() && !plan.appends() {
        return None;
    }
    let mut content = existing.map_or_else(Vec::new, |buffer| source.buffers[buffer].bytes.to_vec());
    content.resize(plan.home_len, 0);
    write_changes(plan, &mut content);
    Some(content)
}

/// The file itself: GLB or text.
pub(super) fn main_file(source: &GltfSource, plan: &Plan, json: &str) -> Result<Vec<u8>, SaveError> {
    match (plan.packaging.kind, source.kind()) {
        (ContainerKind::Gltf, ContainerKind::Gltf) => {
            let Range { start, end } = source.container.json.clone();
            Ok([&source.original[..start], json.as_bytes(), &source.original[end..]].concat())
        }
        (ContainerKind::Gltf, ContainerKind::Glb) => Ok(json.as_bytes().to_vec()),
        (ContainerKind::Glb, ContainerKind::Glb) if json == source.json_text() && !plan.appends() => {
            let mut bytes = source.original.to_vec();
            if let (HomeForm::Bin, Some(bin)) = (plan.packaging.home.form, source.container.bin()) {
                write_changes(plan, &mut bytes[bin]);
            }
            Ok(bytes)
        }
        (ContainerKind::Glb, ContainerKind::Glb) => rebuilt_glb(source, plan, json),
        (ContainerKind::Glb, ContainerKind::Gltf) => packed_glb(source, plan, json),
    }
}

/// The GLB with another JSON chunk and a longer BIN chunk; all other chunks stay where they are.
fn rebuilt_glb(source: &GltfSource, plan: &Plan, json: &str) -> Result<Vec<u8>, SaveError> {
    let container = &source.container;
    let is_home = plan.packaging.home.form == HomeForm::Bin;
    let bin = container.bin();
    let mut glb = Glb::with_capacity(source.original.len() + json.len() + plan.home_len - plan.packaging.home.len);
    for (c, chunk) in container.chunks.iter().enumerate() {
        let data = &source.original[chunk.data.clone()];
        if c == 0 {
            let before = &source.original[chunk.data.start..container.json.start];
            glb.chunk(Chunk::JSON, &[before, json.as_bytes()], before.len() + json.len(), b' ')?;
        } else if is_home && bin.as_ref() == Some(&chunk.data) {
            let at = glb.chunk(Chunk::BIN, &[data], plan.home_len, 0)?;
            write_changes(plan, &mut glb.bytes[at]);
        } else {
            glb.chunk(chunk.kind, &[data], data.len(), 0)?;
        }
    }
    let mut bytes = glb.finish()?;
    bytes.extend_from_slice(&source.original[container.trailing.clone()]);
    Ok(bytes)
}

/// A GLB out of a text file and its buffers.
fn packed_glb(source: &GltfSource, plan: &Plan, json: &str) -> Result<Vec<u8>, SaveError> {
    let mut glb = Glb::with_capacity(json.len() + plan.home_len);
    glb.chunk(Chunk::JSON, &[json.as_bytes()], json.len(), b' ')?;
    if plan.home_len > 0 {
        let at = glb.chunk(Chunk::BIN, &[], plan.home_len, 0)?;
        let bin = &mut glb.bytes[at];
        for (buffer, moved) in source.buffers.iter().zip(&plan.packaging.buffers) {
            if buffer.origin != BufferOrigin::Missing {
                bin[moved.base..moved.base + buffer.bytes.len()].copy_from_slice(&buffer.bytes);
            }
        }
        write_changes(plan, bin);
    }
    glb.finish()
}

/// Writes the changed elements into the home buffer.
fn write_changes(plan: &Plan, home: &mut [u8]) {
    for change in &plan.changes {
        let attribute = &change.attribute;
        let size = attribute.element_size();
        match change.place {
            Place::InPlace { buffer, offset, stride } => {
                let Moved { base, .. } = plan.packaging.buffers[buffer];
                for &v in &attribute.changed {
                    let at = base + offset + v as usize * stride;
                    attribute.write_element(v, &mut home[at..at + size]);
                }
            }
            Place::Appended { offset, .. } => {
                let packed = attribute.packed();
                home[offset..offset + packed.len()].copy_from_slice(&packed);
            }
        }
    }
}

/// A GLB in the making: chunks begin and end at multiples of 4 (B13).
struct Glb {
    bytes: Vec<u8>,
}

impl Glb {
    fn with_capacity(n_bytes: usize) -> Self {
        let mut bytes = Vec::with_capacity(n_bytes + 1024);
        bytes.extend_from_slice(b"glTF\x02\0\0\0\0\0\0\0");
        Self { bytes }
    }

    /// Adds a chunk of `len` bytes: the parts, then zeros, then padding. Gives where its `len` bytes lie.
    fn chunk(&mut self, kind: u32, parts: &[&[u8]], len: usize, padding: u8) -> Result<Range<usize>, SaveError> {
        let padded = u32::try_from(len.next_multiple_of(4))
            .map_err(|_| SaveError::TooLarge { what: "a chunk", n_bytes: len as u64 })?;
        self.bytes.extend_from_slice(&padded.to_le_bytes());
        self.bytes.extend_from_slice(&kind.to_le_bytes());
        let start = self.bytes.len();
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        self.bytes.resize(start + len, 0);
        self.bytes.resize(start + padded as usize, padding);
        Ok(start..start + len)
    }

    fn finish(mut self) -> Result<Vec<u8>, SaveError> {
        let n_bytes = self.bytes.len();
        let length =
            u32::try_from(n_bytes).map_err(|_| SaveError::TooLarge { what: "the file", n_bytes: n_bytes as u64 })?;
        self.bytes[8..GLB_HEADER].copy_from_slice(&length.to_le_bytes());
        debug_assert!(n_bytes >= GLB_HEADER + CHUNK_HEADER);
        Ok(self.bytes)
    }
}
