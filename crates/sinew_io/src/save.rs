//! From a document back to the file it came from, with nothing changed but the edited weights.
//!
//! Everything is patched from the bytes as they were opened, never from the last save: saving twice gives the same
//! bytes, saving again and again does not let the file grow, and undoing everything gives the opened file back.
//! The written file is read back and compared before it replaces the old one; the [`SaveReport`] says what changed.
//!
//! Boundary: the view's pose, morphs and clip never come here.

mod assemble;
mod attributes;
mod beside;
mod copies;
mod error;
mod packaging;
mod plan;
mod quantize;
mod rows;
mod skin_file;
mod splice;
mod stored_rows;
mod users;
mod verify;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use base64::Engine;
use sinew_model::Document;

pub use self::error::SaveError;

use self::beside::{Folder, Luggage, SideFile};
use self::copies::Added;
use self::packaging::{HomeForm, Packaging};
use self::plan::{Change, Place, Plan};
use self::rows::{Edits, PoolEdit, find_edits};
use self::splice::{Spliced, Uris, splice};
use self::users::Users;
use self::verify::Expected;
use crate::atomic::{Disk, Pending, WriteError, WriteHook, folder_of};
use crate::bytes::Bytes;
use crate::container::ContainerKind;
use crate::progress::{Cancelled, Progress};
use crate::report::{ChangedAccessor, HowChanged, SaveReport};
use crate::source::{BufferOrigin, GltfSource};
use crate::uri::{FolderResolver, MapResolver, read_file};

/// Where to save.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SaveTarget<'a> {
    /// Over the file that the document was opened from or last saved as.
    InPlace,
    /// To this path, which the document has from then on. Its ending chooses the container.
    As(&'a Path),
    /// To this path; the document keeps the one it has.
    Copy(&'a Path),
}

/// How to save.
#[derive(Clone, Copy, Default)]
pub struct SaveOptions<'a> {
    /// Overwrite a file that somebody else has changed.
    pub overwrite_changed: bool,
    /// How files are put on the disk.
    pub disk: Disk<'a>,
    /// Told of each step; may end the save until the file takes its name. Then nothing has changed.
    pub progress: Progress<'a>,
}

/// Where a document's file is, and what it was like when we last saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaveState {
    /// The file, unless the document came from memory.
    pub path: Option<PathBuf>,
    /// Length and time of the file that we wrote; none for the opened one, whose bytes are known.
    written: Option<(u64, Option<SystemTime>)>,
}

/// A finished save.
#[derive(Clone, Debug)]
pub struct Saved {
    /// What changed.
    pub report: SaveReport,
    /// The state to give to the next save.
    pub state: SaveState,
}

/// A saved file that is still in memory.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The file first, then those beside it: names and bytes. Files of others that it needs are not among them.
    pub files: Vec<(String, Vec<u8>)>,
    /// What changed.
    pub report: SaveReport,
}

impl SaveState {
    /// The state after opening.
    pub fn opened(source: &GltfSource) -> Self {
        Self { path: source.path.clone(), written: None }
    }

    /// The state after a save of an earlier program, which left a file of this length and time.
    pub fn resumed(path: PathBuf, n_bytes: u64, modified: Option<SystemTime>) -> Self {
        Self { path: Some(path), written: Some((n_bytes, modified)) }
    }

    /// Length and time of the file as the last save left it.
    pub fn written(&self) -> Option<(u64, Option<SystemTime>)> {
        self.written
    }
}

/// The container that a path's ending names.
pub fn container_for(path: &Path) -> Result<ContainerKind, SaveError> {
    let found = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    match found.to_lowercase().as_str() {
        "glb" | "vrm" => Ok(ContainerKind::Glb),
        "gltf" => Ok(ContainerKind::Gltf),
        _ => Err(SaveError::UnknownExtension { found, path: path.to_owned() }),
    }
}

/// Makes the saved file in memory, called `name` (with its ending), and verifies it. Without edits and in the same
/// container it is the opened file, byte for byte.
pub fn encode(document: &Document, source: &GltfSource, kind: ContainerKind, name: &str) -> Result<Encoded, SaveError> {
    let mut made = Made::new(document, source, kind, name, Folder(None), &Luggage::default())?;
    let beside = made.side.iter().map(|file| (file.name.clone(), Bytes::from(file.bytes.clone())));
    let originals = source.buffers.iter().filter_map(|buffer| match &buffer.origin {
        BufferOrigin::External { name, .. } => Some((name.clone(), buffer.bytes.clone())),
        _ => None,
    });
    let resolver = MapResolver(beside.chain(originals).collect());
    let main = Bytes::from(made.main.clone());
    made.verify(document, source, GltfSource::read(main, &resolver)?)?;
    let mut files = vec![(name.to_owned(), made.main)];
    files.extend(made.side.into_iter().map(|file| (file.name, file.bytes)));
    let mut report = made.report;
    report.path = name.into();
    report.files_written = files.iter().map(|(name, _)| name.into()).collect();
    Ok(Encoded { files, report })
}

