//! Doing what was asked: one place for keys, menus, panels and dialogs.

use std::path::Path;

use sinew_deform::DEFORMERS;
use sinew_edit::history::HistoryError;
use sinew_edit::{CommandError, Editor, Line, args};

use crate::action::{Action, Notice};
use crate::app::App;
use crate::dialogs::Purpose;
use crate::files::{OpenFile, Target};
use crate::keymap::Do;
use crate::mirroring;
use crate::modals::{Modal, Then, Verdict};
use crate::panels::palette::Palette;
use crate::panels::sections::Section;
use crate::saving::save;
use crate::scripts::{run_script, save_script};
use crate::turned_since;
use crate::viewport::hand::Hand;
use crate::viewport::{input, pose_text};
use crate::working::{self, What};

/// Does it.
pub fn perform(app: &mut App, ctx: &egui::Context, action: Action) {
    let is_harmless = matches!(
        action,
        Action::Say(_)
            | Action::CloseReport(_)
            | Action::ToggleFileReport
            | Action::CancelSave
            | Action::CancelOpen
            | Action::CancelWork
            | Action::CancelMirroring
    );
    if app.working.is_some() && !is_harmless {
        app.say(Notice::refused("A command is being done: a moment, or cancel"));
        return;
    }
    if app.saving.is_some() && !is_harmless {
        app.say(Notice::refused("The file is being written: a moment"));
        return;
    }
    let leads_away = matches!(action, Action::OpenPath(_) | Action::Do(Do::Open | Do::OpenDemo | Do::Close | Do::Quit));
    if app.opening.is_some() && app.file.is_some() && !is_harmless && !leads_away {
        // What is edited now would be lost with this file, unasked.
        app.say(Notice::refused("Another file is being opened: a moment, or cancel"));
        return;
    }
    match action {
        Action::Do(what) => perform_binding(app, ctx, what),
        Action::OpenPath(path) => guarded(app, ctx, Then::OpenPath(path)),
        Action::Line(line) => {
            if let Err(reason) = run_line(app, ctx, &line) {
                app.say(Notice::refused(reason));
            }
        }
        Action::Mark(marks) => {
            if let Some(file) = &mut app.file {
                let seen = app.viewport.next_marks(&mut file.editor, marks);
                app.say(Notice::done(seen));
            }
        }
        Action::Save(target, then) => save(app, ctx, target, false, then),
        Action::CancelSave => {
            if let Some(saving) = &mut app.saving {
                saving.cancel();
            }
        }
        Action::CancelWork => working::cancel(app),
        Action::CancelMirroring => mirroring::cancel(app),
        Action::AskToRecover(journal) => app.ask_to_recover(&journal),
        Action::CancelOpen => {
            if app.opening.take().is_some() {
                app.say(Notice::done("Opening was cancelled"));
            }
        }
        Action::GoToStep(n_done) => {
            if let Some(editor) = idle_editor(app) {
                match go_to_step(editor, n_done) {
                    Ok(()) => app.notices.clear(),
                    Err(error) => app.say(Notice::refused(error)),
                }
            }
        }
        Action::Say(notice) => app.say(notice),
        Action::CloseReport(Section::FileReport) => app.shows_file_report = false,
        Action::CloseReport(_) => app.report = None,
        Action::ToggleFileReport if app.shows_file_report && app.preferences.sections.is_seen(Section::FileReport) => {
            app.shows_file_report = false;
        }
        Action::ToggleFileReport => {
            app.shows_file_report = true;
            app.preferences.sections.open(Section::FileReport);
        }
    }
}

/// Runs a command line, or begins to: why it is not done. What it did becomes the notice.
pub fn run_line(app: &mut App, ctx: &egui::Context, line: &str) -> Result<(), String> {
    if app.saving.is_some() || app.working.is_some() || (app.opening.is_some() && app.file.is_some()) {
        return Err("a file is on its way: a moment".to_owned());
    }
    let editor = idle_editor(app).ok_or("nothing is open")?;
    if working::may_take_long(editor, line) {
        return working::begin(app, ctx, vec![line.to_owned()], What::Line(line.to_owned()));
    }
    let outcome = editor.run(line).map_err(|error| error.to_string())?;
    app.say(Notice::of_outcome(&outcome.unwrap_or_default()));
    Ok(())
}

