//! Distances along the surface against known answers: flat, folded, cut, curved.

use std::cmp::Ordering;
use std::f32::consts::{FRAC_PI_2, PI, TAU};

use super::*;
use crate::{
    Bvh, TriMeshRef, WeldGroups,
    test_meshes::{Mesh, Noise, cube, flat, grid, sphere, tube},
};
use proptest::prelude::*;

/// How distances are found.
#[derive(Clone, Copy)]
enum Way {
    /// As for everyone: most meshes here need no windows.
    Public,
    Windows,
}

const WAYS: [Way; 2] = [Way::Public, Way::Windows];

/// Distances of all vertices from the surface point closest to `from`; infinite where not reached. Also where that is.
fn distances((positions, triangles): &Mesh, from: Vec3, radius: f32, way: Way) -> (Vec<f32>, Vec3) {
    let mesh = TriMeshRef::new(positions, triangles).expect("indices in range");
    let hit = Bvh::build(mesh).closest_point(positions, from, f32::INFINITY).expect("a surface");
    (distances_at(positions, triangles, hit.into(), radius, way), hit.point)
}

fn distances_at(positions: &[Vec3], triangles: &[[u32; 3]], seed: SurfacePoint, radius: f32, way: Way) -> Vec<f32> {
    let mesh = TriMeshRef::new(positions, triangles).expect("indices in range");
    let weld = WeldGroups::by_position(positions, |_, _| Ordering::Equal);
    let topology = Topology::new(mesh, &weld);
    let mut scratch = GeodesicScratch::new(0);
    let mut out = vec![f32::INFINITY; positions.len()];
    // Twice: the second run must not see the first.
    for _ in 0..2 {
        out.fill(f32::INFINITY);
        let position = |group| positions[weld.representative(group) as usize];
        let mut visit = |group, distance| {
            assert!(distance <= radius);
            for &v in weld.members(group) {
                assert_eq!(out[v as usize], f32::INFINITY, "each group comes once");
                out[v as usize] = distance;
            }
        };
        match way {
            Way::Public => distances_within(&mut scratch, &topology, position, seed, radius, visit),
            Way::Windows => measure(&mut scratch, &topology, position, seed, radius, false, &mut visit),
        }
    }
    out
}

/// Asserts that each vertex's distance is `expected` within the relative tolerance, and that exactly those within the radius come.
fn check(mesh: &Mesh, from: Vec3, radius: f32, tolerance: f32, expected: impl Fn(Vec3, Vec3) -> f32) {
    for way in WAYS {
        check_way(mesh, from, radius, tolerance, &expected, way);
    }
}

fn check_way(mesh: &Mesh, from: Vec3, radius: f32, tolerance: f32, expected: &impl Fn(Vec3, Vec3) -> f32, way: Way) {
    let (found, seed) = distances(mesh, from, radius, way);
    let mut n_reached = 0;
    // Positions themselves are rounded.
    let rounding = 3e-7 * crate::Aabb::from_points(&mesh.0).diagonal();
    for (v, (&p, &d)) in mesh.0.iter().zip(&found).enumerate() {
        let right = expected(seed, p);
        if d.is_finite() {
            n_reached += 1;
            assert!((d - right).abs() <= tolerance * right + rounding, "vertex {v} at {p}: {d}, should be {right}");
            assert!(d >= seed.distance(p) * (1.0 - 1e-6) - rounding, "shorter than the straight line");
        } else {
            assert!(
                right > radius * (1.0 - tolerance) - rounding,
                "vertex {v} at {p} was not reached; it is {right} away"
            );
        }
    }
    assert!(n_reached > 0, "the test reaches something");
}

#[test]
fn a_flat_grid_has_straight_distances() {
    let mesh = flat(30, 30);
    // In a triangle, on an edge, on a vertex, on the border, on a corner.
    for from in [
        Vec3::new(15.3, 14.8, 0.0),
        Vec3::new(15.5, 15.0, 0.0),
        Vec3::new(15.0, 15.0, 0.0),
        Vec3::new(0.0, 12.3, 0.0),
        Vec3::new(30.0, 30.0, 0.0),
    ] {
        check(&mesh, from, 12.0, 1e-5, Vec3::distance);
        check(&mesh, from, 100.0, 1e-5, Vec3::distance);
    }
}

