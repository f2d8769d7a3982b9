//! Three rings around the active joint, one about each of its rest axes, and the drag that turns it.
//!
//! Rings have the same size on screen everywhere. Near a ring is near its line on screen, so a ring seen edge-on is as
//! easy to take as one seen from the front.

use glam::{DMat3, DQuat, DVec3, Vec2, Vec3};
use sinew_edit::Editor;
use sinew_edit::tools::{Axis, TypedNumber};
use sinew_model::NodeIndex;
use sinew_model::transform::{turn, turn_degrees};
use sinew_render::{Cap, Color, DrawList, Line};

use super::camera::View;

/// Radius of the rings, points.
pub const RADIUS_POINTS: f32 = 70.0;
/// How far from a ring's line the pointer takes it, points.
const GRAB_POINTS: f32 = 7.0;
/// Sine of the angle between view and ring plane under which a ring counts as seen edge-on.
const EDGE_ON: f32 = 0.35;
const N_SEGMENTS: usize = 96;
/// The rings' axes, in order.
pub const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
/// Colours of X, Y and Z.
pub const AXIS_COLORS: [Color; 3] = [Color::hex(0xE0706A), Color::hex(0x84C36B), Color::hex(0x6B9FE0)];
const LIGHT: Color = Color::hex(0xF4F6F8);

/// The rings of a joint in a view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gizmo {
    /// The joint.
    pub joint: NodeIndex,
    /// Where it stands, scene space.
    pub center: Vec3,
    /// Radius of the rings there, scene units.
    pub radius: f32,
    /// Unit axes that a positive turn goes around right-handed, scene space.
    pub axes: [Vec3; 3],
}

/// A place on a ring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Grip {
    /// 0, 1, 2 for X, Y, Z.
    pub axis_idx: usize,
    /// How far around the ring, radians.
    pub angle_rad: f32,
}

/// A joint being turned by a ring.
#[derive(Clone, Debug)]
pub struct RingDrag {
    joint: NodeIndex,
    start_turn_deg: Vec3,
    grip: Grip,
    /// The way along a ring seen edge-on, unit, pixels.
    tangent: Option<Vec2>,
    dragged_deg: f32,
    typed: TypedNumber,
}

/// How rings are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GizmoLook {
    /// The rings.
    pub gizmo: Gizmo,
    /// The ring under the pointer or in the hand.
    pub lit: Option<usize>,
    /// While turning: where the ring was taken and how far it went, degrees.
    pub turned: Option<(Grip, f32)>,
}

impl Gizmo {
    /// The active joint's rings; `None` without one, or where it is not in front of the eye.
    pub fn of(editor: &mut Editor, view: &View, pixels_per_point: f32) -> Option<Self> {
        let joint = editor.session.active_joint?;
        let scene_from_joint = editor.scene_from_node()[joint.idx()];
        let center = scene_from_joint.translation.as_vec3();
        view.px_of(center)?;
        // The joint's own turn and scale taken out: how its rest axes stand in the scene.
        let rest = &editor.document().nodes().node(joint).rest;
        let own =
            DMat3::from_quat(turn(editor.session.pose.turn_deg(joint))) * DMat3::from_diagonal(rest.scale) * rest.shear;
        let scene_from_axes = scene_from_joint.matrix3 * own.inverse();
        // Right-handed around the plane's image, whatever mirrors or stretches the joint.
        let axis = |i: usize| {
            let normal = scene_from_axes.col((i + 1) % 3).cross(scene_from_axes.col((i + 2) % 3));
            normal.try_normalize().unwrap_or(DVec3::AXES[i]).as_vec3()
        };
        let radius = RADIUS_POINTS * pixels_per_point / view.px_per_unit(center);
        Some(Self { joint, center, radius, axes: [axis(0), axis(1), axis(2)] })
    }

    /// A point of a ring, scene space.
    pub fn point(&self, grip: Grip) -> Vec3 {
        let (u, v) = self.plane(grip.axis_idx);
        self.center + (u * grip.angle_rad.cos() + v * grip.angle_rad.sin()) * self.radius
    }

