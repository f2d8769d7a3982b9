//! Meshes that an edit added: a node's own copy of a mesh that other nodes show too.
//!
//! Copies stand behind the file's meshes, in the order in which they were made, so no mesh ever gets another number.
//! Boundary: who shows which mesh; what a copy's rows are is decided by later edits.

use super::Document;
use crate::ids::{MeshIndex, NodeIndex};

/// A mesh of a node's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeshCopy {
    /// The copy.
    pub mesh: MeshIndex,
    /// The mesh of the file that it was made from.
    pub original: MeshIndex,
    /// The node that shows it; nobody else does.
    pub node: NodeIndex,
}

impl Document {
    /// The meshes that edits added, in the order of their numbers.
    pub fn mesh_copies(&self) -> &[MeshCopy] {
        &self.copies
    }

    /// The mesh of the file that a mesh's vertices came from: itself, unless it is a copy.
    pub fn file_mesh(&self, mesh: MeshIndex) -> MeshIndex {
        self.copies.iter().find(|copy| copy.mesh == mesh).map_or(mesh, |copy| copy.original)
    }

    /// The nodes that show a mesh, rising.
    pub fn nodes_of(&self, mesh: MeshIndex) -> Vec<NodeIndex> {
        self.instances.iter().filter(|instance| instance.mesh == mesh).map(|instance| instance.node).collect()
    }

    /// Gives a node a copy of the mesh that it shows (`true`), or the original back (`false`); returns how it was. The
    /// copy has the rows and marks that the original has now and a name of its own. Nothing happens where the node shows no mesh,
    /// is the only one to show it, or has a copy that is not the last mesh.
    pub fn set_own_mesh(&mut self, node: NodeIndex, owns: bool) -> bool {
        let copy = self.copies.iter().copied().find(|copy| copy.node == node);
        match (copy, owns) {
            (None, true) => self.add_copy(node),
            (Some(copy), false) if copy.mesh.idx() + 1 == self.meshes.len() => {
                self.copies.pop();
                self.meshes.pop();
                self.n_slots.pop();
                self.marks.pop();
                self.show(node, copy.original);
            }
            _ => {}
        }
        copy.is_some()
    }

    fn add_copy(&mut self, node: NodeIndex) {
        let Some(original) = self.nodes.node(node).mesh.filter(|&mesh| self.nodes_of(mesh).len() > 1) else { return };
        let mesh = MeshIndex::from_idx(self.meshes.len());
        let mut copy = self.mesh(original).clone();
        copy.name = copy.name.filter(|name| !name.is_empty()).map(|name| self.free_mesh_name(&name));
        copy.weights_revision = self.bump();
        self.meshes.push(copy);
        self.n_slots.push(self.n_slots[original.idx()]);
        let marks = self.marks[original.idx()].copied(self.last_revision);
        self.marks.push(marks);
        self.copies.push(MeshCopy { mesh, original, node });
        self.show(node, mesh);
    }

    fn show(&mut self, node: NodeIndex, mesh: MeshIndex) {
        self.nodes.set_mesh(node, mesh);
        for instance in self.instances.iter_mut().filter(|instance| instance.node == node) {
            instance.mesh = mesh;
        }
    }

