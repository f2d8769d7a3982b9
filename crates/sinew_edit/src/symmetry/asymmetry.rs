//! How far weights are from their mirror image. The search works on a copy of the rows, so that it can be on another
//! thread while somebody goes on painting.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use sinew_model::{Document, Influence, MeshIndex, RowRef, VertexIndex, VertexSet, WeightTable};

use super::{SlotMirror, Symmetry};
use crate::surface::MeshSurface;

/// How far a mesh's weights are from their mirror image.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Asymmetry {
    /// For each vertex the greatest difference of a weight from the mirrored joint's on the twin; 0 without a twin.
    /// `[n_vertices]`
    pub differences: Vec<f32>,
    /// The greatest of all.
    pub greatest: f32,
    /// Vertices without a twin.
    pub unmatched: VertexSet,
}

/// Everything that the asymmetry of all skinned meshes is found from.
pub struct AsymmetryWork {
    symmetry: Arc<Symmetry>,
    meshes: BTreeMap<MeshIndex, Rows>,
    /// By the twin's mesh and the mesh itself.
    slots: BTreeMap<(MeshIndex, MeshIndex), SlotMirror>,
}

/// One mesh's rows, as they were.
struct Rows {
    surface: Arc<MeshSurface>,
    weights: WeightTable,
    /// Vertices that have rows: from the first to before the last.
    paintable: Vec<(u32, u32)>,
}

impl AsymmetryWork {
    pub(super) fn new(
        document: &Document,
        symmetry: Arc<Symmetry>,
        surfaces: BTreeMap<MeshIndex, Arc<MeshSurface>>,
    ) -> Self {
        let all: Vec<MeshIndex> = surfaces.keys().copied().collect();
        let pairs = all.iter().flat_map(|&from| all.iter().map(move |&to| (from, to)));
        let slots = pairs.map(|(from, to)| ((from, to), symmetry.slots(document, from, to))).collect();
        let rows = |(mesh, surface): (MeshIndex, Arc<MeshSurface>)| {
            let m = document.mesh(mesh);
            let pools = m.pools.iter().filter(|pool| pool.skinned);
            let paintable = pools.map(|pool| (pool.first, pool.first + pool.count)).collect();
            (mesh, Rows { surface, weights: m.weights.clone(), paintable })
        };
        Self { symmetry, meshes: surfaces.into_iter().map(rows).collect(), slots }
    }

    /// Compares every mesh's rows with the mirror image of their twins' rows.
    pub fn find(&self) -> Vec<(MeshIndex, Asymmetry)> {
        self.meshes.iter().map(|(&mesh, rows)| (mesh, self.of(mesh, rows))).collect()
    }

    fn of(&self, mesh: MeshIndex, own: &Rows) -> Asymmetry {
        let one = |group: u32| -> Option<f32> {
            let vertex = own.surface.representative(group);
            if !own.paintable.iter().any(|&(first, end)| (first..end).contains(&vertex.0)) {
                return Some(0.0);
            }
            let (other, twin) = self.symmetry.twin(mesh, group)?;
            let (rows, slots) = (&self.meshes[&other], &self.slots[&(other, mesh)]);
            let there = rows.weights.row(rows.surface.representative(twin));
            Some(difference(own.weights.row(vertex), there, slots))
        };
        let by_group: Vec<Option<f32>> =
            (0..own.surface.weld.n_groups() as u32).into_par_iter().with_min_len(1024).map(one).collect();
        let mut found = Asymmetry { differences: vec![0.0; own.weights.n_vertices()], ..Asymmetry::default() };
        for (v, at) in found.differences.iter_mut().enumerate() {
            match by_group[own.surface.group_of(VertexIndex::from_idx(v)) as usize] {
                Some(difference) => *at = difference,
                None => {
                    found.unmatched.insert(VertexIndex::from_idx(v));
                }
            }
        }
        found.greatest = found.differences.iter().copied().fold(0.0, f32::max);
        found
    }
}

/// The greatest difference of a weight between a row and the mirror image of its twin's.
fn difference(row: RowRef<'_>, twin: RowRef<'_>, slots: &SlotMirror) -> f32 {
    // Most rows are short and whole in the mirror: their image need not be made.
    let mut image = [Influence::default(); 4];
    let is_short = twin.len() <= image.len();
    let mut is_plain = is_short;
    for (place, at) in image.iter_mut().enumerate().take(if is_short { twin.len() } else { 0 }) {
        let i = twin.at(place);
        match slots.slot(i.slot) {
            Some(slot) => *at = Influence { slot, ..i },
            None => is_plain = false,
        }
    }
    let image = &image[..twin.len().min(4)];
    is_plain &= image.iter().enumerate().all(|(n, i)| image[..n].iter().all(|other| other.slot != i.slot));
    if is_plain {
        return greatest_difference(row, RowRef::Long(image));
    }
    let image = slots.row(&twin.to_row()).unwrap_or_default();
    greatest_difference(row, RowRef::Long(image.influences()))
}

/// The greatest difference of a weight between two rows of one mesh.
fn greatest_difference(a: RowRef<'_>, b: RowRef<'_>) -> f32 {
    let one_way = |a: RowRef<'_>, b: RowRef<'_>| {
        let differences = (0..a.len()).map(|place| a.at(place)).map(|i| (i.weight - b.weight(i.slot)).abs());
        differences.fold(0.0, f32::max)
    };
    one_way(a, b).max(one_way(b, a))
}
