//! Zooming by the wheel: toward what is under the pointer, and never past the model.

use egui::{Pos2, vec2};
use glam::Vec3;
use sinew_app::viewport::posed_points;

use super::driver::{NONE, Window, arm};

fn notch(window: &mut Window, at: Pos2, lines: f32) {
    window.hover(at);
    window.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: NONE,
    });
    window.harness.run();
}

/// Whether a vertex of the model is in the picture, and in front of the eye.
fn is_seen(window: &mut Window) -> bool {
    let points = posed_points(window.editor_mut());
    let view = window.app().viewport().view();
    let is_inside = |px: glam::Vec2| px.cmpge(glam::Vec2::ZERO).all() && px.cmple(view.size_px).all();
    points.iter().any(|&point| view.px_of(point).is_some_and(is_inside))
}

/// Places in the view where there is no model.
fn beside(window: &mut Window) -> Vec<Pos2> {
    let rect = window.app().viewport().area().rect();
    let places = [[0.1, 0.3], [0.9, 0.3], [0.12, 0.8], [0.9, 0.85], [0.2, 0.5], [0.8, 0.55], [0.7, 0.9]];
    let places = places.map(|[x, y]| rect.min + rect.size() * vec2(x, y));
    for &place in &places {
        window.hover(place);
        assert!(window.app().viewport().hover().is_none(), "the model is at {place}");
    }
    places.to_vec()
}

#[test]
fn the_wheel_beside_the_model_never_leads_past_it() {
    let mut window = Window::open(&arm());
    let first = window.app().viewport().camera;
    for place in beside(&mut window) {
        window.harness.state_mut().viewport_mut().camera = first;
        for n in 1..=12 {
            notch(&mut window, place, 2.0);
            assert!(is_seen(&mut window), "nothing is seen after {n} notches at {place}");
        }
        let near = window.app().viewport().camera.distance;
        assert!(near < first.distance * 0.05, "it comes near: {near}");
        for _ in 0..12 {
            notch(&mut window, place, -2.0);
        }
        let moved = window.app().viewport().camera.eye().distance(first.eye());
        assert!(moved < 0.2 * first.distance, "the way back is the way in, but for {moved}");
        for n in 1..=25 {
            notch(&mut window, place, 3.0);
            assert!(is_seen(&mut window), "nothing is seen after {n} large notches at {place}");
        }
    }
}

#[test]
fn the_wheel_over_the_skin_goes_toward_the_skin_and_stops_before_it() {
    let mut window = Window::open(&arm());
    let at = window.pos(Vec3::new(0.0, 0.6, 0.0));
    window.hover(at);
    let place = window.app().viewport().hover().unwrap().point;
    for _ in 0..40 {
        notch(&mut window, at, 3.0);
        let moved = window.pos(place).distance(at);
        assert!(moved < 3.0, "what was under the pointer moved by {moved} points");
    }
    let eye = window.app().viewport().camera.eye();
    let size = window.editor_mut().bounds().diagonal();
    assert!(eye.distance(place) < size * 0.05, "as near as it goes");
}
