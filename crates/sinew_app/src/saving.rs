//! Saving off the window's thread: told step by step, and ended early on request. Until a file is written nothing may
//! be edited.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use sinew_io::{Progress, SaveError, Saved};

use crate::action::{Action, Notice};
use crate::app::App;
use crate::files::{OpenFile, Target};
use crate::keymap::Do;
use crate::modals::{Modal, Next, Then};
use crate::panels::sections::Section;
use crate::perform;

/// A file on its way out.
pub(crate) struct Saving {
    target: Target,
    pub(crate) then: Option<Then>,
    step: String,
    news: Receiver<News>,
    is_cancelled: Arc<AtomicBool>,
}

enum News {
    Step(String),
    Done(Box<Result<Saved, SaveError>>),
}

impl Saving {
    /// What is being done.
    pub(crate) fn step(&self) -> &str {
        &self.step
    }

    /// Ends it at its next step; the old file stays.
    pub(crate) fn cancel(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.then = None;
        "Cancelling".clone_into(&mut self.step);
    }
}

/// Begins to save; a quick save is done when this returns. `then` follows if it succeeds.
pub fn save(app: &mut App, ctx: &egui::Context, target: Target, overwrite_changed: bool, then: Option<Then>) {
    let Some(file) = &mut app.file else { return };
    app.viewport.cancel_tools(&mut file.editor);
    let job = file.watched_save_job(target.clone(), overwrite_changed);
    let (sender, news) = channel();
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let (waker, ends) = (ctx.clone(), Arc::clone(&is_cancelled));
    std::thread::spawn(move || {
        let say = |step: &str| {
            // The window may be gone by now; what was asked for is written all the same.
            let _ = sender.send(News::Step(step.to_owned()));
            waker.request_repaint();
            !ends.load(Ordering::Relaxed)
        };
        let result = job(Progress(&say));
        let _ = sender.send(News::Done(Box::new(result)));
        waker.request_repaint();
    });
    let saving = Saving { target, then, step: String::new(), news, is_cancelled };
    let patience = app.quick_save;
    wait(app, ctx, saving, patience);
}

/// Looks whether the file is written.
pub fn poll(app: &mut App, ctx: &egui::Context, saving: Saving) {
    wait(app, ctx, saving, Duration::ZERO);
}

fn wait(app: &mut App, ctx: &egui::Context, mut saving: Saving, patience: Duration) {
    let until = Instant::now() + patience;
    loop {
        match saving.news.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(News::Step(step)) if saving.is_cancelled.load(Ordering::Relaxed) => drop(step),
            Ok(News::Step(step)) => saving.step = step,
            Ok(News::Done(result)) => return finish(app, ctx, saving, *result),
            Err(RecvTimeoutError::Timeout) => {
                app.saving = Some(saving);
                return;
            }
            Err(RecvTimeoutError::Disconnected) => {
                let reason = "writing it ended in the middle; this is a fault of Sinew";
                let Some(file) = &app.file else { return };
                app.modal = Some(not_saved(file, reason, saving.target, saving.then));
                return;
            }
        }
    }
}

fn finish(app: &mut App, ctx: &egui::Context, saving: Saving, result: Result<Saved, SaveError>) {
    let Some(file) = &mut app.file else { return };
    match result {
        Ok(saved) => {
            let report = file.saved(saved, &saving.target);
            app.say(Notice::done(format!("Saved {}", report.path.display())));
            app.preferences.was_open(&report.path);
            app.report = Some(report);
            app.preferences.sections.bring_forward(Section::SaveReport);
            if let Some(then) = saving.then {
                perform::go_on(app, ctx, then);
            }
        }
        Err(SaveError::Cancelled(_)) => {
            let stays = stays(file, &saving.target);
            app.say(Notice::refused(format!("Saving was cancelled: {stays}")));
        }
        Err(error @ SaveError::ChangedOnDisk { .. }) => {
            app.modal = Some(Modal::ChangedOnDisk(error.to_string(), saving.then));
        }
        Err(error) => {
            app.modal = Some(match to_settle(&error) {
                [] => not_saved(file, &error.to_string(), saving.target, saving.then),
                ways => unsettled(file, &error.to_string(), &saving.target, ways),
            });
            app.say(Notice::failed(&error));
        }
    }
}

fn not_saved(file: &OpenFile, reason: &str, target: Target, then: Option<Then>) -> Modal {
    let stays = format!("{}.", crate::keymap::hints::capitalised(&stays(file, &target)));
    let again = Next { label: "Try again", action: Action::Save(target, then) };
    let elsewhere = Next { label: "Save as…", action: Action::Do(Do::SaveAs) };
    Modal::error("The file was not saved", reason, Some(&stays)).offering(elsewhere).offering(again)
}

/// What can be done about weight that edits left open, by name and line.
fn to_settle(error: &SaveError) -> &'static [(&'static str, &'static str)] {
    match error {
        SaveError::Unassigned { .. } => &[
            ("Give it to the nearest joints", "settle unassigned=nearest on=all"),
            ("Scale the rest up", "settle unassigned=normalize on=all"),
        ],
        SaveError::Unweighted { .. } => &[("Give them the nearest joints", "settle on=all")],
        _ => &[],
    }
}

fn unsettled(file: &OpenFile, reason: &str, target: &Target, ways: &[(&'static str, &str)]) -> Modal {
    let stays =
        format!("{}. Settling is a step that can be undone.", crate::keymap::hints::capitalised(&stays(file, target)));
    let modal = Modal::error("The file was not saved", reason, Some(&stays));
    ways.iter()
        .fold(modal, |modal, &(label, line)| modal.offering(Next { label, action: Action::Line(line.to_owned()) }))
}

/// What is as it was after a save that came to nothing: a file is replaced whole or not at all.
fn stays(file: &OpenFile, target: &Target) -> String {
    let on_disk = match target {
        Target::InPlace => "the old file is untouched",
        Target::As(path) | Target::Copy(path) if path.exists() => "the file of that name is untouched",
        Target::As(_) | Target::Copy(_) => "no file was written",
    };
    if file.is_unsaved() { format!("{on_disk}, and the changes are still here") } else { on_disk.to_owned() }
}

/// What the file is called while it is written.
pub(crate) fn title(file: Option<&OpenFile>) -> String {
    format!("Writing {}", file.map(OpenFile::name).unwrap_or_default())
}
