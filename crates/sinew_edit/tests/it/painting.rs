//! Who gives and takes: lanes, receivers, mirror, protection, donors; and gradients.

use glam::Vec3;
use sinew_edit::{Editor, SymmetrySettings};
use sinew_model::{JointSlot, MeshIndex, NodeIndex, VertexIndex};
use sinew_tests::{Scene, grid, pair, pair_two_meshes, patch, strip};

use crate::{MESH, all_rows, assert_close, editor, row, run, weight};

const ONE: &str = "radius=0.1 falloff=constant points=-0.5,1,0";

fn four_joints() -> Scene {
    let mut scene = strip();
    scene.add_joint(1, "J2", Vec3::Y * 0.5);
    scene.add_joint(2, "J3", Vec3::Y * 0.5);
    scene.rows()[4] = vec![(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)];
    scene
}

#[test]
fn a_lane_exchanges_weight_among_its_joints_only() {
    let mut editor = editor(&four_joints());
    run(&mut editor, &[&format!("stroke joint=J1 value=0.4 lane=J1,J2 {ONE}")]);
    let (zero, three) = (0.4_f32, 0.1_f32);
    assert_eq!(weight(&editor, 4, 0).to_bits(), zero.to_bits());
    assert_eq!(weight(&editor, 4, 3).to_bits(), three.to_bits());
    assert_close(weight(&editor, 4, 1), 0.4);
    assert_close(weight(&editor, 4, 2), 0.1);
    // More than the lane has is not to be had.
    run(&mut editor, &[&format!("stroke joint=J1 value=0.9 lane=J1,J2 {ONE}")]);
    assert_close(weight(&editor, 4, 1), 0.5);
    // Nothing is left to exchange, and it is not put on locks.
    let outcome = editor.run(&format!("stroke joint=J1 value=0.9 lane=J1,J2 {ONE}")).expect("runs").expect("a command");
    assert!(outcome.notes.iter().any(|note| note.contains("blocked by the lane")), "{:?}", outcome.notes);
}

#[test]
fn removed_weight_goes_where_the_artist_says() {
    // Pain 3
    let erased = |give: &str| {
        let mut editor = editor(&four_joints());
        run(&mut editor, &[&format!("stroke joint=J2 brush=erase give={give} {ONE}")]);
        [0, 1, 2, 3].map(|slot| weight(&editor, 4, slot))
    };
    let expect = |found: [f32; 4], expected: [f32; 4]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}, expected {expected:?}");
    };
    expect(erased("others"), [0.5, 0.375, 0.0, 0.125]);
    expect(erased("parent"), [0.4, 0.5, 0.0, 0.1]);
    expect(erased("J3"), [0.4, 0.3, 0.0, 0.3]);
    // The neighbours' mean: J0 .4375, J1 .5625.
    expect(erased("neighbours"), [0.4 + 0.2 * 0.4375, 0.3 + 0.2 * 0.5625, 0.0, 0.1]);
    // A joint without a parent in the skin gives to the others.
    let mut root = editor(&four_joints());
    run(&mut root, &[&format!("stroke joint=J0 brush=erase give=parent {ONE}")]);
    assert_close(weight(&root, 4, 1), 0.5);
    let error = editor(&four_joints()).run(&format!("stroke joint=J2 give=Nobody {ONE}")).expect_err("no such joint");
    assert!(error.to_string().contains("Nobody"), "{error}");
}

#[test]
fn a_mirrored_dab_paints_the_other_side_with_the_other_joint() {
    // B33: within one mesh and across two.
    let line = "stroke joint=L1 value=0.7 radius=0.1 falloff=constant mirror=x points=2.5,1.5,0";
    let mut one = editor(&pair());
    run(&mut one, &[line]);
    assert_close(weight(&one, 7, 1), 0.7);
    // Vertex 16 is at x = −2.5, y = 1.5.
    assert_close(weight(&one, 16, 3), 0.7);
    assert_eq!(weight(&one, 16, 1), 0.0);

    let mut two = editor(&pair_two_meshes());
    run(&mut two, &[line]);
    let right = &two.document().mesh(MeshIndex(1)).weights;
    assert_close(weight(&two, 7, 1), 0.7);
    assert_close(right.weight(VertexIndex(6), JointSlot(3)), 0.7);
    assert_eq!(right.weight(VertexIndex(6), JointSlot(1)), 0.0);
    assert_eq!(two.history().n_done(), 1, "both sides are one step");
    let rows = all_rows(&two);
    let script = two.script();
    two.undo().expect("a step");
    run(&mut two, &[script.trim()]);
    assert_eq!(all_rows(&two), rows);
}

