//! Posing by numbers, clips and morph targets.

use egui::{Key, PointerButton};
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_tests::{Channel, Clip, Morph, Scene, strip};

use super::driver::{CTRL, NONE, Window, arm};

/// STRIP with a clip that turns J1 by 90° about Z within a second, and a target that lifts the top row toward +Z.
pub fn moving() -> Scene {
    let mut scene = strip();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    scene.clips.push(Clip {
        name: "Wave".to_owned(),
        channels: vec![Channel {
            node: 1,
            path: "rotation",
            times_s: vec![0.0, 1.0],
            values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half],
            interpolation: "LINEAR",
        }],
    });
    let mut positions = vec![Vec3::ZERO; 10];
    positions[8] = Vec3::Z;
    positions[9] = Vec3::Z;
    scene.primitive().morphs.push(Morph { positions, normals: Vec::new() });
    scene
}

fn open(scene: &Scene) -> Window {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moving.glb");
    std::fs::write(&path, scene.glb()).unwrap();
    Window::open(&path)
}

fn time_s(window: &Window) -> f32 {
    window.editor().session.pose.clip.unwrap().time_s
}

fn place(window: &mut Window, vertex: usize) -> Vec3 {
    window.editor_mut().posed(0).posed.positions[vertex]
}

#[test]
fn a_clip_plays_stops_and_is_scrubbed_under_the_turns_made_by_hand() {
    let mut window = open(&moving());
    let rest = place(&mut window, 9);
    window.click_label("Clip");
    window.click_label("Wave");
    assert_eq!(time_s(&window), 0.0);
    assert_eq!(place(&mut window, 9), rest);
    window.harness.get_by_label("Play").click();
    window.harness.run_steps(31);
    let half_way = time_s(&window);
    assert!((0.3..0.7).contains(&half_way), "{half_way}");
    window.click_label("Pause");
    let stopped = time_s(&window);
    window.harness.run_steps(10);
    assert_eq!(time_s(&window), stopped);
    let bent = place(&mut window, 9);
    assert!(bent.distance(rest) > 0.3);
    // A turn by hand comes on top.
    let joint = window.editor().document().joints()[1];
    window.editor_mut().session.pose.set_turn_deg(joint, Vec3::Y * 90.0);
    assert!(place(&mut window, 9).distance(bent) > 0.1);
    window.click_label("To the start");
    assert_eq!(time_s(&window), 0.0);
    assert_eq!(window.editor().session.pose.turn_deg(joint), Vec3::Y * 90.0);
    window.harness.get_by_label("Moment").focus();
    window.key(Key::ArrowRight, NONE);
    assert!((time_s(&window) - 1.0 / 30.0).abs() < 1e-4, "{}", time_s(&window));
    assert_eq!(window.editor().history().n_done(), 0, "looking at a clip is no step");
    assert!(!window.app().file().unwrap().is_unsaved());
    window.click_label("Clip");
    window.click_label("None");
    assert_eq!(window.editor().session.pose.clip, None);
}

#[test]
fn the_end_of_a_clip_stops_or_begins_again_and_nothing_is_drawn_while_it_stands() {
    let mut window = open(&moving());
    window.click_label("Loop");
    window.harness.get_by_label("Play").click();
    window.harness.run_steps(90);
    assert_eq!(time_s(&window), 1.0, "it stands at the end");
    window.wait(60.0);
    let pictures = window.app().viewport().n_pictures();
    window.harness.run_steps(10);
    assert_eq!(window.app().viewport().n_pictures(), pictures);
    assert_eq!(window.repaint_delay(), std::time::Duration::MAX);
    window.click_label("Loop");
    window.harness.get_by_label("Play").click();
    window.harness.run_steps(90);
    assert!(time_s(&window) < 1.0, "it begins again");
    // Space stops it, wherever the pointer is.
    window.harness.key_press(Key::Space);
    window.harness.run();
    let stopped = time_s(&window);
    window.harness.run_steps(5);
    assert_eq!(time_s(&window), stopped);
}

#[test]
fn the_brush_stops_the_clip_and_paints_the_moment() {
    let mut window = open(&moving());
    let joint = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(joint);
    window.editor_mut().session.brush.radius = 0.6;
    window.harness.get_by_label("Play").click();
    window.harness.run_steps(20);
    let middle = (place(&mut window, 4) + place(&mut window, 5)) * 0.5;
    let pos = window.pos(middle);
    window.harness.hover_at(pos);
    window.harness.step();
    let button = |pressed| egui::Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: NONE };
    window.harness.event(button(true));
    window.harness.run();
    let stopped = time_s(&window);
    window.harness.event(button(false));
    window.harness.run();
    assert_eq!(time_s(&window), stopped, "what is painted stands still");
    assert_eq!(window.editor().history().n_done(), 1);
    let line = window.editor().history().entries().last().unwrap().line.to_owned();
    assert!(line.contains("clip=Wave") && line.contains("time="), "{line}");
}

