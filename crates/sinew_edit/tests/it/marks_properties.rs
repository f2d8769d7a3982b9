//! Any sequence of edits with selections, masks, hiding, flooding and mirroring between them.

use proptest::prelude::*;
use sinew_edit::Editor;
use sinew_model::{JointPairs, VertexMask, VertexSet};
use sinew_tests::Scene;

use crate::properties::any_line;
use crate::{MESH, all_rows, editor};

type Marks = (VertexSet, VertexMask, VertexSet, JointPairs);

fn marks(editor: &Editor) -> Marks {
    let document = editor.document();
    let (selection, mask, hidden) = (document.selection(MESH), document.mask(MESH), document.hidden(MESH));
    (selection.clone(), mask.clone(), hidden.clone(), document.joint_pairs().clone())
}

fn any_marking() -> impl Strategy<Value = String> {
    let how = prop::sample::select(vec!["replace", "add", "remove", "intersect"]);
    let on = prop::sample::select(vec!["", " on=all", " on=selection"]);
    let from = prop::sample::select(vec!["+x", "-x", "+z", "-y"]);
    let plain = vec![
        "hide",
        "hide what=unselected",
        "isolate",
        "reveal",
        "invert_selection",
        "select_all",
        "select_none",
        "select_linked",
        "grow",
        "shrink",
        "mask",
        "clear_mask",
        "invert_mask",
        "settle",
        "unpair joint=all",
    ];
    prop_oneof![
        3 => (0u32..40, how.clone()).prop_map(|(v, how)| format!("select vertices={v}-{} how={how}", v + 11)),
        1 => (0u32..6, how, 0.0f32..=1.0).prop_map(|(j, how, min)| format!("select joint=J{j} min={min} how={how}")),
        4 => prop::sample::select(plain).prop_map(str::to_owned),
        1 => (0u32..40, 0.0f32..=1.0).prop_map(|(v, value)| format!("mask vertices={v}-{} value={value}", v + 7)),
        1 => (0.0f32..=1.0).prop_map(|value| format!("mask from=inverse value={value}")),
        2 => (0u32..6, prop::sample::select(vec!["replace", "add", "subtract", "smooth"]), 0.0f32..=1.0, 1u32..3, on.clone())
            .prop_map(|(j, brush, value, n, on)| format!("flood joint=J{j} brush={brush} value={value} strength=0.7 iterations={n}{on}")),
        2 => (from.clone(), on).prop_map(|(from, on)| format!("mirror from={from} at=0{on}")),
        1 => (from, 0u32..6).prop_map(|(from, j)| format!("mirror from={from} joint=J{j} tolerance=0.01")),
        1 => (0u32..6, 0u32..6).prop_map(|(a, b)| format!("pair a=J{a} b=J{b}")),
        1 => (0u32..6, 0.0f32..=1.0).prop_map(|(j, value)| format!("set joint=J{j} value={value}")),
    ]
}

fn scenes() -> [Scene; 2] {
    let mut seam = sinew_tests::seam();
    for i in 2..6 {
        seam.add_joint(1, &format!("J{i}"), glam::Vec3::Y * 0.1 * i as f32);
    }
    [crate::properties::scene(), seam]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn marks_protect_and_all_of_it_is_undone_and_replayed(
        lines in prop::collection::vec(prop_oneof![any_marking(), any_line()], 1..24),
    ) {
        for scene in scenes() {
            let mut live = editor(&scene);
            let first = (all_rows(&live), marks(&live));
            let surface = live.surface(MESH);
            for line in &lines {
                let (rows, before) = (all_rows(&live), marks(&live));
                let locks: Vec<bool> = live.document().locked_slots(MESH);
                let done = live.run(line);
                if done.is_err() {
                    prop_assert_eq!((all_rows(&live), marks(&live)), (rows, before), "{} was refused", line);
                    continue;
                }
                let (selection, mask, hidden, _) = &before;
                let now = marks(&live);
                for vertices in [&now.0, &now.2] {
                    prop_assert_eq!(&surface.with_twins(vertices), vertices, "twins part by {}", line);
                }
                prop_assert!(!now.0.intersects(&now.2), "hidden and selected by {}", line);
                if line.starts_with("undo") || line.starts_with("redo") {
                    continue;
                }
                let after = all_rows(&live);
                for (v, (was, is)) in rows.iter().zip(&after).enumerate() {
                    let vertex = sinew_model::VertexIndex::from_idx(v);
                    prop_assert!(is.check().is_ok(), "vertex {v} by {}: {:?}", line, is);
                    let is_safe = hidden.contains(vertex) || mask.at(vertex) == 0.0;
                    prop_assert!(!is_safe || was == is, "vertex {v} moved by {}", line);
                    let on_selection = ["smooth", "limit", "prune", "normalize", "flood"].iter().any(|verb| line.starts_with(verb))
                        && !line.contains("on=all") && !selection.is_empty();
                    prop_assert!(!on_selection || selection.contains(vertex) || was == is, "vertex {v} by {}", line);
                    for i in was.influences().iter().filter(|i| locks[i.slot.idx()]) {
                        prop_assert_eq!(is.weight(i.slot).to_bits(), i.weight.to_bits(), "a lock broken by {}", line);
                    }
                    let twin = surface.representative(surface.group_of(vertex));
                    prop_assert_eq!(is, &after[twin.idx()], "twins part by {}", line);
                }
            }
            let mut replayed = editor(&scene);
            for line in live.script().lines() {
                prop_assert!(replayed.run(line).is_ok(), "{}", line);
            }
            prop_assert_eq!((all_rows(&replayed), marks(&replayed)), (all_rows(&live), marks(&live)));
            while live.history().can_undo() {
                live.undo().expect("can undo");
            }
            prop_assert_eq!((all_rows(&live), marks(&live)), first);
        }
    }
}
