//! Each control by its name: what it does.

use egui::{Key, PointerButton};
use egui_kittest::kittest::{NodeT, Queryable};
use sinew_app::viewport::options::{PenUse, Show};
use sinew_edit::{Falloff, Reach};

use super::driver::{CTRL, NONE, Setup, Window, arm};
use super::pose::moving;

/// Types a number into a field and keeps it.
fn enter(window: &mut Window, name: &str, text: &str, keep: Key) {
    window.harness.get_by_label(name).focus();
    window.harness.run();
    window.key(Key::A, CTRL);
    window.harness.get_by_label(name).type_text(text);
    window.harness.run();
    window.key(keep, NONE);
}

#[test]
fn the_brush_bar_sets_the_brush_by_the_keyboard() {
    let mut window = Window::open(&arm());
    enter(&mut window, "Value", "0.25", Key::Enter);
    enter(&mut window, "Strength", "0.5", Key::Tab);
    enter(&mut window, "Size", "0.125", Key::Enter);
    let brush = window.editor().session.brush;
    assert_eq!((brush.value, brush.strength, brush.radius), (0.25, 0.5, 0.125));
    enter(&mut window, "Value", "7", Key::Enter);
    assert_eq!(window.editor().session.brush.value, 1.0, "never above 1");
    enter(&mut window, "Value", "abc", Key::Enter);
    assert_eq!(window.editor().session.brush.value, 1.0, "what is no number changes nothing");
    enter(&mut window, "Strength", "0.9", Key::Escape);
    assert_eq!(window.editor().session.brush.strength, 0.5, "Escape keeps the old number");
    enter(&mut window, "Strength", " 0,9 ", Key::Enter);
    assert_eq!(window.editor().session.brush.strength, 0.9, "a comma is a point");
}

#[test]
fn a_field_says_what_it_does_not_take_and_keeps_its_width() {
    let mut window = Window::open(&arm());
    let said = |window: &Window| window.app().notice().map(|notice| notice.text.clone());
    for text in ["0", "-3", "99999"] {
        enter(&mut window, "Size", text, Key::Enter);
        assert_eq!(said(&window).as_deref(), Some("Size goes from 0.001 to 4 here"), "{text}");
        let radius = window.editor().session.brush.radius;
        assert!((radius - if text == "99999" { 4.0 } else { 0.001 }).abs() < 1e-6, "{radius}");
    }
    for key in [Key::CloseBracket, Key::CloseBracket, Key::CloseBracket] {
        enter(&mut window, "Size", "4", Key::Enter);
        window.key(key, NONE);
        assert!((window.editor().session.brush.radius - 4.0).abs() < 1e-6, "no key leads beyond");
    }
    enter(&mut window, "Strength", "7", Key::Enter);
    assert_eq!(said(&window).as_deref(), Some("7 is too much here: 1 is the most"));
    enter(&mut window, "Value", "abc", Key::Enter);
    assert_eq!(said(&window).as_deref(), Some("“abc” is no number: 1 stays"));
    window.wait(100.0);
    enter(&mut window, "Value", "abc", Key::Escape);
    enter(&mut window, "Value", "0.5", Key::Enter);
    assert_eq!(said(&window), None, "Escape and what is taken need no word");

    let falloff = |window: &Window| window.harness.get_by_label("Falloff").rect().min.x;
    let at = falloff(&window);
    window.harness.get_by_label("Size").focus();
    window.harness.run();
    window.harness.get_by_label("Size").type_text("0.123456789123456789");
    window.harness.run();
    assert_eq!(falloff(&window), at, "what stands beside it does not move while it is typed");
    window.key(Key::Enter, NONE);
    assert_eq!(falloff(&window), at);
}

