//! The line at the bottom: what the mouse buttons and keys do now, what just happened, and counters that always hold.

use egui::{RichText, Ui};

use super::{grouped, n_vertices};
use crate::action::{Action, Level, Notice};
use crate::facts::Facts;
use crate::keymap::Mode;
use crate::theme;
use crate::viewport::marks::Marks;

/// Draws the line.
pub fn show(
    ui: &mut Ui,
    mode: Mode,
    notice: Option<&Notice>,
    facts: Option<(&Facts, Option<Marks>)>,
    actions: &mut Vec<Action>,
) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if let Some((facts, marks)) = facts {
                counters(ui, facts, marks, actions);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| match notice {
                Some(notice) if matches!(mode, Mode::Idle | Mode::Empty | Mode::Selecting | Mode::Laying) => {
                    let color = match notice.level {
                        Level::Done => theme::of(ui).normal,
                        Level::Refused => theme::of(ui).warning,
                        Level::Failed => theme::of(ui).bad,
                    };
                    ui.add(egui::Label::new(RichText::new(&notice.text).color(color)).truncate());
                    ui.add_space(12.0);
                    hints(ui, mode);
                }
                _ => hints(ui, mode),
            });
        });
    });
}

fn hints(ui: &mut Ui, mode: Mode) {
    for (key, what) in mode.hints(ui.ctx()) {
        let width = |text: &str, size: f32| {
            let font = egui::FontId::proportional(size);
            ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x
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
    } else {
        ui.label(RichText::new("All weights sum to 1").color(colors.good));
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
    let then = if is_on { "Click to take the marks away." } else { "Click to mark and frame them." };
    if ui.add(button).on_hover_text(format!("{hint} {then}")).clicked() {
        actions.push(Action::Mark(counts));
    }
}
