//! The settings window: theme and size of the window, the pen. Changes show at once and are kept.

use egui::Ui;

use super::controls;
use crate::preferences::{Preferences, SCALES};
use crate::theme::{self, ThemeChoice};
use crate::viewport::options::PenUse;

/// Draws the window; `is_open` is cleared when it is closed.
pub fn show(ctx: &egui::Context, is_open: &mut bool, preferences: &mut Preferences, pen: &mut PenUse) {
    let before = (preferences.theme, preferences.scale_percent);
    egui::Window::new("Settings")
        .open(is_open)
        .collapsible(false)
        .resizable(false)
        .default_pos(ctx.content_rect().center() - egui::vec2(170.0, 120.0))
        .frame(egui::Frame::window(&ctx.global_style()))
        .show(ctx, |ui| contents(ui, preferences, pen));
    if (preferences.theme, preferences.scale_percent) != before {
        preferences.apply_look(ctx);
    }
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
