//! The line at the bottom: what the mouse buttons and keys do now, what just happened, and counters that always hold.

use egui::{RichText, Ui};

use super::{grouped, n_vertices};
use crate::action::{Level, Notice};
use crate::facts::Facts;
use crate::keymap::Mode;
use crate::theme;

/// Draws the line.
pub fn show(ui: &mut Ui, mode: Mode, notice: Option<&Notice>, facts: Option<&Facts>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let width = ui.available_width();
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if let Some(facts) = facts {
                counters(ui, facts);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| match notice {
                Some(notice) if mode == Mode::Idle || mode == Mode::Empty => {
                    let color = match notice.level {
                        Level::Done => theme::of(ui).normal,
                        Level::Refused => theme::of(ui).warning,
                        Level::Failed => theme::of(ui).bad,
                    };
                    ui.add(egui::Label::new(RichText::new(&notice.text).color(color)).truncate());
                    if width > 1100.0 {
                        ui.add_space(12.0);
                        hints(ui, mode);
                    }
                }
                _ => hints(ui, mode),
            });
        });
    });
}

fn hints(ui: &mut Ui, mode: Mode) {
    for (key, what) in mode.hints() {
        let needed = 10.0 + 7.0 * (key.len() + what.len()) as f32;
        if ui.available_width() < needed {
            break;
        }
        let cap = egui::Frame::new()
            .fill(theme::of(ui).well)
            .stroke(egui::Stroke::new(1.0, theme::of(ui).line))
            .corner_radius(4)
            .inner_margin(egui::Margin::symmetric(5, 1));
        cap.show(ui, |ui| ui.label(RichText::new(*key).color(theme::of(ui).normal).size(11.0)));
        ui.label(theme::quiet(*what));
        ui.add_space(4.0);
    }
}

/// Right to left.
fn counters(ui: &mut Ui, facts: &Facts) {
    if facts.n_vertices == 0 {
        ui.label(theme::quiet("no mesh with weights"));
        return;
    }
    if facts.n_unweighted > 0 {
        ui.label(RichText::new(format!("{} unweighted", grouped(facts.n_unweighted))).color(theme::of(ui).bad))
            .on_hover_text(
                "Vertices without weight; drawn with the nearest weighted vertex's joints, saved as they are",
            );
        ui.add_space(6.0);
    }
    let over = RichText::new(format!("{} over budget", grouped(facts.n_over_budget)));
    let color = if facts.n_over_budget > 0 { theme::of(ui).bad } else { theme::of(ui).quiet };
    ui.label(over.color(color)).on_hover_text("Vertices with more joints than the influence budget");
    ui.add_space(6.0);
    let (text, color) = match facts.n_off_sum {
        0 => ("All weights sum to 1".to_owned(), theme::of(ui).good),
        n => (format!("{} do not sum to 1", n_vertices(n)), theme::of(ui).bad),
    };
    ui.label(RichText::new(text).color(color));
}
