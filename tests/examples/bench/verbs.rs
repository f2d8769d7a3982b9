//! Whole-mesh verbs: smoothing 200,000 vertices on 55 joints, tidying a million.

use sinew_edit::Editor;
use sinew_io::MapResolver;
use sinew_model::{Mesh, MeshIndex};
use sinew_weights::{Holds, MeshChanges, limit_mesh, normalize_mesh, prune_mesh};

use crate::{Line, line_ms, median, time_ms};

pub(crate) fn run() -> Vec<Line> {
    let mut lines = Vec::new();
    if let Ok(imported) = sinew_io::import(sinew_tests::grid(200_000, 55, 1).glb(), &MapResolver::default()) {
        let mut editor = Editor::new(imported.document);
        editor.surface(MeshIndex(0));
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
        lines.extend(tidying(&imported.document.meshes()[0]));
        lines.extend(steps(Editor::new(imported.document)));
    }
    lines
}

/// The same verbs as commands on all rows: with twins, undo, and what the views are told.
fn steps(mut editor: Editor) -> Vec<Line> {
    editor.surface(MeshIndex(0));
    let copy = median((0..5).map(|_| time_ms(|| editor.document().mesh(MeshIndex(0)).weights.clone()).0).collect());
    let mut lines = Vec::new();
    for line in ["limit influences=2", "prune below=0.25"] {
        let (mut times, mut undos) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            let (ms, done) = time_ms(|| editor.run(line));
            if let Err(error) = done {
                eprintln!("{error}");
            }
            times.push(ms);
            undos.push(time_ms(|| editor.undo()).0);
        }
        let (done, undone) = (median(times), median(undos));
        let yardstick = format!("copying the rows {copy:.1} ms");
        lines.push(line_ms(&format!("{line} as an undo step, 1 M rows change"), done, 50.0, yardstick));
        let mib = editor.history().n_bytes() as f64 / f64::from(1 << 20);
        lines.push(line_ms("undo of that", undone, 25.0, format!("the step holds {mib:.0} MiB")));
    }
    lines
}

/// Normalise, limit and prune on a million rows: as they come, where a first look finds little to do, and so that every
/// row changes.
fn tidying(mesh: &Mesh) -> Vec<Line> {
    let none = Holds::locks(&[]);
    let looks =
        (0..5).map(|_| time_ms(|| mesh.weights.vertices().map(|v| mesh.weights.row(v).sum()).sum::<f32>()).0).collect();
    let yardstick = format!("looking at every row on one core {:.1} ms; Blender 170-350 / 500-1,000", median(looks));
    let mut off_sum = mesh.clone();
    for vertex in mesh.weights.vertices() {
        let mut row = mesh.weights.get(vertex);
        row.influences_mut().iter_mut().for_each(|influence| influence.weight *= 0.8);
        off_sum.weights.set(vertex, &row);
    }
    // The smallest of four weights is below 1 / 4, the largest is not.
    type Verb<'a> = &'a dyn Fn() -> MeshChanges;
    let verbs: [(&str, Verb<'_>); 6] = [
        ("normalize", &|| normalize_mesh(mesh, none)),
        ("limit to 4", &|| limit_mesh(mesh, 4, none)),
        ("prune below 0.001", &|| prune_mesh(mesh, 0.001, none)),
        ("normalize", &|| normalize_mesh(&off_sum, none)),
        ("limit to 2", &|| limit_mesh(mesh, 2, none)),
        ("prune below 0.25", &|| prune_mesh(mesh, 0.25, none)),
    ];
    let line = |(what, verb): (&str, Verb<'_>)| {
        let n_changed = verb().rows.len();
        let found = median((0..9).map(|_| time_ms(verb).0).collect());
        let what = format!("{what}, 1 M vertices x 4, {n_changed} rows change");
        line_ms(&what, found, 25.0, yardstick.clone())
    };
    verbs.into_iter().map(line).collect()
}
