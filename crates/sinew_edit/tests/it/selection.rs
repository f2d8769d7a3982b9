//! Selecting: what each criterion picks, how selections combine, that twins go together and undo brings them back.

use sinew_edit::Editor;
use sinew_model::MeshIndex;
use sinew_tests::{Scene, pair, pair_two_meshes, patch, seam};

use crate::{MESH, editor, run};

fn selected(editor: &Editor) -> String {
    editor.document().selection(MESH).to_string()
}

/// Does a line and gives the selection of the first mesh.
#[track_caller]
fn after(editor: &mut Editor, line: &str) -> String {
    run(editor, &[line]);
    selected(editor)
}

/// 5 × 5 vertices; B rises from 0 to 1 with x.
fn ramp() -> Scene {
    let mut scene = patch(4, 4);
    for (v, row) in scene.rows().iter_mut().enumerate() {
        let b = (v % 5) as f32 / 4.0;
        *row = [(0, 1.0 - b), (1, b)].into_iter().filter(|&(_, weight)| weight > 0.0).collect();
    }
    scene
}

#[test]
fn each_criterion_picks_its_vertices() {
    let mut scene = ramp();
    scene.rows()[24] = vec![];
    let mut e = editor(&scene);
    assert_eq!(after(&mut e, "select vertices=3,7,10-12"), "3,7,10-12");
    assert_eq!(after(&mut e, "select faces=0"), "0-1,6");
    assert_eq!(after(&mut e, "select joint=B min=0.75"), "3-4,8-9,13-14,18-19,23");
    assert_eq!(after(&mut e, "select joint=B max=0.25"), "1,6,11,16,21", "without a least weight: some");
    assert_eq!(after(&mut e, "select joint=B min=0 max=0"), "0,5,10,15,20,24");
    assert_eq!(after(&mut e, "select over=1"), "1-3,6-8,11-13,16-18,21-23");
    assert_eq!(after(&mut e, "select unweighted=yes"), "24");
    assert_eq!(after(&mut e, "select_all"), "0-24");
    assert_eq!(after(&mut e, "select_none"), "none");
    let mut two = editor(&pair());
    assert_eq!(after(&mut two, "select island_of=3"), "0-9");
    assert_eq!(after(&mut two, "select island_of=3,15"), "0-19");
}

#[test]
fn selections_replace_add_to_take_from_and_cut_each_other() {
    let mut e = editor(&ramp());
    run(&mut e, &["select vertices=0-9"]);
    assert_eq!(after(&mut e, "select vertices=12 how=add"), "0-9,12");
    assert_eq!(after(&mut e, "select vertices=2-4 how=remove"), "0-1,5-9,12");
    assert_eq!(after(&mut e, "select joint=B min=0.5 how=intersect"), "7-9,12");
    assert_eq!(after(&mut e, "invert_selection"), "0-6,10-11,13-24");
    assert_eq!(after(&mut e, "select vertices=20"), "20");
    // Undone and redone like an edit, but nothing to save.
    assert!(e.history().is_saved());
    run(&mut e, &["undo", "undo"]);
    assert_eq!(selected(&e), "7-9,12");
    run(&mut e, &["redo"]);
    assert_eq!(selected(&e), "0-6,10-11,13-24");
}

#[test]
fn growing_and_shrinking_go_by_edges_and_linked_by_shells() {
    let mut e = editor(&pair());
    run(&mut e, &["select vertices=0"]);
    assert_eq!(after(&mut e, "grow"), "0-3");
    assert_eq!(after(&mut e, "grow steps=2"), "0-7");
    assert_eq!(after(&mut e, "shrink"), "0-5");
    assert_eq!(after(&mut e, "select_linked"), "0-9");
    assert_eq!(after(&mut e, "shrink steps=9"), "0-9", "no unselected vertex is next to a whole shell");
}

#[test]
fn twins_are_selected_together_and_the_other_side_of_a_seam_is_next_to_this_one() {
    // B32
    let mut e = editor(&seam());
    assert_eq!(after(&mut e, "select vertices=4"), "4,6");
    assert_eq!(after(&mut e, "grow"), "2,4-9");
    assert_eq!(after(&mut e, "select vertices=6 how=remove"), "2,5,7-9");
}

#[test]
fn a_selection_of_one_mesh_replaces_that_of_another_and_numbers_need_a_mesh() {
    let mut e = editor(&pair_two_meshes());
    let error = e.run("select vertices=0-3").expect_err("which mesh?").to_string();
    assert!(error.contains("needs mesh="), "{error}");
    run(&mut e, &["select vertices=0-3 mesh=Left"]);
    run(&mut e, &["select vertices=5 mesh=Right how=add"]);
    assert_eq!(selected(&e), "0-3");
    run(&mut e, &["select vertices=6 mesh=Right"]);
    assert_eq!((selected(&e), e.document().selection(MeshIndex(1)).to_string()), ("none".to_owned(), "6".to_owned()));
    run(&mut e, &["mesh name=Left", "select vertices=1,2,3,0"]);
    assert!(e.script().ends_with("select vertices=0-3 mesh=Left\n"), "short, and it names its mesh: {}", e.script());
}

#[test]
fn hidden_vertices_cannot_be_selected_and_hiding_takes_them_out() {
    let mut e = editor(&ramp());
    run(&mut e, &["select vertices=0-4", "hide"]);
    assert_eq!((selected(&e), e.document().hidden(MESH).to_string()), ("none".to_owned(), "0-4".to_owned()));
    assert_eq!(after(&mut e, "select_all"), "5-24");
    assert_eq!(after(&mut e, "invert_selection"), "none");
    run(&mut e, &["undo", "undo", "undo"]);
    assert_eq!((selected(&e), e.document().hidden(MESH).to_string()), ("0-4".to_owned(), "none".to_owned()));
}

#[test]
fn what_cannot_be_selected_is_refused_by_name() {
    let mut e = editor(&ramp());
    let error = |e: &mut Editor, line: &str| e.run(line).expect_err("refused").to_string();
    assert!(error(&mut e, "select vertices=0-25").contains("vertex 25 does not exist"));
    assert!(error(&mut e, "select faces=32").contains("below 32"));
    assert!(error(&mut e, "select").contains("one of vertices"));
    assert!(error(&mut e, "select vertices=1 joint=B").contains("one of vertices"));
    assert!(error(&mut e, "select joint=C").contains("no joint is named"));
    assert!(error(&mut e, "select vertices=1 how=maybe").contains("replace, add, remove, intersect"));
    for line in ["hide", "isolate", "mask", "smooth on=selection", "set joint=B value=1"] {
        assert!(error(&mut e, line).contains("nothing is selected"), "{line}");
    }
    assert_eq!(e.history().n_done(), 0);
}

#[test]
fn a_list_of_every_second_vertex_or_of_a_thousand_wholes_is_read_at_once() {
    let mut e = editor(&sinew_tests::grid(20_000, 2, 1));
    let n = e.document().mesh(MESH).n_vertices();
    let every_second: Vec<String> = (0..n).step_by(2).map(|v| v.to_string()).collect();
    run(&mut e, &[&format!("select vertices={}", every_second.join(","))]);
    assert_eq!(e.document().selection(MESH).len(), n.div_ceil(2));
    let wholes = vec![format!("0-{}", n - 1); 1000].join(",");
    run(&mut e, &[&format!("select vertices={wholes}")]);
    assert_eq!(selected(&e), format!("0-{}", n - 1));
}
