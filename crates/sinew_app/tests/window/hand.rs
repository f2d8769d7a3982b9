//! What the hand does with the brush in it: painting on a flexed joint, pen and airbrush, several meshes in one stroke,
//! what is hidden and what is in the lane.

use egui::{Event, Key, PointerButton, Pos2, TouchPhase, vec2};
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::keymap::Mode;
use sinew_app::viewport::options::PenUse;
use sinew_edit::{Falloff, Reach};
use sinew_model::{MeshIndex, NodeIndex};
use sinew_tests::{Node, tube};

use super::driver::{CTRL, NONE, SHIFT, Setup, Window, arm};

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
    window.harness.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
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

/// The elbow bent by G and a drag, the button up and G still down: where the pointer was, and how it is turned.
fn bent_with_g_held() -> (Window, NodeIndex, Pos2, Vec3) {
    let (mut window, elbow) = window();
    let at = window.center();
    window.hover(at);
    key(&mut window, Key::G, true, NONE);
    bend(&mut window, at);
    let bent = turn(&window, elbow);
    (window, elbow, at, bent)
}

/// Waits until a joint is back.
fn spring(window: &mut Window) {
    window.harness.run_steps(30);
    assert_eq!(window.app().viewport().mode(), Mode::Idle);
}

#[test]
fn a_joint_stays_bent_for_painting_as_long_as_g_is_held() {
    // Pain 11
    let (mut window, elbow, at, bent) = bent_with_g_held();
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
    let (mut window, elbow, _, bent) = bent_with_g_held();
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
        window.harness.event(Event::WindowFocused(false));
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

/// All rows of a mesh.
fn rows(window: &Window, mesh: u32) -> Vec<sinew_model::Row> {
    let weights = &window.editor().document().mesh(MeshIndex(mesh)).weights;
    weights.vertices().map(|v| weights.get(v)).collect()
}

#[test]
fn a_stroke_over_all_meshes_changes_body_and_clothes_in_one_step() {
    // B04
    let mut scene = tube(9, 16);
    scene.meshes.push(scene.meshes[0].clone());
    scene.meshes[1].name = "Clothes".to_owned();
    for position in &mut scene.meshes[1].primitives[0].positions {
        (position.x, position.z) = (position.x * 1.1, position.z * 1.1);
    }
    let at = scene.nodes.iter().position(|node| node.mesh == Some(0)).unwrap();
    let node = scene.nodes[at].clone();
    scene.add_node(None, Node { mesh: Some(1), name: "Clothes".to_owned(), ..node });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clothes.glb");
    std::fs::write(&path, scene.glb()).unwrap();
    let mut window = Window::new(Setup { path: Some(path), size: vec2(1440.0, 900.0), ..Setup::default() });
    window.editor_mut().session.active_joint = Some(window.editor().document().joints()[1]);
    let brush = &mut window.editor_mut().session.brush;
    (brush.radius, brush.falloff, brush.reach) = (0.3, Falloff::Constant, Reach::Volume);
    let before = [rows(&window, 0), rows(&window, 1)];
    let pos = window.pos(Vec3::new(0.0, 1.0, 0.2));
    window.stroke(pos, pos + vec2(0.0, 10.0), NONE);
    let hit = [0, 1].map(|mesh| rows(&window, mesh) != before[mesh as usize]);
    assert_eq!(hit, [false, true], "at first only what the pointer is on");
    window.key(Key::Z, CTRL);
    window.click_label("Brush options");
    window.click_label("All meshes");
    let pos = window.pos(Vec3::new(0.0, 1.0, 0.2));
    window.stroke(pos, pos + vec2(0.0, 10.0), NONE);
    assert!([0, 1].iter().all(|&mesh| rows(&window, mesh) != before[mesh as usize]));
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Key::Z, CTRL);
    assert!([0, 1].iter().all(|&mesh| rows(&window, mesh) == before[mesh as usize]), "one undo takes both back");
}

