//! From pointer and keys to tools: strokes, bends, brush sizing, the camera, picking.
//!
//! Events are taken one by one in the order in which they came, so a slow frame loses nothing.

use egui::{Event, Key, Modifiers, PointerButton};
use glam::{Vec2, Vec3};
use sinew_edit::pick::{self, SkinHit};
use sinew_edit::tools::{Axis, BendTool, BendView, PaintModifiers, PaintTool, Pointer, Pressure};
use sinew_edit::{CommandError, Editor};
use sinew_model::NodeIndex;

use super::Viewport;
use super::camera::{NamedView, View};
use super::gizmo::{AXES, RingDrag};
use super::{joints, pose_text};
use crate::action::{Action, Notice};
use crate::keymap::{self, Do, Mode};

/// What a step of `[` or `]` does to the radius.
const SIZE_STEP: f32 = 1.15;
/// How far the pointer goes from strength or value 0 to 1, points.
const SHARE_DRAG_POINTS: f32 = 200.0;

/// The tools' states; at most one is under way.
#[derive(Default)]
pub struct Tools {
    paint: PaintTool,
    bend: BendTool,
    turn: Option<RingDrag>,
    size: Option<SizeDrag>,
    /// A joint is being taken from the skin.
    is_taking: bool,
    camera: Option<CameraDrag>,
    pointer_px: Vec2,
    /// What the pen that touches the surface says of its pressure.
    pen_force: Option<f32>,
    /// Where the view's switches lie: no stroke begins there.
    pub switches_rect: SwitchesRect,
    /// Where the view's axes lie.
    pub axes_rect: SwitchesRect,
}

/// A rectangle that holds nothing until it is laid out.
#[derive(Clone, Copy, Debug)]
pub struct SwitchesRect(pub egui::Rect);

#[derive(Clone, Copy)]
struct CameraDrag {
    button: PointerButton,
    is_pan: bool,
}

#[derive(Clone, Copy)]
struct SizeDrag {
    what: BrushNumber,
    start: f32,
    start_px: Vec2,
    radius_px: f32,
    hit: Option<SkinHit>,
}

/// What of the brush is dragged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BrushNumber {
    Radius,
    Strength,
    Value,
}

impl BrushNumber {
    fn of(self, editor: &mut Editor) -> &mut f32 {
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
    /// What is under way.
    pub fn mode(&self) -> Mode {
        match () {
            () if self.paint.is_painting() => Mode::Painting,
            () if self.bend.joint().is_some() => Mode::Bending,
            () if self.turn.is_some() => Mode::Turning,
            () if self.size.is_some() => Mode::Sizing,
            () if self.camera.is_some() => Mode::Looking,
            () if self.is_taking => Mode::Taking,
            () => Mode::Idle,
        }
    }

    /// Takes back whatever has begun.
    pub fn cancel(&mut self, editor: &mut Editor) {
        self.paint.cancel(editor);
        self.bend.cancel(editor);
        if let Some(turn) = self.turn.take() {
            turn.cancel(editor);
        }
        if let Some(size) = self.size.take() {
            *size.what.of(editor) = size.start;
        }
        self.is_taking = false;
        self.camera = None;
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
            None => Some((self.bend.joint()?, self.bend.read_out()?)),
        }
    }

    /// The ring in the hand.
    pub fn ring_drag(&self) -> Option<&RingDrag> {
        self.turn.as_ref()
    }
}

/// Keys that mean something while nothing is open.
pub fn keys_without_file(ui: &egui::Ui, is_blocked: bool, actions: &mut Vec<Action>) {
    if is_blocked || ui.ctx().text_edit_focused() {
        return;
    }
    for event in ui.ctx().input(|i| i.events.clone()) {
        if let Event::Key { key, pressed: true, modifiers, .. } = event
            && let Some(what @ (Do::Open | Do::Quit | Do::Palette | Do::Settings | Do::LargerUi | Do::SmallerUi)) =
                keymap::meaning(key, modifiers)
        {
            actions.push(Action::Do(what));
        }
    }
}

