//! A curve from 0 to 1 that is shaped by dragging its points; a double click adds one or takes one away.

use egui::{Color32, Id, Key, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};
use sinew_edit::Curve;
use sinew_edit::curve::MAX_POINTS;

use crate::theme;

/// How near points may come to each other.
const LEAST_GAP: f32 = 0.02;
/// What an arrow key moves a point by.
const STEP: f32 = 0.05;

/// Draws the curve and takes hands on it; the new curve if it was changed. `name` is what its points are called after.
pub fn show(ui: &mut Ui, name: &str, curve: &Curve, height: f32) -> Option<Curve> {
    let (rect, plane) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    plane.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, name));
    let colors = theme::of(ui);
    let inner = rect.shrink(7.0);
    ui.painter().rect(rect, 5.0, colors.well, Stroke::new(1.0, colors.line), egui::StrokeKind::Inside);
    for share in [0.25, 0.5, 0.75] {
        let line = Stroke::new(1.0, colors.line.gamma_multiply(0.6));
        ui.painter().vline(inner.min.x + inner.width() * share, inner.y_range(), line);
        ui.painter().hline(inner.x_range(), inner.min.y + inner.height() * share, line);
    }
    draw(ui, inner, colors.teal, 1.6, |x| curve.at(x));
    let mut points = curve.points().to_vec();
    let last = points.len() - 1;
    let mut changed = false;
    let mut removed = None;
    let id = plane.id;
    for i in 0..points.len() {
        let at = to_screen(inner, points[i]);
        let handle = Rect::from_center_size(at, vec2(16.0, 16.0));
        let response = ui.interact(handle, id.with(i), Sense::click_and_drag());
        let label = format!("{name} point {}", i + 1);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
        let pointer = response.interact_pointer_pos().filter(|_| response.dragged());
        if let Some(to) = pointer.map(|pos| from_screen(inner, pos)).or_else(|| walked(ui, &response, points[i])) {
            points[i] = between(&points, i, to);
            changed = true;
        }
        if response.double_clicked() && i > 0 && i < last {
            removed = Some(i);
        }
        let is_lit = response.hovered() || response.dragged() || response.has_focus();
        let radius = if is_lit { 4.5 } else { 3.5 };
        ui.painter().circle(at, radius, colors.primary, Stroke::new(1.0, colors.well));
        response.on_hover_text("Drag to shape; double click takes it away");
    }
    if let Some(i) = removed {
        points.remove(i);
        changed = true;
    } else if plane.double_clicked()
        && points.len() < MAX_POINTS
        && let Some(pos) = plane.interact_pointer_pos()
    {
        let point = from_screen(inner, pos);
        let at = points.partition_point(|other| other[0] < point[0]);
        let is_room = at > 0
            && at < points.len()
            && point[0] - points[at - 1][0] > LEAST_GAP
            && points[at][0] - point[0] > LEAST_GAP;
        if is_room {
            points.insert(at, point);
            changed = true;
        }
    }
    plane.on_hover_text("Double click adds a point");
    if changed { Curve::through(&points) } else { None }
}

/// A small picture of a profile that is clicked to choose it.
pub fn thumbnail(ui: &mut Ui, (name, hint): (&str, &str), is_on: bool, at: impl Fn(f32) -> f32) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(37.0, 28.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_on, name));
    let colors = theme::of(ui);
    let is_lit = response.hovered() || response.has_focus();
    let fill = if is_on { colors.teal_well } else { colors.well };
    let line = if is_on {
        colors.teal
    } else if is_lit {
        colors.hover_line
    } else {
        colors.line
    };
    ui.painter().rect(rect, 5.0, fill, Stroke::new(1.0, line), egui::StrokeKind::Inside);
    let color = if is_on { colors.primary } else { colors.quiet };
    draw(ui, rect.shrink2(vec2(6.0, 6.0)), color, 1.4, at);
    response.on_hover_text(hint)
}

fn draw(ui: &Ui, within: Rect, color: Color32, width: f32, at: impl Fn(f32) -> f32) {
    let n = (within.width() / 2.0).ceil().max(8.0) as usize;
    let points: Vec<Pos2> = (0..=n)
        .map(|i| {
            let x = i as f32 / n as f32;
            to_screen(within, [x, at(x)])
        })
        .collect();
    ui.painter().add(egui::Shape::line(points, Stroke::new(width, color)));
}

/// Where the arrow keys move the point that has the keyboard.
fn walked(ui: &Ui, response: &egui::Response, [x, y]: [f32; 2]) -> Option<[f32; 2]> {
    if !response.has_focus() {
        return None;
    }
    let arrows = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
    let id: Id = response.id;
    ui.ctx().memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
    let pressed = |key| ui.input(|i| i.key_pressed(key));
    match () {
        () if pressed(Key::ArrowUp) => Some([x, y + STEP]),
        () if pressed(Key::ArrowDown) => Some([x, y - STEP]),
        () if pressed(Key::ArrowLeft) => Some([x - STEP, y]),
        () if pressed(Key::ArrowRight) => Some([x + STEP, y]),
        () => None,
    }
}

/// A point within its place: the first and last keep their end, the others stay between their neighbours.
fn between(points: &[[f32; 2]], i: usize, [x, y]: [f32; 2]) -> [f32; 2] {
    let is_end = i == 0 || i + 1 == points.len();
    let x = if is_end {
        points[i][0]
    } else {
        let (low, high) = (points[i - 1][0] + LEAST_GAP, points[i + 1][0] - LEAST_GAP);
        if low < high { x.clamp(low, high) } else { points[i][0] }
    };
    [x, y.clamp(0.0, 1.0)]
}

fn to_screen(within: Rect, [x, y]: [f32; 2]) -> Pos2 {
    pos2(within.min.x + within.width() * x, within.max.y - within.height() * y)
}

fn from_screen(within: Rect, pos: Pos2) -> [f32; 2] {
    let share = |along: f32, length: f32| if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
    [share(pos.x - within.min.x, within.width()), share(within.max.y - pos.y, within.height())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dragged_point_stays_between_its_neighbours_and_ends_keep_their_end() {
        let points = [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]];
        assert_eq!(between(&points, 1, [2.0, -1.0]), [1.0 - LEAST_GAP, 0.0]);
        assert_eq!(between(&points, 0, [0.4, 0.3]), [0.0, 0.3]);
        let moved = [points[0], between(&points, 1, [0.9, 0.7]), points[2]];
        assert!(Curve::through(&moved).is_some());
    }
}
