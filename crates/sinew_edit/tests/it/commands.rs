//! Command lines: what they take, refuse and do.

use glam::Vec3;
use sinew_edit::Editor;
use sinew_model::{JointSlot, Row};
use sinew_tests::{chain, pair_two_meshes, seam, strip};

use crate::{MESH, all_rows, assert_close, editor, row, run, weight};

#[test]
fn limiting_keeps_the_largest_and_rescales() {
    // B01
    let mut scene = strip();
    for i in 2..6 {
        scene.add_joint(1, &format!("J{i}"), Vec3::Y * 0.1);
    }
    scene.primitive().n_sets = 2;
    scene.rows()[4] = vec![(0, 0.30), (1, 0.25), (2, 0.20), (3, 0.15), (4, 0.06), (5, 0.04)];
    let mut editor = editor(&scene);
    assert_eq!(row(&editor, 4).len(), 6);
    let outcome = editor.run("limit influences=4").expect("runs").expect("a command");
    assert_eq!(outcome.n_vertices, 1);
    for (slot, expected) in [(0, 0.3333), (1, 0.2778), (2, 0.2222), (3, 0.1667)] {
        assert!((weight(&editor, 4, slot) - expected).abs() < 1e-4);
    }
}

#[test]
fn normalizing_divides_by_the_sum_and_lists_rows_without_weight() {
    // B18, B19, B22
    let mut scene = strip();
    for i in 2..8 {
        scene.add_joint(1, &format!("J{i}"), Vec3::Y * 0.1);
    }
    scene.primitive().n_sets = 2;
    scene.rows()[0] = vec![(0, 0.0)];
    scene.rows()[1] = (0..8).map(|slot| (slot, 0.2)).collect();
    scene.rows()[2] = vec![(0, 1.0), (1, 0.6), (2, 0.4)];
    scene.rows()[3] = vec![(0, 0.5), (1, 0.3), (2, 0.2)];
    let mut editor = editor(&scene);
    let fine = row(&editor, 3);
    let outcome = editor.run("normalize").expect("runs").expect("a command");
    assert_eq!(outcome.n_vertices, 2);
    assert!(outcome.notes[0].contains("1 vertex without weight left alone (0)"), "{:?}", outcome.notes);
    assert!((0..8).all(|slot| (weight(&editor, 1, slot) - 0.125).abs() < 1e-7));
    assert_close(weight(&editor, 2, 0), 0.5);
    assert_close(weight(&editor, 2, 1), 0.3);
    assert_eq!(row(&editor, 3), fine);
    assert!(row(&editor, 0).is_empty());
}

#[test]
fn unweighted_vertices_are_counted_drawn_with_their_neighbour_and_settled_on_request() {
    // B20
    let mut scene = strip();
    scene.rows()[8] = vec![];
    scene.rows()[9] = vec![];
    let mut editor = editor(&scene);
    assert_eq!(editor.census(MESH).unweighted.len(), 2);
    let posed = editor.posed(0).posed.positions.clone();
    assert!((posed[8] - Vec3::new(-0.5, 2.0, 0.0)).length() < 1e-6);
    assert!((posed[9] - Vec3::new(0.5, 2.0, 0.0)).length() < 1e-6);
    run(&mut editor, &["set vertices=8-9 joint=J1 value=1"]);
    assert_eq!(row(&editor, 8), Row::rigid(JointSlot(1)));
    assert_eq!(editor.census(MESH).unweighted.len(), 0);
    editor.undo().expect("a step");
    assert_eq!(editor.census(MESH).unweighted.len(), 2);
    assert_eq!(editor.posed(0).posed.positions, posed);
    run(&mut editor, &["settle"]);
    assert!(row(&editor, 8).same_influences(&row(&editor, 6)));
    editor.undo().expect("a step");
    run(&mut editor, &["settle joint=J0"]);
    assert_eq!(row(&editor, 9), Row::rigid(JointSlot(0)));
}

