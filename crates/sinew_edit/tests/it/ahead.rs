//! Lines done ahead on another thread and taken over are the same steps as lines done here.

use proptest::prelude::*;
use sinew_edit::{Editor, Stale};
use sinew_model::Row;

use crate::properties::{any_line, scene};
use crate::{all_rows, editor, run};

/// The steps of the history: label, line, vertices, whether done.
fn steps(editor: &Editor) -> Vec<(String, String, usize, bool)> {
    let entries = editor.history().entries();
    entries.map(|entry| (entry.label.to_owned(), entry.line.to_owned(), entry.n_vertices, entry.is_done)).collect()
}

fn posed(editor: &mut Editor) -> Vec<glam::Vec3> {
    let n = editor.document().instances().len();
    (0..n).flat_map(|i| editor.posed(i).posed.positions.clone()).collect()
}

fn undo_all(editor: &mut Editor) -> Vec<Row> {
    while editor.undo().is_ok() {}
    all_rows(editor)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn lines_done_ahead_are_lines_done_here(
        before in prop::collection::vec(any_line(), 0..4),
        lines in prop::collection::vec(any_line(), 1..8),
    ) {
        let mut here = editor(&scene());
        let first = all_rows(&here);
        here.keep_committed();
        for line in &before {
            let _ = here.run(line);
        }
        let mut other = editor(&scene());
        other.keep_committed();
        for line in &before {
            let _ = other.run(line);
        }
        // What is posed now must follow.
        posed(&mut other);
        let mut ahead = other.ahead();
        // Undo and redo end where the script begins; the last test is about them.
        for line in lines.iter().filter(|line| !matches!(line.as_str(), "undo" | "redo")) {
            let (done, taken) = (here.run(line), ahead.run(line));
            prop_assert_eq!(done, taken, "{}", line);
        }
        let unchanged = all_rows(&other);
        drop(other.ahead());
        prop_assert_eq!(&all_rows(&other), &unchanged);
        other.catch_up(ahead).expect("nothing was edited since");
        prop_assert_eq!(all_rows(&other), all_rows(&here));
        prop_assert_eq!(other.document().locks(), here.document().locks());
        prop_assert_eq!(other.document().budget(), here.document().budget());
        prop_assert_eq!(steps(&other), steps(&here));
        prop_assert_eq!(other.take_committed(), here.take_committed());
        prop_assert_eq!(posed(&mut other), posed(&mut here));
        prop_assert_eq!(undo_all(&mut other), first.clone());
        prop_assert_eq!(undo_all(&mut here), first);
    }
}

#[test]
fn what_was_done_on_an_older_document_is_refused() {
    let mut here = editor(&scene());
    let mut ahead = here.ahead();
    ahead.run("set vertices=0 joint=J1 value=0.5").expect("a line");
    for line in ["budget influences=12", "lock joint=J0", "set vertices=1 joint=J1 value=0.25"] {
        run(&mut here, &[line]);
        let (rows, n_done) = (all_rows(&here), here.history().n_done());
        let mut late = editor(&scene()).ahead();
        late.run("set vertices=0 joint=J1 value=0.5").expect("a line");
        assert_eq!(here.catch_up(late), Err(Stale));
        assert_eq!((all_rows(&here), here.history().n_done()), (rows, n_done));
    }
    assert_eq!(here.catch_up(ahead), Err(Stale));
}

#[test]
fn undo_in_a_script_ends_where_it_began() {
    let mut here = editor(&scene());
    run(&mut here, &["set vertices=0 joint=J1 value=0.5"]);
    let mut ahead = here.ahead();
    assert!(ahead.run("undo").is_err());
    ahead.run("set vertices=1 joint=J1 value=0.25").expect("a line");
    ahead.run("undo").expect("a step");
    ahead.run("set vertices=2 joint=J1 value=0.25").expect("a line");
    here.catch_up(ahead).expect("nothing was edited since");
    let lines: Vec<String> = steps(&here).into_iter().map(|(_, line, ..)| line).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[1].contains("vertices=2"), "{lines:?}");
}

#[test]
fn a_joint_that_no_line_turned_stands_as_it_does_by_now() {
    // Pain 11: a joint that was flexed when the work began is back by the time it ends.
    let mut here = editor(&scene());
    let turn = |degrees: f32| glam::Vec3::new(0.0, 0.0, degrees);
    let [j1, j2, j3] =
        ["J1", "J2", "J3"].map(|name| sinew_model::joint_named(here.document(), None, name).expect(name));
    here.session.pose.set_turn_deg(j1, turn(40.0));
    here.session.pose.set_turn_deg(j2, turn(10.0));
    let mut ahead = here.ahead();
    ahead.run("set vertices=0 joint=J1 value=0.5").expect("a line");
    ahead.run("pose turns=J1:0,0,40;J2:0,0,25").expect("a line");
    here.session.pose.set_turn_deg(j1, turn(0.0));
    here.session.pose.set_turn_deg(j3, turn(5.0));
    here.catch_up(ahead).expect("nothing was edited since");
    assert_eq!([j1, j2, j3].map(|joint| here.session.pose.turn_deg(joint).z), [0.0, 25.0, 5.0]);
}
