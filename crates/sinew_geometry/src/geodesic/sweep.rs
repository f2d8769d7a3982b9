//! The quick way: every triangle is laid flat once, straight behind the one that light comes from.
//!
//! Where no border and no sharp saddle casts a shadow and light from two sides nowhere meets, all ways to a triangle
//! agree on where the source is. Then one of them will do, and no windows are needed: light enters a triangle over the edge
//! that the ray to the triangle's middle crosses. Every vertex is measured from several triangles; when they disagree by
//! more than a little the surface is not of this kind, and windows must decide. So results are exact where the surface bends
//! like paper, and good to the little elsewhere.
//!
//! Places are complex numbers relative to an edge: its start is 0, its end is 1, and what lies ahead has a positive
//! imaginary part. Laying a triangle flat takes one division and one square root.

use std::{collections::VecDeque, f64::consts::PI};

use glam::{DVec2, DVec3};

use super::{Run, fan::NARROWEST};
use crate::adjacency::{next_corner, previous_corner};

/// How far two ways to a group may differ in length, in lengths of the edge there, or of the way when that is less.
const AGREE: f64 = 0.03;
/// The same for surfaces that are curved all over: nothing is exact there anyway.
const AGREE_CURVED: f64 = 0.06;
/// As far as this they may differ there in any case, in lengths of the way.
const AGREE_FAR: f64 = 0.008;
/// Ways that differ by less are the same up to rounding of the positions, in lengths as above.
const SAME: f64 = 3e-3;
/// A surface is curved all over when one in so many pairs of ways differs. On a paper model only those do that go round
/// a corner.
const CURVED: u32 = 16;
/// How far beside an edge a ray may pass, in lengths of the edge.
const BESIDE: f64 = 0.25;

/// Workspace of the sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    epoch: u32,
    /// `[n_triangles]`, the epoch that laid it flat last.
    triangles: Vec<u32>,
    /// `[n_groups]`
    groups: Vec<Measured>,
    /// Triangles laid flat whose other edges were not looked at yet.
    facets: VecDeque<Facet>,
    /// Groups measured, in order.
    reached: Vec<u32>,
    /// Pairs of ways to one group that were compared, and those of them that differ.
    n_compared: u32,
    n_apart: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    epoch: u32,
    /// Square of the distance.
    squared: f32,
}

/// An edge that light reaches, and perhaps crosses.
#[derive(Clone, Copy, Debug)]
struct Gate {
    /// Of the triangle behind, in either direction.
    half_edge: u32,
    start: u32,
    end: u32,
    /// Square of the length, and its inverse.
    squared: f64,
    inverse: f64,
    /// The source relative to the edge.
    source: DVec2,
}

/// A triangle laid flat ahead of the edge over which light came in.
#[derive(Clone, Copy, Debug)]
struct Facet {
    start: u32,
    end: u32,
    apex: u32,
    /// Half-edges between start and apex, and between end and apex.
    sides: [u32; 2],
    /// Square of the length of the edge that light crossed.
    squared: f64,
    /// Squares of the lengths of `sides`.
    squared_sides: [f64; 2],
    source: DVec2,
    /// Place of `apex`.
    third: DVec2,
}

/// Windows are needed.
pub(super) struct TooIntricate;

impl Sweep {
    fn begin(&mut self, n_groups: usize, n_triangles: usize) {
        // Fresh zeroed memory rather than a longer old one: what no dab comes to is never touched.
        if self.groups.len() < n_groups {
            self.groups = vec![Measured::default(); n_groups];
            self.triangles.fill(0);
            self.epoch = 0;
        }
        if self.triangles.len() < n_triangles {
            self.triangles = vec![0; n_triangles];
        }
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.groups.fill(Measured::default());
            self.triangles.fill(0);
            self.epoch = 1;
        }
        self.facets.clear();
        self.reached.clear();
        (self.n_compared, self.n_apart) = (0, 0);
    }

    fn is_measured(&self, group: u32) -> bool {
        self.groups[group as usize].epoch == self.epoch
    }

    /// Groups reached and their distances.
    pub(super) fn distances(&self) -> impl Iterator<Item = (u32, f32)> {
        self.reached.iter().map(|&group| (group, self.groups[group as usize].squared.sqrt()))
    }
}

