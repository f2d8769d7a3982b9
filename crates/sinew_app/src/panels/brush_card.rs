//! The card with all of the brush: presets, falloff, stroke, what a vertex takes. It stays open while one paints.

use egui::{Rect, Sense, Ui, pos2, vec2};
use lucide_icons::Icon;
use sinew_edit::brushes::Needs;
use sinew_edit::{BrushSettings, Editor, Falloff, GiveTo};

use super::{controls, curve_editor};
use crate::brush_memory::{self, BrushMemory};
use crate::theme;
use crate::viewport::options::PenUse;

const WIDTH: f32 = 316.0;
const LABEL_WIDTH: f32 = 74.0;
/// Cards stand at the view's right, below its axes: the model stays in sight.
pub(super) const BELOW_AXES: f32 = 92.0;

// Names on the card, and one line about each.
pub(super) const ONCE: (&str, &str) =
    ("Once", "Act on each vertex once a stroke, by the strongest dab, however often it passes");
pub(super) const EXISTING: (&str, &str) =
    ("Only joints already there", "Only joints that a vertex already has may gain: no strangers are brought in");
pub(super) const SHELL: (&str, &str) =
    ("Shell only", "Only the connected part under the brush: not the tooth inside the lip");
pub(super) const ALL_MESHES: (&str, &str) = (
    "All meshes",
    "All visible meshes of the skeleton: body and clothes in one stroke; an average is that of all of them",
);
pub(super) const UNASSIGNED: (&str, &str) = (
    "Leave unassigned",
    "Take from and give to the share of a vertex that no joint has, before other joints. Settle it before saving.",
);
pub(super) const GIVE_TO_ACTIVE: (&str, &str) =
    ("Give to active joint", "From now on what other joints lose goes to the active joint");
pub(super) const RESET: (&str, &str) = ("Reset brush", "This brush as it comes, at its size and reach");
const SPACING: (&str, &str) = ("Spacing", "Distance between dabs, in radii");
const STABILISER: (&str, &str) =
    ("Stabiliser", "The brush trails the pointer by so much: long strokes come out steadier");
const AIRBRUSH: (&str, &str) = ("Airbrush", "Dabs a second while the pointer rests; 0 for none");
const TIMES: (&str, &str) = ("Times", "How often each dab is done");
pub(super) const GAP: (&str, &str) =
    ("Across gaps", "So far smoothing also sees other shells of the same mesh, in the file's units; 0 for not at all");
/// The card's numbers.
pub(super) const NUMBERS: [(&str, &str); 5] = [SPACING, STABILISER, AIRBRUSH, TIMES, GAP];
/// What a brush is measured in: pixels or not, name, one line.
pub(super) const SIZE_IN: [(bool, &str, &str); 2] = [
    (false, "Model units", "The same on the model however near the camera is"),
    (true, "Pixels", "The same on screen however near the camera is"),
];
/// Who takes what is removed, but for a chosen joint: value, name, one line.
pub(super) const GIVES: [(GiveTo, &str, &str); 3] = [
    (GiveTo::Others, "Others", "Removed weight goes to the vertex's other joints, in proportion"),
    (GiveTo::Neighbours, "Neighbours", "Removed weight goes to the joints of the vertices around"),
    (GiveTo::Parent, "Parent", "Removed weight goes to the painted joint's parent"),
];

/// What the card keeps between frames.
#[derive(Default)]
pub struct BrushCard {
    /// Whether it is shown.
    pub is_open: bool,
    /// The name that is typed for a new preset.
    name: String,
}

