//! Painting on an arm of a million vertices: dabs, undo, the first dab after a bend and after opening.

use glam::Vec3;
use sinew_edit::args::DabArg;
use sinew_edit::pick::Ray;
use sinew_edit::{BRUSHES, BrushSettings, Editor, Reach, StrokeSpec, SymmetrySettings};
use sinew_io::MapResolver;
use sinew_model::{MeshIndex, NodeIndex, Pose};
use sinew_tests::tube;

use crate::files::arm_glb;
use crate::{Line, line_ms, median, time_ms};

/// Radius of a dab that covers about 2,000 of the arm's vertices.
const RADIUS: f32 = 0.04;

pub(crate) fn run() -> Vec<Line> {
    let Ok(imported) = sinew_io::import(arm_glb(), &MapResolver::default()) else { return Vec::new() };
    let mut editor = Editor::new(imported.document);
    let mut lines = Vec::new();

    // What the background work of opening comes to: weld, topology, posed surface, search tree.
    let (prepare_ms, ()) = time_ms(|| {
        editor.surface(MeshIndex(0));
        editor.searchable(0);
    });
    lines.push(line_ms("first dab possible after open: weld, topology, tree", prepare_ms, 1500.0, ""));

    let mut firsts = Vec::new();
    let mut furthers = Vec::new();
    let mut undos = Vec::new();
    let mut redos = Vec::new();
    let mut n_vertices = Vec::new();
    for round in 0..9 {
        let height = 0.3 + 0.15 * round as f32;
        let (first_ms, n) = time_ms(|| {
            begin(&mut editor);
            dab(&mut editor, height)
        });
        firsts.push(first_ms);
        n_vertices.push(n as f64);
        for step in 1..12 {
            furthers.push(time_ms(|| dab(&mut editor, height + RADIUS * 0.25 * step as f32)).0);
        }
        editor.end_stroke();
        let before = editor.document().mesh(MeshIndex(0)).weights_revision;
        undos.push(time_ms(|| editor.undo()).0);
        redos.push(time_ms(|| editor.redo()).0);
        assert_ne!(before, editor.document().mesh(MeshIndex(0)).weights_revision);
    }
    let n = median(n_vertices);
    lines.push(line_ms(
        &format!("first dab of a stroke, {n:.0} vertices, whole CPU path"),
        median(firsts),
        2.0,
        "Blender - / 990",
    ));
    lines.push(line_ms("each further dab, same", median(furthers), 1.0, "Blender - / 0.8 without re-posing"));
    lines.push(line_ms("undo of that stroke (12 dabs)", median(undos), 5.0, "Blender - / 1,260"));
    lines.push(line_ms("redo of that stroke", median(redos), 5.0, ""));

    let mut bends = Vec::new();
    for round in 0..5 {
        let (ms, _) = time_ms(|| {
            editor.session.pose.set_turn_deg(NodeIndex(1), Vec3::new(10.0 + 7.0 * round as f32, 0.0, 0.0));
            begin(&mut editor);
            dab(&mut editor, 0.5)
        });
        bends.push(ms);
        editor.end_stroke();
    }
    lines.push(line_ms("first dab after a bend: re-pose, refit, dab", median(bends), 60.0, ""));
    lines.push(on_a_bend(&mut editor));
    lines.extend(every_brush(&mut editor));
    drop(editor);
    lines.extend(many_joints());
    lines
}

/// Dabs over the inside of a sharp bend, where ways over the surface do not agree and are followed one by one.
fn on_a_bend(editor: &mut Editor) -> Line {
    editor.session.pose.set_turn_deg(NodeIndex(1), Vec3::new(110.0, 0.0, 0.0));
    let (mut times, mut counts) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        begin(editor);
        for step in 0..12 {
            let center = Vec3::new(0.2, 0.9 + RADIUS * 0.25 * step as f32, 0.0);
            let (ms, n) = time_ms(|| editor.dab(DabArg { center, radius: None, strength_share: 1.0 }));
            // The first re-poses everything; some miss the skin.
            if step > 0 && n > 0 {
                times.push(ms);
                counts.push(n as f64);
            }
        }
        editor.end_stroke();
        let _ = editor.undo();
    }
    let what = format!("further dab where the arm is bent by 110 degrees, {:.0} vertices", median(counts));
    line_ms(&what, median(times), 5.0, "")
}

