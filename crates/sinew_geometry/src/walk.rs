//! Walking over a surface toward a point: from vertex to vertex while that comes nearer, then into the last triangles.
//!
//! Boundary: it never leaves the surface it starts on, so it does not jump across gaps, and it may end in a hollow short
//! of the surface's nearest point. For that look at the search tree.

use glam::Vec3;

use crate::adjacency::Topology;
use crate::geodesic::SurfacePoint;
use crate::triangle::closest_on_triangle;

/// The point nearest to `target` among the triangles around the vertex where a walk from group `start` ends; `position`
/// gives the groups' places. `None` if no triangle is there.
pub fn walk_toward(
    topology: &Topology,
    position: impl Fn(u32) -> Vec3,
    start: u32,
    target: Vec3,
) -> Option<SurfacePoint> {
    let distance = |group: u32| position(group).distance_squared(target);
    let (mut here, mut so_far) = (start, distance(start));
    // Each step comes nearer, so the walk ends.
    loop {
        let nearer = topology.neighbours(here).iter().map(|&group| (group, distance(group)));
        let best = nearer.fold((here, so_far), |best, next| if next.1 < best.1 { next } else { best });
        if best.0 == here {
            break;
        }
        (here, so_far) = best;
    }
    let mut best: Option<(f64, SurfacePoint)> = None;
    for triangle in topology.triangles_of(here) {
        let corners = topology.triangles()[triangle as usize].map(&position);
        if let Some((d2, barycentric)) = closest_on_triangle(target.as_dvec3(), corners)
            && best.is_none_or(|(best_d2, _)| d2 < best_d2)
        {
            best = Some((d2, SurfacePoint { triangle, barycentric: barycentric.as_vec3() }));
        }
    }
    best.map(|(_, point)| point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TriMeshRef, WeldGroups};

    /// A flat grid of 9 × 9 vertices, side 1, and the same 0.1 above it.
    fn sheets() -> (Vec<Vec3>, Topology) {
        let mut positions = Vec::new();
        let mut triangles = Vec::new();
        for sheet in 0..2_u32 {
            for v in 0..81 {
                positions.push(Vec3::new((v % 9) as f32, (v / 9) as f32, 0.1 * sheet as f32));
            }
            for cell in 0..64_u32 {
                let a = 81 * sheet + cell / 8 * 9 + cell % 8;
                triangles.extend([[a, a + 1, a + 10], [a, a + 10, a + 9]]);
            }
        }
        let weld = WeldGroups::separate(positions.len());
        let topology = Topology::new(TriMeshRef::new(&positions, &triangles).expect("in range"), &weld);
        (positions, topology)
    }

    #[test]
    fn a_walk_ends_at_the_target_on_its_own_sheet() {
        let (positions, topology) = sheets();
        let at = |group: u32| positions[group as usize];
        let target = Vec3::new(5.25, 6.5, 0.1);
        for (start, height) in [(0, 0.0), (81, 0.1)] {
            let found = walk_toward(&topology, at, start, target).expect("a surface");
            let corners = topology.triangles()[found.triangle as usize].map(at);
            let point: Vec3 = (0..3).map(|i| corners[i] * found.barycentric[i]).sum();
            assert!(point.distance(Vec3::new(5.25, 6.5, height)) < 1e-5, "{point}");
        }
    }

    #[test]
    fn beyond_the_border_it_stops_there() {
        let (positions, topology) = sheets();
        let found = walk_toward(&topology, |group| positions[group as usize], 40, Vec3::new(20.0, 4.0, 0.0));
        let found = found.expect("a surface");
        let corners = topology.triangles()[found.triangle as usize].map(|group| positions[group as usize]);
        let point: Vec3 = (0..3).map(|i| corners[i] * found.barycentric[i]).sum();
        assert!(point.distance(Vec3::new(8.0, 4.0, 0.0)) < 1e-5, "{point}");
    }
}