/// Saves the document. Whatever fails, the old file stays as it was.
pub fn save(
    document: &Document,
    source: &GltfSource,
    state: &SaveState,
    target: SaveTarget<'_>,
    options: &SaveOptions<'_>,
) -> Result<Saved, SaveError> {
    let path = match target {
        SaveTarget::InPlace => state.path.as_deref().ok_or(SaveError::NoPath)?,
        SaveTarget::As(path) | SaveTarget::Copy(path) => path,
    };
    let is_opened_file = source.path.as_deref().is_some_and(|opened| opened == path);
    let kind = if is_opened_file { source.kind() } else { container_for(path)? };
    if target == SaveTarget::InPlace && !options.overwrite_changed && state.is_changed_on_disk(source, path) {
        return Err(SaveError::ChangedOnDisk { path: path.to_owned() });
    }
    let folder = folder_of(path);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    beside::check_not_needed(source, path)?;
    let luggage = Luggage::for_save(source, kind, folder);
    options.progress.step("Finding what changed")?;
    let mut made = Made::new(document, source, kind, &name, Folder(Some(folder)), &luggage)?;
    if *made.main != *source.original && !(made.side.is_empty() && luggage.files.is_empty()) {
        beside::check_stays_in_folder(path)?;
    }
    let stale = if kind == ContainerKind::Gltf || made.is_home_file {
        beside::replaced_skin_files(path, &stem_of(&name))
    } else {
        Vec::new()
    };

    let mut placed = PlacedFiles::default();
    for file in &luggage.files {
        options.progress.step(&format!("Copying {}", file.name))?;
        if placed.put(folder, file, &options.disk)? {
            made.report.files_brought.push(folder.join(&file.name));
        }
    }
    for file in &made.side {
        options.progress.step(&format!("Writing {}", file.name))?;
        if placed.put(folder, file, &options.disk)? {
            made.report.files_written.push(folder.join(&file.name));
        }
    }
    let watched = Watched::new(options, made.main.len());
    let pending = watched.write(path, &made.main)?;
    options.progress.step("Reading the written file back")?;
    let back = read_file(pending.temporary_path()).map_err(|source| WriteError {
        doing: "read back",
        path: path.to_owned(),
        source,
    })?;
    let read = GltfSource::read(back, &FolderResolver(folder.to_owned()));
    let read = read.map_err(|error| SaveError::Differs(error.to_string()))?;
    options.progress.step("Checking that nothing else changed")?;
    made.verify(document, source, read)?;
    options.progress.step("Replacing the old file")?;
    pending.place()?;
    placed.keep();

    let in_use: BTreeSet<PathBuf> = made.side.iter().map(|file| folder.join(&file.name)).collect();
    for file in stale.iter().filter(|file| !in_use.contains(*file)) {
        beside::remove_skin_file(file, path);
    }
    let mut report = made.report;
    path.clone_into(&mut report.path);
    report.files_written.push(path.to_owned());
    report.not_brought = luggage.not_brought;
    let state = match target {
        SaveTarget::Copy(copy) if state.path.as_deref() != Some(copy) => state.clone(),
        _ => SaveState { path: Some(path.to_owned()), written: fingerprint(path) },
    };
    Ok(Saved { report, state })
}

impl SaveState {
    fn is_changed_on_disk(&self, source: &GltfSource, path: &Path) -> bool {
        match &self.written {
            // A file that is gone is no file that could be lost.
            _ if fs::symlink_metadata(path).is_err() => false,
            Some(written) => fingerprint(path).as_ref() != Some(written),
            None => source.path.as_deref() == Some(path) && !beside::holds(path, &source.original),
        }
    }
}

fn fingerprint(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let file = fs::metadata(path).ok()?;
    Some((file.len(), file.modified().ok()))
}

