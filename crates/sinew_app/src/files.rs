//! The open file: its editor, where it came from, and the way to the disk and back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew_edit::journal::{Given, JournalHeader};
use sinew_edit::{Editor, MeshSurface};
use sinew_io::{
    Cancelled, FORMATS, GltfSource, Imported, OpenError, Progress, Rgba, SaveError, SaveOptions, SaveReport, SaveState,
    SaveTarget, Saved, decode_image, keep_opened,
};
use sinew_model::{Document, MeshIndex};

use crate::facts::Facts;
pub use crate::kept_beside::FileWarning;
use crate::kept_beside::KeptBeside;
use crate::session_journal::SessionJournal;
use crate::turned_since::TurnedSince;

/// A file in hand.
pub struct OpenFile {
    /// The editor on its document.
    pub editor: Editor,
    /// Its images, decoded; `None` where that was not possible. `[n_images]`
    pub images: Vec<Option<Arc<Rgba>>>,
    /// What was odd about the file.
    pub warnings: Vec<FileWarning>,
    pub(crate) journal: SessionJournal,
    pub(crate) turned_since: TurnedSince,
    source: Arc<GltfSource>,
    state: SaveState,
    beside: KeptBeside,
    header: JournalHeader,
}

/// Where a file is to be written; owned, for another thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// Over the file that was opened or last saved.
    InPlace,
    /// To this path, which the file has from then on.
    As(PathBuf),
    /// To this path; the file keeps the one it has.
    Copy(PathBuf),
}

impl Target {
    /// As the writer wants it.
    pub fn as_save_target(&self) -> SaveTarget<'_> {
        match self {
            Self::InPlace => SaveTarget::InPlace,
            Self::As(path) => SaveTarget::As(path),
            Self::Copy(path) => SaveTarget::Copy(path),
        }
    }
}

/// Share of the model's diagonal that a new brush has as its radius: about as wide as an arm.
const FIRST_RADIUS: f32 = 0.035;

/// Textures are shown at most this wide: more is not seen, and there are no smaller copies to choose from.
const MAX_TEXTURE_PX: u32 = 2048;

impl OpenFile {
    /// What the one document without a file is called.
    pub const DEMO_NAME: &str = "Demo character";

