//! Eight lanes as two times four: what every processor has.
#![expect(clippy::inline_always, reason = "as in the module above")]

use std::ops::{Add, Mul, Sub};

use glam::{BVec4A, Vec3, Vec4, Vec4Swizzles};

use super::{Lanes, Vec3x8, turned_four};

/// Lanes 0 to 3 and 4 to 7.
#[derive(Clone, Copy)]
pub struct Pair(Vec4, Vec4);

impl Add for Pair {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Pair {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Pair {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1)
    }
}

#[inline(always)]
fn bits(low: BVec4A, high: BVec4A) -> u32 {
    low.bitmask() | high.bitmask() << 4
}

impl Lanes for Pair {
    type Token = ();

    #[inline(always)]
    fn splat((): (), value: f32) -> Self {
        Self(Vec4::splat(value), Vec4::splat(value))
    }

    #[inline(always)]
    fn load((): (), from: &[f32; 8]) -> Self {
        let &[a, b, c, d, e, f, g, h] = from;
        Self(Vec4::new(a, b, c, d), Vec4::new(e, f, g, h))
    }

    #[cfg(test)]
    fn to_array(self) -> [f32; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (self.0.to_array(), self.1.to_array());
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    fn negated(self) -> Self {
        Self(-self.0, -self.1)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn recip(self) -> Self {
        Self(self.0.recip(), self.1.recip())
    }

    #[inline(always)]
    fn copysign(self, signs: Self) -> Self {
        Self(self.0.copysign(signs.0), self.1.copysign(signs.1))
    }

    #[inline(always)]
    fn larger(self, than: Self) -> u32 {
        bits(self.0.cmpgt(than.0), self.1.cmpgt(than.1))
    }

    #[inline(always)]
    fn at_least(self, least: Self) -> u32 {
        bits(self.0.cmpge(least.0), self.1.cmpge(least.1))
    }

    #[inline(always)]
    fn turned(rows: [Self; 8]) -> [Self; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        let low = Self::turned_fours((), [a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]);
        let high = Self::turned_fours((), [a.1, b.1, c.1, d.1, e.1, f.1, g.1, h.1]);
        [low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]]
    }

    #[inline(always)]
    fn turned_low(rows: [Self; 8]) -> [Self; 4] {
        let [a, b, c, d, e, f, g, h] = rows;
        Self::turned_fours((), [a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0])
    }

    #[inline(always)]
    fn turned_fours((): (), rows: [Vec4; 8]) -> [Self; 4] {
        let [a, b, c, d, e, f, g, h] = rows;
        let (low, high) = (turned_four([a, b, c, d]), turned_four([e, f, g, h]));
        [Self(low[0], high[0]), Self(low[1], high[1]), Self(low[2], high[2]), Self(low[3], high[3])]
    }

    #[inline(always)]
    fn load_vec3s((): (), from: &[Vec3; 8]) -> Vec3x8<Self> {
        let f: &[f32; 24] = bytemuck::cast_ref(from);
        let [low, high] = [0, 12].map(|start| {
            // Whole loads that overlap; the last must end where the vectors end.
            let four = |at: usize| Vec4::from_slice(&f[start + at..]);
            turned_four([four(0), four(3), four(6), four(8).yzwx()])
        });
        Vec3x8 { x: Self(low[0], high[0]), y: Self(low[1], high[1]), z: Self(low[2], high[2]) }
    }

    #[inline(always)]
    fn store_vec3s(v: Vec3x8<Self>, into: &mut [Vec3; 8]) {
        let low = turned_four([v.x.0, v.y.0, v.z.0, Vec4::ZERO]);
        let high = turned_four([v.x.1, v.y.1, v.z.1, Vec4::ZERO]);
        for (k, four) in [(0, low), (4, high)] {
            let f: &mut [f32; 24] = bytemuck::cast_mut(&mut *into);
            // Whole stores, each over the last place of the one before.
            for (row, four) in four[..3].iter().enumerate() {
                four.write_to_slice(&mut f[(k + row) * 3..]);
            }
            into[k + 3] = four[3].truncate();
        }
    }
}
