//! What selection, mask and hidden vertices do to edits.

use sinew_edit::Editor;
use sinew_model::Row;
use sinew_tests::{pair, pair_two_meshes, patch, seam, strip};

use crate::brush_suite::figure;
use crate::{MESH, all_rows, assert_close, editor, row, run, weight};

fn rows_but(editor: &Editor, changed: impl Fn(u32) -> bool) -> Vec<Row> {
    let all = all_rows(editor).into_iter().enumerate();
    all.filter(|&(v, _)| !changed(v as u32)).map(|(_, row)| row).collect()
}

#[test]
fn verbs_act_on_the_selection_and_their_lines_say_so() {
    let mut e = editor(&strip());
    let outside = rows_but(&e, |v| (4..6).contains(&v));
    run(
        &mut e,
        &["select vertices=4,5", "smooth iterations=3 strength=0.5", "prune below=0.49", "set joint=J1 value=0.25"],
    );
    assert_eq!(rows_but(&e, |v| (4..6).contains(&v)), outside);
    assert_close(weight(&e, 4, 1), 0.25);
    let script = e.script();
    assert!(script.contains("smooth iterations=3 strength=0.5 on=selection\n"), "{script}");
    assert!(script.contains("set vertices=selection joint=J1"), "{script}");
    // On everything although something is selected.
    run(&mut e, &["limit influences=1 on=all"]);
    assert!(all_rows(&e).iter().all(|row| row.len() == 1));
    let mut replayed = editor(&strip());
    run(&mut replayed, &e.script().lines().collect::<Vec<_>>());
    assert_eq!(all_rows(&replayed), all_rows(&e));
    assert_eq!(replayed.document().selection(MESH), e.document().selection(MESH));
}

#[test]
fn a_selection_on_one_mesh_leaves_the_others_alone() {
    let mut e = editor(&pair_two_meshes());
    let before = all_rows(&e);
    run(&mut e, &["select vertices=2-5 mesh=Right", "smooth"]);
    let after = all_rows(&e);
    assert_eq!(after[..10], before[..10]);
    assert_ne!(after[12..16], before[12..16]);
}

#[test]
fn a_masked_vertex_takes_its_part_of_every_change_and_none_at_zero() {
    let lines = [
        "set vertices=all joint=J1 value=1",
        "stroke joint=J1 value=1 radius=9 falloff=constant reach=volume points=0,1,0",
        "flood joint=J1 value=1",
    ];
    for line in lines {
        let mut e = editor(&strip());
        run(&mut e, &["mask vertices=2-3", "mask vertices=4-5 value=0.5"]);
        let kept = [row(&e, 2), row(&e, 3)];
        run(&mut e, &[line]);
        assert_eq!([row(&e, 2), row(&e, 3)], kept, "{line}");
        assert_close(weight(&e, 4, 1), 0.75);
        assert_close(weight(&e, 6, 1), 1.0);
    }
    let mut e = editor(&strip());
    run(&mut e, &["set vertices=4-5 joint=J1 value=1"]);
    let mut whole = editor(&strip());
    run(&mut whole, &["set vertices=4-5 joint=J1 value=1", "smooth"]);
    run(&mut e, &["mask vertices=4-5 value=0.25", "smooth"]);
    // What is around differs by what the mask let through only where neighbours are read: one iteration reads none.
    assert_close(weight(&e, 4, 1), 1.0 + 0.25 * (weight(&whole, 4, 1) - 1.0));
    assert_eq!(row(&e, 2), row(&whole, 2));
}

#[test]
fn masks_come_from_the_selection_its_inverse_and_by_number_and_are_undone() {
    let mut e = editor(&strip());
    let mask = |e: &Editor| e.document().mask(MESH).runs().map(|(a, b, value)| (a.0, b.0, value)).collect::<Vec<_>>();
    run(&mut e, &["select vertices=0-3", "mask"]);
    assert_eq!(mask(&e), [(0, 3, 0.0)]);
    run(&mut e, &["mask from=inverse value=0.5"]);
    assert_eq!(mask(&e), [(0, 3, 0.0), (4, 9, 0.5)]);
    run(&mut e, &["invert_mask"]);
    assert_eq!(mask(&e), [(4, 9, 0.5)]);
    run(&mut e, &["clear_mask"]);
    assert!(e.document().mask(MESH).is_none());
    assert!(!e.history().is_saved(), "masks are kept beside the model");
    run(&mut e, &["undo", "undo"]);
    assert_eq!(mask(&e), [(0, 3, 0.0), (4, 9, 0.5)]);
    let mut e = editor(&seam());
    run(&mut e, &["mask vertices=4 value=0.25"]);
    assert_eq!(mask(&e), [(4, 4, 0.25), (6, 6, 0.25)], "twins go together");
}