#[test]
fn vertices_on_the_plane_are_painted_once_and_stay_even() {
    // B33
    let mut scene = patch(2, 1);
    scene.primitive().positions.iter_mut().for_each(|position| position.x -= 1.0);
    scene.nodes[1].name = "arm.L".to_owned();
    scene.nodes[1].translation = Vec3::X;
    scene.add_joint(0, "arm.R", -Vec3::X);
    scene.rebind(0);
    for v in [1, 4] {
        scene.rows()[v] = vec![(1, 0.5), (2, 0.5)];
    }
    let dab = "radius=0.3 falloff=constant mirror=x points=0,0,0;0,1,0";
    let mut even = editor(&scene);
    let before = row(&even, 1);
    run(&mut even, &[&format!("stroke joint=arm.L value=0.7 {dab}")]);
    assert_eq!(row(&even, 1), before, ".5/.5 stays .5/.5");
    // A joint of the middle gets what is asked, once.
    run(&mut even, &[&format!("stroke joint=A brush=add value=0.2 {dab}")]);
    assert_close(weight(&even, 1, 0), 0.2);
    assert_close(weight(&even, 1, 1), 0.4);
    assert_close(weight(&even, 1, 2), 0.4);
}

#[test]
fn a_mirrored_lock_blocks_its_side_only() {
    let mut editor = editor(&pair());
    let outcome = editor
        .run("lock joint=R1")
        .and_then(|_| editor.run("stroke joint=L1 value=0.7 radius=0.1 falloff=constant mirror=x points=2.5,1.5,0"));
    let outcome = outcome.expect("runs").expect("a command");
    assert_close(weight(&editor, 7, 1), 0.7);
    assert_close(weight(&editor, 16, 3), 0.75);
    assert_eq!(outcome.notes, ["1 vertex blocked by locks: R1"]);
}

#[test]
fn a_bent_character_is_mirrored_by_its_rest_shape() {
    // Pains 5 and 6
    let mut editor = editor(&pair());
    run(&mut editor, &["pose turns=L1:0,0,70;R1:30,10,0"]);
    let at = editor.posed(0).posed.positions[7];
    run(
        &mut editor,
        &[&format!(
            "stroke joint=L1 value=0.7 radius=0.1 falloff=constant mirror=x pose=L1:0,0,70;R1:30,10,0 points={},{},{}",
            at.x, at.y, at.z
        )],
    );
    assert_close(weight(&editor, 7, 1), 0.7);
    assert_close(weight(&editor, 16, 3), 0.7);
    assert!(editor.asymmetry(MESH, SymmetrySettings::default()).greatest < 1e-6);
}

#[test]
fn donors_and_receivers_are_told() {
    // Pain 1
    let mut scene = strip();
    scene.rows().iter_mut().for_each(|row| *row = vec![(0, 1.0)]);
    let mut editor = editor(&scene);
    assert!(editor.exchange().is_empty());
    run(&mut editor, &["stroke joint=J1 value=0.75 radius=0.1 falloff=constant points=-0.5,0,0;-0.5,1,0"]);
    let found: Vec<(u32, f64, f64)> =
        editor.exchange().iter().map(|exchange| (exchange.joint.0, exchange.given, exchange.received)).collect();
    assert_eq!(found, [(0, 1.5, 0.0), (1, 0.0, 1.5)]);
    editor.undo().expect("a step");
    assert!(editor.exchange().is_empty());
}

