//! What takes long on a large mesh besides commands: twins are found off the window's thread, and nothing is painted
//! without them; a gradient is shown part by part.

use std::time::{Duration, Instant};

use egui::{Event, Key, PointerButton, vec2};
use egui_kittest::kittest::Queryable;
use sinew_app::action::Action;
use sinew_app::keymap::{Do, Mode};
use sinew_app::viewport::options::Show;

use super::driver::{CTRL, NONE, SHIFT, Window};

/// More weld groups than are searched at once.
const LARGE: usize = 120_000;

fn window(folder: &tempfile::TempDir) -> Window {
    let path = folder.path().join("large.glb");
    std::fs::write(&path, sinew_tests::grid(LARGE, 2, 1).glb()).unwrap();
    let mut window = Window::open(&path);
    assert!(window.editor_mut().n_mirrored() >= LARGE);
    window.editor_mut().session.brush.radius = 0.02;
    let center = window.center();
    window.hover(center);
    assert!(window.app().viewport().hover().is_some(), "the mesh is under the pointer");
    window
}

fn perform(window: &mut Window, action: Action) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, action);
}

fn button(window: &mut Window, pressed: bool) {
    let (pos, button) = (window.center(), PointerButton::Primary);
    window.harness.event(Event::PointerButton { pos, button, pressed, modifiers: NONE });
    window.harness.step();
}

#[test]
fn a_large_mesh_is_mirrored_as_soon_as_its_twins_are_found() {
    // Pain 6
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(&folder);
    perform(&mut window, Action::Do(Do::ToggleMirror));
    button(&mut window, true);
    assert!(window.app().is_busy());
    assert!(window.app().notice().unwrap().text.contains("still being found"));
    assert_eq!(window.app().viewport().mode(), Mode::Idle, "nothing is painted on one side alone");
    button(&mut window, false);
    // A note on a fast machine is gone before anybody reads it.
    assert!(!window.app().is_busy() || window.harness.query_by_label("Finding mirror images").is_some());
    window.settle();
    assert!(window.harness.query_by_label("Finding mirror images").is_none());
    let center = window.center();
    window.stroke(center, center + vec2(6.0, 0.0), NONE);
    assert_eq!(window.editor().history().n_done(), 1);
    let line = window.editor().history().entries().last().unwrap().line.to_owned();
    assert!(line.contains("mirror=x"), "{line}");
}

#[test]
fn who_does_not_want_to_wait_paints_without_the_mirror() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(&folder);
    perform(&mut window, Action::Do(Do::ToggleMirror));
    window.harness.step();
    perform(&mut window, Action::CancelMirroring);
    assert_eq!(window.editor().session.paint.mirror, None);
    window.harness.run();
    assert!(!window.app().is_busy());
    let center = window.center();
    window.click(center, NONE);
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn left_and_right_of_a_large_mesh_are_compared_while_the_window_lives_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(&folder);
    window.harness.state_mut().viewport_mut().options.show = Show::LeftRight;
    window.harness.step();
    let is_found = |window: &Window| window.app().viewport().scene().unwrap().left_right().is_found();
    assert!(!is_found(&window), "the picture does not wait");
    let start = Instant::now();
    while !is_found(&window) {
        assert!(start.elapsed() < Duration::from_mins(1), "it ends");
        window.harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    let found = window.app().viewport().scene().unwrap().left_right();
    let document = window.editor().document();
    assert_eq!(found.n_matched + found.n_unmatched, document.mesh(document.skinned_meshes()[0]).n_vertices());
    let version = found.version;
    // What is painted is compared again.
    let center = window.center();
    window.click(center, NONE);
    let start = Instant::now();
    while window.app().viewport().scene().unwrap().left_right().version == version {
        assert!(start.elapsed() < Duration::from_mins(1), "it ends");
        window.harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_gradient_over_a_large_mesh_is_shown_part_by_part_and_kept_by_another_thread() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(&folder);
    window.editor_mut().session.active_joint = Some(window.editor().document().joints()[1]);
    let first = window.weights();
    let n_changed = |window: &Window| {
        let now = window.weights();
        now.iter().zip(&first).filter(|(now, first)| now != first).count()
    };
    window.key(Key::A, SHIFT);
    let center = window.center();
    let lay = |window: &mut Window| {
        window.hover(center - vec2(160.0, 0.0));
        window.press(center - vec2(160.0, 0.0), PointerButton::Primary, NONE);
        window.harness.event(Event::PointerMoved(center + vec2(160.0, 0.0)));
        window.harness.step();
    };
    lay(&mut window);
    let at_first = n_changed(&window);
    window.harness.run();
    let all = n_changed(&window);
    assert!(at_first > 0 && at_first < all, "{at_first}, then {all}");
    // What changes while it is shown is shown anew, and Escape takes all of it back.
    window.release(center + vec2(160.0, 0.0), PointerButton::Primary, NONE);
    let laid = window.weights();
    window.key(Key::X, NONE);
    window.settle();
    // The square has no mirror image across the plane through its joints: the gradient waited for that and goes on.
    assert_eq!(window.app().viewport().mode(), Mode::Laying);
    assert!(window.editor().session.paint.mirror.is_some());
    let n_other = window.weights().iter().zip(&laid).filter(|(now, laid)| now != laid).count();
    assert_eq!(n_other, 0);
    window.key(Key::X, NONE);
    let before = window.weights();
    window.click_label("Narrow profile");
    assert!(window.weights() != before);
    window.key(Key::Escape, NONE);
    assert!(window.weights() == first);
    lay(&mut window);
    window.release(center + vec2(160.0, 0.0), PointerButton::Primary, NONE);
    window.key(Key::Enter, NONE);
    window.settle();
    assert_eq!(window.editor().history().n_done(), 1);
    let (line, kept) = (window.editor().script(), window.weights());
    assert!(line.starts_with("gradient ") && n_changed(&window) > 0, "{line}");
    window.key(Key::Z, CTRL);
    assert!(window.weights() == first);
    window.editor_mut().run(&line).unwrap();
    assert!(window.weights() == kept, "what is kept is what its line does");
}
