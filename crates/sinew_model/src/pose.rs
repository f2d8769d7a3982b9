//! A view pose: joints turned by hand on top of the rest pose or a clip. It never reaches the file.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::ids::{ClipIndex, NodeIndex};

/// How the character stands in the view.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pose {
    turns: BTreeMap<NodeIndex, Vec3>,
    /// The clip that moves the nodes under the turns.
    pub clip: Option<ClipTime>,
    /// Morph weights set by hand, by node; they replace the clip's, the node's and the mesh's.
    pub morph_weights: BTreeMap<NodeIndex, Vec<f32>>,
}

/// A moment of a clip.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClipTime {
    /// The clip.
    pub clip: ClipIndex,
    /// The moment, seconds.
    pub time_s: f32,
}

impl Pose {
    /// The rest pose.
    pub fn rest() -> Self {
        Self::default()
    }

    /// Whether nothing differs from the rest pose.
    pub fn is_rest(&self) -> bool {
        self.turns.is_empty() && self.clip.is_none() && self.morph_weights.is_empty()
    }

    /// Degrees a joint is turned about its own rest axes (x applied first, then y, then z).
    pub fn turn_deg(&self, joint: NodeIndex) -> Vec3 {
        self.turns.get(&joint).copied().unwrap_or(Vec3::ZERO)
    }

    /// Turns a joint; zero or non-finite degrees put it back.
    pub fn set_turn_deg(&mut self, joint: NodeIndex, euler_deg: Vec3) {
        if euler_deg == Vec3::ZERO || !euler_deg.is_finite() {
            self.turns.remove(&joint);
        } else {
            self.turns.insert(joint, euler_deg);
        }
    }

    /// All turned joints, in node order.
    pub fn turns(&self) -> impl ExactSizeIterator<Item = (NodeIndex, Vec3)> + '_ {
        self.turns.iter().map(|(&joint, &euler_deg)| (joint, euler_deg))
    }

    /// Puts every joint back; clip and morph weights stay.
    pub fn reset_turns(&mut self) {
        self.turns.clear();
    }
}