    /// `Body (2)` for `Body`, or the next number that no mesh's name has: a script must be able to tell them apart.
    fn free_mesh_name(&self, name: &str) -> String {
        let is_free = |name: &String| !self.meshes.iter().any(|mesh| mesh.name.as_deref() == Some(name));
        let mut names = (2_usize..).map(|n| format!("{name} ({n})"));
        // One more than there are meshes: one of them is free.
        names.find(is_free).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;
    use crate::document::DocumentParts;
    use crate::ids::{JointSlot, SkinIndex, VertexIndex};
    use crate::nodes::{Node, NodeTree};
    use crate::row::Row;
    use crate::skin::Skin;
    use crate::transform::LocalTransform;
    use crate::weight_table::WeightTable;
    use crate::{Mesh, Revision, VertexPool};

    /// Nodes 0 and 1 are joints; 2 and 3 show mesh 0, 2 under both joints and 3 under one.
    fn two_users() -> Document {
        let node = |mesh, skin| Node {
            name: None,
            children: Vec::new(),
            rest: LocalTransform::IDENTITY,
            mesh,
            skin,
            morph_weights: None,
        };
        let nodes = vec![
            node(None, None),
            node(None, None),
            node(Some(MeshIndex(0)), Some(SkinIndex(0))),
            node(Some(MeshIndex(0)), Some(SkinIndex(1))),
        ];
        let skin = |s, joints: &[u32]| {
            let joints = joints.iter().map(|&joint| NodeIndex(joint)).collect();
            Skin::new(SkinIndex(s), None, joints, None, 4).expect("a skin")
        };
        let mut weights = WeightTable::new(1, 4);
        weights.set(VertexIndex(0), &Row::from_iter([(JointSlot(0), 0.25), (JointSlot(1), 0.75)]));
        let mesh = Mesh {
            name: Some("Body".to_owned()),
            pools: vec![VertexPool { first: 0, count: 1, skinned: true, has_normals: true }],
            primitives: Vec::new(),
            positions: vec![Vec3::ZERO],
            normals: vec![Vec3::Z],
            texcoords: vec![Vec2::ZERO],
            morph_targets: Vec::new(),
            morph_weights: Vec::new(),
            weights,
            weights_revision: Revision::default(),
        };
        let other = Mesh { name: Some("Body (2)".to_owned()), ..mesh.clone() };
        Document::new(DocumentParts {
            nodes: NodeTree::new(nodes).expect("a forest"),
            skins: vec![skin(0, &[0, 1]), skin(1, &[0])],
            meshes: vec![mesh, other],
            ..DocumentParts::default()
        })
        .expect("a document")
    }

    #[test]
    fn a_copy_stands_at_the_end_has_a_free_name_and_goes_again() {
        // B37
        let mut document = two_users();
        assert!(!document.set_own_mesh(NodeIndex(3), true));
        let copy = MeshCopy { mesh: MeshIndex(2), original: MeshIndex(0), node: NodeIndex(3) };
        assert_eq!(document.mesh_copies(), [copy]);
        assert_eq!(document.mesh(MeshIndex(2)).name.as_deref(), Some("Body (3)"));
        let shown: Vec<u32> = document.instances().iter().map(|instance| instance.mesh.0).collect();
        assert_eq!(shown, [0, 2], "the other node keeps its number");
        assert_eq!(document.nodes().node(NodeIndex(3)).mesh, Some(MeshIndex(2)));
        assert_ne!(document.mesh(MeshIndex(2)).weights_revision, document.mesh(MeshIndex(0)).weights_revision);

        assert!(document.set_own_mesh(NodeIndex(3), false));
        assert_eq!((document.meshes().len(), document.mesh_copies().len()), (2, 0));
        assert_eq!(document.nodes_of(MeshIndex(0)), [NodeIndex(2), NodeIndex(3)]);
    }

    #[test]
    fn rows_may_name_the_same_slots_before_and_after_whoever_shows_the_mesh() {
        // The copy stands under the skin of one joint, yet its rows hold two.
        let mut document = two_users();
        document.set_own_mesh(NodeIndex(3), true);
        assert_eq!((document.n_slots(MeshIndex(0)), document.n_slots(MeshIndex(2))), (2, 2));
        assert_eq!(document.locked_slots(MeshIndex(2)).len(), 2);
        assert_eq!(document.joint_of(MeshIndex(2), JointSlot(1)), None);
    }

    #[test]
    fn the_only_user_of_a_mesh_and_a_node_without_one_get_no_copy() {
        let mut document = two_users();
        document.set_own_mesh(NodeIndex(0), true);
        assert_eq!(document.mesh_copies().len(), 0, "it shows no mesh");
        document.set_own_mesh(NodeIndex(3), true);
        document.set_own_mesh(NodeIndex(2), true);
        assert_eq!(document.mesh_copies().len(), 1, "nobody else shows the original any more");
    }
}
