//! Shares that painting left unassigned, from the stroke to the refused and the settled file.

use sinew_io::{SaveError, encode};
use sinew_model::{JointSlot, Row};
use sinew_tests::{patch, strip};

use crate::job::{Job, MESH, assert_close};

#[track_caller]
fn refused(job: &Job) -> (usize, u32, f32) {
    match encode(job.document(), &job.source, job.source.kind(), "model.glb") {
        Err(SaveError::Unassigned { n, first, assigned, .. }) => (n, first, assigned),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was saved"),
    }
}

#[test]
fn a_never_weighted_mesh_is_painted_open_and_saved_once_it_is_settled() {
    // Pain 2
    let mut scene = patch(4, 4);
    scene.rows().iter_mut().for_each(Vec::clear);
    let mut job = Job::of(&scene);
    let dab = "radius=0.3 falloff=constant points";
    job.run(&[
        "unassigned leave=yes",
        &format!("stroke joint=B value=0.4 {dab}=2,2,0"),
        &format!("stroke joint=A value=1 {dab}=1,1,0"),
    ]);
    // What is drawn is divided by its sum: the vertex follows B alone and stays in place at rest.
    let rest = job.posed_in("B:0,0,0", "lbs");
    assert!(rest[12].distance(glam::Vec3::new(2.0, 2.0, 0.0)) < 1e-6);
    assert_eq!(refused(&job), (1, 12, 0.4));
    let settled = job.run(&["settle unassigned=nearest"]);
    assert_eq!(settled.n_vertices, 1);
    let back = job.reopen();
    assert_close(back.weight(12, 1), 0.4, 1e-7);
    assert_close(back.weight(12, 0), 0.6, 1e-7);
    assert_eq!(back.row(6), Row::rigid(JointSlot(0)));
    // What nobody painted came without weight and stays so.
    assert!(back.row(0).is_empty());
    // Undone, it may not be saved again; all undone, it is the opened file.
    job.editor.undo().expect("a step");
    assert_eq!(refused(&job).0, 1);
    while job.editor.undo().is_ok() {}
    assert_eq!(job.save(), job.files);
}

#[test]
fn rows_that_came_off_sum_are_saved_as_they_came_unless_painting_left_them_open() {
    let mut scene = strip();
    scene.rows()[4] = vec![(0, 0.5)];
    let mut job = Job::of(&scene);
    job.run(&["set vertices=0 joint=J1 value=0.5 unassigned=yes", "set vertices=0 joint=J0 value=0.5"]);
    assert_eq!(job.reopen().weight(4, 0), 0.5);
    job.run(&["set vertices=4 joint=J1 value=0.25 unassigned=yes"]);
    assert_eq!(refused(&job), (1, 4, 0.75));
    assert_eq!(job.editor.census(MESH).unassigned.len(), 1);
    job.run(&["settle unassigned=normalize"]);
    assert_close(job.reopen().weight(4, 1), 1.0 / 3.0, 1e-7);
}
