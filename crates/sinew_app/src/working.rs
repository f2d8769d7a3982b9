//! Command lines off the window's thread: done ahead on a copy of the document, told line by line, given up without a
//! trace. Until they are done nothing may be edited.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use sinew_edit::commands::command_named;
use sinew_edit::{Ahead, Editor, Line, Outcome};

use crate::action::Notice;
use crate::app::App;
use crate::mirroring::AT_ONCE;
use crate::modals::Modal;
use crate::perform::idle_editor;

/// The menu whose commands may take long on a large mesh.
const LONG_MENU: &str = "Weights";
/// Commands of other menus that look at all neighbours or twins.
const LONG_ELSEWHERE: [&str; 5] = ["select_linked", "grow", "shrink", "select_mirror", "pairs"];

/// Lines being done.
pub(crate) struct Working {
    what: What,
    n_lines: usize,
    /// Lines done so far, blank ones and comments included.
    n_past: usize,
    news: Receiver<News>,
    is_cancelled: Arc<AtomicBool>,
}

/// Where the lines come from.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum What {
    /// One command.
    Line(String),
    /// A file.
    Script(PathBuf),
}

enum News {
    Past(usize),
    Done(Box<Ran>),
}

struct Ran {
    ahead: Ahead,
    n_done: usize,
    /// What the last line did, or which one could not be done.
    last: Result<Outcome, Failure>,
}

struct Failure {
    number: usize,
    line: String,
    reason: String,
}

impl Working {
    /// What is being done.
    pub(crate) fn title(&self) -> String {
        match &self.what {
            What::Line(line) => {
                let command = Line::parse(line).ok().flatten().and_then(|line| command_named(&line.name));
                command.map_or_else(|| line.clone(), |command| command.label.to_owned())
            }
            What::Script(path) => {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                format!("Doing the lines of {}", name.unwrap_or_default())
            }
        }
    }

    /// How far it is.
    pub(crate) fn step(&self) -> Option<String> {
        (self.n_lines > 1).then(|| format!("Line {} of {}", (self.n_past + 1).min(self.n_lines), self.n_lines))
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// Whether a line is better done off the window's thread.
pub(crate) fn may_take_long(editor: &mut Editor, line: &str) -> bool {
    let command = Line::parse(line).ok().flatten().and_then(|line| command_named(&line.name));
    command.is_some_and(|command| {
        command.menu == LONG_MENU || (LONG_ELSEWHERE.contains(&command.name) && editor.n_mirrored() > AT_ONCE)
    })
}

/// Begins to do lines; quick ones are done when this returns. The reason if a single line could not be done.
pub(crate) fn begin(app: &mut App, ctx: &egui::Context, lines: Vec<String>, what: What) -> Result<(), String> {
    let patience = app.quick_save;
    let Some(editor) = idle_editor(app) else { return Err("nothing is open".to_owned()) };
    let mut ahead = editor.ahead();
    let (sender, news) = channel();
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let (waker, ends) = (ctx.clone(), Arc::clone(&is_cancelled));
    let n_lines = lines.len();
    std::thread::spawn(move || {
        let (mut n_done, mut last) = (0, Ok(Outcome::default()));
        for (i, line) in lines.into_iter().enumerate() {
            if ends.load(Ordering::Relaxed) {
                return;
            }
            match ahead.run(&line) {
                Ok(Some(outcome)) => {
                    n_done += 1;
                    last = Ok(outcome);
                }
                Ok(None) => {}
                Err(error) => {
                    last = Err(Failure { number: i + 1, line, reason: error.to_string() });
                    break;
                }
            }
            // The window may be gone by now.
            let _ = sender.send(News::Past(i + 1));
            waker.request_repaint_after(Duration::from_millis(30));
        }
        let _ = sender.send(News::Done(Box::new(Ran { ahead, n_done, last })));
        waker.request_repaint();
    });
    let working = Working { what, n_lines, n_past: 0, news, is_cancelled };
    wait(app, working, patience)
}

/// Looks whether the lines are done.
pub(crate) fn poll(app: &mut App) {
    if let Some(working) = app.working.take()
        && let Err(reason) = wait(app, working, Duration::ZERO)
    {
        app.say(Notice::refused(reason));
    }
}

/// Gives the lines up: the document is as it was.
pub(crate) fn cancel(app: &mut App) {
    if app.working.take().is_some() {
        app.say(Notice::done("Cancelled: nothing was changed"));
    }
}

fn wait(app: &mut App, mut working: Working, patience: Duration) -> Result<(), String> {
    let until = Instant::now() + patience;
    loop {
        match working.news.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(News::Past(n)) => working.n_past = n,
            Ok(News::Done(ran)) => return finish(app, &working.what, *ran),
            Err(RecvTimeoutError::Timeout) => {
                app.working = Some(working);
                return Ok(());
            }
            Err(RecvTimeoutError::Disconnected) => {
                let reason = "the work ended in the middle; this is a fault of Sinew";
                app.modal = Some(Modal::error("Nothing was done", reason, Some("The document is as it was.")));
                return Ok(());
            }
        }
    }
}

fn finish(app: &mut App, what: &What, Ran { ahead, n_done, last }: Ran) -> Result<(), String> {
    let Some(file) = &mut app.file else { return Ok(()) };
    file.editor.catch_up(ahead).map_err(|stale| stale.to_string())?;
    match (what, last) {
        (What::Line(_), Ok(outcome)) => app.say(Notice::of_outcome(&outcome)),
        (What::Line(_), Err(failure)) => return Err(failure.reason),
        (What::Script(path), Ok(_)) => {
            app.say(Notice::done(format!("{n_done} lines of {} done", path.display())));
        }
        (What::Script(_), Err(Failure { number, line, reason })) => {
            let text = format!("Line {number}: {reason}\n\n{line}");
            let stays = match n_done {
                0 => "Nothing was done.".to_owned(),
                n => format!("The {n} before it were done; undo takes them back."),
            };
            app.modal = Some(Modal::error("The script stopped", &text, Some(&stays)));
        }
    }
    Ok(())
}
