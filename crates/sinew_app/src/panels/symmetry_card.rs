//! The card of symmetry: axis and plane, vertices without a twin, mirroring what is there, and who is whose twin.

use std::sync::Arc;

use egui::{Rect, RichText, Ui, pos2, vec2};
use lucide_icons::Icon;
use sinew_edit::symmetry::PairedBy;
use sinew_edit::{Editor, Line, Symmetry, SymmetrySettings, args};
use sinew_model::NodeIndex;

use super::brush_card::{BELOW_AXES, line, row};
use super::{controls, grouped};
use crate::action::Action;
use crate::theme;
use crate::viewport::options::{Show, ViewOptions};
use crate::viewport::select::n_selected;

const WIDTH: f32 = 330.0;
/// The largest tolerance that can be asked for, of the usual one: a tenth of the model's size.
const MOST_TOLERANCE: f32 = 100.0;
const AXES: [(usize, &str, &str); 3] = [
    (0, "X axis", "Left and right lie along x"),
    (1, "Y axis", "Sides lie along y"),
    (2, "Z axis", "Sides lie along z"),
];
const NAMES: [&str; 3] = ["X", "Y", "Z"];

/// What the card keeps between frames.
#[derive(Default)]
pub struct SymmetryCard {
    /// Whether it is shown.
    pub is_open: bool,
    /// Whether the negative side is copied.
    from_negative: bool,
    joint_only: bool,
    on_selection: bool,
    /// The joint whose twin is to be said by making another one active.
    pairing: Option<NodeIndex>,
    counted: Option<(Arc<Symmetry>, usize, usize)>,
    /// The tolerance where none is asked for, scene units; known with the first symmetry.
    usual: Option<f32>,
}

impl SymmetryCard {
    /// Another file is open.
    pub fn forget(&mut self) {
        (self.pairing, self.counted, self.usual) = (None, None, None);
    }