#[test]
fn setting_one_twin_sets_both() {
    let mut editor = editor(&seam());
    run(&mut editor, &["set vertices=4 joint=J1 value=0.75"]);
    assert_eq!(weight(&editor, 4, 1), 0.75);
    assert_eq!(row(&editor, 4), row(&editor, 6));
}

#[test]
fn a_name_that_several_have_is_refused_with_the_numbers_to_take_instead() {
    let mut scene = pair_two_meshes();
    scene.meshes.iter_mut().for_each(|mesh| mesh.name = "Body".to_owned());
    let mut editor = editor(&scene);
    let error = editor.run("normalize mesh=Body").expect_err("two meshes have the name").to_string();
    assert_eq!(error, "2 meshes are named \"Body\"; say which: #0, #1");
    run(&mut editor, &["mesh name=#1"]);
}

#[test]
fn whole_mesh_lines_act_on_all_skinned_meshes_until_one_is_named() {
    let mut scene = pair_two_meshes();
    for mesh in &mut scene.meshes {
        mesh.primitives[0].rows[0].iter_mut().for_each(|(_, weight)| *weight *= 0.5);
    }
    let mut both = editor(&scene);
    assert_eq!(both.run("normalize").expect("runs").expect("a command").n_vertices, 2);
    let mut one = editor(&scene);
    run(&mut one, &["mesh name=Left"]);
    assert_eq!(one.run("normalize").expect("runs").expect("a command").n_vertices, 1);
    assert_eq!(one.script(), "normalize mesh=Left\n");
    run(&mut one, &["mesh name=all"]);
    assert_eq!(one.run("normalize").expect("runs").expect("a command").n_vertices, 1);
}

#[test]
fn joints_are_found_by_name_position_and_node() {
    let mut scene = strip();
    scene.nodes[1].name = "7".to_owned();
    let mut editor = editor(&scene);
    let at = |editor: &Editor| editor.session.active_joint.map(|joint| joint.0);
    run(&mut editor, &["joint name=J0"]);
    assert_eq!(at(&editor), Some(0));
    // A name of digits is a name first, a position only if nobody has it.
    run(&mut editor, &["joint name=7"]);
    assert_eq!(at(&editor), Some(1));
    run(&mut editor, &["joint name=0"]);
    assert_eq!(at(&editor), Some(0));
    run(&mut editor, &["joint name=#1"]);
    assert_eq!(at(&editor), Some(1));
    for (name, says) in [("9", "it has 2"), ("#2", "not a joint"), ("#99", "has 3 nodes"), ("j0", "J0")] {
        let error = editor.run(&format!("joint name={name}")).expect_err("no such joint").to_string();
        assert!(error.contains(says), "{name}: {error}");
    }
}

#[test]
fn refusals_say_what_was_expected_and_change_nothing() {
    let mut editor = editor(&strip());
    let before = all_rows(&editor);
    for (line, says) in [
        ("paint joint=J1", "there is no command \"paint\""),
        ("stroke joint=J1 points=0,0", "x,y,z"),
        ("stroke joint=J1", "points"),
        ("stroke joint=J1 points=0,0,0 path=0,0,0", "one of the two"),
        ("stroke points=0,0,0", "needs joint"),
        ("stroke joint=J9 points=0,0,0", "no joint is named \"J9\""),
        ("stroke joint=J1 points=0,0,0 brush=spray", "replace, add, subtract, smooth"),
        ("stroke joint=J1 points=0,0,0 value=2", "0 to 1"),
        ("stroke joint=J1 points=0,0,0 radius=-1", "radius"),
        ("stroke joint=J1 points=0,0,NaN", "x,y,z"),
        ("stroke joint=J1 points=0,0,0 colour=red", "no parameter \"colour\""),
        ("stroke joint=J1 points=0,0,0 pose=J1:1,2", "x,y,z"),
        ("stroke joint=J1 points=0,0,0 clip=Walk", "the file has none"),
        ("set vertices=0-99 joint=J1 value=1", "vertices 0 to 9"),
        ("set vertices=5-2 joint=J1 value=1", "3,7,10-99"),
        ("set vertices=0 joint=J1 value=x", "a number"),
        ("mesh name=Body", "no mesh is named \"Body\""),
        ("limit influences=0", "1 to 255"),
        ("undo", "nothing to undo"),
        ("redo", "nothing to redo"),
        ("normalize now", "key=value"),
    ] {
        let error = editor.run(line).expect_err(line).to_string();
        assert!(error.contains(says), "{line}: {error}");
    }
    run(&mut editor, &["lock joint=J1"]);
    let error = editor.run("stroke joint=J1 points=0,0,0").expect_err("locked").to_string();
    assert!(error.contains("\"J1\" is locked"), "{error}");
    assert_eq!(all_rows(&editor), before);
}

