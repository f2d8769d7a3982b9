//! Linear blend skinning.
//!
//! As listing 10.8 of "3D Math Primer for Graphics and Game Development" (Dunn and Parberry): the joints' matrices from
//! bind pose to current pose are blended by the weights, and the blended matrix moves the vertex. Normals go by
//! sign(det) · cofactor of the blended 3×3, which is its inverse transpose but for a positive factor, so uneven scale
//! and mirrored joints shade right. Where that leaves no direction, the normal turns with the heaviest joint.

use glam::{DAffine3, DMat3, DVec3, Vec3, Vec4};
use sinew_model::VertexIndex;

use crate::deformers::{Deformer, Posed};
use crate::input::SkinInput;
use crate::palette::Palette;
use crate::polar::polar;
use crate::row::{FourShares, Share, heaviest};
use crate::run::{self, Kernel, PosedFour};
use crate::wide::{Vec3x4, turned};

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

impl Kernel for Linear<'_> {
    type Joint = [Vec4; 3];
    type Blend = [Vec4; 3];

    fn joints(&self) -> &[[Vec4; 3]] {
        self.palette.rows()
    }

    #[inline]
    fn blend<'j>(row: impl Iterator<Item = FourShares<'j, [Vec4; 3]>> + Clone, _: Vec3) -> [Vec4; 3] {
        row.map(|four| [four.sum(|m| m[0]), four.sum(|m| m[1]), four.sum(|m| m[2])])
            .reduce(|sum, four| [sum[0] + four[0], sum[1] + four[1], sum[2] + four[2]])
            .unwrap_or_default()
    }

    #[inline]
    fn pose(&self, blends: &[[Vec4; 3]; 4], p: Vec3x4, n: Vec3x4) -> PosedFour {
        let [a, b, c, d] = blends;
        let (r0, x) = split(turned([a[0], b[0], c[0], d[0]]));
        let (r1, y) = split(turned([a[1], b[1], c[1], d[1]]));
        let (r2, z) = split(turned([a[2], b[2], c[2], d[2]]));
        let positions = Vec3x4 { x: r0.dot(p) + x, y: r1.dot(p) + y, z: r2.dot(p) + z };
        // Rows of the cofactor matrix.
        let (c0, c1, c2) = (r1.cross(r2), r2.cross(r0), r0.cross(r1));
        let toward = Vec3x4 { x: c0.dot(n), y: c1.dot(n), z: c2.dot(n) };
        let determinant = r0.dot(c0);
        let size_squared = r0.dot(r0) + r1.dot(r1) + r2.dot(r2);
        normalised(positions, toward, determinant, size_squared)
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

/// A row of four matrices: its linear part and its translation.
#[inline]
fn split([x, y, z, w]: [Vec4; 4]) -> (Vec3x4, Vec4) {
    (Vec3x4 { x, y, z }, w)
}

/// Finishes four vertices: normals are turned by the sign of the determinant and made unit.
#[inline]
pub(crate) fn normalised(positions: Vec3x4, toward: Vec3x4, determinant: Vec4, size_squared: Vec4) -> PosedFour {
    let length_squared = toward.dot(toward);
    // Comparisons that NaN fails.
    let has_direction = length_squared.cmpgt(size_squared * size_squared * (NO_DIRECTION * NO_DIRECTION));
    let in_range = length_squared.cmpgt(Vec4::splat(1e-30)) & length_squared.cmplt(Vec4::splat(1e30));
    let near = positions.reach().cmplt(Vec4::splat(1e30));
    let sound = has_direction & in_range & near;
    let normals = toward.scaled(length_squared.sqrt().recip().copysign(determinant));
    PosedFour { positions, normals, doubtful: !sound.bitmask() & 0xf }
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
