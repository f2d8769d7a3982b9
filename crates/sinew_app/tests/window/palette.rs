//! The command palette: as high as what it shows, found by names on screen, keys in the order in which they are pressed.

use egui::{Event, Key, Rect, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sinew_app::panels::palette::Palette;
use sinew_app::theme::ThemeChoice;
use sinew_edit::GiveTo;
use sinew_tests::pair_two_meshes;

use super::driver::{CTRL, CTRL_SHIFT, NONE, Setup, Window, arm};

fn open(window: &mut Window) {
    window.key(Key::P, CTRL_SHIFT);
    assert!(is_open(window));
}

fn is_open(window: &Window) -> bool {
    window.harness.query_by_label("Command").is_some()
}

/// Types it in place of what stands there.
fn write(window: &mut Window, text: &str) {
    window.key(Key::A, CTRL);
    window.key(Key::Delete, NONE);
    if !text.is_empty() {
        window.harness.get_by_label("Command").type_text(text);
        window.harness.run();
    }
}

/// Opens the palette, types, presses Enter.
fn do_it(window: &mut Window, text: &str) {
    open(window);
    write(window, text);
    window.key(Key::Enter, NONE);
}

fn area(window: &Window) -> Rect {
    window.harness.ctx.memory(|memory| memory.area_rect(Palette::area_id())).unwrap()
}

/// The rows that are offered, in order.
fn rows(window: &Window) -> Vec<String> {
    let field = window.harness.get_by_label("Command").rect();
    let root = window.harness.root();
    let buttons = root.children_recursive().filter(|node| {
        node.accesskit_node().role() == egui::Role::Button
            && node.rect().min.y >= field.max.y
            && (node.rect().height() - 26.0).abs() < 0.5
            && node.rect().min.x >= field.min.x - 1.0
            && node.rect().max.x <= field.max.x + 1.0
    });
    buttons.filter_map(|node| node.accesskit_node().label()).collect()
}

fn press(key: Key) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: NONE }
}

/// What a slow frame brings all at once.
fn in_one_frame(window: &mut Window, events: impl IntoIterator<Item = Event>) {
    window.harness.input_mut().events.extend(events);
    window.harness.step();
    window.harness.run();
}

#[test]
fn the_list_is_as_high_as_its_hits_again_after_there_were_few() {
    for size in [vec2(1440.0, 900.0), vec2(900.0, 520.0)] {
        let mut window = Window::new(Setup { path: Some(arm()), size, ..Setup::default() });
        open(&mut window);
        let full = area(&window);
        assert!(full.max.y <= size.y && full.max.y > size.y - 60.0, "all there is, up to the window's end: {full:?}");
        for few in ["zzz", "normaliz"] {
            write(&mut window, few);
            let little = area(&window);
            assert!(little.height() < 200.0, "no higher than it needs: {little:?}");
            write(&mut window, "");
            assert_eq!(area(&window), full, "after {few}");
        }
    }
}

#[test]
fn a_mistake_stands_under_the_line_and_long_help_scrolls() {
    let size = vec2(1100.0, 720.0);
    let mut window = Window::new(Setup { path: Some(arm()), size, ..Setup::default() });
    let joint = window.editor().document().nodes().label(window.editor().document().joints()[0]);
    do_it(&mut window, &format!("stroke joint={joint} radius=-1 points=1"));
    let field = window.harness.get_by_label("Command").rect();
    let error = window.harness.get_by_label_contains("radius: expected").rect();
    assert!(error.min.y >= field.max.y && error.min.y < field.max.y + 12.0, "{field:?} {error:?}");
    assert!(area(&window).max.y <= size.y, "{:?}", area(&window));
    // The end of the help is out of sight, and is scrolled to.
    let last = |window: &Window| window.harness.get_by_label_contains("  only what the eye sees").rect();
    let before = last(&window);
    assert!(before.min.y > size.y);
    window.hover(area(&window).center());
    window.harness.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -4000.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: NONE,
    });
    window.harness.run_steps(60);
    assert!(last(&window).max.y < area(&window).max.y, "{:?}", last(&window));
}

