//! Nodes: names, children, rest transforms.

use glam::{DAffine3, DMat4, DQuat, DVec3};
use sinew_model::{LocalTransform, MeshIndex, Node, NodeIndex, SkinIndex};

use crate::json::{Json, JsonError};

/// Reads all nodes. Whether they form a forest is checked by `NodeTree::new`.
pub(super) fn read(root: Json<'_>, n_meshes: usize, n_skins: usize) -> Result<Vec<Node>, JsonError> {
    let n_nodes = root.list_len("nodes")?;
    root.list("nodes")?.map(|json| read_node(json, n_nodes, n_meshes, n_skins)).collect()
}

fn read_node(json: Json<'_>, n_nodes: usize, n_meshes: usize, n_skins: usize) -> Result<Node, JsonError> {
    json.object()?;
    let children = json.list("children")?.map(|child| child.as_index(n_nodes).map(NodeIndex));
    let weights = json.list("weights")?.map(|weight| weight.as_number().map(|weight| weight as f32));
    let morph_weights = json.get("weights").map(|_| weights.collect::<Result<_, _>>()).transpose()?;
    Ok(Node {
        name: json.text("name")?.map(str::to_owned),
        children: children.collect::<Result<_, _>>()?,
        rest: read_rest(json)?,
        mesh: json.index("mesh", n_meshes)?.map(MeshIndex),
        skin: json.index("skin", n_skins)?.map(SkinIndex),
        morph_weights,
    })
}

fn read_rest(json: Json<'_>) -> Result<LocalTransform, JsonError> {
    if let Some(matrix) = json.numbers::<16>("matrix")? {
        return Ok(LocalTransform::from_affine(DAffine3::from_mat4(DMat4::from_cols_array(&matrix))));
    }
    let translation = json.numbers("translation")?.map_or(DVec3::ZERO, DVec3::from_array);
    let rotation = json.numbers("rotation")?.map_or(DQuat::IDENTITY, DQuat::from_array);
    let scale = json.numbers("scale")?.map_or(DVec3::ONE, DVec3::from_array);
    Ok(LocalTransform::from_trs(translation, rotation, scale))
}
