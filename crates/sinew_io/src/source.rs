//! The file as it was opened, kept for as long as the document lives: saving patches these bytes.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;
use sinew_model::{MeshIndex, WeightTable};

use crate::accessor::{Accessors, MemoryBudget};
use crate::bytes::Bytes;
use crate::container::{Container, ContainerKind};
use crate::error::{BufferFault, OpenError};
use crate::import::rows::read_rows;
use crate::json::Json;
use crate::uri::{Resolver, Uri};

/// The file a document came from.
#[derive(Clone, Debug)]
pub struct GltfSource {
    /// Where it was opened, unless it came from memory.
    pub path: Option<PathBuf>,
    /// The file's bytes.
    pub original: Bytes,
    /// Where its parts lie in `original`.
    pub container: Container,
    /// The JSON, parsed. Its text is [`GltfSource::json_text`].
    pub json: Value,
    /// The buffers, in the file's order.
    pub buffers: Vec<Buffer>,
    /// For each mesh which accessors its document arrays came from. `[n_meshes]`
    pub meshes: Vec<MeshMap>,
}

/// A buffer of the file.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Where its bytes came from.
    pub origin: BufferOrigin,
    /// The bytes, `byteLength` of them; none if [`BufferOrigin::Missing`].
    pub bytes: Bytes,
}

/// Where a buffer's bytes came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BufferOrigin {
    /// The BIN chunk.
    BinChunk,
    /// A data URI.
    DataUri,
    /// A file beside this one.
    External {
        /// The URI as it stands in the JSON.
        uri: String,
        /// The name under which the file was found, relative to the folder of this one.
        name: String,
    },
    /// The file does not give them, which is right for the fallback buffers of compressed views.
    Missing,
}

/// Which accessors a mesh of the document came from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MeshMap {
    /// One for each of the mesh's pools, in the same order.
    pub pools: Vec<PoolMap>,
    /// The pool of each primitive, in the file's order.
    pub primitive_pools: Vec<usize>,
    /// Slots from here on count as no influence: the longest joint list among the mesh's skins.
    /// A mesh that no skin shows has no limit.
    pub n_slots: usize,
}

/// Which accessors a pool came from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PoolMap {
    /// POSITION.
    pub position: Option<u32>,
    /// JOINTS_n with their WEIGHTS_n, by rising n. Empty: the pool is not skinned.
    pub sets: Vec<WeightSet>,
    /// POSITION and NORMAL of each morph target.
    pub targets: Vec<[Option<u32>; 2]>,
}

/// A set of up to four influences a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WeightSet {
    /// The n of JOINTS_n and WEIGHTS_n.
    pub set: u32,
    /// The accessor of JOINTS_n.
    pub joints: u32,
    /// The accessor of WEIGHTS_n.
    pub weights: u32,
}

impl GltfSource {
    /// Takes a file apart and fetches its buffers. The mesh maps are still empty.
    pub(crate) fn read(original: Bytes, resolver: &dyn Resolver) -> Result<Self, OpenError> {
        let container = Container::parse(&original)?;
        check_n_values(&original[container.json.clone()])?;
        let json: Value = serde_json::from_slice(&original[container.json.clone()])
            .map_err(|error| OpenError::Syntax(error.to_string()))?;
        let root = Json::root(&json);
        root.object()?;
        let bin = container.bin().and_then(|range| original.cut(range));
        let mut buffers: Vec<Buffer> = Vec::new();
        let mut files = HashMap::new();
        let mut n_bytes = 0;
        for (i, buffer) in root.list("buffers")?.enumerate() {
            let buffer = read_buffer(i, buffer, bin.as_ref(), resolver, &mut files)?;
            n_bytes += buffer.bytes.len() as u64;
            if n_bytes > MAX_BUFFER_BYTES {
                let limit_mib = MAX_BUFFER_BYTES >> 20;
                return Err(OpenError::TooLarge { path: format!("buffers/{i}"), limit_mib });
            }
            buffers.push(buffer);
        }
        Ok(Self { path: None, original, container, json, buffers, meshes: Vec::new() })
    }

