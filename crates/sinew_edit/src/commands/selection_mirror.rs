//! Selecting the mirror images of what is selected, on whatever mesh they are.

use std::collections::BTreeMap;

use sinew_model::{MeshIndex, VertexSet};

use super::scope::{MESH, target_meshes, with_mesh};
use super::selection::finish;
use super::symmetry::{AT, AXES, TOLERANCE, settings};
use super::{Command, CommandError, Outcome, Param, n_vertices};
use crate::args;
use crate::editor::{Editor, OpenStep};
use crate::script::Line;

pub static SELECT_MIRROR: Command = Command {
    name: "select_mirror",
    label: "Mirror Selection",
    hint: "Select the mirror images of what is selected, too",
    menu: "Select",
    params: &[
        Param {
            key: "axis",
            value: "x|y|z",
            default: Some("that of mirrored strokes"),
            hint: "the axis the plane stands across",
        },
        Param { key: "how", value: "add|replace", default: Some("add"), hint: "both sides, or only the mirror images" },
        AT,
        TOLERANCE,
        MESH,
    ],
    run: select_mirror,
};

fn select_mirror(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let axis = args::choice(line, "axis", &AXES, |word| AXES.iter().position(|known| *known == word))?;
    let keeps = args::choice(line, "how", &["add", "replace"], |word| match word {
        "add" => Some(true),
        "replace" => Some(false),
        _ => None,
    })?;
    let keeps = keeps.unwrap_or(true);
    let by_hand = editor.session.paint.symmetry();
    let mut settings = settings(line, axis.unwrap_or(by_hand.axis))?;
    if axis.is_none() {
        (settings.at, settings.tolerance) = (settings.at.or(by_hand.at), settings.tolerance.or(by_hand.tolerance));
    }
    let meshes = target_meshes(editor, line)?;
    if meshes.iter().all(|&mesh| editor.document().selection(mesh).is_empty()) {
        return Err(CommandError::NothingSelected);
    }
    // A replay must not depend on what the hand mirrors across.
    let mut written = with_mesh(editor, line);
    written.params.retain(|(key, _)| !["axis", AT.key, TOLERANCE.key].contains(&key.as_str()));
    written.params.insert(0, ("axis".to_owned(), AXES[settings.axis.min(2)].to_owned()));
    for (key, number) in [(AT.key, settings.at), (TOLERANCE.key, settings.tolerance)] {
        if let Some(number) = number {
            written = written.with(key, number);
        }
    }

    let (symmetry, surfaces) = (editor.symmetry(settings), editor.skinned_surfaces());
    let document = editor.document();
    // What is selected on a mesh that is not meant stays so.
    let first =
        |mesh| if keeps || !meshes.contains(&mesh) { document.selection(mesh).clone() } else { VertexSet::EMPTY };
    let mut selections: BTreeMap<MeshIndex, VertexSet> = meshes.iter().map(|&mesh| (mesh, first(mesh))).collect();
    let mut n_alone = 0;
    for &mesh in &meshes {
        let Some(surface) = surfaces.get(&mesh) else { continue };
        for group in surface.groups_of_set(document.selection(mesh)) {
            match symmetry.twin(mesh, group) {
                Some((other, twin)) => {
                    selections.entry(other).or_insert_with(|| first(other)).extend(surfaces[&other].members(twin));
                }
                None => n_alone += surface.members(group).count(),
            }
        }
    }
    let mut step = OpenStep::new();
    for (mesh, selection) in selections {
        editor.apply_selection(&mut step, mesh, &selection);
    }
    let mut outcome = finish(editor, step, written);
    outcome.message = format!("Mirror selection: {}", outcome.message);
    if n_alone > 0 {
        outcome.notes.push(format!("{} without a mirror image", n_vertices(n_alone)));
    }
    Ok(outcome)
}
