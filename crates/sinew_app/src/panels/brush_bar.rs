//! What is in the hand and how it is held: a brush, the mask brush, the selection, a gradient. Each has its own controls
//! in the one bar; what they share stands in the same place.

use egui::scroll_area::ScrollBarVisibility;
use egui::{Align, Layout, Ui, vec2};
use lucide_icons::Icon;
use sinew_edit::brushes::Needs;
use sinew_edit::tools::{PaintModifiers, paint};
use sinew_edit::{BrushSettings, Editor, Falloff, GiveTo, Reach};
use sinew_model::NodeIndex;

use super::brush_card::BrushCard;
use super::symmetry_card::SymmetryCard;
use super::{controls, hand_bars};
use crate::action::{Action, Notice};
use crate::brush_memory::BrushMemory;
use crate::keymap::{Do, Mode, binding};
use crate::theme;
use crate::viewport::Viewport;
use crate::viewport::hand::Hand;

/// A bar of this width has room for all labels, points.
const ROOMY: f32 = 1180.0;
/// Of the buttons at the ends of a bar that has no room, points.
const END_WIDTH: f32 = 20.0;
/// So much of what is seen they scroll.
const PAGE: f32 = 0.7;

// Names on the bar, and one line about each.
pub(super) const FRONT_ONLY: (&str, &str) = ("Front only", "Paint only what faces you and is not hidden");
pub(super) const PROTECT: (&str, &str) =
    ("Protect what I painted", "Lock a joint that was painted as soon as another one is painted");
pub(super) const LANE: (&str, &str) =
    ("Lane", "Exchange weight only among the joints of the lane; Shift and a click in the list choose them");
pub(super) const AS_ONE: (&str, &str) =
    ("As one", "Paint the lane's joints as one joint, their ratio kept; the others make room for them");
pub(super) const OPTIONS: (&str, &str) = ("Brush options", "Presets, falloff curve, stroke, who takes what is removed");
pub(super) const SYMMETRY: (&str, &str) = ("Symmetry", "Axis, plane, joint pairs, mirroring what is there");

const MORE_LEFT: (&str, &str) = ("More to the left", "Scroll the bar to the left; the wheel does it, too");
const MORE_RIGHT: (&str, &str) = ("More to the right", "Scroll the bar to the right; the wheel does it, too");

/// The cards that bars open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Card {
    /// All of the brush.
    Brush,
    /// Symmetry.
    Symmetry,
    /// How weights are shown.
    Display,
}

/// The bar, its cards, and what they keep between frames.
#[derive(Default)]
pub struct BrushBar {
    brush_card: BrushCard,
    symmetry_card: SymmetryCard,
    /// The lane while it is off.
    lane: Vec<NodeIndex>,
    /// Whether what is kept between runs was taken.
    was_loaded: bool,
    /// How the bar was laid out last.
    laid: LaidOut,
}

/// How wide everything on the bar is, and how far it is scrolled, points.
#[derive(Clone, Copy, Default)]
struct LaidOut {
    width: f32,
    offset: f32,
    /// Where the next layout scrolls to.
    to: Option<f32>,
}

impl BrushBar {
    /// The card of symmetry.
    pub fn symmetry_card(&mut self) -> &mut SymmetryCard {
        &mut self.symmetry_card
    }

    /// Opens one of the bar's cards.
    pub(super) fn open(&mut self, card: Card) {
        self.brush_card.is_open = card == Card::Brush;
        self.symmetry_card.is_open = card == Card::Symmetry;
    }

    /// Closes the card that is open; whether one was.
    pub fn close_card(&mut self) -> bool {
        let was_open = self.brush_card.is_open || self.symmetry_card.is_open;
        (self.brush_card.is_open, self.symmetry_card.is_open) = (false, false);
        was_open
    }

    /// Another file is open: joints are others.
    pub fn forget(&mut self) {
        self.lane.clear();
        self.symmetry_card.forget();
    }

