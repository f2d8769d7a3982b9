//! What stands around the view: tools, settings, palette, counters, lists.

use egui::Key;
use egui_kittest::kittest::Queryable;

use super::driver::{CTRL, NONE, Setup, Window, arm};

#[test]
fn the_tool_strip_takes_brushes_by_click_and_by_key() {
    let mut window = Window::open(&arm());
    window.click_label("Add");
    assert_eq!(window.editor().session.brush.brush.name, "add");
    window.key(Key::M, NONE);
    assert_eq!(window.editor().session.brush.brush.name, "smooth");
    window.click_label("Bend Joint");
    assert_eq!(window.app().viewport().mode(), sinew_app::keymap::Mode::Bending);
}

#[test]
fn undo_and_redo_are_icons_with_names() {
    let mut window = Window::open(&arm());
    let before = window.weights();
    window.editor_mut().run("smooth").unwrap();
    window.harness.run();
    assert_ne!(window.weights(), before);
    window.click_label("Undo");
    assert_eq!(window.weights(), before);
    window.click_label("Redo");
    assert_ne!(window.weights(), before);
}

#[test]
fn the_light_theme_and_a_larger_size_are_chosen_in_the_settings() {
    let mut window = Window::new(Setup::default());
    window.key(Key::Comma, CTRL);
    window.click_label("Light");
    assert_eq!(window.harness.ctx.theme(), egui::Theme::Light);
    window.click_label("150 %");
    assert!((window.harness.ctx.zoom_factor() - 1.5).abs() < 1e-6);
    for _ in 0..9 {
        window.key(Key::Plus, CTRL);
    }
    assert!((window.harness.ctx.zoom_factor() - 2.0).abs() < 1e-6, "never beyond 200 %");
    for _ in 0..9 {
        window.key(Key::Minus, CTRL);
    }
    assert!((window.harness.ctx.zoom_factor() - 1.0).abs() < 1e-6, "never below 100 %");
    window.key(Key::Comma, CTRL);
    assert!(window.harness.query_by_label("Light").is_none());
}