    /// The ring near a pixel; of several, the nearest, and its near side before its far side.
    pub fn grip_at(&self, view: &View, pixels_per_point: f32, px: Vec2) -> Option<Grip> {
        let limit = (GRAB_POINTS * pixels_per_point).max(6.5);
        let mut best: Option<(f32, Grip)> = None;
        for axis_idx in 0..3 {
            for k in 0..N_SEGMENTS {
                let ends = [k, k + 1].map(|k| Grip { axis_idx, angle_rad: step_rad(k) });
                let [Some(a), Some(b)] = ends.map(|grip| view.px_of(self.point(grip))) else { continue };
                let along = b - a;
                let t = ((px - a).dot(along) / along.length_squared().max(1e-6)).clamp(0.0, 1.0);
                let distance = px.distance(a + along * t);
                if distance > limit {
                    continue;
                }
                let grip = Grip { axis_idx, angle_rad: step_rad(k) + t * step_rad(1) };
                let score = distance + if self.is_near_side(view, self.point(grip)) { 0.0 } else { 2.0 };
                if best.is_none_or(|(least, _)| score < least) {
                    best = Some((score, grip));
                }
            }
        }
        best.map(|(_, grip)| grip)
    }

    fn plane(&self, axis_idx: usize) -> (Vec3, Vec3) {
        let u = self.axes[axis_idx].any_orthonormal_vector();
        (u, self.axes[axis_idx].cross(u))
    }

    fn is_near_side(&self, view: &View, point: Vec3) -> bool {
        (point - self.center).dot(view.camera.eye() - self.center) >= 0.0
    }

    /// How far around a ring the pointer's ray meets its plane, radians.
    fn angle_at(&self, view: &View, axis_idx: usize, px: Vec2) -> Option<f32> {
        let ray = view.ray_at(px);
        let along = (self.center - ray.origin).dot(self.axes[axis_idx]) / ray.direction.dot(self.axes[axis_idx]);
        if !along.is_finite() || along <= 0.0 {
            return None;
        }
        let (u, v) = self.plane(axis_idx);
        let spoke = ray.origin + ray.direction * along - self.center;
        Some(spoke.dot(v).atan2(spoke.dot(u)))
    }

    /// Which way a ring goes on screen at a place, unit; at the ends of a ring seen edge-on, as in its middle.
    fn tangent_px(&self, view: &View, grip: Grip) -> Vec2 {
        let (u, v) = self.plane(grip.axis_idx);
        let to_eye = view.camera.eye() - self.center;
        let middle = to_eye.dot(v).atan2(to_eye.dot(u));
        let way = |angle_rad: f32| {
            let ends = [-0.05, 0.05].map(|d| self.point(Grip { angle_rad: angle_rad + d, ..grip }));
            let [Some(a), Some(b)] = ends.map(|point| view.px_of(point)) else { return Vec2::ZERO };
            b - a
        };
        let (here, in_middle) = (way(grip.angle_rad), way(middle));
        let is_short = here.length() < 0.25 * in_middle.length();
        if is_short { in_middle } else { here }.normalize_or_zero()
    }
}

impl RingDrag {
    /// Takes a ring.
    pub fn begin(editor: &Editor, view: &View, gizmo: &Gizmo, grip: Grip) -> Self {
        let to_eye = (view.camera.eye() - gizmo.center).normalize_or_zero();
        let is_edge_on = to_eye.dot(gizmo.axes[grip.axis_idx]).abs() < EDGE_ON;
        let start_turn_deg = editor.session.pose.turn_deg(gizmo.joint);
        let tangent = is_edge_on.then(|| gizmo.tangent_px(view, grip));
        let typed = TypedNumber::default();
        Self { joint: gizmo.joint, start_turn_deg, grip, tangent, dragged_deg: 0.0, typed }
    }

    /// The joint.
    pub fn joint(&self) -> NodeIndex {
        self.joint
    }

    /// The pointer moves. `is_precise` turns a tenth as much.
    pub fn drag(
        &mut self,
        editor: &mut Editor,
        (view, pixels_per_point): (&View, f32),
        [from, to]: [Vec2; 2],
        is_precise: bool,
    ) {
        let step_rad = if let Some(tangent) = self.tangent {
            (to - from).dot(tangent) / (RADIUS_POINTS * pixels_per_point)
        } else {
            let Some(gizmo) = Gizmo::of(editor, view, pixels_per_point) else { return };
            let angles = [from, to].map(|px| gizmo.angle_at(view, self.grip.axis_idx, px));
            let [Some(from), Some(to)] = angles else { return };
            let step = to - from;
            step - std::f32::consts::TAU * (step / std::f32::consts::TAU).round()
        };
        self.dragged_deg += step_rad.to_degrees() * if is_precise { 0.1 } else { 1.0 };
        self.turn(editor);
    }

    /// A typed character of the angle. Once something is typed the pointer no longer turns.
    pub fn type_char(&mut self, editor: &mut Editor, c: char) {
        self.typed.push(c);
        self.turn(editor);
    }

    /// Takes the last typed character back.
    pub fn backspace(&mut self, editor: &mut Editor) {
        self.typed.pop();
        self.turn(editor);
    }

