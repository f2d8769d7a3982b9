//! The line at the bottom: what the mouse buttons and keys do now, what just happened, and counters that always hold.

use std::time::Duration;

use egui::{Color32, Id, RichText, Sense, Ui};
use lucide_icons::Icon;

use super::{grouped, n_vertices};
use crate::action::{Action, Level, Notice};
use crate::facts::Facts;
use crate::keymap::{Do, Mode};
use crate::notices::Notices;
use crate::viewport::marks::Marks;
use crate::{fonts, theme};

/// Width of the list of what was said, points.
const LIST_WIDTH: f32 = 420.0;

/// Draws the line.
pub fn show(
    ui: &mut Ui,
    mode: Mode,
    notices: &mut Notices,
    facts: Option<(&Facts, Option<Marks>)>,
    actions: &mut Vec<Action>,
) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if let Some((facts, marks)) = facts {
                counters(ui, facts, marks, actions);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let list = Id::unique("messages");
                let was_open = egui::Popup::is_id_open(ui.ctx(), list);
                list_button(ui, notices, list);
                // While a stroke goes on, what it does not do.
                let is_refused = notices.shown().is_some_and(|notice| notice.level == Level::Refused);
                if matches!(mode, Mode::Idle | Mode::Flexed | Mode::Empty | Mode::Selecting | Mode::Laying)
                    || (mode == Mode::Painting && is_refused)
                {
                    said(ui, notices, list, was_open);
                }
                hints(ui, mode);
            });
        });
    });
}

/// What just happened, until it was seen long enough. A click opens the list of what was said before.
fn said(ui: &mut Ui, notices: &mut Notices, list: Id, was_open: bool) {
    let Some(notice) = notices.shown() else { return };
    let text = RichText::new(&notice.text).color(color(ui, notice));
    let response = ui.add(egui::Label::new(text).truncate().sense(Sense::click()));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &notice.text));
    // A click elsewhere has closed it by now.
    if response.clicked() && !was_open {
        egui::Popup::toggle_id(ui.ctx(), list);
    }
    let is_held = response.contains_pointer() || egui::Popup::is_id_open(ui.ctx(), list);
    let now_s = ui.input(|i| i.time);
    match notices.see(now_s, is_held) {
        Some(left_s) if !is_held => ui.ctx().request_repaint_after(Duration::from_secs_f64(left_s)),
        Some(_) => {}
        None => ui.ctx().request_repaint(),
    }
    ui.add_space(12.0);
}

/// The way to what was said before.
fn list_button(ui: &mut Ui, notices: &Notices, list: Id) {
    let has_any = notices.kept().len() > 0;
    let icon = fonts::icon(Icon::MessageSquare).size(13.0).color(theme::of(ui).quiet);
    let button = egui::Button::new(icon).frame_when_inactive(false).small().min_size(egui::vec2(22.0, 20.0));
    let response = ui.add_enabled(has_any, button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, has_any, "Messages"));
    let response = response.on_hover_text("What was said here before").on_disabled_hover_text("Nothing was said yet");
    egui::Popup::menu(&response)
        .id(list)
        .align(egui::RectAlign::TOP_START)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(LIST_WIDTH.min(ui.ctx().content_rect().width() - 40.0));
            let room = ui.ctx().content_rect().height() * 0.5;
            egui::ScrollArea::vertical().max_height(room).show(ui, |ui| {
                for said in notices.kept() {
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
                        ui.label(theme::quiet(ago(said.at.elapsed())));
                        ui.with_layout(egui::Layout::left_to_right(egui::Align::Min), |ui| {
                            let text = RichText::new(&said.notice.text).color(color(ui, &said.notice));
                            ui.add(egui::Label::new(text).wrap().selectable(true));
                        });
                    });
                }
            });
        });
}

fn color(ui: &Ui, notice: &Notice) -> Color32 {
    match notice.level {
        Level::Done => theme::of(ui).normal,
        Level::Refused => theme::of(ui).warning,
        Level::Failed => theme::of(ui).bad,
    }
}

/// `now`, `3 min`, `2 h`.
fn ago(time: Duration) -> String {
    match time.as_secs() / 60 {
        0 => "now".to_owned(),
        n @ 1..60 => format!("{n} min"),
        n => format!("{} h", n / 60),
    }
}

