//! Bones: the segments that stand for joints in views and in picking.
//!
//! glTF joints have no tail. A joint's bone is the segments to its child joints (helper nodes between are passed
//! over); a leaf continues its parent's direction for half the parent's length, cut at the skin, and turns with its
//! joint.

use glam::{DAffine3, DVec3, Vec3};
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

/// The bones of all joints at rest, in their joints' own spaces: made once, carried by any pose.
#[derive(Clone, Debug, Default)]
pub struct Bones(Vec<RestBone>);

#[derive(Clone, Copy, Debug)]
struct RestBone {
    joint: NodeIndex,
    tail: Tail,
}

#[derive(Clone, Copy, Debug)]
enum Tail {
    /// Where this joint stands.
    Child(NodeIndex),
    /// A point in the joint's own space.
    MadeUp(DVec3),
}

impl Bones {
    /// Finds the bones, parents before children. `rest_from_node` are the nodes' matrices to scene space in the rest
    /// pose, `[n_nodes]`; `cut` says where the way from one point to another leaves the skin at rest, if it does.
    pub fn new(
        document: &Document,
        rest_from_node: &[DAffine3],
        mut cut: impl FnMut(Vec3, Vec3) -> Option<Vec3>,
    ) -> Self {
        let nodes = document.nodes();
        let place = |node: NodeIndex| rest_from_node[node.idx()].translation;
        let mut is_joint = vec![false; nodes.len()];
        document.joints().iter().for_each(|joint| is_joint[joint.idx()] = true);
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
            if let Some(parent) = joint_above[joint.idx()] {
                bones.push(RestBone { joint: parent, tail: Tail::Child(joint) });
            }
            if !has_child[joint.idx()] {
                let here = place(joint);
                let along = joint_above[joint.idx()].map_or(DVec3::ZERO, |parent| here - place(parent));
                let tail = here + along * 0.5;
                let tail = cut(here.as_vec3(), tail.as_vec3()).map_or(tail, Vec3::as_dvec3);
                let in_joint = rest_from_node[joint.idx()].inverse().transform_point3(tail);
                let in_joint = if in_joint.is_finite() { in_joint } else { DVec3::ZERO };
                bones.push(RestBone { joint, tail: Tail::MadeUp(in_joint) });
            }
        }
        Self(bones)
    }

    /// The bones in a pose. `scene_from_node` is `[n_nodes]`.
    pub fn posed(&self, scene_from_node: &[DAffine3]) -> Vec<Bone> {
        let place = |node: NodeIndex| scene_from_node[node.idx()].translation.as_vec3();
        let one = |bone: &RestBone| {
            let (tail, is_leaf) = match bone.tail {
                Tail::Child(child) => (place(child), false),
                Tail::MadeUp(in_joint) => {
                    (scene_from_node[bone.joint.idx()].transform_point3(in_joint).as_vec3(), true)
                }
            };
            Bone { joint: bone.joint, head: place(bone.joint), tail, is_leaf }
        };
        self.0.iter().map(one).collect()
    }
}
