//! Brushes, from the stroke to the saved file.

use glam::Vec3;
use sinew_tests::{Primitive, Scene, patch, seam, strip};

use crate::job::{Job, assert_close, assert_same_files};

#[test]
fn every_vertex_within_the_radius_is_painted_slivers_included() {
    // B28: vertices 11, 12 and 17 are a triangle .00005 high.
    let mut scene = patch(4, 4);
    scene.primitive().positions[11] = Vec3::new(1.75, 2.0, 0.0);
    scene.primitive().positions[17] = Vec3::new(1.85, 2.00005, 0.0);
    let positions = scene.primitive().positions.clone();
    for reach in ["surface", "volume"] {
        let mut job = Job::of(&scene);
        job.run(&[&format!("stroke joint=B radius=0.3 falloff=constant strength=1 reach={reach} points=2,2,0")]);
        let back = job.reopen();
        let within = |v: usize| positions[v].distance(Vec3::new(2.0, 2.0, 0.0)) <= 0.3;
        assert_eq!((0..25).filter(|&v| within(v)).collect::<Vec<_>>(), [11, 12, 17]);
        for v in 0..25 {
            assert_eq!(back.weight(v as u32, 1), if within(v) { 1.0 } else { 0.0 }, "vertex {v}, {reach}");
        }
    }
}

#[test]
fn front_only_spares_what_is_hidden_and_without_it_the_brush_goes_through() {
    // B29: two patches .05 apart, both facing the eye.
    let mut scene = patch(4, 4);
    let front: Primitive = scene.primitive().clone();
    let primitive = scene.primitive();
    primitive.positions.extend(front.positions.iter().map(|p| *p - Vec3::Z * 0.05));
    primitive.normals.extend(&front.normals);
    primitive.rows.extend(front.rows.clone());
    let indices = front.indices.expect("PATCH is indexed");
    primitive.indices.as_mut().expect("PATCH is indexed").extend(indices.iter().map(|index| index + 25));
    // The dab ends well inside, so that no vertex at the back is seen past the rim of the front patch.
    let dab = "stroke joint=B radius=1.2 falloff=constant reach=volume points=2,2,0";
    let mut seen = Job::of(&scene);
    seen.run(&[&format!("{dab} eye=2,2,10")]);
    let back = seen.reopen();
    assert!((25..50).all(|v| back.weight(v, 1) == 0.0));
    assert_eq!((0..25).filter(|&v| back.weight(v, 1) == 1.0).count(), 5, "the middle and its four neighbours");
    let mut through = Job::of(&scene);
    through.run(&[dab]);
    let back = through.reopen();
    assert!((0..25).all(|v| back.weight(v, 1) == back.weight(v + 25, 1)));
    assert_eq!((0..50).filter(|&v| back.weight(v, 1) == 1.0).count(), 10);
}

#[test]
fn what_is_seen_at_a_grazing_angle_is_painted_whole_and_from_behind_nothing_is() {
    // B29
    let mut scene = patch(4, 4);
    // A little uneven, so that no vertex is exactly in the plane of its neighbours.
    for (i, position) in scene.primitive().positions.iter_mut().enumerate() {
        position.z += 1e-5 * (i * 7 % 5) as f32;
    }
    for around_deg in [0.0_f32, 37.0, 90.0, 225.0] {
        for above_deg in [0.5_f32, 1.0, 3.0, 20.0, 89.0, -0.5, -20.0, -89.0] {
            let (around, above) = (around_deg.to_radians(), above_deg.to_radians());
            let toward = Vec3::new(above.cos() * around.cos(), above.cos() * around.sin(), above.sin());
            let eye = Vec3::new(2.0, 2.0, 0.0) + toward * 50.0;
            let mut job = Job::of(&scene);
            job.run(&[&format!(
                "stroke joint=B radius=1.2 falloff=constant reach=volume points=2,2,0 eye={},{},{}",
                eye.x, eye.y, eye.z
            )]);
            let n = (0..25).filter(|&v| job.weight(v, 1) == 1.0).count();
            assert_eq!(n, if above_deg > 0.0 { 5 } else { 0 }, "{above_deg}° above the patch, from {around_deg}°");
        }
    }
}

