//! The keys of the tool in hand, over the view until the next key or click.

use egui::{Align2, Area, Context, Id, Order, RichText, Ui};

use super::Viewport;
use crate::keymap::{self, BINDINGS, Do, Mode, binding, key_text};
use crate::theme;

const PAINT: &[Do] = &[Do::SizeBrush, Do::DragStrength, Do::DragValue, Do::SmallerBrush, Do::LargerBrush];
const JOINTS: &[Do] = &[
    Do::Bend,
    Do::Flex,
    Do::FlexAndStay,
    Do::ResetJoint,
    Do::ResetPose,
    Do::TakeJoint,
    Do::ParentJoint,
    Do::ChildJoint,
    Do::PreviousJoint,
    Do::NextJoint,
    Do::ToggleLock,
    Do::LockOthers,
    Do::LockPie,
];
const VIEW: &[Do] = &[
    Do::Frame,
    Do::FrameJoint,
    Do::CycleDisplay,
    Do::ToggleTextured,
    Do::ToggleContours,
    Do::ToggleWire,
    Do::ToggleJoints,
    Do::ToggleGizmo,
    Do::ToggleDots,
    Do::ToggleGhosts,
    Do::ToggleDeformer,
    Do::ToggleExported,
];

/// Draws the card.
pub fn show(viewport: &Viewport, ui: &Ui) {
    if !viewport.tools.shows_keys {
        return;
    }
    let ctx = ui.ctx();
    let area = Area::new(Id::unique("keys")).order(Order::Foreground).interactable(false);
    let area = area.fixed_pos(viewport.area().rect().center()).pivot(Align2::CENTER_CENTER);
    area.show(ctx, |ui| {
        theme::use_stage_colors(ui);
        theme::float_frame().fill(theme::DARK.panel).inner_margin(16).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 26.0;
                column(ui, "Paint", paint(ctx));
                column(ui, "Brushes", brushes(ctx));
                column(ui, "Joints", of(ctx, JOINTS));
                column(ui, "View", of(ctx, VIEW));
            });
            ui.add_space(6.0);
            ui.label(theme::quiet("Any key closes this. All keys can be changed in Settings."));
        });
    });
}

type Line = (String, String);

fn of(ctx: &Context, all: &[Do]) -> Vec<Line> {
    all.iter().map(|&what| (key_text(ctx, what), binding(what).label.to_owned())).collect()
}

/// The mouse, and the brush's numbers.
fn paint(ctx: &Context) -> Vec<Line> {
    let held = [("LMB", "Paint"), ("Ctrl", "Invert"), ("Shift", "Smooth")];
    let mut lines: Vec<Line> = held.map(|(key, what)| (key.to_owned(), what.to_owned())).into();
    lines.extend(of(ctx, PAINT));
    lines.extend(mouse(ctx));
    lines
}

fn brushes(ctx: &Context) -> Vec<Line> {
    let brushes = BINDINGS.iter().filter(|binding| matches!(binding.what, Do::Brush(_)));
    brushes.map(|line| (line.key_text(ctx), line.label.trim_start_matches("Brush: ").to_owned())).collect()
}

/// What the mouse does that no key does.
fn mouse(ctx: &Context) -> Vec<Line> {
    let is_mouse = |key: &str| ["MMB", "Wheel", "click", "drag"].iter().any(|word| key.contains(word));
    let hints = Mode::Idle.hints(ctx).into_iter().filter(|(key, _)| is_mouse(key));
    hints.map(|(key, what)| (key, keymap::hints::capitalised(what))).collect()
}

fn column(ui: &mut Ui, title: &str, lines: Vec<Line>) {
    ui.vertical(|ui| {
        ui.label(theme::heading(title));
        ui.add_space(2.0);
        egui::Grid::new(title).num_columns(2).spacing([10.0, 4.0]).show(ui, |ui| {
            for (key, what) in lines.into_iter().filter(|(key, _)| !key.is_empty()) {
                let cap = egui::Frame::new()
                    .fill(theme::of(ui).well)
                    .stroke(egui::Stroke::new(1.0, theme::of(ui).line))
                    .corner_radius(4)
                    .inner_margin(egui::Margin::symmetric(5, 1));
                cap.show(ui, |ui| ui.label(RichText::new(key).color(theme::of(ui).primary).size(11.0)));
                ui.label(RichText::new(what).color(theme::of(ui).normal));
                ui.end_row();
            }
        });
    });
}
