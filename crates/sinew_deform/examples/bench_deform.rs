//! Times the deformers beside the time to stream the same bytes: `cargo run --release -p sinew_deform --example bench_deform`.
//!
//! One million vertices (or as many as the first argument says) with four influences each of 64 joints. Prints the best and the median of several rounds; all
//! three are measured in turn within a round, so that a busy machine is unfair to none.

use std::hint::black_box;
use std::time::Instant;

use glam::{DAffine3, DQuat, DVec3, Vec3};
use rayon::prelude::*;
use sinew_deform::{DEFORMERS, OffSum, Palette, Posed, SkinInput};
use sinew_model::{JointSlot, NodeIndex, Row, Skin, SkinIndex, StandIns, VertexIndex, WeightTable};

const N_JOINTS: usize = 64;
const N_ROUNDS: usize = 41;

fn main() {
    let n_vertices = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let (positions, normals, weights) = tube(n_vertices);
    let stand_ins = StandIns::default();
    let palette = palette();
    let input = match SkinInput::new(&positions, &normals, &weights, &stand_ins, OffSum::Divide) {
        Ok(input) => input,
        Err(error) => return eprintln!("{error}"),
    };
    let mut out = Posed::default();
    let mut times_ms = vec![Vec::new(); 1 + DEFORMERS.len()];
    let mut time = |at: usize, run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        times_ms[at].push(start.elapsed().as_secs_f64() * 1e3);
    };
    for round in 0..=N_ROUNDS {
        // The first round only warms up.
        let mut skip = |_: usize, run: &mut dyn FnMut()| run();
        let clock: &mut dyn FnMut(usize, &mut dyn FnMut()) = if round == 0 { &mut skip } else { &mut time };
        if round == 0 {
            DEFORMERS[0].deform(&input, &palette, &mut out);
        }
        clock(0, &mut || stream(&input, &mut out));
        for (at, deformer) in DEFORMERS.iter().enumerate() {
            clock(at + 1, &mut || deformer.deform(&input, &palette, black_box(&mut out)));
        }
    }
    let threads = rayon::current_num_threads();
    println!("{n_vertices} vertices x 4 influences, {N_JOINTS} joints, {threads} threads, {N_ROUNDS} rounds");
    let names = ["stream"].into_iter().chain(DEFORMERS.iter().map(|deformer| deformer.name()));
    let mut medians = Vec::new();
    for (name, times) in names.zip(&mut times_ms) {
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        medians.push(median);
        println!("{name:>7}: best {:6.2} ms, median {median:6.2} ms", times[0]);
    }
    println!(
        "lbs / stream {:.2} (target 1.5), dqs / lbs {:.2} (target 2)",
        medians[1] / medians[0],
        medians[2] / medians[1]
    );
}

/// Reads and writes the bytes a deformer must read and write, and does nothing else.
fn stream(input: &SkinInput<'_>, out: &mut Posed) {
    const CHUNK: usize = 4096;
    let (slots, weights) =
        (input.weights().slots().par_chunks(CHUNK * 4), input.weights().weights().par_chunks(CHUNK * 4));
    let sources = input.positions().par_chunks(CHUNK).zip(input.normals().par_chunks(CHUNK)).zip(slots.zip(weights));
    let targets = out.positions.par_chunks_mut(CHUNK).zip(out.normals.par_chunks_mut(CHUNK));
    targets.zip(sources).for_each(|((to_positions, to_normals), ((positions, normals), (slots, weights)))| {
        to_positions.copy_from_slice(positions);
        to_normals.copy_from_slice(normals);
        black_box(slots.iter().fold(0u16, |sum, slot| sum ^ slot.0));
        black_box(weights.iter().fold(0u32, |sum, weight| sum ^ weight.to_bits()));
    });
}

/// A long tube whose vertices follow the four joints around them, heaviest first as exporters write them.
fn tube(n_vertices: usize) -> (Vec<Vec3>, Vec<Vec3>, WeightTable) {
    let mut weights = WeightTable::new(n_vertices, 4);
    let mut positions = Vec::with_capacity(n_vertices);
    let mut normals = Vec::with_capacity(n_vertices);
    for v in 0..n_vertices {
        let (along, around) =
            ((v - v % 1000) as f32 / n_vertices as f32, (v % 1000) as f32 / 1000.0 * std::f32::consts::TAU);
        let normal = Vec3::new(around.cos(), 0.0, around.sin());
        positions.push(normal * 0.2 + Vec3::Y * along * N_JOINTS as f32 * 0.1);
        normals.push(normal);
        let at = along * (N_JOINTS - 4) as f32;
        let mut shares: Vec<(u16, f32)> =
            (0..4).map(|i| (at as u16 + i, (2.5 - (at - (at.floor() + f32::from(i) - 1.5)).abs()).max(0.05))).collect();
        let sum: f32 = shares.iter().map(|share| share.1).sum();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let row: Row = shares.iter().map(|&(slot, weight)| (JointSlot(slot), weight / sum)).collect();
        weights.set(VertexIndex::from_idx(v), &row);
    }
    (positions, normals, weights)
}

/// Every joint bent a little further than the one before.
fn palette() -> Palette {
    let rest = |j: usize| DAffine3::from_translation(DVec3::Y * 0.1 * j as f64);
    let scene: Vec<DAffine3> = (0..N_JOINTS)
        .scan(DAffine3::IDENTITY, |parent, j| {
            let step = DVec3::Y * if j == 0 { 0.0 } else { 0.1 };
            *parent *=
                DAffine3::from_rotation_translation(DQuat::from_rotation_z(0.05) * DQuat::from_rotation_y(0.1), step);
            Some(*parent)
        })
        .collect();
    let joints = (0..N_JOINTS as u32).map(NodeIndex).collect();
    let inverse = (0..N_JOINTS).map(|j| rest(j).inverse()).collect();
    match Skin::new(SkinIndex(0), None, joints, Some(inverse), N_JOINTS) {
        Ok(skin) => Palette::new(&skin, &scene, NodeIndex(0)),
        Err(_) => Palette::rigid(DAffine3::IDENTITY),
    }
}
