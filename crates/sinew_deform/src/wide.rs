//! Four vertices side by side: lane k of every vector belongs to vertex k.

use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};

/// Four 3-vectors.
#[derive(Clone, Copy)]
pub struct Vec3x4 {
    pub x: Vec4,
    pub y: Vec4,
    pub z: Vec4,
}

impl Vec3x4 {
    #[inline]
    pub fn new(four: &[Vec3; 4]) -> Self {
        // Whole loads that overlap; the last must end where the vectors end.
        let f: &[f32; 12] = bytemuck::cast_ref(four);
        let last = Vec4::new(f[8], f[9], f[10], f[11]);
        let [x, y, z, _] = turned([
            Vec4::new(f[0], f[1], f[2], f[3]),
            Vec4::new(f[3], f[4], f[5], f[6]),
            Vec4::new(f[6], f[7], f[8], f[9]),
            last.yzwx(),
        ]);
        Self { x, y, z }
    }

    #[inline]
    pub fn split(self, into: &mut [Vec3; 4]) {
        let [a, b, c, d] = turned([self.x, self.y, self.z, Vec4::ZERO]);
        // Whole stores, each over the last place of the one before.
        let f: &mut [f32; 12] = bytemuck::cast_mut(into);
        a.write_to_slice(&mut f[0..]);
        b.write_to_slice(&mut f[3..]);
        c.write_to_slice(&mut f[6..]);
        into[3] = d.truncate();
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
