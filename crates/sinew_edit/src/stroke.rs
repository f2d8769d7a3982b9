//! Strokes: dabs that paint the posed surface, and the one step they end in.
//!
//! The stroke owns blending from the values before each dab by strength × falloff, locks, masks, mirror, normalising, the
//! budget, weld groups and undo; the brush only says where a vertex is going. A finished stroke is one command line
//! whose replay gives the same bits: it carries pose, deformer, every dab and, where it matters, the eye.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::Vec3;
use sinew_deform::Deformer;
use sinew_model::{Document, MeshIndex, NodeIndex, Pose, VertexIndex};

use crate::args::{self, DabArg};
use crate::brush_change::Job;
use crate::brushes::Needs;
use crate::edit::Edit;
use crate::give::GiveTo;
use crate::posed::PosedViews;
pub use crate::reach::Reach;
use crate::reach::ReachScratch;
use crate::session::BrushSettings;
use crate::symmetry::{Symmetry, SymmetrySettings};

mod exchange;
mod line;
mod means;
mod mirror;
mod path;
mod rows_before;
mod target;
mod work;

pub use exchange::Exchange;
pub(crate) use line::{ReadSpec, joint_list, read_joints, read_spec};
use means::{MeanPart, SharedMean};
use mirror::Mirror;
pub use path::dabs_along;
pub use rows_before::RowsBefore;
use target::{Dab, Target};

/// Everything a stroke's result depends on, but its dabs.
#[derive(Clone)]
pub struct StrokeSpec {
    /// The mesh that is painted.
    pub mesh: MeshIndex,
    /// The instance on whose posed surface the dabs lie.
    pub instance_idx: usize,
    /// Instances of other meshes that are painted along: clothes over a body.
    pub also: Vec<usize>,
    /// Whether an average is that of all meshes under the dab, joint by joint, and not each mesh's own.
    pub shares_mean: bool,
    /// The joint that is painted.
    pub joint: NodeIndex,
    /// Joints that are painted with it as one, their ratio kept. Those that a mesh does not have are left out there.
    pub together: Vec<NodeIndex>,
    /// The brush and how it is held.
    pub brush: BrushSettings,
    /// The eye, scene space, if only what it sees is painted or what lies along its view.
    pub eye: Option<Vec3>,
    /// The pose in which the dabs lie.
    pub pose: Pose,
    /// The deformer in which the dabs lie.
    pub deformer: &'static dyn Deformer,
    /// The joints that weight is exchanged among; without any, all.
    pub lane: Vec<NodeIndex>,
    /// Who takes what the painted joint gives up.
    pub give: GiveTo,
    /// The symmetry by which the stroke is mirrored.
    pub mirror: Option<SymmetrySettings>,
    /// Whether rows may be left with a share that no joint has: what the painted joint gains comes from there first, and
    /// what it gives up goes there unless `give` names somebody.
    pub leaves_unassigned: bool,
}

/// Why a vertex under the brush keeps its row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Refusal {
    /// Neither it nor its neighbours have another joint to take the weight.
    NoOtherJoint,
    /// Locks are in the way.
    Blocked,
    /// The influence budget would cost more than the stroke brought.
    Budget,
}

/// A stroke under way.
pub struct Stroke {
    spec: StrokeSpec,
    mirror: Option<Mirror>,
    /// One for each mesh that is painted, the spec's own first. The mirror may add more.
    targets: Vec<Target>,
    dabs: Vec<DabArg>,
}

/// Reusable memory for the meshes that were painted.
pub type Scratches = BTreeMap<MeshIndex, ReachScratch>;

/// What a finished stroke did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StrokeResult {
    /// The edits that take it back, one for each mesh that changed.
    pub edits: Vec<Edit>,
    /// How many vertices changed.
    pub n_vertices: usize,
    /// Vertices under the brush that kept their row, and why.
    pub refused: BTreeMap<MeshIndex, BTreeMap<VertexIndex, Refusal>>,
    /// Locked joints that were in the way.
    pub blocking: BTreeSet<NodeIndex>,
    /// Which joints gave weight and which received it.
    pub exchange: Vec<Exchange>,
    /// Whether anything was under it.
    pub has_met: bool,
    /// Whether anything under it may change: it is neither masked nor hidden.
    pub was_allowed: bool,
}

