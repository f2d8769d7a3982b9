//! A gradient on very many vertices is shown part by part and taken back part by part.

use glam::Vec3;
use sinew_edit::{BrushSettings, Curve, Editor, Gradient, GradientShape, StrokeSpec, SymmetrySettings};
use sinew_model::{MeshIndex, NodeIndex};
use sinew_tests::{Scene, grid, pair_two_meshes};

use crate::{MESH, all_rows, editor};

fn gradient(editor: &Editor, slot: usize, also: Vec<usize>, mirror: Option<SymmetrySettings>) -> Gradient {
    let joint: NodeIndex = editor.document().joints()[slot];
    let pose = (editor.session.pose.clone(), editor.session.deformer);
    let brush = BrushSettings { value: 0.8, ..BrushSettings::default() };
    Gradient {
        spec: StrokeSpec { also, mirror, ..StrokeSpec::new((MESH, 0), joint, brush, pose) },
        from: Vec3::new(-1.7, 0.3, 0.0),
        to: Vec3::new(1.7, 1.6, 0.0),
        shape: GradientShape::Linear,
        profile: Curve::WIDE,
        beyond: true,
        on_selection: false,
    }
}

/// Shows it in parts of so many places; returns how many parts.
fn show(editor: &mut Editor, gradient: &Gradient, part: usize) -> usize {
    editor.begin_gradient_parts(gradient).expect("may paint");
    let n_places = editor.n_in_gradient(gradient);
    let parts: Vec<usize> = (0..n_places).step_by(part).collect();
    for &from in &parts {
        editor.paint_gradient_part(gradient, from..from + part);
    }
    parts.len()
}

#[test]
fn parts_come_to_the_whole_and_go_one_by_one() {
    let scenes: [(Scene, usize, Vec<usize>); 2] =
        [(grid(70_000, 4, 1), 20_000, Vec::new()), (pair_two_meshes(), 3, vec![1])];
    for (scene, part, also) in scenes {
        let mut whole = editor(&scene);
        let first = all_rows(&whole);
        let meant = gradient(&whole, 1, also, None);
        whole.preview_gradient(&meant).expect("may paint");
        let mut parts = editor(&scene);
        let n_parts = show(&mut parts, &meant, part);
        assert!(n_parts > 3);
        assert!(all_rows(&parts) == all_rows(&whole));
        assert!(all_rows(&parts) != first);
        let mut n_steps = 0;
        while parts.take_stroke_back_some() {
            n_steps += 1;
            assert!(n_steps < 100, "it ends");
        }
        // Few vertices go at once, many as they came.
        assert!(n_steps > 3 || parts.document().mesh(MESH).n_vertices() < 100, "{n_steps}");
        assert!(all_rows(&parts) == first);
        parts.abort_stroke();
        assert!(all_rows(&parts) == first && parts.history().n_done() == 0);
    }
}

#[test]
fn a_part_that_meets_the_mirror_image_of_another_is_taken_back_whole_too() {
    let mut e = editor(&grid(40_000, 3, 1));
    let first = all_rows(&e);
    // The plane of symmetry in the middle: every place is painted from both sides, by different parts.
    let meant = gradient(&e, 1, Vec::new(), Some(SymmetrySettings { axis: 0, at: Some(1.0), tolerance: None }));
    show(&mut e, &meant, 17_000);
    assert!(all_rows(&e) != first);
    while e.take_stroke_back_some() {}
    assert!(all_rows(&e) == first);
    // And all at once.
    e.abort_stroke();
    show(&mut e, &meant, 17_000);
    e.abort_stroke();
    assert!(all_rows(&e) == first);
    assert!(
        e.document().mesh(MeshIndex(0)).weights.vertices().all(|v| e
            .document()
            .mesh(MESH)
            .weights
            .get(v)
            .check()
            .is_ok())
    );
}
