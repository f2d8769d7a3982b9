//! Distances along the surface around one point: shortest paths, unfolded across triangles.
//!
//! Where all ways to a triangle agree, it is laid flat once and that is all: see `sweep`. Nearly every dab is of this kind.
//!
//! Elsewhere paths are followed as *windows* (Mitchell, Mount, Papadimitriou, "The Discrete Geodesic Problem", 1987; the filter is
//! Xin and Wang's, 2009): a window is the part of an edge that is lit by a source along straight lines through a strip of
//! triangles laid flat. It stores the source in the plane of the next triangle, so distances are exact however
//! obtuse or thin the triangles are. Light bends only round vertices with more than a full turn of surface around
//! them and round borders: see `fan`.
//!
//! Two windows of one edge whose sources agree within `MERGE` become one (as in Surazhsky et al., "Fast Exact
//! and Approximate Geodesics on Meshes", 2005). On flat and developable parts neighbouring windows share one source, so
//! nothing is lost and an edge has about one window; on curved parts it bounds the work for an error well below 1 %.

mod fan;
mod sweep;
mod window;

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::{DVec2, DVec3, Vec3};

use crate::{
    adjacency::{Topology, next_corner, previous_corner},
    bvh::{ClosestHit, RayHit},
};
use fan::FanTriangle;
use sweep::Sweep;
use window::{Window, WindowTable};

/// A point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The triangle.
    pub triangle: u32,
    /// Shares of its three corners, none negative, summing to 1.
    pub barycentric: Vec3,
}

impl From<RayHit> for SurfacePoint {
    fn from(hit: RayHit) -> Self {
        Self { triangle: hit.triangle, barycentric: hit.barycentric }
    }
}

impl From<ClosestHit> for SurfacePoint {
    fn from(hit: ClosestHit) -> Self {
        Self { triangle: hit.triangle, barycentric: hit.barycentric }
    }
}

/// Workspace of [`distances_within`]. Kept from dab to dab, it allocates nothing and is never cleared as a whole.
#[derive(Clone, Debug, Default)]
pub struct GeodesicScratch {
    /// Marks what belongs to the present run.
    epoch: u32,
    /// `[n_groups]`
    groups: Vec<Reach>,
    /// Groups with a distance, in the order in which they were found.
    reached: Vec<u32>,
    windows: Vec<Window>,
    table: WindowTable,
    queue: BinaryHeap<Reverse<u64>>,
    fan: Vec<FanTriangle>,
    sweep: Sweep,
}

/// The shortest way to a group so far.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    epoch: u32,
    distance: f32,
    /// The corner at the group through whose triangle the way comes in; [`BY_EDGE`] when it only follows edges.
    corner: u32,
    /// Direction of the way back, of any length: along the corner's outgoing edge, and into the triangle.
    back: [f32; 2],
}

const BY_EDGE: u32 = u32::MAX;

/// Sources of windows closer than this part of the edge's length count as one.
const MERGE: f64 = 5e-2;
/// A vertex this close to the lit part of an edge, in lengths of the edge, is lit.
const SLACK: f64 = 1e-3;

impl GeodesicScratch {
    /// A workspace for meshes of up to `n_groups` groups; it grows when a larger one comes.
    pub fn new(n_groups: usize) -> Self {
        let mut scratch = Self::default();
        scratch.groups.resize(n_groups, Reach::default());
        scratch
    }

    fn begin(&mut self, n_groups: usize) {
        if self.groups.len() < n_groups {
            self.groups.resize(n_groups, Reach::default());
        }
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.groups.fill(Reach::default());
            self.epoch = 1;
        }
        self.reached.clear();
        self.windows.clear();
        self.table.clear();
        self.queue.clear();
    }
}

/// Visits every group within `radius` of `seed` along the surface, once, with its distance.
///
/// `position` gives the position of a group, in any pose; lengths are in its units. Only the shell of the seed's triangle is
/// reached; borders and gaps are walked round, never crossed. A distance is never shorter than the straight line.
/// Exact up to rounding where the surface is flat or bends like paper, within about 1 % elsewhere.
/// Groups at positions that are not finite are not reached. The order of visits is the same every time, else arbitrary.
pub fn distances_within(
    scratch: &mut GeodesicScratch,
    topology: &Topology,
    position: impl Fn(u32) -> Vec3,
    seed: SurfacePoint,
    radius: f32,
    mut visit: impl FnMut(u32, f32),
) {
    measure(scratch, topology, position, seed, radius, true, &mut visit);
}

/// [`distances_within`], by windows alone unless it `may_sweep`.
fn measure(
    scratch: &mut GeodesicScratch,
    topology: &Topology,
    position: impl Fn(u32) -> Vec3,
    seed: SurfacePoint,
    radius: f32,
    may_sweep: bool,
    visit: &mut impl FnMut(u32, f32),
) {
    let Some(&corners) = topology.triangles().get(seed.triangle as usize) else {
        return;
    };
    let position = |group: u32| position(group).as_dvec3();
    let share = seed.barycentric.as_dvec3();
    let origin = position(corners[0]) * share.x + position(corners[1]) * share.y + position(corners[2]) * share.z;
    let mut visit = |group: u32, distance: f32| {
        let straight = position(group).distance(origin) as f32;
        let distance = distance.max(straight);
        if distance <= radius {
            visit(group, distance);
        }
    };
    let mut run = Run { scratch, topology, position, radius: radius as f64 };
    if may_sweep && run.sweep(seed.triangle, origin).is_ok() {
        for (group, distance) in scratch.sweep.distances() {
            visit(group, distance);
        }
        return;
    }
    run.follow_windows(seed.triangle, origin);
    for &group in &scratch.reached {
        visit(group, scratch.groups[group as usize].distance);
    }
}

