//! The rim of what a dab reaches, as it lies on the posed skin. Where triangles are small against the brush it is the line
//! along which the distance is the radius: around every finger that is reached. Where they are large it is the ends of
//! lines straight ahead to all sides.

use std::collections::HashMap;

use glam::Vec3;
use sinew_edit::Editor;
use sinew_edit::pick::SkinHit;
use sinew_geometry::{GeodesicScratch, SurfacePoint, Topology, TraceEnd, distances_within, trace_straight};

/// Fewer groups than this have a rim with corners.
const FEW_GROUPS: usize = 120;
/// More groups than this are not measured for a mere ring.
const MANY_GROUPS: f32 = 60_000.0;
const N_SIDES: usize = 96;
/// Ends of neighbouring lines that stand farther apart than so many even steps are a jump, as from one finger to the next.
const JUMP: f32 = 6.0;

/// The rim around a hit, in pieces; a closed one ends where it begins.
pub fn rim(editor: &mut Editor, scratch: &mut GeodesicScratch, hit: &SkinHit, end: TraceEnd) -> Vec<Vec<Vec3>> {
    let surface = editor.surface(hit.mesh);
    let topology = &surface.topology;
    let (posed, bvh) = editor.searchable(hit.instance_idx);
    let position = |group: u32| posed.group_positions[group as usize];
    let start = SurfacePoint { triangle: hit.triangle, barycentric: hit.barycentric };
    let Some(&groups) = topology.triangles().get(start.triangle as usize) else { return Vec::new() };
    let corners = groups.map(position);
    let mut reached = HashMap::new();
    match end {
        TraceEnd::Along(radius) if n_within(radius, corners) < MANY_GROUPS => {
            // A little farther, so that the distance is known on both sides of the rim.
            let beyond = radius + (1.5 * edge(corners)).min(0.5 * radius);
            distances_within(scratch, topology, position, start, beyond, |group, far| _ = reached.insert(group, far));
        }
        TraceEnd::Straight(radius) if n_within(radius, corners) < MANY_GROUPS => {
            let center = hit.point;
            bvh.vertices_within(&posed.group_positions, center, radius, |group, far| _ = reached.insert(group, far));
        }
        TraceEnd::Along(_) | TraceEnd::Straight(_) => {}
    }
    if reached.len() < FEW_GROUPS {
        return straight_ahead(topology, position, (start, hit.normal), end);
    }
    match end {
        TraceEnd::Along(radius) => {
            // A corner that is not reached is at most an edge farther than one that is.
            let past = |group: u32, near: [(u32, Option<f32>); 3]| {
                let ways =
                    near.iter().filter_map(|&(other, far)| Some(far? + position(other).distance(position(group))));
                ways.fold(f32::INFINITY, f32::min)
            };
            level_line(topology, position, &reached, radius, past)
        }
        TraceEnd::Straight(radius) => {
            level_line(topology, position, &reached, radius, |group, _| position(group).distance(hit.point))
        }
    }
}

/// About how many groups are so near, if all triangles are like this one.
fn n_within(radius: f32, corners: [Vec3; 3]) -> f32 {
    std::f32::consts::PI * (radius / edge(corners).max(1e-20)).powi(2)
}

/// The side of a square that is two such triangles.
fn edge([a, b, c]: [Vec3; 3]) -> f32 {
    (b - a).cross(c - a).length().sqrt()
}

/// Where the distance is the radius. `past` gives a distance to a corner that was not reached.
fn level_line(
    topology: &Topology,
    position: impl Fn(u32) -> Vec3,
    reached: &HashMap<u32, f32>,
    radius: f32,
    past: impl Fn(u32, [(u32, Option<f32>); 3]) -> f32,
) -> Vec<Vec<Vec3>> {
    type Edge = [u32; 2];
    // From each crossed edge to the edges across its triangles.
    let mut next: HashMap<Edge, Vec<Edge>> = HashMap::new();
    let mut points: HashMap<Edge, Vec3> = HashMap::new();
    let mut groups: Vec<u32> = reached.keys().copied().collect();
    groups.sort_unstable();
    for &group in &groups {
        for triangle in topology.triangles_of(group) {
            let corners = topology.triangles()[triangle as usize];
            // Each triangle once: from the lowest of its corners that was reached.
            if corners.iter().filter(|other| reached.contains_key(other)).min() != Some(&group) {
                continue;
            }
            let known = corners.map(|corner| (corner, reached.get(&corner).copied()));
            let far = known.map(|(corner, far)| far.unwrap_or_else(|| past(corner, known).max(radius)));
            let crossed = (0..3).filter_map(|i| {
                let j = (i + 1) % 3;
                ((far[i] < radius) != (far[j] < radius)).then(|| {
                    let (a, b) = if corners[i] < corners[j] { (i, j) } else { (j, i) };
                    let edge = [corners[a], corners[b]];
                    let share = ((radius - far[a]) / (far[b] - far[a])).clamp(0.0, 1.0);
                    points.insert(edge, position(edge[0]).lerp(position(edge[1]), share));
                    edge
                })
            });
            if let [a, b] = crossed.collect::<Vec<_>>()[..] {
                next.entry(a).or_default().push(b);
                next.entry(b).or_default().push(a);
            }
        }
    }
    chains(&mut next).into_iter().map(|edges| smoothed(edges.iter().map(|edge| points[edge]).collect())).collect()
}

