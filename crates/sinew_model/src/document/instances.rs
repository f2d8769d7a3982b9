//! Nodes that show a mesh, as a person sees them: what they are called, and what a part without a skin hangs from.

use super::Document;
use crate::ids::{MeshIndex, NodeIndex};

impl Document {
    /// What a person calls an instance: its node's name, which is what other programs list; else its mesh's.
    pub fn instance_label(&self, instance_idx: usize) -> String {
        let instance = self.instances[instance_idx];
        match self.nodes.node(instance.node).name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => self.mesh(instance.mesh).label(instance.mesh),
        }
    }

    /// What a person calls a mesh: the name of the one node that shows it, else its own. Scripts have its own.
    pub fn mesh_label(&self, mesh: MeshIndex) -> String {
        let mut shown = self.instances.iter().enumerate().filter(|(_, instance)| instance.mesh == mesh);
        match (shown.next(), shown.next()) {
            (Some((instance_idx, _)), None) => self.instance_label(instance_idx),
            _ => self.mesh(mesh).label(mesh),
        }
    }

    /// Whether an instance is a rigid part: no weights move it, only its node.
    pub fn is_rigid(&self, instance_idx: usize) -> bool {
        let instance = self.instances[instance_idx];
        instance.skin.is_none() || !self.mesh(instance.mesh).is_skinned()
    }

    /// The joint that moves a node: itself, or the nearest above it.
    pub fn joint_above(&self, node: NodeIndex) -> Option<NodeIndex> {
        std::iter::successors(Some(node), |&node| self.nodes.parent(node)).find(|&node| self.is_joint(node))
    }
}
