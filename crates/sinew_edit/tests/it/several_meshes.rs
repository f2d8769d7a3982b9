//! Models of several meshes: which of them a stroke paints as the pointer goes from one to the next.

use glam::{Vec2, Vec3};
use sinew_edit::tools::{PaintModifiers, PaintTool};
use sinew_edit::{Editor, Outcome, Reach};
use sinew_model::{MeshIndex, Row};
use sinew_tests::{Node, Scene, Skin, strip};

use crate::tools::pointer;
use crate::{editor, run};

/// A belt across a body: `Belt` stands before `Body` (z = 1) from y = 0 to 2 at x = −0.5 to 0.5, the body beside it, from
/// x = 1 to 2. Their meshes are called `cube.001` and `cube.002`, as modelling programs do.
fn belt_and_body() -> Scene {
    let mut scene = strip();
    "cube.001".clone_into(&mut scene.meshes[0].name);
    scene.meshes.push(scene.meshes[0].clone());
    "cube.002".clone_into(&mut scene.meshes[1].name);
    for position in &mut scene.meshes[0].primitives[0].positions {
        position.z = 1.0;
    }
    for position in &mut scene.meshes[1].primitives[0].positions {
        position.x += 1.5;
    }
    let node = scene.nodes[2].clone();
    "Belt".clone_into(&mut scene.nodes[2].name);
    scene.add_node(None, Node { mesh: Some(1), name: "Body".to_owned(), ..node });
    scene
}

/// One drag from the belt over the body, events `step` pixels apart.
fn drag(editor: &mut Editor, step: usize) -> (Vec<Option<String>>, Outcome) {
    let mut tool = PaintTool::default();
    tool.press(editor, pointer(0.0, 100.0), PaintModifiers::default()).expect("may paint");
    let mut said = Vec::new();
    for x in (0..=200).step_by(step) {
        tool.drag(editor, pointer(x as f32, 100.0)).expect("may paint");
        said.push(tool.passes(editor));
    }
    (said, tool.release(editor).expect("a stroke"))
}

fn rows(editor: &Editor, mesh: u32) -> Vec<Row> {
    let weights = &editor.document().mesh(MeshIndex(mesh)).weights;
    weights.vertices().map(|v| weights.get(v)).collect()
}

fn with_brush(scene: &Scene, all_meshes: bool) -> Editor {
    let mut editor = editor(scene);
    run(&mut editor, &["joint name=J1"]);
    editor.session.brush.radius = 0.4;
    editor.session.brush.strength = 0.5;
    editor.session.paint.all_meshes = all_meshes;
    editor
}

#[test]
fn a_stroke_over_all_meshes_goes_on_where_the_pointer_leaves_the_first_in_one_step_that_replays() {
    // B04
    for reach in Reach::ALL {
        let scene = belt_and_body();
        let mut live = with_brush(&scene, true);
        live.session.brush.reach = reach;
        let before = [rows(&live, 0), rows(&live, 1)];
        let (said, outcome) = drag(&mut live, 4);
        assert!(said.iter().all(Option::is_none) && outcome.notes.is_empty(), "{reach:?}: {said:?} {outcome:?}");
        assert!(rows(&live, 0) != before[0] && rows(&live, 1) != before[1], "{reach:?}");
        let far = |editor: &Editor| rows(editor, 1)[5].weight(sinew_model::JointSlot(1));
        assert!(far(&live) > 0.7, "{reach:?}: the body's far edge has {} of J1", far(&live));
        assert_eq!(live.history().n_done(), 1);

        let mut again = editor(&scene);
        run(&mut again, &live.script().lines().collect::<Vec<_>>());
        assert!(rows(&again, 0) == rows(&live, 0) && rows(&again, 1) == rows(&live, 1), "{reach:?}");
        run(&mut live, &["undo"]);
        assert_eq!([rows(&live, 0), rows(&live, 1)], before);
    }
}

