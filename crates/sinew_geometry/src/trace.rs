//! Straight ahead over a surface: a line that leaves a point in a direction and bends at no edge, as if the triangles it
//! crosses were laid flat. Many of them from one point draw the circle around it.
//!
//! Polthier and Schmies, "Straightest Geodesics on Polyhedral Surfaces", 1998. Where such a line is not the shortest way
//! any more (behind a limb) it goes on all the same.

use glam::Vec3;

use crate::adjacency::{Topology, next_corner};
use crate::geodesic::SurfacePoint;

/// How far a line goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TraceEnd {
    /// So far along the surface.
    Along(f32),
    /// Until it is so far from where it began, straight through space.
    Straight(f32),
}

/// Where a line ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Traced {
    /// The point.
    pub point: Vec3,
    /// The triangle it is in.
    pub triangle: u32,
    /// Unit normal of its triangle.
    pub normal: Vec3,
    /// Whether the surface ended before the line did.
    pub at_border: bool,
}

/// More triangles than a line should ever cross.
const MOST_TRIANGLES: usize = 4096;
/// A line that runs through a vertex is moved aside by this share of a triangle.
const ASIDE: f32 = 1e-4;

/// Follows the line from `start` in the direction that `toward` has in its triangle's plane. `position` gives the groups'
/// places. `None` where the triangle or the direction has no extent.
pub fn trace_straight(
    topology: &Topology,
    position: impl Fn(u32) -> Vec3,
    start: SurfacePoint,
    toward: Vec3,
    end: TraceEnd,
) -> Option<Traced> {
    let mut triangle = start.triangle;
    let corners = |triangle: u32| topology.triangles().get(triangle as usize).map(|groups| groups.map(&position));
    let [a, b, c] = corners(triangle)?;
    // Off the edges and corners, so that no line runs along one.
    let inner = (start.barycentric + ASIDE) / (start.barycentric.element_sum() + 3.0 * ASIDE);
    let mut point = a * inner.x + b * inner.y + c * inner.z;
    let from = point;
    let mut normal = (b - a).cross(c - a).try_normalize()?;
    let mut direction = (toward - normal * toward.dot(normal)).try_normalize()?;
    let mut came_over: Option<u32> = None;
    let mut gone = 0.0;
    for _ in 0..MOST_TRIANGLES {
        let at = corners(triangle)?;
        // The edge through which the line leaves, and how far it is.
        let leaves = (0..3)
            .filter(|&edge| came_over != Some(3 * triangle + edge))
            .filter_map(|edge| {
                let (p, q) = (at[edge as usize], at[(edge as usize + 1) % 3]);
                let outward = (q - p).cross(normal);
                let speed = direction.dot(outward);
                (speed > 1e-9 * outward.length()).then(|| ((p - point).dot(outward) / speed, edge))
            })
            .min_by(|x, y| x.0.total_cmp(&y.0));
        let room = leaves.map_or(0.0, |(room, _)| room.max(0.0));
        let left = match end {
            TraceEnd::Along(length) => length - gone,
            TraceEnd::Straight(radius) => until(point - from, direction, radius),
        };
        let Some((_, edge)) = leaves.filter(|_| left > room) else {
            return Some(Traced {
                point: point + direction * left.clamp(0.0, room),
                triangle,
                normal,
                at_border: false,
            });
        };
        point += direction * room;
        gone += room;
        let half_edge = 3 * triangle + edge;
        let Some(other) = topology.across(half_edge).next() else {
            return Some(Traced { point, triangle, normal, at_border: true });
        };
        let (p, q) = (at[edge as usize], at[(edge as usize + 1) % 3]);
        let along = (q - p).try_normalize()?;
        let out = along.cross(normal);
        let next = corners(other / 3)?;
        let Some(next_normal) = (next[1] - next[0]).cross(next[2] - next[0]).try_normalize() else {
            return Some(Traced { point, triangle, normal, at_border: true });
        };
        // The way into the next triangle: from the shared edge toward its third corner.
        let third = next[next_corner(next_corner(other)) as usize % 3];
        let into = (third - p) - along * (third - p).dot(along);
        let Some(into) = into.try_normalize() else {
            return Some(Traced { point, triangle, normal, at_border: true });
        };
        direction = (along * direction.dot(along) + into * direction.dot(out)).try_normalize()?;
        (normal, triangle, came_over) = (next_normal, other / 3, Some(other));
    }
    Some(Traced { point, triangle, normal, at_border: true })
}

