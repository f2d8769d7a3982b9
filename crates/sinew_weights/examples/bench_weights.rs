//! Times of the whole-mesh verbs and of the per-vertex ones, each beside its target.
//!
//! `cargo run --release -p sinew_weights --example bench_weights`

use std::hint::black_box;
use std::time::{Duration, Instant};

use glam::{Vec2, Vec3};
use sinew_model::{JointSlot, Mesh, Revision, Row, RowRef, VertexIndex, VertexPool, WeightTable};
use sinew_weights::{
    Change, Holds, MeshChanges, SmoothField, SmoothSettings, blend_row, limit_mesh, mean_of_rows, normalize_mesh,
    prune_mesh, set_weight, smooth,
};

fn main() {
    println!("{} threads, best of several runs", rayon::current_num_threads());
    println!(
        "in brackets: processor time / threads, what a run takes on an idle machine (Linux; steps of 10 ms / runs)"
    );
    whole_mesh();
    smoothing();
    dab();
}

fn whole_mesh() {
    const N: usize = 1_000_000;
    println!("1 M vertices x 4 influences");
    // Every hundredth row, or all, need the verb. Weights of 4 influences; every scale, a long row or a small weight.
    for (label, every) in [("1 % change", 100), ("all change", 1)] {
        let make = |odd: fn(u32) -> Row| {
            mesh_of(N, 5, |v| if v % every == 0 { odd(v) } else { four(v, [0.4, 0.3, 0.2, 0.1]) })
        };
        let report = |verb: &str, run: &dyn Fn() -> MeshChanges| {
            let n_changed = run().rows.len();
            print(&format!("{verb}, {label} ({n_changed})"), best(7, run), 25.0);
        };
        let off_sum = make(|v| four(v, [0.4, 0.3, 0.2, 0.2]));
        report("normalise", &|| normalize_mesh(&off_sum, Holds::NONE));
        let long = make(|v| {
            let mut row = four(v, [0.4, 0.3, 0.15, 0.1]);
            row.set(JointSlot(60), 0.05);
            row
        });
        report("limit to 4", &|| limit_mesh(&long, 4, Holds::NONE));
        let small = make(|v| four(v, [0.4, 0.3, 0.295, 0.005]));
        report("prune below 0.01", &|| prune_mesh(&small, 0.01, Holds::NONE));
        let locks: Vec<bool> = (0..55).map(|slot| slot % 9 == 0).collect();
        report("normalise with 7 locks", &|| normalize_mesh(&off_sum, Holds::locks(&locks)));
    }
}

fn smoothing() {
    const WIDTH: u32 = 448;
    const N: u32 = WIDTH * WIDTH;
    println!("smooth, 10 iterations, {N} vertices x 55 joints, triangulated grid (6 neighbours)");
    let (offsets, neighbours) = grid(WIDTH);
    let own: Vec<u32> = (0..N).collect();
    let field = SmoothField {
        n_groups: N as usize,
        members: |group: u32| &own[group as usize..=group as usize],
        neighbours: |group: u32| &neighbours[offsets[group as usize] as usize..offsets[group as usize + 1] as usize],
    };
    // Joints on a 11 x 5 lattice. Painted: each vertex has the 4 nearest. Dense: every vertex has all 55.
    let place = |v: u32, slot: u32| {
        let size = WIDTH as f32;
        let (x, y) = ((v % WIDTH) as f32 / size * 11.0, (v / WIDTH) as f32 / size * 5.0);
        let (dx, dy) = (x - (slot % 11) as f32 - 0.5, y - (slot / 11) as f32 - 0.5);
        1.0 / (dx * dx + dy * dy + 0.05).powi(2)
    };
    let all = |v: u32| -> Vec<(f32, u32)> { (0..55).map(|slot| (place(v, slot), slot)).collect() };
    let nearest = mesh_of(N as usize, 4, |v| {
        let mut weights = all(v);
        weights.sort_by(|a, b| b.0.total_cmp(&a.0));
        row_of(&weights[..4])
    });
    let rigid = mesh_of(N as usize, 4, |v| {
        let nearest = all(v).into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, slot)| slot);
        Row::rigid(JointSlot(nearest as u16))
    });
    let noise = mesh_of(N as usize, 4, |v| four(v, [0.4, 0.3, 0.2, 0.1]));
    let dense = mesh_of(N as usize, 55, |v| row_of(&all(v)));
    let settings = SmoothSettings { iterations: 10, strength: 0.5 };
    let lock = [false, false, false, true];
    let cases: [(&str, &Mesh, Holds<'_>); 5] = [
        ("4 nearest joints", &nearest, Holds::NONE),
        ("rigid parts", &rigid, Holds::NONE),
        ("4 nearest joints, a lock", &nearest, Holds::locks(&lock)),
        ("4 of 55 at random (rows grow to ~55)", &noise, Holds::NONE),
        ("all 55 on every vertex", &dense, Holds::NONE),
    ];
    for (label, mesh, holds) in cases {
        let run = || smooth(&mesh.weights, field, |_| true, settings, holds);
        let changed = run();
        let longest = changed.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        print(&format!("{label} ({} changed, up to {longest})", changed.len()), best(5, run), 200.0);
    }
}

