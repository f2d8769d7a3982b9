//! Escape closes what lies on top, one thing at a time.

use egui::{Key, PointerButton, vec2};
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::keymap::Mode;

use super::driver::{NONE, SHIFT, Setup, Window, arm};

fn window() -> Window {
    let mut window = Window::new(Setup { path: Some(arm()), size: vec2(1440.0, 900.0), ..Setup::default() });
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.harness.run();
    window
}

fn has(window: &Window, label: &str) -> bool {
    window.harness.query_by_label(label).is_some()
}

fn search(window: &mut Window, text: &str) {
    window.harness.get_by_label("Search joints").focus();
    window.harness.run();
    window.harness.get_by_label("Search joints").type_text(text);
    window.harness.run();
}

#[test]
fn escape_closes_one_card_after_the_other_and_then_clears_the_search() {
    let mut window = window();
    let n_rows = |window: &Window| window.harness.query_all_by_label_contains("Hide ").count();
    let all = n_rows(&window);
    search(&mut window, "zzz");
    assert!(n_rows(&window) < all);
    window.key(Key::Enter, NONE);
    window.editor_mut().session.brush.strength = 0.5;
    window.harness.state_mut().viewport_mut().shows_display = true;
    window.harness.run();
    window.click_label("Brush options");
    assert!(has(&window, "Close display") && has(&window, "Once"));
    let center = window.center();
    window.hover(center);
    window.key(Key::Escape, NONE);
    assert!(has(&window, "Close display") && !has(&window, "Once"), "what was opened last lies on top");
    window.key(Key::Escape, NONE);
    assert!(!has(&window, "Close display") && n_rows(&window) < all);
    window.key(Key::Escape, NONE);
    assert_eq!(n_rows(&window), all);
    assert_eq!(window.editor().session.brush.strength, 0.5);
    // In the field itself it clears the search at once.
    search(&mut window, "zzz");
    window.key(Key::Escape, NONE);
    assert_eq!(n_rows(&window), all);
}

#[test]
fn a_tool_under_way_and_a_field_have_escape_before_the_cards() {
    let mut window = window();
    window.click_label("Brush options");
    let first = window.weights();
    let (low, high) = (window.pos(Vec3::new(0.0, 0.6, 0.0)), window.pos(Vec3::new(0.0, 1.4, 0.0)));
    window.key(Key::A, SHIFT);
    window.drag(&[low, high], PointerButton::Primary, NONE);
    assert_eq!(window.app().viewport().mode(), Mode::Laying);
    window.key(Key::Escape, NONE);
    assert!(window.weights() == first && has(&window, "Once"), "the gradient is taken back, the card stays");
    window.harness.get_by_label("Preset name").focus();
    window.harness.run();
    window.key(Key::Escape, NONE);
    assert!(has(&window, "Once"), "the field is left");
    window.key(Key::Escape, NONE);
    assert!(!has(&window, "Once"));
    window.click_label("Symmetry");
    assert!(has(&window, "Mirror weights"));
    window.key(Key::Escape, NONE);
    assert!(!has(&window, "Mirror weights"));
}
