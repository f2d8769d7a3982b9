//! Escape, while no tool is under way and no field has the keyboard: closes the card that lies on top, one at a time, then
//! takes the search of the joint list back. Nobody else gets that press.

use egui::{Context, Id, Key, LayerId, Modifiers, Order};

use crate::app::App;
use crate::viewport::display_card;

/// Closes what lies on top, if Escape was pressed for it.
pub fn close_topmost(app: &mut App, ctx: &Context) {
    let is_pressed = ctx.input(|i| i.key_pressed(Key::Escape));
    let is_elsewhere = app.modal.is_some() || app.palette.is_some() || app.settings.is_open;
    if !is_pressed || app.file.is_none() || is_elsewhere || app.viewport.takes_escape() {
        return;
    }
    if closes_one(app, ctx) {
        ctx.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape));
        ctx.request_repaint();
    }
}

fn closes_one(app: &mut App, ctx: &Context) -> bool {
    let display = LayerId::new(Order::Middle, Id::unique(display_card::ID));
    let is_on_top = ctx.memory(|memory| memory.areas().top_layer_id(Order::Middle)) == Some(display);
    if is_on_top && std::mem::take(&mut app.viewport.shows_display) {
        return true;
    }
    app.brush_bar.close_card()
        || std::mem::take(&mut app.viewport.shows_display)
        || (!app.viewport.has_flexed() && app.joint_list.clear_search())
}
