//! Doing what was asked: one place for keys, menus, panels and dialogs.

use std::path::Path;

use sinew_deform::DEFORMERS;
use sinew_edit::{CommandError, Editor, Line, args};
use sinew_io::{SaveError, SaveTarget};

use crate::action::{Action, Notice};
use crate::app::App;
use crate::dialogs::Purpose;
use crate::files::OpenFile;
use crate::keymap::Do;
use crate::modals::{Modal, Then, Verdict};
use crate::viewport::{input, pose_text};

/// Does it.
pub fn perform(app: &mut App, ctx: &egui::Context, action: Action) {
    match action {
        Action::Do(what) => perform_binding(app, ctx, what),
        Action::OpenPath(path) => guarded(app, ctx, Then::OpenPath(path)),
        Action::Line(line) => {
            if let Some(editor) = idle_editor(app) {
                app.notice = Some(match editor.run(&line) {
                    Ok(outcome) => Notice::of_outcome(&outcome.unwrap_or_default()),
                    Err(error) => Notice::refused(error),
                });
            }
        }
        Action::GoToStep(n_done) => {
            if let Some(editor) = idle_editor(app) {
                app.notice = go_to_step(editor, n_done);
            }
        }
        Action::Say(notice) => app.notice = Some(notice),
        Action::CloseReport => app.report = None,
        Action::ToggleFileReport => app.shows_file_report ^= true,
    }
}

/// Saves under the path that was asked for.
pub fn save_to(app: &mut App, purpose: Purpose, path: &Path) {
    let target = match purpose {
        Purpose::SaveCopy => SaveTarget::Copy(path),
        _ => SaveTarget::As(path),
    };
    save(app, target, false);
}

/// Goes on after a question in the window was answered.
pub fn after_modal(app: &mut App, ctx: &egui::Context, verdict: Verdict) {
    match verdict {
        Verdict::Open | Verdict::Cancelled => {}
        Verdict::Path(Purpose::Open, path) => app.open_path(ctx, path),
        Verdict::Path(purpose, path) => save_to(app, purpose, &path),
        Verdict::Discard(then) => go_on(app, ctx, then),
        Verdict::SaveThen(then) => {
            if save(app, SaveTarget::InPlace, false) {
                go_on(app, ctx, then);
            }
        }
        Verdict::Overwrite => {
            save(app, SaveTarget::InPlace, true);
        }
    }
}

fn perform_binding(app: &mut App, ctx: &egui::Context, what: Do) {
    match what {
        Do::Open => guarded(app, ctx, Then::Open),
        Do::Quit => guarded(app, ctx, Then::Quit),
        Do::Save if app.file.as_ref().is_some_and(|file| file.path().is_none()) => app.ask(ctx, Purpose::SaveAs),
        Do::Save => {
            save(app, SaveTarget::InPlace, false);
        }
        Do::SaveAs if app.file.is_some() => app.ask(ctx, Purpose::SaveAs),
        Do::SaveCopy if app.file.is_some() => app.ask(ctx, Purpose::SaveCopy),
        Do::SaveAs | Do::SaveCopy => {}
        Do::Undo | Do::Redo => {
            if let Some(editor) = idle_editor(app) {
                let (result, verb) = if what == Do::Undo { (editor.undo(), "Undid") } else { (editor.redo(), "Redid") };
                app.notice = Some(match result {
                    Ok(changed) => Notice::done(format!("{verb} {}", changed.label)),
                    Err(error) => Notice::refused(error),
                });
            }
        }
        Do::ToggleDeformer => {
            if let Some(file) = &mut app.file {
                let now = file.editor.session.deformer.name();
                let at = DEFORMERS.iter().position(|deformer| deformer.name() == now).unwrap_or(0);
                file.editor.session.deformer = DEFORMERS[(at + 1) % DEFORMERS.len()];
                app.notice = Some(Notice::done(file.editor.session.deformer.label()));
            }
        }
        Do::Settings => app.shows_settings ^= true,
        Do::LargerUi | Do::SmallerUi => {
            app.preferences.step_scale(what == Do::LargerUi);
            app.preferences.apply_look(ctx);
        }
        Do::Brush(i) => {
            if let (Some(file), Some(brush)) = (&mut app.file, sinew_edit::BRUSHES.get(i)) {
                file.editor.session.brush.brush = brush;
            }
        }
        Do::ResetJoint => match app.editor().map(|editor| (editor.session.active_joint, editor.document())) {
            Some((Some(joint), document)) => {
                let line = Line::new("reset_pose").with("joint", args::joint_name(document, None, joint));
                perform(app, ctx, Action::Line(line.to_string()));
            }
            Some((None, _)) => app.notice = Some(Notice::refused(CommandError::NoActiveJoint)),
            None => {}
        },
        Do::CopyPose => {
            if let Some(editor) = idle_editor(app) {
                let text = pose_text::of(editor);
                app.notice = Some(match &text {
                    Some(text) => Notice::done(format!("Copied the pose: {}", pose_text::summary(text))),
                    None => Notice::refused("no joint is turned: there is no pose to copy"),
                });
                text.into_iter().for_each(|text| ctx.copy_text(text));
            }
        }
        // What the clipboard holds comes back as an event, to the view.
        Do::PastePose => ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste),
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

/// Asks once before unsaved changes are lost.
fn guarded(app: &mut App, ctx: &egui::Context, then: Then) {
    if app.file.as_ref().is_some_and(OpenFile::is_unsaved) {
        app.modal = Some(Modal::Unsaved(then));
    } else {
        go_on(app, ctx, then);
    }
}

fn go_on(app: &mut App, ctx: &egui::Context, then: Then) {
    match then {
        Then::Open => app.ask(ctx, Purpose::Open),
        Then::OpenPath(path) => app.open_path(ctx, path),
        Then::Quit => {
            app.may_close = true;
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}

/// The editor with no tool under way.
fn idle_editor(app: &mut App) -> Option<&mut Editor> {
    let file = app.file.as_mut()?;
    app.viewport.cancel_tools(&mut file.editor);
    Some(&mut file.editor)
}

fn go_to_step(editor: &mut Editor, n_done: usize) -> Option<Notice> {
    while editor.history().n_done() > n_done {
        if let Err(error) = editor.undo() {
            return Some(Notice::refused(error));
        }
    }
    while editor.history().n_done() < n_done {
        if let Err(error) = editor.redo() {
            return Some(Notice::refused(error));
        }
    }
    None
}

/// Saves; what went wrong is shown. `true` if the file is written.
fn save(app: &mut App, target: SaveTarget<'_>, overwrite_changed: bool) -> bool {
    let Some(file) = &mut app.file else { return false };
    app.viewport.cancel_tools(&mut file.editor);
    match file.save(target, overwrite_changed) {
        Ok(report) => {
            app.notice = Some(Notice::done(format!("Saved {}", report.path.display())));
            app.report = Some(report);
            true
        }
        Err(error @ SaveError::ChangedOnDisk { .. }) => {
            app.modal = Some(Modal::ChangedOnDisk(error.to_string()));
            false
        }
        Err(error) => {
            app.notice = Some(Notice::failed(&error));
            app.modal =
                Some(Modal::error("The file was not saved", &error.to_string(), Some("The old file is untouched.")));
            false
        }
    }
}
