//! Taking up what a program left that did not end in order: its journals, found, offered, done again.
//!
//! A journal that holds nothing goes silently: its end was saved, or nobody would miss it. What cannot be recovered stays
//! where it is until it is turned down. Boundary: reads; `session_journal` writes.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sinew_edit::journal::{self, Journal, JournalHeader, Loss, SavedMark};
use sinew_edit::{Editor, Line};
use sinew_io::journal_file::{Leftover, leftovers};
use sinew_io::{OpenError, Progress, open_kept, open_with};
use sinew_model::lookup::mesh_named;
use sinew_model::{NodeIndex, joint_named};

use crate::files::OpenFile;
use crate::session_journal::{SessionJournal, state_of};

/// Work of a program that did not end in order.
pub struct Offer {
    leftover: Leftover,
    header: JournalHeader,
    lines: Vec<String>,
    last_save: Option<SavedMark>,
    n_unsaved: usize,
    loss: Loss,
    /// Whether it was asked about since the program began: later is later.
    pub was_asked: bool,
}

/// What became of an attempt.
pub enum Outcome {
    /// The file as the journal left it.
    Done(Box<Recovered>),
    /// The model is not the one that the journal began with.
    Changed(Box<Offer>),
    /// The model cannot be opened, or somebody ended it.
    Failed(Box<Offer>, OpenError),
}

/// A file with its work done again.
pub struct Recovered {
    /// The file.
    pub file: OpenFile,
    /// Unsaved steps of the journal.
    pub n_steps: usize,
    /// The line that could not be done, why, and how many were left out with it.
    pub failure: Option<Failure>,
}

/// Where doing it again ended early.
pub struct Failure {
    /// The line.
    pub line: String,
    /// Why.
    pub reason: String,
    /// It and those behind it.
    pub n_left_out: usize,
}

/// What there is to recover, the latest last.
pub fn find(folder: &Path) -> Vec<Offer> {
    let found = leftovers(folder).unwrap_or_else(|error| {
        log::warn!("{error}");
        Vec::new()
    });
    let mut offers: Vec<Offer> = found.into_iter().filter_map(Offer::new).collect();
    offers.sort_by_key(Offer::modified);
    offers
}

impl Offer {
    fn new(mut leftover: Leftover) -> Option<Self> {
        let text = leftover.read().map_err(|error| log::warn!("{error}")).ok()?;
        let journal =
            Journal::parse(&text).map_err(|error| log::warn!("{}: {error}", leftover.path().display())).ok()?;
        let (n_unsaved, loss) = (journal.tally().n_unsaved, journal.loss());
        if n_unsaved == 0 || loss == Loss::Nothing {
            let _ = leftover.remove().map_err(|error| log::warn!("{error}"));
            return None;
        }
        let last_save = journal.last_save();
        let lines = journal.lines.iter().map(|&line| line.to_owned()).collect();
        let header = journal.header;
        Some(Self { leftover, header, lines, last_save, n_unsaved, loss, was_asked: false })
    }

    /// What it is known by.
    pub fn journal(&self) -> &Path {
        self.leftover.path()
    }

    /// The file; none for the character that comes with the program.
    pub fn path(&self) -> Option<&Path> {
        let path = self.last_save.as_ref().map_or(&self.header.model, |mark| &mark.model);
        Some(Path::new(path)).filter(|path| !path.as_os_str().is_empty())
    }

