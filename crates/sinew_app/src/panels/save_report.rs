//! What a save changed, and the proof that nothing else did.

use egui::{Color32, RichText, Ui};
use lucide_icons::Icon;
use sinew_io::{HowChanged, SaveReport};
use sinew_model::shown_name;

use super::sections::Section;
use super::{controls, grouped};
use crate::action::{Action, Notice};
use crate::{fonts, theme};

/// Room for the names of numbers, points.
const NAME_WIDTH: f32 = 100.0;

/// Draws what stands beside the heading, from the right.
pub fn beside(ui: &mut Ui, report: &SaveReport, actions: &mut Vec<Action>) {
    if controls::icon_button(ui, Icon::X, "Close save report", true, "Close the save report").clicked() {
        actions.push(Action::CloseReport(Section::SaveReport));
    }
    if controls::icon_button(ui, Icon::Copy, "Copy save report", true, "Copy the report as text").clicked() {
        ui.ctx().copy_text(report.to_string());
        actions.push(Action::Say(Notice::done("Copied the save report")));
    }
}

/// Draws the report.
pub fn show(ui: &mut Ui, report: &SaveReport) {
    let palette = theme::of(ui);
    let name = report.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    ui.label(RichText::new(format!("Saved {name}")).color(palette.primary));
    let path = egui::Label::new(theme::quiet(report.path.display().to_string())).truncate().selectable(true);
    ui.add(path).on_hover_text(report.path.display().to_string());
    ui.add_space(4.0);
    if report.everything_else_identical {
        said(ui, Icon::Check, "Everything else identical", palette.good)
            .on_hover_text("The written file was read back and compared with the opened one, all of it");
    } else {
        said(ui, Icon::TriangleAlert, "Not read back", palette.warning);
    }
    ui.add_space(4.0);
    numbers(ui, report);
    ui.add_space(4.0);
    changes(ui, report);
    files(ui, report);
    for warning in &report.warnings {
        said(ui, Icon::TriangleAlert, warning, palette.warning);
    }
}

/// How much, at a glance.
fn numbers(ui: &mut Ui, report: &SaveReport) {
    let (before, after) = (report.bytes_before, report.bytes_after);
    let size = match after.abs_diff(before) {
        0 => format!("{} bytes, as before", grouped(after as usize)),
        n => {
            let sign = if after > before { "+" } else { "−" };
            format!("{} bytes ({sign}{})", grouped(after as usize), grouped(n as usize))
        }
    };
    let mut rows = Vec::new();
    if report.accessors.is_empty() {
        rows.push(("Weights", "none changed".to_owned()));
    } else {
        rows.push(("Vertices", format!("{} changed", grouped(report.n_vertices_changed))));
        rows.push(("Largest change", format!("{:.4}", report.largest_weight_change)));
    }
    rows.push(("Size", size));
    for (name, value) in rows {
        ui.horizontal(|ui| {
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            ui.allocate_ui_with_layout(egui::vec2(NAME_WIDTH, 18.0), layout, |ui| {
                ui.set_min_width(NAME_WIDTH);
                ui.label(theme::quiet(name));
            });
            ui.add(egui::Label::new(RichText::new(value).color(theme::of(ui).normal).size(12.0)).wrap());
        });
    }
}

/// What in the file is another than it was.
fn changes(ui: &mut Ui, report: &SaveReport) {
    for accessor in &report.accessors {
        let how = match accessor.how {
            HowChanged::InPlace => "in place",
            HowChanged::Moved => "moved",
            HowChanged::Added => "added",
        };
        let kind = accessor.new_component.map(|kind| format!(", now {kind}")).unwrap_or_default();
        let text = format!("{} of {}", accessor.attribute, shown_name(&accessor.mesh));
        let detail = format!("{} v · {how}{kind}", grouped(accessor.n_vertices_changed));
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(text).color(theme::of(ui).normal).size(12.0));
            ui.label(theme::quiet(detail));
        })
        .response
        .on_hover_text(accessor.to_string());
    }
    for added in &report.meshes_added {
        said(ui, Icon::Plus, &added.to_string(), theme::of(ui).normal);
    }
}

/// What was written or copied beside the file.
fn files(ui: &mut Ui, report: &SaveReport) {
    let palette = theme::of(ui);
    let name = |path: &std::path::Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    for file in report.files_written.iter().filter(|file| **file != report.path).filter_map(|file| name(file)) {
        said(ui, Icon::File, &format!("Wrote {file}"), palette.normal);
    }
    for file in report.files_brought.iter().filter_map(|file| name(file)) {
        said(ui, Icon::File, &format!("Brought {file} along"), palette.normal);
    }
    for file in &report.not_brought {
        let text = format!("Not brought along: {}: {}", file.name, file.reason);
        said(ui, Icon::TriangleAlert, &text, palette.warning);
    }
}

fn said(ui: &mut Ui, icon: Icon, text: &str, color: Color32) -> egui::Response {
    let row = ui.horizontal_top(|ui| {
        ui.label(fonts::icon(icon).size(13.0).color(color));
        ui.add(egui::Label::new(RichText::new(text).color(color).size(12.0)).wrap().selectable(true));
    });
    row.response
}
