//! Files beside the model: which ones a save elsewhere has to bring along, and under which names they can go.
//!
//! Boundary: reads folders and decides; the bytes are written by `save`. No file that differs is ever overwritten.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::atomic::{folder_of, follow_link};
use crate::container::Container;
use crate::report::NotBrought;
use crate::save::error::SaveError;
use crate::save::skin_file;
use crate::save::users::visit_members;
use crate::source::{BufferOrigin, GltfSource};
use crate::uri::Uri;

/// A file to put beside the saved one.
#[derive(Clone, Debug)]
pub(super) struct SideFile {
    /// Relative to the folder.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What to bring along.
#[derive(Clone, Debug, Default)]
pub(super) struct Luggage {
    pub files: Vec<SideFile>,
    /// Buffers that go under another name: buffer and name.
    pub renamed: Vec<(usize, String)>,
    pub not_brought: Vec<NotBrought>,
}

/// The folder that is saved to; none when nothing goes to the disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folder<'a>(pub Option<&'a Path>);

impl Folder<'_> {
    /// `wanted` if no other file has that name, else one that tells the content by its hash.
    pub fn free_name(self, wanted: &str, content: &[u8]) -> String {
        if self.holds_other(wanted, content) { with_hash(wanted, content) } else { wanted.to_owned() }
    }

    fn holds_other(self, name: &str, content: &[u8]) -> bool {
        let Some(folder) = self.0 else { return false };
        let path = folder.join(name);
        fs::symlink_metadata(&path).is_ok() && !holds(&path, content)
    }
}

/// Whether the file has exactly this content.
pub(super) fn holds(path: &Path, content: &[u8]) -> bool {
    let is_as_long = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == content.len() as u64);
    is_as_long && fs::read(path).is_ok_and(|found| found == content)
}

/// Gathers what the file needs in another folder. `skip` are buffers whose bytes go elsewhere.
pub(super) fn pack(source: &GltfSource, folder: &Path, skip: impl Fn(usize) -> bool) -> Luggage {
    let from = source.path.as_deref().map(folder_of);
    let mut luggage = Luggage::default();
    if from.is_some_and(|from| is_same(from, folder)) {
        return luggage;
    }
    for (b, buffer) in source.buffers.iter().enumerate().filter(|(b, _)| !skip(*b)) {
        let BufferOrigin::External { name, .. } = &buffer.origin else { continue };
        // The file may go on past the buffer.
        let whole = from.and_then(|from| fs::read(from.join(name)).ok()).filter(|file| file.starts_with(&buffer.bytes));
        let bytes = whole.unwrap_or_else(|| buffer.bytes.to_vec());
        if is_outside(name) && holds(&folder.join(name), &bytes) {
            continue;
        }
        let wanted = if is_outside(name) { file_name(name) } else { name.clone() };
        let free = Folder(Some(folder)).free_name(&wanted, &bytes);
        if free != *name {
            let reason = if free == wanted {
                format!("it lies outside the folder; its content went to {free}")
            } else {
                format!("another file of that name is there and was kept; its content went to {free}")
            };
            luggage.not_brought.push(NotBrought { name: name.clone(), reason });
            luggage.renamed.push((b, free.clone()));
        }
        luggage.add(free, bytes);
    }
    for names in other_files(&source.json) {
        luggage.pack_file(from, folder, &names);
    }
    luggage
}

impl Luggage {
    fn add(&mut self, name: String, bytes: Vec<u8>) {
        if !self.files.iter().any(|file| file.name == name) {
            self.files.push(SideFile { name, bytes });
        }
    }

    /// Packs an image (or whatever else the file names) under its own name, or says why not.
    fn pack_file(&mut self, from: Option<&Path>, folder: &Path, names: &[String]) {
        let Some(first) = names.first() else { return };
        let found = names.iter().find_map(|name| Some((name, fs::read(from?.join(name)).ok()?)));
        let reason = match found {
            None if from.is_none() => "the model was not opened from a folder".to_owned(),
            None => "it is not there".to_owned(),
            Some((name, bytes)) if holds(&folder.join(name), &bytes) => return,
            Some((name, _)) if is_outside(name) => "it lies outside the model's folder".to_owned(),
            Some((name, bytes)) if Folder(Some(folder)).holds_other(name, &bytes) => {
                "another file of that name is there and was kept".to_owned()
            }
            Some((name, bytes)) => return self.add(name.clone(), bytes),
        };
        let not_brought = NotBrought { name: first.clone(), reason };
        if !self.not_brought.contains(&not_brought) {
            self.not_brought.push(not_brought);
        }
    }
}

