//! Strokes and the brush.

use egui::{Event, Key, PointerButton, vec2};
use glam::Vec3;
use sinew_app::action::Level;

use super::driver::{CTRL, NONE, SHIFT, Window, arm};

fn at_middle(window: &Window) -> egui::Pos2 {
    window.pos(Vec3::new(0.0, 1.0, 0.0))
}

#[test]
fn escape_or_losing_the_window_takes_a_stroke_back() {
    let mut window = Window::open(&arm());
    let first = window.weights();
    let pos = at_middle(&window);
    for is_escape in [true, false] {
        window.hover(pos);
        window.press(pos, PointerButton::Primary, NONE);
        for i in 1..6 {
            window.hover(pos + vec2(0.0, 6.0 * i as f32));
        }
        assert_ne!(window.weights(), first, "the stroke shows while it is made");
        if is_escape {
            window.key(Key::Escape, NONE);
        } else {
            window.harness.event(Event::WindowFocused(false));
            window.harness.run();
        }
        assert_eq!(window.weights(), first);
        window.release(pos, PointerButton::Primary, NONE);
        assert_eq!(window.weights(), first);
        assert_eq!(window.editor().history().n_done(), 0);
    }
}

#[test]
fn control_inverts_and_shift_smooths() {
    let mut window = Window::open(&arm());
    let joint = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(joint);
    let pos = at_middle(&window);
    let line = |window: &Window| window.editor().history().entries().last().unwrap().line.to_owned();
    window.stroke(pos, pos + vec2(0.0, 20.0), CTRL);
    assert!(line(&window).contains("value=0 "), "{}", line(&window));
    window.stroke(pos, pos + vec2(0.0, 20.0), SHIFT);
    assert!(line(&window).contains("brush=smooth"), "{}", line(&window));
}

#[test]
fn a_stroke_with_no_joint_says_so_and_changes_nothing() {
    // B63
    let mut window = Window::open(&arm());
    window.editor_mut().session.active_joint = None;
    let first = window.weights();
    let pos = at_middle(&window);
    window.stroke(pos, pos + vec2(0.0, 30.0), NONE);
    assert_eq!(window.weights(), first);
    assert_eq!(window.editor().history().n_done(), 0);
    let notice = window.app().notice().unwrap();
    assert_eq!(notice.level, Level::Refused);
    assert!(notice.text.contains("joint"), "{}", notice.text);
}

#[test]
fn f_sizes_the_brush_until_a_click_or_escape() {
    let mut window = Window::open(&arm());
    let radius = |window: &Window| window.editor().session.brush.radius;
    let (start, pos) = (radius(&window), at_middle(&window));
    let first = window.weights();
    window.hover(pos);
    window.key(Key::F, NONE);
    window.hover(pos + vec2(60.0, 0.0));
    assert!(radius(&window) > start * 1.2);
    window.key(Key::Escape, NONE);
    assert_eq!(radius(&window), start);
    window.key(Key::F, NONE);
    window.hover(pos + vec2(20.0, 0.0));
    let sized = radius(&window);
    window.click(pos + vec2(20.0, 0.0), NONE);
    assert!((radius(&window) - sized).abs() < 1e-6 && sized < start, "moving left makes it smaller");
    assert_eq!(window.weights(), first, "the click that keeps the size paints nothing");
    window.key(Key::CloseBracket, NONE);
    assert!(radius(&window) > sized);
    window.key(Key::OpenBracket, NONE);
    assert!((radius(&window) - sized).abs() < 1e-6);
}

#[test]
fn the_size_is_one_number_for_panel_ring_and_dab() {
    // B62
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.editor_mut().session.brush.radius = 0.37;
    window.editor_mut().session.brush.falloff = sinew_edit::Falloff::Constant;
    window.harness.run();
    // To another joint and back, to another brush and back.
    let document = window.editor().document();
    let names: Vec<String> = document.joints().iter().map(|&joint| document.nodes().label(joint)).collect();
    window.click_label(&names[0]);
    window.click_label("Smooth");
    window.click_label("Replace");
    window.click_label(&names[1]);
    assert_eq!(window.editor().session.brush.radius, 0.37);
    let pos = at_middle(&window);
    window.click(pos, NONE);
    let line = window.editor().history().entries().last().unwrap().line.to_owned();
    assert!(line.contains("radius=0.37"), "{line}");
}