impl StrokeSpec {
    /// A stroke on one mesh without an eye, mirror or lane.
    pub fn new(
        (mesh, instance_idx): (MeshIndex, usize),
        joint: NodeIndex,
        brush: BrushSettings,
        (pose, deformer): (Pose, &'static dyn Deformer),
    ) -> Self {
        Self {
            mesh,
            instance_idx,
            also: Vec::new(),
            shares_mean: false,
            joint,
            together: Vec::new(),
            brush,
            eye: None,
            pose,
            deformer,
            lane: Vec::new(),
            give: GiveTo::Others,
            mirror: None,
            leaves_unassigned: false,
        }
    }

    /// The joint that is painted, then those that are painted with it.
    pub fn joints(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        let others = self.together.iter().copied().filter(|&joint| joint != self.joint);
        std::iter::once(self.joint).chain(others)
    }

    /// The painted joints for a person.
    pub(crate) fn joints_label(&self, document: &Document) -> String {
        let others = self.joints().count() - 1;
        let joint = document.nodes().label(self.joint);
        if others > 0 { format!("{joint} and {others} more") } else { joint }
    }

    /// The spec's own instance and those that are painted along.
    pub fn instances(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(self.instance_idx).chain(self.also.iter().copied())
    }
}

impl Stroke {
    /// Begins a stroke. Nothing changes before the first dab. `symmetry` is that of the spec's mirror.
    pub fn begin(
        document: &Document,
        views: &mut PosedViews,
        spec: StrokeSpec,
        symmetry: Option<Arc<Symmetry>>,
    ) -> Result<Self, args::ArgError> {
        let mirror = symmetry.map(|symmetry| Mirror::new(symmetry, &spec));
        let mut targets: Vec<Target> = Vec::new();
        for instance_idx in spec.instances() {
            let mesh = document.instances()[instance_idx].mesh;
            if targets.iter().all(|target| target.mesh != mesh) {
                let surface = views.surface(document, mesh);
                targets.push(Target::begin(document, surface, &spec, instance_idx, mirror.as_ref())?);
            }
        }
        Ok(Self { spec, mirror, targets, dabs: Vec::new() })
    }

    /// What the stroke depends on.
    pub fn spec(&self) -> &StrokeSpec {
        &self.spec
    }

    /// The meshes that are painted.
    pub fn meshes(&self) -> impl Iterator<Item = MeshIndex> + '_ {
        self.targets.iter().map(|target| target.mesh)
    }

    /// Paints one dab and re-poses what it touched; returns how many vertices changed.
    pub fn dab(
        &mut self,
        document: &mut Document,
        views: &mut PosedViews,
        scratches: &mut Scratches,
        dab: DabArg,
    ) -> usize {
        views.show(&self.spec.pose, self.spec.deformer);
        let before = self.dabs.last().map(|dab| dab.center);
        self.dabs.push(dab);
        let dab = Dab {
            center: dab.center,
            radius: dab.radius.unwrap_or(self.spec.brush.radius),
            strength: self.spec.brush.strength * dab.strength_share,
            moved: before.map_or(Vec3::ZERO, |before| dab.center - before),
        };
        for target in self.targets.iter_mut().filter(|target| target.is_aimed()) {
            let scratch = scratches.entry(target.mesh).or_insert_with(|| ReachScratch::new(&target.surface));
            target.aim(document, views, scratch, &self.spec, &dab);
        }
        self.paint(document, views, scratches)
    }

