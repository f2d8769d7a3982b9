//! Hiding vertices. What is hidden is not shown and never changes; hiding is undone, but not kept.
//!
//! Unless a line names a mesh it means all meshes, whichever is the chosen one: what is looked at is the whole model. So
//! rigid parts, none of whose vertices can be selected, go too where only what is selected is to stay.

use sinew_model::{Document, MeshIndex, VertexSet};

use super::scope::target_meshes;
use super::{Command, CommandError, Outcome, Param, n_vertices};
use crate::args;
use crate::editor::{Editor, OpenStep};
use crate::script::Line;

const MESH: Param = Param { key: "mesh", value: "NAME", default: Some("all meshes"), hint: "only this mesh" };

pub static HIDE: Command = Command {
    name: "hide",
    label: "Hide",
    hint: "Hide what is selected; hidden vertices never change",
    menu: "Select",
    params: &[
        Param { key: "what", value: "selected|unselected", default: Some("selected"), hint: "which vertices" },
        MESH,
    ],
    run: |editor, line| {
        let is_rest = args::choice(line, "what", &["selected", "unselected"], |word| match word {
            "selected" => Some(false),
            "unselected" => Some(true),
            _ => None,
        })?;
        let is_rest = is_rest.unwrap_or(false);
        let label = if is_rest { "Hide unselected" } else { "Hide selected" };
        hide(editor, line, label, |document, mesh| {
            let mut hidden = document.hidden(mesh).clone();
            hidden.add(&if is_rest { unselected(document, mesh) } else { document.selection(mesh).clone() });
            hidden
        })
    },
};

pub static ISOLATE: Command = Command {
    name: "isolate",
    label: "Isolate",
    hint: "Show only what is selected",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| hide(editor, line, "Isolate", unselected),
};

pub static REVEAL: Command = Command {
    name: "reveal",
    label: "Reveal",
    hint: "Show all vertices again",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| {
        let meshes = meant(editor, line)?;
        Ok(apply(editor, line, "Reveal", &meshes, |_, _| VertexSet::EMPTY))
    },
};

fn hide(
    editor: &mut Editor,
    line: &Line,
    label: &str,
    hidden: impl Fn(&Document, MeshIndex) -> VertexSet,
) -> Result<Outcome, CommandError> {
    let meshes = meant(editor, line)?;
    if meshes.iter().all(|&mesh| editor.document().selection(mesh).is_empty()) {
        return Err(CommandError::NothingSelected);
    }
    Ok(apply(editor, line, label, &meshes, hidden))
}

/// The mesh that a line names, else all.
fn meant(editor: &Editor, line: &Line) -> Result<Vec<MeshIndex>, CommandError> {
    let meshes = target_meshes(editor, line)?;
    let all = 0..editor.document().meshes().len();
    Ok(if line.get("mesh").is_some() { meshes } else { all.map(MeshIndex::from_idx).collect() })
}

fn apply(
    editor: &mut Editor,
    line: &Line,
    label: &str,
    meshes: &[MeshIndex],
    hidden: impl Fn(&Document, MeshIndex) -> VertexSet,
) -> Outcome {
    let mut step = OpenStep::new();
    for &mesh in meshes {
        let hidden = hidden(editor.document(), mesh);
        editor.apply_hidden(&mut step, mesh, &hidden);
    }
    editor.commit(step, label, line);
    let n: usize = meshes.iter().map(|&mesh| editor.document().hidden(mesh).len()).sum();
    Outcome::new(format!("{label}: {} hidden", n_vertices(n)), 0)
}

fn unselected(document: &Document, mesh: MeshIndex) -> VertexSet {
    let mut rest = VertexSet::all(document.mesh(mesh).n_vertices());
    rest.subtract(document.selection(mesh));
    rest
}
