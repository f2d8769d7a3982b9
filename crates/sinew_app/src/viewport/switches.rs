//! The switches over the view's top left corner: what is shown. And the legend of the weight ramp.

use egui::{Rect, UiBuilder, pos2, vec2};
use sinew_render::ramp;

use super::Viewport;
use super::input::SwitchesRect;
use super::options::Show;
use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::panels::controls;
use crate::theme;

/// Draws the switches and takes their clicks.
pub fn show(viewport: &mut Viewport, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
    let area = viewport.area().rect();
    viewport.tools.switches_rect = SwitchesRect::default();
    if area.width() < 360.0 || area.height() < 120.0 {
        return;
    }
    let corner = Rect::from_min_max(area.min + vec2(10.0, 10.0), pos2(area.max.x - 10.0, area.min.y + 36.0));
    let laid_out = ui.scope_builder(UiBuilder::new().max_rect(corner), |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let chosen = viewport.options.show;
            let picked = controls::segments(ui, &Show::ALL.map(|show| (show, show.label(), show.hint())), chosen);
            if let Some(show) = picked {
                viewport.options.show = show;
            }
            let options = viewport.options;
            for (what, is_on) in [
                (Do::ToggleContours, options.contours),
                (Do::ToggleWire, options.wire),
                (Do::ToggleJoints, options.joints),
                (Do::ToggleGizmo, options.gizmo),
            ] {
                let tooltip = binding(what).tooltip(ui.ctx());
                if controls::toggle(ui, binding(what).label, is_on).on_hover_text(tooltip).clicked() {
                    actions.push(Action::Do(what));
                }
            }
        });
    });
    viewport.tools.switches_rect = SwitchesRect(laid_out.response.rect);
    if viewport.options.show == Show::Weights {
        legend(ui, area);
    }
}

fn legend(ui: &egui::Ui, area: Rect) {
    let bar = Rect::from_min_size(pos2(area.min.x + 14.0, area.max.y - 26.0), vec2(140.0, 6.0));
    let painter = ui.painter();
    let n = 70;
    for i in 0..n {
        let [r, g, b] = ramp::weight_color_srgb((i as f32 + 0.5) / n as f32);
        let x = |i: i32| bar.min.x + bar.width() * i as f32 / n as f32;
        let step = Rect::from_min_max(pos2(x(i), bar.min.y), pos2(x(i + 1) + 0.5, bar.max.y));
        painter.rect_filled(step, 0.0, egui::Color32::from_rgb(r, g, b));
    }
    let font = egui::FontId::proportional(11.0);
    let label = |x: f32, align, text: &str| {
        painter.text(pos2(x, bar.max.y + 3.0), align, text, font.clone(), theme::QUIET);
    };
    label(bar.min.x, egui::Align2::LEFT_TOP, "0");
    label(bar.center().x, egui::Align2::CENTER_TOP, "0.5");
    label(bar.max.x, egui::Align2::RIGHT_TOP, "1");
}
