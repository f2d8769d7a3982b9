//! Points on a circle by plain arithmetic, so that a file made from them is the same on every machine.
//! (`f64::sin` may differ in the last bit between platforms.)

/// The point `step / n_steps` of a full turn round the unit circle: `(cos, sin)`, accurate to 1e-15.
///
/// Multiples of a quarter turn are exact, and opposite points are exact mirror images.
#[must_use]
pub fn circle_point(step: usize, n_steps: usize) -> (f64, f64) {
    assert!(n_steps > 0, "a circle needs at least one step");
    let step = step % n_steps;
    // Eighths of a turn are counted in whole numbers; what is left lies within 0..=45 degrees.
    let octant = step * 8 / n_steps;
    let within = (step * 8 - octant * n_steps) as f64 / n_steps as f64;
    let quarter = std::f64::consts::FRAC_PI_4;
    let mirrored = octant % 2 == 1;
    let angle_rad = if mirrored { (1.0 - within) * quarter } else { within * quarter };
    let (c, s) = small_cos_sin(angle_rad);
    // In an odd eighth the angle is measured back from the end of the quarter.
    let (c, s) = if mirrored { (s, c) } else { (c, s) };
    match octant / 2 {
        0 => (c, s),
        1 => (-s, c),
        2 => (-c, -s),
        _ => (s, -c),
    }
}

/// Cosine and sine of an angle in 0..=π/4 by their series.
fn small_cos_sin(angle_rad: f64) -> (f64, f64) {
    let square = angle_rad * angle_rad;
    let (mut cos, mut sin) = (0.0, 0.0);
    // Horner, from the smallest term on; the 10th term is below 1e-20.
    for term in (0..10).rev() {
        let n = (2 * term) as f64;
        cos = 1.0 - square / ((n + 1.0) * (n + 2.0)) * cos;
        sin = 1.0 - square / ((n + 2.0) * (n + 3.0)) * sin;
    }
    (cos, sin * angle_rad)
}

#[cfg(test)]
mod tests {
    use super::circle_point;

    #[test]
    fn points_agree_with_the_standard_library() {
        for n_steps in [1, 3, 7, 8, 16, 24, 1000] {
            for step in 0..=n_steps {
                let angle = step as f64 / n_steps as f64 * std::f64::consts::TAU;
                let (c, s) = circle_point(step, n_steps);
                assert!((c - angle.cos()).abs() < 2e-15, "cos of {step}/{n_steps}");
                assert!((s - angle.sin()).abs() < 2e-15, "sin of {step}/{n_steps}");
            }
        }
    }

    #[test]
    fn quarters_are_exact_and_opposite_points_mirror_exactly() {
        assert_eq!(circle_point(4, 16), (0.0, 1.0));
        assert_eq!(circle_point(8, 16).0, -1.0);
        for step in 0..12 {
            let (a, b) = (circle_point(step, 24), circle_point(step + 12, 24));
            assert_eq!((a.0, a.1), (-b.0, -b.1));
        }
    }
}
