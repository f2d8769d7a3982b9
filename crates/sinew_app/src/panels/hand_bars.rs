//! What the bar shows while something else than a brush is in the hand, and the counters of marks at its end.

use egui::Ui;
use egui::containers::menu::{MenuButton, MenuConfig};
use lucide_icons::Icon;
use sinew_edit::{Curve, Editor, GradientShape, Line, args};

use super::{brush_card, controls, curve_editor, grouped};
use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::theme;
use crate::viewport::Viewport;
use crate::viewport::select::{Draws, SelectBy, Takes, n_selected};

fn title(ui: &mut Ui, name: &str, hint: &str) {
    let label = egui::Label::new(theme::heading(name)).halign(egui::Align::LEFT);
    ui.add_sized([58.0, 22.0], label).on_hover_text(hint);
}

/// The mask brush's own controls.
pub fn mask(ui: &mut Ui, viewport: &mut Viewport, actions: &mut Vec<Action>) {
    title(ui, "Mask", "Paint how much of a change each vertex takes");
    let value = &mut viewport.in_hand.mask_value;
    controls::share(ui, "Takes", value).on_hover_text("How much of a change a vertex takes: 0 protects it wholly");
    for (line, label, hint) in [
        ("clear_mask", "Clear mask", "Let every vertex change again"),
        ("invert_mask", "Invert mask", "Protect what is not protected, and the other way round"),
    ] {
        if ui.button(label).on_hover_text(hint).clicked() {
            actions.push(Action::Line(line.to_owned()));
        }
    }
}

/// The selection's controls.
pub fn select(ui: &mut Ui, editor: &Editor, viewport: &mut Viewport, actions: &mut Vec<Action>) {
    title(ui, "Select", "Click or drag; Shift adds, Ctrl takes away");
    let settings = &mut viewport.in_hand.select;
    ui.label(theme::quiet("Click"));
    if let Some(takes) = controls::segments(ui, &Takes::ALL, settings.takes) {
        settings.takes = takes;
    }
    ui.label(theme::quiet("Drag"));
    if let Some(draws) = controls::segments(ui, &Draws::ALL, settings.draws) {
        settings.draws = draws;
    }
    let hint = "A drag also takes what is hidden from the eye";
    if controls::toggle(ui, "Through", settings.through).on_hover_text(hint).clicked() {
        settings.through ^= true;
    }
    ui.add_space(4.0);
    let has_any = n_selected(editor) > 0;
    for (what, label) in [
        (Do::GrowSelection, "Grow"),
        (Do::ShrinkSelection, "Shrink"),
        (Do::SelectLinked, "Linked"),
        (Do::InvertSelection, "Invert"),
        (Do::MirrorSelection, "Mirror"),
        (Do::Isolate, "Isolate"),
        (Do::HideSelected, "Hide"),
    ] {
        let is_able = has_any || what == Do::InvertSelection;
        let button = ui.add_enabled(is_able, egui::Button::new(label));
        let name = binding(what).label;
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_able, name));
        if button.on_hover_text(binding(what).tooltip(ui.ctx())).clicked() {
            actions.push(Action::Do(what));
        }
    }
    by(ui, editor, &mut viewport.in_hand.select_by, actions);
}

/// A menu of what else to select by. It stays open while a number is typed.
fn by(ui: &mut Ui, editor: &Editor, by: &mut SelectBy, actions: &mut Vec<Action>) {
    let config = MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    MenuButton::new("Select by").config(config).ui(ui, |ui| {
        ui.set_min_width(230.0);
        let document = editor.document();
        let joint = editor.session.active_joint.map(|joint| args::joint_name(document, None, joint));
        let (has_joint, joint) = (joint.is_some(), joint.unwrap_or_default());
        let of_joint = || Line::new("select").with("joint", &joint);
        let mut entry = |ui: &mut Ui, label: &str, is_able: bool, line: Line| {
            if ui.add_enabled(is_able, egui::Button::new(label)).clicked() {
                actions.push(Action::Line(line.to_string()));
                ui.close();
            }
        };
        entry(ui, "Any weight of the active joint", has_joint, of_joint());
        ui.horizontal(|ui| {
            entry(ui, "Weight at least", has_joint, of_joint().with("min", by.least));
            share(ui, "Least weight", &mut by.least);
        });
        ui.horizontal(|ui| {
            entry(ui, "Weight at most", has_joint, of_joint().with("max", by.greatest));
            share(ui, "Greatest weight", &mut by.greatest);
        });
        entry(ui, "Weight 1", has_joint, of_joint().with("min", "1"));
        ui.separator();
        ui.horizontal(|ui| {
            entry(ui, "Influences more than", true, Line::new("select").with("over", by.over));
            let mut over = f32::from(by.over);
            let field =
                controls::field(ui, FIELD, &mut over, |field| field.range(1.0..=64.0).speed(0.05).fixed_decimals(0));
            controls::name_number(&field, "Most influences", over, true);
            by.over = over.round() as u8;
        });
        entry(ui, "No weight at all", true, Line::new("select_unweighted"));
    });
}