/// What a dab costs per vertex: the budget for a whole dab on 2,000 vertices is 1 ms.
fn dab() {
    println!("a dab on 2,000 vertices, one thread (whole dab, with everything else: 1 ms)");
    let rows: Vec<Row> = (0..2000).map(|v| four(v, [0.4, 0.3, 0.2, 0.1])).collect();
    let paint = || -> usize {
        let set = |row: &Row| set_weight(row, JointSlot(7), 0.35, Holds::NONE, Row::new);
        rows.iter().filter(|row| matches!(set(row), Change::Changed(_))).count()
    };
    print_on(1, "set_weight", best(1000, paint), 0.2);
    let near: Vec<Row> = (0..2000).map(|v| four(v / 1000, [0.4, 0.3, 0.2, 0.1])).collect();
    let soften = || -> usize {
        (0..near.len())
            .filter(|&v| {
                let around = (1..7).map(|step| (RowRef::Long(near[(v + step) % near.len()].influences()), 1.0));
                matches!(blend_row(&near[v], &mean_of_rows(around), 0.5, Holds::NONE), Change::Changed(_))
            })
            .count()
    };
    print_on(1, "mean of 6 neighbours and blend", best(1000, soften), 0.4);
}

fn four(v: u32, weights: [f32; 4]) -> Row {
    let first = v.wrapping_mul(2_654_435_761) >> 16;
    weights.iter().enumerate().map(|(k, &w)| (JointSlot(((first + 13 * k as u32) % 55) as u16), w)).collect()
}

fn row_of(weights: &[(f32, u32)]) -> Row {
    let sum: f32 = weights.iter().map(|(weight, _)| weight).sum();
    weights.iter().map(|&(weight, slot)| (JointSlot(slot as u16), weight / sum)).collect()
}

fn mesh_of(n: usize, max_influences: usize, row: impl Fn(u32) -> Row) -> Mesh {
    let mut weights = WeightTable::new(n, max_influences);
    for v in 0..n as u32 {
        weights.set(VertexIndex(v), &row(v));
    }
    Mesh {
        name: None,
        pools: vec![VertexPool { first: 0, count: n as u32, skinned: true, has_normals: false }],
        primitives: Vec::new(),
        positions: vec![Vec3::ZERO; n],
        normals: vec![Vec3::Z; n],
        texcoords: vec![Vec2::ZERO; n],
        morph_targets: Vec::new(),
        morph_weights: Vec::new(),
        weights,
        weights_revision: Revision(0),
    }
}

/// Neighbours over a square grid with one diagonal.
fn grid(width: u32) -> (Vec<u32>, Vec<u32>) {
    let (mut offsets, mut neighbours) = (vec![0], Vec::new());
    for v in 0..width * width {
        let (x, y) = ((v % width) as i32, (v / width) as i32);
        for (dx, dy) in [(-1, -1), (0, -1), (-1, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = (x + dx, y + dy);
            if (0..width as i32).contains(&x) && (0..width as i32).contains(&y) {
                neighbours.push(y as u32 * width + x as u32);
            }
        }
        offsets.push(neighbours.len() as u32);
    }
    (offsets, neighbours)
}

/// The best wall time, and the mean processor time of all threads together where the system tells it.
struct Timing {
    best: Duration,
    cpu_ms: Option<f64>,
}

fn best<T>(n_runs: usize, run: impl Fn() -> T) -> Timing {
    let time = |_| {
        let start = Instant::now();
        let result = black_box(run());
        let time = start.elapsed();
        drop(result);
        time
    };
    let before = cpu_ms();
    let best = (0..n_runs).map(time).min().unwrap_or_default();
    let cpu_ms = before.zip(cpu_ms()).map(|(before, after)| (after - before) / n_runs as f64);
    Timing { best, cpu_ms }
}

/// Processor time of this process so far, from Linux's clock ticks of 10 ms.
fn cpu_ms() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut ticks = stat.rsplit_once(')')?.1.split_whitespace().skip(11).map_while(|field| field.parse::<f64>().ok());
    Some((ticks.next()? + ticks.next()?) * 10.0)
}

fn print(label: &str, time: Timing, target_ms: f64) {
    print_on(rayon::current_num_threads(), label, time, target_ms);
}

fn print_on(n_threads: usize, label: &str, time: Timing, target_ms: f64) {
    let ms = time.best.as_secs_f64() * 1e3;
    let verdict = if ms <= target_ms { "" } else { "  over" };
    let cpu = time.cpu_ms.map_or_else(String::new, |cpu| format!("({:.1})", cpu / n_threads as f64));
    println!("  {label:<66} {ms:>9.3} ms {cpu:>9}   target {target_ms} ms{verdict}");
}
