//! The model as an engine gets it.

use glam::Vec3;
use sinew_edit::{Editor, StoredWeights, WeightType};
use sinew_model::{JointSlot, VertexIndex};
use sinew_tests::{Scene, strip};

use crate::{MESH, editor, run};

/// The strip with six joints on every vertex of the middle row, bent.
fn bent() -> Editor {
    let mut scene: Scene = strip();
    for k in 2..6 {
        scene.add_joint(1, &format!("J{k}"), Vec3::Y * 0.1 * k as f32);
    }
    let six = vec![(0, 0.30), (1, 0.25), (2, 0.20), (3, 0.15), (4, 0.06), (5, 0.04)];
    scene.rows()[4].clone_from(&six);
    scene.rows()[5] = six;
    let mut editor = editor(&scene);
    run(&mut editor, &["pose turns=J1:0,0,90;J5:40,0,0"]);
    editor
}

fn distance(editor: &mut Editor, vertex: usize) -> f32 {
    editor.exported(0).expect("shown as exported").distances[vertex]
}

#[test]
fn as_edited_there_is_nothing_exported() {
    let mut editor = bent();
    assert!(editor.exported(0).is_none());
    assert!(editor.exported_rows(MESH).is_none());
    assert!(editor.difference().is_none());
    run(&mut editor, &["view_as profile=4xu8", "view_as profile=editing"]);
    assert!(editor.exported(0).is_none());
    assert!(editor.run("view_as profile=3xu8").is_err());
    assert!(!editor.history().can_undo(), "a view is no step");
}

#[test]
fn the_difference_is_where_the_limit_takes_influences_and_in_scene_units() {
    // B01
    let mut editor = bent();
    run(&mut editor, &["view_as profile=4xf32"]);
    let edited = editor.posed(0).posed.positions.clone();
    let exported = editor.exported(0).unwrap().posed.positions.clone();
    for v in 0..edited.len() {
        let apart = edited[v].distance(exported[v]);
        assert_eq!(distance(&mut editor, v), apart);
        assert_eq!(apart > 0.0, v == 4 || v == 5, "vertex {v} stands {apart} apart");
    }
    let rows = editor.exported_rows(MESH).unwrap();
    assert_eq!(rows.row(VertexIndex(4)).len(), 4);
    assert!((rows.weight(VertexIndex(4), JointSlot(0)) - 0.3 / 0.9).abs() < 1e-6);
    let difference = editor.difference().unwrap();
    let worst = difference.worst.unwrap();
    assert!(worst == (0, VertexIndex(4)) || worst == (0, VertexIndex(5)));
    assert_eq!(difference.max, distance(&mut editor, worst.1.idx()));
    assert_eq!((difference.n_limited, difference.n_over, difference.n_vertices), (2, 2, 10));
    assert!(difference.mean > 0.0 && difference.mean < difference.max);
    // Four floats lose nothing where there were four at most.
    run(&mut editor, &["limit influences=4"]);
    let difference = editor.difference().unwrap();
    assert_eq!((difference.max, difference.worst, difference.n_limited), (0.0, None, 0));
}

#[test]
fn off_sum_rows_are_not_divided_and_unweighted_ones_go_to_the_origin() {
    // B17: what engines do with a row of half a weight.
    let mut scene = strip();
    scene.nodes[0].translation = Vec3::X * 50.0;
    scene.rebind(0);
    scene.rows()[2] = vec![(0, 0.5)];
    scene.rows()[3] = Vec::new();
    let mut editor = editor(&scene);
    for profile in ["file", "4xu8", "4xf32"] {
        run(&mut editor, &[&format!("view_as profile={profile}")]);
        let edited = editor.posed(0).posed.positions.clone();
        let exported = editor.exported(0).unwrap().posed.positions.clone();
        assert!(exported[2].distance(edited[2] * 0.5) < 0.2, "{profile}: {} of {}", exported[2], edited[2]);
        assert_eq!(exported[3], Vec3::ZERO, "{profile}");
        assert_eq!(editor.difference().unwrap().worst, Some((0, VertexIndex(3))), "{profile}");
    }
}

#[test]
fn after_a_dab_the_touched_rows_are_as_if_all_had_been_made_anew() {
    let mut editor = bent();
    editor.set_stored(vec![vec![StoredWeights { n_sets: 2, weights: WeightType::U8 }]]);
    for profile in ["file", "4xu8", "8xu8", "4xu16"] {
        run(&mut editor, &[&format!("view_as profile={profile}")]);
        let first = editor.exported(0).unwrap().version;
        for line in [
            "stroke joint=J2 brush=add value=0.31 radius=0.6 points=-0.5,1,0",
            "smooth iterations=1",
            "stroke joint=J0 brush=replace value=0.7 strength=0.3 radius=0.8 points=0.5,1.5,0",
        ] {
            run(&mut editor, &[line]);
            let before = *editor.difference().as_ref().unwrap();
            let (partial, distances) = {
                let exported = editor.exported(0).unwrap();
                assert!(exported.version > first, "the picture changes");
                (exported.posed.clone(), exported.distances.clone())
            };
            let rows = editor.exported_rows(MESH).unwrap().clone();
            run(&mut editor, &["view_as profile=editing"]);
            assert!(editor.exported(0).is_none());
            run(&mut editor, &[&format!("view_as profile={profile}")]);
            assert!(rows == *editor.exported_rows(MESH).unwrap(), "{profile}, {line}");
            let anew = editor.exported(0).unwrap();
            assert!(anew.posed == partial && anew.distances == distances, "{profile}, {line}");
            assert_eq!(editor.difference().unwrap(), before);
        }
        editor.undo().unwrap();
        let undone = editor.exported(0).unwrap().posed.clone();
        run(&mut editor, &["view_as profile=editing"]);
        editor.exported(0);
        run(&mut editor, &[&format!("view_as profile={profile}")]);
        assert!(editor.exported(0).unwrap().posed == undone, "undo is followed, too");
    }
}

#[test]
fn a_stroke_gives_the_same_rows_whatever_is_shown() {
    let stroke = "stroke joint=J2 brush=add value=0.31 radius=0.6 points=-0.5,1,0;0.5,1.5,0";
    let (mut edited, mut exported) = (bent(), bent());
    run(&mut edited, &[stroke]);
    run(&mut exported, &["view_as profile=4xu8"]);
    exported.exported(0);
    run(&mut exported, &[stroke]);
    assert_eq!(crate::all_rows(&edited), crate::all_rows(&exported));
    assert_eq!(edited.script(), exported.script());
}

#[test]
fn bending_and_the_deformer_are_followed() {
    let mut editor = bent();
    run(&mut editor, &["view_as profile=4xu8"]);
    let bent_far = editor.difference().unwrap().max;
    run(&mut editor, &["deform by=dqs"]);
    let by_dqs = editor.exported(0).unwrap().posed.clone();
    run(&mut editor, &["deform by=lbs"]);
    assert!(editor.exported(0).unwrap().posed != by_dqs, "the session's deformer poses it");
    run(&mut editor, &["reset_pose"]);
    let at_rest = editor.difference().unwrap().max;
    assert!(at_rest < 1e-5 && bent_far > 100.0 * at_rest, "at rest {at_rest}, bent {bent_far}");
}
