//! The flex tool: bends the active joint for a while and lets it spring back. While it is bent one can paint: it stands
//! still then, as long as a key is held or until it is let go. Only the view pose changes, and at the end it is to the bit
//! what it was: nothing to undo, nothing to keep. A turn that somebody gives the joint meanwhile stays.
//!
//! The drag says the axis: across the bone it turns in the picture, along the bone toward the viewer or away.

use glam::{DQuat, DVec3, Vec2, Vec3};
use sinew_model::NodeIndex;
use sinew_model::transform::{turn, turn_degrees};

use crate::editor::Editor;

/// What the tool must know of the view when a flex begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FlexView {
    /// Where the pointer is, pixels from the viewport's top left.
    pub pointer_px: Vec2,
    /// From the joint to the end of its bone on screen, pixels.
    pub bone_px: Vec2,
    /// From the joint to the eye, scene space.
    pub to_eye: Vec3,
    /// Where the picture's right is, scene space.
    pub right: Vec3,
    /// Where the picture's top is, scene space.
    pub up: Vec3,
    /// Physical pixels in a point.
    pub pixels_per_point: f32,
}

/// The flex tool.
#[derive(Default)]
pub struct FlexTool {
    state: Option<Flex>,
    spring: Option<Spring>,
}

struct Flex {
    joint: NodeIndex,
    view: FlexView,
    /// The turn that somebody gave it, and the one that is shown.
    start_turn_deg: Vec3,
    shown_turn_deg: Vec3,
    rest: Option<FlexRest>,
    scene_from_axes: DQuat,
    /// Where the drag began, and its axis in scene space once it has one.
    from_px: Vec2,
    dragged: Option<(DVec3, Vec2)>,
    angle_rad: f32,
}

/// How long a joint that is no longer bent stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlexRest {
    /// As long as the key is held.
    Held,
    /// Until it is let go.
    Latched,
}

/// A joint on its way back.
struct Spring {
    joint: NodeIndex,
    from: DQuat,
    to_turn_deg: Vec3,
    shown_turn_deg: Vec3,
    elapsed_s: f32,
}

/// So far the pointer must go before the axis is decided, points.
const DECIDED_AFTER_POINTS: f32 = 5.0;
/// A bone shorter or longer than this on screen turns as if it were this long, points.
const ARM_POINTS: [f32; 2] = [70.0, 260.0];
/// How long the way back takes, seconds.
pub const SPRING_S: f32 = 0.13;

impl FlexTool {
    /// The joint that is flexed, bent right now or standing still. One on its way back is not.
    pub fn joint(&self) -> Option<NodeIndex> {
        self.state.as_ref().map(|flex| flex.joint)
    }

    /// Whether a joint is being bent: the pointer is the tool's.
    pub fn is_bending(&self) -> bool {
        self.state.as_ref().is_some_and(|flex| flex.rest.is_none())
    }

    /// How long the flexed joint stands still; `None` if there is none, or it is being bent.
    pub fn rest(&self) -> Option<FlexRest> {
        self.state.as_ref()?.rest
    }

    /// Whether a joint is on its way back.
    pub fn is_springing(&self) -> bool {
        self.spring.is_some()
    }

    /// Begins to flex a joint. One on its way back arrives first.
    pub fn begin(&mut self, editor: &mut Editor, joint: NodeIndex, view: FlexView) {
        self.cancel(editor);
        let start_turn_deg = editor.session.pose.turn_deg(joint);
        let (_, rotation, _) = editor.scene_from_node()[joint.idx()].to_scale_rotation_translation();
        let scene_from_axes =
            if rotation.is_finite() { rotation * turn(start_turn_deg).inverse() } else { DQuat::IDENTITY };
        self.state = Some(Flex {
            joint,
            view,
            start_turn_deg,
            shown_turn_deg: start_turn_deg,
            rest: None,
            scene_from_axes,
            from_px: view.pointer_px,
            dragged: None,
            angle_rad: 0.0,
        });
    }

    /// The hand takes its hands off: the joint stands still as it is bent now. One that was not bent is no longer flexed.
    pub fn stay(&mut self, editor: &mut Editor, rest: FlexRest) {
        match &mut self.state {
            Some(flex) if flex.angle_rad == 0.0 => self.cancel(editor),
            Some(flex) => flex.rest = Some(rest),
            None => {}
        }
    }

