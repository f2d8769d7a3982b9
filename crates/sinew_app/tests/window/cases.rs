//! Numbered cases of painting and posing, through the window.

use std::time::Duration;

use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::viewport::marks::Marks;
use sinew_edit::Falloff;
use sinew_model::{NodeIndex, VertexIndex};
use sinew_tests::{Scene, strip};

use super::driver::{NONE, Window, arm};

/// A file open, J1 active, a brush that is equally strong everywhere.
fn open(scene: &Scene, radius: f32) -> (Window, NodeIndex) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strip.glb");
    std::fs::write(&path, scene.glb()).unwrap();
    let mut window = Window::open(&path);
    let joint = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(joint);
    let brush = &mut window.editor_mut().session.brush;
    (brush.radius, brush.falloff) = (radius, Falloff::Constant);
    window.harness.run();
    (window, joint)
}

fn positions(window: &mut Window) -> Vec<Vec3> {
    window.editor_mut().posed(0).posed.positions.clone()
}

fn changed(window: &Window, first: &[Vec<(u16, u32)>]) -> Vec<usize> {
    let now = window.weights();
    (0..now.len()).filter(|&v| now[v] != first[v]).collect()
}

#[test]
fn a_dab_in_a_pose_paints_what_is_there_and_the_rest_pose_comes_back_to_the_bit() {
    // B53
    let mut scene = strip();
    // The last row's upper right corner is wholly J1's already: give it something to paint.
    scene.rows()[9] = vec![(0, 0.5), (1, 0.5)];
    let (mut window, joint) = open(&scene, 0.2);
    let (rest, first) = (positions(&mut window), window.weights());
    window.editor_mut().session.pose.set_turn_deg(joint, Vec3::Z * 60.0);
    window.harness.run();
    let posed = positions(&mut window);
    assert_ne!(posed, rest);
    let inward = (posed[6] - posed[9]).normalize_or_zero() * 0.01;
    let pos = window.pos(posed[9] + inward);
    window.click(pos, NONE);
    let near: Vec<usize> = (0..posed.len()).filter(|&v| posed[v].distance(posed[9] + inward) <= 0.2).collect();
    assert_eq!(changed(&window, &first), near);
    assert!(near.contains(&9));
    window.click_label("All to rest");
    assert_eq!(positions(&mut window), rest);
}

#[test]
fn the_ring_and_the_dab_have_the_size_that_the_panel_says() {
    // B62
    let mut scene = strip();
    let rows_y = [0.0, 0.36, 0.74, 1.5, 2.0];
    for (i, position) in scene.primitive().positions.iter_mut().enumerate() {
        position.y = rows_y[i / 2];
    }
    let (mut window, _) = open(&scene, 0.37);
    window.click_label("Smooth");
    window.key(egui::Key::R, NONE);
    window.key(egui::Key::Escape, NONE);
    window.click_label("J0");
    window.click_label("J1");
    window.click_label("Replace");
    assert_eq!(window.editor().session.brush.radius, 0.37);
    let shown = window.harness.get_by_label("Size").value();
    assert!(shown.is_some_and(|text| text.starts_with("0.370")), "the panel says it");
    let first = window.weights();
    let center = Vec3::new(-0.499, 0.36, 0.0);
    let pos = window.pos(center);
    window.hover(pos);
    let hit = *window.app().viewport().hover().unwrap();
    assert!(hit.point.distance(center) < 1e-3);
    window.click(pos, NONE);
    let painted = changed(&window, &first);
    assert!(painted.contains(&0) && painted.contains(&2), "0.36 away: {painted:?}");
    assert!(!painted.contains(&4), "0.38 away: {painted:?}");
}

/// STRIP whose last row has no weight.
fn bare() -> Scene {
    let mut scene = strip();
    scene.rows()[8].clear();
    scene.rows()[9].clear();
    scene
}

#[test]
fn a_counter_marks_exactly_the_vertices_it_counts_and_brings_them_into_view() {
    // B20, B63
    let (mut window, _) = open(&bare(), 0.2);
    let posed = positions(&mut window);
    assert!(posed.iter().all(|p| p.is_finite()));
    assert!(posed[8].distance(Vec3::new(-0.5, 2.0, 0.0)) < 1e-5 && posed[9].distance(Vec3::new(0.5, 2.0, 0.0)) < 1e-5);
    window.click_label("2 unweighted");
    let marks = window.app().viewport().options.marks.unwrap();
    assert_eq!(marks, Marks::Unweighted);
    let mesh = window.editor().document().skinned_meshes()[0];
    let census = window.editor_mut().census(mesh);
    assert_eq!(marks.of(&census), [VertexIndex(8), VertexIndex(9)]);
    let area = window.app().viewport().area().rect();
    for v in [8, 9] {
        assert!(area.contains(window.pos(posed[v])), "vertex {v} is in sight");
    }
}

#[test]
fn vertices_without_weight_are_given_to_the_nearest_or_to_the_active_joint() {
    // B20
    let (mut window, _) = open(&bare(), 0.2);
    window.menu("Weights");
    window.click_label("Assign Unweighted to Active Joint");
    for v in [8, 9] {
        assert_eq!(window.weights()[v], [(1, 1.0f32.to_bits())]);
    }
    assert!(window.harness.query_by_label("2 unweighted").is_none());
    window.key(egui::Key::Z, super::driver::CTRL);
    assert!(window.weights()[8].is_empty());
    window.menu("Weights");
    window.click_label("Settle Unweighted");
    assert_eq!(window.weights()[8], window.weights()[6], "as the nearest vertex with weight");
}

#[test]
fn five_seconds_with_the_brush_over_the_mesh_and_no_input_are_two_frames_at_most() {
    // B69
    let mut window = Window::open(&arm());
    let pos = window.pos(Vec3::new(0.0, 1.0, 0.0));
    window.hover(pos);
    assert!(window.app().viewport().hover().is_some());
    window.harness.run_steps(40);
    let before = window.app().n_frames();
    // As the event loop does: a frame only when one was asked for.
    let mut since = Duration::ZERO;
    for _ in 0..300 {
        since += Duration::from_micros(16_667);
        if window.repaint_delay() <= since {
            window.harness.step();
            since = Duration::ZERO;
        }
    }
    let n = window.app().n_frames() - before;
    assert!(n <= 2, "{n} frames");
}