#[test]
fn a_stroke_that_begins_beside_the_mesh_paints_from_first_contact() {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    let first = window.weights();
    let on = window.pos(Vec3::new(0.0, 0.5, 0.0));
    let beside = on - vec2(150.0, 0.0);
    window.hover(beside);
    window.press(beside, PointerButton::Primary, NONE);
    assert_eq!(window.weights(), first);
    window.hover(on);
    assert_ne!(window.weights(), first);
    window.release(on, PointerButton::Primary, NONE);
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn shift_f_and_control_f_drag_strength_and_value() {
    let mut window = Window::open(&arm());
    let pos = at_middle(&window);
    let first = window.weights();
    window.editor_mut().session.brush.strength = 0.5;
    window.hover(pos);
    window.key(Key::F, SHIFT);
    window.hover(pos + vec2(50.0, 0.0));
    assert!((window.editor().session.brush.strength - 0.75).abs() < 1e-3);
    window.hover(pos + vec2(900.0, 0.0));
    assert_eq!(window.editor().session.brush.strength, 1.0);
    window.key(Key::Escape, NONE);
    assert_eq!(window.editor().session.brush.strength, 0.5);
    window.hover(pos);
    window.key(Key::F, CTRL);
    window.hover(pos - vec2(80.0, 0.0));
    window.click(pos - vec2(80.0, 0.0), NONE);
    assert!((window.editor().session.brush.value - 0.6).abs() < 1e-3);
    assert_eq!(window.weights(), first, "the click that keeps the value paints nothing");
    // A brush without a value says so.
    window.editor_mut().session.brush.brush = sinew_edit::brushes::brush_named("smooth").unwrap();
    window.key(Key::F, CTRL);
    assert_eq!(window.app().notice().unwrap().level, Level::Refused);
    assert_eq!(window.app().viewport().mode(), sinew_app::keymap::Mode::Idle);
}

#[test]
fn s_held_over_the_skin_takes_the_joint_that_moves_it() {
    // Pain 7
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    window.editor_mut().session.active_joint = Some(joints[1]);
    let hold_s = |window: &mut Window, pressed: bool| {
        let key = Key::S;
        window.harness.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: NONE });
        window.harness.run();
    };
    let (low, high) = (window.pos(Vec3::new(0.0, 0.2, 0.0)), window.pos(Vec3::new(0.0, 1.8, 0.0)));
    window.hover(high);
    hold_s(&mut window, true);
    window.hover(low);
    assert_eq!(window.app().viewport().named_joint(), Some(joints[0]), "its name is shown first");
    assert_eq!(window.editor().session.active_joint, Some(joints[1]));
    hold_s(&mut window, false);
    assert_eq!(window.editor().session.active_joint, Some(joints[0]));
    hold_s(&mut window, true);
    window.hover(high);
    window.key(Key::Escape, NONE);
    hold_s(&mut window, false);
    assert_eq!(window.editor().session.active_joint, Some(joints[0]), "Escape keeps the joint");
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn the_read_out_keeps_the_values_from_before_the_stroke() {
    // Pain 20
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    let pos = window.pos(Vec3::new(0.0, 0.2, 0.0));
    window.hover(pos);
    let read_out = |window: &mut Window| {
        let app = window.harness.state_mut();
        // The view is only read: the editor is needed for its caches.
        let hit = *app.viewport().hover().unwrap();
        sinew_app::viewport::read_out::of_vertex(app.editor_mut().unwrap(), &hit, &[]).unwrap()
    };
    let first = read_out(&mut window);
    assert!(first.shares.iter().all(|share| share.before.is_none()));
    window.click(pos, NONE);
    let painted = read_out(&mut window);
    assert_eq!(painted.vertex, first.vertex);
    for old in &first.shares {
        let now = painted.shares.iter().find(|share| share.joint == old.joint).unwrap();
        assert_eq!(now.before, Some(old.weight), "{}", old.joint);
    }
    let taken = painted.shares.iter().find(|share| share.is_active).unwrap();
    assert!(taken.weight > taken.before.unwrap() + 0.1, "{taken:?}");
    window.key(Key::Z, CTRL);
    assert!(read_out(&mut window).shares.iter().all(|share| share.before.is_none()));
}