#[test]
fn hidden_vertices_never_change_whatever_is_done() {
    let mut scene = patch(4, 4);
    scene.rows()[12] = vec![(0, 0.3), (1, 0.3)];
    scene.rows()[13] = vec![];
    let mut e = editor(&scene);
    run(&mut e, &["select vertices=5-14", "hide"]);
    let hidden = rows_but(&e, |v| !(5..15).contains(&v));
    let lines = [
        "stroke joint=B value=0.7 radius=9 falloff=constant reach=volume points=2,2,0",
        "stroke joint=B brush=smooth radius=2 points=2,2,0;3,1,0",
        "set vertices=all joint=B value=0.4",
        "flood joint=B brush=add value=0.1 iterations=3",
        "flood joint=B brush=smooth",
        "smooth iterations=4",
        "limit influences=1 on=all",
        "prune below=0.5",
        "normalize",
        "settle joint=B",
        "mirror from=+x at=2",
        "mirror from=-y at=2 joint=B",
    ];
    for line in lines {
        run(&mut e, &[line]);
        assert_eq!(rows_but(&e, |v| !(5..15).contains(&v)), hidden, "{line}");
    }
    run(&mut e, &["reveal", "normalize"]);
    assert_close(row(&e, 12).sum_f64() as f32, 1.0);
}

#[test]
fn isolating_shows_only_what_is_selected() {
    let mut e = editor(&pair_two_meshes());
    run(&mut e, &["select vertices=2-5 mesh=Right", "isolate"]);
    let hidden = |e: &Editor| [0, 1].map(|m| e.document().hidden(sinew_model::MeshIndex(m)).to_string());
    assert_eq!(hidden(&e), ["0-9", "0-1,6-9"]);
    run(&mut e, &["reveal mesh=Left"]);
    assert_eq!(hidden(&e), ["none", "0-1,6-9"]);
    run(&mut e, &["select vertices=3 mesh=Right", "hide what=unselected mesh=Right"]);
    assert_eq!(hidden(&e), ["none", "0-2,4-9"]);
    run(&mut e, &["undo", "undo", "undo", "undo"]);
    assert_eq!(hidden(&e), ["none", "none"]);
}

#[test]
fn a_flood_is_a_dab_of_full_reach_in_one_step() {
    // B36
    let mut e = editor(&strip());
    let mut painted = editor(&strip());
    for (brush, value) in [("add", 0.2), ("subtract", 0.1), ("replace", 0.6), ("smooth", 1.0)] {
        run(&mut e, &[&format!("flood joint=J1 brush={brush} value={value} strength=0.5")]);
        let stroke = format!(
            "stroke joint=J1 brush={brush} value={value} strength=0.5 radius=9 falloff=constant reach=volume points=0,1,0"
        );
        run(&mut painted, &[&stroke]);
        assert_eq!(all_rows(&e), all_rows(&painted), "{brush}");
    }
    assert_eq!(e.history().n_done(), 4);
    run(&mut e, &["flood joint=J1 brush=add value=0.1 iterations=3"]);
    assert_eq!(e.history().n_done(), 5);
    run(&mut e, &["undo"]);
    assert_eq!(all_rows(&e), all_rows(&painted));
    // The active joint is named in the line.
    run(&mut e, &["joint name=J1", "flood brush=subtract value=0.3"]);
    assert!(e.script().ends_with("flood joint=J1 brush=subtract value=0.3\n"), "{}", e.script());
    run(&mut e, &["lock joint=J1"]);
    assert!(e.run("flood joint=J1").is_err());
}

