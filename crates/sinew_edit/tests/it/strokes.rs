//! What strokes do to weights.

use glam::Vec3;
use sinew_tests::{patch, seam, strip};

use crate::{MESH, all_rows, assert_close, editor, row, run, weight};

#[test]
fn painting_a_second_joint_takes_the_weight_of_the_first() {
    // B23
    let mut scene = strip();
    scene.rows().iter_mut().for_each(|row| *row = vec![(0, 1.0)]);
    let mut editor = editor(&scene);
    let outcome = editor
        .run("stroke joint=J1 brush=replace value=1 radius=0.1 falloff=constant points=-0.5,0,0")
        .expect("paints")
        .expect("does something");
    assert_eq!(outcome.n_vertices, 1);
    assert!(outcome.notes.is_empty(), "{:?}", outcome.notes);
    assert_eq!((weight(&editor, 0, 0), weight(&editor, 0, 1)), (0.0, 1.0));
    assert_eq!(weight(&editor, 1, 0), 1.0);
}

#[test]
fn modes_follow_their_formulas() {
    // B36
    let mut scene = strip();
    scene.rows()[4] = vec![(0, 0.6), (1, 0.4)];
    for (brush, strength, expected) in
        [("add", 0.5, 0.9), ("replace", 0.5, 0.7), ("replace", 1.0, 1.0), ("subtract", 0.5, 0.0)]
    {
        let mut editor = editor(&scene);
        run(
            &mut editor,
            &[&format!(
                "stroke joint=J1 brush={brush} value=1 strength={strength} radius=0.1 falloff=constant points=-0.5,1,0"
            )],
        );
        assert_close(weight(&editor, 4, 1), expected);
        assert_close(weight(&editor, 4, 0), 1.0 - expected);
    }
}

#[test]
fn locked_joints_keep_their_weight_to_the_bit() {
    // B24
    let mut scene = strip();
    scene.add_joint(1, "J2", Vec3::Y * 0.5);
    scene.rows()[4] = vec![(0, 0.5), (1, 0.3), (2, 0.2)];
    let stroke = "stroke joint=J0 value=0.9 radius=0.1 falloff=constant points=-0.5,1,0";

    let mut locked = editor(&scene);
    run(&mut locked, &["lock joint=J2", stroke]);
    assert_close(weight(&locked, 4, 0), 0.8);
    assert_eq!(weight(&locked, 4, 1), 0.0);
    assert_eq!(weight(&locked, 4, 2).to_bits(), 0.2_f32.to_bits());

    let mut free = editor(&scene);
    run(&mut free, &["stroke joint=J0 value=0.8 radius=0.1 falloff=constant points=-0.5,1,0"]);
    assert_close(weight(&free, 4, 1), 0.12);
    assert_close(weight(&free, 4, 2), 0.08);

    let mut other = editor(&scene);
    run(&mut other, &["lock joint=J1", stroke]);
    assert_close(weight(&other, 4, 0), 0.7);
    assert_eq!(weight(&other, 4, 1).to_bits(), 0.3_f32.to_bits());
    assert_eq!(weight(&other, 4, 2), 0.0);
}

#[test]
fn erasing_the_only_joint_keeps_it_and_says_so() {
    // B25
    let mut scene = strip();
    scene.rows().iter_mut().for_each(|row| *row = vec![(0, 1.0)]);
    let mut editor = editor(&scene);
    let outcome = editor
        .run("stroke joint=J0 value=0 radius=0.1 falloff=constant points=-0.5,0,0")
        .expect("runs")
        .expect("a command");
    assert_eq!(outcome.notes, ["no other joint on 1 vertex"]);
    assert_eq!(weight(&editor, 0, 0), 1.0);
    assert!(!editor.history().can_undo(), "nothing changed, so there is no step");
    assert!(editor.refused(MESH).is_some_and(|refused| refused.len() == 1));
}

