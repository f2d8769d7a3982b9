//! Morph targets: which weights are in force, and what they make of the raw vertices before skinning.

use glam::Vec3;
use sinew_model::{Clip, Mesh, NodeIndex, NodeTree, Pose};

use crate::sample::clip_morph_weights;

/// A mesh's raw vertices with its morph targets added, in raw space.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Morphed {
    /// Positions. `[n_vertices]`
    pub positions: Vec<Vec3>,
    /// Unit normals. `[n_vertices]`
    pub normals: Vec<Vec3>,
}

/// The morph weights in force for the mesh at a node: those set by hand, else the clip's, else the node's, else the
/// mesh's own. Missing ones are 0, surplus ones are left out. `[n_morph_targets]`
pub fn morph_weights(nodes: &NodeTree, node: NodeIndex, mesh: &Mesh, clips: &[Clip], pose: &Pose) -> Vec<f32> {
    let by_hand = pose.morph_weights.get(&node).cloned();
    let by_clip = || {
        let moment = pose.clip?;
        clip_morph_weights(clips.get(moment.clip.idx())?, moment.time_s, node)
    };
    let mut weights = by_hand
        .or_else(by_clip)
        .or_else(|| nodes.node(node).morph_weights.clone())
        .unwrap_or_else(|| mesh.morph_weights.clone());
    weights.resize(mesh.morph_targets.len(), 0.0);
    weights
}

/// Adds the mesh's morph targets by `weights`; `None` if all are 0 and the raw vertices hold as they are. Weights that
/// are not finite count as 0. `[n_morph_targets]`
pub fn morphed(mesh: &Mesh, weights: &[f32]) -> Option<Morphed> {
    let active = || mesh.morph_targets.iter().zip(weights).filter(|&(_, &weight)| weight != 0.0 && weight.is_finite());
    active().next()?;
    let mut positions = mesh.positions.clone();
    let mut normals = mesh.normals.clone();
    for (target, &weight) in active() {
        for (&vertex, &delta) in target.vertices.iter().zip(&target.positions) {
            if let Some(position) = positions.get_mut(vertex.idx()) {
                *position += delta * weight;
            }
        }
        for (&vertex, &delta) in target.vertices.iter().zip(&target.normals) {
            if let Some(normal) = normals.get_mut(vertex.idx()) {
                *normal += delta * weight;
            }
        }
    }
    for vertex in active().flat_map(|(target, _)| &target.vertices) {
        if let (Some(normal), Some(&raw)) = (normals.get_mut(vertex.idx()), mesh.normals.get(vertex.idx())) {
            *normal = normal.try_normalize().unwrap_or(raw);
        }
    }
    Some(Morphed { positions, normals })
}

#[cfg(test)]
mod tests {
    use sinew_model::{
        Channel, ClipIndex, ClipTime, Interpolation, LocalTransform, MorphTarget, Node, Revision, Track, VertexIndex,
        WeightTable,
    };

    use super::*;

    fn mesh() -> Mesh {
        let target = |vertex: u32, delta: Vec3, normal: Vec3| MorphTarget {
            name: None,
            vertices: vec![VertexIndex(vertex)],
            positions: vec![delta],
            normals: vec![normal],
        };
        Mesh {
            name: None,
            pools: Vec::new(),
            primitives: Vec::new(),
            positions: vec![Vec3::ZERO, Vec3::X],
            normals: vec![Vec3::Z; 2],
            texcoords: Vec::new(),
            morph_targets: vec![target(1, Vec3::Z, Vec3::ZERO), target(1, Vec3::Y, Vec3::X)],
            morph_weights: vec![1.0, 0.0],
            weights: WeightTable::new(2, 4),
            weights_revision: Revision(0),
        }
    }

    #[test]
    fn targets_are_added_to_positions_and_normals_stay_unit() {
        // B57
        let both = morphed(&mesh(), &[0.5, 1.0]).expect("something moves");
        assert_eq!(both.positions, [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.5)]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!((both.normals[1] - Vec3::new(half, 0.0, half)).length() < 1e-6);
        assert_eq!(both.normals[0], Vec3::Z);
    }

    #[test]
    fn without_weight_nothing_is_copied_and_a_lost_normal_keeps_its_raw_one() {
        assert_eq!(morphed(&mesh(), &[0.0, 0.0]), None);
        assert_eq!(morphed(&mesh(), &[f32::NAN, 0.0]), None);
        assert_eq!(morphed(&mesh(), &[]), None);
        let mut cancelling = mesh();
        cancelling.morph_targets[1].normals[0] = -Vec3::Z;
        assert_eq!(morphed(&cancelling, &[0.0, 1.0]).expect("moves").normals[1], Vec3::Z);
    }

    #[test]
    fn the_nearest_say_wins_hand_then_clip_then_node_then_mesh() {
        let mut node = Node {
            name: None,
            children: Vec::new(),
            rest: LocalTransform::IDENTITY,
            mesh: None,
            skin: None,
            morph_weights: None,
        };
        let at = NodeIndex(0);
        let plain = NodeTree::new(vec![node.clone()]).expect("a forest");
        node.morph_weights = Some(vec![0.25]);
        let weighted = NodeTree::new(vec![node]).expect("a forest");
        let track = Track::MorphWeights { n_targets: 2, weights: vec![0.5, 0.75] };
        let channel = Channel { node: at, times_s: vec![0.0], interpolation: Interpolation::Linear, track };
        let clips = [Clip { name: None, channels: vec![channel] }];

        let mut pose = Pose::rest();
        assert_eq!(morph_weights(&plain, at, &mesh(), &clips, &pose), [1.0, 0.0]);
        assert_eq!(morph_weights(&weighted, at, &mesh(), &clips, &pose), [0.25, 0.0]);
        pose.clip = Some(ClipTime { clip: ClipIndex(0), time_s: 0.0 });
        assert_eq!(morph_weights(&weighted, at, &mesh(), &clips, &pose), [0.5, 0.75]);
        pose.morph_weights.insert(at, vec![0.0, 0.0, 9.0]);
        assert_eq!(morph_weights(&weighted, at, &mesh(), &clips, &pose), [0.0, 0.0]);
    }
}
