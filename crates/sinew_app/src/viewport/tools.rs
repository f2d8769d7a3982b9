//! What is in the hand in the view: the tools' states, of which at most one is under way.

use egui::{Key, PointerButton};
use glam::{Vec2, Vec3};
use sinew_edit::Editor;
use sinew_edit::pick::SkinHit;
use sinew_edit::tools::{BendTool, FlexRest, FlexTool, PaintTool};
use sinew_model::NodeIndex;

use super::gizmo::RingDrag;
use super::hand_input::InUse;
use super::lock_pie::LockPie;
use super::options::Show;
use crate::keymap::{Do, Mode};

/// The tools' states; at most one is under way.
#[derive(Default)]
pub struct Tools {
    pub(super) paint: PaintTool,
    pub(super) bend: BendTool,
    pub(super) turn: Option<RingDrag>,
    /// Bends while a key is held.
    pub(super) flex: FlexTool,
    /// The key that flexes, while it is down, and what it is.
    pub(super) flex_key: Option<(Key, Do)>,
    pub(super) size: Option<SizeDrag>,
    /// The key that is down and does something as long as it is.
    pub(super) held: Option<HeldKey>,
    /// Lock commands around the pointer.
    pub(super) pie: Option<LockPie>,
    /// Whether the card of keys is shown.
    pub(super) shows_keys: bool,
    /// The joint from which the parent was reached.
    pub(super) came_from: Option<NodeIndex>,
    /// A joint is being taken from the skin.
    pub(super) is_taking: bool,
    pub(super) camera: Option<CameraDrag>,
    /// What is under way with what else is in the hand.
    pub(super) in_use: InUse,
    pub(super) pointer_px: Vec2,
    /// Whether the last frame's keys were for a field or an open list.
    pub(super) had_keys_elsewhere: bool,
    /// Events that wait until what was asked for before them is done.
    pub(super) for_next_frame: Vec<egui::Event>,
    /// What the pen that touches the surface says of its pressure.
    pub(super) pen_force: Option<f32>,
    /// Where the view's switches lie: no stroke begins there.
    pub switches_rect: SwitchesRect,
    /// Where the view's axes lie.
    pub axes_rect: SwitchesRect,
}

/// A rectangle that holds nothing until it is laid out.
#[derive(Clone, Copy, Debug)]
pub struct SwitchesRect(pub egui::Rect);

/// A key that is down.
#[derive(Clone, Copy)]
pub(super) struct HeldKey {
    pub(super) key: Key,
    pub(super) what: Do,
    pub(super) since_s: f64,
    /// Whether the pointer has moved since.
    pub(super) has_moved: bool,
    /// What was shown before.
    pub(super) show: Show,
}

/// A key that is held this long was not just pressed, seconds.
pub(super) const HELD_S: f64 = 0.28;

/// What the camera does while a button is held.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CameraMove {
    Orbit,
    Pan,
    Zoom,
}

#[derive(Clone, Copy)]
pub(super) struct CameraDrag {
    pub(super) button: PointerButton,
    pub(super) what: CameraMove,
    /// What it turns around: the skin where the drag began.
    pub(super) pivot: Vec3,
}

#[derive(Clone, Copy)]
pub(super) struct SizeDrag {
    pub(super) what: BrushNumber,
    pub(super) start: f32,
    pub(super) start_px: Vec2,
    pub(super) radius_px: f32,
    pub(super) hit: Option<SkinHit>,
    /// Whether it is the button that drags: letting it go keeps the number.
    pub(super) by_button: bool,
}

/// What of the brush is dragged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BrushNumber {
    Radius,
    Strength,
    Value,
}

impl BrushNumber {
    pub(super) fn of(self, editor: &mut Editor) -> &mut f32 {
        let brush = &mut editor.session.brush;
        match self {
            Self::Radius => &mut brush.radius,
            Self::Strength => &mut brush.strength,
            Self::Value => &mut brush.value,
        }
    }
}

