//! Joints in the view: names, rings, poses.

use egui::{Key, OutputCommand, PointerButton, Pos2, pos2, vec2};
use glam::Vec3;
use sinew_app::action::Level;
use sinew_app::viewport::gizmo::{Gizmo, Grip};
use sinew_model::NodeIndex;

use super::driver::{ALT, CTRL, CTRL_SHIFT, NONE, SHIFT, Window, arm};

const ALT_SHIFT: egui::Modifiers = egui::Modifiers { shift: true, ..ALT };

/// The arm with its elbow active and the rings shown.
fn with_rings() -> (Window, NodeIndex) {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.key(Key::E, NONE);
    assert!(window.app().viewport().options.gizmo);
    (window, elbow)
}

fn rings(window: &mut Window) -> Gizmo {
    let (view, ppp) = (window.app().viewport().view(), window.app().viewport().area().pixels_per_point);
    Gizmo::of(window.editor_mut(), &view, ppp).unwrap()
}

/// Where a place on a ring is in the window.
fn ring_pos(window: &mut Window, axis_idx: usize, angle_deg: f32) -> Pos2 {
    let gizmo = rings(window);
    window.pos(gizmo.point(Grip { axis_idx, angle_rad: angle_deg.to_radians() }))
}

/// A place on one ring that no other ring is near to.
fn alone_on(window: &mut Window, axis_idx: usize) -> (Pos2, f32) {
    let others: Vec<Pos2> = (0..3)
        .filter(|&other| other != axis_idx)
        .flat_map(|other| (0..360).map(move |deg| (other, deg as f32)))
        .map(|(other, deg)| ring_pos(window, other, deg))
        .collect();
    let room = |pos: Pos2| others.iter().map(|other| other.distance(pos)).fold(f32::INFINITY, f32::min);
    let places: Vec<(Pos2, f32)> =
        (0..72).map(|k| (ring_pos(window, axis_idx, 5.0 * k as f32), 5.0 * k as f32)).collect();
    *places.iter().max_by(|a, b| room(a.0).total_cmp(&room(b.0))).unwrap()
}

fn turn_deg(window: &Window, joint: NodeIndex) -> Vec3 {
    window.editor().session.pose.turn_deg(joint)
}

#[test]
fn a_ring_turns_the_joint_about_its_axis_as_far_as_the_pointer_goes_around() {
    for axis_idx in 0..3 {
        let (mut window, elbow) = with_rings();
        window.app();
        let weights = window.weights();
        // Look along the axis: the ring is a circle around the joint.
        let axis = rings(&mut window).axes[axis_idx];
        let camera = &mut window.harness.state_mut().viewport_mut().camera;
        camera.yaw_deg = axis.x.atan2(axis.z).to_degrees() + 15.0;
        camera.pitch_deg = axis.y.clamp(-1.0, 1.0).asin().to_degrees() - 15.0;
        window.harness.run();
        let (start, at_deg) = alone_on(&mut window, axis_idx);
        let path: Vec<Pos2> = (0..=8).map(|k| ring_pos(&mut window, axis_idx, at_deg + 5.0 * k as f32)).collect();
        window.hover(start);
        assert_eq!(window.app().viewport().hovered_ring(), Some(axis_idx));
        window.drag(&path, PointerButton::Primary, NONE);
        let mut expected = Vec3::ZERO;
        expected[axis_idx] = 40.0;
        let found = turn_deg(&window, elbow);
        assert!((found - expected).length() < 1.0, "axis {axis_idx}: {found}");
        assert_eq!(window.weights(), weights, "nothing is painted");
        assert_eq!(window.editor().history().n_done(), 0);
    }
}

