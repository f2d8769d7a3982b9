//! Questions to the tree. Each visits the nearer child first and prunes only what is strictly worse than the best so
//! far, so that equally good triangles compete by number and the answer equals that of looking at every triangle.

use glam::{DVec3, Vec3};

use super::Bvh;
use crate::triangle::{PreparedRay, closest_on_triangle, point_at};

/// Where a ray meets the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance along the ray in lengths of its direction.
    pub t: f32,
    /// The triangle.
    pub triangle: u32,
    /// Shares of the triangle's three corners; they sum to 1.
    pub barycentric: Vec3,
    /// The point on the triangle.
    pub point: Vec3,
}

/// The surface point closest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestHit {
    /// The triangle.
    pub triangle: u32,
    /// Shares of the triangle's three corners; they sum to 1.
    pub barycentric: Vec3,
    /// The point on the triangle.
    pub point: Vec3,
    /// Straight distance to the given point.
    pub distance: f32,
}

/// Squared distances to boxes are made this much smaller before they prune, so that rounding never prunes a tie.
const DISTANCE_SLACK: f64 = 1.0 - 1e-9;

/// Deeper than any tree over `u32` triangles, each level leaving at most one node behind.
const STACK: usize = 40;

impl Bvh {
    /// The first triangle that the ray `origin + t * direction`, `0 <= t <= max_t`, meets, from either side.
    ///
    /// `positions` is `[n_vertices]`, as last fitted. Among triangles met at the same `t` the lowest number wins. Triangles
    /// seen exactly edge-on, without area or not finite are not met. `None` also for a direction of zero or NaN.
    pub fn raycast(&self, positions: &[Vec3], origin: Vec3, direction: Vec3, max_t: f32) -> Option<RayHit> {
        self.raycast_where(positions, origin, direction, max_t, |_| true)
    }

    /// As [`Bvh::raycast`], through all triangles that are not accepted.
    pub fn raycast_where(
        &self,
        positions: &[Vec3],
        origin: Vec3,
        direction: Vec3,
        max_t: f32,
        accept: impl Fn(u32) -> bool,
    ) -> Option<RayHit> {
        let ray = PreparedRay::new(origin, direction)?;
        let mut best: Option<(f64, u32, DVec3)> = None;
        let mut limit = max_t as f64;
        self.walk_ray(origin, direction, max_t, |slot| {
            let corners = self.corners[slot].map(|v| positions[v as usize]);
            if let Some((t, bary)) = ray.intersect(corners)
                && (0.0..=limit).contains(&t)
                && accept(self.triangle_at[slot])
            {
                let triangle = self.triangle_at[slot];
                if best.is_none_or(|(best_t, best_triangle, _)| t < best_t || (t == best_t && triangle < best_triangle))
                {
                    best = Some((t, triangle, bary));
                    limit = t;
                }
            }
            // Rounded up: an f32 that is not below the f64.
            Some((limit as f32).next_up())
        });
        best.map(|(t, triangle, bary)| RayHit {
            t: t as f32,
            triangle,
            barycentric: bary.as_vec3(),
            point: point_at(self.corners_of(positions, triangle), bary),
        })
    }

    /// Whether any triangle that is not skipped meets the ray at `min_t <= t <= max_t`, from either side.
    ///
    /// For "is this vertex seen from the eye": origin the vertex, direction to the eye, `max_t` 1, and either a small
    /// `min_t` or `skip` for the triangles around the vertex.
    pub fn any_hit(
        &self,
        positions: &[Vec3],
        origin: Vec3,
        direction: Vec3,
        (min_t, max_t): (f32, f32),
        skip: impl Fn(u32) -> bool,
    ) -> bool {
        let Some(ray) = PreparedRay::new(origin, direction) else {
            return false;
        };
        let mut hit = false;
        self.walk_ray(origin, direction, max_t, |slot| {
            let corners = self.corners[slot].map(|v| positions[v as usize]);
            hit = ray.intersect(corners).is_some_and(|(t, _)| (min_t as f64..=max_t as f64).contains(&t))
                && !skip(self.triangle_at[slot]);
            (!hit).then_some(max_t)
        });
        hit
    }

