//! The bar at the top: menus, the file's name, the deformer switch, undo and redo.

use std::path::PathBuf;

use egui::{Button, Ui};
use lucide_icons::Icon;
use sinew_deform::DEFORMERS;
use sinew_edit::{COMMANDS, Command, EXPORT_PROFILES, Editor, ExportProfile, Line, args};
use sinew_model::{Budget, SceneIndex};

use super::controls;
use crate::action::Action;
use crate::files::OpenFile;
use crate::keymap::{BINDINGS, Do, binding};
use crate::viewport::options::ViewOptions;
use crate::{fonts, theme};

/// The view switch needs so much room; where it has less, the menu and its key do it.
const VIEW_AS_WIDTH: f32 = 180.0;

/// The menus, in order.
const MENUS: [&str; 6] = ["File", "Edit", "View", "Select", "Joints", "Weights"];

/// Draws the bar.
pub fn show(ui: &mut Ui, shown: Option<(&OpenFile, ViewOptions)>, recent: &[PathBuf], actions: &mut Vec<Action>) {
    let file = shown.map(|(file, _)| file);
    ui.add_space((theme::BAR_HEIGHT - ui.spacing().interact_size.y) * 0.5);
    egui::MenuBar::new().ui(ui, |ui| {
        for menu in MENUS {
            ui.menu_button(menu, |ui| {
                ui.set_min_width(190.0);
                entries(ui, menu, (shown, recent), actions);
            });
        }
        ui.add_space(12.0);
        if let Some(file) = file {
            ui.label(theme::heading(&file.name()));
            if file.is_unsaved() {
                unsaved_dot(ui);
            }
            let room = ui.available_width();
            if room > 680.0 {
                ui.label(theme::quiet(file.summary()));
            }
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
                let entry = ui.selectable_label(is_on, profile_entry(editor, profile)).on_hover_text(profile.hint);
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

/// Whether an entry is a switch that is on.
fn is_on(what: Do, (file, options): (&OpenFile, ViewOptions)) -> bool {
    let session = &file.editor.session;
    match what {
        Do::ToggleContours => options.contours,
        Do::ToggleWire => options.wire,
        Do::ToggleJoints => options.joints,
        Do::ToggleGizmo => options.gizmo,
        Do::ToggleExported => session.as_exported,
        Do::ToggleLock => session.active_joint.is_some_and(|joint| file.editor.document().locks().contains(&joint)),
        _ => false,
    }
}

fn entries(
    ui: &mut Ui,
    menu: &str,
    (shown, recent): (Option<(&OpenFile, ViewOptions)>, &[PathBuf]),
    actions: &mut Vec<Action>,
) {
    let file = shown.map(|(file, _)| file);
    for binding in BINDINGS.iter().filter(|binding| binding.menu == Some(menu)) {
        if binding.starts_group {
            ui.separator();
        }
        let is_enabled = match binding.what {
            Do::Open
            | Do::OpenDemo
            | Do::Quit
            | Do::Palette
            | Do::Settings
            | Do::EditKeys
            | Do::LargerUi
            | Do::SmallerUi => true,
            Do::Undo => file.is_some_and(|file| file.editor.history().can_undo()),
            Do::UnlockAll => file.is_some_and(|file| !file.editor.document().locks().is_empty()),
            Do::Redo => file.is_some_and(|file| file.editor.history().can_redo()),
            _ => file.is_some(),
        };
        let is_on = shown.is_some_and(|shown| is_on(binding.what, shown));
        let entry = Button::new(binding.label).shortcut_text(binding.key_text(ui.ctx())).selected(is_on);
        let entry = ui.add_enabled(is_enabled, entry);
        // Without the key, which would be read as a part of the name.
        entry.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_enabled, binding.label));
        if entry.on_hover_text(binding.hint).clicked() {
            actions.push(Action::Do(binding.what));
            ui.close();
        }
        if binding.what == Do::Open {
            recent_files(ui, recent, actions);
        }
    }
    if menu == "View" && file.is_some() {
        ui.separator();
        if ui.add(Button::new("File Report")).clicked() {
            actions.push(Action::ToggleFileReport);
            ui.close();
        }
    }
    if let (true, Some(file)) = (menu == "View", file) {
        scenes(ui, &file.editor, actions);
    }
    let of_menu = COMMANDS.iter().filter(|command| command.menu == menu && needs_nothing(command));
    for command in of_menu {
        // What the window does itself stands in the list of bindings.
        if BINDINGS.iter().any(|binding| binding.label == command.label) {
            continue;
        }
        let entry = Button::new(command.label);
        if ui.add_enabled(file.is_some(), entry).on_hover_text(command.hint).clicked() {
            actions.push(Action::Line(command.name.to_owned()));
            ui.close();
        }
    }
    if menu == "Weights" {
        ui.separator();
        for (label, influences, budget) in [
            ("Budget: 4 influences", "4", Budget::Influences(4)),
            ("Budget: 8 influences", "8", Budget::Influences(8)),
            ("Budget: unlimited", "unlimited", Budget::Unlimited),
        ] {
            let is_on = file.is_some_and(|file| file.editor.document().budget() == budget);
            if ui.add_enabled(file.is_some(), Button::new(label).selected(is_on)).clicked() {
                actions.push(Action::Line(Line::new("budget").with("influences", influences).to_string()));
                ui.close();
            }
        }
    }
}

fn recent_files(ui: &mut Ui, recent: &[PathBuf], actions: &mut Vec<Action>) {
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Open Recent", |ui| {
            for path in recent {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                if ui.add(Button::new(name)).on_hover_text(path.display().to_string()).clicked() {
                    actions.push(Action::OpenPath(path.clone()));
                    ui.close();
                }
            }
        });
    });
}

/// Which scene is shown, where there are several.
fn scenes(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let document = editor.document();
    if document.scenes().len() < 2 {
        return;
    }
    ui.menu_button("Scene", |ui| {
        let all = (0..document.scenes().len()).map(|s| Some(SceneIndex::from_idx(s)));
        for scene in std::iter::once(None).chain(all) {
            let label = scene.map_or_else(|| "All".to_owned(), |scene| document.scene_label(scene));
            if ui.add(Button::new(label).selected(editor.session.scene == scene)).clicked() {
                let line = Line::new("scene");
                let line = scene.map_or(line.clone(), |scene| line.with("name", args::scene_name(document, scene)));
                actions.push(Action::Line(line.to_string()));
                ui.close();
            }
        }
    });
}

/// Whether a command can be done without asking for anything.
fn needs_nothing(command: &Command) -> bool {
    let asks = command.params.iter().any(|param| param.default.is_none() || matches!(param.key, "points" | "turns"));
    !asks && !matches!(command.name, "undo" | "redo" | "mesh" | "select" | "scene")
}
