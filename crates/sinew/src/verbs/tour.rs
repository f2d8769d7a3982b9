//! `sinew tour`: the whole job on the demo character without a hand on the mouse: bend, compare deformers, smooth,
//! save, and pictures of what became of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use clap::ValueHint;
use glam::Vec3;
use sinew_app::files::decode_images;
use sinew_app::viewport::options::{Show, ViewOptions};
use sinew_app::viewport::still::{self, StillOptions};
use sinew_edit::{Editor, Line, Outcome};
use sinew_io::{Imported, Rgba, SaveOptions, SaveState, SaveTarget, save};
use sinew_model::{Document, Mesh, joint_named};
use sinew_render::HeadlessDevice;

use crate::verbs::picture;
use crate::{model_file, stdout};

/// The joint that is bent and smoothed.
const ELBOW: &str = "LeftLowerArm";
/// How far, degrees about its hinge.
const BEND_DEG: u32 = 110;
/// Reach of the smooth brush around the joint, metres.
const RADIUS: f32 = 0.1;
/// Dabs of the smooth brush.
const N_DABS: usize = 60;

/// Show the whole job on the demo character, without a window
///
/// Bends the elbow, shows linear blend and dual quaternion skinning, smooths the weights, saves the character, and
/// leaves pictures from before and after, the save report and the script of what was done in a folder. The pictures
/// need a graphics adapter, which may be a software one; without one the rest is done.
#[derive(clap::Args)]
pub struct Args {
    /// The folder to write to; it is made if it is not there
    #[arg(short, long, value_name = "DIR", default_value = "sinew-tour", value_hint = ValueHint::DirPath)]
    out: PathBuf,
}

/// Names of what is left in the folder.
const MODEL: &str = "character.glb";
const REPORT: &str = "save-report.txt";

/// Does the tour and says what it does.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let folder = args.out.display();
    std::fs::create_dir_all(&args.out).map_err(|error| anyhow!("cannot make the folder {folder}: {error}"))?;
    check_is_free(&args.out)?;
    let Imported { document, source, .. } = model_file::demo()?;
    let camera = Camera::begin(&document);
    let mut editor = Editor::new(document);
    let joint = joint_named(editor.document(), None, ELBOW)?;
    let n_vertices: usize = editor.document().meshes().iter().map(Mesh::n_vertices).sum();
    say(&format!("1. The demo character: {n_vertices} vertices, {} joints", editor.document().joints().len()))?;

    let pose = format!("{ELBOW}:{BEND_DEG},0,0");
    do_line(&mut editor, &Line::new("joint").with("name", ELBOW))?;
    do_line(&mut editor, &Line::new("pose").with("turns", &pose))?;
    let elbow = editor.scene_from_node()[joint.idx()].translation.as_vec3();
    say(&format!("2. {ELBOW} bent by {BEND_DEG} degrees"))?;
    camera.take(&mut editor, elbow, Show::Clay, &args.out.join("lbs-before.png"))?;
    camera.take(&mut editor, elbow, Show::Weights, &args.out.join("weights-before.png"))?;
    say("3. The same pose with dual quaternion skinning")?;
    do_line(&mut editor, &Line::new("deform").with("by", "dqs"))?;
    camera.take(&mut editor, elbow, Show::Clay, &args.out.join("dqs-before.png"))?;
    do_line(&mut editor, &Line::new("deform").with("by", "lbs"))?;

    let point = format!("{},{},{}", elbow.x, elbow.y, elbow.z);
    let stroke = Line::new("stroke")
        .with("joint", ELBOW)
        .with("brush", "smooth")
        .with("reach", "volume")
        .with("radius", RADIUS)
        .with("points", [point.as_str()].repeat(N_DABS).join(";"))
        .with("pose", &pose);
    let outcome = do_line(&mut editor, &stroke)?;
    say(&format!("4. The weights around it smoothed: {} changed", n_changed(outcome.n_vertices)))?;
    camera.take(&mut editor, elbow, Show::Clay, &args.out.join("lbs-after.png"))?;
    camera.take(&mut editor, elbow, Show::Weights, &args.out.join("weights-after.png"))?;

    let (model, state) = (args.out.join(MODEL), SaveState::opened(&source));
    let target = SaveTarget::As(&model);
    let saved = save(editor.document(), &source, &state, target, &SaveOptions::default())
        .map_err(|error| anyhow!("the character was not saved: {error}"))?;
    let report = saved.report.to_string();
    write(&args.out.join(REPORT), &report)?;
    write(&args.out.join("script.txt"), &editor.script())?;
    say(&format!("5. Saved, read back and compared:\n{report}"))?;
    if let Some(reason) = &camera.missing {
        say(&format!("skipped: the pictures ({reason})"))?;
    }
    say(&format!("All of it is in {}; sinew {} opens the result", args.out.display(), model.display()))
}

/// Whose character is in the folder: an earlier tour left its report beside it, anybody else's is not written over.
fn check_is_free(folder: &Path) -> anyhow::Result<()> {
    let model = folder.join(MODEL);
    if model.exists() && !folder.join(REPORT).exists() {
        return Err(anyhow!("{} is there already and no earlier tour's; name another folder with -o", model.display()));
    }
    Ok(())
}

/// Takes the pictures, where there is something to draw with.
struct Camera {
    gpu: Option<HeadlessDevice>,
    /// Why there is nothing to draw with.
    missing: Option<String>,
    images: Vec<Option<Arc<Rgba>>>,
}

impl Camera {
    fn begin(document: &Document) -> Self {
        let images = decode_images(document);
        match picture::device() {
            Ok(gpu) => Self { gpu: Some(gpu), missing: None, images },
            Err(error) => Self { gpu: None, missing: Some(error.to_string()), images },
        }
    }

    /// The joint and what is around it, from where the bend shows.
    fn take(&self, editor: &mut Editor, at: Vec3, show: Show, path: &Path) -> anyhow::Result<()> {
        let Some(gpu) = &self.gpu else { return Ok(()) };
        let options = StillOptions {
            size_px: [1280, 800],
            yaw_pitch_deg: [80.0, 55.0],
            view: ViewOptions { show, joints: false, ..ViewOptions::default() },
            skin_on_gpu: !gpu.is_cpu(),
            focus: Some((at, 0.2)),
        };
        picture::write(still::render(gpu, editor, &self.images, &options)?, path)
    }
}

fn do_line(editor: &mut Editor, line: &Line) -> anyhow::Result<Outcome> {
    Ok(editor.run_line(line)?)
}

fn n_changed(n: usize) -> String {
    sinew_edit::commands::n_vertices(n)
}

fn say(text: &str) -> anyhow::Result<()> {
    stdout::line(text)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).map_err(|error| anyhow!("cannot write {}: {error}", path.display()))
}
