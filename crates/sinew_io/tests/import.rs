//! Opening files: the sample models, what glTF allows that loaders get wrong, and files that are broken.

#[path = "import/broken.rs"]
mod broken;
#[path = "import/compressed.rs"]
mod compressed;
#[path = "import/files.rs"]
mod files;
#[path = "import/meshes.rs"]
mod meshes;
#[path = "import/models.rs"]
mod models;
#[path = "import/scenes.rs"]
mod scenes;
#[path = "import/skins.rs"]
mod skins;
#[path = "import/weights.rs"]
mod weights;

use serde_json::Value;
use sinew_io::{Bytes, Imported, MapResolver, OpenError, import};
use sinew_model::{JointSlot, Mesh, MeshIndex, Row, VertexIndex};
use sinew_tests::{GltfBuilder, Scene};

/// Imports a file that needs no other.
fn try_open(bytes: Vec<u8>) -> Result<Imported, OpenError> {
    import(bytes, &MapResolver::default())
}

fn opened(bytes: Vec<u8>) -> Imported {
    try_open(bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn opened_scene(scene: &Scene) -> Imported {
    opened(scene.glb())
}

/// Imports `files[0]`, which finds the others beside it.
fn opened_files(files: Vec<(String, Vec<u8>)>) -> Imported {
    let mut files = files.into_iter();
    let (_, main) = files.next().expect("a file");
    let beside = MapResolver(files.map(|(name, bytes)| (name, Bytes::from(bytes))).collect());
    import(main, &beside).unwrap_or_else(|error| panic!("{error}"))
}

/// A scene's file after a change to its JSON.
fn changed(scene: &Scene, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut builder = scene.build();
    change(&mut builder.json);
    builder.glb()
}

/// A scene's file after a change to JSON and bytes.
fn rebuilt(scene: &Scene, change: impl FnOnce(&mut GltfBuilder)) -> Vec<u8> {
    let mut builder = scene.build();
    change(&mut builder);
    builder.glb()
}

fn mesh(imported: &Imported) -> &Mesh {
    imported.document.mesh(MeshIndex(0))
}

fn row_of(imported: &Imported, vertex: u32) -> Vec<(u16, f32)> {
    row_in(mesh(imported), vertex)
}

fn row_in(mesh: &Mesh, vertex: u32) -> Vec<(u16, f32)> {
    mesh.weights.get(VertexIndex(vertex)).influences().iter().map(|i| (i.slot.0, i.weight)).collect()
}

fn row(influences: &[(u16, f32)]) -> Row {
    influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
}

/// Whether two imports have the same surface and weights.
fn assert_same_mesh(a: &Imported, b: &Imported) {
    let (a, b) = (mesh(a), mesh(b));
    assert_eq!(a.positions, b.positions);
    assert_eq!(a.texcoords, b.texcoords);
    assert!(a.triangles().eq(b.triangles()));
    assert!(a.weights == b.weights);
}
