//! Bones: the segments that stand for joints in views and in picking.
//!
//! glTF joints have no tail. A joint's bone is the segments to its child joints (helper nodes between are passed
//! over); a leaf continues its parent's direction for half the parent's length.

use glam::{DAffine3, Vec3};
use sinew_model::{Document, NodeIndex};

/// One segment, scene space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bone {
    /// The joint it belongs to.
    pub joint: NodeIndex,
    /// Where the joint stands.
    pub head: Vec3,
    /// Where its child stands, or the made-up tail of a leaf.
    pub tail: Vec3,
    /// Whether the tail is made up.
    pub is_leaf: bool,
}

/// The bones of all joints, parents before children. `scene_from_node` is `[n_nodes]`.
pub fn bones(document: &Document, scene_from_node: &[DAffine3]) -> Vec<Bone> {
    let nodes = document.nodes();
    let place = |node: NodeIndex| scene_from_node[node.idx()].translation.as_vec3();
    let is_joint: Vec<bool> = {
        let mut is_joint = vec![false; nodes.len()];
        document.joints().iter().for_each(|joint| is_joint[joint.idx()] = true);
        is_joint
    };
    // The nearest joint above each node, itself not counted; parents come first in this order.
    let mut joint_above: Vec<Option<NodeIndex>> = vec![None; nodes.len()];
    for &node in nodes.order() {
        if let Some(parent) = nodes.parent(node) {
            joint_above[node.idx()] = if is_joint[parent.idx()] { Some(parent) } else { joint_above[parent.idx()] };
        }
    }
    let mut has_child = vec![false; nodes.len()];
    for above in document.joints().iter().filter_map(|joint| joint_above[joint.idx()]) {
        has_child[above.idx()] = true;
    }
    let mut bones = Vec::with_capacity(document.joints().len());
    for &joint in document.joints() {
        let here = place(joint);
        if let Some(parent) = joint_above[joint.idx()] {
            bones.push(Bone { joint: parent, head: place(parent), tail: here, is_leaf: false });
        }
        if !has_child[joint.idx()] {
            let along = joint_above[joint.idx()].map_or(Vec3::ZERO, |parent| here - place(parent));
            bones.push(Bone { joint, head: here, tail: here + along * 0.5, is_leaf: true });
        }
    }
    bones
}