/// Takes this frame's events.
pub fn take(viewport: &mut Viewport, ui: &egui::Ui, editor: &mut Editor, is_blocked: bool, actions: &mut Vec<Action>) {
    if is_blocked {
        viewport.tools.cancel(editor);
        return;
    }
    let (events, held) = ui.ctx().input(|i| (i.events.clone(), i.modifiers));
    let is_typing = ui.ctx().text_edit_focused();
    for event in events {
        match event {
            Event::PointerMoved(pos) => moved(viewport, editor, viewport.area.px_of(pos), held, actions),
            Event::PointerButton { pos, button, pressed: true, modifiers } => {
                let px = viewport.area.px_of(pos);
                moved(viewport, editor, px, modifiers, actions);
                if viewport.is_over(ui, pos) {
                    ui.ctx().memory_mut(egui::Memory::stop_text_input);
                    pressed(viewport, editor, px, button, modifiers, actions);
                } else {
                    pressed_elsewhere(viewport, editor);
                }
            }
            Event::PointerButton { pos, button, pressed: false, modifiers } => {
                moved(viewport, editor, viewport.area.px_of(pos), modifiers, actions);
                released(viewport, editor, button, actions);
            }
            Event::MouseWheel { unit, delta, .. } => {
                let over = ui.ctx().input(|i| i.pointer.latest_pos()).filter(|&pos| viewport.is_over(ui, pos));
                if let Some(pos) = over {
                    let lines = match unit {
                        egui::MouseWheelUnit::Point => delta.y / 50.0,
                        egui::MouseWheelUnit::Line => delta.y,
                        egui::MouseWheelUnit::Page => delta.y * 10.0,
                    };
                    let factor = (-lines * 0.14).exp();
                    viewport.camera = viewport.view().zoomed(factor, viewport.area.px_of(pos), viewport.bounds);
                }
            }
            // Space presses the control that has the keyboard.
            Event::Key { key: Key::Space, pressed: true, .. } if ui.ctx().memory(|m| m.focused().is_some()) => {}
            Event::Key { key, pressed: true, modifiers, .. } if !is_typing => {
                self::key(viewport, editor, key, modifiers, actions);
            }
            Event::Key { key: Key::S, pressed: false, .. } if viewport.tools.is_taking => {
                viewport.tools.is_taking = false;
                take_from_skin(viewport, editor, actions);
            }
            Event::Paste(text) if !is_typing => {
                viewport.tools.cancel(editor);
                actions.push(Action::Say(match pose_text::give_to(editor, &text) {
                    Ok(n_joints) => Notice::done(format!("Pasted a pose: {}", pose_text::n_joints(n_joints))),
                    Err(error) => Notice::refused(format!("the clipboard holds no pose of this model: {error}")),
                }));
            }
            Event::Touch { phase, force, .. } => {
                let is_down = matches!(phase, egui::TouchPhase::Start | egui::TouchPhase::Move);
                viewport.tools.pen_force = force.filter(|_| is_down);
            }
            Event::WindowFocused(false) => viewport.tools.cancel(editor),
            _ => {}
        }
    }
}

/// Whether a click with these keys picks a joint.
pub fn picks_joint(modifiers: Modifiers) -> bool {
    modifiers.alt || (modifiers.command && modifiers.shift)
}

