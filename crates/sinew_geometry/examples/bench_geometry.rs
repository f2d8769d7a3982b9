//! Times the crate on a tube of 1 M vertices and 2 M triangles that it makes itself, each figure beside its target.
//!
//! `cargo run --release -p sinew_geometry --example bench_geometry [distances]`
//!
//! With `distances` only distances along the surface are timed.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::{cmp::Ordering, error::Error, f32::consts::TAU, time::Instant};

use glam::Vec3;
use sinew_geometry::{
    Bvh, GeodesicScratch, PointIndex, RayHit, SurfaceSides, Topology, TriMeshRef, WeldGroups, distances_within,
    vertex_normals,
};

/// Best of `n` runs, in milliseconds.
fn time<T>(n: usize, mut run: impl FnMut() -> T) -> f64 {
    (0..n)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(run());
            start.elapsed().as_secs_f64() * 1e3
        })
        .fold(f64::INFINITY, f64::min)
}

fn row(what: &str, milliseconds: f64, target: f64) {
    let verdict = if milliseconds <= target { "" } else { "  MISSED" };
    println!("{what:<58} {milliseconds:>9.3} ms   target {target:>7} ms{verdict}");
}

/// A tube with a seam, bulging so that it is curved both ways when `bulge` is not 0.
fn tube(around: u32, along: u32, bulge: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let step = TAU / around as f32;
    let mut positions = Vec::new();
    for i in 0..=along {
        let x = i as f32 * step;
        let r = 1.0 + bulge * (x * 2.0).sin();
        for j in 0..=around {
            let (sin, cos) = ((j % around) as f32 * step).sin_cos();
            positions.push(Vec3::new(x, r * cos, r * sin));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..along {
        for j in 0..around {
            let a = i * (around + 1) + j;
            let (b, c, d) = (a + 1, a + around + 2, a + around + 1);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (positions, triangles)
}

/// Step of the tube's vertices.
const STEP: f32 = TAU / 999.0;
/// Covers about 2,000 of its vertices.
const RADIUS: f32 = 25.2 * STEP;

/// Times distances along the surface from a hit: the groups within [`RADIUS`].
fn distances_row(positions: &[Vec3], weld: &WeldGroups, topology: &Topology, hit: RayHit) -> Vec<u32> {
    let at = |group: u32| positions[weld.representative(group) as usize];
    let mut scratch = GeodesicScratch::new(weld.n_groups());
    let mut covered = Vec::new();
    let milliseconds = time(300, || {
        covered.clear();
        distances_within(&mut scratch, topology, at, hit.into(), RADIUS, |g, _| covered.push(g));
    });
    row(&format!("distances along the surface to {} groups", covered.len()), milliseconds, 0.4);
    covered
}

fn main() -> Result<(), Box<dyn Error>> {
    let only_distances = std::env::args().nth(1).is_some_and(|name| name == "distances");
    for bulge in [0.0, 0.3] {
        let (mut positions, triangles) = tube(999, 1000, bulge);
        println!(
            "tube with bulge {bulge}: {} vertices, {} triangles, {} threads",
            positions.len(),
            triangles.len(),
            rayon::current_num_threads()
        );
        let mesh = TriMeshRef::new(&positions, &triangles)?;
        let origin = Vec3::new(3.1, 0.2, 5.0);
        if only_distances {
            let weld = WeldGroups::by_position(&positions, |_, _| Ordering::Equal);
            let topology = Topology::new(mesh, &weld);
            let hit =
                Bvh::build(mesh).raycast(&positions, origin, Vec3::NEG_Z, 100.0).ok_or("the ray misses the tube")?;
            distances_row(&positions, &weld, &topology, hit);
            continue;
        }
        let weld = WeldGroups::by_position(&positions, |_, _| Ordering::Equal);
        row("weld by position", time(3, || WeldGroups::by_position(&positions, |_, _| Ordering::Equal)), 150.0);
        let topology = Topology::new(mesh, &weld);
        row("topology", time(3, || Topology::new(mesh, &weld)), 300.0);
        row("components", time(3, || topology.components()), 100.0);
        let at = |group: u32| positions[weld.representative(group) as usize];
        let normals = vertex_normals(&topology, at);
        row("normals", time(3, || vertex_normals(&topology, at)), 100.0);
        let by_vertex: Vec<Vec3> = weld.groups().iter().map(|&g| normals[g as usize]).collect();
        row("sides (weld again, look for opposite normals)", time(3, || SurfaceSides::new(mesh, &by_vertex)), 200.0);
        row("point index", time(2, || PointIndex::new(&positions)), 500.0);
        let mut bvh = Bvh::build(mesh);
        row("tree: build", time(3, || Bvh::build(mesh)), 1000.0);
        row("tree: refit all", time(10, || bvh.refit_all(&positions)), 40.0);

        let hit = bvh.raycast(&positions, origin, Vec3::NEG_Z, 100.0).ok_or("the ray misses the tube")?;
        row("tree: one ray", time(100, || bvh.raycast(&positions, origin, Vec3::NEG_Z, 100.0)), 0.02);
        row("tree: closest point", time(100, || bvh.closest_point(&positions, origin, f32::INFINITY)), 0.02);

        let covered = distances_row(&positions, &weld, &topology, hit);
        let mut near = Vec::new();
        let milliseconds = time(100, || {
            near.clear();
            bvh.vertices_within(&positions, hit.point, RADIUS, |v, _| near.push(v));
        });
        row(&format!("{} vertices within a ball", near.len()), milliseconds, 0.2);

        let mut dirty: Vec<u32> = covered.iter().flat_map(|&g| topology.triangles_of(g)).collect();
        dirty.sort_unstable();
        dirty.dedup();
        for &g in &covered {
            for &v in weld.members(g) {
                positions[v as usize] *= 1.001;
            }
        }
        row(
            &format!("tree: refit {} triangles", dirty.len()),
            time(100, || bvh.refit_some(&positions, dirty.iter().copied())),
            0.3,
        );
    }
    Ok(())
}
