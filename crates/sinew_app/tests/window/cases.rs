//! Numbered cases of painting and posing, through the window.

use std::time::Duration;

use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::viewport::marks::Marks;
use sinew_edit::Falloff;
use sinew_model::{NodeIndex, VertexIndex};
use sinew_tests::{Morph, Scene, patch, strip};

use super::driver::{NONE, Window, arm};

/// A file open, J1 active, a brush that is equally strong everywhere.
pub fn open(scene: &Scene, radius: f32) -> (Window, NodeIndex) {
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
    // Pain 18
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

/// What the last message says.
fn said(window: &Window) -> String {
    window.app().notice().map(|notice| notice.text.clone()).unwrap_or_default()
}

#[test]
fn a_stroke_from_beside_the_mesh_to_beside_it_paints_the_middle_and_moves_no_camera() {
    // B30
    let (mut window, _) = open(&patch(4, 4), 0.6);
    window.key(egui::Key::Num1, NONE);
    let area = window.app().viewport().area().rect();
    let at = |share: f32| egui::pos2(area.min.x + share * area.width(), area.center().y);
    assert!(window.pos(Vec3::new(0.0, 2.0, 0.0)).x > at(0.1).x && window.pos(Vec3::new(4.0, 2.0, 0.0)).x < at(0.9).x);
    let camera = window.app().viewport().camera;
    window.stroke(at(0.1), at(0.9), NONE);
    let now = window.weights();
    for (v, row) in now.iter().enumerate() {
        let is_middle = v / 5 == 2;
        assert_eq!(*row == [(1, 1.0f32.to_bits())], is_middle, "vertex {v}: {row:?}");
    }
    assert_eq!(window.app().viewport().camera, camera);
    assert_eq!(window.editor().history().n_done(), 1);
    // The same without ever meeting it is no step.
    let above = egui::vec2(0.0, 8.0 - area.height() * 0.5);
    window.stroke(at(0.1) + above, at(0.2) + above, NONE);
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn pointer_and_brush_meet_what_is_shown_bent_by_either_deformer_and_morphed() {
    // B54
    let mut scene = strip();
    let lift = |v: usize| if v >= 8 { Vec3::Y * 0.5 } else { Vec3::ZERO };
    scene.primitive().morphs.push(Morph { positions: (0..10).map(lift).collect(), normals: Vec::new() });
    for (is_morphed, height) in [(false, 2.0), (true, 2.5)] {
        scene.meshes[0].morph_weights = vec![if is_morphed { 1.0 } else { 0.0 }];
        for deformer in ["lbs", "dqs"] {
            let (mut window, joint) = open(&scene, 0.2);
            window.key(egui::Key::Num1, NONE);
            window.editor_mut().run(&format!("deform by={deformer}")).unwrap();
            window.editor_mut().session.pose.set_turn_deg(joint, Vec3::Z * 90.0);
            // The strip lies on its side now: all of it is to be in sight.
            window.key(egui::Key::Home, NONE);
            let tip = Vec3::new(1.0 - height + 0.02, 1.0, 0.0);
            let (there, where_it_was) = (window.pos(tip), window.pos(Vec3::new(0.0, height - 0.02, 0.0)));
            let first = window.weights();
            window.hover(where_it_was);
            assert!(window.app().viewport().hover().is_none(), "{deformer} {is_morphed}: nothing is there any more");
            window.click(where_it_was, NONE);
            assert_eq!(window.weights(), first);
            window.hover(there);
            let hit = window.app().viewport().hover().copied().unwrap();
            assert!(hit.point.distance(tip) < 0.02, "{deformer} {is_morphed}: {}", hit.point);
            window.editor_mut().session.brush.radius = 0.51;
            window.editor_mut().session.brush.value = 0.5;
            let shown = positions(&mut window);
            window.click(there, NONE);
            let near: Vec<usize> = (0..10).filter(|&v| shown[v].distance(hit.point) <= 0.51).collect();
            assert!(near.ends_with(&[8, 9]), "{near:?}");
            let is_met = |v: &&usize| first[**v] != [(0, 0.5f32.to_bits()), (1, 0.5f32.to_bits())];
            let met: Vec<usize> = near.iter().filter(is_met).copied().collect();
            assert_eq!(changed(&window, &first), met, "{deformer} {is_morphed}: what stands there is painted");
        }
    }
}

#[test]
fn what_cannot_be_erased_is_said_stays_on_screen_and_is_what_is_saved() {
    // B25, B63
    let mut scene = strip();
    scene.rows().iter_mut().for_each(|row| *row = vec![(1, 1.0)]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strip.glb");
    let bytes = scene.glb();
    std::fs::write(&path, &bytes).unwrap();
    let mut window = Window::open(&path);
    let joint = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(joint);
    let brush = &mut window.editor_mut().session.brush;
    (brush.radius, brush.falloff) = (0.2, Falloff::Constant);
    window.harness.run();
    let first = window.weights();
    let pos = window.pos(Vec3::new(-0.49, 1.0, 0.0));
    window.click(pos, super::driver::CTRL);
    assert!(said(&window).contains("no other joint on 1 vertex"), "{}", said(&window));
    assert_eq!((window.weights(), window.editor().history().n_done()), (first.clone(), 0));
    window.hover(pos + egui::vec2(1.0, 0.0));
    let hit = *window.app().viewport().hover().unwrap();
    let told = sinew_app::viewport::read_out::of_vertex(window.editor_mut(), &hit, &[]).unwrap();
    assert_eq!(told.shares[0].weight, 1.0);
    assert!(told.notes.iter().any(|(_, note)| note.contains("no other joint")), "{:?}", told.notes);
    window.key(egui::Key::S, super::driver::CTRL);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(Window::open(&path).weights(), first);
}

#[test]
fn a_share_that_no_joint_has_is_seen_at_the_vertex_counted_and_keeps_the_file_from_being_saved() {
    // Pain 2
    let mut scene = patch(4, 4);
    scene.rows().iter_mut().for_each(Vec::clear);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bare.glb");
    std::fs::write(&path, scene.glb()).unwrap();
    let mut window = Window::open(&path);
    let joint = window.editor().document().joints()[1];
    let editor = window.editor_mut();
    editor.session.active_joint = Some(joint);
    editor.session.paint.leaves_unassigned = true;
    let brush = &mut editor.session.brush;
    (brush.radius, brush.falloff, brush.value) = (0.3, Falloff::Constant, 0.4);
    window.key(egui::Key::Num1, NONE);
    let pos = window.pos(Vec3::new(2.0, 2.0, 0.0));
    window.click(pos, NONE);
    assert_eq!(window.weights()[12], [(1, 0.4f32.to_bits())], "what is painted and nothing else");
    assert!(window.harness.query_by_label("1 unassigned").is_some());
    window.hover(pos + egui::vec2(1.0, 0.0));
    let hit = *window.app().viewport().hover().unwrap();
    let told = sinew_app::viewport::read_out::of_vertex(window.editor_mut(), &hit, &[]).unwrap();
    assert!(told.notes.iter().any(|(_, note)| note.starts_with("0.600 is unassigned")), "{:?}", told.notes);
    let before = std::fs::read(&path).unwrap();
    window.key(egui::Key::S, super::driver::CTRL);
    assert_eq!(std::fs::read(&path).unwrap(), before, "nothing that does not sum to 1 by our doing is written");
    window.editor_mut().run("settle unassigned=joint joint=A").unwrap();
    window.harness.run();
    window.key(egui::Key::Escape, NONE);
    window.key(egui::Key::S, super::driver::CTRL);
    let row = &Window::open(&path).weights()[12];
    assert_eq!(row.iter().map(|(slot, _)| *slot).collect::<Vec<_>>(), [0, 1], "{row:?}");
}

#[test]
fn a_file_is_looked_into_before_anything_is_edited() {
    // Pain 23
    let bytes = std::fs::read(arm()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::write(&path, &bytes).unwrap();
    let mut window = Window::open(&path);
    let (document, active) = (window.editor().document(), window.editor().session.active_joint);
    let joints: Vec<NodeIndex> = document.joints().to_vec();
    let names: Vec<String> = joints.iter().map(|&joint| document.nodes().label(joint)).collect();
    assert!(active.is_some_and(|joint| joints.contains(&joint)), "a joint's weights are shown at once");
    for name in &names {
        window.harness.get_by_label(name);
    }
    // Weights as colours, joint by joint; numbers under the pointer; who moves what.
    let pos = window.pos(Vec3::new(0.0, 1.0, 0.0));
    let color = |window: &mut Window| {
        window.harness.remove_cursor();
        window.harness.run();
        window.harness.render().unwrap().get_pixel(pos.x as u32 + 9, pos.y as u32 + 9).0
    };
    let mut colors = Vec::new();
    for name in &names[..2] {
        window.click_label(name);
        colors.push(color(&mut window));
    }
    assert_ne!(colors[0], colors[1], "each joint's weights look their own way");
    window.hover(pos);
    let hit = *window.app().viewport().hover().unwrap();
    let told = sinew_app::viewport::read_out::of_vertex(window.editor_mut(), &hit, &[]).unwrap();
    let sum: f32 = told.shares.iter().map(|share| share.weight).sum();
    assert!(told.shares.len() > 1 && (sum - 1.0).abs() < 1e-4, "{:?}", told.shares);
    window.key(egui::Key::S, super::driver::CTRL);
    assert_eq!((window.editor().history().n_done(), std::fs::read(&path).unwrap()), (0, bytes));
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

#[test]
fn a_save_that_open_shares_block_offers_to_settle_them() {
    // Pain 2
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::open(&path);
    window.editor_mut().run("unassigned leave=yes").unwrap();
    window.editor_mut().run("flood joint=1 brush=subtract value=0.25").unwrap();
    let mesh = window.editor().document().skinned_meshes()[0];
    assert!(!window.editor_mut().census(mesh).unassigned.is_empty());
    window.key(egui::Key::S, super::driver::CTRL);
    assert!(window.app().file().unwrap().is_unsaved(), "not saved");
    window.click_label("Give it to the nearest joints");
    window.settle();
    assert!(window.editor_mut().census(mesh).unassigned.is_empty());
    window.key(egui::Key::S, super::driver::CTRL);
    assert!(!window.app().file().unwrap().is_unsaved(), "saved");
}
