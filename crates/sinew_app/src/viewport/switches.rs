//! The switches over the view's top left corner: what is shown. One line, whatever the width: where there is less room
//! the places of the first switch become a list, and then the last switches go into a menu.

use egui::{Button, FontId, Rect, RichText, Ui, UiBuilder, pos2, vec2};
use lucide_icons::Icon;
use sinew_edit::Editor;

use super::Viewport;
use super::options::Show;
use super::tools::SwitchesRect;
use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::panels::controls;
use crate::{fonts, theme};

/// Room for the axes at the other corner, points.
const AXES_WIDTH: f32 = 78.0;
const GAP: f32 = 6.0;
/// Width of the button of the menu, and of the menu, points.
const MENU_BUTTON_WIDTH: f32 = 30.0;
const MENU_WIDTH: f32 = 150.0;
/// So many switches may go into the menu before the places of the first become a list.
const MOST_IN_MENU: usize = 2;

/// One of the switches that are on or off.
struct Switch {
    what: Do,
    label: &'static str,
    is_on: bool,
}

/// Draws the switches and takes their clicks.
pub fn show(viewport: &mut Viewport, ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let area = viewport.area().rect();
    viewport.tools.switches_rect = SwitchesRect::default();
    if area.width() < 240.0 || area.height() < 120.0 {
        return;
    }
    let corner = Rect::from_min_max(area.min + vec2(10.0, 10.0), pos2(area.max.x - AXES_WIDTH, area.min.y + 36.0));
    let as_exported = editor.session.as_exported;
    let chosen = viewport.options.show.at_hand(as_exported);
    let laid_out = ui.scope_builder(UiBuilder::new().max_rect(corner), |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            let switches = switches(viewport);
            let offered = Show::offered(as_exported);
            let of_places: f32 = offered.iter().map(|show| width(ui, show.label())).sum();
            // Rather a few switches in the menu than the places in a list.
            let room = corner.width();
            let mut n_shown = n_that_fit(ui, &switches, room - of_places);
            if n_shown + MOST_IN_MENU >= switches.len() {
                let places: Vec<_> = offered.iter().map(|&show| (show, show.label(), show.hint())).collect();
                let picked = controls::segments(ui, &places, chosen);
                actions.extend(picked.map(|show| Action::Do(Do::Show(show))));
            } else {
                places(ui, offered, chosen, actions);
                n_shown = n_that_fit(ui, &switches, ui.available_width());
            }
            let (shown, in_menu) = switches.split_at(n_shown);
            for switch in shown {
                toggle(ui, switch, actions);
            }
            if !in_menu.is_empty() {
                more(ui, in_menu, actions);
            }
        });
    });
    viewport.tools.switches_rect = SwitchesRect(laid_out.response.rect);
}

fn switches(viewport: &Viewport) -> [Switch; 5] {
    let options = viewport.options;
    let switch = |what, is_on| Switch { what, label: binding(what).label.trim_end_matches('…'), is_on };
    [
        switch(Do::ToggleContours, options.contours),
        switch(Do::ToggleWire, options.wire),
        switch(Do::ToggleJoints, options.joints),
        switch(Do::ToggleGizmo, options.gizmo),
        switch(Do::DisplayCard, viewport.shows_display),
    ]
}

/// How many switches have room; where it is not all of them, there is room for the menu of the others.
fn n_that_fit(ui: &Ui, switches: &[Switch], room: f32) -> usize {
    let ends = switches.iter().scan(0.0, |end, switch| {
        *end += GAP + width(ui, switch.label);
        Some(*end)
    });
    let ends: Vec<f32> = ends.collect();
    let is_all = ends.last().is_none_or(|&end| end <= room);
    if is_all { switches.len() } else { ends.iter().filter(|&&end| end + GAP + MENU_BUTTON_WIDTH <= room).count() }
}

fn toggle(ui: &mut Ui, switch: &Switch, actions: &mut Vec<Action>) {
    let tooltip = binding(switch.what).tooltip(ui.ctx());
    if controls::toggle(ui, switch.label, switch.is_on).on_hover_text(tooltip).clicked() {
        actions.push(Action::Do(switch.what));
    }
}

/// What surfaces show, as a list.
fn places(ui: &mut Ui, offered: &[Show], chosen: Show, actions: &mut Vec<Action>) {
    let colors = theme::of(ui);
    let open = fonts::icon(Icon::ChevronDown).size(12.0).color(colors.quiet);
    let text = RichText::new(chosen.label()).color(colors.primary);
    let button = Button::new((text, open)).fill(colors.teal_fill).stroke(egui::Stroke::new(1.0, colors.line));
    let list = egui::containers::menu::MenuButton::from_button(button.corner_radius(5));
    let (response, _) = list.ui(ui, |ui| {
        ui.set_min_width(MENU_WIDTH);
        for &show in offered {
            let line = binding(Do::Show(show));
            let entry = controls::menu_entry(ui, show.label(), &line.key_text(ui.ctx()), show == chosen, true);
            controls::hint_beside(&entry, show.hint());
            if entry.clicked() {
                actions.push(Action::Do(line.what));
                ui.close();
            }
        }
    });
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Show: {}", chosen.label())));
    response.on_hover_text(format!("What surfaces show. {}", chosen.hint()));
}

/// What has no room, as a menu.
fn more(ui: &mut Ui, switches: &[Switch], actions: &mut Vec<Action>) {
    let icon = fonts::icon(Icon::Ellipsis).size(12.5).color(theme::of(ui).quiet);
    let menu = egui::containers::menu::MenuButton::from_button(Button::new(icon).corner_radius(5));
    let (response, _) = menu.ui(ui, |ui| {
        ui.set_min_width(MENU_WIDTH);
        for switch in switches {
            let key = binding(switch.what).key_text(ui.ctx());
            let entry = controls::menu_entry(ui, switch.label, &key, switch.is_on, true);
            controls::hint_beside(&entry, binding(switch.what).hint);
            if entry.clicked() {
                actions.push(Action::Do(switch.what));
                ui.close();
            }
        }
    });
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "More switches"));
    response.on_hover_text("More of what can be shown");
}

/// How wide a button with this text is, points.
fn width(ui: &Ui, label: &str) -> f32 {
    let font = FontId::proportional(12.5);
    let text = ui.painter().layout_no_wrap(label.to_owned(), font, egui::Color32::PLACEHOLDER);
    text.size().x + 2.0 * ui.spacing().button_padding.x + 2.0
}
