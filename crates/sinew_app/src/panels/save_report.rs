//! What a save changed, and the proof that nothing else did.

use egui::{RichText, Ui};
use sinew_io::SaveReport;

use crate::action::Action;
use crate::theme;

/// Draws the report.
pub fn show(ui: &mut Ui, report: &SaveReport, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(theme::heading("Save report"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let close = ui.small_button("Close").on_hover_text("Close the save report");
            close.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Close save report"));
            if close.clicked() {
                actions.push(Action::CloseReport);
            }
        });
    });
    let text = report.to_string();
    super::report_area(ui, "save report", |ui| {
        for line in text.lines() {
            let color = match line {
                _ if line.ends_with("identical") => theme::of(ui).good,
                _ if line.starts_with("warning") || line.starts_with("not ") => theme::of(ui).warning,
                _ if line.starts_with("saved") => theme::of(ui).primary,
                _ => theme::of(ui).normal,
            };
            ui.add(egui::Label::new(RichText::new(line).color(color).size(12.0)).wrap());
        }
    });
}