#[test]
fn locks_and_budget_are_undone_like_weights() {
    let mut editor = editor(&strip());
    run(&mut editor, &["lock joint=J1", "budget influences=8", "lock joint=all", "unlock joint=J0"]);
    assert_eq!(editor.document().locks().len(), 1);
    for _ in 0..4 {
        editor.undo().expect("a step");
    }
    assert!(editor.document().locks().is_empty());
    assert_eq!(editor.document().budget(), sinew_model::Budget::Influences(4));
    // Locking what is locked is no step.
    run(&mut editor, &["lock joint=J1"]);
    let steps = editor.history().n_done();
    run(&mut editor, &["lock joint=J1"]);
    assert_eq!(editor.history().n_done(), steps);
}

#[test]
fn all_joints_but_one_are_locked_in_one_step_and_the_script_says_so() {
    let mut editor = editor(&chain(5));
    run(&mut editor, &["lock joint=J2"]);
    let before = editor.document().locks().clone();
    run(&mut editor, &["lock joint=J2 others=yes"]);
    let locked: Vec<String> = {
        let document = editor.document();
        document.locks().iter().map(|&joint| document.nodes().label(joint)).collect()
    };
    assert_eq!(locked, ["J0", "J1", "J3", "J4"], "the named joint is free, whatever it was");
    let after = editor.document().locks().clone();
    assert_eq!(editor.history().n_done(), 2);
    let script = editor.script();
    editor.undo().expect("one step");
    assert_eq!(*editor.document().locks(), before);
    let mut again = self::editor(&chain(5));
    script.lines().for_each(|line| drop(again.run(line).expect(line)));
    assert_eq!(*again.document().locks(), after);
    for line in ["lock joint=J2 others=maybe", "lock joint=all others=yes", "unlock joint=J2 others=yes"] {
        again.run(line).expect_err(line);
    }
    assert_eq!(*again.document().locks(), after);
}

#[test]
fn several_joints_are_locked_by_one_line_and_so_is_what_was_painted() {
    // Pain 1
    let locked = |e: &Editor| e.document().locks().iter().map(|joint| joint.0).collect::<Vec<_>>();
    let mut e = editor(&crate::properties::scene());
    run(&mut e, &["lock joint=J0,J3"]);
    assert_eq!(locked(&e).len(), 2);
    assert!(e.run("unlock joint=J0,nobody").is_err());
    run(&mut e, &["unlock joint=J3,J0"]);
    assert_eq!((locked(&e).len(), e.history().n_done()), (0, 2));
    run(&mut e, &["lock_painted"]);
    assert_eq!(e.history().n_done(), 2, "nothing was painted");
    run(
        &mut e,
        &["set vertices=0 joint=J1 value=0.5", "flood joint=J2 with=J3 value=0.5", "set vertices=1 joint=J4 value=0.1"],
    );
    run(&mut e, &["undo", "joint name=J2", "lock_painted"]);
    assert!(e.script().ends_with("lock joint=J1,J3\n"), "neither what was undone nor the active one: {}", e.script());
    let mut replayed = editor(&crate::properties::scene());
    run(&mut replayed, &e.script().lines().collect::<Vec<_>>());
    assert_eq!(locked(&replayed), locked(&e));
}
