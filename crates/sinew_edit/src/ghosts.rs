//! Where each joint alone would take a vertex: what a blend is a blend of.

use glam::Vec3;
use sinew_deform::Palette;
use sinew_model::{NodeIndex, VertexIndex};

use crate::editor::Editor;

/// A vertex as one of its joints alone would have it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ghost {
    /// The joint.
    pub joint: NodeIndex,
    /// Its weight.
    pub weight: f32,
    /// Where it would take the vertex, scene space.
    pub point: Vec3,
}

/// The ghosts of a vertex in the session's pose, the heaviest first; none where it has no weight or there is no skin.
pub fn ghosts(editor: &mut Editor, instance_idx: usize, vertex: VertexIndex) -> Vec<Ghost> {
    let scene_from_node = editor.scene_from_node().to_vec();
    let document = editor.document();
    let instance = document.instances()[instance_idx];
    let Some(skin) = instance.skin.map(|skin| document.skin(skin)) else { return Vec::new() };
    let mesh = document.mesh(instance.mesh);
    let Some(&rest) = mesh.positions.get(vertex.idx()) else { return Vec::new() };
    let morphs =
        sinew_rig::morph_weights(document.nodes(), instance.node, mesh, document.clips(), &editor.session.pose);
    let raw = sinew_rig::morphed(mesh, &morphs).map_or(rest, |morphed| morphed.positions[vertex.idx()]);
    let palette = Palette::new(skin, &scene_from_node, instance.node);
    let row = mesh.weights.get(vertex);
    let mut ghosts: Vec<Ghost> = row
        .influences()
        .iter()
        .filter(|influence| influence.weight > 0.0 && influence.slot.idx() < palette.n_joints())
        .filter_map(|influence| {
            let rows = palette.rows()[influence.slot.idx()];
            let point = Vec3::from_array(rows.map(|row| row.dot(raw.extend(1.0))));
            Some(Ghost { joint: skin.joint(influence.slot)?, weight: influence.weight, point })
        })
        .collect();
    ghosts.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    ghosts
}
