//! Fonts: egui's own for most text, an icon font, and the system's for scripts that neither has.
//!
//! System fonts are looked for once, when the first character asks for it. Where none has it, a box is drawn.

use std::sync::{Arc, OnceLock};

use egui::epaint::text::{FallbackRequest, FontInsert};
use egui::{FontData, FontDefinitions, FontFamily, RichText};
use lucide_icons::{Icon, LUCIDE_FONT_BYTES};
use skrifa::MetadataProvider;

/// The family of the icon font.
const ICONS: &str = "icons";

/// Gives a window its fonts. Call it before the first frame.
pub fn install(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::default();
    fonts.font_data.insert(ICONS.to_owned(), Arc::new(FontData::from_static(LUCIDE_FONT_BYTES)));
    fonts.families.insert(icon_family(), vec![ICONS.to_owned()]);
    ctx.set_fonts(fonts);
    let database = OnceLock::new();
    ctx.add_font_provider(Arc::new(move |request: &FallbackRequest<'_>| {
        let wanted = request.cluster.chars().next()?;
        system_font(database.get_or_init(system_fonts), wanted)
    }));
}

/// An icon as text.
pub fn icon(icon: Icon) -> RichText {
    RichText::new(char::from(icon)).font(icon_font(16.0))
}

/// The icon font in a size, points.
pub fn icon_font(size: f32) -> egui::FontId {
    egui::FontId::new(size, icon_family())
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
    fn a_font_that_has_the_character_is_found() {
        let mut database = fontdb::Database::new();
        database.load_font_data(b"this is no font".to_vec());
        database.load_font_data(LUCIDE_FONT_BYTES.to_vec());
        assert!(system_font(&database, '腕').is_none());
        assert!(system_font(&database, char::from(Icon::Lock)).is_some());
    }
}
