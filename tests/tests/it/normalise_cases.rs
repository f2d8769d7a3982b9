//! Sums of rows, locks, and vertices without weight.

use glam::Vec3;
use sinew_model::{JointSlot, Row};
use sinew_tests::{Scene, WeightsType, strip};

use crate::job::{Job, MESH, assert_all_near, assert_close, assert_near};
use crate::stored::Stored;

fn strip_with_joints(n: usize) -> Scene {
    let mut scene = strip();
    for k in 2..n {
        scene.add_joint(1, &format!("J{k}"), Vec3::Y * 0.1);
    }
    scene
}

fn all_on_j0() -> Scene {
    let mut scene = strip();
    scene.rows().iter_mut().for_each(|row| *row = vec![(0, 1.0)]);
    scene
}

/// The weights of a vertex as stored, by joint; zero weights left out.
fn stored_weights(stored: &Stored, vertex: usize) -> Vec<(u32, f64)> {
    let numbers = |kind: &str| -> Vec<f64> {
        let sets = stored.sets(0, 0, kind);
        sets.iter().flat_map(|(_, accessor)| stored.elements(*accessor).expect("plain").numbers(vertex)).collect()
    };
    let joints = numbers("JOINTS").into_iter().map(|joint| joint as u32);
    let mut pairs: Vec<(u32, f64)> = joints.zip(numbers("WEIGHTS")).filter(|(_, weight)| *weight != 0.0).collect();
    pairs.sort_by_key(|(joint, _)| *joint);
    pairs
}

#[test]
fn byte_weights_go_to_the_largest_remainders() {
    // B17
    let mut scene = strip_with_joints(4);
    scene.primitive().weights_type = WeightsType::U8;
    scene.rows()[0] = vec![(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)];
    let mut job = Job::of(&scene);
    // What is given up goes to the joints that are not locked yet, so the last one is what is left: .343.
    for (joint, value) in [("J3", 0.121), ("J2", 0.198), ("J1", 0.338)] {
        job.run(&[&format!("set vertices=0 joint={joint} value={value}"), &format!("lock joint={joint}")]);
    }
    assert_close(job.weight(0, 0), 0.343, 1e-6);
    let stored = Stored::of(&job.save());
    assert_eq!(stored_weights(&stored, 0), [(0, 87.0), (1, 86.0), (2, 51.0), (3, 31.0)]);
}

#[test]
fn byte_rows_of_254_are_counted_shown_whole_and_left_alone_unless_asked() {
    // B17
    let mut scene = strip();
    scene.nodes[0].translation = Vec3::X * 50.0;
    scene.primitive().weights_type = WeightsType::U8;
    for v in 2..6 {
        scene.rows()[v] = vec![(0, 127.0 / 255.0), (1, 127.0 / 255.0)];
    }
    let mut job = Job::of(&scene);
    let census = job.editor.census(MESH);
    assert_eq!(census.off_sum.iter().map(|v| v.0).collect::<Vec<_>>(), [2, 3, 4, 5]);
    assert_close(census.worst_off_sum, 1.0 / 255.0, 1e-6);
    // Shown as if the row summed to 1: not .196 m off at 50 m.
    assert_near(job.posed(0)[4], Vec3::new(49.5, 1.0, 0.0), 1e-4);
    job.save();
    job.run(&["set vertices=9 joint=J0 value=0.5"]);
    assert_eq!(stored_weights(&Stored::of(&job.save()), 4), [(0, 127.0), (1, 127.0)]);
    assert_eq!(job.run(&["normalize"]).n_vertices, 4);
    let stored = Stored::of(&job.save());
    for v in 2..6 {
        // Equal remainders: the lower joint first.
        assert_eq!(stored_weights(&stored, v), [(0, 128.0), (1, 127.0)]);
    }
}

