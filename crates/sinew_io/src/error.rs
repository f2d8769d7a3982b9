//! Why a file cannot be opened.

use std::path::PathBuf;

use sinew_model::{DocumentError, NodeTreeError, SkinError};

use crate::container::ContainerError;
use crate::json::JsonError;
use crate::progress::Cancelled;
use crate::uri::UriError;

/// Why a file cannot be opened. Every case names the object, what was expected and what was found.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read from disk.
    #[error("cannot read the file: {source}: {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file name has an ending that no importer knows.
    #[error("unknown file type {found:?}; expected {expected}")]
    UnknownFormat {
        /// The ending.
        found: String,
        /// The endings that can be opened.
        expected: String,
    },
    /// Neither GLB nor glTF text, or one that is cut off.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The JSON text is not JSON.
    #[error("the JSON cannot be read: {0}")]
    Syntax(String),
    /// A member of the JSON is not what glTF asks for.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// Not glTF 2.
    #[error("asset/version is {found:?}; expected \"2.0\"")]
    Version {
        /// The version found.
        found: String,
    },
    /// A mesh is compressed with Draco.
    #[error(
        "mesh {mesh} is compressed with Draco (KHR_draco_mesh_compression), which hides its weights; \
         export it again without Draco compression and open that file"
    )]
    Draco {
        /// The mesh's name, or its number.
        mesh: String,
    },
    /// The file needs an extension that changes how geometry is read.
    #[error("the file requires the extension {name}, which changes how geometry is read and is not supported")]
    Extension {
        /// The extension.
        name: String,
    },
    /// A buffer's bytes cannot be had.
    #[error("buffers/{buffer}: {reason}")]
    Buffer {
        /// The buffer.
        buffer: usize,
        /// Why.
        reason: BufferFault,
    },
    /// Something reaches past the bytes that are there.
    #[error("{path}: needs {needs} bytes of {whose}; there are {has}")]
    PastEnd {
        /// What reaches too far, such as `accessors/3`.
        path: String,
        /// Where it would end.
        needs: u64,
        /// Which bytes: `bufferViews/1`, `buffers/0`.
        whose: String,
        /// How many there are.
        has: u64,
    },
    /// An accessor is not what it is used as.
    #[error("{path}: used as {used_as}, for which {expected} is expected; found {found}")]
    Accessor {
        /// The accessor, such as `accessors/3`.
        path: String,
        /// What uses it, such as `meshes/0/primitives/1/attributes/JOINTS_0`.
        used_as: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A compressed buffer view cannot be decoded.
    #[error("{path}: {reason}")]
    Compressed {
        /// The view.
        path: String,
        /// Why.
        reason: String,
    },
    /// The file is small and asks for more memory than such a file may.
    #[error("{path}: the file asks for more than {limit_mib} MiB of memory, far more than its size gives reason for")]
    TooLarge {
        /// What asked last.
        path: String,
        /// The limit.
        limit_mib: u64,
    },
    /// It was ended early.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Nodes do not form a forest.
    #[error(transparent)]
    Nodes(#[from] NodeTreeError),
    /// A skin's joints and matrices do not go together.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// The parts do not make a document.
    #[error(transparent)]
    Document(#[from] DocumentError),
}

/// Why a buffer's bytes cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum BufferFault {
    /// The URI cannot be followed.
    #[error(transparent)]
    Uri(#[from] UriError),
    /// The file beside the model cannot be read.
    #[error("cannot read {name:?}: {source}")]
    Read {
        /// The name, percent-decoded.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// Fewer bytes than the JSON says.
    #[error("byteLength is {expected}; there are {found} bytes")]
    Short {
        /// What the JSON says.
        expected: u64,
        /// What is there.
        found: usize,
    },
}