/// Refuses a target that is a buffer or an image of the model itself, here or where it was opened: writing it would
/// destroy what the model reads.
pub(super) fn check_not_needed(source: &GltfSource, path: &Path) -> Result<(), SaveError> {
    let folders = [source.path.as_deref().map(folder_of), Some(folder_of(path))];
    let buffers = source.buffers.iter().filter_map(|buffer| match &buffer.origin {
        BufferOrigin::External { name, .. } => Some(name.clone()),
        _ => None,
    });
    for name in buffers.chain(other_files(&source.json).into_iter().flatten()) {
        if folders.into_iter().flatten().any(|folder| is_same(&folder.join(&name), path)) {
            return Err(SaveError::OwnFile { path: path.to_owned(), name });
        }
    }
    Ok(())
}

/// Refuses a target that is a link to a file in another folder: files written beside the link would not lie beside
/// that file.
pub(super) fn check_stays_in_folder(path: &Path) -> Result<(), SaveError> {
    let leads_to = follow_link(path);
    if is_same(folder_of(&leads_to), folder_of(path)) {
        return Ok(());
    }
    Err(SaveError::LinkElsewhere { path: path.to_owned(), leads_to })
}

/// Files of ours that the model at `path` names now: what may go once it is replaced.
pub(super) fn replaced_skin_files(path: &Path, stem: &str) -> Vec<PathBuf> {
    let Some(json) = json_of(path) else { return Vec::new() };
    let mut files = Vec::new();
    for buffer in json.get("buffers").and_then(Value::as_array).into_iter().flatten() {
        let Some(Ok(Uri::File(names))) = buffer.get("uri").and_then(Value::as_str).map(Uri::parse) else { continue };
        let ours = names.into_iter().filter(|name| skin_file::belongs_to(name, stem));
        files.extend(ours.map(|name| folder_of(path).join(name)));
    }
    files
}

/// Removes a file of ours that the model at `path` no longer names, unless another model beside it does.
pub(super) fn remove_skin_file(file: &Path, path: &Path) {
    /// In a folder with more models than this nothing is removed: looking would take too long.
    const MOST_MODELS: usize = 200;
    let name = file_name(&file.to_string_lossy());
    let is_ours = fs::read(file).is_ok_and(|content| skin_file::is_ours(&name, &content));
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
    let is_model = |other: &PathBuf| {
        let ending = other.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        ending.is_some_and(|ending| ["gltf", "glb", "vrm"].contains(&ending.as_str()))
    };
    let models: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_model).collect();
    if is_ours && models.len() <= MOST_MODELS && !models.iter().any(|model| names_file(model, &name)) {
        // A file that cannot be removed does no harm.
        let _ = fs::remove_file(file);
    }
}

fn names_file(model: &Path, name: &str) -> bool {
    let Some(json) = json_of(model) else { return false };
    let buffers = json.get("buffers").and_then(Value::as_array);
    buffers.into_iter().flatten().any(|buffer| {
        let uri = buffer.get("uri").and_then(Value::as_str).map(Uri::parse);
        matches!(uri, Some(Ok(Uri::File(names))) if names.iter().any(|found| found == name))
    })
}

fn json_of(path: &Path) -> Option<Value> {
    let bytes = fs::read(path).ok()?;
    let container = Container::parse(&bytes).ok()?;
    serde_json::from_slice(&bytes[container.json]).ok()
}

/// The names to try for every file that something other than a buffer names by `uri`.
fn other_files(json: &Value) -> Vec<Vec<String>> {
    let mut files = Vec::new();
    for (_, value) in json.as_object().into_iter().flatten().filter(|(key, _)| *key != "buffers") {
        visit_members(value, &mut |key, value| {
            if let ("uri", Some(Ok(Uri::File(names)))) = (key, value.as_str().map(Uri::parse)) {
                files.push(names);
            }
        });
    }
    files.sort();
    files.dedup();
    files
}

fn is_outside(name: &str) -> bool {
    !Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

fn file_name(name: &str) -> String {
    name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned()
}

fn with_hash(name: &str, content: &[u8]) -> String {
    let hash = skin_file::hash(content);
    match name.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') => format!("{stem}-{hash}.{ending}"),
        _ => format!("{name}-{hash}"),
    }
}
