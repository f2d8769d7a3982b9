//! The panel at the right: its width is the one that was chosen by hand, whenever the window has room for it.

use egui::containers::panel::PanelState;
use egui::{Panel, Ui};

use crate::theme;

const NAME: &str = "side";
/// Width before somebody chose one, points.
const FIRST_WIDTH: f32 = 300.0;
/// Narrower, joint names are lost.
const MIN_WIDTH: f32 = 260.0;
const MAX_WIDTH: f32 = 560.0;
/// So much of the window stays for the view where there is any, points.
const VIEW_WIDTH: f32 = 320.0;

/// Draws the panel.
pub fn show(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let id = ui.scope_id().with(NAME);
    let key = id.with("chosen width");
    let chosen = ui.data_mut(|data| *data.get_persisted_mut_or(key, FIRST_WIDTH));
    let room = (ui.available_width() - VIEW_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH);
    let expected = chosen.clamp(MIN_WIDTH, room).min(ui.available_width());
    // A narrow window makes the panel narrow, and by itself the panel would stay so.
    if let Some(PanelState { mut outer_rect }) = PanelState::load(ui, id) {
        outer_rect.min.x = outer_rect.max.x - chosen;
        ui.data_mut(|data| data.insert_persisted(id, PanelState { outer_rect }));
    }
    Panel::right(NAME)
        .resizable(true)
        .default_size(FIRST_WIDTH)
        .size_range(MIN_WIDTH..=room)
        .frame(theme::panel_frame(theme::of(ui)))
        .show(ui, content);
    // Kept at the end of a drag, and when the keyboard or a screen reader sizes the panel.
    let now = PanelState::load(ui, id).map_or(expected, |state| state.outer_rect.width());
    let was_sized = (now - expected).abs() > 1.0 && (now - chosen).abs() > 1.0;
    ui.data_mut(|data| data.insert_persisted(key, if was_sized { now } else { chosen }));
}
