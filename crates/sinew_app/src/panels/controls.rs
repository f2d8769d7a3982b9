//! The few controls that panels share: segments, toggles, value fields.

use std::cell::RefCell;

use egui::{Button, CornerRadius, Response, RichText, Stroke, Ui, vec2};
use lucide_icons::Icon;

use crate::{fonts, theme};

/// A switch with several places (value, label, hint); returns the place that was clicked.
pub fn segments<T: Copy + PartialEq>(ui: &mut Ui, places: &[(T, &str, &str)], chosen: T) -> Option<T> {
    lay_segments(ui, places, chosen, false)
}

/// As [`segments`], where widgets are laid out from right to left; the places are then given in that order.
pub fn segments_from_right<T: Copy + PartialEq>(ui: &mut Ui, places: &[(T, &str, &str)], chosen: T) -> Option<T> {
    lay_segments(ui, places, chosen, true)
}

fn lay_segments<T: Copy + PartialEq>(
    ui: &mut Ui,
    places: &[(T, &str, &str)],
    chosen: T,
    from_right: bool,
) -> Option<T> {
    let mut picked = None;
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 0.0);
    for (i, &(value, label, hint)) in places.iter().enumerate() {
        let is_on = value == chosen;
        let text = RichText::new(label).color(if is_on { theme::of(ui).primary } else { theme::of(ui).quiet });
        let (mut left, mut right) = (if i == 0 { 5 } else { 0 }, if i + 1 == places.len() { 5 } else { 0 });
        if from_right {
            std::mem::swap(&mut left, &mut right);
        }
        let button = Button::new(text)
            .fill(if is_on { theme::of(ui).teal_fill } else { theme::of(ui).well })
            .stroke(Stroke::new(1.0, theme::of(ui).line))
            .corner_radius(CornerRadius { nw: left, sw: left, ne: right, se: right })
            .selected(is_on);
        let mut response = ui.add(button);
        if !hint.is_empty() {
            response = response.on_hover_text(hint);
        }
        if response.clicked() && !is_on {
            picked = Some(value);
        }
    }
    ui.spacing_mut().item_spacing.x = gap;
    ui.add_space(gap);
    picked
}

/// A button that stays down.
pub fn toggle(ui: &mut Ui, label: &str, is_on: bool) -> Response {
    let text = RichText::new(label).color(if is_on { theme::of(ui).primary } else { theme::of(ui).quiet });
    let line = if is_on { theme::of(ui).teal } else { theme::of(ui).line };
    let button = Button::new(text)
        .fill(if is_on { theme::of(ui).teal_well } else { theme::of(ui).well })
        .stroke(Stroke::new(1.0, line))
        .corner_radius(5)
        .selected(is_on);
    ui.add(button)
}

/// A quiet button with an icon; `name` is what it is called where pictures are not seen.
pub fn icon_button(ui: &mut Ui, icon: Icon, name: &str, is_enabled: bool, tooltip: &str) -> Response {
    let button = Button::new(fonts::icon(icon)).fill(theme::of(ui).well).corner_radius(5).min_size(vec2(28.0, 24.0));
    let response = ui.add_enabled(is_enabled, button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_enabled, name));
    response.on_hover_text(tooltip).on_disabled_hover_text(tooltip)
}

/// An icon that stays down; `name` is what it is called where pictures are not seen.
pub fn icon_toggle(ui: &mut Ui, icon: Icon, name: &str, is_on: bool, tooltip: &str) -> Response {
    let colors = theme::of(ui);
    let (text, line, fill) =
        if is_on { (colors.primary, colors.teal, colors.teal_well) } else { (colors.quiet, colors.line, colors.well) };
    let button = Button::new(fonts::icon(icon).color(text))
        .fill(fill)
        .stroke(Stroke::new(1.0, line))
        .corner_radius(5)
        .min_size(vec2(28.0, 24.0));
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_on, name));
    response.on_hover_text(tooltip)
}

/// A large icon that stays down: a tool.
pub fn tool_button(ui: &mut Ui, icon: Icon, name: &str, is_on: bool, tooltip: &str) -> Response {
    let colors = theme::of(ui);
    let (text, fill) = if is_on { (colors.primary, colors.teal_fill) } else { (colors.normal, colors.bar) };
    let button = Button::new(fonts::icon(icon).size(18.0).color(text))
        .fill(fill)
        .stroke(Stroke::NONE)
        .corner_radius(6)
        .min_size(vec2(34.0, 34.0));
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_on, name));
    // Below the strip's button it would hide the next tools.
    hint_beside(&response, tooltip);
    response
}