#[test]
fn a_dab_reaches_every_vertex_within_its_radius_slivers_included() {
    // B28
    let mut scene = patch(4, 4);
    // One corner of the middle cell is pulled onto the line between two others, up to 1e-4.
    let middle = 2 * 5 + 2;
    let primitive = scene.primitive();
    primitive.positions[middle] = Vec3::new(1.9999, 1.9999, 0.0);
    let centre = Vec3::new(2.0, 2.0, 0.0);
    for (reach, radius) in [("surface", 0.3_f32), ("volume", 0.3), ("surface", 1.5), ("volume", 1.5)] {
        let mut editor = editor(&scene);
        run(&mut editor, &[&format!("stroke joint=B radius={radius} falloff=constant reach={reach} points=2,2,0")]);
        for (v, position) in scene.meshes[0].primitives[0].positions.iter().enumerate() {
            let expected = if position.distance(centre) <= radius { 1.0 } else { 0.0 };
            assert_eq!(weight(&editor, v as u32, 1), expected, "vertex {v}, {reach} {radius}");
        }
    }
}

#[test]
fn front_only_spares_what_is_hidden_and_volume_goes_through() {
    // B29: two patches .05 apart, the eye in front.
    let mut scene = patch(4, 4);
    let primitive = scene.primitive();
    let n = primitive.positions.len();
    let behind: Vec<Vec3> = primitive.positions.iter().map(|p| *p - Vec3::Z * 0.05).collect();
    primitive.positions.extend(behind);
    let (rows, uvs, normals) = (primitive.rows.clone(), primitive.uvs.clone(), primitive.normals.clone());
    primitive.rows.extend(rows);
    primitive.uvs.extend(uvs);
    primitive.normals.extend(normals);
    let indices = primitive.indices.clone().expect("indexed");
    primitive.indices.as_mut().expect("indexed").extend(indices.iter().map(|i| i + n as u32));
    let base = "stroke joint=B radius=1.2 falloff=constant reach=volume points=2,2,0";

    let mut front = editor(&scene);
    run(&mut front, &[&format!("{base} eye=2,2,10")]);
    assert!((n..2 * n).all(|v| weight(&front, v as u32, 1) == 0.0));
    assert_eq!(weight(&front, 12, 1), 1.0);

    let mut through = editor(&scene);
    run(&mut through, &[base]);
    assert!((0..n).all(|v| weight(&through, v as u32, 1) == weight(&through, (v + n) as u32, 1)));
    assert_eq!(weight(&through, 12, 1), 1.0);
}

#[test]
fn a_path_paints_the_same_whatever_its_number_of_points() {
    // B31
    let scene = patch(40, 1);
    let few = "2,0.5,0;32,0.5,0".to_owned();
    let many = (0..=30).map(|i| format!("{},0.5,0", i + 2)).collect::<Vec<_>>().join(";");
    let painted = [few, many].map(|path| {
        let mut editor = editor(&scene);
        run(&mut editor, &[&format!("stroke joint=B radius=2 strength=0.5 path={path}")]);
        editor
    });
    for v in 0..82 {
        let (a, b) = (weight(&painted[0], v, 1), weight(&painted[1], v, 1));
        assert!((a - b).abs() < 1e-3, "vertex {v}: {a} and {b}");
        if (2..=32).contains(&(v % 41)) {
            assert!(a > 0.5, "vertex {v} was skipped: {a}");
        }
    }
}

#[test]
fn a_path_of_more_dabs_than_anybody_could_wait_for_is_refused() {
    let mut editor = editor(&strip());
    for path in ["path=0,0,0;0,2,0 radius=1e-30", "path=0,0,0;1e30,0,0;0,0,0 radius=0.1", "path=0,0,0;3e38,0,0"] {
        let error = editor.run(&format!("stroke joint=J1 {path}")).expect_err(path).to_string();
        assert!(error.contains("at most 1000000 dabs"), "{path}: {error}");
    }
    editor.run("stroke joint=J1 path=0,0,0;0,0,0 radius=1e-30").expect("a path of no length is one dab");
}

#[test]
fn smoothing_over_a_seam_keeps_twins_equal_to_the_bit() {
    // B32
    let scene = seam();
    let mut editor = editor(&scene);
    let dab = "stroke joint=J1 brush=smooth radius=0.8 strength=0.7 points=0,1,0";
    run(&mut editor, &[dab; 10]);
    assert_ne!(row(&editor, 4), sinew_model::Row::rigid(sinew_model::JointSlot(0)));
    for (a, b) in [(4, 6), (5, 7)] {
        assert_eq!(row(&editor, a), row(&editor, b));
    }
    run(&mut editor, &["smooth iterations=10", "pose turns=J1:0,0,90"]);
    let posed = &editor.posed(0).posed;
    assert_eq!(posed.positions[4], posed.positions[6]);
    assert_eq!(posed.positions[5], posed.positions[7]);
}

