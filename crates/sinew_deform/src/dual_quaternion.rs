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
#![expect(clippy::inline_always, reason = "out of line it would not be compiled for the wider processor")]

use glam::{DMat3, DQuat, DVec3, DVec4, Vec3, Vec4};
use sinew_model::VertexIndex;

use crate::deformers::{Deformer, Posed};
use crate::input::SkinInput;
use crate::linear_blend::{careful_normal, normalised};
use crate::palette::{Palette, WideDualJoint};
use crate::row::{FourShares, Share, heaviest};
use crate::run::{self, Kernel, PosedEight};
use crate::wide::{Lanes, Vec3x8, turned_four};

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
    joints: &'a [WideDualJoint],
    origin: Vec3,
}

impl<'a> Dual<'a> {
    fn new(palette: &'a Palette) -> Self {
        Self { palette, joints: palette.wide_dual_joints(), origin: palette.origin() }
    }
}

/// The sums over a vertex's influences.
#[derive(Clone, Copy)]
struct Blend<L> {
    /// Σ a q, and of the matrix with which Σ a (M·p − origin)·q follows from p: the column of x,
    rotation_and_x: L,
    /// those of y and z,
    y_and_z: L,
    /// and the last.
    translation: L,
    /// Σ w S
    stretch: L,
}

