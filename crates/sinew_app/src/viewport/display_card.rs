//! The card that says how weights are shown. It stays open while one paints, and is remembered with the view.

use egui::{Color32, Rect, Sense, Ui, pos2, vec2};
use lucide_icons::Icon;

use super::Viewport;
use super::display::{Display, RampChoice, Under, ZeroHighlight};
use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::panels::controls;
use crate::theme;

/// What its area is called.
pub(crate) const ID: &str = "display card";
const WIDTH: f32 = 316.0;
const LABEL_WIDTH: f32 = 74.0;

// Names on the card, and one line about each.
pub(crate) const OVER_BUDGET: (&str, &str) = ("Over budget", "Vertices with more joints than the influence budget");
pub(crate) const KEPT: (&str, &str) =
    ("Kept", "Vertices that the last stroke could not change: by locks, by the budget. Point at one for the reason");
const OPACITY: (&str, &str) = ("Opacity", "How much the colours of weights cover");
const N_LINES: (&str, &str) = ("Number of lines", "So many lines between 0 and 1");
const DOT_SIZE: (&str, &str) = ("Size of dots", "How wide a dot on a vertex is");
/// The card's numbers.
pub(crate) const NUMBERS: [(&str, &str); 3] = [OPACITY, N_LINES, DOT_SIZE];

/// Draws the card under the switches.
pub fn show(viewport: &mut Viewport, ui: &Ui, actions: &mut Vec<Action>) {
    if !viewport.shows_display {
        return;
    }
    let within = viewport.area().rect();
    let at = pos2(within.min.x + 10.0, viewport.tools.switches_rect.0.max.y.max(within.min.y + 36.0) + 8.0);
    controls::card(ui.ctx(), ID, (egui::Align2::LEFT_TOP, at), (within, WIDTH), |ui| {
        ui.horizontal(|ui| {
            ui.label(theme::heading("Display"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if controls::icon_button(ui, Icon::X, "Close display", true, "Close").clicked() {
                    viewport.shows_display = false;
                }
                let is_changed = viewport.options.display != Display::default();
                if controls::icon_button(ui, Icon::RotateCcw, "Reset display", is_changed, "As it comes").clicked() {
                    viewport.options.display = Display::default();
                }
            });
        });
        let has_contours = viewport.options.contours;
        contents(ui, &mut viewport.options.display, has_contours, actions);
    });
}

