//! The 3D view: sizes, scales, camera, when it draws.

use std::time::Duration;

use egui::{Key, PointerButton, vec2};
use glam::Vec3;
use sinew_app::viewport::gpu::GpuOptions;
use sinew_app::viewport::options::Show;
use sinew_model::VertexIndex;

use super::driver::{ALT, NONE, SHIFT, Setup, Window, arm};

/// The vertex nearest to a scene point.
fn nearest_vertex(window: &mut Window, point: Vec3) -> (VertexIndex, Vec3) {
    let positions = window.editor_mut().posed(0).posed.positions.clone();
    let nearest = (0..positions.len())
        .min_by(|&a, &b| positions[a].distance_squared(point).total_cmp(&positions[b].distance_squared(point)));
    let v = nearest.unwrap();
    (VertexIndex(v as u32), positions[v])
}

#[test]
fn at_every_scale_the_pointer_meets_the_vertex_that_is_drawn_under_it() {
    // B61
    for pixels_per_point in [1.0, 1.1667, 1.5, 2.0] {
        let setup = Setup { pixels_per_point, path: Some(arm()), size: vec2(933.33, 611.0), ..Setup::default() };
        let mut window = Window::new(setup);
        let eye = window.app().viewport().view().camera.eye();
        let toward = Vec3::new(eye.x, 0.0, eye.z).normalize_or_zero() * 0.2;
        for height in [0.3, 0.9, 1.6] {
            let (vertex, place) = nearest_vertex(&mut window, toward + Vec3::Y * height);
            let pos = window.pos(place);
            window.hover(pos);
            let hit = *window.app().viewport().hover().unwrap();
            let surface = window.editor_mut().surface(hit.mesh);
            assert_eq!(surface.group_of(hit.vertex), surface.group_of(vertex), "at scale {pixels_per_point}");
        }
    }
}

#[test]
fn tiny_and_odd_sizes_draw_or_are_skipped_and_the_next_click_works() {
    // B61, B74
    let mut window = Window::open(&arm());
    for size in
        [[0.0, 0.0], [1.0, 1.0], [301.0, 40.0], [302.33, 300.0], [633.33, 500.0], [8000.0, 10.0], [1100.0, 720.0]]
    {
        for pixels_per_point in [1.0, 1.1667] {
            window.harness.set_pixels_per_point(pixels_per_point);
            // A change of scale scales the old size once, whatever is set.
            window.harness.step();
            window.harness.set_size(vec2(size[0], size[1]));
            window.harness.run_steps(3);
            assert!(window.app().viewport().problem().is_none(), "{size:?}: {:?}", window.app().viewport().problem());
        }
    }
    window.harness.set_pixels_per_point(1.0);
    window.harness.step();
    window.harness.set_size(vec2(1100.0, 720.0));
    window.harness.run();
    let elbow = window.editor().document().joints()[1];
    let place = window.editor_mut().scene_from_node()[elbow.idx()].translation.as_vec3();
    let pos = window.pos(place);
    window.click(pos, ALT);
    assert_eq!(window.editor().session.active_joint, Some(elbow));
}

#[test]
fn nothing_is_drawn_while_nothing_changes() {
    // B69
    let mut window = Window::open(&arm());
    let pos = window.pos(Vec3::new(0.0, 1.0, 0.0));
    window.hover(pos);
    assert!(window.app().viewport().hover().is_some());
    window.wait(60.0);
    let pictures = window.app().viewport().n_pictures();
    window.harness.run_steps(20);
    assert_eq!(window.app().viewport().n_pictures(), pictures);
    assert_eq!(window.repaint_delay(), Duration::MAX, "the window asks for nothing");
    window.hover(pos + vec2(3.0, 0.0));
    assert!(window.app().viewport().n_pictures() > pictures);
}

#[test]
fn on_a_cpu_the_rough_picture_is_followed_by_one_smooth_one() {
    let gpu = GpuOptions { refine: true, ..GpuOptions::default() };
    let mut window = Window::new(Setup { path: Some(arm()), gpu, ..Setup::default() });
    window.wait(60.0);
    window.harness.run_steps(30);
    let pictures = window.app().viewport().n_pictures();
    window.harness.run_steps(60);
    assert_eq!(window.app().viewport().n_pictures(), pictures);
    assert_eq!(window.repaint_delay(), Duration::MAX);
}

