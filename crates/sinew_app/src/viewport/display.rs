//! How weights are shown, beyond what is shown: colours, lines, marks. Kept between runs.

use serde::{Deserialize, Serialize};
use sinew_render::{Color, Ramp};

/// Which colours weights have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RampChoice {
    /// Violet to yellow.
    #[default]
    Tide,
    /// Plum to cream.
    Ember,
    /// Dark to light.
    Grey,
    /// Chosen colours.
    Custom,
}

/// Which vertices without weight are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZeroHighlight {
    /// None.
    Off,
    /// Those without the active joint's weight, and those without any.
    Active,
    /// Those without any weight.
    #[default]
    Any,
}

/// What shows where weights are transparent, and where there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Under {
    /// Plain clay.
    #[default]
    Clay,
    /// The file's own colours.
    Texture,
}

/// How weights are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Display {
    /// Their colours.
    pub ramp: RampChoice,
    /// Chosen colours at 0, 0.5 and 1, sRGB.
    pub custom: [[u8; 3]; 3],
    /// Whether the chosen colours have one of their own at 0.5.
    pub has_middle: bool,
    /// So many lines of equal weight between 0 and 1.
    pub n_lines: u8,
    /// Which vertices without weight are told apart.
    pub zero: ZeroHighlight,
    /// Whether vertices with more joints than the budget are tinted.
    pub over_budget: bool,
    /// Whether what the last stroke could not change is tinted.
    pub refused: bool,
    /// Whether seams are drawn.
    pub seams: bool,
    /// Whether every vertex has a dot.
    pub dots: bool,
    /// How wide a dot is, points.
    pub dot_points: u8,
    /// How much the colours of weights cover, percent.
    pub opacity_percent: u8,
    /// What shows through.
    pub under: Under,
    /// Whether weights are shown as shares of what locked joints leave.
    pub locks_apart: bool,
    /// Whether it is shown where each joint alone would take the vertex under the brush.
    pub ghosts: bool,
}

impl Default for Display {
    fn default() -> Self {
        Self {
            ramp: RampChoice::Tide,
            custom: [[0x2B, 0x1B, 0x5A], [0xC0, 0x4E, 0x7A], [0xF8, 0xE9, 0xB0]],
            has_middle: true,
            n_lines: 3,
            zero: ZeroHighlight::Any,
            over_budget: false,
            refused: true,
            seams: false,
            dots: false,
            dot_points: 4,
            opacity_percent: 100,
            under: Under::Clay,
            locks_apart: false,
            ghosts: false,
        }
    }
}

impl RampChoice {
    /// All, in the order in which they are offered: value, name, one line.
    pub const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Tide, "Tide", "Violet, blue, teal, yellow: equal steps look equal, whatever colours one sees"),
        (Self::Ember, "Ember", "Plum, crimson, orange, cream: equal steps look equal"),
        (Self::Grey, "Grey", "Dark to light"),
        (Self::Custom, "Custom", "Two or three colours of your own"),
    ];
}

impl ZeroHighlight {
    /// All, in the order in which they are offered: value, name, one line.
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Off, "None", "What has no weight looks like clay"),
        (Self::Active, "Active joint", "What has none of the active joint's weight is black"),
        (Self::Any, "Any joint", "What has no weight at all is pink"),
    ];
}

impl Under {
    /// All, in the order in which they are offered: value, name, one line.
    pub const ALL: [(Self, &'static str, &'static str); 2] =
        [(Self::Clay, "clay", "Clay shows through"), (Self::Texture, "texture", "The file's own colours show through")];
}

impl Display {
    /// The ramp.
    pub fn ramp(&self) -> Ramp {
        match self.ramp {
            RampChoice::Tide => Ramp::Tide,
            RampChoice::Ember => Ramp::Ember,
            RampChoice::Grey => Ramp::Grey,
            RampChoice::Custom => {
                let [from, middle, to] = self.custom.map(|[r, g, b]| Color([r, g, b, 0xFF]));
                let ends = Ramp::Custom([from, to, to]);
                // Half of the way from the first to the last is where a middle of two would be.
                let between = || {
                    let [r, g, b] = ends.color_srgb(0.25);
                    Color([r, g, b, 0xFF])
                };
                Ramp::Custom([from, if self.has_middle { middle } else { between() }, to])
            }
        }
    }

    /// How much the colours of weights cover, 0 to 1.
    pub fn opacity(&self) -> f32 {
        f32::from(self.opacity_percent.min(100)) / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_of_two_colours_goes_straight_from_one_to_the_other() {
        let display = Display { ramp: RampChoice::Custom, has_middle: false, ..Display::default() };
        let ramp = display.ramp();
        for (weight, end) in [(0.0, display.custom[0]), (1.0, display.custom[2])] {
            let found = ramp.color_srgb(weight);
            assert!((0..3).all(|c| found[c].abs_diff(end[c]) <= 1), "{found:?} for {end:?}");
        }
        let steps = [0.4, 0.5, 0.6].map(|weight| ramp.color_srgb(weight).map(i32::from));
        for c in 0..3 {
            let (before, after) = (steps[1][c] - steps[0][c], steps[2][c] - steps[1][c]);
            assert!((before - after).abs() <= 4, "no bend in the middle: {steps:?}");
        }
    }

    #[test]
    fn what_is_kept_by_an_older_version_is_read() {
        let read: Display = serde_json::from_str(r#"{"ramp":"grey","n_lines":7}"#).unwrap_or_default();
        assert_eq!(read, Display { ramp: RampChoice::Grey, n_lines: 7, ..Display::default() });
    }
}