#[test]
fn dabs_of_a_stroke_from_mesh_to_mesh_do_not_depend_on_the_event_rate_and_a_leap_lays_no_more() {
    // B31
    let scene = belt_and_body();
    let [few, many] = [100, 1].map(|step| {
        let mut editor = with_brush(&scene, true);
        drag(&mut editor, step);
        editor
    });
    for mesh in [0, 1] {
        for (a, b) in rows(&few, mesh).iter().zip(rows(&many, mesh)) {
            let [a, b] = [a, &b].map(|row| row.weight(sinew_model::JointSlot(1)));
            assert!((a - b).abs() < 1e-3, "{a} and {b}");
        }
    }
    let script = few.script();
    let n_dabs = script.matches(';').count() + 1;
    // One unit of belt and one of body in steps of 0.1, and two first contacts.
    assert!((14..=18).contains(&n_dabs), "{n_dabs} dabs: {script}");
}

#[test]
fn a_stroke_on_one_mesh_says_so_while_the_pointer_is_over_another_and_when_it_ends() {
    let scene = belt_and_body();
    let mut editor = with_brush(&scene, false);
    let body = rows(&editor, 1);
    let (said, outcome) = drag(&mut editor, 4);
    assert_eq!(rows(&editor, 1), body);
    let text = "The stroke stays on Belt: All meshes is off";
    assert_eq!(said[10], None, "over the belt");
    assert_eq!(said[20], None, "over nothing");
    assert_eq!(said[40].as_deref(), Some(text), "over the body");
    assert_eq!(outcome.notes, [text]);
}

#[test]
fn a_stroke_over_all_meshes_says_what_it_cannot_paint() {
    let mut scene = belt_and_body();
    let other = scene.add_node(None, Node::at("Prop root", Vec3::ZERO));
    scene.skins.push(Skin { joints: vec![other], ..Skin::default() });
    scene.nodes[3].skin = Some(1);
    for row in &mut scene.meshes[1].primitives[0].rows {
        *row = vec![(0, 1.0)];
    }
    let mut editor = with_brush(&scene, true);
    let (_, outcome) = drag(&mut editor, 4);
    assert_eq!(outcome.notes, ["The stroke leaves out Body: the joint J1 is not in its skin"]);
    scene.nodes[3].skin = None;
    let mut editor = with_brush(&scene, true);
    let (said, _) = drag(&mut editor, 4);
    assert_eq!(said[40].as_deref(), Some("The stroke leaves out Body: it has no skin"));
    assert_eq!(editor.pick((pointer(0.0, 0.0).ray_at)(Vec2::new(150.0, 100.0))).map(|hit| hit.instance_idx), Some(1));
}

/// The belt and the body, and a plain `Shield` in front of both (z = 2) that hangs from a plain node under J1.
fn with_shield() -> Scene {
    let mut scene = belt_and_body();
    let mut shield = scene.meshes[0].clone();
    "cube.003".clone_into(&mut shield.name);
    let primitive = &mut shield.primitives[0];
    primitive.rows.clear();
    for position in &mut primitive.positions {
        *position = Vec3::new(4.0 * position.x, 2.0 * (position.y - 1.0), 1.0);
    }
    scene.meshes.push(shield);
    let grip = scene.add_node(Some(1), Node::at("Grip", Vec3::Z));
    let hand = Node { mesh: Some(2), ..Node::at("Shield", Vec3::ZERO) };
    scene.add_node(Some(grip), hand);
    scene
}

const SHIELD: u32 = 2;

fn hit(editor: &mut Editor, x: f32) -> Option<(MeshIndex, Option<String>)> {
    let hit = editor.pick((pointer(0.0, 0.0).ray_at)(Vec2::new(x, 100.0)))?;
    let joint = sinew_edit::pick::moved_by(editor.document(), &hit);
    Some((hit.mesh, joint.map(|joint| editor.document().nodes().label(joint))))
}

#[test]
fn a_rigid_part_gives_the_joint_it_hangs_from_and_a_stroke_on_it_says_how_to_reach_behind() {
    let mut editor = with_brush(&with_shield(), true);
    assert_eq!(hit(&mut editor, 0.0), Some((MeshIndex(SHIELD), Some("J1".to_owned()))));
    let refused = PaintTool::default().press(&mut editor, pointer(0.0, 100.0), PaintModifiers::default());
    let text = "the rigid part Shield of the joint J1 has no weights to paint. View > Rigid Parts hides such parts";
    assert_eq!(refused.expect_err("nothing to paint").to_string(), text);

    editor.session.out_of_sight.rigid = true;
    assert_eq!(hit(&mut editor, 0.0).map(|(mesh, _)| mesh), Some(MeshIndex(0)));
    let before = rows(&editor, 1);
    let (_, outcome) = drag(&mut editor, 4);
    assert!(rows(&editor, 1) != before && outcome.notes.is_empty());
    assert!(editor.bounds().max.z < 1.5, "what is hidden is not framed");
}

