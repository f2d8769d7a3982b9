//! Keys: presets, own choices, conflicts, the card, and what is held.

use egui::{Key, PointerButton, vec2};
use egui_kittest::kittest::Queryable;
use sinew_app::keymap::{self, Do, Mode, Preset};

use super::driver::{ALT, CTRL, CTRL_SHIFT, NONE, Setup, Window, arm};

fn key(window: &mut Window, key: Key, pressed: bool) {
    let modifiers = NONE;
    window.harness.event(egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
    window.harness.run();
}

/// The arm with the elbow active and the page of keys open.
fn with_page() -> Window {
    let mut window = Window::open(&arm());
    window.editor_mut().session.active_joint = Some(window.editor().document().joints()[1]);
    window.key(Key::Comma, CTRL);
    window.click_label("Keys");
    window
}

fn search(window: &mut Window, text: &str) {
    window.harness.get_by_label("Search keys").focus();
    window.harness.run();
    window.key(Key::A, CTRL);
    window.harness.get_by_label("Search keys").type_text(text);
    window.harness.run();
}

fn has(window: &Window, label: &str) -> bool {
    window.harness.query_by_label(label).is_some()
}

#[test]
fn a_key_is_pressed_anew_and_everything_follows() {
    let mut window = with_page();
    search(&mut window, "the mesh's edges");
    assert!(has(&window, "Key of Wire: W") && !has(&window, "Key of Contours: C"));
    window.click_label("Key of Wire: W");
    window.key(Key::F9, NONE);
    assert!(has(&window, "Key of Wire: F9"));
    assert!(!window.app().viewport().options.wire, "the key was for the page alone");
    window.key(Key::Comma, CTRL);
    window.key(Key::W, NONE);
    assert!(!window.app().viewport().options.wire);
    window.key(Key::F9, NONE);
    assert!(window.app().viewport().options.wire);
    assert_eq!(keymap::key_text(&window.harness.ctx, Do::ToggleWire), "F9", "tooltips and menus read this");
    // Found by the key, and reset.
    window.key(Key::Comma, CTRL);
    search(&mut window, "f9");
    window.click_label("Reset keys of Wire");
    search(&mut window, "wire");
    assert!(has(&window, "Key of Wire: W"));
}

#[test]
fn a_key_is_bound_with_what_is_held_with_it() {
    let mut window = with_page();
    search(&mut window, "the mesh's edges");
    window.click_label("Key of Wire: W");
    // The keyboard tells of Ctrl first, as a key of its own.
    key(&mut window, Key::ControlLeft, true);
    assert!(!has(&window, "Key of Wire: ControlLeft"));
    window.key(Key::F9, CTRL);
    assert!(has(&window, "Key of Wire: Ctrl+F9"));
}

#[test]
fn a_conflict_is_shown_and_settled_on_the_spot() {
    let mut window = with_page();
    search(&mut window, "the mesh's edges");
    window.click_label("Key of Wire: W");
    window.key(Key::C, NONE);
    assert!(has(&window, "also Contours"));
    window.click_label("Only for Wire");
    assert!(!has(&window, "also Contours"));
    window.key(Key::Comma, CTRL);
    window.key(Key::C, NONE);
    let options = window.app().viewport().options;
    assert!(options.wire && !options.contours);
    // Escape leaves the key as it was; a further key is added.
    window.key(Key::Comma, CTRL);
    window.click_label("Key of Wire: C");
    window.key(Key::Escape, NONE);
    assert!(has(&window, "Key of Wire: C"), "and the page is still open");
    window.click_label("Add key to Wire");
    window.key(Key::F8, NONE);
    assert!(has(&window, "Key of Wire: C") && has(&window, "Key of Wire: F8"));
    window.click_label("Reset all");
    assert!(has(&window, "Key of Wire: W"));
}

#[test]
fn alt_and_the_left_button_pick_in_one_preset_and_orbit_in_the_other() {
    // Pain 7
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    let place = window.editor_mut().scene_from_node()[joints[1].idx()].translation.as_vec3();
    let pos = window.pos(place);
    let camera = window.app().viewport().camera;
    let path = [pos, pos + vec2(40.0, 6.0)];
    window.drag(&path, PointerButton::Primary, ALT);
    assert_eq!(window.editor().session.active_joint, Some(joints[1]), "picked, with the brush in hand");
    assert_eq!(window.app().viewport().camera, camera);

    window.editor_mut().session.active_joint = Some(joints[0]);
    window.key(Key::Comma, CTRL);
    window.click_label("Keys");
    window.click_label("Maya / ngSkinTools");
    window.key(Key::Comma, CTRL);
    assert_eq!(keymap::of(&window.harness.ctx).preset, Preset::Maya);
    window.drag(&path, PointerButton::Primary, ALT);
    assert_eq!(window.editor().session.active_joint, Some(joints[0]));
    assert!(window.app().viewport().camera.yaw_deg != camera.yaw_deg);
    assert_eq!(window.editor().history().n_done(), 0);
    let distance = window.app().viewport().camera.distance;
    window.drag(&[pos, pos + vec2(60.0, 0.0)], PointerButton::Secondary, ALT);
    assert!(window.app().viewport().camera.distance < distance, "to the right is nearer");
    let pos = window.pos(place);
    window.click(pos, CTRL_SHIFT);
    assert_eq!(window.editor().session.active_joint, Some(joints[1]));
}

#[test]
fn a_held_b_and_a_drag_size_the_brush_in_mayas_keys() {
    let mut window = with_page();
    window.click_label("Maya / ngSkinTools");
    window.key(Key::Comma, CTRL);
    let at = window.center();
    let radius = window.editor().session.brush.radius;
    window.hover(at);
    key(&mut window, Key::B, true);
    assert_eq!(window.app().viewport().mode(), Mode::Sizing);
    window.press(at, PointerButton::Primary, NONE);
    window.hover(at + vec2(40.0, 0.0));
    window.release(at + vec2(40.0, 0.0), PointerButton::Primary, NONE);
    assert_eq!(window.app().viewport().mode(), Mode::Idle);
    key(&mut window, Key::B, false);
    assert!(window.editor().session.brush.radius > radius * 1.2);
    assert_eq!(window.editor().history().n_done(), 0, "the drag painted nothing");
    let distance = window.app().viewport().camera.distance;
    window.key(Key::F, NONE);
    assert!(window.app().viewport().camera.distance < distance, "F frames the joint");
    window.key(Key::D, NONE);
    assert_eq!(window.app().viewport().options.show, sinew_app::viewport::options::Show::JointColors);
}

#[test]
fn h_shows_the_keys_and_any_key_closes_them_and_does_nothing_else() {
    let mut window = Window::open(&arm());
    window.key(Key::H, NONE);
    assert!(has(&window, "Flex Joint") && has(&window, "Shift MMB"));
    window.key(Key::W, NONE);
    assert!(!has(&window, "Flex Joint"));
    assert!(!window.app().viewport().options.wire);
    window.key(Key::W, NONE);
    assert!(window.app().viewport().options.wire);
}

#[test]
fn the_card_of_keys_is_seen_whole_whatever_size_window_and_text_have() {
    // As a screen of 1440 × 900 is at 100 %, 150 % and 200 %, and small windows.
    for size in [[1440.0, 900.0], [960.0, 600.0], [720.0, 450.0], [1000.0, 700.0], [1100.0, 720.0]] {
        let size = egui::Vec2::from(size);
        let mut window = Window::new(Setup { path: Some(arm()), size, ..Setup::default() });
        window.key(Key::H, NONE);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        let shown =
            ["Undo", "Flood", "Mirror Strokes", "Mask Brush", "Linear Gradient", "Select Tool", "Isolate", "Hide"];
        let more =
            ["Size Brush", "Replace", "Erase", "Flex Joint", "Joint into the lane (in the list)", "Gizmo", "Ghosts"];
        for name in shown.into_iter().chain(more).chain(["Any key closes this. All keys can be changed in Settings."]) {
            let is_seen = |rect: egui::Rect| screen.contains_rect(rect) && rect.width() > 8.0 && rect.height() > 10.0;
            let places: Vec<_> = window.harness.query_all_by_label(name).map(|node| node.rect()).collect();
            assert!(places.iter().any(|&rect| is_seen(rect)), "{size:?}: {name} at {places:?}");
        }
    }
}

#[test]
fn a_held_g_bends_and_springs_back_with_the_brush_in_hand() {
    // Pain 11
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    let start = glam::Vec3::new(0.0, 0.0, 20.0);
    window.editor_mut().session.pose.set_turn_deg(elbow, start);
    let weights = window.weights();
    let at = window.center();
    window.hover(at);
    key(&mut window, Key::G, true);
    assert_eq!(window.app().viewport().mode(), Mode::Flexing);
    window.hover(at + vec2(30.0, 4.0));
    window.hover(at + vec2(70.0, 9.0));
    assert!((window.editor().session.pose.turn_deg(elbow) - start).length() > 10.0);
    key(&mut window, Key::G, false);
    assert_eq!(window.editor().session.pose.turn_deg(elbow), start);
    assert_eq!(window.app().viewport().mode(), Mode::Idle);
    assert_eq!(window.weights(), weights);
    assert_eq!(window.editor().history().n_done(), 0);
    // The brush never left the hand.
    window.click(at, NONE);
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn the_brush_in_hand_floods_the_mesh_by_a_key() {
    let mut window = Window::open(&arm());
    window.editor_mut().session.active_joint = Some(window.editor().document().joints()[1]);
    window.editor_mut().session.brush.value = 0.25;
    window.key(Key::X, CTRL);
    assert_eq!(window.editor().history().n_done(), 1);
    let weights = window.weights();
    assert!(weights.iter().flatten().any(|&(slot, bits)| slot == 1 && f32::from_bits(bits) == 0.25));
    window.key(Key::Z, CTRL);
    assert_ne!(window.weights(), weights);
}

#[test]
fn the_status_line_names_the_keys_as_they_are() {
    let mut window = with_page();
    search(&mut window, "flex joint");
    window.click_label("Key of Flex Joint: G");
    window.key(Key::F7, NONE);
    window.key(Key::Comma, CTRL);
    let hints = Mode::Idle.hints(&window.harness.ctx);
    assert!(hints.iter().any(|(key, what)| key == "F7" && what.contains("flex")), "{hints:?}");
    window.hover(window.center());
    key(&mut window, Key::F7, true);
    assert_eq!(window.app().viewport().mode(), Mode::Flexing);
    assert!(has(&window, "Release F7"));
    key(&mut window, Key::F7, false);
    assert_eq!(window.app().viewport().mode(), Mode::Idle);
}
