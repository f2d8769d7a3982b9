//! What the mouse buttons and keys do now, in words and by the keys as they are: the status line and the card of keys.

use egui::Context;

use super::presets::AltClick;
use super::{Do, Mode, key_text, of};

/// A key or button, and what it does.
pub type Hint = (String, &'static str);

impl Mode {
    /// Keys and what they do, most useful first. What has no key is left out.
    pub fn hints(self, ctx: &Context) -> Vec<Hint> {
        let fixed = |key: &str, what| (key.to_owned(), what);
        let mut hints = match self {
            Self::Empty => vec![bound(ctx, Do::Open, "open a file"), bound(ctx, Do::Palette, "find a command")],
            Self::Idle => idle(ctx),
            Self::Painting => vec![fixed("Release", "finish the stroke"), fixed("Esc", "take it back")],
            Self::Bending => vec![
                fixed("Move", "turn"),
                fixed("X Y Z", "about an axis"),
                fixed("0–9", "degrees"),
                fixed("Shift", "precise"),
                fixed("Enter", "keep"),
                fixed("Esc", "cancel"),
            ],
            Self::Turning => vec![
                fixed("Move", "turn along the ring"),
                fixed("0–9", "degrees"),
                fixed("Shift", "precise"),
                fixed("Release", "keep"),
                fixed("Esc", "cancel"),
            ],
            Self::Flexing => vec![
                fixed("Drag", "bend"),
                fixed("Shift", "precise"),
                fixed("Click", "hold it so: paint"),
                (format!("Release {}", key_text(ctx, Do::Flex)), "spring back"),
                bound(ctx, Do::FlexAndStay, "flex and stay"),
            ],
            Self::Flexed => vec![
                bound(ctx, Do::Flex, "spring back: let go, or press again"),
                fixed("LMB", "paint"),
                fixed("Ctrl", "invert"),
                fixed("Shift", "smooth"),
                bound(ctx, Do::SizeBrush, "size"),
                bound(ctx, Do::DragStrength, "strength"),
                fixed("Esc", "spring back at once"),
            ],
            Self::Sizing => vec![fixed("Move", "less or more"), fixed("Click", "keep"), fixed("Esc", "cancel")],
            Self::Taking => vec![
                fixed("Move", "over the skin"),
                (format!("Release {}", key_text(ctx, Do::TakeJoint)), "take its joint"),
                fixed("Esc", "cancel"),
            ],
            Self::Selecting => vec![
                fixed("Click", "select"),
                fixed("Drag", "box or lasso"),
                fixed("Shift", "add"),
                fixed("Ctrl", "take away"),
                bound(ctx, Do::GrowSelection, "grow"),
                bound(ctx, Do::ShrinkSelection, "shrink"),
                bound(ctx, Do::SelectLinked, "linked"),
                bound(ctx, Do::Isolate, "isolate"),
                bound(ctx, Do::Brush(0), "back to painting"),
            ],
            Self::Laying => vec![
                fixed("Drag", "move an end"),
                fixed("Enter", "keep"),
                fixed("Click elsewhere", "keep"),
                fixed("Esc", "take it back"),
            ],
            Self::Choosing => vec![fixed("Click", "choose"), fixed("1–8", "choose"), fixed("Esc", "close")],
            Self::Looking => vec![fixed("Release", "done")],
        };
        hints.retain(|(key, _)| !key.is_empty());
        hints
    }
}

fn bound(ctx: &Context, what: Do, text: &'static str) -> Hint {
    (key_text(ctx, what), text)
}

fn idle(ctx: &Context) -> Vec<Hint> {
    let fixed = |key: &str, what| (key.to_owned(), what);
    let keys = [
        (Do::SizeBrush, "size"),
        (Do::DragStrength, "strength"),
        (Do::Bend, "bend joint"),
        (Do::Flex, "flex and spring back"),
        (Do::TakeJoint, "joint from skin"),
    ];
    let mut hints = vec![fixed("LMB", "paint"), fixed("Ctrl", "invert"), fixed("Shift", "smooth")];
    hints.extend(keys.map(|(what, text)| bound(ctx, what, text)));
    match of(ctx).preset.alt_click() {
        AltClick::PicksJoint => hints.push(fixed("Alt click", "pick joint")),
        AltClick::MovesCamera => {
            hints.extend([fixed("Ctrl+Shift click", "pick joint"), fixed("Alt drag", "orbit, pan, zoom")]);
        }
    }
    let keys = [(Do::ToggleDeformer, "LBS / DQS"), (Do::ToggleExported, "as exported"), (Do::KeysCard, "keys")];
    hints.extend(keys.map(|(what, text)| bound(ctx, what, text)));
    hints.extend([fixed("MMB", "orbit"), fixed("Shift MMB", "pan"), fixed("Wheel", "zoom")]);
    hints
}

/// The words with a capital at the beginning.
pub fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