fn hints(ui: &mut Ui, mode: Mode) {
    for (key, what) in mode.hints(ui.ctx()) {
        let width = |text: &str, size: f32| {
            let font = egui::FontId::proportional(size);
            ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x
        };
        let cap_width = width(&key, 11.0) + 12.0;
        // A gap stays before the counters.
        if ui.available_width() < cap_width + width(what, 12.5) + ui.spacing().item_spacing.x + 16.0 {
            break;
        }
        let cap = egui::Frame::new()
            .fill(theme::of(ui).well)
            .stroke(egui::Stroke::new(1.0, theme::of(ui).line))
            .corner_radius(4)
            .inner_margin(egui::Margin::symmetric(5, 1));
        cap.show(ui, |ui| ui.label(RichText::new(&key).color(theme::of(ui).normal).size(11.0)));
        ui.label(theme::quiet(what));
        ui.add_space(4.0);
    }
}

/// Right to left.
fn counters(ui: &mut Ui, facts: &Facts, marks: Option<Marks>, actions: &mut Vec<Action>) {
    if facts.n_vertices == 0 {
        ui.label(theme::quiet("no mesh with weights"));
        return;
    }
    let colors = theme::of(ui);
    torn_seams(ui, facts.n_torn, actions);
    ui.add_space(4.0);
    if facts.n_unweighted > 0 {
        let text = format!("{} unweighted", grouped(facts.n_unweighted));
        let hint = "Vertices without weight; drawn with the nearest weighted vertex's joints, saved as they are.";
        counter(ui, (&text, hint), Marks::Unweighted, marks, actions);
    } else {
        ui.label(theme::quiet("0 unweighted")).on_hover_text("Vertices without weight");
    }
    ui.add_space(4.0);
    if facts.n_unassigned > 0 {
        let text = format!("{} unassigned", grouped(facts.n_unassigned));
        let hint = "Vertices with a share that no joint has. Settle them before saving.";
        counter(ui, (&text, hint), Marks::Unassigned, marks, actions);
        ui.add_space(4.0);
    }
    let text = format!("{} over budget", grouped(facts.n_over_budget));
    let hint = "Vertices with more joints than the influence budget.";
    if facts.n_over_budget > 0 {
        counter(ui, (&text, hint), Marks::OverBudget, marks, actions);
    } else {
        ui.label(theme::quiet(text)).on_hover_text(hint);
    }
    ui.add_space(4.0);
    if facts.n_off_sum > 0 {
        let text = format!("{} do not sum to 1", n_vertices(facts.n_off_sum));
        counter(ui, (&text, "Weights of a vertex should sum to 1."), Marks::OffSum, marks, actions);
    } else if facts.n_unassigned > 0 {
        ui.label(theme::quiet("All others sum to 1"));
    } else if facts.n_unweighted > 0 {
        ui.label(theme::quiet("All weighted vertices sum to 1"));
    } else {
        ui.label(RichText::new("All weights sum to 1").color(colors.good));
    }
}

/// Seams that open: a click shows all seams, these in another colour.
fn torn_seams(ui: &mut Ui, n_torn: usize, actions: &mut Vec<Action>) {
    let hint = "Places where vertices that stand together have different weights";
    let text = match n_torn {
        0 => "0 torn".to_owned(),
        1 => "1 torn seam".to_owned(),
        n => format!("{} torn seams", grouped(n)),
    };
    if n_torn == 0 {
        ui.label(theme::quiet(text)).on_hover_text(hint);
        return;
    }
    let colors = theme::of(ui);
    let button = egui::Button::new(RichText::new(text).color(colors.bad)).fill(colors.well).small();
    let button = ui.add(button.stroke(egui::Stroke::new(1.0, colors.line)));
    if button.on_hover_text(format!("{hint}. Click to show seams, or to take them away.")).clicked() {
        actions.push(Action::Do(Do::ToggleSeams));
    }
}

/// A count that is not zero: a click shows the vertices.
fn counter(ui: &mut Ui, (text, hint): (&str, &str), counts: Marks, marked: Option<Marks>, actions: &mut Vec<Action>) {
    let colors = theme::of(ui);
    let is_on = marked == Some(counts);
    let button = egui::Button::new(RichText::new(text).color(colors.bad))
        .fill(if is_on { colors.hover } else { colors.well })
        .stroke(egui::Stroke::new(1.0, if is_on { colors.bad } else { colors.line }))
        .small()
        .selected(is_on);
    let then =
        if is_on { "Click for the next place; Esc takes the marks away." } else { "Click to mark and frame them." };
    if ui.add(button).on_hover_text(format!("{hint} {then}")).clicked() {
        actions.push(Action::Mark(counts));
    }
}
