//! Normals of vertices from the triangles around them.

use glam::Vec3;
use rayon::prelude::*;

use crate::adjacency::{Topology, next_corner, previous_corner};

/// Unit normals of all groups, `[n_groups]`, `position` giving that of a group in any pose.
///
/// Each triangle counts with its angle at the group (Thürmer and Wüthrich, "Computing Vertex Normals from Polygonal
/// Facets", 1998), so the result does not depend on how flat parts are cut into triangles. Counter-clockwise triangles
/// face the viewer. Zero where there is nothing to go by: no triangles, none with area, or opposite ones.
pub fn vertex_normals(topology: &Topology, position: impl Fn(u32) -> Vec3 + Sync) -> Vec<Vec3> {
    (0..topology.n_groups() as u32)
        .into_par_iter()
        .with_min_len(4096)
        .map(|group| vertex_normal(topology, &position, group))
        .collect()
}

/// The unit normal of one group, as [`vertex_normals`] gives it.
pub fn vertex_normal(topology: &Topology, position: impl Fn(u32) -> Vec3, group: u32) -> Vec3 {
    let at = |corner: u32| {
        let groups = topology.triangles()[corner as usize / 3];
        position(groups[corner as usize % 3])
    };
    let origin = position(group);
    let mut sum = Vec3::ZERO;
    for &corner in topology.corners(group) {
        let to_next = (at(next_corner(corner)) - origin).normalize_or_zero();
        let to_previous = (at(previous_corner(corner)) - origin).normalize_or_zero();
        let cross = to_next.cross(to_previous);
        // The length of `cross` is the sine of the angle; the angle itself is the weight.
        let sine = cross.length();
        if sine > 0.0 {
            sum += cross * (sine.atan2(to_next.dot(to_previous)) / sine);
        }
    }
    sum.normalize_or_zero()
}

/// The unit normal of a triangle; zero without area.
pub fn face_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).normalize_or_zero().cross((c - a).normalize_or_zero()).normalize_or_zero()
}
