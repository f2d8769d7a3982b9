//! What is the matter with a vertex, in words: why the last stroke kept it as it was, a share that no joint has, a sum that
//! is not 1, too many joints, a torn seam.

use egui::Color32;
use sinew_edit::{Editor, MeshSurface, Refusal};
use sinew_model::{MeshIndex, VertexIndex};
use sinew_render::Color;

use super::marks::Marks;
use super::scene::refusal_tint;
use super::seams;

/// The notes, each with the colour that marks it on the model.
pub fn of(editor: &mut Editor, mesh: MeshIndex, vertex: VertexIndex, surface: &MeshSurface) -> Vec<(Color32, String)> {
    let mut notes = Vec::new();
    if let Some(&why) = editor.refused(mesh).and_then(|refused| refused.get(&vertex)) {
        notes.push((opaque(refusal_tint(why)), refusal(editor, mesh, vertex, why)));
    }
    let census = editor.census(mesh);
    let has = |vertices: &[VertexIndex]| vertices.binary_search(&vertex).is_ok();
    let sum = editor.document().mesh(mesh).weights.get(vertex).sum_f64();
    if has(&census.unassigned) {
        let text = format!("{:.3} is unassigned: no joint has it yet", (1.0 - sum).max(0.0));
        notes.push((opaque(Marks::Unassigned.tint()), text));
    } else if has(&census.off_sum) {
        notes.push((opaque(Marks::OffSum.tint()), format!("weights sum to {sum:.3}: shown as if to 1")));
    }
    let document = editor.document();
    let n_influences = document.mesh(mesh).weights.get(vertex).influences().len();
    let budget = document.budget().max_influences();
    if n_influences > budget {
        notes.push((opaque(Marks::OverBudget.tint()), format!("{n_influences} joints; the budget is {budget}")));
    }
    let positions = &document.mesh(mesh).positions;
    let stands_here = |torn: &VertexIndex| positions[torn.idx()] == positions[vertex.idx()];
    if surface.torn.iter().any(stands_here) {
        notes.push((opaque(seams::TORN), "its twin has other weights: the seam may tear".to_owned()));
    }
    notes
}

fn refusal(editor: &Editor, mesh: MeshIndex, vertex: VertexIndex, why: Refusal) -> String {
    match why {
        Refusal::Blocked => {
            let locked = locked_names(editor, mesh, vertex);
            match &locked[..] {
                [] => "kept: locked joints leave no room".to_owned(),
                [one] => format!("kept: {one} is locked and the rest cannot take or give"),
                [one, .., last] if locked.len() == 2 => format!("kept: {one} and {last} are locked"),
                [one, ..] => format!("kept: {one} and {} more are locked", locked.len() - 1),
            }
        }
        Refusal::Budget => format!("kept: {} joints are all the budget allows", editor.document().budget()),
        Refusal::NoOtherJoint => "kept: there is no other joint to give its weight to".to_owned(),
    }
}

fn locked_names(editor: &Editor, mesh: MeshIndex, vertex: VertexIndex) -> Vec<String> {
    let document = editor.document();
    let Some(skin) = document.skins_of(mesh).first().map(|&skin| document.skin(skin)) else { return Vec::new() };
    let row = document.mesh(mesh).weights.get(vertex);
    let joints = row.influences().iter().filter_map(|influence| skin.joint(influence.slot));
    joints.filter(|joint| document.locks().contains(joint)).map(|joint| document.nodes().label(joint)).collect()
}

fn opaque(color: Color) -> Color32 {
    let [r, g, b, _] = color.0;
    Color32::from_rgb(r, g, b)
}
