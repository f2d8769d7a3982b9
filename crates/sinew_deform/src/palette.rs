//! The palette: where a pose puts each joint's share of the mesh.

use std::sync::OnceLock;

use glam::{DAffine3, DQuat, DVec3, Vec3, Vec4};
use sinew_model::{JointSlot, NodeIndex, Skin};

use crate::polar::polar;

/// Entries larger than this would overflow in single precision; such a matrix counts as not finite.
const LARGEST: f64 = 1e18;

/// The matrices that one skin's joints have in a pose, by slot, and where vertices stay that no joint moves.
#[derive(Clone, Debug)]
pub struct Palette {
    /// In double precision; zero where not sound. `[n_joints + 1]`, the instance's node last.
    matrices: Vec<DAffine3>,
    /// The same by rows. `[n_joints + 1]`
    rows: Vec<[Vec4; 3]>,
    /// The same as kernels read them. `[n_joints + 1]`
    linear: Vec<LinearJoint>,
    /// Whether a matrix is finite. `[n_joints + 1]`
    sound: Vec<bool>,
    all_sound: bool,
    /// Near the character, so that far from the scene's origin no digits are lost.
    origin: Vec3,
    /// Made on first use: linear blending seldom needs it.
    dual: OnceLock<Vec<DualJoint>>,
    wide_dual: OnceLock<Vec<WideDualJoint>>,
}

/// A joint as linear blending reads it: the rows of its matrix, within one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct LinearJoint {
    /// The first two rows.
    pub first_rows: [f32; 8],
    /// The last, and nothing.
    pub last_row: [f32; 8],
}

/// A [`DualJoint`] as its kernel reads it, eight numbers at a time, within two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct WideDualJoint {
    /// The rotation, and what a position's x moves.
    pub rotation_and_x: [f32; 8],
    /// What y and z move.
    pub y_and_z: [f32; 8],
    pub stretch: [f32; 8],
    /// What is added wherever the position is, and nothing.
    pub translation: [f32; 8],
}

/// A joint as dual quaternion skinning wants it. All parts are blended as they stand, the first two with one sign.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C)]
pub struct DualJoint {
    /// The rotation of the joint's matrix, a unit quaternion (x, y, z, w).
    pub rotation: Vec4,
    /// Takes a raw position (x, y, z, 1) to the quaternion `(M·p − origin) · rotation`; columns.
    pub moved: [Vec4; 4],
    /// What the joint's matrix does before its rotation, a symmetric matrix: xx, yy, zz, 0 and xy, xz, yz, 0.
    pub stretch: [Vec4; 2],
}

impl Palette {
    /// The palette of a skin in a pose, computed in double precision: `scene_from_joint · joint_from_mesh` by slot.
    ///
    /// `scene_from_nodes` `[n_nodes]` has the pose; a joint past its end counts as not finite. `instance` is the node
    /// that shows the mesh: it places nothing that a joint moves, only vertices that no joint could ever move.
    pub fn new(skin: &Skin, scene_from_nodes: &[DAffine3], instance: NodeIndex) -> Self {
        let matrices = skin.joints().iter().zip(skin.joint_from_mesh()).map(|(joint, &joint_from_mesh)| {
            scene_from_nodes
                .get(joint.idx())
                .map_or(DAffine3::NAN, |&scene_from_joint| scene_from_joint * joint_from_mesh)
        });
        let origin =
            mean(skin.joints().iter().filter_map(|joint| Some(scene_from_nodes.get(joint.idx())?.translation)));
        let at_instance = scene_from_nodes.get(instance.idx()).copied().unwrap_or(DAffine3::IDENTITY);
        Self::from_matrices(matrices.chain([at_instance]).collect(), origin)
    }

    /// The palette of a mesh without a skin: its node's transform places every vertex, whatever its row says.
    pub fn rigid(scene_from_node: DAffine3) -> Self {
        Self::from_matrices(vec![scene_from_node], mean([scene_from_node.translation].into_iter()))
    }

    /// How many joints there are.
    pub fn n_joints(&self) -> usize {
        self.matrices.len() - 1
    }

    /// Matrices from raw to scene space by rows: first the joints', then the one for vertices that no joint moves.
    /// Zero where a matrix is not finite. `[n_joints + 1]`
    pub fn rows(&self) -> &[[Vec4; 3]] {
        &self.rows
    }

    /// Joints for dual quaternion skinning, in the order of [`Palette::rows`]. `[n_joints + 1]`
    pub fn dual_joints(&self) -> &[DualJoint] {
        self.dual.get_or_init(|| self.matrices.iter().map(|&matrix| DualJoint::new(matrix, self.origin)).collect())
    }

    pub(crate) fn linear_joints(&self) -> &[LinearJoint] {
        &self.linear
    }

    pub(crate) fn wide_dual_joints(&self) -> &[WideDualJoint] {
        self.wide_dual.get_or_init(|| self.dual_joints().iter().map(WideDualJoint::new).collect())
    }

