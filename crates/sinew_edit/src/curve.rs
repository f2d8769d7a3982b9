//! A hand-made curve from 0 to 1: how a dab fades, how a joint's weight runs along a gradient.
//!
//! Between its points it follows a monotone cubic (Fritsch and Carlson, "Monotone Piecewise Cubic Interpolation",
//! 1980): it never overshoots what the points say. Two points are a straight line.

use std::fmt::Write as _;

/// The most points a curve has.
pub const MAX_POINTS: usize = 12;

/// Points `(x, y)`, `x` rising from 0 to 1, `y` from 0 to 1. Plain data: it can be compared, copied and edited in place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    points: [[f32; 2]; MAX_POINTS],
    n_points: u8,
}

impl Curve {
    /// A brush's first curve: 1 at the centre, level there and at the rim.
    pub const FADE: Self = Self::of(&[[0.0, 1.0], [0.25, 0.85], [0.5, 0.5], [0.75, 0.15], [1.0, 0.0]]);
    /// A gradient from 1 to 0 in a straight line.
    pub const LINE: Self = Self::of(&[[0.0, 1.0], [1.0, 0.0]]);
    /// A gradient that turns slowly over its whole length: an elbow, a knee.
    pub const WIDE: Self =
        Self::of(&[[0.0, 1.0], [0.125, 0.95], [0.3, 0.775], [0.5, 0.5], [0.7, 0.225], [0.875, 0.05], [1.0, 0.0]]);
    /// A gradient that is whole on both sides and turns within the middle third: a knuckle.
    pub const NARROW: Self = Self::of(&[[0.0, 1.0], [0.33, 1.0], [0.5, 0.5], [0.67, 0.0], [1.0, 0.0]]);

    const fn of(given: &[[f32; 2]]) -> Self {
        let mut points = [[0.0; 2]; MAX_POINTS];
        let mut i = 0;
        while i < given.len() {
            points[i] = given[i];
            i += 1;
        }
        Self { points, n_points: given.len() as u8 }
    }

    /// A curve through points; `None` if there are fewer than 2 or more than [`MAX_POINTS`], if one of them is not
    /// within 0 to 1, or if `x` does not rise.
    pub fn through(points: &[[f32; 2]]) -> Option<Self> {
        let is_inside = |point: &[f32; 2]| point.iter().all(|n| (0.0..=1.0).contains(n));
        let is_rising = points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        let is_good = (2..=MAX_POINTS).contains(&points.len()) && points.iter().all(is_inside) && is_rising;
        is_good.then(|| Self::of(points))
    }

