//! Colours, text sizes and spacing of the window.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle};
use serde::{Deserialize, Serialize};

/// Colours of a theme, named by what they are for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Palette {
    /// Text that must be read first.
    pub primary: Color32,
    /// Most text.
    pub normal: Color32,
    /// Text that can wait.
    pub quiet: Color32,
    /// Panels.
    pub panel: Color32,
    /// Bars at the top, bottom and left.
    pub bar: Color32,
    /// Places to type or drag in.
    pub well: Color32,
    /// Thin lines.
    pub line: Color32,
    /// The line around a control under the pointer.
    pub hover_line: Color32,
    /// A control under the pointer.
    pub hover: Color32,
    /// The accent: what is active.
    pub teal: Color32,
    /// Fill of what is switched on.
    pub teal_fill: Color32,
    /// The chosen row of a list.
    pub teal_row: Color32,
    /// A switch that is on.
    pub teal_well: Color32,
    /// Look here soon.
    pub warning: Color32,
    /// Act.
    pub bad: Color32,
    /// As it should be.
    pub good: Color32,
    /// Bars that show an amount without asking for an eye.
    pub amount: Color32,
    /// The letters X, Y, Z.
    pub axes: [Color32; 3],
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The dark theme. The view's stage is dark in every theme, so what lies over it uses this one.
pub const DARK: Palette = Palette {
    primary: rgb(0xECEEF1),
    normal: rgb(0xC3C7CE),
    quiet: rgb(0x8F95A0),
    panel: rgb(0x1A1B1F),
    bar: rgb(0x1C1D21),
    well: rgb(0x111215),
    line: rgb(0x2A2C32),
    hover_line: rgb(0x3A3D45),
    hover: rgb(0x26282E),
    teal: rgb(0x5EC8B5),
    teal_fill: rgb(0x33564F),
    teal_row: rgb(0x27443F),
    teal_well: rgb(0x1D2B29),
    warning: rgb(0xF0C05A),
    bad: rgb(0xFF8F6B),
    good: rgb(0x7FD6A6),
    amount: rgb(0x6C7380),
    axes: [rgb(0xE0706A), rgb(0x84C36B), rgb(0x6B9FE0)],
};

/// The light theme.
pub const LIGHT: Palette = Palette {
    primary: rgb(0x14161A),
    normal: rgb(0x363B43),
    quiet: rgb(0x5A606B),
    panel: rgb(0xF3F4F6),
    bar: rgb(0xEAECEF),
    well: rgb(0xFCFCFD),
    line: rgb(0xD2D5DB),
    hover_line: rgb(0xB4B9C2),
    hover: rgb(0xE2E5E9),
    teal: rgb(0x0B6B60),
    teal_fill: rgb(0xB5E0D8),
    teal_row: rgb(0xCCEAE4),
    teal_well: rgb(0xDDF1ED),
    warning: rgb(0x7A5200),
    bad: rgb(0xA83410),
    good: rgb(0x17643E),
    amount: rgb(0x9AA1AC),
    axes: [rgb(0xA83A33), rgb(0x2F6A1B), rgb(0x2C5FA8)],
};

/// Over the stage: text that must be read first.
pub const PRIMARY: Color32 = DARK.primary;
/// Over the stage: most text.
pub const NORMAL: Color32 = DARK.normal;
/// Over the stage: text that can wait.
pub const QUIET: Color32 = DARK.quiet;
/// Over the stage: places that hold something.
pub const WELL: Color32 = DARK.well;
/// Over the stage: thin lines.
pub const LINE: Color32 = DARK.line;
/// Over the stage: what is active.
pub const TEAL: Color32 = DARK.teal;
/// Over the stage: look here soon.
pub const WARNING: Color32 = DARK.warning;
/// Over the stage: act.
pub const BAD: Color32 = DARK.bad;

/// Height of the bars, points.
pub const BAR_HEIGHT: f32 = 36.0;
/// Height of a row in a list, points.
pub const ROW_HEIGHT: f32 = 22.0;

/// Which theme the window has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// Dark.
    #[default]
    Dark,
    /// Light.
    Light,
    /// As the desktop has it.
    System,
}

impl ThemeChoice {
    /// All, in the order in which they are offered: value, name, one line.
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Dark, "Dark", "Light text on dark panels"),
        (Self::Light, "Light", "Dark text on light panels; the stage stays dark, so that weights read the same"),
        (Self::System, "System", "As the desktop has it"),
    ];
}

/// Gives the whole window its look. Call it before the first frame.
pub fn install(ctx: &egui::Context) {
    for (theme, palette) in [(egui::Theme::Dark, DARK), (egui::Theme::Light, LIGHT)] {
        ctx.style_mut_of(theme, |style| {
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
            visuals(&mut style.visuals, theme, &palette);
        });
    }
}

/// Switches to a theme.
pub fn choose(ctx: &egui::Context, choice: ThemeChoice) {
    ctx.set_theme(match choice {
        ThemeChoice::Dark => egui::ThemePreference::Dark,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::System => egui::ThemePreference::System,
    });
}

