//! Linear blend skinning.
//!
//! As listing 10.8 of "3D Math Primer for Graphics and Game Development" (Dunn and Parberry): the joints' matrices from
//! bind pose to current pose are blended by the weights, and the blended matrix moves the vertex. Normals go by
//! sign(det) · cofactor of the blended 3×3, which is its inverse transpose but for a positive factor, so uneven scale
//! and mirrored joints shade right. Where that leaves no direction, the normal turns with the heaviest joint.
#![expect(clippy::inline_always, reason = "out of line it would not be compiled for the wider processor")]

use glam::{DAffine3, DMat3, DVec3, Vec3};
use sinew_model::VertexIndex;

use crate::deformers::{Deformer, Posed};
use crate::input::SkinInput;
use crate::palette::{LinearJoint, Palette};
use crate::polar::polar;
use crate::row::{FourShares, Share, heaviest};
use crate::run::{self, Kernel, PosedEight};
use crate::wide::{Lanes, Vec3x8};

/// A cofactor this much smaller than the square of its matrix is rounding, not a direction.
pub(crate) const NO_DIRECTION: f32 = 1e-6;

/// Linear blend skinning.
#[derive(Clone, Copy, Debug)]
pub struct LinearBlend;

impl Deformer for LinearBlend {
    fn name(&self) -> &'static str {
        "lbs"
    }

    fn label(&self) -> &'static str {
        "Linear blend"
    }

    fn hint(&self) -> &'static str {
        "What most engines do: blends the joints' matrices; thins out where joints twist"
    }

    fn deform(&self, input: &SkinInput<'_>, palette: &Palette, out: &mut Posed) {
        run::deform(&Linear { palette }, input, palette, out);
    }

    fn deform_some(&self, input: &SkinInput<'_>, palette: &Palette, vertices: &[VertexIndex], out: &mut Posed) {
        run::deform_some(&Linear { palette }, input, palette, vertices, out);
    }
}

struct Linear<'a> {
    palette: &'a Palette,
}

/// The weighted sum of a vertex's matrices: its first two rows, its last (as wide, so that it is read as it was written).
type Blend<L> = (L, L);

impl Kernel for Linear<'_> {
    type Joint = LinearJoint;
    type Blend<L: Lanes> = Blend<L>;

    fn joints(&self) -> &[LinearJoint] {
        self.palette.linear_joints()
    }

    #[inline(always)]
    fn blend<'j, L: Lanes>(
        token: L::Token,
        mut row: impl Iterator<Item = FourShares<'j, LinearJoint>> + Clone,
    ) -> Blend<L> {
        let Some(first) = row.next() else { return (L::splat(token, 0.0), L::splat(token, 0.0)) };
        let mut sum: Blend<L> = blend_four(token, first);
        for four in row {
            let more: Blend<L> = blend_four(token, four);
            sum = (sum.0 + more.0, sum.1 + more.1);
        }
        sum
    }

    #[inline(always)]
    fn pose<L: Lanes>(&self, token: L::Token, blends: &[Blend<L>; 8], p: Vec3x8<L>, n: Vec3x8<L>) -> PosedEight<L> {
        let [a, b, c, d, e, f, g, h] = blends;
        let [xx, xy, xz, x, yx, yy, yz, y] = L::turned([a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]);
        let [zx, zy, zz, z] = L::turned_low([a.1, b.1, c.1, d.1, e.1, f.1, g.1, h.1]);
        let (r0, r1, r2) =
            (Vec3x8 { x: xx, y: xy, z: xz }, Vec3x8 { x: yx, y: yy, z: yz }, Vec3x8 { x: zx, y: zy, z: zz });
        let positions = Vec3x8 { x: r0.dot(p) + x, y: r1.dot(p) + y, z: r2.dot(p) + z };
        // Rows of the cofactor matrix.
        let (c0, c1, c2) = (r1.cross(r2), r2.cross(r0), r0.cross(r1));
        let toward = Vec3x8 { x: c0.dot(n), y: c1.dot(n), z: c2.dot(n) };
        let determinant = r0.dot(c0);
        let size_squared = r0.dot(r0) + r1.dot(r1) + r2.dot(r2);
        normalised(token, positions, toward, determinant, size_squared)
    }

    fn pose_carefully(&self, row: &[Share], position: Vec3, normal: Vec3) -> (DVec3, DVec3) {
        let mut blended = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
        for share in row {
            let (matrix, weight) = (self.palette.matrix(share.at()), f64::from(share.weight()));
            blended.matrix3 += matrix.matrix3 * weight;
            blended.translation += matrix.translation * weight;
        }
        let posed = blended.transform_point3(position.as_dvec3());
        let normal = normal.as_dvec3();
        let toward = careful_normal(blended.matrix3, normal).unwrap_or_else(|| {
            // A vertex that nothing moves (raw rows only) keeps its normal.
            heaviest(row).map_or(normal, |share| {
                let matrix = self.palette.matrix(share.at()).matrix3;
                polar(matrix).rotation * normal * if matrix.determinant() < 0.0 { -1.0 } else { 1.0 }
            })
        });
        (posed, toward.normalize_or_zero())
    }
}

#[inline(always)]
fn blend_four<L: Lanes>(token: L::Token, four: FourShares<'_, LinearJoint>) -> Blend<L> {
    (four.sum_of_eight(token, |joint| &joint.first_rows), four.sum_of_eight(token, |joint| &joint.last_row))
}

/// Finishes eight vertices: normals are turned by the sign of the determinant and made unit.
#[inline(always)]
pub(crate) fn normalised<L: Lanes>(
    token: L::Token,
    positions: Vec3x8<L>,
    toward: Vec3x8<L>,
    determinant: L,
    size_squared: L,
) -> PosedEight<L> {
    let length_squared = toward.dot(toward);
    // Comparisons that NaN fails.
    let least = size_squared * size_squared * L::splat(token, NO_DIRECTION * NO_DIRECTION);
    let has_direction = length_squared.larger(least);
    let in_range = length_squared.larger(L::splat(token, 1e-30)) & L::splat(token, 1e30).larger(length_squared);
    let near = L::splat(token, 1e30).larger(positions.reach());
    let normals = toward.scaled(length_squared.sqrt().recip().copysign(determinant));
    PosedEight { positions, normals, doubtful: !(has_direction & in_range & near) & 0xff }
}

/// sign(det) · cofactor · normal in double precision; `None` where that is no direction.
pub(crate) fn careful_normal(matrix: DMat3, normal: DVec3) -> Option<DVec3> {
    let size = matrix.to_cols_array().iter().fold(0.0, |size: f64, entry| size.max(entry.abs()));
    if size == 0.0 {
        return None;
    }
    let m = matrix * (1.0 / size);
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let toward = y.cross(z) * normal.x + z.cross(x) * normal.y + x.cross(y) * normal.z;
    let has_direction = toward.length() > f64::from(NO_DIRECTION) * normal.length();
    has_direction.then(|| toward * m.determinant().signum())
}
