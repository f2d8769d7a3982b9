//! The legend in the view's bottom left corner: what the colours mean, and where the model as exported differs most.

use egui::{Align2, Button, Color32, FontId, Painter, Pos2, Rect, RichText, Stroke, UiBuilder, pos2, vec2};
use sinew_edit::{Difference, Editor, Refusal};
use sinew_geometry::Aabb;
use sinew_render::{Color, MeshStyle, ramp};

use super::Viewport;
use super::asymmetry::LeftRight;
use super::camera::corners;
use super::display::{Display, ZeroHighlight};
use super::mark_dots::MASKED;
use super::marks::Marks;
use super::options::Show;
use super::scene::{Scene, UNMATCHED_TINT, UNWEIGHTED_TINT, refusal_tint};
use super::seams;
use super::tools::SwitchesRect;
use crate::theme;

/// What the legend remembers between frames.
#[derive(Clone, Debug, Default)]
pub struct Legend {
    /// Where it can be clicked.
    pub rect: SwitchesRect,
    /// What marks there are, as of the last look: a stroke does not look.
    marks: Vec<Mark>,
}

/// A colour on the model that is no weight: how it is drawn there, and its name.
type Mark = (Drawn, Color, &'static str);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Drawn {
    Stripes,
    Shade,
    Line,
}

const CARD: egui::Vec2 = vec2(284.0, 104.0);
/// As the shader marks a weight of exactly 0.
const ZERO_MARK: Color = Color::hex(0x0E_0F12);
const FONT: FontId = FontId::proportional(11.0);
/// Half of what is framed around the worst vertex, as a share of the model's diagonal.
const FRAMED: f32 = 0.06;

/// Draws the legend and takes its click.
pub fn show(viewport: &mut Viewport, ui: &mut egui::Ui, editor: &mut Editor) {
    let area = viewport.area().rect();
    viewport.legend.rect = SwitchesRect::default();
    if area.width() < 360.0 || area.height() < 160.0 {
        return;
    }
    match viewport.options.show.at_hand(editor.session.as_exported) {
        Show::Weights => {
            if editor.stroke().is_none() {
                viewport.legend.marks = marks(viewport, editor);
            }
            weights(ui.painter(), area, &viewport.options.display, &viewport.legend.marks);
        }
        Show::Difference => {
            if let Some(difference) = editor.difference() {
                mark_worst(viewport, ui, editor, &difference);
                card(viewport, ui, editor, &difference);
            }
        }
        Show::LeftRight => {
            if let Some(scene) = viewport.scene().filter(|scene| scene.left_right().is_found()) {
                left_right(ui.painter(), area, scene.left_right());
            }
        }
        Show::JointColors | Show::Textured | Show::Clay => {}
    }
}

/// The largest distance that the ramp shows: a round number from the largest there is on, so that it stays while one
/// paints; never so small that mere rounding would look like a fault.
pub fn scale_top(difference: &Difference) -> f32 {
    let most = difference.max.max(difference.tolerance);
    if !(most > 0.0 && most.is_finite()) {
        return 1.0;
    }
    let decade = 10_f64.powf(f64::from(most).log10().floor());
    let top = [1.0, 2.0, 5.0, 10.0].map(|step| (step * decade) as f32);
    top.into_iter().find(|&top| top >= most).unwrap_or(most)
}

