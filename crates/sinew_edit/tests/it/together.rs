//! Several joints painted as one, their ratio kept.

use sinew_edit::LineError;
use sinew_edit::commands::CommandError;
use sinew_tests::{Scene, chain};

use crate::{all_rows, assert_close, editor, run, weight};

/// A chain of four joints; vertex 4 has .4, .3, .1 and .2 of them.
fn four() -> Scene {
    let mut scene = chain(4);
    scene.rows()[4] = vec![(0, 0.4), (1, 0.3), (2, 0.1), (3, 0.2)];
    scene
}

/// Weights of vertex 4 after one dab on it alone.
#[track_caller]
fn dab(before: &[&str], line: &str) -> [f32; 4] {
    let mut editor = editor(&four());
    run(&mut editor, before);
    run(&mut editor, &[&format!("stroke {line} radius=0.1 falloff=constant points=-0.5,1,0")]);
    [0, 1, 2, 3].map(|slot| weight(&editor, 4, slot))
}

#[track_caller]
fn assert_all(found: [f32; 4], expected: [f32; 4]) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert_close(found, expected);
    }
}

#[test]
fn the_brush_sees_the_sum_and_the_ratio_stays() {
    // J1 and J2 have .4 together, three to one; J0 and J3 pay in theirs, two to one.
    assert_all(dab(&[], "joint=J1 with=J2 value=0.7"), [0.2, 0.525, 0.175, 0.1]);
    assert_all(dab(&[], "joint=J2 with=J1 value=0.7"), [0.2, 0.525, 0.175, 0.1]);
    assert_all(dab(&[], "joint=J1 with=J2,J1 brush=add value=0.2"), [0.4 * 4.0 / 6.0, 0.45, 0.15, 0.2 * 4.0 / 6.0]);
    assert_all(dab(&[], "joint=J1 with=J2 brush=scale value=0.5 give=J3"), [0.4, 0.15, 0.05, 0.4]);
    assert_all(dab(&[], "joint=J1 with=J2 value=0.7 lane=J1,J2,J3"), [0.4, 0.45, 0.15, 0.0]);
}

#[test]
fn locks_among_them_hold_and_only_all_of_them_refuse() {
    // B24: J2 .1 stays; the sum .4 goes to .7, so J1 goes to .6.
    assert_all(dab(&["lock joint=J2"], "joint=J1 with=J2 value=0.7"), [0.2, 0.6, 0.1, 0.1]);
    assert_all(dab(&["lock joint=J2"], "joint=J2 with=J1 value=0.7"), [0.2, 0.6, 0.1, 0.1]);
    let mut editor = editor(&four());
    run(&mut editor, &["lock joint=J1", "lock joint=J2"]);
    for line in ["stroke joint=J1 with=J2 points=0,1,0", "flood joint=J1 with=J2"] {
        let error = editor.run(line).expect_err("both are locked");
        assert!(matches!(error, LineError::Command(CommandError::JointLocked { .. })), "{error}");
    }
}

#[test]
fn flood_and_gradient_do_the_same_and_their_lines_say_so() {
    let flat = "from=0,-9,0 to=0,9,0 profile=0,0.7;1,0.7";
    for line in ["flood joint=J1 with=J2 value=0.7".to_owned(), format!("gradient joint=J1 with=J2 {flat}")] {
        let mut live = editor(&four());
        run(&mut live, &[&line]);
        assert_all([0, 1, 2, 3].map(|slot| weight(&live, 4, slot)), [0.2, 0.525, 0.175, 0.1]);
        // Where neither is, both come in the neighbours' ratio, or half and half.
        assert_close(weight(&live, 9, 1) + weight(&live, 9, 2), 0.7);
        let script = live.script();
        assert!(script.contains("with=J2"), "{script}");
        let mut replayed = editor(&four());
        script.lines().for_each(|line| run(&mut replayed, &[line]));
        assert_eq!(all_rows(&replayed), all_rows(&live));
    }
}
