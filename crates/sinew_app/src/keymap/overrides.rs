//! The keys as they are now: a preset, and what a person chose instead. Kept between runs as text.
//!
//! The window's context carries them, so that every tooltip, menu and hint follows without being told.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Context, Id, Key, KeyboardShortcut, ModifierNames, Modifiers};
use serde::{Deserialize, Serialize};

use super::presets::AltClick;
use super::{BINDINGS, Do, Preset};

/// The keys as they are now.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Keys {
    /// What holds where nothing else was chosen.
    pub preset: Preset,
    /// What was chosen instead: by name, keys as text.
    own: BTreeMap<String, Vec<String>>,
}

impl Keys {
    /// A preset as it comes.
    pub fn of_preset(preset: Preset) -> Self {
        Self { preset, own: BTreeMap::new() }
    }

    /// The keys of something; the first is shown.
    pub fn of(&self, what: Do) -> Cow<'static, [KeyboardShortcut]> {
        match self.own.get(&name(what)) {
            Some(own) => Cow::Owned(own.iter().filter_map(|text| read(text)).collect()),
            None => Cow::Borrowed(self.preset_keys(what)),
        }
    }

    /// The preset's keys of something.
    pub fn preset_keys(&self, what: Do) -> &'static [KeyboardShortcut] {
        let of_list = || BINDINGS.iter().find(|binding| binding.what == what).map_or(&[][..], |binding| binding.keys);
        self.preset.differs(what).unwrap_or_else(of_list)
    }

    /// Whether somebody chose other keys than the preset's.
    pub fn is_own(&self, what: Do) -> bool {
        self.own.contains_key(&name(what))
    }

    /// Whether anything is other than in the preset.
    pub fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// Chooses the keys of something.
    pub fn set(&mut self, what: Do, keys: &[KeyboardShortcut]) {
        if keys == self.preset_keys(what) {
            self.reset(what);
        } else {
            self.own.insert(name(what), keys.iter().copied().map(write).collect());
        }
    }

    /// The preset's keys again.
    pub fn reset(&mut self, what: Do) {
        self.own.remove(&name(what));
    }

    /// The preset's keys again, for all.
    pub fn reset_all(&mut self) {
        self.own.clear();
    }

    /// What a key press means. Where several have the key it is what somebody chose it for, a preset's meaning of it only
    /// then; of several of a kind the first of the list.
    pub fn meaning(&self, key: Key, modifiers: Modifiers) -> Option<Do> {
        let is_pressed =
            |shortcut: &KeyboardShortcut| shortcut.logical_key == key && modifiers.matches_exact(shortcut.modifiers);
        let has_it = |&what: &Do| self.of(what).iter().any(is_pressed);
        let mut all = BINDINGS.iter().map(|binding| binding.what).filter(has_it);
        let first = all.next()?;
        let chosen = std::iter::once(first).chain(all).find(|&what| self.is_own(what));
        Some(chosen.unwrap_or(first))
    }

    /// The first key of something that means it: one that was chosen for something else, maybe under another preset, does
    /// not.
    pub fn shown(&self, what: Do) -> Option<KeyboardShortcut> {
        let has_own = self.has_own();
        let means_it = |key: &KeyboardShortcut| !has_own || self.meaning(key.logical_key, key.modifiers) == Some(what);
        self.of(what).iter().find(|key| means_it(key)).copied()
    }

    /// What else has a key of something.
    pub fn conflicts(&self, what: Do) -> Vec<Do> {
        let keys = self.of(what);
        let others = BINDINGS.iter().map(|binding| binding.what).filter(|&other| other != what);
        others.filter(|&other| self.of(other).iter().any(|key| keys.contains(key))).collect()
    }

    /// Whether a click with these keys held picks a joint.
    pub fn picks_joint(&self, modifiers: Modifiers) -> bool {
        let is_alt = modifiers.alt && self.preset.alt_click() == AltClick::PicksJoint;
        is_alt || (modifiers.command && modifiers.shift)
    }

    /// Whether the mouse moves the camera with these keys held, whatever the button.
    pub fn moves_camera(&self, modifiers: Modifiers) -> bool {
        modifiers.alt && self.preset.alt_click() == AltClick::MovesCamera
    }
}

/// Gives the window its keys.
pub fn install(ctx: &Context, keys: &Keys) {
    if *of(ctx) != *keys {
        let keys = Arc::new(keys.clone());
        ctx.data_mut(|data| data.insert_temp(Id::NULL, keys));
        ctx.request_repaint();
    }
}

/// The window's keys.
pub fn of(ctx: &Context) -> Arc<Keys> {
    ctx.data(|data| data.get_temp(Id::NULL)).unwrap_or_default()
}

/// The first key of something the window can be told, as text; empty if it has none.
pub fn key_text(ctx: &Context, what: Do) -> String {
    of(ctx).shown(what).map(|shortcut| shortcut_text(ctx, &shortcut)).unwrap_or_default()
}

/// A key with what is held, as people write it here.
pub fn shortcut_text(ctx: &Context, shortcut: &KeyboardShortcut) -> String {
    let is_mac = ctx.os().is_mac();
    let names = if is_mac { ModifierNames::SYMBOLS } else { ModifierNames::NAMES };
    let held = names.format(&shortcut.modifiers, is_mac);
    let key = key_sign(shortcut.logical_key);
    if held.is_empty() || is_mac { format!("{held}{key}") } else { format!("{held}+{key}") }
}

