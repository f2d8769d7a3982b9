//! Dual quaternion skinning.
//!
//! After Kavan, Collins, Žára and O'Sullivan, "Geometric Skinning with Approximate Dual Quaternion Blending" (2008),
//! carried over to any affine joint matrix. Each joint's matrix M is a rotation times a symmetric stretch (polar
//! decomposition). For a vertex at p the joint stands for the rigid motion that has M's rotation and takes p to M·p;
//! these motions are blended as dual quaternions. Blending does not care where the mesh has its origin, so p itself may
//! be the origin, and then the blended motion's translation is the posed vertex:
//!
//! `posed = vector part of (Σ a (M·p)·q) · conj(Σ a q) / |Σ a q|²`, with `a` the weights, signed toward the heaviest.
//!
//! Both sums are linear in what a palette can hold, so a vertex costs two blended matrices. One influence gives M·p
//! for any M; without stretch this is the published method. Normals go by the blended stretch as in linear blending
//! (sign(det) · cofactor), then by the blended rotation. Plain blending bulges outside a bend; nothing corrects it.

use glam::{DMat3, DQuat, DVec3, DVec4, Vec3, Vec4};
use sinew_model::VertexIndex;

use crate::deformers::{Deformer, Posed};
use crate::input::SkinInput;
use crate::linear_blend::{careful_normal, normalised};
use crate::palette::{DualJoint, Palette};
use crate::row::{FourShares, Share, heaviest};
use crate::run::{self, Kernel, PosedFour};
use crate::wide::{Vec3x4, turned};

/// Dual quaternion skinning.
#[derive(Clone, Copy, Debug)]
pub struct DualQuaternion;

impl Deformer for DualQuaternion {
    fn name(&self) -> &'static str {
        "dqs"
    }

    fn label(&self) -> &'static str {
        "Dual quaternion"
    }

    fn hint(&self) -> &'static str {
        "Keeps thickness where joints twist; bulges on the outside of a bend"
    }

    fn deform(&self, input: &SkinInput<'_>, palette: &Palette, out: &mut Posed) {
        run::deform(&Dual::new(palette), input, palette, out);
    }

    fn deform_some(&self, input: &SkinInput<'_>, palette: &Palette, vertices: &[VertexIndex], out: &mut Posed) {
        run::deform_some(&Dual::new(palette), input, palette, vertices, out);
    }
}

struct Dual<'a> {
    palette: &'a Palette,
    joints: &'a [DualJoint],
    origin: Vec3,
}

impl<'a> Dual<'a> {
    fn new(palette: &'a Palette) -> Self {
        Self { palette, joints: palette.dual_joints(), origin: palette.origin() }
    }
}

/// The sums over a vertex's influences.
#[derive(Clone, Copy, Default)]
struct Blend {
    /// Σ a q
    rotation: Vec4,
    /// Σ a (M·p − origin)·q
    moved: Vec4,
    /// Σ w S
    stretch: [Vec4; 2],
}

