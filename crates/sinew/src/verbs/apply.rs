//! `sinew apply`: does command lines to a file and saves the result.

mod steps;

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::anyhow;
use serde::Serialize;
use sinew_edit::Editor;
use sinew_io::{SaveOptions, SaveReport, SaveState, SaveTarget, container_for, save};

use self::steps::{Step, Steps};
use crate::model_file;
use crate::stdout::{self, printable};

/// Do command lines to a file and save the result
///
/// Lines are done in the order in which --do and --script stand here; `sinew commands` lists them. If one cannot be
/// done, nothing is written. Without lines and in the same container OUT is a byte-identical copy. OUT may be FILE.
///
/// --json prints one object:
///
/// {"lines": [{"line", "message", "n_vertices", "notes": [text…]}],
///  "report": {"path", "bytes_before", "bytes_after",
///    "meshes_added": [{"mesh", "name", "copy_of", "node", "node_name"}],
///    "accessors": [{"accessor", "attribute", "mesh", "primitives": [n…], "how": "in_place"|"moved"|"added",
///       "n_vertices_changed", "new_component"}],
///    "n_vertices_changed", "largest_weight_change", "files_written": [path…], "files_brought": [path…],
///    "not_brought": [{"name", "reason"}], "warnings": [text…], "everything_else_identical"}}
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The model: .glb, .gltf or .vrm
    file: PathBuf,
    /// Where to save; the ending (.glb, .vrm or .gltf) chooses the container
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    #[command(flatten)]
    steps: Steps,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Applied {
    lines: Vec<AppliedLine>,
    report: SaveReport,
}

#[derive(Serialize)]
struct AppliedLine {
    line: String,
    message: String,
    n_vertices: usize,
    notes: Vec<String>,
}

/// Applies and saves.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let steps = args.steps.read()?;
    container_for(&args.out)?;
    let imported = model_file::open_with_warnings(&args.file)?;
    let mut editor = Editor::new(imported.document);
    let mut lines = Vec::new();
    for Step { place, line } in steps {
        let outcome = editor.run(&line).map_err(|error| anyhow!("{place}: {error}"))?;
        lines.extend(outcome.map(|outcome| AppliedLine {
            line,
            message: outcome.message,
            n_vertices: outcome.n_vertices,
            notes: outcome.notes,
        }));
    }
    let state = SaveState::opened(&imported.source);
    let target = SaveTarget::As(&args.out);
    let report = save(editor.document(), &imported.source, &state, target, &SaveOptions::default())
        .map_err(|error| anyhow!("nothing was saved: {error}"))?
        .report;
    let applied = Applied { lines, report };
    if args.json { stdout::json(&applied) } else { stdout::line(&applied.text()) }
}

impl Applied {
    fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let n_vertices = sinew_edit::commands::n_vertices(line.n_vertices);
            let _ = writeln!(text, "{}: {n_vertices}", printable(&line.message));
            for note in &line.notes {
                let _ = writeln!(text, "  {}", printable(note));
            }
        }
        text + &self.report.to_string()
    }
}
