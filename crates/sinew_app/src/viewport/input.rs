//! From pointer and keys to tools: strokes, bends, brush sizing, the camera, picking.
//!
//! Events are taken one by one in the order in which they came, so a slow frame loses nothing.

use egui::{Event, Key, Modifiers, PointerButton};
use glam::{Vec2, Vec3};
use sinew_edit::pick;
use sinew_edit::tools::{Axis, FlexRest, PaintModifiers, Pointer, Pressure};
use sinew_edit::{CommandError, Editor, GradientShape, Reach};
use sinew_model::NodeIndex;

use super::Viewport;
use super::bend_input::{begin_bend, take_ring, type_turn, typed};
use super::camera::{NamedView, View};
use super::gizmo::AXES;
use super::hand::Hand;
use super::hand_input;
use super::held::{begin_flex, flex_key_down, is_held, key_up, walk_to};
use super::lock_pie::{self, LockPie};
use super::options::Show;
use super::tools::{BrushNumber, CameraDrag, CameraMove, HeldKey, SizeDrag};
use super::{joints, pose_text, walk, zoom};
use crate::action::{Action, Notice};
use crate::keymap::{self, Do, Mode};
use crate::mirroring;

/// What a step of `[` or `]` does to the radius.
const SIZE_STEP: f32 = 1.15;
/// How far the pointer goes from strength or value 0 to 1, points.
const SHARE_DRAG_POINTS: f32 = 200.0;

/// Keys that mean something while nothing is open.
pub fn keys_without_file(ui: &egui::Ui, is_blocked: bool, actions: &mut Vec<Action>) {
    if is_blocked || ui.ctx().text_edit_focused() {
        return;
    }
    for event in ui.ctx().input(|i| i.events.clone()) {
        if let Event::Key { key, pressed: true, modifiers, .. } = event
            && let Some(what) = keymap::meaning(ui.ctx(), key, modifiers).filter(|what| what.needs_no_file())
        {
            actions.push(Action::Do(what));
        }
    }
}

/// Takes this frame's events.
pub fn take(viewport: &mut Viewport, ui: &egui::Ui, editor: &mut Editor, is_blocked: bool, actions: &mut Vec<Action>) {
    let mut events = std::mem::take(&mut viewport.tools.for_next_frame);
    if is_blocked {
        viewport.tools.cancel(editor);
        viewport.tools.let_go(editor);
        return;
    }
    let (fresh, held) = ui.ctx().input(|i| (i.events.clone(), i.modifiers));
    // Letters and the Enter that ends them may come in one frame, and an open list takes arrows and Enter for itself.
    let has_keys = ui.ctx().text_edit_focused() || egui::Popup::is_any_open(ui.ctx());
    let mut is_typing = std::mem::replace(&mut viewport.tools.had_keys_elsewhere, has_keys) || has_keys;
    events.extend(fresh);
    let mut events = events.into_iter();
    while let Some(event) = events.next() {
        // What is asked for is done after this frame, and would end what begins now: that waits.
        let is_asked = actions.iter().any(|action| !matches!(action, Action::Say(_)));
        if is_asked && begins_something(viewport, ui, &event) {
            viewport.tools.for_next_frame = std::iter::once(event).chain(events).collect();
            ui.ctx().request_repaint();
            return;
        }
        match event {
            Event::PointerMoved(pos) => moved(viewport, editor, viewport.area.px_of(pos), held, actions),
            Event::PointerButton { pos, button, pressed: true, modifiers } => {
                let px = viewport.area.px_of(pos);
                moved(viewport, editor, px, modifiers, actions);
                if viewport.is_over(ui, pos) && !egui::Popup::is_any_open(ui.ctx()) {
                    ui.ctx().memory_mut(egui::Memory::stop_text_input);
                    (is_typing, viewport.tools.had_keys_elsewhere) = (false, false);
                    pressed(viewport, ui.ctx(), editor, px, button, modifiers, actions);
                } else {
                    pressed_elsewhere(viewport, editor);
                }
            }
            Event::PointerButton { pos, button, pressed: false, modifiers } => {
                moved(viewport, editor, viewport.area.px_of(pos), modifiers, actions);
                released(viewport, editor, button, actions);
                viewport.tools.pen_force = None;
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
                    zoom::by_wheel(viewport, editor, viewport.area.px_of(pos), factor);
                }
            }
            // Space presses the control that has the keyboard, arrows walk from there.
            Event::Key {
                key: Key::Space | Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight,
                pressed: true,
                ..
            } if ui.ctx().memory(|m| m.focused().is_some()) => {}
            // The system repeats a key that is held.
            Event::Key { key, pressed: true, modifiers, .. } if !is_typing && !viewport.tools.is_down(key) => {
                self::key(viewport, ui.ctx(), editor, key, modifiers, actions);
            }
            Event::Key { key, pressed: false, .. } => key_up(viewport, ui.ctx(), editor, key, actions),
            // What the system calls cutting is a key here.
            Event::Cut if !is_typing => {
                let held = Modifiers { ctrl: true, ..Modifiers::COMMAND };
                key(viewport, ui.ctx(), editor, Key::X, held, actions);
            }
            Event::Paste(text) if !is_typing => {
                viewport.tools.cancel(editor);
                actions.push(Action::Say(match pose_text::give_to(editor, &text) {
                    Ok(n_joints) => Notice::done(format!("Pasted a pose: {}", pose_text::n_joints(n_joints))),
                    Err(error) => Notice::refused(format!("the clipboard holds no pose of this model: {error}")),
                }));
            }
            // A pen that is lifted says nothing any more: the stroke ends as it was pressed last.
            Event::Touch { phase, force, .. } if phase != egui::TouchPhase::End => {
                viewport.tools.pen_force = force.filter(|_| phase != egui::TouchPhase::Cancel);
            }
            Event::WindowFocused(false) => {
                viewport.tools.cancel(editor);
                viewport.tools.let_go(editor);
            }
            _ => {}
        }
    }
}

