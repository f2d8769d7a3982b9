//! Four vertices side by side: lane k of every vector belongs to vertex k.

use glam::{Mat4, Vec3, Vec4};

/// Four 3-vectors.
#[derive(Clone, Copy)]
pub struct Vec3x4 {
    pub x: Vec4,
    pub y: Vec4,
    pub z: Vec4,
}

impl Vec3x4 {
    #[inline]
    pub fn new(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Self {
        Self { x: Vec4::new(a.x, b.x, c.x, d.x), y: Vec4::new(a.y, b.y, c.y, d.y), z: Vec4::new(a.z, b.z, c.z, d.z) }
    }

    #[inline]
    pub fn split(self, into: &mut [Vec3; 4]) {
        let m = Mat4::from_cols(self.x, self.y, self.z, Vec4::ZERO).transpose();
        *into = [m.x_axis.truncate(), m.y_axis.truncate(), m.z_axis.truncate(), m.w_axis.truncate()];
    }

    #[inline]
    pub fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline]
    pub fn scaled(self, factor: Vec4) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    #[inline]
    pub fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }

    /// The sum of the absolute values: a measure of size that also shows NaN.
    #[inline]
    pub fn reach(self) -> Vec4 {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
}

/// Four 4-vectors, one for each vertex, turned: result k has component k of all four.
#[inline]
pub fn turned(v: [Vec4; 4]) -> [Vec4; 4] {
    let m = Mat4::from_cols(v[0], v[1], v[2], v[3]).transpose();
    [m.x_axis, m.y_axis, m.z_axis, m.w_axis]
}
