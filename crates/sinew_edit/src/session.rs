//! The session: what is kept while the program runs but is neither undone nor saved into the model.

use std::collections::BTreeSet;

use sinew_deform::Deformer;
use sinew_model::{Document, MeshIndex, NodeIndex, Pose, SceneIndex};
use sinew_weights::{EXPORT_PROFILES, ExportProfile};

use crate::brushes::{BRUSHES, Brush};
use crate::curve::Curve;
use crate::falloff::Falloff;
use crate::give::GiveTo;
use crate::stroke::Reach;
use crate::symmetry::SymmetrySettings;

/// Selection, pose and brush.
#[derive(Clone)]
pub struct Session {
    /// The joint that is painted and bent.
    pub active_joint: Option<NodeIndex>,
    /// The mesh that whole-mesh commands act on; without one they act on all skinned meshes.
    pub active_mesh: Option<MeshIndex>,
    /// The scene that is shown; without one everything is.
    pub scene: Option<SceneIndex>,
    /// What of it is not shown.
    pub out_of_sight: OutOfSight,
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
    /// What else painting goes by, whatever the brush.
    pub paint: PaintOptions,
}

/// What the view leaves out, so that it is in nobody's way: neither drawn nor picked, framed or painted by pointer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OutOfSight {
    /// Nodes whose meshes are hidden.
    pub nodes: BTreeSet<NodeIndex>,
    /// Whether all rigid parts are, which no weights move.
    pub rigid: bool,
}

/// What painting goes by, whatever the brush.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PaintOptions {
    /// The symmetry by which strokes are mirrored as they are painted, in any pose; `None` mirrors nothing.
    pub mirror: Option<SymmetrySettings>,
    /// The axis that strokes are mirrored across as soon as they are: 0 for x, 1 for y, 2 for z.
    pub axis: usize,
    /// How far a vertex may be from its twin's mirror image then, scene units; `None` is a thousandth of the size.
    pub tolerance: Option<f32>,
    /// Who takes what a painted joint gives up.
    pub give: GiveTo,
    /// The joints that weight is exchanged among while painting; without any, all.
    pub lane: Vec<NodeIndex>,
    /// Joints that are painted as one with the active one, their ratio kept.
    pub together: BTreeSet<NodeIndex>,
    /// Whether painting may leave rows with a share that no joint has, to be settled before saving.
    pub leaves_unassigned: bool,
    /// Whether strokes paint all visible meshes of the joint's skeleton, not only the one they began on.
    pub all_meshes: bool,
    /// Whether a joint that was painted is locked as soon as another one is painted ([`crate::Editor::protect_painted`]).
    pub protect: bool,
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
    /// What [`Falloff::Curve`] means: the share of the strength over the distance from the centre in radii.
    pub curve: Curve,
    /// Which vertices are within it.
    pub reach: Reach,
    /// Whether only vertices that face the eye and are not hidden are painted.
    pub front_only: bool,
    /// Whether only the connected shell under the dab's centre is painted: not the tooth inside the lip.
    pub shell_only: bool,
    /// Distance between dabs, radii.
    pub spacing: f32,
    /// How often each dab is done, 1 to 100: smooths farther on a dense mesh.
    pub iterations: u32,
    /// Whether only joints that a vertex already has may gain: no strangers are brought in.
    pub existing_only: bool,
    /// How far a brush that looks at neighbours also sees vertices of other shells, scene units; 0 is not at all.
    pub gap: f32,
    /// Whether the stroke acts on each vertex once, by the strongest of its dabs and from the row before the stroke, however
    /// often it passes. Otherwise every dab adds up.
    pub once: bool,
    /// Dabs a second while the button is held and the pointer rests, 0 to 60; 0 is none. The paint tool's: no line has it.
    pub airbrush_hz: f32,
    /// How far the brush trails the pointer, pixels: long strokes come out steadier. The paint tool's: no line has it.
    pub lazy_px: f32,
}

impl OutOfSight {
    /// Whether an instance is left out.
    pub fn hides(&self, document: &Document, instance_idx: usize) -> bool {
        let node = document.instances()[instance_idx].node;
        self.nodes.contains(&node) || (self.rigid && document.is_rigid(instance_idx))
    }
}

impl PaintOptions {
    /// The symmetry that strokes have, or would have.
    pub fn symmetry(&self) -> SymmetrySettings {
        self.mirror.unwrap_or(SymmetrySettings { axis: self.axis, at: None, tolerance: self.tolerance })
    }
}

impl Default for BrushSettings {
    fn default() -> Self {
        Self {
            brush: BRUSHES[0],
            value: 1.0,
            strength: 1.0,
            radius: 0.1,
            falloff: Falloff::Smooth,
            curve: Curve::FADE,
            reach: Reach::Surface,
            front_only: false,
            shell_only: false,
            spacing: 0.25,
            iterations: 1,
            existing_only: false,
            gap: 0.0,
            once: false,
            airbrush_hz: 0.0,
            lazy_px: 0.0,
        }
    }
}

impl BrushSettings {
    /// The share of the strength at `t`, the distance from the centre in radii.
    pub fn fade(&self, t: f32) -> f32 {
        self.falloff.along(&self.curve, t)
    }
}

impl Session {
    /// Nothing selected, the rest pose.
    pub fn new(deformer: &'static dyn Deformer) -> Self {
        Self {
            active_joint: None,
            active_mesh: None,
            scene: None,
            out_of_sight: OutOfSight::default(),
            pose: Pose::rest(),
            deformer,
            as_exported: false,
            export: &EXPORT_PROFILES[0],
            brush: BrushSettings::default(),
            paint: PaintOptions::default(),
        }
    }

    /// What the model is shown as: a profile, or as edited.
    pub fn view_as(&self) -> Option<&'static ExportProfile> {
        self.as_exported.then_some(self.export)
    }
}
