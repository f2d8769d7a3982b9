//! The paint and bend tools, driven by pixels and rays.

use glam::{Vec2, Vec3};
use sinew_edit::Editor;
use sinew_edit::pick::Ray;
use sinew_edit::tools::{Axis, BendTool, BendView, PaintModifiers, PaintTool, Pointer, Pressure};
use sinew_tests::{patch, strip};

use crate::{all_rows, editor, run, weight};

/// An orthographic view along −Z, 100 pixels a unit.
fn ray_at(px: Vec2) -> Ray {
    Ray { origin: Vec3::new(px.x / 100.0, px.y / 100.0, 10.0), direction: -Vec3::Z }
}

pub fn pointer(x: f32, y: f32) -> Pointer<'static> {
    Pointer { px: Vec2::new(x, y), ray_at: &ray_at, eye: Vec3::new(0.0, 0.0, 10.0), pressure: Pressure::FULL }
}

fn paint(editor: &mut Editor, path: &[Vec2], modifiers: PaintModifiers) {
    let mut tool = PaintTool::default();
    tool.press(editor, pointer(path[0].x, path[0].y), modifiers).expect("may paint");
    for px in &path[1..] {
        tool.drag(editor, pointer(px.x, px.y)).expect("may paint");
    }
    tool.release(editor);
}

fn patch_editor() -> Editor {
    let mut editor = editor(&patch(40, 1));
    run(&mut editor, &["joint name=B"]);
    editor.session.brush.radius = 2.0;
    editor.session.brush.strength = 0.5;
    editor
}

#[test]
fn the_result_does_not_depend_on_the_event_rate() {
    // B31
    let mut few = patch_editor();
    paint(&mut few, &[Vec2::new(200.0, 50.0), Vec2::new(3200.0, 50.0)], PaintModifiers::default());
    let mut many = patch_editor();
    let path: Vec<Vec2> = (0..=30).map(|i| Vec2::new(200.0 + 100.0 * i as f32, 50.0)).collect();
    paint(&mut many, &path, PaintModifiers::default());
    for v in 0..82 {
        let (a, b) = (weight(&few, v, 1), weight(&many, v, 1));
        assert!((a - b).abs() < 1e-3, "vertex {v}: {a} and {b}");
        assert!(!(2..=32).contains(&(v % 41)) || a > 0.3, "vertex {v} was skipped: {a}");
    }
}

#[test]
fn a_stroke_may_begin_beside_the_mesh() {
    // B30
    let mut editor = patch_editor();
    paint(&mut editor, &[Vec2::new(-500.0, 50.0), Vec2::new(2000.0, 50.0)], PaintModifiers::default());
    assert!(weight(&editor, 5, 1) > 0.5);
    assert_eq!(editor.history().n_done(), 1);
}

#[test]
fn a_live_stroke_replays_to_the_same_bits_from_its_line() {
    let mut live = patch_editor();
    live.session.brush.front_only = true;
    run(&mut live, &["pose turns=B:20,10,5"]);
    paint(
        &mut live,
        &[Vec2::new(100.0, 30.0), Vec2::new(900.0, 70.0), Vec2::new(1500.0, 20.0)],
        PaintModifiers::default(),
    );
    paint(
        &mut live,
        &[Vec2::new(1200.0, 30.0), Vec2::new(1800.0, 70.0)],
        PaintModifiers { invert: true, ..PaintModifiers::default() },
    );
    paint(
        &mut live,
        &[Vec2::new(600.0, 50.0), Vec2::new(1600.0, 50.0)],
        PaintModifiers { smooth: true, ..PaintModifiers::default() },
    );
    assert_eq!(live.history().n_done(), 3);
    let mut replayed = editor(&patch(40, 1));
    for line in live.script().lines() {
        run(&mut replayed, &[line]);
    }
    assert_eq!(all_rows(&replayed), all_rows(&live));
}

