//! Meshes that several nodes show, and parting a node from the others.

use std::sync::Arc;

use sinew_edit::{CommandError, Editor, LineError};
use sinew_model::{MeshIndex, NodeIndex, Row};
use sinew_tests::{Node, Scene, pair_two_meshes, seam, strip};

use crate::{MESH, all_rows, editor, run, weight};

const COPY: MeshIndex = MeshIndex(1);

/// The scene with its mesh at a second node, `twin`.
fn at_two_nodes(mut scene: Scene) -> Scene {
    scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::at("twin", glam::Vec3::ZERO) });
    scene
}

fn meshes_shown(editor: &Editor) -> Vec<u32> {
    editor.document().instances().iter().map(|instance| instance.mesh.0).collect()
}

fn names(editor: &Editor) -> Vec<String> {
    editor.document().meshes().iter().map(|mesh| mesh.name.clone().unwrap_or_default()).collect()
}

fn rows_of(editor: &Editor, mesh: MeshIndex) -> Vec<Row> {
    let weights = &editor.document().mesh(mesh).weights;
    weights.vertices().map(|v| weights.get(v)).collect()
}

#[test]
fn painting_a_shared_mesh_changes_both_nodes_and_a_unique_one_only_its_own() {
    // B37
    let mut editor = editor(&at_two_nodes(strip()));
    run(&mut editor, &["pose turns=J1:0,0,90"]);
    let both = |editor: &mut Editor| [0, 1].map(|i| editor.posed(i).posed.positions[3]);
    let at_first = both(&mut editor);
    run(&mut editor, &["set vertices=3 joint=J1 value=1"]);
    let painted = both(&mut editor);
    assert_eq!(painted[0], painted[1]);
    assert_ne!(painted[0], at_first[0]);

    let outcome = editor.run("make_unique node=twin").expect("runs").expect("a command");
    assert_eq!(outcome.message, "twin has mesh Strip (2); Strip stays with Strip");
    assert_eq!((meshes_shown(&editor), names(&editor)), (vec![0, 1], vec!["Strip".to_owned(), "Strip (2)".to_owned()]));
    assert_eq!(rows_of(&editor, MESH), rows_of(&editor, COPY));
    assert_eq!(both(&mut editor), painted, "nothing moves by it");

    run(&mut editor, &["set vertices=3 joint=J1 value=0 mesh=\"Strip (2)\""]);
    let after = both(&mut editor);
    assert_eq!(after[0], painted[0], "the other node keeps its rows");
    assert_ne!(after[1], painted[1]);
    assert_eq!(weight(&editor, 3, 1), 1.0);
    assert_eq!(editor.census(COPY).n_vertices, 10);
}

#[test]
fn undo_takes_the_copy_away_redo_brings_it_back_and_the_script_makes_it_again() {
    // B37
    let scene = at_two_nodes(strip());
    let mut editor = editor(&scene);
    let opened = all_rows(&editor);
    let lines = [
        "stroke joint=J1 value=1 radius=0.1 falloff=constant points=0.5,0.5,0",
        "make_unique node=1",
        "stroke mesh=\"Strip (2)\" joint=J1 value=0 radius=0.6 points=0.5,1,0",
        "stroke mesh=Strip joint=J0 value=0.25 radius=0.6 points=-0.5,1.5,0",
    ];
    run(&mut editor, &lines);
    run(&mut editor, &["mesh name=\"Strip (2)\""]);
    let edited = all_rows(&editor);
    let script = editor.script();
    assert!(script.contains("make_unique node=twin\n"), "{script}");

    run(&mut editor, &["undo", "undo", "undo"]);
    assert_eq!((meshes_shown(&editor), names(&editor)), (vec![0, 0], vec!["Strip".to_owned()]));
    assert_eq!(editor.session.active_mesh, None, "the mesh that was chosen is gone");
    assert_eq!(editor.target_meshes(), [MESH]);
    let shared = [0, 1].map(|i| editor.posed(i).posed.positions.clone());
    assert_eq!(shared[0], shared[1]);
    run(&mut editor, &["undo"]);
    assert_eq!(all_rows(&editor), opened);

    run(&mut editor, &["redo", "redo", "redo", "redo"]);
    assert_eq!(all_rows(&editor), edited);
    let mut replayed = crate::editor(&scene);
    run(&mut replayed, &script.lines().collect::<Vec<_>>());
    assert_eq!((all_rows(&replayed), names(&replayed)), (edited, names(&editor)));
}

#[test]
fn a_copy_keeps_the_seams_of_its_original_whatever_was_painted_before() {
    // B37, B32
    let mut editor = editor(&at_two_nodes(seam()));
    run(&mut editor, &["set vertices=0-5 joint=J1 value=0.5", "make_unique node=twin"]);
    let (original, copy) = (editor.surface(MESH), editor.surface(COPY));
    assert!(Arc::ptr_eq(&original, &copy));
    assert_eq!(copy.n_seams, 2);
    run(&mut editor, &["stroke mesh=\"Seam (2)\" joint=J1 value=1 radius=0.3 points=0.5,1,0"]);
    let rows = rows_of(&editor, COPY);
    assert!(rows[5].same_influences(&rows[7]) && rows[4].same_influences(&rows[6]), "the seam stays closed");
}

#[test]
fn copies_of_different_meshes_may_take_the_same_number_one_after_the_other() {
    // What is kept by mesh number (reach, census) must not outlive the mesh.
    let mut scene = at_two_nodes(pair_two_meshes());
    scene.meshes[1] = seam().meshes.remove(0);
    scene.meshes[1].name = "Right".to_owned();
    scene.add_node(None, Node { mesh: Some(1), skin: Some(0), ..Node::at("other twin", glam::Vec3::ZERO) });
    let mut editor = editor(&scene);
    let stroke = |name: &str| format!("stroke mesh=\"{name} (2)\" joint=L1 value=1 radius=5 reach=volume points=0,1,0");
    run(&mut editor, &["make_unique node=twin", &stroke("Left")]);
    assert_eq!(editor.census(MeshIndex(2)).n_vertices, 10);
    run(&mut editor, &["undo", "undo", "make_unique node=\"other twin\"", &stroke("Right")]);
    assert_eq!(editor.census(MeshIndex(2)).n_vertices, 12);
    assert_eq!(meshes_shown(&editor), [0, 1, 0, 2]);
}

#[test]
fn what_cannot_be_made_unique_is_refused_by_name() {
    let mut editor = editor(&at_two_nodes(strip()));
    let error = |editor: &mut Editor, line: &str| editor.run(line).expect_err("refused").to_string();
    assert_eq!(
        error(&mut editor, "make_unique node=J0"),
        "no node with a mesh is named \"J0\"; there is \"Strip\", \"twin\""
    );
    assert!(error(&mut editor, "make_unique node=#0").contains("node 0 shows no mesh"));
    assert!(error(&mut editor, "make_unique node=2").contains("there are 2"));
    assert!(error(&mut editor, "make_unique").contains("needs node="));
    run(&mut editor, &["make_unique node=#3"]);
    for node in ["twin", "Strip"] {
        let error = editor.run(&format!("make_unique node={node}")).expect_err("refused");
        assert!(matches!(error, LineError::Command(CommandError::MeshNotShared { .. })), "{error}");
    }
    assert_eq!(editor.history().n_done(), 1);
    assert_eq!(editor.document().mesh_copies()[0].node, NodeIndex(3));
}
