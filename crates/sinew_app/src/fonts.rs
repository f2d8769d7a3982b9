//! Fonts: a good one of the system for most text (else egui's own), an icon font, and any of the system's for scripts
//! that none of these has.
//!
//! The system's fonts are listed once. Where none has a character, a box is drawn.

use std::sync::Arc;

use egui::epaint::text::{FallbackRequest, FontInsert};
use egui::{Color32, FontData, FontDefinitions, FontFamily, FontId, FontTweak, Galley, Painter, RichText};
use lucide_icons::{Icon, LUCIDE_FONT_BYTES};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};

/// The family of the icon font.
const ICONS: &str = "icons";
/// The name under which the system's font for most text is known.
const UI: &str = "ui";
/// Fonts made for screens, the best first.
const UI_FAMILIES: [&str; 15] = [
    "Inter",
    "Adwaita Sans",
    "Segoe UI",
    "SF Pro Text",
    "SF Pro",
    "Helvetica Neue",
    "Noto Sans",
    "Ubuntu Sans",
    "Ubuntu",
    "Roboto",
    "Open Sans",
    "Source Sans 3",
    "Cantarell",
    "Liberation Sans",
    "DejaVu Sans",
];
/// Height of a small letter, share of the font size, that text is brought to: fonts differ, sizes on screen should not.
const X_HEIGHT: f32 = 0.52;

/// Gives a window its fonts. Call it before the first frame.
pub fn install(ctx: &egui::Context) {
    let database = system_fonts();
    let mut fonts = FontDefinitions::default();
    fonts.font_data.insert(ICONS.to_owned(), Arc::new(FontData::from_static(LUCIDE_FONT_BYTES)));
    fonts.families.insert(icon_family(), vec![ICONS.to_owned()]);
    if let Some(font) = ui_font(&database, &UI_FAMILIES) {
        fonts.font_data.insert(UI.to_owned(), Arc::new(font));
        fonts.families.entry(FontFamily::Proportional).or_default().insert(0, UI.to_owned());
    }
    ctx.set_fonts(fonts);
    ctx.add_font_provider(Arc::new(move |request: &FallbackRequest<'_>| {
        let wanted = request.cluster.chars().next()?;
        system_font(&database, wanted)
    }));
}

/// A name that is at most so wide, points. A longer one loses its middle: what tells joints apart stands at both ends,
/// as in `mixamorig:LeftHandThumb1`.
pub fn fit_name(painter: &Painter, name: &str, font: FontId, color: Color32, max_width: f32) -> Arc<Galley> {
    let lay_out = |text: String| painter.layout_no_wrap(text, font.clone(), color);
    // A line break in a name would take the next row's place.
    let name = name.replace(char::is_control, " ");
    let whole = lay_out(name.clone());
    if whole.size().x <= max_width {
        return whole;
    }
    let letters: Vec<char> = name.chars().collect();
    let kept = |n: usize| {
        let n_head = n / 3;
        let tail = &letters[letters.len() - (n - n_head)..];
        letters[..n_head].iter().chain(&['…']).chain(tail).collect::<String>()
    };
    let n = (1..letters.len()).rev().find(|&n| lay_out(kept(n)).size().x <= max_width).unwrap_or(0);
    lay_out(kept(n))
}

/// An icon as text.
pub fn icon(icon: Icon) -> RichText {
    RichText::new(char::from(icon)).font(icon_font(16.0))
}

/// The icon font in a size, points.
pub fn icon_font(size: f32) -> FontId {
    FontId::new(size, icon_family())
}

fn icon_family() -> FontFamily {
    FontFamily::Name(ICONS.into())
}

fn system_fonts() -> fontdb::Database {
    let mut database = fontdb::Database::new();
    database.load_system_fonts();
    log::info!("{} system font faces", database.len());
    database
}

/// The first of the families that is there in an upright, regular face whose figures are equally wide, so that numbers
/// line up in columns.
fn ui_font(database: &fontdb::Database, families: &[&str]) -> Option<FontData> {
    families.iter().find_map(|family| {
        let families = [fontdb::Family::Name(family)];
        let id = database.query(&fontdb::Query { families: &families, ..fontdb::Query::default() })?;
        let face = database.face(id)?;
        if face.style != fontdb::Style::Normal || face.weight.0.abs_diff(fontdb::Weight::NORMAL.0) > 100 {
            return None;
        }
        database.with_face_data(id, |bytes, index| {
            let scale = figures_line_up(bytes, index)?;
            log::info!("text is set in {family}");
            let tweak = FontTweak { scale, ..FontTweak::default() };
            Some(FontData { index, tweak, ..FontData::from_owned(bytes.to_vec()) })
        })?
    })
}