/// Goes on with the path that was asked for.
pub fn use_path(app: &mut App, ctx: &egui::Context, purpose: Purpose, path: &Path) {
    let then = app.after_asking.take();
    // A copy over the file itself is a save.
    let is_own = app.file.as_ref().is_some_and(|file| file.path() == Some(path));
    match purpose {
        Purpose::Open => guarded(app, ctx, Then::OpenPath(path.to_owned())),
        Purpose::SaveCopy if is_own => save(app, ctx, Target::InPlace, false, None),
        Purpose::SaveAs => save(app, ctx, Target::As(path.to_owned()), false, then),
        Purpose::SaveCopy => save(app, ctx, Target::Copy(path.to_owned()), false, None),
        Purpose::SaveScript => save_script(app, path),
        Purpose::RunScript => run_script(app, ctx, path),
    }
}

/// Goes on after a question in the window was answered.
pub fn after_modal(app: &mut App, ctx: &egui::Context, verdict: Verdict) {
    match verdict {
        Verdict::Open => {}
        Verdict::Cancelled => app.after_asking = None,
        Verdict::Path(purpose, path) => use_path(app, ctx, purpose, &path),
        Verdict::Discard(then) => go_on(app, ctx, then),
        Verdict::SaveThen(then) if app.file.as_ref().is_some_and(|file| file.path().is_none()) => {
            app.ask(ctx, Purpose::SaveAs);
            app.after_asking = Some(then);
        }
        Verdict::SaveThen(then) => save(app, ctx, Target::InPlace, false, Some(then)),
        Verdict::Overwrite(then) => save(app, ctx, Target::InPlace, true, then),
        Verdict::Next(action) => perform(app, ctx, action),
        Verdict::Recover { journal, anyway } => guarded(app, ctx, Then::Recover { journal, anyway }),
        Verdict::DiscardJournal(journal) => app.discard_offer(&journal),
    }
}

