//! The switches over the view's top left corner: what is shown.

use egui::{Rect, UiBuilder, pos2, vec2};
use sinew_edit::Editor;

use super::Viewport;
use super::options::Show;
use super::tools::SwitchesRect;
use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::panels::controls;

/// Draws the switches and takes their clicks.
pub fn show(viewport: &mut Viewport, ui: &mut egui::Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let area = viewport.area().rect();
    viewport.tools.switches_rect = SwitchesRect::default();
    if area.width() < 360.0 || area.height() < 120.0 {
        return;
    }
    let corner = Rect::from_min_max(area.min + vec2(10.0, 10.0), pos2(area.max.x - 10.0, area.min.y + 36.0));
    let laid_out = ui.scope_builder(UiBuilder::new().max_rect(corner), |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let as_exported = editor.session.as_exported;
            let chosen = viewport.options.show.at_hand(as_exported);
            let places: Vec<_> =
                Show::offered(as_exported).iter().map(|&show| (show, show.label(), show.hint())).collect();
            let picked = controls::segments(ui, &places, chosen);
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
            let hint = "How weights are shown: colours, lines, marks, dots, ghosts";
            if controls::toggle(ui, "Display", viewport.shows_display).on_hover_text(hint).clicked() {
                viewport.shows_display ^= true;
            }
        });
    });
    viewport.tools.switches_rect = SwitchesRect(laid_out.response.rect);
}