/// Does what the view itself can do; `false` leaves it to the application.
pub fn perform(viewport: &mut Viewport, editor: &mut Editor, what: Do, actions: &mut Vec<Action>) -> bool {
    match what {
        Do::Bend => begin_bend(viewport, editor, actions),
        Do::SizeBrush => begin_sizing(viewport, editor, BrushNumber::Radius),
        Do::DragStrength => begin_sizing(viewport, editor, BrushNumber::Strength),
        Do::DragValue if !editor.session.brush.brush.uses_value => {
            let label = editor.session.brush.brush.label;
            actions.push(Action::Say(Notice::refused(format!("the brush {label} has no value"))));
        }
        Do::DragValue => begin_sizing(viewport, editor, BrushNumber::Value),
        Do::SmallerBrush => editor.session.brush.radius /= SIZE_STEP,
        Do::LargerBrush => editor.session.brush.radius *= SIZE_STEP,
        Do::Frame => viewport.frame_model(),
        Do::Front => viewport.look(NamedView::Front),
        Do::Side => viewport.look(NamedView::Side),
        Do::Top => viewport.look(NamedView::Top),
        Do::ToggleTextured => {
            use super::options::Show;
            viewport.options.show = if viewport.options.show == Show::Weights { Show::Textured } else { Show::Weights };
        }
        Do::ToggleContours => viewport.options.contours ^= true,
        Do::ToggleWire => viewport.options.wire ^= true,
        Do::ToggleJoints => viewport.options.joints ^= true,
        Do::ToggleGizmo => viewport.options.gizmo ^= true,
        _ => return false,
    }
    true
}

fn moved(viewport: &mut Viewport, editor: &mut Editor, px: Vec2, modifiers: Modifiers, actions: &mut Vec<Action>) {
    let delta_px = px - viewport.tools.pointer_px;
    viewport.tools.pointer_px = px;
    if delta_px == Vec2::ZERO {
        return;
    }
    let view = viewport.view();
    match viewport.tools.mode() {
        Mode::Painting => {
            let pressure = pressure(viewport);
            let result = viewport.tools.paint.drag(editor, pointer(&view, px, &|px| view.ray_at(px), pressure));
            refuse(result, viewport, editor, actions);
        }
        Mode::Bending => viewport.tools.bend.drag(editor, px, modifiers.shift),
        Mode::Turning => {
            if let Some(turn) = &mut viewport.tools.turn {
                let at = (&view, viewport.area.pixels_per_point);
                turn.drag(editor, at, [px - delta_px, px], modifiers.shift);
            }
        }
        Mode::Sizing => {
            if let Some(size) = viewport.tools.size {
                let along_px = px.x - size.start_px.x;
                let number = size.what.of(editor);
                if size.what == BrushNumber::Radius {
                    let grown = 1.0 + along_px / size.radius_px.max(24.0);
                    *number = size.start * grown.max(0.05);
                } else {
                    let share = along_px / (viewport.area.pixels_per_point * SHARE_DRAG_POINTS);
                    *number = ((size.start + share).clamp(0.0, 1.0) * 100.0).round() / 100.0;
                }
            }
        }
        Mode::Looking => {
            let is_pan = viewport.tools.camera.is_some_and(|drag| drag.is_pan);
            if is_pan {
                viewport.camera = view.panned(delta_px);
            } else {
                viewport.camera.orbit(delta_px / viewport.area.pixels_per_point);
            }
        }
        Mode::Idle | Mode::Taking | Mode::Empty => {}
    }
}

fn pressed(
    viewport: &mut Viewport,
    editor: &mut Editor,
    px: Vec2,
    button: PointerButton,
    modifiers: Modifiers,
    actions: &mut Vec<Action>,
) {
    let is_keep = button == PointerButton::Primary;
    match viewport.tools.mode() {
        Mode::Bending if is_keep => viewport.tools.bend.confirm(),
        Mode::Bending if button == PointerButton::Secondary => viewport.tools.bend.cancel(editor),
        Mode::Taking if is_keep => take_from_skin(viewport, editor, actions),
        Mode::Sizing if is_keep => viewport.tools.size = None,
        Mode::Turning | Mode::Sizing if button == PointerButton::Secondary => viewport.tools.cancel(editor),
        Mode::Idle => match button {
            PointerButton::Primary if picks_joint(modifiers) => pick_joint(viewport, editor, px, actions),
            PointerButton::Primary if take_ring(viewport, editor, px) => {}
            PointerButton::Primary => {
                let view = viewport.view();
                let keys = PaintModifiers { invert: modifiers.command, smooth: modifiers.shift };
                let pressure = pressure(viewport);
                let result =
                    viewport.tools.paint.press(editor, pointer(&view, px, &|px| view.ray_at(px), pressure), keys);
                refuse(result, viewport, editor, actions);
            }
            PointerButton::Middle | PointerButton::Secondary => {
                viewport.tools.camera = Some(CameraDrag { button, is_pan: modifiers.shift });
            }
            _ => {}
        },
        _ => {}
    }
}

