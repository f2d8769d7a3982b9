//! What the window asks for besides dabs, on an arm of a million vertices: mirror, gradients, selections.

use std::hint::black_box;

use glam::Vec3;
use sinew_edit::{BrushSettings, Curve, Editor, Gradient, GradientShape, StrokeSpec, SymmetrySettings};
use sinew_geometry::PointIndex;
use sinew_io::MapResolver;
use sinew_model::{MeshIndex, NodeIndex, VertexSet};

use crate::files::arm_glb;
use crate::{Line, line_ms, median, time_ms};

const MESH: MeshIndex = MeshIndex(0);

pub(crate) fn run() -> Vec<Line> {
    let Ok(imported) = sinew_io::import(arm_glb(), &MapResolver::default()) else { return Vec::new() };
    let mut editor = Editor::new(imported.document);
    editor.surface(MESH);
    editor.searchable(0);
    let mut lines = mirror(&mut editor);
    lines.extend(gradient(&mut editor));
    lines.extend(selection(&mut editor));
    lines
}

/// Who is whose mirror image, once; how far weights are from it, after every edit while that is shown.
fn mirror(editor: &mut Editor) -> Vec<Line> {
    let positions = &editor.document().mesh(MESH).positions;
    let tree = median((0..3).map(|_| time_ms(|| black_box(PointIndex::new(positions))).0).collect());
    let found = (0..5).map(|round| {
        // Never the settings of before, so that nothing is kept.
        let settings = SymmetrySettings { tolerance: Some(1e-4 + 1e-6 * round as f32), ..SymmetrySettings::default() };
        time_ms(|| editor.symmetry(settings)).0
    });
    let found = median(found.collect());
    let settings = SymmetrySettings::default();
    editor.symmetry(settings);
    let looks = median((0..5).map(|_| look_at_all(editor)).collect());
    let map = median((0..5).map(|_| time_ms(|| black_box(editor.asymmetry(MESH, settings))).0).collect());
    vec![
        line_ms(
            "mirror images of 1 M vertices, the first time",
            found,
            250.0,
            format!("a search tree over the points alone {tree:.0} ms"),
        ),
        line_ms(
            "left against right, after an edit",
            map,
            16.0,
            format!("looking at every row on one core {looks:.1} ms"),
        ),
    ]
}

/// A gradient under the pointer: every vertex is painted anew in each frame, from the rows before.
fn gradient(editor: &mut Editor) -> Vec<Line> {
    let brush = BrushSettings { strength: 1.0, value: 1.0, ..editor.session.brush };
    let pose = (editor.session.pose.clone(), editor.session.deformer);
    let whole = |brush, pose, half: f32| Gradient {
        spec: StrokeSpec::new((MESH, 0), NodeIndex(1), brush, pose),
        from: Vec3::Y * (1.0 - half),
        to: Vec3::Y * (1.0 + half),
        shape: GradientShape::Linear,
        profile: Curve::WIDE,
        beyond: false,
        on_selection: false,
    };
    let mut lines = Vec::new();
    for (what, half) in [("a tenth of 1 M vertices", 0.1), ("1 M vertices", 1.0)] {
        let (mut times, mut counts) = (Vec::new(), Vec::new());
        for frame in 0..9 {
            let gradient = whole(brush, pose.clone(), half - 1e-3 * frame as f32);
            let (ms, n) = time_ms(|| {
                let n = editor.preview_gradient(&gradient).unwrap_or(0);
                editor.posed(0);
                n
            });
            // The first has nothing to take back.
            if frame > 0 {
                times.push(ms);
                counts.push(n as f64);
            }
        }
        editor.abort_stroke();
        let posed = median((0..5).map(|_| all_posed(editor)).collect());
        lines.push(line_ms(
            &format!("a gradient over {what}, per frame, posed"),
            median(times),
            if half < 1.0 { 16.0 } else { 100.0 },
            format!("{:.0} vertices; posing all {posed:.1} ms", median(counts)),
        ));
    }
    lines
}

/// Selecting by weight, by influence count and by area, as steps.
fn selection(editor: &mut Editor) -> Vec<Line> {
    let looks = median((0..5).map(|_| look_at_all(editor)).collect());
    let yardstick = format!("looking at every row on one core {looks:.1} ms");
    let script = [
        ("select by weight", "select joint=1 min=0.25 max=0.75"),
        ("select by influence count", "select over=1"),
        ("invert the selection", "invert_selection"),
        ("grow the selection", "grow"),
        ("shrink the selection", "shrink"),
        ("select linked", "select_linked"),
        ("select 1,000 runs of numbers, as a lasso does", ""),
    ];
    let runs: Vec<String> = (0..1000).map(|ring| format!("{}-{}", ring * 1000 + 100, ring * 1000 + 600)).collect();
    let lasso = format!("select vertices={}", runs.join(","));
    let mut lines = Vec::new();
    for (what, line) in script {
        let line = if line.is_empty() { lasso.as_str() } else { line };
        let times = (0..5).map(|_| {
            let (ms, done) = time_ms(|| editor.run(line));
            if let Err(error) = done {
                eprintln!("{error}");
            }
            let _ = editor.undo();
            ms
        });
        let times = median(times.collect());
        let n = selected(editor, line);
        // Nothing that happens while a pointer moves.
        let target_ms = if line == "select_linked" { 50.0 } else { 16.0 };
        lines.push(line_ms(&format!("{what}, 1 M vertices"), times, target_ms, format!("{n} selected; {yardstick}")));
    }
    lines
}

/// Does the line for good; how many vertices are selected then.
fn selected(editor: &mut Editor, line: &str) -> usize {
    let _ = editor.run(line);
    VertexSet::len(editor.document().selection(MESH))
}

fn look_at_all(editor: &Editor) -> f64 {
    let weights = &editor.document().mesh(MESH).weights;
    time_ms(|| black_box(weights.vertices().map(|v| weights.row(v).sum()).sum::<f32>())).0
}

fn all_posed(editor: &mut Editor) -> f64 {
    editor.session.pose.set_turn_deg(NodeIndex(1), Vec3::X);
    editor.posed(0);
    editor.session.pose.set_turn_deg(NodeIndex(1), Vec3::ZERO);
    time_ms(|| {
        editor.posed(0);
    })
    .0
}
