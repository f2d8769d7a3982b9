//! The journal of any session, cut off anywhere, brings back everything but the step under way.

use proptest::prelude::*;
use sinew_edit::Editor;
use sinew_edit::brushes::BRUSHES;
use sinew_edit::journal::{Given, Journal, JournalError, JournalHeader, replay};
use sinew_edit::tools::{PaintModifiers, PaintTool};
use sinew_model::{Budget, NodeIndex, joint_named};
use sinew_tests::{pair_two_meshes, strip};

use crate::properties::{any_line, scene};
use crate::tools::pointer;
use crate::{all_rows, editor, run};

/// One thing that a person does.
#[derive(Clone, Debug)]
enum Deed {
    Line(String),
    Paint {
        joint: u32,
        brush: usize,
        front_only: bool,
        invert: bool,
        smooth: bool,
        path: Vec<(f32, f32)>,
        cancel: bool,
    },
}

fn any_deed() -> impl Strategy<Value = Deed> {
    let path = prop::collection::vec((-40.0f32..40.0, -20.0f32..220.0), 1..5);
    let paint = (0u32..6, 0..BRUSHES.len(), any::<[bool; 3]>(), path, prop::bool::weighted(0.2)).prop_map(
        |(joint, brush, [front_only, invert, smooth], path, cancel)| Deed::Paint {
            joint,
            brush,
            front_only,
            invert,
            smooth,
            path,
            cancel,
        },
    );
    let pose = (0u32..6, -90.0f32..90.0).prop_map(|(joint, angle)| format!("pose turns=J{joint}:{angle},0,{angle}"));
    prop_oneof![
        4 => paint,
        4 => any_line().prop_map(Deed::Line),
        1 => pose.prop_map(Deed::Line),
        1 => Just(Deed::Line("deform by=dqs".to_owned())),
        1 => Just(Deed::Line("mesh name=#0".to_owned())),
        2 => Just(Deed::Line("undo".to_owned())),
        2 => Just(Deed::Line("redo".to_owned())),
    ]
}

fn perform(editor: &mut Editor, deed: &Deed) {
    match deed {
        // Refusals (a locked joint, nothing to undo) belong to a session.
        Deed::Line(line) => {
            let _ = editor.run(line);
        }
        Deed::Paint { joint, brush, front_only, invert, smooth, path, cancel } => {
            editor.session.active_joint = joint_named(editor.document(), None, &format!("J{joint}")).ok();
            editor.session.brush.brush = BRUSHES[*brush];
            editor.session.brush.front_only = *front_only;
            editor.session.brush.strength = 0.7;
            editor.session.brush.radius = 0.3;
            let mut tool = PaintTool::default();
            let modifiers = PaintModifiers { invert: *invert, smooth: *smooth, straight: false };
            let mut path = path.iter().map(|&(x, y)| pointer(x, y));
            if let Some(first) = path.next() {
                let _ = tool.press(editor, first, modifiers);
            }
            path.for_each(|to| tool.drag(editor, to).expect("may paint on"));
            if *cancel {
                tool.cancel(editor);
            } else {
                tool.release(editor);
            }
        }
    }
}

/// Everything that is undone and saved: rows to the bit, locks, budget.
type State = (Vec<Vec<(u16, u32)>>, Vec<NodeIndex>, Budget);

fn state(editor: &Editor) -> State {
    let bits = |row: sinew_model::Row| row.influences().iter().map(|i| (i.slot.0, i.weight.to_bits())).collect();
    let rows = all_rows(editor).into_iter().map(bits).collect();
    (rows, editor.document().locks().iter().copied().collect(), editor.document().budget())
}

