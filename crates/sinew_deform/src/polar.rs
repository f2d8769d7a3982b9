//! Polar decomposition of 3×3 matrices of any rank.

use glam::{DMat3, DQuat, DVec3};

/// `matrix = rotation · stretch`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Polar {
    /// The closest rotation; of a mirroring matrix, the rotation closest to its negative.
    pub rotation: DQuat,
    /// Symmetric; of a mirroring matrix, negative.
    pub stretch: DMat3,
}

/// Takes a finite matrix apart. The stretch of a mirroring matrix is negative throughout, so that a rotation stays a
/// rotation: all joints under one mirror turn alike. Where the matrix is flat the rotation is completed: by the third
/// axis of a plane, by the shortest turn of a line, by no turn of a point.
pub fn polar(matrix: DMat3) -> Polar {
    let largest = matrix.to_cols_array().iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return Polar { rotation: DQuat::IDENTITY, stretch: DMat3::ZERO };
    }
    let (columns, v) = orthogonal_columns(matrix * (1.0 / largest));
    // Singular values, largest first: what is flat comes last.
    let mut order = [0, 1, 2];
    let sigma = columns.map(DVec3::length);
    order.sort_by(|&a, &b| sigma[b].total_cmp(&sigma[a]));
    let [first, second, third] = order;
    let flat = sigma[first] * 1e-12;
    let rotation = if sigma[second] <= flat {
        DQuat::from_rotation_arc(v[first].normalize(), columns[first] / sigma[first])
    } else {
        let (u1, u2) = (columns[first] / sigma[first], columns[second] / sigma[second]);
        let (v1, v2) = (v[first], v[second]);
        // Both frames completed to the right; the sign of the third axis is the mirror, which belongs to the stretch.
        let from_frame = DMat3::from_cols(u1, u2, u1.cross(u2));
        let to_frame = DMat3::from_cols(v1, v2, v1.cross(v2));
        let mirrored = sigma[third] > flat && columns[third].dot(u1.cross(u2)) * v[third].dot(v1.cross(v2)) < 0.0;
        if mirrored {
            // −U Vᵀ of the true frames: the first two axes turn round, the third keeps.
            let from_frame = DMat3::from_cols(-u1, -u2, u1.cross(u2));
            DQuat::from_mat3(&(from_frame * to_frame.transpose()))
        } else {
            DQuat::from_mat3(&(from_frame * to_frame.transpose()))
        }
    };
    let rotation = rotation.normalize();
    let stretch = DMat3::from_quat(rotation).transpose() * matrix;
    Polar { rotation, stretch: (stretch + stretch.transpose()) * 0.5 }
}

/// One-sided Jacobi: turns pairs of columns until all are square to each other. Returns `(M·V columns, V columns)`.
fn orthogonal_columns(matrix: DMat3) -> ([DVec3; 3], [DVec3; 3]) {
    let mut columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
    // Converges quadratically; a handful of sweeps is enough, the bound is for safety.
    for _ in 0..30 {
        let mut changed = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (alpha, beta) = (columns[p].length_squared(), columns[q].length_squared());
            let gamma = columns[p].dot(columns[q]);
            if gamma.abs() <= 1e-15 * (alpha * beta).sqrt() || gamma.abs() < f64::MIN_POSITIVE {
                continue;
            }
            changed = true;
            let zeta = (beta - alpha) / (2.0 * gamma);
            let t = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let cos = 1.0 / t.hypot(1.0);
            let sin = cos * t;
            (columns[p], columns[q]) = (columns[p] * cos - columns[q] * sin, columns[p] * sin + columns[q] * cos);
            (v[p], v[q]) = (v[p] * cos - v[q] * sin, v[p] * sin + v[q] * cos);
        }
        if !changed {
            break;
        }
    }
    (columns, v)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(matrix: DMat3, polar: Polar) {
        let size = matrix.to_cols_array().iter().fold(1e-300, |a: f64, b| a.max(b.abs()));
        assert!((polar.rotation.length() - 1.0).abs() < 1e-12);
        let back = DMat3::from_quat(polar.rotation) * polar.stretch;
        assert!(back.abs_diff_eq(matrix, 1e-9 * size), "{matrix} came back as {back}");
    }

    proptest! {
        #[test]
        fn rotation_and_stretch_give_the_matrix_back(entries in proptest::array::uniform9(-2.0f64..2.0), rank in 1..=3) {
            let mut matrix = DMat3::from_cols_array(&entries);
            if rank < 3 {
                matrix.z_axis = matrix.x_axis * 0.5 - matrix.y_axis;
            }
            if rank < 2 {
                matrix.y_axis = matrix.x_axis * -2.0;
                matrix.z_axis = matrix.x_axis;
            }
            let polar = polar(matrix);
            check(matrix, polar);
            // Definite: positive, or negative for a mirror.
            let sign = if matrix.determinant() < -1e-9 { -1.0 } else { 1.0 };
            for probe in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE, DVec3::new(1.0, -2.0, 0.5)] {
                prop_assert!(sign * probe.dot(polar.stretch * probe) > -1e-9);
            }
        }

        #[test]
        fn a_rotation_is_its_own_rotation_whatever_its_size(x in -3.0f64..3.0, y in -3.0f64..3.0, power in -12i32..12) {
            let turn = DMat3::from_rotation_x(x) * DMat3::from_rotation_y(y);
            let found = polar(turn * 10f64.powi(power));
            prop_assert!(DMat3::from_quat(found.rotation).abs_diff_eq(turn, 1e-9));
        }
    }

    #[test]
    fn nothing_at_all_turns_nothing() {
        assert_eq!(polar(DMat3::ZERO).rotation, DQuat::IDENTITY);
        let tiny = DMat3::from_diagonal(DVec3::splat(1e-200));
        assert!((DMat3::from_quat(polar(tiny).rotation)).abs_diff_eq(DMat3::IDENTITY, 1e-9));
    }
}