/// The sign on a key, not its name: `[` and not `OpenBracket`. Arrows have words: not every font has their signs.
fn key_sign(key: Key) -> &'static str {
    match key {
        Key::ArrowUp => "Up",
        Key::ArrowDown => "Down",
        Key::ArrowLeft => "Left",
        Key::ArrowRight => "Right",
        Key::Minus => "-",
        key if key.symbol_or_name().is_ascii() => key.symbol_or_name(),
        key => key.name(),
    }
}

/// What a key press means.
pub fn meaning(ctx: &Context, key: Key, modifiers: Modifiers) -> Option<Do> {
    of(ctx).meaning(key, modifiers)
}

/// The name under which keys are kept.
fn name(what: Do) -> String {
    match what {
        Do::Brush(i) => format!("brush.{}", sinew_edit::BRUSHES.get(i).map_or("?", |brush| brush.name)),
        what => format!("{what:?}"),
    }
}

fn write(shortcut: KeyboardShortcut) -> String {
    let KeyboardShortcut { modifiers, logical_key } = shortcut;
    let held = [(modifiers.command || modifiers.ctrl, "Ctrl+"), (modifiers.alt, "Alt+"), (modifiers.shift, "Shift+")];
    let mut text: String = held.into_iter().filter(|(is_held, _)| *is_held).map(|(_, name)| name).collect();
    text.push_str(logical_key.name());
    text
}

/// Reads what [`write()`] wrote; what it does not know is no key.
fn read(text: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = text;
    while let Some((held, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
        match held {
            "Ctrl" => modifiers |= Modifiers::COMMAND,
            "Alt" => modifiers |= Modifiers::ALT,
            "Shift" => modifiers |= Modifiers::SHIFT,
            _ => return None,
        }
        rest = after;
    }
    Some(KeyboardShortcut::new(modifiers, Key::from_name(rest)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

    #[test]
    fn in_no_preset_a_key_means_two_things() {
        for (preset, name, _) in Preset::ALL {
            let keys = Keys::of_preset(preset);
            for binding in BINDINGS {
                let others = keys.conflicts(binding.what);
                assert!(others.is_empty(), "{name}: {:?} and {others:?}", binding.what);
            }
        }
    }

    #[test]
    fn redo_is_not_undo() {
        let keys = Keys::default();
        assert_eq!(keys.meaning(Key::Z, CTRL), Some(Do::Undo));
        assert_eq!(keys.meaning(Key::Z, Modifiers { shift: true, ..CTRL }), Some(Do::Redo));
        assert_eq!(keys.meaning(Key::Z, Modifiers::NONE), None);
    }

    #[test]
    fn every_key_that_can_be_chosen_survives_being_kept_as_text() {
        for &key in Key::ALL {
            for modifiers in [Modifiers::NONE, Modifiers::COMMAND, Modifiers::ALT | Modifiers::SHIFT] {
                let shortcut = KeyboardShortcut::new(modifiers, key);
                assert_eq!(read(&write(shortcut)), Some(shortcut));
            }
        }
        assert_eq!(read("Hyper+K"), None);
    }

    #[test]
    fn a_chosen_key_takes_the_presets_place_and_resetting_brings_that_back() {
        let mut keys = Keys::of_preset(Preset::Maya);
        assert_eq!(keys.meaning(Key::B, Modifiers::NONE), Some(Do::SizeBrush));
        let chosen = KeyboardShortcut::new(Modifiers::NONE, Key::F9);
        keys.set(Do::SizeBrush, &[chosen]);
        assert_eq!(keys.meaning(Key::B, Modifiers::NONE), None);
        assert_eq!(keys.meaning(Key::F9, Modifiers::NONE), Some(Do::SizeBrush));
        keys.set(Do::ToggleWire, &[chosen]);
        assert_eq!(keys.conflicts(Do::ToggleWire), [Do::SizeBrush]);
        let text = serde_json::to_string(&keys).unwrap_or_default();
        assert_eq!(serde_json::from_str::<Keys>(&text).ok(), Some(keys.clone()));
        keys.reset(Do::ToggleWire);
        keys.set(Do::SizeBrush, &[KeyboardShortcut::new(Modifiers::NONE, Key::B)]);
        assert_eq!(keys, Keys::of_preset(Preset::Maya), "chosen as it was is not chosen");
    }

    #[test]
    fn a_key_that_was_chosen_is_taken_along_to_another_preset_and_shown_once() {
        let b = KeyboardShortcut::new(Modifiers::NONE, Key::B);
        let mut keys = Keys::of_preset(Preset::Blender);
        keys.set(Do::DragStrength, &[b]);
        keys.preset = Preset::Maya;
        assert_eq!(keys.meaning(Key::B, Modifiers::NONE), Some(Do::DragStrength), "not the preset's Size Brush");
        let shown: Vec<Do> =
            BINDINGS.iter().map(|binding| binding.what).filter(|&what| keys.shown(what) == Some(b)).collect();
        assert_eq!(shown, [Do::DragStrength]);
        assert_eq!(keys.conflicts(Do::DragStrength), [Do::SizeBrush], "and the list of keys says who has it, too");
    }

    #[test]
    fn alt_and_a_click_pick_a_joint_in_one_preset_and_move_the_camera_in_the_other() {
        let (blender, maya) = (Keys::of_preset(Preset::Blender), Keys::of_preset(Preset::Maya));
        assert!(blender.picks_joint(Modifiers::ALT) && !blender.moves_camera(Modifiers::ALT));
        assert!(maya.moves_camera(Modifiers::ALT) && !maya.picks_joint(Modifiers::ALT));
        let both = Modifiers { shift: true, ..CTRL };
        assert!(blender.picks_joint(both) && maya.picks_joint(both));
    }
}
