//! What is said about what was done: never that something was done when nothing was.

use egui::{Key, PointerButton, vec2};
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::action::{Action, Level};
use sinew_model::NodeIndex;

use super::driver::{ALT, CTRL, NONE, SHIFT, Window, arm};

fn window() -> (Window, NodeIndex) {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.harness.run();
    (window, elbow)
}

fn said(window: &Window) -> (Level, String) {
    let notice = window.app().notice().unwrap();
    (notice.level, notice.text.clone())
}

fn run(window: &mut Window, line: &str) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Line(line.to_owned()));
    window.harness.run();
}

#[test]
fn what_changed_nothing_says_why() {
    let (mut window, elbow) = window();
    for (line, text) in [
        ("limit influences=4", "Nothing to change: no vertex has more than 4 joints"),
        ("normalize", "Nothing to change: no vertex has weights that do not sum to 1"),
        ("settle joint=0", "Nothing to change: no vertex is without weight"),
    ] {
        run(&mut window, line);
        assert_eq!(said(&window), (Level::Refused, text.to_owned()));
    }
    let pos = window.pos(Vec3::new(0.0, 1.0, 0.0));
    let brush = |window: &mut Window, name: &str| {
        window.editor_mut().session.brush.brush = sinew_edit::brushes::brush_named(name).unwrap();
        window.click(pos, NONE);
        said(window).1
    };
    assert_eq!(brush(&mut window, "hammer"), "Nothing to change: nothing stands out here");
    let name = window.editor().document().nodes().label(elbow);
    run(&mut window, &format!("set vertices=all joint={name} value=1"));
    assert_eq!(brush(&mut window, "replace"), format!("Nothing to change: {name} has 1.00 here already"));
    run(&mut window, "select_all");
    run(&mut window, "mask value=0");
    run(&mut window, "select_none");
    window.editor_mut().session.brush.value = 0.5;
    assert_eq!(brush(&mut window, "replace"), "Nothing to change: what was reached is masked or hidden");
}

#[test]
fn the_lane_is_told_whichever_way_it_changes() {
    let (mut window, elbow) = window();
    let name = window.editor().document().nodes().label(elbow);
    window.click_label("Lane");
    assert!(said(&window).1.ends_with(" only"), "{:?}", said(&window));
    window.click_label("Lane: 2");
    assert_eq!(said(&window).1, "Weight is exchanged among all joints again");
    for text in [format!("Weight is exchanged among {name} only"), "Weight is exchanged among all joints again".into()]
    {
        let at = window.harness.get_by_role_and_label(egui::Role::Button, &name).rect().center();
        window.hold(SHIFT);
        window.click(at, SHIFT);
        window.hold(NONE);
        assert_eq!(said(&window).1, text);
    }
}

#[test]
fn undo_says_that_poses_are_not_in_the_history_when_a_turn_may_be_meant() {
    let (mut window, elbow) = window();
    window.key(Key::Z, CTRL);
    assert_eq!(said(&window).1, "Nothing to undo");
    let hint = "poses are not in the history: Alt+R resets the joint";
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::X * 20.0);
    window.harness.run();
    window.key(Key::Z, CTRL);
    assert_eq!(said(&window).1, format!("Nothing to undo; {hint}"));

    let pos = window.pos(Vec3::new(0.0, 0.3, 0.0));
    for _ in 0..3 {
        window.editor_mut().session.brush.value = 0.3 + 0.1 * window.editor().history().n_done() as f32;
        window.stroke(pos, pos + vec2(0.0, 10.0), NONE);
    }
    assert_eq!(window.editor().history().n_done(), 3);
    window.key(Key::Z, CTRL);
    assert!(!said(&window).1.contains(hint), "the stroke was the last that was done");
    window.hover(pos);
    window.key(Key::R, NONE);
    window.hover(pos + vec2(60.0, 0.0));
    window.press(pos + vec2(60.0, 0.0), PointerButton::Primary, NONE);
    window.release(pos + vec2(60.0, 0.0), PointerButton::Primary, NONE);
    assert_ne!(window.editor().session.pose.turn_deg(elbow), Vec3::X * 20.0);
    window.key(Key::Z, CTRL);
    assert!(said(&window).1.starts_with("Undid Replace") && said(&window).1.ends_with(hint), "{:?}", said(&window));
    window.key(Key::Z, CTRL);
    assert!(!said(&window).1.contains(hint), "once is enough");
    window.key(Key::R, ALT);
    assert_eq!(window.editor().session.pose.turn_deg(elbow), Vec3::ZERO);
}

#[test]
fn the_card_of_the_last_stroke_goes_by_itself_and_with_whatever_is_done_next() {
    let (mut window, _) = window();
    let pos = window.pos(Vec3::new(0.0, 1.0, 0.0));
    window.editor_mut().session.brush.radius = 0.25;
    let is_there = |window: &Window| window.harness.query_by_label("Last stroke").is_some();
    let paint = |window: &mut Window| {
        let value = 0.2 + 0.15 * window.editor().history().n_done() as f32;
        window.editor_mut().session.brush.value = value;
        window.stroke(pos - vec2(0.0, 30.0), pos + vec2(0.0, 30.0), NONE);
        assert!(is_there(window));
    };
    paint(&mut window);
    window.key(Key::P, NONE);
    assert!(!is_there(&window), "another tool");
    window.key(Key::B, NONE);
    assert!(!is_there(&window));
    paint(&mut window);
    window.editor_mut().run("budget influences=8").unwrap();
    window.harness.run();
    assert!(!is_there(&window), "another step");
    paint(&mut window);
    window.wait(4.0);
    assert!(is_there(&window), "it can be read");
    let card = window.harness.get_by_label("Last stroke").rect().center();
    window.hover(card);
    window.wait(20.0);
    assert!(is_there(&window), "the pointer is on it");
    window.hover(pos);
    window.wait(20.0);
    assert!(!is_there(&window));
    paint(&mut window);
    window.click_label("Close last stroke");
    assert!(!is_there(&window));
}
