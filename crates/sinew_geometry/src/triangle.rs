//! Queries on a single triangle: ray and closest point. In `f64`, so that huge, tiny and sliver triangles behave.

use glam::{DVec3, Vec3};

/// A ray prepared for many triangle tests (Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2013).
///
/// Two triangles that share an edge decide on the same side of it, so no ray slips through between them.
#[derive(Clone, Copy, Debug)]
pub struct PreparedRay {
    origin: DVec3,
    axes: [usize; 3],
    shear: DVec3,
}

impl PreparedRay {
    /// `None` when the direction is zero or anything is not finite.
    pub fn new(origin: Vec3, direction: Vec3) -> Option<Self> {
        if !origin.is_finite() || !direction.is_finite() || direction == Vec3::ZERO {
            return None;
        }
        let d = direction.as_dvec3();
        let z = d.abs().max_position();
        let (mut x, mut y) = ((z + 1) % 3, (z + 2) % 3);
        if d[z] < 0.0 {
            std::mem::swap(&mut x, &mut y);
        }
        Some(Self {
            origin: origin.as_dvec3(),
            axes: [x, y, z],
            shear: DVec3::new(d[x] / d[z], d[y] / d[z], 1.0 / d[z]),
        })
    }

    /// Where the ray's line meets the triangle, from either side: `(t, barycentric)`, `t` in lengths of the direction.
    ///
    /// `None` for a miss, a triangle seen edge-on or without area, and for positions that are not finite.
    pub fn intersect(&self, corners: [Vec3; 3]) -> Option<(f64, DVec3)> {
        let [kx, ky, kz] = self.axes;
        let [a, b, c] = corners.map(|p| {
            let p = p.as_dvec3() - self.origin;
            let z = p[kz];
            DVec3::new(p[kx] - self.shear.x * z, p[ky] - self.shear.y * z, self.shear.z * z)
        });
        let u = c.x * b.y - c.y * b.x;
        let v = a.x * c.y - a.y * c.x;
        let w = b.x * a.y - b.y * a.x;
        if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
            return None;
        }
        let det = u + v + w;
        let bary = DVec3::new(u, v, w) / det;
        // Edge-on or without area, up to rounding: where the ray meets it would be noise.
        let size = a.truncate().length_squared() + b.truncate().length_squared() + c.truncate().length_squared();
        if det.abs() <= 1e-14 * size || !bary.is_finite() {
            return None;
        }
        let t = bary.x * a.z + bary.y * b.z + bary.z * c.z;
        t.is_finite().then_some((t, bary))
    }
}

/// The point of a triangle closest to `point`: `(squared distance, barycentric)`; `None` when a corner is not finite.
///
/// A triangle without area is treated as the segments between its corners.
pub fn closest_on_triangle(point: DVec3, corners: [Vec3; 3]) -> Option<(f64, DVec3)> {
    if !corners.iter().all(|c| c.is_finite()) {
        return None;
    }
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let normal = ab.cross(ac);
    let area = normal.length_squared();
    if area > 0.0 {
        let v = ap.cross(ac).dot(normal) / area;
        let w = ab.cross(ap).dot(normal) / area;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            let off = ap - (ab * v + ac * w);
            return Some((off.length_squared(), DVec3::new(1.0 - v - w, v, w)));
        }
    }
    let on_edge = |from: DVec3, to: DVec3| {
        let edge = to - from;
        let length = edge.length_squared();
        let s = if length > 0.0 { ((point - from).dot(edge) / length).clamp(0.0, 1.0) } else { 0.0 };
        ((from + edge * s - point).length_squared(), s)
    };
    let (d_ab, s_ab) = on_edge(a, b);
    let (d_bc, s_bc) = on_edge(b, c);
    let (d_ca, s_ca) = on_edge(c, a);
    Some(if d_ab <= d_bc && d_ab <= d_ca {
        (d_ab, DVec3::new(1.0 - s_ab, s_ab, 0.0))
    } else if d_bc <= d_ca {
        (d_bc, DVec3::new(0.0, 1.0 - s_bc, s_bc))
    } else {
        (d_ca, DVec3::new(s_ca, 0.0, 1.0 - s_ca))
    })
}

/// The point at barycentric coordinates of a triangle, rounded once at the end.
pub fn point_at(corners: [Vec3; 3], barycentric: DVec3) -> Vec3 {
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    (a * barycentric.x + b * barycentric.y + c * barycentric.z).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_without_area_give_their_nearest_edge_and_no_ray_hit() {
        let line = [Vec3::ZERO, Vec3::X, Vec3::new(3.0, 0.0, 0.0)];
        let (d2, bary) = closest_on_triangle(DVec3::new(2.0, 1.0, 0.0), line).expect("finite corners");
        assert!((d2 - 1.0).abs() < 1e-12);
        assert!((point_at(line, bary) - Vec3::new(2.0, 0.0, 0.0)).length() < 1e-6);
        let dot = [Vec3::ONE; 3];
        let (d2, _) = closest_on_triangle(DVec3::ZERO, dot).expect("finite corners");
        assert!((d2 - 3.0).abs() < 1e-12);
        let down = PreparedRay::new(Vec3::new(0.5, 0.0, 1.0), Vec3::NEG_Z).expect("a ray");
        assert_eq!(down.intersect(line), None);
        assert_eq!(down.intersect([Vec3::NAN; 3]), None);
        assert!(closest_on_triangle(DVec3::ZERO, [Vec3::NAN, Vec3::X, Vec3::Y]).is_none());
    }
}