/// How far ahead a line through `offset` from a ball's centre leaves the ball.
fn until(offset: Vec3, direction: Vec3, radius: f32) -> f32 {
    let along = offset.dot(direction);
    let beside = along * along - offset.length_squared() + radius * radius;
    if beside > 0.0 { beside.sqrt() - along } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TriMeshRef, WeldGroups};

    fn topology(positions: &[Vec3], triangles: &[[u32; 3]]) -> Topology {
        let mesh = TriMeshRef::new(positions, triangles).expect("in range");
        Topology::new(mesh, &WeldGroups::separate(positions.len()))
    }

    /// A sheet of 20 × 20 cells of side 0.1, bent by a function.
    fn sheet(bend: impl Fn(f32, f32) -> Vec3) -> (Vec<Vec3>, Topology) {
        let n = 21;
        let positions: Vec<Vec3> =
            (0..n * n).map(|i| bend((i % n) as f32 * 0.1 - 1.0, (i / n) as f32 * 0.1 - 1.0)).collect();
        let cells = (0..20_u32 * 20).map(|i| i / 20 * 21 + i % 20);
        let triangles: Vec<[u32; 3]> = cells.flat_map(|a| [[a, a + 1, a + 22], [a, a + 22, a + 21]]).collect();
        let topology = topology(&positions, &triangles);
        (positions, topology)
    }

    /// Lines to all sides from the middle of the sheet.
    fn around(positions: &[Vec3], topology: &Topology, end: TraceEnd) -> (Vec3, Vec<Traced>) {
        let start = SurfacePoint { triangle: 2 * (20 * 10 + 10), barycentric: Vec3::new(0.5, 0.3, 0.2) };
        let [a, b, c] = topology.triangles()[start.triangle as usize].map(|group| positions[group as usize]);
        let middle = a * 0.5 + b * 0.3 + c * 0.2;
        let (u, v) = ((b - a).normalize_or_zero(), (b - a).cross(c - a).cross(b - a).normalize_or_zero());
        let lines = (0..37).map(|k| {
            let angle = k as f32 * 0.17;
            let toward = u * angle.cos() + v * angle.sin();
            trace_straight(topology, |group| positions[group as usize], start, toward, end).expect("a line")
        });
        (middle, lines.collect())
    }

    #[test]
    fn on_a_flat_sheet_the_ends_are_a_circle() {
        let (positions, topology) = sheet(|x, y| Vec3::new(x, y, 0.0));
        for end in [TraceEnd::Along(0.55), TraceEnd::Straight(0.55)] {
            let (middle, ends) = around(&positions, &topology, end);
            for traced in ends {
                assert!((traced.point.distance(middle) - 0.55).abs() < 1e-3 && !traced.at_border, "{traced:?}");
            }
        }
    }

    #[test]
    fn a_sheet_bent_like_paper_keeps_its_distances() {
        // Rolled around a cylinder of radius 0.5: laid flat it is the same circle.
        let (positions, topology) = sheet(|x, y| Vec3::new(0.5 * (2.0 * x).sin(), y, 0.5 * (2.0 * x).cos()));
        let (middle, ends) = around(&positions, &topology, TraceEnd::Along(0.55));
        let flat = |p: Vec3| Vec3::new(0.5 * p.x.atan2(p.z), p.y, 0.0);
        for traced in ends {
            let apart = flat(traced.point).distance(flat(middle));
            assert!((apart - 0.55).abs() < 0.01, "{apart}");
            assert!((traced.point.x.hypot(traced.point.z) - 0.5).abs() < 0.01, "it lies on the roll");
        }
        let (middle, ends) = around(&positions, &topology, TraceEnd::Straight(0.55));
        for traced in ends {
            assert!((traced.point.distance(middle) - 0.55).abs() < 1e-3, "a ball's rim");
        }
    }

    #[test]
    fn a_line_stops_where_the_surface_does() {
        let (positions, topology) = sheet(|x, y| Vec3::new(x, y, 0.0));
        let (_, ends) = around(&positions, &topology, TraceEnd::Along(5.0));
        for traced in ends {
            let at = traced.point.abs().max_element();
            assert!(traced.at_border && (at - 1.0).abs() < 1e-3, "{traced:?}");
        }
    }

    #[test]
    fn what_has_no_extent_has_no_line() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        let topology = topology(&positions, &[[0, 1, 2]]);
        let start = SurfacePoint { triangle: 0, barycentric: Vec3::splat(1.0 / 3.0) };
        let line = |triangle| {
            let start = SurfacePoint { triangle, ..start };
            trace_straight(&topology, |group| positions[group as usize], start, Vec3::X, TraceEnd::Along(1.0))
        };
        assert_eq!((line(0), line(7)), (None, None));
    }
}
