//! Lock commands around the pointer: chosen by the direction of a click or flick, or by a digit.

use egui::{Align2, Color32, FontId, Id, Key, LayerId, Order, Pos2, Rect, Sense, Stroke, pos2, vec2};
use glam::Vec2;
use sinew_edit::{Editor, Line, args};
use sinew_model::NodeIndex;

use super::{PxRect, Viewport};
use crate::action::{Action, Notice};
use crate::keymap::{Do, binding};
use crate::theme;

/// The open menu.
#[derive(Clone, Copy, Debug)]
pub struct LockPie {
    center_px: Vec2,
    /// The joint under the pointer when it was opened.
    here: Option<NodeIndex>,
}

/// Clockwise from the top.
const ENTRIES: [Do; 8] = [
    Do::ToggleLock,
    Do::LockOthers,
    Do::ToggleLockHere,
    Do::InvertLocks,
    Do::UnlockAll,
    Do::LockAll,
    Do::LockPainted,
    Do::ToggleLocksApart,
];
/// Nearer to the middle than this nothing is chosen, points.
const DEAD_POINTS: f32 = 16.0;
/// Where the names are, points from the middle.
const REACH: egui::Vec2 = vec2(112.0, 94.0);
/// The names reach so far from the middle, points.
const ROOM: Vec2 = Vec2::new(300.0, 112.0);
const KEYS: [Key; 8] = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8];

impl LockPie {
    /// Opens around a place, pixels from the view's top left, or as near to it as there is room for the names.
    pub fn at(place_px: Vec2, area: PxRect, here: Option<NodeIndex>) -> Self {
        let size_px = Vec2::new(area.size_px[0] as f32, area.size_px[1] as f32);
        let margin_px = (ROOM * area.pixels_per_point).min(size_px * 0.5);
        Self { center_px: place_px.clamp(margin_px, size_px - margin_px), here }
    }

    /// What lies in the direction of a place.
    pub fn entry_at(self, px: Vec2, pixels_per_point: f32) -> Option<Do> {
        let by = px - self.center_px;
        if by.length() < DEAD_POINTS * pixels_per_point {
            return None;
        }
        // 0 at the top, clockwise.
        let share = by.x.atan2(-by.y) / std::f32::consts::TAU;
        let at = (share * ENTRIES.len() as f32).round().rem_euclid(ENTRIES.len() as f32) as usize;
        ENTRIES.get(at).copied()
    }

    /// What choosing an entry does: the pointer is no longer on the joint that it was opened on.
    pub fn action(self, editor: &Editor, what: Do) -> Action {
        if what == Do::ToggleLockHere { toggle_lock(editor, self.here) } else { Action::Do(what) }
    }

    /// What a digit means.
    pub fn entry_of_key(self, key: Key) -> Option<Do> {
        ENTRIES.get(KEYS.iter().position(|&digit| digit == key)?).copied()
    }
}

/// Locks or unlocks a joint that was pointed at.
pub fn toggle_lock(editor: &Editor, joint: Option<NodeIndex>) -> Action {
    let Some(joint) = joint else { return Action::Say(Notice::refused("no joint there")) };
    let is_locked = editor.document().locks().contains(&joint);
    let name = args::joint_name(editor.document(), None, joint);
    Action::Line(Line::new(if is_locked { "unlock" } else { "lock" }).with("joint", name).to_string())
}

/// Draws the menu. Clicks are the view's own; what is clicked by name comes from here.
pub fn show(viewport: &mut Viewport, ui: &mut egui::Ui, editor: &Editor) -> Option<Action> {
    let pie = viewport.tools.pie?;
    let area = viewport.area();
    let center = area.pos_of(pie.center_px);
    let chosen = pie.entry_at(viewport.tools.pointer_px(), area.pixels_per_point);
    // Over cards, too.
    let layer = LayerId::new(Order::Foreground, Id::unique("lock pie"));
    let painter = ui.ctx().layer_painter(layer).with_clip_rect(area.rect());
    painter.circle_filled(center, DEAD_POINTS, Color32::from_rgba_unmultiplied(0x14, 0x15, 0x18, 0xC8));
    painter.circle_stroke(center, DEAD_POINTS, Stroke::new(1.5, theme::LINE));
    let mut clicked = None;
    for (i, what) in ENTRIES.into_iter().enumerate() {
        let angle = i as f32 / ENTRIES.len() as f32 * std::f32::consts::TAU;
        let toward = vec2(angle.sin(), -angle.cos());
        let is_chosen = chosen == Some(what);
        if is_chosen {
            let ends = [center + toward * (DEAD_POINTS - 5.0), center + toward * (DEAD_POINTS + 5.0)];
            painter.line_segment(ends, Stroke::new(3.0, theme::TEAL));
        }
        let label = label(viewport, editor, (pie.here, what));
        let is_able = what != Do::ToggleLockHere || pie.here.is_some();
        let rect = pill(&painter, (center + toward * REACH, toward.x), (&label, i + 1), (is_chosen, is_able));
        let response = ui.interact(rect, ui.scope_id().with(("lock pie", i)), Sense::click());
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::MenuItem, is_able, is_chosen, &label));
        if response.clicked() {
            clicked = Some(pie.action(editor, what));
        }
    }
    if clicked.is_some() {
        viewport.tools.pie = None;
    }
    clicked
}

