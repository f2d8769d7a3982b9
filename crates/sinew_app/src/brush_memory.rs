//! How each brush was last held, and ways of holding one that were given a name. Kept between runs.
//!
//! How large a brush is, where it reaches and how it follows the pointer is one for all brushes: a smooth stroke in the
//! middle of the work must not paint somewhere else. All else is each brush's own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sinew_edit::brushes::brush_named;
use sinew_edit::{Brush, BrushSettings, Curve, Editor, Falloff, Reach};

/// The longest name of a preset, characters.
const LONGEST_NAME: usize = 40;

/// How brushes are held.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BrushMemory {
    /// The brush in hand and how; none before one was held.
    last: Option<Held>,
    /// How each of the others was last held, by its name.
    by_brush: BTreeMap<String, Held>,
    /// By name, in the order in which they were saved.
    presets: Vec<Preset>,
    /// The size on screen, points, where that is kept and not the size on the model.
    pub size_points: Option<u16>,
}

/// A way of holding a brush that has a name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Preset {
    name: String,
    held: Held,
}

/// A brush and how it is held, in names and shares of the model's diagonal: files have different units.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
struct Held {
    brush: String,
    value: f32,
    strength: f32,
    radius_share: f32,
    falloff: String,
    curve: String,
    reach: String,
    front_only: bool,
    shell_only: bool,
    spacing: f32,
    iterations: u32,
    existing_only: bool,
    gap_share: f32,
    once: bool,
    airbrush_hz: f32,
    lazy_px: f32,
}

/// A brush as it is held before anybody said otherwise.
pub fn first(brush: &'static Brush) -> BrushSettings {
    let (value, strength) = match brush.name {
        // A little at a time.
        "add" | "subtract" => (0.1, 1.0),
        "scale" | "grow" => (0.8, 1.0),
        "smooth" | "average" | "sharpen" => (1.0, 0.5),
        _ => (1.0, 1.0),
    };
    BrushSettings { brush, value, strength, ..BrushSettings::default() }
}

impl Default for Held {
    fn default() -> Self {
        Self::of(&BrushSettings::default(), 1.0)
    }
}

impl Held {
    fn of(brush: &BrushSettings, size: f32) -> Self {
        let share = |length: f32| if size > 0.0 { length / size } else { 0.0 };
        Self {
            brush: brush.brush.name.to_owned(),
            value: brush.value,
            strength: brush.strength,
            radius_share: share(brush.radius),
            falloff: brush.falloff.name().to_owned(),
            curve: brush.curve.text(),
            reach: brush.reach.name().to_owned(),
            front_only: brush.front_only,
            shell_only: brush.shell_only,
            spacing: brush.spacing,
            iterations: brush.iterations,
            existing_only: brush.existing_only,
            gap_share: share(brush.gap),
            once: brush.once,
            airbrush_hz: brush.airbrush_hz,
            lazy_px: brush.lazy_px,
        }
    }

    /// What is kept as settings again. What cannot be read is as in `other`.
    fn settings(&self, other: &BrushSettings, size: f32) -> BrushSettings {
        let number = |kept: f32, low: f32, high: f32, other: f32| {
            if kept.is_finite() { kept.clamp(low, high) } else { other }
        };
        let radius = self.radius_share * size;
        BrushSettings {
            brush: brush_named(&self.brush).unwrap_or(other.brush),
            value: number(self.value, 0.0, 1.0, other.value),
            strength: number(self.strength, 0.0, 1.0, other.strength),
            radius: if radius.is_finite() && radius > 0.0 { radius } else { other.radius },
            falloff: Falloff::named(&self.falloff).unwrap_or(other.falloff),
            curve: Curve::parse(&self.curve).unwrap_or(other.curve),
            reach: Reach::named(&self.reach).unwrap_or(other.reach),
            front_only: self.front_only,
            shell_only: self.shell_only,
            spacing: number(self.spacing, 0.01, 4.0, other.spacing),
            iterations: self.iterations.clamp(1, 100),
            existing_only: self.existing_only,
            gap: number(self.gap_share * size, 0.0, f32::MAX, 0.0),
            once: self.once,
            airbrush_hz: number(self.airbrush_hz, 0.0, 60.0, 0.0),
            lazy_px: number(self.lazy_px, 0.0, 200.0, 0.0),
        }
    }
}

impl BrushMemory {
    /// Keeps the editor's brush.
    pub fn remember(&mut self, editor: &mut Editor) {
        let size = editor.bounds().diagonal();
        if size > 0.0 {
            self.last = Some(Held::of(&editor.session.brush, size));
        }
    }

    /// Gives the kept brush to an editor.
    pub fn give_to(&self, editor: &mut Editor) {
        let Some(kept) = &self.last else { return };
        let size = editor.bounds().diagonal();
        editor.session.brush = kept.settings(&editor.session.brush, size);
    }

    /// Takes another brush in the hand, held as it was before.
    pub fn take(&mut self, editor: &mut Editor, brush: &'static Brush) {
        let now = editor.session.brush;
        if now.brush == brush {
            return;
        }
        let size = editor.bounds().diagonal();
        self.by_brush.insert(now.brush.name.to_owned(), Held::of(&now, size));
        let first = first(brush);
        let own = self.by_brush.get(brush.name).map_or(first, |held| held.settings(&first, size));
        editor.session.brush = BrushSettings {
            brush,
            radius: now.radius,
            reach: now.reach,
            front_only: now.front_only,
            shell_only: now.shell_only,
            lazy_px: now.lazy_px,
            ..own
        };
    }

