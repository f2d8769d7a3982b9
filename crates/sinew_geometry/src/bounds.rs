//! Axis-aligned boxes.

use glam::Vec3;

/// An axis-aligned box. Empty when `min > max` on any axis, as [`Aabb::EMPTY`] is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lowest corner.
    pub min: Vec3,
    /// Highest corner.
    pub max: Vec3,
}

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// Holds nothing; the neutral element of [`Aabb::union`].
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box around all finite points. Points with NaN or infinities are left out.
    pub fn from_points(points: &[Vec3]) -> Self {
        points.iter().filter(|p| p.is_finite()).fold(Self::EMPTY, |b, &p| b.with_point(p))
    }

    /// This box, grown to hold `point`; a coordinate that is NaN changes nothing.
    #[must_use]
    pub fn with_point(self, point: Vec3) -> Self {
        // In this order a NaN loses the comparison.
        Self { min: point.min(self.min), max: point.max(self.max) }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether the box holds no point.
    pub fn is_empty(self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// Middle of the box; zero for an empty one.
    pub fn center(self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.min * 0.5 + self.max * 0.5 }
    }

    /// Edge lengths; zero for an empty box.
    pub fn size(self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.max - self.min }
    }

    /// Length of the diagonal; zero for an empty box.
    pub fn diagonal(self) -> f32 {
        self.size().length()
    }

    /// Whether `point` lies inside or on the border.
    pub fn contains(self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Squared distance from `point` to the box, 0 inside; infinite for an empty box.
    pub fn distance_squared(self, point: Vec3) -> f64 {
        let mut sum = 0.0;
        for axis in 0..3 {
            let p = point[axis] as f64;
            let outside = (self.min[axis] as f64 - p).max(p - self.max[axis] as f64).max(0.0);
            sum += outside * outside;
        }
        sum
    }

    /// Ray parameter at which the ray `origin + t * direction`, `0 <= t <= max_t`, enters the box; `None` when it misses.
    ///
    /// `inverse_direction` is `1 / direction` per axis. The test errs towards a hit by a few units in the last place, so
    /// that a triangle inside the box is never lost to rounding.
    pub fn ray_entry(self, origin: Vec3, inverse_direction: Vec3, max_t: f32) -> Option<f32> {
        if self.is_empty() {
            return None;
        }
        let (mut enter, mut exit) = (0.0_f32, max_t);
        for axis in 0..3 {
            let a = (self.min[axis] - origin[axis]) * inverse_direction[axis];
            let b = (self.max[axis] - origin[axis]) * inverse_direction[axis];
            // 0 * inf is NaN: the ray runs inside the plane of a side. The whole slab must count then.
            if a.is_nan() || b.is_nan() {
                continue;
            }
            enter = enter.max(a.min(b) * (1.0 - 1e-6));
            exit = exit.min(a.max(b) * (1.0 + 1e-6));
        }
        (enter <= exit).then_some(enter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_in_the_plane_of_a_side_still_enters() {
        let b = Aabb::from_points(&[Vec3::ZERO, Vec3::ONE]);
        let dir = Vec3::new(1.0, 0.0, 0.0);
        let entry = b.ray_entry(Vec3::new(-1.0, 0.0, 1.0), dir.recip(), 10.0);
        assert!((entry.expect("touches the box") - 1.0).abs() < 1e-5);
        assert_eq!(b.ray_entry(Vec3::new(-1.0, -0.1, 0.5), dir.recip(), 10.0), None);
        assert_eq!(b.ray_entry(Vec3::new(-1.0, 0.5, 0.5), dir.recip(), 0.5), None);
    }

    #[test]
    fn points_that_are_not_finite_do_not_spoil_a_box() {
        let b = Aabb::from_points(&[Vec3::NAN, Vec3::new(1.0, 2.0, 3.0), Vec3::new(f32::INFINITY, 0.0, 0.0)]);
        assert_eq!(b.min, b.max);
        assert_eq!(b.diagonal(), 0.0);
        assert!(Aabb::from_points(&[Vec3::NAN]).is_empty());
        assert_eq!(Aabb::EMPTY.diagonal(), 0.0);
    }
}
