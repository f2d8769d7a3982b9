//! What the viewport shows. Kept between runs; no part of the document.

use serde::{Deserialize, Serialize};

use sinew_edit::tools::Pressure;

use super::display::Display;
use super::marks::Marks;

/// What surfaces show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// The active joint's weights.
    #[default]
    Weights,
    /// Every joint's weights in its own colour.
    JointColors,
    /// The file's colours.
    Textured,
    /// Plain clay.
    Clay,
    /// How far weights are from their mirror image.
    LeftRight,
    /// How far the model as exported is from the model as edited; weights while it is shown as edited.
    Difference,
}

/// What a pen's pressure sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PenUse {
    /// The brush's strength.
    #[default]
    Strength,
    /// The brush's size.
    Size,
    /// Nothing.
    Off,
}

impl PenUse {
    /// All, in the order in which they are offered: value, name, one line.
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Strength, "Strength", "A light touch paints less"),
        (Self::Size, "Size", "A light touch paints a smaller place"),
        (Self::Off, "Nothing", "Every touch paints in full"),
    ];

    /// What a pen's force does. A device without pressure sends none, or 0: that is full, never nothing (B58).
    pub fn pressure(self, force: Option<f32>) -> Pressure {
        let share = force.filter(|force| *force > 0.0).map_or(1.0, |force| force.min(1.0));
        match self {
            Self::Strength => Pressure { strength: share, ..Pressure::FULL },
            Self::Size => Pressure { radius: share, ..Pressure::FULL },
            Self::Off => Pressure::FULL,
        }
    }
}

/// What the viewport shows, and what the pen in it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewOptions {
    /// What surfaces show.
    pub show: Show,
    /// Lines of equal weight.
    pub contours: bool,
    /// The mesh's edges.
    pub wire: bool,
    /// Joints and bones over the skin.
    pub joints: bool,
    /// Vertices that a counter counts.
    #[serde(skip)]
    pub marks: Option<Marks>,
    /// Rings around the active joint.
    pub gizmo: bool,
    /// What a pen's pressure sets.
    pub pen: PenUse,
    /// How weights are shown.
    pub display: Display,
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            show: Show::Weights,
            contours: false,
            wire: false,
            joints: true,
            marks: None,
            gizmo: false,
            pen: PenUse::Strength,
            display: Display::default(),
        }
    }
}

impl Show {
    const EDITED: [Self; 5] = [Self::Weights, Self::JointColors, Self::Textured, Self::Clay, Self::LeftRight];
    const EXPORTED: [Self; 6] =
        [Self::Weights, Self::JointColors, Self::Textured, Self::Clay, Self::LeftRight, Self::Difference];

    /// All that there are, in the order in which they are offered.
    pub const fn offered(as_exported: bool) -> &'static [Self] {
        if as_exported { &Self::EXPORTED } else { &Self::EDITED }
    }

    /// The one after it.
    #[must_use]
    pub fn next(self, as_exported: bool) -> Self {
        let all = Self::offered(as_exported);
        let at = all.iter().position(|&show| show == self.at_hand(as_exported)).unwrap_or(0);
        all[(at + 1) % all.len()]
    }

    /// What is shown in fact.
    #[must_use]
    pub fn at_hand(self, as_exported: bool) -> Self {
        if self == Self::Difference && !as_exported { Self::Weights } else { self }
    }

    /// What it shows, one line.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Weights => "The active joint's weights; plain where there is none",
            Self::JointColors => "Every joint in its own colour, mixed by weight",
            Self::Textured => "The file's own colours",
            Self::Clay => "Form without colour",
            Self::LeftRight => "How far weights are from those of the twin on the other side",
            Self::Difference => "How far each vertex as exported is from where it stands as edited",
        }
    }

    /// The name on screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Weights => "Weights",
            Self::JointColors => "Joint colours",
            Self::Textured => "Textured",
            Self::Clay => "Clay",
            Self::LeftRight => "Left–right",
            Self::Difference => "Difference",
        }
    }
}
