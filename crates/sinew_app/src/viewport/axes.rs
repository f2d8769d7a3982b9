//! The three axes of the scene in the view's corner. A click on one looks along it; a second click from the other side.

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, WidgetInfo, pos2, vec2};
use glam::Vec3;

use super::Viewport;
use super::gizmo::AXIS_COLORS;
use super::tools::SwitchesRect;

const ARM: f32 = 27.0;
const TIP: f32 = 9.0;
const NAMES: [&str; 3] = ["X", "Y", "Z"];

/// Draws the axes and takes their clicks.
pub fn show(viewport: &mut Viewport, ui: &egui::Ui) {
    let area = viewport.area().rect();
    viewport.tools.axes_rect = SwitchesRect::default();
    if area.width() < 360.0 || area.height() < 160.0 {
        return;
    }
    let corner = pos2(area.max.x - 50.0, area.min.y + 54.0);
    // Under the switches where those reach so far.
    let switches = viewport.tools.switches_rect.0;
    let is_under = switches.is_positive() && switches.max.x > corner.x - ARM - TIP;
    let center = if is_under { pos2(corner.x, switches.max.y + ARM + TIP + 4.0) } else { corner };
    viewport.tools.axes_rect = SwitchesRect(Rect::from_center_size(center, vec2(2.0, 2.0) * (ARM + TIP)));
    let scene_from_view = viewport.camera.scene_from_view();
    // Nearest last, so that it lies on top.
    let mut arms: Vec<(usize, Vec3)> =
        (0..3).map(|i| (i, scene_from_view.inverse().transform_vector3(Vec3::AXES[i]))).collect();
    arms.sort_by(|a, b| a.1.z.total_cmp(&b.1.z));
    for (axis_idx, arm) in arms {
        let tip = center + vec2(arm.x, -arm.y) * ARM;
        if draw(ui, axis_idx, [center, tip], arm.z).clicked() {
            let is_there = arm.z > 0.999;
            viewport.camera.look(yaw_pitch_deg(axis_idx, is_there));
        }
    }
}

fn draw(ui: &egui::Ui, axis_idx: usize, [center, tip]: [Pos2; 2], toward_eye: f32) -> egui::Response {
    let name = NAMES[axis_idx];
    let response = ui.interact(
        Rect::from_center_size(tip, vec2(TIP, TIP) * 2.0),
        ui.scope_id().with(("axis", name)),
        Sense::click(),
    );
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Look along {name}")));
    let [r, g, b, _] = AXIS_COLORS[axis_idx].0;
    let share = 0.62 + 0.38 * (0.5 + 0.5 * toward_eye);
    let color = Color32::from_rgb(r, g, b).gamma_multiply(share);
    let painter = ui.painter();
    painter.line_segment([center, tip], Stroke::new(2.0, color));
    let is_lit = response.hovered() || response.has_focus();
    painter.circle_filled(tip, TIP, if is_lit { color } else { Color32::from_rgb(0x26, 0x28, 0x2D) });
    painter.circle_stroke(tip, TIP, Stroke::new(1.2, color));
    let text = if is_lit { Color32::from_rgb(0x14, 0x15, 0x18) } else { color };
    painter.text(tip, Align2::CENTER_CENTER, name, FontId::proportional(11.0), text);
    response.on_hover_text(format!("Look along {name}"))
}

/// Yaw and pitch of a camera on an axis, on its positive side or its negative one.
fn yaw_pitch_deg(axis_idx: usize, is_negative: bool) -> [f32; 2] {
    match (axis_idx, is_negative) {
        (0, false) => [90.0, 0.0],
        (0, true) => [270.0, 0.0],
        (1, false) => [0.0, 90.0],
        (1, true) => [0.0, -90.0],
        (_, false) => [0.0, 0.0],
        (_, true) => [180.0, 0.0],
    }
}
