//! Who gave and who received in the last stroke, or in the one under way: bars to the left and to the right.

use std::sync::Arc;
use std::time::Duration;

use egui::{Align2, Area, FontId, Galley, Id, Order, Rect, Sense, Ui, pos2, vec2};
use lucide_icons::Icon;
use sinew_edit::{Editor, Exchange};

use super::Viewport;
use super::hand::Hand;
use crate::panels::controls;
use crate::{fonts, theme};

/// More joints are summed up in one line.
const MOST: usize = 6;
/// Of names before the bars, points: as wide as the longest name between these.
const NAME_WIDTHS: std::ops::RangeInclusive<f32> = 100.0..=190.0;
/// Of the card without the names, points.
const BESIDE_NAMES: f32 = 132.0;
const ROW: f32 = 18.0;

/// What the card keeps between frames.
#[derive(Default)]
pub struct ExchangeCard {
    shown: Vec<Exchange>,
    of: Option<Of>,
    /// Whether it is to be seen; from when on it was not looked at, seconds; what was in the hand.
    is_open: bool,
    since_s: f64,
    hand: Hand,
    /// Whether the pointer or the keyboard is on it.
    is_held: bool,
}

/// What it is shown of.
#[derive(Clone, Copy)]
enum Of {
    /// A stroke under way, at a moment.
    Stroke(f64),
    /// So many steps done.
    Step(usize),
}

/// It stays so long after a stroke, or after the pointer was on it, and goes within so long, seconds.
const STAYS_S: f64 = 8.0;
const FADES_S: f64 = 0.6;

/// How often it follows a stroke under way, seconds: summing all that changed costs more than a dab.
const EVERY_S: f64 = 0.12;

/// Draws the card at the view's bottom right, until another tool is taken, something else is done or some time is over.
pub fn show(viewport: &mut Viewport, ui: &Ui, editor: &Editor) {
    let now = ui.input(|i| i.time);
    let n_done = editor.history().n_done();
    let is_live = editor.stroke().is_some();
    let (hand, is_calm) = (viewport.in_hand.hand, viewport.is_calm);
    let card = &mut viewport.exchange;
    let is_due = match (card.of, is_live) {
        (Some(Of::Stroke(at)), true) => now - at >= EVERY_S,
        (Some(Of::Step(step)), false) => step != n_done,
        _ => true,
    };
    if is_due {
        let was_live = matches!(card.of, Some(Of::Stroke(_)));
        let mut exchange = editor.exchange();
        exchange.retain(|exchange| exchange.given + exchange.received >= 0.005);
        let is_new = is_live || was_live || exchange != card.shown;
        (card.shown, card.of) = (exchange, Some(if is_live { Of::Stroke(now) } else { Of::Step(n_done) }));
        // Any other step is no stroke: what the last one did is over.
        (card.is_open, card.since_s, card.hand) = (is_new, now, hand);
    }
    if std::mem::take(&mut card.is_held) {
        card.since_s = now;
    }
    let left_s = if is_live { STAYS_S } else { STAYS_S - (now - card.since_s) };
    card.is_open &= card.hand == hand && left_s > 0.0;
    let within = viewport.area.rect();
    if card.shown.is_empty() || !card.is_open || within.width() < 520.0 || within.height() < 320.0 {
        return;
    }
    let at = within.max - vec2(10.0, 10.0);
    let area = Area::new(Id::unique("exchange card")).order(Order::Middle).pivot(Align2::RIGHT_BOTTOM).fixed_pos(at);
    let area = area.interactable(!is_live).constrain_to(within);
    let mut has_keyboard = false;
    let response = area.show(ui.ctx(), |ui| {
        let opacity = if is_calm { 1.0 } else { (left_s / FADES_S).clamp(0.0, 1.0) as f32 };
        ui.multiply_opacity(opacity);
        theme::use_stage_colors(ui);
        theme::float_frame().show(ui, |ui| {
            let rows = card.shown.iter().take(MOST);
            let names: Vec<_> =
                rows.map(|exchange| name_text(ui, &editor.document().nodes().label(exchange.joint))).collect();
            let longest = names.iter().map(|name| name.size().x).fold(0.0, f32::max);
            let name_width = longest.clamp(*NAME_WIDTHS.start(), *NAME_WIDTHS.end());
            ui.set_width(name_width + BESIDE_NAMES);
            ui.spacing_mut().item_spacing.y = 1.0;
            ui.horizontal(|ui| {
                ui.label(theme::heading(if is_live { "This stroke" } else { "Last stroke" }));
                ui.label(theme::quiet("gave · received"));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let close = controls::icon_button(ui, Icon::X, "Close last stroke", !is_live, "Until the next one");
                    has_keyboard = close.has_focus();
                    if close.clicked() {
                        card.is_open = false;
                    }
                });
            });
            let top = card.shown.iter().map(|e| e.given.max(e.received)).fold(0.0, f64::max).max(1e-9);
            for (exchange, name) in card.shown.iter().zip(names) {
                bar(ui, &editor.document().nodes().label(exchange.joint), name, exchange, top);
            }
            if let Some(rest) = card.shown.get(MOST..).filter(|rest| !rest.is_empty()) {
                let (given, received) =
                    rest.iter().fold((0.0, 0.0), |(given, received), e| (given + e.given, received + e.received));
                let others = Exchange { given, received, ..rest[0] };
                let name = if rest.len() == 1 { "1 other".to_owned() } else { format!("{} others", rest.len()) };
                let text = name_text(ui, &name);
                bar(ui, &name, text, &others, top);
            }
        });
    });
    if is_live {
        return;
    }
    card.is_held = response.response.contains_pointer() || has_keyboard;
    let next_s = if left_s > FADES_S { left_s - FADES_S } else { 0.0 };
    ui.ctx().request_repaint_after(Duration::from_secs_f64(next_s));
}

