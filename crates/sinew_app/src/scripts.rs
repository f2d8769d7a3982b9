//! Scripts: the history as lines in a file, and lines from a file done again.

use std::path::Path;

use crate::action::{Action, Notice};
use crate::app::App;
use crate::keymap::Do;
use crate::modals::{Modal, Next};
use crate::working::{self, What};

/// Writes what is done as lines that do it again.
pub fn save_script(app: &mut App, path: &Path) {
    let Some(editor) = app.editor() else { return };
    let script = editor.script();
    match sinew_io::write_script(path, &script) {
        Ok(()) => {
            let n = script.lines().count();
            let lines = if n == 1 { "1 line".to_owned() } else { format!("{n} lines") };
            app.say(Notice::done(format!("Wrote {lines} to {}", path.display())));
        }
        Err(error) => {
            let text = error.to_string();
            let next = Next { label: "Save elsewhere…", action: Action::Do(Do::SaveScript) };
            app.modal = Some(Modal::error("The script was not saved", &text, None).offering(next));
        }
    }
}

/// Does a script's lines, up to the first that cannot be done.
pub fn run_script(app: &mut App, ctx: &egui::Context, path: &Path) {
    let script = match sinew_io::read_script(path) {
        Ok(script) => script,
        Err(error) => {
            let text = error.to_string();
            let next = Next { label: "Choose another…", action: Action::Do(Do::RunScript) };
            app.modal = Some(Modal::error("The script cannot be read", &text, None).offering(next));
            return;
        }
    };
    let lines = script.lines().map(str::to_owned).collect();
    if let Err(reason) = working::begin(app, ctx, lines, What::Script(path.to_owned())) {
        app.say(Notice::refused(reason));
    }
}