#[test]
fn a_ring_seen_edge_on_is_taken_within_six_pixels_of_its_line() {
    // B64
    for off_deg in [0.0, 0.1, 5.0] {
        let (mut window, elbow) = with_rings();
        let axis = rings(&mut window).axes[2];
        // The ring's axis lies in the picture: 90° minus a little to the view.
        let camera = &mut window.harness.state_mut().viewport_mut().camera;
        camera.yaw_deg = axis.x.atan2(axis.z).to_degrees() + 90.0 - off_deg;
        camera.pitch_deg = 0.0;
        window.harness.run();
        let (start, at_deg) = alone_on(&mut window, 2);
        let ahead = ring_pos(&mut window, 2, at_deg + 1.0);
        let along = (ahead - start).normalized();
        let across = along.rot90();
        for side in [-6.0, 0.0, 6.0] {
            window.hover(start + across * side);
            assert_eq!(window.app().viewport().hovered_ring(), Some(2), "{off_deg}° and {side} px off");
        }
        window.drag(&[start, start + along * 10.0, start + along * 20.0], PointerButton::Primary, NONE);
        let found = turn_deg(&window, elbow);
        assert!(found.z.abs() > 10.0 && found.x.abs() < 0.1 && found.y.abs() < 0.1, "{off_deg}: {found}");
    }
}

#[test]
fn rings_leave_the_camera_to_the_other_buttons_and_take_no_missed_click() {
    // B64
    let (mut window, elbow) = with_rings();
    let camera = window.app().viewport().camera;
    let (start, _) = alone_on(&mut window, 0);
    window.drag(&[start, start + vec2(30.0, 10.0)], PointerButton::Secondary, NONE);
    assert!(window.app().viewport().camera.yaw_deg != camera.yaw_deg);
    assert_eq!(turn_deg(&window, elbow), Vec3::ZERO);
    window.harness.state_mut().viewport_mut().camera = camera;
    window.harness.run();
    let aside = window.app().viewport().area().rect().min + vec2(40.0, 200.0);
    window.drag(&[aside, aside + vec2(30.0, 10.0)], PointerButton::Primary, NONE);
    assert_eq!(window.app().viewport().camera, camera);
    // Off, the same place paints.
    window.key(Key::E, NONE);
    window.hover(start);
    assert_eq!(window.app().viewport().hovered_ring(), None);
}

#[test]
fn escape_and_the_right_button_put_a_turned_joint_back_and_shift_is_precise() {
    let (mut window, elbow) = with_rings();
    let (start, at_deg) = alone_on(&mut window, 1);
    let end = ring_pos(&mut window, 1, at_deg + 20.0);
    for is_escape in [true, false] {
        window.hover(start);
        window.press(start, PointerButton::Primary, NONE);
        window.hover(end);
        assert!(turn_deg(&window, elbow).length() > 2.0);
        if is_escape {
            window.key(Key::Escape, NONE);
        } else {
            window.press(end, PointerButton::Secondary, NONE);
            window.release(end, PointerButton::Secondary, NONE);
        }
        assert_eq!(turn_deg(&window, elbow), Vec3::ZERO);
        window.release(end, PointerButton::Primary, NONE);
    }
    window.drag(&[start, end], PointerButton::Primary, NONE);
    let coarse = turn_deg(&window, elbow).y;
    window.key(Key::R, ALT);
    assert_eq!(turn_deg(&window, elbow), Vec3::ZERO);
    window.drag(&[start, end], PointerButton::Primary, SHIFT);
    let fine = turn_deg(&window, elbow).y;
    assert!((fine - coarse * 0.1).abs() < 0.2, "{fine} against {coarse}");
}