/// A hint that stands to the right of its widget: what is below stays in sight.
pub fn hint_beside(response: &Response, text: &str) {
    for mut beside in [egui::Tooltip::for_enabled(response), egui::Tooltip::for_disabled(response)] {
        beside.popup = beside.popup.align(egui::RectAlign::RIGHT).gap(8.0);
        beside.show(|ui| ui.label(text));
    }
}

/// An entry of a menu: a tick where it is a switch that is on, its name, its key.
pub fn menu_entry(ui: &mut Ui, label: &str, key: &str, is_on: bool, is_enabled: bool) -> Response {
    let button = Button::new((tick(ui, is_on), label)).frame_when_inactive(false);
    let button = if key.is_empty() { button } else { button.shortcut_text(key) };
    let response = ui.add_enabled(is_enabled, button);
    // Without the tick and the key, which would be read as parts of the name.
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, is_enabled, is_on, label));
    response
}

/// An entry that opens a further menu.
pub fn submenu(ui: &mut Ui, label: &str, is_enabled: bool, content: impl FnOnce(&mut Ui)) {
    ui.add_enabled_ui(is_enabled, |ui| {
        let atoms = (tick(ui, false), label);
        let response = ui.menu_button(atoms, content).response;
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_enabled, label));
    });
}

/// The place before an entry of a menu: the tick of a switch that is on, or as much room.
fn tick(ui: &Ui, is_on: bool) -> RichText {
    let color = if is_on { theme::of(ui).teal } else { egui::Color32::TRANSPARENT };
    fonts::icon(Icon::Check).size(13.0).color(color)
}

