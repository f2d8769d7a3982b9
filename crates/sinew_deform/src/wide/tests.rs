//! Both kinds of lanes do the same, to the bit.

use glam::{Vec3, Vec4};
use proptest::prelude::*;

use super::*;

/// All that lanes can do, with the bits of all results.
struct Everything<'a> {
    a: &'a [f32; 8],
    b: &'a [f32; 8],
    rows: &'a [[f32; 8]; 8],
    points: &'a [Vec3; 8],
}

impl Task for Everything<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> Vec<u32> {
        let (a, b) = (L::load(token, self.a), L::load(token, self.b));
        let points = L::load_vec3s(token, self.points);
        let mut all = vec![a + b, a - b, a * b, a.negated(), a.abs(), a.abs().sqrt(), b.copysign(a), a.abs().recip()];
        all.extend([L::splat(token, self.a[0]), points.x, points.y, points.z, points.reach()]);
        all.extend(L::turned(self.rows.map(|row| L::load(token, &row))));
        all.extend(L::turned_low(self.rows.map(|row| L::load(token, &row))));
        all.extend(L::turned_fours(token, self.rows.map(|row| Vec4::from_slice(&row))));
        let mut stored = [Vec3::ZERO; 8];
        L::store_vec3s(points, &mut stored);
        assert_eq!(&stored, self.points);
        let mut bits: Vec<u32> = all.into_iter().flat_map(L::to_array).map(f32::to_bits).collect();
        bits.extend([a.larger(b), a.at_least(b)]);
        bits
    }
}

#[test]
fn components_come_out_by_vertex() {
    let rows: [[f32; 8]; 8] = std::array::from_fn(|v| std::array::from_fn(|c| (v * 8 + c) as f32));
    let points: [Vec3; 8] = std::array::from_fn(|v| Vec3::new(v as f32, 10.0 + v as f32, 20.0 + v as f32));
    let turned = Pair::turned(rows.map(|row| Pair::load((), &row)));
    for (c, lanes) in turned.into_iter().enumerate() {
        assert_eq!(lanes.to_array(), std::array::from_fn(|v| (v * 8 + c) as f32));
    }
    assert_eq!(Pair::load_vec3s((), &points).y.to_array(), std::array::from_fn(|v| 10.0 + v as f32));
}

proptest! {
    #[test]
    fn both_kinds_give_the_same_bits(
        numbers in proptest::collection::vec(-1e6f32..1e6, 104), odd in 0..8usize, same in 0..8usize
    ) {
        let take = |from: usize| -> [f32; 8] { std::array::from_fn(|k| numbers[from + k]) };
        let (mut a, mut b) = (take(0), take(8));
        a[odd] = f32::NAN;
        b[same] = a[same];
        let points = std::array::from_fn(|k| Vec3::from_slice(&numbers[16 + 3 * k..]));
        let rows = std::array::from_fn(|k| take(40 + 8 * k));
        let everything = || Everything { a: &a, b: &b, rows: &rows, points: &points };
        // NaNs may differ in bits that mean nothing.
        let settle = |bits: Vec<u32>| -> Vec<u32> {
            bits.into_iter().map(|bits| if f32::from_bits(bits).is_nan() { u32::MAX } else { bits }).collect()
        };
        prop_assert_eq!(settle(Width::widest().run(everything())), settle(Width::pairs().run(everything())));
    }
}
