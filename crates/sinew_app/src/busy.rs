//! The note about what is on its way, with a way to give it up. One at a time: what keeps everything waiting comes first.

use egui::{Align2, Area, Context, Id, Key, RichText, Spinner, Ui};

use crate::action::Action;
use crate::app::App;
use crate::opening::Opening;
use crate::panels::welcome;
use crate::{saving, theme};

/// Draws the note, if there is one.
pub(crate) fn show(app: &App, ctx: &Context, actions: &mut Vec<Action>) {
    // Without a file the opening is told in the middle of the view.
    let opening = app.opening.as_ref().filter(|_| app.file.is_some()).map(Opening::shown);
    let note = if let Some(saving) = &app.saving {
        let title = saving::title(app.file.as_ref());
        (title, Some(saving.step().to_owned()), "Leave the old file as it was", Action::CancelSave)
    } else if let Some(working) = &app.working {
        (working.title(), working.step(), "Leave everything as it was", Action::CancelWork)
    } else if app.mirroring.is_some() {
        let step = "Everything but painting goes on".to_owned();
        ("Finding mirror images".to_owned(), Some(step), "Mirror nothing", Action::CancelMirroring)
    } else if let Some(opening) = opening {
        return float(app, ctx, |ui| welcome::progress(ui, opening, actions));
    } else {
        return;
    };
    let (title, step, hint, cancel) = note;
    // What keeps everything waiting has no other use for Escape.
    let keeps_waiting = (app.saving.is_some() || app.working.is_some()) && app.modal.is_none();
    let is_escaped = keeps_waiting && ctx.input(|i| i.key_pressed(Key::Escape));
    float(app, ctx, |ui| {
        ui.add(Spinner::new().size(22.0).color(theme::TEAL));
        ui.label(RichText::new(title).color(theme::PRIMARY));
        if let Some(step) = step {
            ui.label(theme::quiet(step));
        }
        ui.add_space(8.0);
        if ui.button("Cancel").on_hover_text(format!("{hint} (Esc)")).clicked() || is_escaped {
            actions.push(cancel);
        }
    });
}

fn float(app: &App, ctx: &Context, content: impl FnOnce(&mut Ui)) {
    let area = app.viewport.area().rect();
    let at = egui::pos2(area.center().x, area.max.y - 24.0);
    Area::new(Id::unique("busy")).fixed_pos(at).pivot(Align2::CENTER_BOTTOM).show(ctx, |ui| {
        theme::use_stage_colors(ui);
        theme::float_frame().show(ui, |ui| {
            ui.set_width(300.0);
            ui.vertical_centered(content);
        });
    });
}
