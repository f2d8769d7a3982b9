//! A skin: which joints move a mesh, and where each stood when the mesh was bound.

use std::collections::HashMap;

use glam::DAffine3;

use crate::ids::{JointSlot, NodeIndex, SkinIndex};

/// A skin of the file. Slot k of a weight row means `joints()[k]`; matrix k belongs to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Skin {
    /// Name, if the file gives one.
    pub name: Option<String>,
    joints: Vec<NodeIndex>,
    joint_from_mesh: Vec<DAffine3>,
    slots: HashMap<NodeIndex, JointSlot>,
}

/// Why joints and matrices do not make a skin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SkinError {
    /// A joint is not a node of the file.
    #[error("skins/{skin}/joints names node {joint}; the file has {n_nodes} nodes")]
    NoSuchJoint {
        /// The skin.
        skin: SkinIndex,
        /// The node it names.
        joint: NodeIndex,
        /// How many nodes there are.
        n_nodes: usize,
    },
    /// Fewer matrices than joints.
    #[error("skins/{skin} has {n_matrices} inverse bind matrices for {n_joints} joints")]
    TooFewMatrices {
        /// The skin.
        skin: SkinIndex,
        /// How many matrices were found.
        n_matrices: usize,
        /// How many joints there are.
        n_joints: usize,
    },
    /// More joints than a slot can number.
    #[error("skins/{skin} has {n_joints} joints; a joint index in a file ends at 65535")]
    TooManyJoints {
        /// The skin.
        skin: SkinIndex,
        /// How many joints there are.
        n_joints: usize,
    },
}

impl Skin {
    /// Checks that every joint exists and has its matrix. `joint_from_mesh` holds the inverse bind matrices, in
    /// joint order; a skin without them takes identities (glTF 2.0, "Skins").
    pub fn new(
        skin: SkinIndex,
        name: Option<String>,
        joints: Vec<NodeIndex>,
        joint_from_mesh: Option<Vec<DAffine3>>,
        n_nodes: usize,
    ) -> Result<Self, SkinError> {
        let n_joints = joints.len();
        if n_joints > usize::from(u16::MAX) + 1 {
            return Err(SkinError::TooManyJoints { skin, n_joints });
        }
        if let Some(&joint) = joints.iter().find(|joint| joint.idx() >= n_nodes) {
            return Err(SkinError::NoSuchJoint { skin, joint, n_nodes });
        }
        let mut joint_from_mesh = joint_from_mesh.unwrap_or_else(|| vec![DAffine3::IDENTITY; n_joints]);
        if joint_from_mesh.len() < n_joints {
            return Err(SkinError::TooFewMatrices { skin, n_matrices: joint_from_mesh.len(), n_joints });
        }
        joint_from_mesh.truncate(n_joints);
        let mut slots = HashMap::with_capacity(n_joints);
        for (slot, &joint) in joints.iter().enumerate() {
            slots.entry(joint).or_insert(JointSlot::from_idx(slot));
        }
        Ok(Self { name, joints, joint_from_mesh, slots })
    }

    /// How many joints the skin lists.
    pub fn n_joints(&self) -> usize {
        self.joints.len()
    }

    /// The joints by slot. `[n_joints]`
    pub fn joints(&self) -> &[NodeIndex] {
        &self.joints
    }

    /// The inverse bind matrices by slot. `[n_joints]`
    pub fn joint_from_mesh(&self) -> &[DAffine3] {
        &self.joint_from_mesh
    }

    /// The joint that a slot means, `None` past the end of the list.
    pub fn joint(&self, slot: JointSlot) -> Option<NodeIndex> {
        self.joints.get(slot.idx()).copied()
    }

    /// The (first) slot of a joint.
    pub fn slot(&self, joint: NodeIndex) -> Option<JointSlot> {
        self.slots.get(&joint).copied()
    }
}
