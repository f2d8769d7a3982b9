//! The joint list: folding, searching, locking, hiding, and how it keeps up with thousands of joints.

use std::time::{Duration, Instant};

use egui::Key;
use egui_kittest::kittest::{NodeT, Queryable};
use sinew_tests::chain;

use super::driver::{ALT, CTRL, NONE, SHIFT, Setup, Window};

fn open(n_joints: usize) -> Window {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.glb");
    std::fs::write(&path, chain(n_joints).glb()).unwrap();
    Window::open(&path)
}

fn is_listed(window: &Window, name: &str) -> bool {
    window.harness.query_by_label(name).is_some()
}

#[test]
fn a_branch_folds_by_its_triangle_and_by_the_arrow_keys() {
    let mut window = open(5);
    window.click_label("Fold J1");
    assert!(is_listed(&window, "J1") && !is_listed(&window, "J2"));
    window.click_label("Unfold J1");
    assert!(is_listed(&window, "J4"));
    window.harness.get_by_label("J1").focus();
    window.harness.run();
    window.key(Key::ArrowLeft, NONE);
    assert!(!is_listed(&window, "J2"), "left folds");
    window.key(Key::ArrowLeft, NONE);
    assert_eq!(window.editor().session.active_joint, window.editor().document().joints().first().copied());
    window.key(Key::ArrowRight, NONE);
    window.key(Key::ArrowRight, NONE);
    assert!(is_listed(&window, "J2"), "right goes down, then unfolds");
    // The whole branch: what is under it is folded too.
    window.harness.get_by_label("Fold J1").click_modifiers(ALT);
    window.harness.run();
    window.click_label("Unfold J1");
    assert!(is_listed(&window, "J2") && !is_listed(&window, "J3"));
    window.harness.get_by_label("J1").focus();
    window.key(Key::ArrowLeft, NONE);
    window.key(Key::ArrowRight, ALT);
    assert!(is_listed(&window, "J4"), "with Alt all of it unfolds");
    assert_eq!(window.editor().history().n_done(), 0, "looking is no step");
}

#[test]
fn a_search_shows_what_is_above_and_a_joint_picked_elsewhere_is_unfolded() {
    let mut window = open(5);
    window.click_label("Fold J0");
    assert!(!is_listed(&window, "J3"));
    window.harness.get_by_label("Search joints").click();
    window.harness.run();
    window.harness.get_by_label("Search joints").type_text("j3");
    window.harness.run();
    for (name, is_there) in [("J0", true), ("J2", true), ("J3", true), ("J4", false)] {
        assert_eq!(is_listed(&window, name), is_there, "{name}");
    }
    window.key(Key::Backspace, NONE);
    window.key(Key::Backspace, NONE);
    assert!(!is_listed(&window, "J3"), "folded as before");
    let last = window.editor().document().joints()[4];
    window.editor_mut().session.active_joint = Some(last);
    window.harness.run();
    assert!(is_listed(&window, "J4"));
}

#[test]
fn all_others_are_locked_by_menu_and_key_in_one_step() {
    let mut window = open(5);
    window.click_label("J2");
    window.key(Key::L, SHIFT);
    assert_eq!(window.editor().document().locks().len(), 4);
    assert_eq!(window.editor().history().n_done(), 1);
    assert!(is_listed(&window, "5 · 4 locked"));
    window.key(Key::Z, CTRL);
    assert!(window.editor().document().locks().is_empty());
    window.key(Key::L, NONE);
    assert_eq!(window.editor().document().locks().len(), 1);
    window.key(Key::L, NONE);
    assert!(window.editor().document().locks().is_empty());
    window.menu("Joints");
    window.click_label("Lock Others");
    assert_eq!(window.editor().document().locks().len(), 4);
    // The history has steps of these names too.
    let is_locked = |window: &Window, name: &str| {
        window.harness.query_by_role_and_label(egui::Role::CheckBox, &format!("Unlock {name}")).is_some()
    };
    assert!(is_locked(&window, "J0"));
    window.harness.get_by_role_and_label(egui::Role::CheckBox, "Unlock J0").click_modifiers(ALT);
    window.harness.run();
    assert!(!is_locked(&window, "J0") && is_locked(&window, "J2"), "Alt leaves only this one free");
}

