//! The open file: its editor, where it came from, and the way to the disk and back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::facts::Facts;
use sinew_edit::{Editor, MeshSurface};
use sinew_io::{
    FORMATS, GltfSource, ImportWarning, Imported, OpenError, Rgba, SaveError, SaveOptions, SaveReport, SaveState,
    SaveTarget, Saved, decode_image,
};
use sinew_model::{Document, MeshIndex};

/// A file in hand.
pub struct OpenFile {
    /// The editor on its document.
    pub editor: Editor,
    /// Its images, decoded; `None` where that was not possible. `[n_images]`
    pub images: Vec<Option<Arc<Rgba>>>,
    /// What was odd about the file.
    pub warnings: Vec<ImportWarning>,
    source: Arc<GltfSource>,
    state: SaveState,
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

/// Share of the model's diagonal that a new brush has as its radius.
const FIRST_RADIUS: f32 = 0.05;

/// Textures are shown at most this wide: more is not seen, and there are no smaller copies to choose from.
const MAX_TEXTURE_PX: u32 = 2048;

impl OpenFile {
    /// What the one document without a file is called.
    pub const DEMO_NAME: &str = "Demo character";

    /// Reads a file and makes everything ready to draw and paint: slow on large files, so call it off the window's
    /// thread.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_saying(path, &|_| {})
    }

    /// As [`OpenFile::open`]; `say` is told each step as it begins.
    pub fn open_saying(path: &Path, say: &dyn Fn(&'static str)) -> Result<Self, OpenError> {
        say("Reading the file");
        Ok(Self::prepare(sinew_io::open(path)?, say))
    }

    /// Makes an imported file ready to draw and paint.
    pub fn new(imported: Imported) -> Self {
        Self::prepare(imported, &|_| {})
    }

    /// As [`OpenFile::new`]; `say` is told each step as it begins.
    pub fn new_saying(imported: Imported, say: &dyn Fn(&'static str)) -> Self {
        Self::prepare(imported, say)
    }

    fn prepare(imported: Imported, say: &dyn Fn(&'static str)) -> Self {
        let Imported { document, source, warnings } = imported;
        say("Decoding images");
        let images = decode_images(&document);
        let state = SaveState::opened(&source);
        say("Finding surfaces and seams");
        let mut editor = Editor::new(document);
        for mesh in editor.document().skinned_meshes() {
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
        let with_weight = editor.document().joints().iter().copied().find(|&joint| facts.joint_weight(joint) > 0.0);
        editor.session.active_joint = with_weight.or(editor.session.active_joint);
        say("Preparing the brush");
        for i in 0..editor.document().instances().len() {
            editor.searchable(i);
        }
        Self { editor, images, warnings, source: Arc::new(source), state }
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
        let (document, source, state) = (self.editor.document().clone(), Arc::clone(&self.source), self.state.clone());
        move || {
            let options = SaveOptions { overwrite_changed, ..SaveOptions::default() };
            sinew_io::save(&document, &source, &state, target.as_save_target(), &options)
        }
    }

    /// Takes note of a finished save. Nothing may have been edited since its job was made.
    pub fn saved(&mut self, saved: Saved, target: &Target) -> SaveReport {
        self.state = saved.state;
        if !matches!(target, Target::Copy(_)) {
            self.editor.set_saved();
        }
        saved.report
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
            [mesh] => mesh_label(document, mesh),
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