fn header() -> JournalHeader {
    let given = Given::default();
    JournalHeader { model: "some folder/tube.glb".to_owned(), n_bytes: 99, hash: "ab".to_owned(), given }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_session_replays_to_the_same_bits_and_a_cut_loses_at_most_the_last_step(
        deeds in prop::collection::vec(any_deed(), 1..14),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let scene = scene();
        let mut live = editor(&scene);
        live.keep_committed();
        let mut text = header().line() + "\n";
        // The document after each line of the journal.
        let mut states = vec![state(&live)];
        for deed in &deeds {
            perform(&mut live, deed);
            for line in live.take_committed() {
                text += &(line + "\n");
                states.push(state(&live));
            }
            prop_assert!(states.last() == Some(&state(&live)), "{deed:?} changed the document behind the journal's back");
        }

        let mut replayed = editor(&scene);
        let journal = Journal::parse(&text).expect("a journal");
        prop_assert_eq!(&journal.header, &header());
        let report = replay(&mut replayed, &journal.lines);
        prop_assert_eq!((report.n_done, report.n_failed, report.first_error), (states.len() - 1, 0, None));
        prop_assert!(state(&replayed) == state(&live));
        prop_assert_eq!(replayed.script(), live.script());

        for cut in cuts {
            let cut = String::from_utf8_lossy(&text.as_bytes()[..cut.index(text.len())]).into_owned();
            let n_whole = cut.matches('\n').count();
            match Journal::parse(&cut) {
                Err(error) => prop_assert_eq!((error, n_whole), (JournalError::NoHeader, 0)),
                Ok(journal) => {
                    let mut replayed = editor(&scene);
                    let report = replay(&mut replayed, &journal.lines);
                    prop_assert_eq!((report.n_done, report.n_failed), (n_whole - 1, 0));
                    prop_assert!(state(&replayed) == states[n_whole - 1]);
                }
            }
        }
    }
}

#[test]
fn a_line_that_fails_ends_the_replay_in_a_document_that_once_was() {
    let mut found = editor(&strip());
    let lines = ["lock joint=J0", "lock joint=Nobody", "undo", "lock joint=J1"];
    let report = replay(&mut found, &lines);
    assert_eq!((report.n_done, report.n_failed), (1, 3));
    let (number, error) = report.first_error.expect("an error");
    assert_eq!(number, 2);
    assert!(error.to_string().contains("Nobody"), "{error}");
    let mut expected = editor(&strip());
    run(&mut expected, &["lock joint=J0"]);
    assert!(state(&found) == state(&expected));
}

#[test]
fn a_replay_does_not_depend_on_the_mesh_that_is_chosen_and_leaves_it_chosen() {
    let scene = pair_two_meshes();
    let mut live = editor(&scene);
    live.keep_committed();
    run(
        &mut live,
        &["normalize", "smooth", "mesh name=#1", "smooth iterations=3", "mesh name=all", "smooth iterations=2"],
    );
    let lines = live.take_committed();
    assert!(lines.len() >= 3, "{lines:?}");
    assert!(live.take_committed().is_empty());
    let mut replayed = editor(&scene);
    run(&mut replayed, &["mesh name=#0"]);
    let report = replay(&mut replayed, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(report.first_error, None);
    assert!(state(&replayed) == state(&live));
    assert_eq!(replayed.session.active_mesh, Some(sinew_model::MeshIndex(0)));
}

#[test]
fn a_painted_stroke_is_one_line_when_the_button_comes_up() {
    let mut live = editor(&strip());
    live.keep_committed();
    run(&mut live, &["joint name=J1"]);
    live.session.brush.radius = 0.8;
    let mut tool = PaintTool::default();
    tool.press(&mut live, pointer(0.0, 50.0), PaintModifiers::default()).expect("may paint");
    tool.drag(&mut live, pointer(0.0, 150.0)).expect("may paint");
    assert!(live.take_committed().is_empty());
    tool.release(&mut live);
    let lines = live.take_committed();
    assert!(lines.len() == 1 && lines[0].starts_with("stroke "), "{lines:?}");
}

#[test]
fn undoing_a_stroke_under_way_is_no_line() {
    let mut live = editor(&strip());
    live.keep_committed();
    run(&mut live, &["joint name=J1"]);
    live.session.brush.radius = 0.8;
    let mut tool = PaintTool::default();
    tool.press(&mut live, pointer(0.0, 100.0), PaintModifiers::default()).expect("may paint");
    tool.drag(&mut live, pointer(0.0, 150.0)).expect("may paint");
    let before = state(&editor(&strip()));
    assert!(state(&live) != before);
    live.undo().expect("takes the stroke back");
    assert!(state(&live) == before);
    assert!(live.take_committed().is_empty());
    assert!(live.undo().is_err() && live.redo().is_err());
    assert!(live.take_committed().is_empty());
}