#[test]
fn degrees_are_typed_with_a_ring_in_the_hand_or_under_the_pointer() {
    let (mut window, elbow) = with_rings();
    let camera = window.app().viewport().camera;
    let (start, at_deg) = alone_on(&mut window, 1);
    let end = ring_pos(&mut window, 1, at_deg + 20.0);
    window.hover(start);
    window.press(start, PointerButton::Primary, NONE);
    window.hover(end);
    for key in [Key::Num4, Key::Num5, Key::Minus] {
        window.key(key, NONE);
    }
    assert_eq!(turn_deg(&window, elbow), Vec3::new(0.0, -45.0, 0.0));
    window.hover(start);
    assert_eq!(turn_deg(&window, elbow), Vec3::new(0.0, -45.0, 0.0), "what is typed stands");
    window.key(Key::Backspace, NONE);
    assert_eq!(turn_deg(&window, elbow), Vec3::new(0.0, -4.0, 0.0));
    window.release(start, PointerButton::Primary, NONE);
    window.key(Key::R, ALT);
    // Under the pointer: 1, 3 and 7 are degrees there, no views.
    window.hover(start);
    assert_eq!(window.app().viewport().hovered_ring(), Some(1));
    for key in [Key::Num3, Key::Num1] {
        window.key(key, NONE);
    }
    assert_eq!(turn_deg(&window, elbow), Vec3::new(0.0, 31.0, 0.0));
    window.key(Key::Escape, NONE);
    assert_eq!(turn_deg(&window, elbow), Vec3::ZERO);
    for key in [Key::Num3, Key::Num1, Key::Enter] {
        window.key(key, NONE);
    }
    assert_eq!(turn_deg(&window, elbow), Vec3::new(0.0, 31.0, 0.0));
    assert_eq!(window.app().viewport().camera, camera);
    assert_eq!(window.app().viewport().mode(), sinew_app::keymap::Mode::Idle);
}

#[test]
fn one_joint_or_all_are_put_back() {
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    let pose = &mut window.editor_mut().session.pose;
    pose.set_turn_deg(joints[0], Vec3::X * 10.0);
    pose.set_turn_deg(joints[1], Vec3::Z * 40.0);
    window.editor_mut().session.active_joint = Some(joints[1]);
    window.key(Key::R, ALT);
    assert_eq!(turn_deg(&window, joints[1]), Vec3::ZERO);
    assert_eq!(turn_deg(&window, joints[0]), Vec3::X * 10.0);
    window.key(Key::R, ALT_SHIFT);
    assert!(window.editor().session.pose.is_rest());
    window.editor_mut().session.active_joint = None;
    window.key(Key::R, ALT);
    assert_eq!(window.app().notice().unwrap().level, Level::Refused);
}

#[test]
fn a_pose_goes_through_the_clipboard_as_text_and_other_text_changes_nothing() {
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    let turns = [Vec3::new(0.0, 12.5, 0.0), Vec3::new(1.0, -2.0, 33.25)];
    for (&joint, turn_deg) in joints.iter().zip(turns) {
        window.editor_mut().session.pose.set_turn_deg(joint, turn_deg);
    }
    // The press alone: the text is in what this one frame hands out.
    window.hold(CTRL_SHIFT);
    let (key, modifiers) = (Key::C, CTRL_SHIFT);
    window.harness.event(egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers });
    window.harness.step();
    let commands = &window.harness.output().platform_output.commands;
    let copied = commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    window.hold(NONE);
    let copied = copied.unwrap();
    assert!(copied.contains("33.25"), "{copied}");
    window.harness.run();
    window.key(Key::R, ALT_SHIFT);
    assert!(window.editor().session.pose.is_rest());
    window.harness.event(egui::Event::Paste(format!("{copied}\n")));
    window.harness.run();
    for (&joint, expected) in joints.iter().zip(turns) {
        assert_eq!(turn_deg(&window, joint), expected);
    }
    let pose = window.editor().session.pose.clone();
    for text in ["nobody:1,2,3", "a letter to a friend", "arm:1,2", "\u{1F600}"] {
        window.harness.event(egui::Event::Paste(text.to_owned()));
        window.harness.run();
        assert_eq!(window.editor().session.pose, pose, "{text}");
        assert_eq!(window.app().notice().unwrap().level, Level::Refused, "{text}");
    }
}

