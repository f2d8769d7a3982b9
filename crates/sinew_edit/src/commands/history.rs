//! Undo and redo.

use super::{Command, CommandError, Outcome};
use crate::editor::Editor;
use crate::history::Changed;
use crate::script::Line;

pub static UNDO: Command = Command {
    name: "undo",
    label: "Undo",
    hint: "Take the last step back",
    menu: "Edit",
    params: &[],
    run: |editor: &mut Editor, _: &Line| Ok(outcome("Undid", editor.undo().map_err(CommandError::from)?)),
};

pub static REDO: Command = Command {
    name: "redo",
    label: "Redo",
    hint: "Do the last undone step again",
    menu: "Edit",
    params: &[],
    run: |editor: &mut Editor, _: &Line| Ok(outcome("Redid", editor.redo().map_err(CommandError::from)?)),
};

fn outcome(verb: &str, changed: Changed) -> Outcome {
    let n_vertices = changed.rows.values().map(Vec::len).sum();
    Outcome::new(format!("{verb} {}", changed.label), n_vertices)
}