/// Whether an event begins a stroke, a bend or whatever else goes on for a while.
fn begins_something(viewport: &Viewport, ui: &egui::Ui, event: &Event) -> bool {
    match *event {
        Event::PointerButton { pos, pressed: true, .. } => viewport.is_over(ui, pos),
        Event::Key { key, pressed: true, modifiers, .. } => {
            keymap::meaning(ui.ctx(), key, modifiers).is_some_and(|what| what == Do::Bend || is_held(what))
        }
        _ => false,
    }
}

/// Time passes: an airbrush paints where it rests.
pub fn tick(viewport: &mut Viewport, ui: &egui::Ui, editor: &mut Editor, actions: &mut Vec<Action>) {
    if viewport.tools.mode() != Mode::Painting || editor.session.brush.airbrush_hz <= 0.0 {
        return;
    }
    let (view, px, pressure) = (viewport.view(), viewport.tools.pointer_px, pressure(viewport));
    let elapsed_s = ui.input(|i| i.stable_dt).min(0.25);
    let ray_at = |px| view.ray_at(px);
    match viewport.tools.paint.tick(editor, pointer(&view, px, &ray_at, pressure), elapsed_s) {
        Ok(true) => ui.ctx().request_repaint(),
        Ok(false) => {}
        Err(reason) => refuse(Err(reason), viewport, editor, actions),
    }
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
        Do::SmallerBrush | Do::LargerBrush => {
            let range = viewport.radius_range();
            let radius = &mut editor.session.brush.radius;
            let step = if what == Do::LargerBrush { SIZE_STEP } else { 1.0 / SIZE_STEP };
            *radius = (*radius * step).clamp(*range.start(), *range.end());
        }
        Do::Frame => viewport.frame_model(),
        Do::FrameJoint => viewport.frame_joint(editor),
        Do::Front => viewport.look(NamedView::Front),
        Do::Side => viewport.look(NamedView::Side),
        Do::Top => viewport.look(NamedView::Top),
        Do::Flex | Do::FlexAndStay => flex_key_down(viewport, editor, actions),
        Do::TakeJoint => viewport.tools.is_taking = true,
        Do::LockPie => {
            let here = joint_here(viewport, editor);
            viewport.tools.pie = Some(LockPie::at(viewport.tools.pointer_px, viewport.area, here));
        }
        Do::ToggleLockHere => {
            let here = joint_here(viewport, editor);
            actions.push(lock_pie::toggle_lock(editor, here));
        }
        Do::KeysCard => viewport.tools.shows_keys = true,
        Do::ParentJoint => walk_to(viewport, editor, walk::Way::Parent, actions),
        Do::ChildJoint => walk_to(viewport, editor, walk::Way::Child, actions),
        Do::NextJoint => walk_to(viewport, editor, walk::Way::Next, actions),
        Do::PreviousJoint => walk_to(viewport, editor, walk::Way::Previous, actions),
        Do::CycleReach => {
            let all = Reach::ALL;
            let at = all.iter().position(|&reach| reach == editor.session.brush.reach).unwrap_or(0);
            editor.session.brush.reach = all[(at + 1) % all.len()];
            let text = format!("Reach: {}", editor.session.brush.reach.label());
            actions.push(Action::Say(Notice::done(text)));
        }
        Do::StraightLine => {}
        Do::MaskBrush => viewport.take_in_hand(editor, Hand::Mask),
        Do::SelectTool => viewport.take_in_hand(editor, Hand::Select),
        Do::LinearGradient | Do::RadialGradient => {
            let is_linear = what == Do::LinearGradient;
            viewport.in_hand.gradient.shape = if is_linear { GradientShape::Linear } else { GradientShape::Radial };
            viewport.take_in_hand(editor, Hand::Gradient);
        }
        Do::Show(show) => viewport.options.show = show,
        Do::DisplayCard => viewport.shows_display ^= true,
        Do::CycleDisplay => viewport.options.show = viewport.options.show.next(editor.session.as_exported),
        Do::ToggleDots => viewport.options.display.dots ^= true,
        Do::ToggleSeams => viewport.options.display.seams ^= true,
        Do::ToggleGhosts => viewport.options.display.ghosts ^= true,
        Do::ToggleLocksApart => viewport.options.display.locks_apart ^= true,
        Do::ToggleTextured => {
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
    if let Some(held) = &mut viewport.tools.held {
        held.has_moved = true;
    }
    let view = viewport.view();
    match viewport.tools.mode() {
        Mode::Painting => {
            let pressure = pressure(viewport);
            let result = viewport.tools.paint.drag(editor, pointer(&view, px, &|px| view.ray_at(px), pressure));
            refuse(result, viewport, editor, actions);
            let passes = viewport.tools.paint.passes(editor);
            actions.extend(passes.map(|reason| Action::Say(Notice::refused(reason))));
        }
        Mode::Bending => viewport.tools.bend.drag(editor, px, modifiers.shift),
        Mode::Flexing => {
            // Shift may be a part of the key itself.
            let is_precise = modifiers.shift && viewport.tools.flex_key.is_none_or(|(_, what)| what == Do::Flex);
            viewport.tools.flex.drag(editor, [px - delta_px, px], is_precise);
        }
        Mode::Turning => {
            if let Some(turn) = &mut viewport.tools.turn {
                let at = (&view, viewport.area.pixels_per_point);
                turn.drag(editor, at, [px - delta_px, px], modifiers.shift);
            }
        }
        Mode::Sizing => {
            let radii = viewport.radius_range();
            if let Some(size) = viewport.tools.size {
                let along_px = px.x - size.start_px.x;
                let number = size.what.of(editor);
                if size.what == BrushNumber::Radius {
                    let grown = 1.0 + along_px / size.radius_px.max(24.0);
                    *number = (size.start * grown.max(0.05)).clamp(*radii.start(), *radii.end());
                } else {
                    let share = along_px / (viewport.area.pixels_per_point * SHARE_DRAG_POINTS);
                    *number = ((size.start + share).clamp(0.0, 1.0) * 100.0).round() / 100.0;
                }
            }
        }
        Mode::Looking => {
            let Some(drag) = viewport.tools.camera else { return };
            let delta_points = delta_px / viewport.area.pixels_per_point;
            match drag.what {
                CameraMove::Pan => viewport.camera = view.panned(delta_px),
                CameraMove::Orbit => viewport.camera.orbit(drag.pivot, delta_points),
                CameraMove::Zoom => {
                    let factor = ((delta_points.y - delta_points.x) * 0.006).exp();
                    let at = view.px_of(drag.pivot).unwrap_or(view.size_px * 0.5);
                    viewport.camera = view.zoomed(factor, at, viewport.bounds);
                }
            }
        }
        Mode::Selecting | Mode::Laying => hand_input::moved(viewport, editor, px),
        Mode::Idle | Mode::Taking | Mode::Choosing | Mode::Flexed | Mode::Empty => {}
    }
}

/// Brings the camera's target to the depth of what is under the pointer; returns what to turn around: that point, or the
/// target where nothing is.
fn anchor(viewport: &mut Viewport, editor: &mut Editor, px: Vec2) -> Vec3 {
    match editor.pick(viewport.view().ray_at(px)) {
        Some(hit) => {
            viewport.camera.anchor(hit.point);
            hit.point
        }
        None => viewport.camera.target,
    }
}

fn pressed(
    viewport: &mut Viewport,
    ctx: &egui::Context,
    editor: &mut Editor,
    px: Vec2,
    button: PointerButton,
    modifiers: Modifiers,
    actions: &mut Vec<Action>,
) {
    let is_keep = button == PointerButton::Primary;
    let keys = keymap::of(ctx);
    viewport.tools.shows_keys = false;
    if viewport.tools.flex.is_springing() {
        viewport.tools.flex.cancel(editor);
    }
    match viewport.tools.mode() {
        Mode::Choosing => {
            let pixels_per_point = viewport.area.pixels_per_point;
            if let Some(pie) = viewport.tools.pie.take().filter(|_| is_keep) {
                actions.extend(pie.entry_at(px, pixels_per_point).map(|what| pie.action(editor, what)));
            }
        }
        Mode::Idle if is_keep && viewport.tools.flex_key.is_some() && viewport.tools.flex.rest().is_none() => {
            begin_flex(viewport, editor, actions);
        }
        Mode::Idle if keys.moves_camera(modifiers) => {
            let what = match button {
                PointerButton::Primary => CameraMove::Orbit,
                PointerButton::Middle => CameraMove::Pan,
                _ => CameraMove::Zoom,
            };
            let mut pivot = anchor(viewport, editor, px);
            if what == CameraMove::Zoom {
                pivot = zoom::place(viewport, editor, px).unwrap_or(pivot);
                viewport.camera.anchor(pivot);
            }
            viewport.tools.camera = Some(CameraDrag { button, what, pivot });
        }
        Mode::Bending if is_keep => viewport.tools.bend.confirm(),
        Mode::Bending if button == PointerButton::Secondary => viewport.tools.bend.cancel(editor),
        Mode::Taking if is_keep => take_from_skin(viewport, editor, actions),
        Mode::Sizing if is_keep => match (&mut viewport.tools.size, viewport.tools.held) {
            // With the key still down the button drags anew from here.
            (Some(size), Some(_)) => {
                size.by_button = true;
                size.start_px = px;
                size.start = *size.what.of(editor);
            }
            _ => viewport.tools.size = None,
        },
        Mode::Turning | Mode::Sizing if button == PointerButton::Secondary => viewport.tools.cancel(editor),
        Mode::Laying if is_keep => {
            hand_input::pressed(viewport, editor, px, modifiers, actions);
        }
        Mode::Idle | Mode::Laying => match button {
            PointerButton::Primary if keys.picks_joint(modifiers) => pick_joint(viewport, editor, px, actions),
            PointerButton::Primary if take_ring(viewport, editor, px) => {}
            PointerButton::Primary if viewport.in_hand.hand != Hand::Select && !mirroring::is_ready(editor) => {
                actions.push(Action::Say(Notice::refused("Mirror images are still being found: a moment")));
            }
            PointerButton::Primary if hand_input::pressed(viewport, editor, px, modifiers, actions) => {}
            PointerButton::Primary => {
                let view = viewport.view();
                let (invert, smooth) = (modifiers.command, modifiers.shift);
                let straight = viewport.tools.held.is_some_and(|held| held.what == Do::StraightLine);
                let keys = PaintModifiers { invert, smooth, straight };
                let pressure = pressure(viewport);
                let result =
                    viewport.tools.paint.press(editor, pointer(&view, px, &|px| view.ray_at(px), pressure), keys);
                refuse(result, viewport, editor, actions);
            }
            PointerButton::Middle | PointerButton::Secondary => {
                let pivot = anchor(viewport, editor, px);
                let what = if modifiers.shift { CameraMove::Pan } else { CameraMove::Orbit };
                viewport.tools.camera = Some(CameraDrag { button, what, pivot });
            }
            _ => {}
        },
        _ => {}
    }
}

/// A press outside the view keeps a bend or a brush size: the hand has gone on to something else.
fn pressed_elsewhere(viewport: &mut Viewport, editor: &mut Editor) {
    viewport.tools.shows_keys = false;
    viewport.tools.pie = None;
    match viewport.tools.mode() {
        Mode::Bending => viewport.tools.bend.confirm(),
        Mode::Sizing => viewport.tools.size = None,
        Mode::Painting => viewport.tools.paint.cancel(editor),
        Mode::Selecting => viewport.tools.in_use.cancel(editor),
        _ => {}
    }
}

fn released(viewport: &mut Viewport, editor: &mut Editor, button: PointerButton, actions: &mut Vec<Action>) {
    if button == PointerButton::Primary && viewport.tools.paint.is_painting() {
        if let Some(outcome) = viewport.tools.paint.release(editor) {
            actions.push(Action::Say(Notice::of_outcome(&outcome)));
        }
    } else if button == PointerButton::Primary && hand_input::released(viewport, editor, actions) {
    } else if button == PointerButton::Primary && viewport.tools.turn.is_some() {
        viewport.tools.turn = None;
    } else if button == PointerButton::Primary && viewport.tools.flex.is_bending() {
        viewport.tools.flex.stay(editor, FlexRest::Held);
    } else if button == PointerButton::Primary && viewport.tools.size.is_some_and(|size| size.by_button) {
        viewport.tools.size = None;
    } else if viewport.tools.camera.is_some_and(|drag| drag.button == button) {
        viewport.tools.camera = None;
    }
}

fn key(
    viewport: &mut Viewport,
    ctx: &egui::Context,
    editor: &mut Editor,
    key: Key,
    modifiers: Modifiers,
    actions: &mut Vec<Action>,
) {
    let mode = viewport.tools.mode();
    if std::mem::take(&mut viewport.tools.shows_keys) {
        return;
    }
    if key == Key::Escape {
        if mode == Mode::Idle {
            viewport.tools.flex.cancel(editor);
        }
        viewport.tools.cancel(editor);
        return;
    }
    if let Some(pie) = &viewport.tools.pie {
        if let Some(what) = pie.entry_of_key(key) {
            actions.push(pie.action(editor, what));
        }
        viewport.tools.pie = None;
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
    if hand_input::key(viewport, editor, key, modifiers, actions) {
        return;
    }
    if mode == Mode::Sizing && key == Key::Enter {
        viewport.tools.size = None;
        return;
    }
    let Some(what) = keymap::meaning(ctx, key, modifiers) else { return };
    if mode == Mode::Idle {
        if viewport.tools.flex.is_springing() {
            viewport.tools.flex.cancel(editor);
        }
        if matches!(what, Do::Flex | Do::FlexAndStay) && viewport.tools.flex.rest().is_none() {
            viewport.tools.flex_key = Some((key, what));
        }
        if is_held(what) {
            let (since_s, show) = (ctx.input(|i| i.time), viewport.options.show);
            viewport.tools.held = Some(HeldKey { key, what, since_s, has_moved: false, show });
        }
    }
    // Undo in the middle of a stroke takes the stroke back; anything else waits for its end.
    match mode {
        Mode::Painting | Mode::Selecting | Mode::Laying if what == Do::Undo => viewport.tools.cancel(editor),
        Mode::Idle | Mode::Looking if perform(viewport, editor, what, actions) => {}
        Mode::Idle | Mode::Looking | Mode::Empty => actions.push(Action::Do(what)),
        // What is laid follows.
        Mode::Laying if matches!(what, Do::ToggleMirror | Do::ToggleDeformer) => actions.push(Action::Do(what)),
        Mode::Bending | Mode::Turning | Mode::Flexing | Mode::Sizing if what == Do::ToggleDeformer => {
            actions.push(Action::Do(what));
        }
        _ => {}
    }
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
        by_button: false,
    });
}

