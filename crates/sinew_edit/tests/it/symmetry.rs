//! Symmetry: joint pairs, mirrored weights, across meshes, whatever the pose.

use glam::Vec3;
use sinew_edit::symmetry::{JointPair, PairedBy};
use sinew_edit::{Editor, SymmetrySettings};
use sinew_model::{JointSlot, MeshIndex, NodeIndex, Row, VertexIndex};
use sinew_tests::{Scene, pair, pair_two_meshes, patch, seam, strip};

use crate::{MESH, all_rows, assert_close, editor, row, run, weight};

const X: SymmetrySettings = SymmetrySettings { axis: 0, at: None, tolerance: None };

/// 5 columns at x = −2 … 2; arm.R on the negative side, arm.L on the positive, half and half in the middle.
fn shoulders() -> Scene {
    let mut scene = patch(4, 2);
    scene.primitive().positions.iter_mut().for_each(|position| position.x -= 2.0);
    "spine".clone_into(&mut scene.nodes[0].name);
    "head".clone_into(&mut scene.nodes[1].name);
    scene.nodes[1].translation = Vec3::Y;
    scene.add_joint(0, "arm.L", Vec3::X);
    scene.add_joint(0, "arm.R", -Vec3::X);
    scene.rebind(0);
    for (v, row) in scene.rows().iter_mut().enumerate() {
        *row = match v % 5 {
            0 => vec![(3, 0.8), (0, 0.2)],
            1 => vec![(3, 0.4), (0, 0.6)],
            2 => vec![(2, 0.5), (3, 0.5)],
            3 => vec![(2, 0.4), (0, 0.6)],
            _ => vec![(2, 0.8), (0, 0.2)],
        };
    }
    scene
}

fn right_weight(editor: &Editor, vertex: u32, slot: u16) -> f32 {
    editor.document().mesh(MeshIndex(1)).weights.weight(VertexIndex(vertex), JointSlot(slot))
}

#[test]
fn joints_pair_by_name_then_by_place_then_by_hand() {
    // B34
    let mut scene = strip();
    scene.nodes[0].name = "root".to_owned();
    scene.nodes[1].name = "lower".to_owned();
    let sided = [("arm.L", "arm.R"), ("L_leg", "R_leg"), ("LeftHand", "RightHand"), ("ear_l_end", "ear_r_end")];
    for (i, (left, right)) in sided.into_iter().enumerate() {
        // Not where a mirror would have them: the names say it.
        scene.add_joint(0, left, Vec3::new(0.5, i as f32, 0.0));
        scene.add_joint(0, right, Vec3::new(-0.5, i as f32, 0.3));
    }
    scene.add_joint(0, "lip1", Vec3::new(0.1, 2.0, 0.0));
    scene.add_joint(0, "lip2", Vec3::new(-0.1, 2.0, 0.0));
    scene.add_joint(0, "tail", Vec3::new(0.3, -1.0, 0.0));
    let mut e = editor(&scene);
    let symmetry = e.symmetry(X);
    let label = |e: &Editor, joint: NodeIndex| e.document().nodes().label(joint);
    let found: Vec<(String, String, PairedBy)> = symmetry
        .joint_pairs()
        .filter(|pair| pair.joint < pair.twin)
        .map(|JointPair { joint, twin, by }| (label(&e, joint), label(&e, twin), by))
        .collect();
    let mut expected: Vec<_> = sided.map(|(a, b)| (a.to_owned(), b.to_owned(), PairedBy::Name)).to_vec();
    expected.push(("lip1".to_owned(), "lip2".to_owned(), PairedBy::Place));
    assert_eq!(found, expected);
    assert_eq!(symmetry.plane().at, 0.0);
    let alone: Vec<String> =
        symmetry.joint_pairs().filter(|pair| pair.by == PairedBy::Nobody).map(|pair| label(&e, pair.joint)).collect();
    assert_eq!(alone, ["tail"]);
    for name in ["root", "lower", "tail"] {
        let joint = sinew_model::joint_named(e.document(), None, name).expect("a joint");
        assert_eq!(symmetry.joint_twin(joint), joint, "{name} stands for itself");
    }

    run(&mut e, &["pair a=tail b=arm.L", "pair a=lip1 b=lip1"]);
    let symmetry = e.symmetry(X);
    let [tail, arm_l, arm_r, lip1, lip2] = ["tail", "arm.L", "arm.R", "lip1", "lip2"]
        .map(|name| sinew_model::joint_named(e.document(), None, name).expect("a joint"));
    assert_eq!((symmetry.joint_twin(tail), symmetry.joint_twin(arm_l)), (arm_l, tail));
    assert_eq!([arm_r, lip1, lip2].map(|joint| symmetry.joint_twin(joint)), [arm_r, lip1, lip2]);
    let told = e.run("pairs").expect("runs").expect("a command");
    assert!(told.notes.contains(&"arm.L and tail (by hand)".to_owned()), "{:?}", told.notes);
    assert!(told.notes.contains(&"without a pair: arm.R, lip2".to_owned()), "{:?}", told.notes);
    run(&mut e, &["unpair joint=tail", "undo", "undo", "undo"]);
    assert_eq!(e.symmetry(X).joint_twin(arm_l), arm_r);
    run(&mut e, &["redo", "redo"]);
    let mut replayed = editor(&scene);
    run(&mut replayed, &e.script().lines().collect::<Vec<_>>());
    assert_eq!(replayed.document().joint_pairs(), e.document().joint_pairs());
}

