//! Eight vertices side by side: lane k of every vector belongs to vertex k.
//!
//! The same arithmetic twice: as pairs of four lanes, which every machine has, and as eight lanes on x86-64 processors
//! with AVX2. Every lane goes through the same roundings in the same order (no fused multiply-add), so both give the
//! same bits; which one runs is found out when it runs.
#![expect(clippy::inline_always, reason = "out of line it would not be compiled for the wider processor")]

#[cfg(target_arch = "x86_64")]
mod avx;
mod pair;

use std::ops::{Add, Mul, Sub};

use glam::{Vec3, Vec4};

pub use pair::Pair;

/// Eight numbers in single precision.
pub trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Proof that the processor can do it.
    type Token: Copy + Send + Sync;

    fn splat(token: Self::Token, value: f32) -> Self;
    fn load(token: Self::Token, from: &[f32; 8]) -> Self;
    #[cfg(test)]
    fn to_array(self) -> [f32; 8];
    fn negated(self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn recip(self) -> Self;
    /// With the signs of `signs`.
    fn copysign(self, signs: Self) -> Self;
    /// Bit k: whether lane k is larger. NaN is not.
    fn larger(self, than: Self) -> u32;
    /// Bit k: whether lane k is larger or equal. NaN is not.
    fn at_least(self, least: Self) -> u32;
    /// Eight rows of eight, one for each vertex, turned: result k has component k of all eight.
    fn turned(rows: [Self; 8]) -> [Self; 8];
    /// The same of which only the first four are wanted.
    fn turned_low(rows: [Self; 8]) -> [Self; 4];
    /// Eight rows of four, turned.
    fn turned_fours(token: Self::Token, rows: [Vec4; 8]) -> [Self; 4];
    fn load_vec3s(token: Self::Token, from: &[Vec3; 8]) -> Vec3x8<Self>;
    fn store_vec3s(v: Vec3x8<Self>, into: &mut [Vec3; 8]);
}

/// Work that can be done in any kind of lanes.
pub trait Task {
    type Output;

    /// Must be inlined, and all that it calls.
    fn run<L: Lanes>(self, token: L::Token) -> Self::Output;
}

/// What this processor can do.
#[derive(Clone, Copy)]
pub struct Width {
    #[cfg(target_arch = "x86_64")]
    avx: Option<pulp::x86::V3>,
}

impl Width {
    /// The widest lanes that the processor has.
    pub fn widest() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx: pulp::x86::V3::try_new(),
        }
    }

    /// What every processor has.
    #[cfg(test)]
    pub fn pairs() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx: None,
        }
    }

    /// Does the work.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.avx {
            return token.vectorize(avx::Call { token, task });
        }
        task.run::<Pair>(())
    }
}

/// Eight 3-vectors.
#[derive(Clone, Copy)]
pub struct Vec3x8<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: Lanes> Vec3x8<L> {
    #[inline(always)]
    pub fn splat(token: L::Token, v: Vec3) -> Self {
        Self { x: L::splat(token, v.x), y: L::splat(token, v.y), z: L::splat(token, v.z) }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    pub fn scaled(self, factor: L) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }

    /// The sum of the absolute values: a measure of size that also shows NaN.
    #[inline(always)]
    pub fn reach(self) -> L {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
}

/// Four rows of four, turned: result k has component k of all four.
#[inline(always)]
pub fn turned_four(v: [Vec4; 4]) -> [Vec4; 4] {
    let m = glam::Mat4::from_cols(v[0], v[1], v[2], v[3]).transpose();
    [m.x_axis, m.y_axis, m.z_axis, m.w_axis]
}

#[cfg(test)]
mod tests;
