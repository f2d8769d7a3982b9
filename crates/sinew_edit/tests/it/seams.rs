//! Torn seams: whatever a brush does on a mesh that is cut anywhere, vertices at one place that came with one row keep one.

use std::collections::BTreeMap;

use glam::Vec3;
use proptest::prelude::*;
use sinew_edit::{BRUSHES, Editor};
use sinew_model::{Row, VertexIndex};
use sinew_tests::{Scene, tube};

use crate::{MESH, all_rows, editor};

const N_RINGS: usize = 7;
const N_SEGMENTS: usize = 10;
const N_CORNERS: usize = (N_RINGS - 1) * N_SEGMENTS * 6;

/// A tube with a joint on either side, cut: each marked corner of its triangles has a vertex of its own, with the same
/// place, normal and row.
fn cut(is_cut: &[bool]) -> Scene {
    let mut scene = tube(N_RINGS, N_SEGMENTS);
    scene.add_joint(0, "arm.L", Vec3::new(0.2, 1.0, 0.0));
    scene.add_joint(0, "arm.R", Vec3::new(-0.2, 1.0, 0.0));
    scene.rebind(0);
    let primitive = scene.primitive();
    for (row, position) in primitive.rows.iter_mut().zip(&primitive.positions) {
        let (up, side) = (0.5 * position.y, position.x.abs() * 4.0);
        let arm = if position.x > 0.0 { 2 } else { 3 };
        *row = vec![(0, (1.0 - up) * (1.0 - side)), (1, up * (1.0 - side)), (arm, side)];
        row.retain(|&(_, weight)| weight > 1e-3);
        let sum: f32 = row.iter().map(|&(_, weight)| weight).sum();
        for (_, weight) in row.iter_mut() {
            *weight /= sum;
        }
    }
    let mut indices = primitive.indices.take().unwrap_or_default();
    for (corner, _) in indices.iter_mut().zip(is_cut).filter(|(_, is_cut)| **is_cut) {
        let v = *corner as usize;
        *corner = primitive.positions.len() as u32;
        primitive.positions.push(primitive.positions[v]);
        primitive.normals.push(primitive.normals[v]);
        primitive.rows.push(primitive.rows[v].clone());
    }
    primitive.indices = Some(indices);
    scene
}

/// The rows at each place: one where nothing is torn.
fn rows_at_places(editor: &Editor) -> BTreeMap<[u32; 3], Vec<Row>> {
    let mesh = editor.document().mesh(MESH);
    let mut rows: BTreeMap<[u32; 3], Vec<Row>> = BTreeMap::new();
    for (v, position) in mesh.positions.iter().enumerate() {
        let row = mesh.weights.get(VertexIndex(v as u32));
        let here = rows.entry(position.to_array().map(f32::to_bits)).or_default();
        if here.is_empty() || here.iter().all(|other| !other.same_influences(&row)) {
            here.push(row);
        }
    }
    rows
}

/// How a stroke is held: all that reads or writes more than the vertex itself.
fn any_hold() -> impl Strategy<Value = String> {
    let reach = prop::sample::select(vec!["surface", "volume", "screen eye=3,1,4", "surface eye=0,1,3 front=yes"]);
    let options =
        vec!["cap=yes", "iterations=3", "existing=yes", "gap=0.3", "give=neighbours", "unassigned=yes", "with=J1"];
    (reach, prop::sample::subsequence(options, 0..4), -90.0f32..90.0)
        .prop_map(|(reach, options, angle)| format!("reach={reach} {} pose=J1:{angle},0,{angle}", options.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_brush_tears_a_seam_with_or_without_symmetry(
        is_cut in prop::collection::vec(any::<bool>(), N_CORNERS),
        hold in any_hold(),
        dabs in prop::collection::vec((0.0f32..6.3, 0.3f32..1.2), 1..4),
        (radius, strength, value) in (0.25f32..0.8, 0.1f32..1.0, 0.1f32..0.9),
    ) {
        // B32
        let scene = cut(&is_cut);
        let mut n_changed = 0;
        let mut opened = editor(&scene);
        prop_assert_eq!(opened.surface(MESH).weld.n_groups(), N_RINGS * N_SEGMENTS, "all of it is welded");
        let before = all_rows(&opened);
        let on_tube = |(angle, y): &(f32, f32)| format!("{},{y},{}", 0.2 * angle.cos(), 0.2 * angle.sin());
        let points: Vec<String> = dabs.iter().map(on_tube).collect();
        for brush in BRUSHES {
            let mut e = editor(&scene);
            for mirror in ["", "mirror=x"] {
                let line = format!(
                    "stroke joint=arm.L brush={} value={value} strength={strength} radius={radius} {mirror} {hold} points={}",
                    brush.name,
                    points.join(";")
                );
                prop_assert!(e.run(&line).is_ok(), "{}", line);
                let torn = rows_at_places(&e).into_values().find(|rows| rows.len() > 1);
                prop_assert!(torn.is_none(), "{}: {:?}", line, torn);
            }
            n_changed += usize::from(all_rows(&e) != before);
        }
        // Dabs may lie where the eye does not see them; all others do something.
        prop_assert!(n_changed > 0 || hold.contains("front=yes"), "nothing was painted");
    }
}