/// A pen goes over the view: it is set down, drawn and lifted with a force, as systems tell it.
fn pen(window: &mut Window, path: &[Pos2], force: Option<f32>) {
    let touch =
        |phase, pos| Event::Touch { device_id: egui::TouchDeviceId(1), id: egui::TouchId(1), phase, pos, force };
    window.hover(path[0]);
    window.harness.event(touch(TouchPhase::Start, path[0]));
    window.press(path[0], PointerButton::Primary, NONE);
    for &pos in &path[1..] {
        window.harness.event(touch(TouchPhase::Move, pos));
        window.hover(pos);
    }
    let last = path[path.len() - 1];
    // Many pens say no force as they are lifted, a little beside where they were last.
    window.harness.event(Event::Touch {
        device_id: egui::TouchDeviceId(1),
        id: egui::TouchId(1),
        phase: TouchPhase::End,
        pos: last,
        force: None,
    });
    window.release(last + vec2(0.0, 24.0), PointerButton::Primary, NONE);
}

/// Radius and strength of a stroke's dabs, as its line says them: each is 1 where it says none.
fn shares(line: &str, radius: f32) -> Vec<[f32; 2]> {
    let (_, points) = line.split_once("points=").unwrap();
    let points = points.split_whitespace().next().unwrap();
    let dab = |text: &str| {
        let numbers: Vec<f32> = text.split(',').map(|number| number.parse().unwrap()).collect();
        [numbers.get(3).map_or(1.0, |own| own / radius), numbers.get(4).copied().unwrap_or(1.0)]
    };
    points.trim_matches('"').split(';').map(dab).collect()
}

#[test]
fn a_pens_force_sets_strength_or_size_and_none_or_zero_paints_in_full() {
    // B58
    let (mut window, elbow) = window();
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::ZERO);
    window.harness.run();
    let first = window.weights();
    let pos = window.pos(Vec3::new(0.0, 0.6, 0.0));
    let path: Vec<Pos2> = (0..=8).map(|i| pos + vec2(0.0, 3.0 * i as f32)).collect();
    for (force, share) in [(None, 1.0), (Some(0.0), 1.0), (Some(0.5), 0.5), (Some(1.0), 1.0), (Some(7.0), 1.0)] {
        for (pen_sets, expected) in
            [(PenUse::Strength, [1.0, share]), (PenUse::Size, [share, 1.0]), (PenUse::Off, [1.0, 1.0])]
        {
            window.harness.state_mut().viewport_mut().options.pen = pen_sets;
            pen(&mut window, &path, force);
            assert!(window.weights() != first, "{force:?} {pen_sets:?} paints something");
            let found = shares(&last_line(&window), 0.2);
            let is_as_expected = |dab: &[f32; 2]| dab.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
            assert!(found.iter().all(is_as_expected), "{force:?} {pen_sets:?}: {found:?}");
            window.key(Key::Z, CTRL);
            assert!(window.weights() == first);
        }
    }
    // A mouse after a pen is not pressed.
    pen(&mut window, &path, Some(0.25));
    window.key(Key::Z, CTRL);
    window.harness.state_mut().viewport_mut().options.pen = PenUse::Strength;
    window.stroke(pos, pos + vec2(0.0, 20.0), NONE);
    assert!(shares(&last_line(&window), 0.2).iter().all(|dab| *dab == [1.0, 1.0]));
}