#[test]
fn a_morph_is_set_by_its_slider_and_lifts_before_the_skin_bends() {
    // B57
    let mut scene = moving();
    scene.meshes[0].morph_weights = vec![1.0];
    let mut window = open(&scene);
    let joint = window.editor().document().joints()[1];
    window.editor_mut().session.pose.set_turn_deg(joint, Vec3::Z * 90.0);
    assert!(place(&mut window, 9).distance(Vec3::new(-1.0, 1.5, 1.0)) < 1e-4);
    window.click_label("Morph targets");
    window.harness.get_by_role_and_label(egui::Role::Slider, "Morph 1").set_value_accesskit(0.25);
    window.harness.run();
    assert!((place(&mut window, 9).z - 0.25).abs() < 1e-3, "{}", place(&mut window, 9));
    window.click_label("Reset morphs");
    assert!((place(&mut window, 9).z - 1.0).abs() < 1e-4, "the file's own weight again");
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn a_file_without_clips_and_morphs_has_no_controls_for_them() {
    let window = Window::open(&arm());
    let has_clips = !window.editor().document().clips().is_empty();
    assert_eq!(window.harness.query_by_label("Play").is_some(), has_clips);
    assert!(window.harness.query_by_label("Morph targets").is_none());
    let plain = open(&strip());
    assert!(plain.harness.query_by_label("Play").is_none());
}

#[test]
fn the_active_joint_is_turned_by_numbers_and_put_back() {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.harness.run();
    window.harness.get_by_label("Turn X").focus();
    window.harness.run();
    window.key(Key::A, CTRL);
    window.harness.get_by_label("Turn X").type_text("42.5");
    window.harness.run();
    window.key(Key::Enter, NONE);
    assert_eq!(window.editor().session.pose.turn_deg(elbow), Vec3::new(42.5, 0.0, 0.0));
    window.harness.get_by_label("Turn Z").focus();
    window.harness.run();
    window.key(Key::A, CTRL);
    window.harness.get_by_label("Turn Z").type_text("-30");
    window.harness.run();
    window.key(Key::Tab, NONE);
    assert_eq!(window.editor().session.pose.turn_deg(elbow), Vec3::new(42.5, 0.0, -30.0), "Tab keeps it");
    window.click_label("Joint to rest");
    assert!(window.editor().session.pose.is_rest());
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn while_a_joint_is_turned_the_change_and_what_comes_of_it_are_shown() {
    use sinew_app::viewport::read_out::turning;
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::Z * 40.0);
    window.harness.run();
    let text = |window: &Window| turning(window.app().viewport(), window.editor()).map(|(_, text)| text);
    assert_eq!(text(&window), None);
    let at = window.center();
    window.hover(at);
    for key in [Key::R, Key::Z, Key::Num3, Key::Num7, Key::Period, Key::Num6] {
        window.key(key, NONE);
    }
    assert_eq!(text(&window).as_deref(), Some("Z +37.6° → 77.6°"));
    window.key(Key::X, NONE);
    assert_eq!(text(&window).as_deref(), Some("X +37.6° → X 37.6°  Z 40°"), "turned about two axes");
    window.key(Key::Z, NONE);
    window.key(Key::Minus, NONE);
    assert_eq!(text(&window).as_deref(), Some("Z -37.6° → 2.4°"));
    window.key(Key::Escape, NONE);
    assert_eq!(text(&window), None);
}

#[test]
fn a_resting_joints_angle_keeps_off_the_brush_and_comes_back_near_the_joint() {
    use sinew_app::viewport::read_out::resting_turn;
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::X * 90.0);
    window.editor_mut().session.brush.radius = 0.05;
    window.harness.run();
    let place = window.editor_mut().scene_from_node()[elbow.idx()].translation.as_vec3();
    let joint = window.pos(place);
    let is_shown = |window: &mut Window, at: egui::Pos2| {
        window.hover(at);
        let app = window.app();
        resting_turn(app.viewport(), app.editor().unwrap(), (elbow, place)).is_some()
    };
    assert!(!is_shown(&mut window, joint + egui::vec2(2.0, 2.0)), "the brush is there");
    assert!(is_shown(&mut window, joint + egui::vec2(50.0, 0.0)), "near the joint");
    assert!(!is_shown(&mut window, joint + egui::vec2(300.0, 0.0)), "somewhere else");
    window.key(Key::P, NONE);
    assert!(is_shown(&mut window, joint + egui::vec2(300.0, 0.0)), "no brush is in the hand");
}