#[test]
fn cancelling_a_stroke_restores_everything_and_leaves_no_step() {
    let mut editor = patch_editor();
    let before = all_rows(&editor);
    let posed = editor.posed(0).posed.positions.clone();
    run(&mut editor, &["pose turns=B:0,30,0"]);
    let mut tool = PaintTool::default();
    tool.press(&mut editor, pointer(500.0, 50.0), PaintModifiers::default()).expect("may paint");
    tool.drag(&mut editor, pointer(900.0, 50.0)).expect("may paint");
    assert_ne!(all_rows(&editor), before);
    tool.cancel(&mut editor);
    assert_eq!(all_rows(&editor), before);
    assert_eq!(editor.history().n_done(), 0);
    run(&mut editor, &["reset_pose"]);
    assert_eq!(editor.posed(0).posed.positions, posed);
}

#[test]
fn picking_meets_the_posed_skin_not_the_rest_shape() {
    // B54: J1 at 90°, in both deformers, and with a morph.
    let mut editor = editor(&strip());
    let down = |x: f32, y: f32| Ray { origin: Vec3::new(x, y, 10.0), direction: -Vec3::Z };
    for deformer in ["lbs", "dqs"] {
        run(&mut editor, &["pose turns=J1:0,0,90", &format!("deform by={deformer}")]);
        assert!(editor.pick(down(-0.95, 1.0)).is_some(), "{deformer}: the bent tip");
        assert!(editor.pick(down(0.0, 1.9)).is_none(), "{deformer}: where the tip was");
        run(&mut editor, &["reset_pose"]);
        assert!(editor.pick(down(0.0, 1.9)).is_some());
    }
    let mut scene = strip();
    let mut lift = vec![Vec3::ZERO; 10];
    lift[8] = Vec3::Y * 0.5;
    lift[9] = Vec3::Y * 0.5;
    scene.primitive().morphs.push(sinew_tests::Morph { positions: lift, normals: vec![] });
    scene.meshes[0].morph_weights = vec![1.0];
    let mut morphed = crate::editor(&scene);
    assert!(morphed.pick(down(0.0, 2.4)).is_some());
}

#[test]
fn typed_degrees_bend_about_the_named_axis_and_escape_puts_back() {
    let mut editor = editor(&strip());
    let joint = editor.document().joints()[1];
    let view = BendView { joint_px: Vec2::ZERO, pointer_px: Vec2::new(50.0, 0.0), to_eye: Vec3::Z };
    let mut tool = BendTool::default();
    tool.begin(&mut editor, joint, view);
    tool.axis(&mut editor, Axis::Z);
    for c in "90".chars() {
        tool.type_char(&mut editor, c);
    }
    assert_eq!(tool.read_out().as_deref(), Some("Z +90°"));
    tool.type_char(&mut editor, '-');
    assert_eq!(editor.session.pose.turn_deg(joint), Vec3::new(0.0, 0.0, -90.0));
    tool.type_char(&mut editor, '-');
    tool.confirm();
    assert_eq!(editor.session.pose.turn_deg(joint), Vec3::new(0.0, 0.0, 90.0));

    tool.begin(&mut editor, joint, view);
    tool.drag(&mut editor, Vec2::new(0.0, 50.0), false);
    assert_ne!(editor.session.pose.turn_deg(joint), Vec3::new(0.0, 0.0, 90.0));
    tool.cancel(&mut editor);
    assert_eq!(editor.session.pose.turn_deg(joint), Vec3::new(0.0, 0.0, 90.0));
}

#[test]
fn turning_about_the_view_follows_the_pointer() {
    let mut editor = editor(&strip());
    let joint = editor.document().joints()[1];
    let view = BendView { joint_px: Vec2::ZERO, pointer_px: Vec2::new(50.0, 0.0), to_eye: Vec3::Z };
    let mut tool = BendTool::default();
    tool.begin(&mut editor, joint, view);
    // A quarter turn counter-clockwise on screen, where y points down.
    tool.drag(&mut editor, Vec2::new(35.0, -35.0), false);
    tool.drag(&mut editor, Vec2::new(0.0, -50.0), false);
    let turned = editor.session.pose.turn_deg(joint);
    assert!((turned - Vec3::new(0.0, 0.0, 90.0)).length() < 1e-3, "{turned}");
}