#[test]
fn falloff_reach_and_front_only_are_chosen_by_name() {
    let mut window = Window::open(&arm());
    window.click_label("Falloff");
    window.click_label("Sharp");
    assert_eq!(window.editor().session.brush.falloff, Falloff::Sharp);
    window.click_label("Volume");
    assert_eq!(window.editor().session.brush.reach, Reach::Volume);
    window.click_label("Surface");
    assert_eq!(window.editor().session.brush.reach, Reach::Surface);
    window.click_label("Front only");
    assert!(window.editor().session.brush.front_only);
    // The keyboard does the same.
    window.harness.get_by_label("Front only").focus();
    window.harness.run();
    window.key(Key::Space, NONE);
    assert!(!window.editor().session.brush.front_only);
    window.harness.get_by_label("Volume").focus();
    window.harness.run();
    window.key(Key::Enter, NONE);
    assert_eq!(window.editor().session.brush.reach, Reach::Volume);
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn what_is_shown_is_switched_by_name_and_by_the_keyboard() {
    let mut window = Window::open(&arm());
    for (name, show) in [
        ("Joint colours", Show::JointColors),
        ("Textured", Show::Textured),
        ("Clay", Show::Clay),
        ("Weights", Show::Weights),
    ] {
        // The menu of that name stands before the switch.
        let switch = window.harness.get_all_by_label(name).last().unwrap();
        switch.focus();
        window.harness.run();
        window.key(Key::Enter, NONE);
        assert_eq!(window.app().viewport().options.show, show, "{name}");
    }
    let on = |window: &Window| {
        let options = window.app().viewport().options;
        (options.contours, options.wire, options.gizmo)
    };
    for name in ["Contours", "Wire", "Gizmo"] {
        window.click_label(name);
    }
    assert_eq!(on(&window), (true, true, true));
    let yaw = window.app().viewport().camera.yaw_deg;
    window.click_label("Look along X");
    assert_ne!(window.app().viewport().camera.yaw_deg, yaw);
}

/// Whether an entry of the open menu is ticked.
fn is_ticked(window: &Window, name: &str) -> bool {
    entry(window, name).accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
}

/// An entry of the open menu: wider than a switch of the same name over the view.
fn entry<'a>(window: &'a Window, name: &'a str) -> egui_kittest::Node<'a> {
    let mut all = window.harness.get_all_by_role_and_label(egui::Role::Button, name);
    all.find(|node| node.rect().width() > 150.0).unwrap()
}

#[test]
fn every_switch_of_the_view_stands_in_the_view_menu_with_a_tick_while_it_is_on() {
    let mut window = Window::open(&arm());
    let press = |window: &mut Window, name: &str| {
        entry(window, name).click();
        window.harness.run();
    };
    for name in ["Contours", "Wire", "Joints", "Gizmo", "Vertex Dots", "Seams", "Ghosts", "Display…"] {
        window.menu("View");
        let before = is_ticked(&window, name);
        press(&mut window, name);
        window.menu("View");
        assert_ne!(is_ticked(&window, name), before, "{name}");
        press(&mut window, name);
    }
    for (name, show) in [
        ("Joint Colours", Show::JointColors),
        ("Textured", Show::Textured),
        ("Clay", Show::Clay),
        ("Left–Right", Show::LeftRight),
        ("Weights", Show::Weights),
    ] {
        window.menu("View");
        window.click_label("Show");
        press(&mut window, name);
        assert_eq!(window.app().viewport().options.show, show);
        window.menu("View");
        window.click_label("Show");
        assert!(is_ticked(&window, name), "{name}");
        window.key(Key::Escape, NONE);
        window.key(Key::Escape, NONE);
    }
}

#[test]
fn the_switches_over_the_view_keep_to_one_line_and_lose_nothing() {
    const SWITCHES: [&str; 5] = ["Contours", "Wire", "Joints", "Gizmo", "Display"];
    for width in [680.0, 760.0, 900.0, 1100.0, 1440.0] {
        let setup = Setup { path: Some(arm()), size: egui::vec2(width, 700.0), ..Setup::default() };
        let mut window = Window::new(setup);
        let area = window.app().viewport().area().rect();
        let over_view = |node: &egui_kittest::Node<'_>| area.contains_rect(node.rect());
        let rects: Vec<egui::Rect> = SWITCHES
            .iter()
            .filter_map(|name| window.harness.query_all_by_label(name).find(over_view).map(|node| node.rect()))
            .collect();
        assert!(rects.iter().all(|rect| rect.center().y == rects[0].center().y), "{width}: {rects:?}");
        assert!(rects.iter().all(|rect| rect.max.x < area.max.x - 60.0), "{width}: the axes are free");
        if rects.len() < SWITCHES.len() {
            window.click_label("More switches");
            window.click_label("Display");
            assert!(window.app().viewport().shows_display, "{width}");
        } else {
            assert!(width >= 900.0 || window.harness.query_by_label("More switches").is_none());
        }
        if window.harness.query_by_label("Show: Weights").is_some() {
            window.click_label("Show: Weights");
            window.click_label("Clay");
        } else {
            window.click_label("Clay");
        }
        assert_eq!(window.app().viewport().options.show, Show::Clay, "{width}");
    }
}

#[test]
fn the_settings_stay_inside_whatever_size_window_and_text_become() {
    let mut window = Window::new(Setup { size: egui::vec2(1440.0, 900.0), ..Setup::default() });
    window.key(Key::Comma, CTRL);
    // As a screen of 1440 × 900 becomes at 150 %, 200 %, and a small window.
    for size in [[960.0, 600.0], [720.0, 450.0], [600.0, 400.0], [1440.0, 900.0]] {
        window.harness.set_size(egui::Vec2::from(size));
        window.harness.run_steps(3);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::Vec2::from(size));
        for (page, names) in
            [("Keys", ["Close settings", "General", "Search keys"]), ("General", ["Close settings", "Keys", "200 %"])]
        {
            window.click_label(page);
            window.harness.run_steps(3);
            for name in names {
                let rect = window.harness.get_by_label(name).rect();
                assert!(screen.shrink(8.0).contains_rect(rect), "{size:?}: {name} at {rect:?}");
            }
        }
    }
}