    /// Draws the bar and its cards.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        editor: &mut Editor,
        viewport: &mut Viewport,
        memory: &mut BrushMemory,
        actions: &mut Vec<Action>,
    ) {
        if !std::mem::replace(&mut self.was_loaded, true) {
            viewport.screen_size.points = memory.size_points;
        }
        viewport.keep_screen_size(editor);
        if editor.session.paint.protect && editor.stroke().is_none() {
            editor.protect_painted();
        }
        let is_narrow = ui.available_width() < ROOMY;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // Always in sight: what is marked explains why a brush does nothing.
            hand_bars::marks(ui, editor, actions);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                self.in_hand(ui, editor, viewport, is_narrow, actions);
            });
        });
        let within = viewport.area().rect();
        if self.brush_card.is_open && viewport.in_hand.hand != Hand::Select {
            memory.size_points = viewport.screen_size.points;
            let pen = &mut viewport.options.pen;
            self.brush_card.show(ui, within, editor, memory, pen);
            viewport.screen_size.points = memory.size_points;
        }
        memory.size_points = viewport.screen_size.points;
        self.symmetry_card.show(ui, within, editor, &mut viewport.options, actions);
    }

    fn in_hand(
        &mut self,
        ui: &mut Ui,
        editor: &mut Editor,
        viewport: &mut Viewport,
        is_narrow: bool,
        actions: &mut Vec<Action>,
    ) {
        // What has no room is scrolled to: by the buttons at the ends, by the wheel or by the Tab key.
        let mut room = ui.available_width();
        let mut area = egui::ScrollArea::horizontal().scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
        let is_short = self.laid.width > room + 1.0;
        if is_short {
            room -= 2.0 * (END_WIDTH + ui.spacing().item_spacing.x);
            area = area.max_width(room);
            self.end(ui, room, -1.0);
            if let Some(offset) = self.laid.to {
                area = area.horizontal_scroll_offset(offset);
            }
        }
        ui.style_mut().always_scroll_the_only_direction = true;
        let output = area.show(ui, |ui| {
            ui.horizontal_centered(|ui| match viewport.in_hand.hand {
                Hand::Brush => self.brush(ui, editor, viewport, is_narrow, actions),
                Hand::Mask => {
                    hand_bars::mask(ui, viewport, actions);
                    self.where_and_how_large(ui, editor, viewport, is_narrow);
                    self.mirror(ui, editor, actions);
                }
                Hand::Select => hand_bars::select(ui, editor, viewport, actions),
                Hand::Gradient => {
                    hand_bars::gradient(ui, editor, viewport);
                    self.mirror(ui, editor, actions);
                }
            })
        });
        let laid = LaidOut { width: output.content_size.x, offset: output.state.clamped_offset().x, to: None };
        if (laid.width > room + 1.0) != is_short {
            ui.ctx().request_repaint();
        }
        self.laid = laid;
        if is_short {
            self.end(ui, room, 1.0);
        }
    }

    /// The button at an end of a bar that is wider than its room: left (-1) or right (1).
    fn end(&mut self, ui: &mut Ui, room: f32, sign: f32) {
        let LaidOut { width, offset, .. } = self.laid;
        let to = (offset + sign * room * PAGE).clamp(0.0, (width - room).max(0.0));
        let is_able = (to - offset).abs() > 0.5;
        let (icon, (name, hint)) =
            if sign < 0.0 { (Icon::ChevronLeft, MORE_LEFT) } else { (Icon::ChevronRight, MORE_RIGHT) };
        let button = egui::Button::new(crate::fonts::icon(icon).size(13.0)).fill(theme::of(ui).well).corner_radius(5);
        let padding = std::mem::replace(&mut ui.spacing_mut().button_padding.x, 2.0);
        let response = ui.add_enabled(is_able, button.min_size(vec2(END_WIDTH, 24.0)));
        ui.spacing_mut().button_padding.x = padding;
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_able, name));
        if response.on_hover_text(hint).clicked() {
            self.laid.to = Some(to);
            ui.ctx().request_repaint();
        }
    }

    fn brush(
        &mut self,
        ui: &mut Ui,
        editor: &mut Editor,
        viewport: &mut Viewport,
        is_narrow: bool,
        actions: &mut Vec<Action>,
    ) {
        let held = held_brush(ui, editor, viewport);
        let is_other = held != editor.session.brush;
        let mut brush = held;
        let name = theme::heading(brush.brush.label);
        let name = if is_other { name.color(theme::of(ui).teal) } else { name };
        let name = ui.add_sized([58.0, 22.0], egui::Label::new(name).halign(Align::LEFT));
        name.on_hover_text(brush.brush.hint);
        if brush.brush.uses_value {
            controls::share(ui, "Value", &mut brush.value).on_hover_text("The weight that is painted");
        }
        controls::share(ui, "Strength", &mut brush.strength).on_hover_text("How much of the way one dab goes");
        // What the quasi-mode shows is not held so.
        if !is_other {
            editor.session.brush = brush;
        }
        self.where_and_how_large(ui, editor, viewport, is_narrow);
        self.mirror(ui, editor, actions);
        self.lane(ui, editor, actions);
        as_one(ui, editor, actions);
        taker(ui, editor);
        let mut protect = editor.session.paint.protect;
        if controls::icon_toggle(ui, Icon::ShieldCheck, PROTECT.0, protect, PROTECT.1).clicked() {
            protect ^= true;
            editor.session.paint.protect = protect;
        }
        flood_button(ui, editor, actions);
    }

    fn where_and_how_large(&mut self, ui: &mut Ui, editor: &mut Editor, viewport: &mut Viewport, is_narrow: bool) {
        size(ui, editor, viewport);
        ui.add_space(if is_narrow { 0.0 } else { 4.0 });
        let brush = &mut editor.session.brush;
        let falloffs = Falloff::ALL.into_iter().map(|falloff| (falloff, falloff.label(), ""));
        if let Some(falloff) = controls::choice(ui, "Falloff", (brush.falloff, brush.falloff.label()), falloffs) {
            brush.falloff = falloff;
        }
        if !is_narrow {
            ui.add_space(4.0);
            ui.label(theme::quiet("Reach"));
        }
        let key = crate::keymap::key_text(ui.ctx(), Do::CycleReach);
        let hints = Reach::ALL.map(|reach| format!("{} ({key}: the next)", reach_hint(reach)));
        let places: Vec<_> =
            Reach::ALL.iter().zip(&hints).map(|(&reach, hint)| (reach, reach.label(), hint.as_str())).collect();
        if let Some(reach) = controls::segments(ui, &places, brush.reach) {
            brush.reach = reach;
        }
        if controls::toggle(ui, FRONT_ONLY.0, brush.front_only).on_hover_text(FRONT_ONLY.1).clicked() {
            brush.front_only = !brush.front_only;
        }
        let is_open = self.brush_card.is_open;
        let more = controls::icon_toggle(ui, Icon::SlidersHorizontal, OPTIONS.0, is_open, OPTIONS.1);
        if more.clicked() {
            self.brush_card.is_open ^= true;
            self.symmetry_card.is_open = false;
        }
    }

    fn mirror(&mut self, ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
        let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 2.0);
        let paint = &editor.session.paint;
        let (is_on, axis) = (paint.mirror.is_some(), paint.symmetry().axis);
        let label = format!("Mirror {}", ["X", "Y", "Z"][axis.min(2)]);
        let hint = binding(Do::ToggleMirror).tooltip(ui.ctx());
        if controls::toggle(ui, &label, is_on).on_hover_text(hint).clicked() {
            actions.push(Action::Do(Do::ToggleMirror));
        }
        let open = controls::icon_toggle(ui, Icon::ChevronDown, SYMMETRY.0, self.symmetry_card.is_open, SYMMETRY.1);
        ui.spacing_mut().item_spacing.x = gap;
        if open.clicked() {
            self.symmetry_card.is_open ^= true;
            self.brush_card.is_open = false;
        }
    }

    fn lane(&mut self, ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
        let n = editor.session.paint.lane.len();
        let label = if n > 0 { format!("{}: {n}", LANE.0) } else { LANE.0.to_owned() };
        if controls::toggle(ui, &label, n > 0).on_hover_text(LANE.1).clicked() {
            actions.push(Action::Say(self.turn_lane(editor)));
        }
    }

    /// Turns the lane on or off; what is to be said about it.
    pub(super) fn turn_lane(&mut self, editor: &mut Editor) -> Notice {
        if !editor.session.paint.lane.is_empty() {
            self.lane = std::mem::take(&mut editor.session.paint.lane);
            return about_lane(editor);
        }
        if self.lane.is_empty() {
            self.lane = first_lane(editor);
        }
        editor.session.paint.lane.clone_from(&self.lane);
        if self.lane.is_empty() {
            return Notice::refused("no joint is active: Shift and a click in the list choose the lane");
        }
        about_lane(editor)
    }
}