#[test]
fn a_sliver_triangle_hides_no_vertex() {
    // B28
    for thin in [1e-4, 1e-6, 0.0] {
        let (mut positions, mut triangles) = grid(4, 4, |i, j| Vec3::new(i as f32, j as f32, 0.0) * 0.25, |_, _| false);
        // The middle of an edge between two triangles, moved by almost nothing: a sliver.
        let (a, c) = (6, 12);
        let new = positions.len() as u32;
        let middle = (positions[a as usize] + positions[c as usize]) / 2.0;
        positions.push(middle + Vec3::new(thin, -thin, 0.0));
        let edge = triangles.iter().position(|t| t.contains(&a) && t.contains(&c)).expect("the diagonal");
        let t = triangles[edge];
        let third = *t.iter().find(|&&v| v != a && v != c).expect("a third corner");
        let is_right = t == [a, third, c] || t == [third, c, a] || t == [c, a, third];
        assert!(is_right, "the first triangle is right of the diagonal");
        triangles[edge] = [a, third, new];
        triangles.push([new, third, c]);
        triangles.push([a, new, c]);
        check(&(positions, triangles), Vec3::new(0.5, 0.5, 0.0), 0.3, 1e-5, Vec3::distance);
        let (mut positions, triangles) = flat(8, 8);
        positions[4 * 9 + 4].x -= 1.0 - thin;
        check(&(positions, triangles), Vec3::new(6.2, 4.1, 0.0), 20.0, 1e-5, Vec3::distance);
    }
}

#[test]
fn a_cylinder_is_measured_unrolled() {
    // 60 flat strips: unrolled they are chords, not arcs.
    let (around, step) = (60, 0.1);
    let chord = 2.0 * (PI / around as f32).sin();
    let unrolled = |p: Vec3| {
        let turn = p.z.atan2(p.y).rem_euclid(TAU) / TAU * around as f32;
        let (strip, angle) = (turn.floor(), turn.fract() * TAU / around as f32);
        // Along the chord: project onto its direction.
        let half = PI / around as f32;
        let r = p.y.hypot(p.z);
        let along = (r * (angle - half).sin() + half.sin()) / (2.0 * half.sin());
        (p.x, (strip + along) * chord)
    };
    let full = chord * around as f32;
    check(&tube(around, 60, step), Vec3::new(3.04, 0.4, 0.91), 2.9, 2e-5, |seed, p| {
        let ((x0, y0), (x1, y1)) = (unrolled(seed), unrolled(p));
        let dy = (y0 - y1).abs();
        (x0 - x1).hypot(dy.min(full - dy))
    });
}

#[test]
fn a_cube_is_measured_over_its_edges() {
    // From the middle of the top: on the sides the way is straight after folding the side up.
    check(&cube(8), Vec3::new(0.0, 0.0, 1.0), 2.8, 1e-5, |_, p| {
        if p.z > 1.0 - 1e-6 {
            return p.x.hypot(p.y);
        }
        if p.z < -1.0 + 1e-6 {
            // Farther than the radius, or its rim, which the sides decide.
            let m = p.x.abs().max(p.y.abs());
            if m < 1.0 - 1e-6 {
                return 4.0 - m;
            }
        }
        // Straight over the top edge of the side the point is on.
        let over = |side: f32, along: f32| {
            if side.abs() > 1.0 - 1e-6 { (1.0 + (1.0 - p.z)).hypot(along) } else { f32::INFINITY }
        };
        // Or over the neighbouring side, round the vertical edge.
        let round = |side: f32, along: f32| {
            if side.abs() > 1.0 - 1e-6 {
                let x = 1.0 + (1.0 - along.abs());
                (2.0 - p.z).hypot(x)
            } else {
                f32::INFINITY
            }
        };
        over(p.x, p.y).min(over(p.y, p.x)).min(round(p.x, p.y)).min(round(p.y, p.x))
    });
}

