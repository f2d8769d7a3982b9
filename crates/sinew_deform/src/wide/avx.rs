//! Eight lanes in one register, on processors with AVX2.
#![expect(clippy::inline_always, reason = "as in the module above")]

use std::arch::x86_64::__m256;
use std::ops::{Add, Mul, Sub};

use glam::{Vec3, Vec4};
use pulp::NullaryFnOnce;
use pulp::x86::V3;

use super::{Lanes, Task, Vec3x8};

/// A task about to be done in these lanes.
pub struct Call<T> {
    pub token: V3,
    pub task: T,
}

impl<T: Task> NullaryFnOnce for Call<T> {
    type Output = T::Output;

    #[inline(always)]
    fn call(self) -> T::Output {
        self.task.run::<Avx>(self.token)
    }
}

/// Eight lanes, and the proof that the processor has them.
#[derive(Clone, Copy)]
pub struct Avx(V3, __m256);

impl Add for Avx {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_add_ps(self.1, other.1))
    }
}

impl Sub for Avx {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_sub_ps(self.1, other.1))
    }
}

impl Mul for Avx {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_mul_ps(self.1, other.1))
    }
}

/// For [`V3`]'s comparisons: false where a number is NaN.
const GREATER: i32 = 0x1e;
const GREATER_OR_EQUAL: i32 = 0x1d;

impl Avx {
    #[inline(always)]
    fn sign_bits(token: V3) -> __m256 {
        token.avx._mm256_set1_ps(-0.0)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.avx._mm256_movemask_ps(self.1) as u32
    }

    /// Places `A` to `D` (two bits each) of both halves: two from `self`, two from `other`.
    #[inline(always)]
    fn shuffled<const PLACES: i32>(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_shuffle_ps::<PLACES>(self.1, other.1))
    }

    #[inline(always)]
    fn of_halves(token: V3, low: Vec4, high: Vec4) -> Self {
        let low = token.avx._mm256_castps128_ps256(low.into());
        Self(token, token.avx._mm256_insertf128_ps::<1>(low, high.into()))
    }

    #[inline(always)]
    fn low_halves(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_permute2f128_ps::<0x20>(self.1, other.1))
    }

    #[inline(always)]
    fn high_halves(self, other: Self) -> Self {
        Self(self.0, self.0.avx._mm256_permute2f128_ps::<0x31>(self.1, other.1))
    }

    #[inline(always)]
    fn halves(self) -> (Vec4, Vec4) {
        let low = self.0.avx._mm256_castps256_ps128(self.1);
        let high = self.0.avx._mm256_extractf128_ps::<1>(self.1);
        (Vec4::from(low), Vec4::from(high))
    }

    /// Turns both halves of four rows, each by itself.
    #[inline(always)]
    fn turned_halves([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let token = a.0;
        let ab_low = Self(token, token.avx._mm256_unpacklo_ps(a.1, b.1));
        let cd_low = Self(token, token.avx._mm256_unpacklo_ps(c.1, d.1));
        let ab_high = Self(token, token.avx._mm256_unpackhi_ps(a.1, b.1));
        let cd_high = Self(token, token.avx._mm256_unpackhi_ps(c.1, d.1));
        const FIRST: i32 = places(0, 1, 0, 1);
        const LAST: i32 = places(2, 3, 2, 3);
        [
            ab_low.shuffled::<FIRST>(cd_low),
            ab_low.shuffled::<LAST>(cd_low),
            ab_high.shuffled::<FIRST>(cd_high),
            ab_high.shuffled::<LAST>(cd_high),
        ]
    }
}

