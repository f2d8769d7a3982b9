//! Whole-mesh verbs: smoothing 200,000 vertices on 55 joints, tidying a million.

use sinew_edit::Editor;
use sinew_io::MapResolver;
use sinew_weights::{Holds, limit_mesh, normalize_mesh, prune_mesh};

use crate::{Line, line_ms, median, time_ms};

pub(crate) fn run() -> Vec<Line> {
    let mut lines = Vec::new();
    if let Ok(imported) = sinew_io::import(sinew_tests::grid(200_000, 55, 1).glb(), &MapResolver::default()) {
        let mut editor = Editor::new(imported.document);
        editor.surface(sinew_model::MeshIndex(0));
        let times = (0..5)
            .map(|_| {
                let (ms, done) = time_ms(|| editor.run("smooth iterations=10"));
                if let Err(error) = done {
                    eprintln!("{error}");
                }
                if let Err(error) = editor.undo() {
                    eprintln!("{error}");
                }
                ms
            })
            .collect();
        lines.push(line_ms(
            "smooth, 10 times, 200 k vertices x 55 joints, as one undo step",
            median(times),
            200.0,
            "Blender 3,900 / 17,000",
        ));
    }
    if let Ok(imported) = sinew_io::import(sinew_tests::grid(1_000_000, 55, 1).glb(), &MapResolver::default()) {
        let mesh = &imported.document.meshes()[0];
        let none = Holds::locks(&[]);
        let looks = median(
            (0..5)
                .map(|_| time_ms(|| mesh.weights.vertices().map(|v| mesh.weights.row(v).sum()).sum::<f32>()).0)
                .collect(),
        );
        let yardstick = format!("looking at every row on one core {looks:.1} ms; Blender 170-350 / 500-1,000");
        let normalize = median((0..9).map(|_| time_ms(|| normalize_mesh(mesh, none)).0).collect());
        let limit = median((0..9).map(|_| time_ms(|| limit_mesh(mesh, 4, none)).0).collect());
        let prune = median((0..9).map(|_| time_ms(|| prune_mesh(mesh, 0.001, none)).0).collect());
        for (what, found) in [("normalize", normalize), ("limit to 4", limit), ("prune below 0.001", prune)] {
            lines.push(line_ms(&format!("{what}, 1 M vertices x 4"), found, 25.0, yardstick.clone()));
        }
    }
    lines
}
