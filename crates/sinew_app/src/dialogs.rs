//! Asking for a path: the system's dialog where there is one, a text field in the window where there is none.
//!
//! The system's dialog runs on its own thread: it may hang. Where it comes back with nothing it does not say whether a person
//! cancelled it or whether nothing could show it; a dialog that was shown took the keyboard from the window. How long it
//! took says nothing: a busy machine takes long to find that there is none.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// What a path is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To open a file.
    Open,
    /// To save and go on with that file.
    SaveAs,
    /// To save and stay.
    SaveCopy,
    /// To write the history.
    SaveScript,
    /// To run a script.
    RunScript,
}

/// The system's file dialogs. Calls block until the dialog is closed.
pub trait FileDialogs: Send + Sync {
    /// Asks for a file to open.
    fn open(&self, extensions: &[&str]) -> Option<PathBuf>;

    /// Asks where to save; `suggested` is a full path to begin with.
    fn save(&self, suggested: &Path, extensions: &[&str]) -> Option<PathBuf>;

    /// Whether a dialog is shown when one is asked for.
    fn are_shown(&self) -> AreShown {
        AreShown::Perhaps
    }
}

/// Whether a dialog is shown when one is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AreShown {
    /// The system has one.
    Surely,
    /// Something is there that may show one.
    Perhaps,
    /// Nothing is there that could.
    Never,
}

/// The dialogs of the desktop.
pub struct SystemDialogs;

impl FileDialogs for SystemDialogs {
    fn open(&self, extensions: &[&str]) -> Option<PathBuf> {
        rfd::FileDialog::new().add_filter(filter_name(extensions), extensions).pick_file()
    }

    fn save(&self, suggested: &Path, extensions: &[&str]) -> Option<PathBuf> {
        let mut dialog = rfd::FileDialog::new().add_filter(filter_name(extensions), extensions);
        if let Some(folder) = suggested.parent().filter(|folder| folder.is_dir()) {
            dialog = dialog.set_directory(folder);
        }
        if let Some(name) = suggested.file_name() {
            dialog = dialog.set_file_name(name.to_string_lossy());
        }
        dialog.save_file()
    }

    fn are_shown(&self) -> AreShown {
        if cfg!(any(windows, target_os = "macos")) {
            return AreShown::Surely;
        }
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let has_socket = || {
            let folder = std::env::var_os("XDG_RUNTIME_DIR");
            folder.is_some_and(|folder| Path::new(&folder).join("bus").exists())
        };
        // The desktop's portal is reached by the session bus; without it a program is asked.
        let has_bus = is_set("DBUS_SESSION_BUS_ADDRESS") || has_socket();
        let path = std::env::var_os("PATH").unwrap_or_default();
        if has_bus || is_program("zenity", &path) { AreShown::Perhaps } else { AreShown::Never }
    }
}

/// Whether a program is in one of the folders of `PATH`.
fn is_program(name: &str, path: &OsStr) -> bool {
    std::env::split_paths(path).any(|folder| folder.join(name).is_file())
}

/// The ending of scripts.
pub const SCRIPT_EXTENSION: &str = "txt";

fn filter_name(extensions: &[&str]) -> &'static str {
    if extensions.contains(&SCRIPT_EXTENSION) { "Sinew script" } else { "glTF" }
}

/// A question on its way.
pub struct Asking {
    purpose: Purpose,
    suggested: PathBuf,
    are_shown: AreShown,
    /// Without one nothing could answer.
    answer: Option<Receiver<Option<PathBuf>>>,
    /// Whether the window had the keyboard when it was asked.
    had_focus: bool,
    /// Whether something took it since.
    lost_focus: bool,
}

/// What came of a question.
pub enum Answer {
    /// Still open.
    Waiting(Asking),
    /// A path was chosen.
    Path(Purpose, PathBuf),
    /// There is no dialog: ask in the window, beginning with this path.
    AskInWindow(Purpose, PathBuf),
    /// Nothing was chosen.
    Cancelled,
}

impl Asking {
    /// Asks on another thread; `ctx` is woken when there is an answer.
    pub fn begin(
        dialogs: std::sync::Arc<dyn FileDialogs>,
        purpose: Purpose,
        suggested: PathBuf,
        extensions: Vec<&'static str>,
        ctx: &egui::Context,
    ) -> Self {
        let are_shown = dialogs.are_shown();
        let answer = (are_shown != AreShown::Never).then(|| {
            let (sender, answer) = channel();
            let (ctx, begin_with) = (ctx.clone(), suggested.clone());
            std::thread::spawn(move || {
                let path = match purpose {
                    Purpose::Open | Purpose::RunScript => dialogs.open(&extensions),
                    Purpose::SaveAs | Purpose::SaveCopy | Purpose::SaveScript => dialogs.save(&begin_with, &extensions),
                };
                // The window may be gone by now.
                let _ = sender.send(path);
                ctx.request_repaint();
            });
            answer
        });
        let had_focus = ctx.input(|i| i.focused);
        Self { purpose, suggested, are_shown, answer, had_focus, lost_focus: false }
    }

    /// What a person is asked for.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Whether a dialog is there that a person can see.
    pub fn is_seen(&self) -> bool {
        self.lost_focus || self.are_shown == AreShown::Surely
    }

    /// Looks whether there is an answer. Call it in every frame.
    pub fn poll(mut self, ctx: &egui::Context) -> Answer {
        self.lost_focus |= ctx.input(|i| {
            let is_told = i.events.iter().any(|event| matches!(event, egui::Event::WindowFocused(false)));
            is_told || (self.had_focus && !i.focused)
        });
        match self.answer.as_ref().map(Receiver::try_recv) {
            Some(Ok(Some(path))) => Answer::Path(self.purpose, path),
            Some(Ok(None)) if self.is_seen() => Answer::Cancelled,
            None | Some(Ok(None)) => Answer::AskInWindow(self.purpose, self.suggested),
            Some(Err(TryRecvError::Empty)) => Answer::Waiting(self),
            Some(Err(TryRecvError::Disconnected)) => {
                log::warn!("the file dialog ended without an answer");
                Answer::AskInWindow(self.purpose, self.suggested)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_in_all_folders_of_the_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let (here, there) = (folder.path().join("here"), folder.path().join("there"));
        for path in [&here, &there] {
            std::fs::create_dir(path).expect("a folder");
        }
        let path = std::env::join_paths([&here, &there]).expect("a path");
        assert!(!is_program("zenity", &path));
        std::fs::create_dir(here.join("zenity")).expect("a folder of that name is no program");
        assert!(!is_program("zenity", &path));
        std::fs::write(there.join("zenity"), "").expect("a file");
        assert!(is_program("zenity", &path));
        assert!(!is_program("zenity", OsStr::new("")));
    }
}