/// The links as chains; a closed one ends with its first.
fn chains(next: &mut HashMap<[u32; 2], Vec<[u32; 2]>>) -> Vec<Vec<[u32; 2]>> {
    let mut firsts: Vec<[u32; 2]> = next.keys().copied().collect();
    // Open ends first, so that no chain begins in its middle.
    firsts.sort_unstable_by_key(|edge| (next[edge].len() != 1, *edge));
    let mut all = Vec::new();
    for first in firsts {
        let mut chain = vec![first];
        let mut here = first;
        while let Some(there) = next.get_mut(&here).and_then(Vec::pop) {
            if let Some(back) = next.get_mut(&there) {
                back.retain(|&edge| edge != here);
            }
            chain.push(there);
            here = there;
        }
        if chain.len() > 2 {
            all.push(chain);
        }
    }
    all
}

/// A chain without the corners that triangles give it.
fn smoothed(points: Vec<Vec3>) -> Vec<Vec3> {
    let n = points.len();
    let is_closed = points[0] == points[n - 1];
    let at = |i: usize, step: isize| {
        let to = i as isize + step;
        match (is_closed, to) {
            (true, -1) => points[n - 2],
            (true, to) if to as usize == n => points[1],
            _ => points[to.clamp(0, n as isize - 1) as usize],
        }
    };
    (0..n).map(|i| 0.25 * at(i, -1) + 0.5 * points[i] + 0.25 * at(i, 1)).collect()
}

/// The ends of lines to all sides.
fn straight_ahead(
    topology: &Topology,
    position: impl Fn(u32) -> Vec3,
    (start, normal): (SurfacePoint, Vec3),
    end: TraceEnd,
) -> Vec<Vec<Vec3>> {
    let (TraceEnd::Along(radius) | TraceEnd::Straight(radius)) = end;
    let (u, v) = normal.any_orthonormal_pair();
    let ends = (0..=N_SIDES).filter_map(|k| {
        let angle = (k % N_SIDES) as f32 / N_SIDES as f32 * std::f32::consts::TAU;
        let toward = u * angle.cos() + v * angle.sin();
        Some(trace_straight(topology, &position, start, toward, end)?.point)
    });
    let jump = JUMP * radius * std::f32::consts::TAU / N_SIDES as f32;
    let mut pieces: Vec<Vec<Vec3>> = Vec::new();
    for end in ends {
        match pieces.last_mut() {
            Some(piece) if piece.last().is_some_and(|last| last.distance(end) <= jump) => piece.push(end),
            _ => pieces.push(vec![end]),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_chains_and_rings_close() {
        let e = |i: u32| [i, i + 1];
        let mut next: HashMap<[u32; 2], Vec<[u32; 2]>> = HashMap::new();
        for (a, b) in [(0, 1), (1, 2), (2, 0), (7, 6), (5, 6), (5, 4)] {
            next.entry(e(a)).or_default().push(e(b));
            next.entry(e(b)).or_default().push(e(a));
        }
        let found = chains(&mut next);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], [e(4), e(5), e(6), e(7)], "an open one from its end");
        assert_eq!(found[1].len(), 4);
        assert_eq!(found[1].first(), found[1].last(), "a ring ends where it begins");
    }

    #[test]
    fn smoothing_keeps_a_ring_closed_and_ends_where_they_are_near() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y, Vec3::ZERO];
        let ring = smoothed(square.to_vec());
        assert_eq!(ring[0], ring[4]);
        assert!(ring[0].distance(Vec3::new(0.25, 0.25, 0.0)) < 1e-6);
        let line = smoothed(vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0]);
        assert_eq!(line[1], Vec3::X);
    }
}
