//! `sinew info`: what a file holds and what is unusual in it. Needs no display and no GPU.

mod facts;
mod text;

use std::path::PathBuf;

use crate::{model_file, stdout};

/// Say what a file holds and what is unusual in it
///
/// --json prints one object; names that the file does not give are null, numbers are the file's own indices:
///
/// {"file": {"path", "container": "glb"|"gltf", "n_bytes", "version", "generator",
///    "buffers": [{"from": "bin_chunk"|"data_uri"|"file"|"missing", "uri", "n_bytes"}]},
///  "extensions_used": [name…], "extensions_required": [name…], "n_nodes", "n_materials", "budget" (null: unlimited),
///  "scenes": [{"scene", "name", "roots": [node…], "is_default", "meshes": [mesh…]}],
///  "skins": [{"skin", "name", "nodes": [node…], "joints": [{"node", "name"}]}],
///  "meshes": [{"mesh", "name", "nodes": [node…], "skins": [skin…], "paintable", "n_vertices", "n_triangles",
///    "primitives": [{"primitive", "pool", "n_triangles", "material"}],
///    "pools": [{"pool", "first_vertex", "n_vertices", "normals",
///       "sets": [{"set", "joints": component type, "weights": component type}]}],
///    "morph_targets": [name…], "max_influences", "unweighted", "off_sum", "worst_off_sum", "over_budget", "over_4",
///    "seams", "torn"}],
///  "clips": [{"clip", "name", "duration_s", "n_channels"}],
///  "images": [{"image", "name", "format": "png"|"jpeg"|"other", "n_bytes"}],
///  "warnings": [text…]}
///
/// Of a scene: "is_default" is the one that the file says is to be shown, "meshes" are those that its trees show.
///
/// Of a mesh: "unweighted" vertices have no weight, "off_sum" ones do not sum to 1 (worst_off_sum: the largest
/// distance), "over_budget" and "over_4" ones have more influences than the budget and than 4, "seams" are places
/// where several vertices with equal weights meet, "torn" places where they have different ones.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The model: .glb, .gltf or .vrm
    file: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Prints the facts.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let facts = facts::Facts::of(&args.file, model_file::open(&args.file)?)?;
    if args.json { stdout::json(&facts) } else { stdout::line(text::report(&facts).trim_end()) }
}
