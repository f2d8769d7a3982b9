//! How a dab fades from its centre to its rim.

use crate::curve::Curve;

/// A falloff profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Falloff {
    /// 1 up to the rim, rim included.
    Constant,
    /// `1 − t`.
    Linear,
    /// `1 − (3t² − 2t³)`: level at centre and rim.
    #[default]
    Smooth,
    /// `(1 − t)²`: a peak.
    Sharp,
    /// `√(1 − t²)`: nearly full, then a steep rim.
    Sphere,
    /// `1 − t³(10 − 15t + 6t²)`: level at centre and rim for longer than smooth.
    Smoother,
    /// The brush's own curve ([`crate::BrushSettings::curve`]).
    Curve,
}

impl Falloff {
    /// All profiles, in the order in which they are offered.
    pub const ALL: [Self; 7] =
        [Self::Smooth, Self::Linear, Self::Sharp, Self::Constant, Self::Sphere, Self::Smoother, Self::Curve];

    /// The name in scripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Smooth => "smooth",
            Self::Sharp => "sharp",
            Self::Sphere => "sphere",
            Self::Smoother => "smoother",
            Self::Curve => "curve",
        }
    }

    /// The name on screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Constant => "Constant",
            Self::Linear => "Linear",
            Self::Smooth => "Smooth",
            Self::Sharp => "Sharp",
            Self::Sphere => "Sphere",
            Self::Smoother => "Smoother",
            Self::Curve => "Curve",
        }
    }

    /// The profile with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|falloff| falloff.name() == name)
    }

    /// The share of the strength at `t`, the distance from the centre in radii; 0 beyond the rim. [`Falloff::Curve`] is
    /// the default curve here: who has a curve of their own asks [`Falloff::along`].
    pub fn at(self, t: f32) -> f32 {
        self.along(&Curve::FADE, t)
    }

    /// As [`Falloff::at`], with the curve that [`Falloff::Curve`] means.
    pub fn along(self, curve: &Curve, t: f32) -> f32 {
        if t.is_nan() || t > 1.0 {
            return 0.0;
        }
        let t = t.max(0.0);
        match self {
            Self::Constant => 1.0,
            Self::Linear => 1.0 - t,
            Self::Smooth => 1.0 - t * t * (3.0 - 2.0 * t),
            Self::Sharp => (1.0 - t) * (1.0 - t),
            Self::Sphere => (1.0 - t * t).sqrt(),
            Self::Smoother => 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t)),
            Self::Curve => curve.at(t),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_starts_at_one_falls_and_ends_at_the_rim() {
        for falloff in Falloff::ALL {
            assert_eq!(falloff.at(0.0), 1.0);
            assert_eq!(falloff.at(1.001), 0.0);
            assert_eq!(falloff.at(f32::NAN), 0.0);
            let steps: Vec<f32> = (0..=100).map(|i| falloff.at(i as f32 / 100.0)).collect();
            assert!(steps.windows(2).all(|pair| pair[1] <= pair[0]), "{falloff:?}");
        }
        assert_eq!(Falloff::Constant.at(1.0), 1.0);
        assert_eq!(Falloff::Smooth.at(0.5), 0.5);
        assert_eq!(Falloff::Sharp.at(0.5), 0.25);
        assert_eq!(Falloff::Smoother.at(0.5), 0.5);
        assert_eq!(Falloff::Sphere.at(0.6), 0.8);
    }
}