fn stem_of(name: &str) -> String {
    Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Luggage {
    fn for_save(source: &GltfSource, kind: ContainerKind, folder: &Path) -> Self {
        // Packed into a GLB, the buffers of a text file are no files any more; files of ours are written by themselves.
        let packs = kind == ContainerKind::Glb && source.kind() == ContainerKind::Gltf;
        let is_ours = |b: usize| match &source.buffers[b].origin {
            BufferOrigin::External { name, .. } => skin_file::is_ours(name, &source.buffers[b].bytes),
            _ => false,
        };
        beside::pack(source, folder, |b| packs || is_ours(b))
    }
}

/// The bytes of a save and what they were made from.
struct Made {
    main: Vec<u8>,
    side: Vec<SideFile>,
    is_home_file: bool,
    plan: Plan,
    edits: Vec<PoolEdit>,
    touched: BTreeSet<String>,
    report: SaveReport,
}

impl Made {
    fn new(
        document: &Document,
        source: &GltfSource,
        kind: ContainerKind,
        name: &str,
        folder: Folder<'_>,
        luggage: &Luggage,
    ) -> Result<Self, SaveError> {
        let accessors = source.accessors()?;
        let edits = find_edits(document, source, &accessors)?;
        let mut users = Users::of(source, &accessors);
        for (accessor, of) in Added::all(document).iter().flat_map(|added| added.uses(&source.json)) {
            users.add_use(accessor, of);
        }
        let packaging = Packaging::new(source, &users, kind);
        let plan = Plan::new(document, source, &accessors, &users, packaging, &edits.pools)?;
        let stem = stem_of(name);
        let mut side = Vec::new();
        let mut uris = Uris::default();
        if let Some(content) = assemble::home_content(source, &plan) {
            let (existing, is_file) = match plan.packaging.home.form {
                HomeForm::File(existing) => (existing, true),
                HomeForm::DataUri(existing) => (existing, false),
                HomeForm::Bin => (None, false),
            };
            let opened = existing.map(|buffer| &source.buffers[buffer]).filter(|buffer| *buffer.bytes == *content);
            match (opened.map(|buffer| &buffer.origin), is_file) {
                (Some(BufferOrigin::External { name, .. }), _) => {
                    side.push(SideFile { name: name.clone(), bytes: content });
                }
                (Some(_), _) => {}
                (None, true) => {
                    let name = skin_file::name(&stem, &content);
                    uris.home = Some(skin_file::uri(&name));
                    side.push(SideFile { name, bytes: content });
                }
                (None, false) => uris.home = Some(data_uri(&content)),
            }
        }
        if let Some(bin) = plan.packaging.unpacked {
            let bytes = source.buffers[bin].bytes.to_vec();
            let name = folder.free_name(&format!("{stem}.bin"), &bytes);
            uris.unpacked = Some(skin_file::uri(&name));
            side.push(SideFile { name, bytes });
        }
        uris.renamed = luggage.renamed.iter().map(|(buffer, name)| (*buffer, skin_file::uri(name))).collect();
        let Spliced { text, touched } = splice(source, &plan, &uris)?;
        let main = assemble::main_file(source, &plan, &text)?;
        let report = first_report(document, source, &plan, &edits, &main, &side);
        let is_home_file = matches!(plan.packaging.home.form, HomeForm::File(_));
        Ok(Self { main, side, is_home_file, plan, edits: edits.pools, touched, report })
    }

    fn verify(&mut self, document: &Document, source: &GltfSource, written: GltfSource) -> Result<(), SaveError> {
        let expected = Expected { document, source, edits: &self.edits, plan: &self.plan, touched: &self.touched };
        expected.check(written)?;
        self.report.everything_else_identical = true;
        Ok(())
    }
}

/// The disk of a save that somebody watches and may end.
struct Watched<'a> {
    options: &'a SaveOptions<'a>,
    n_bytes: usize,
    is_cancelled: Cell<bool>,
}

impl<'a> Watched<'a> {
    fn new(options: &'a SaveOptions<'a>, n_bytes: usize) -> Self {
        Self { options, n_bytes, is_cancelled: Cell::new(false) }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<Pending, SaveError> {
        let disk = Disk { hook: Some(self), ..self.options.disk };
        let failed = |error| if self.is_cancelled.get() { Cancelled.into() } else { SaveError::Write(error) };
        Pending::write(path, bytes, &disk).map_err(failed)
    }
}

impl WriteHook for Watched<'_> {
    fn before_write(&self, file: &Path, written: u64, n_bytes: usize) -> io::Result<()> {
        const MB: f64 = 1e6;
        let (done, all) = (written as f64 / MB, self.n_bytes as f64 / MB);
        if self.options.progress.step(&format!("Writing {done:.0} of {all:.0} MB")).is_err() {
            self.is_cancelled.set(true);
            return Err(io::Error::new(io::ErrorKind::Interrupted, Cancelled));
        }
        self.options.disk.hook.map_or(Ok(()), |hook| hook.before_write(file, written, n_bytes))
    }

    fn step(&self) -> usize {
        self.options.disk.hook.map_or(1 << 20, WriteHook::step)
    }
}

fn data_uri(content: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", base64::engine::general_purpose::STANDARD.encode(content))
}

