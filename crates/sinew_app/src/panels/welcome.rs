//! What the stage says while no file is open.

use egui::{Align2, Area, Id, RichText, Ui};

use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::theme;

/// Draws the welcome over the empty view; `busy` names what is being done.
pub fn show(ui: &Ui, center: egui::Pos2, busy: Option<&str>, actions: &mut Vec<Action>) {
    Area::new(Id::unique("welcome")).fixed_pos(center).pivot(Align2::CENTER_CENTER).show(ui.ctx(), |ui| {
        theme::use_stage_colors(ui);
        ui.set_width(320.0);
        ui.vertical_centered(|ui| {
            if let Some(busy) = busy {
                ui.add(egui::Spinner::new().color(theme::of(ui).teal));
                ui.add_space(8.0);
                ui.label(RichText::new(busy).color(theme::of(ui).normal));
                return;
            }
            ui.label(RichText::new("Open a character").color(theme::of(ui).primary).size(18.0));
            ui.add_space(4.0);
            ui.label(theme::quiet("glTF with a skin: .glb, .gltf or .vrm"));
            ui.add_space(12.0);
            let open = egui::Button::new(RichText::new(binding(Do::Open).label).color(theme::of(ui).primary))
                .fill(theme::of(ui).teal_fill)
                .min_size(egui::vec2(120.0, 30.0));
            if ui.add(open).on_hover_text(binding(Do::Open).tooltip(ui.ctx())).clicked() {
                actions.push(Action::Do(Do::Open));
            }
            ui.add_space(8.0);
            // Dropping does not work on every desktop (B60): it is offered second, and never as the only way.
            ui.label(theme::quiet("or name it on the command line, or drop it here"));
        });
    });
}