    /// The surface point closest to `point`, no farther than `max_distance` (which may be infinite).
    ///
    /// `positions` is `[n_vertices]`, as last fitted. Among equally close triangles the lowest number wins. Triangles
    /// without area count as their edges; triangles that are not finite are left out.
    pub fn closest_point(&self, positions: &[Vec3], point: Vec3, max_distance: f32) -> Option<ClosestHit> {
        if !point.is_finite() {
            return None;
        }
        let target = point.as_dvec3();
        let mut best: Option<(f64, u32, DVec3)> = None;
        let mut limit = squared(max_distance);
        self.walk_near(point, limit, |slot| {
            let corners = self.corners[slot].map(|v| positions[v as usize]);
            if let Some((d2, bary)) = closest_on_triangle(target, corners)
                && d2 <= limit
            {
                let triangle = self.triangle_at[slot];
                if best.is_none_or(|(best_d2, best_triangle, _)| {
                    d2 < best_d2 || (d2 == best_d2 && triangle < best_triangle)
                }) {
                    best = Some((d2, triangle, bary));
                    limit = d2;
                }
            }
            limit
        });
        best.map(|(d2, triangle, bary)| ClosestHit {
            triangle,
            barycentric: bary.as_vec3(),
            point: point_at(self.corners_of(positions, triangle), bary),
            distance: d2.sqrt() as f32,
        })
    }

    /// Visits every vertex of a triangle that is within `radius` of `center`, once, with its distance.
    ///
    /// The order is the tree's: the same for the same tree, else arbitrary.
    pub fn vertices_within(&self, positions: &[Vec3], center: Vec3, radius: f32, mut visit: impl FnMut(u32, f32)) {
        let limit = squared(radius);
        self.walk_near(center, limit, |slot| {
            for (corner, &v) in self.corners[slot].iter().enumerate() {
                if self.first_use[slot] & 1 << corner != 0 {
                    let distance = positions[v as usize].distance(center);
                    if distance <= radius {
                        visit(v, distance);
                    }
                }
            }
            limit
        });
    }

    /// Visits every vertex of a triangle that is within `radius` of the ray from `origin` along `direction` (its straight
    /// continuation behind `origin` does not count), once, with its distance from the ray.
    ///
    /// The order is the tree's: the same for the same tree, else arbitrary. Nothing for a direction of zero or NaN.
    pub fn vertices_near_ray(
        &self,
        positions: &[Vec3],
        origin: Vec3,
        direction: Vec3,
        radius: f32,
        mut visit: impl FnMut(u32, f32),
    ) {
        let Some(direction) = direction.try_normalize().filter(|_| radius >= 0.0) else { return };
        let distance = |point: Vec3| {
            let to = point - origin;
            to.distance(direction * to.dot(direction).max(0.0))
        };
        // A box whose sphere the ray passes too far away holds nothing; the slack is for rounding.
        let mut stack = [0_u32; STACK];
        stack[0] = 1;
        let mut depth = 1;
        let layout = self.layout();
        while depth > 0 {
            depth -= 1;
            let node = stack[depth] as usize;
            let bounds = self.boxes[node];
            let center = bounds.center();
            let slack = 1e-5 * (bounds.diagonal() + radius) + 1e-6 * center.distance(origin);
            if bounds.is_empty() || distance(center) > radius + 0.5 * bounds.diagonal() + slack {
                continue;
            }
            if node >= self.n_leaves {
                for slot in layout.slots(node - self.n_leaves) {
                    for (corner, &v) in self.corners[slot].iter().enumerate() {
                        if self.first_use[slot] & 1 << corner != 0 {
                            let distance = distance(positions[v as usize]);
                            if distance <= radius {
                                visit(v, distance);
                            }
                        }
                    }
                }
                continue;
            }
            stack[depth] = (2 * node + 1) as u32;
            stack[depth + 1] = (2 * node) as u32;
            depth += 2;
        }
    }

