//! Painting on an arm of a million vertices: dabs, undo, the first dab after a bend and after opening.

use glam::Vec3;
use sinew_edit::args::DabArg;
use sinew_edit::pick::Ray;
use sinew_edit::{Editor, GiveTo, StrokeSpec};
use sinew_io::MapResolver;
use sinew_model::{MeshIndex, NodeIndex};

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
    lines
}

fn begin(editor: &mut Editor) {
    let mut brush = editor.session.brush;
    brush.radius = RADIUS;
    brush.strength = 0.5;
    let spec = StrokeSpec {
        mesh: MeshIndex(0),
        instance_idx: 0,
        also: Vec::new(),
        joint: NodeIndex(1),
        brush,
        eye: None,
        pose: editor.session.pose.clone(),
        deformer: editor.session.deformer,
        lane: Vec::new(),
        give: GiveTo::default(),
        mirror: None,
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
