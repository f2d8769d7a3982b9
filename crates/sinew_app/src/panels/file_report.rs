//! What the opened file holds, and what was odd about it.

use egui::{RichText, Ui};
use lucide_icons::Icon;

use crate::action::Action;
use crate::files::OpenFile;
use crate::{fonts, theme};

/// Draws the report.
pub fn show(ui: &mut Ui, file: &OpenFile, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(theme::heading("File report"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.small_button("Close").on_hover_text("Close the file report").clicked() {
                actions.push(Action::ToggleFileReport);
            }
        });
    });
    let document = file.editor.document();
    if let Some(path) = file.path() {
        ui.add(egui::Label::new(theme::quiet(path.display().to_string())).wrap());
    }
    let counts = [
        (document.meshes().len(), "mesh", "meshes"),
        (document.skins().len(), "skin", "skins"),
        (document.joints().len(), "joint", "joints"),
        (document.clips().len(), "clip", "clips"),
        (document.images().len(), "image", "images"),
    ];
    let counts = counts.map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }));
    let facts = format!("{} · budget {} influences", counts.join(", "), document.budget());
    ui.add(egui::Label::new(RichText::new(facts).color(theme::of(ui).normal)).wrap());
    if file.warnings.is_empty() {
        ui.label(RichText::new("Nothing odd was found").color(theme::of(ui).good));
    }
    super::report_area(ui, "file report", |ui| {
        for warning in &file.warnings {
            ui.horizontal_top(|ui| {
                let color = theme::of(ui).warning;
                ui.label(fonts::icon(Icon::TriangleAlert).size(13.0).color(color));
                ui.add(egui::Label::new(RichText::new(warning.to_string()).color(color).size(12.0)).wrap());
            });
        }
    });
}
