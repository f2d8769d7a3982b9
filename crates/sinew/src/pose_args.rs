//! The arguments that say how the character stands; `deform` and `render` share them.

use anyhow::anyhow;
use clap::builder::PossibleValuesParser;
use sinew_deform::{DEFORMERS, Deformer, deformer_named};
use sinew_edit::args::{clip_named, point};
use sinew_model::{ClipTime, Document, Pose, joint_named};

/// Pose and deformer.
#[derive(clap::Args)]
pub struct PoseArgs {
    /// Turn a joint by degrees about its own rest axes, x applied first; may be given for several joints.
    /// NAME is a joint's name, its position in the skin, or #N for node N
    #[arg(long = "pose", value_name = "NAME=rx,ry,rz", allow_hyphen_values = true)]
    turns: Vec<String>,
    /// Stand as in this clip (its name, or #N for clip N), turns on top of it
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    clip: Option<String>,
    /// The moment of the clip, seconds; before its first and after its last key the nearest key holds
    #[arg(long, value_name = "S", requires = "clip", allow_hyphen_values = true, value_parser = finite, default_value = "0")]
    time: f32,
    /// How vertices follow the joints: linear blend or dual quaternion skinning
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(DEFORMERS.iter().map(|d| d.name())))]
    deform: Option<String>,
}

impl PoseArgs {
    /// The pose asked for.
    pub fn pose(&self, document: &Document) -> anyhow::Result<Pose> {
        let mut pose = Pose::rest();
        for turn in &self.turns {
            // Names may hold '='; angles do not.
            let (name, angles) =
                turn.rsplit_once('=').ok_or_else(|| anyhow!("--pose: expected NAME=rx,ry,rz, found \"{turn}\""))?;
            let joint = joint_named(document, None, name).map_err(|error| anyhow!("--pose {turn}: {error}"))?;
            let euler_deg = point("degrees", angles).map_err(|error| anyhow!("--pose {turn}: {error}"))?;
            pose.set_turn_deg(joint, euler_deg);
        }
        if let Some(name) = &self.clip {
            let clip = clip_named(document, name).map_err(|error| anyhow!("--clip: {error}"))?;
            pose.clip = Some(ClipTime { clip, time_s: self.time });
        }
        Ok(pose)
    }

    /// The deformer asked for, linear blend skinning if none is.
    pub fn deformer(&self) -> &'static dyn Deformer {
        self.deform.as_deref().and_then(deformer_named).unwrap_or(DEFORMERS[0])
    }
}

fn finite(text: &str) -> Result<f32, String> {
    text.parse::<f32>().ok().filter(|number| number.is_finite()).ok_or_else(|| "expected a number".to_owned())
}
