//! Strokes in the editor: begun, painted, ended as one step or taken back, and what the last one did.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::Vec3;
use sinew_deform::Deformer;
use sinew_geometry::Bvh;
use sinew_model::{Document, MeshIndex, NodeIndex, Pose, VertexIndex};

use super::{Editor, OpenStep};
use crate::args::{self, DabArg};
use crate::brush_change::Job;
use crate::commands::{CommandError, Outcome};
use crate::posed::PosedInstance;
use crate::reach::{ReachQuery, ReachScratch};
use crate::script::Line;
use crate::stroke::{Exchange, Refusal, Stroke, StrokeSpec};

/// On more vertices the exchange of a stroke under way is not looked at: that would take longer than a picture.
const MOST_EXCHANGED: usize = 100_000;

/// What is remembered of the last stroke.
#[derive(Default)]
pub(super) struct LastStroke {
    /// Which joints gave weight and which received it.
    exchange: Vec<Exchange>,
    /// The joints that were painted, as long as nothing was undone since.
    joints: Vec<NodeIndex>,
}

impl Editor {
    /// Begins a stroke.
    pub fn begin_stroke(&mut self, spec: StrokeSpec) -> Result<(), CommandError> {
        if self.stroke.is_some() {
            return Err(CommandError::StrokeUnderWay);
        }
        self.check_unlocked(spec.joints())?;
        // Nothing may have been locked when it turns out that nothing can be painted.
        for instance_idx in spec.instances() {
            args::joint_in(&self.document, self.document.instances()[instance_idx].mesh, spec.joint)?;
        }
        self.lock_painted_before(&spec.joints().collect::<Vec<_>>());
        let symmetry = spec.mirror.map(|settings| self.symmetry(settings));
        let stroke = Stroke::begin(&self.document, &mut self.views, spec, symmetry)?;
        for mesh in stroke.meshes() {
            if self.refused.remove(&mesh).is_some() {
                self.refused_revision += 1;
            }
        }
        self.stroke = Some(stroke);
        Ok(())
    }

    /// Paints one dab of the stroke under way; returns how many vertices changed. Without a stroke nothing happens.
    pub fn dab(&mut self, dab: DabArg) -> usize {
        let Some(stroke) = &mut self.stroke else { return 0 };
        stroke.dab(&mut self.document, &mut self.views, &mut self.scratches, dab)
    }

    /// Paints groups without a dab, each by its own amount toward its own value; returns how many vertices changed.
    pub(crate) fn paint_groups(&mut self, groups: Vec<(MeshIndex, Vec<Job>)>) -> usize {
        let Some(stroke) = &mut self.stroke else { return 0 };
        stroke.paint_groups(&mut self.document, &mut self.views, &mut self.scratches, groups)
    }