/// A sum of weights with as many figures as there is room for: `0.25`, `48.3`, `1,204`.
fn sum_text(sum: f64) -> String {
    match sum {
        ..9.995 => format!("{sum:.2}"),
        ..99.95 => format!("{sum:.1}"),
        _ => super::legend::thousands(sum.round() as usize),
    }
}

fn name_text(ui: &Ui, name: &str) -> Arc<Galley> {
    fonts::fit_name(ui.painter(), name, FontId::proportional(12.0), theme::of(ui).normal, *NAME_WIDTHS.end())
}

fn bar(ui: &mut Ui, name: &str, shown_name: Arc<Galley>, exchange: &Exchange, top: f64) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let &Exchange { given, received, .. } = exchange;
    let net = received - given;
    let text = format!("{name}: gave {given:.2}, received {received:.2}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &text));
    let colors = theme::of(ui);
    let font = FontId::proportional(12.0);
    let at = Align2::LEFT_CENTER.anchor_size(rect.left_center(), shown_name.size()).min;
    ui.painter().galley(at, shown_name, colors.normal);
    // The bars keep their place at the right, the number after them.
    let (middle, half) = (rect.max.x - 90.0, 38.0);
    let y = rect.center().y;
    ui.painter().vline(middle, rect.shrink2(vec2(0.0, 2.0)).y_range(), egui::Stroke::new(1.0, colors.line));
    for (amount, side, color) in [(given, -1.0, colors.warning), (received, 1.0, colors.teal)] {
        let length = (amount / top) as f32 * half;
        if amount > 0.0 {
            let end = middle + side * length.max(1.0);
            let bar = Rect::from_two_pos(pos2(middle, y - 3.0), pos2(end, y + 3.0));
            ui.painter().rect_filled(bar, 1.5, color);
        }
    }
    let sign = if net >= 0.0 { "+" } else { "−" };
    let at = pos2(rect.max.x, y);
    ui.painter().text(at, Align2::RIGHT_CENTER, format!("{sign}{}", sum_text(net.abs())), font, colors.primary);
    response.on_hover_text(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_never_grow_wider_than_their_column() {
        let texts = [0.0, 0.254, 9.99, 48.26, 99.96, 789.06, 12_345.0].map(sum_text);
        assert_eq!(texts, ["0.00", "0.25", "9.99", "48.3", "100", "789", "12,345"]);
    }
}