impl Kernel for Dual<'_> {
    type Joint = DualJoint;
    type Blend = Blend;

    fn joints(&self) -> &[DualJoint] {
        self.joints
    }

    #[inline]
    fn blend<'j>(row: impl Iterator<Item = FourShares<'j, DualJoint>> + Clone, position: Vec3) -> Blend {
        let heaviest = row.clone().map(|four| four.heaviest()).reduce(heavier);
        let reference = heaviest.map_or(Vec4::W, |(joint, _)| joint.rotation);
        let mut rotation = Vec4::ZERO;
        let mut moved = Vec4::ZERO;
        let mut stretch = [Vec4::ZERO; 2];
        for four in row {
            let signed = four.toward(reference);
            rotation += signed.sum(|joint| joint.rotation);
            moved += signed.sum(|joint| joint.moved[0]) * position.x
                + signed.sum(|joint| joint.moved[1]) * position.y
                + signed.sum(|joint| joint.moved[2]) * position.z
                + signed.sum(|joint| joint.moved[3]);
            stretch[0] += four.sum(|joint| joint.stretch[0]);
            stretch[1] += four.sum(|joint| joint.stretch[1]);
        }
        Blend { rotation, moved, stretch }
    }

    #[inline]
    fn pose(&self, blends: &[Blend; 4], _: Vec3x4, n: Vec3x4) -> PosedFour {
        let [a, b, c, d] = blends;
        let [x, y, z, w] = turned([a.rotation, b.rotation, c.rotation, d.rotation]);
        let v = Vec3x4 { x, y, z };
        let [x, y, z, moved_w] = turned([a.moved, b.moved, c.moved, d.moved]);
        let moved = Vec3x4 { x, y, z };
        let [xx, yy, zz, _] = turned([a.stretch[0], b.stretch[0], c.stretch[0], d.stretch[0]]);
        let [xy, xz, yz, _] = turned([a.stretch[1], b.stretch[1], c.stretch[1], d.stretch[1]]);

        // The vector part of moved · conj(rotation), over the rotation's squared length.
        let length_squared = v.dot(v) + w * w;
        let from_origin = moved.scaled(w).plus(v.scaled(-moved_w)).plus(v.cross(moved)).scaled(length_squared.recip());
        let origin =
            Vec3x4 { x: Vec4::splat(self.origin.x), y: Vec4::splat(self.origin.y), z: Vec4::splat(self.origin.z) };
        let positions = from_origin.plus(origin);

        // Rows of the stretch's cofactor matrix, symmetric as it is.
        let (s0, s1, s2) =
            (Vec3x4 { x: xx, y: xy, z: xz }, Vec3x4 { x: xy, y: yy, z: yz }, Vec3x4 { x: xz, y: yz, z: zz });
        let (c0, c1, c2) = (s1.cross(s2), s2.cross(s0), s0.cross(s1));
        let stretched = Vec3x4 { x: c0.dot(n), y: c1.dot(n), z: c2.dot(n) };
        let determinant = s0.dot(c0);
        let size_squared = s0.dot(s0) + s1.dot(s1) + s2.dot(s2);
        // Turned by the rotation, here still times its squared length: divide it out so that lengths compare.
        let across = v.cross(stretched);
        let twice = (length_squared.recip()) * 2.0;
        let toward = stretched.plus(across.scaled(w * twice)).plus(v.cross(across).scaled(twice));
        normalised(positions, toward, determinant, size_squared)
    }

    fn pose_carefully(&self, row: &[Share], position: Vec3, normal: Vec3) -> (DVec3, DVec3) {
        let (p, normal) = (position.as_dvec3(), normal.as_dvec3());
        let Some(reference) = heaviest(row) else { return (DVec3::ZERO, normal.normalize_or_zero()) };
        let rotation_of = |share: &Share| as_dquat(self.joints[share.at()].rotation);
        let moved_to = |share: &Share| self.palette.matrix(share.at()).transform_point3(p);
        let toward = rotation_of(&reference);
        let origin = self.origin.as_dvec3();
        let mut rotation = DVec4::ZERO;
        let mut moved = DVec4::ZERO;
        let mut stretch = DMat3::ZERO;
        for share in row {
            let q = rotation_of(share);
            let weight = f64::from(share.weight());
            let signed = if q.dot(toward) < 0.0 { -weight } else { weight };
            let from_origin = moved_to(share) - origin;
            rotation += DVec4::from(q) * signed;
            moved += DVec4::from(DQuat::from_vec4(from_origin.extend(0.0)).mul_quat(q)) * signed;
            let [diagonal, rest] = self.joints[share.at()].stretch.map(Vec4::as_dvec4);
            stretch += DMat3::from_cols(
                DVec3::new(diagonal.x, rest.x, rest.y),
                DVec3::new(rest.x, diagonal.y, rest.z),
                DVec3::new(rest.y, rest.z, diagonal.z),
            ) * weight;
        }
        let length_squared = rotation.length_squared();
        // Only weights of both signs can cancel: then the heaviest joint has it alone.
        let (posed, unit) = if length_squared > 1e-12 {
            let posed = DQuat::from_vec4(moved).mul_quat(DQuat::from_vec4(rotation).conjugate());
            (DVec3::new(posed.x, posed.y, posed.z) / length_squared + origin, rotation / length_squared.sqrt())
        } else {
            (moved_to(&reference), toward.into())
        };
        let stretched = careful_normal(stretch, normal).unwrap_or(normal);
        (posed, (DQuat::from_vec4(unit) * stretched).normalize_or_zero())
    }
}

type Weighted<'j> = (&'j DualJoint, f32);

/// Picks a joint, not its rotation: that takes no branch.
#[inline]
fn heavier<'j>(best: Weighted<'j>, other: Weighted<'j>) -> Weighted<'j> {
    if other.1 > best.1 { other } else { best }
}

impl<'j> FourShares<'j, DualJoint> {
    /// The heaviest; of equals the first.
    #[inline]
    fn heaviest(&self) -> Weighted<'j> {
        let ([a, b, c, d], [wa, wb, wc, wd]) = (self.joints, self.weights);
        heavier(heavier(heavier((a, wa), (b, wb)), (c, wc)), (d, wd))
    }

    /// The same with the weights of rotations that point away from the reference negated.
    #[inline]
    fn toward(self, reference: Vec4) -> Self {
        let [x, y, z, w] = turned(self.joints.map(|joint| joint.rotation * reference));
        let weights = Vec4::from_array(self.weights);
        let signed = Vec4::select((x + y + z + w).cmplt(Vec4::ZERO), -weights, weights);
        Self { weights: signed.to_array(), ..self }
    }
}

fn as_dquat(q: Vec4) -> DQuat {
    DQuat::from_vec4(q.as_dvec4()).normalize()
}
