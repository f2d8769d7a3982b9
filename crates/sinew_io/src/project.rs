//! What is ours: locks, budget, joint pairs, masks and poses, in `NAME.sinew.json` beside the model.
//!
//! Joints are kept by name *and* node index, so that they are found again after another program has renumbered the
//! nodes or renamed one: the node of that index if it has the name, else the only one with the name. What is not found is
//! reported and stays in the file as it was, and so does every member that this version does not know. (Numbers among those
//! keep their value to double precision.) Boundary: reads and writes that one file; never the model.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sinew_model::{Budget, Document, JointPairs, MeshIndex, NodeIndex, Pose, VertexMask};

use crate::atomic::{Disk, Pending, WriteError};
use crate::json::JsonError;

mod layout;
mod names;
mod read;
mod write;

/// The version this program writes. A file of a later one is not read and never overwritten.
pub const PROJECT_VERSION: u64 = 1;

/// The most bytes that a project file may have: room for thousands of poses of hundreds of joints.
const MOST_BYTES: u64 = 64 << 20;

/// What is kept beside a model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Project {
    /// Locked joints.
    pub locks: Vec<NodeIndex>,
    /// The influence budget; `None` leaves it at what the model uses.
    pub budget: Option<Budget>,
    /// Joint pairs made by hand.
    pub pairs: JointPairs,
    /// Masks, by rising mesh. A mesh without a mask has none here.
    pub masks: Vec<(MeshIndex, VertexMask)>,
    /// How the character stood last. The rest pose is nothing to keep.
    pub pose: Pose,
    /// Poses kept under a name, in the user's order.
    pub poses: Vec<NamedPose>,
    /// The file as it was read, for what this version does not know or did not find.
    carried: Map<String, Value>,
}

/// A pose kept under a name.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedPose {
    /// The name.
    pub name: String,
    /// The pose.
    pub pose: Pose,
}

/// What [`store`] did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stored {
    /// There was nothing to keep, and no file.
    Nothing,
    /// The file says it already.
    Unchanged,
    /// The file was written.
    Written(PathBuf),
    /// There is nothing to keep any more; the file was removed.
    Removed(PathBuf),
}

/// Something in the file that the model does not have. It stays in the file as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path}: the model has no {what} {}; kept as it was", described(name.as_deref(), *index))]
pub struct ProjectWarning {
    /// The place in the file, such as `poses/2/turns/0`.
    pub path: String,
    /// `joint`, `clip`, `mesh` and the like.
    pub what: &'static str,
    /// The name it had.
    pub name: Option<String>,
    /// The index it had.
    pub index: Option<u64>,
}

/// Why a project file cannot be read or written. The model opens and saves without it; the file stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The system does not give the file.
    #[error("cannot read: {source}: {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file is larger than any project.
    #[error("expected at most {most} bytes, found {found}: {}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length, bytes.
        found: u64,
        /// The most there may be.
        most: u64,
    },
    /// The file is not JSON.
    #[error("not JSON: {source}: {}", path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// Where and why.
        #[source]
        source: serde_json::Error,
    },
    /// A member is not what it should be.
    #[error("{source}: {}", path.display())]
    Member {
        /// The file.
        path: PathBuf,
        /// Which, what was expected and what was found.
        #[source]
        source: JsonError,
    },
    /// A later program wrote the file.
    #[error("written by a later version (expected version {known}, found {found}), left as it is: {}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The latest version that this program knows.
        known: u64,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Where a model's project file is: `NAME.sinew.json` beside it.
pub fn project_path(model: &Path) -> PathBuf {
    let mut name = model.file_stem().map_or_else(OsString::new, OsString::from);
    name.push(".sinew.json");
    model.with_file_name(name)
}

/// Reads the project beside `model`; `None` if there is no such file.
pub fn load(document: &Document, model: &Path) -> Result<(Option<Project>, Vec<ProjectWarning>), ProjectError> {
    let path = project_path(model);
    let Some(text) = read_text(&path)? else { return Ok((None, Vec::new())) };
    let (project, warnings) = parse(document, &path, &text)?;
    Ok((Some(project), warnings))
}

/// Writes the project beside `model`, whole or not at all. Without anything to keep there is no file.
pub fn store(document: &Document, project: &Project, model: &Path) -> Result<Stored, ProjectError> {
    let path = project_path(model);
    let old = read_text(&path)?;
    // What stands there now is the base, so that what another program added meanwhile stays.
    let base = match &old {
        Some(text) => parse(document, &path, text)?.0.carried,
        None => project.carried.clone(),
    };
    let root = write::root(document, project, base);
    if root.keys().all(|key| key == "sinew") {
        if old.is_none() {
            return Ok(Stored::Nothing);
        }
        fs::remove_file(&path).map_err(|source| WriteError { doing: "remove", path: path.clone(), source })?;
        return Ok(Stored::Removed(path));
    }
    let text = layout::text(&Value::Object(root));
    if old.as_deref() == Some(text.as_bytes()) {
        return Ok(Stored::Unchanged);
    }
    Ok(Stored::Written(Pending::write(&path, text.as_bytes(), &Disk::default())?.place()?))
}

fn parse(document: &Document, path: &Path, text: &[u8]) -> Result<(Project, Vec<ProjectWarning>), ProjectError> {
    // Some editors put a byte order mark in front.
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let root: Value =
        serde_json::from_slice(text).map_err(|source| ProjectError::NotJson { path: path.to_owned(), source })?;
    let member = |source| ProjectError::Member { path: path.to_owned(), source };
    let version = read::version(&root).map_err(member)?;
    if version > PROJECT_VERSION {
        return Err(ProjectError::Newer { path: path.to_owned(), found: version, known: PROJECT_VERSION });
    }
    let (mut project, warnings) = read::project(document, &root).map_err(member)?;
    if let Value::Object(members) = root {
        project.carried = members;
    }
    Ok((project, warnings))
}

fn read_text(path: &Path) -> Result<Option<Vec<u8>>, ProjectError> {
    let failed = |source| ProjectError::Read { path: path.to_owned(), source };
    let too_large = |found| ProjectError::TooLarge { path: path.to_owned(), found, most: MOST_BYTES };
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !about.is_file() {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "expected a file, found something else")));
    }
    if about.len() > MOST_BYTES {
        return Err(too_large(about.len()));
    }
    let mut text = Vec::new();
    // It may have grown since.
    File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut text)).map_err(failed)?;
    if text.len() as u64 > MOST_BYTES { Err(too_large(text.len() as u64)) } else { Ok(Some(text)) }
}

fn described(name: Option<&str>, index: Option<u64>) -> String {
    match (name, index) {
        (Some(name), Some(index)) => format!("\"{name}\" (#{index})"),
        (Some(name), None) => format!("\"{name}\""),
        (None, Some(index)) => format!("#{index} without a name"),
        (None, None) => "without name and index".to_owned(),
    }
}