fn perform_binding(app: &mut App, ctx: &egui::Context, what: Do) {
    match what {
        // What would be lost is asked about when there is a file to open.
        Do::Open => app.ask(ctx, Purpose::Open),
        Do::OpenDemo => guarded(app, ctx, Then::OpenDemo),
        Do::Recover => match &app.questions()[..] {
            [] => app.say(Notice::done("There is no unsaved work to recover")),
            [one] => app.ask_to_recover(one.journal()),
            all => app.modal = Some(Modal::WorkLeft(all.to_vec())),
        },
        Do::Close => guarded(app, ctx, Then::Close),
        Do::Quit => guarded(app, ctx, Then::Quit),
        Do::Save if app.file.as_ref().is_some_and(|file| file.path().is_none()) => app.ask(ctx, Purpose::SaveAs),
        Do::Save => save(app, ctx, Target::InPlace, false, None),
        Do::SaveAs if app.file.is_some() => app.ask(ctx, Purpose::SaveAs),
        Do::SaveCopy if app.file.is_some() => app.ask(ctx, Purpose::SaveCopy),
        Do::SaveScript if app.file.is_some() => app.ask(ctx, Purpose::SaveScript),
        Do::RunScript if app.file.is_some() => app.ask(ctx, Purpose::RunScript),
        Do::SaveAs | Do::SaveCopy | Do::SaveScript | Do::RunScript => {}
        Do::Palette => app.palette = if app.palette.is_some() { None } else { Some(Palette::default()) },
        Do::Undo | Do::Redo => {
            let is_undo = what == Do::Undo;
            let Some(editor) = idle_editor(app) else { return };
            let is_turned = editor.session.pose.turns().len() > 0;
            let (result, verb) = if is_undo { (editor.undo(), "Undid") } else { (editor.redo(), "Redid") };
            let was_turned = app.file.as_ref().is_some_and(|file| file.turned_since.is_other(&file.editor));
            app.say(match result {
                Ok(changed) if is_undo && was_turned => {
                    Notice::done(format!("{verb} {} · {}", changed.label, turned_since::hint(ctx)))
                }
                Ok(changed) => Notice::done(format!("{verb} {}", changed.label)),
                Err(error @ HistoryError::NothingToUndo) if is_turned => {
                    Notice::refused(format!("{error}; {}", turned_since::hint(ctx)))
                }
                Err(error) => Notice::refused(error),
            });
        }
        Do::ToggleDeformer => {
            if let Some(file) = &mut app.file {
                let now = file.editor.session.deformer.name();
                let at = DEFORMERS.iter().position(|deformer| deformer.name() == now).unwrap_or(0);
                file.editor.session.deformer = DEFORMERS[(at + 1) % DEFORMERS.len()];
                let label = file.editor.session.deformer.label();
                app.say(Notice::done(label));
            }
        }
        Do::ToggleExported => {
            if let Some(file) = &mut app.file {
                let session = &mut file.editor.session;
                session.as_exported ^= true;
                let shown = session.view_as().map(|profile| format!("Shown as exported: {}", profile.label));
                app.say(Notice::done(shown.unwrap_or_else(|| "Shown as edited".to_owned())));
            }
        }
        Do::ToggleRigid => {
            if let Some(file) = &mut app.file {
                let is_hidden = &mut file.editor.session.out_of_sight.rigid;
                *is_hidden ^= true;
                let how = if *is_hidden { "hidden" } else { "shown" };
                app.say(Notice::done(format!("Rigid parts are {how}")));
            }
        }
        Do::Settings => app.settings.is_open ^= true,
        Do::EditKeys => {
            (app.settings.is_open, app.settings.page) = (true, crate::panels::settings::Page::Keys);
        }
        Do::LargerUi | Do::SmallerUi => {
            app.preferences.step_scale(what == Do::LargerUi);
            app.preferences.apply_look(ctx);
        }
        Do::Brush(i) => {
            if let (Some(file), Some(brush)) = (&mut app.file, sinew_edit::BRUSHES.get(i)) {
                app.viewport.take_in_hand(&mut file.editor, Hand::Brush);
                app.preferences.brushes.take(&mut file.editor, brush);
            }
        }
        Do::ResetJoint => to_active_joint(app, ctx, |name, _| Line::new("reset_pose").with("joint", name)),
        Do::ToggleLock => to_active_joint(app, ctx, |name, is_locked| {
            Line::new(if is_locked { "unlock" } else { "lock" }).with("joint", name)
        }),
        Do::LockOthers => {
            to_active_joint(app, ctx, |name, _| Line::new("lock").with("joint", name).with("others", "yes"));
        }
        Do::InvertLocks => perform(app, ctx, Action::Line("lock joint=all invert=yes".to_owned())),
        Do::UnlockAll => perform(app, ctx, Action::Line("unlock joint=all".to_owned())),
        Do::LockPainted => perform(app, ctx, Action::Line("lock_painted".to_owned())),
        Do::LockAll => perform(app, ctx, Action::Line("lock joint=all".to_owned())),
        Do::Flood => {
            if let Some(line) = app.editor().map(Editor::flood_line) {
                perform(app, ctx, Action::Line(line.to_string()));
            }
        }
        Do::SettleNearest => perform(app, ctx, Action::Line("settle unassigned=nearest".to_owned())),
        Do::SettleScaling => perform(app, ctx, Action::Line("settle unassigned=normalize".to_owned())),
        Do::SettleToJoint => to_active_joint(app, ctx, |name, _| Line::new("settle").with("joint", name)),
        Do::PlayClip => {
            if let Some(file) = &mut app.file {
                if crate::panels::timeline::has_clips(file.editor.document()) {
                    app.playback.toggle(&mut file.editor);
                } else {
                    app.say(Notice::refused("the file has no clips"));
                }
            }
        }
        Do::CopyPose => {
            if let Some(editor) = idle_editor(app) {
                let text = pose_text::of(editor);
                app.say(match &text {
                    Some(text) => Notice::done(format!("Copied the pose: {}", pose_text::summary(text))),
                    None => Notice::refused("no joint is turned: there is no pose to copy"),
                });
                if let Some(text) = text {
                    ctx.copy_text(text);
                }
            }
        }
        // What the clipboard holds comes back as an event, to the view.
        Do::PastePose => ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste),
        // A stroke under way goes on as it began; a laid gradient follows.
        Do::ToggleMirror => {
            if let Some(file) = &mut app.file {
                let paint = &mut file.editor.session.paint;
                paint.mirror = if paint.mirror.is_some() { None } else { Some(paint.symmetry()) };
            }
        }
        Do::SelectAll => perform(app, ctx, Action::Line("select_all".to_owned())),
        Do::SelectNone => perform(app, ctx, Action::Line("select_none".to_owned())),
        Do::InvertSelection => perform(app, ctx, Action::Line("invert_selection".to_owned())),
        Do::GrowSelection => perform(app, ctx, Action::Line("grow".to_owned())),
        Do::ShrinkSelection => perform(app, ctx, Action::Line("shrink".to_owned())),
        Do::SelectLinked => perform(app, ctx, Action::Line("select_linked".to_owned())),
        Do::MirrorSelection => perform(app, ctx, Action::Line("select_mirror".to_owned())),
        Do::HideSelected => perform(app, ctx, Action::Line("hide".to_owned())),
        Do::Isolate => perform(app, ctx, Action::Line("isolate".to_owned())),
        Do::Reveal => perform(app, ctx, Action::Line("reveal".to_owned())),
        Do::ResetPose => perform(app, ctx, Action::Line("reset_pose".to_owned())),
        _ => {
            let mut actions = Vec::new();
            if let Some(file) = &mut app.file {
                input::perform(&mut app.viewport, &mut file.editor, what, &mut actions);
            }
            for action in actions {
                perform(app, ctx, action);
            }
        }
    }
}

