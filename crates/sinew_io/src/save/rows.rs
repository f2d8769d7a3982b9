//! Which rows are edited: those whose value differs from what was imported.
//!
//! Boundary: compares, writes nothing. Rows are compared as the importer reads them, whatever order their influences
//! stand in; so undoing everything leaves nothing to save.

use rayon::prelude::*;
use sinew_model::{Document, MeshIndex, RowFault, RowRef, UNWEIGHTED_SUM, VertexIndex, VertexPool};

use crate::accessor::Accessors;
use crate::save::error::SaveError;
use crate::save::stored_rows::StoredRows;
use crate::source::GltfSource;

/// The edited rows of a pool.
#[derive(Clone, Debug)]
pub(super) struct PoolEdit {
    pub mesh: MeshIndex,
    /// Number of the pool in its mesh.
    pub pool: usize,
    pub range: VertexPool,
    /// Edited vertices, counted from the pool's first; rising, not empty.
    pub vertices: Vec<u32>,
    pub largest_change: f32,
}

/// What comparing with the file found.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits {
    pub pools: Vec<PoolEdit>,
    /// Meshes with rows that came without weight and still have none: name and how many.
    pub unweighted: Vec<(String, usize)>,
}

/// Compares the document with the file it came from. An edited row without weight, or with a share that no joint has, is an
/// error.
pub(super) fn find_edits(
    document: &Document,
    source: &GltfSource,
    accessors: &Accessors<'_>,
) -> Result<Edits, SaveError> {
    let differs = |what: String, expected, found| SaveError::NotThisFile { what, expected, found };
    let n_of_file = document.meshes().len() - document.mesh_copies().len();
    if n_of_file != source.meshes.len() {
        return Err(differs("meshes".to_owned(), source.meshes.len(), n_of_file));
    }
    let mut edits = Edits::default();
    for (m, mesh) in document.meshes().iter().enumerate() {
        let index = MeshIndex::from_idx(m);
        let map = &source.meshes[document.file_mesh(index).idx()];
        if mesh.pools.len() != map.pools.len() {
            return Err(differs(format!("vertex pools in mesh {m}"), map.pools.len(), mesh.pools.len()));
        }
        let mut unweighted = 0;
        for (p, (&range, _)) in
            mesh.pools.iter().zip(&map.pools).enumerate().filter(|(_, (_, map))| !map.sets.is_empty())
        {
            let imported = StoredRows::new(accessors, &map.pools[p], map.n_slots)?;
            if imported.count() != range.count as usize {
                let what = format!("vertices in mesh {m}, pool {p}");
                return Err(differs(what, imported.count(), range.count as usize));
            }
            let (edit, n) = compare(document, index, p, range, &imported)?;
            edits.pools.extend(edit);
            unweighted += n;
        }
        if unweighted > 0 {
            edits.unweighted.push((document.mesh_label(index), unweighted));
        }
    }
    Ok(edits)
}

fn compare(
    document: &Document,
    mesh: MeshIndex,
    pool: usize,
    range: VertexPool,
    imported: &StoredRows<'_>,
) -> Result<(Option<PoolEdit>, usize), SaveError> {
    let rows = &document.mesh(mesh).weights;
    let is_edited = |&v: &u32| !imported.is_row(v, rows.row(VertexIndex(range.first + v)));
    let vertices: Vec<u32> = (0..range.count).into_par_iter().with_min_len(4096).filter(is_edited).collect();
    let is_unweighted = |v: &u32| is_unweighted(rows.row(VertexIndex(range.first + v)));
    let n_unweighted = (0..range.count).into_par_iter().with_min_len(4096).filter(is_unweighted).count();
    let mut ours = vertices.iter().filter(|v| is_unweighted(v));
    let label = || document.mesh_label(mesh);
    if let Some(first) = ours.next() {
        return Err(SaveError::Unweighted { mesh: label(), n: 1 + ours.count(), first: range.first + first });
    }
    let mut largest_change: f32 = 0.0;
    let mut unassigned: Option<(usize, u32, f32)> = None;
    for &v in &vertices {
        let vertex = VertexIndex(range.first + v);
        let row = rows.get(vertex);
        match row.check() {
            // More than 1 is divided out when the row is written; what is missing somebody must say.
            Err(RowFault::Sum { sum, .. }) if sum < 1.0 => {
                unassigned.get_or_insert((0, vertex.0, sum)).0 += 1;
            }
            Ok(()) | Err(RowFault::Sum { .. }) => {}
            Err(fault) => return Err(SaveError::BadRow { mesh: label(), vertex: vertex.0, fault }),
        }
        largest_change = largest_change.max(row.largest_change(&imported.row(v)));
    }
    if let Some((n, first, assigned)) = unassigned {
        return Err(SaveError::Unassigned { mesh: label(), n, first, assigned });
    }
    let edit = PoolEdit { mesh, pool, range, vertices, largest_change };
    Ok(((!edit.vertices.is_empty()).then_some(edit), n_unweighted))
}

/// Whether a row counts as unweighted. A sum that is no number cannot come from the importer or an edit.
fn is_unweighted(row: RowRef<'_>) -> bool {
    row.sum() < UNWEIGHTED_SUM
}
