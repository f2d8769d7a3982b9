//! What panels and the viewport ask of the application. They read the editor; only the application changes files.

use std::path::PathBuf;

use crate::files::Target;
use crate::keymap::Do;
use crate::keymap::hints::capitalised;
use crate::modals::Then;
use crate::panels::sections::Section;
use crate::viewport::marks::Marks;

/// Something to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// What a key or menu entry says.
    Do(Do),
    /// Open this file.
    OpenPath(PathBuf),
    /// A command line for the editor.
    Line(String),
    /// Undo or redo until this many steps are done.
    GoToStep(usize),
    /// Say something in the status line.
    Say(Notice),
    /// Mark what a counter counts and turn the view to it.
    Mark(Marks),
    /// Ask about the work of this journal.
    AskToRecover(PathBuf),
    /// Give up opening a file.
    CancelOpen,
    /// Save there, and then go on with what was about to happen.
    Save(Target, Option<Then>),
    /// Give up writing a file.
    CancelSave,
    /// Give up command lines that are being done.
    CancelWork,
    /// Mirror nothing rather than wait for the mirror images.
    CancelMirroring,
    /// Close a report.
    CloseReport(Section),
    /// Open the file report; close it if it is in sight.
    ToggleFileReport,
}

/// One line for the status line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// How much it matters.
    pub level: Level,
    /// What it says.
    pub text: String,
}

/// How much a notice matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Something was done.
    Done,
    /// Something was not done, or only in part.
    Refused,
    /// Something failed.
    Failed,
}

impl Notice {
    /// Something was done.
    pub fn done(text: impl Into<String>) -> Self {
        Self { level: Level::Done, text: text.into() }
    }

    /// Something was not done, and why.
    pub fn refused(text: impl ToString) -> Self {
        Self { level: Level::Refused, text: sentence(&text.to_string()) }
    }

    /// Something failed, and why.
    pub fn failed(text: impl ToString) -> Self {
        Self { level: Level::Failed, text: sentence(&text.to_string()) }
    }

    /// What an editor's command did: one line, with what was left alone and why.
    pub fn of_outcome(outcome: &sinew_edit::Outcome) -> Self {
        let mut text = outcome.message.clone();
        if outcome.n_vertices > 0 {
            text = format!("{text} · {}", crate::panels::n_vertices(outcome.n_vertices));
        }
        let is_whole = outcome.notes.is_empty() && !outcome.is_idle;
        let level = if is_whole { Level::Done } else { Level::Refused };
        for note in &outcome.notes {
            text = format!("{text} · {note}");
        }
        Self { level, text }
    }
}

/// A reason as the status line shows it: errors begin in lower case, because they also stand behind a colon. Paths, keys
/// and numbers stay as they are.
fn sentence(reason: &str) -> String {
    let is_word = reason.split([' ', ',']).next().is_some_and(|word| word.chars().all(char::is_alphabetic));
    if is_word { capitalised(reason) } else { reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_begin_with_a_capital_but_names_of_files_and_keys_stay() {
        let shown = ["nothing to undo", "expected a lane", "arm.glb: not found", "vertices: expected 0", "ärmel hier"]
            .map(|reason| Notice::refused(reason).text);
        assert_eq!(
            shown,
            ["Nothing to undo", "Expected a lane", "arm.glb: not found", "vertices: expected 0", "Ärmel hier"]
        );
    }
}
