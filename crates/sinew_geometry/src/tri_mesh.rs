//! A borrowed triangle mesh whose indices are known to be in range.

use glam::Vec3;
use thiserror::Error;

/// Why positions and triangles do not make a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TriMeshError {
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} uses vertex {vertex}, but there are only {n_vertices} vertices")]
    VertexOutOfRange {
        /// Which triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        n_vertices: usize,
    },
    /// More vertices or triangle corners than `u32` can number.
    #[error("{found} {what} are more than can be numbered ({limit})")]
    TooMany {
        /// "vertices" or "triangles".
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
}

/// Positions and triangles, borrowed; every index is in range. Cheap to copy.
///
/// Triangles may be degenerate (equal corners, no area, NaN positions).
#[derive(Clone, Copy, Debug)]
pub struct TriMeshRef<'a> {
    positions: &'a [Vec3],
    triangles: &'a [[u32; 3]],
}

impl<'a> TriMeshRef<'a> {
    /// Most triangles a mesh may have: corners are numbered `3 * triangle + corner` in a `u32`.
    pub const MAX_TRIANGLES: usize = (u32::MAX / 3) as usize - 1;

    /// Checks that each of `triangles` (`[n_triangles]`) names vertices of `positions` (`[n_vertices]`).
    pub fn new(positions: &'a [Vec3], triangles: &'a [[u32; 3]]) -> Result<Self, TriMeshError> {
        let n_vertices = positions.len();
        let too_many = |what, found, limit| TriMeshError::TooMany { what, found, limit };
        if n_vertices >= u32::MAX as usize {
            return Err(too_many("vertices", n_vertices, u32::MAX as usize - 1));
        }
        if triangles.len() > Self::MAX_TRIANGLES {
            return Err(too_many("triangles", triangles.len(), Self::MAX_TRIANGLES));
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= n_vertices) {
                return Err(TriMeshError::VertexOutOfRange { triangle, vertex, n_vertices });
            }
        }
        Ok(Self { positions, triangles })
    }

    /// `[n_vertices]`.
    pub fn positions(self) -> &'a [Vec3] {
        self.positions
    }

    /// `[n_triangles]`, vertex numbers.
    pub fn triangles(self) -> &'a [[u32; 3]] {
        self.triangles
    }

    /// Corner positions of one triangle.
    pub fn corners(self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.positions[v as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_out_of_range_is_named() {
        let positions = [Vec3::ZERO; 3];
        let error = TriMeshRef::new(&positions, &[[0, 1, 2], [0, 3, 1]]).expect_err("3 is out");
        assert_eq!(error, TriMeshError::VertexOutOfRange { triangle: 1, vertex: 3, n_vertices: 3 });
    }
}
