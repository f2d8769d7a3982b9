//! Colours, text sizes and spacing of the window.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle};

/// Text that must be read first.
pub const PRIMARY: Color32 = Color32::from_rgb(0xEC, 0xEE, 0xF1);
/// Most text.
pub const NORMAL: Color32 = Color32::from_rgb(0xC3, 0xC7, 0xCE);
/// Text that can wait.
pub const QUIET: Color32 = Color32::from_rgb(0x8B, 0x91, 0x9C);
/// Panels.
pub const PANEL: Color32 = Color32::from_rgb(0x1A, 0x1B, 0x1F);
/// Bars at the top and bottom.
pub const BAR: Color32 = Color32::from_rgb(0x1C, 0x1D, 0x21);
/// Places to type or drag in.
pub const WELL: Color32 = Color32::from_rgb(0x11, 0x12, 0x15);
/// Thin lines.
pub const LINE: Color32 = Color32::from_rgb(0x2A, 0x2C, 0x32);
/// A control under the pointer.
pub const HOVER: Color32 = Color32::from_rgb(0x26, 0x28, 0x2E);
/// The accent: what is active.
pub const TEAL: Color32 = Color32::from_rgb(0x5E, 0xC8, 0xB5);
/// Fill of what is switched on.
pub const TEAL_FILL: Color32 = Color32::from_rgb(0x33, 0x56, 0x4F);
/// The chosen row of a list.
pub const TEAL_ROW: Color32 = Color32::from_rgb(0x27, 0x44, 0x3F);
/// Look here soon.
pub const WARNING: Color32 = Color32::from_rgb(0xF0, 0xC0, 0x5A);
/// Act.
pub const BAD: Color32 = Color32::from_rgb(0xFF, 0x8F, 0x6B);
/// As it should be.
pub const GOOD: Color32 = Color32::from_rgb(0x7F, 0xD6, 0xA6);

/// Height of the bars, points.
pub const BAR_HEIGHT: f32 = 36.0;
/// Height of a row in a list, points.
pub const ROW_HEIGHT: f32 = 22.0;

/// Gives the whole window its look.
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(egui::Theme::Dark);
    ctx.style_mut_of(egui::Theme::Dark, |style| {
        let font = |size: f32| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, font(11.0)),
            (TextStyle::Body, font(12.5)),
            (TextStyle::Button, font(12.5)),
            (TextStyle::Heading, font(14.0)),
            (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
        ]
        .into();
        style.interaction.selectable_labels = false;
        style.animation_time = 0.0;
        let spacing = &mut style.spacing;
        spacing.item_spacing = egui::vec2(8.0, 4.0);
        spacing.button_padding = egui::vec2(8.0, 4.0);
        spacing.interact_size = egui::vec2(28.0, 22.0);
        spacing.menu_margin = Margin::same(6);
        spacing.window_margin = Margin::same(16);
        spacing.slider_width = 80.0;
        spacing.combo_width = 60.0;
        spacing.scroll = egui::style::ScrollStyle::thin();
        visuals(&mut style.visuals);
    });
}

/// A frame for bars: quiet, with room at the sides.
pub fn bar_frame() -> egui::Frame {
    egui::Frame::new().fill(BAR).inner_margin(Margin::symmetric(10, 0))
}

/// A frame for side panels.
pub fn panel_frame() -> egui::Frame {
    egui::Frame::new().fill(PANEL).inner_margin(Margin::symmetric(12, 8))
}

/// A frame for things that float over the viewport.
pub fn float_frame() -> egui::Frame {
    egui::Frame::new()
        .fill(Color32::from_rgba_premultiplied(0x14, 0x15, 0x18, 0xEA))
        .stroke(Stroke::new(1.0, LINE))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::symmetric(10, 8))
}

/// Small bold-looking heading of a panel.
pub fn heading(text: &str) -> egui::RichText {
    egui::RichText::new(text).color(PRIMARY).size(12.5).strong()
}

/// Text that can wait.
pub fn quiet(text: impl Into<String>) -> egui::RichText {
    egui::RichText::new(text).color(QUIET)
}

fn visuals(visuals: &mut egui::Visuals) {
    *visuals = egui::Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = WELL;
    visuals.text_edit_bg_color = Some(WELL);
    visuals.faint_bg_color = HOVER;
    visuals.weak_text_color = Some(QUIET);
    visuals.hyperlink_color = TEAL;
    visuals.warn_fg_color = WARNING;
    visuals.error_fg_color = BAD;
    visuals.selection.bg_fill = TEAL_FILL;
    visuals.selection.stroke = Stroke::new(1.0, PRIMARY);
    visuals.slider_trailing_fill = true;
    visuals.text_cursor.blink = false;
    let corner = CornerRadius::same(4);
    let widgets = &mut visuals.widgets;
    for (look, fill, stroke, text) in [
        (&mut widgets.noninteractive, PANEL, LINE, NORMAL),
        (&mut widgets.inactive, WELL, LINE, NORMAL),
        (&mut widgets.hovered, HOVER, Color32::from_rgb(0x3A, 0x3D, 0x45), PRIMARY),
        (&mut widgets.active, TEAL_FILL, TEAL, PRIMARY),
        (&mut widgets.open, HOVER, LINE, PRIMARY),
    ] {
        look.bg_fill = fill;
        look.weak_bg_fill = fill;
        look.bg_stroke = Stroke::new(1.0, stroke);
        look.fg_stroke = Stroke::new(1.0, text);
        look.corner_radius = corner;
        look.expansion = 0.0;
    }
}
