//! A graphics device that stops, and windows of no size: what was painted stays.

use egui::{Key, ViewportId, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::{App, Rescue, Start};
use sinew_edit::Editor;

use super::driver::{CTRL, NONE, Window, arm, weights};

/// Takes the device away, as a driver that is reset does.
fn lose_device(app: &App) {
    let device = app.viewport().gpu().device();
    device.destroy();
    // The device is told to be lost once its work is done.
    let _ = device.poll(wgpu::PollType::wait_indefinitely());
}

/// Paints the second joint with the brush, through the view.
fn paint(window: &mut Window, from_y: f32, to_y: f32) {
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    let (from, to) = (window.pos(Vec3::new(0.0, from_y, 0.0)), window.pos(Vec3::new(0.0, to_y, 0.0)));
    window.stroke(from, to, NONE);
    assert!(window.app().file().unwrap().is_unsaved());
}

fn opened_weights(path: &std::path::Path) -> Vec<Vec<(u16, u32)>> {
    weights(&Editor::new(sinew_io::open(path).unwrap().document))
}

#[test]
fn where_the_device_stops_the_view_says_so_and_the_weights_can_still_be_saved() {
    // B74
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::open(&path);
    paint(&mut window, 0.4, 0.6);
    let painted = window.weights();
    assert_ne!(painted, opened_weights(&path));
    assert_eq!(window.app().viewport().problem(), None);

    lose_device(window.app());
    let n_pictures = window.app().viewport().n_pictures();
    window.harness.run();
    assert!(window.app().viewport().problem().is_some(), "the view says why it is empty");
    window.hover(window.center());
    window.harness.set_size(vec2(900.0, 500.0));
    window.harness.run();
    assert_eq!(window.app().viewport().n_pictures(), n_pictures, "nothing is drawn on a device that is gone");

    assert_eq!(window.weights(), painted);
    window.key(Key::Z, CTRL);
    assert_ne!(window.weights(), painted, "undo works");
    window.key(Key::Y, CTRL);
    window.key(Key::S, CTRL);
    assert!(!window.app().file().unwrap().is_unsaved());
    assert_eq!(opened_weights(&path), painted);
}

#[test]
fn the_next_window_goes_on_with_the_file_its_history_and_all_that_was_unsaved() {
    // B74
    let rescue = Rescue::default();
    let window = |model| {
        let start = Start { model, rescue: Some(rescue.clone()), ..Start::default() };
        Harness::builder().with_size([900.0, 600.0]).wgpu().build_eframe(|cc| App::new(cc, start).unwrap())
    };
    let mut first = window(Some(sinew_io::open(&arm()).unwrap()));
    first.run();
    let editor = first.state_mut().editor_mut().unwrap();
    editor.run("set vertices=0-20 joint=1 value=0.5").unwrap();
    let painted = weights(editor);
    drop(first);
    assert!(rescue.take().is_none(), "a window that ends in order leaves nothing");

    let mut first = window(Some(sinew_io::open(&arm()).unwrap()));
    first.run();
    first.state_mut().editor_mut().unwrap().run("set vertices=0-20 joint=1 value=0.5").unwrap();
    lose_device(first.state());
    first.step();
    let output = first.output();
    assert!(output.viewport_output[&ViewportId::ROOT].commands.contains(&egui::ViewportCommand::Close));
    // What draws the panels panics on such a device as soon as there is anything to draw.
    let is_nothing = |shape: &egui::epaint::ClippedShape| matches!(shape.shape, egui::Shape::Noop);
    assert!(output.shapes.iter().all(is_nothing), "nothing may be drawn any more");
    drop(first);

    let mut second = window(None);
    second.run();
    let app = second.state();
    assert_eq!(weights(app.editor().unwrap()), painted);
    assert!(app.file().unwrap().is_unsaved());
    assert!(app.notice().unwrap().text.contains("nothing is lost"), "{:?}", app.notice());
    assert_eq!(app.viewport().problem(), None);
    assert!(app.viewport().n_pictures() > 0, "the new window draws");
    second.state_mut().editor_mut().unwrap().undo().unwrap();
    assert_eq!(weights(second.state().editor().unwrap()), opened_weights(&arm()));
}

#[test]
fn what_cannot_be_shown_any_more_is_written_beside_the_file() {
    // B74
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let rescue = Rescue::default();
    let start = Start { model: Some(sinew_io::open(&path).unwrap()), rescue: Some(rescue.clone()), ..Start::default() };
    let mut window = Harness::builder().wgpu().build_eframe(|cc| App::new(cc, start).unwrap());
    window.run();
    window.state_mut().editor_mut().unwrap().run("set vertices=0-20 joint=1 value=0.5").unwrap();
    let painted = weights(window.state().editor().unwrap());
    lose_device(window.state());
    drop(window);
    let rescued = rescue.take().unwrap();
    let copy = folder.path().join("arm.rescued.glb");
    std::fs::write(&copy, "of an earlier time").unwrap();
    for name in ["arm.rescued-2.glb", "arm.rescued-3.glb"] {
        let said = rescued.write_copy();
        assert!(said.contains(name), "{said}");
        assert_eq!(opened_weights(&folder.path().join(name)), painted);
    }
    assert_eq!(std::fs::read(&copy).unwrap(), b"of an earlier time", "an earlier rescue is not written over");
    std::fs::remove_file(&copy).unwrap();
    let said = rescued.write_copy();
    assert!(said.contains("arm.rescued.glb"), "{said}");
    assert_eq!(opened_weights(&copy), painted);
    assert_eq!(std::fs::read(&path).unwrap(), before, "the file itself is the user's to write");
}

#[test]
fn a_minimised_window_draws_nothing_and_once_when_it_is_back() {
    // B69
    let mut window = Window::open(&arm());
    let minimise = |window: &mut Window, is_minimised: bool| {
        let viewport = window.harness.input_mut().viewports.entry(ViewportId::ROOT).or_default();
        viewport.minimized = Some(is_minimised);
        window.harness.run();
    };
    let n_pictures = |window: &Window| window.app().viewport().n_pictures();
    let before = n_pictures(&window);
    minimise(&mut window, true);
    let elbow = window.editor().document().joints()[1];
    for angle_deg in 1..=30 {
        window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::splat(angle_deg as f32));
        window.editor_mut().run(&format!("set vertices=0-20 joint=1 value=0.{angle_deg:02}")).unwrap();
        window.harness.step();
    }
    assert_eq!(n_pictures(&window), before, "nobody would see them");
    window.key(Key::Space, NONE);
    assert!(window.repaint_delay() > std::time::Duration::from_secs(1), "nor is the processor kept busy");
    assert_eq!(n_pictures(&window), before);
    window.key(Key::Space, NONE);
    minimise(&mut window, false);
    assert_eq!(n_pictures(&window), before + 1, "all that changed is in one picture");
}

