//! The colours of weights, in one place, so that the viewport and every legend agree.
//!
//! Dark violet, blue, teal, green, yellow: OKLab lightness (Björn Ottosson, 2020) rises in a straight line, so equal
//! steps of weight look like equal steps, and the order survives every kind of colour blindness and a grey print.
//!
//! Distances have a ramp of their own that goes the other way: from sand, which lies close to clay, over orange and red
//! to plum. Lightness falls in a straight line, so no distance looks like a weight.
//!
//! Who sees the first ramp badly takes another ([`Ramp`]): embers, grey, or one through colours of his own.

use crate::color::{Color, srgb_from_linear};

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

const EMBER_LIGHTNESS: [f32; 2] = [0.33, 0.94];
/// OKLab a and b of the embers at weights 0, 1/6 … 1: plum, crimson, orange, amber, cream.
const EMBER_OKLAB_AB: [[f32; 2]; 7] =
    [[0.050, -0.070], [0.105, -0.035], [0.150, 0.030], [0.150, 0.085], [0.095, 0.120], [0.040, 0.130], [-0.005, 0.080]];

const GREY_LIGHTNESS: [f32; 2] = [0.24, 0.96];

/// Which colours weights have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ramp {
    /// Violet, blue, teal, green, yellow.
    #[default]
    Tide,
    /// Plum, crimson, orange, amber, cream.
    Ember,
    /// Dark to light.
    Grey,
    /// Through these colours at 0, 0.5 and 1, in OKLab. Whether lightness rises is up to who chose them.
    Custom([Color; 3]),
}

impl Ramp {
    /// Linear colour of a weight in 0..=1 (clamped; NaN counts as 0).
    pub fn color(self, weight: f32) -> [f32; 3] {
        let t = if weight > 0.0 { weight.min(1.0) } else { 0.0 };
        let linear = match self {
            Self::Tide => on_ramp(t, LIGHTNESS, &OKLAB_AB),
            Self::Ember => on_ramp(t, EMBER_LIGHTNESS, &EMBER_OKLAB_AB),
            Self::Grey => on_ramp(t, GREY_LIGHTNESS, &[[0.0; 2]; 7]),
            Self::Custom([from, middle, to]) => {
                let (a, b, f) = if t < 0.5 { (from, middle, 2.0 * t) } else { (middle, to, 2.0 * t - 1.0) };
                let (a, b) = (oklab_of(a), oklab_of(b));
                let [l, a, b] = [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * f);
                linear_from_oklab(l, a, b)
            }
        };
        linear.map(|c| c.clamp(0.0, 1.0))
    }

    /// sRGB bytes of a weight in 0..=1.
    pub fn color_srgb(self, weight: f32) -> [u8; 3] {
        self.color(weight).map(byte_of)
    }

    /// sRGB bytes of a weight of exactly 1.
    pub fn one_color_srgb(self) -> [u8; 3] {
        let (share, paler) = ONE_PALER;
        let full = self.color(1.0);
        [0, 1, 2].map(|c| byte_of(full[c] + (paler[c] - full[c]) * share))
    }

    /// The row of [`lookup_table`] that has it.
    pub(crate) const fn row(self) -> u32 {
        match self {
            Self::Tide => 0,
            Self::Ember => 2,
            Self::Grey => 3,
            Self::Custom(_) => CUSTOM_ROW,
        }
    }

    /// Its row of the lookup texture. `[N_LOOKUP]`
    pub(crate) fn entries(self) -> Vec<[f32; 4]> {
        let color = |i| self.color(i as f32 / (N_LOOKUP - 1) as f32);
        (0..N_LOOKUP).map(color).map(|[r, g, b]| [r, g, b, 1.0]).collect()
    }
}

/// The row of [`lookup_table`] that is written anew for colours of one's own.
pub(crate) const CUSTOM_ROW: u32 = 4;

fn byte_of(linear: f32) -> u8 {
    (srgb_from_linear(linear) * 255.0).round() as u8
}

/// Linear colour of a weight in 0..=1 on the first ramp (clamped; NaN counts as 0).
pub fn weight_color(weight: f32) -> [f32; 3] {
    Ramp::Tide.color(weight)
}