/// Makes the joint that moves the skin under the pointer most the active one.
pub(super) fn take_from_skin(viewport: &Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    let joint = joints::on_skin(editor, viewport.view().ray_at(viewport.tools.pointer_px));
    choose(editor, joint, "no weighted skin there", actions);
}

pub(super) fn choose(editor: &mut Editor, joint: Option<NodeIndex>, why_not: &str, actions: &mut Vec<Action>) {
    actions.push(Action::Say(match joint {
        Some(joint) => {
            editor.session.active_joint = Some(joint);
            Notice::done(format!("Joint {}", editor.document().nodes().label(joint)))
        }
        None => Notice::refused(why_not),
    }));
}

/// The joint under the pointer: that of the dot, the bone or the skin there.
fn joint_here(viewport: &Viewport, editor: &mut Editor) -> Option<NodeIndex> {
    let at = (&viewport.view(), viewport.area.pixels_per_point);
    viewport.weighted.at(at, editor, viewport.tools.pointer_px)
}

fn pick_joint(viewport: &mut Viewport, editor: &mut Editor, px: Vec2, actions: &mut Vec<Action>) {
    let joint = viewport.weighted.at((&viewport.view(), viewport.area.pixels_per_point), editor, px);
    choose(editor, joint, "no joint there", actions);
}

fn pointer<'a>(view: &View, px: Vec2, ray_at: &'a dyn Fn(Vec2) -> pick::Ray, pressure: Pressure) -> Pointer<'a> {
    Pointer { px, ray_at, eye: view.camera.eye(), pressure }
}

/// What the pen that touches the surface says.
pub(super) fn pressure(viewport: &Viewport) -> Pressure {
    viewport.options.pen.pressure(viewport.tools.pen_force)
}

/// Says why a stroke cannot go on, and takes it back.
fn refuse(result: Result<(), CommandError>, viewport: &mut Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    if let Err(reason) = result {
        viewport.tools.paint.cancel(editor);
        actions.push(Action::Say(Notice::refused(reason)));
    }
}
