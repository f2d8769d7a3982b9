//! The mask: how much of a change each vertex takes. 0 protects a vertex to the bit.

use sinew_model::{Document, MeshIndex, VertexIndex, VertexSet};

use super::scope::{MESH, target_meshes, with_mesh};
use super::{Command, CommandError, Outcome, Param};
use crate::args::{self, ArgError};
use crate::editor::{Editor, OpenStep};
use crate::script::Line;

pub static MASK: Command = Command {
    name: "mask",
    label: "Mask",
    hint: "Let vertices take only a part of every change, or none",
    menu: "Select",
    params: &[
        Param {
            key: "from",
            value: "selection|inverse|clear",
            default: Some("selection"),
            hint: "what is selected, what is not, or no mask at all",
        },
        Param {
            key: "vertices",
            value: "0-99,120|all",
            default: Some("by from"),
            hint: "these vertices of one mesh instead",
        },
        Param { key: "value", value: "0..1", default: Some("0"), hint: "how much of a change they take" },
        MESH,
    ],
    run: mask,
};

pub static CLEAR_MASK: Command = Command {
    name: "clear_mask",
    label: "Clear Mask",
    hint: "Let every vertex change again",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| {
        let mut full = Line::new(MASK.name).with("from", "clear");
        full.params.extend(line.params.iter().cloned());
        mask(editor, &full)
    },
};

pub static INVERT_MASK: Command = Command {
    name: "invert_mask",
    label: "Invert Mask",
    hint: "Protect what is not protected, and the other way round",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| {
        set_masks(editor, line, "Invert mask", |document, mesh| {
            let mask = document.mask(mesh);
            paintable(document, mesh).map(|vertex| (vertex, 1.0 - mask.at(vertex))).collect()
        })
    },
};

fn mask(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let value = args::number(line, "value", 0.0, 0.0, 1.0)?;
    let with_value = |set: &VertexSet| -> Vec<(VertexIndex, f32)> { set.iter().map(|v| (v, value)).collect() };
    if let Some(text) = line.get("vertices") {
        let &[mesh] = &target_meshes(editor, line)?[..] else {
            let (command, hint) =
                ("mask vertices=…".to_owned(), "the mesh whose vertices these are; there are several");
            return Err(ArgError::Missing { command, key: "mesh", hint }.into());
        };
        let vertices = args::vertices(editor.document(), mesh, text)?;
        let mut line = line.clone();
        if line.get("mesh").is_none() {
            line = line.with("mesh", args::mesh_name(editor.document(), mesh));
        }
        return set_masks(editor, &line, &format!("Mask {value}"), |_, _| with_value(&vertices));
    }
    match line.get("from").unwrap_or("selection") {
        "selection" => {
            let document = editor.document();
            if target_meshes(editor, line)?.iter().all(|&mesh| document.selection(mesh).is_empty()) {
                return Err(CommandError::NothingSelected);
            }
            let label = format!("Mask selection {value}");
            set_masks(editor, line, &label, |document, mesh| with_value(document.selection(mesh)))
        }
        "inverse" => set_masks(editor, line, &format!("Mask all but the selection {value}"), |document, mesh| {
            let mut rest: VertexSet = paintable(document, mesh).collect();
            rest.subtract(document.selection(mesh));
            with_value(&rest)
        }),
        "clear" => set_masks(editor, line, "Clear mask", |document, mesh| {
            document.mask(mesh).iter().map(|(vertex, _)| (vertex, 1.0)).collect()
        }),
        found => Err(args::bad("from", "one of selection, inverse, clear".to_owned(), found).into()),
    }
}

fn set_masks(
    editor: &mut Editor,
    line: &Line,
    label: &str,
    values: impl Fn(&Document, MeshIndex) -> Vec<(VertexIndex, f32)>,
) -> Result<Outcome, CommandError> {
    let meshes = target_meshes(editor, line)?;
    let written = with_mesh(editor, line);
    let mut step = OpenStep::new();
    for &mesh in &meshes {
        let values = values(editor.document(), mesh);
        editor.apply_mask(&mut step, mesh, values);
    }
    editor.commit(step, label, written);
    let n_masked: usize = meshes.iter().map(|&mesh| editor.document().mask(mesh).n_masked()).sum();
    Ok(Outcome::new(format!("{label}: {n_masked} masked now"), 0))
}

fn paintable(document: &Document, mesh: MeshIndex) -> impl Iterator<Item = VertexIndex> + '_ {
    let mesh = document.mesh(mesh);
    mesh.weights.vertices().filter(|&vertex| mesh.is_paintable(vertex))
}
