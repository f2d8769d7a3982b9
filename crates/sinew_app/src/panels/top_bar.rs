//! The bar at the top: menus, the file's name, the deformer switch, undo and redo.

use egui::{Button, Ui};
use lucide_icons::Icon;
use sinew_deform::DEFORMERS;
use sinew_edit::{EXPORT_PROFILES, Editor, ExportProfile, Line};

use super::menus::{Files, Shown};
use super::{controls, menus, meshes};
use crate::action::Action;
use crate::files::OpenFile;
use crate::keymap::{Do, binding};
use crate::{fonts, theme};

/// The view switch needs so much room; where it has less, the menu and its key do it.
const VIEW_AS_WIDTH: f32 = 180.0;

/// Draws the bar.
pub fn show(ui: &mut Ui, shown: Option<Shown<'_>>, files: Files<'_>, actions: &mut Vec<Action>) {
    let file = shown.map(|shown| shown.file);
    // As high as the highest of what stands in it, so that all of it stands in the middle.
    ui.spacing_mut().interact_size.y = 24.0;
    ui.add_space((theme::BAR_HEIGHT - ui.spacing().interact_size.y) * 0.5);
    egui::MenuBar::new().ui(ui, |ui| {
        menus::show(ui, shown, files, actions);
        ui.add_space(12.0);
        if let Some(file) = file {
            ui.label(theme::heading(&file.name()));
            if file.is_unsaved() {
                unsaved_dot(ui);
            }
            meshes::show(ui, file, actions);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| right_side(ui, file, actions));
    });
}

fn right_side(ui: &mut Ui, file: Option<&OpenFile>, actions: &mut Vec<Action>) {
    // Menus are tighter than bars.
    ui.spacing_mut().button_padding = egui::vec2(8.0, 4.0);
    find_button(ui, actions);
    let history = file.map(|file| file.editor.history());
    for (what, icon, is_enabled) in [
        (Do::Redo, Icon::Redo2, history.is_some_and(sinew_edit::History::can_redo)),
        (Do::Undo, Icon::Undo2, history.is_some_and(sinew_edit::History::can_undo)),
    ] {
        let tooltip = binding(what).tooltip(ui.ctx());
        if controls::icon_button(ui, icon, binding(what).label, is_enabled, &tooltip).clicked() {
            actions.push(Action::Do(what));
        }
    }
    ui.add_space(8.0);
    let Some(file) = file else { return };
    // This side is laid out from the right.
    let places: Vec<_> = DEFORMERS.iter().rev().map(|d| (d.name(), d.name().to_uppercase(), d.hint())).collect();
    let places: Vec<_> = places.iter().map(|(name, label, hint)| (*name, label.as_str(), *hint)).collect();
    if let Some(name) = controls::segments_from_right(ui, &places, file.editor.session.deformer.name()) {
        actions.push(Action::Line(Line::new("deform").with("by", name).to_string()));
    }
    if ui.available_width() > VIEW_AS_WIDTH {
        ui.add_space(8.0);
        view_as(ui, &file.editor, actions);
    }
}

/// The model as edited or as an engine gets it, and what that means.
fn view_as(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let session = &editor.session;
    if session.as_exported {
        let mut text = egui::text::LayoutJob::default();
        let colors = theme::of(ui);
        let format =
            |font_id, color| egui::TextFormat { font_id, color, valign: egui::Align::Center, ..Default::default() };
        let words = profile_words(editor, session.export);
        text.append(&words, 0.0, format(egui::FontId::proportional(12.5), colors.primary));
        text.append(&char::from(Icon::ChevronDown).to_string(), 4.0, format(fonts::icon_font(12.0), colors.quiet));
        let button =
            Button::new(text).fill(colors.teal_well).stroke(egui::Stroke::new(1.0, colors.teal)).corner_radius(5);
        let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
            ui.set_min_width(170.0);
            for profile in &EXPORT_PROFILES {
                let is_on = profile == session.export;
                let entry = controls::menu_entry(ui, &profile_entry(editor, profile), "", is_on, true);
                controls::hint_beside(&entry, profile.hint);
                if entry.clicked() {
                    actions.push(Action::Line(Line::new("view_as").with("profile", profile.name).to_string()));
                    ui.close();
                }
            }
        });
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Export profile"));
        response.on_hover_text("What as exported means: how many influences, in which numbers");
    }
    let by = session.deformer.label();
    let exported = format!(
        "As an engine gets it: limited, rounded and undivided, by {by} as the switch beside says ({})",
        binding(Do::ToggleExported).key_text(ui.ctx()),
    );
    let places =
        [(true, "As exported", exported.as_str()), (false, "Editing", "As edited: every influence, sums divided out")];
    if controls::segments_from_right(ui, &places, session.as_exported).is_some() {
        actions.push(Action::Do(Do::ToggleExported));
    }
}

/// `4 influences, u8`: what a profile keeps.
fn profile_words(editor: &Editor, profile: &ExportProfile) -> String {
    let stored = editor.stored_widest();
    let influences = profile.influences.unwrap_or(stored.n_sets * 4);
    let weights = profile.weights.unwrap_or(stored.weights).name();
    if influences == 0 { weights.to_owned() } else { format!("{influences} influences, {weights}") }
}

fn profile_entry(editor: &Editor, profile: &ExportProfile) -> String {
    match profile.weights {
        Some(_) => profile.label.to_owned(),
        None => format!("{}: {}", profile.label, profile_words(editor, profile)),
    }
}

/// Opens the palette: a field to look at, a button to press.
fn find_button(ui: &mut Ui, actions: &mut Vec<Action>) {
    if ui.available_width() > 420.0 {
        let line = binding(Do::Palette);
        let mut text = egui::text::LayoutJob::default();
        let colors = theme::of(ui);
        let format =
            |font, color| egui::TextFormat { font_id: font, color, valign: egui::Align::Center, ..Default::default() };
        let body = egui::FontId::proportional(12.5);
        text.append(&char::from(Icon::Search).to_string(), 0.0, format(fonts::icon_font(13.0), colors.quiet));
        if ui.available_width() > 660.0 {
            text.append("Find a command", 6.0, format(body.clone(), colors.quiet));
            text.append(&line.key_text(ui.ctx()), 16.0, format(body, colors.quiet));
        }
        let button = Button::new(text).fill(colors.well).corner_radius(5).min_size(egui::vec2(0.0, 24.0));
        let response = ui.add(button);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Find a command"));
        if response.on_hover_text(line.hint).clicked() {
            actions.push(Action::Do(Do::Palette));
        }
        ui.add_space(8.0);
    }
}

fn unsaved_dot(ui: &mut Ui) {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(8.0, 8.0), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, "Not saved"));
    ui.painter().circle_filled(rect.center(), 3.5, theme::of(ui).warning);
    response.on_hover_text("There are changes that are not saved");
}