    fn turn(&self, editor: &mut Editor) {
        let turn_deg = turned_deg(self.start_turn_deg, self.grip.axis_idx, self.angle_deg());
        editor.session.pose.set_turn_deg(self.joint, turn_deg);
    }

    fn angle_deg(&self) -> f32 {
        self.typed.value().unwrap_or(self.dragged_deg)
    }

    /// Puts the joint back as it was.
    pub fn cancel(self, editor: &mut Editor) {
        editor.session.pose.set_turn_deg(self.joint, self.start_turn_deg);
    }

    /// Where the ring was taken and how far it went, degrees.
    pub fn turned(&self) -> (Grip, f32) {
        (self.grip, self.angle_deg())
    }

    /// Axis and angle, for beside the joint: `X +90.0°`.
    pub fn read_out(&self) -> String {
        format!("{} {}°", AXES[self.grip.axis_idx].name(), self.typed.change(self.dragged_deg))
    }
}

/// Draws the rings over everything.
pub fn push(list: &mut DrawList<'_>, view: &View, look: &GizmoLook) {
    let gizmo = &look.gizmo;
    for (axis_idx, color) in AXIS_COLORS.into_iter().enumerate() {
        let is_lit = look.lit == Some(axis_idx);
        let color = if is_lit { lighter(color) } else { color };
        let width = if is_lit { 2.8 } else { 1.8 };
        let share = if look.turned.is_some() && !is_lit { 0.3 } else { 1.0 };
        for k in 0..N_SEGMENTS {
            let [a, b] = [k, k + 1].map(|k| gizmo.point(Grip { axis_idx, angle_rad: step_rad(k) }));
            let alpha = if gizmo.is_near_side(view, (a + b) * 0.5) { 0.92 } else { 0.24 };
            list.lines_on_top.push(Line::new(a, b, width, color.with_alpha(alpha * share)).with_cap(Cap::Butt));
        }
    }
    let Some((grip, angle_deg)) = look.turned else { return };
    let angle_rad = angle_deg.to_radians();
    let at = |share: f32| gizmo.point(Grip { angle_rad: grip.angle_rad + angle_rad * share, ..grip });
    // The way the ring went, once around at most.
    let n = ((angle_rad.abs().min(std::f32::consts::TAU) / step_rad(1)).ceil() as usize).max(1);
    let shown = (std::f32::consts::TAU / angle_rad.abs().max(1e-6)).min(1.0);
    for k in 0..n {
        let [a, b] = [k, k + 1].map(|k| at(1.0 - shown + shown * k as f32 / n as f32));
        list.lines_on_top.push(Line::new(a, b, 3.4, LIGHT.with_alpha(0.95)).with_cap(Cap::Butt));
    }
    for end in [at(0.0), at(1.0)] {
        list.lines_on_top.push(Line::new(gizmo.center, end, 1.2, LIGHT.with_alpha(0.6)));
    }
}

/// Degrees about the rest axes after a further turn about one of them. Where the joint is turned about no other axis
/// the number simply grows, past a half turn too.
fn turned_deg(start_deg: Vec3, axis_idx: usize, angle_deg: f32) -> Vec3 {
    if angle_deg == 0.0 {
        return start_deg;
    }
    if (0..3).all(|i| i == axis_idx || start_deg[i] == 0.0) {
        let mut turn_deg = start_deg;
        turn_deg[axis_idx] += angle_deg;
        return turn_deg;
    }
    let about = DQuat::from_axis_angle(DVec3::AXES[axis_idx], f64::from(angle_deg).to_radians());
    turn_degrees(about * turn(start_deg))
}

fn step_rad(k: usize) -> f32 {
    k as f32 / N_SEGMENTS as f32 * std::f32::consts::TAU
}

fn lighter(color: Color) -> Color {
    let [r, g, b, a] = color.0;
    let half_way = |c: u8| c + (255 - c) / 2;
    Color([half_way(r), half_way(g), half_way(b), a])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_about_one_axis_counts_on_and_one_about_another_is_about_the_rest_axis() {
        assert_eq!(turned_deg(Vec3::new(170.0, 0.0, 0.0), 0, 30.0), Vec3::new(200.0, 0.0, 0.0));
        let start = Vec3::new(0.0, 0.0, 90.0);
        let after = turn(turned_deg(start, 0, 90.0));
        // Z first takes +X to +Y; the turn about the resting X axis then takes it to +Z.
        assert!((after * DVec3::X - DVec3::Z).length() < 1e-6);
        assert_eq!(turned_deg(start, 1, 0.0), start);
    }
}
