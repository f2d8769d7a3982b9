//! The vertex under the brush as each of its joints alone would have it: dots in the joints' colours, tied to where their
//! blend is. The card beside the brush names them by the same colours.

use glam::Vec3;
use sinew_edit::pick::SkinHit;
use sinew_edit::{Editor, Ghost, ghosts};
use sinew_render::{Color, Disc, DrawList, Line};

/// A ghost with less weight is not shown.
const LEAST: f32 = 0.004;

/// Adds the ghosts of the vertex at a hit.
pub fn push(list: &mut DrawList<'_>, editor: &mut Editor, hit: &SkinHit, of_joints: &[Color]) {
    let blend: Vec3 = editor.posed(hit.instance_idx).posed.positions[hit.vertex.idx()];
    let mut all: Vec<Ghost> = ghosts(editor, hit.instance_idx, hit.vertex);
    all.retain(|ghost| ghost.weight >= LEAST && ghost.point.is_finite());
    let dark = Color::hex(0x14_1518);
    // The light ones lie over the heavy ones.
    for ghost in &all {
        let color = of_joints.get(ghost.joint.idx()).copied().unwrap_or(Color::hex(0xEC_EEF1));
        list.lines_on_top.push(Line::new(blend, ghost.point, 3.4, dark.with_alpha(0.35)));
        list.lines_on_top.push(Line::new(blend, ghost.point, 1.2 + 1.2 * ghost.weight, color.with_alpha(0.95)));
    }
    for ghost in &all {
        let color = of_joints.get(ghost.joint.idx()).copied().unwrap_or(Color::hex(0xEC_EEF1));
        let dot = Disc::new(ghost.point, 2.4 + 3.2 * ghost.weight.sqrt(), color);
        list.discs_on_top.push(dot.with_outline(1.2, dark.with_alpha(0.75)));
    }
    if !all.is_empty() {
        list.discs_on_top.push(Disc::new(blend, 2.2, Color::hex(0xEC_EEF1)).with_outline(1.4, dark.with_alpha(0.85)));
    }
}