/// A press outside the view keeps a bend or a brush size: the hand has gone on to something else.
fn pressed_elsewhere(viewport: &mut Viewport, editor: &mut Editor) {
    match viewport.tools.mode() {
        Mode::Bending => viewport.tools.bend.confirm(),
        Mode::Sizing => viewport.tools.size = None,
        Mode::Painting => viewport.tools.paint.cancel(editor),
        _ => {}
    }
}

fn released(viewport: &mut Viewport, editor: &mut Editor, button: PointerButton, actions: &mut Vec<Action>) {
    if button == PointerButton::Primary && viewport.tools.paint.is_painting() {
        if let Some(outcome) = viewport.tools.paint.release(editor) {
            actions.push(Action::Say(Notice::of_outcome(&outcome)));
        }
    } else if button == PointerButton::Primary && viewport.tools.turn.is_some() {
        viewport.tools.turn = None;
    } else if viewport.tools.camera.is_some_and(|drag| drag.button == button) {
        viewport.tools.camera = None;
    }
}

fn key(viewport: &mut Viewport, editor: &mut Editor, key: Key, modifiers: Modifiers, actions: &mut Vec<Action>) {
    let mode = viewport.tools.mode();
    if key == Key::Escape {
        viewport.tools.cancel(editor);
        return;
    }
    if mode == Mode::Bending && !modifiers.command && !modifiers.alt {
        let bend = &mut viewport.tools.bend;
        match key {
            Key::X => bend.axis(editor, Axis::X),
            Key::Y => bend.axis(editor, Axis::Y),
            Key::Z => bend.axis(editor, Axis::Z),
            Key::Enter => bend.confirm(),
            Key::Backspace => bend.backspace(editor),
            _ => {
                if let Some(c) = typed(key) {
                    bend.type_char(editor, c);
                }
            }
        }
        return;
    }
    if mode == Mode::Turning && !modifiers.command && !modifiers.alt && type_turn(viewport, editor, key) {
        return;
    }
    // Over a ring, digits are degrees about its axis.
    if mode == Mode::Idle
        && modifiers.is_none()
        && let (Some(axis_idx), Some(c)) = (viewport.hovered_ring, typed(key))
    {
        begin_bend(viewport, editor, actions);
        viewport.tools.bend.axis(editor, AXES[axis_idx]);
        viewport.tools.bend.type_char(editor, c);
        return;
    }
    if mode == Mode::Sizing && key == Key::Enter {
        viewport.tools.size = None;
        return;
    }
    if mode == Mode::Idle && key == Key::S && modifiers.is_none() {
        viewport.tools.is_taking = true;
        return;
    }
    let Some(what) = keymap::meaning(key, modifiers) else { return };
    // Undo in the middle of a stroke takes the stroke back; anything else waits for its end.
    match mode {
        Mode::Painting if what == Do::Undo => viewport.tools.cancel(editor),
        Mode::Idle | Mode::Looking if perform(viewport, editor, what, actions) => {}
        Mode::Idle | Mode::Looking | Mode::Empty => actions.push(Action::Do(what)),
        Mode::Bending | Mode::Turning | Mode::Sizing if what == Do::ToggleDeformer => actions.push(Action::Do(what)),
        _ => {}
    }
}

/// Keys while a ring is in the hand: degrees.
fn type_turn(viewport: &mut Viewport, editor: &mut Editor, key: Key) -> bool {
    let Some(turn) = &mut viewport.tools.turn else { return false };
    match (key, typed(key)) {
        (Key::Enter, _) => viewport.tools.turn = None,
        (Key::Backspace, _) => turn.backspace(editor),
        (_, Some(c)) => turn.type_char(editor, c),
        _ => return false,
    }
    true
}