fn label(viewport: &Viewport, editor: &Editor, (here, what): (Option<NodeIndex>, Do)) -> String {
    let toggle = |joint: NodeIndex| {
        let verb = if editor.document().locks().contains(&joint) { "Unlock" } else { "Lock" };
        format!("{verb} {}", editor.document().nodes().label(joint))
    };
    match what {
        Do::ToggleLock => editor.session.active_joint.map_or_else(|| "Lock Active Joint".to_owned(), toggle),
        Do::ToggleLockHere => match here {
            Some(joint) => format!("{} under pointer", toggle(joint)),
            None => "No joint under pointer".to_owned(),
        },
        Do::ToggleLocksApart if viewport.options.display.locks_apart => "With Locked Joints".to_owned(),
        _ => binding(what).label.to_owned(),
    }
}

/// A name with its digit, centred on a place, or beside it where that is left or right of the middle.
fn pill(
    painter: &egui::Painter,
    (at, side): (Pos2, f32),
    (label, digit): (&str, usize),
    (is_chosen, is_able): (bool, bool),
) -> Rect {
    let color = match (is_able, is_chosen) {
        (false, _) => theme::QUIET,
        (true, true) => theme::PRIMARY,
        (true, false) => theme::NORMAL,
    };
    let font = FontId::proportional(12.5);
    let text = painter.layout_no_wrap(label.to_owned(), font, color);
    let size = vec2(text.size().x + 36.0, 26.0);
    let shift = if side.abs() < 0.1 { 0.0 } else { side.signum() * (size.x * 0.5 - 30.0) };
    let rect = Rect::from_center_size(pos2(at.x + shift, at.y), size);
    let (fill, line) = if is_chosen {
        (Color32::from_rgb(0x27, 0x44, 0x3F), theme::TEAL)
    } else {
        (Color32::from_rgba_unmultiplied(0x14, 0x15, 0x18, 0xF0), theme::LINE)
    };
    painter.rect(rect, 6.0, fill, Stroke::new(1.0, line), egui::StrokeKind::Inside);
    let digit_at = pos2(rect.min.x + 13.0, rect.center().y);
    painter.text(digit_at, Align2::CENTER_CENTER, digit.to_string(), FontId::proportional(11.0), theme::QUIET);
    let text_at = pos2(rect.min.x + 26.0, rect.center().y - text.size().y * 0.5);
    painter.galley(text_at, text, color);
    rect
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_digits_mean_the_same_entries() {
        let area = PxRect { min_px: Vec2::ZERO, size_px: [640, 400], pixels_per_point: 1.0 };
        let pie = LockPie::at(Vec2::new(320.0, 200.0), area, None);
        assert_eq!(pie.entry_at(Vec2::new(324.0, 200.0), 1.0), None);
        for (i, what) in ENTRIES.into_iter().enumerate() {
            let angle = i as f32 / ENTRIES.len() as f32 * std::f32::consts::TAU;
            let px = Vec2::new(320.0, 200.0) + Vec2::new(angle.sin(), -angle.cos()) * 90.0;
            assert_eq!(pie.entry_at(px, 1.0), Some(what));
            assert_eq!(pie.entry_of_key(KEYS[i]), Some(what));
        }
        assert_eq!(LockPie::at(Vec2::ZERO, area, None).center_px, ROOM, "all names are inside");
        assert_eq!(pie.entry_of_key(Key::Num9), None);
        assert_eq!(pie.entry_at(Vec2::new(320.0, 200.0) + Vec2::new(-1.0, -90.0), 1.0), Some(Do::ToggleLock));
    }
}