impl BrushCard {
    /// Draws the card at the right of the view.
    pub fn show(&mut self, ui: &Ui, within: Rect, editor: &mut Editor, memory: &mut BrushMemory, pen: &mut PenUse) {
        if !self.is_open {
            return;
        }
        let at = pos2(within.max.x - 10.0, within.min.y + BELOW_AXES);
        controls::card(ui.ctx(), "brush card", (egui::Align2::RIGHT_TOP, at), (within, WIDTH), |ui| {
            self.head(ui, editor);
            let height = (within.height() - BELOW_AXES - 64.0).max(120.0);
            egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
                self.presets(ui, editor, memory);
                line(ui);
                falloff(ui, &mut editor.session.brush);
                line(ui);
                stroke(ui, editor, memory, pen);
                line(ui);
                rows(ui, editor);
            });
        });
    }

    fn head(&mut self, ui: &mut Ui, editor: &mut Editor) {
        ui.horizontal(|ui| {
            ui.label(theme::heading(editor.session.brush.brush.label));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if controls::icon_button(ui, Icon::X, "Close brush", true, "Close").clicked() {
                    self.is_open = false;
                }
                let now = editor.session.brush;
                let first = brush_memory::first(now.brush);
                let is_changed = BrushSettings { radius: now.radius, reach: now.reach, ..first } != now;
                if controls::icon_button(ui, Icon::RotateCcw, RESET.0, is_changed, RESET.1).clicked() {
                    BrushMemory::reset(editor);
                }
            });
        });
    }

    fn presets(&mut self, ui: &mut Ui, editor: &mut Editor, memory: &mut BrushMemory) {
        let size = editor.bounds().diagonal();
        let names: Vec<String> = memory.preset_names().map(str::to_owned).collect();
        if !names.is_empty() {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
                for (i, name) in names.iter().enumerate() {
                    let is_on = memory.is_preset(i, &editor.session.brush, size);
                    let preset = controls::toggle(ui, name, is_on).on_hover_text("Hold the brush as it was saved");
                    if preset.clicked() {
                        memory.use_preset(i, editor);
                    }
                    if is_on {
                        let label = format!("Delete preset {name}");
                        if controls::icon_button(ui, Icon::Trash2, &label, true, &label).clicked() {
                            memory.delete_preset(i);
                        }
                    }
                }
            });
        }
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut self.name).hint_text("Name a preset").desired_width(200.0);
            let field = ui.add(field);
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Preset name"));
            let is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            let is_named = !self.name.trim().is_empty();
            let hint = "Keep this brush as it is held now, under the name";
            let save = ui.add_enabled(is_named, egui::Button::new("Save preset")).on_hover_text(hint);
            if is_named && (save.clicked() || is_entered) {
                memory.save_preset(&self.name, editor);
                self.name.clear();
            }
        });
    }
}

fn falloff(ui: &mut Ui, brush: &mut BrushSettings) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for falloff in Falloff::ALL {
            let curve = brush.curve;
            let name = format!("{} falloff", falloff.label());
            let is_on = brush.falloff == falloff;
            let at = |x: f32| falloff.along(&curve, x);
            if curve_editor::thumbnail(ui, (&name, falloff.label()), is_on, at).clicked() {
                brush.falloff = falloff;
            }
        }
    });
    if brush.falloff == Falloff::Curve
        && let Some(curve) = curve_editor::show(ui, "Falloff curve", &brush.curve, 96.0)
    {
        brush.curve = curve;
    }
}

fn stroke(ui: &mut Ui, editor: &mut Editor, memory: &mut BrushMemory, pen: &mut PenUse) {
    row(ui, "Size in", |ui| {
        if let Some(in_pixels) = controls::segments(ui, &SIZE_IN, memory.size_points.is_some()) {
            // The view finds how many it is now.
            memory.size_points = in_pixels.then_some(0);
        }
    });
    let brush = &mut editor.session.brush;
    row(ui, "Stroke", |ui| {
        number(ui, SPACING, &mut brush.spacing, (0.02, 2.0, 0.01, 2, ""));
        flip(ui, ONCE, &mut brush.once);
    });
    row(ui, "Hand", |ui| {
        number(ui, STABILISER, &mut brush.lazy_px, (0.0, 100.0, 0.5, 0, " px"));
        number(ui, AIRBRUSH, &mut brush.airbrush_hz, (0.0, 60.0, 0.25, 0, " /s"));
    });
    row(ui, "Pen sets", |ui| {
        if let Some(what) = controls::segments(ui, &PenUse::ALL, *pen) {
            *pen = what;
        }
    });
}