    /// What [`DualJoint::moved`] leaves out, in scene space.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Joints whose matrix is not finite, or too large for single precision: they move nothing. Rising.
    pub fn unsound_slots(&self) -> impl Iterator<Item = JointSlot> + '_ {
        (0..self.n_joints()).filter(|&slot| !self.sound[slot]).map(JointSlot::from_idx)
    }

    /// Slots below this need no check.
    pub(crate) fn n_checked(&self) -> usize {
        if self.all_sound { self.n_joints() } else { 0 }
    }

    /// Whether the slot has a joint that moves something.
    pub(crate) fn moves(&self, slot: JointSlot) -> bool {
        slot.idx() < self.n_joints() && self.sound[slot.idx()]
    }

    pub(crate) fn matrix(&self, at: usize) -> DAffine3 {
        self.matrices[at]
    }

    fn from_matrices(mut matrices: Vec<DAffine3>, origin: Vec3) -> Self {
        let sound: Vec<bool> = matrices.iter().map(|matrix| is_sound(*matrix)).collect();
        for (matrix, _) in matrices.iter_mut().zip(&sound).filter(|&(_, &sound)| !sound) {
            *matrix = ZERO;
        }
        let rows: Vec<[Vec4; 3]> = matrices.iter().map(|&matrix| rows_of(matrix)).collect();
        let linear: Vec<LinearJoint> = rows
            .iter()
            .map(|&[x, y, z]| LinearJoint { first_rows: eight(x, y), last_row: eight(z, Vec4::ZERO) })
            .collect();
        let all_sound = sound[..sound.len() - 1].iter().all(|&sound| sound);
        let (dual, wide_dual) = (OnceLock::new(), OnceLock::new());
        Self { matrices, rows, linear, sound, all_sound, origin, dual, wide_dual }
    }
}

impl DualJoint {
    /// All parts end to end, for a buffer: rotation, moved, stretch.
    pub fn to_vec4s(&self) -> [Vec4; 7] {
        let [a, b, c, d] = self.moved;
        [self.rotation, a, b, c, d, self.stretch[0], self.stretch[1]]
    }

    fn new(scene_from_mesh: DAffine3, origin: Vec3) -> Self {
        let polar = polar(scene_from_mesh.matrix3);
        let q = polar.rotation;
        let times_q = |v: DVec3| DQuat::from_xyzw(v.x, v.y, v.z, 0.0).mul_quat(q).as_quat().into();
        let linear = scene_from_mesh.matrix3;
        let translation = scene_from_mesh.translation - origin.as_dvec3();
        let s = polar.stretch;
        Self {
            rotation: q.as_quat().into(),
            moved: [linear.x_axis, linear.y_axis, linear.z_axis, translation].map(times_q),
            stretch: [
                DVec3::new(s.x_axis.x, s.y_axis.y, s.z_axis.z).as_vec3().extend(0.0),
                DVec3::new(s.y_axis.x, s.z_axis.x, s.z_axis.y).as_vec3().extend(0.0),
            ],
        }
    }
}

impl WideDualJoint {
    fn new(joint: &DualJoint) -> Self {
        let [x, y, z, translation] = joint.moved;
        Self {
            rotation_and_x: eight(joint.rotation, x),
            y_and_z: eight(y, z),
            stretch: eight(joint.stretch[0], joint.stretch[1]),
            translation: eight(translation, Vec4::ZERO),
        }
    }

    pub fn rotation(&self) -> Vec4 {
        Vec4::from_slice(&self.rotation_and_x)
    }
}

fn eight(a: Vec4, b: Vec4) -> [f32; 8] {
    let mut eight = [0.0; 8];
    a.write_to_slice(&mut eight);
    b.write_to_slice(&mut eight[4..]);
    eight
}

const ZERO: DAffine3 = DAffine3 { matrix3: glam::DMat3::ZERO, translation: DVec3::ZERO };

fn is_sound(matrix: DAffine3) -> bool {
    // Written so that NaN fails.
    matrix.to_cols_array().iter().all(|entry| entry.abs() < LARGEST)
}

fn rows_of(matrix: DAffine3) -> [Vec4; 3] {
    let m = matrix.matrix3;
    let t = matrix.translation;
    [0, 1, 2].map(|r| {
        let row = m.row(r);
        Vec4::new(row.x as f32, row.y as f32, row.z as f32, t[r] as f32)
    })
}

/// The mean of those points that are sound; the origin if there are none.
fn mean(points: impl Iterator<Item = DVec3>) -> Vec3 {
    let sound = points.filter(|point| point.abs().cmplt(DVec3::splat(LARGEST)).all());
    let (sum, n) = sound.fold((DVec3::ZERO, 0u32), |(sum, n), point| (sum + point, n + 1));
    (sum / f64::from(n.max(1))).as_vec3()
}
