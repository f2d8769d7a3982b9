//! The number that the surface shows at each vertex: the active joint's weight, as exported or as edited, whole or as a
//! share of what locked joints leave.

use sinew_edit::Editor;
use sinew_model::{JointSlot, VertexIndex, WeightTable};

/// The active joint's weights in an instance, of the given vertices or of all; 0 where its skin does not have the joint.
/// `[n_vertices]`
pub fn of(editor: &mut Editor, instance_idx: usize, locks_apart: bool, vertices: Option<&[VertexIndex]>) -> Vec<f32> {
    let document = editor.document();
    let instance = document.instances()[instance_idx];
    let joint = editor.session.active_joint;
    let skin = instance.skin.map(|skin| document.skin(skin));
    let Some(slot) = skin.and_then(|skin| skin.slot(joint?)) else {
        return vec![0.0; vertices.map_or(document.mesh(instance.mesh).n_vertices(), <[_]>::len)];
    };
    let locks = document.locks();
    let locked: Vec<bool> = skin
        .map(|skin| skin.joints().iter().map(|joint| locks.contains(joint)).collect())
        .filter(|locked: &Vec<bool>| locks_apart && !locked[slot.idx()])
        .unwrap_or_default();
    // What an engine gets is shown by its own weights, too.
    let has_locked = locked.contains(&true);
    let of = |rows: &WeightTable| {
        let weight = |v| if has_locked { share_of_free(rows, v, slot, &locked) } else { rows.weight(v, slot) };
        match vertices {
            Some(vertices) => vertices.iter().map(|&v| weight(v)).collect(),
            None => rows.vertices().map(weight).collect(),
        }
    };
    let exported = editor.exported_rows(instance.mesh).map(of);
    exported.unwrap_or_else(|| of(&editor.document().mesh(instance.mesh).weights))
}

/// `weight / (1 − Σ locked)`; 0 where locked joints have it all.
fn share_of_free(rows: &WeightTable, vertex: VertexIndex, slot: JointSlot, locked: &[bool]) -> f32 {
    let mut taken = 0.0;
    rows.row(vertex).for_each(|influence| {
        if locked.get(influence.slot.idx()) == Some(&true) {
            taken += influence.weight;
        }
    });
    let free = 1.0 - taken;
    if free > 1e-5 { (rows.weight(vertex, slot) / free).min(1.0) } else { 0.0 }
}
