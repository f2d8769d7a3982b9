//! The menus of the bar. They are derived: what the window can be told stands in the list of bindings, what the editor
//! can be told in the list of commands. What is a switch has a tick while it is on.

use std::path::PathBuf;

use egui::{Button, ScrollArea, Ui};
use sinew_edit::{COMMANDS, Command, Editor, Line, args};
use sinew_model::{Budget, SceneIndex};

use super::controls;
use crate::action::Action;
use crate::files::OpenFile;
use crate::keymap::{BINDINGS, Binding, Do};
use crate::theme;
use crate::viewport::options::{Show, ViewOptions};

/// What switches show as on.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The open file.
    pub file: &'a OpenFile,
    /// What the view shows.
    pub options: ViewOptions,
    /// Whether the card is open that says how weights are shown.
    pub has_display_card: bool,
    /// Whether the file report is there.
    pub has_file_report: bool,
}

/// Files that can be opened without looking for them.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// Those that were open, the last first.
    pub recent: &'a [PathBuf],
    /// Whether a crash left work on some.
    pub has_left: bool,
}

/// The menus, in order.
const MENUS: [&str; 6] = ["File", "Edit", "View", "Select", "Joints", "Weights"];
const WIDTH: f32 = 210.0;

/// Draws the menus' names, and the menu that is open.
pub fn show(ui: &mut Ui, shown: Option<Shown<'_>>, files: Files<'_>, actions: &mut Vec<Action>) {
    for menu in MENUS {
        ui.menu_button(menu, |ui| {
            // A low window, or one with large text, scrolls.
            let room = ui.ctx().content_rect().height() - theme::BAR_HEIGHT - 24.0;
            ui.set_max_height(room);
            ScrollArea::vertical().max_height(room).show(ui, |ui| {
                ui.set_min_width(WIDTH);
                entries(ui, menu, (shown, files), actions);
            });
        });
    }
}

fn entries(ui: &mut Ui, menu: &str, (shown, files): (Option<Shown<'_>>, Files<'_>), actions: &mut Vec<Action>) {
    let file = shown.map(|shown| shown.file);
    for binding in BINDINGS.iter().filter(|binding| binding.menu == Some(menu)) {
        if is_of_surface(binding.what) {
            // One entry for all of them.
            if binding.what == Do::Show(Show::Weights) {
                ui.separator();
                surface(ui, shown, actions);
            }
            continue;
        }
        if binding.what == Do::Recover && !files.has_left {
            continue;
        }
        if binding.starts_group {
            ui.separator();
        }
        entry(ui, binding, binding.label, shown, actions);
        if binding.what == Do::Open {
            recent_files(ui, files.recent, actions);
        }
    }
    if menu == "View" && file.is_some() {
        ui.separator();
        let is_on = shown.is_some_and(|shown| shown.has_file_report);
        if controls::menu_entry(ui, "File Report", "", is_on, true).clicked() {
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
        let entry = controls::menu_entry(ui, command.label, "", false, file.is_some());
        controls::hint_beside(&entry, command.hint);
        if entry.clicked() {
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
            if controls::menu_entry(ui, label, "", is_on, file.is_some()).clicked() {
                actions.push(Action::Line(Line::new("budget").with("influences", influences).to_string()));
                ui.close();
            }
        }
    }
}

fn entry(ui: &mut Ui, binding: &Binding, label: &str, shown: Option<Shown<'_>>, actions: &mut Vec<Action>) {
    let is_on = shown.is_some_and(|shown| is_on(binding.what, shown));
    let key = binding.key_text(ui.ctx());
    let entry = controls::menu_entry(ui, label, &key, is_on, is_enabled(binding.what, shown));
    controls::hint_beside(&entry, binding.hint);
    if entry.clicked() {
        actions.push(Action::Do(binding.what));
        ui.close();
    }
}

/// What surfaces show: the view's first switch, and what goes through its places.
fn is_of_surface(what: Do) -> bool {
    matches!(what, Do::Show(_) | Do::ToggleTextured | Do::CycleDisplay)
}

fn surface(ui: &mut Ui, shown: Option<Shown<'_>>, actions: &mut Vec<Action>) {
    controls::submenu(ui, "Show", shown.is_some(), |ui| {
        ui.set_min_width(WIDTH);
        for binding in BINDINGS.iter().filter(|binding| is_of_surface(binding.what)) {
            if binding.starts_group && !matches!(binding.what, Do::Show(_)) {
                ui.separator();
            }
            entry(ui, binding, binding.label.trim_start_matches("Show "), shown, actions);
        }
    });
}

/// Whether an entry is a switch that is on.
fn is_on(what: Do, Shown { file, options, has_display_card, .. }: Shown<'_>) -> bool {
    let session = &file.editor.session;
    match what {
        Do::Show(show) => options.show.at_hand(session.as_exported) == show,
        Do::ToggleContours => options.contours,
        Do::ToggleWire => options.wire,
        Do::ToggleJoints => options.joints,
        Do::ToggleGizmo => options.gizmo,
        Do::ToggleRigid => !session.out_of_sight.rigid,
        Do::ToggleDots => options.display.dots,
        Do::ToggleSeams => options.display.seams,
        Do::ToggleGhosts => options.display.ghosts,
        Do::ToggleLocksApart => options.display.locks_apart,
        Do::DisplayCard => has_display_card,
        Do::ToggleExported => session.as_exported,
        Do::ToggleMirror => session.paint.mirror.is_some(),
        Do::ToggleLock => session.active_joint.is_some_and(|joint| file.editor.document().locks().contains(&joint)),
        _ => false,
    }
}

fn is_enabled(what: Do, shown: Option<Shown<'_>>) -> bool {
    let file = shown.map(|shown| shown.file);
    match what {
        what if what.needs_no_file() => true,
        Do::Undo => file.is_some_and(|file| file.editor.history().can_undo()),
        Do::UnlockAll => file.is_some_and(|file| !file.editor.document().locks().is_empty()),
        Do::Redo => file.is_some_and(|file| file.editor.history().can_redo()),
        Do::Show(show) => file.is_some_and(|file| Show::offered(file.editor.session.as_exported).contains(&show)),
        _ => file.is_some(),
    }
}

fn recent_files(ui: &mut Ui, recent: &[PathBuf], actions: &mut Vec<Action>) {
    controls::submenu(ui, "Open Recent", !recent.is_empty(), |ui| {
        for path in recent {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let entry = ui.add(Button::new(name));
            controls::hint_beside(&entry, &path.display().to_string());
            if entry.clicked() {
                actions.push(Action::OpenPath(path.clone()));
                ui.close();
            }
        }
    });
}

/// Which scene is shown, where there are several.
fn scenes(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let document = editor.document();
    if document.scenes().len() < 2 {
        return;
    }
    controls::submenu(ui, "Scene", true, |ui| {
        let all = (0..document.scenes().len()).map(|s| Some(SceneIndex::from_idx(s)));
        for scene in std::iter::once(None).chain(all) {
            let label = scene.map_or_else(|| "All".to_owned(), |scene| document.scene_label(scene));
            if controls::menu_entry(ui, &label, "", editor.session.scene == scene, true).clicked() {
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
