//! The bend tool: turns the active joint by the pointer, about the view, one of the joint's own axes, or by typed
//! degrees. Only the view pose changes; Escape puts it back.

use glam::{DQuat, DVec3, Vec2, Vec3};
use sinew_model::NodeIndex;
use sinew_model::transform::{turn, turn_degrees};

use super::typed::TypedNumber;
use crate::editor::Editor;

/// One of a joint's own rest axes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// X.
    X,
    /// Y.
    Y,
    /// Z.
    Z,
}

/// What the tool must know of the view when a bend begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BendView {
    /// Where the joint is, pixels from the viewport's top left.
    pub joint_px: Vec2,
    /// Where the pointer is.
    pub pointer_px: Vec2,
    /// From the joint to the eye, scene space.
    pub to_eye: Vec3,
}

/// The bend tool.
#[derive(Default)]
pub struct BendTool {
    state: Option<Bend>,
}

struct Bend {
    joint: NodeIndex,
    view: BendView,
    start_turn_deg: Vec3,
    axis: Option<Axis>,
    typed: TypedNumber,
    /// How far the pointer has gone round the joint, degrees.
    dragged_deg: f32,
    last_pointer_px: Vec2,
    /// The joint's rest axes in scene space, before the turn.
    scene_from_axes: DQuat,
}

impl Axis {
    /// The letter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "X",
            Self::Y => "Y",
            Self::Z => "Z",
        }
    }

    const fn idx(self) -> usize {
        match self {
            Self::X => 0,
            Self::Y => 1,
            Self::Z => 2,
        }
    }
}

impl BendTool {
    /// The joint being bent.
    pub fn joint(&self) -> Option<NodeIndex> {
        self.state.as_ref().map(|bend| bend.joint)
    }

    /// Begins to bend a joint.
    pub fn begin(&mut self, editor: &mut Editor, joint: NodeIndex, view: BendView) {
        self.cancel(editor);
        let start_turn_deg = editor.session.pose.turn_deg(joint);
        let scene_from_joint = editor.scene_from_node()[joint.idx()];
        // Scale and mirroring aside: which way the joint's axes point in the scene, the present turn taken out.
        let (_, rotation, _) = scene_from_joint.to_scale_rotation_translation();
        let scene_from_axes =
            if rotation.is_finite() { rotation * turn(start_turn_deg).inverse() } else { DQuat::IDENTITY };
        self.state = Some(Bend {
            joint,
            view,
            start_turn_deg,
            axis: None,
            typed: TypedNumber::default(),
            dragged_deg: 0.0,
            last_pointer_px: view.pointer_px,
            scene_from_axes,
        });
    }

    /// The pointer moves. `precise` turns a tenth as much.
    pub fn drag(&mut self, editor: &mut Editor, pointer_px: Vec2, precise: bool) {
        let Some(bend) = &mut self.state else { return };
        let (from, to) = (bend.last_pointer_px - bend.view.joint_px, pointer_px - bend.view.joint_px);
        if from.length_squared() > 1.0 && to.length_squared() > 1.0 {
            // Screen y points down: a turn that looks counter-clockwise is positive.
            let step = -from.angle_to(to).to_degrees();
            bend.dragged_deg += if precise { step * 0.1 } else { step };
        }
        bend.last_pointer_px = pointer_px;
        bend.show(editor);
    }

    /// Bends about one of the joint's own axes; the same axis again bends about the view.
    pub fn axis(&mut self, editor: &mut Editor, axis: Axis) {
        let Some(bend) = &mut self.state else { return };
        bend.axis = if bend.axis == Some(axis) { None } else { Some(axis) };
        bend.show(editor);
    }

    /// A typed character of the angle: digits, a point, a minus.
    pub fn type_char(&mut self, editor: &mut Editor, c: char) {
        let Some(bend) = &mut self.state else { return };
        bend.typed.push(c);
        bend.show(editor);
    }

    /// Takes the last typed character back.
    pub fn backspace(&mut self, editor: &mut Editor) {
        if let Some(bend) = &mut self.state {
            bend.typed.pop();
            bend.show(editor);
        }
    }

    /// Keeps the bend.
    pub fn confirm(&mut self) {
        self.state = None;
    }

    /// Puts the joint back as it was.
    pub fn cancel(&mut self, editor: &mut Editor) {
        if let Some(bend) = self.state.take() {
            editor.session.pose.set_turn_deg(bend.joint, bend.start_turn_deg);
        }
    }

    /// What the tool is doing, for beside the joint: `X 90.0°`.
    pub fn read_out(&self) -> Option<String> {
        let bend = self.state.as_ref()?;
        let axis = bend.axis.map_or("View", Axis::name);
        Some(format!("{axis} {}°", bend.typed.change(bend.dragged_deg)))
    }
}

impl Bend {
    fn show(&self, editor: &mut Editor) {
        let angle_deg = self.typed.value().unwrap_or(self.dragged_deg);
        let turn_deg = match self.axis {
            Some(axis) => {
                let mut turn_deg = self.start_turn_deg;
                turn_deg[axis.idx()] += angle_deg;
                turn_deg
            }
            None if angle_deg == 0.0 => self.start_turn_deg,
            None => {
                let to_eye = self.view.to_eye.as_dvec3().try_normalize().unwrap_or(DVec3::Z);
                let axis = self.scene_from_axes.inverse() * to_eye;
                let about_view = DQuat::from_axis_angle(axis.normalize(), f64::from(angle_deg).to_radians());
                turn_degrees(about_view * turn(self.start_turn_deg))
            }
        };
        editor.session.pose.set_turn_deg(self.joint, turn_deg);
    }
}