#[test]
fn eight_influences_over_two_sets_sum_to_one() {
    // B18
    let mut scene = strip_with_joints(8);
    scene.rows()[4] = (0..8).map(|slot| (slot, 0.2)).collect();
    let mut job = Job::of(&scene);
    assert_eq!(job.run(&["normalize"]).n_vertices, 1);
    let weights = stored_weights(&Stored::of(&job.save()), 4);
    assert_eq!(weights.len(), 8);
    assert!(weights.iter().all(|(_, weight)| (weight - 0.125).abs() < 1e-7), "{weights:?}");
    assert!((weights.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() <= 1.6e-6);
}

#[test]
fn rows_are_divided_by_their_sum_not_by_their_length() {
    // B19
    let mut scene = strip_with_joints(3);
    scene.rows()[0] = vec![(0, 0.5), (1, 0.3), (2, 0.2)];
    scene.rows()[1] = vec![(0, 1.0), (1, 0.6), (2, 0.4)];
    let mut job = Job::of(&scene);
    let fine = job.row(0);
    assert_eq!(job.run(&["normalize"]).n_vertices, 1);
    let back = job.reopen();
    assert_eq!(back.row(0), fine);
    for (slot, expected) in [(0, 0.5), (1, 0.3), (2, 0.2)] {
        assert_close(back.weight(1, slot), expected, 1e-7);
    }
}

#[test]
fn vertices_without_weight_are_counted_drawn_in_place_saved_as_they_came_and_settled_on_request() {
    // B20
    let mut scene = strip();
    scene.rows()[8] = vec![(0, 0.0)];
    scene.rows()[9] = vec![];
    let mut job = Job::of(&scene);
    assert_eq!(job.editor.census(MESH).unweighted.len(), 2);
    for deformer in ["lbs", "dqs"] {
        let rest = job.posed_in("J1:0,0,0", deformer);
        assert_near(rest[8], Vec3::new(-0.5, 2.0, 0.0), 1e-6);
        assert_near(rest[9], Vec3::new(0.5, 2.0, 0.0), 1e-6);
    }
    job.run(&["reset_pose", "set vertices=0 joint=J1 value=0.5"]);
    let (files, report) = job.save_as(job.source.kind());
    assert!(report.warnings.iter().any(|warning| warning.contains("2 vertices")), "{:?}", report.warnings);
    let stored = Stored::of(&files);
    assert!(stored_weights(&stored, 8).is_empty() && stored_weights(&stored, 9).is_empty());
    assert_eq!(Job::open(files).editor.census(MESH).unweighted.len(), 2);
    assert_eq!(job.run(&["settle joint=J1"]).n_vertices, 2);
    let back = job.reopen();
    for vertex in [8, 9] {
        assert_eq!(back.row(vertex), Row::rigid(JointSlot(1)), "exactly 1.0 of J1");
    }
}

#[test]
fn off_sum_rows_far_from_the_origin_do_not_become_spikes() {
    // B21
    let mut scene = strip();
    scene.nodes[0].translation = Vec3::X * 100.0;
    for v in [2, 3] {
        scene.rows()[v].iter_mut().for_each(|(_, weight)| *weight *= 0.98);
    }
    let mut job = Job::of(&scene);
    let expected: Vec<Vec3> = scene.primitive().positions.iter().map(|p| *p + Vec3::X * 100.0).collect();
    for deformer in ["lbs", "dqs"] {
        assert_all_near(&job.posed_in("J1:0,0,0", deformer), &expected, 1e-4);
    }
    let census = job.editor.census(MESH);
    assert_eq!(census.off_sum.iter().map(|v| v.0).collect::<Vec<_>>(), [2, 3]);
    assert_close(census.worst_off_sum, 0.02, 1e-6);
    job.save();
}

#[test]
fn a_lone_zero_weight_counts_as_none_and_the_others_are_done() {
    // B22
    let mut scene = strip();
    scene.rows()[0] = vec![(0, 0.0)];
    scene.rows()[2] = vec![(0, 1.0), (1, 1.0)];
    let mut job = Job::of(&scene);
    let before = job.row(1);
    let outcome = job.run(&["normalize"]);
    assert_eq!(outcome.n_vertices, 1);
    assert!(
        outcome.notes.iter().any(|note| note.contains("1 vertex without weight") && note.contains("(0)")),
        "{:?}",
        outcome.notes
    );
    let mut back = job.reopen();
    assert_eq!(back.row(1), before);
    assert!(
        back.row(0).is_empty()
            && back.all_rows().iter().flat_map(|r| r.influences().to_vec()).all(|i| i.weight.is_finite())
    );
    assert_eq!((back.weight(2, 0), back.weight(2, 1)), (0.5, 0.5));
    back.posed(0);
}

#[test]
fn without_locks_nothing_is_said_to_be_locked() {
    // B23
    let mut job = Job::of(&all_on_j0());
    let outcome = job.run(&["stroke joint=J1 brush=replace value=1 radius=0.1 falloff=constant points=-0.5,0,0"]);
    assert!(outcome.notes.is_empty(), "{:?}", outcome.notes);
    let back = job.reopen();
    assert_eq!(back.row(0), Row::rigid(JointSlot(1)));
    assert_eq!(back.row(1), Row::rigid(JointSlot(0)));
}

#[test]
fn locked_weights_keep_their_bits_while_painting_and_in_the_file() {
    // B24: A is J0, B is J1, C is J2.
    let mut scene = strip_with_joints(3);
    scene.rows()[4] = vec![(0, 0.5), (1, 0.3), (2, 0.2)];
    for (lock, value, expected) in [
        ("lock joint=J2", 0.9, [0.8, 0.0, 0.2]),
        ("# none", 0.8, [0.8, 0.12, 0.08]),
        ("lock joint=J1", 0.9, [0.7, 0.3, 0.0]),
    ] {
        let mut job = Job::of(&scene);
        job.run(&[lock, &format!("stroke joint=J0 value={value} radius=0.1 falloff=constant points=-0.5,1,0")]);
        let back = job.reopen();
        for (slot, expected) in expected.into_iter().enumerate() {
            assert_close(back.weight(4, slot as u16), expected, 1e-6);
        }
        if lock.ends_with("J2") {
            assert_eq!(back.weight(4, 2).to_bits(), 0.2_f32.to_bits());
        } else if lock.ends_with("J1") {
            assert_eq!(back.weight(4, 1).to_bits(), 0.3_f32.to_bits());
        }
    }
}

#[test]
fn what_cannot_be_erased_stays_visible_with_a_hint_and_is_what_is_saved() {
    // B25
    let mut job = Job::of(&all_on_j0());
    let outcome = job.run(&["stroke joint=J0 value=0 radius=0.1 falloff=constant points=-0.5,0,0"]);
    assert_eq!(outcome.notes, ["no other joint on 1 vertex"]);
    assert_eq!(job.weight(0, 0), 1.0);
    assert_eq!(job.reopen().all_rows(), job.all_rows());
    assert!(job.edited().is_empty());
}

#[test]
fn a_joint_named_twice_is_one_influence_and_one_place_after_an_edit() {
    // B26
    let mut scene = strip();
    for v in [2, 3] {
        scene.rows()[v] = vec![(1, 0.25), (1, 0.25), (0, 0.5), (0, 0.0)];
    }
    let mut job = Job::of(&scene);
    assert_eq!(job.weight(2, 1), 0.5);
    assert!(
        job.warnings.iter().any(|warning| warning.to_string().contains("2 vertices name a joint twice")),
        "{:?}",
        job.warnings
    );
    let picture = job.posed_in("J1:0,0,60", "lbs");
    // Edited elsewhere, the row stays as it came; edited itself, it has one place for J1.
    job.run(&["set vertices=9 joint=J0 value=0.5"]);
    let mut back = job.reopen();
    let again = back.posed_in("J1:0,0,60", "lbs");
    assert_eq!(again[..9], picture[..9]);
    job.run(&["undo", "set vertices=2 joint=J1 value=0.75"]);
    let stored = Stored::of(&job.save());
    assert_eq!(stored_weights(&stored, 2), [(0, 0.25), (1, 0.75)]);
    assert_eq!(stored_weights(&stored, 3), [(0, 0.5), (1, 0.25), (1, 0.25)]);
    job.run(&["set vertices=2 joint=J1 value=0.5"]);
    assert_eq!(job.posed(0), picture);
}