/// How much the font is to be scaled, if all its figures are equally wide.
fn figures_line_up(bytes: &[u8], index: u32) -> Option<f32> {
    let font = skrifa::FontRef::from_index(bytes, index).ok()?;
    let (size, location) = (Size::new(1.0), LocationRef::default());
    let (map, metrics) = (font.charmap(), font.glyph_metrics(size, location));
    let width = |c: char| metrics.advance_width(map.map(c)?);
    let first = width('0').filter(|width| *width > 0.1)?;
    for c in '1'..='9' {
        if (width(c)? - first).abs() > 1e-3 {
            return None;
        }
    }
    let x_height = font.metrics(size, location).x_height.filter(|height| *height > 0.1);
    Some(x_height.map_or(1.0, |height| (X_HEIGHT / height).clamp(0.88, 1.1)))
}

/// The plainest system font that has the character: upright, neither light nor bold, proportional.
fn system_font(database: &fontdb::Database, wanted: char) -> Option<FontInsert> {
    let mut faces: Vec<&fontdb::FaceInfo> = database.faces().collect();
    faces.sort_by_key(|face| {
        let slant = face.style != fontdb::Style::Normal;
        let weight = face.weight.0.abs_diff(fontdb::Weight::NORMAL.0);
        let width = face.stretch != fontdb::Stretch::Normal;
        (slant, weight, width, face.monospaced, &face.post_script_name)
    });
    faces.into_iter().find_map(|face| {
        database.with_face_data(face.id, |bytes, index| {
            let glyph = skrifa::FontRef::from_index(bytes, index).ok()?.charmap().map(wanted)?;
            (glyph != skrifa::GlyphId::NOTDEF).then(|| {
                let data = FontData { index, ..FontData::from_owned(bytes.to_vec()) };
                FontInsert::new(&format!("{}#{index}", face.post_script_name), data, Vec::new())
            })
        })?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_fonts_gives_none_and_does_not_panic() {
        assert!(system_font(&fontdb::Database::new(), '腕').is_none());
    }

    #[test]
    fn a_long_name_loses_its_middle_and_a_short_one_nothing() {
        egui::__run_test_ui(|ui| {
            let fit = |name: &str| fit_name(ui.painter(), name, FontId::proportional(12.0), Color32::WHITE, 120.0);
            assert_eq!(fit("LeftHand").text(), "LeftHand");
            let long = fit("mixamorig:character1_LeftHandThumb1");
            assert!(long.size().x <= 120.0, "{} points", long.size().x);
            assert!(long.text().starts_with("mixa") && long.text().ends_with("Thumb1"), "{}", long.text());
        });
    }

    #[test]
    fn text_is_set_in_a_font_whose_figures_line_up_and_else_in_eguis_own() {
        assert!(ui_font(&fontdb::Database::new(), &UI_FAMILIES).is_none());
        let mut database = fontdb::Database::new();
        database.load_font_data(LUCIDE_FONT_BYTES.to_vec());
        assert!(ui_font(&database, &["lucide"]).is_none(), "icons have no figures");
        for data in FontDefinitions::default().font_data.values() {
            database.load_font_data(data.bytes().to_vec());
        }
        let own: Vec<String> = database.faces().flat_map(|face| face.families.clone()).map(|family| family.0).collect();
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let found = ui_font(&database, &own);
        assert!(found.is_some_and(|font| (0.88..=1.1).contains(&font.tweak.scale)), "{own:?}");
    }

    #[test]
    fn a_font_that_has_the_character_is_found() {
        let mut database = fontdb::Database::new();
        database.load_font_data(b"this is no font".to_vec());
        database.load_font_data(LUCIDE_FONT_BYTES.to_vec());
        assert!(system_font(&database, '腕').is_none());
        assert!(system_font(&database, char::from(Icon::Lock)).is_some());
    }
}
