//! How a dab fades from its centre to its rim.

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
}

impl Falloff {
    /// All profiles, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Smooth, Self::Linear, Self::Sharp, Self::Constant];

    /// The name in scripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Smooth => "smooth",
            Self::Sharp => "sharp",
        }
    }

    /// The name on screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Constant => "Constant",
            Self::Linear => "Linear",
            Self::Smooth => "Smooth",
            Self::Sharp => "Sharp",
        }
    }

    /// The profile with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|falloff| falloff.name() == name)
    }

    /// The share of the strength at `t`, the distance from the centre in radii; 0 beyond the rim.
    pub fn at(self, t: f32) -> f32 {
        if t.is_nan() || t > 1.0 {
            return 0.0;
        }
        let t = t.max(0.0);
        match self {
            Self::Constant => 1.0,
            Self::Linear => 1.0 - t,
            Self::Smooth => 1.0 - t * t * (3.0 - 2.0 * t),
            Self::Sharp => (1.0 - t) * (1.0 - t),
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
    }
}