fn contents(ui: &mut Ui, display: &mut Display, has_contours: bool, actions: &mut Vec<Action>) {
    row(ui, "Ramp", |ui| {
        if let Some(ramp) = controls::segments(ui, &RampChoice::ALL, display.ramp) {
            display.ramp = ramp;
        }
    });
    row(ui, "", |ui| ramp_bar(ui, display));
    if display.ramp == RampChoice::Custom {
        row(ui, "Colours", |ui| {
            color(ui, "At 0", &mut display.custom[0]);
            if controls::toggle(ui, "Middle", display.has_middle).on_hover_text("A colour of its own at 0.5").clicked()
            {
                display.has_middle ^= true;
            }
            if display.has_middle {
                color(ui, "At 0.5", &mut display.custom[1]);
            }
            color(ui, "At 1", &mut display.custom[2]);
        });
    }
    row(ui, "Opacity", |ui| {
        let mut percent = f32::from(display.opacity_percent);
        let field = controls::field(ui, vec2(56.0, 22.0), &mut percent, |field| {
            field.range(0.0..=100.0).speed(1.0).fixed_decimals(0).suffix(" %")
        });
        controls::name_number(&field, OPACITY.0, percent, true);
        field.on_hover_text(OPACITY.1);
        display.opacity_percent = percent as u8;
        ui.label(theme::quiet("over"));
        if let Some(under) = controls::segments(ui, &Under::ALL, display.under) {
            display.under = under;
        }
    });
    row(ui, "Contours", |ui| {
        if controls::toggle(ui, if has_contours { "On" } else { "Off" }, has_contours)
            .on_hover_text(binding(Do::ToggleContours).tooltip(ui.ctx()))
            .clicked()
        {
            actions.push(Action::Do(Do::ToggleContours));
        }
        let mut n_lines = f32::from(display.n_lines);
        let field = controls::field(ui, vec2(44.0, 22.0), &mut n_lines, |field| {
            field.range(1.0..=31.0).speed(0.1).fixed_decimals(0)
        });
        controls::name_number(&field, N_LINES.0, n_lines, true);
        field.on_hover_text(N_LINES.1);
        display.n_lines = n_lines as u8;
        ui.label(theme::quiet(if display.n_lines == 1 { "line" } else { "lines" }));
    });
    row(ui, "No weight", |ui| {
        if let Some(zero) = controls::segments(ui, &ZeroHighlight::ALL, display.zero) {
            display.zero = zero;
        }
    });
    row(ui, "Mark", |ui| {
        flip(ui, OVER_BUDGET.0, &mut display.over_budget, OVER_BUDGET.1);
        flip(ui, KEPT.0, &mut display.refused, KEPT.1);
        flip(ui, "Seams", &mut display.seams, &tooltip(ui, Do::ToggleSeams));
    });
    row(ui, "Dots", |ui| {
        flip(ui, "Vertex dots", &mut display.dots, &tooltip(ui, Do::ToggleDots));
        let mut points = f32::from(display.dot_points);
        let field = controls::field(ui, vec2(52.0, 22.0), &mut points, |field| {
            field.range(2.0..=16.0).speed(0.1).fixed_decimals(0).suffix(" pt")
        });
        controls::name_number(&field, DOT_SIZE.0, points, true);
        field.on_hover_text(DOT_SIZE.1);
        display.dot_points = points as u8;
    });
    row(ui, "Blend", |ui| {
        flip(ui, "Ghosts", &mut display.ghosts, &tooltip(ui, Do::ToggleGhosts));
        flip(ui, "Without locked joints", &mut display.locks_apart, &tooltip(ui, Do::ToggleLocksApart));
    });
}

fn tooltip(ui: &Ui, what: Do) -> String {
    binding(what).tooltip(ui.ctx())
}

fn row(ui: &mut Ui, name: &str, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let (rect, _) = ui.allocate_exact_size(vec2(LABEL_WIDTH, 22.0), Sense::hover());
        let at = pos2(rect.min.x, rect.center().y);
        let font = egui::FontId::proportional(12.5);
        ui.painter().text(at, egui::Align2::LEFT_CENTER, name, font, theme::of(ui).quiet);
        content(ui);
    });
}

fn flip(ui: &mut Ui, name: &str, is_on: &mut bool, hint: &str) {
    if controls::toggle(ui, name, *is_on).on_hover_text(hint).clicked() {
        *is_on ^= true;
    }
}

fn color(ui: &mut Ui, name: &str, rgb: &mut [u8; 3]) {
    let response = ui.color_edit_button_srgb(rgb);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ColorWell, true, name));
    response.on_hover_text(format!("The colour of weight {}", name.trim_start_matches("At ")));
}

/// The ramp as it is, with its end of exactly 1.
fn ramp_bar(ui: &mut Ui, display: &Display) {
    let ramp = display.ramp();
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 10.0), Sense::hover());
    let one = Rect::from_min_size(pos2(rect.max.x - 10.0, rect.min.y), vec2(10.0, rect.height()));
    let bar = Rect::from_min_max(rect.min, pos2(one.min.x - 3.0, rect.max.y));
    super::legend::bar(ui.painter(), bar, |weight| ramp.color_srgb(weight));
    let [r, g, b] = ramp.one_color_srgb();
    ui.painter().rect_filled(one, 1.5, Color32::from_rgb(r, g, b));
}