/// Every brush, and what else a dab can be asked for, on the same mesh: each further dab of a stroke.
fn every_brush(editor: &mut Editor) -> Vec<Line> {
    editor.session.pose = Pose::rest();
    let plain = BrushSettings { radius: RADIUS, strength: 0.5, value: 0.6, ..editor.session.brush };
    let mut kinds: Vec<(String, BrushSettings, bool)> = BRUSHES
        .iter()
        .map(|&brush| (format!("further dab, {}", brush.name), BrushSettings { brush, ..plain }, false))
        .collect();
    kinds.push(("further dab, replace once a stroke".to_owned(), BrushSettings { once: true, ..plain }, false));
    kinds.push(("further dab, replace by volume".to_owned(), BrushSettings { reach: Reach::Volume, ..plain }, false));
    let thin = BrushSettings { reach: Reach::Screen, radius: 0.7 * RADIUS, ..plain };
    kinds.push(("further dab, replace along the screen".to_owned(), thin, false));
    kinds.push(("further dab, replace, mirrored (twice the vertices)".to_owned(), plain, true));
    let mut lines = Vec::new();
    for (what, brush, is_mirrored) in kinds {
        let (mut times, mut counts) = (Vec::new(), Vec::new());
        for round in 0..5 {
            let height = 0.3 + 0.15 * round as f32;
            begin_with(editor, brush, is_mirrored);
            dab(editor, height);
            for step in 1..12 {
                let (ms, n) = time_ms(|| dab(editor, height + RADIUS * 0.25 * step as f32));
                times.push(ms);
                counts.push(n as f64);
            }
            editor.end_stroke();
            let _ = editor.undo();
        }
        let target_ms = if is_mirrored { 2.0 } else { 1.0 };
        lines.push(line_ms(&what, median(times), target_ms, format!("{:.0} vertices", median(counts))));
    }
    lines
}

/// A tube of 300,000 vertices on 200 joints (B67): a dab over 2,000 vertices, and what undoing 100 strokes holds.
fn many_joints() -> Vec<Line> {
    let mut scene = tube(1_500, 200);
    for i in 2..200 {
        scene.add_joint(i - 1, &format!("J{i}"), Vec3::Y * 0.01);
    }
    for (v, row) in scene.rows().iter_mut().enumerate() {
        let ring = (v / 200) as f32 / 1_500.0;
        let joint = ((ring * 199.0) as u16).min(198);
        *row = vec![(joint, 0.6), (joint + 1, 0.4)];
    }
    let Ok(imported) = sinew_io::import(scene.glb(), &MapResolver::default()) else { return Vec::new() };
    let mut editor = Editor::new(imported.document);
    let (mut times, mut counts) = (Vec::new(), Vec::new());
    for stroke in 0..100 {
        let brush = BrushSettings { radius: 0.073, strength: 0.5, ..editor.session.brush };
        begin_with(&mut editor, brush, false);
        for step in 0..6 {
            let height = 0.1 + 0.017 * stroke as f32 + 0.016 * step as f32;
            let center = Vec3::new(0.0, height, 0.2);
            let (ms, n) = time_ms(|| editor.dab(DabArg { center, radius: None, strength_share: 1.0 }));
            times.push(ms);
            counts.push(n as f64);
        }
        editor.end_stroke();
    }
    let mib = editor.history().n_bytes() as f64 / (1024.0 * 1024.0);
    vec![
        line_ms(
            "dab, 300,000 vertices on 200 joints (B67)",
            median(times),
            8.0,
            format!("{:.0} vertices", median(counts)),
        ),
        Line {
            what: format!("undo of those {} strokes of 6 dabs", editor.history().n_done()),
            found: format!("{mib:.1} MiB"),
            target: "200 MiB".to_owned(),
            is_reached: mib < 200.0,
            yardstick: String::new(),
        },
    ]
}

fn begin(editor: &mut Editor) {
    let brush = BrushSettings { radius: RADIUS, strength: 0.5, ..editor.session.brush };
    begin_with(editor, brush, false);
}

fn begin_with(editor: &mut Editor, brush: BrushSettings, is_mirrored: bool) {
    let pose = (editor.session.pose.clone(), editor.session.deformer);
    let spec = StrokeSpec {
        eye: (brush.reach == Reach::Screen).then_some(Vec3::new(0.03, 0.5, 5.0)),
        mirror: is_mirrored.then(SymmetrySettings::default),
        ..StrokeSpec::new((MeshIndex(0), 0), NodeIndex(1), brush, pose)
    };
    if let Err(error) = editor.begin_stroke(spec) {
        eprintln!("{error}");
    }
}

/// Picks the skin at a height and paints there; how many vertices changed.
fn dab(editor: &mut Editor, height: f32) -> usize {
    let ray = Ray { origin: Vec3::new(0.03, height, 5.0), direction: -Vec3::Z };
    match editor.pick(ray) {
        Some(hit) => editor.dab(DabArg { center: hit.point, radius: None, strength_share: 1.0 }),
        None => 0,
    }
}