    /// An instance in a pose that need not be the session's.
    pub(crate) fn posed_as(
        &mut self,
        instance_idx: usize,
        (pose, deformer): (&Pose, &'static dyn Deformer),
    ) -> &PosedInstance {
        self.views.show(pose, deformer);
        self.views.instance(&self.document, instance_idx)
    }

    /// The document, and an instance with its search tree in a pose that need not be the session's.
    pub(crate) fn searched(
        &mut self,
        instance_idx: usize,
        (pose, deformer): (&Pose, &'static dyn Deformer),
    ) -> (&Document, &PosedInstance, &Bvh) {
        self.views.show(pose, deformer);
        let (posed, bvh) = self.views.searchable(&self.document, instance_idx);
        (&self.document, posed, bvh)
    }

    /// The weld groups that a dab reaches on an instance in a pose, with their distances; rising by group.
    pub(crate) fn reached(
        &mut self,
        instance_idx: usize,
        (pose, deformer): (&Pose, &'static dyn Deformer),
        query: &ReachQuery,
    ) -> Vec<(u32, f32)> {
        let mesh = self.document.instances()[instance_idx].mesh;
        let surface = self.views.surface(&self.document, mesh);
        self.views.show(pose, deformer);
        let (posed, bvh) = self.views.searchable(&self.document, instance_idx);
        let scratch = self.scratches.entry(mesh).or_insert_with(|| ReachScratch::new(&surface));
        scratch.find(query, &surface, posed, bvh);
        scratch.reached.clone()
    }

    /// Which groups of a range are of the connected shell of an instance in a pose that is nearest to a point. `[n_groups]`
    pub(crate) fn in_shell_at(
        &mut self,
        instance_idx: usize,
        (pose, deformer): (&Pose, &'static dyn Deformer),
        point: Vec3,
        groups: Range<usize>,
    ) -> Vec<bool> {
        let mesh = self.document.instances()[instance_idx].mesh;
        let surface = self.views.surface(&self.document, mesh);
        self.views.show(pose, deformer);
        let (posed, bvh) = self.views.searchable(&self.document, instance_idx);
        let Some(nearest) = bvh.closest_point(&posed.group_positions, point, f32::INFINITY) else {
            return vec![false; groups.len()];
        };
        let scratch = self.scratches.entry(mesh).or_insert_with(|| ReachScratch::new(&surface));
        let shells = scratch.shells(&surface);
        let shell = shells[surface.topology.triangles()[nearest.triangle as usize][0] as usize];
        shells[groups].iter().map(|&other| other == shell).collect()
    }

    /// Ends the stroke under way: one step, or none if nothing changed.
    pub fn end_stroke(&mut self) -> Option<Outcome> {
        let stroke = self.stroke.as_ref()?;
        let line = stroke.line(&self.document);
        let spec = stroke.spec();
        let joint = spec.joints_label(&self.document);
        let label = if spec.brush.brush.uses_value {
            format!("{} {joint} {:.2}", spec.brush.brush.label, spec.brush.value)
        } else {
            format!("{} {joint}", spec.brush.brush.label)
        };
        let why_not = spec.brush.brush.why_nothing(&joint, spec.brush.value, spec.brush.existing_only);
        self.end_stroke_as(label, line, why_not)
    }

    /// Ends the stroke under way with a label and line of the caller's, and what is said if it changed nothing although
    /// nothing was in its way.
    pub(crate) fn end_stroke_as(&mut self, label: String, line: Line, why_not: String) -> Option<Outcome> {
        let stroke = self.stroke.take()?;
        let has_strength = stroke.spec().brush.strength > 0.0;
        let joints: Vec<NodeIndex> = stroke.spec().joints().collect();
        let give = stroke.spec().give;
        let result = stroke.finish(&mut self.document, &mut self.views);
        let mut outcome = Outcome::new(label.clone(), result.n_vertices);
        outcome.note_refusals(&self.document, &result);
        outcome.note_own_taker(&self.document, (give, &joints), &result.exchange);
        outcome.explain_nothing(!outcome.notes.is_empty(), || match () {
            () if !has_strength => "the strength is 0".to_owned(),
            () if !result.has_met => "nothing was reached".to_owned(),
            () if !result.was_allowed => "what was reached is masked or hidden".to_owned(),
            () => why_not,
        });
        if !result.refused.is_empty() {
            self.refused.extend(result.refused);
            self.refused_revision += 1;
        }
        self.last_stroke = LastStroke {
            exchange: result.exchange,
            joints: if result.edits.is_empty() { std::mem::take(&mut self.last_stroke.joints) } else { joints },
        };
        self.commit(OpenStep { edits: result.edits }, label, line);
        Some(outcome)
    }

    /// Takes the stroke under way back.
    pub fn abort_stroke(&mut self) {
        if let Some(stroke) = self.stroke.take() {
            stroke.abort(&mut self.document, &mut self.views);
        }
    }

    /// Takes a part of the stroke under way back, so that much is taken back over several frames; `false` once nothing is
    /// left, or where there is none.
    pub fn take_stroke_back_some(&mut self) -> bool {
        let Some(stroke) = &mut self.stroke else { return false };
        stroke.take_back_some(&mut self.document, &mut self.views)
    }

    /// The stroke under way.
    pub fn stroke(&self) -> Option<&Stroke> {
        self.stroke.as_ref()
    }

    /// Which joints gave weight and which received it, those that moved most first: in the stroke under way, else in the
    /// last one. Empty after undo and redo, and of a stroke on very many vertices until it ends.
    pub fn exchange(&self) -> Vec<Exchange> {
        match &self.stroke {
            Some(stroke) if stroke.n_changed() > MOST_EXCHANGED => Vec::new(),
            Some(stroke) => stroke.exchange(&self.document),
            None => self.last_stroke.exchange.clone(),
        }
    }

    /// Vertices that the last stroke on the mesh left as they were, and why.
    pub fn refused(&self, mesh: MeshIndex) -> Option<&BTreeMap<VertexIndex, Refusal>> {
        self.refused.get(&mesh)
    }

    /// Changes whenever [`Editor::refused`] does.
    pub fn refused_revision(&self) -> u64 {
        self.refused_revision
    }

    /// Locks the joint that was painted last, if another one is active by now and the session protects what was painted.
    /// It is a step of its own in the history. Call it when the active joint has changed; a stroke on another joint calls
    /// it, too.
    pub fn protect_painted(&mut self) {
        if let Some(active) = self.session.active_joint {
            self.lock_painted_before(&[active]);
        }
    }

    /// What a brush meets must have weights.
    pub fn check_not_rigid(&self, instance_idx: usize) -> Result<(), CommandError> {
        let document = &self.document;
        if !document.is_rigid(instance_idx) {
            return Ok(());
        }
        let joint = document.joint_above(document.instances()[instance_idx].node);
        let joint = joint.map(|joint| document.nodes().label(joint));
        Err(CommandError::RigidPart { part: document.instance_label(instance_idx), joint })
    }

    /// Of joints that are painted as one, one at least must be free.
    pub(crate) fn check_unlocked(&self, joints: impl Iterator<Item = NodeIndex>) -> Result<(), CommandError> {
        let locks = self.document.locks();
        let mut locked = Vec::new();
        for joint in joints {
            if !locks.contains(&joint) {
                return Ok(());
            }
            locked.push(self.document.nodes().label(joint));
        }
        Err(CommandError::JointLocked { joint: locked.join(", ") })
    }

    fn lock_painted_before(&mut self, next: &[NodeIndex]) {
        let is_next = self.last_stroke.joints.iter().any(|joint| next.contains(joint));
        if is_next || !self.session.paint.protect || self.stroke.is_some() {
            return;
        }
        for painted in std::mem::take(&mut self.last_stroke.joints) {
            if !self.document.locks().contains(&painted) {
                let line = Line::new("lock").with("joint", args::joint_name(&self.document, None, painted));
                // A lock cannot fail: the joint was found by its name.
                let _ = self.run_line(&line);
            }
        }
    }

    /// What was remembered of the last stroke is true no longer.
    pub(super) fn forget_last_stroke(&mut self) {
        self.last_stroke = LastStroke::default();
    }
}
