//! Skinning a million vertices, beside streaming the same bytes; the search tree over two million triangles.

use std::hint::black_box;

use glam::{DAffine3, DQuat, DVec3, Vec3};
use rayon::prelude::*;
use sinew_deform::{DEFORMERS, OffSum, Palette, Posed, SkinInput};
use sinew_geometry::{Bvh, TriMeshRef};
use sinew_model::{JointSlot, NodeIndex, Row, Skin, SkinIndex, StandIns, VertexIndex, WeightTable};

use crate::{Line, line_ms, median, time_ms};

const N_VERTICES: usize = 1_000_000;
const N_JOINTS: usize = 64;

pub(crate) fn run() -> Vec<Line> {
    let mut lines = skinning();
    lines.extend(tree());
    lines
}

fn skinning() -> Vec<Line> {
    let positions: Vec<Vec3> =
        (0..N_VERTICES).map(|v| Vec3::new((v % 1000) as f32, (v / 1000) as f32, (v % 7) as f32) * 1e-3).collect();
    let normals = vec![Vec3::Y; N_VERTICES];
    let mut weights = WeightTable::new(N_VERTICES, 4);
    for v in 0..N_VERTICES {
        let first = (v * (N_JOINTS - 4) / N_VERTICES) as u16;
        let row: Row = [0.4, 0.3, 0.2, 0.1].iter().zip(first..).map(|(&w, slot)| (JointSlot(slot), w)).collect();
        weights.set(VertexIndex::from_idx(v), &row);
    }
    let joints = (0..N_JOINTS as u32).map(NodeIndex).collect();
    let Ok(skin) = Skin::new(SkinIndex(0), None, joints, None, N_JOINTS) else { return Vec::new() };
    let pose: Vec<DAffine3> = (0..N_JOINTS)
        .map(|j| DAffine3::from_rotation_translation(DQuat::from_rotation_x(0.02 * j as f64), DVec3::Y * 0.01))
        .collect();
    let palette = Palette::new(&skin, &pose, NodeIndex(0));
    let stand_ins = StandIns::default();
    let Ok(input) = SkinInput::new(&positions, &normals, &weights, &stand_ins, OffSum::Divide) else {
        return Vec::new();
    };
    let mut out = Posed::default();
    DEFORMERS[0].deform(&input, &palette, &mut out);
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..25 {
        times[0].push(time_ms(|| stream(&input, &mut out)).0);
        for (deformer, times) in DEFORMERS.iter().zip(&mut times[1..]) {
            times.push(time_ms(|| deformer.deform(&input, &palette, black_box(&mut out))).0);
        }
    }
    let [stream, lbs, dqs] = times.map(median);
    vec![
        line_ms(
            "LBS, positions and normals, 1 M vertices x 4",
            lbs,
            (stream * 1.5 * 100.0).round() / 100.0,
            format!("streaming the same bytes {stream:.2} ms; Blender 21 / 89, ozz positions 4.0"),
        ),
        line_ms(
            "DQS, same",
            dqs,
            (lbs * 2.0 * 100.0).round() / 100.0,
            format!("{:.2} x LBS; Blender 22 / 98", dqs / lbs),
        ),
    ]
}

/// Reads and writes the bytes that skinning must, and does nothing else.
fn stream(input: &SkinInput<'_>, out: &mut Posed) {
    const CHUNK: usize = 4096;
    let rows = input.weights().slots().par_chunks(CHUNK * 4).zip(input.weights().weights().par_chunks(CHUNK * 4));
    let sources = input.positions().par_chunks(CHUNK).zip(input.normals().par_chunks(CHUNK)).zip(rows);
    let targets = out.positions.par_chunks_mut(CHUNK).zip(out.normals.par_chunks_mut(CHUNK));
    targets.zip(sources).for_each(|((to_positions, to_normals), ((positions, normals), (slots, weights)))| {
        to_positions.copy_from_slice(positions);
        to_normals.copy_from_slice(normals);
        black_box(slots.iter().fold(0u16, |sum, slot| sum ^ slot.0));
        black_box(weights.iter().fold(0u32, |sum, weight| sum ^ weight.to_bits()));
    });
}

fn tree() -> Vec<Line> {
    let scene = sinew_tests::tube(1001, 1000);
    let primitive = &scene.meshes[0].primitives[0];
    let triangles: Vec<[u32; 3]> = primitive
        .indices
        .iter()
        .flatten()
        .copied()
        .collect::<Vec<_>>()
        .chunks_exact(3)
        .map(|t| [t[0], t[1], t[2]])
        .collect();
    let Ok(surface) = TriMeshRef::new(&primitive.positions, &triangles) else { return Vec::new() };
    let (build_ms, mut bvh) = time_ms(|| Bvh::build(surface));
    let moved: Vec<Vec3> = primitive.positions.iter().map(|p| *p + Vec3::new(0.1 * p.y, 0.0, 0.0)).collect();
    let refit = median((0..7).map(|_| time_ms(|| bvh.refit_all(&moved)).0).collect());
    let copy = median((0..7).map(|_| time_ms(|| black_box(moved.clone())).0).collect());
    vec![
        line_ms("search tree over 2 M triangles: build", build_ms, 1000.0, ""),
        line_ms("search tree over 2 M triangles: refit", refit, 40.0, format!("copying the positions {copy:.2} ms")),
    ]
}
