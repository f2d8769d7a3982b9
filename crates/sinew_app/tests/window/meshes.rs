//! Models of several meshes: the list of them, what is in view, rigid parts, strokes from mesh to mesh.

use std::path::PathBuf;

use egui::{Key, PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::keymap::Do;
use sinew_app::viewport::marks::Marks;
use sinew_model::{MeshIndex, Row, VertexIndex};
use sinew_tests::{Node, Scene, strip};

use super::driver::{ALT, NONE, Setup, Window};

/// `Belt` from x = −0.5 to 0.5, `Body` from 1 to 2, and `Shield`, which hangs from a plain node under J1 and stands before
/// the lower half of the body. The meshes themselves are called `cube.001` to `cube.003`.
fn knight() -> Scene {
    let mut scene = strip();
    for i in 1..3 {
        scene.meshes.push(scene.meshes[0].clone());
        scene.meshes[i].name = format!("cube.00{}", i + 1);
    }
    "cube.001".clone_into(&mut scene.meshes[0].name);
    for position in &mut scene.meshes[1].primitives[0].positions {
        position.x += 1.5;
    }
    let shield = &mut scene.meshes[2].primitives[0];
    shield.rows.clear();
    for position in &mut shield.positions {
        *position = Vec3::new(position.x + 1.5, position.y * 0.5, 0.0);
    }
    let node = scene.nodes[2].clone();
    "Belt".clone_into(&mut scene.nodes[2].name);
    scene.add_node(None, Node { mesh: Some(1), name: "Body".to_owned(), ..node });
    let grip = scene.add_node(Some(1), Node::at("Grip", Vec3::new(0.0, -1.0, 0.5)));
    scene.add_node(Some(grip), Node { mesh: Some(2), ..Node::at("Shield", Vec3::ZERO) });
    scene
}

fn open(scene: &Scene) -> Window {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("knight.glb");
    std::fs::write(&path, scene.glb()).unwrap();
    let size = vec2(1500.0, 800.0);
    let mut window = Window::new(Setup { path: Some(path), size, ..Setup::default() });
    window.key(Key::Num1, NONE);
    window.editor_mut().run("joint name=J1").unwrap();
    window.editor_mut().session.brush.radius = 0.3;
    window
}

fn rows(window: &Window, mesh: u32) -> Vec<Row> {
    let weights = &window.editor().document().mesh(MeshIndex(mesh)).weights;
    weights.vertices().map(|v| weights.get(v)).collect()
}

/// A slow drag from the belt to the body's upper half, not released.
fn drag(window: &mut Window) -> Pos2 {
    let [from, to] = [Vec3::new(0.0, 1.5, 0.0), Vec3::new(1.6, 1.5, 0.0)].map(|at| window.pos(at));
    window.hover(from);
    window.press(from, PointerButton::Primary, NONE);
    (1..=30).for_each(|i| window.hover(from.lerp(to, i as f32 / 30.0)));
    to
}

fn said(window: &Window) -> String {
    window.app().notice().map(|notice| notice.text.clone()).unwrap_or_default()
}

#[test]
fn a_stroke_goes_on_from_mesh_to_mesh_or_says_in_the_status_line_on_which_it_stays() {
    // B04
    let mut window = open(&knight());
    let body = rows(&window, 1);
    let to = drag(&mut window);
    let text = "The stroke stays on Belt: All meshes is off";
    assert!(window.harness.query_by_label(text).is_some(), "while it goes on: {}", said(&window));
    window.release(to, PointerButton::Primary, NONE);
    assert!(said(&window).contains(text), "{}", said(&window));
    assert_eq!(rows(&window, 1), body);

    window.editor_mut().session.paint.all_meshes = true;
    let to = drag(&mut window);
    window.release(to, PointerButton::Primary, NONE);
    assert!(!said(&window).contains("stays"), "{}", said(&window));
    assert_ne!(rows(&window, 1), body);
    assert_eq!(window.editor().history().n_done(), 2);
}

#[test]
fn the_list_of_meshes_chooses_one_and_puts_others_out_of_view() {
    let mut window = open(&knight());
    window.click_label("Meshes");
    let ask = |window: &Window, name: &str| window.harness.query_by_label(name).is_some();
    for name in ["Mesh All", "Mesh Belt", "Mesh Body", "Mesh Rigid parts", "Mesh Shield"] {
        assert!(ask(&window, name), "{name}");
    }
    let n_pictures = window.app().viewport().n_pictures();
    window.click_label("Body in view");
    assert_eq!(window.editor_mut().shown_instances().to_vec(), [true, false, true]);
    assert!(window.app().viewport().n_pictures() > n_pictures, "that is another picture");
    window.harness.get_by_label("Body in view").click_modifiers(ALT);
    window.harness.run();
    assert_eq!(window.editor_mut().shown_instances().to_vec(), [false, true, false], "with Alt alone");
    window.click_label("Rigid parts in view");
    window.click_label("All in view");
    assert_eq!(window.editor_mut().shown_instances().to_vec(), [true; 3]);

    window.click_label("Mesh Belt");
    assert_eq!(window.editor().session.active_mesh, Some(MeshIndex(0)));
    assert_eq!(said(&window), "Mesh Belt");
    assert!(!ask(&window, "Mesh Body"), "the list closes");
    window.click_label("Meshes");
    window.click_label("Mesh All");
    assert_eq!(window.editor().session.active_mesh, None);
    assert!(!window.app().file().unwrap().is_unsaved(), "the view alone has changed");

    let mut alone = open(&strip());
    assert!(alone.harness.query_by_label("Meshes").is_none(), "one mesh needs no list");
    alone.harness.run();
}

#[test]
fn a_gradient_over_all_meshes_leaves_alone_what_is_out_of_sight() {
    let mut window = open(&knight());
    window.editor_mut().session.paint.all_meshes = true;
    let body = rows(&window, 1);
    let [from, to] = [Vec3::new(0.0, 0.3, 0.0), Vec3::new(0.0, 1.7, 0.0)].map(|at| window.pos(at));
    for (line, is_painted) in [("show_mesh node=Body is=hidden", false), ("show_mesh", true)] {
        window.editor_mut().run(line).unwrap();
        let belt = rows(&window, 0);
        let ctx = window.harness.ctx.clone();
        window.harness.state_mut().perform(&ctx, sinew_app::action::Action::Do(Do::LinearGradient));
        window.stroke(from, to, NONE);
        window.key(Key::Enter, NONE);
        assert_ne!(rows(&window, 0), belt, "{line}");
        assert_eq!(rows(&window, 1) != body, is_painted, "{line}");
        window.editor_mut().run("undo").unwrap();
    }
}

#[test]
fn a_rigid_part_gives_its_joint_and_can_be_put_out_of_the_way() {
    let mut window = open(&knight());
    let on_shield = window.pos(Vec3::new(1.4, 0.5, 0.5));
    let body = rows(&window, 1);
    window.click(on_shield, NONE);
    assert!(said(&window).contains("View > Rigid Parts"), "{}", said(&window));
    window.editor_mut().run("joint name=J0").unwrap();
    window.hover(on_shield + vec2(1.0, 0.0));
    window.key(Key::S, NONE);
    assert_eq!(said(&window), "Joint J1");

    window.menu("View");
    window.click_label("Rigid Parts");
    assert_eq!(window.editor_mut().shown_instances().to_vec(), [true, true, false]);
    window.editor_mut().session.brush.radius = 0.8;
    window.hover(on_shield + vec2(2.0, 0.0));
    window.click(on_shield, NONE);
    assert_ne!(rows(&window, 1), body, "what was behind it is painted");
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, sinew_app::action::Action::Do(Do::ToggleRigid));
    assert_eq!(window.editor_mut().shown_instances().to_vec(), [true; 3]);
}

