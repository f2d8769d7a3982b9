//! The colours of weights, in one place, so that the viewport and every legend agree.
//!
//! Dark violet, blue, teal, green, yellow: OKLab lightness (Björn Ottosson, 2020) rises in a straight line, so equal
//! steps of weight look like equal steps, and the order survives every kind of colour blindness and a grey print.
//!
//! Distances have a ramp of their own that goes the other way: from sand, which lies close to clay, over orange and red
//! to plum. Lightness falls in a straight line, so no distance looks like a weight.

use crate::color::srgb_from_linear;

/// Below this a weight counts as exactly 0 and is drawn as plain clay.
pub const ZERO_BELOW: f32 = 1e-5;
/// From this on a weight counts as exactly 1.
pub const ONE_FROM: f32 = 1.0 - 1e-4;
/// Entries of [`lookup_table`].
pub const N_LOOKUP: u32 = 256;

const LIGHTNESS: [f32; 2] = [0.33, 0.925];
/// OKLab a and b at weights 0, 1/6 … 1.
const OKLAB_AB: [[f32; 2]; 7] = [
    [0.058, -0.112],
    [0.028, -0.128],
    [-0.022, -0.098],
    [-0.078, -0.028],
    [-0.112, 0.046],
    [-0.090, 0.122],
    [-0.030, 0.165],
];

const DIFFERENCE_LIGHTNESS: [f32; 2] = [0.80, 0.29];
/// OKLab a and b at differences 0, 1/6 … 1.
const DIFFERENCE_OKLAB_AB: [[f32; 2]; 7] =
    [[0.020, 0.062], [0.070, 0.118], [0.125, 0.112], [0.160, 0.080], [0.165, 0.020], [0.135, -0.035], [0.090, -0.070]];

/// Linear colour of a weight in 0..=1 (clamped; NaN counts as 0).
pub fn weight_color(weight: f32) -> [f32; 3] {
    let t = if weight > 0.0 { weight.min(1.0) } else { 0.0 };
    on_ramp(t, LIGHTNESS, &OKLAB_AB).map(|c| c.clamp(0.0, 1.0))
}

/// How much of it exactly 1 takes, linear, and what: a shade paler than almost 1, as the shader has it.
const ONE_PALER: (f32, [f32; 3]) = (0.14, [1.0, 0.96, 0.74]);

/// sRGB bytes of a weight of exactly 1.
pub fn one_color_srgb() -> [u8; 3] {
    let (share, paler) = ONE_PALER;
    let full = weight_color(1.0);
    [0, 1, 2].map(|c| (srgb_from_linear(full[c] + (paler[c] - full[c]) * share) * 255.0).round() as u8)
}

/// Linear colour of a difference as a share of the largest shown, 0..=1 (clamped; NaN counts as 0).
pub fn difference_color(share: f32) -> [f32; 3] {
    let t = if share > 0.0 { share.min(1.0) } else { 0.0 };
    on_ramp(t, DIFFERENCE_LIGHTNESS, &DIFFERENCE_OKLAB_AB).map(|c| c.clamp(0.0, 1.0))
}

/// sRGB bytes of a weight in 0..=1.
pub fn weight_color_srgb(weight: f32) -> [u8; 3] {
    weight_color(weight).map(|c| (srgb_from_linear(c) * 255.0).round() as u8)
}

/// sRGB bytes of a difference as a share of the largest shown, 0..=1.
pub fn difference_color_srgb(share: f32) -> [u8; 3] {
    difference_color(share).map(|c| (srgb_from_linear(c) * 255.0).round() as u8)
}

/// The lookup texture: `[N_LOOKUP]` linear colours with alpha 1, entry `i` at weight `i / (N_LOOKUP - 1)`; then as many
/// of differences.
pub fn lookup_table() -> Vec<[f32; 4]> {
    let ramps = [weight_color, difference_color];
    let entries = ramps.iter().flat_map(|color| (0..N_LOOKUP).map(|i| color(i as f32 / (N_LOOKUP - 1) as f32)));
    entries.map(|[r, g, b]| [r, g, b, 1.0]).collect()
}

fn on_ramp(t: f32, [first, last]: [f32; 2], table: &[[f32; 2]; 7]) -> [f32; 3] {
    let [a, b] = chroma(t, table);
    linear_from_oklab(first + (last - first) * t, a, b)
}

/// OKLab a and b along a ramp, by Catmull-Rom through its table.
fn chroma(t: f32, table: &[[f32; 2]; 7]) -> [f32; 2] {
    let last = table.len() - 1;
    let x = t * last as f32;
    let i = (x as usize).min(last - 1);
    let f = x - i as f32;
    let at = |k: usize| table[k.min(last)];
    let (p0, p1, p2, p3) = (at(i.saturating_sub(1)), at(i), at(i + 1), at(i + 2));
    std::array::from_fn(|c| {
        let (p0, p1, p2, p3) = (p0[c], p1[c], p2[c], p3[c]);
        0.5 * (2.0 * p1
            + (p2 - p0) * f
            + (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3) * f * f
            + (3.0 * p1 - p0 - 3.0 * p2 + p3) * f * f * f)
    })
}

fn linear_from_oklab(lightness: f32, a: f32, b: f32) -> [f32; 3] {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::{linear_from_srgb, luminance};

    #[track_caller]
    fn check_rising(luminances: impl Iterator<Item = f32>) {
        let luminances: Vec<f32> = luminances.collect();
        for (i, pair) in luminances.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "entry {i}: {} then {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn luminance_rises_strictly_with_weight_on_the_gpu_and_in_bytes() {
        let weights = &lookup_table()[..N_LOOKUP as usize];
        check_rising(weights.iter().map(|&[r, g, b, _]| luminance([r, g, b])));
        check_rising(
            (0..=50)
                .map(|i| luminance(weight_color_srgb(i as f32 / 50.0).map(|c| linear_from_srgb(f32::from(c) / 255.0)))),
        );
    }

    #[test]
    fn no_colour_of_the_ramp_is_clipped_much() {
        for i in 0..=100 {
            let t = i as f32 / 100.0;
            for (lightness, table) in [(LIGHTNESS, &OKLAB_AB), (DIFFERENCE_LIGHTNESS, &DIFFERENCE_OKLAB_AB)] {
                let raw = on_ramp(t, lightness, table);
                assert!(raw.iter().all(|c| (-0.03..=1.03).contains(c)), "at {t}: {raw:?}");
            }
        }
    }

    #[test]
    fn luminance_falls_strictly_with_difference() {
        let falling = &lookup_table()[N_LOOKUP as usize..];
        check_rising(falling.iter().rev().map(|&[r, g, b, _]| luminance([r, g, b])));
    }

    #[test]
    fn a_weight_outside_the_range_takes_the_nearest_end() {
        assert_eq!(weight_color(f32::NAN), weight_color(0.0));
        assert_eq!(weight_color(-2.0), weight_color(0.0));
        assert_eq!(weight_color(7.0), weight_color(1.0));
    }
}
