//! What the hand does with the brush in it: painting on a flexed joint, pen and airbrush, several meshes in one stroke,
//! what is hidden and what is in the lane.

use egui::{Key, PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::keymap::Mode;
use sinew_edit::Falloff;
use sinew_model::NodeIndex;

use super::driver::{CTRL, NONE, SHIFT, Window, arm};

/// The arm with its elbow active, turned a little by hand, and a brush that is equally strong everywhere.
fn window() -> (Window, NodeIndex) {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.editor_mut().session.pose.set_turn_deg(elbow, START);
    let brush = &mut window.editor_mut().session.brush;
    (brush.radius, brush.falloff) = (0.2, Falloff::Constant);
    window.harness.run();
    (window, elbow)
}

const START: Vec3 = Vec3::new(0.0, 0.0, 20.0);

fn key(window: &mut Window, key: Key, pressed: bool, modifiers: egui::Modifiers) {
    window.hold(modifiers);
    window.harness.event(egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
    window.harness.run();
    window.hold(NONE);
}

/// Bends the elbow by a drag with the button.
fn bend(window: &mut Window, at: Pos2) {
    window.press(at, PointerButton::Primary, NONE);
    window.hover(at + vec2(30.0, 4.0));
    window.hover(at + vec2(70.0, 9.0));
    window.release(at + vec2(70.0, 9.0), PointerButton::Primary, NONE);
}

fn turn(window: &Window, joint: NodeIndex) -> Vec3 {
    window.editor().session.pose.turn_deg(joint)
}

fn last_line(window: &Window) -> String {
    window.editor().history().entries().last().unwrap().line.to_owned()
}

/// Waits until a joint is back.
fn spring(window: &mut Window) {
    window.harness.run_steps(30);
    assert_eq!(window.app().viewport().mode(), Mode::Idle);
}

#[test]
fn a_joint_stays_bent_for_painting_as_long_as_g_is_held() {
    // Pain 11
    let (mut window, elbow) = window();
    let at = window.center();
    window.hover(at);
    key(&mut window, Key::G, true, NONE);
    bend(&mut window, at);
    let bent = turn(&window, elbow);
    assert!((bent - START).length() > 10.0);
    assert_eq!(window.app().viewport().mode(), Mode::Idle, "the hand is free");
    assert!(window.harness.query_by_label_contains("spring back").is_some(), "and the line below says how it ends");
    window.hover(at + vec2(0.0, 60.0));
    assert_eq!(turn(&window, elbow), bent, "the pointer moves the brush, not the joint");
    let (shoulder, weights) = (window.pos(Vec3::new(0.0, 0.5, 0.0)), window.weights());
    window.stroke(shoulder, shoulder + vec2(0.0, 10.0), NONE);
    assert!(window.weights() != weights);
    assert_eq!(window.editor().history().n_done(), 1, "only the stroke is a step");
    let name = window.editor().document().nodes().label(elbow);
    assert!(last_line(&window).contains(&format!("pose={name}:{}", bent.x)), "{}", last_line(&window));
    // Undo leaves the joint where it is.
    window.key(Key::Z, CTRL);
    assert!(window.weights() == weights);
    assert_eq!(turn(&window, elbow), bent);
    key(&mut window, Key::G, false, NONE);
    spring(&mut window);
    assert_eq!(turn(&window, elbow), START);
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn a_key_that_comes_up_in_the_middle_of_a_stroke_waits_for_its_end() {
    let (mut window, elbow) = window();
    let at = window.center();
    window.hover(at);
    key(&mut window, Key::G, true, NONE);
    bend(&mut window, at);
    let bent = turn(&window, elbow);
    let pos = window.pos(Vec3::new(0.0, 0.5, 0.0));
    window.hover(pos);
    window.press(pos, PointerButton::Primary, NONE);
    key(&mut window, Key::G, false, NONE);
    window.hover(pos + vec2(0.0, 8.0));
    assert_eq!(turn(&window, elbow), bent, "a stroke lies in one pose");
    window.release(pos + vec2(0.0, 8.0), PointerButton::Primary, NONE);
    spring(&mut window);
    assert_eq!(turn(&window, elbow), START);
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn shift_and_g_keep_the_joint_flexed_until_g_is_pressed() {
    // Pain 11
    for ends_by_escape in [false, true] {
        let (mut window, elbow) = window();
        let at = window.center();
        window.hover(at);
        key(&mut window, Key::G, true, SHIFT);
        window.hover(at + vec2(30.0, 4.0));
        window.hover(at + vec2(70.0, 9.0));
        key(&mut window, Key::G, false, NONE);
        let bent = turn(&window, elbow);
        assert!((bent - START).length() > 10.0, "Shift of the key is not precise");
        assert!(window.app().notice().unwrap().text.contains("stays flexed"));
        let pos = window.pos(Vec3::new(0.0, 0.5, 0.0));
        window.stroke(pos, pos + vec2(0.0, 10.0), NONE);
        window.key(Key::M, NONE);
        // Another window is used for a while, and a command that works on another thread is done.
        window.harness.event(egui::Event::WindowFocused(false));
        window.key(Key::X, CTRL);
        assert_eq!(turn(&window, elbow), bent);
        assert_eq!(window.editor().history().n_done(), 2);
        window.key(if ends_by_escape { Key::Escape } else { Key::G }, NONE);
        spring(&mut window);
        assert_eq!(turn(&window, elbow), START);
        assert_eq!(window.editor().history().n_done(), 2);
    }
}

#[test]
fn a_turn_by_hand_while_a_joint_is_flexed_is_what_stays() {
    let (mut window, elbow) = window();
    let at = window.center();
    let flex = |window: &mut Window| {
        window.hover(at);
        key(window, Key::G, true, SHIFT);
        window.hover(at + vec2(30.0, 4.0));
        window.hover(at + vec2(70.0, 9.0));
        key(window, Key::G, false, NONE);
    };
    flex(&mut window);
    window.editor_mut().run("reset_pose").unwrap();
    window.harness.run();
    window.key(Key::Escape, NONE);
    assert_eq!(turn(&window, elbow), Vec3::ZERO, "the line's pose, not the one before the flex");
    // A bend begins from the pose that was set.
    flex(&mut window);
    window.key(Key::R, NONE);
    window.key(Key::X, NONE);
    window.key(Key::Num9, NONE);
    window.key(Key::Num0, NONE);
    window.key(Key::Enter, NONE);
    assert_eq!(turn(&window, elbow), Vec3::new(90.0, 0.0, 0.0));
}