#[test]
fn a_sphere_is_within_one_percent_of_its_arcs() {
    for n in [8, 24, 60] {
        let mesh = sphere(n);
        for from in [Vec3::new(0.3, 0.2, 0.9), Vec3::new(1.0, 1.0, 1.0), Vec3::X] {
            check(&mesh, from, 2.6, 0.01, |seed, p| {
                // Not acos, which is coarse for small angles.
                let arc = 2.0 * (seed.normalize_or_zero().distance(p) / 2.0).asin();
                // The seed itself lies on a triangle, a little inside the sphere.
                if arc < 1e-3 { seed.distance(p) } else { arc }
            });
        }
    }
}

#[test]
fn a_cut_is_walked_round_and_never_crossed() {
    // The quads of column 10 below row 15 are missing: a slot one unit wide.
    let (positions, triangles) = flat(20, 20);
    let triangles: Vec<_> = triangles
        .into_iter()
        .enumerate()
        .filter(|(i, _)| !((i / 2) % 20 == 10 && (i / 2) / 20 < 15))
        .map(|(_, t)| t)
        .collect();
    let (left, right) = (Vec3::new(10.0, 15.0, 0.0), Vec3::new(11.0, 15.0, 0.0));
    check(&(positions, triangles), Vec3::new(8.25, 3.5, 0.0), 25.0, 1e-5, |seed, p| {
        // Above the slot nothing stands in the way; else round its ends.
        let passes = |a: Vec3, b: Vec3| {
            // Whether the straight line stays above the slot's corners where it crosses them.
            [left, right].iter().all(|&c| {
                let (from, to) = if a.x < b.x { (a, b) } else { (b, a) };
                let is_right = c.x > 10.5;
                c.x < from.x || c.x > to.x || (c.x == to.x && !is_right) || {
                    let t = (c.x - from.x) / (to.x - from.x);
                    from.y + t * (to.y - from.y) >= c.y
                }
            })
        };
        let mut best = f32::INFINITY;
        if passes(seed, p) {
            best = seed.distance(p);
        }
        if passes(left, p) {
            best = best.min(seed.distance(left) + left.distance(p));
        }
        best.min(seed.distance(left) + 1.0 + right.distance(p))
    });
}

#[test]
fn another_shell_is_not_reached_however_close() {
    let (mut positions, mut triangles) = flat(4, 4);
    let n = positions.len() as u32;
    let (above, more) = flat(4, 4);
    positions.extend(above.iter().map(|p| *p + Vec3::Z * 1e-3));
    triangles.extend(more.iter().map(|t| t.map(|v| v + n)));
    let seed = SurfacePoint { triangle: 5, barycentric: Vec3::new(0.2, 0.3, 0.5) };
    for way in WAYS {
        let found = distances_at(&positions, &triangles, seed, 50.0, way);
        assert!(found[..n as usize].iter().all(|d| d.is_finite()));
        assert!(found[n as usize..].iter().all(|d| d.is_infinite()));
    }
}

#[test]
fn three_sheets_on_one_edge_are_all_reached() {
    // A T of three half planes along the y axis.
    let (mut positions, mut triangles) = flat(6, 6);
    for direction in [Vec3::NEG_X, Vec3::Z] {
        let (sheet, more) = grid(6, 6, |i, j| direction * i as f32 + Vec3::Y * j as f32, |_, _| true);
        let first = positions.len() as u32;
        positions.extend(sheet);
        triangles.extend(more.iter().map(|t| t.map(|v| v + first)));
    }
    check(
        &(positions, triangles),
        Vec3::new(2.2, 3.3, 0.0),
        20.0,
        1e-5,
        // Each other sheet is unfolded to the left.
        |seed, p| (p.x + p.z.abs().mul_add(-1.0, 0.0) - seed.x).hypot(p.y - seed.y),
    );
}