impl<P: Fn(u32) -> DVec3> Run<'_, P> {
    /// Measures all groups within the radius, or finds that this is not the way to do it.
    pub(super) fn sweep(&mut self, triangle: u32, origin: DVec3) -> Result<(), TooIntricate> {
        self.scratch.sweep.begin(self.topology.n_groups(), self.topology.triangles().len());
        let corners = [0, 1, 2].map(|i| 3 * triangle + i);
        let (positions, groups) = (corners.map(|c| self.position_at(c)), corners.map(|c| self.group_at(c)));
        self.scratch.sweep.triangles[triangle as usize] = self.scratch.sweep.epoch;
        for (i, group) in groups.into_iter().enumerate() {
            let edge = positions[(i + 1) % 3].distance_squared(positions[i]);
            self.measure(group, origin.distance_squared(positions[i]), edge)?;
        }
        for (i, half_edge) in corners.into_iter().enumerate() {
            let next = (i + 1) % 3;
            let (along, back) = (positions[next] - positions[i], origin - positions[i]);
            let squared = along.length_squared();
            let inverse = 1.0 / squared;
            let source = DVec2::new(along.dot(back), -along.cross(back).length()) * inverse;
            self.enter(Gate { half_edge, start: groups[i], end: groups[next], squared, inverse, source })?;
        }
        while let Some(facet) = self.scratch.sweep.facets.pop_front() {
            self.leave(facet)?;
        }

        if self.is_whole() { Ok(()) } else { Err(TooIntricate) }
    }

    /// Lights the other two edges of a triangle.
    #[inline]
    fn leave(&mut self, facet: Facet) -> Result<(), TooIntricate> {
        let Facet { start, end, apex, sides, squared, squared_sides, source, third } = facet;
        let side = |i: usize, start: u32, end: u32, source: DVec2, along: DVec2| {
            let inverse = 1.0 / squared_sides[i];
            // Complex division by `along`, whose own square is the ratio of the two lengths' squares.
            let source = DVec2::new(source.dot(along), along.perp_dot(source)) * (squared * inverse);
            Gate { half_edge: sides[i], start, end, squared: squared_sides[i], inverse, source }
        };
        self.enter(side(0, start, apex, source, third))?;
        self.enter(side(1, apex, end, source - third, DVec2::X - third))
    }

    /// Lays the triangle ahead of an edge flat, if light to its middle comes over this edge.
    #[inline]
    fn enter(&mut self, edge: Gate) -> Result<(), TooIntricate> {
        let Gate { half_edge, start, end, squared, inverse, source } = edge;
        let nearest = DVec2::new(source.x.clamp(0.0, 1.0), 0.0);
        if source.y > 0.0 || nearest.distance_squared(source) * squared > self.radius * self.radius {
            return Ok(());
        }
        let mut others = self.topology.across(half_edge);
        let Some(other) = others.next() else {
            return Ok(());
        };
        if others.next().is_some() {
            return Err(TooIntricate);
        }
        let triangle = other as usize / 3;
        if self.scratch.sweep.triangles[triangle] == self.scratch.sweep.epoch {
            return Ok(());
        }
        let (next, previous) = (next_corner(other), previous_corner(other));
        let apex = self.group_at(previous);
        let origin = (self.position)(start);
        let (along, ahead) = ((self.position)(end) - origin, (self.position)(apex) - origin);
        let third = DVec2::new(along.dot(ahead), along.cross(ahead).length()) * inverse;

        // Where the ray to the middle crosses the edge, times its height, which is not negative.
        let middle = (DVec2::X + third) / 3.0;
        let height = middle.y - source.y;
        let crossing = source.perp_dot(middle);
        if crossing < -BESIDE * height || crossing > (1.0 + BESIDE) * height {
            return Ok(());
        }
        self.scratch.sweep.triangles[triangle] = self.scratch.sweep.epoch;
        self.measure(apex, third.distance_squared(source) * squared, squared)?;
        let sides = if self.group_at(other) == start { [previous, next] } else { [next, previous] };
        let squared_sides = [ahead.length_squared(), ahead.distance_squared(along)];
        self.scratch.sweep.facets.push_back(Facet { start, end, apex, sides, squared, squared_sides, source, third });
        Ok(())
    }

    /// Notes a way to a group, and looks whether it agrees with those before. Squares of its length and of an edge there.
    #[inline]
    fn measure(&mut self, group: u32, squared: f64, edge_squared: f64) -> Result<(), TooIntricate> {
        let sweep = &mut self.scratch.sweep;
        let measured = &mut sweep.groups[group as usize];
        if measured.epoch == sweep.epoch {
            let difference = squared - measured.squared as f64;
            let most = |factor: f64, length_squared: f64| 4.0 * factor * factor * squared * length_squared;
            let nearer = squared.min(edge_squared);
            let off = difference * difference;
            sweep.n_compared += 1;
            sweep.n_apart += u32::from(off > most(SAME, nearer));
            let is_curved = CURVED * sweep.n_apart > sweep.n_compared;
            let agrees = off <= most(AGREE, nearer)
                || (is_curved && off <= most(AGREE_CURVED, nearer).max(most(AGREE_FAR, squared)));
            measured.squared = measured.squared.min(squared as f32);
            // Not so either when it is no number.

            return if agrees { Ok(()) } else { Err(TooIntricate) };
        }
        *measured = Measured { epoch: sweep.epoch, squared: squared as f32 };
        sweep.reached.push(group);
        let is_usable = squared.is_finite() && !(self.topology.is_irregular(group) && self.casts_shadow(group));
        if is_usable { Ok(()) } else { Err(TooIntricate) }
    }

    /// Whether the surface bends round a border group, so that there is something behind it.
    #[cold]
    fn casts_shadow(&self, group: u32) -> bool {
        let angles = self.topology.corners(group).iter().map(|&corner| self.angle_at(corner));
        angles.sum::<f64>() > PI + NARROWEST
    }

    /// Whether no group beside those measured is within the radius too.
    fn is_whole(&self) -> bool {
        let sweep = &self.scratch.sweep;
        sweep.distances().filter(|&(_, distance)| distance as f64 <= self.radius).all(|(group, distance)| {
            let far = |other: u32| {
                let edge = (self.position)(group).distance((self.position)(other));
                distance as f64 + edge > self.radius
            };
            self.topology.neighbours(group).iter().all(|&other| sweep.is_measured(other) || far(other))
        })
    }
}