    /// Reads a file and makes everything ready to draw and paint: slow on large files, so call it off the window's
    /// thread.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_with(path, Progress::default())
    }

    /// As [`OpenFile::open`]; each step is told, and it can be ended early.
    pub fn open_with(path: &Path, progress: Progress<'_>) -> Result<Self, OpenError> {
        Ok(Self::prepare(sinew_io::open_with(path, progress)?, None, progress)?)
    }

    /// Makes an imported file ready to draw and paint.
    pub fn new(imported: Imported) -> Self {
        match Self::prepare(imported, None, Progress::default()) {
            Ok(file) => file,
            Err(Cancelled) => unreachable!("nobody ends it"),
        }
    }

    /// Makes an imported file ready to draw and paint. `given` is what the document was given when it was opened before;
    /// without it, what is kept beside the model is.
    pub(crate) fn prepare(
        imported: Imported,
        given: Option<&Given>,
        progress: Progress<'_>,
    ) -> Result<Self, Cancelled> {
        let Imported { mut document, source, warnings } = imported;
        let mut warnings: Vec<FileWarning> = warnings.into_iter().map(FileWarning::Model).collect();
        let beside = KeptBeside::read(&document, source.path.as_deref(), &mut warnings);
        let given = given.cloned().unwrap_or_else(|| beside.given());
        given.apply(&mut document);
        let header = header_of(&source, given);
        progress.step("Decoding images")?;
        let images = decode_images(&document);
        let state = SaveState::opened(&source);
        let mut editor = Editor::new(document);
        editor.set_stored(crate::stored_as::stored_as(&source));
        for mesh in editor.document().skinned_meshes() {
            progress.step("Finding surfaces and seams")?;
            let surface = Arc::new(MeshSurface::of(editor.document().mesh(mesh)));
            editor.install_surface(mesh, surface);
        }
        let size = editor.bounds().diagonal();
        if size > 0.0 {
            editor.session.brush.radius = size * FIRST_RADIUS;
        }
        // The first joint with weight says more than a root without any.
        let mut facts = Facts::default();
        facts.update(&mut editor);
        let mut with_weight = editor.document().joints().to_vec();
        with_weight.retain(|&joint| facts.joint_weight(joint) > 0.0);
        let shown = with_weight.iter().copied().find(|&joint| editor.is_joint_shown(joint));
        editor.session.active_joint = shown.or(with_weight.first().copied()).or(editor.session.active_joint);
        for i in 0..editor.document().instances().len() {
            progress.step("Preparing the brush")?;
            editor.searchable(i);
        }
        editor.keep_committed();
        let (source, journal) = (Arc::new(source), SessionJournal::default());
        Ok(Self {
            editor,
            images,
            warnings,
            journal,
            turned_since: TurnedSince::default(),
            source,
            state,
            beside,
            header,
        })
    }

    /// What was opened.
    pub(crate) fn source(&self) -> &GltfSource {
        &self.source
    }

    /// The first line of this file's journal.
    pub(crate) fn journal_header(&self) -> &JournalHeader {
        &self.header
    }

    /// Where the file is, and how the last save left it.
    pub(crate) fn state(&self) -> &SaveState {
        &self.state
    }

    /// Goes on from the save of an earlier program.
    pub(crate) fn set_state(&mut self, state: SaveState) {
        self.state = state;
    }

    /// Where the next save goes; none if the document came from memory.
    pub fn path(&self) -> Option<&Path> {
        self.state.path.as_deref()
    }

    /// The file's name, for the bar and the window's title; the demo character is the one document without a file.
    pub fn name(&self) -> String {
        let name = self.path().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| Self::DEMO_NAME.to_owned())
    }

    /// Whether there is something that a save would write.
    pub fn is_unsaved(&self) -> bool {
        !self.editor.history().is_saved()
    }

    /// The work of writing the document as it is now, for another thread. Whatever fails, file and document stay as
    /// they were.
    pub fn save_job(
        &self,
        target: Target,
        overwrite_changed: bool,
    ) -> impl FnOnce() -> Result<Saved, SaveError> + Send + use<> {
        let job = self.watched_save_job(target, overwrite_changed);
        move || job(Progress::default())
    }

    /// As [`OpenFile::save_job`]; each step is told, and it can be ended early.
    pub fn watched_save_job(
        &self,
        target: Target,
        overwrite_changed: bool,
    ) -> impl FnOnce(Progress<'_>) -> Result<Saved, SaveError> + Send + use<> {
        let (document, source, state) = (self.editor.document().clone(), Arc::clone(&self.source), self.state.clone());
        let copy = self.journal.wanted_copy().filter(|_| self.saves_over_opened(&target));
        let beside = (!matches!(target, Target::Copy(_))).then(|| self.beside.clone());
        move |progress| {
            if let Some(folder) = copy {
                progress.step("Keeping a copy of what was opened")?;
                // The save matters more; without the copy the journal ends.
                let _ = keep_opened(&source, &folder).map_err(|error| log::warn!("{error}"));
            }
            let options = SaveOptions { overwrite_changed, progress, ..SaveOptions::default() };
            let mut saved = sinew_io::save(&document, &source, &state, target.as_save_target(), &options)?;
            if let Some(beside) = beside {
                beside.write(&document, &mut saved.report);
            }
            Ok(saved)
        }
    }

    /// Takes note of a finished save. Nothing may have been edited since its job was made.
    pub fn saved(&mut self, saved: Saved, target: &Target) -> SaveReport {
        if self.saves_over_opened(target) && self.journal.wanted_copy().is_some() {
            // It begins with bytes that are gone.
            self.journal.end();
        }
        self.state = saved.state;
        if !matches!(target, Target::Copy(_)) {
            self.editor.set_saved();
            let lines = self.editor.take_committed();
            self.journal.saved(lines, &self.state);
        }
        saved.report
    }

    fn saves_over_opened(&self, target: &Target) -> bool {
        let path = match target {
            Target::InPlace => self.path(),
            Target::As(path) | Target::Copy(path) => Some(path.as_path()),
        };
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        path.zip(self.source.path.as_deref()).is_some_and(|(path, opened)| real(path) == real(opened))
    }

    /// Where the character's front is, degrees about Y: 0 toward +Z as glTF has it, 180 for VRM 0.x.
    pub fn front_yaw_deg(&self) -> f32 {
        front_yaw_deg(&self.source)
    }

    /// A name to begin with for a save under another name.
    pub fn suggested_path(&self) -> PathBuf {
        self.path().map_or_else(|| PathBuf::from("untitled.glb"), Path::to_owned)
    }

    /// What the file holds, in a few words.
    pub fn summary(&self) -> String {
        let document = self.editor.document();
        let skinned = document.skinned_meshes();
        let n_vertices: usize = skinned.iter().map(|&mesh| document.mesh(mesh).n_vertices()).sum();
        let meshes = match skinned[..] {
            [] => "nothing to paint".to_owned(),
            [mesh] => match document.nodes_of(mesh).len() {
                1 => mesh_label(document, mesh),
                n => format!("{} ×{n} nodes", mesh_label(document, mesh)),
            },
            _ => format!("{} skinned meshes", skinned.len()),
        };
        let joints = match document.joints().len() {
            1 => "1 joint".to_owned(),
            n => format!("{n} joints"),
        };
        format!("{meshes} · {} · {joints}", crate::panels::n_vertices(n_vertices))
    }
}