/// The colours that a part of the window has.
pub fn of(ui: &egui::Ui) -> &'static Palette {
    palette(ui.visuals())
}

/// The colours that the window has.
pub fn current(ctx: &egui::Context) -> &'static Palette {
    if ctx.theme() == egui::Theme::Dark { &DARK } else { &LIGHT }
}

fn palette(visuals: &egui::Visuals) -> &'static Palette {
    if visuals.dark_mode { &DARK } else { &LIGHT }
}

/// Makes a part of the window dark in every theme: what lies over the stage.
pub fn use_stage_colors(ui: &mut egui::Ui) {
    let dark = ui.ctx().style_of(egui::Theme::Dark).visuals.clone();
    ui.style_mut().visuals = dark;
}

/// A frame for bars: quiet, with room at the sides.
pub fn bar_frame(palette: &Palette) -> egui::Frame {
    egui::Frame::new().fill(palette.bar).inner_margin(Margin::symmetric(10, 0))
}

/// A frame for side panels.
pub fn panel_frame(palette: &Palette) -> egui::Frame {
    egui::Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(12, 8))
}

/// A frame for things that float over the stage; what is in it uses [`use_stage_colors`].
pub fn float_frame() -> egui::Frame {
    egui::Frame::new()
        .fill(Color32::from_rgba_premultiplied(0x14, 0x15, 0x18, 0xEA))
        .stroke(Stroke::new(1.0, LINE))
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::symmetric(10, 8))
}

/// Small bold-looking heading of a panel.
pub fn heading(text: &str) -> egui::RichText {
    egui::RichText::new(text).size(12.5).strong()
}

/// Text that can wait.
pub fn quiet(text: impl Into<String>) -> egui::RichText {
    egui::RichText::new(text).weak()
}

fn visuals(visuals: &mut egui::Visuals, theme: egui::Theme, palette: &Palette) {
    *visuals = theme.default_visuals();
    visuals.panel_fill = palette.panel;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = palette.well;
    visuals.text_edit_bg_color = Some(palette.well);
    visuals.faint_bg_color = palette.hover;
    visuals.weak_text_color = Some(palette.quiet);
    visuals.hyperlink_color = palette.teal;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.bad;
    visuals.selection.bg_fill = palette.teal_fill;
    visuals.selection.stroke = Stroke::new(1.0, palette.primary);
    visuals.slider_trailing_fill = true;
    visuals.text_cursor.blink = false;
    let corner = CornerRadius::same(4);
    let widgets = &mut visuals.widgets;
    for (look, fill, stroke, text) in [
        (&mut widgets.noninteractive, palette.panel, palette.line, palette.normal),
        (&mut widgets.inactive, palette.well, palette.line, palette.normal),
        (&mut widgets.hovered, palette.hover, palette.hover_line, palette.primary),
        (&mut widgets.active, palette.teal_fill, palette.teal, palette.primary),
        (&mut widgets.open, palette.hover, palette.line, palette.primary),
    ] {
        look.bg_fill = fill;
        look.weak_bg_fill = fill;
        look.bg_stroke = Stroke::new(1.0, stroke);
        look.fg_stroke = Stroke::new(1.0, text);
        look.corner_radius = corner;
        look.expansion = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2 has it.
    fn luminance(color: Color32) -> f32 {
        let [r, g, b, _] = color.to_array().map(|c| {
            let c = f32::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_text_can_be_read_on_every_surface_of_both_themes() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 0.01);
        for (theme, p) in [("dark", DARK), ("light", LIGHT)] {
            let texts = [
                ("primary", p.primary),
                ("normal", p.normal),
                ("quiet", p.quiet),
                ("teal", p.teal),
                ("warning", p.warning),
                ("bad", p.bad),
                ("good", p.good),
                ("X", p.axes[0]),
                ("Y", p.axes[1]),
                ("Z", p.axes[2]),
            ];
            let surfaces = [("panel", p.panel), ("bar", p.bar), ("well", p.well), ("hover", p.hover)];
            for (text, color) in texts {
                for (surface, under) in surfaces {
                    let found = contrast(color, under);
                    assert!(found >= 4.5, "{theme}: {text} on {surface} has {found:.2}");
                }
            }
            for (text, color) in [("primary", p.primary), ("normal", p.normal)] {
                for (surface, under) in [("fill", p.teal_fill), ("row", p.teal_row), ("switch", p.teal_well)] {
                    let found = contrast(color, under);
                    assert!(found >= 4.5, "{theme}: {text} on {surface} has {found:.2}");
                }
            }
        }
    }

    #[test]
    fn both_themes_have_the_same_order_of_text() {
        for p in [DARK, LIGHT] {
            let [primary, normal, quiet] = [p.primary, p.normal, p.quiet].map(|text| contrast(text, p.panel));
            assert!(primary > normal && normal > quiet);
        }
    }
}
