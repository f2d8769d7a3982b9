//! The active joint's turn as three numbers, and the weights of morph targets where a mesh has them. View only: the
//! file never gets a pose.

use egui::{RichText, ScrollArea, Ui};
use glam::Vec3;
use lucide_icons::Icon;
use sinew_edit::Editor;
use sinew_model::NodeIndex;

use super::controls;
use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::theme;

const AXES: [&str; 3] = ["X", "Y", "Z"];
/// Room for morph targets before they scroll, points.
const MORPHS_HEIGHT: f32 = 132.0;
/// The three numbers with the room under them, points.
pub const TURNS_HEIGHT: f32 = 36.0;
const TURN_HEIGHT: f32 = 26.0;
/// A row of morph targets, their heading too, points.
const MORPH_HEIGHT: f32 = 26.0;

const SLIDER_WIDTH: f32 = 84.0;
const FIELD_WIDTH: f32 = 46.0;
const LETTER_WIDTH: f32 = 10.0;

/// What the panel keeps between frames.
#[derive(Default)]
pub struct PosePanel {
    /// Whether morph targets are listed.
    pub shows_morphs: bool,
}

impl PosePanel {
    /// Height of all that there is to show, points.
    pub fn height(&self, editor: &Editor) -> f32 {
        let nodes = morphed_nodes(editor);
        let n_rows: usize = nodes.iter().map(|&node| n_targets(editor, node) + usize::from(nodes.len() > 1)).sum();
        let morphs = match (n_rows, self.shows_morphs) {
            (0, _) => 0.0,
            (_, false) => MORPH_HEIGHT + 8.0,
            (n, true) => MORPH_HEIGHT + 12.0 + (n as f32 * MORPH_HEIGHT).min(MORPHS_HEIGHT),
        };
        TURNS_HEIGHT + morphs
    }

    /// Draws what stands beside the heading, from the right: whose pose it is, and the ways back to rest.
    pub fn beside(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
        let active = editor.session.active_joint;
        let pose = &editor.session.pose;
        let is_turned = active.is_some_and(|joint| pose.turn_deg(joint) != Vec3::ZERO);
        for (what, icon, name, is_enabled) in [
            (Do::ResetPose, Icon::PersonStanding, "All to rest", !pose.is_rest()),
            (Do::ResetJoint, Icon::RotateCcw, "Joint to rest", is_turned),
        ] {
            if controls::icon_button(ui, icon, name, is_enabled, &binding(what).tooltip(ui.ctx())).clicked() {
                actions.push(Action::Do(what));
            }
        }
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let name = active.map_or("no joint".to_owned(), |joint| editor.document().nodes().label(joint));
            let label = ui.add(egui::Label::new(theme::quiet(&name)).truncate());
            // The list has the name, too.
            label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("Pose of {name}")));
        });
    }

    /// Draws the panel.
    pub fn show(&mut self, ui: &mut Ui, editor: &mut Editor) {
        turns(ui, editor);
        let nodes = morphed_nodes(editor);
        // A low column has the numbers alone.
        if !nodes.is_empty() && ui.available_height() >= MORPH_HEIGHT {
            ui.add_space(4.0);
            self.morphs(ui, editor, &nodes);
        }
    }

    fn morphs(&mut self, ui: &mut Ui, editor: &mut Editor, nodes: &[NodeIndex]) {
        let is_set = !editor.session.pose.morph_weights.is_empty();
        ui.horizontal(|ui| {
            let icon = if self.shows_morphs { Icon::ChevronDown } else { Icon::ChevronRight };
            let hint = "Weights of the mesh's morph targets, in the view only";
            if controls::icon_button(ui, icon, "Morph targets", true, hint).clicked() {
                self.shows_morphs ^= true;
            }
            ui.label(theme::heading("Morphs"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let hint = "Give all morph targets the file's weights again";
                if controls::icon_button(ui, Icon::RotateCcw, "Reset morphs", is_set, hint).clicked() {
                    editor.session.pose.morph_weights.clear();
                }
            });
        });
        let room = ui.available_height().min(MORPHS_HEIGHT);
        if !self.shows_morphs || room < MORPH_HEIGHT {
            return;
        }
        let area = ScrollArea::vertical().id_salt("morphs").auto_shrink([false, true]);
        area.max_height(room).min_scrolled_height(0.0).show(ui, |ui| {
            for &node in nodes {
                of_node(ui, editor, node, nodes.len() > 1);
            }
        });
    }
}

