//! The settings window: theme and size of the window, the pen. Changes show at once and are kept.

use egui::Ui;
use lucide_icons::Icon;

use super::controls;
use crate::preferences::{Preferences, SCALES};
use crate::theme::{self, ThemeChoice};
use crate::viewport::options::PenUse;

/// Draws the window; `is_open` is cleared when it is closed.
pub fn show(ctx: &egui::Context, is_open: &mut bool, preferences: &mut Preferences, pen: &mut PenUse) {
    if !*is_open {
        return;
    }
    let before = (preferences.theme, preferences.scale_percent);
    let mut is_closed = false;
    egui::Window::new("Settings")
        .title_bar(false)
        .resizable(false)
        .default_pos(ctx.content_rect().center() - egui::vec2(186.0, 170.0))
        .frame(egui::Frame::window(&ctx.global_style()))
        .show(ctx, |ui| {
            is_closed = head(ui);
            contents(ui, preferences, pen);
        });
    is_closed |= !ctx.text_edit_focused() && ctx.input(|i| i.key_pressed(egui::Key::Escape));
    *is_open = !is_closed;
    if (preferences.theme, preferences.scale_percent) != before {
        preferences.apply_look(ctx);
    }
}

/// The title and the way out; whether that was taken.
fn head(ui: &mut Ui) -> bool {
    let mut is_closed = false;
    ui.horizontal(|ui| {
        ui.label(theme::heading("Settings").size(14.0));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            is_closed = controls::icon_button(ui, Icon::X, "Close settings", true, "Close (Esc)").clicked();
        });
    });
    ui.add_space(8.0);
    is_closed
}

fn contents(ui: &mut Ui, preferences: &mut Preferences, pen: &mut PenUse) {
    ui.set_min_width(340.0);
    ui.label(theme::heading("Theme"));
    ui.horizontal(|ui| {
        if let Some(choice) = controls::segments(ui, &ThemeChoice::ALL, preferences.theme) {
            preferences.theme = choice;
        }
    });
    ui.label(theme::quiet("The stage behind the model stays dark: weights read the same in every theme."));
    ui.add_space(12.0);
    ui.label(theme::heading("Size of text and controls"));
    ui.horizontal(|ui| {
        let places = SCALES.map(|(percent, label)| (percent, label, ""));
        if let Some(percent) = controls::segments(ui, &places, preferences.scale_percent) {
            preferences.scale_percent = percent;
        }
    });
    ui.label(theme::quiet("Ctrl + and Ctrl − do the same."));
    ui.add_space(12.0);
    ui.label(theme::heading("Pen pressure sets"));
    ui.horizontal(|ui| {
        if let Some(choice) = controls::segments(ui, &PenUse::ALL, *pen) {
            *pen = choice;
        }
    });
    ui.label(theme::quiet("A mouse, or a pen without pressure, always paints in full."));
}
