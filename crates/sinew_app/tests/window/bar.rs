//! The bar of what is in the hand, where it has no room for everything.

use egui::{Event, Key, Pos2, Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use super::driver::{NONE, Setup, Window, arm};

/// A window that is too narrow for the brush's bar.
fn narrow() -> Window {
    Window::new(Setup { path: Some(arm()), size: vec2(1000.0, 700.0), ..Setup::default() })
}

fn middle(window: &Window, label: &str) -> Pos2 {
    window.harness.get_by_role_and_label(Role::Button, label).rect().center()
}

#[test]
fn what_the_bar_has_no_room_for_is_scrolled_to_by_its_buttons_and_by_the_wheel() {
    let mut window = narrow();
    let is_seen = |window: &Window| middle(window, "Flood").x < middle(window, "More to the right").x;
    assert!(!is_seen(&window));
    let is_able = |window: &Window, label: &str| {
        !window.harness.get_by_role_and_label(Role::Button, label).accesskit_node().is_disabled()
    };
    assert!(!is_able(&window, "More to the left"), "nothing is there");
    for end in ["More to the left", "More to the right"] {
        let rect = window.harness.get_by_label(end).rect();
        assert!(rect.min.x >= 4.0 && rect.max.x <= 996.0, "{end} is seen whole: {rect}");
    }
    for _ in 0..4 {
        window.click_label("More to the right");
    }
    assert!(is_seen(&window));
    assert!(!is_able(&window, "More to the right"), "that is the end");
    window.click_label("Lane");
    assert_eq!(window.editor().session.paint.lane.len(), 1, "what is seen is clicked");
    for _ in 0..4 {
        window.click_label("More to the left");
    }
    assert!(!is_seen(&window));
    let over = window.harness.get_by_label("Strength").rect().center();
    window.hover(over);
    for _ in 0..12 {
        let event = Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: vec2(0.0, -3.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: NONE,
        };
        window.harness.event(event);
        window.harness.run_steps(20);
    }
    assert!(is_seen(&window));
}

#[test]
fn what_is_out_of_sight_on_the_bar_is_not_clicked() {
    let mut window = narrow();
    let end = window.harness.get_by_role_and_label(Role::Button, "More to the right").rect();
    // Everywhere from the last that is seen to the window's edge.
    let mut x = end.min.x - 1.0;
    while x < 1000.0 {
        window.click(Pos2::new(x, end.center().y), NONE);
        window.key(Key::Home, NONE);
        x += 3.0;
    }
    assert!(window.editor().session.paint.lane.is_empty());
    assert!(!window.editor().session.paint.protect);
    assert_eq!(window.editor().session.paint.mirror, None);
}

#[test]
fn a_bar_with_room_has_no_such_buttons() {
    let window = Window::new(Setup { path: Some(arm()), size: vec2(1440.0, 900.0), ..Setup::default() });
    assert!(window.harness.query_by_label("More to the right").is_none());
    assert!(window.harness.query_by_label("Flood").is_some());
}
