//! Rows that lacked weight when the file was opened: they may stay so. Those that edits left so must be settled.

use std::collections::BTreeMap;

use rayon::prelude::*;
use sinew_model::{Document, MeshIndex, Row, UNWEIGHTED_SUM, VertexIndex, VertexSet, WeightCensus};
use sinew_weights::unassigned_share;

/// The rows of the opened file that do not sum to 1. They are few; those without weight may be all.
#[derive(Default)]
pub(super) struct Came {
    /// By mesh of the file.
    by_mesh: BTreeMap<MeshIndex, OfMesh>,
}

#[derive(Default)]
struct OfMesh {
    unweighted: VertexSet,
    /// Rising by vertex.
    partly: Vec<(VertexIndex, Row)>,
}

impl Came {
    /// Looks at a document before the first edit.
    pub(super) fn of(document: &Document) -> Self {
        let meshes = document.skinned_meshes().into_iter();
        Self { by_mesh: meshes.map(|mesh| (mesh, OfMesh::of(document, mesh))).collect() }
    }

    /// Parts what edits left open from what came so: in the census the one is unassigned and not off-sum.
    pub(super) fn part(&self, document: &Document, mesh: MeshIndex, census: &mut WeightCensus) {
        let nothing = OfMesh::default();
        let came = self.by_mesh.get(&document.file_mesh(mesh)).unwrap_or(&nothing);
        let weights = &document.mesh(mesh).weights;
        let row = |vertex: VertexIndex| weights.get(vertex);
        let is_ours =
            |vertex: VertexIndex| unassigned_share(&row(vertex)) > 0.0 && !came.is_as_came(vertex, &row(vertex));
        let (mut ours, off_sum): (Vec<_>, Vec<_>) = census.off_sum.iter().partition(|&&vertex| is_ours(vertex));
        if !ours.is_empty() {
            census.off_sum = off_sum;
            let off = |vertex: &VertexIndex| (row(*vertex).sum_f64() - 1.0).abs() as f32;
            census.worst_off_sum = census.off_sum.iter().map(off).fold(0.0, f32::max);
        }
        ours.extend(census.unweighted.iter().filter(|&&vertex| !came.unweighted.contains(vertex)));
        ours.sort_unstable();
        census.unassigned = ours;
    }
}

impl OfMesh {
    fn of(document: &Document, mesh: MeshIndex) -> Self {
        let mesh = document.mesh(mesh);
        let mut found = Self::default();
        for pool in mesh.pools.iter().filter(|pool| pool.skinned) {
            let vertices = (pool.first..pool.first + pool.count).into_par_iter().with_min_len(4096).map(VertexIndex);
            let off = vertices.filter_map(|vertex| {
                let sum = mesh.weights.row(vertex).sum();
                // Roughly: what is nearer to 1 than any row may be is of no interest.
                ((sum - 1.0).abs() > Row::sum_tolerance(1) || sum.is_nan()).then_some((vertex, sum))
            });
            let off: Vec<(VertexIndex, f32)> = off.collect();
            for (vertex, sum) in off {
                if sum < UNWEIGHTED_SUM {
                    found.unweighted.insert(vertex);
                } else {
                    found.partly.push((vertex, mesh.weights.get(vertex)));
                }
            }
        }
        found
    }

    fn is_as_came(&self, vertex: VertexIndex, row: &Row) -> bool {
        let place = self.partly.binary_search_by_key(&vertex, |(vertex, _)| *vertex);
        place.is_ok_and(|place| self.partly[place].1.same_influences(row))
    }
}