#[test]
fn each_stroke_is_one_step_and_survives_switching_joints() {
    // B35
    let mut editor = editor(&strip());
    let first = all_rows(&editor);
    for i in 0..3 {
        run(&mut editor, &[&format!("stroke joint=J1 brush=add value=0.2 radius=0.6 points=0,{},0", 0.5 * i as f32)]);
    }
    run(&mut editor, &["joint name=J0"]);
    for _ in 0..2 {
        run(&mut editor, &["stroke joint=J0 brush=add value=0.3 radius=0.6 points=0.5,1.5,0"]);
    }
    run(&mut editor, &["joint name=J1"]);
    let last = all_rows(&editor);
    assert_eq!(editor.history().n_done(), 5);
    for _ in 0..5 {
        editor.undo().expect("a step");
    }
    assert_eq!(all_rows(&editor), first);
    for _ in 0..5 {
        editor.redo().expect("a step");
    }
    assert_eq!(all_rows(&editor), last);
}

#[test]
fn painting_in_a_pose_changes_the_vertices_that_are_there_in_the_pose() {
    // B53: J1 turned 60°, one dab on vertex 9 where it stands now.
    let mut editor = editor(&strip());
    let rest = editor.posed(0).posed.positions.clone();
    run(&mut editor, &["pose turns=J1:0,0,60"]);
    let at = editor.posed(0).posed.positions[9];
    run(
        &mut editor,
        &[&format!(
            "stroke joint=J0 value=1 radius=0.2 falloff=constant pose=J1:0,0,60 points={},{},{}",
            at.x, at.y, at.z
        )],
    );
    assert_eq!(editor.history().entries().map(|entry| entry.n_vertices).collect::<Vec<_>>(), [1]);
    assert_eq!(weight(&editor, 9, 0), 1.0);
    run(&mut editor, &["reset_pose"]);
    assert_eq!(editor.posed(0).posed.positions, rest);
}

#[test]
fn one_mesh_at_two_nodes_shows_the_same_weights_at_once() {
    // B37
    let mut scene = strip();
    let node = scene.nodes.iter().position(|node| node.mesh.is_some()).expect("a mesh node");
    let copy = scene.nodes[node].clone();
    scene.add_node(None, copy);
    let mut editor = editor(&scene);
    run(&mut editor, &["pose turns=J1:0,0,90"]);
    let before = editor.posed(1).posed.positions[3];
    editor.posed(0);
    run(&mut editor, &["set vertices=3 joint=J1 value=1"]);
    assert_ne!(editor.posed(1).posed.positions[3], before);
    let first = editor.posed(0).posed.positions.clone();
    assert_eq!(editor.posed(1).posed.positions, first);
}

#[test]
fn the_budget_drops_the_smallest_others_but_never_more_than_the_painted_joint_gained() {
    let mut scene = strip();
    for i in 2..6 {
        scene.add_joint(1, &format!("J{i}"), Vec3::Y * 0.1);
    }
    scene.rows()[4] = vec![(0, 0.25), (1, 0.25), (2, 0.3), (3, 0.2)];
    let mut editor = editor(&scene);
    // Slot 4 gains .5; the smallest of the others goes.
    run(&mut editor, &["stroke joint=J4 value=0.5 radius=0.1 falloff=constant points=-0.5,1,0"]);
    assert_eq!(row(&editor, 4).len(), 4);
    assert_eq!(weight(&editor, 4, 4), 0.5);
    assert_eq!(weight(&editor, 4, 3), 0.0);
    // A breath of a fifth joint would push out far more than it brings: the vertex keeps its row.
    editor.undo().expect("a step");
    let before = row(&editor, 4);
    let outcome = editor
        .run("stroke joint=J4 value=0.01 radius=0.1 falloff=constant points=-0.5,1,0")
        .expect("runs")
        .expect("a command");
    assert_eq!(row(&editor, 4), before);
    assert_eq!(outcome.notes, ["1 vertex kept by the budget of 4 influences"]);
}
