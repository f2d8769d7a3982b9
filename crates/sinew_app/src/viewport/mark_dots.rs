//! Selected vertices as dots, and the mask as a tint.

use sinew_edit::Editor;
use sinew_model::{VertexIndex, VertexMask};
use sinew_render::{Color, Disc, DrawList};

/// More are thinned out: beyond that they are a surface.
const MANY: usize = 12_000;
const SELECTED: Color = Color::hex(0x8FF5E4);
const DARK: Color = Color::hex(0x10_1216);

/// Adds a dot on every selected vertex of what is shown.
pub fn push_selected(list: &mut DrawList<'_>, editor: &mut Editor) {
    let shown = editor.shown_instances();
    for i in (0..editor.document().instances().len()).filter(|&i| shown[i]) {
        let mesh = editor.document().instances()[i].mesh;
        let n = editor.document().selection(mesh).len();
        if n == 0 {
            continue;
        }
        let surface = editor.surface(mesh);
        let selection = editor.document().selection(mesh).clone();
        let positions = &editor.posed(i).posed.positions;
        // Of vertices in one place one is enough.
        let one = selection.iter().filter(|&vertex| surface.representative(surface.group_of(vertex)) == vertex);
        for vertex in one.step_by(n / MANY + 1) {
            let dot = Disc::new(positions[vertex.idx()], 1.7, SELECTED);
            list.discs.push(dot.with_outline(0.8, DARK.with_alpha(0.6)));
        }
    }
}

/// Vertices under the mask with their tint: the less they take, the darker they are.
pub fn mask_tints(mask: &VertexMask) -> impl Iterator<Item = (VertexIndex, Color)> + '_ {
    mask.iter().map(|(vertex, takes)| (vertex, Color::hex(0x2F_3F8F).with_alpha((1.0 - takes) * 0.85)))
}
