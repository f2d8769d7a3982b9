//! The few reversible edits. Everything that changes a document goes through one of these.

use sinew_model::{Budget, Document, JointPairs, MeshIndex, NodeIndex, RowList, VertexIndex, VertexSet};

/// A change of the document. [`Edit::apply`] swaps values, so the edit becomes its own inverse.
#[derive(Clone, PartialEq, Debug)]
pub enum Edit {
    /// Weight rows of a mesh, each vertex once.
    Rows {
        /// The mesh.
        mesh: MeshIndex,
        /// The rows to put in place of what is there.
        rows: RowList,
    },
    /// A joint's lock.
    Lock {
        /// The joint.
        joint: NodeIndex,
        /// Whether it is to be locked.
        locked: bool,
    },
    /// The influence budget.
    Budget(Budget),
    /// Whether a node shows a copy of its own of a mesh that other nodes show too. The copy stands at the end of the
    /// meshes and has the rows of the original, so only the last copy can be taken back: the history sees to that.
    OwnMesh {
        /// The node.
        node: NodeIndex,
        /// Whether it is to have a copy.
        owns: bool,
    },
    /// Which vertices of a mesh are selected.
    Selection {
        /// The mesh.
        mesh: MeshIndex,
        /// The selection to put in place of what is there.
        selection: VertexSet,
    },
    /// Which vertices of a mesh are hidden.
    Hidden {
        /// The mesh.
        mesh: MeshIndex,
        /// The set to put in place of what is there.
        hidden: VertexSet,
    },
    /// The mask of a mesh, each vertex once.
    Mask {
        /// The mesh.
        mesh: MeshIndex,
        /// The values to put in place of what is there.
        values: Vec<(VertexIndex, f32)>,
    },
    /// The joint pairs made by hand.
    Pairs(JointPairs),
}

impl Edit {
    /// Applies the edit and leaves in its place the one that undoes it.
    pub fn apply(&mut self, document: &mut Document) {
        match self {
            Self::Rows { mesh, rows } => document.swap_row_list(*mesh, rows),
            Self::Lock { joint, locked } => *locked = document.set_lock(*joint, *locked),
            Self::Budget(budget) => *budget = document.set_budget(*budget),
            Self::OwnMesh { node, owns } => *owns = document.set_own_mesh(*node, *owns),
            Self::Selection { mesh, selection } => document.swap_selection(*mesh, selection),
            Self::Hidden { mesh, hidden } => document.swap_hidden(*mesh, hidden),
            Self::Mask { mesh, values } => document.swap_mask(*mesh, values),
            Self::Pairs(pairs) => document.swap_joint_pairs(pairs),
        }
    }

    /// Whether the edit changes something that is saved, into the model or beside it. What is selected and hidden is not.
    pub fn is_saved(&self) -> bool {
        !matches!(self, Self::Selection { .. } | Self::Hidden { .. })
    }

    /// Memory that the edit holds, bytes.
    pub fn n_bytes(&self) -> usize {
        let own = size_of::<Self>();
        match self {
            Self::Rows { rows, .. } => own + rows.n_heap_bytes(),
            Self::Selection { selection: set, .. } | Self::Hidden { hidden: set, .. } => own + set.n_heap_bytes(),
            Self::Mask { values, .. } => own + values.capacity() * size_of::<(VertexIndex, f32)>(),
            Self::Lock { .. } | Self::Budget(_) | Self::OwnMesh { .. } | Self::Pairs(_) => own,
        }
    }
}
