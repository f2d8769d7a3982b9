//! What is marked on a mesh's vertices: selected, masked, hidden. And the joint pairs made by hand.
//!
//! All of it is undone like weights. Only masks and pairs are kept beside the model. Boundary: values and revisions; that
//! weld groups are marked as one is the editor's business.

use super::{Document, Revision};
use crate::ids::{MeshIndex, VertexIndex};
use crate::joint_pairs::JointPairs;
use crate::vertex_mask::VertexMask;
use crate::vertex_set::VertexSet;

/// What is marked on one mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    selection: VertexSet,
    selection_revision: Revision,
    mask: VertexMask,
    mask_revision: Revision,
    hidden: VertexSet,
    hidden_revision: Revision,
}

impl Document {
    /// The selected vertices of a mesh.
    pub fn selection(&self, mesh: MeshIndex) -> &VertexSet {
        &self.marks[mesh.idx()].selection
    }

    /// Changes whenever the mesh's selection does.
    pub fn selection_revision(&self, mesh: MeshIndex) -> Revision {
        self.marks[mesh.idx()].selection_revision
    }

    /// How much of a change each vertex of a mesh takes.
    pub fn mask(&self, mesh: MeshIndex) -> &VertexMask {
        &self.marks[mesh.idx()].mask
    }

    /// Changes whenever the mesh's mask does.
    pub fn mask_revision(&self, mesh: MeshIndex) -> Revision {
        self.marks[mesh.idx()].mask_revision
    }

    /// The hidden vertices of a mesh: they are not shown and never change.
    pub fn hidden(&self, mesh: MeshIndex) -> &VertexSet {
        &self.marks[mesh.idx()].hidden
    }

    /// Changes whenever the mesh's hidden vertices do.
    pub fn hidden_revision(&self, mesh: MeshIndex) -> Revision {
        self.marks[mesh.idx()].hidden_revision
    }

    /// Joint pairs made by hand.
    pub fn joint_pairs(&self) -> &JointPairs {
        &self.joint_pairs
    }

    /// Changes whenever the pairs made by hand do.
    pub fn joint_pairs_revision(&self) -> Revision {
        self.joint_pairs_revision
    }

    /// Exchanges the selection of a mesh: do and undo are the same call.
    pub fn swap_selection(&mut self, mesh: MeshIndex, selection: &mut VertexSet) {
        let revision = self.bump();
        let marks = &mut self.marks[mesh.idx()];
        std::mem::swap(&mut marks.selection, selection);
        marks.selection_revision = revision;
    }

    /// Exchanges mask values of a mesh, each vertex once: do and undo are the same call.
    pub fn swap_mask(&mut self, mesh: MeshIndex, values: &mut [(VertexIndex, f32)]) {
        let revision = self.bump();
        let marks = &mut self.marks[mesh.idx()];
        for (vertex, value) in values {
            *value = marks.mask.set(*vertex, *value);
        }
        marks.mask_revision = revision;
    }

    /// Exchanges the hidden vertices of a mesh: do and undo are the same call.
    pub fn swap_hidden(&mut self, mesh: MeshIndex, hidden: &mut VertexSet) {
        let revision = self.bump();
        let marks = &mut self.marks[mesh.idx()];
        std::mem::swap(&mut marks.hidden, hidden);
        marks.hidden_revision = revision;
    }

    /// Exchanges the joint pairs made by hand: do and undo are the same call.
    pub fn swap_joint_pairs(&mut self, pairs: &mut JointPairs) {
        self.joint_pairs_revision = self.bump();
        std::mem::swap(&mut self.joint_pairs, pairs);
    }
}

impl Marks {
    /// The marks of a copy of the mesh: whatever it does, no two meshes have the same revision.
    pub(super) fn copied(&self, revision: Revision) -> Self {
        let (selection_revision, mask_revision, hidden_revision) = (revision, revision, revision);
        Self { selection_revision, mask_revision, hidden_revision, ..self.clone() }
    }
}