const FIELD: egui::Vec2 = egui::vec2(52.0, 22.0);

fn share(ui: &mut Ui, name: &str, value: &mut f32) {
    let field = controls::field(ui, FIELD, value, |field| field.range(0.0..=1.0).speed(0.005).fixed_decimals(2));
    controls::name_number(&field, name, *value, true);
}

/// The gradient's controls.
pub fn gradient(ui: &mut Ui, editor: &mut Editor, viewport: &mut Viewport) {
    title(ui, "Gradient", "Drag from where it begins to where it ends; Enter keeps it, Esc does not");
    let settings = &mut viewport.in_hand.gradient;
    let shapes = GradientShape::ALL.map(|shape| {
        let hint = match shape {
            GradientShape::Linear => "The weight runs along the line",
            GradientShape::Radial => "The weight runs away from the first point",
        };
        (shape, shape.label(), hint)
    });
    if let Some(shape) = controls::segments(ui, &shapes, settings.shape) {
        settings.shape = shape;
    }
    let brush = &mut editor.session.brush;
    controls::share(ui, "Value", &mut brush.value).on_hover_text("The weight where the profile is highest");
    controls::share(ui, "Strength", &mut brush.strength).on_hover_text("How much of the way vertices go");
    ui.label(theme::quiet("Profile"));
    ui.spacing_mut().item_spacing.x = 4.0;
    for (name, hint, curve) in [
        ("Straight profile", "In a straight line", Curve::LINE),
        ("Wide profile", "Turns slowly over its whole length: an elbow, a knee", Curve::WIDE),
        ("Narrow profile", "Turns within the middle third: a knuckle", Curve::NARROW),
    ] {
        let is_on = settings.profile == curve;
        if curve_editor::thumbnail(ui, (name, hint), is_on, |x| curve.at(x)).clicked() {
            settings.profile = curve;
        }
    }
    let shaped = ui.menu_button("Shape", |ui| {
        ui.set_min_width(240.0);
        if let Some(curve) = curve_editor::show(ui, "Profile curve", &settings.profile, 110.0) {
            settings.profile = curve;
        }
        brush_card::line(ui);
        ui.label(theme::quiet("From begin (left) to end (right)"));
    });
    shaped.response.on_hover_text("Shape the profile by hand");
    let hint = "Vertices before its begin and beyond its end get the weight there";
    if controls::toggle(ui, "Beyond", settings.beyond).on_hover_text(hint).clicked() {
        settings.beyond ^= true;
    }
    let hint =
        "Only the connected part where it begins: not hair, bag or skirt beside it. What is selected counts instead";
    if controls::toggle(ui, "Connected only", settings.connected).on_hover_text(hint).clicked() {
        settings.connected ^= true;
    }
    let (name, hint) = brush_card::EXISTING;
    if controls::toggle(ui, name, settings.existing).on_hover_text(hint).clicked() {
        settings.existing ^= true;
    }
    ui.spacing_mut().item_spacing.x = 8.0;
}

/// How many vertices are selected, masked and hidden, each with a way out.
pub fn marks(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let document = editor.document();
    // Rigid parts can be hidden, too.
    let meshes: Vec<_> = (0..document.meshes().len()).map(sinew_model::MeshIndex::from_idx).collect();
    let sum = |of: &dyn Fn(sinew_model::MeshIndex) -> usize| meshes.iter().map(|&mesh| of(mesh)).sum::<usize>();
    let counts = [
        (sum(&|mesh| document.selection(mesh).len()), "selected", "Select nothing", "select_none"),
        (sum(&|mesh| document.mask(mesh).n_masked()), "masked", "Clear mask", "clear_mask"),
        (sum(&|mesh| document.hidden(mesh).len()), "hidden", "Show hidden", "reveal"),
    ];
    if counts.iter().all(|(n, ..)| *n == 0) {
        return;
    }
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 4.0);
    // From right to left.
    for (n, what, way_out, line) in counts.into_iter().rev().filter(|(n, ..)| *n > 0) {
        if controls::icon_button(ui, Icon::X, way_out, true, way_out).clicked() {
            actions.push(Action::Line(line.to_owned()));
        }
        ui.label(egui::RichText::new(format!("{} {what}", grouped(n))).color(theme::of(ui).normal));
        ui.add_space(8.0);
    }
    ui.spacing_mut().item_spacing.x = gap;
}
