//! Asking for a path: the system's dialog where there is one, a text field in the window where there is none.
//!
//! The system's dialog runs on its own thread: it may hang. One that comes back at once with nothing was never shown.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

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
}

/// The dialogs of the desktop.
pub struct SystemDialogs;

/// Quicker than anybody can cancel.
const NEVER_SHOWN: Duration = Duration::from_millis(100);

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
    answer: Receiver<(Option<PathBuf>, Duration)>,
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
        let (sender, answer) = channel();
        let (ctx, begin_with) = (ctx.clone(), suggested.clone());
        std::thread::spawn(move || {
            let began = Instant::now();
            let path = match purpose {
                Purpose::Open | Purpose::RunScript => dialogs.open(&extensions),
                Purpose::SaveAs | Purpose::SaveCopy | Purpose::SaveScript => dialogs.save(&begin_with, &extensions),
            };
            // The window may be gone by now.
            let _ = sender.send((path, began.elapsed()));
            ctx.request_repaint();
        });
        Self { purpose, suggested, answer }
    }

    /// What a person is asked for.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Looks whether there is an answer.
    pub fn poll(self) -> Answer {
        match self.answer.try_recv() {
            Ok((Some(path), _)) => Answer::Path(self.purpose, path),
            Ok((None, took)) if took >= NEVER_SHOWN => Answer::Cancelled,
            Ok((None, _)) => Answer::AskInWindow(self.purpose, self.suggested),
            Err(TryRecvError::Empty) => Answer::Waiting(self),
            Err(TryRecvError::Disconnected) => {
                log::warn!("the file dialog ended without an answer");
                Answer::AskInWindow(self.purpose, self.suggested)
            }
        }
    }
}