#[test]
fn keys_behind_the_one_that_closes_it_are_the_views() {
    let mut window = Window::open(&arm());
    let brush = |window: &Window| window.editor().session.brush.brush.name;
    // In one frame, and one frame after another.
    open(&mut window);
    write(&mut window, "contours");
    in_one_frame(&mut window, [press(Key::Enter), press(Key::A), press(Key::W)]);
    let options = window.app().viewport().options;
    assert!(options.contours && options.wire && brush(&window) == "add", "{options:?} {}", brush(&window));
    open(&mut window);
    in_one_frame(&mut window, [press(Key::Escape), press(Key::D)]);
    assert!(!is_open(&window) && brush(&window) == "subtract");
    open(&mut window);
    window.harness.event(press(Key::Escape));
    window.harness.event(press(Key::A));
    window.harness.run();
    assert_eq!(brush(&window), "add");
    // What could not be done keeps the keyboard.
    open(&mut window);
    write(&mut window, "limit influences=");
    in_one_frame(&mut window, [press(Key::Enter), Event::Text("1".to_owned())]);
    assert!(is_open(&window) && window.editor().history().n_done() == 0);
    window.key(Key::Enter, NONE);
    assert_eq!(window.editor().history().n_done(), 1, "the digit went into the line");
}

#[test]
fn letters_behind_the_key_that_opens_it_are_typed_into_it() {
    let mut window = Window::open(&arm());
    let modifiers = CTRL_SHIFT;
    let key = Event::Key { key: Key::P, physical_key: None, pressed: true, repeat: false, modifiers };
    in_one_frame(&mut window, [key, press(Key::W), Event::Text("w".to_owned()), Event::Text("ire".to_owned())]);
    assert!(!window.app().viewport().options.wire, "no key of the view");
    window.key(Key::Enter, NONE);
    assert!(window.app().viewport().options.wire);
}

#[test]
fn what_buttons_do_is_found_by_the_names_on_them() {
    let mut window = Window::open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    do_it(&mut window, "lane");
    assert_eq!(window.editor().session.paint.lane.len(), 2);
    do_it(&mut window, "all meshes");
    assert!(window.editor().session.paint.all_meshes);
    assert_eq!(window.app().notice().unwrap().text, "All meshes: on");
    do_it(&mut window, "front only");
    assert!(window.editor().session.brush.front_only);
    do_it(&mut window, "front only");
    assert!(!window.editor().session.brush.front_only);
    do_it(&mut window, "give to active joint");
    let joint = window.editor().session.active_joint.unwrap();
    assert_eq!(window.editor().session.paint.give, GiveTo::Joint(joint));
    do_it(&mut window, "light");
    assert!(!window.harness.ctx.global_style().visuals.dark_mode);
    do_it(&mut window, "theme dark");
    assert!(window.harness.ctx.global_style().visuals.dark_mode);
    for (theme, label, _) in ThemeChoice::ALL {
        open(&mut window);
        write(&mut window, label);
        assert_eq!(rows(&window)[0], format!("{label} (theme)"), "{theme:?}");
        window.key(Key::Escape, NONE);
    }
    do_it(&mut window, "left-right");
    assert_eq!(window.app().viewport().options.show, sinew_app::viewport::options::Show::LeftRight);
}

#[test]
fn every_switch_of_the_view_and_every_option_of_the_brush_is_found_first_by_its_name() {
    let mut window = Window::new(Setup { path: Some(arm()), size: vec2(1440.0, 1000.0), ..Setup::default() });
    // As the cards name them.
    window.click_label("Brush options");
    window.click_label("Display");
    let shown = |window: &Window, name: &str| window.harness.query_all_by_label(name).next().is_some();
    let names = [
        "Once",
        "Spacing",
        "Stabiliser",
        "Airbrush",
        "Times",
        "Only joints already there",
        "Shell only",
        "All meshes",
        "Leave unassigned",
        "Neighbours",
        "Parent",
        "Give to active joint",
        "Reset brush",
        "Model units",
        "Pixels",
        "Sphere falloff",
        "Contours",
        "Wire",
        "Joints",
        "Gizmo",
        "Joint colours",
        "Clay",
        "Over budget",
        "Kept",
        "Seams",
        "Vertex dots",
        "Ghosts",
        "Without locked joints",
        "Opacity",
        "Number of lines",
        "Ember",
        "Used only",
        "Protect what I painted",
    ];
    for name in names {
        assert!(shown(&window, name), "{name} is not on screen");
    }
    window.click_label("Close brush");
    window.click_label("Close display");
    for name in names {
        open(&mut window);
        write(&mut window, name);
        let first = rows(&window)[0].to_lowercase();
        assert!(first.contains(&name.to_lowercase()), "{name}: {first}");
        window.key(Key::Escape, NONE);
    }
    // A number is given the keyboard where it stands.
    do_it(&mut window, "stabiliser");
    window.key(Key::A, CTRL);
    window.harness.event(Event::Text("25".to_owned()));
    window.harness.run();
    window.key(Key::Enter, NONE);
    assert_eq!(window.editor().session.brush.lazy_px, 25.0);
}

