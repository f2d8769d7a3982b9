//! Which vertices a stroke reaches, and on which meshes.

use glam::Vec3;
use sinew_edit::Editor;
use sinew_model::{JointSlot, MeshIndex, VertexIndex};
use sinew_tests::{Scene, pair_two_meshes, patch};

use crate::{all_rows, assert_close, editor, run, weight};

/// Two patches 4 × 4, the second `gap` behind the first. All A; the second all `behind`.
fn sheets(gap: f32, behind: u16) -> Scene {
    let mut scene = patch(4, 4);
    let primitive = scene.primitive();
    let n = primitive.positions.len();
    let back: Vec<Vec3> = primitive.positions.iter().map(|p| *p - Vec3::Z * gap).collect();
    primitive.positions.extend(back);
    primitive.rows.extend(vec![vec![(behind, 1.0)]; n]);
    primitive.normals.extend(vec![Vec3::Z; n]);
    let indices = primitive.indices.clone().expect("indexed");
    primitive.indices.as_mut().expect("indexed").extend(indices.iter().map(|i| i + n as u32));
    scene
}

fn painted(editor: &Editor, slot: u16) -> Vec<u32> {
    (0..50).filter(|&v| weight(editor, v, slot) > 0.0).collect()
}

#[test]
fn screen_reach_goes_through_along_the_view_and_front_spares_what_is_hidden() {
    // B29
    let base = "stroke joint=B radius=0.5 falloff=constant reach=screen points=2,2,0 eye=2,2,10";
    let mut through = editor(&sheets(3.0, 0));
    run(&mut through, &[base]);
    assert_eq!(painted(&through, 1), [12, 37], "3 away, but behind one another");
    let mut front = editor(&sheets(3.0, 0));
    run(&mut front, &[&format!("{base} front=yes")]);
    assert_eq!(painted(&front, 1), [12]);
    // From the side the ray passes between the sheets' vertices.
    let mut side = editor(&sheets(3.0, 0));
    run(&mut side, &["stroke joint=B radius=0.5 falloff=constant reach=screen points=2,2,0 eye=8,2,6"]);
    assert_eq!(painted(&side, 1), [12], "the other sheet is 3 to the left there, beyond its border at −1");
    let error = editor(&sheets(3.0, 0)).run("stroke joint=B reach=screen points=2,2,0").expect_err("no eye");
    assert!(error.to_string().contains("eye"), "{error}");
}

#[test]
fn what_is_behind_the_eye_is_not_on_its_screen() {
    let mut editor = editor(&sheets(3.0, 0));
    run(&mut editor, &["stroke joint=B radius=0.5 falloff=constant reach=screen points=2,2,-3 eye=2,2,-1"]);
    assert_eq!(painted(&editor, 1), [37]);
}

#[test]
fn only_the_shell_under_the_centre_is_painted_if_asked() {
    // Pain 12
    let base = "stroke joint=B radius=1.1 falloff=constant reach=volume points=2,2,0";
    let mut all = editor(&sheets(0.05, 0));
    run(&mut all, &[base]);
    assert_eq!(painted(&all, 1).len(), 10);
    let mut one = editor(&sheets(0.05, 0));
    run(&mut one, &[&format!("{base} shell=yes")]);
    assert_eq!(painted(&one, 1), [7, 11, 12, 13, 17]);
    let mut screen = editor(&sheets(0.05, 0));
    run(&mut screen, &["stroke joint=B radius=1.1 falloff=constant reach=screen eye=2,2,9 shell=yes points=2,2,0"]);
    assert_eq!(painted(&screen, 1), [7, 11, 12, 13, 17]);
}

#[test]
fn smoothing_sees_across_a_gap_only_if_asked() {
    let base = "stroke joint=B brush=smooth radius=0.2 falloff=constant points=2,2,0";
    let mut apart = editor(&sheets(0.1, 1));
    let before = all_rows(&apart);
    run(&mut apart, &[base]);
    assert_eq!(all_rows(&apart), before, "its own sheet is all A");
    let mut together = editor(&sheets(0.1, 1));
    run(&mut together, &[&format!("{base} gap=0.2")]);
    // Six neighbours of its own sheet, one behind.
    assert_close(weight(&together, 12, 1), 1.0 / 7.0);
    assert_eq!(painted(&together, 1).iter().filter(|&&v| v < 25).count(), 1);
}

#[test]
fn once_a_stroke_takes_the_strongest_dab_and_accumulating_adds_up() {
    let thrice = "stroke joint=B strength=0.5 radius=0.5 falloff=constant points=2,2,0;2,2,0;2,2,0";
    let mut adding = editor(&patch(4, 4));
    run(&mut adding, &[thrice]);
    assert_close(weight(&adding, 12, 1), 0.875);
    let mut once = editor(&patch(4, 4));
    run(&mut once, &[&format!("{thrice} cap=yes")]);
    assert_close(weight(&once, 12, 1), 0.5);
    // Of dabs .2 and .1 away of .5, linear, the nearer counts, whichever comes first.
    for points in ["2.2,2,0;1.9,2,0", "1.9,2,0;2.2,2,0"] {
        let mut two = editor(&patch(4, 4));
        run(&mut two, &[&format!("stroke joint=B radius=0.5 falloff=linear cap=yes points={points}")]);
        assert_close(weight(&two, 12, 1), 0.8);
    }
}

#[test]
fn a_curve_says_how_a_dab_fades() {
    let mut editor = editor(&patch(8, 8));
    let curve = "falloff=curve curve=0,0.25;1,0.75";
    run(&mut editor, &[&format!("stroke joint=B radius=2 {curve} reach=volume points=4,4,0")]);
    assert_close(weight(&editor, 40, 1), 0.25);
    assert_close(weight(&editor, 41, 1), 0.5);
    assert_close(weight(&editor, 42, 1), 0.75);
    assert_eq!(weight(&editor, 43, 1), 0.0);
    assert!(editor.run("stroke joint=B falloff=curve curve=1,0;0,1 points=4,4,0").is_err());
}

#[test]
fn body_and_clothes_are_one_stroke_and_one_step() {
    let mut editor = editor(&pair_two_meshes());
    let on = |editor: &Editor, mesh: u32| {
        let weights = &editor.document().mesh(MeshIndex(mesh)).weights;
        weights.vertices().filter(|&v: &VertexIndex| weights.weight(v, JointSlot(0)) == 0.5).count()
    };
    let before = all_rows(&editor);
    let dab = "stroke joint=L0 value=0.5 radius=9 falloff=constant reach=volume points=2,1,0";
    run(&mut editor, &[&format!("{dab} mesh=Left meshes=all")]);
    assert_eq!((on(&editor, 0), on(&editor, 1)), (10, 10));
    assert_eq!(editor.history().n_done(), 1);
    let script = editor.script();
    assert!(script.contains(" meshes=Right "), "the meshes are named, whatever shows when it is done again: {script}");
    let after = all_rows(&editor);
    editor.undo().expect("a step");
    assert_eq!(all_rows(&editor), before);
    run(&mut editor, &[script.trim()]);
    assert_eq!(all_rows(&editor), after);
    // A mesh hidden as a whole is not meant.
    let mut alone = crate::editor(&pair_two_meshes());
    run(&mut alone, &["select mesh=Right vertices=all", "hide", &format!("{dab} mesh=Left meshes=all")]);
    assert_eq!((on(&alone, 0), on(&alone, 1)), (10, 0));
    assert!(alone.run(&format!("{dab} mesh=Left meshes=Nobody")).is_err());
}