    /// Visits every triangle of which some point is within `radius` of `center`, once.
    ///
    /// The order is the tree's: the same for the same tree, else arbitrary.
    pub fn triangles_within(&self, positions: &[Vec3], center: Vec3, radius: f32, mut visit: impl FnMut(u32)) {
        let limit = squared(radius);
        self.walk_near(center, limit, |slot| {
            let corners = self.corners[slot].map(|v| positions[v as usize]);
            if closest_on_triangle(center.as_dvec3(), corners).is_some_and(|(d2, _)| d2 <= limit) {
                visit(self.triangle_at[slot]);
            }
            limit
        });
    }

    fn corners_of(&self, positions: &[Vec3], triangle: u32) -> [Vec3; 3] {
        self.corners[self.slot_of[triangle as usize] as usize].map(|v| positions[v as usize])
    }

    /// Calls `at_slot` for the triangles of every leaf that the ray enters no later than the `t` which `at_slot` last
    /// returned, roughly front to back; `None` ends the walk.
    fn walk_ray(&self, origin: Vec3, direction: Vec3, max_t: f32, mut at_slot: impl FnMut(usize) -> Option<f32>) {
        let inverse = direction.recip();
        let layout = self.layout();
        let mut max_t = max_t;
        let mut stack = [(0_u32, 0.0_f32); STACK];
        let mut depth = 0;
        let mut next = self.boxes[1].ray_entry(origin, inverse, max_t).map(|_| 1_usize);
        while let Some(node) = next {
            next = None;
            if node >= self.n_leaves {
                for slot in layout.slots(node - self.n_leaves) {
                    match at_slot(slot) {
                        Some(limit) => max_t = limit,
                        None => return,
                    }
                }
            } else {
                let entry = |child: usize| {
                    let t = self.boxes[child].ray_entry(origin, inverse, max_t)?;
                    Some((child as u32, t))
                };
                next = match (entry(2 * node), entry(2 * node + 1)) {
                    (Some(a), Some(b)) => {
                        let (near, far) = if b.1 < a.1 { (b, a) } else { (a, b) };
                        stack[depth] = far;
                        depth += 1;
                        Some(near.0 as usize)
                    }
                    (one, other) => one.or(other).map(|(child, _)| child as usize),
                };
            }
            while next.is_none() && depth > 0 {
                depth -= 1;
                let (child, t) = stack[depth];
                if t <= max_t {
                    next = Some(child as usize);
                }
            }
        }
    }

    /// Calls `at_slot` for the triangles of every leaf whose squared distance is at most the limit which `at_slot` last
    /// returned, roughly nearest first.
    fn walk_near(&self, point: Vec3, limit: f64, mut at_slot: impl FnMut(usize) -> f64) {
        let layout = self.layout();
        let mut limit = limit;
        let distance = |node: usize| self.boxes[node].distance_squared(point) * DISTANCE_SLACK;
        let mut stack = [(0_u32, 0.0_f64); STACK];
        let mut depth = 1;
        stack[0] = (1, distance(1));
        while depth > 0 {
            depth -= 1;
            let (node, d2) = stack[depth];
            if d2 > limit {
                continue;
            }
            let node = node as usize;
            if node >= self.n_leaves {
                for slot in layout.slots(node - self.n_leaves) {
                    limit = at_slot(slot);
                }
                continue;
            }
            let a = ((2 * node) as u32, distance(2 * node));
            let b = ((2 * node + 1) as u32, distance(2 * node + 1));
            let (near, far) = if b.1 < a.1 { (b, a) } else { (a, b) };
            stack[depth] = far;
            stack[depth + 1] = near;
            depth += 2;
        }
    }
}

/// A squared limit; one that nothing meets for a negative or NaN distance.
fn squared(distance: f32) -> f64 {
    if distance >= 0.0 { (distance as f64).powi(2) } else { -1.0 }
}
