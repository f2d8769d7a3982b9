//! Painting that leaves a share of vertices unassigned, and settling it.

use sinew_model::{JointSlot, Row, VertexIndex};
use sinew_tests::{Scene, patch, strip};

use crate::{MESH, all_rows, assert_close, editor, row, run, weight};

/// The middle vertex of [`never_weighted`] alone.
const MIDDLE: &str = "radius=0.3 falloff=constant points=2,2,0";

/// PATCH 4×4 without any weight.
fn never_weighted() -> Scene {
    let mut scene = patch(4, 4);
    scene.rows().iter_mut().for_each(Vec::clear);
    scene
}

fn part(influences: &[(u16, f32)]) -> Row {
    influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
}

#[test]
fn on_a_never_weighted_mesh_a_vertex_gets_what_is_painted_and_nothing_else() {
    // Pain 2
    let mut open = editor(&never_weighted());
    run(&mut open, &["unassigned leave=yes", &format!("stroke joint=B value=0.4 {MIDDLE}")]);
    assert_eq!(row(&open, 12), part(&[(1, 0.4)]));
    let census = open.census(MESH);
    assert_eq!(census.unassigned, [VertexIndex(12)]);
    assert_eq!((census.unweighted.len(), census.off_sum.len(), census.worst_off_sum), (24, 0, 0.0));
    // A second joint takes from the share; the first keeps its bits.
    run(&mut open, &[&format!("stroke joint=A value=0.5 {MIDDLE}")]);
    assert_eq!(row(&open, 12), part(&[(0, 0.5), (1, 0.4)]));
    // Beyond the share the others pay.
    run(&mut open, &[&format!("stroke joint=A value=0.8 {MIDDLE}")]);
    assert_close(weight(&open, 12, 1), 0.2);
    assert!(open.census(MESH).unassigned.is_empty());
    run(&mut open, &[&format!("stroke joint=A brush=erase {MIDDLE}")]);
    assert_eq!(row(&open, 12).len(), 1);
    assert_close(weight(&open, 12, 1), 0.2);

    // The lines say it, so that a replay needs no mode; undo leads back to nothing.
    let after = all_rows(&open);
    let script = open.script();
    assert_eq!(script.matches("unassigned=yes").count(), 4, "{script}");
    let mut replayed = editor(&never_weighted());
    script.lines().for_each(|line| run(&mut replayed, &[line]));
    assert_eq!(all_rows(&replayed), after);
    while open.undo().is_ok() {}
    assert!(all_rows(&open).iter().all(Row::is_empty));
    assert!(open.census(MESH).unassigned.is_empty());

    // As it is without the mode: the first joint takes it all.
    let mut whole = editor(&never_weighted());
    run(&mut whole, &[&format!("stroke joint=B value=0.4 {MIDDLE}")]);
    assert_eq!(row(&whole, 12), Row::rigid(JointSlot(1)));
}

#[test]
fn smoothing_evens_the_open_share_out_like_a_joint() {
    let mut editor = editor(&never_weighted());
    run(&mut editor, &["unassigned leave=yes", &format!("stroke joint=B value=0.6 {MIDDLE}")]);
    let n_around = editor.surface(MESH).topology.neighbours(7).len() as f32;
    run(&mut editor, &["stroke joint=B brush=smooth radius=0.3 falloff=constant points=2,1,0"]);
    // One of vertex 7's neighbours has .6, the others nothing.
    assert_eq!(row(&editor, 7).len(), 1);
    assert_close(weight(&editor, 7, 1), 0.6 / n_around);
    // The flood does the same; with the mode off it fills.
    run(&mut editor, &["undo", "select vertices=7", "flood joint=B brush=smooth"]);
    assert_close(weight(&editor, 7, 1), 0.6 / n_around);
    run(&mut editor, &["undo", "flood joint=B brush=smooth unassigned=no"]);
    assert_eq!(row(&editor, 7), Row::rigid(JointSlot(1)));
}