    /// The pointer moves from one place to another. `precise` bends a tenth as much.
    pub fn drag(&mut self, editor: &mut Editor, [before_px, pointer_px]: [Vec2; 2], precise: bool) {
        let Some(flex) = self.state.as_mut().filter(|flex| flex.rest.is_none()) else { return };
        let step_px = if flex.dragged.is_none() {
            let way_px = pointer_px - flex.from_px;
            if way_px.length() < DECIDED_AFTER_POINTS * flex.view.pixels_per_point {
                return;
            }
            flex.dragged = Some(flex.axis_of(way_px));
            way_px
        } else {
            pointer_px - before_px
        };
        let Some((axis, along)) = flex.dragged else { return };
        let [least, most] = ARM_POINTS.map(|points| points * flex.view.pixels_per_point);
        let step_rad = step_px.dot(along) / flex.view.bone_px.length().clamp(least, most);
        flex.angle_rad += if precise { step_rad * 0.1 } else { step_rad };
        let about = DQuat::from_axis_angle(flex.scene_from_axes.inverse() * axis, f64::from(flex.angle_rad));
        editor.session.pose.set_turn_deg(flex.joint, turn_degrees(about * turn(flex.start_turn_deg)));
        flex.shown_turn_deg = editor.session.pose.turn_deg(flex.joint);
    }

    /// Lets go: the joint springs back, or is back at once.
    pub fn release(&mut self, editor: &mut Editor, at_once: bool) {
        self.follow(editor);
        let Some(flex) = self.state.take() else { return };
        if at_once || flex.angle_rad == 0.0 {
            editor.session.pose.set_turn_deg(flex.joint, flex.start_turn_deg);
            return;
        }
        self.spring = Some(Spring {
            joint: flex.joint,
            from: turn(flex.shown_turn_deg),
            to_turn_deg: flex.start_turn_deg,
            shown_turn_deg: flex.shown_turn_deg,
            elapsed_s: 0.0,
        });
    }

    /// Time passes. Returns whether a joint is still on its way back.
    pub fn advance(&mut self, editor: &mut Editor, dt_s: f32) -> bool {
        self.follow(editor);
        let Some(spring) = &mut self.spring else { return false };
        spring.elapsed_s += dt_s.max(0.0);
        let t = spring.elapsed_s / SPRING_S;
        if t >= 1.0 {
            editor.session.pose.set_turn_deg(spring.joint, spring.to_turn_deg);
            self.spring = None;
            return false;
        }
        // Fast first, then soft.
        let share = 1.0 - (1.0 - t).powi(3);
        let at = spring.from.slerp(turn(spring.to_turn_deg), f64::from(share));
        editor.session.pose.set_turn_deg(spring.joint, turn_degrees(at));
        spring.shown_turn_deg = editor.session.pose.turn_deg(spring.joint);
        true
    }

    /// The joint is back where it was, at once.
    pub fn cancel(&mut self, editor: &mut Editor) {
        self.follow(editor);
        if let Some(flex) = self.state.take() {
            editor.session.pose.set_turn_deg(flex.joint, flex.start_turn_deg);
        }
        if let Some(spring) = self.spring.take() {
            editor.session.pose.set_turn_deg(spring.joint, spring.to_turn_deg);
        }
    }

    /// Looks whether somebody else has turned the joint, by a line, a field or another tool: then that holds, and it is
    /// flexed no longer.
    pub fn follow(&mut self, editor: &Editor) {
        let turn_deg = |joint| editor.session.pose.turn_deg(joint);
        self.state.take_if(|flex| turn_deg(flex.joint) != flex.shown_turn_deg);
        self.spring.take_if(|spring| turn_deg(spring.joint) != spring.shown_turn_deg);
    }

    /// What the tool is doing, for beside the joint.
    pub fn read_out(&self) -> Option<String> {
        let flex = self.state.as_ref()?;
        let verb = if flex.rest.is_some() { "Flexed" } else { "Flex" };
        Some(format!("{verb} {:.0}°", flex.angle_rad.to_degrees().abs()))
    }
}

impl Flex {
    /// The axis that a drag means, in scene space, and the way on screen that turns about it, a unit vector.
    fn axis_of(&self, way_px: Vec2) -> (DVec3, Vec2) {
        let view = &self.view;
        let bone = view.bone_px.try_normalize().unwrap_or(Vec2::NEG_Y);
        // Screen y points down: this is the bone turned a quarter as it looks counter-clockwise.
        let across = Vec2::new(bone.y, -bone.x);
        let on_screen = |px: Vec2| (view.right * px.x - view.up * px.y).as_dvec3();
        let (axis, along) = if way_px.dot(across).abs() >= way_px.dot(bone).abs() {
            (view.to_eye.as_dvec3(), across)
        } else {
            // The bone's end comes toward the viewer when it is pushed toward the joint.
            (-on_screen(across), -bone)
        };
        (axis.try_normalize().unwrap_or(DVec3::Z), along)
    }
}
