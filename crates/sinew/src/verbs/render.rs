//! `sinew render`: a picture of the model without a window.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::ValueHint;
use sinew_app::files::decode_images;
use sinew_app::stored_as::stored_as;
use sinew_app::viewport::camera::NamedView;
use sinew_app::viewport::options::Show;
use sinew_app::viewport::still::{self, StillOptions};
use sinew_edit::{Editor, ExportProfile};
use sinew_model::joint_named;
use sinew_model::lookup::scene_named;

use crate::export_args;
use crate::model_file;
use crate::pose_args::PoseArgs;
use crate::verbs::picture;

/// Most pixels along a side.
const MAX_SIDE_PX: u32 = 16_384;

/// Draw the model into a PNG, so that it just fits
///
/// Needs a graphics adapter, which may be a software one, but no display.
#[derive(clap::Args)]
pub struct Args {
    /// The model: .glb, .gltf or .vrm
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Where to write the picture: .png
    #[arg(short, long, value_name = "PNG")]
    out: PathBuf,
    #[command(flatten)]
    pose: PoseArgs,
    /// From where: front (+Z), side (+X), top (+Y), or yaw and pitch in degrees
    #[arg(long, value_name = "front|side|top|yaw,pitch", allow_hyphen_values = true, value_parser = view, default_value = "front")]
    view: YawPitch,
    /// What the surface shows: the weights of a joint, the file's colours, or with --as-exported how far each vertex is
    /// from where it stands as edited; without it, the first joint's weights where there are some
    #[arg(long, value_name = "weights:NAME|textured|difference", value_parser = shown)]
    show: Option<Shown>,
    /// Draw only this scene of the file (its name, or #N for scene N), or all; the file's own without it
    #[arg(long, value_name = "NAME|#N|all", allow_hyphen_values = true)]
    scene: Option<String>,
    /// Draw what an engine gets: rows after a limit of influences and a type of numbers, undivided
    #[arg(long, value_name = "file|4xu8|4xu16|8xu8|4xf32", value_parser = export_args::profile)]
    as_exported: Option<&'static ExportProfile>,
    /// Width and height, pixels
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "1280x800")]
    size: Size,
}

#[derive(Clone, Copy)]
struct YawPitch([f32; 2]);

#[derive(Clone, Copy)]
struct Size([u32; 2]);

#[derive(Clone)]
enum Shown {
    Weights(String),
    Textured,
    Difference,
}

/// Draws and writes.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if !args.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        let found = args.out.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        return Err(anyhow!("cannot write {found:?}; expected .png: {}", args.out.display()));
    }
    let imported = model_file::open_with_warnings(&args.file)?;
    let images = decode_images(&imported.document);
    let mut editor = Editor::new(imported.document);
    editor.set_stored(stored_as(&imported.source));
    if let Some(profile) = args.as_exported {
        (editor.session.export, editor.session.as_exported) = (profile, true);
    }
    editor.session.pose = args.pose.pose(editor.document())?;
    editor.session.deformer = args.pose.deformer();
    if let Some(name) = &args.scene {
        editor.session.scene = scene_named(editor.document(), name).map_err(|error| anyhow!("--scene: {error}"))?;
    }
    let mut options = StillOptions { size_px: args.size.0, yaw_pitch_deg: args.view.0, ..StillOptions::default() };
    match &args.show {
        Some(Shown::Textured) => options.view.show = Show::Textured,
        Some(Shown::Difference) if args.as_exported.is_none() => {
            return Err(anyhow!("--show difference needs --as-exported: what the model is compared with"));
        }
        Some(Shown::Difference) => options.view.show = Show::Difference,
        Some(Shown::Weights(name)) => {
            let joint = joint_named(editor.document(), None, name).map_err(|error| anyhow!("--show: {error}"))?;
            editor.session.active_joint = Some(joint);
        }
        None if editor.document().skinned_meshes().is_empty() => options.view.show = Show::Textured,
        None => {}
    }
    let gpu = picture::device()?;
    options.skin_on_gpu = !gpu.is_cpu();
    picture::write(still::render(&gpu, &mut editor, &images, &options)?, &args.out)
}

fn view(text: &str) -> Result<YawPitch, String> {
    let named = match text {
        "front" => Some(NamedView::Front),
        "side" => Some(NamedView::Side),
        "top" => Some(NamedView::Top),
        _ => None,
    };
    if let Some(named) = named {
        return Ok(YawPitch(named.yaw_pitch_deg()));
    }
    let number = |text: &str| text.trim().parse::<f32>().ok().filter(|number| number.is_finite());
    let angles = text.split_once(',').and_then(|(yaw, pitch)| Some([number(yaw)?, number(pitch)?]));
    match angles {
        Some([yaw, pitch]) if (-90.0..=90.0).contains(&pitch) => Ok(YawPitch([yaw, pitch])),
        _ => Err("expected front, side, top, or yaw,pitch in degrees with a pitch from -90 to 90".to_owned()),
    }
}

fn shown(text: &str) -> Result<Shown, String> {
    match text.split_once(':') {
        Some(("weights", name)) if !name.is_empty() => Ok(Shown::Weights(name.to_owned())),
        None if text == "textured" => Ok(Shown::Textured),
        None if text == "difference" => Ok(Shown::Difference),
        _ => Err("expected weights:NAME, textured or difference".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..=MAX_SIDE_PX).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.map(Size).ok_or_else(|| format!("expected WxH with 1 to {MAX_SIDE_PX} pixels a side, such as 1280x800"))
}
