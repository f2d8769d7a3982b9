//! The session: what is kept while the program runs but is neither undone nor saved into the model.

use sinew_deform::Deformer;
use sinew_model::{MeshIndex, NodeIndex, Pose};
use sinew_weights::{EXPORT_PROFILES, ExportProfile};

use crate::brushes::{BRUSHES, Brush};
use crate::falloff::Falloff;
use crate::stroke::Reach;

/// Selection, pose and brush.
#[derive(Clone)]
pub struct Session {
    /// The joint that is painted and bent.
    pub active_joint: Option<NodeIndex>,
    /// The mesh that whole-mesh commands act on; without one they act on all skinned meshes.
    pub active_mesh: Option<MeshIndex>,
    /// The view pose.
    pub pose: Pose,
    /// How the view deforms.
    pub deformer: &'static dyn Deformer,
    /// Whether the model is shown as exported, else as edited.
    pub as_exported: bool,
    /// What as exported means.
    pub export: &'static ExportProfile,
    /// The brush in hand.
    pub brush: BrushSettings,
}

/// The brush in hand and how it is held. One value each, wherever it is shown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BrushSettings {
    /// Which brush.
    pub brush: &'static Brush,
    /// What it paints toward, 0 to 1.
    pub value: f32,
    /// How much of the way a dab goes at its centre, 0 to 1.
    pub strength: f32,
    /// Radius, scene units.
    pub radius: f32,
    /// How it fades to the rim.
    pub falloff: Falloff,
    /// Which vertices are within it.
    pub reach: Reach,
    /// Whether only vertices that face the eye and are not hidden are painted.
    pub front_only: bool,
    /// Distance between dabs, radii.
    pub spacing: f32,
}

impl Default for BrushSettings {
    fn default() -> Self {
        Self {
            brush: BRUSHES[0],
            value: 1.0,
            strength: 1.0,
            radius: 0.1,
            falloff: Falloff::Smooth,
            reach: Reach::Surface,
            front_only: false,
            spacing: 0.25,
        }
    }
}

impl Session {
    /// Nothing selected, the rest pose.
    pub fn new(deformer: &'static dyn Deformer) -> Self {
        Self {
            active_joint: None,
            active_mesh: None,
            pose: Pose::rest(),
            deformer,
            as_exported: false,
            export: &EXPORT_PROFILES[0],
            brush: BrushSettings::default(),
        }
    }

    /// What the model is shown as: a profile, or as edited.
    pub fn view_as(&self) -> Option<&'static ExportProfile> {
        self.as_exported.then_some(self.export)
    }
}
