//! The editor without a window, on small files made in code: strokes, commands, history.

mod ahead;
mod brush_suite;
mod brushes;
mod commands;
mod exported;
mod journal;
mod marks;
mod marks_properties;
mod meshes;
mod painting;
mod parts;
mod properties;
mod reaches;
mod scenes;
mod seams;
mod seeing;
mod selection;
mod several_meshes;
mod shared_mean;
mod strokes;
mod symmetry;
mod together;
mod tools;
mod unassigned;

use sinew_edit::Editor;
use sinew_io::MapResolver;
use sinew_model::{MeshIndex, Row, VertexIndex};
use sinew_tests::Scene;

const MESH: MeshIndex = MeshIndex(0);

/// An editor on a scene, as it would be after opening the file.
fn editor(scene: &Scene) -> Editor {
    let imported = sinew_io::import(scene.glb(), &MapResolver::default()).expect("the fixture opens");
    Editor::new(imported.document)
}

/// Does lines and panics with the message of the first that fails.
#[track_caller]
fn run(editor: &mut Editor, lines: &[&str]) {
    for line in lines {
        if let Err(error) = editor.run(line) {
            panic!("{line}: {error}");
        }
    }
}

fn row(editor: &Editor, vertex: u32) -> Row {
    editor.document().mesh(MESH).weights.get(VertexIndex(vertex))
}

/// The weight of a slot on a vertex of the first mesh.
fn weight(editor: &Editor, vertex: u32, slot: u16) -> f32 {
    row(editor, vertex).weight(sinew_model::JointSlot(slot))
}

#[track_caller]
fn assert_close(found: f32, expected: f32) {
    assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
}

/// Every row of every mesh.
fn all_rows(editor: &Editor) -> Vec<Row> {
    let meshes = editor.document().meshes().iter();
    meshes.flat_map(|mesh| mesh.weights.vertices().map(|v| mesh.weights.get(v)).collect::<Vec<_>>()).collect()
}
