//! Facts about a mesh's weights that are always shown: sums, budget, vertices without weight.

use crate::ids::VertexIndex;
use crate::mesh::Mesh;
use crate::row::{Row, UNWEIGHTED_SUM};

/// Which vertices of a mesh are unusual. Unskinned pools do not count.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct WeightCensus {
    /// Vertices whose rows were looked at.
    pub n_vertices: usize,
    /// Vertices whose weights sum to (almost) nothing, rising.
    pub unweighted: Vec<VertexIndex>,
    /// Vertices that have weight, but whose sum is not 1 within the tolerance, rising.
    pub off_sum: Vec<VertexIndex>,
    /// The largest distance of such a sum from 1.
    pub worst_off_sum: f32,
    /// Vertices that edits left with a share that no joint has, rising. Who knows how the rows came parts them from
    /// `off_sum`; here they are in there.
    pub unassigned: Vec<VertexIndex>,
    /// Vertices with more influences than the budget, rising.
    pub over_budget: Vec<VertexIndex>,
    /// The longest row.
    pub max_influences: usize,
}

impl WeightCensus {
    /// Looks at every row. `n_slots` is how many joints the mesh's skins list ([`crate::Document::n_slots`]).
    /// `tolerance` is how far from 1 a sum may be beyond [`Row::sum_tolerance`]: half a step for integer weights.
    pub fn of(mesh: &Mesh, max_influences: usize, tolerance: f32) -> Self {
        let mut census = Self::default();
        for pool in mesh.pools.iter().filter(|pool| pool.skinned) {
            census.n_vertices += pool.count as usize;
            for v in pool.first..pool.first + pool.count {
                census.count(VertexIndex(v), mesh, max_influences, tolerance);
            }
        }
        census
    }

    fn count(&mut self, vertex: VertexIndex, mesh: &Mesh, max_influences: usize, tolerance: f32) {
        let row = mesh.weights.row(vertex);
        let sum: f64 = (0..row.len()).map(|place| f64::from(row.at(place).weight)).sum();
        let off = (sum - 1.0).abs() as f32;
        self.max_influences = self.max_influences.max(row.len());
        if sum < f64::from(UNWEIGHTED_SUM) {
            self.unweighted.push(vertex);
        } else if off > tolerance + Row::sum_tolerance(row.len()) {
            self.off_sum.push(vertex);
            self.worst_off_sum = self.worst_off_sum.max(off);
        }
        if row.len() > max_influences {
            self.over_budget.push(vertex);
        }
    }
}