/// What is said about the lane once it is another one.
pub(super) fn about_lane(editor: &Editor) -> Notice {
    let nodes = editor.document().nodes();
    let names: Vec<String> = editor.session.paint.lane.iter().map(|&joint| nodes.label(joint)).collect();
    if names.is_empty() {
        Notice::done("Weight is exchanged among all joints again")
    } else {
        Notice::done(format!("Weight is exchanged among {} only", names.join(", ")))
    }
}

/// Who takes what the painted joint gives up, where it is one joint: with the card closed nothing else tells. A click
/// lets the others take it again.
fn taker(ui: &mut Ui, editor: &mut Editor) {
    let GiveTo::Joint(joint) = editor.session.paint.give else { return };
    let name = editor.document().nodes().label(joint);
    let is_painted = editor.session.active_joint == Some(joint);
    let label = if is_painted { "Gives to itself".to_owned() } else { format!("Gives to {}", shortened(&name)) };
    let color = if is_painted { theme::of(ui).warning } else { theme::of(ui).primary };
    let button = egui::Button::new(egui::RichText::new(label).color(color)).fill(theme::of(ui).teal_well);
    let response = ui.add(button.stroke(egui::Stroke::new(1.0, theme::of(ui).teal)).corner_radius(5));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Gives to {name}")));
    let what = if is_painted {
        format!("{name} is painted and cannot take what it gives up: the others do. Paint another joint.")
    } else {
        format!("What the painted joint gives up goes to {name}.")
    };
    if response.on_hover_text(format!("{what} Click: the others take it again.")).clicked() {
        editor.session.paint.give = GiveTo::Others;
    }
}