/// How much of it exactly 1 takes, linear, and what: a shade paler than almost 1, as the shader has it.
const ONE_PALER: (f32, [f32; 3]) = (0.14, [1.0, 0.96, 0.74]);

/// Linear colour of a difference as a share of the largest shown, 0..=1 (clamped; NaN counts as 0).
pub fn difference_color(share: f32) -> [f32; 3] {
    let t = if share > 0.0 { share.min(1.0) } else { 0.0 };
    on_ramp(t, DIFFERENCE_LIGHTNESS, &DIFFERENCE_OKLAB_AB).map(|c| c.clamp(0.0, 1.0))
}

/// sRGB bytes of a difference as a share of the largest shown, 0..=1.
pub fn difference_color_srgb(share: f32) -> [u8; 3] {
    difference_color(share).map(byte_of)
}

/// The lookup texture, `[N_LOOKUP]` linear colours with alpha 1 a row, entry `i` at `i / (N_LOOKUP - 1)`: the first ramp,
/// differences, embers, grey, and a row for colours of one's own.
pub fn lookup_table() -> Vec<[f32; 4]> {
    let differences = (0..N_LOOKUP).map(|i| difference_color(i as f32 / (N_LOOKUP - 1) as f32));
    let differences = differences.map(|[r, g, b]| [r, g, b, 1.0]).collect();
    let [tide, ember, grey] = [Ramp::Tide, Ramp::Ember, Ramp::Grey].map(Ramp::entries);
    [tide, differences, ember, grey, Ramp::Grey.entries()].concat()
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

/// OKLab of a colour as people write it.
fn oklab_of(color: Color) -> [f32; 3] {
    let [r, g, b, _] = color.to_linear();
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
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
        for ramp in [Ramp::Tide, Ramp::Ember, Ramp::Grey] {
            let row = (ramp.row() * N_LOOKUP) as usize;
            let weights = &lookup_table()[row..][..N_LOOKUP as usize];
            check_rising(weights.iter().map(|&[r, g, b, _]| luminance([r, g, b])));
            let bytes = (0..=50).map(|i| ramp.color_srgb(i as f32 / 50.0));
            check_rising(bytes.map(|rgb| luminance(rgb.map(|c| linear_from_srgb(f32::from(c) / 255.0)))));
        }
    }

    #[test]
    fn no_colour_of_the_ramp_is_clipped_much() {
        for i in 0..=100 {
            let t = i as f32 / 100.0;
            for (lightness, table) in [
                (LIGHTNESS, &OKLAB_AB),
                (EMBER_LIGHTNESS, &EMBER_OKLAB_AB),
                (DIFFERENCE_LIGHTNESS, &DIFFERENCE_OKLAB_AB),
            ] {
                let raw = on_ramp(t, lightness, table);
                assert!(raw.iter().all(|c| (-0.03..=1.03).contains(c)), "at {t}: {raw:?}");
            }
        }
    }

    #[test]
    fn luminance_falls_strictly_with_difference() {
        let falling = &lookup_table()[N_LOOKUP as usize..][..N_LOOKUP as usize];
        check_rising(falling.iter().rev().map(|&[r, g, b, _]| luminance([r, g, b])));
    }

    #[test]
    fn a_weight_outside_the_range_takes_the_nearest_end() {
        assert_eq!(weight_color(f32::NAN), weight_color(0.0));
        assert_eq!(weight_color(-2.0), weight_color(0.0));
        assert_eq!(weight_color(7.0), weight_color(1.0));
    }

    #[test]
    fn a_ramp_of_ones_own_goes_through_its_colours() {
        let colors = [Color::hex(0x20_3A6E), Color::hex(0x88_8888), Color::hex(0xF5_D76E)];
        let ramp = Ramp::Custom(colors);
        for (weight, color) in [0.0, 0.5, 1.0].into_iter().zip(colors) {
            let found = ramp.color_srgb(weight);
            assert!((0..3).all(|c| found[c].abs_diff(color.0[c]) <= 1), "{weight}: {found:?} for {color:?}");
        }
        let between = ramp.color_srgb(0.25);
        assert!(between[0] > 0x20 && between[0] < 0x88, "{between:?}");
    }
}
