//! Sets of keys that people bring with them. The first is the list's own; another says only where it differs.

use egui::{Key, KeyboardShortcut, Modifiers};
use serde::{Deserialize, Serialize};

use super::Do;

/// Whose habits the keys follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Blender's: F sizes the brush, Alt and a click pick a joint.
    #[default]
    Blender,
    /// Maya's and ngSkinTools': B and a drag size the brush, Alt and the mouse buttons move the camera.
    Maya,
}

/// What Alt and the left button do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AltClick {
    /// Pick the joint there.
    PicksJoint,
    /// Move the camera: left orbits, middle pans, right zooms.
    MovesCamera,
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}

/// Where Maya's keys differ from the list's.
static MAYA: &[(Do, &[KeyboardShortcut])] = &[
    (Do::Undo, &[ctrl(Key::Z), key(Key::Z)]),
    (Do::Redo, &[ctrl(Key::Y), shift(Key::Z)]),
    (Do::SizeBrush, &[key(Key::B)]),
    (Do::DragStrength, &[key(Key::I)]),
    (Do::Flood, &[ctrl(Key::F)]),
    (Do::DragValue, &[key(Key::N)]),
    (Do::Frame, &[key(Key::A), key(Key::Home)]),
    (Do::FrameJoint, &[key(Key::F)]),
    (Do::Bend, &[key(Key::E)]),
    (Do::ToggleGizmo, &[shift(Key::E)]),
    (Do::ResetJoint, &[alt(Key::E)]),
    (Do::CycleDisplay, &[key(Key::D)]),
    (Do::ToggleWire, &[key(Key::Num4)]),
    (Do::Front, &[shift(Key::F1)]),
    (Do::Side, &[shift(Key::F2)]),
    (Do::Top, &[shift(Key::F3)]),
    (Do::ParentJoint, &[key(Key::ArrowUp)]),
    (Do::ChildJoint, &[key(Key::ArrowDown)]),
    (Do::Brush(0), &[shift(Key::Num1)]),
    (Do::Brush(1), &[shift(Key::Num2)]),
    (Do::Brush(2), &[shift(Key::Num3)]),
    (Do::Brush(3), &[shift(Key::Num4)]),
    (Do::Brush(4), &[shift(Key::Num5)]),
    (Do::Brush(6), &[shift(Key::Num6)]),
    (Do::Brush(7), &[shift(Key::Num7)]),
    (Do::Brush(8), &[shift(Key::Num8)]),
    (Do::Brush(9), &[shift(Key::Num9)]),
    (Do::Brush(12), &[shift(Key::Num0)]),
];

impl Preset {
    /// All, in the order in which they are offered: value, name, one line.
    pub const ALL: [(Self, &'static str, &'static str); 2] = [
        (Self::Blender, "Blender", "F sizes the brush; Alt and a click pick a joint"),
        (Self::Maya, "Maya / ngSkinTools", "Hold B and drag to size the brush; Alt and the mouse move the camera"),
    ];

    /// Its keys for something, where they differ from the list's.
    pub fn differs(self, what: Do) -> Option<&'static [KeyboardShortcut]> {
        match self {
            Self::Blender => None,
            Self::Maya => MAYA.iter().find(|(of, _)| *of == what).map(|(_, keys)| *keys),
        }
    }

    /// What Alt and the left button do.
    pub const fn alt_click(self) -> AltClick {
        match self {
            Self::Blender => AltClick::PicksJoint,
            Self::Maya => AltClick::MovesCamera,
        }
    }
}