/// One call of [`distances_within`].
struct Run<'a, P> {
    scratch: &'a mut GeodesicScratch,
    topology: &'a Topology,
    position: P,
    radius: f64,
}

/// What waits in the queue: nearest first, then by number, so that the order is always the same.
enum Event {
    Window(u32),
    Group(u32),
}

fn queue_key(distance: f32, event: Event) -> Reverse<u64> {
    // The bits of a float that is not negative sort like the float.
    let distance = (distance.to_bits() as u64) << 33;
    Reverse(match event {
        Event::Window(i) => distance | (i as u64) << 1,
        Event::Group(i) => distance | (i as u64) << 1 | 1,
    })
}

fn event_of(Reverse(key): Reverse<u64>) -> (f32, Event) {
    let number = (key >> 1) as u32;
    let distance = f32::from_bits((key >> 33) as u32);
    let is_group = key & 1 == 1;
    (distance, if is_group { Event::Group(number) } else { Event::Window(number) })
}

impl<P: Fn(u32) -> DVec3> Run<'_, P> {
    fn group_at(&self, corner: u32) -> u32 {
        self.topology.triangles()[corner as usize / 3][corner as usize % 3]
    }

    fn position_at(&self, corner: u32) -> DVec3 {
        (self.position)(self.group_at(corner))
    }

    /// Distance so far; infinite for a group not reached.
    fn distance(&self, group: u32) -> f32 {
        let reach = self.scratch.groups[group as usize];
        if reach.epoch == self.scratch.epoch { reach.distance } else { f32::INFINITY }
    }

    /// Keeps a shorter way to `group`, and looks round it later. Whether it was shorter.
    fn lower(&mut self, group: u32, distance: f64, corner: u32, back: impl FnOnce() -> DVec2) -> bool {
        let distance = distance as f32;
        let before = self.distance(group);
        if distance.is_nan() || distance >= before {
            return false;
        }
        if before == f32::INFINITY {
            self.scratch.reached.push(group);
        }
        self.scratch.groups[group as usize] =
            Reach { epoch: self.scratch.epoch, distance, corner, back: back().as_vec2().to_array() };
        if distance as f64 <= self.radius {
            self.scratch.queue.push(queue_key(distance, Event::Group(group)));
        }
        true
    }

    fn follow_windows(&mut self, triangle: u32, origin: DVec3) {
        self.scratch.begin(self.topology.n_groups());
        self.light_from(triangle, origin);
        self.finish_queue();
        self.follow_edges_to_the_rest();
    }

    /// Starts at a point of a triangle.
    fn light_from(&mut self, triangle: u32, origin: DVec3) {
        let corners = [0, 1, 2].map(|i| 3 * triangle + i);
        let longest = corners
            .map(|c| self.position_at(c).distance_squared(self.position_at(next_corner(c))))
            .into_iter()
            .fold(0.0, f64::max);
        for corner in corners {
            let (p, group) = (self.position_at(corner), self.group_at(corner));
            if p.distance_squared(origin) <= longest * 1e-14 {
                // The seed is a vertex: it lights all triangles around.
                self.lower(group, p.distance(origin), corner, || DVec2::X);
                self.light_all_around(group);
                return;
            }
        }
        for corner in corners {
            let (p, group) = (self.position_at(corner), self.group_at(corner));
            let next = self.position_at(next_corner(corner));
            self.lower(group, p.distance(origin), corner, || {
                let (edge, back) = (next - p, origin - p);
                DVec2::new(edge.dot(back), edge.cross(back).length())
            });
            let (edge, to_source) = (next - p, origin - p);
            let length = edge.length();
            let along = edge / length;
            let source = [to_source.dot(along), along.cross(to_source).length()];
            self.add_window(corner, length, source, 0.0, [0.0, length]);
        }
    }

    fn finish_queue(&mut self) {
        while let Some(next) = self.scratch.queue.pop() {
            let (distance, event) = event_of(next);
            match event {
                Event::Window(i) => self.cross_triangle(i),
                // An event of a longer way that was replaced since is stale.
                Event::Group(g) if self.distance(g) == distance => self.turn_around(g),
                Event::Group(_) => {}
            }
        }
    }

    /// Reaches along edges what light missed through rounding or for lack of triangles with area.
    fn follow_edges_to_the_rest(&mut self) {
        for i in 0..self.scratch.reached.len() {
            self.follow_edges(self.scratch.reached[i]);
        }
        while let Some(next) = self.scratch.queue.pop() {
            if let (distance, Event::Group(group)) = event_of(next)
                && self.distance(group) == distance
            {
                self.follow_edges(group);
            }
        }
    }

    fn follow_edges(&mut self, group: u32) {
        let distance = self.distance(group) as f64;
        for &other in self.topology.neighbours(group) {
            let reach = self.scratch.groups[other as usize];
            if reach.epoch != self.scratch.epoch || reach.corner == BY_EDGE {
                let edge = (self.position)(group).distance((self.position)(other));
                self.lower(other, distance + edge, BY_EDGE, || DVec2::X);
            }
        }
    }

    /// The triangle's angle at a corner, as a direction of any length.
    fn direction_at(&self, corner: u32) -> DVec2 {
        let p = self.position_at(corner);
        let a = self.position_at(next_corner(corner)) - p;
        let b = self.position_at(previous_corner(corner)) - p;
        DVec2::new(a.dot(b), a.cross(b).length())
    }

    /// The triangle's angle at a corner, in radians.
    fn angle_at(&self, corner: u32) -> f64 {
        self.direction_at(corner).to_angle()
    }
}

#[cfg(test)]
mod tests;
