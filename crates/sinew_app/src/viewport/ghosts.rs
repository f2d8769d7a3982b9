//! The vertex under the brush as each of its joints alone would have it: dots in the joints' colours, tied to where their
//! blend is.

use egui::{Align2, Color32, FontId, vec2};
use glam::Vec3;
use sinew_edit::pick::SkinHit;
use sinew_edit::{Editor, Ghost, ghosts};
use sinew_render::{Color, Disc, DrawList, Line};

use super::{Viewport, joint_colors};
use crate::keymap::Mode;
use crate::theme;

/// A ghost with less weight is not shown.
const LEAST: f32 = 0.004;
/// A ghost nearer than this to the blend has no name, points.
const NAMED_FROM: f32 = 26.0;

fn shown(editor: &mut Editor, hit: &SkinHit) -> (Vec3, Vec<Ghost>) {
    let blend = editor.posed(hit.instance_idx).posed.positions[hit.vertex.idx()];
    let mut all = ghosts(editor, hit.instance_idx, hit.vertex);
    all.retain(|ghost| ghost.weight >= LEAST && ghost.point.is_finite());
    (blend, all)
}

/// Adds the ghosts of the vertex at a hit.
pub fn push(list: &mut DrawList<'_>, editor: &mut Editor, hit: &SkinHit, of_joints: &[Color]) {
    let (blend, all) = shown(editor, hit);
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

/// Names the ghosts that stand apart from the blend.
pub fn show_names(viewport: &Viewport, ui: &egui::Ui, editor: &mut Editor) {
    if !viewport.options.display.ghosts || !matches!(viewport.mode(), Mode::Idle | Mode::Flexing) {
        return;
    }
    let Some(hit) = viewport.hover().copied() else { return };
    let (blend, all) = shown(editor, &hit);
    let (view, area) = (viewport.view(), viewport.area());
    let Some(from) = view.px_of(blend).map(|px| area.pos_of(px)) else { return };
    let painter = ui.painter().with_clip_rect(area.rect());
    let colors = joint_colors::of(editor.document());
    for ghost in all {
        let Some(at) = view.px_of(ghost.point).map(|px| area.pos_of(px)) else { continue };
        let away = at - from;
        if away.length() < NAMED_FROM {
            continue;
        }
        let [r, g, b, _] = colors[ghost.joint.idx()].0;
        let text = format!("{} {:.2}", editor.document().nodes().label(ghost.joint), ghost.weight);
        let (align, by) = if away.x < 0.0 { (Align2::RIGHT_CENTER, -11.0) } else { (Align2::LEFT_CENTER, 11.0) };
        let galley = painter.layout_no_wrap(text, FontId::proportional(11.5), theme::PRIMARY);
        let rect = align.anchor_size(at + vec2(by, 0.0), galley.size() + vec2(10.0, 4.0));
        painter.rect_filled(rect, 4.0, Color32::from_black_alpha(190));
        let bar = egui::Rect::from_min_size(rect.min, vec2(2.5, rect.height()));
        painter.rect_filled(bar, 1.0, Color32::from_rgb(r, g, b));
        painter.galley(rect.min + vec2(6.0, 2.0), galley, theme::PRIMARY);
    }
}