#[test]
fn hide_and_solo_are_for_the_view_only() {
    let mut window = open(5);
    window.click_label("Hide J4");
    assert_eq!(window.harness.state_mut().viewport_mut().hidden_joints_mut().len(), 1);
    window.click_label("Show J4");
    assert!(window.harness.state_mut().viewport_mut().hidden_joints_mut().is_empty());
    window.harness.get_by_label("Hide J3").click_modifiers(ALT);
    window.harness.run();
    assert_eq!(window.harness.state_mut().viewport_mut().hidden_joints_mut().len(), 3, "J3 and J4 stay");
    window.click_label("Show 3 hidden");
    assert!(window.harness.state_mut().viewport_mut().hidden_joints_mut().is_empty());
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn three_thousand_joints_scroll_without_being_laid_out() {
    let mut window = open(3000);
    let n_rows = {
        let root = window.harness.root();
        root.children_recursive()
            .filter(|node| node.accesskit_node().label().is_some_and(|name| name.starts_with("Lock J")))
            .count()
    };
    assert!((5..80).contains(&n_rows), "{n_rows} rows are laid out");
    let last = *window.editor().document().joints().last().unwrap();
    window.editor_mut().session.active_joint = Some(last);
    window.harness.run();
    assert!(is_listed(&window, "J2999"), "the list follows the active joint");
    let begin = Instant::now();
    let n = 20;
    for i in 0..n {
        window.hover(egui::pos2(1000.0, 200.0 + 5.0 * i as f32));
    }
    let a_frame = begin.elapsed() / (2 * n);
    println!("3,000 joints: {a_frame:?} a frame");
    assert!(a_frame < Duration::from_millis(100), "{a_frame:?} a frame");
}

#[test]
fn the_side_panel_has_its_width_again_when_there_is_room() {
    let mut window = Window::new(Setup { path: Some(super::driver::arm()), ..Setup::default() });
    let edge = |window: &Window| window.app().viewport().area().rect().max.x;
    let first = edge(&window);
    // The handle lies at the panel's side of the edge.
    let wide = egui::pos2(first + 3.0, 300.0);
    window.drag(
        &[wide, wide - egui::vec2(40.0, 0.0), wide - egui::vec2(80.0, 0.0)],
        egui::PointerButton::Primary,
        NONE,
    );
    let chosen = edge(&window);
    assert!((first - chosen - 80.0).abs() < 4.0, "{first} {chosen}");
    for size in [egui::vec2(480.0, 320.0), egui::vec2(200.0, 100.0), egui::vec2(1100.0, 720.0)] {
        window.harness.set_size(size);
        window.harness.run_steps(4);
    }
    assert!((edge(&window) - chosen).abs() < 1.0, "{} is not {chosen}", edge(&window));
}

#[test]
fn enter_in_the_search_takes_what_was_found_and_letters_of_the_same_frame_do_nothing_else() {
    let mut window = open(5);
    window.harness.get_by_label("Search joints").click();
    window.harness.run();
    // Typed so fast that all of it comes in one frame; Shift+L alone would lock all others.
    let press = |key, modifiers| egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    window.harness.event(egui::Event::Text("j".to_owned()));
    window.harness.event(press(Key::L, SHIFT));
    window.harness.event(egui::Event::Text("3".to_owned()));
    window.harness.event(press(Key::Enter, NONE));
    window.harness.run();
    let active = window.editor().session.active_joint.expect("one is active");
    assert_eq!(window.editor().document().nodes().label(active), "J3", "not what stands above it in the tree");
    assert_eq!(window.editor().history().n_done(), 0, "nothing was locked");
    window.click_label("Clear the search");
    assert!(is_listed(&window, "J4"));
}
