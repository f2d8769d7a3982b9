//! What the stage says while no file is open: the way in, recent files, or how far opening is.

use std::path::{Path, PathBuf};

use egui::{Align2, Area, Id, RichText, Ui};
use lucide_icons::Icon;

use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::{fonts, theme};

/// A file on its way in.
#[derive(Clone, Copy)]
pub struct Loading<'a> {
    /// The file.
    pub path: &'a Path,
    /// What is being done.
    pub step: &'a str,
}

/// Draws the welcome over the empty view.
pub fn show(ui: &Ui, center: egui::Pos2, loading: Option<Loading<'_>>, recent: &[PathBuf], actions: &mut Vec<Action>) {
    Area::new(Id::unique("welcome")).fixed_pos(center).pivot(Align2::CENTER_CENTER).show(ui.ctx(), |ui| {
        theme::use_stage_colors(ui);
        ui.set_width(360.0);
        ui.vertical_centered(|ui| match loading {
            Some(loading) => progress(ui, loading, actions),
            None => way_in(ui, recent, actions),
        });
    });
}

/// A spinner, the file, the step, and the way out.
pub fn progress(ui: &mut Ui, loading: Loading<'_>, actions: &mut Vec<Action>) {
    ui.add(egui::Spinner::new().size(22.0).color(theme::TEAL));
    ui.add_space(8.0);
    let name = file_name(loading.path);
    ui.label(RichText::new(format!("Opening {name}")).color(theme::PRIMARY).size(14.0));
    ui.label(theme::quiet(loading.step));
    ui.add_space(8.0);
    if ui.button("Cancel").on_hover_text("Leave everything as it was").clicked() {
        actions.push(Action::CancelOpen);
    }
}

fn way_in(ui: &mut Ui, recent: &[PathBuf], actions: &mut Vec<Action>) {
    ui.label(fonts::icon(Icon::PersonStanding).size(40.0).color(theme::TEAL));
    ui.add_space(4.0);
    ui.label(RichText::new("Open a character").color(theme::PRIMARY).size(18.0));
    ui.add_space(4.0);
    ui.label(theme::quiet("glTF with a skin: .glb, .gltf or .vrm"));
    ui.add_space(12.0);
    let open = egui::Button::new(RichText::new(binding(Do::Open).label).color(theme::PRIMARY))
        .fill(theme::DARK.teal_fill)
        .min_size(egui::vec2(140.0, 30.0));
    if ui.add(open).on_hover_text(binding(Do::Open).tooltip(ui.ctx())).clicked() {
        actions.push(Action::Do(Do::Open));
    }
    ui.add_space(8.0);
    // Dropping does not work on every desktop (B60): it is offered second, and never as the only way.
    ui.label(theme::quiet("or name it on the command line, or drop it here"));
    if recent.is_empty() {
        return;
    }
    ui.add_space(20.0);
    ui.label(theme::heading("Recent"));
    ui.add_space(4.0);
    for path in recent.iter().take(6) {
        let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        let row = egui::Button::new(RichText::new(file_name(path)).color(theme::NORMAL))
            .right_text(theme::quiet(shortened(&folder, 34)))
            .fill(egui::Color32::TRANSPARENT)
            .min_size(egui::vec2(360.0, 26.0));
        let response = ui.add(row);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, file_name(path)));
        if response.on_hover_text(path.display().to_string()).clicked() {
            actions.push(Action::OpenPath(path.clone()));
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The end of a long text: of a path it says most.
fn shortened(text: &str, n_chars: usize) -> String {
    let n = text.chars().count();
    if n <= n_chars {
        text.to_owned()
    } else {
        format!("…{}", text.chars().skip(n - n_chars + 1).collect::<String>())
    }
}