    /// GLB or text.
    pub fn kind(&self) -> ContainerKind {
        self.container.kind
    }

    /// The JSON text as the file has it, without padding.
    pub fn json_text(&self) -> &str {
        // Checked to be UTF-8 when the container was parsed.
        std::str::from_utf8(&self.original[self.container.json.clone()]).unwrap_or_default()
    }

    /// The file's accessors.
    pub fn accessors(&self) -> Result<Accessors<'_>, OpenError> {
        Ok(Accessors::new(Json::root(&self.json), &self.buffers)?)
    }

    /// The weight rows of a pool as they were imported, read from the file again. `[pool.count]`, numbered from 0.
    pub fn decode_rows(&self, mesh: MeshIndex, pool: usize) -> Result<WeightTable, OpenError> {
        let accessors = self.accessors()?;
        let Some((map, pool)) = self.meshes.get(mesh.idx()).and_then(|map| Some((map, map.pools.get(pool)?))) else {
            return Ok(WeightTable::default());
        };
        let (table, _) = read_rows(&accessors, pool, map.n_slots)?;
        Ok(table)
    }
}

/// What a parsed value of the JSON takes, about: a number is kept as it is spelled.
const BYTES_PER_VALUE: u64 = 64;

/// Checks that the parsed JSON will not take far more memory than its text gives reason for: two bytes of text may be
/// one value.
fn check_n_values(text: &[u8]) -> Result<(), OpenError> {
    let n_values = text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count() as u64;
    MemoryBudget::for_file(text.len() as u64).charge(n_values * BYTES_PER_VALUE, || "the JSON".to_owned())
}

/// The most bytes of all buffers together.
const MAX_BUFFER_BYTES: u64 = 1 << 32;

/// Reads a buffer. `files` are those that buffers before it came from: a file that is named again is not read again.
fn read_buffer(
    i: usize,
    json: Json<'_>,
    bin: Option<&Bytes>,
    resolver: &dyn Resolver,
    files: &mut HashMap<Vec<String>, (String, Bytes)>,
) -> Result<Buffer, OpenError> {
    json.object()?;
    let fault = |reason: BufferFault| OpenError::Buffer { buffer: i, reason };
    let expected = json.need("byteLength", "a length")?.as_whole()?;
    let (origin, bytes) = match (json.text("uri")?, bin) {
        (None, Some(bin)) if i == 0 => (BufferOrigin::BinChunk, bin.clone()),
        (None, _) => return Ok(Buffer { origin: BufferOrigin::Missing, bytes: Bytes::empty() }),
        (Some(uri), _) => match Uri::parse(uri).map_err(|error| fault(error.into()))? {
            Uri::Data { bytes, .. } => (BufferOrigin::DataUri, Bytes::from(bytes)),
            Uri::File(names) => {
                let (name, bytes) = match files.get(&names) {
                    Some(file) => file.clone(),
                    None => read_first(&names, resolver).map_err(fault)?,
                };
                files.insert(names, (name.clone(), bytes.clone()));
                (BufferOrigin::External { uri: uri.to_owned(), name }, bytes)
            }
        },
    };
    // A buffer may be longer than stated: GLB chunks are padded (B13).
    let stated = usize::try_from(expected).ok().and_then(|length| bytes.cut(0..length));
    let bytes = stated.ok_or_else(|| fault(BufferFault::Short { expected, found: bytes.len() }))?;
    Ok(Buffer { origin, bytes })
}

/// Reads the first of the names that is there; the error is that of the first.
pub(crate) fn read_first(names: &[String], resolver: &dyn Resolver) -> Result<(String, Bytes), BufferFault> {
    let mut first_error = None;
    for name in names {
        match resolver.read(name) {
            Ok(bytes) => return Ok((name.clone(), bytes)),
            Err(source) => {
                first_error.get_or_insert(BufferFault::Read { name: name.clone(), source });
            }
        }
    }
    Err(first_error.unwrap_or(BufferFault::Short { expected: 0, found: 0 }))
}
