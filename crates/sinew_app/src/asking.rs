//! Asking for a path and going on with it: whatever becomes of the dialog, a person is asked in the window or told.

use std::sync::Arc;

use crate::action::Notice;
use crate::app::App;
use crate::dialogs::{Answer, Asking, Purpose, SCRIPT_EXTENSION};
use crate::files::{OpenFile, extensions};
use crate::modals::Modal;
use crate::perform;

impl App {
    /// Asks for a path.
    pub(crate) fn ask(&mut self, ctx: &egui::Context, purpose: Purpose) {
        if self.asking.as_ref().is_some_and(Asking::is_seen) {
            self.say(Notice::refused("A file dialog is open already: choose there, or cancel it"));
            return;
        }
        let mut suggested = self.file.as_ref().map(OpenFile::suggested_path).unwrap_or_default();
        let is_script = matches!(purpose, Purpose::SaveScript | Purpose::RunScript);
        if is_script {
            suggested.set_extension(SCRIPT_EXTENSION);
        }
        let extensions = if is_script { vec![SCRIPT_EXTENSION] } else { extensions() };
        if self.asking.is_some() {
            // Who asks again sees no dialog; should one appear yet, it counts as well.
            self.modal = Some(Modal::path_box(purpose, &suggested));
            return;
        }
        self.asking = Some(Asking::begin(Arc::clone(&self.dialogs), purpose, suggested, extensions, ctx));
    }

    /// Looks whether a path was chosen.
    pub(crate) fn poll_asking(&mut self, ctx: &egui::Context) {
        match self.asking.take().map(|asking| asking.poll(ctx)) {
            Some(Answer::Waiting(asking)) => self.asking = Some(asking),
            Some(Answer::Path(purpose, path)) => {
                self.modal.take_if(|modal| matches!(modal, Modal::PathBox { .. }));
                perform::use_path(self, ctx, purpose, &path);
            }
            Some(Answer::AskInWindow(..)) if matches!(self.modal, Some(Modal::PathBox { .. })) => {}
            Some(Answer::AskInWindow(purpose, path)) => self.modal = Some(Modal::path_box(purpose, &path)),
            Some(Answer::Cancelled) => {
                self.after_asking = None;
                self.say(Notice::done("No file was chosen"));
            }
            None => {}
        }
    }
}
