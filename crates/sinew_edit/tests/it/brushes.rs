//! What each brush makes of known rows, by hand.

use glam::Vec3;
use sinew_model::{JointSlot, Row};
use sinew_tests::{Scene, patch, strip};

use crate::{all_rows, assert_close, editor, row, run, weight};

/// STRIP with one row changed.
fn strip_with(vertex: usize, row: &[(u16, f32)]) -> Scene {
    let mut scene = strip();
    scene.rows()[vertex] = row.to_vec();
    scene
}

/// J1 on vertex 4 of STRIP (J1 `before` there), after one dab on it alone.
#[track_caller]
fn one_dab(before: f32, options: &str) -> f32 {
    let mut editor = editor(&strip_with(4, &[(0, 1.0 - before), (1, before)]));
    run(&mut editor, &[&format!("stroke joint=J1 {options} radius=0.1 falloff=constant points=-0.5,1,0")]);
    let untouched =
        all_rows(&editor).iter().enumerate().filter(|&(v, row)| v != 4 && v / 2 == 2 && row.len() == 2).count();
    assert_eq!(untouched, 1, "its neighbour stays");
    weight(&editor, 4, 1)
}

#[test]
fn scale_multiplies_and_grow_divides() {
    assert_close(one_dab(0.4, "brush=scale value=0.5"), 0.2);
    assert_close(one_dab(0.4, "brush=scale value=0.5 strength=0.5"), 0.3);
    assert_close(one_dab(0.4, "brush=scale value=0"), 0.0);
    assert_close(one_dab(0.4, "brush=grow value=0.5"), 0.8);
    assert_close(one_dab(0.4, "brush=grow value=0.5 strength=0.25"), 0.5);
    assert_close(one_dab(0.4, "brush=grow value=0.25"), 1.0);
    assert_close(one_dab(0.4, "brush=grow value=0"), 1.0);
    assert_close(one_dab(0.0, "brush=grow value=0.5"), 0.0);
    assert_close(one_dab(0.0, "brush=grow value=0"), 0.0);
}

#[test]
fn lighten_only_raises_and_darken_only_lowers() {
    assert_close(one_dab(0.4, "brush=lighten value=0.6"), 0.6);
    assert_close(one_dab(0.4, "brush=lighten value=0.6 strength=0.5"), 0.5);
    assert_close(one_dab(0.8, "brush=lighten value=0.6"), 0.8);
    assert_close(one_dab(0.8, "brush=darken value=0.6"), 0.6);
    assert_close(one_dab(0.8, "brush=darken value=0.6 strength=0.5"), 0.7);
    assert_close(one_dab(0.4, "brush=darken value=0.6"), 0.4);
}

#[test]
fn erase_takes_the_joint_out() {
    assert_close(one_dab(0.4, "brush=erase"), 0.0);
    assert_close(one_dab(0.4, "brush=erase strength=0.5"), 0.2);
}

#[test]
fn smooth_goes_toward_the_neighbours_mean_once_for_each_iteration() {
    // Vertex 4's neighbours are 2, 5, 6 and 7: .25, .5, .75, .75; mean .5625.
    assert_close(one_dab(0.4, "brush=smooth"), 0.5625);
    assert_close(one_dab(0.4, "brush=smooth strength=0.5"), 0.4 + 0.1625 * 0.5);
    assert_close(one_dab(0.4, "brush=smooth strength=0.5 iterations=2"), 0.4 + 0.1625 * 0.75);
    assert_close(one_dab(0.4, "brush=smooth strength=0.5 iterations=2 cap=yes"), 0.4 + 0.1625 * 0.75);
}

#[test]
fn iterations_carry_weight_farther_than_one_edge() {
    // A row of cells, B on the first column only; smoothing everything once reaches one column, thrice three.
    let mut scene = patch(8, 1);
    for v in [0, 9] {
        scene.rows()[v] = vec![(1, 1.0)];
    }
    for (iterations, reached) in [(1, 1), (3, 3)] {
        let mut editor = editor(&scene);
        run(
            &mut editor,
            &[&format!(
                "stroke joint=B brush=smooth iterations={iterations} radius=20 falloff=constant reach=volume points=4,0,0"
            )],
        );
        let farthest = (0..9).filter(|&v| weight(&editor, v, 1) > 0.0).max();
        assert_eq!(farthest, Some(reached));
    }
}

#[test]
fn smoothing_with_existing_joints_brings_no_stranger() {
    // Pain 21
    let mut scene = strip_with(4, &[(0, 0.6), (1, 0.4)]);
    scene.add_joint(1, "J2", Vec3::Y * 0.5);
    scene.rows()[6] = vec![(2, 1.0)];
    let dab = "stroke joint=J1 brush=smooth radius=0.1 falloff=constant points=-0.5,1,0";
    let mut all = editor(&scene);
    run(&mut all, &[dab]);
    assert_close(weight(&all, 4, 2), 0.25);
    let mut own = editor(&scene);
    run(&mut own, &[&format!("{dab} existing=yes")]);
    assert_eq!(weight(&own, 4, 2), 0.0);
    // Of the neighbours' mean J0 1.5, J1 1.5, J2 1 (quarters) the first two are left.
    assert_close(weight(&own, 4, 1), 0.5);
    // A brush that paints a joint leaves vertices alone that do not have it.
    run(&mut own, &["stroke joint=J2 radius=5 falloff=constant reach=volume existing=yes points=0,1,0"]);
    let owners: Vec<u32> = (0..10).filter(|&v| weight(&own, v, 2) > 0.0).collect();
    assert_eq!(owners, [6]);
}