#[test]
fn middle_and_right_buttons_orbit_shift_pans_and_the_wheel_zooms() {
    let mut window = Window::open(&arm());
    let start = window.app().viewport().camera;
    let at = window.center() + vec2(180.0, 90.0);
    window.drag(&[at, at + vec2(60.0, 20.0)], PointerButton::Middle, NONE);
    let orbited = window.app().viewport().camera;
    assert!(orbited.yaw_deg != start.yaw_deg && orbited.pitch_deg > start.pitch_deg);
    assert_eq!(orbited.target, start.target);
    window.drag(&[at, at - vec2(60.0, 20.0)], PointerButton::Secondary, NONE);
    assert!((window.app().viewport().camera.yaw_deg - start.yaw_deg).abs() < 0.01);
    let target = window.app().viewport().camera.target;
    let marked = window.pos(target);
    window.drag(&[at, at + vec2(60.0, 20.0)], PointerButton::Middle, SHIFT);
    assert!((window.pos(target) - marked - vec2(60.0, 20.0)).length() < 1.0);
    let before = window.app().viewport().camera.distance;
    window.hover(at);
    window.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 2.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: NONE,
    });
    window.harness.run();
    assert!(window.app().viewport().camera.distance < before);
    window.key(Key::Home, NONE);
    window.key(Key::Num1, NONE);
    let front = window.app().viewport().view().camera;
    assert!(front.eye().z > front.target.z + 0.5 && (front.eye().x - front.target.x).abs() < 1e-3);
    assert_eq!(window.editor().history().n_done(), 0, "looking around changes nothing");
}

#[test]
fn switches_over_the_view_change_what_is_shown_and_paint_nothing() {
    let mut window = Window::open(&arm());
    window.click_label("Textured");
    assert_eq!(window.app().viewport().options.show, Show::Textured);
    window.key(Key::T, NONE);
    assert_eq!(window.app().viewport().options.show, Show::Weights);
    window.click_label("Wire");
    assert!(window.app().viewport().options.wire);
    assert!(window.app().viewport().problem().is_none());
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn the_active_joints_weight_is_seen_in_the_picture() {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.key(Key::J, NONE);
    window.harness.remove_cursor();
    window.harness.run();
    let (top, bottom) = (window.pos(Vec3::new(0.0, 1.85, 0.0)), window.pos(Vec3::new(0.0, 0.15, 0.0)));
    let picture = window.harness.render().unwrap();
    let at = |pos: egui::Pos2| picture.get_pixel(pos.x as u32, pos.y as u32).0;
    let [r, g, b, _] = at(top).map(i32::from);
    assert!(r > b + 60 && g > b + 60, "full weight is yellow: {r} {g} {b}");
    let [r, g, b, _] = at(bottom).map(i32::from);
    assert!((r - g).abs() < 24 && (g - b).abs() < 24 && r > 60, "no weight is plain clay: {r} {g} {b}");
}

#[test]
fn a_click_on_an_axis_looks_along_it_and_a_second_one_from_the_other_side() {
    let mut window = Window::open(&arm());
    for (name, axis) in [("X", Vec3::X), ("Y", Vec3::Y), ("Z", Vec3::Z)] {
        for side in [1.0, -1.0] {
            window.click_label(&format!("Look along {name}"));
            let camera = window.app().viewport().camera;
            let from = (camera.eye() - camera.target).normalize_or_zero();
            assert!((from - axis * side).length() < 1e-3, "{name} {side}: {from}");
        }
        window.key(Key::Num1, NONE);
        window.harness.state_mut().viewport_mut().camera.yaw_deg = 30.0;
        window.harness.state_mut().viewport_mut().camera.pitch_deg = 20.0;
        window.harness.run();
    }
    assert_eq!(window.editor().history().n_done(), 0, "nothing was painted");
}

#[test]
fn joint_colours_show_which_joint_moves_what_and_leave_no_trace() {
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    window.key(Key::J, NONE);
    window.harness.remove_cursor();
    window.harness.run();
    let (high, low) = (window.pos(Vec3::new(0.0, 1.85, 0.0)), window.pos(Vec3::new(0.0, 0.15, 0.0)));
    let picture = |window: &mut Window| {
        let picture = window.harness.render().unwrap();
        [high, low].map(|pos| picture.get_pixel(pos.x as u32, pos.y as u32).0.map(i32::from))
    };
    let plain = picture(&mut window);
    window.click_label("Joint colours");
    window.harness.remove_cursor();
    window.harness.run();
    let colored = picture(&mut window);
    let apart = |a: [i32; 4], b: [i32; 4]| (0..3).map(|c| (a[c] - b[c]).abs()).max().unwrap();
    assert!(apart(colored[0], colored[1]) > 40, "{colored:?}");
    // Painting shows at once.
    window.editor_mut().session.active_joint = Some(joints[1]);
    window.editor_mut().session.brush.radius = 0.3;
    window.click(low, NONE);
    window.harness.remove_cursor();
    window.harness.run();
    let painted = picture(&mut window);
    assert!(apart(painted[1], colored[1]) > 25, "{painted:?} {colored:?}");
    window.key(Key::Z, super::driver::CTRL);
    window.key(Key::T, NONE);
    assert_eq!(window.app().viewport().options.show, Show::Weights);
    window.editor_mut().session.active_joint = Some(joints[0]);
    window.harness.remove_cursor();
    window.harness.run();
    assert_eq!(picture(&mut window), plain);
}