#[test]
fn a_mirror_goes_across_meshes_and_swaps_the_joints() {
    // B33
    for scene in [pair_two_meshes(), pair()] {
        let mut e = editor(&scene);
        let is_two = e.document().meshes().len() == 2;
        let left = if is_two { "mesh=Left" } else { "" };
        // In any pose: the rest shape counts.
        run(&mut e, &["pose turns=L1:0,0,60", &format!("set vertices=6 joint=L1 value=0.7 {left}"), "mirror from=+x"]);
        // x = 1.5 becomes x = −1.5: the other column of the other strip.
        let found = |slot| if is_two { right_weight(&e, 7, slot) } else { weight(&e, 17, slot) };
        assert_eq!([0, 1, 2, 3].map(found).map(f32::to_bits), [0.0, 0.0, 1.0 - 0.7_f32, 0.7].map(f32::to_bits));
        let asymmetry = e.asymmetry(MESH, X);
        assert_eq!((asymmetry.greatest, asymmetry.unmatched.len()), (0.0, 0));
        let after = all_rows(&e);
        run(&mut e, &["mirror from=+x", "mirror from=-x"]);
        assert_eq!(all_rows(&e), after, "what is symmetric stays to the bit");
    }
}

#[test]
fn the_centre_line_is_the_mean_of_both_sides_and_half_and_half_stays() {
    // B33
    let mut e = editor(&shoulders());
    let before = all_rows(&e);
    run(&mut e, &["mirror from=+x"]);
    assert_eq!(all_rows(&e), before, "it was symmetric");
    run(&mut e, &["set vertices=2 joint=arm.L value=0.9", "set vertices=3 joint=arm.L value=0.5", "mirror from=+x"]);
    assert_close(weight(&e, 2, 2), 0.5);
    assert_close(weight(&e, 2, 3), 0.5);
    assert_eq!(weight(&e, 1, 3), 0.5);
    assert_eq!(row(&e, 1).check(), Ok(()));
    assert_eq!(e.history().n_done(), 3);
    run(&mut e, &["undo", "undo", "undo"]);
    assert_eq!(all_rows(&e), before);
}

#[test]
fn one_joint_and_its_pair_can_be_mirrored_alone() {
    let mut e = editor(&shoulders());
    run(&mut e, &["set vertices=4 joint=arm.L value=0.5", "set vertices=4 joint=head value=0.25"]);
    run(&mut e, &["mirror from=+x joint=arm.L"]);
    assert_eq!(weight(&e, 0, 3), weight(&e, 4, 2));
    assert_eq!(weight(&e, 0, 1), 0.0, "the head was not asked for");
    assert_eq!(row(&e, 0).check(), Ok(()));
    run(&mut e, &["mirror from=+x joint=head"]);
    assert_eq!(weight(&e, 0, 1), weight(&e, 4, 1));
}