    /// The file's name.
    pub fn name(&self) -> String {
        let name = self.path().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| OpenFile::DEMO_NAME.to_owned())
    }

    /// When it was last written, if the system says.
    pub fn modified(&self) -> Option<SystemTime> {
        self.leftover.modified
    }

    /// How many steps were not saved.
    pub fn n_steps(&self) -> usize {
        self.n_unsaved
    }

    /// When the last of them was made: `12 minutes ago`.
    pub fn when(&self) -> Option<String> {
        self.leftover.modified.map(|time| ago(SystemTime::now().duration_since(time).unwrap_or_default()))
    }

    /// Whether a person is to be asked about it, and not only when they look for it.
    pub fn is_worth_asking(&self) -> bool {
        self.loss == Loss::Work && !self.was_asked
    }

    /// Whether it is work on this file; on the character that comes with the program without one.
    pub fn is_of(&self, path: Option<&Path>) -> bool {
        let Some(path) = path else { return self.path().is_none() };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let ours = [Some(&self.header.model), self.last_save.as_ref().map(|mark| &mark.model)];
        ours.into_iter().flatten().any(|ours| Path::new(ours) == path)
    }

    /// It is turned down.
    pub fn discard(self) {
        let _ = self.leftover.remove().map_err(|error| log::warn!("{error}"));
    }

    /// Opens the model and does everything again: slow, so call it off the window's thread. Where the model has
    /// changed since, it is done only if `anyway`.
    pub fn recover(self, anyway: bool, progress: Progress<'_>) -> Outcome {
        let mut file = match self.open(anyway, progress) {
            Ok(file) => file,
            Err(error) => return Outcome::Failed(Box::new(self), error),
        };
        let opened = file.journal_header();
        let is_same = (opened.n_bytes, &opened.hash) == (self.header.n_bytes, &self.header.hash);
        if !is_same && !anyway {
            return Outcome::Changed(Box::new(self));
        }
        let (mut n_done, mut failure) = (0, None);
        for line in &self.lines {
            if let Err(cancelled) = progress.step(&format!("Step {} of {}", n_done + 1, self.lines.len())) {
                return Outcome::Failed(Box::new(self), cancelled.into());
            }
            if let Some((_, error)) = journal::replay(&mut file.editor, &[line]).first_error {
                let n_left_out = self.lines.len() - n_done;
                failure = Some(Failure { line: line.clone(), reason: error.to_string(), n_left_out });
                break;
            }
            n_done += 1;
        }
        if let Some(joint) = last_painted(&file.editor, &self.lines[..n_done]) {
            file.editor.session.active_joint = Some(joint);
        }
        let Self { leftover, lines, n_unsaved: n_steps, .. } = self;
        let done_again = file.editor.take_committed();
        let last_save = lines[..n_done].iter().rev().find_map(|line| SavedMark::parse(line));
        if let Some(mark) = last_save.filter(|_| is_same) {
            file.set_state(state_of(&mark));
        }
        let resumed = if is_same {
            leftover.resume(n_done).map(|file| Some(SessionJournal::resumed(file)))
        } else {
            leftover.remove().map(|()| None)
        };
        file.journal = match resumed {
            Ok(Some(journal)) => journal,
            // It begins with what this file was opened as.
            Ok(None) => SessionJournal::beginning_with(done_again),
            Err(error) => {
                log::warn!("{error}");
                SessionJournal::beginning_with(done_again)
            }
        };
        Outcome::Done(Box::new(Recovered { file, n_steps, failure }))
    }

    fn open(&self, anyway: bool, progress: Progress<'_>) -> Result<OpenFile, OpenError> {
        let model = Some(PathBuf::from(&self.header.model)).filter(|model| !model.as_os_str().is_empty());
        let imported = match (self.leftover.copy_folder(), &model) {
            (Some(folder), _) => open_kept(&folder, model.as_deref(), progress)?,
            (None, Some(model)) => open_with(model, progress)?,
            (None, None) => {
                let path = PathBuf::from(OpenFile::DEMO_NAME);
                return Err(OpenError::Read { path, source: std::io::ErrorKind::NotFound.into() });
            }
        };
        // Joints of another model may be others.
        let given = (!anyway).then_some(&self.header.given);
        Ok(OpenFile::prepare(imported, given, progress)?)
    }
}

/// The joint that was painted last: it was the active one.
fn last_painted(editor: &Editor, lines: &[String]) -> Option<NodeIndex> {
    const PAINTS: [&str; 4] = ["stroke", "gradient", "flood", "set"];
    let document = editor.document();
    lines.iter().rev().find_map(|text| {
        let line = Line::parse(text).ok().flatten().filter(|line| PAINTS.contains(&line.name.as_str()))?;
        let mesh = line.get("mesh").and_then(|name| mesh_named(document, name).ok());
        joint_named(document, mesh, line.get("joint")?).ok()
    })
}

fn ago(time: Duration) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "day"), (3600, "hour"), (60, "minute")];
    let n_s = time.as_secs();
    for (unit_s, name) in UNITS {
        match n_s / unit_s {
            0 => {}
            1 => return format!("1 {name} ago"),
            n => return format!("{n} {name}s ago"),
        }
    }
    "less than a minute ago".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_as_people_say_them() {
        for (n_s, expected) in [
            (0, "less than a minute ago"),
            (59, "less than a minute ago"),
            (60, "1 minute ago"),
            (7199, "1 hour ago"),
            (7200, "2 hours ago"),
            (200_000, "2 days ago"),
        ] {
            assert_eq!(ago(Duration::from_secs(n_s)), expected);
        }
    }
}
