//! What to draw a vertex with that has no weight: the joints of the nearest weighted vertex.

use std::collections::BTreeMap;

use sinew_geometry::PointIndex;

use crate::ids::VertexIndex;
use crate::mesh::Mesh;
use crate::row::UNWEIGHTED_SUM;

/// For each unweighted vertex of a mesh the weighted vertex whose row it borrows in views.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StandIns(BTreeMap<VertexIndex, VertexIndex>);

impl StandIns {
    /// Finds, for each unweighted vertex, the nearest weighted one by raw position (ties: the lower number).
    /// Without any weighted vertex there is nothing to borrow and the result is empty.
    pub fn of(mesh: &Mesh) -> Self {
        let mut weighted = Vec::new();
        let mut unweighted = Vec::new();
        for pool in mesh.pools.iter().filter(|pool| pool.skinned) {
            for v in pool.first..pool.first + pool.count {
                let has_weight = mesh.weights.row(VertexIndex(v)).sum() >= UNWEIGHTED_SUM;
                if has_weight { &mut weighted } else { &mut unweighted }.push(v);
            }
        }
        if unweighted.is_empty() || weighted.is_empty() {
            return Self::default();
        }
        let index = PointIndex::from_points(weighted.iter().map(|&v| (v, mesh.positions[v as usize])));
        let nearest = unweighted.into_iter().filter_map(|v| {
            let lender = index.nearest(mesh.positions[v as usize])?;
            Some((VertexIndex(v), VertexIndex(lender)))
        });
        Self(nearest.collect())
    }

    /// The vertex whose row an unweighted vertex borrows.
    pub fn get(&self, vertex: VertexIndex) -> Option<VertexIndex> {
        self.0.get(&vertex).copied()
    }

    /// Whether no vertex borrows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All borrowing vertices with their lenders, rising.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (VertexIndex, VertexIndex)> + '_ {
        self.0.iter().map(|(&vertex, &lender)| (vertex, lender))
    }
}