impl Default for SwitchesRect {
    fn default() -> Self {
        Self(egui::Rect::NOTHING)
    }
}

impl SwitchesRect {
    /// Whether the position is over a switch.
    pub fn contains(self, pos: egui::Pos2) -> bool {
        self.0.contains(pos)
    }
}

impl Tools {
    /// Whether a key is down that does something as long as it is.
    pub(super) fn is_down(&self, key: Key) -> bool {
        self.held.is_some_and(|held| held.key == key) || self.flex_key.is_some_and(|(of, _)| of == key)
    }

    /// What is under way.
    pub fn mode(&self) -> Mode {
        match () {
            () if self.paint.is_painting() => Mode::Painting,
            () if self.bend.joint().is_some() => Mode::Bending,
            () if self.flex.is_bending() => Mode::Flexing,
            () if self.pie.is_some() => Mode::Choosing,
            () if self.turn.is_some() => Mode::Turning,
            () if self.size.is_some() => Mode::Sizing,
            () if self.camera.is_some() => Mode::Looking,
            () if self.is_taking => Mode::Taking,
            () if self.in_use.is_dragging() => Mode::Selecting,
            () if self.in_use.laid.is_some() => Mode::Laying,
            () => Mode::Idle,
        }
    }

    /// Takes back whatever has begun. A joint that stays flexed does.
    pub fn cancel(&mut self, editor: &mut Editor) {
        self.paint.cancel(editor);
        self.bend.cancel(editor);
        if let Some(turn) = self.turn.take() {
            turn.cancel(editor);
        }
        if let Some(size) = self.size.take() {
            *size.what.of(editor) = size.start;
        }
        if self.flex.rest().is_none() {
            self.flex.cancel(editor);
        }
        self.in_use.cancel(editor);
        self.held = None;
        self.pie = None;
        self.is_taking = false;
        self.camera = None;
    }

    /// No key can be seen to come up any more: what is held is let go. A joint that stays flexed by itself does.
    pub fn let_go(&mut self, editor: &mut Editor) {
        self.flex_key = None;
        if self.flex.rest() == Some(FlexRest::Held) {
            self.flex.cancel(editor);
        }
    }

    /// Lets the flexed joint spring back once its key is up and nothing is under way on it.
    pub(super) fn follow_flex(&mut self, editor: &mut Editor, is_calm: bool) {
        self.flex.follow(editor);
        let is_idle = self.mode() == Mode::Idle && editor.stroke().is_none();
        if is_idle && self.flex_key.is_none() && self.flex.rest() == Some(FlexRest::Held) {
            self.flex.release(editor, is_calm);
        }
    }

    /// Where the brush is being sized.
    pub fn sizing_at(&self) -> Option<SkinHit> {
        self.size.and_then(|size| size.hit)
    }

    /// The number of the brush that is being dragged.
    pub fn size_read_out(&self, editor: &Editor) -> Option<String> {
        let brush = editor.session.brush;
        Some(match self.size?.what {
            BrushNumber::Radius => format!("Size {:.3}", brush.radius),
            BrushNumber::Strength => format!("Strength {:.2}", brush.strength),
            BrushNumber::Value => format!("Value {:.2}", brush.value),
        })
    }

    /// Where the pointer was last seen, pixels from the view's top left.
    pub fn pointer_px(&self) -> Vec2 {
        self.pointer_px
    }

    /// The joint being bent or turned and how far.
    pub fn bend_read_out(&self) -> Option<(NodeIndex, String)> {
        match &self.turn {
            Some(turn) => Some((turn.joint(), turn.read_out())),
            None if self.flex.joint().is_some() => Some((self.flex.joint()?, self.flex.read_out()?)),
            None => Some((self.bend.joint()?, self.bend.read_out()?)),
        }
    }

    /// The ring in the hand.
    pub fn ring_drag(&self) -> Option<&RingDrag> {
        self.turn.as_ref()
    }
}