#[test]
fn a_joint_is_named_when_the_pointer_is_on_its_dot() {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    let place = window.editor_mut().scene_from_node()[elbow.idx()].translation.as_vec3();
    let pos = window.pos(place);
    window.hover(pos + vec2(3.0, 0.0));
    assert_eq!(window.app().viewport().named_joint(), Some(elbow));
    window.hover(pos + vec2(20.0, 0.0));
    assert_eq!(window.app().viewport().named_joint(), None);
    window.key(Key::J, NONE);
    window.hover(pos + vec2(3.0, 0.0));
    assert_eq!(window.app().viewport().named_joint(), None, "where no joints are shown none is named");
    window.hover(pos2(5.0, 5.0));
    assert_eq!(window.app().viewport().named_joint(), None);
}

/// The colour in the middle of a joint's dot, on plain clay with the pointer away.
fn dot_color(window: &mut Window, joint: NodeIndex) -> [i32; 3] {
    let place = window.editor_mut().scene_from_node()[joint.idx()].translation.as_vec3();
    let pos = window.pos(place);
    window.harness.remove_cursor();
    window.harness.run();
    let picture = window.harness.render().unwrap();
    let [r, g, b, _] = picture.get_pixel(pos.x as u32, pos.y as u32).0.map(i32::from);
    [r, g, b]
}

#[test]
fn joints_without_weight_stand_back_and_locked_ones_are_marked() {
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    window.click_label("Clay");
    let place = window.editor_mut().scene_from_node()[joints[1].idx()].translation.as_vec3();
    let (on_dot, on_bone) = (window.pos(place), window.pos(place + Vec3::Y * 0.3));
    let light = dot_color(&mut window, joints[1]);
    window.click(on_dot, ALT);
    assert_eq!(window.editor().session.active_joint, Some(joints[1]));

    let name = window.editor().document().nodes().label(joints[0]);
    window.editor_mut().run(&format!("set vertices=all joint={name} value=1")).unwrap();
    window.editor_mut().session.active_joint = Some(joints[0]);
    let faint = dot_color(&mut window, joints[1]);
    assert!(faint.iter().sum::<i32>() + 40 < light.iter().sum(), "{faint:?} {light:?}");
    window.click(on_bone, ALT);
    assert_eq!(window.editor().session.active_joint, Some(joints[1]), "with no other near it can be picked");
    window.click(on_dot, ALT);
    assert_eq!(window.editor().session.active_joint, Some(joints[0]), "one with weight is picked before it");

    window.key(Key::Z, CTRL);
    let name = window.editor().document().nodes().label(joints[1]);
    window.editor_mut().run(&format!("lock joint={name}")).unwrap();
    let [r, _, b] = dot_color(&mut window, joints[1]);
    assert!(r > b + 60, "a locked joint is amber");
    let tag = sinew_app::viewport::read_out::joint_tag(window.editor(), joints[1]);
    assert_eq!(tag, format!("{name} (locked)"));
    window.editor_mut().session.pose.set_turn_deg(joints[1], Vec3::new(0.0, -0.01, 42.5));
    let tag = sinew_app::viewport::read_out::joint_tag(window.editor(), joints[1]);
    assert!(tag.ends_with("Z 42.5°"), "{tag}");
}

#[test]
fn keys_that_come_in_one_slow_frame_are_done_in_their_order() {
    let (mut window, elbow) = with_rings();
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::new(0.0, 30.0, 0.0));
    let at = window.pos(Vec3::ZERO);
    window.harness.hover_at(at);
    window.harness.step();
    let strokes =
        [(Key::R, ALT), (Key::R, NONE), (Key::X, NONE), (Key::Num4, NONE), (Key::Num5, NONE), (Key::Enter, NONE)];
    let events = strokes.into_iter().flat_map(|(key, modifiers)| {
        [true, false].map(|pressed| egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers })
    });
    window.harness.input_mut().events.extend(events);
    window.harness.run_steps(4);
    // Reset first, then bent about X by 45°; X switches nothing else.
    let turned = turn_deg(&window, elbow);
    assert!(turned.distance(Vec3::new(45.0, 0.0, 0.0)) < 1e-3, "{turned}");
    assert!(window.editor().session.paint.mirror.is_none(), "X was for the bend");
}