#[test]
fn a_copy_of_a_mesh_begins_with_the_marks_of_its_original() {
    // B37
    let mut scene = strip();
    let node = sinew_tests::Node { mesh: Some(0), skin: Some(0), ..sinew_tests::Node::at("twin", glam::Vec3::ZERO) };
    scene.add_node(None, node);
    let mut e = editor(&scene);
    let marks = |e: &Editor, m: u32| {
        let (document, mesh) = (e.document(), sinew_model::MeshIndex(m));
        (document.mask(mesh).clone(), document.hidden(mesh).to_string(), document.selection(mesh).to_string())
    };
    run(&mut e, &["mask vertices=0-3", "select vertices=8", "hide", "select vertices=4", "make_unique node=twin"]);
    assert_eq!(marks(&e, 0), marks(&e, 1));
    run(&mut e, &["clear_mask mesh=\"Strip (2)\"", "undo", "undo", "redo"]);
    assert_eq!(marks(&e, 0), marks(&e, 1));
}

#[test]
fn a_flood_five_times_over_is_five_floods_in_one_step() {
    // B36
    for brush in ["smooth", "sharpen", "average", "scale value=0.9"] {
        let line = format!("flood joint=arm.L brush={brush} strength=0.4");
        let [mut once, mut over, mut often] = [(); 3].map(|()| editor(&figure()));
        run(&mut once, &[&line]);
        run(&mut over, &[&format!("{line} iterations=5")]);
        (0..5).for_each(|_| run(&mut often, &[&line]));
        assert!(all_rows(&over) != all_rows(&once), "{brush}: once is not five times");
        assert!(all_rows(&over) == all_rows(&often), "{brush}: five at once are five");
        assert_eq!((over.history().n_done(), often.history().n_done()), (1, 5));
    }
}

#[test]
fn a_flood_goes_by_all_that_the_brush_is_held_by() {
    // Pains 3 and 21
    let held = |hold: fn(&mut sinew_edit::Session, sinew_model::NodeIndex), scene: &sinew_tests::Scene, joint: &str| {
        let mut e = editor(scene);
        run(&mut e, &[&format!("joint name={joint}")]);
        e.session.brush.brush = sinew_edit::brushes::brush_named("smooth").expect("a brush");
        let root = sinew_model::joint_named(e.document(), None, "0").expect("a joint");
        hold(&mut e.session, root);
        let line = e.flood_line().to_string();
        run(&mut e, &[&line]);
        let mut replayed = editor(scene);
        run(&mut replayed, &e.script().lines().collect::<Vec<_>>());
        assert!(all_rows(&replayed) == all_rows(&e), "{line}");
        (e, line)
    };
    let (plain, line) = held(|_, _| {}, &figure(), "arm.L");
    assert_eq!(line, "flood brush=smooth strength=1");
    let (often, line) = held(|session, _| session.brush.iterations = 4, &figure(), "arm.L");
    assert!(line.contains("iterations=4") && all_rows(&often) != all_rows(&plain), "{line}");
    let (existing, line) = held(|session, _| session.brush.existing_only = true, &figure(), "arm.L");
    assert!(line.contains("existing=yes"), "{line}");
    let strangers = |e: &Editor| {
        let before = all_rows(&editor(&figure()));
        let gained = |(now, was): (&Row, &Row)| now.influences().iter().any(|i| was.weight(i.slot) == 0.0);
        all_rows(e).iter().zip(&before).filter(|&(now, was)| gained((now, was))).count()
    };
    assert!(strangers(&plain) > 0);
    assert_eq!(strangers(&existing), 0);
    let (lane, line) = held(|session, root| session.paint.lane = vec![root], &figure(), "arm.L");
    assert!(line.contains("lane=spine"), "{line}");
    let head = |e: &Editor| (0..54).map(|v| weight(e, v, 1).to_bits()).collect::<Vec<_>>();
    assert!(head(&lane) == head(&editor(&figure())), "the head is outside the lane");
    assert!(head(&plain) != head(&lane));
    let (across, line) = held(|session, _| session.brush.gap = 9.0, &pair(), "L1");
    assert!(line.contains("gap=9"), "{line}");
    assert!(all_rows(&across) != all_rows(&held(|_, _| {}, &pair(), "L1").0), "the other strip is a neighbour");
    // Who takes what is given up.
    let mut e = editor(&figure());
    run(&mut e, &["flood joint=arm.L brush=erase give=head"]);
    assert_eq!(row(&e, 8).weight(sinew_model::JointSlot(2)), 0.0);
    assert_close(weight(&e, 8, 1), weight(&editor(&figure()), 8, 1) + weight(&editor(&figure()), 8, 2));
}