#[test]
fn isolating_leaves_nothing_else_in_view_and_frames_it_and_is_undone_as_one() {
    let mut window = open(&knight());
    window.editor_mut().run("select mesh=Belt vertices=0-3").unwrap();
    window.key(Key::Slash, NONE);
    window.key(Key::Home, NONE);
    let view = window.app().viewport().view();
    let area = window.app().viewport().area().rect().shrink(2.0);
    let corners = [Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.5, 0.5, 0.0)].map(|at| window.pos(at));
    assert!(corners.iter().all(|&corner| area.contains(corner)));
    let (wide, high) = (corners[1].x - corners[0].x, corners[0].y - corners[1].y);
    assert!(wide > area.width() * 0.7 || high > area.height() * 0.7, "{wide} {high}: it fills the view");
    for hidden in [Vec3::new(0.0, 1.5, 0.0), Vec3::new(1.5, 1.5, 0.0), Vec3::new(1.5, 0.5, 0.5)] {
        let ray = view.ray_at(view.px_of(hidden).unwrap());
        assert!(window.editor_mut().pick(ray).is_none(), "{hidden}");
    }
    window.click_label("Show hidden");
    let shield = Vec3::new(1.5, 0.5, 0.5);
    let ray = view.ray_at(view.px_of(shield).unwrap());
    assert_eq!(window.editor_mut().pick(ray).map(|hit| hit.mesh), Some(MeshIndex(2)));
}