/// Degrees about the joint's rest axes, to type or drag.
fn turns(ui: &mut Ui, editor: &mut Editor) {
    let active = editor.session.active_joint;
    let before = active.map_or(Vec3::ZERO, |joint| editor.session.pose.turn_deg(joint));
    let mut turn_deg = before;
    ui.add_enabled_ui(active.is_some(), |ui| {
        // A field is a little higher than a row: each would stand lower than the one before.
        ui.spacing_mut().interact_size.y = TURN_HEIGHT;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let width = ((ui.available_width() - 2.0 * 12.0) / 3.0 - LETTER_WIDTH - 4.0).clamp(40.0, 110.0);
            for (axis_idx, name) in AXES.into_iter().enumerate() {
                let letter = egui::Label::new(RichText::new(name).color(theme::of(ui).axes[axis_idx]));
                ui.add_sized([LETTER_WIDTH, TURN_HEIGHT], letter);
                let field = controls::field(ui, egui::vec2(width, TURN_HEIGHT), &mut turn_deg[axis_idx], |field| {
                    field.speed(0.5).suffix("°").fixed_decimals(1).range(-3600.0..=3600.0)
                });
                controls::name_number(&field, &format!("Turn {name}"), turn_deg[axis_idx], active.is_some());
                field.on_hover_text(format!("Degrees about the joint's own {name} axis: drag, or click and type"));
                ui.add_space(if axis_idx < 2 { 4.0 } else { 0.0 });
            }
        });
    });
    if let Some(joint) = active.filter(|_| turn_deg != before) {
        editor.session.pose.set_turn_deg(joint, turn_deg);
    }
}

/// Nodes that show a mesh with morph targets.
fn morphed_nodes(editor: &Editor) -> Vec<NodeIndex> {
    let document = editor.document();
    let instances = document.instances().iter();
    instances.filter(|instance| !document.mesh(instance.mesh).morph_targets.is_empty()).map(|i| i.node).collect()
}

fn n_targets(editor: &Editor, node: NodeIndex) -> usize {
    let document = editor.document();
    let instance = document.instances().iter().find(|instance| instance.node == node);
    instance.map_or(0, |instance| document.mesh(instance.mesh).morph_targets.len())
}

fn of_node(ui: &mut Ui, editor: &mut Editor, node: NodeIndex, names_node: bool) {
    let document = editor.document();
    let Some(instance) = document.instances().iter().find(|instance| instance.node == node) else { return };
    let mesh = document.mesh(instance.mesh);
    let before = sinew_rig::morph_weights(document.nodes(), node, mesh, document.clips(), &editor.session.pose);
    let mut weights = before.clone();
    // Measured once: what a row needs must not make the next one wider.
    let room = (ui.available_width() - SLIDER_WIDTH - FIELD_WIDTH - 4.0 * ui.spacing().item_spacing.x).max(40.0);
    if names_node {
        ui.label(theme::quiet(document.nodes().label(node)));
    }
    for (i, (weight, target)) in weights.iter_mut().zip(&mesh.morph_targets).enumerate() {
        let name = target.name.clone().unwrap_or_else(|| format!("Morph {}", i + 1));
        ui.push_id((node.idx(), i), |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().slider_width = SLIDER_WIDTH;
                ui.allocate_ui_with_layout(
                    egui::vec2(room, 22.0),
                    egui::Layout::left_to_right(egui::Align::Center),
                    |ui| {
                        ui.set_min_width(room);
                        ui.add(egui::Label::new(theme::quiet(&name)).truncate());
                    },
                );
                let slider = ui
                    .add(egui::Slider::new(weight, 0.0..=1.0).clamping(egui::SliderClamping::Edits).show_value(false));
                slider.widget_info(|| egui::WidgetInfo::slider(true, f64::from(*weight), &name));
                // More than the slider's 0 to 1 can be typed: files have such weights.
                let field = controls::field(ui, egui::vec2(FIELD_WIDTH, 22.0), weight, |field| {
                    field.speed(0.005).fixed_decimals(2).range(-10.0..=10.0)
                });
                controls::name_number(&field, &format!("{name} value"), *weight, true);
            });
        });
    }
    if weights != before {
        editor.session.pose.morph_weights.insert(node, weights);
    }
}