#[test]
fn an_airbrush_goes_on_while_the_pointer_rests() {
    let (mut window, _) = window();
    window.editor_mut().session.brush.brush = sinew_edit::brushes::brush_named("add").unwrap();
    let brush = &mut window.editor_mut().session.brush;
    (brush.value, brush.airbrush_hz, brush.radius) = (0.02, 30.0, 0.1);
    let pos = window.pos(Vec3::new(0.0, 0.5, 0.0));
    window.hover(pos);
    window.harness.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed: true, modifiers: NONE });
    window.harness.step();
    let sum = |window: &Window| -> f32 {
        window.weights().iter().flatten().filter(|(slot, _)| *slot == 1).map(|(_, bits)| f32::from_bits(*bits)).sum()
    };
    let mut sums = vec![sum(&window)];
    for _ in 0..3 {
        // A third of a second, in which nothing moves.
        window.harness.run_steps(20);
        sums.push(sum(&window));
    }
    assert!(sums.is_sorted_by(|a, b| a < b), "{sums:?}");
    window.release(pos, PointerButton::Primary, NONE);
    let (line, after) = (last_line(&window), sum(&window));
    let n_dabs = line.matches(';').count() + 1;
    assert!((20..=40).contains(&n_dabs), "30 a second, for one: {n_dabs}");
    window.harness.run_steps(20);
    assert_eq!(sum(&window), after, "the button is up");
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn a_stabilised_brush_trails_the_pointer_and_cuts_its_corners() {
    let (mut window, elbow) = window();
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::ZERO);
    window.editor_mut().session.brush.radius = 0.03;
    window.harness.run();
    let (low, high) = (window.pos(Vec3::new(0.0, 0.4, 0.0)), window.pos(Vec3::new(0.0, 1.6, 0.0)));
    // Up the arm with a trembling hand.
    let path: Vec<Pos2> =
        (0..=60).map(|i| low.lerp(high, i as f32 / 60.0) + vec2(if i % 2 == 0 { 3.0 } else { -3.0 }, 0.0)).collect();
    let widths = [0.0, 40.0].map(|lazy_px| {
        window.editor_mut().session.brush.lazy_px = lazy_px;
        window.drag(&path, PointerButton::Primary, NONE);
        let line = last_line(&window);
        let (_, points) = line.split_once("points=").unwrap();
        let of = |text: &str, at: usize| text.split(',').nth(at).unwrap().trim_matches('"').parse::<f32>().unwrap();
        let dabs: Vec<[f32; 2]> = points.split(';').map(|dab| [of(dab, 0), of(dab, 1)]).collect();
        window.key(Key::Z, CTRL);
        let beside = |dabs: &[[f32; 2]]| dabs.windows(2).map(|two| (two[1][0] - two[0][0]).abs()).sum::<f32>();
        (beside(&dabs), dabs.iter().map(|dab| dab[1]).fold(0.0, f32::max))
    });
    assert!(widths[1].0 < widths[0].0 * 0.5, "steadier: {widths:?}");
    assert!(widths[1].1 < widths[0].1 - 0.05, "and behind the pointer: {widths:?}");
}

#[test]
fn an_end_of_a_laid_gradient_can_be_dragged_elsewhere() {
    let (mut window, elbow) = window();
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::ZERO);
    window.harness.run();
    let at = |window: &Window, y: f32| window.pos(Vec3::new(0.0, y, 0.0));
    let [low, high, higher] = [0.5, 1.2, 1.6].map(|y| at(&window, y));
    window.key(Key::A, SHIFT);
    window.drag(&[low, low.lerp(high, 0.5), high], PointerButton::Primary, NONE);
    let laid = window.weights();
    window.drag(&[high, high.lerp(higher, 0.5), higher], PointerButton::Primary, NONE);
    assert_eq!(window.app().viewport().mode(), Mode::Laying);
    assert!(window.weights() != laid, "it follows its end");
    window.key(Key::Enter, NONE);
    let line = last_line(&window);
    let to: Vec<f32> = line
        .split_once("to=")
        .unwrap()
        .1
        .split_whitespace()
        .next()
        .unwrap()
        .split(',')
        .map(|n| n.parse().unwrap())
        .collect();
    assert!((to[1] - 1.6).abs() < 0.05, "{line}");
    assert_eq!(window.editor().history().n_done(), 1);
}

