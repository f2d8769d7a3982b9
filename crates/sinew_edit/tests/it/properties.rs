//! Any sequence of edits: undone it is the first document, replayed it is the same one, and the rules hold throughout.

use glam::Vec3;
use proptest::prelude::*;
use sinew_edit::Editor;
use sinew_model::{JointSlot, VertexIndex};
use sinew_tests::{Scene, seam, tube};

use crate::{MESH, all_rows, editor};

pub fn scene() -> Scene {
    let mut scene = tube(7, 8);
    for i in 2..6 {
        scene.add_joint(1, &format!("J{i}"), Vec3::new(0.0, 0.2 * i as f32 - 0.5, 0.0));
    }
    scene
}

pub fn any_line() -> impl Strategy<Value = String> {
    let joint = 0u32..6;
    let point = (-0.2f32..0.2, 0.0f32..2.0, -0.2f32..0.2);
    let brush = prop::sample::select(sinew_edit::brushes::brush_names());
    let reach = prop::sample::select(vec!["surface", "volume", "screen eye=3,1,4", "volume shell=yes"]);
    let falloff = prop::sample::select(vec!["constant", "linear", "smooth", "sharp", "curve curve=0,1;0.3,0.2;1,0.1"]);
    let options = prop::sample::subsequence(
        vec![
            "mirror=x",
            "cap=yes",
            "existing=yes",
            "iterations=2",
            "gap=0.3",
            "lane=J0,J2,J3",
            "give=neighbours",
            "give=parent",
        ],
        0..4,
    );
    let options = options.prop_map(|mut options| {
        // A rule is given once.
        if options.contains(&"give=neighbours") {
            options.retain(|option| *option != "give=parent");
        }
        options.join(" ")
    });
    let stroke = (joint.clone(), brush, (reach, options), falloff, prop::collection::vec(point, 1..4), 0.0f32..1.0, 0.05f32..1.0, -170.0f32..170.0)
        .prop_map(|(joint, brush, (reach, options), falloff, points, value, radius, angle)| {
            let points: Vec<String> = points.iter().map(|(x, y, z)| format!("{x},{y},{z}")).collect();
            let deform = if angle > 0.0 { "lbs" } else { "dqs" };
            format!(
                "stroke joint=J{joint} brush={brush} value={value} strength={radius} radius={radius} falloff={falloff} reach={reach} {options} pose=J1:0,{angle},{angle} deform={deform} points={}",
                points.join(";")
            )
        });
    prop_oneof![
        8 => stroke,
        1 => (joint.clone(), 0.1f32..2.0, prop::sample::select(vec!["linear", "radial"])).prop_map(|(j, to, shape)| {
            format!("gradient joint=J{j} from=0,0,0 to=0,{to},0.1 shape={shape} profile=wide mirror=x")
        }),
        2 => (joint.clone(), 0u32..40, 0.0f32..=1.0).prop_map(|(j, v, w)| format!("set vertices={v}-{} joint=J{j} value={w}", v + 12)),
        1 => joint.clone().prop_map(|j| format!("lock joint=J{j}")),
        1 => joint.prop_map(|j| format!("unlock joint=J{j}")),
        1 => (1u32..6).prop_map(|n| format!("limit influences={n}")),
        1 => (2u32..9).prop_map(|n| format!("budget influences={n}")),
        1 => (1u32..4).prop_map(|n| format!("smooth iterations={n}")),
        1 => (0.0f32..0.3).prop_map(|below| format!("prune below={below}")),
        1 => Just("normalize".to_owned()),
        1 => Just("undo".to_owned()),
        1 => Just("redo".to_owned()),
    ]
}

/// Every row sums to 1 without NaN, twins are equal, and every locked weight is as it was when it was locked.
fn check(editor: &mut Editor, locked: &[(u16, Vec<f32>)]) -> Result<(), TestCaseError> {
    let surface = editor.surface(MESH);
    let weights = &editor.document().mesh(MESH).weights;
    for vertex in weights.vertices() {
        let row = weights.get(vertex);
        prop_assert!(row.check().is_ok(), "vertex {vertex}: {:?} {:?}", row, row.check());
        let twin = surface.representative(surface.group_of(vertex));
        prop_assert_eq!(&row, &weights.get(twin));
    }
    for (slot, column) in locked {
        let now = column_of(editor, *slot);
        prop_assert!(now.iter().zip(column).all(|(a, b)| a.to_bits() == b.to_bits()), "J{slot} moved");
    }
    Ok(())
}

fn column_of(editor: &Editor, slot: u16) -> Vec<f32> {
    let weights = &editor.document().mesh(MESH).weights;
    weights.vertices().map(|v: VertexIndex| weights.weight(v, JointSlot(slot))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_edits_keep_the_rules_undo_to_the_start_and_replay_to_the_same_bits(lines in prop::collection::vec(any_line(), 1..14)) {
        for scene in [scene(), {
            let mut scene = seam();
            for i in 2..6 {
                scene.add_joint(1, &format!("J{i}"), Vec3::Y * 0.1 * i as f32);
            }
            scene
        }] {
            let mut live = editor(&scene);
            let first = all_rows(&live);
            let mut locked: Vec<(u16, Vec<f32>)> = Vec::new();
            for line in &lines {
                // Vertices past the end, nothing to undo, a locked joint: refusals that change nothing.
                let _ = live.run(line);
                if line.starts_with("undo") || line.starts_with("redo") {
                    // Undo may pass a lock; what holds is what is locked from here on.
                    locked.clear();
                }
                locked.retain(|(slot, _)| live.document().locked_slots(MESH)[*slot as usize]);
                for slot in 0..6 {
                    if live.document().locked_slots(MESH)[slot as usize] && !locked.iter().any(|(s, _)| *s == slot) {
                        locked.push((slot, column_of(&live, slot)));
                    }
                }
                check(&mut live, &locked)?;
            }
            let mut replayed = editor(&scene);
            for line in live.script().lines() {
                prop_assert!(replayed.run(line).is_ok(), "{}", line);
            }
            prop_assert_eq!(all_rows(&replayed), all_rows(&live));
            prop_assert_eq!(replayed.document().locks(), live.document().locks());
            while live.history().can_undo() {
                live.undo().expect("can undo");
            }
            prop_assert_eq!(all_rows(&live), first);
        }
    }
}
