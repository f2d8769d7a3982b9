//! Bytes to document and back: lossless glTF.

mod accessor;
pub mod atomic;
mod bytes;
mod container;
mod error;
mod image;
mod import;
pub mod journal_file;
mod json;
mod json_text;
mod meshopt;
mod opened_copy;
mod progress;
pub mod project;
mod report;
mod save;
mod script_file;
mod source;
mod uri;
mod warning;

pub use accessor::{Accessor, AccessorLayout, Accessors, Component, MemoryBudget, Placement, Shape, SparseLayout};
pub use bytes::Bytes;
pub use container::{Chunk, Container, ContainerError, ContainerKind};
pub use error::{BufferFault, OpenError};
pub use image::{ImageError, Rgba, decode_image};
pub use import::{FORMATS, Format, Imported, import, import_with, open, open_with};
pub use json::JsonError;
pub use opened_copy::{keep_opened, open_kept};
pub use progress::{Cancelled, Progress};
pub use report::{AddedMesh, ChangedAccessor, HowChanged, NotBrought, SaveReport};
pub use save::{Encoded, SaveError, SaveOptions, SaveState, SaveTarget, Saved, container_for, encode, save};
pub use script_file::{LONGEST_SCRIPT, ScriptError, read_script, write_script};
pub use source::{Buffer, BufferOrigin, GltfSource, MeshMap, PoolMap, WeightSet};
pub use uri::{FolderResolver, MapResolver, Resolver, Uri, UriError};
pub use warning::ImportWarning;