#[test]
fn only_what_is_selected_stays_in_view_though_parts_of_the_model_have_no_weights() {
    // Isolate and its kin look at the whole model, whichever mesh is chosen.
    for isolate in ["isolate", "hide what=unselected"] {
        let mut editor = editor(&with_shield());
        run(&mut editor, &["select mesh=Body vertices=0-3", "mesh name=Belt", isolate]);
        assert_eq!(hit(&mut editor, 0.0), None, "the belt and the shield before it");
        assert_eq!(hit(&mut editor, 150.0), None, "the shield before the body, and the body's upper half");
        let body = editor.pick((pointer(0.0, 0.0).ray_at)(Vec2::new(150.0, 40.0)));
        assert_eq!(body.map(|hit| hit.mesh), Some(MeshIndex(1)));
        run(&mut editor, &["undo"]);
        assert_eq!(hit(&mut editor, 0.0).map(|(mesh, _)| mesh), Some(MeshIndex(SHIELD)));
        run(&mut editor, &["redo", "reveal"]);
        assert_eq!(hit(&mut editor, 0.0).map(|(mesh, _)| mesh), Some(MeshIndex(SHIELD)));
        let mut one = crate::editor(&with_shield());
        run(&mut one, &["select mesh=Body vertices=0-3", &format!("{isolate} mesh=Body")]);
        assert_eq!(
            hit(&mut one, 0.0).map(|(mesh, _)| mesh),
            Some(MeshIndex(SHIELD)),
            "a line that names a mesh means it"
        );
    }
}

#[test]
fn meshes_are_shown_and_hidden_one_by_one_in_the_view_alone() {
    let mut editor = with_brush(&with_shield(), true);
    let shown = |editor: &mut Editor| editor.shown_instances().to_vec();
    let said = |editor: &mut Editor, line: &str| editor.run(line).expect("runs").expect("a command").message;
    assert_eq!(said(&mut editor, "show_mesh node=Shield is=hidden"), "Shield is hidden");
    assert_eq!(said(&mut editor, "show_mesh node=Body is=hidden"), "Body is hidden");
    assert_eq!(shown(&mut editor), [true, false, false]);
    let body = rows(&editor, 1);
    drag(&mut editor, 4);
    assert_eq!(rows(&editor, 1), body, "what is not in view is not painted along");
    assert!(editor.is_joint_shown(sinew_model::NodeIndex(1)), "its joints stay");
    assert_eq!(said(&mut editor, "show_mesh node=Body is=alone"), "Body is alone");
    assert_eq!(shown(&mut editor), [false, true, false]);
    assert_eq!(said(&mut editor, "show_mesh"), "All meshes are shown");
    assert_eq!(shown(&mut editor), [true; 3]);
    editor.session.out_of_sight.rigid = true;
    run(&mut editor, &["show_mesh node=Shield"]);
    assert_eq!(shown(&mut editor), [true; 3], "one that is asked for is shown");
    assert!(editor.run("show_mesh node=Helmet").is_err());
    assert!(editor.run("show_mesh node=Belt is=away").is_err());
    assert_eq!(editor.history().n_done(), 1, "the stroke; what is shown is no edit");
}

#[test]
fn people_read_the_names_of_nodes_where_scripts_have_those_of_meshes() {
    let mut editor = editor(&belt_and_body());
    let said = editor.run("mesh name=cube.001").expect("runs").expect("a command").message;
    assert_eq!(said, "Mesh Belt");
    run(&mut editor, &["joint name=J1", "set vertices=3 joint=J1 value=1"]);
    assert!(editor.script().contains("mesh=cube.001"), "{}", editor.script());
    let error = editor.run("set vertices=99 joint=J1 value=1").expect_err("no such vertex").to_string();
    assert!(error.contains("Belt") && !error.contains("cube"), "{error}");
}
