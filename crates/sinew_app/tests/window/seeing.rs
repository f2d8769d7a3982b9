//! How weights are shown: each display, by its name and by what it does to the picture.

use egui::{Key, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::viewport::display::Display;
use sinew_app::viewport::options::Show;
use sinew_app::viewport::{read_out, seams};
use sinew_model::VertexIndex;
use sinew_render::Ramp;

use super::driver::{ALT, CTRL, NONE, SHIFT, Setup, Window, arm};

type Rgb = [i32; 3];

fn biped() -> std::path::PathBuf {
    arm().with_file_name("biped.glb")
}

/// A window in which all switches over the view have room.
fn open(path: &std::path::Path) -> Window {
    Window::new(Setup { path: Some(path.to_owned()), size: vec2(1440.0, 900.0), ..Setup::default() })
}

/// The arm with its elbow active, joints hidden, and the card of displays open.
fn with_card() -> Window {
    let mut window = open(&arm());
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.key(Key::J, NONE);
    window.click_label("Display");
    window
}

fn pixels(window: &mut Window, at: &[Pos2]) -> Vec<Rgb> {
    window.harness.remove_cursor();
    window.harness.run();
    let picture = window.harness.render().unwrap();
    let of = |pos: &Pos2| picture.get_pixel(pos.x as u32, pos.y as u32).0.map(i32::from);
    at.iter().map(of).map(|[r, g, b, _]| [r, g, b]).collect()
}

fn apart(a: Rgb, b: Rgb) -> i32 {
    (0..3).map(|c| (a[c] - b[c]).abs()).max().unwrap()
}

/// Upper arm, elbow, forearm in the picture.
fn along_the_arm(window: &Window) -> [Pos2; 3] {
    [0.3, 1.0, 1.7].map(|height| window.pos(Vec3::new(0.0, height, 0.0)))
}

fn in_legend(window: &Window) -> Pos2 {
    let area = window.app().viewport().area().rect();
    Pos2::new(area.min.x + 18.0 + 12.0 + 66.0, area.max.y - 28.0)
}

#[test]
fn the_legend_and_the_model_take_the_chosen_ramp() {
    // Pain 22
    let mut window = with_card();
    let at = [along_the_arm(&window)[1], in_legend(&window)];
    for (name, ramp) in [("Tide", Ramp::Tide), ("Ember", Ramp::Ember), ("Grey", Ramp::Grey)] {
        window.click_label(name);
        let [model, legend] = pixels(&mut window, &at)[..] else { panic!("two pixels") };
        let expected = ramp.color_srgb(0.5).map(i32::from);
        assert!(apart(legend, expected) < 8, "{name}: {legend:?} for {expected:?}");
        if name == "Grey" {
            assert!(apart([model[0]; 3], model) < 14, "grey is grey: {model:?}");
        } else {
            assert!(apart([model[0]; 3], model) > 25, "{name}: {model:?}");
        }
    }
    window.click_label("Custom");
    for name in ["At 0", "At 0.5", "At 1"] {
        window.harness.get_by_label(name);
    }
    window.click_label("Middle");
    assert!(window.harness.query_by_label("At 0.5").is_none());
    window.click_label("Reset display");
    assert_eq!(window.app().viewport().options.display, Display::default());
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn zero_is_clay_or_black_where_the_active_joint_has_nothing() {
    let mut window = with_card();
    let [upper, _, _] = along_the_arm(&window);
    let shoulder = window.pos(Vec3::new(0.0, 0.12, 0.0));
    let [clay, _] = pixels(&mut window, &[shoulder, upper])[..] else { panic!("two pixels") };
    assert!(clay.iter().sum::<i32>() > 300, "{clay:?}");
    window.click_label("Active joint");
    let [black] = pixels(&mut window, &[shoulder])[..] else { panic!("a pixel") };
    assert!(black.iter().sum::<i32>() < clay.iter().sum::<i32>() / 2, "{black:?} {clay:?}");
    window.click_label("None");
    assert_eq!(pixels(&mut window, &[shoulder])[..], [clay]);
}

#[test]
fn opacity_lets_clay_or_the_texture_through() {
    let mut window = with_card();
    let at = along_the_arm(&window);
    let full = pixels(&mut window, &at);
    window.harness.state_mut().viewport_mut().options.display.opacity_percent = 0;
    let through = pixels(&mut window, &at);
    window.click_label("Clay");
    assert_eq!(window.app().viewport().options.show, Show::Clay);
    assert_eq!(pixels(&mut window, &at), through);
    assert!(apart(full[2], through[2]) > 30, "{full:?} {through:?}");
    window.harness.state_mut().viewport_mut().options.show = Show::Weights;
    window.click_label("texture");
    let textured = pixels(&mut window, &at);
    window.click_label("Textured");
    assert_eq!(pixels(&mut window, &at), textured);
}

#[test]
fn more_lines_are_more_contours_and_dots_grow_with_their_size() {
    let mut window = with_card();
    window.key(Key::C, NONE);
    let top = window.pos(Vec3::new(0.0, 1.9, 0.0));
    let bottom = window.pos(Vec3::new(0.0, 0.1, 0.0));
    let line: Vec<Pos2> = (0..400).map(|i| top.lerp(bottom, i as f32 / 399.0)).collect();
    let changes =
        |before: &[Rgb], after: &[Rgb]| before.iter().zip(after).filter(|(a, b)| apart(**a, **b) > 12).count();
    let few = pixels(&mut window, &line);
    window.harness.state_mut().viewport_mut().options.display.n_lines = 9;
    let many = pixels(&mut window, &line);
    window.key(Key::C, NONE);
    let none = pixels(&mut window, &line);
    let (n_few, n_many) = (changes(&none, &few), changes(&none, &many));
    assert!(n_few >= 1 && n_many >= n_few + 3, "{n_few} and {n_many}");

    // Near enough that even large dots have room.
    window.harness.state_mut().viewport_mut().camera.distance *= 0.3;
    window.click_label("Vertex dots");
    assert!(window.app().viewport().options.display.dots);
    let rows = |window: &mut Window| {
        let area = window.app().viewport().area().rect();
        let n = 260;
        let at: Vec<Pos2> =
            (0..n * n).map(|i| area.center() + vec2((i % n) as f32 - 130.0, (i / n) as f32 - 130.0)).collect();
        pixels(window, &at)
    };
    let small = rows(&mut window);
    window.harness.state_mut().viewport_mut().options.display.dot_points = 12;
    let large = rows(&mut window);
    window.key(Key::V, SHIFT);
    let plain = rows(&mut window);
    let (n_small, n_large) = (changes(&plain, &small), changes(&plain, &large));
    assert!(n_small > 100 && n_large > 2 * n_small, "{n_small} and {n_large}");
}

#[test]
fn seams_are_drawn_where_vertices_share_a_place() {
    // Pain 19
    let mut window = open(&biped());
    window.key(Key::J, NONE);
    window.click_label("Display");
    let mesh = window.editor().document().skinned_meshes()[0];
    let surface = window.editor_mut().surface(mesh);
    let posed = window.editor_mut().posed(0).posed.clone();
    let eye = window.app().viewport().view().camera.eye();
    let facing =
        |v: &VertexIndex| (eye - posed.positions[v.idx()]).normalize_or_zero().dot(posed.normals[v.idx()]) > 0.35;
    let on_seam: Vec<VertexIndex> = (0..posed.positions.len() as u32)
        .map(VertexIndex)
        .filter(|&v| surface.members(surface.group_of(v)).len() > 1)
        .filter(facing)
        .collect();
    assert!(on_seam.len() > 10, "the figure has seams in sight");
    let at: Vec<Pos2> = on_seam.iter().map(|v| window.pos(posed.positions[v.idx()])).collect();
    let before = pixels(&mut window, &at);
    window.click_label("Seams");
    let after = pixels(&mut window, &at);
    let [r, g, b, _] = seams::SEAM.0.map(i32::from);
    let n_drawn =
        after.iter().zip(&before).filter(|(a, b2)| apart(**a, [r, g, b]) < 50 && apart(**a, **b2) > 12).count();
    assert!(n_drawn * 2 > at.len(), "{n_drawn} of {}: {after:?}", at.len());
}

#[test]
fn over_budget_is_tinted_and_told_at_the_vertex() {
    let mut window = with_card();
    let [_, elbow, _] = along_the_arm(&window);
    let before = pixels(&mut window, &[elbow]);
    window.click_label("Over budget");
    assert_eq!(pixels(&mut window, &[elbow]), before, "nothing is over it yet");
    window.editor_mut().run("budget influences=1").unwrap();
    window.harness.run();
    assert!(apart(pixels(&mut window, &[elbow])[0], before[0]) > 20);
    window.hover(elbow);
    let hit = *window.app().viewport().hover().unwrap();
    let told = read_out::of_vertex(window.editor_mut(), &hit, &[]).unwrap();
    assert!(told.notes.iter().any(|(_, note)| note.contains("the budget is 1")), "{:?}", told.notes);
}

#[test]
fn what_a_stroke_could_not_change_says_why_on_hover() {
    // Pains 4 and 20
    let mut window = with_card();
    let [_, elbow, _] = along_the_arm(&window);
    let names: Vec<String> = {
        let document = window.editor().document();
        document.joints().iter().map(|&joint| document.nodes().label(joint)).collect()
    };
    window.editor_mut().run(&format!("lock joint={} others=yes", names[1])).unwrap();
    window.click(elbow, NONE);
    let mesh = window.editor().document().skinned_meshes()[0];
    assert!(window.editor().refused(mesh).is_some_and(|refused| !refused.is_empty()), "locks were in the way");
    window.hover(elbow + vec2(1.0, 0.0));
    let hit = *window.app().viewport().hover().unwrap();
    let told = read_out::of_vertex(window.editor_mut(), &hit, &[]).unwrap();
    let sum: f32 = told.shares.iter().map(|share| share.weight).sum();
    assert!((sum - 1.0).abs() < 1e-4, "numbers that hold: {:?}", told.shares);
    assert!(
        told.notes.iter().any(|(_, note)| note.starts_with("kept: ") && note.contains(&names[0])),
        "{:?}",
        told.notes
    );
}

#[test]
fn without_locked_joints_the_rest_is_shown_as_the_whole() {
    let mut window = with_card();
    let [_, elbow, _] = along_the_arm(&window);
    let plain = pixels(&mut window, &[elbow])[0];
    window.click_label("Without locked joints");
    assert_eq!(pixels(&mut window, &[elbow])[0], plain, "no joint is locked");
    let name = window.editor().document().nodes().label(window.editor().document().joints()[0]);
    window.editor_mut().run(&format!("lock joint={name}")).unwrap();
    window.harness.run();
    // With the other joint away the elbow's share is everything: yellow.
    let [r, g, b] = pixels(&mut window, &[elbow])[0];
    assert!(r > b + 60 && g > b + 60, "{:?} after {plain:?}", [r, g, b]);
}

#[test]
fn ghosts_stand_where_each_joint_alone_would_take_the_vertex() {
    let mut window = with_card();
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.pose.set_turn_deg(elbow, Vec3::new(0.0, 0.0, 80.0));
    window.harness.run();
    let positions = window.editor_mut().posed(0).posed.positions.clone();
    let mesh = window.editor().document().skinned_meshes()[0];
    let even = (0..positions.len() as u32).map(VertexIndex).find(|&v| {
        let row = window.editor().document().mesh(mesh).weights.get(v);
        row.influences().iter().all(|influence| influence.weight < 0.7)
    });
    let pos = window.pos(positions[even.unwrap().idx()]);
    window.key(Key::G, ALT);
    window.hover(pos);
    let hit = *window.app().viewport().hover().unwrap();
    let ghosts = sinew_edit::ghosts(window.editor_mut(), hit.instance_idx, hit.vertex);
    assert!(ghosts.len() > 1);
    let farthest = ghosts.iter().max_by(|a, b| {
        let away = |ghost: &sinew_edit::Ghost| ghost.point.distance(positions[hit.vertex.idx()]);
        away(a).total_cmp(&away(b))
    });
    let at = window.pos(farthest.unwrap().point);
    let shown = |window: &mut Window| {
        let picture = window.harness.render().unwrap();
        picture.get_pixel(at.x as u32, at.y as u32).0.map(i32::from)
    };
    let with = shown(&mut window);
    window.key(Key::G, ALT);
    window.hover(pos + vec2(0.0, 0.5));
    let without = shown(&mut window);
    assert!((0..3).any(|c| (with[c] - without[c]).abs() > 20), "{with:?} {without:?}");
}

#[test]
fn a_held_t_shows_the_plain_mesh_only_as_long() {
    let mut window = with_card();
    let key = |window: &mut Window, pressed| {
        let (key, modifiers) = (Key::T, NONE);
        window.harness.event(egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        window.harness.run();
    };
    let show = |window: &Window| window.app().viewport().options.show;
    key(&mut window, true);
    assert_eq!(show(&window), Show::Textured);
    window.harness.run_steps(40);
    key(&mut window, false);
    assert_eq!(show(&window), Show::Weights, "let go after a while, it is as before");
    window.key(Key::T, NONE);
    assert_eq!(show(&window), Show::Textured, "a short press stays");
    window.key(Key::T, NONE);
    assert_eq!(show(&window), Show::Weights);
}

#[test]
fn left_and_right_differ_where_one_side_was_painted() {
    // Pain 5
    let mut window = open(&biped());
    window.click_label("Left–right");
    assert_eq!(window.app().viewport().options.show, Show::LeftRight);
    let greatest = |window: &Window| window.app().viewport().scene().unwrap().left_right().greatest;
    let before = greatest(&window);
    assert!(window.app().viewport().scene().unwrap().left_right().n_matched > 1000);
    let joint = sinew_model::joint_named(window.editor().document(), None, "LeftLowerArm").unwrap();
    window.editor_mut().session.active_joint = Some(joint);
    let place = window.editor_mut().scene_from_node()[joint.idx()].translation.as_vec3();
    let pos = window.pos(place);
    let plain = pixels(&mut window, &[pos])[0];
    window.editor_mut().session.brush.brush = sinew_edit::brushes::brush_named("subtract").unwrap();
    window.click(pos, NONE);
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Key::J, NONE);
    assert!(greatest(&window) > before + 0.2, "{} after {before}", greatest(&window));
    let shown = pixels(&mut window, &[pos])[0];
    assert!(apart(shown, plain) > 20, "{shown:?} {plain:?}");
    window.key(Key::Z, CTRL);
    assert!((greatest(&window) - before).abs() < 1e-6);
}

#[test]
fn the_card_stays_open_while_one_paints_and_takes_no_stroke() {
    let mut window = with_card();
    let [_, elbow, _] = along_the_arm(&window);
    window.click(elbow, NONE);
    assert_eq!(window.editor().history().n_done(), 1);
    assert!(window.app().viewport().shows_display);
    let ramp = window.harness.get_by_label("Ember").rect();
    window.drag(&[ramp.left_center() - vec2(14.0, 0.0), ramp.right_center()], egui::PointerButton::Primary, NONE);
    assert_eq!(window.editor().history().n_done(), 1, "nothing is painted through it");
    window.click_label("Close display");
    assert!(!window.app().viewport().shows_display);
}
