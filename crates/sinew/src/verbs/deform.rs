//! `sinew deform`: posed positions and normals to a file, in full precision.

mod obj;
mod posed;

use std::path::PathBuf;

use anyhow::anyhow;
use serde::Serialize;
use sinew_deform::OffSum;
use sinew_edit::ExportProfile;
use sinew_io::atomic::{Disk, Pending};
use sinew_model::lookup::scene_named;

use self::posed::PosedPrimitive;
use crate::export_args;
use crate::model_file;
use crate::pose_args::PoseArgs;

/// Write posed positions and normals, in scene space, as OBJ or JSON
///
/// Every node that has a mesh and every primitive is there (without --scene, whatever the scenes say), in node order, then primitive order; vertices are those of
/// the primitive's POSITION accessor, in its order. Morph targets are applied before skinning. Numbers are the shortest
/// that read back to the same 32-bit float. JSON:
///
/// {"primitives": [{"node", "mesh", "primitive", "positions": [[x, y, z]…], "normals": [[x, y, z]…]}]}
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The model: .glb, .gltf or .vrm
    file: PathBuf,
    #[command(flatten)]
    pose: PoseArgs,
    /// Write only what this scene of the file shows (its name, or #N for scene N)
    #[arg(long, value_name = "NAME|#N|all", allow_hyphen_values = true)]
    scene: Option<String>,
    /// Do not divide weights that do not sum to 1 by their sum, as an engine might
    #[arg(long)]
    raw: bool,
    /// Pose what an engine gets: rows after a limit of influences and a type of numbers, undivided. As the file is what
    /// a save writes
    #[arg(long = "as", value_name = "file|4xu8|4xu16|8xu8|4xf32", value_parser = export_args::profile)]
    profile: Option<&'static ExportProfile>,
    /// Where to write: .obj or .json
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
}

#[derive(Serialize)]
struct JsonOut<'a> {
    primitives: &'a [PosedPrimitive],
}

enum Form {
    Obj,
    Json,
}

/// Poses and writes.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let form = args.form()?;
    let mut imported = model_file::open_with_warnings(&args.file)?;
    let pose = args.pose.pose(&imported.document)?;
    if let Some(profile) = args.profile {
        export_args::export(&mut imported, profile);
    }
    let off_sum = if args.raw || args.profile.is_some() { OffSum::Raw } else { OffSum::Divide };
    let named = args.scene.as_deref().map(|name| scene_named(&imported.document, name));
    let scene = named.transpose().map_err(|error| anyhow!("--scene: {error}"))?.flatten();
    let primitives = posed::primitives(&imported.document, scene, &pose, args.pose.deformer(), off_sum)?;
    let bytes = match form {
        Form::Obj => obj::text(&primitives).into_bytes(),
        Form::Json => serde_json::to_vec(&JsonOut { primitives: &primitives })?,
    };
    Pending::write(&args.out, &bytes, &Disk::default())?.place()?;
    Ok(())
}

impl Args {
    fn form(&self) -> anyhow::Result<Form> {
        let found = self.out.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        match found.to_lowercase().as_str() {
            "obj" => Ok(Form::Obj),
            "json" => Ok(Form::Json),
            _ => Err(anyhow!("cannot write {found:?}; expected .obj or .json: {}", self.out.display())),
        }
    }
}