#[test]
fn a_saddle_bends_the_way_round_its_middle() {
    // Five quarter planes around one vertex: an angle of 450°. Unrolled, positions are polar.
    let n = 12;
    let mut positions = vec![Vec3::ZERO];
    let mut triangles = Vec::new();
    // A cone of more than a full turn: rays at equal polar distance, waving up and down.
    let rays = 40;
    let wave = {
        // The slope that makes the rays' angles add up to 450°.
        let total = |h: f32| -> f32 {
            let ray = |k: i32| ray_at(k as f32 / rays as f32, h);
            (0..rays).map(|k| ray(k).angle_between(ray(k + 1))).sum()
        };
        let (mut low, mut high) = (0.0, 5.0);
        for _ in 0..60 {
            let h = f32::midpoint(low, high);
            if total(h) < 2.5 * PI { low = h } else { high = h }
        }
        low
    };
    for ring in 1..=n {
        for k in 0..rays {
            positions.push(ray_at(k as f32 / rays as f32, wave) * ring as f32);
        }
    }
    let at = |ring: i32, k: i32| {
        if ring == 0 { 0 } else { (1 + (ring - 1) * rays + k % rays) as u32 }
    };
    for k in 0..rays {
        triangles.push([0, at(1, k), at(1, k + 1)]);
        for ring in 1..n {
            triangles.push([at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)]);
            triangles.push([at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)]);
        }
    }
    // Polar angle of each ray.
    let mut polar = vec![0.0];
    for k in 0..rays {
        let (a, b) = (positions[at(1, k) as usize], positions[at(1, k + 1) as usize]);
        polar.push(polar[k as usize] + a.angle_between(b));
    }
    let total = polar[rays as usize];
    assert!((total - 2.5 * PI).abs() < 1e-3);
    let seed_vertex = at(6, 3);
    let triangle = triangles.iter().position(|t| t[0] == seed_vertex).expect("a triangle") as u32;
    let seed = SurfacePoint { triangle, barycentric: Vec3::X };
    let found = distances_at(&positions, &triangles, seed, 30.0, Way::Public);
    let mut n_round = 0;
    for ring in 1..=n {
        for k in 0..rays {
            let apart = (polar[k as usize] - polar[3]).abs();
            let apart = apart.min(total - apart);
            let (a, b) = (6.0_f32, ring as f32);
            let expected = if apart >= PI {
                n_round += 1;
                a + b
            } else {
                (a * a + b * b - 2.0 * a * b * apart.cos()).max(0.0).sqrt()
            };
            let d = found[at(ring, k) as usize];
            assert!((d - expected).abs() <= 2e-4 * expected + 1e-5, "{ring} {k}: {d} {expected}");
        }
    }
    assert!(n_round > 20, "some ways go round the middle");
}

/// A unit ray of a waving cone.
fn ray_at(turn: f32, wave: f32) -> Vec3 {
    let (sin, cos) = (turn * TAU).sin_cos();
    Vec3::new(cos, sin, wave * (2.0 * turn * TAU).sin()).normalize_or_zero()
}

#[test]
fn smooth_and_rough_surfaces_need_no_windows() {
    let n = 60;
    let height = |roughness: f32| {
        let mut noise = Noise(3);
        move |i: u32, j: u32| {
            let (x, y) = (i as f32, j as f32);
            Vec3::new(x, y, 2.0 * (x / 12.0).sin() * (y / 15.0).cos() + roughness * (noise.next() - 0.5))
        }
    };
    for (roughness, tolerance) in [(0.0, 5e-3), (0.15, 1.5e-2)] {
        let mut diagonals = Noise(4);
        let (positions, triangles) = grid(n, n, height(roughness), |_, _| diagonals.next() < 0.5);
        let mesh = TriMeshRef::new(&positions, &triangles).expect("indices in range");
        let weld = WeldGroups::by_position(&positions, |_, _| Ordering::Equal);
        let topology = Topology::new(mesh, &weld);
        let seed = SurfacePoint { triangle: n * n + n, barycentric: Vec3::new(0.2, 0.5, 0.3) };
        let mut distances = [(); 2].map(|()| vec![f32::INFINITY; positions.len()]);
        for (may_sweep, out) in [true, false].into_iter().zip(&mut distances) {
            let mut scratch = GeodesicScratch::new(0);
            let position = |group: u32| positions[group as usize];
            measure(&mut scratch, &topology, position, seed, 25.0, may_sweep, &mut |group, distance| {
                out[group as usize] = distance;
            });
            assert_eq!(scratch.windows.is_empty(), may_sweep);
        }
        let [swept, exact] = distances;
        for (v, (a, b)) in swept.into_iter().zip(exact).enumerate() {
            if a.min(b) < 25.0 * (1.0 - tolerance) {
                assert!((a - b).abs() <= tolerance * b, "vertex {v}: {a}, by windows {b}");
            }
        }
    }
}