fn first_report(
    document: &Document,
    source: &GltfSource,
    plan: &Plan,
    edits: &Edits,
    main: &[u8],
    side: &[SideFile],
) -> SaveReport {
    let external = |b: usize| matches!(source.buffers[b].origin, BufferOrigin::External { .. });
    let len = |b: usize| source.buffers[b].bytes.len() as u64;
    let external_before: u64 = (0..source.buffers.len()).filter(|&b| external(b)).map(len).sum();
    let is_kept = |b: &usize| external(*b) && !plan.packaging.buffers[*b].is_written;
    let external_kept: u64 = (0..source.buffers.len()).filter(is_kept).map(len).sum();
    let written: usize = main.len() + side.iter().map(|file| file.bytes.len()).sum::<usize>();
    let mut changes: Vec<&Change> = plan.changes.iter().collect();
    changes.sort_by_key(|change| change.mesh);
    let accessors = changes.into_iter().map(|change| ChangedAccessor {
        accessor: change.accessor,
        attribute: change.attribute.name(),
        mesh: document.mesh(change.mesh).label(change.mesh),
        primitives: change.primitives.clone(),
        how: match change.place {
            Place::InPlace { .. } => HowChanged::InPlace,
            Place::Appended { is_new: false, .. } => HowChanged::Moved,
            Place::Appended { is_new: true, .. } => HowChanged::Added,
        },
        n_vertices_changed: change.attribute.changed.len(),
        new_component: change.attribute.retyped.then(|| change.attribute.component.name()),
    });
    let mut warnings: Vec<String> = edits
        .unweighted
        .iter()
        .map(|(mesh, n)| format!("mesh {mesh}: {n} vertices have no weight and were saved as they came"))
        .collect();
    warnings.extend(plan.completed.iter().map(|(mesh, set)| {
        let mesh = document.mesh(*mesh).label(*mesh);
        format!("mesh {mesh}: JOINTS_{set} and WEIGHTS_{set} stood alone and were not used; edited rows needed the set, so it is whole now")
    }));
    if !plan.added.is_empty() && source.json.get("extensions").is_some_and(|all| all.get("VRM").is_some()) {
        warnings.push("VRM 0 names meshes by number: expressions do not move the meshes that were added".to_owned());
    }
    if source.kind() == ContainerKind::Glb && plan.packaging.kind == ContainerKind::Gltf {
        let n = source.container.chunks.len() - 1 - usize::from(source.container.bin().is_some());
        if n > 0 {
            warnings.push(format!("{n} chunks of the GLB have no place in a .gltf and were left out"));
        }
    }
    if plan.packaging.merged {
        warnings.push("all buffers became one; what else the file says of the others was left out".to_owned());
    }
    SaveReport {
        bytes_before: source.original.len() as u64 + external_before,
        bytes_after: written as u64 + external_kept,
        meshes_added: plan.added.iter().map(|added| added.report(document)).collect(),
        accessors: accessors.collect(),
        n_vertices_changed: edits.pools.iter().map(|edit| edit.vertices.len()).sum(),
        largest_weight_change: edits.pools.iter().map(|edit| edit.largest_change).fold(0.0, f32::max),
        warnings,
        ..SaveReport::default()
    }
}

/// Files that a save put beside the model; those that are new go again if it fails.
#[derive(Default)]
struct PlacedFiles {
    new: Vec<PathBuf>,
    /// Folders made for them, outer ones first.
    new_folders: Vec<PathBuf>,
}

impl PlacedFiles {
    /// Writes a file unless it is there already, with these bytes. Gives whether it was written.
    fn put(&mut self, folder: &Path, file: &SideFile, disk: &Disk<'_>) -> Result<bool, WriteError> {
        let path = folder.join(&file.name);
        if beside::holds(&path, &file.bytes) {
            return Ok(false);
        }
        let within = folder_of(&path);
        let missing = within.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        missing.reverse();
        self.new_folders.extend(missing);
        fs::create_dir_all(within).map_err(|source| WriteError {
            doing: "create the folder",
            path: within.to_owned(),
            source,
        })?;
        let is_new = fs::symlink_metadata(&path).is_err();
        let placed = Pending::write(&path, &file.bytes, disk)?.place()?;
        if is_new {
            self.new.push(placed);
        }
        Ok(true)
    }

    fn keep(&mut self) {
        self.new.clear();
        self.new_folders.clear();
    }
}

impl Drop for PlacedFiles {
    fn drop(&mut self) {
        for file in &self.new {
            // The save's own error is on its way already.
            let _ = fs::remove_file(file);
        }
        // Only where nothing else has come into them.
        for folder in self.new_folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}