#[test]
fn what_is_isolated_away_never_changes_whatever_the_brush_reaches() {
    // Pain 12
    let (mut window, elbow) = window();
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::ZERO);
    let brush = &mut window.editor_mut().session.brush;
    (brush.radius, brush.reach) = (9.0, Reach::Volume);
    window.harness.run();
    window.key(Key::P, NONE);
    window.click_label("Through");
    let pos = window.pos(Vec3::new(0.0, 0.6, 0.0));
    window.drag(&[pos - vec2(90.0, 30.0), pos + vec2(90.0, 30.0)], PointerButton::Primary, NONE);
    window.key(Key::Slash, NONE);
    let document = window.editor().document();
    let mesh = document.skinned_meshes()[0];
    let hidden = document.hidden(mesh).clone();
    assert!(!hidden.is_empty() && hidden.len() < document.mesh(mesh).n_vertices());
    let first = window.weights();
    let n_of = |window: &Window, is_hidden: bool| {
        let now = window.weights();
        let changed = (0..now.len()).filter(|&v| now[v] != first[v]);
        changed.filter(|&v| hidden.contains(sinew_model::VertexIndex(v as u32)) == is_hidden).count()
    };
    window.key(Key::B, NONE);
    let pos = window.pos(Vec3::new(0.0, 0.6, 0.0));
    window.stroke(pos, pos + vec2(0.0, 8.0), NONE);
    assert!(n_of(&window, false) > 0);
    window.key(Key::D, NONE);
    window.key(Key::X, CTRL);
    window.key(Key::M, NONE);
    window.stroke(pos, pos + vec2(0.0, 8.0), NONE);
    window.key(Key::X, CTRL);
    let script = window.editor().script();
    assert!(script.contains("\nstroke ") && script.contains("\nflood "), "{script}");
    assert_eq!(n_of(&window, true), 0);
}

#[test]
fn in_a_lane_no_other_joint_gives_or_takes() {
    // Pains 1 and 3
    let figure = arm().with_file_name("biped.glb");
    let mut window = Window::new(Setup { path: Some(figure), size: vec2(1440.0, 900.0), ..Setup::default() });
    window.editor_mut().run("joint name=LeftLowerArm").unwrap();
    window.harness.run();
    window.click_label("Lane");
    let lane = window.editor().session.paint.lane.clone();
    assert_eq!(lane.len(), 2);
    let brush = &mut window.editor_mut().session.brush;
    (brush.radius, brush.reach, brush.value) = (0.4, Reach::Volume, 0.5);
    let elbow = window.editor().session.active_joint.unwrap();
    let place = window.editor_mut().scene_from_node()[elbow.idx()].translation.as_vec3();
    let pos = window.pos(place);
    window.stroke(pos, pos + vec2(4.0, 4.0), NONE);
    let moved: Vec<NodeIndex> = window.editor().exchange().iter().map(|exchange| exchange.joint).collect();
    assert!(!moved.is_empty() && moved.iter().all(|joint| lane.contains(joint)), "{moved:?} of {lane:?}");
    // As one: what the two have together grows, their ratio stays.
    window.key(Key::Z, CTRL);
    window.click_label("As one");
    let pair = |window: &Window| -> Vec<[f32; 2]> {
        let document = window.editor().document();
        let mesh = document.skinned_meshes()[0];
        let slots = [lane[0], lane[1]].map(|joint| document.slot_of(mesh, joint).unwrap());
        let weights = &document.mesh(mesh).weights;
        weights.vertices().map(|v| slots.map(|slot| weights.weight(v, slot))).collect()
    };
    let before = pair(&window);
    window.editor_mut().session.brush.value = 0.9;
    window.stroke(pos, pos + vec2(4.0, 4.0), NONE);
    let after = pair(&window);
    let mut n_grown = 0;
    for (before, after) in before.iter().zip(&after).filter(|(before, after)| before != after) {
        let (sum, now) = (before[0] + before[1], after[0] + after[1]);
        if sum > 0.01 {
            n_grown += usize::from((now - sum).abs() > 1e-3);
            assert!((before[0] / sum - after[0] / now).abs() < 1e-3, "{before:?} became {after:?}");
        }
    }
    assert!(n_grown > 0);
}
