//! Where dabs lie along a path.

use glam::Vec3;

/// Dab centres along a path: the first at its start, then one every `step` of its length. A path of one point is one
/// dab.
pub fn dabs_along(path: &[Vec3], step: f32) -> Vec<Vec3> {
    let mut dabs: Vec<Vec3> = path.first().copied().into_iter().collect();
    if step.is_nan() || step <= 0.0 {
        return path.to_vec();
    }
    let step = f64::from(step);
    // A step of 0.05 in single precision is a little more than that: 20 of them must still fit into a path of 1.
    let slack = 1e-3 * step;
    // How far along the current segment the next dab lies; double precision so that it does not drift.
    let mut next = step;
    for segment in path.windows(2) {
        let (a, b) = (segment[0].as_dvec3(), segment[1].as_dvec3());
        let length = a.distance(b);
        while next <= length + slack && length > 0.0 {
            dabs.push(a.lerp(b, (next / length).min(1.0)).as_vec3());
            next += step;
        }
        next -= length;
    }
    dabs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dabs_are_spaced_by_length_whatever_the_number_of_points() {
        // B31
        let coarse = [Vec3::ZERO, Vec3::new(30.0, 0.0, 0.0)];
        let fine: Vec<Vec3> = (0..=30).map(|i| Vec3::new(i as f32, 0.0, 0.0)).collect();
        let (a, b) = (dabs_along(&coarse, 0.5), dabs_along(&fine, 0.5));
        assert_eq!(a.len(), 61);
        assert_eq!(b.len(), 61);
        assert!(a.iter().zip(&b).all(|(a, b)| a.distance(*b) < 1e-4));
        assert_eq!(dabs_along(&coarse[..1], 0.5), [Vec3::ZERO]);
        assert!(dabs_along(&[], 0.5).is_empty());
    }

    #[test]
    fn a_path_of_whole_steps_ends_in_a_dab_though_the_step_is_rounded() {
        for n in 1..200 {
            for (spacing, radius) in [(0.25, 0.2), (0.25, 0.1), (0.3, 0.7), (0.1, 0.01)] {
                let end = Vec3::X * (n as f32 * spacing * radius);
                let dabs = dabs_along(&[-end, end], spacing * radius);
                assert_eq!(dabs.len(), 2 * n + 1, "{n} steps of {spacing} × {radius}");
                assert!(dabs[2 * n].distance(end) < 1e-3 * spacing * radius);
            }
        }
    }
}