/// Which places a shuffle takes: two from its first operand, then two from its second.
const fn places(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

impl Lanes for Avx {
    type Token = V3;

    #[inline(always)]
    fn splat(token: V3, value: f32) -> Self {
        Self(token, token.avx._mm256_set1_ps(value))
    }

    #[inline(always)]
    fn load(token: V3, from: &[f32; 8]) -> Self {
        Self(token, bytemuck::must_cast(*from))
    }

    #[cfg(test)]
    fn to_array(self) -> [f32; 8] {
        bytemuck::must_cast(self.1)
    }

    #[inline(always)]
    fn negated(self) -> Self {
        Self(self.0, self.0.avx._mm256_xor_ps(self.1, Self::sign_bits(self.0)))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0, self.0.avx._mm256_andnot_ps(Self::sign_bits(self.0), self.1))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0, self.0.avx._mm256_sqrt_ps(self.1))
    }

    #[inline(always)]
    fn recip(self) -> Self {
        Self(self.0, self.0.avx._mm256_div_ps(self.0.avx._mm256_set1_ps(1.0), self.1))
    }

    #[inline(always)]
    fn copysign(self, signs: Self) -> Self {
        let sign = self.0.avx._mm256_and_ps(signs.1, Self::sign_bits(self.0));
        Self(self.0, self.0.avx._mm256_or_ps(self.abs().1, sign))
    }

    #[inline(always)]
    fn larger(self, than: Self) -> u32 {
        Self(self.0, self.0.avx._mm256_cmp_ps::<GREATER>(self.1, than.1)).bits()
    }

    #[inline(always)]
    fn at_least(self, least: Self) -> u32 {
        Self(self.0, self.0.avx._mm256_cmp_ps::<GREATER_OR_EQUAL>(self.1, least.1)).bits()
    }

    #[inline(always)]
    fn turned(rows: [Self; 8]) -> [Self; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        let low = [a.low_halves(e), b.low_halves(f), c.low_halves(g), d.low_halves(h)];
        let high = [a.high_halves(e), b.high_halves(f), c.high_halves(g), d.high_halves(h)];
        let [a, b, c, d] = Self::turned_halves(low);
        let [e, f, g, h] = Self::turned_halves(high);
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    fn turned_low(rows: [Self; 8]) -> [Self; 4] {
        let [a, b, c, d, e, f, g, h] = rows;
        Self::turned_halves([a.low_halves(e), b.low_halves(f), c.low_halves(g), d.low_halves(h)])
    }

    #[inline(always)]
    fn turned_fours(token: V3, rows: [Vec4; 8]) -> [Self; 4] {
        let [a, b, c, d, e, f, g, h] = rows;
        Self::turned_halves([
            Self::of_halves(token, a, e),
            Self::of_halves(token, b, f),
            Self::of_halves(token, c, g),
            Self::of_halves(token, d, h),
        ])
    }

    // Three registers of x y z x, y z x y, z x y z turn into three of one component in five shuffles, and back in six.

    #[inline(always)]
    fn load_vec3s(token: V3, from: &[Vec3; 8]) -> Vec3x8<Self> {
        let f: &[[f32; 4]; 6] = bytemuck::must_cast_ref(from);
        let a = Self::of_halves(token, Vec4::from_array(f[0]), Vec4::from_array(f[3]));
        let b = Self::of_halves(token, Vec4::from_array(f[1]), Vec4::from_array(f[4]));
        let c = Self::of_halves(token, Vec4::from_array(f[2]), Vec4::from_array(f[5]));
        let xy = b.shuffled::<{ places(2, 3, 1, 2) }>(c);
        let yz = a.shuffled::<{ places(1, 2, 0, 1) }>(b);
        Vec3x8 {
            x: a.shuffled::<{ places(0, 3, 0, 2) }>(xy),
            y: yz.shuffled::<{ places(0, 2, 1, 3) }>(xy),
            z: yz.shuffled::<{ places(1, 3, 0, 3) }>(c),
        }
    }

    #[inline(always)]
    fn store_vec3s(v: Vec3x8<Self>, into: &mut [Vec3; 8]) {
        let xy = v.x.shuffled::<{ places(0, 2, 0, 2) }>(v.y);
        let yz = v.y.shuffled::<{ places(1, 3, 1, 3) }>(v.z);
        let zx = v.z.shuffled::<{ places(0, 2, 1, 3) }>(v.x);
        let a = xy.shuffled::<{ places(0, 2, 0, 2) }>(zx);
        let b = yz.shuffled::<{ places(0, 2, 1, 3) }>(xy);
        let c = zx.shuffled::<{ places(1, 3, 1, 3) }>(yz);
        let fours: &mut [[f32; 4]; 6] = bytemuck::must_cast_mut(into);
        let ((a, d), (b, e), (c, f)) = (a.halves(), b.halves(), c.halves());
        *fours = [a.to_array(), b.to_array(), c.to_array(), d.to_array(), e.to_array(), f.to_array()];
    }
}
