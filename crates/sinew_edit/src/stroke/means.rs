//! One mean over all meshes under a dab: joint by joint, since each mesh counts its own slots.

use std::collections::BTreeMap;

use sinew_model::{Document, JointSlot, MeshIndex, NodeIndex, Row, RowRef};
use sinew_weights::{UNASSIGNED, mean_of_rows};

/// A mesh's part of it: the mean of its rows under the dab, and how much they count together.
pub(super) struct MeanPart {
    pub(super) mesh: MeshIndex,
    pub(super) mean: Row,
    pub(super) counts: f64,
}

/// The mean of the parts as a row of each mesh that is asked for: joints that a mesh does not have leave their share to the
/// others. `None` where nothing is left.
pub(super) struct SharedMean {
    /// `None` is the share that no joint has.
    by_joint: BTreeMap<Option<NodeIndex>, f64>,
    total: f64,
}

impl SharedMean {
    pub(super) fn of(document: &Document, parts: &[MeanPart]) -> Self {
        let mut by_joint: BTreeMap<Option<NodeIndex>, f64> = BTreeMap::new();
        for part in parts {
            for i in part.mean.influences() {
                let joint = document.joint_of(part.mesh, i.slot);
                if joint.is_some() || i.slot == UNASSIGNED {
                    *by_joint.entry(joint).or_default() += part.counts * f64::from(i.weight);
                }
            }
        }
        Self { by_joint, total: parts.iter().map(|part| part.counts).sum() }
    }

    pub(super) fn on(&self, document: &Document, mesh: MeshIndex) -> Option<Row> {
        let slot_of = |joint: Option<NodeIndex>| match joint {
            Some(joint) => document.slot_of(mesh, joint),
            None => Some(UNASSIGNED),
        };
        let here = self.by_joint.iter().filter_map(|(&joint, sum)| Some((slot_of(joint)?, (sum / self.total) as f32)));
        let mut here: Vec<(JointSlot, f32)> = here.collect();
        here.sort_unstable_by_key(|(slot, _)| *slot);
        let row: Row = here.into_iter().collect();
        Some(mean_of_rows([(RowRef::Long(row.influences()), 1.0)])).filter(|row| !row.is_empty())
    }
}
