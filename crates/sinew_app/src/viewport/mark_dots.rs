//! Selected vertices and marked ones as dots, and the mask as a tint.

use sinew_edit::Editor;
use sinew_model::{VertexIndex, VertexMask};
use sinew_render::{Color, Disc, DrawList};

use super::camera::View;
use super::marks::{Marks, marked};

/// More are thinned out: beyond that they are a surface.
const MANY: usize = 40_000;
const SELECTED: Color = Color::hex(0x8FF5E4);
const DARK: Color = Color::hex(0x10_1216);
/// Under the mask, where nothing changes: neutral, so that no weight looks like it, and dark enough to stand back.
pub const MASKED: Color = Color([0x17, 0x19, 0x1E, 0xC4]);
/// A dot's radius, points, and the least it shrinks to where vertices crowd: none is ever left out for it.
const RADIUS: f32 = 1.7;
const LEAST_RADIUS: f32 = 0.6;
/// Of a marked vertex, points: few are looked for.
const MARKED_RADIUS: f32 = 3.2;

/// Adds a dot on every selected vertex of what is shown, as large as the view has room for.
pub fn push_selected(list: &mut DrawList<'_>, editor: &mut Editor, (view, pixels_per_point): (&View, f32)) {
    let shown = editor.shown_instances();
    for i in (0..editor.document().instances().len()).filter(|&i| shown[i]) {
        let mesh = editor.document().instances()[i].mesh;
        if editor.document().selection(mesh).is_empty() {
            continue;
        }
        let surface = editor.surface(mesh);
        let selection = editor.document().selection(mesh).clone();
        let positions = &editor.posed(i).posed.positions;
        // Of vertices in one place one is enough, and of what is out of sight none.
        let is_one = |vertex: VertexIndex| surface.representative(surface.group_of(vertex)) == vertex;
        let clip_from_scene = view.clip_from_scene();
        let is_in_sight = |vertex: VertexIndex| {
            let at = clip_from_scene * positions[vertex.idx()].extend(1.0);
            at.w > 0.0 && at.x.abs() < 1.02 * at.w && at.y.abs() < 1.02 * at.w
        };
        let seen: Vec<VertexIndex> = selection.iter().filter(|&v| is_one(v) && is_in_sight(v)).collect();
        for &vertex in seen.iter().step_by(seen.len() / MANY + 1) {
            let (here, group) = (positions[vertex.idx()], surface.group_of(vertex));
            let near = surface.topology.neighbours(group);
            let around = near.iter().map(|&group| positions[surface.representative(group).idx()].distance(here));
            let apart = around.sum::<f32>() / near.len().max(1) as f32 * view.px_per_unit(here) / pixels_per_point;
            let radius = if near.is_empty() { RADIUS } else { (0.28 * apart).clamp(LEAST_RADIUS, RADIUS) };
            let dot = Disc::new(here, radius, SELECTED);
            list.discs.push(dot.with_outline(0.47 * radius, DARK.with_alpha(0.6 * radius / RADIUS)));
        }
    }
}

/// Adds a dot on every marked vertex, seen through whatever lies before it: who looks for them must not have to turn the
/// model first.
pub fn push_marked(list: &mut DrawList<'_>, editor: &mut Editor, marks: Marks) {
    let all = marked(editor, marks);
    let color = Color([marks.tint().0[0], marks.tint().0[1], marks.tint().0[2], 0xE6]);
    for one in all.iter().step_by(all.len() / MANY + 1) {
        list.discs_on_top.push(Disc::new(one.point, MARKED_RADIUS, color).with_outline(1.0, DARK.with_alpha(0.7)));
    }
}

/// Vertices under the mask with their tint: the less they take, the darker they are.
pub fn mask_tints(mask: &VertexMask) -> impl Iterator<Item = (VertexIndex, Color)> + '_ {
    let [r, g, b, a] = MASKED.0;
    let full = f32::from(a) / 255.0;
    mask.iter().map(move |(vertex, takes)| (vertex, Color([r, g, b, 0xFF]).with_alpha((1.0 - takes) * full)))
}