/// The document's images, for the viewport; `None` where an image is missing or cannot be decoded. `[n_images]`
pub fn decode_images(document: &Document) -> Vec<Option<Arc<Rgba>>> {
    document.images().iter().map(|image| decode_image(image).ok().map(|image| Arc::new(shrunk(image)))).collect()
}

/// Where a file's characters face, degrees about Y: 0 toward +Z as glTF has it, 180 for VRM 0.x, which faces −Z.
pub fn front_yaw_deg(source: &GltfSource) -> f32 {
    let is_vrm_0 = source.json.get("extensions").is_some_and(|extensions| extensions.get("VRM").is_some());
    if is_vrm_0 { 180.0 } else { 0.0 }
}

fn header_of(source: &GltfSource, given: Given) -> JournalHeader {
    let model = source.path.as_deref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    let model = model.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    let (n_bytes, hash) = source.fingerprint();
    JournalHeader { model, n_bytes, hash, given }
}

/// The endings of files that can be opened.
pub fn extensions() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.extension).collect()
}

fn mesh_label(document: &Document, mesh: MeshIndex) -> String {
    document.mesh(mesh).label(mesh)
}

/// Halves an image until it is no wider than what is shown.
fn shrunk(mut image: Rgba) -> Rgba {
    while image.width.max(image.height) > MAX_TEXTURE_PX && image.width.min(image.height) > 1 {
        let (width, height) = (image.width / 2, image.height / 2);
        let stride = image.width as usize * 4;
        let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
        for y in 0..height as usize {
            for x in 0..width as usize {
                for c in 0..4 {
                    let at = 2 * y * stride + 2 * x * 4 + c;
                    let around = [at, at + 4, at + stride, at + stride + 4];
                    let sum: u32 = around.into_iter().map(|at| u32::from(image.pixels[at])).sum();
                    pixels.push((sum / 4) as u8);
                }
            }
        }
        image = Rgba { width, height, pixels };
    }
    image
}