/// A name with at most so many letters as the bar has room for; its end tells left from right.
fn shortened(name: &str) -> String {
    const MOST: usize = 16;
    let n = name.chars().count();
    if n <= MOST { name.to_owned() } else { format!("…{}", name.chars().skip(n - MOST + 1).collect::<String>()) }
}

fn as_one(ui: &mut Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    let paint = &editor.session.paint;
    let n = paint.together.len();
    if n == 0 && paint.lane.len() < 2 {
        return;
    }
    let label = if n > 0 { format!("{}: {n}", AS_ONE.0) } else { AS_ONE.0.to_owned() };
    if controls::toggle(ui, &label, n > 0).on_hover_text(AS_ONE.1).clicked() {
        actions.push(Action::Say(turn_as_one(editor)));
    }
}

/// Paints the chosen joints as one, or no longer: an exchange among them would be none, so the lane is off then. What is to
/// be said about it.
pub(super) fn turn_as_one(editor: &mut Editor) -> Notice {
    let paint = &mut editor.session.paint;
    if !paint.together.is_empty() {
        paint.lane = std::mem::take(&mut paint.together).into_iter().collect();
        Notice::done("Weight is exchanged among the lane's joints")
    } else if paint.lane.len() < 2 {
        Notice::refused("expected a lane of two joints or more: Shift and a click in the list choose it")
    } else {
        paint.together = std::mem::take(&mut paint.lane).into_iter().collect();
        Notice::done("The lane's joints are painted as one, their ratio kept")
    }
}

/// The brush as the keys that are held make it; that of the stroke while one is painted.
fn held_brush(ui: &Ui, editor: &Editor, viewport: &Viewport) -> BrushSettings {
    if let Some(stroke) = editor.stroke() {
        return stroke.spec().brush;
    }
    let brush = editor.session.brush;
    let is_over = viewport.mode() == Mode::Idle && viewport.hover().is_some() && !ui.ctx().text_edit_focused();
    let held = ui.input(|i| i.modifiers);
    if !is_over || held.alt || (held.command && held.shift) {
        return brush;
    }
    paint::modified(brush, PaintModifiers { invert: held.command, smooth: held.shift, ..PaintModifiers::default() })
}

/// The active joint and the joint above it: weight goes to and fro between the two.
fn first_lane(editor: &Editor) -> Vec<NodeIndex> {
    let Some(joint) = editor.session.active_joint else { return Vec::new() };
    let document = editor.document();
    let above = std::iter::successors(document.nodes().parent(joint), |&node| document.nodes().parent(node));
    let parent = above.into_iter().find(|&node| document.is_joint(node));
    std::iter::once(joint).chain(parent).collect()
}

fn size(ui: &mut Ui, editor: &mut Editor, viewport: &mut Viewport) {
    let hint = binding(Do::SizeBrush).tooltip(ui.ctx());
    if let Some(points) = viewport.screen_size.points {
        let label = ui.label(theme::quiet("Size"));
        let mut size = f32::from(points);
        let field = controls::field(ui, vec2(58.0, 22.0), &mut size, |field| {
            field.range(1.0..=4000.0).speed(0.5).fixed_decimals(0).suffix(" px")
        });
        let field = field.labelled_by(label.id).on_hover_text(format!("Radius on screen. {hint}"));
        if field.changed() || size != f32::from(points) {
            viewport.screen_size.set(editor, size.round() as u16);
        }
        return;
    }
    let range = viewport.radius_range();
    let brush = &mut editor.session.brush;
    let speed = (brush.radius * 0.01).max(1e-6);
    let decimals = decimals_for(brush.radius);
    controls::number(ui, "Size", &mut brush.radius, range, (speed, decimals))
        .on_hover_text(format!("Radius in the file's units. {hint}"));
}

fn flood_button(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let brush = editor.session.brush;
    let is_able = brush.brush.needs != Needs::Upstream && editor.session.active_joint.is_some();
    let hint = binding(Do::Flood).tooltip(ui.ctx());
    if controls::icon_button(ui, Icon::PaintBucket, "Flood", is_able, &hint).clicked() {
        actions.push(Action::Do(Do::Flood));
    }
}

pub(super) fn reach_hint(reach: Reach) -> &'static str {
    match reach {
        Reach::Surface => "Along the surface: never jumps across a gap",
        Reach::Volume => "Straight through space: everything inside the ball",
        Reach::Screen => "Through the model as it is seen: everything inside the circle",
    }
}

/// So many decimals that three figures of a size can be read.
fn decimals_for(size: f32) -> usize {
    (2.0 - size.max(1e-6).log10().floor()).clamp(0.0, 6.0) as usize
}