#[test]
fn sharpen_raises_the_difference_and_the_dominant_joint() {
    // Mean of J1 .5625: .4 · (.8 − .5625) = .095, .6 · (1.2 − .4375) = .4575.
    assert_close(one_dab(0.4, "brush=sharpen"), 0.095 / 0.5525);
    assert_close(one_dab(0.4, "brush=sharpen strength=0.5"), 0.5 * (0.4 + 0.095 / 0.5525));
}

#[test]
fn sharpen_makes_a_ramp_steeper_than_it_was() {
    let mut editor = editor(&strip());
    let dab = "stroke joint=J1 brush=sharpen radius=5 falloff=constant reach=volume points=0,1,0";
    run(&mut editor, &[dab, dab]);
    assert!(weight(&editor, 2, 1) < 0.15 && weight(&editor, 6, 1) > 0.85);
    // The cells' diagonals tell left from right; together both sides stay half and half.
    let middle = weight(&editor, 4, 1) + weight(&editor, 5, 1);
    assert!((middle - 1.0).abs() < 0.05, "{middle}");
}

#[test]
fn average_gives_everything_under_the_brush_its_one_mean() {
    let mut editor = editor(&strip());
    run(&mut editor, &["stroke joint=J1 brush=average radius=5 falloff=constant reach=volume points=0,1,0"]);
    for v in 0..10 {
        assert_close(weight(&editor, v, 1), 0.5);
    }
    // Counted by the falloff: of a dab over rows 0 (1 away) and 1 (on it, twice), linear.
    let mut scene = strip();
    scene.rows().iter_mut().for_each(|row| *row = vec![(0, 1.0)]);
    for v in [0, 1] {
        scene.rows()[v] = vec![(1, 1.0)];
    }
    let mut fading = crate::editor(&scene);
    run(&mut fading, &["stroke joint=J1 brush=average radius=0.8 falloff=linear reach=volume points=-0.5,0.3,0"]);
    // Distances .3 (vertex 0) and .2 (vertex 2) of .8, and .7 (vertex 4): shares 5/8, 6/8, 1/8.
    let mean = 5.0 / 12.0;
    assert_close(weight(&fading, 0, 1), 1.0 + (mean - 1.0) * 5.0 / 8.0);
    assert_close(weight(&fading, 2, 1), mean * 6.0 / 8.0);
}

#[test]
fn smear_carries_rows_as_far_as_the_dab_moves() {
    // B on columns 0 to 2; the second dab has moved by one cell.
    let mut scene = patch(8, 1);
    for v in [0, 1, 2, 9, 10, 11] {
        scene.rows()[v] = vec![(1, 1.0)];
    }
    let column = |points: &str| -> Vec<f32> {
        let mut editor = editor(&scene);
        run(
            &mut editor,
            &[&format!("stroke joint=B brush=smear radius=1.2 falloff=constant reach=volume points={points}")],
        );
        (0..9).map(|v| weight(&editor, v, 1)).collect()
    };
    assert_eq!(column("2,0.5,0;3,0.5,0"), [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(column("2,0.5,0;3,0.5,0;4,0.5,0")[4], 1.0, "and on with the next");
    assert_eq!(column("3,0.5,0;2,0.5,0"), [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "back again");
    let half = column("2,0.5,0;2.5,0.5,0");
    assert_close(half[3], 0.5);
    assert_eq!(column("3,0.5,0"), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "a click carries nothing");
}

#[test]
fn hammer_repairs_the_spike_and_nothing_else() {
    // Pain 21
    let mut scene = patch(6, 6);
    scene.rows()[24] = vec![(1, 1.0)];
    // A step that is meant: columns 5 and 6 are B's.
    for v in (0..49).filter(|v| v % 7 >= 5) {
        scene.rows()[v] = vec![(1, 1.0)];
    }
    let mut editor = editor(&scene);
    let before = all_rows(&editor);
    let outcome = editor
        .run("stroke joint=B brush=hammer radius=20 falloff=constant reach=volume points=3,3,0")
        .expect("runs")
        .expect("a command");
    assert_eq!(outcome.n_vertices, 1);
    assert_eq!(row(&editor, 24), Row::rigid(JointSlot(0)));
    assert!(all_rows(&editor).iter().zip(&before).enumerate().all(|(v, (a, b))| v == 24 || a == b));
}

#[test]
fn a_flood_averages_everything_and_will_not_smear() {
    let mut editor = editor(&strip());
    run(&mut editor, &["flood joint=J1 brush=average"]);
    for v in 0..10 {
        assert_close(weight(&editor, v, 1), 0.5);
    }
    assert!(editor.run("flood joint=J1 brush=smear").is_err());
}
