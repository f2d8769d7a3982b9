//! The strip at the left: brushes, then what is done often. Icons with a name, a tooltip and a key.

use egui::scroll_area::ScrollBarVisibility;
use egui::{ScrollArea, Ui};
use lucide_icons::Icon;
use sinew_edit::{BRUSHES, Brush, Editor, GradientShape};

use super::controls;
use crate::action::Action;
use crate::keymap::{Do, Mode, binding};
use crate::viewport::hand::{Hand, InHand};

/// Width of the strip, points.
pub const WIDTH: f32 = 44.0;

/// Draws the strip.
pub fn show(ui: &mut Ui, editor: &Editor, in_hand: (Mode, InHand), actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    // What has no room is scrolled to, by the wheel or by the Tab key.
    let area =
        ScrollArea::vertical().auto_shrink([false, false]).scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
    area.show(ui, |ui| ui.vertical_centered(|ui| tools(ui, editor, in_hand, actions)));
}

/// A strip of this height has room for everything, points.
const ALL_HEIGHT: f32 = 740.0;

/// Brushes of one kind; the strip draws a line between kinds.
const KINDS: [&[&str]; 3] = [
    &["replace", "add", "subtract", "smooth"],
    &["sharpen", "average", "smear", "hammer", "erase"],
    &["scale", "grow", "lighten", "darken"],
];

fn tools(ui: &mut Ui, editor: &Editor, (mode, in_hand): (Mode, InHand), actions: &mut Vec<Action>) {
    ui.add_space(6.0);
    let is_brush = in_hand.hand == Hand::Brush;
    let of_kind =
        |kind: &'static [&'static str]| BRUSHES.iter().enumerate().filter(move |(_, brush)| kind.contains(&brush.name));
    // A low window has the rarer ones in a menu.
    let is_low = ui.available_height() < ALL_HEIGHT;
    let (shown, in_menu) = if is_low { KINDS.split_at(1) } else { KINDS.split_at(KINDS.len()) };
    for kind in shown {
        for (i, brush) in of_kind(kind) {
            let is_held = is_brush && editor.session.brush.brush == *brush;
            let key = crate::keymap::key_text(ui.ctx(), Do::Brush(i));
            let tooltip = with_key(&format!("{}: {}", brush.label, brush.hint), &key);
            if controls::tool_button(ui, brush_icon(brush), brush.label, is_held, &tooltip).clicked() {
                actions.push(Action::Do(Do::Brush(i)));
            }
        }
        if !is_low {
            gap(ui);
        }
    }
    if is_low {
        let held = editor.session.brush.brush;
        let is_held = is_brush && !shown.iter().any(|kind| kind.contains(&held.name));
        let icon = if is_held { brush_icon(held) } else { Icon::Ellipsis };
        let more = controls::tool_button(ui, icon, "More brushes", is_held, "More brushes");
        egui::Popup::menu(&more).align(egui::RectAlign::RIGHT_START).show(|ui| {
            ui.set_min_width(150.0);
            for (i, brush) in in_menu.iter().flat_map(|kind| of_kind(kind)) {
                let key = crate::keymap::key_text(ui.ctx(), Do::Brush(i));
                let entry = egui::Button::new(brush.label).shortcut_text(key);
                let entry = ui.add(entry.selected(is_brush && held == *brush));
                entry.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, brush.label));
                if entry.on_hover_text(brush.hint).clicked() {
                    actions.push(Action::Do(Do::Brush(i)));
                    ui.close();
                }
            }
        });
        gap(ui);
    }
    let gradient = match in_hand.gradient.shape {
        GradientShape::Linear => Do::LinearGradient,
        GradientShape::Radial => Do::RadialGradient,
    };
    for (what, name, icon, hand) in [
        (gradient, "Gradient", Icon::Blend, Hand::Gradient),
        (Do::MaskBrush, "Mask", Icon::VenetianMask, Hand::Mask),
        (Do::SelectTool, "Select tool", Icon::LassoSelect, Hand::Select),
    ] {
        let tooltip = format!("{name}: {}", binding(what).tooltip(ui.ctx()));
        if controls::tool_button(ui, icon, name, in_hand.hand == hand, &tooltip).clicked() {
            actions.push(Action::Do(what));
        }
    }
    gap(ui);
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

fn gap(ui: &mut Ui) {
    ui.add_space(3.0);
    ui.separator();
    ui.add_space(3.0);
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