#[test]
fn what_is_given_up_stays_open_and_an_emptied_vertex_counts() {
    let mut editor = editor(&strip());
    run(&mut editor, &["set vertices=4 joint=J1 value=0.1 unassigned=yes"]);
    assert_eq!(row(&editor, 4), part(&[(0, 0.5), (1, 0.1)]));
    run(
        &mut editor,
        &["set vertices=4 joint=J1 value=0 unassigned=yes", "set vertices=4 joint=J0 value=0 unassigned=yes"],
    );
    let census = editor.census(MESH);
    assert_eq!(
        (census.unassigned.as_slice(), census.unweighted.as_slice()),
        (&[VertexIndex(4)][..], &[VertexIndex(4)][..])
    );
    // It is drawn with its neighbours' joints, and settled by them.
    run(&mut editor, &["settle unassigned=normalize"]);
    assert_eq!(row(&editor, 4).check(), Ok(()));
    assert!(editor.census(MESH).unassigned.is_empty());
}

#[test]
fn rows_that_came_so_are_not_ours_until_they_are_painted() {
    let mut scene = strip();
    scene.rows()[4] = vec![(0, 0.5)];
    let mut editor = editor(&scene);
    let census = editor.census(MESH);
    assert_eq!((census.off_sum.as_slice(), census.unassigned.len()), (&[VertexIndex(4)][..], 0));
    run(&mut editor, &["set vertices=4 joint=J1 value=0.1 unassigned=yes"]);
    let census = editor.census(MESH);
    assert_eq!((census.off_sum.len(), census.unassigned.as_slice()), (0, &[VertexIndex(4)][..]));
    editor.undo().expect("a step");
    assert_eq!(editor.census(MESH).off_sum, [VertexIndex(4)]);
    assert_eq!(editor.run("settle unassigned=normalize").expect("settles").expect("a command").n_vertices, 0);
}

#[test]
fn settling_fills_the_share_and_leaves_locked_weights_to_the_bit() {
    let settled = |how: &str| {
        let mut editor = editor(&never_weighted());
        run(
            &mut editor,
            &["set vertices=0 joint=A value=1", &format!("stroke joint=B value=0.4 unassigned=yes {MIDDLE}")],
        );
        run(&mut editor, &["lock joint=A", "unlock joint=all", how]);
        (row(&editor, 12), editor.census(MESH).unassigned.len(), editor.script())
    };
    assert_eq!(settled("settle unassigned=normalize").0, Row::rigid(JointSlot(1)));
    for how in ["settle unassigned=nearest", "settle unassigned=joint joint=A"] {
        let (row, n_left, script) = settled(how);
        assert_eq!((row.weight(JointSlot(1)), n_left), (0.4, 0));
        assert_close(row.weight(JointSlot(0)), 0.6);
        assert!(script.contains(how.split_once("joint=").map_or(how, |(head, _)| head.trim())), "{script}");
    }
    // A locked joint cannot grow: the vertex stays, and is named.
    let mut locked = editor(&never_weighted());
    run(&mut locked, &[&format!("stroke joint=B value=0.4 unassigned=yes {MIDDLE}"), "lock joint=B"]);
    let outcome = locked.run("settle unassigned=normalize").expect("a command").expect("an outcome");
    assert_eq!((outcome.n_vertices, outcome.notes.len()), (0, 1), "{outcome:?}");
    run(&mut locked, &["settle unassigned=joint joint=A"]);
    assert_eq!(weight(&locked, 12, 1).to_bits(), 0.4_f32.to_bits());
    assert!(locked.run("settle unassigned=joint").is_err(), "which joint?");
    assert!(locked.run("settle unassigned=joint joint=B").is_err(), "it is locked");
}

#[test]
fn where_no_vertex_has_weight_settling_says_that_it_needs_a_joint() {
    // Pain 2, B63
    let mut editor = editor(&never_weighted());
    let outcome = editor.run("settle").expect("runs").expect("a command");
    assert_eq!((outcome.n_vertices, editor.history().n_done()), (0, 0));
    let [note] = &outcome.notes[..] else { panic!("{:?}", outcome.notes) };
    assert!(note.contains("25 vertices still without weight") && note.contains("name a joint"), "{note}");
    run(&mut editor, &["settle joint=B"]);
    assert_eq!(row(&editor, 12), Row::rigid(JointSlot(1)));
}