    /// Draws the card at the right of the view.
    pub fn show(
        &mut self,
        ui: &Ui,
        within: Rect,
        editor: &mut Editor,
        options: &mut ViewOptions,
        actions: &mut Vec<Action>,
    ) {
        if !self.is_open {
            return;
        }
        let at = pos2(within.max.x - 10.0, within.min.y + BELOW_AXES);
        controls::card(ui.ctx(), "symmetry card", (egui::Align2::RIGHT_TOP, at), (within, WIDTH), |ui| {
            ui.horizontal(|ui| {
                ui.label(theme::heading("Symmetry"));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if controls::icon_button(ui, Icon::X, "Close symmetry", true, "Close").clicked() {
                        self.is_open = false;
                    }
                });
            });
            let settings = self.settings(ui, editor);
            if editor.stroke().is_some() {
                return;
            }
            let Some(symmetry) = editor.known_symmetry(settings) else {
                // It is on its way.
                row(ui, "Vertices", |ui| {
                    ui.label(theme::quiet("Finding mirror images…"));
                });
                return;
            };
            if settings.tolerance.is_none() {
                self.usual = Some(symmetry.tolerance());
            }
            self.facts(ui, editor, &symmetry, options);
            line(ui);
            self.mirror(ui, editor, settings, actions);
            line(ui);
            self.pairs(ui, editor, &symmetry, (within.height() - BELOW_AXES - 290.0).max(90.0), actions);
        });
    }

    fn settings(&self, ui: &mut Ui, editor: &mut Editor) -> SymmetrySettings {
        let mut settings = editor.session.paint.symmetry();
        row(ui, "Mirror", |ui| {
            let mut is_on = editor.session.paint.mirror.is_some();
            let hint = "Paint the other side, too, in any pose";
            if controls::toggle(ui, if is_on { "Strokes: on" } else { "Strokes: off" }, is_on)
                .on_hover_text(hint)
                .clicked()
            {
                is_on ^= true;
            }
            if let Some(axis) = controls::segments(ui, &AXES, settings.axis) {
                settings = SymmetrySettings { axis, at: None, ..settings };
            }
            let paint = &mut editor.session.paint;
            (paint.axis, paint.mirror) = (settings.axis, is_on.then_some(settings));
        });
        let Some(usual) = self.usual else { return settings };
        row(ui, "Tolerance", |ui| {
            let mut tolerance = settings.tolerance.unwrap_or(usual);
            let hint = "How far a vertex may be from its twin's mirror image, in the model's units. More finds twins on a \
                        figure that is only nearly symmetric.";
            let field = controls::field(ui, vec2(72.0, 22.0), &mut tolerance, |field| {
                field.range(0.0..=usual * MOST_TOLERANCE).speed(f64::from(usual) * 0.05).max_decimals(6)
            });
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "Tolerance"));
            if field.on_hover_text(hint).changed() {
                settings.tolerance = Some(tolerance);
            }
            if settings.tolerance.is_some()
                && ui.small_button("Usual").on_hover_text("A thousandth of the model's size").clicked()
            {
                settings.tolerance = None;
            }
            let paint = &mut editor.session.paint;
            paint.tolerance = settings.tolerance;
            if let Some(mirror) = &mut paint.mirror {
                mirror.tolerance = settings.tolerance;
            }
        });
        settings
    }

    fn facts(&mut self, ui: &mut Ui, editor: &mut Editor, symmetry: &Arc<Symmetry>, options: &mut ViewOptions) {
        let counted = self.counted.as_ref().filter(|(of, ..)| Arc::ptr_eq(of, symmetry));
        let (n_alone, n_all) = if let Some(&(_, n_alone, n_all)) = counted {
            (n_alone, n_all)
        } else {
            let meshes = editor.document().skinned_meshes();
            let n_all = meshes.iter().map(|&mesh| editor.document().mesh(mesh).n_vertices()).sum();
            // Vertices, as everywhere: one at a seam counts as often as it is in the file.
            let n_alone = meshes.iter().map(|&mesh| {
                let surface = editor.surface(mesh);
                symmetry.unmatched(mesh).iter().map(|&group| surface.members(group).len()).sum::<usize>()
            });
            let n_alone = n_alone.sum();
            self.counted = Some((Arc::clone(symmetry), n_alone, n_all));
            (n_alone, n_all)
        };
        let plane = symmetry.plane();
        row(ui, "Plane", |ui| {
            ui.label(theme::quiet(format!("at {} = {:.3}", NAMES[plane.axis.min(2)].to_lowercase(), plane.at)));
        });
        row(ui, "Vertices", |ui| {
            let (text, color) = if n_alone == 0 {
                (format!("all {} have a twin", grouped(n_all)), theme::of(ui).good)
            } else {
                (format!("{} of {} have no twin", grouped(n_alone), grouped(n_all)), theme::of(ui).warning)
            };
            ui.label(RichText::new(text).color(color));
            let is_shown = options.show == Show::LeftRight;
            let hint = "Tint vertices without a twin, and show how far left and right differ";
            if controls::toggle(ui, "Show on model", is_shown).on_hover_text(hint).clicked() {
                options.show = if is_shown { Show::Weights } else { Show::LeftRight };
            }
        });
    }

    fn mirror(&mut self, ui: &mut Ui, editor: &Editor, settings: SymmetrySettings, actions: &mut Vec<Action>) {
        let axis = NAMES[settings.axis.min(2)];
        let (positive, negative) = (format!("+{axis} to −{axis}"), format!("−{axis} to +{axis}"));
        row(ui, "Copy", |ui| {
            let places = [
                (false, positive.as_str(), "The weights of the positive side are copied to the negative"),
                (true, negative.as_str(), "The weights of the negative side are copied to the positive"),
            ];
            if let Some(from_negative) = controls::segments(ui, &places, self.from_negative) {
                self.from_negative = from_negative;
            }
        });
        let joint = editor.session.active_joint;
        let has_selection = n_selected(editor) > 0;
        row(ui, "Only", |ui| {
            let hint = "Only the active joint and its twin; all others make room";
            if controls::toggle(ui, "Active joint", self.joint_only).on_hover_text(hint).clicked() {
                self.joint_only ^= true;
            }
            ui.add_enabled_ui(has_selection, |ui| {
                let is_on = self.on_selection && has_selection;
                if controls::toggle(ui, "Selection", is_on).on_hover_text("Only selected vertices receive").clicked() {
                    self.on_selection ^= true;
                }
            });
        });
        row(ui, "", |ui| {
            let button = egui::Button::new(RichText::new("Mirror weights").color(theme::of(ui).primary));
            let button = ui.add(button.fill(theme::of(ui).teal_fill));
            if button.on_hover_text("Copy one side's weights to the other, joints swapped with their twins").clicked() {
                let sign = if self.from_negative { '-' } else { '+' };
                let mut line = Line::new("mirror").with("from", format!("{sign}{}", axis.to_lowercase()));
                if let Some(joint) = joint.filter(|_| self.joint_only) {
                    line = line.with("joint", args::joint_name(editor.document(), None, joint));
                }
                let on = if self.on_selection && has_selection { "selection" } else { "all" };
                line = line.with("on", on);
                if let Some(tolerance) = settings.tolerance {
                    line = line.with("tolerance", tolerance);
                }
                actions.push(Action::Line(line.to_string()));
            }
        });
    }

    fn pairs(&mut self, ui: &mut Ui, editor: &mut Editor, symmetry: &Symmetry, height: f32, actions: &mut Vec<Action>) {
        let document = editor.document();
        let name = |joint: NodeIndex| document.nodes().label(joint);
        let script = |joint: NodeIndex| args::joint_name(document, None, joint);
        let mut pairs: Vec<_> = symmetry
            .joint_pairs()
            .filter(|pair| pair.joint <= pair.twin || symmetry.joint_twin(pair.twin) != pair.joint)
            .collect();
        let n_alone = pairs.iter().filter(|pair| pair.by == PairedBy::Nobody).count();
        ui.horizontal(|ui| {
            ui.label(theme::heading("Joint pairs"));
            let text = if n_alone > 0 { format!("{n_alone} without a twin") } else { "every joint has one".to_owned() };
            ui.label(theme::quiet(text));
        });
        let active = editor.session.active_joint;
        ui.horizontal(|ui| match (self.pairing, active) {
            (Some(of), Some(other)) => {
                let label = format!("Pair {} with {}", name(of), name(other));
                let is_able = of != other;
                let text = if is_able { label } else { format!("Now pick the twin of {}", name(of)) };
                if ui.add_enabled(is_able, egui::Button::new(text)).clicked() {
                    let line = Line::new("pair").with("a", script(of)).with("b", script(other));
                    actions.push(Action::Line(line.to_string()));
                    self.pairing = None;
                }
                if ui.button("Cancel pairing").clicked() {
                    self.pairing = None;
                }
            }
            (_, Some(joint)) => {
                let hint = "Then pick its twin in the list or in the view";
                if ui.button(format!("Pair {} …", name(joint))).on_hover_text(hint).clicked() {
                    self.pairing = Some(joint);
                }
                if ui.button("Stands on the plane").on_hover_text("The active joint is its own twin").clicked() {
                    let line = Line::new("pair").with("a", script(joint)).with("b", script(joint));
                    actions.push(Action::Line(line.to_string()));
                }
            }
            _ => {
                ui.label(theme::quiet("Make a joint active to pair it by hand"));
            }
        });
        // Those that need an eye come first.
        pairs.sort_by_key(|pair| (pair.by != PairedBy::Nobody, pair.by != PairedBy::Hand, pair.joint));
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut picked = None;
        let area = egui::ScrollArea::vertical().id_salt("pairs").max_height(height).auto_shrink([false, true]);
        area.show_rows(ui, theme::ROW_HEIGHT, pairs.len(), |ui, range| {
            for pair in &pairs[range] {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 6.0;
                    ui.set_height(theme::ROW_HEIGHT);
                    let text = match (pair.by, pair.joint == pair.twin) {
                        (PairedBy::Nobody, _) => name(pair.joint),
                        (_, true) => format!("{} on the plane", name(pair.joint)),
                        (_, false) => format!("{} and {}", name(pair.joint), name(pair.twin)),
                    };
                    let colors = theme::of(ui);
                    let color = if pair.by == PairedBy::Nobody { colors.warning } else { colors.normal };
                    let button = egui::Button::new(RichText::new(text).color(color)).frame(false).truncate();
                    let room = (ui.available_width() - 96.0).max(60.0);
                    let size = vec2(room, theme::ROW_HEIGHT);
                    let left = egui::Layout::left_to_right(egui::Align::Center);
                    let response = ui
                        .allocate_ui_with_layout(size, left, |ui| {
                            ui.set_width(room);
                            ui.add(button)
                        })
                        .inner;
                    if response.on_hover_text("Make it the active joint").clicked() {
                        picked = Some(pair.joint);
                    }
                    ui.label(theme::quiet(pair.by.label()));
                    if pair.by == PairedBy::Hand {
                        let label = format!("Unpair {}", name(pair.joint));
                        let hint = "Find the twin by name and place again";
                        if controls::icon_button(ui, Icon::X, &label, true, hint).clicked() {
                            let line = Line::new("unpair").with("joint", script(pair.joint));
                            actions.push(Action::Line(line.to_string()));
                        }
                    }
                });
            }
        });
        if picked.is_some() {
            editor.session.active_joint = picked;
        }
    }
}
