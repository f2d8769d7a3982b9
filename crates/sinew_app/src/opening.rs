//! Opening files off the window's thread: one at a time, told step by step, and ended early if nobody wants it any more.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use sinew_io::{OpenError, Progress};

use crate::action::{Action, Notice};
use crate::app::App;
use crate::facts::Facts;
use crate::files::OpenFile;
use crate::keymap::Do;
use crate::modals::{Modal, Next, Question};
use crate::panels::sections::Section;
use crate::panels::welcome::Loading;
use crate::recovery::{Offer, Outcome, Recovered};

/// A file on its way in. Dropped, the work ends at its next step.
pub(crate) struct Opening {
    path: PathBuf,
    step: String,
    news: Receiver<News>,
    is_cancelled: Arc<AtomicBool>,
}

enum News {
    Step(String),
    Opened(Result<Box<OpenFile>, OpenError>),
    Recovery(Outcome),
}

impl Opening {
    pub(crate) fn shown(&self) -> Loading<'_> {
        Loading { path: &self.path, step: &self.step }
    }

    fn begin(ctx: &egui::Context, path: PathBuf, work: impl FnOnce(Progress<'_>) -> News + Send + 'static) -> Self {
        let (sender, news) = channel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (ctx, ends) = (ctx.clone(), Arc::clone(&is_cancelled));
        std::thread::spawn(move || {
            let say = |step: &str| {
                // The window may be gone by now, or the wait for this file given up.
                let is_heard = sender.send(News::Step(step.to_owned())).is_ok();
                ctx.request_repaint();
                is_heard && !ends.load(Ordering::Relaxed)
            };
            let result = work(Progress(&say));
            let _ = sender.send(result);
            ctx.request_repaint();
        });
        Self { path, step: String::new(), news, is_cancelled }
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

impl App {
    /// Begins to open a file on another thread. What is open stays until the new file is there.
    pub(crate) fn open_path(&mut self, ctx: &egui::Context, path: PathBuf) {
        let from = path.clone();
        let work = move |progress: Progress<'_>| News::Opened(OpenFile::open_with(&from, progress).map(Box::new));
        self.opening = Some(Opening::begin(ctx, path, work));
    }

    /// Begins to open the character that comes with the program.
    pub(crate) fn open_demo(&mut self, ctx: &egui::Context) {
        let Some(demo) = self.demo else {
            self.say(Notice::refused("no character comes with this program"));
            return;
        };
        let open = move |progress: Progress<'_>| Ok(Box::new(OpenFile::prepare(demo()?, None, progress)?));
        let work = move |progress: Progress<'_>| News::Opened(open(progress));
        self.opening = Some(Opening::begin(ctx, PathBuf::from(OpenFile::DEMO_NAME), work));
    }

    /// Begins to open a file with the work that a crash left.
    pub(crate) fn recover(&mut self, ctx: &egui::Context, journal: &Path, anyway: bool) {
        let Some(offer) = self.take_offer(journal) else { return };
        let path = PathBuf::from(offer.name());
        let work = move |progress: Progress<'_>| News::Recovery(offer.recover(anyway, progress));
        self.opening = Some(Opening::begin(ctx, path, work));
    }

    /// The work that a crash left is turned down.
    pub(crate) fn discard_offer(&mut self, journal: &Path) {
        if let Some(offer) = self.take_offer(journal) {
            self.say(Notice::done(format!("Discarded the unsaved work on {}", offer.name())));
            offer.discard();
        }
    }

    fn put_back(&mut self, offer: Offer) {
        self.offers.push(offer);
        self.offers.sort_by_key(Offer::modified);
    }

    fn take_offer(&mut self, journal: &Path) -> Option<Offer> {
        let at = self.offers.iter().position(|offer| offer.journal() == journal)?;
        Some(self.offers.remove(at))
    }

    /// Asks about work that a crash left.
    pub(crate) fn ask_to_recover(&mut self, journal: &Path) {
        if let Some(offer) = self.offers.iter_mut().find(|offer| offer.journal() == journal) {
            offer.was_asked = true;
            self.modal = Some(Modal::Recover(Question::new(offer, false)));
        }
    }

    /// Asks about what is due, when nothing else is asked.
    pub(crate) fn ask_about_offers(&mut self) {
        if self.modal.is_some() || self.opening.is_some() || self.saving.is_some() {
            return;
        }
        if let Some(journal) = self.to_ask.take() {
            self.ask_to_recover(&journal);
        }
    }

    /// The work to be asked about because this file is opened, or because nothing is: the latest.
    pub(crate) fn offer_of(&self, is_of: impl Fn(&Offer) -> bool) -> Option<PathBuf> {
        let offer = self.offers.iter().rev().find(|offer| offer.is_worth_asking() && is_of(offer));
        offer.map(|offer| offer.journal().to_owned())
    }

    /// Says in one line that a crash left work on other files than this one.
    pub(crate) fn tell_of_work_but_on(&mut self, path: &Path) {
        let others = self.offers.iter().filter(|offer| offer.is_worth_asking() && !offer.is_of(Some(path)));
        let others = match others.count() {
            0 => return,
            1 => "1 other file".to_owned(),
            n => format!("{n} other files"),
        };
        self.say(Notice::done(format!("Unsaved work on {others}: see File, Recover…")));
    }

    /// What there is to recover, the latest first.
    pub(crate) fn questions(&self) -> Vec<Question> {
        self.offers.iter().rev().map(|offer| Question::new(offer, false)).collect()
    }

    pub(crate) fn poll_opening(&mut self) {
        let Some(mut opening) = self.opening.take() else { return };
        loop {
            match opening.news.try_recv() {
                Ok(News::Step(step)) => opening.step = step,
                Ok(News::Opened(Ok(file))) => {
                    self.to_ask = self.offer_of(|offer| offer.is_of(file.path()));
                    break self.take_file(*file);
                }
                Ok(News::Opened(Err(error))) => break self.open_failed(&opening.path, &error.to_string()),
                Ok(News::Recovery(outcome)) => break self.recovered(&opening.path, outcome),
                Err(TryRecvError::Empty) => {
                    self.opening = Some(opening);
                    break;
                }
                Err(TryRecvError::Disconnected) => {
                    break self.open_failed(&opening.path, "reading it ended in the middle; this is a fault of Sinew");
                }
            }
        }
    }

    fn recovered(&mut self, path: &Path, outcome: Outcome) {
        match outcome {
            Outcome::Done(recovered) => {
                let Recovered { file, n_steps, failure } = *recovered;
                let name = file.name();
                self.take_file(file);
                // The next question would be about losing this.
                self.to_ask = None;
                let Some(failure) = failure else {
                    return self.say(Notice::done(format!("Recovered {} of {name}", steps(n_steps))));
                };
                let text = format!("{}\n\n{}", failure.reason, failure.line);
                let title = format!("{} could not be done again", steps(failure.n_left_out));
                let stays = "The steps before are done and not saved yet.";
                self.modal = Some(Modal::error(title, &text, Some(stays)));
                self.say(Notice::refused(format!("Recovered {name} in part")));
            }
            Outcome::Changed(offer) => {
                self.modal = Some(Modal::Recover(Question::new(&offer, true)));
                self.put_back(*offer);
            }
            Outcome::Failed(offer, error) => {
                self.put_back(*offer);
                self.open_failed(path, &error.to_string());
            }
        }
    }

    /// Shows a file; the one before was saved, or given up.
    pub(crate) fn take_file(&mut self, mut file: OpenFile) {
        let is_first = self.file.is_none();
        self.close_file();
        self.preferences.brushes.give_to(&mut file.editor);
        if let Some(path) = file.path() {
            self.preferences.was_open(path);
        }
        self.viewport.open(&mut file);
        self.shows_file_report = file.warnings.iter().any(|warning| !warning.is_minor());
        if self.shows_file_report {
            self.preferences.sections.bring_forward(Section::FileReport);
        }
        if !is_first {
            self.notices.clear();
        }
        self.file = Some(file);
    }

    /// Nothing is open any more; what was is saved, or given up.
    pub(crate) fn close_file(&mut self) {
        let Some(mut old) = self.file.take() else { return };
        self.viewport.cancel_tools(&mut old.editor);
        self.preferences.brushes.remember(&mut old.editor);
        old.journal.end();
        self.opening = None;
        self.working = None;
        self.viewport.close();
        self.facts = Facts::default();
        self.joint_list.forget();
        self.brush_bar.forget();
        self.playback.pause();
        self.report = None;
        self.shows_file_report = false;
        self.notices.clear();
    }

    fn open_failed(&mut self, path: &Path, reason: &str) {
        if !path.exists() {
            self.preferences.forget(path);
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stays = self.file.as_ref().map(|file| format!("{} stays open.", file.name()));
        let next = Next { label: "Open another…", action: Action::Do(Do::Open) };
        self.modal = Some(Modal::error(format!("{name} cannot be opened"), reason, stays.as_deref()).offering(next));
    }
}

/// `1 step`, `12 steps`.
pub(crate) fn steps(n: usize) -> String {
    if n == 1 { "1 step".to_owned() } else { format!("{n} steps") }
}
