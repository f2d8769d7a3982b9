//! Why a save fails. The file on disk is then as it was.

use std::path::PathBuf;

use crate::atomic::WriteError;
use crate::error::OpenError;
use crate::json_text::JsonTextError;
use crate::progress::Cancelled;

/// Why a document cannot be saved. Whatever it is, the old file is untouched.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// There is no path to save to.
    #[error("the document has no file yet; save it under a name")]
    NoPath,
    /// The ending of the target names no container.
    #[error("{}expected a name that ends in .glb, .gltf or .vrm: {}", found_ending(found), path.display())]
    UnknownExtension {
        /// The ending.
        found: String,
        /// The target.
        path: PathBuf,
    },
    /// Somebody else changed the file since it was opened or saved.
    #[error("the file has changed on disk since it was opened; save under another name or overwrite it: {}", path.display())]
    ChangedOnDisk {
        /// The file.
        path: PathBuf,
    },
    /// The target is a file that the model itself reads, or will read once it is saved.
    #[error("the model reads {name:?} from there; save under another name: {}", path.display())]
    OwnFile {
        /// The target.
        path: PathBuf,
        /// The buffer or image, as the model names it.
        name: String,
    },
    /// The target is a link into another folder, where the files that go beside the model would be missed.
    #[error("this is a link to {}, which needs files beside it; save there, or under another name: {}", leads_to.display(), path.display())]
    LinkElsewhere {
        /// The target.
        path: PathBuf,
        /// Where it leads.
        leads_to: PathBuf,
    },
    /// The document does not belong to the opened file.
    #[error("the document has {found} {what}; the opened file has {expected}")]
    NotThisFile {
        /// What differs.
        what: String,
        /// How many the file has.
        expected: usize,
        /// How many the document has.
        found: usize,
    },
    /// Edits left vertices without weight.
    #[error(
        "mesh {mesh}: {n} edited vertices have no weight (the first is vertex {first}); give them a joint or undo, then save"
    )]
    Unweighted {
        /// The mesh's name, or its number.
        mesh: String,
        /// How many vertices.
        n: usize,
        /// The first of them, counted over the mesh.
        first: u32,
    },
    /// Edits left vertices with a share that no joint has.
    #[error(
        "mesh {mesh}: {n} vertices have weight that is not assigned to a joint (the first is vertex {first}: {assigned} of 1); settle them, then save"
    )]
    Unassigned {
        /// The mesh's name, or its number.
        mesh: String,
        /// How many vertices.
        n: usize,
        /// The first of them, counted over the mesh.
        first: u32,
        /// The sum of its weights.
        assigned: f32,
    },
    /// An edited row is not one that a file may hold.
    #[error("mesh {mesh}, vertex {vertex}: {fault}")]
    BadRow {
        /// The mesh's name, or its number.
        mesh: String,
        /// The vertex, counted over the mesh.
        vertex: u32,
        /// What is wrong with it.
        fault: sinew_model::RowFault,
    },
    /// The opened file's own data cannot be read any more.
    #[error("the opened file: {0}")]
    Source(#[from] OpenError),
    /// The JSON text cannot be spliced.
    #[error(transparent)]
    Json(#[from] JsonTextError),
    /// A GLB cannot hold so much.
    #[error("{what} would have {n_bytes} bytes; a GLB ends at 4 GiB")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How large it would be.
        n_bytes: u64,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// It was ended early.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The written file, read back, is not what it should be.
    #[error("the written file differs where it must not, so the old one was kept: {0}")]
    Differs(String),
}

fn found_ending(found: &str) -> String {
    if found.is_empty() { String::new() } else { format!("cannot save as .{found}; ") }
}
