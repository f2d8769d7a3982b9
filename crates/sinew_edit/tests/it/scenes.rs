//! Which scene is shown: what is seen, picked and painted; and that edits and poses do not ask.

use glam::{Vec2, Vec3};
use sinew_edit::Editor;
use sinew_edit::pick::Ray;
use sinew_edit::tools::{PaintModifiers, PaintTool};
use sinew_io::MapResolver;
use sinew_model::{MeshIndex, Row, SceneIndex};
use sinew_tests::{GltfBuilder, strip, two_scenes};

use crate::run;
use crate::tools::pointer;

fn opened(builder: &GltfBuilder) -> Editor {
    Editor::new(sinew_io::import(builder.glb(), &MapResolver::default()).expect("opens").document)
}

fn rows(editor: &Editor, mesh: u32) -> Vec<Row> {
    let weights = &editor.document().mesh(MeshIndex(mesh)).weights;
    weights.vertices().map(|v| weights.get(v)).collect()
}

/// The first and last x of what is shown.
fn x_range(editor: &mut Editor) -> (f32, f32) {
    let bounds = editor.bounds();
    (bounds.min.x, bounds.max.x)
}

fn hits(editor: &mut Editor, x: f32) -> bool {
    editor.pick(Ray { origin: Vec3::new(x, 0.7, 10.0), direction: -Vec3::Z }).is_some()
}

#[test]
fn only_the_scene_that_is_shown_is_framed_and_picked_and_its_joints_move_from_outside() {
    // B72
    let mut editor = opened(&two_scenes());
    assert_eq!(editor.session.scene, Some(SceneIndex(0)), "the file's own");
    assert_eq!(x_range(&mut editor), (-0.5, 0.5));
    assert!(hits(&mut editor, 0.1) && !hits(&mut editor, 5.1));
    run(&mut editor, &["scene name=Low"]);
    assert_eq!(x_range(&mut editor), (4.5, 5.5));
    assert!(!hits(&mut editor, 0.1) && hits(&mut editor, 5.1));
    assert_eq!(editor.bones().len(), 2, "joints in no scene are drawn where they move what is shown");
    run(&mut editor, &["pose turns=J1:0,0,90"]);
    assert!(x_range(&mut editor).0 < 4.0, "joints in no scene move what is shown");
    run(&mut editor, &["reset_pose", "scene"]);
    assert_eq!(x_range(&mut editor), (-0.5, 5.5));
    assert!(hits(&mut editor, 0.1) && hits(&mut editor, 5.1));
    assert!(editor.run("scene name=Middle").is_err());
    assert!(editor.history().entries().next().is_none(), "what is shown is no edit");
}

#[test]
fn a_line_edits_a_mesh_whatever_is_shown() {
    // B72
    let mut editor = opened(&two_scenes());
    let before = rows(&editor, 1);
    run(&mut editor, &["set mesh=Low vertices=0-3 joint=J1 value=0.6"]);
    assert_ne!(rows(&editor, 1), before);
    run(&mut editor, &["smooth"]);
    let smooth = rows(&editor, 1);
    let mut all = opened(&two_scenes());
    run(&mut all, &["scene name=all", "set mesh=Low vertices=0-3 joint=J1 value=0.6", "smooth"]);
    assert!(smooth == rows(&all, 1), "all skinned meshes are smoothed, seen or not");
}

#[test]
fn a_stroke_meets_what_is_shown_and_nothing_else_and_its_line_does_the_same() {
    // B72: both in the same place, as levels of detail stand.
    let mut scene = strip();
    scene.meshes.push(scene.meshes[0].clone());
    scene.meshes[1].name = "Low".to_owned();
    let node = scene.nodes[2].clone();
    scene.add_node(None, sinew_tests::Node { mesh: Some(1), name: "Low".to_owned(), ..node });
    let mut builder = scene.build();
    builder.json["scenes"] = two_scenes().json["scenes"].clone();

    for (shown, seen, hidden) in [("#0", 0, 1), ("#1", 1, 0)] {
        let mut editor = opened(&builder);
        let untouched = rows(&editor, 0);
        run(&mut editor, &["joint name=J1", &format!("scene name={shown}")]);
        editor.session.brush.radius = 0.6;
        editor.session.paint.all_meshes = true;
        let mut tool = PaintTool::default();
        tool.press(&mut editor, pointer(0.0, 40.0), PaintModifiers::default()).expect("may paint");
        tool.drag(&mut editor, pointer(Vec2::ZERO.x, 120.0)).expect("may paint");
        tool.release(&mut editor);
        assert_ne!(rows(&editor, seen), untouched);
        assert_eq!(rows(&editor, hidden), untouched, "what is not shown is not painted");

        let mut again = opened(&builder);
        let script = editor.script();
        run(&mut again, &["scene name=all"]);
        run(&mut again, &script.lines().collect::<Vec<_>>());
        assert!(rows(&again, 0) == rows(&editor, 0) && rows(&again, 1) == rows(&editor, 1));
    }
}

#[test]
fn everything_is_shown_where_the_files_scene_would_hide_what_can_be_painted() {
    // B72
    let first = |roots_of_high: Vec<u32>, n_scenes: usize, shown: Option<u32>| {
        let mut builder = two_scenes();
        builder.json["scenes"][0]["nodes"] = roots_of_high.into();
        builder.json["scenes"].as_array_mut().expect("a list").truncate(n_scenes);
        builder.json["scene"] = shown.map(Into::into).unwrap_or_default();
        opened(&builder).session.scene
    };
    assert_eq!(first(vec![0], 2, Some(0)), None, "joints alone are nothing to paint");
    assert_eq!(first(vec![0], 2, Some(1)), Some(SceneIndex(1)));
    assert_eq!(first(vec![2], 2, Some(0)), Some(SceneIndex(0)));
    assert_eq!(first(vec![2], 1, Some(0)), None, "what is in no scene could not be chosen");
    assert_eq!(first(vec![2], 2, None), None);
    assert_eq!(first(vec![2], 0, None), None);
}