    /// Paints groups of the spec's own mesh without a dab: each by its own amount (strength, but not yet by mask or what
    /// is hidden) toward its own value. Returns how many vertices changed.
    pub(crate) fn paint_groups(
        &mut self,
        document: &mut Document,
        views: &mut PosedViews,
        scratches: &mut Scratches,
        groups: Vec<(MeshIndex, Vec<Job>)>,
    ) -> usize {
        views.show(&self.spec.pose, self.spec.deformer);
        for (mesh, jobs) in groups {
            if let Some(target) = self.targets.iter_mut().find(|target| target.mesh == mesh) {
                target.set_jobs(jobs);
            }
        }
        self.paint(document, views, scratches)
    }

    /// Does what the targets aim at, here and in the mirror.
    fn paint(&mut self, document: &mut Document, views: &mut PosedViews, scratches: &mut Scratches) -> usize {
        if let Some(mirror) = &mut self.mirror {
            mirror.reflect(document, views, &self.spec, &mut self.targets);
        }
        let spec = &self.spec;
        let shares_mean = spec.shares_mean && spec.brush.brush.needs == Needs::Mean && self.targets.len() > 1;
        let mut n_passes = 0;
        for target in &mut self.targets {
            n_passes = target.prepare(document, spec).max(n_passes);
        }
        for _ in 0..n_passes {
            // All meshes from what all of them were before this pass.
            let means = shares_mean.then(|| {
                [0, 1].map(|side| {
                    let parts: Vec<MeanPart> =
                        self.targets.iter().filter_map(|target| target.mean_part(document, spec, side)).collect();
                    SharedMean::of(document, &parts)
                })
            });
            for target in &mut self.targets {
                let means = means.as_ref().map(|means| means.each_ref().map(|mean| mean.on(document, target.mesh)));
                target.pass(document, views, scratches.get(&target.mesh), (spec, means));
            }
        }
        self.targets.iter_mut().map(Target::end_passes).sum()
    }

    /// How many vertices have other rows than before.
    pub fn n_changed(&self) -> usize {
        self.targets.iter().map(Target::n_changed).sum()
    }

    /// Which joints gave weight and which received it so far.
    pub fn exchange(&self, document: &Document) -> Vec<Exchange> {
        exchange::sorted(self.targets.iter().flat_map(|target| target.exchange(document)))
    }

    /// Ends the stroke: fits changed rows to the budget and gathers the edits that take all of it back.
    pub fn finish(mut self, document: &mut Document, views: &mut PosedViews) -> StrokeResult {
        let mut result = StrokeResult::default();
        for target in &mut self.targets {
            target.fit(document, views, &self.spec);
        }
        result.exchange = self.exchange(document);
        for target in self.targets {
            target.finish(document, &mut result);
        }
        result
    }

    /// Takes a part back: what was painted at once, if that was much. `false` once nothing is left of the stroke.
    pub(crate) fn take_back_some(&mut self, document: &mut Document, views: &mut PosedViews) -> bool {
        views.show(&self.spec.pose, self.spec.deformer);
        self.targets.iter_mut().any(|target| target.take_back_some(document, views))
    }

    /// Takes everything back, as if the stroke had never begun.
    pub fn abort(self, document: &mut Document, views: &mut PosedViews) {
        for target in self.targets {
            target.abort(document, views);
        }
    }
}

/// The instance that a stroke paints on unless it says otherwise: the mesh's first whose skin lists the joint.
pub fn first_instance(document: &Document, mesh: MeshIndex, joint: NodeIndex) -> Option<usize> {
    document.instances().iter().position(|instance| {
        instance.mesh == mesh && instance.skin.is_some_and(|skin| document.skin(skin).slot(joint).is_some())
    })
}

/// The instances that a stroke over all visible meshes of a joint's skeleton paints besides its own: one of each other
/// mesh with weights that is not hidden as a whole and whose skin lists the joint, in mesh order.
pub fn instances_along(document: &Document, mesh: MeshIndex, joint: NodeIndex) -> Vec<usize> {
    let others = document.skinned_meshes().into_iter().filter(|&other| other != mesh);
    let visible = others.filter(|&other| document.hidden(other).len() < document.mesh(other).n_vertices());
    visible.filter_map(|other| first_instance(document, other, joint)).collect()
}
