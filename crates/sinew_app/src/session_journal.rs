//! The open file's journal: every line that changed the document, on the disk before anybody can lose it.
//!
//! Lines are handed to the system at once, which a killed program does not take with it; waiting for the disk, against a
//! power cut, is another thread's. It begins with the first line and goes when the file is closed in order. A save is a
//! mark in it, for undo goes behind saves: so that its beginning can still be opened when the model was saved over, a copy
//! of what was opened is kept beside it. Boundary: writes; `recovery` reads.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, UNIX_EPOCH};

use sinew_edit::journal::SavedMark;
use sinew_io::journal_file::{JournalFile, JournalFileError};
use sinew_io::{SaveState, keep_opened};

use crate::action::Notice;
use crate::files::OpenFile;

/// The journal of one open file.
#[derive(Default)]
pub struct SessionJournal {
    /// Lines that are not written yet, in order.
    pending: Vec<String>,
    /// Whether they are to be written though none is new.
    is_due: bool,
    open: Option<Open>,
    has_failed: bool,
}

struct Open {
    file: JournalFile,
    wants_sync: Sender<()>,
    sync_failed: Arc<AtomicBool>,
}

impl SessionJournal {
    /// Goes on with the journal of an earlier program.
    pub fn resumed(file: JournalFile) -> Self {
        Self { open: Some(Open::new(file)), ..Self::default() }
    }

    /// A journal that begins with lines that are done already.
    pub fn beginning_with(lines: Vec<String>) -> Self {
        Self { pending: lines, is_due: true, ..Self::default() }
    }

    /// The file is closed in order.
    pub fn end(&mut self) {
        self.pending.clear();
        if let Some(open) = self.open.take()
            && let Err(error) = open.file.remove()
        {
            log::warn!("{error}");
        }
    }

    /// Where a copy of what was opened belongs, if it will be needed once the model is saved over.
    pub fn wanted_copy(&self) -> Option<PathBuf> {
        self.open.as_ref().map(|open| open.file.copy_folder()).filter(|folder| !folder.is_dir())
    }

    /// The document was saved; `lines` were done before.
    pub fn saved(&mut self, lines: Vec<String>, state: &SaveState) {
        self.pending.extend(lines);
        let (Some(path), Some((n_bytes, modified))) = (&state.path, state.written()) else { return };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let modified_ns = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified_ns = modified_ns.and_then(|since| u64::try_from(since.as_nanos()).ok());
        self.pending.push(SavedMark { model: path.to_string_lossy().into_owned(), n_bytes, modified_ns }.line());
        self.is_due = self.open.is_some();
    }
}

/// The state that a mark tells of.
pub fn state_of(mark: &SavedMark) -> SaveState {
    let modified = mark.modified_ns.map(|ns| UNIX_EPOCH + Duration::from_nanos(ns));
    SaveState::resumed(mark.model.clone().into(), mark.n_bytes, modified)
}

impl OpenFile {
    /// Writes what was done since the last call. Gives what a person should know, once.
    pub fn keep_journal(&mut self, folder: Option<&Path>) -> Option<Notice> {
        let lines = self.editor.take_committed();
        let folder = folder?;
        let is_due = std::mem::take(&mut self.journal.is_due) || !lines.is_empty();
        self.journal.pending.extend(lines);
        let result = if is_due { self.write_journal(folder) } else { Ok(()) };
        let sync_failed = self.journal.open.as_ref().is_some_and(|open| open.sync_failed.load(Ordering::Relaxed));
        let reason = match result {
            Err(reason) => reason,
            Ok(()) if sync_failed => "the disk does not take it".to_owned(),
            Ok(()) => {
                self.journal.has_failed &= !is_due;
                return None;
            }
        };
        let is_first = !std::mem::replace(&mut self.journal.has_failed, true);
        is_first.then(|| Notice::refused(format!("Unsaved work would not survive a crash: {reason}")))
    }

    fn write_journal(&mut self, folder: &Path) -> Result<(), String> {
        let text = |error: JournalFileError| error.to_string();
        if self.journal.open.is_none() {
            let header = self.journal_header();
            let file = JournalFile::create(folder, Path::new(&header.model), &header.line()).map_err(text)?;
            // The demo character has no file, and one that was saved over is not what was opened.
            if (header.model.is_empty() || self.state().written().is_some())
                && let Err(error) = keep_opened(self.source(), &file.copy_folder())
            {
                let _ = file.remove();
                return Err(error.to_string());
            }
            self.journal.open = Some(Open::new(file));
        }
        if let Some(open) = &mut self.journal.open {
            open.file.add(&self.journal.pending).map_err(text)?;
            self.journal.pending.clear();
            // Without the other thread the lines are safe from all but a power cut.
            let _ = open.wants_sync.send(());
        }
        Ok(())
    }
}

impl Open {
    fn new(file: JournalFile) -> Self {
        let (wants_sync, wanted) = channel();
        let sync_failed = Arc::new(AtomicBool::new(false));
        let failed = Arc::clone(&sync_failed);
        match file.syncer() {
            Ok(syncer) => {
                std::thread::spawn(move || {
                    while wanted.recv().is_ok() {
                        while wanted.try_recv().is_ok() {}
                        let result = syncer.sync();
                        failed.store(result.is_err(), Ordering::Relaxed);
                    }
                });
            }
            Err(error) => log::warn!("{error}"),
        }
        Self { file, wants_sync, sync_failed }
    }
}
