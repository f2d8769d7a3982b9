//! Forward kinematics: where every node stands in scene space.
//!
//! The whole node forest takes part, whatever scenes list and whichever nodes are joints: helper nodes between joints
//! and the nodes above a skeleton move it like any other ancestor.

use glam::DAffine3;
use sinew_model::{Clip, LocalTransform, NodeTree, Pose};

use crate::sample::apply_clip;

/// Each node's matrix to scene space in a pose, in the file's node order. `[n_nodes]`
pub fn scene_from_nodes(nodes: &NodeTree, clips: &[Clip], pose: &Pose) -> Vec<DAffine3> {
    let locals = local_transforms(nodes, clips, pose);
    let mut scene_from_node = vec![DAffine3::IDENTITY; nodes.len()];
    for &node in nodes.order() {
        let parent_from_node = locals[node.idx()].to_affine_turned(pose.turn_deg(node));
        scene_from_node[node.idx()] = match nodes.parent(node) {
            Some(parent) => scene_from_node[parent.idx()] * parent_from_node,
            None => parent_from_node,
        };
    }
    scene_from_node
}

/// Each node's transform to its parent before turns by hand: the rest transform, or what the pose's clip makes of it.
/// A clip that does not exist counts as none. `[n_nodes]`
pub fn local_transforms(nodes: &NodeTree, clips: &[Clip], pose: &Pose) -> Vec<LocalTransform> {
    let mut locals: Vec<LocalTransform> = nodes.iter().map(|(_, node)| node.rest).collect();
    if let Some(moment) = pose.clip
        && let Some(clip) = clips.get(moment.clip.idx())
    {
        apply_clip(clip, moment.time_s, &mut locals);
    }
    locals
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat, DVec3, Vec3};
    use sinew_model::{Channel, ClipIndex, ClipTime, Interpolation, Node, NodeIndex, Track};

    use super::*;

    fn node(rest: LocalTransform, children: &[u32]) -> Node {
        let children = children.iter().map(|&child| NodeIndex(child)).collect();
        Node { name: None, children, rest, mesh: None, skin: None, morph_weights: None }
    }

    fn moved(x: f64, y: f64, z: f64) -> LocalTransform {
        LocalTransform::from_trs(DVec3::new(x, y, z), DQuat::IDENTITY, DVec3::ONE)
    }

    #[test]
    fn children_listed_before_their_parents_follow_them() {
        let tree = NodeTree::new(vec![node(moved(0.0, 1.0, 0.0), &[]), node(moved(0.0, 2.0, 0.0), &[0])]);
        let tree = tree.expect("a forest");
        let mut pose = Pose::rest();
        pose.set_turn_deg(NodeIndex(1), Vec3::new(0.0, 0.0, 90.0));
        let scene = scene_from_nodes(&tree, &[], &pose);
        assert!((scene[0].translation - DVec3::new(-1.0, 2.0, 0.0)).length() < 1e-12);
        assert!((scene[0].transform_vector3(DVec3::X) - DVec3::Y).length() < 1e-12);
    }

    #[test]
    fn a_helper_node_between_two_joints_moves_the_second() {
        // B51
        let turned = LocalTransform::from_trs(DVec3::new(0.0, 0.4, 0.0), DQuat::from_rotation_z(0.5), DVec3::ONE);
        let tree = vec![node(moved(0.0, 0.0, 0.0), &[1]), node(turned, &[2]), node(moved(0.0, 0.6, 0.0), &[])];
        let scene = scene_from_nodes(&NodeTree::new(tree).expect("a forest"), &[], &Pose::rest());
        let expected = turned.to_affine().transform_point3(DVec3::new(0.0, 0.6, 0.0));
        assert!((scene[2].translation - expected).length() < 1e-12);
    }

    #[test]
    fn uneven_and_negative_scale_of_a_parent_reach_its_child_as_shear_and_mirror() {
        let scaled = LocalTransform::from_trs(DVec3::ZERO, DQuat::IDENTITY, DVec3::new(-2.0, 1.0, 1.0));
        let turned = LocalTransform::from_trs(DVec3::X, DQuat::from_rotation_z(0.7), DVec3::ONE);
        let tree = NodeTree::new(vec![node(scaled, &[1]), node(turned, &[])]).expect("a forest");
        let scene = scene_from_nodes(&tree, &[], &Pose::rest());
        let expected = DMat3::from_diagonal(DVec3::new(-2.0, 1.0, 1.0)) * DMat3::from_rotation_z(0.7);
        assert!(scene[1].matrix3.abs_diff_eq(expected, 1e-12));
        assert!((scene[1].translation - DVec3::new(-2.0, 0.0, 0.0)).length() < 1e-12);
    }

    #[test]
    fn a_turn_by_hand_is_about_the_rest_axes_on_top_of_the_clip() {
        let tree = NodeTree::new(vec![node(moved(0.0, 0.0, 0.0), &[])]).expect("a forest");
        let quarter = glam::Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let channel = Channel {
            node: NodeIndex(0),
            times_s: vec![0.0],
            interpolation: Interpolation::Step,
            track: Track::Rotation(vec![quarter]),
        };
        let clip = Clip { name: None, channels: vec![channel] };
        let mut pose = Pose::rest();
        pose.clip = Some(ClipTime { clip: ClipIndex(0), time_s: 3.0 });
        pose.set_turn_deg(NodeIndex(0), Vec3::new(90.0, 0.0, 0.0));
        let scene = scene_from_nodes(&tree, std::slice::from_ref(&clip), &pose);
        // Turned about its own x first (+Y to +Z), then carried by the clip's turn about y (+Z to +X).
        assert!((scene[0].transform_vector3(DVec3::Y) - DVec3::X).length() < 1e-6);
        pose.clip = Some(ClipTime { clip: ClipIndex(9), time_s: 3.0 });
        let without = scene_from_nodes(&tree, &[clip], &pose);
        assert!((without[0].transform_vector3(DVec3::Y) - DVec3::Z).length() < 1e-12);
    }
}