#[test]
fn what_the_timeline_says_is_not_cut_in_a_narrow_window() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moving.glb");
    std::fs::write(&path, moving().glb()).unwrap();
    for width in [1440.0, 900.0, 720.0] {
        let setup = Setup { path: Some(path.clone()), size: egui::vec2(width, 450.0), ..Setup::default() };
        let window = Window::new(setup);
        let said = window.harness.get_by_label_contains("Choose a clip");
        assert!(said.rect().max.x <= window.app().viewport().area().rect().max.x, "{width}");
        assert!(width < 1000.0 || said.accesskit_node().value().unwrap().contains("character"));
    }
}

#[test]
fn a_click_in_the_history_goes_there_and_back() {
    let mut window = Window::open(&arm());
    let first = window.weights();
    // Not “smooth”: that is also the name of a brush in the strip.
    window.editor_mut().run("limit influences=1").unwrap();
    window.editor_mut().run("set vertices=0 joint=0 value=0.5").unwrap();
    window.harness.run();
    let last = window.weights();
    let label = window.editor().history().entries().next().unwrap().label.to_owned();
    window.click_label("Open arm.glb");
    assert_eq!(window.weights(), first);
    assert_eq!(window.editor().history().n_done(), 0);
    window.click_label(&label);
    assert_eq!(window.editor().history().n_done(), 1);
    let label = window.editor().history().entries().last().unwrap().label.to_owned();
    window.harness.get_by_label(&label).focus();
    window.harness.run();
    window.key(Key::Enter, NONE);
    assert_eq!(window.weights(), last);
}

#[test]
fn the_welcome_offers_the_demo_and_promises_dropping_only_where_it_works() {
    // B60
    fn demo() -> Result<sinew_io::Imported, sinew_io::OpenError> {
        sinew_io::import(std::fs::read(arm()).unwrap(), &sinew_io::MapResolver::default())
    }
    for can_drop in [true, false] {
        let mut window = Window::new(Setup { demo: Some(demo), can_drop, ..Setup::default() });
        assert_eq!(window.harness.query_by_label_contains("drop").is_some(), can_drop);
        let open = window.harness.get_by_label("Open…").rect();
        let offered = window.harness.get_by_label("Open Demo Character").rect();
        assert!(open.min.x < offered.min.x || open.min.y < offered.min.y, "opening comes first");
        window.harness.get_by_label("Open Demo Character").click();
        window.harness.step();
        window.harness.step();
        window.settle();
        assert_eq!(window.app().file().unwrap().name(), "Demo character");
    }
    let plain = Window::new(Setup::default());
    assert!(plain.harness.query_by_label("Open Demo Character").is_none());
}

#[test]
fn the_pen_is_set_in_the_settings() {
    let mut window = Window::open(&arm());
    window.key(Key::Comma, CTRL);
    let last = |window: &mut Window, name: &str| {
        window.harness.get_all_by_label(name).last().unwrap().click();
        window.harness.run();
    };
    last(&mut window, "Nothing");
    assert_eq!(window.app().viewport().options.pen, PenUse::Off);
    // “Size” is also the name of a number of the brush.
    let segment = |node: &egui_kittest::Node<'_>| {
        use egui_kittest::kittest::NodeT;
        node.accesskit_node().role() == egui::Role::Button
    };
    window.harness.get_all_by_label("Size").find(segment).unwrap().click();
    window.harness.run();
    assert_eq!(window.app().viewport().options.pen, PenUse::Size);
}

