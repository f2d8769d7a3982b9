//! Scripts: the history as lines in a file, and lines from a file done again.

use std::path::Path;

use crate::action::{Action, Notice};
use crate::app::App;
use crate::keymap::Do;
use crate::modals::{Modal, Next};
use crate::perform::idle_editor;

/// Writes what is done as lines that do it again.
pub fn save_script(app: &mut App, path: &Path) {
    let Some(editor) = app.editor() else { return };
    let script = editor.script();
    match std::fs::write(path, &script) {
        Ok(()) => {
            let n = script.lines().count();
            let lines = if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
            app.notice = Some(Notice::done(format!("Wrote {lines} to {}", path.display())));
        }
        Err(error) => {
            let text = format!("{}: {error}", path.display());
            let next = Next { label: "Save elsewhere…", action: Action::Do(Do::SaveScript) };
            app.modal = Some(Modal::error("The script was not saved", &text, None).offering(next));
        }
    }
}

/// Does a script's lines, up to the first that cannot be done.
pub fn run_script(app: &mut App, path: &Path) {
    let script = match std::fs::read_to_string(path) {
        Ok(script) => script,
        Err(error) => {
            let text = format!("{}: {error}", path.display());
            let next = Next { label: "Choose another…", action: Action::Do(Do::RunScript) };
            app.modal = Some(Modal::error("The script cannot be read", &text, None).offering(next));
            return;
        }
    };
    let Some(editor) = idle_editor(app) else { return };
    let mut n_done = 0;
    for (i, line) in script.lines().enumerate() {
        match editor.run(line) {
            Ok(Some(_)) => n_done += 1,
            Ok(None) => {}
            Err(error) => {
                let text = format!("Line {}: {error}\n\n{line}", i + 1);
                let stays = match n_done {
                    0 => "Nothing was done.".to_owned(),
                    n => format!("The {n} before it were done; undo takes them back."),
                };
                app.modal = Some(Modal::error("The script stopped", &text, Some(&stays)));
                return;
            }
        }
    }
    app.notice = Some(Notice::done(format!("{n_done} lines of {} done", path.display())));
}