#[test]
fn a_counter_goes_from_place_to_place_and_says_which() {
    // B63, Pain 18
    let mut scene = knight();
    for (mesh, vertices) in [(0, &[0, 1, 2][..]), (1, &[8, 9][..])] {
        for &v in vertices {
            scene.meshes[mesh].primitives[0].rows[v].clear();
        }
    }
    let mut window = open(&scene);
    assert!(window.harness.query_by_label("All weights sum to 1").is_none());
    assert!(window.harness.query_by_label("All weighted vertices sum to 1").is_some());
    let is_in_view = |window: &Window, at: Vec3| window.app().viewport().area().rect().contains(window.pos(at));
    let (first, second) = (Vec3::new(-0.5, 0.0, 0.0), Vec3::new(2.0, 2.0, 0.0));
    window.click_label("5 unweighted");
    assert_eq!(said(&window), "1 of 2 places: 3 unweighted vertices here");
    assert!(is_in_view(&window, first) && !is_in_view(&window, second));
    window.click_label("5 unweighted");
    assert_eq!(said(&window), "2 of 2 places: 2 unweighted vertices here");
    assert!(!is_in_view(&window, first) && is_in_view(&window, second));
    assert_eq!(window.app().viewport().options.marks, Some(Marks::Unweighted));
    window.click_label("5 unweighted");
    assert_eq!(window.app().viewport().options.marks, None);
    window.editor_mut().run("show_mesh node=Body is=hidden").unwrap();
    window.click_label("5 unweighted");
    assert_eq!(said(&window), "3 unweighted vertices, all in one place");
}

#[test]
fn a_counter_turns_to_the_side_on_which_its_vertices_lie() {
    let mut scene = sinew_tests::tube(9, 16);
    // The ring's vertices toward −Z.
    let behind = [4 * 16 + 11, 4 * 16 + 12, 4 * 16 + 13];
    for &v in &behind {
        scene.rows()[v].clear();
    }
    let mut window = open(&scene);
    window.click_label("3 unweighted");
    let eye = window.app().viewport().camera.eye();
    let place = window.editor_mut().posed(0).posed.positions[behind[1]];
    assert!(eye.z < place.z, "{eye} looks at {place}");
    let hit = window.editor_mut().pick(sinew_edit::pick::Ray { origin: eye, direction: place - eye }).unwrap();
    assert!(hit.t > 0.99, "nothing lies before it");
    assert!(behind.contains(&(hit.vertex.idx())) || hit.vertex == VertexIndex(behind[1] as u32));
}

#[test]
fn the_read_out_says_which_mesh_is_under_the_brush() {
    let mut window = open(&knight());
    let at = window.pos(Vec3::new(0.1, 1.5, 0.0));
    window.hover(at);
    let hit = *window.app().viewport().hover().unwrap();
    let read_out =
        |window: &mut Window| sinew_app::viewport::read_out::of_vertex(window.editor_mut(), &hit, &[]).unwrap().mesh;
    assert_eq!(read_out(&mut window), Some(("Belt".to_owned(), false)));
    window.editor_mut().run("mesh name=cube.001").unwrap();
    assert_eq!(read_out(&mut window), Some(("Belt".to_owned(), true)), "the one that commands act on");
}