    /// The brush in hand as it comes, at its size and reach.
    pub fn reset(editor: &mut Editor) {
        let now = editor.session.brush;
        editor.session.brush = BrushSettings { radius: now.radius, reach: now.reach, ..first(now.brush) };
    }

    /// The names of presets.
    pub fn preset_names(&self) -> impl Iterator<Item = &str> {
        self.presets.iter().map(|preset| preset.name.as_str())
    }

    /// Keeps the brush as it is held under a name, in place of a preset that has it.
    pub fn save_preset(&mut self, name: &str, editor: &mut Editor) {
        let name: String = name.trim().chars().take(LONGEST_NAME).collect();
        let size = editor.bounds().diagonal();
        if name.is_empty() {
            return;
        }
        let preset = Preset { name, held: Held::of(&editor.session.brush, size) };
        match self.presets.iter_mut().find(|other| other.name == preset.name) {
            Some(other) => *other = preset,
            None => self.presets.push(preset),
        }
    }

    /// Holds the brush as a preset says.
    pub fn use_preset(&mut self, at: usize, editor: &mut Editor) {
        let Some(held) = self.presets.get(at).map(|preset| preset.held.clone()) else { return };
        let now = editor.session.brush;
        let size = editor.bounds().diagonal();
        self.by_brush.insert(now.brush.name.to_owned(), Held::of(&now, size));
        editor.session.brush = held.settings(&now, size);
    }

    /// Whether the brush is held as a preset says.
    pub fn is_preset(&self, at: usize, brush: &BrushSettings, size: f32) -> bool {
        let close = |a: f32, b: f32| (a - b).abs() <= 1e-5 * a.abs().max(b.abs());
        self.presets.get(at).is_some_and(|preset| {
            let held = preset.held.settings(brush, size);
            let lengths = BrushSettings { radius: brush.radius, gap: brush.gap, ..held };
            lengths == *brush && close(held.radius, brush.radius) && close(held.gap, brush.gap)
        })
    }

    /// Forgets a preset.
    pub fn delete_preset(&mut self, at: usize) {
        if at < self.presets.len() {
            self.presets.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor() -> Editor {
        let arm = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/arm.glb");
        match crate::files::OpenFile::open(&arm) {
            Ok(file) => file.editor,
            Err(error) => panic!("the arm comes with the program: {error}"),
        }
    }

    fn brush(name: &str) -> &'static Brush {
        brush_named(name).unwrap_or(sinew_edit::BRUSHES[0])
    }

    #[test]
    fn every_brush_is_held_as_before_but_size_and_reach_are_one_for_all() {
        // B62
        let (mut editor, mut memory) = (editor(), BrushMemory::default());
        editor.session.brush.value = 0.7;
        memory.take(&mut editor, brush("smooth"));
        let smooth = BrushSettings { iterations: 5, radius: 0.31, reach: Reach::Volume, ..editor.session.brush };
        editor.session.brush = BrushSettings { strength: 0.25, falloff: Falloff::Sharp, ..smooth };
        memory.take(&mut editor, brush("replace"));
        let now = editor.session.brush;
        assert_eq!((now.value, now.strength, now.falloff), (0.7, 1.0, Falloff::Smooth));
        assert_eq!((now.radius, now.reach), (0.31, Reach::Volume));
        memory.remember(&mut editor);
        // Another run.
        let text = serde_json::to_string(&memory).unwrap_or_default();
        let mut memory: BrushMemory = serde_json::from_str(&text).unwrap_or_default();
        memory.give_to(&mut editor);
        memory.take(&mut editor, brush("smooth"));
        let now = editor.session.brush;
        assert_eq!((now.strength, now.falloff, now.iterations), (0.25, Falloff::Sharp, 5));
        assert!((now.radius - 0.31).abs() < 1e-5);
    }

    #[test]
    fn a_preset_is_found_by_its_name_and_replaced_under_it() {
        let (mut editor, mut memory) = (editor(), BrushMemory::default());
        let soft = BrushSettings { strength: 0.2, once: true, ..editor.session.brush };
        editor.session.brush = soft;
        memory.save_preset("  ", &mut editor);
        assert_eq!(memory.preset_names().count(), 0, "a preset has a name");
        memory.save_preset("Soft", &mut editor);
        memory.take(&mut editor, brush("erase"));
        memory.save_preset("Out", &mut editor);
        memory.use_preset(0, &mut editor);
        let size = editor.bounds().diagonal();
        assert!(memory.is_preset(0, &editor.session.brush, size) && !memory.is_preset(1, &editor.session.brush, size));
        assert!((editor.session.brush.strength - 0.2).abs() < 1e-6 && editor.session.brush.once);
        editor.session.brush.strength = 0.4;
        memory.save_preset("Soft", &mut editor);
        memory.delete_preset(1);
        assert_eq!(memory.preset_names().collect::<Vec<_>>(), ["Soft"]);
    }

    #[test]
    fn what_cannot_be_read_does_no_harm() {
        let text = r#"{"last":{"brush":"airhammer","strength":7,"spacing":-3,"iterations":0,"curve":"x"}}"#;
        let memory: BrushMemory = serde_json::from_str(text).unwrap_or_default();
        let mut editor = editor();
        let before = editor.session.brush;
        memory.give_to(&mut editor);
        let now = editor.session.brush;
        assert_eq!((now.brush, now.curve, now.iterations), (before.brush, before.curve, 1));
        assert!(now.strength == 1.0 && now.spacing > 0.0);
    }
}