#[test]
fn a_fast_stroke_paints_what_a_slow_one_does() {
    // B31
    let few = "2,0.5,0;32,0.5,0".to_owned();
    let many: Vec<String> = (0..30).map(|i| format!("{},0.5,0", 2.0 + 30.0 * i as f32 / 29.0)).collect();
    let painted = [few, many.join(";")].map(|path| {
        let mut job = Job::of(&patch(40, 1));
        job.run(&[&format!("stroke joint=B radius=2 strength=0.5 path={path}")]);
        job.reopen()
    });
    for v in 0..82 {
        assert_close(painted[0].weight(v, 1), painted[1].weight(v, 1), 1e-3);
        assert!(!(2..=32).contains(&(v % 41)) || painted[0].weight(v, 1) > 0.5, "vertex {v} was skipped");
    }
}

#[test]
fn smoothing_over_a_seam_opens_no_gap() {
    // Pain 19
    // B32
    let mut job = Job::of(&seam());
    job.run(&["stroke joint=J1 brush=smooth radius=0.8 strength=0.7 points=0,1,0"; 10]);
    job.run(&["stroke joint=J1 brush=add value=0.3 radius=0.6 points=0.4,1,0", "smooth iterations=10"]);
    let mut back = job.reopen();
    assert_eq!(back.document().meshes()[0].n_vertices(), 12);
    for deformer in ["lbs", "dqs"] {
        let posed = back.posed_in("J1:0,0,90", deformer);
        for (below, above) in [(4, 6), (5, 7)] {
            assert!(back.row(below).same_influences(&back.row(above)), "twins are equal bit for bit");
            assert_eq!(posed[below as usize], posed[above as usize], "the gap is 0");
        }
    }
    assert_ne!(back.row(4), Job::of(&seam()).row(4), "something was smoothed");
}

#[test]
fn undo_and_redo_take_whole_strokes_across_joints_and_the_file_follows() {
    // B35
    let mut job = Job::of(&strip());
    for y in [0.0, 0.5, 1.0] {
        job.run(&[&format!("stroke joint=J1 brush=add value=0.2 radius=0.6 points=0,{y},0")]);
    }
    job.run(&["joint name=J0"]);
    for _ in 0..2 {
        job.run(&["stroke joint=J0 brush=add value=0.3 radius=0.6 points=0.5,1.5,0"]);
    }
    job.run(&["joint name=J1"]);
    assert_eq!(job.editor.history().n_done(), 5);
    let (rows, posed, files) = (job.all_rows(), job.posed(0), job.save());
    job.run(&["undo"; 5]);
    assert!(job.edited().is_empty());
    assert_same_files(&job.files, &job.save(), "undone");
    job.run(&["redo"; 5]);
    assert_eq!(job.all_rows(), rows);
    assert_eq!(job.posed(0), posed);
    assert_same_files(&files, &job.save(), "redone");
}

#[test]
fn modes_are_their_formulas_and_the_others_take_the_rest_in_proportion() {
    // B36: J0 and J2 share what J1 leaves, two to one.
    let mut scene: Scene = strip();
    scene.add_joint(1, "J2", Vec3::Y * 0.5);
    scene.rows()[4] = vec![(0, 0.4), (1, 0.4), (2, 0.2)];
    for (brush, strength, expected) in
        [("add", 0.5, 0.9), ("replace", 0.5, 0.7), ("replace", 1.0, 1.0), ("subtract", 0.5, 0.0)]
    {
        let mut job = Job::of(&scene);
        job.run(&[&format!(
            "stroke joint=J1 brush={brush} value=1 strength={strength} radius=0.1 falloff=constant points=-0.5,1,0"
        )]);
        let back = job.reopen();
        assert_close(back.weight(4, 1), expected, 1e-6);
        assert_close(back.weight(4, 0), (1.0 - expected) * 2.0 / 3.0, 1e-6);
        assert_close(back.weight(4, 2), (1.0 - expected) / 3.0, 1e-6);
    }
}