fn typed(key: Key) -> Option<char> {
    Some(match key {
        Key::Num0 => '0',
        Key::Num1 => '1',
        Key::Num2 => '2',
        Key::Num3 => '3',
        Key::Num4 => '4',
        Key::Num5 => '5',
        Key::Num6 => '6',
        Key::Num7 => '7',
        Key::Num8 => '8',
        Key::Num9 => '9',
        Key::Minus => '-',
        Key::Period | Key::Comma => '.',
        _ => return None,
    })
}

fn begin_bend(viewport: &mut Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    let Some(joint) = editor.session.active_joint else {
        actions.push(Action::Say(Notice::refused(CommandError::NoActiveJoint)));
        return;
    };
    let place = editor.scene_from_node()[joint.idx()].translation.as_vec3();
    let view = viewport.view();
    let to_eye: Vec3 = view.camera.eye() - place;
    let joint_px = view.px_of(place).unwrap_or(view.size_px * 0.5);
    viewport.tools.bend.begin(editor, joint, BendView { joint_px, pointer_px: viewport.tools.pointer_px, to_eye });
}

/// Takes the ring under the pointer, if there is one.
fn take_ring(viewport: &mut Viewport, editor: &mut Editor, px: Vec2) -> bool {
    let (view, pixels_per_point) = (viewport.view(), viewport.area.pixels_per_point);
    let Some(gizmo) = viewport.gizmo(editor) else { return false };
    let Some(grip) = gizmo.grip_at(&view, pixels_per_point, px) else { return false };
    viewport.tools.turn = Some(RingDrag::begin(editor, &view, &gizmo, grip));
    true
}

fn begin_sizing(viewport: &mut Viewport, editor: &mut Editor, what: BrushNumber) {
    let view = viewport.view();
    let radius = editor.session.brush.radius;
    let at = viewport.hover.map_or(view.camera.target, |hit| hit.point);
    viewport.tools.size = Some(SizeDrag {
        what,
        start: *what.of(editor),
        start_px: viewport.tools.pointer_px,
        radius_px: radius * view.px_per_unit(at),
        hit: viewport.hover,
    });
}

/// Makes the joint that moves the skin under the pointer most the active one.
fn take_from_skin(viewport: &Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    let joint = joints::on_skin(editor, viewport.view().ray_at(viewport.tools.pointer_px));
    choose(editor, joint, "no weighted skin there", actions);
}

fn choose(editor: &mut Editor, joint: Option<NodeIndex>, why_not: &str, actions: &mut Vec<Action>) {
    actions.push(Action::Say(match joint {
        Some(joint) => {
            editor.session.active_joint = Some(joint);
            Notice::done(format!("Joint {}", editor.document().nodes().label(joint)))
        }
        None => Notice::refused(why_not),
    }));
}

fn pick_joint(viewport: &mut Viewport, editor: &mut Editor, px: Vec2, actions: &mut Vec<Action>) {
    let joint = joints::at(&viewport.view(), viewport.area.pixels_per_point, editor, &viewport.weighted, px);
    choose(editor, joint, "no joint there", actions);
}

fn pointer<'a>(view: &View, px: Vec2, ray_at: &'a dyn Fn(Vec2) -> pick::Ray, pressure: Pressure) -> Pointer<'a> {
    Pointer { px, ray_at, eye: view.camera.eye(), pressure }
}

fn pressure(viewport: &Viewport) -> Pressure {
    viewport.options.pen.pressure(viewport.tools.pen_force)
}

/// Says why a stroke cannot go on, and takes it back.
fn refuse(result: Result<(), CommandError>, viewport: &mut Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    if let Err(reason) = result {
        viewport.tools.paint.cancel(editor);
        actions.push(Action::Say(Notice::refused(reason)));
    }
}
