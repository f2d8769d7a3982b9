//! Everything that the palette finds: what has a key or stands in a menu, commands, and what stands in panels.

use sinew_edit::{COMMANDS, Command};

use super::buttons::{self, Press};
use super::find;
use crate::app::App;
use crate::keymap::{BINDINGS, Do};
use crate::viewport::select::n_selected;

/// Something that can be chosen.
pub(super) struct Entry {
    /// Its name.
    pub label: String,
    /// What tells it from others of that name: `brush`, `whole mesh`, the panel it stands in.
    pub tag: String,
    /// One line about it.
    pub detail: String,
    /// Its key, its name in scripts, or whether it is on.
    pub key: String,
    /// What choosing it does.
    pub choice: Choice,
}

/// What choosing something does.
#[derive(Clone)]
pub(super) enum Choice {
    Do(Do),
    Press(Press),
    Command(&'static Command),
}

/// A brush's name in the list of keys begins so.
const BRUSH_PREFIX: &str = "Brush: ";
/// So much the brush is before everything else of its name: it changes nothing yet.
const BRUSH_FIRST: i32 = 200;

/// What fits the typed letters, best first; everything, in the order of the menus, where nothing is typed.
pub(super) fn found(ctx: &egui::Context, app: &App, wanted: &str) -> Vec<Entry> {
    let is_on_selection = app.editor().is_some_and(|editor| n_selected(editor) > 0);
    let whole = if is_on_selection { "selection" } else { "whole mesh" };
    let of_window = BINDINGS.iter().filter(|binding| binding.what != Do::Palette).map(|binding| Entry {
        label: binding.label.trim_start_matches(BRUSH_PREFIX).to_owned(),
        tag: match binding.what {
            Do::Brush(_) => "brush".to_owned(),
            Do::Flood => whole.to_owned(),
            _ => String::new(),
        },
        detail: binding.hint.to_owned(),
        key: binding.key_text(ctx),
        choice: Choice::Do(binding.what),
    });
    let of_panels = buttons::all(app).into_iter().map(|button| Entry {
        label: button.label,
        tag: button.place.to_owned(),
        detail: button.hint,
        key: button.is_on.map_or("", |is_on| if is_on { "on" } else { "" }).to_owned(),
        choice: Choice::Press(button.press),
    });
    // What the window does itself stands in the list of bindings.
    let of_editor = COMMANDS.iter().filter(|command| !BINDINGS.iter().any(|binding| binding.label == command.label));
    let of_editor = of_editor.map(|&command| Entry {
        label: command.label.to_owned(),
        tag: if is_of_whole_meshes(command) { whole.to_owned() } else { String::new() },
        detail: command.hint.to_owned(),
        key: command.name.to_owned(),
        choice: Choice::Command(command),
    });
    let mut scored: Vec<(i32, Entry)> =
        of_window.chain(of_panels).chain(of_editor).filter_map(|entry| Some((score(wanted, &entry)?, entry))).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, entry)| entry).collect()
}

/// Whether a command needs to be told something before it can be done.
pub(super) fn asks(command: &Command) -> bool {
    let is_named = command.params.first().is_some_and(|param| param.key == "name");
    is_named || command.params.iter().any(|param| param.default.is_none())
}

/// Whether a command acts at once on all of a mesh, or on what is selected.
fn is_of_whole_meshes(command: &Command) -> bool {
    command.params.iter().any(|param| param.key == "on")
}

fn score(wanted: &str, entry: &Entry) -> Option<i32> {
    let other_name = if let Choice::Command(command) = entry.choice { command.name } else { "" };
    let score = find::score(wanted, &entry.label, other_name, &entry.tag)?;
    let is_brush = matches!(entry.choice, Choice::Do(Do::Brush(_))) && !wanted.trim().is_empty();
    Some(score + if is_brush { BRUSH_FIRST } else { 0 })
}
