//! What is kept between runs: what the view shows and how the brush is held.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::brush_memory::BrushMemory;
use crate::keymap::Keys;
use crate::panels::sections::Sections;
use crate::theme::{self, ThemeChoice};
use crate::viewport::options::ViewOptions;

/// So many files are offered again.
const MAX_RECENT: usize = 8;

/// Sizes of text and controls that are offered, percent.
pub const SCALES: [(u32, &str); 6] =
    [(100, "100 %"), (115, "115 %"), (130, "130 %"), (150, "150 %"), (175, "175 %"), (200, "200 %")];

/// What is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// What the view shows.
    pub view: ViewOptions,
    /// How brushes are held.
    pub brushes: BrushMemory,
    /// The window's theme.
    pub theme: ThemeChoice,
    /// Size of text and controls, percent, 100 to 200.
    pub scale_percent: u32,
    /// Files that were open, the last first.
    pub recent: Vec<PathBuf>,
    /// The keys.
    pub keys: Keys,
    /// Which sections at the right are open.
    pub sections: Sections,
}

impl Default for Preferences {
    fn default() -> Self {
        let (view, brushes, theme) = Default::default();
        let (recent, keys, sections) = Default::default();
        Self { view, brushes, theme, scale_percent: 100, recent, keys, sections }
    }
}

impl Preferences {
    /// What was kept; nothing if it cannot be read.
    pub fn load(storage: Option<&dyn eframe::Storage>) -> Self {
        storage.and_then(|storage| eframe::get_value(storage, crate::PREFERENCES_KEY)).unwrap_or_default()
    }

    /// Gives the window its theme and size.
    pub fn apply_look(&mut self, ctx: &egui::Context) {
        theme::choose(ctx, self.theme);
        self.scale_percent = self.scale_percent.clamp(SCALES[0].0, SCALES[SCALES.len() - 1].0);
        ctx.set_zoom_factor(self.scale_percent as f32 / 100.0);
    }

    /// Puts a file before the other recent ones.
    pub fn was_open(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT);
    }

    /// Forgets a recent file that is gone.
    pub fn forget(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|other| *other != path);
    }

    /// The next offered size, larger or smaller.
    pub fn step_scale(&mut self, is_larger: bool) {
        let now = self.scale_percent;
        let next = if is_larger {
            SCALES.iter().find(|(percent, _)| *percent > now)
        } else {
            SCALES.iter().rev().find(|(percent, _)| *percent < now)
        };
        self.scale_percent = next.map_or(now, |(percent, _)| *percent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theme_size_and_recent_files_are_kept_and_older_ones_are_read() {
        let mut kept = Preferences { theme: ThemeChoice::Light, scale_percent: 150, ..Preferences::default() };
        for i in 0..20 {
            kept.was_open(Path::new(&format!("/models/{i}.glb")));
        }
        kept.was_open(Path::new("/models/18.glb"));
        assert_eq!(kept.recent.len(), MAX_RECENT);
        assert_eq!(kept.recent[..2], [PathBuf::from("/models/18.glb"), PathBuf::from("/models/19.glb")]);
        let text = serde_json::to_string(&kept).unwrap_or_default();
        assert_eq!(serde_json::from_str::<Preferences>(&text).ok(), Some(kept));
        let older = serde_json::from_str::<Preferences>(r#"{"brush":null}"#).ok();
        assert_eq!(older, Some(Preferences::default()));
    }
}
