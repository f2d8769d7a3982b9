//! Panels at the right. Their size is the one that was chosen by hand, whenever the window has room for it: a window
//! that was small for a while leaves them as they were.

use egui::containers::panel::PanelState;
use egui::{Frame, Panel, Rangef, ScrollArea, Ui};

use crate::theme;

/// Width before somebody chose one, points.
const FIRST_WIDTH: f32 = 300.0;
/// Narrower, joint names are lost.
const MIN_WIDTH: f32 = 260.0;
const MAX_WIDTH: f32 = 560.0;
/// So much of the window stays for the view where there is any, points.
const VIEW_WIDTH: f32 = 320.0;

/// Height of a section before somebody chose one, points.
const FIRST_HEIGHT: f32 = 190.0;
const MIN_HEIGHT: f32 = 70.0;
const MAX_HEIGHT: f32 = 420.0;
/// So much of the column stays for what is above a section where there is any, points.
const ABOVE_HEIGHT: f32 = 260.0;
/// So much of the column stays for all else where there is a report, points.
const BESIDE_REPORT_HEIGHT: f32 = 320.0;
/// A lower column has only the joints and the pose, points.
const LEAST_HEIGHT: f32 = 230.0;

/// Draws the column at the right.
pub fn show(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let room = (ui.available_width() - VIEW_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH);
    let frame = theme::panel_frame(theme::of(ui));
    sized(ui, ("side", Axis::Width), FIRST_WIDTH, Rangef::new(MIN_WIDTH, room), frame, content);
}

/// Draws a section at the bottom of the column that can be made higher and lower.
pub fn section(ui: &mut Ui, name: &'static str, frame: Frame, content: impl FnOnce(&mut Ui)) {
    let room = (ui.available_height() - ABOVE_HEIGHT).clamp(MIN_HEIGHT, MAX_HEIGHT);
    sized(ui, (name, Axis::Height), FIRST_HEIGHT, Rangef::new(MIN_HEIGHT, room), frame, content);
}

/// Draws a report at the bottom of the column: as high as it is where the rest keeps its room, else it scrolls.
pub fn report(ui: &mut Ui, name: &'static str, frame: Frame, content: impl FnOnce(&mut Ui)) {
    let room = (ui.available_height() - BESIDE_REPORT_HEIGHT).max(MIN_HEIGHT);
    Panel::bottom(name).frame(frame).resizable(false).show(ui, |ui| {
        let area = ScrollArea::vertical().id_salt(name).auto_shrink([false, true]);
        area.max_height(room).min_scrolled_height(room).show(ui, content);
    });
}

/// Whether the column has room for a section beside the joints and the pose.
pub fn has_room(ui: &Ui) -> bool {
    ui.available_height() > LEAST_HEIGHT
}

#[derive(Clone, Copy)]
enum Axis {
    Width,
    Height,
}

fn sized(
    ui: &mut Ui,
    (name, axis): (&'static str, Axis),
    first: f32,
    range: Rangef,
    frame: Frame,
    content: impl FnOnce(&mut Ui),
) {
    let id = ui.scope_id().with(name);
    let key = id.with("chosen size");
    let size_of = |state: PanelState| match axis {
        Axis::Width => state.size().x,
        Axis::Height => state.size().y,
    };
    let chosen = ui.data_mut(|data| *data.get_persisted_mut_or(key, first));
    let available = match axis {
        Axis::Width => ui.available_width(),
        Axis::Height => ui.available_height(),
    };
    let expected = range.clamp(chosen).min(available);
    // By itself a panel that had to be small would stay so.
    if let Some(PanelState { mut outer_rect }) = PanelState::load(ui, id) {
        match axis {
            Axis::Width => outer_rect.min.x = outer_rect.max.x - chosen,
            Axis::Height => outer_rect.min.y = outer_rect.max.y - chosen,
        }
        ui.data_mut(|data| data.insert_persisted(id, PanelState { outer_rect }));
    }
    let panel = match axis {
        Axis::Width => Panel::right(name),
        Axis::Height => Panel::bottom(name),
    };
    panel.resizable(true).default_size(first).size_range(range).frame(frame).show(ui, content);
    // Kept at the end of a drag, and when the keyboard or a screen reader sizes the panel.
    let now = PanelState::load(ui, id).map_or(expected, size_of);
    let was_sized = (now - expected).abs() > 1.0 && (now - chosen).abs() > 1.0;
    ui.data_mut(|data| data.insert_persisted(key, if was_sized { now } else { chosen }));
}