#[test]
fn a_pen_paints_as_hard_as_it_is_pressed_and_in_full_without_pressure() {
    // B58
    for (pen, force, expected) in [
        (PenUse::Strength, None, 1.0),
        (PenUse::Strength, Some(0.0), 1.0),
        (PenUse::Strength, Some(0.5), 0.5),
        (PenUse::Strength, Some(1.0), 1.0),
        (PenUse::Strength, Some(f32::NAN), 1.0),
        (PenUse::Off, Some(0.5), 1.0),
    ] {
        let mut window = strip_window();
        window.harness.state_mut().viewport_mut().options.pen = pen;
        let pos = touch(&mut window, force);
        assert_eq!(window.editor().history().n_done(), 1, "{force:?}");
        let found = weight_of_j1(&window, 0);
        assert!((found - expected).abs() < 1e-3, "{pen:?} {force:?}: {found} at {pos:?}");
    }
    // Half the size: the row above is out of reach.
    for (force, is_reached) in [(None, true), (Some(0.5), false)] {
        let mut window = strip_window();
        window.harness.state_mut().viewport_mut().options.pen = PenUse::Size;
        window.editor_mut().session.brush.radius = 0.6;
        touch(&mut window, force);
        assert_eq!(weight_of_j1(&window, 0), 1.0);
        assert_eq!(weight_of_j1(&window, 2) == 1.0, is_reached, "{force:?}");
    }
}

/// STRIP with a brush that paints J1 wholly, the same everywhere in reach.
fn strip_window() -> Window {
    super::cases::open(&sinew_tests::strip(), 0.2).0
}

fn weight_of_j1(window: &Window, vertex: usize) -> f32 {
    let weights = &window.weights()[vertex];
    weights.iter().find(|(slot, _)| *slot == 1).map_or(0.0, |(_, bits)| f32::from_bits(*bits))
}

/// A pen's touch on vertex 0.
fn touch(window: &mut Window, force: Option<f32>) -> egui::Pos2 {
    let pos = window.pos(glam::Vec3::new(-0.49, 0.01, 0.0));
    window.hover(pos);
    for (phase, pressed) in [(egui::TouchPhase::Start, true), (egui::TouchPhase::End, false)] {
        let (device_id, id) = (egui::TouchDeviceId(1), egui::TouchId(1));
        window.harness.event(egui::Event::Touch { device_id, id, phase, pos, force });
        window.harness.event(egui::Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: NONE,
        });
        window.harness.run();
    }
    pos
}

#[test]
fn a_tolerance_finds_twins_on_a_figure_that_is_only_nearly_symmetric() {
    // Pain 5
    let mut window = Window::open(&arm());
    window.click_label("Symmetry");
    let usual = window.editor().session.paint.symmetry().tolerance;
    assert_eq!(usual, None);
    enter(&mut window, "Tolerance", "0.05", Key::Enter);
    assert_eq!(window.editor().session.paint.symmetry().tolerance, Some(0.05));
    // Strokes go by it as soon as they are mirrored, and so does the command.
    window.key(Key::X, NONE);
    assert_eq!(window.editor().session.paint.mirror.and_then(|mirror| mirror.tolerance), Some(0.05));
    window.click_label("Usual");
    assert_eq!(window.editor().session.paint.mirror.map(|mirror| mirror.tolerance), Some(None));
    // The close button and the lines reach as far as the widest row.
    let card = window.harness.get_by_label("Mirror weights").rect();
    assert!(window.harness.get_by_label("Close symmetry").rect().max.x > card.max.x);
}

#[test]
fn the_hint_of_a_menus_entry_stands_beside_the_menu() {
    let mut window = Window::new(Setup { path: Some(arm()), size: egui::vec2(1440.0, 900.0), ..Setup::default() });
    window.menu("View");
    let entry = window.harness.get_by_label("Vertex Dots").rect();
    window.hover(entry.center());
    window.harness.run_steps(90);
    let hint = window.harness.get_by_label("A dot on every vertex, coloured by its weight").rect();
    assert!(hint.min.x >= entry.max.x, "{hint} beside {entry}");
}