    /// The curve that text says, `x,y;x,y…`, or a name: `linear`, `wide`, `narrow`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "linear" => return Some(Self::LINE),
            "wide" => return Some(Self::WIDE),
            "narrow" => return Some(Self::NARROW),
            _ => {}
        }
        let number = |text: &str| text.trim().parse::<f32>().ok();
        let point = |part: &str| {
            let (x, y) = part.split_once(',')?;
            Some([number(x)?, number(y)?])
        };
        let points: Option<Vec<[f32; 2]>> = text.split(';').map(point).collect();
        Self::through(&points?)
    }

    /// The curve as [`Curve::parse`] reads it back to the bit.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for [x, y] in self.points() {
            let separator = if text.is_empty() { "" } else { ";" };
            let _ = write!(text, "{separator}{x},{y}");
        }
        text
    }

    /// The points, by rising `x`.
    pub fn points(&self) -> &[[f32; 2]] {
        &self.points[..usize::from(self.n_points)]
    }

    /// The height at `x`; beyond the first and last point theirs.
    pub fn at(&self, x: f32) -> f32 {
        self.height(x, |point| self.slope(point))
    }

    /// [`Curve::at`] for very many: the same, with what it takes worked out once.
    pub fn heights(&self) -> impl Fn(f32) -> f32 + Sync {
        let mut slopes = [0.0; MAX_POINTS];
        (0..self.points().len()).for_each(|point| slopes[point] = self.slope(point));
        let curve = *self;
        move |x| curve.height(x, |point| slopes[point])
    }

    #[inline]
    fn height(&self, x: f32, slope: impl Fn(usize) -> f32) -> f32 {
        let points = self.points();
        let after = points.partition_point(|point| point[0] <= x);
        let (Some(before), Some(next)) = (after.checked_sub(1), points.get(after)) else {
            return if after == 0 { points[0][1] } else { points[points.len() - 1][1] };
        };
        let [from, to] = [points[before], *next];
        let width = to[0] - from[0];
        let t = (x - from[0]) / width;
        let (from_slope, to_slope) = (slope(before) * width, slope(after) * width);
        let rise = to[1] - from[1];
        // Cubic Hermite, gathered so that its ends are met exactly.
        let bend = (t * (t - 1.0)) * ((t - 1.0) * (from_slope - rise) + t * (to_slope - rise));
        (from[1] + rise * t + bend).clamp(0.0, 1.0)
    }

    /// The slope at a point, small enough that no piece beside it overshoots.
    fn slope(&self, at: usize) -> f32 {
        let points = self.points();
        let secant = |i: usize| (points[i + 1][1] - points[i][1]) / (points[i + 1][0] - points[i][0]);
        if at == 0 || at + 1 == points.len() {
            return if points.len() == 2 { secant(0) } else { self.end_slope(at) };
        }
        let (left, right) = (secant(at - 1), secant(at));
        if left * right <= 0.0 {
            return 0.0;
        }
        // The weighted harmonic mean (Fritsch and Butland): between both, nearer to the flatter.
        let (w_left, w_right) = (points[at][0] - points[at - 1][0], points[at + 1][0] - points[at][0]);
        let (a, b) = (2.0 * w_right + w_left, w_right + 2.0 * w_left);
        (a + b) / (a / left + b / right)
    }

    /// The slope at the first or last point of at least three: that of its piece.
    fn end_slope(&self, at: usize) -> f32 {
        let points = self.points();
        let (a, b) = if at == 0 { (points[0], points[1]) } else { (points[at - 1], points[at]) };
        (b[1] - a[1]) / (b[0] - a[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_points_are_a_straight_line_and_points_are_met_exactly() {
        for i in 0..=20 {
            let x = i as f32 / 20.0;
            assert!((Curve::LINE.at(x) - (1.0 - x)).abs() < 1e-6);
        }
        for curve in [Curve::FADE, Curve::WIDE, Curve::NARROW] {
            for &[x, y] in curve.points() {
                assert!((curve.at(x) - y).abs() < 1e-6, "{x}");
            }
            assert_eq!((curve.at(-1.0), curve.at(2.0)), (1.0, 0.0));
        }
    }

    #[test]
    fn a_curve_through_falling_points_falls_everywhere() {
        let steep = Curve::parse("0,1;0.1,0.98;0.12,0.1;0.9,0.05;1,0").expect("a curve");
        for curve in [Curve::FADE, Curve::WIDE, Curve::NARROW, steep] {
            let heights: Vec<f32> = (0..=1000).map(|i| curve.at(i as f32 / 1000.0)).collect();
            assert!(heights.windows(2).all(|pair| pair[1] <= pair[0] + 1e-6));
        }
    }

    #[test]
    fn text_comes_back_to_the_bit_and_nonsense_is_refused() {
        let odd = Curve::parse("0,0.1;0.3333333,0.7;1,1").expect("a curve");
        for curve in [odd, Curve::WIDE, Curve::FADE] {
            assert_eq!(Curve::parse(&curve.text()), Some(curve));
        }
        let long = (0..13).map(|i| format!("{},0", i as f32 / 12.0)).collect::<Vec<_>>().join(";");
        for text in ["", "0,0", "0,0;0,1", "0.5,0;0.2,1", "0,0;1,2", "0,nan;1,0", "0;1", &long] {
            assert_eq!(Curve::parse(text), None, "{text}");
        }
    }
}