fn rows(ui: &mut Ui, editor: &mut Editor) {
    let joint = editor.session.active_joint;
    let brush = &mut editor.session.brush;
    row(ui, "Dab", |ui| {
        let mut iterations = brush.iterations as f32;
        number(ui, TIMES, &mut iterations, (1.0, 100.0, 0.1, 0, "×"));
        brush.iterations = iterations.round().max(1.0) as u32;
        flip(ui, EXISTING, &mut brush.existing_only);
    });
    row(ui, "Where", |ui| {
        flip(ui, SHELL, &mut brush.shell_only);
        flip(ui, ALL_MESHES, &mut editor.session.paint.all_meshes);
    });
    row(ui, "The rest", |ui| {
        flip(ui, UNASSIGNED, &mut editor.session.paint.leaves_unassigned);
    });
    let brush = &mut editor.session.brush;
    if brush.brush.needs == Needs::Neighbours && !brush.brush.uses_value {
        row(ui, "Gaps", |ui| {
            let speed = (brush.radius * 0.01).max(1e-5);
            number(ui, GAP, &mut brush.gap, (0.0, f32::MAX, speed, 3, ""));
        });
    }
    row(ui, "Gives to", |ui| {
        let give = editor.session.paint.give;
        let mut places = GIVES.to_vec();
        let chosen = match give {
            GiveTo::Joint(joint) => Some(joint),
            _ => None,
        };
        let label = chosen.map(|joint| editor.document().nodes().label(joint)).unwrap_or_default();
        if let Some(joint) = chosen {
            places.push((GiveTo::Joint(joint), &label, "Removed weight goes to this joint"));
        }
        if let Some(give) = controls::segments(ui, &places, give) {
            editor.session.paint.give = give;
        }
    });
    row(ui, "", |ui| {
        let is_given = editor.session.paint.give == joint.map_or(GiveTo::Others, GiveTo::Joint);
        let button = ui.add_enabled(joint.is_some() && !is_given, egui::Button::new(GIVE_TO_ACTIVE.0));
        if button.on_hover_text(GIVE_TO_ACTIVE.1).clicked()
            && let Some(joint) = joint
        {
            editor.session.paint.give = GiveTo::Joint(joint);
        }
    });
}

/// A line of a card: its name, then its controls.
pub(super) fn row(ui: &mut Ui, name: &str, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let (rect, _) = ui.allocate_exact_size(vec2(LABEL_WIDTH, 22.0), Sense::hover());
        let at = pos2(rect.min.x, rect.center().y);
        let font = egui::FontId::proportional(12.5);
        ui.painter().text(at, egui::Align2::LEFT_CENTER, name, font, theme::of(ui).quiet);
        content(ui);
    });
}

/// A thin line between parts of a card.
pub(super) fn line(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, egui::Stroke::new(1.0, theme::of(ui).line));
}

fn number(
    ui: &mut Ui,
    (name, hint): (&str, &str),
    value: &mut f32,
    (least, most, speed, decimals, unit): (f32, f32, f32, usize, &str),
) {
    ui.label(theme::quiet(name));
    let field = controls::field(ui, vec2(50.0, 22.0), value, |field| {
        field.range(least..=most).speed(speed).fixed_decimals(decimals).suffix(unit)
    });
    controls::name_number(&field, name, *value, true);
    field.on_hover_text(hint);
}

fn flip(ui: &mut Ui, (name, hint): (&str, &str), is_on: &mut bool) {
    if controls::toggle(ui, name, *is_on).on_hover_text(hint).clicked() {
        *is_on ^= true;
    }
}
