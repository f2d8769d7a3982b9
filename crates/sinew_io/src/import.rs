//! From a file to a document: `.gltf`, `.glb` and `.vrm`.
//!
//! Boundary: reads, checks and warns; the file's bytes stay as they are in [`GltfSource`]. Nodes, skins, meshes and
//! weights must be right or the file is refused; looks and clips that are not right are left out with a warning.

mod clips;
mod extensions;
mod looks;
mod meshes;
mod morphs;
mod nodes;
mod pools;
pub(crate) mod rows;
mod scenes;
mod skins;
mod triangles;

use std::path::Path;

use sinew_model::document::DocumentParts;
use sinew_model::{Document, MeshIndex, NodeTree, Skin, shown_name};

use crate::bytes::Bytes;
use crate::container::ContainerError;
use crate::error::OpenError;
use crate::json::Json;
use crate::progress::Progress;
use crate::source::GltfSource;
use crate::uri::{FolderResolver, Resolver, read_file};
use crate::warning::ImportWarning;

/// A kind of file that can be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// What people call it.
    pub name: &'static str,
    /// The ending of its files, in lower case.
    pub extension: &'static str,
}

/// Every kind of file that can be opened.
pub const FORMATS: &[Format] = &[
    Format { name: "glTF binary", extension: "glb" },
    Format { name: "glTF", extension: "gltf" },
    Format { name: "VRM avatar", extension: "vrm" },
];

/// An opened file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// What can be edited.
    pub document: Document,
    /// The file it came from.
    pub source: GltfSource,
    /// What was left out or found odd.
    pub warnings: Vec<ImportWarning>,
}

/// Opens a file; buffers and images beside it are read from its folder.
pub fn open(path: &Path) -> Result<Imported, OpenError> {
    open_with(path, Progress::default())
}

/// As [`open`]; each step is told, and it can be ended early.
pub fn open_with(path: &Path, progress: Progress<'_>) -> Result<Imported, OpenError> {
    progress.step("Reading the file")?;
    let bytes = read_file(path).map_err(|source| OpenError::Read { path: path.to_owned(), source })?;
    let folder = FolderResolver(path.parent().unwrap_or(Path::new("")).to_owned());
    let mut imported = import_with(bytes, &folder, progress).map_err(|error| match error {
        OpenError::Container(ContainerError::NotGltf { .. }) => unknown_format(path).unwrap_or(error),
        error => error,
    })?;
    imported.source.path = Some(path.to_owned());
    Ok(imported)
}

/// Imports a file from memory; buffers and images beside it come from `resolver`.
pub fn import(bytes: impl Into<Bytes>, resolver: &dyn Resolver) -> Result<Imported, OpenError> {
    import_with(bytes, resolver, Progress::default())
}

/// As [`import`]; each step is told, and it can be ended early.
pub fn import_with(
    bytes: impl Into<Bytes>,
    resolver: &dyn Resolver,
    progress: Progress<'_>,
) -> Result<Imported, OpenError> {
    let mut source = GltfSource::read(bytes.into(), resolver)?;
    let root = Json::root(&source.json);
    let mut warnings = Vec::new();
    extensions::check_version(root)?;
    extensions::check(root, &mut warnings)?;
    let accessors = source.accessors()?;

    let (n_meshes, n_skins) = (root.list_len("meshes")?, root.list_len("skins")?);
    progress.step("Reading joints")?;
    let nodes = NodeTree::new(nodes::read(root, n_meshes, n_skins)?)?;
    let skins = skins::read(root, &accessors, nodes.len(), &mut warnings)?;
    progress.step("Reading images")?;
    let images = looks::read_images(root, &accessors, resolver, &mut warnings)?;
    let materials = looks::read_materials(root, images.len(), &mut warnings)?;
    let n_slots = longest_skins(&nodes, &skins, n_meshes);
    let (meshes, maps) = meshes::read(root, &accessors, (&materials, &n_slots), progress, &mut warnings)?;
    progress.step("Reading clips")?;
    let clips = clips::read(root, &accessors, nodes.len(), &mut warnings)?;

    let (scenes, default_scene) = scenes::read(root, &accessors, nodes.len(), &mut warnings)?;
    let parts = DocumentParts { nodes, skins, meshes, materials, images, clips, scenes, default_scene };
    let document = Document::new(parts)?;
    warn_of_missing_partners(&document, &mut warnings);
    source.meshes = maps;
    Ok(Imported { document, source, warnings })
}

fn unknown_format(path: &Path) -> Option<OpenError> {
    let found = path.extension()?.to_string_lossy().into_owned();
    if FORMATS.iter().any(|format| found.eq_ignore_ascii_case(format.extension)) {
        return None;
    }
    let expected: Vec<String> = FORMATS.iter().map(|format| format!(".{}", format.extension)).collect();
    Some(OpenError::UnknownFormat { found: format!(".{found}"), expected: expected.join(", ") })
}

/// For each mesh the length of the longest joint list among the skins it is seen under; without a skin as many slots
/// as there can be, so that nothing is left out.
fn longest_skins(nodes: &NodeTree, skins: &[Skin], n_meshes: usize) -> Vec<usize> {
    let mut longest: Vec<Option<usize>> = vec![None; n_meshes];
    for (_, node) in nodes.iter() {
        let skin = node.skin.and_then(|skin| skins.get(skin.idx()));
        if let (Some(mesh), Some(skin)) = (node.mesh, skin) {
            let entry = &mut longest[mesh.idx()];
            *entry = Some(entry.unwrap_or(0).max(skin.n_joints()));
        }
    }
    longest.into_iter().map(|longest| longest.unwrap_or(usize::from(u16::MAX) + 1)).collect()
}

/// Weights without a skin, skins without weights, skins without a node (B71).
fn warn_of_missing_partners(document: &Document, warnings: &mut Vec<ImportWarning>) {
    let mut under_skin = vec![false; document.meshes().len()];
    let mut used = vec![false; document.skins().len()];
    for instance in document.instances() {
        let Some(skin) = instance.skin else { continue };
        under_skin[instance.mesh.idx()] = true;
        used[skin.idx()] = true;
        if !document.mesh(instance.mesh).is_skinned() {
            warnings.push(ImportWarning::SkinWithoutWeights { node: document.nodes().label(instance.node) });
        }
    }
    for (m, mesh) in document.meshes().iter().enumerate() {
        if mesh.is_skinned() && !under_skin[m] {
            warnings.push(ImportWarning::WeightsWithoutSkin { mesh: mesh.label(MeshIndex::from_idx(m)) });
        }
    }
    for (s, skin) in document.skins().iter().enumerate().filter(|(s, _)| !used[*s]) {
        warnings.push(ImportWarning::UnusedSkin { skin: label(skin.name.as_deref(), s) });
    }
}

/// A name for messages: the name, or the number if there is none.
fn label(name: Option<&str>, index: usize) -> String {
    name.filter(|name| !name.is_empty()).map_or_else(|| format!("#{index}"), |name| shown_name(name).into_owned())
}