#[test]
fn a_brush_and_the_command_on_the_whole_mesh_are_told_apart() {
    let mut window = Window::open(&arm());
    open(&mut window);
    write(&mut window, "smooth brush");
    assert_eq!(rows(&window)[0], "Smooth (brush)");
    assert!(!rows(&window).iter().any(|row| row.contains("whole mesh")), "{:?}", rows(&window));
    window.key(Key::Enter, NONE);
    assert_eq!((window.editor().session.brush.brush.name, window.editor().history().n_done()), ("smooth", 0));
    window.key(Key::B, NONE);
    open(&mut window);
    write(&mut window, "smooth");
    let offered = rows(&window);
    assert_eq!(offered[..2], ["Smooth (brush)", "Smooth Weights (whole mesh)"], "what changes nothing is first");
    window.key(Key::Enter, NONE);
    assert_eq!(window.editor().session.brush.brush.name, "smooth");
    assert_eq!(window.editor().history().n_done(), 0);
    window.editor_mut().run("select vertices=0-20").unwrap();
    open(&mut window);
    write(&mut window, "smooth");
    assert_eq!(rows(&window)[1], "Smooth Weights (selection)", "what it would act on now");
}

/// Two meshes on one skeleton; the nodes that show them are not called as the meshes are.
fn dressed() -> Window {
    let mut scene = pair_two_meshes();
    for (node, name) in scene.nodes.iter_mut().filter(|node| node.mesh.is_some()).zip(["Belt", "Hat Feather"]) {
        name.clone_into(&mut node.name);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dressed.glb");
    std::fs::write(&path, scene.glb()).unwrap();
    Window::open(&path)
}

#[test]
fn a_mesh_is_chosen_by_the_name_of_its_node_with_or_without_the_key() {
    let mut window = dressed();
    let chosen = |window: &Window| window.editor().session.active_mesh.map(sinew_model::MeshIndex::idx);
    do_it(&mut window, "mesh Hat Feather");
    assert_eq!(chosen(&window), Some(1));
    do_it(&mut window, "mesh name=Belt");
    assert_eq!(chosen(&window), Some(0));
    do_it(&mut window, "mesh all");
    assert_eq!(chosen(&window), None);
    // Chosen from what is offered, by the node's name or by the mesh's.
    do_it(&mut window, "choose mesh");
    assert!(is_open(&window), "which one?");
    assert_eq!(rows(&window), ["Belt", "Hat Feather", "all"]);
    window.key(Key::ArrowDown, NONE);
    window.key(Key::ArrowDown, NONE);
    window.key(Key::Enter, NONE);
    assert!(!is_open(&window) && chosen(&window) == Some(1));
    open(&mut window);
    write(&mut window, "mesh Left");
    assert_eq!(rows(&window)[0], "Belt", "the mesh is called so");
    window.click_label("Belt");
    assert!(!is_open(&window) && chosen(&window) == Some(0));
}

#[test]
fn names_are_offered_where_a_line_wants_one() {
    let mut window = dressed();
    open(&mut window);
    write(&mut window, "lock joint=");
    let joints: Vec<String> = {
        let document = window.editor().document();
        document.joints().iter().map(|&joint| document.nodes().label(joint)).collect()
    };
    assert_eq!(rows(&window)[..joints.len()], joints);
    write(&mut window, &format!("lock joint={}", &joints[1][..1]));
    window.key(Key::Tab, NONE);
    // Two are locked by one line.
    window.key(Key::Escape, NONE);
    open(&mut window);
    write(&mut window, &format!("lock joint={},", joints[0]));
    window.key(Key::ArrowDown, NONE);
    window.key(Key::ArrowDown, NONE);
    window.key(Key::Tab, NONE);
    window.key(Key::Enter, NONE);
    assert!(!is_open(&window));
    let locks = window.editor().document().locks().len();
    assert_eq!(locks, 2, "{:?}", window.app().notice());
    // A name with a space is quoted; what follows it is a line like any other.
    open(&mut window);
    write(&mut window, "smooth mesh=hat");
    window.key(Key::Tab, NONE);
    window.harness.event(Event::Text("iterations=2".to_owned()));
    window.harness.run();
    window.key(Key::Enter, NONE);
    assert!(!is_open(&window));
    let line = window.editor().history().entries().last().unwrap().line.to_owned();
    assert!(line.contains("mesh=Right") || line.contains("mesh=\"Hat Feather\""), "{line}");
    assert!(line.contains("iterations=2"), "{line}");
    // Words that a value can be, and keys.
    open(&mut window);
    write(&mut window, "view_as profile=4");
    assert!(rows(&window).contains(&"4xu8".to_owned()), "{:?}", rows(&window));
    write(&mut window, "limit infl");
    window.key(Key::Tab, NONE);
    window.harness.event(Event::Text("2".to_owned()));
    window.harness.run();
    window.key(Key::Enter, NONE);
    assert!(!is_open(&window));
}
