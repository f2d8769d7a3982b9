//! Light round a vertex.
//!
//! A straight path leaves half a turn of surface on both sides of a vertex. Where the triangles around it add up to more
//! than a full turn (a saddle), or where a border ends them, directions remain that no straight path from before reaches:
//! the shadow of the vertex. The vertex is a new source for exactly that wedge.

use std::f64::consts::PI;

use glam::{DVec2, DVec3, Vec2};

use super::{BY_EDGE, Run, window::frame_of};
use crate::adjacency::{next_corner, previous_corner};

/// Wedges narrower than this (radians) are left dark: rounding of positions makes them everywhere.
pub(super) const NARROWEST: f64 = 1e-4;

/// A triangle of a fan, in walking order.
#[derive(Clone, Copy, Debug)]
pub(super) struct FanTriangle {
    /// The corner at the middle of the fan.
    corner: u32,
    /// Whether the walk came in over the edge to the corner's next corner (else over the edge to its previous).
    from_next: bool,
    /// Angle from the way in to the first edge, and to the second.
    angles: [f64; 2],
}

/// How a walk round a vertex ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FanEnd {
    Border,
    FullTurn,
    /// More than two triangles at an edge.
    Branch,
}

impl<P: Fn(u32) -> DVec3> Run<'_, P> {
    /// Lights the shadow of a group whose distance is final.
    pub(super) fn turn_around(&mut self, group: u32) {
        let reach = self.scratch.groups[group as usize];
        if reach.corner == BY_EDGE || !(self.topology.is_irregular(group) || self.is_saddle(group)) {
            return;
        }
        let n_corners = self.topology.corners(group).len();
        let (corner, angle) = (reach.corner, Vec2::from_array(reach.back).to_angle() as f64);
        let own = self.angle_at(corner);
        let (end, turn) = self.walk(corner, true, angle, n_corners);
        let n_walked = self.scratch.fan.len() + 1;
        match end {
            FanEnd::FullTurn if n_walked == n_corners => {
                let total = turn + (own - angle);
                self.light_fan(group, [PI, total - PI]);
            }
            FanEnd::Border => {
                self.light_fan(group, [PI, turn]);
                let (end, turn) = self.walk(corner, false, own - angle, n_corners);
                if end == FanEnd::Border && n_walked + self.scratch.fan.len() == n_corners {
                    self.light_fan(group, [PI, turn]);
                } else {
                    self.light_all_around(group);
                }
            }
            _ => self.light_all_around(group),
        }
    }

    /// Whether the triangles around a group add up to more than a full turn: most do not, and this is cheaper than angles.
    fn is_saddle(&self, group: u32) -> bool {
        let mut sum = DVec2::X;
        let mut full_turns = 0;
        for &corner in self.topology.corners(group) {
            let direction = self.direction_at(corner);
            if direction == DVec2::ZERO {
                continue;
            }
            let turned = sum.rotate(direction);
            // Each angle is at most half a turn, so a full one is passed just when y comes up from below zero.
            if sum.y < 0.0 && turned.y >= 0.0 {
                full_turns += 1;
            }
            sum = turned / (turned.x.abs() + turned.y.abs());
        }
        full_turns > 1 || (full_turns == 1 && sum.y.atan2(sum.x).abs() >= NARROWEST)
    }

    /// Collects the triangles from the one at `corner` (left out) to one side: how it ended, and the angle until there.
    fn walk(&mut self, corner: u32, over_next: bool, angle: f64, most: usize) -> (FanEnd, f64) {
        let topology = self.topology;
        self.scratch.fan.clear();
        let (mut at, mut over_next, mut angle) = (corner, over_next, angle);
        for _ in 0..most {
            let half_edge = if over_next { at } else { previous_corner(at) };
            let mut others = topology.across(half_edge);
            let Some(other) = others.next() else {
                return (FanEnd::Border, angle);
            };
            if others.next().is_some() {
                return (FanEnd::Branch, angle);
            }
            let from_next = self.group_at(other) == self.group_at(corner);
            at = if from_next { other } else { next_corner(other) };
            if at == corner {
                return (FanEnd::FullTurn, angle);
            }
            let from = angle;
            angle += self.angle_at(at);
            self.scratch.fan.push(FanTriangle { corner: at, from_next, angles: [from, angle] });
            over_next = !from_next;
        }
        (FanEnd::Branch, angle)
    }

    fn light_fan(&mut self, group: u32, [low, high]: [f64; 2]) {
        if high - low < NARROWEST {
            return;
        }
        for i in 0..self.scratch.fan.len() {
            let triangle = self.scratch.fan[i];
            let [from, to] = triangle.angles;
            if to >= low && from <= high {
                self.light_wedge(
                    group,
                    triangle,
                    [low.max(from) - from, high.min(to) - from],
                    [from >= low, to <= high],
                );
            }
        }
    }

    /// Makes a group a source in every direction.
    pub(super) fn light_all_around(&mut self, group: u32) {
        let topology = self.topology;
        for &corner in topology.corners(group) {
            let angle = self.angle_at(corner);
            let triangle = FanTriangle { corner, from_next: true, angles: [0.0, angle] };
            self.light_wedge(group, triangle, [0.0, angle], [true; 2]);
        }
    }

    /// Lights the far edge of a triangle from its corner, between two angles from the first edge; `ends`: whether the light
    /// also runs along the first and the second edge.
    fn light_wedge(&mut self, group: u32, triangle: FanTriangle, wedge: [f64; 2], ends: [bool; 2]) {
        let FanTriangle { corner, from_next, angles } = triangle;
        let sigma = self.distance(group) as f64;
        let (next, previous) = (next_corner(corner), previous_corner(corner));
        let (first, second) = if from_next { (next, previous) } else { (previous, next) };
        let middle = self.position_at(corner);
        let lengths = [first, second].map(|c| self.position_at(c).distance(middle));
        for ((end, length), is_lit) in [first, second].into_iter().zip(lengths).zip(ends) {
            if is_lit {
                // At the next corner the way back is its incoming edge, at the previous one its outgoing.
                let back = if end == next { self.direction_at(end) } else { DVec2::X };
                self.lower(self.group_at(end), sigma + length, end, || back);
            }
        }
        let a = DVec2::new(lengths[0], 0.0);
        let b = DVec2::from_angle(angles[1] - angles[0]) * lengths[1];
        let far = a.distance(b);
        let [mut low, mut high] = wedge.map(|angle| {
            let direction = DVec2::from_angle(angle);
            let s = -a.perp_dot(direction) / (b - a).perp_dot(direction);
            if s.is_nan() { 0.0 } else { s.clamp(0.0, 1.0) }
        });
        // Whole edges stay whole, whatever rounding did.
        if ends[0] {
            low = 0.0;
        }
        if ends[1] {
            high = 1.0;
        }
        // The far half-edge runs from the next corner to the previous one.
        let [x, beside] = frame_of(DVec2::ZERO, a, b, far);
        let (source, lit) = if from_next {
            ([x, beside], [low * far, high * far])
        } else {
            ([far - x, beside], [(1.0 - high) * far, (1.0 - low) * far])
        };
        self.add_window(next, far, source, sigma, lit);
    }
}
