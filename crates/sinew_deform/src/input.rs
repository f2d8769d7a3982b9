//! What a deformer needs of a mesh, checked once.

use glam::Vec3;
use sinew_model::{StandIns, VertexIndex, WeightTable};

use crate::palette::Palette;
use crate::row::CarefulRow;

/// The vertices of one mesh, ready to be posed. Raw space; cheap to make, so make it anew for every call.
#[derive(Clone, Copy, Debug)]
pub struct SkinInput<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    weights: &'a WeightTable,
    stand_ins: &'a StandIns,
    off_sum: OffSum,
}

/// What becomes of rows that do not sum to 1.
///
/// In both cases influences of joints past the skin's list, and of joints whose matrix is not finite, count as none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OffSum {
    /// For views. A row whose sum is further from 1 than [`sinew_model::Row::sum_tolerance`] is divided by its sum;
    /// rows within it are taken as they are, as an engine does. A row without weight, or with a weight that is not
    /// finite, is replaced by the row of the vertex's stand-in; without one the vertex stays with the instance's node,
    /// as an unskinned mesh does.
    #[default]
    Divide,
    /// As engines do: the plain weighted sum of what the file gives. A vertex without weight goes to the origin of
    /// scene space. Weights that are not finite count as none.
    Raw,
}

/// Why arrays cannot be posed together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SkinInputError {
    /// Per-vertex arrays of different lengths.
    #[error("{found} {what} for {expected} positions")]
    Length {
        /// Which array.
        what: &'static str,
        /// How many positions there are.
        expected: usize,
        /// How many entries were found.
        found: usize,
    },
}

impl<'a> SkinInput<'a> {
    /// Checks that the arrays belong together. Positions and normals are the mesh's raw ones, or what morph targets
    /// made of them. `[n_vertices]` each
    pub fn new(
        positions: &'a [Vec3],
        normals: &'a [Vec3],
        weights: &'a WeightTable,
        stand_ins: &'a StandIns,
        off_sum: OffSum,
    ) -> Result<Self, SkinInputError> {
        let expected = positions.len();
        for (what, found) in [("normals", normals.len()), ("weight rows", weights.n_vertices())] {
            if found != expected {
                return Err(SkinInputError::Length { what, expected, found });
            }
        }
        Ok(Self { positions, normals, weights, stand_ins, off_sum })
    }

    /// How many vertices there are.
    pub fn n_vertices(&self) -> usize {
        self.positions.len()
    }

    /// Raw positions. `[n_vertices]`
    pub fn positions(&self) -> &'a [Vec3] {
        self.positions
    }

    /// Raw unit normals. `[n_vertices]`
    pub fn normals(&self) -> &'a [Vec3] {
        self.normals
    }

    /// Weight rows. `[n_vertices]`
    pub fn weights(&self) -> &'a WeightTable {
        self.weights
    }

    /// Whose rows unweighted vertices borrow.
    pub fn stand_ins(&self) -> &'a StandIns {
        self.stand_ins
    }

    /// Visits what moves a vertex, as deformers see it: position in [`Palette::rows`] (rising) and weight, after
    /// stand-ins and division. For skinning elsewhere, on a GPU.
    pub fn for_each_share(&self, palette: &Palette, vertex: VertexIndex, mut visit: impl FnMut(usize, f32)) {
        if vertex.idx() < self.n_vertices() {
            CarefulRow::of(self, palette, vertex.idx())
                .shares()
                .iter()
                .for_each(|share| visit(share.at(), share.weight()));
        }
    }

    /// What becomes of rows that do not sum to 1.
    pub fn off_sum(&self) -> OffSum {
        self.off_sum
    }
}