/// Runs a line about the active joint, given its name for scripts and whether it is locked.
fn to_active_joint(app: &mut App, ctx: &egui::Context, line: impl FnOnce(String, bool) -> Line) {
    let Some(editor) = app.editor() else { return };
    let document = editor.document();
    let Some(joint) = editor.session.active_joint else {
        app.say(Notice::refused(CommandError::NoActiveJoint));
        return;
    };
    let line = line(args::joint_name(document, None, joint), document.locks().contains(&joint));
    perform(app, ctx, Action::Line(line.to_string()));
}

/// Asks once before unsaved changes are lost.
fn guarded(app: &mut App, ctx: &egui::Context, then: Then) {
    if app.file.as_ref().is_some_and(OpenFile::is_unsaved) {
        app.modal = Some(Modal::Unsaved(then));
    } else {
        go_on(app, ctx, then);
    }
}

/// What was about to happen happens; nothing is asked any more.
pub fn go_on(app: &mut App, ctx: &egui::Context, then: Then) {
    match then {
        Then::OpenPath(path) => app.open_path(ctx, path),
        Then::OpenDemo => app.open_demo(ctx),
        Then::Recover { journal, anyway } => app.recover(ctx, &journal, anyway),
        Then::Close => app.close_file(),
        Then::Quit => {
            app.may_close = true;
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}

/// The editor with no tool under way.
pub fn idle_editor(app: &mut App) -> Option<&mut Editor> {
    let file = app.file.as_mut()?;
    app.viewport.cancel_tools(&mut file.editor);
    Some(&mut file.editor)
}

fn go_to_step(editor: &mut Editor, n_done: usize) -> Result<(), CommandError> {
    while editor.history().n_done() > n_done {
        editor.undo()?;
    }
    while editor.history().n_done() < n_done {
        editor.redo()?;
    }
    Ok(())
}
