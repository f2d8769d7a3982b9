//! A window in front of the view: letters are for it.

use egui::{Key, PointerButton};
use egui_kittest::kittest::Queryable;

use super::driver::{CTRL, NONE, Window, arm};

/// What keys of the view would change.
fn state(window: &Window) -> String {
    let session = &window.editor().session;
    format!("{} {:?} {:?}", session.brush.brush.name, window.app().viewport().options, window.app().viewport().mode())
}

fn write(window: &mut Window, word: &str) {
    for letter in word.chars() {
        let key = Key::from_name(&letter.to_uppercase().to_string()).unwrap();
        window.key(key, NONE);
    }
}

fn is_open(window: &Window) -> bool {
    window.harness.query_by_label("Close settings").is_some()
}

/// What a slow frame brings all at once.
fn in_one_frame(window: &mut Window, keys: &[(Key, egui::Modifiers)]) {
    for &(key, modifiers) in keys {
        let event = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        window.harness.input_mut().events.push(event);
    }
    window.harness.step();
    window.harness.run();
}

#[test]
fn letters_behind_the_key_that_opens_or_closes_the_settings_keep_their_order() {
    let mut window = Window::open(&arm());
    let before = state(&window);
    in_one_frame(&mut window, &[(Key::Comma, CTRL), (Key::B, NONE), (Key::E, NONE), (Key::D, NONE)]);
    assert!(is_open(&window));
    assert_eq!(state(&window), before);
    in_one_frame(&mut window, &[(Key::Escape, NONE), (Key::D, NONE)]);
    assert!(!is_open(&window));
    assert_eq!(window.editor().session.brush.brush.name, "subtract");
}

#[test]
fn letters_typed_while_the_settings_are_in_front_are_no_keys_of_the_view() {
    let mut window = Window::open(&arm());
    let model = window.center();
    window.hover(model);
    let before = state(&window);
    window.key(Key::Comma, CTRL);
    assert!(is_open(&window));
    write(&mut window, "bend");
    assert_eq!(state(&window), before, "it was just opened");
    // Ctrl and a letter mean the same everywhere.
    window.editor_mut().run("smooth").unwrap();
    window.key(Key::Z, CTRL);
    assert_eq!(window.editor().history().n_done(), 0);
    // A press on the view takes the keyboard there, as long as the pointer stays.
    let beside = window.app().viewport().area().rect().left_bottom() + egui::vec2(30.0, -150.0);
    window.hover(beside);
    window.press(beside, PointerButton::Primary, NONE);
    window.release(beside, PointerButton::Primary, NONE);
    write(&mut window, "d");
    assert_eq!(window.editor().session.brush.brush.name, "subtract");
    let before = state(&window);
    let over = window.harness.get_by_label("Close settings").rect().center() - egui::vec2(120.0, 0.0);
    window.hover(over);
    write(&mut window, "bend");
    assert_eq!(state(&window), before, "the pointer is over it");
    window.key(Key::Escape, NONE);
    assert!(!is_open(&window));
    write(&mut window, "a");
    assert_eq!(window.editor().session.brush.brush.name, "add");
}