#[test]
fn a_minimised_window_that_is_closed_asks_before_unsaved_weights_are_lost() {
    let mut window = Window::open(&arm());
    window.editor_mut().run("set vertices=0-20 joint=1 value=0.5").unwrap();
    window.harness.run();
    // Nothing but the logic runs while nobody sees the window.
    let close = |window: &mut Window| {
        let mut input = egui::RawInput::default();
        let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
        viewport.minimized = Some(true);
        viewport.events.push(egui::ViewportEvent::Close);
        let ctx = window.harness.ctx.clone();
        let mut frame = eframe::Frame::_new_kittest();
        let app = window.harness.state_mut();
        let commands = ctx.run_logic(&input, |ctx| eframe::App::logic(app, ctx, &mut frame)).viewport_commands;
        commands.get(&ViewportId::ROOT).cloned().unwrap_or_default()
    };
    let commands = close(&mut window);
    assert!(commands.contains(&egui::ViewportCommand::CancelClose), "{commands:?}");
    assert!(commands.contains(&egui::ViewportCommand::Minimized(false)), "the question has to be seen: {commands:?}");
    window.harness.run();
    assert!(window.harness.query_by_label("There are changes that are not saved").is_some());
    window.key(Key::Escape, NONE);
    window.key(Key::Z, CTRL);
    assert!(!close(&mut window).contains(&egui::ViewportCommand::CancelClose), "nothing would be lost");
}

#[test]
fn fifty_times_hidden_and_views_of_no_size_cost_nothing() {
    // B74
    let mut window = Window::open(&arm());
    paint(&mut window, 0.4, 0.6);
    let painted = window.weights();
    let hide = |window: &mut Window, is_hidden: bool| {
        let viewport = window.harness.input_mut().viewports.entry(ViewportId::ROOT).or_default();
        viewport.minimized = Some(is_hidden);
        window.harness.set_size(if is_hidden { vec2(0.0, 0.0) } else { vec2(1100.0, 720.0) });
        window.harness.run();
    };
    for [width, height] in [[0.0, 0.0], [1.0, 1.0], [8000.0, 10.0], [10.0, 8000.0]] {
        window.harness.set_size(vec2(width, height));
        window.harness.run();
        assert_eq!(window.app().viewport().problem(), None, "{width} × {height}");
    }
    for _ in 0..50 {
        hide(&mut window, true);
        hide(&mut window, false);
    }
    assert_eq!(window.app().viewport().problem(), None);
    assert_eq!(window.weights(), painted, "unsaved weights are as they were");
    // The next stroke works.
    paint(&mut window, 0.9, 1.1);
    assert_ne!(window.weights(), painted);
}
