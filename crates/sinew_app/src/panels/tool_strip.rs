//! The strip at the left: brushes, then what is done often. Icons with a name, a tooltip and a key.

use egui::scroll_area::ScrollBarVisibility;
use egui::{ScrollArea, Ui};
use lucide_icons::Icon;
use sinew_edit::{BRUSHES, Brush, Editor};

use super::controls;
use crate::action::Action;
use crate::keymap::{Do, Mode, binding};

/// Width of the strip, points.
pub const WIDTH: f32 = 44.0;

/// Draws the strip.
pub fn show(ui: &mut Ui, editor: &Editor, mode: Mode, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    // What has no room is scrolled to, by the wheel or by the Tab key.
    let area =
        ScrollArea::vertical().auto_shrink([false, false]).scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
    area.show(ui, |ui| ui.vertical_centered(|ui| tools(ui, editor, mode, actions)));
}

fn tools(ui: &mut Ui, editor: &Editor, mode: Mode, actions: &mut Vec<Action>) {
    ui.add_space(8.0);
    for (i, brush) in BRUSHES.iter().enumerate() {
        let is_held = editor.session.brush.brush == *brush;
        let key = crate::keymap::key_text(ui.ctx(), Do::Brush(i));
        let tooltip = with_key(&format!("{}: {}", brush.label, brush.hint), &key);
        if controls::tool_button(ui, brush_icon(brush), brush.label, is_held, &tooltip).clicked() {
            actions.push(Action::Do(Do::Brush(i)));
        }
    }
    ui.add_space(4.0);
    ui.separator();
    ui.add_space(4.0);
    for (what, icon, is_on) in [
        (Do::Bend, Icon::Rotate3d, mode == Mode::Bending),
        (Do::ResetPose, Icon::PersonStanding, false),
        (Do::Frame, Icon::Maximize, false),
    ] {
        let line = binding(what);
        let tooltip = format!("{}: {}", line.label, line.tooltip(ui.ctx()));
        if controls::tool_button(ui, icon, line.label, is_on, &tooltip).clicked() {
            actions.push(Action::Do(what));
        }
    }
}

fn with_key(text: &str, key: &str) -> String {
    if key.is_empty() { text.to_owned() } else { format!("{text} ({key})") }
}

/// The picture of a brush; a plain one for a brush that has none of its own.
fn brush_icon(brush: &Brush) -> Icon {
    match brush.name {
        "replace" => Icon::Target,
        "add" => Icon::Plus,
        "subtract" => Icon::Minus,
        "smooth" => Icon::Waves,
        "sharpen" => Icon::Triangle,
        "average" => Icon::Equal,
        "smear" => Icon::Wind,
        "scale" => Icon::Percent,
        "lighten" => Icon::Sun,
        "darken" => Icon::Moon,
        "grow" => Icon::Expand,
        "hammer" => Icon::Hammer,
        "erase" => Icon::Eraser,
        _ => Icon::Brush,
    }
}