/// A field of a number to drag or type. Enter, Tab and a click elsewhere keep what was typed, Escape does not (B59). What
/// cannot be kept as it was typed is told: see [`take_said`].
pub fn field(
    ui: &mut Ui,
    size: egui::Vec2,
    value: &mut f32,
    look: impl FnOnce(egui::DragValue<'_>) -> egui::DragValue<'_>,
) -> Response {
    field_within(ui, size, value, look, |typed, kept| {
        let (much, most) = if typed > kept { ("much", "most") } else { ("little", "least") };
        format!("{} is too {much} here: {} is the {most}", short(typed), short(kept))
    })
}

/// As [`field`]; `beyond` says why the number that was typed became the one that is kept.
fn field_within(
    ui: &mut Ui,
    size: egui::Vec2,
    value: &mut f32,
    look: impl FnOnce(egui::DragValue<'_>) -> egui::DragValue<'_>,
    beyond: impl FnOnce(f64, f64) -> String,
) -> Response {
    let before = *value;
    let typed = RefCell::new(None);
    let parse = |text: &str| {
        let number = typed_number(text);
        *typed.borrow_mut() = Some((text.trim().to_owned(), number));
        number
    };
    // As wide as it is, however long its text becomes: what stands beside it does not move.
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let justified = egui::Layout::centered_and_justified(ui.layout().main_dir());
    let mut place = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(justified));
    place.shrink_clip_rect(rect.expand(2.0));
    let drag = egui::DragValue::new(value).update_while_editing(false).clip_text(true).custom_parser(parse);
    let response = place.add(look(drag));
    let mut is_taken_back = false;
    if response.lost_focus() {
        // egui tells of a lost focus in two frames, and in the second it has forgotten the Escape and takes the text.
        let key = response.id.with("escaped");
        if ui.input(|i| i.key_pressed(egui::Key::Escape)) {
            ui.data_mut(|data| data.insert_temp(key, true));
            ui.ctx().request_repaint();
        } else if ui.data_mut(|data| data.remove_temp::<bool>(key)) == Some(true) {
            *value = before;
            is_taken_back = true;
        }
    }
    let kept = f64::from(*value);
    let said = match typed.into_inner().filter(|_| !is_taken_back) {
        Some((text, None)) if !text.is_empty() => Some(format!("“{text}” is no number: {} stays", short(kept))),
        Some((_, Some(number))) if (number - kept).abs() > 0.01 * number.abs().max(kept.abs()) => {
            Some(beyond(number, kept))
        }
        _ => None,
    };
    if let Some(said) = said {
        ui.data_mut(|data| data.insert_temp(said_id(), said));
        ui.ctx().request_repaint();
    }
    response
}

/// What fields had to say since the last call: for the status line.
pub fn take_said(ctx: &egui::Context) -> Option<String> {
    ctx.data_mut(|data| data.remove_temp(said_id()))
}

fn said_id() -> egui::Id {
    egui::Id::unique("said by a field")
}

/// A number with as few figures as say it.
fn short(number: f64) -> String {
    let figures = 2.0 - number.abs().max(1e-9).log10().floor();
    let scale = 10f64.powf(figures.max(0.0));
    format!("{}", (number * scale).round() / scale)
}

/// A number as people type it: with a comma, a real minus, the unit.
fn typed_number(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches(['°', 's']).trim_end().replace(',', ".").replace('−', "-");
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number to drag or type, with its name before it.
pub fn number(
    ui: &mut Ui,
    name: &str,
    value: &mut f32,
    range: std::ops::RangeInclusive<f32>,
    (speed, decimals): (f32, usize),
) -> Response {
    let label = ui.label(theme::quiet(name));
    let ends = [*range.start(), *range.end()].map(|end| short(f64::from(end)));
    field_within(
        ui,
        vec2(58.0, 22.0),
        value,
        |field| field.range(range).speed(speed).fixed_decimals(decimals),
        |_, _| format!("{name} goes from {} to {} here", ends[0], ends[1]),
    )
    .labelled_by(label.id)
}

/// Lets the number of this name have the keyboard as soon as it is shown.
pub fn give_keyboard(ctx: &egui::Context, name: &'static str) {
    ctx.data_mut(|data| data.insert_temp(keyboard_id(), name));
}

fn keyboard_id() -> egui::Id {
    egui::Id::unique("number that gets the keyboard")
}

/// Names a field of a number where no label beside it does.
pub fn name_number(response: &Response, name: &str, value: f32, is_enabled: bool) {
    if response.ctx.data(|data| data.get_temp::<&'static str>(keyboard_id())) == Some(name) {
        response.ctx.data_mut(|data| data.remove_temp::<&'static str>(keyboard_id()));
        response.request_focus();
        response.scroll_to_me(Some(egui::Align::Center));
    }
    response.widget_info(|| egui::WidgetInfo {
        label: Some(name.to_owned()),
        ..egui::WidgetInfo::drag_value(is_enabled, f64::from(value))
    });
}

/// A share from 0 to 1 as a bar that is dragged, with its name before it.
pub fn share(ui: &mut Ui, name: &str, value: &mut f32) -> Response {
    let label = ui.label(theme::quiet(name));
    let before = *value;
    let response = field(ui, vec2(64.0, 22.0), value, |field| field.range(0.0..=1.0).speed(0.005).fixed_decimals(2))
        .labelled_by(label.id);
    let bar = response.rect.shrink2(vec2(2.0, 0.0));
    let filled = egui::Rect::from_min_max(
        egui::pos2(bar.min.x, bar.max.y - 3.0),
        egui::pos2(bar.min.x + bar.width() * before.clamp(0.0, 1.0), bar.max.y - 1.0),
    );
    ui.painter().rect_filled(filled, 1.0, theme::of(ui).teal);
    response
}

/// Something to choose from a list, with its name before it; returns what was picked.
pub fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    chosen: (T, &str),
    places: impl Iterator<Item = (T, &'static str, &'static str)>,
) -> Option<T> {
    let mut picked = None;
    let label = ui.label(theme::quiet(name));
    let shown = egui::ComboBox::from_id_salt(name).selected_text(chosen.1).width(74.0).show_ui(ui, |ui| {
        for (value, text, hint) in places {
            let entry = menu_entry(ui, text, "", value == chosen.0, true);
            if !hint.is_empty() {
                hint_beside(&entry, hint);
            }
            if entry.clicked() {
                picked = Some(value);
                ui.close();
            }
        }
    });
    shown.response.labelled_by(label.id);
    picked
}

/// A card that floats over the view, as wide as asked for where there is room, and wider if its rows are. `corner` of it
/// is at `at`.
pub fn card(
    ctx: &egui::Context,
    id: &'static str,
    (corner, at): (egui::Align2, egui::Pos2),
    (within, width): (egui::Rect, f32),
    content: impl FnOnce(&mut Ui),
) {
    let area = egui::Area::new(egui::Id::unique(id)).order(egui::Order::Middle);
    area.pivot(corner).fixed_pos(at).constrain_to(within).show(ctx, |ui| {
        theme::use_stage_colors(ui);
        theme::float_frame().show(ui, |ui| {
            let key = egui::Id::unique(id).with("width of its rows");
            let of_rows = ui.data(|data| data.get_temp(key)).unwrap_or(width);
            let given = of_rows.max(width).min(within.width() - 44.0).max(0.0);
            ui.set_width(given);
            ui.spacing_mut().item_spacing.y = 6.0;
            content(ui);
            // A row that is wider would leave lines and the close button behind.
            let used = ui.min_rect().width();
            if used > of_rows.max(width) + 0.5 {
                ui.data_mut(|data| data.insert_temp(key, used));
                ui.ctx().request_repaint();
            }
        });
    });
}
