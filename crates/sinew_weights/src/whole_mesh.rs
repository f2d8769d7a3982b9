//! Running a verb over all rows of a mesh.

use rayon::prelude::*;
use sinew_model::{Mesh, Row, RowList, RowRef, VertexIndex};

/// What a verb made of one row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowOutcome {
    /// The new row. It satisfies [`Row::check`].
    Changed(Row),
    /// Nothing to do.
    Unchanged,
    /// The row has no weight to work with; it stays.
    Unweighted,
    /// Held weights leave no valid result; the row stays.
    Blocked,
}

/// What a verb made of a mesh.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeshChanges {
    /// Changed rows, vertices rising.
    pub rows: RowList,
    /// Influences that the changed rows have fewer than before, in all.
    pub n_removed: usize,
    /// Vertices without weight, rising.
    pub unweighted: Vec<VertexIndex>,
    /// Vertices that locks keep from a valid result, rising.
    pub blocked: Vec<VertexIndex>,
}

/// Vertices that one thread looks at in one go.
const CHUNK: u32 = 16 * 1024;

/// Runs `verb` on the rows of all skinned pools that `may_concern` picks. That first look must be cheap and must not
/// miss a row on which the verb does something: most meshes need few changes.
pub(crate) fn run(
    mesh: &Mesh,
    may_concern: impl Fn(RowRef<'_>) -> bool + Sync,
    verb: impl Fn(RowRef<'_>) -> RowOutcome + Sync,
) -> MeshChanges {
    let mut chunks = Vec::new();
    for pool in mesh.pools.iter().filter(|pool| pool.skinned) {
        let end = pool.first + pool.count;
        chunks
            .extend((pool.first..end).step_by(CHUNK as usize).map(|first| first..end.min(first.saturating_add(CHUNK))));
    }
    let concerned: Vec<Vec<VertexIndex>> = chunks
        .into_par_iter()
        .map(|chunk| chunk.map(VertexIndex).filter(|&vertex| may_concern(mesh.weights.row(vertex))).collect())
        .collect();
    // Written in place and in order, with a word on each; only exceptions are sorted out afterwards.
    let (rows, kinds) = RowList::made(concerned.concat(), mesh.weights.stride(), |_, vertex| {
        let before = mesh.weights.row(vertex);
        match verb(before) {
            RowOutcome::Changed(row) => {
                let n_removed = before.len().saturating_sub(row.len());
                (row, Kind::Changed { n_removed: n_removed.min(u16::MAX as usize) as u16 })
            }
            RowOutcome::Unchanged => (Row::new(), Kind::Unchanged),
            RowOutcome::Unweighted => (Row::new(), Kind::Unweighted),
            RowOutcome::Blocked => (Row::new(), Kind::Blocked),
        }
    });
    let mut changes = MeshChanges { rows, ..MeshChanges::default() };
    let mut n_changed = 0;
    for (&vertex, kind) in changes.rows.vertices().iter().zip(&kinds) {
        match kind {
            Kind::Changed { n_removed } => {
                changes.n_removed += *n_removed as usize;
                n_changed += 1;
            }
            Kind::Unchanged => {}
            Kind::Unweighted => changes.unweighted.push(vertex),
            Kind::Blocked => changes.blocked.push(vertex),
        }
    }
    if n_changed < kinds.len() {
        changes.rows.retain(|place, _, _| matches!(kinds[place], Kind::Changed { .. }));
    }
    changes
}

#[derive(Clone, Copy, Default)]
enum Kind {
    Changed {
        n_removed: u16,
    },
    #[default]
    Unchanged,
    Unweighted,
    Blocked,
}

#[cfg(test)]
pub(crate) mod tests {
    use glam::{Vec2, Vec3};
    use sinew_model::{JointSlot, Revision, VertexPool, WeightTable};

    use super::*;

    /// A mesh of one skinned pool with these rows.
    pub(crate) fn mesh_of(rows: &[Row]) -> Mesh {
        let n = rows.len();
        let mut weights = WeightTable::new(n, 4);
        for (v, row) in rows.iter().enumerate() {
            weights.set(VertexIndex::from_idx(v), row);
        }
        Mesh {
            name: None,
            pools: vec![VertexPool { first: 0, count: n as u32, skinned: true, has_normals: false }],
            primitives: Vec::new(),
            positions: vec![Vec3::ZERO; n],
            normals: vec![Vec3::Z; n],
            texcoords: vec![Vec2::ZERO; n],
            morph_targets: Vec::new(),
            morph_weights: Vec::new(),
            weights,
            weights_revision: Revision(0),
        }
    }

    #[test]
    fn vertices_of_pools_without_skin_are_neither_changed_nor_listed() {
        let mut mesh = mesh_of(&[Row::new(), Row::rigid(JointSlot(0)), Row::new()]);
        mesh.pools = vec![
            VertexPool { first: 0, count: 2, skinned: true, has_normals: false },
            VertexPool { first: 2, count: 1, skinned: false, has_normals: false },
        ];
        let changes =
            run(&mesh, |_| true, |row| if row.is_empty() { RowOutcome::Unweighted } else { RowOutcome::Unchanged });
        assert_eq!(changes, MeshChanges { unweighted: vec![VertexIndex(0)], ..MeshChanges::default() });
    }
}
