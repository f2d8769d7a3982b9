//! Clips (glTF: animations): how nodes and morph weights move over time.

use glam::{Quat, Vec3};

use crate::ids::NodeIndex;

/// A clip of the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Clip {
    /// Name, if the file gives one.
    pub name: Option<String>,
    /// What moves. Channels that do not move a node (KHR_animation_pointer) are left out.
    pub channels: Vec<Channel>,
}

/// One moving property of one node.
#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// The node that moves.
    pub node: NodeIndex,
    /// Key times, seconds, rising. `[n_keys]`
    pub times_s: Vec<f32>,
    /// How values between keys come about.
    pub interpolation: Interpolation,
    /// The values; three a key (in-tangent, value, out-tangent) for cubic splines.
    pub track: Track,
}

/// The values of a channel. `[n_keys]`, or `[3 * n_keys]` for cubic splines.
#[derive(Clone, PartialEq, Debug)]
pub enum Track {
    /// Translations, in the parent's space.
    Translation(Vec<Vec3>),
    /// Rotations.
    Rotation(Vec<Quat>),
    /// Scales.
    Scale(Vec<Vec3>),
    /// Morph weights, `n_targets` for each key.
    MorphWeights {
        /// How many weights stand together.
        n_targets: usize,
        /// All weights. `[n_keys * n_targets]`
        weights: Vec<f32>,
    },
}

/// How values between keys come about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// Straight (rotations: along the arc).
    Linear,
    /// The earlier key's value.
    Step,
    /// Cubic Hermite spline with given tangents.
    CubicSpline,
}

impl Clip {
    /// Length, seconds: the last key of any channel.
    pub fn duration_s(&self) -> f32 {
        self.channels.iter().filter_map(|channel| channel.times_s.last().copied()).fold(0.0, f32::max)
    }
}