#[test]
fn a_leaf_bone_turns_with_its_joint_and_ends_at_the_skin() {
    let mut editor = editor(&sinew_tests::tube(9, 16));
    let leaf = |editor: &mut Editor| editor.bones().into_iter().find(|bone| bone.is_leaf).expect("J1 has no child");
    let rest = leaf(&mut editor);
    assert!((rest.head - Vec3::Y).length() < 1e-6);
    assert!((rest.tail - Vec3::Y * 1.5).length() < 1e-6);
    run(&mut editor, &["pose turns=J1:0,0,90"]);
    let bent = leaf(&mut editor);
    assert!((bent.tail - Vec3::new(-0.5, 1.0, 0.0)).length() < 1e-6, "{}", bent.tail);
}

#[test]
fn a_straight_line_is_the_same_whatever_way_the_pointer_took() {
    let straight = PaintModifiers { straight: true, ..PaintModifiers::default() };
    let mut plain = patch_editor();
    paint(&mut plain, &[Vec2::new(200.0, 50.0), Vec2::new(3200.0, 50.0)], PaintModifiers::default());
    let mut wandering = patch_editor();
    let way = [Vec2::new(200.0, 50.0), Vec2::new(900.0, 95.0), Vec2::new(3900.0, 10.0), Vec2::new(3200.0, 50.0)];
    paint(&mut wandering, &way, straight);
    assert_eq!(all_rows(&wandering), all_rows(&plain));
    assert_eq!(wandering.script(), plain.script(), "one step, one line of dabs");
    // While it is drawn the line is there to be shown, and what it paints is in the rows.
    let mut editor = patch_editor();
    let before = all_rows(&editor);
    let mut tool = PaintTool::default();
    tool.press(&mut editor, pointer(200.0, 50.0), straight).expect("may paint");
    tool.drag(&mut editor, pointer(3200.0, 50.0)).expect("may paint");
    assert_eq!(tool.straight_line(), Some([Vec2::new(200.0, 50.0), Vec2::new(3200.0, 50.0)]));
    assert_eq!(all_rows(&editor), all_rows(&plain));
    tool.cancel(&mut editor);
    assert_eq!(all_rows(&editor), before);
}

#[test]
fn an_airbrush_paints_while_the_pointer_rests_and_others_do_not() {
    let rest = |hz: f32, seconds: f32| {
        let mut editor = patch_editor();
        editor.session.brush.airbrush_hz = hz;
        let mut tool = PaintTool::default();
        tool.press(&mut editor, pointer(2000.0, 50.0), PaintModifiers::default()).expect("may paint");
        let n = (seconds * 100.0).round() as i32;
        let wants_more = (0..n).all(|_| tool.tick(&mut editor, pointer(2000.0, 50.0), 0.01).expect("may paint"));
        tool.release(&mut editor);
        let script = editor.script();
        (script.split("points=").nth(1).map_or(0, |points| points.split(';').count()), wants_more)
    };
    assert_eq!(rest(0.0, 1.0), (1, false));
    assert!(rest(20.0, 0.5).1);
    // The press, and then one every twentieth of a second.
    assert!((10..=12).contains(&rest(20.0, 0.5).0), "{:?}", rest(20.0, 0.5));
}

#[test]
fn a_lazy_brush_trails_the_pointer_and_forgets_its_trembling() {
    let mut editor = patch_editor();
    editor.session.brush.lazy_px = 100.0;
    let mut tool = PaintTool::default();
    tool.press(&mut editor, pointer(500.0, 50.0), PaintModifiers::default()).expect("may paint");
    tool.drag(&mut editor, pointer(570.0, 90.0)).expect("may paint");
    assert_eq!(tool.brush_px(), Some(Vec2::new(500.0, 50.0)), "within its string nothing moves");
    tool.drag(&mut editor, pointer(1500.0, 50.0)).expect("may paint");
    let at = tool.brush_px().expect("painting");
    assert!((at - Vec2::new(1400.0, 50.0)).length() < 1e-3, "{at}");
    tool.release(&mut editor);
    assert!(tool.brush_px().is_none());
}