/// A distance with three figures, without zeros behind.
pub fn figures(distance: f32) -> String {
    if distance == 0.0 || !distance.is_finite() {
        return "0".to_owned();
    }
    let decimals = (2.0 - distance.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{distance:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// `16,384`.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn srgb([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}

pub(super) fn bar(painter: &Painter, rect: Rect, color: impl Fn(f32) -> [u8; 3]) {
    let n = 70;
    for i in 0..n {
        let x = |i: i32| rect.min.x + rect.width() * i as f32 / n as f32;
        let end = (x(i + 1) + 0.5).min(rect.max.x);
        let step = Rect::from_min_max(pos2(x(i), rect.min.y), pos2(end, rect.max.y));
        painter.rect_filled(step, 0.0, srgb(color((i as f32 + 0.5) / n as f32)));
    }
}

/// The colours on the model that are no weights, and what they mean.
fn marks(viewport: &Viewport, editor: &mut Editor) -> Vec<Mark> {
    let display = viewport.options.display;
    let mut marks = Vec::new();
    let meshes = editor.document().skinned_meshes();
    if display.zero != ZeroHighlight::Off && meshes.iter().any(|&mesh| !editor.census(mesh).unweighted.is_empty()) {
        marks.push((Drawn::Stripes, UNWEIGHTED_TINT, "no weight"));
    }
    if display.over_budget && meshes.iter().any(|&mesh| !editor.census(mesh).over_budget.is_empty()) {
        marks.push((Drawn::Stripes, Marks::OverBudget.tint(), "over budget"));
    }
    if display.refused {
        let has_lane = !editor.session.paint.lane.is_empty();
        let held = match (editor.document().locks().is_empty(), has_lane) {
            (true, true) => "kept: lane",
            (false, true) => "kept: locks, lane",
            (_, false) => "kept: locks",
        };
        let kinds = [
            (Refusal::Blocked, held),
            (Refusal::Budget, "kept: budget"),
            (Refusal::NoOtherJoint, "kept: no other joint"),
        ];
        let has =
            |why| meshes.iter().filter_map(|&mesh| editor.refused(mesh)).any(|all| all.values().any(|&w| w == why));
        let there = kinds.into_iter().filter(|(why, _)| has(*why));
        marks.extend(there.map(|(why, text)| (Drawn::Stripes, refusal_tint(why), text)));
    }
    let sums = match viewport.options.marks {
        Some(marks @ Marks::OffSum) => Some((marks, "sum is not 1")),
        Some(marks @ Marks::Unassigned) => Some((marks, "unassigned")),
        Some(marks @ Marks::OverBudget) if !display.over_budget => Some((marks, "over budget")),
        Some(marks @ Marks::Unweighted) if display.zero == ZeroHighlight::Off => Some((marks, "no weight")),
        _ => None,
    };
    marks.extend(sums.map(|(of, text)| (Drawn::Stripes, of.tint(), text)));
    if meshes.iter().any(|&mesh| !editor.document().mask(mesh).is_none()) {
        marks.push((Drawn::Shade, MASKED, "masked"));
    }
    let (has_seams, has_torn) = viewport.scene().map_or((false, false), Scene::seam_kinds);
    if display.seams {
        marks.extend(has_seams.then_some((Drawn::Line, seams::SEAM, "seam")));
        marks.extend(has_torn.then_some((Drawn::Line, seams::TORN, "torn")));
    }
    marks
}

/// Exactly 0, the ramp, exactly 1, and what other colours on the model mean.
fn weights(painter: &Painter, area: Rect, display: &Display, marks: &[Mark]) {
    let top = area.max.y - 32.0;
    let square = |x: f32| Rect::from_min_size(pos2(x, top), vec2(8.0, 8.0));
    let label = |x: f32, align, text: &str| {
        painter.text(pos2(x, top + 11.0), align, text, FONT, theme::QUIET);
    };
    let zero = square(area.min.x + 18.0);
    let mut names: Vec<_> = marks
        .iter()
        .map(|&(drawn, color, text)| {
            (Some((drawn, color)), painter.layout_no_wrap(text.to_owned(), FONT, theme::QUIET))
        })
        .collect();
    if display.locks_apart {
        let text = "of what locks leave".to_owned();
        names.push((None, painter.layout_no_wrap(text, FONT, theme::TEAL)));
    }
    let gap = 14.0;
    let marks_width: f32 = names.iter().map(|(_, name)| name.size().x + gap).sum();
    // Over pale clay as over the dark stage the figures must be read.
    let width = 168.0 + marks_width;
    let back = Rect::from_min_max(pos2(zero.min.x - 8.0, top - 7.0), pos2(zero.min.x + width, area.max.y - 3.0));
    painter.rect_filled(back, 5.0, Color32::from_rgba_unmultiplied(0x14, 0x15, 0x18, 0xC0));
    let plain = if display.zero == ZeroHighlight::Active { ZERO_MARK } else { MeshStyle::default().clay };
    painter.rect_filled(zero, 1.5, srgb([plain.0[0], plain.0[1], plain.0[2]]));
    if display.zero == ZeroHighlight::Active {
        painter.rect_stroke(zero, 1.5, Stroke::new(1.0, theme::QUIET), egui::StrokeKind::Outside);
    }
    let ramp = Rect::from_min_size(pos2(zero.max.x + 4.0, top), vec2(132.0, 8.0));
    let colors = display.ramp();
    bar(painter, ramp, |weight| colors.color_srgb(weight));
    let one = square(ramp.max.x + 4.0);
    painter.rect_filled(one, 1.5, srgb(colors.one_color_srgb()));
    label(zero.center().x, Align2::CENTER_TOP, "0");
    label(ramp.center().x, Align2::CENTER_TOP, "0.5");
    label(one.center().x, Align2::CENTER_TOP, "1");
    let mut x = one.max.x + gap;
    for (mark, name) in names {
        let width = name.size().x;
        if let Some((drawn, color)) = mark {
            let at = pos2(x + width * 0.5 - 9.0, top - 1.0);
            swatch(painter, Rect::from_min_size(at, vec2(18.0, 10.0)), drawn, color);
        }
        painter.galley(pos2(x, top + 11.0), name, theme::QUIET);
        x += width + gap;
    }
}

/// A piece of the model as it looks with a mark on it.
fn swatch(painter: &Painter, rect: Rect, drawn: Drawn, color: Color) {
    let [r, g, b, a] = color.0;
    let whole = Color32::from_rgb(r, g, b);
    let [clay_r, clay_g, clay_b, _] = MeshStyle::default().clay.0;
    let clay = Color32::from_rgb(clay_r, clay_g, clay_b);
    let share = f32::from(a) / 255.0;
    match drawn {
        Drawn::Shade => _ = painter.rect_filled(rect, 1.5, clay.lerp_to_gamma(whole, share)),
        Drawn::Line => _ = painter.hline(rect.x_range(), rect.center().y, Stroke::new(2.0, whole)),
        Drawn::Stripes => {
            painter.rect_filled(rect, 1.5, clay.lerp_to_gamma(whole, 0.2 * share));
            let within = painter.with_clip_rect(rect.shrink(0.5));
            let stroke = Stroke::new(2.4, clay.lerp_to_gamma(whole, share));
            for i in 0..5 {
                let x = rect.min.x + 6.0 * i as f32;
                within.line_segment([pos2(x - 1.0, rect.max.y + 1.0), pos2(x + 11.0, rect.min.y - 1.0)], stroke);
            }
        }
    }
}

/// What the ramp means as a difference of weights between left and right.
fn left_right(painter: &Painter, area: Rect, found: &LeftRight) {
    let rect = Rect::from_min_size(pos2(area.min.x + 10.0, area.max.y - 88.0), vec2(CARD.x, 78.0));
    let back = Color32::from_rgba_unmultiplied(0x14, 0x15, 0x18, 0xE6);
    painter.rect(rect, 6.0, back, Stroke::new(1.0, theme::LINE), egui::StrokeKind::Inside);
    let (left, right) = (rect.min.x + 12.0, rect.max.x - 12.0);
    let text = |x: f32, y: f32, align, text: String, color| painter.text(pos2(x, y), align, text, FONT, color);
    let title = "Difference from the other side".to_owned();
    text(left, rect.min.y + 9.0, Align2::LEFT_TOP, title, theme::NORMAL);
    let most = format!("largest {:.3}", found.greatest);
    let color = if found.greatest > 0.01 { theme::WARNING } else { theme::DARK.good };
    text(right, rect.min.y + 9.0, Align2::RIGHT_TOP, most, color);
    let ramp = Rect::from_min_max(pos2(left, rect.min.y + 27.0), pos2(right, rect.min.y + 35.0));
    bar(painter, ramp, ramp::difference_color_srgb);
    let top = found.top();
    for (x, align, value) in [
        (ramp.min.x, Align2::LEFT_TOP, 0.0),
        (ramp.center().x, Align2::CENTER_TOP, top * 0.5),
        (ramp.max.x, Align2::RIGHT_TOP, top),
    ] {
        text(x, ramp.max.y + 4.0, align, figures(value), theme::QUIET);
    }
    let y = rect.max.y - 9.0;
    let (words, at) = match found.n_unmatched {
        0 => ("every vertex has a twin".to_owned(), left),
        n => (format!("{} without a twin", thousands(n)), left + 24.0),
    };
    if found.n_unmatched > 0 {
        let at = Rect::from_min_size(pos2(left, y - 12.0), vec2(18.0, 10.0));
        swatch(painter, at, Drawn::Stripes, UNMATCHED_TINT);
    }
    text(at, y, Align2::LEFT_BOTTOM, words, theme::QUIET);
}

/// What the difference ramp means, in the file's units; the largest difference can be clicked.
fn card(viewport: &mut Viewport, ui: &mut egui::Ui, editor: &mut Editor, difference: &Difference) {
    let area = viewport.area().rect();
    let rect = Rect::from_min_size(pos2(area.min.x + 10.0, area.max.y - CARD.y - 10.0), CARD);
    viewport.legend.rect = SwitchesRect(rect);
    let painter = ui.painter();
    let back = Color32::from_rgba_unmultiplied(0x14, 0x15, 0x18, 0xE6);
    painter.rect(rect, 6.0, back, Stroke::new(1.0, theme::LINE), egui::StrokeKind::Inside);
    let (left, right) = (rect.min.x + 12.0, rect.max.x - 12.0);
    let text = |x: f32, y: f32, align, text: String, color| {
        painter.text(pos2(x, y), align, text, FONT, color);
    };
    text(left, rect.min.y + 10.0, Align2::LEFT_TOP, "Distance from editing".to_owned(), theme::NORMAL);
    text(right, rect.min.y + 10.0, Align2::RIGHT_TOP, "units of the file".to_owned(), theme::QUIET);
    let ramp = Rect::from_min_max(pos2(left, rect.min.y + 30.0), pos2(right, rect.min.y + 38.0));
    let top = scale_top(difference);
    bar(painter, ramp, ramp::difference_color_srgb);
    let at = (ramp.min.x + ramp.width() * (difference.max / top).clamp(0.0, 1.0)).clamp(ramp.min.x, ramp.max.x - 1.0);
    let tick = [pos2(at, ramp.min.y - 3.0), pos2(at, ramp.max.y + 3.0)];
    painter.line_segment(tick, Stroke::new(1.5, theme::PRIMARY));
    for (x, align, value) in [
        (ramp.min.x, Align2::LEFT_TOP, 0.0),
        (ramp.center().x, Align2::CENTER_TOP, top * 0.5),
        (ramp.max.x, Align2::RIGHT_TOP, top),
    ] {
        text(x, ramp.max.y + 4.0, align, figures(value), theme::QUIET);
    }
    let mut counts = format!("{} over {}", thousands(difference.n_over), figures(difference.tolerance));
    if editor.session.export.influences.is_some() {
        counts = format!("{counts} · {} over the limit", thousands(difference.n_limited));
    }
    let Some((instance_idx, vertex)) = difference.worst.filter(|_| difference.max > 0.0) else {
        text(left, rect.max.y - 30.0, Align2::LEFT_BOTTOM, "No vertex moves".to_owned(), theme::NORMAL);
        text(left, rect.max.y - 10.0, Align2::LEFT_BOTTOM, counts, theme::QUIET);
        return;
    };
    text(left, rect.max.y - 10.0, Align2::LEFT_BOTTOM, counts, theme::QUIET);
    let room = Rect::from_min_max(pos2(left - 6.0, rect.max.y - 48.0), pos2(right, rect.max.y - 27.0));
    let words = format!("Largest {} at vertex {}", figures(difference.max), thousands(vertex.idx()));
    let is_over = difference.max > difference.tolerance;
    let color = if is_over { theme::WARNING } else { theme::NORMAL };
    let button = Button::new(RichText::new(words).size(12.0).color(color)).frame_when_inactive(false).truncate();
    let clicked = ui
        .scope_builder(UiBuilder::new().max_rect(room).layout(egui::Layout::left_to_right(egui::Align::Center)), |ui| {
            ui.spacing_mut().button_padding = vec2(6.0, 2.0);
            ui.add(button).on_hover_text("Look at this vertex").clicked()
        })
        .inner;
    if clicked {
        let reach = editor.bounds().diagonal() * FRAMED;
        let mut near = Aabb::from_points(&[editor.posed(instance_idx).posed.positions[vertex.idx()]]);
        if let Some(exported) = editor.exported(instance_idx) {
            near = near.with_point(exported.posed.positions[vertex.idx()]);
        }
        let points = corners(near).map(|corner| corner + (corner - near.center()).signum() * reach);
        let around = [glam::Vec3::ONE, glam::Vec3::NEG_ONE].map(|side| near.center() + side * reach);
        let size_px = viewport.view().size_px;
        viewport.camera.frame(&[&points[..], &around[..]].concat(), size_px);
    }
}

/// A ring where the difference is largest.
fn mark_worst(viewport: &Viewport, ui: &egui::Ui, editor: &mut Editor, difference: &Difference) {
    let Some((instance_idx, vertex)) = difference.worst.filter(|_| difference.max > difference.tolerance) else {
        return;
    };
    let place = editor.exported(instance_idx).map(|exported| exported.posed.positions[vertex.idx()]);
    let px = place.and_then(|place| viewport.view().px_of(place));
    let pos: Option<Pos2> = px.map(|px| viewport.area().pos_of(px));
    if let Some(pos) = pos.filter(|&pos| viewport.area().rect().contains(pos)) {
        let painter = ui.painter().with_clip_rect(viewport.area().rect());
        painter.circle_stroke(pos, 8.0, Stroke::new(3.0, Color32::from_black_alpha(110)));
        painter.circle_stroke(pos, 8.0, Stroke::new(1.5, theme::PRIMARY));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_ends_at_a_round_number_that_holds_everything() {
        let of = |max| scale_top(&Difference { max, tolerance: 2e-4, ..Difference::default() });
        for (max, top) in [(0.0031, 0.005), (0.005, 0.005), (0.0051, 0.01), (1.7, 2.0), (0.0, 2e-4), (f32::NAN, 2e-4)] {
            assert!((of(max) - top).abs() < 1e-6 * top, "{max}: {}", of(max));
        }
        assert_eq!(scale_top(&Difference::default()), 1.0);
    }

    #[test]
    fn distances_have_three_figures() {
        let texts = [0.0, 0.003_14, 0.005, 1.25, 123.4].map(figures);
        assert_eq!(texts, ["0", "0.00314", "0.005", "1.25", "123"]);
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
