//! What an artist looks at and holds on to while painting: ghosts, the flex, locks turned over.

use glam::{Vec2, Vec3};
use sinew_edit::ghosts;
use sinew_edit::tools::flex::SPRING_S;
use sinew_edit::tools::{FlexTool, FlexView};
use sinew_model::{NodeIndex, VertexIndex};
use sinew_tests::strip;

use crate::{all_rows, editor, run};

fn joint(editor: &sinew_edit::Editor, name: &str) -> NodeIndex {
    sinew_model::joint_named(editor.document(), None, name).expect("the joint is there")
}

/// Looking along −Z at a bone that points up on screen.
fn view() -> FlexView {
    FlexView {
        pointer_px: Vec2::new(300.0, 200.0),
        bone_px: Vec2::new(0.0, -100.0),
        to_eye: Vec3::Z * 10.0,
        right: Vec3::X,
        up: Vec3::Y,
        pixels_per_point: 1.0,
    }
}

#[test]
fn ghosts_mixed_by_their_weights_are_where_the_vertex_is() {
    let mut editor = editor(&strip());
    let b = joint(&editor, "J1");
    editor.session.pose.set_turn_deg(b, Vec3::new(0.0, 0.0, 70.0));
    let mut n_mixed = 0;
    for v in 0..editor.document().mesh(sinew_model::MeshIndex(0)).n_vertices() as u32 {
        let all = ghosts(&mut editor, 0, VertexIndex(v));
        let blend: Vec3 = all.iter().map(|ghost| ghost.point * ghost.weight).sum();
        let posed = editor.posed(0).posed.positions[v as usize];
        assert!(blend.distance(posed) < 1e-4, "vertex {v}: {blend} and {posed}");
        assert!(all.is_sorted_by(|a, b| a.weight >= b.weight));
        if let [heavy, light, ..] = all[..] {
            n_mixed += usize::from(heavy.point.distance(light.point) > 1e-3);
        }
    }
    assert!(n_mixed > 0, "some vertex lies between two joints");
}

#[test]
fn a_flexed_joint_is_back_to_the_bit_and_nothing_is_recorded() {
    // Pain 11
    let mut editor = editor(&strip());
    editor.keep_committed();
    let b = joint(&editor, "J1");
    let start_deg = Vec3::new(3.3, -7.1, 12.7);
    editor.session.pose.set_turn_deg(b, start_deg);
    let rows = all_rows(&editor);
    let mut flex = FlexTool::default();
    for at_once in [true, false] {
        flex.begin(&mut editor, b, view());
        flex.drag(&mut editor, [Vec2::new(300.0, 200.0), Vec2::new(340.0, 204.0)], false);
        flex.drag(&mut editor, [Vec2::new(340.0, 204.0), Vec2::new(380.0, 206.0)], false);
        assert!((editor.session.pose.turn_deg(b) - start_deg).length() > 20.0);
        flex.release(&mut editor, at_once);
        assert_eq!(flex.is_springing(), !at_once);
        let mut last = f32::INFINITY;
        let mut elapsed_s = 0.0;
        while flex.advance(&mut editor, 0.01) {
            let away = (editor.session.pose.turn_deg(b) - start_deg).length();
            assert!(away < last + 1e-3, "it only comes nearer: {away} after {last}");
            last = away;
            elapsed_s += 0.01;
        }
        assert!(elapsed_s <= SPRING_S && SPRING_S <= 0.15);
        assert_eq!(editor.session.pose.turn_deg(b), start_deg);
    }
    assert_eq!(all_rows(&editor), rows);
    assert_eq!(editor.history().n_done(), 0);
    assert!(editor.take_committed().is_empty());
}

#[test]
fn the_drag_says_the_axis_of_a_flex() {
    let mut editor = editor(&strip());
    let b = joint(&editor, "J1");
    let mut flex = FlexTool::default();
    let place = |editor: &mut sinew_edit::Editor| editor.scene_from_node()[b.idx()];
    let rest = place(&mut editor);
    // To the right, across a bone that points up: it follows, within the picture.
    let mut bent = |way: Vec2| {
        flex.begin(&mut editor, b, view());
        let from = Vec2::new(300.0, 200.0);
        flex.drag(&mut editor, [from, from + way], false);
        let now = place(&mut editor);
        flex.cancel(&mut editor);
        let turn = (now.matrix3 * rest.matrix3.inverse()) * glam::DVec3::Y;
        turn.as_vec3()
    };
    let right = bent(Vec2::new(40.0, 3.0));
    assert!(right.x > 0.3 && right.z.abs() < 1e-4, "{right}");
    let left = bent(Vec2::new(-40.0, 3.0));
    assert!(left.x < -0.3, "{left}");
    // Down, toward the joint: the end comes toward the viewer.
    let toward = bent(Vec2::new(2.0, 40.0));
    assert!(toward.z > 0.3 && toward.x.abs() < 1e-4, "{toward}");
    let away = bent(Vec2::new(2.0, -40.0));
    assert!(away.z < -0.3, "{away}");
}

#[test]
fn locks_are_turned_over_in_one_step_that_scripts_know() {
    let mut editor = editor(&strip());
    let n_joints = editor.document().joints().len();
    run(&mut editor, &["lock joint=J1", "lock joint=all invert=yes"]);
    assert_eq!(editor.document().locks().len(), n_joints - 1);
    assert!(!editor.document().locks().contains(&joint(&editor, "J1")));
    assert_eq!(editor.history().n_done(), 2);
    assert!(editor.script().contains("lock joint=all invert=yes"), "{}", editor.script());
    editor.undo().expect("there is a step");
    assert_eq!(editor.document().locks().len(), 1);
    run(&mut editor, &["lock joint=J1 invert=yes"]);
    assert!(editor.document().locks().is_empty());
    assert!(editor.run("lock joint=J1 invert=yes others=yes").is_err());
}
