//! The brush in hand and how it is held.

use egui::Ui;
use egui::scroll_area::ScrollBarVisibility;
use sinew_edit::{BrushSettings, Editor, Falloff, Reach};

use super::controls;
use crate::keymap::{Do, binding};
use crate::theme;

/// A bar of this width has room for all labels, points.
const ROOMY: f32 = 860.0;

/// Draws the bar; returns the brush if it was changed.
pub fn show(ui: &mut Ui, editor: &Editor) -> Option<BrushSettings> {
    let mut brush = editor.session.brush;
    let is_narrow = ui.available_width() < ROOMY;
    // What has no room is scrolled to, by the wheel or by the Tab key.
    let area = egui::ScrollArea::horizontal().scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
    let output = area.show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            let name = ui
                .add_sized([58.0, 22.0], egui::Label::new(theme::heading(brush.brush.label)).halign(egui::Align::LEFT));
            name.on_hover_text(brush.brush.hint);
            ui.add_enabled_ui(brush.brush.uses_value, |ui| {
                controls::share(ui, "Value", &mut brush.value).on_hover_text("The weight that is painted");
            });
            controls::share(ui, "Strength", &mut brush.strength).on_hover_text("How much of the way one dab goes");
            let size_hint = format!("Radius in the file's units. {}", binding(Do::SizeBrush).tooltip(ui.ctx()));
            let speed = (brush.radius * 0.01).max(1e-6);
            let decimals = decimals_for(brush.radius);
            controls::number(ui, "Size", &mut brush.radius, 1e-6..=1e6, (speed, decimals)).on_hover_text(size_hint);
            ui.add_space(if is_narrow { 0.0 } else { 8.0 });
            let falloffs = Falloff::ALL.into_iter().map(|falloff| (falloff, falloff.label(), ""));
            if let Some(falloff) = controls::choice(ui, "Falloff", (brush.falloff, brush.falloff.label()), falloffs) {
                brush.falloff = falloff;
            }
            if !is_narrow {
                ui.add_space(8.0);
                ui.label(theme::quiet("Reach"));
            }
            let places = Reach::ALL.map(|reach| (reach, reach.label(), reach_hint(reach)));
            if let Some(reach) = controls::segments(ui, &places, brush.reach) {
                brush.reach = reach;
            }
            let hint = "Paint only what faces you and is not hidden";
            if controls::toggle(ui, "Front only", brush.front_only).on_hover_text(hint).clicked() {
                brush.front_only = !brush.front_only;
            }
        })
    });
    more_to_the_right(ui, output.inner_rect, output.content_size.x - output.state.clamped_offset().x);
    (brush != editor.session.brush).then_some(brush)
}

/// A fading end where the bar goes on out of sight.
fn more_to_the_right(ui: &Ui, seen: egui::Rect, width_left: f32) {
    if width_left <= seen.width() + 1.0 {
        return;
    }
    let color = theme::of(ui).bar;
    let start = seen.max.x - 44.0;
    let mut fade = egui::Mesh::default();
    for (x, color) in [(start, color.gamma_multiply(0.0)), (seen.max.x - 16.0, color), (seen.max.x, color)] {
        fade.colored_vertex(egui::pos2(x, seen.min.y), color);
        fade.colored_vertex(egui::pos2(x, seen.max.y), color);
    }
    for i in [0, 2] {
        fade.add_triangle(i, i + 1, i + 2);
        fade.add_triangle(i + 1, i + 2, i + 3);
    }
    ui.painter().add(fade);
    let at = egui::pos2(seen.max.x - 7.0, seen.center().y);
    let icon = char::from(lucide_icons::Icon::ChevronRight);
    ui.painter().text(at, egui::Align2::CENTER_CENTER, icon, crate::fonts::icon_font(13.0), theme::of(ui).quiet);
}

fn reach_hint(reach: Reach) -> &'static str {
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