#[test]
fn what_was_painted_is_locked_when_another_joint_is_painted() {
    let mut editor = editor(&four_joints());
    editor.session.paint.protect = true;
    let lines = |editor: &Editor| {
        editor.script().lines().map(|line| line.split(' ').next().unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    run(&mut editor, &[&format!("stroke joint=J1 value=0.5 {ONE}"), &format!("stroke joint=J1 value=0.6 {ONE}")]);
    assert_eq!(lines(&editor), ["stroke", "stroke"]);
    run(&mut editor, &[&format!("stroke joint=J2 value=0.9 {ONE}")]);
    assert_eq!(lines(&editor), ["stroke", "stroke", "lock", "stroke"]);
    assert_close(weight(&editor, 4, 1), 0.6);
    assert_close(weight(&editor, 4, 2), 0.4);
    // The window says so as soon as another joint is active.
    editor.session.active_joint = Some(NodeIndex(0));
    editor.protect_painted();
    editor.protect_painted();
    assert_eq!(lines(&editor), ["stroke", "stroke", "lock", "stroke", "lock"]);
    // The script alone does it again: it says what was locked and when.
    let (script, rows) = (editor.script(), all_rows(&editor));
    let mut replayed = crate::editor(&four_joints());
    script.lines().for_each(|line| run(&mut replayed, &[line]));
    assert_eq!(all_rows(&replayed), rows);
    assert_eq!(replayed.document().locks(), editor.document().locks());
}

#[test]
fn a_gradient_runs_along_its_line_by_its_profile() {
    let mut scene = strip();
    scene.rows().iter_mut().for_each(|row| *row = vec![(0, 1.0)]);
    let ramp = |options: &str| {
        let mut editor = editor(&scene);
        run(&mut editor, &[&format!("gradient joint=J1 {options}")]);
        assert!(all_rows(&editor).iter().all(|row| row.check().is_ok()));
        assert!(editor.history().n_done() <= 1);
        [0, 2, 4, 6, 8].map(|v| {
            assert_eq!(weight(&editor, v, 1), weight(&editor, v + 1, 1), "the same on every plane across the line");
            weight(&editor, v, 1)
        })
    };
    let expect = |found: [f32; 5], expected: [f32; 5]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}, expected {expected:?}");
    };
    expect(ramp("from=0,2,0 to=0,0,0"), [0.0, 0.25, 0.5, 0.75, 1.0]);
    expect(ramp("from=0,0,0 to=0,2,0 profile=0,0;0.5,0.8;1,1 strength=0.5")[..5].try_into().expect("five"), {
        let curve = sinew_edit::Curve::parse("0,0;0.5,0.8;1,1").expect("a curve");
        [0.0, 0.25, 0.5, 0.75, 1.0].map(|t| curve.at(t) * 0.5)
    });
    // Between two rows; beyond its ends only if asked.
    expect(ramp("from=0,1.5,0 to=0,0.5,0"), [0.0, 0.0, 0.5, 1.0, 0.0]);
    expect(ramp("from=0,1.5,0 to=0,0.5,0 beyond=yes"), [0.0, 0.0, 0.5, 1.0, 1.0]);
    // A knuckle turns within the middle third, an elbow over the whole length.
    let (narrow, wide) = (ramp("from=0,2,0 to=0,0,0 profile=narrow"), ramp("from=0,2,0 to=0,0,0 profile=wide"));
    expect(narrow, [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert!(wide[1] > 0.1 && wide[1] < 0.25 && wide[3] > 0.75 && wide[3] < 0.9, "{wide:?}");
    // What does not name two points or a brush with a value is refused.
    for bad in
        ["from=0,0,0 to=0,0,0", "from=0,0,0", "from=0,0,0 to=0,1,0 brush=smooth", "from=0,0,0 to=0,1,0 profile=0,2"]
    {
        assert!(editor(&scene).run(&format!("gradient joint=J1 {bad}")).is_err(), "{bad}");
    }
}

#[test]
fn a_gradient_can_leave_alone_what_is_not_connected_with_its_begin() {
    let painted = |line: &str| {
        let mut e = editor(&pair());
        let before = all_rows(&e);
        run(&mut e, &[line]);
        let mut again = editor(&pair());
        let script = e.script();
        run(&mut again, &script.lines().collect::<Vec<_>>());
        assert!(all_rows(&again) == all_rows(&e), "{script}");
        let changed = |shell: std::ops::Range<usize>| shell.filter(|&v| row(&e, v as u32) != before[v]).count();
        [changed(0..10), changed(10..20)]
    };
    let line = "gradient joint=L1 from=2,0,0 to=2,1.5,0 value=0.5 profile=wide";
    let [left, right] = painted(line);
    assert!(left > 0 && right > 0, "a line without the parameter means every shell");
    assert_eq!(painted(&format!("{line} shell=yes")), [left, 0]);
    let other = "gradient joint=L1 from=-2,0,0 to=-2,1.5,0 value=0.5 profile=wide shell=yes";
    assert_eq!(painted(other), [0, right]);
}

#[test]
fn a_radial_gradient_fades_from_its_middle_and_keeps_marks_locks_and_pose() {
    let scene = {
        let mut scene = patch(4, 4);
        scene.add_joint(0, "C", Vec3::X);
        scene.rows()[12] = vec![(0, 0.75), (2, 0.25)];
        scene
    };
    let radial = "gradient joint=B from=2,2,0 to=4,2,0 shape=radial";
    let mut plain = editor(&scene);
    run(&mut plain, &["lock joint=C", radial]);
    assert_close(weight(&plain, 12, 1), 0.75);
    assert_close(weight(&plain, 12, 2), 0.25);
    assert_close(weight(&plain, 13, 1), 0.5);
    assert_close(weight(&plain, 18, 1), 1.0 - 0.5 * 2.0_f32.sqrt());
    assert_eq!(weight(&plain, 0, 1), 0.0);
    let mut selected = editor(&scene);
    run(&mut selected, &["select vertices=13,14", "mask vertices=14 value=0", radial]);
    let painted: Vec<u32> = (0..25).filter(|&v| weight(&selected, v, 1) > 0.0).collect();
    assert_eq!(painted, [13]);
    assert!(selected.script().contains("on=selection"), "a replay acts on the same");
    // In the pose, where the turned vertices are.
    let mut bent = editor(&scene);
    run(&mut bent, &["gradient joint=B from=-2,2,0 to=0,2,0 shape=radial pose=A:0,0,90"]);
    let at = |v: u32| Vec3::new((v % 5) as f32, (v / 5) as f32, 0.0);
    for v in 0..25 {
        // A quarter turn about the origin.
        let turned = Vec3::new(-at(v).y, at(v).x, 0.0);
        let expected = (1.0 - turned.distance(Vec3::new(-2.0, 2.0, 0.0)) / 2.0).max(0.0);
        assert!((weight(&bent, v, 1) - expected).abs() < 1e-4, "vertex {v}");
    }
    let (script, rows) = (bent.script(), all_rows(&bent));
    bent.undo().expect("a step");
    run(&mut bent, &[script.trim()]);
    assert_eq!(all_rows(&bent), rows);
}

#[test]
fn a_gradient_over_very_many_vertices_is_what_it_is_in_parts_and_can_be_taken_back() {
    // Every vertex twice, so that twins lie far apart in the numbering.
    let mut scene = grid(20_000, 4, 1);
    let primitive = scene.primitive();
    let n = primitive.positions.len();
    primitive.positions.extend_from_within(..);
    primitive.normals.extend_from_within(..);
    primitive.rows.extend_from_within(..);
    let indices = primitive.indices.clone().expect("indexed");
    primitive.indices.as_mut().expect("indexed").extend(indices.iter().map(|i| i + n as u32));
    let gradient = "gradient joint=1 from=0,0,0 to=2,0.5,0 beyond=yes";

    let mut whole = editor(&scene);
    let before = all_rows(&whole);
    run(&mut whole, &[gradient]);
    let after = all_rows(&whole);
    let mut in_parts = editor(&scene);
    for first in (0..n).step_by(4_000) {
        let part = format!("select vertices={first}-{}", (first + 3_999).min(n - 1));
        run(&mut in_parts, &[&part, gradient, "select_none"]);
    }
    assert!(before != after && after == all_rows(&in_parts));
    assert!((0..n).all(|v| after[v] == after[v + n]), "twins part");

    whole.undo().expect("a step");
    assert!(all_rows(&whole) == before);
    whole.redo().expect("a step");
    assert!(all_rows(&whole) == after);
}
