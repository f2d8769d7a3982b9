//! Keys in the order in which they were pressed, however slow the frames are.
//!
//! A frame may bring the key that opens or closes a field together with those pressed behind it. Who has the keyboard
//! changes only with the next frame, so what stands behind such a key waits for it.

use egui::{Context, Event, Key};

use crate::keymap::{self, Do};

/// Events that wait for the next frame.
#[derive(Default)]
pub(crate) struct KeyOrder {
    waiting: Vec<Event>,
}

impl KeyOrder {
    /// Call it first in a frame. What has waited comes before what is new; what stands behind a key that hands the
    /// keyboard on waits: one that opens something, or one that closes what is in front.
    pub(crate) fn begin_frame(&mut self, ctx: &Context, is_in_front: bool) {
        let hands_on = |event: &Event| (is_in_front && ends_field(event)) || opens_field(ctx, event);
        let mut events = std::mem::take(&mut self.waiting);
        let has_waited = !events.is_empty();
        events.extend(ctx.input(|i| i.events.clone()));
        if let Some(at) = events.iter().position(hands_on)
            && events[at + 1..].iter().any(is_typed)
        {
            self.waiting = events.split_off(at + 1);
            ctx.request_repaint();
        } else if !has_waited {
            return;
        }
        ctx.input_mut(|i| i.events = events);
    }
}

/// Calls `content` without letters that are pressed, which are for somebody else; Ctrl and a letter are everybody's.
pub(crate) fn without_letters<R>(ctx: &Context, content: impl FnOnce() -> R) -> R {
    let all = ctx.input_mut(|i| {
        let all = i.events.clone();
        i.events.retain(|event| !matches!(event, Event::Key { pressed: true, modifiers, .. } if !modifiers.command));
        all
    });
    let result = content();
    ctx.input_mut(|i| i.events = all);
    result
}

/// Whether a key that is pressed opens something that takes letters.
fn opens_field(ctx: &Context, event: &Event) -> bool {
    let Event::Key { key, pressed: true, modifiers, .. } = *event else { return false };
    matches!(keymap::meaning(ctx, key, modifiers), Some(Do::Palette | Do::Settings | Do::EditKeys))
}

/// Whether a key that is pressed is Enter or Escape, which end a field.
fn ends_field(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Enter | Key::Escape, pressed: true, .. })
}

/// Whether an event matters to whoever has the keyboard.
fn is_typed(event: &Event) -> bool {
    matches!(event, Event::Key { .. } | Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Copy | Event::Ime(_))
}
