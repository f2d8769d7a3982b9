//! How far apart the vertices stand that have a dot: one for all that share a place, none for what is hidden.

use glam::Vec3;
use sinew_edit::MeshSurface;
use sinew_geometry::spread;
use sinew_model::{VertexIndex, VertexSet};

/// So many edges are looked at to know how close vertices stand.
const N_EDGES: usize = 4096;

/// Distances in the positions' units. `positions` are the weld groups'. `[n_vertices]`
pub fn of(surface: &MeshSurface, positions: &[Vec3], n_vertices: usize, hidden: &VertexSet) -> Vec<f32> {
    let mut apart = vec![0.0; n_vertices];
    let representative = |group: u32| surface.representative(group);
    let places: Vec<Vec3> = (0..positions.len() as u32)
        .map(|group| if hidden.contains(representative(group)) { Vec3::NAN } else { positions[group as usize] })
        .collect();
    let of_groups = spread(&places, 0.9 * middle_edge(surface.topology.triangles(), positions));
    for (group, distance) in (0..).zip(of_groups) {
        let VertexIndex(vertex) = representative(group);
        apart[vertex as usize] = distance;
    }
    apart
}

/// The edge that half of the others are shorter than, of a sample.
fn middle_edge(triangles: &[[u32; 3]], positions: &[Vec3]) -> f32 {
    let step = triangles.len() / N_EDGES + 1;
    let edges = triangles.iter().step_by(step);
    let mut lengths: Vec<f32> = edges
        .map(|&[a, b, _]| positions[a as usize].distance(positions[b as usize]))
        .filter(|length| *length > 0.0 && length.is_finite())
        .collect();
    lengths.sort_by(f32::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or(0.0)
}