#[test]
fn locks_masks_selection_and_mesh_say_what_a_mirror_writes() {
    // B24
    let mut e = editor(&shoulders());
    run(&mut e, &["set vertices=3-4,8-9,13-14 joint=arm.L value=0.1", "lock joint=spine", "mask vertices=0 value=0.5"]);
    let spine: Vec<u32> = (0..15).map(|v| weight(&e, v, 0).to_bits()).collect();
    let before = all_rows(&e);
    run(&mut e, &["select vertices=0-4", "mirror from=+x"]);
    assert_eq!((0..15).map(|v| weight(&e, v, 0).to_bits()).collect::<Vec<_>>(), spine, "the locked joint stays");
    assert_eq!(all_rows(&e)[5..], before[5..], "only what is selected, or whose twin is");
    assert!(e.script().ends_with("mirror from=+x on=selection\n"));
    assert!(all_rows(&e).iter().all(|row| row.check().is_ok()));
    let mut e = editor(&pair_two_meshes());
    run(&mut e, &["set vertices=6 joint=L1 value=0.7 mesh=Left", "mesh name=Left", "mirror from=+x"]);
    assert_eq!(right_weight(&e, 7, 3), 0.7, "the chosen mesh's side goes to its twins");
    assert!(e.script().ends_with("mirror from=+x mesh=Left\n"), "{}", e.script());
}

#[test]
fn what_has_no_mirror_image_is_counted_and_keeps_its_row() {
    let mut scene = shoulders();
    scene.primitive().positions[0].y += 0.25;
    let mut e = editor(&scene);
    let outcome = e.run("mirror from=-x").expect("runs").expect("a command");
    assert!(outcome.notes.iter().any(|note| note == "Patch: 2 vertices without a mirror image (0, 4)"), "{outcome:?}");
    let asymmetry = e.asymmetry(MESH, X);
    assert_eq!(asymmetry.unmatched.to_string(), "0,4");
    run(&mut e, &["set vertices=4 joint=head value=0.5", "mirror from=+x tolerance=0.3"]);
    assert_eq!(weight(&e, 0, 1), 0.5, "a wider tolerance finds it");
}

#[test]
fn differences_are_the_greatest_of_any_joint_on_both_twins() {
    let mut e = editor(&shoulders());
    run(&mut e, &["set vertices=4 joint=arm.L value=0.5"]);
    let asymmetry = e.asymmetry(MESH, X);
    assert_close(asymmetry.greatest, 0.3);
    assert_eq!((asymmetry.differences[0], asymmetry.differences[4]), (asymmetry.greatest, asymmetry.greatest));
    assert_eq!(asymmetry.differences.iter().filter(|&&difference| difference > 0.0).count(), 2);
}

#[test]
fn the_plane_goes_through_the_middle_of_paired_joints_or_where_it_is_put() {
    let mut scene = shoulders();
    // The whole character stands off the origin.
    scene.nodes[0].translation.x += 10.0;
    scene.primitive().positions.iter_mut().for_each(|position| position.x += 10.0);
    scene.rebind(0);
    let mut e = editor(&scene);
    assert_close(e.symmetry(X).plane().at, 10.0);
    assert!(e.symmetry(X).unmatched(MESH).is_empty());
    let moved = e.symmetry(SymmetrySettings { at: Some(9.0), ..X });
    assert!(moved.twin(MESH, 0).is_some_and(|(_, group)| group == 2), "x = 8 and x = 10");
    let y = e.symmetry(SymmetrySettings { axis: 1, at: Some(1.0), tolerance: None });
    assert_eq!((y.twin(MESH, 0), y.is_centre(MESH, 5)), (Some((MESH, 10)), true));
}

#[test]
fn twins_over_a_seam_stay_equal_and_a_bound_pose_is_not_the_rest_pose() {
    // B32, B39
    let mut scene = seam();
    scene.primitive().rows.iter_mut().step_by(2).for_each(|row| *row = vec![(0, 0.5), (1, 0.5)]);
    // Bent after binding: the rest pose is not symmetric, the bound shape is.
    scene.nodes[1].rotation = glam::Quat::from_rotation_z(0.7);
    let mut e = editor(&scene);
    run(&mut e, &["mirror from=-x at=0"]);
    assert!(all_rows(&e).iter().all(|row: &Row| row.weight(JointSlot(1)) == 0.5), "{:?}", all_rows(&e));
    assert_eq!(row(&e, 5), row(&e, 7));
}