#[test]
fn broken_triangles_and_positions_do_no_harm() {
    let (mut positions, mut triangles) = flat(6, 6);
    positions[24] = Vec3::NAN;
    positions[8] = Vec3::INFINITY;
    positions[40] = positions[41];
    triangles.push([0, 0, 1]);
    triangles.push([3, 3, 3]);
    for triangle in 0..triangles.len() as u32 {
        for barycentric in [Vec3::splat(1.0 / 3.0), Vec3::X, Vec3::NAN] {
            let seed = SurfacePoint { triangle, barycentric };
            for way in WAYS {
                let found = distances_at(&positions, &triangles, seed, 10.0, way);
                assert!(found[24].is_infinite());
            }
        }
    }
    let nowhere = SurfacePoint { triangle: 9999, barycentric: Vec3::X };
    assert!(distances_at(&positions, &triangles, nowhere, 10.0, Way::Public).iter().all(|d| d.is_infinite()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_flat_triangulation_has_straight_distances(
        noise in any::<u64>(),
        jitter in 0.0_f32..0.95,
        stretch in 1.0_f32..12.0,
        from in (0.0_f32..1.0, 0.0_f32..1.0),
        radius in 2.0_f32..40.0,
    ) {
        let mut r = Noise(noise);
        let n = 14;
        let (mut a, mut b) = (Noise(noise ^ 1), Noise(noise ^ 2));
        let mesh = grid(
            n,
            n,
            |i, j| {
                // Inner vertices move by less than keeps all quads convex enough for either diagonal.
                let inner = i > 0 && j > 0 && i < n && j < n;
                let k = if inner { jitter * 0.49 } else { 0.0 };
                let (dx, dy) = (a.next() - 0.5, b.next() - 0.5);
                Vec3::new((i as f32 + dx * k) * stretch, j as f32 + dy * k, 0.0)
            },
            |_, _| r.next() < 0.5,
        );
        let from = Vec3::new(from.0 * n as f32 * stretch, from.1 * n as f32, 0.0);
        check(&mesh, from, radius.max(stretch), 1e-5, Vec3::distance);
    }

    #[test]
    fn a_folded_sheet_is_measured_flat(noise in any::<u64>(), from in (0.1_f32..0.9, 0.1_f32..0.9)) {
        // Pleats along y: a sheet bends like paper whatever the angles.
        let mut r = Noise(noise);
        let n = 16;
        let (mut x, mut z) = (vec![0.0_f32], vec![0.0_f32]);
        for i in 0..n {
            let angle = (r.next() - 0.5) * FRAC_PI_2;
            x.push(x[i] + angle.cos());
            z.push(z[i] + angle.sin());
        }
        let n = n as u32;
        let (positions, triangles) = grid(
            n,
            n,
            |i, j| Vec3::new(x[i as usize], j as f32, z[i as usize]),
            |_, _| r.next() < 0.5,
        );
        let (flat_positions, _) = flat(n, n);
        let triangle = ((from.1 * n as f32) as u32 * n + (from.0 * n as f32) as u32) * 2;
        let seed = SurfacePoint { triangle, barycentric: Vec3::new(0.3, 0.45, 0.25) };
        let origin: Vec3 = (0..3)
            .map(|c| flat_positions[triangles[triangle as usize][c] as usize] * seed.barycentric[c])
            .sum();
        for way in WAYS {
            let found = distances_at(&positions, &triangles, seed, 100.0, way);
            for (p, d) in flat_positions.iter().zip(found) {
                let right = p.distance(origin);
                prop_assert!((d - right).abs() <= 1e-5 * right + 1e-6, "{} should be {}", d, right);
            }
        }
    }
}
