//! A node's local transform, taken apart so that a joint can be turned about its own rest axes.

use glam::{DAffine3, DMat3, DQuat, DVec3, EulerRot, Vec3};

/// `parent_from_node = T · R · S · H`: translation, rotation, scale, and the shear a `matrix` node may leave over.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LocalTransform {
    /// Translation, in the parent's space.
    pub translation: DVec3,
    /// Rotation, a unit quaternion.
    pub rotation: DQuat,
    /// Scale along the node's own axes; may be negative or 0.
    pub scale: DVec3,
    /// What remains after T, R and S: unit upper-triangular, the identity for nodes that give TRS.
    pub shear: DMat3,
}

impl LocalTransform {
    /// The identity.
    pub const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE, shear: DMat3::IDENTITY };

    /// From translation, rotation and scale. A rotation that is not finite or has no length becomes the identity.
    pub fn from_trs(translation: DVec3, rotation: DQuat, scale: DVec3) -> Self {
        let length = rotation.length();
        let rotation = if length.is_finite() && length > 1e-12 { rotation / length } else { DQuat::IDENTITY };
        Self { translation, rotation, scale, shear: DMat3::IDENTITY }
    }

    /// From an affine matrix, by Gram–Schmidt on its columns: `M = Q · S · H` holds for every matrix of full rank,
    /// and H is the identity exactly when the columns are orthogonal. A mirrored matrix gets its sign in `scale.x`.
    pub fn from_affine(parent_from_node: DAffine3) -> Self {
        let m = parent_from_node.matrix3;
        let mirrored = m.determinant() < 0.0;
        // A flat matrix leaves axes open; they are chosen square to the columns that are there.
        let x = m.x_axis.try_normalize().or_else(|| m.y_axis.cross(m.z_axis).try_normalize()).unwrap_or_else(|| {
            let given = m.y_axis.try_normalize().or_else(|| m.z_axis.try_normalize());
            given.map_or(DVec3::X, DVec3::any_orthonormal_vector)
        });
        let y = (m.y_axis - x * x.dot(m.y_axis))
            .try_normalize()
            .or_else(|| m.z_axis.cross(x).try_normalize())
            .unwrap_or_else(|| x.any_orthonormal_vector());
        let z = x.cross(y);
        // The rotation must not mirror: a mirror goes into the sign of one scale.
        let q = if mirrored { DMat3::from_cols(-x, y, -z) } else { DMat3::from_cols(x, y, z) };
        let upper = q.transpose() * m;
        let scale = DVec3::new(upper.x_axis.x, upper.y_axis.y, upper.z_axis.z);
        let row = |entry: f64, s: f64| if s == 0.0 { 0.0 } else { entry / s };
        let (xy, xz, yz) = (row(upper.y_axis.x, scale.x), row(upper.z_axis.x, scale.x), row(upper.z_axis.y, scale.y));
        let tidy = |entry: f64| if entry.abs() < 1e-12 { 0.0 } else { entry };
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(tidy(xy), 1.0, 0.0), DVec3::new(tidy(xz), tidy(yz), 1.0));
        Self { translation: parent_from_node.translation, rotation: DQuat::from_mat3(&q).normalize(), scale, shear }
    }

    /// The transform as a matrix.
    pub fn to_affine(&self) -> DAffine3 {
        self.to_affine_turned(Vec3::ZERO)
    }

    /// The transform with the node turned by `euler_deg` about its own rest axes, x first, then y, then z:
    /// `T · R · Rz·Ry·Rx · S · H`.
    pub fn to_affine_turned(&self, euler_deg: Vec3) -> DAffine3 {
        let rotation = if euler_deg == Vec3::ZERO { self.rotation } else { self.rotation * turn(euler_deg) };
        DAffine3 {
            matrix3: DMat3::from_quat(rotation) * DMat3::from_diagonal(self.scale) * self.shear,
            translation: self.translation,
        }
    }
}

/// `Rz·Ry·Rx` of angles in degrees.
pub fn turn(euler_deg: Vec3) -> DQuat {
    let [x, y, z] = euler_deg.as_dvec3().to_array().map(f64::to_radians);
    DQuat::from_euler(EulerRot::ZYX, z, y, x)
}

/// The angles in degrees whose [`turn`] is the rotation `rotation`.
pub fn turn_degrees(rotation: DQuat) -> Vec3 {
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    DVec3::new(x.to_degrees(), y.to_degrees(), z.to_degrees()).as_vec3()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn x_is_applied_before_z() {
        let q = turn(Vec3::new(90.0, 0.0, 90.0));
        // x first: +Y goes to +Z; z then leaves it.
        assert!((q * DVec3::Y - DVec3::Z).length() < 1e-12);
    }

    proptest! {
        #[test]
        fn any_matrix_is_its_parts(entries in proptest::array::uniform9(-2.0f64..2.0)) {
            let m = DMat3::from_cols_array(&entries);
            prop_assume!(m.determinant().abs() > 1e-2);
            let affine = DAffine3 { matrix3: m, translation: DVec3::new(1.0, 2.0, 3.0) };
            let local = LocalTransform::from_affine(affine);
            prop_assert!(local.to_affine().abs_diff_eq(affine, 1e-7));
            prop_assert!(DMat3::from_quat(local.rotation).determinant() > 0.0);
        }

        #[test]
        fn a_mirrored_trs_keeps_its_sign_and_has_no_shear(angles in proptest::array::uniform3(-180.0f32..180.0), sx in -3.0f64..-0.1) {
            let trs = LocalTransform::from_trs(DVec3::ZERO, turn(angles.into()), DVec3::new(sx, 2.0, 1.0));
            let local = LocalTransform::from_affine(trs.to_affine());
            prop_assert!(local.shear.abs_diff_eq(DMat3::IDENTITY, 1e-9));
            prop_assert!((local.scale - trs.scale).length() < 1e-9);
        }
    }

    #[test]
    fn a_flat_matrix_is_taken_apart_without_nan() {
        for m in [
            DMat3::ZERO,
            DMat3::from_diagonal(DVec3::new(0.0, 1.0, 1.0)),
            DMat3::from_diagonal(DVec3::new(1.0, 0.0, 0.0)),
        ] {
            let local = LocalTransform::from_affine(DAffine3 { matrix3: m, translation: DVec3::ZERO });
            assert!(local.to_affine().is_finite());
            assert!(local.to_affine().matrix3.abs_diff_eq(m, 1e-12), "{m}");
        }
    }
}