#[test]
fn a_mirrored_mask_stroke_protects_both_sides_and_replays() {
    // Pain 6
    let mask = |e: &Editor, mesh: u32| {
        let runs = e.document().mask(MeshIndex(mesh)).runs();
        runs.map(|(a, b, value)| (a.0, b.0, value)).collect::<Vec<_>>()
    };
    let mut e = editor(&shoulders());
    let line = "mask_stroke joint=spine value=0 radius=0.4 falloff=constant points=2,0,0;2,1,0";
    run(&mut e, &[&format!("{line} mirror=x")]);
    assert_eq!(mask(&e, 0), [(0, 0, 0.0), (4, 5, 0.0), (9, 9, 0.0)]);
    let mut replayed = editor(&shoulders());
    run(&mut replayed, &e.script().lines().collect::<Vec<_>>());
    assert_eq!(mask(&replayed, 0), mask(&e, 0));
    run(&mut e, &["undo", line]);
    assert_eq!(mask(&e, 0), [(4, 4, 0.0), (9, 9, 0.0)]);
    // Over the plane a dab and its mirror image are one.
    run(
        &mut e,
        &["undo", "mask_stroke joint=spine value=0 strength=0.5 radius=0.4 falloff=constant points=0,0,0 mirror=x"],
    );
    assert_eq!(mask(&e, 0), [(2, 2, 0.5)]);
    // The twins of one mesh are another's.
    let mut e = editor(&pair_two_meshes());
    run(&mut e, &["mask_stroke mesh=Left joint=L1 value=0 radius=0.1 reach=volume mirror=x points=1.5,1,0"]);
    let both = [mask(&e, 0), mask(&e, 1)];
    assert!(both.iter().all(|mask| !mask.is_empty()), "{both:?}");
    run(&mut e, &["undo"]);
    assert_eq!([mask(&e, 0), mask(&e, 1)], [vec![], vec![]]);
}

#[test]
fn a_selection_takes_its_mirror_images_along_or_goes_over_to_them() {
    // Pain 6
    let selected = |e: &Editor, mesh: u32| e.document().selection(MeshIndex(mesh)).to_string();
    let mut e = editor(&shoulders());
    assert!(e.run("select_mirror").expect_err("nothing is selected").to_string().contains("nothing is selected"));
    run(&mut e, &["select vertices=2,4,8", "select_mirror"]);
    assert_eq!(selected(&e, 0), "0,2,4,6,8");
    assert!(e.script().ends_with("select_mirror axis=x\n"), "{}", e.script());
    run(&mut e, &["undo", "select_mirror how=replace"]);
    assert_eq!(selected(&e, 0), "0,2,6");
    run(&mut e, &["undo", "undo"]);
    assert_eq!(selected(&e, 0), "none");
    // Across the axis in the hand; what has no twin is said.
    run(&mut e, &["select vertices=1"]);
    e.session.paint.mirror = Some(SymmetrySettings { axis: 1, at: Some(0.5), tolerance: None });
    let outcome = e.run("select_mirror").expect("runs").expect("a command");
    assert_eq!(selected(&e, 0), "1,6");
    assert!(e.script().ends_with("select_mirror axis=y at=0.5\n"), "{}", e.script());
    assert!(outcome.notes.is_empty());
    run(&mut e, &["select vertices=14"]);
    let outcome = e.run("select_mirror axis=y at=0.5").expect("runs").expect("a command");
    assert_eq!(outcome.notes, ["1 vertex without a mirror image"]);
    // Onto another mesh; hidden twins are not selected.
    let mut e = editor(&pair_two_meshes());
    run(&mut e, &["select vertices=0,7 mesh=Right", "hide", "select vertices=1,6 mesh=Left", "select_mirror"]);
    assert_eq!([selected(&e, 0), selected(&e, 1)], ["1,6", "none"]);
    run(&mut e, &["reveal", "select_mirror"]);
    assert_eq!([selected(&e, 0), selected(&e, 1)], ["1,6", "0,7"]);
}
