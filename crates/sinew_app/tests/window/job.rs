//! The main job, whole: open, pick, bend, paint, switch the deformer, undo, redo, save, open again.

use egui::Key;
use glam::Vec3;
use sinew_app::files::OpenFile;

use super::driver::{ALT, CTRL, CTRL_SHIFT, NONE, Window, arm, weights};

#[test]
fn the_whole_job_from_open_to_reopen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::open(&path);
    let joints = window.editor().document().joints().to_vec();
    let elbow = joints[1];
    let first = window.weights();

    // Pick.
    let at_elbow = window.editor_mut().scene_from_node()[elbow.idx()].translation.as_vec3();
    let pos = window.pos(at_elbow);
    window.click(pos, ALT);
    assert_eq!(window.editor().session.active_joint, Some(elbow));
    assert_eq!(window.weights(), first, "picking paints nothing");

    // Bend: about its own X by typed degrees.
    window.key(Key::R, NONE);
    window.hover(pos + egui::vec2(40.0, 25.0));
    window.key(Key::X, NONE);
    window.key(Key::Num9, NONE);
    window.key(Key::Num0, NONE);
    window.key(Key::Enter, NONE);
    assert_eq!(window.editor().session.pose.turn_deg(elbow), Vec3::new(90.0, 0.0, 0.0));

    // Paint on the bent surface with the picked joint.
    let document = window.editor().document();
    let mesh = document.skinned_meshes()[0];
    let n = document.mesh(mesh).n_vertices();
    let from = window.pos(Vec3::new(0.0, 0.35, 0.0));
    let to = window.pos(Vec3::new(0.0, 0.7, 0.0));
    window.editor_mut().session.brush.radius = 0.12;
    window.stroke(from, to, NONE);
    let painted = window.weights();
    let n_changed = painted.iter().zip(&first).filter(|(a, b)| a != b).count();
    assert!(n_changed > 20 && n_changed < n, "{n_changed} of {n} vertices changed");
    assert_eq!(window.editor().history().n_done(), 1, "one stroke is one step");

    // The deformer switch changes the view, not the weights.
    let moved = |window: &mut Window| window.editor_mut().posed(0).posed.positions.clone();
    let linear = moved(&mut window);
    window.key(Key::Q, NONE);
    assert_eq!(window.editor().session.deformer.name(), "dqs");
    assert_ne!(moved(&mut window), linear);
    assert_eq!(window.weights(), painted);
    window.click_label("LBS");
    assert_eq!(window.editor().session.deformer.name(), "lbs");

    // Undo and redo, to the bit.
    window.key(Key::Z, CTRL);
    assert_eq!(window.weights(), first);
    window.key(Key::Z, CTRL_SHIFT);
    assert_eq!(window.weights(), painted);
    window.key(Key::Z, CTRL);
    window.key(Key::Y, CTRL);
    assert_eq!(window.weights(), painted);

    // Save; the report proves that nothing else changed.
    window.key(Key::S, CTRL);
    let report = window.app().save_report().unwrap();
    assert!(report.everything_else_identical);
    assert_eq!(report.n_vertices_changed, n_changed);
    assert!(!window.app().file().unwrap().is_unsaved());

    // What was saved is what was painted; the pose is not in it (B52).
    let mut again = OpenFile::open(&path).unwrap();
    assert_eq!(weights(&again.editor), painted);
    assert!(again.editor.session.pose.is_rest());
    let rest = OpenFile::open(&arm()).unwrap().editor.scene_from_node().to_vec();
    assert_eq!(again.editor.scene_from_node(), rest);
}

#[test]
fn a_bend_follows_the_mouse_and_escape_puts_it_back() {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    let place = window.editor_mut().scene_from_node()[elbow.idx()].translation.as_vec3();
    let pos = window.pos(place);
    window.hover(pos + egui::vec2(80.0, 0.0));
    window.key(Key::R, NONE);
    window.hover(pos + egui::vec2(0.0, -80.0));
    let turned = window.editor().session.pose.turn_deg(elbow);
    assert!(turned.length() > 60.0, "a quarter turn of the mouse bends: {turned}");
    window.key(Key::Escape, NONE);
    assert!(window.editor().session.pose.is_rest());
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn the_list_of_joints_picks_locks_and_searches() {
    use egui_kittest::kittest::Queryable;
    let mut window = Window::open(&arm());
    let document = window.editor().document();
    let joints = document.joints().to_vec();
    let names: Vec<String> = joints.iter().map(|&joint| document.nodes().label(joint)).collect();
    window.click_label(&names[1]);
    assert_eq!(window.editor().session.active_joint, Some(joints[1]));
    window.click_label(&format!("Lock {}", names[0]));
    assert!(window.editor().document().locks().contains(&joints[0]));
    assert_eq!(window.editor().history().n_done(), 1, "a lock is undone like weights");
    window.key(Key::Z, CTRL);
    assert!(window.editor().document().locks().is_empty());
    window.harness.get_by_label("Search joints").click();
    window.harness.run();
    window.harness.get_by_label("Search joints").type_text(&names[1]);
    window.harness.run();
    assert!(window.harness.query_by_label(&names[0]).is_some(), "what is above a match is shown with it");
    assert!(window.harness.query_by_label(&names[1]).is_some());
    window.harness.get_by_label("Search joints").type_text("?");
    window.harness.run();
    assert!(window.harness.query_by_label(&names[1]).is_none());
}