impl Kernel for Dual<'_> {
    type Joint = WideDualJoint;
    type Blend<L: Lanes> = Blend<L>;

    fn joints(&self) -> &[WideDualJoint] {
        self.joints
    }

    #[inline(always)]
    fn blend<'j, L: Lanes>(
        token: L::Token,
        row: impl Iterator<Item = FourShares<'j, WideDualJoint>> + Clone,
    ) -> Blend<L> {
        let mut ahead = row.clone();
        let Some(first) = ahead.next() else {
            let zero = L::splat(token, 0.0);
            return Blend { rotation_and_x: zero, y_and_z: zero, translation: zero, stretch: zero };
        };
        let mut heaviest = first.heaviest();
        for four in ahead {
            heaviest = heavier(heaviest, four.heaviest());
        }
        let reference = heaviest.0.rotation();
        let mut sum = blend_four(token, first, reference);
        for four in row.skip(1) {
            let more: Blend<L> = blend_four(token, four, reference);
            sum = Blend {
                rotation_and_x: sum.rotation_and_x + more.rotation_and_x,
                y_and_z: sum.y_and_z + more.y_and_z,
                translation: sum.translation + more.translation,
                stretch: sum.stretch + more.stretch,
            };
        }
        sum
    }

    #[inline(always)]
    fn pose<L: Lanes>(&self, token: L::Token, blends: &[Blend<L>; 8], p: Vec3x8<L>, n: Vec3x8<L>) -> PosedEight<L> {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = blends;
        let [x, y, z, w, xi, xj, xk, xr] = L::turned([
            b0.rotation_and_x,
            b1.rotation_and_x,
            b2.rotation_and_x,
            b3.rotation_and_x,
            b4.rotation_and_x,
            b5.rotation_and_x,
            b6.rotation_and_x,
            b7.rotation_and_x,
        ]);
        let v = Vec3x8 { x, y, z };
        let [yi, yj, yk, yr, zi, zj, zk, zr] =
            L::turned([b0.y_and_z, b1.y_and_z, b2.y_and_z, b3.y_and_z, b4.y_and_z, b5.y_and_z, b6.y_and_z, b7.y_and_z]);
        let [ti, tj, tk, tr] = L::turned_low([
            b0.translation,
            b1.translation,
            b2.translation,
            b3.translation,
            b4.translation,
            b5.translation,
            b6.translation,
            b7.translation,
        ]);
        let moved = Vec3x8 {
            x: Vec3x8 { x: xi, y: yi, z: zi }.dot(p) + ti,
            y: Vec3x8 { x: xj, y: yj, z: zj }.dot(p) + tj,
            z: Vec3x8 { x: xk, y: yk, z: zk }.dot(p) + tk,
        };
        let moved_w = Vec3x8 { x: xr, y: yr, z: zr }.dot(p) + tr;
        let [xx, yy, zz, _, xy, xz, yz, _] =
            L::turned([b0.stretch, b1.stretch, b2.stretch, b3.stretch, b4.stretch, b5.stretch, b6.stretch, b7.stretch]);

        // The vector part of moved · conj(rotation), over the rotation's squared length.
        let length_squared = v.dot(v) + w * w;
        let per_length = length_squared.recip();
        let from_origin = moved.scaled(w).plus(v.scaled(moved_w.negated())).plus(v.cross(moved)).scaled(per_length);
        let positions = from_origin.plus(Vec3x8::splat(token, self.origin));

        // Rows of the stretch's cofactor matrix, symmetric as it is.
        let (s0, s1, s2) =
            (Vec3x8 { x: xx, y: xy, z: xz }, Vec3x8 { x: xy, y: yy, z: yz }, Vec3x8 { x: xz, y: yz, z: zz });
        let (c0, c1, c2) = (s1.cross(s2), s2.cross(s0), s0.cross(s1));
        let stretched = Vec3x8 { x: c0.dot(n), y: c1.dot(n), z: c2.dot(n) };
        let determinant = s0.dot(c0);
        let size_squared = s0.dot(s0) + s1.dot(s1) + s2.dot(s2);
        // Turned by the rotation, here still times its squared length: divide it out so that lengths compare.
        let across = v.cross(stretched);
        let twice = per_length + per_length;
        let toward = stretched.plus(across.scaled(w * twice)).plus(v.cross(across).scaled(twice));
        normalised(token, positions, toward, determinant, size_squared)
    }

    fn pose_carefully(&self, row: &[Share], position: Vec3, normal: Vec3) -> (DVec3, DVec3) {
        let (p, normal) = (position.as_dvec3(), normal.as_dvec3());
        let Some(reference) = heaviest(row) else { return (DVec3::ZERO, normal.normalize_or_zero()) };
        let rotation_of = |share: &Share| as_dquat(self.joints[share.at()].rotation());
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
            let stretch_of = &self.palette.dual_joints()[share.at()].stretch;
            let [diagonal, rest] = stretch_of.map(Vec4::as_dvec4);
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

#[inline(always)]
fn blend_four<L: Lanes>(token: L::Token, four: FourShares<'_, WideDualJoint>, reference: Vec4) -> Blend<L> {
    let signed = four.toward(reference);
    Blend {
        rotation_and_x: signed.sum_of_eight(token, |joint| &joint.rotation_and_x),
        y_and_z: signed.sum_of_eight(token, |joint| &joint.y_and_z),
        translation: signed.sum_of_eight(token, |joint| &joint.translation),
        stretch: four.sum_of_eight(token, |joint| &joint.stretch),
    }
}

type Weighted<'j> = (&'j WideDualJoint, f32);

/// Picks a joint, not its rotation: that takes no branch.
#[inline(always)]
fn heavier<'j>(best: Weighted<'j>, other: Weighted<'j>) -> Weighted<'j> {
    if other.1 > best.1 { other } else { best }
}

impl<'j> FourShares<'j, WideDualJoint> {
    /// The heaviest; of equals the first.
    #[inline(always)]
    fn heaviest(&self) -> Weighted<'j> {
        let ([a, b, c, d], [wa, wb, wc, wd]) = (self.joints, self.weights);
        heavier(heavier(heavier((a, wa), (b, wb)), (c, wc)), (d, wd))
    }

    /// The same with the weights of rotations that point away from the reference negated.
    #[inline(always)]
    fn toward(self, reference: Vec4) -> Self {
        let [x, y, z, w] = turned_four(self.joints.map(|joint| joint.rotation() * reference));
        let weights = Vec4::from_array(self.weights);
        let signed = Vec4::select((x + y + z + w).cmplt(Vec4::ZERO), -weights, weights);
        Self { weights: signed.to_array(), ..self }
    }
}

fn as_dquat(q: Vec4) -> DQuat {
    DQuat::from_vec4(q.as_dvec4()).normalize()
}
