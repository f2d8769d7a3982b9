//! One mesh under a stroke: what dabs reach on it, what becomes of its rows, and how they are put back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;
use sinew_geometry::walk::walk_toward;
use sinew_model::{Document, JointSlot, MeshIndex, NodeIndex, Row, RowList, VertexIndex};
use sinew_weights::{BudgetOutcome, Change, Holds, Terms, UNASSIGNED, fit_budget_of};

use super::exchange::Exchange;
use super::means::MeanPart;
use super::mirror::Mirror;
use super::rows_before::{Amounts, RowsBefore};
use super::work::{Work, joined};
use super::{Refusal, StrokeResult, StrokeSpec};
use crate::allowance::Allowance;
use crate::args::{self, ArgError};
use crate::brush_change::{Across, Around, BrushChange, Job, Upstream};
use crate::brushes::{Kernel, Needs};
use crate::edit::Edit;
use crate::give::GiveTo;
use crate::posed::PosedViews;
use crate::reach::{ReachQuery, ReachScratch};
use crate::surface::MeshSurface;
use crate::symmetry::SlotMirror;

/// Small dabs are done before another thread has woken up.
const WORTH_SHARING: usize = 256;
/// From so many rows on a change goes by columns: no dab, but a gradient.
pub(super) const MANY: usize = 16 * 1024;

/// One mesh under a stroke.
pub(super) struct Target {
    pub(super) mesh: MeshIndex,
    pub(super) surface: Arc<MeshSurface>,
    instance_idx: usize,
    /// How the dab paints, and how its mirror image does: `None` where the mesh has no such joint, or is not meant.
    sides: [Option<Side>; 2],
    /// How rows of the mesh become their mirror image.
    own_mirror: Option<SlotMirror>,
    locks: Vec<bool>,
    lane: Option<Vec<bool>>,
    /// What the dab under way is to do and what its mirror image is, each rising by group.
    jobs: [Vec<Job>; 2],
    /// What is to be done in each pass of the dab under way, and the most vertices that one of them changed.
    work: Vec<Work>,
    n_changed: usize,
    /// Rows before the stroke, of every vertex it changed.
    before: RowsBefore,
    /// The most that the dabs did to each group, for a stroke that acts once.
    most: [Amounts; 2],
    refused: BTreeMap<VertexIndex, Refusal>,
    blocking: BTreeSet<JointSlot>,
    /// Whether anything was aimed at, and whether anything of it may change.
    has_met: bool,
    was_allowed: bool,
}

/// Which joints are painted as one, and where their weight goes and comes from.
struct Side {
    /// Rising.
    slots: Vec<JointSlot>,
    terms: Terms,
}

/// A dab as a target sees it.
pub(super) struct Dab {
    pub(super) center: Vec3,
    pub(super) radius: f32,
    pub(super) strength: f32,
    /// How far the centre has moved since the dab before.
    pub(super) moved: Vec3,
}

impl Target {
    /// The instance's mesh before the first dab.
    pub(super) fn begin(
        document: &Document,
        surface: Arc<MeshSurface>,
        spec: &StrokeSpec,
        instance_idx: usize,
        mirror: Option<&Mirror>,
    ) -> Result<Self, ArgError> {
        let instance = document.instances()[instance_idx];
        let mesh = instance.mesh;
        let slot = match instance.skin.and_then(|skin| document.skin(skin).slot(spec.joint)) {
            Some(slot) => slot,
            None => args::joint_in(document, mesh, spec.joint)?,
        };
        let mut target = Self::new(document, surface, spec, instance_idx, mirror);
        let terms = Terms { give: spec.give.on(document, mesh, spec.joint), leaves: spec.leaves_unassigned };
        let more = spec.together.iter().filter_map(|&joint| document.slot_of(mesh, joint));
        target.sides[0] = Some(Side { slots: each_once(slot, more), terms });
        Ok(target)
    }

    /// A mesh that only holds mirror images of what is painted. `None` if it does not have the mirrored joint.
    pub(super) fn begin_mirrored(
        document: &Document,
        surface: Arc<MeshSurface>,
        spec: &StrokeSpec,
        instance_idx: usize,
        mirror: &Mirror,
    ) -> Option<Self> {
        let target = Self::new(document, surface, spec, instance_idx, Some(mirror));
        target.sides[1].is_some().then_some(target)
    }

    fn new(
        document: &Document,
        surface: Arc<MeshSurface>,
        spec: &StrokeSpec,
        instance_idx: usize,
        mirror: Option<&Mirror>,
    ) -> Self {
        let mesh = document.instances()[instance_idx].mesh;
        let leaves = spec.leaves_unassigned;
        let lane = |lane: &[NodeIndex]| {
            let mut inside = vec![false; document.n_slots(mesh)];
            for slot in lane.iter().filter_map(|&joint| document.slot_of(mesh, joint)) {
                inside[slot.idx()] = true;
            }
            if leaves {
                inside.resize(UNASSIGNED.idx() + 1, false);
                inside[UNASSIGNED.idx()] = true;
            }
            inside
        };
        let mut joints = spec.lane.clone();
        joints.extend(mirror.iter().flat_map(|m| spec.lane.iter().map(|&joint| m.symmetry.joint_twin(joint))));
        let mirrored = mirror.and_then(|mirror| {
            let (&joint, more) = mirror.joints.split_first()?;
            let slot = document.slot_of(mesh, joint)?;
            let give = match spec.give {
                GiveTo::Joint(joint) => GiveTo::Joint(mirror.symmetry.joint_twin(joint)),
                give => give,
            };
            let more = more.iter().filter_map(|&joint| document.slot_of(mesh, joint));
            Some(Side { slots: each_once(slot, more), terms: Terms { give: give.on(document, mesh, joint), leaves } })
        });
        Self {
            mesh,
            surface,
            instance_idx,
            sides: [None, mirrored],
            own_mirror: mirror.map(|mirror| mirror.symmetry.slots(document, mesh, mesh)),
            locks: document.locked_slots(mesh),
            lane: (!joints.is_empty()).then(|| lane(&joints)),
            jobs: [Vec::new(), Vec::new()],
            work: Vec::new(),
            n_changed: 0,
            before: RowsBefore::default(),
            most: [Amounts::default(), Amounts::default()],
            refused: BTreeMap::new(),
            blocking: BTreeSet::new(),
            has_met: false,
            was_allowed: false,
        }
    }

    /// Whether dabs reach the mesh themselves and not only their mirror images.
    pub(super) fn is_aimed(&self) -> bool {
        self.sides[0].is_some()
    }

    /// Finds what a dab reaches and how much is to be done there.
    pub(super) fn aim(
        &mut self,
        document: &Document,
        views: &mut PosedViews,
        scratch: &mut ReachScratch,
        spec: &StrokeSpec,
        dab: &Dab,
    ) {
        let brush = &spec.brush;
        let (posed, bvh) = views.searchable(document, self.instance_idx);
        let query = ReachQuery {
            reach: brush.reach,
            center: dab.center,
            radius: dab.radius,
            eye: spec.eye,
            front_only: brush.front_only,
            shell_only: brush.shell_only,
        };
        scratch.find(&query, &self.surface, posed, bvh);
        if brush.gap > 0.0 {
            scratch.shells(&self.surface);
        }
        let (surface, positions) = (&self.surface, &posed.group_positions);
        let is_carried = brush.brush.needs == Needs::Upstream;
        let job = |&(group, distance): &(u32, f32)| {
            let amount = dab.strength * brush.fade(distance / dab.radius);
            let upstream =
                if is_carried && amount > 0.0 { upstream(surface, positions, group, dab.moved) } else { None };
            Job { group, amount, value: brush.value, upstream, is_center: false }
        };
        let jobs = &mut self.jobs[0];
        jobs.clear();
        if is_carried && scratch.reached.len() >= WORTH_SHARING {
            scratch.reached.par_iter().with_min_len(WORTH_SHARING / 2).map(job).collect_into_vec(jobs);
        } else {
            jobs.extend(scratch.reached.iter().map(job));
        }
    }

    /// Gives the jobs from outside, rising by group: for what is no dab.
    pub(super) fn set_jobs(&mut self, jobs: Vec<Job>) {
        self.jobs[0] = jobs;
    }

    /// What the dab is to do.
    pub(super) fn aimed_mut(&mut self) -> &mut [Job] {
        &mut self.jobs[0]
    }

    /// Adds to what the dab's mirror image is to do.
    pub(super) fn push_mirrored(&mut self, job: Job) {
        self.jobs[1].push(job);
    }

    /// Puts the mirror image's jobs in order.
    pub(super) fn sort_mirrored(&mut self) {
        self.jobs[1].sort_by_key(|job| job.group);
        self.jobs[1].dedup_by_key(|job| job.group);
    }

    /// Makes work of the dab's jobs; returns in how many passes it is done.
    pub(super) fn prepare(&mut self, document: &Document, spec: &StrokeSpec) -> u32 {
        let brush = &spec.brush;
        self.allow(document);
        let mut work = joined(&self.jobs[0], &self.jobs[1]);
        let mut n_passes = brush.iterations.max(1);
        if brush.once {
            self.keep_most(&mut work, n_passes);
            n_passes = 1;
        }
        (self.work, self.n_changed) = (work, 0);
        n_passes
    }

    /// Does the work once and re-poses what changed. `means` are those of all meshes for either side, where they count.
    pub(super) fn pass(
        &mut self,
        document: &mut Document,
        views: &mut PosedViews,
        scratch: Option<&ReachScratch>,
        (spec, means): (&StrokeSpec, Option<[Option<Row>; 2]>),
    ) {
        let changes = self.changes(document, views, scratch, (spec, means));
        self.n_changed = self.apply(document, views, changes).max(self.n_changed);
    }

    /// The work is done; returns how many vertices changed.
    pub(super) fn end_passes(&mut self) -> usize {
        self.jobs.iter_mut().for_each(Vec::clear);
        self.work.clear();
        std::mem::take(&mut self.n_changed)
    }

    /// The mean of what the dab, or its mirror image, reaches here, and how much it counts among all meshes.
    pub(super) fn mean_part(&self, document: &Document, spec: &StrokeSpec, side: usize) -> Option<MeanPart> {
        let by = self.plain(document, spec, side, Around::default())?;
        let mean = by.mean_of(self.work.iter().map(|work| (work.group, work.shares[side])))?;
        let counts = self.work.iter().map(|work| f64::from(work.shares[side])).sum();
        Some(MeanPart { mesh: self.mesh, mean, counts })
    }

    /// Takes from the jobs what mask and hiding do not allow.
    fn allow(&mut self, document: &Document) {
        let allowance = Allowance::of(document, self.mesh);
        let is_any = |jobs: &[Vec<Job>; 2]| jobs.iter().flatten().any(|job| job.amount > 0.0);
        self.has_met |= is_any(&self.jobs);
        if !allowance.is_full() {
            for job in self.jobs.iter_mut().flatten() {
                job.amount *= allowance.at(self.surface.representative(job.group));
            }
        }
        self.was_allowed |= is_any(&self.jobs);
    }

    /// Of a stroke that acts once: leaves what does more to its group than every dab before, by the most so far on each
    /// side. Repeating a blend toward the same goal is one blend of a larger amount.
    fn keep_most(&mut self, work: &mut [Work], n_iterations: u32) {
        for work in work {
            work.is_done = true;
            let other = work.jobs[0].or(work.jobs[1]);
            for (job, most) in work.jobs.iter_mut().zip(&mut self.most) {
                let now = job.map_or(0.0, |job| 1.0 - (1.0 - job.amount.min(1.0)).powi(n_iterations as i32));
                let most = most.entry(work.group).or_insert(0.0);
                work.is_done &= now <= *most;
                *most = most.max(now);
                // What an earlier dab did from the other side belongs to it, too.
                *job = job.or(other.filter(|_| *most > 0.0)).map(|job| Job { amount: *most, ..job });
            }
        }
    }

    /// The brush as one side holds it.
    fn plain<'s>(
        &'s self,
        document: &'s Document,
        spec: &StrokeSpec,
        side: usize,
        around: Around<'s>,
    ) -> Option<BrushChange<'s>> {
        let side = self.sides[side].as_ref()?;
        let brush = &spec.brush;
        Some(BrushChange {
            mesh: document.mesh(self.mesh),
            surface: &self.surface,
            brush: brush.brush,
            slots: &side.slots,
            value: brush.value,
            holds: self.holds(),
            around: Around { before: brush.once.then_some(&self.before), terms: side.terms, ..around },
        })
    }

    fn changes<'s>(
        &'s self,
        document: &'s Document,
        views: &'s mut PosedViews,
        scratch: Option<&'s ReachScratch>,
        (spec, means): (&StrokeSpec, Option<[Option<Row>; 2]>),
    ) -> Vec<(u32, Change)> {
        let (brush, work) = (&spec.brush, &self.work);
        let shells = scratch.and_then(ReachScratch::known_shells).filter(|_| brush.gap > 0.0);
        let across = shells.map(|shells| {
            let (posed, bvh) = views.searchable(document, self.instance_idx);
            Across { positions: &posed.group_positions, bvh, shells, gap: brush.gap }
        });
        let around = Around { existing_only: brush.existing_only, across, ..Around::default() };
        let mut by = [0, 1].map(|side| self.plain(document, spec, side, around));
        let mean = |side: usize| by[side]?.mean_of(work.iter().map(|work| (work.group, work.shares[side])));
        let means = match (brush.brush.needs, means) {
            (Needs::Mean, Some(means)) => means,
            (Needs::Mean, None) => [mean(0), mean(1)],
            (Needs::Neighbours | Needs::Upstream, _) => [None, None],
        };
        for (by, mean) in by.iter_mut().zip(&means) {
            if let Some(by) = by {
                by.around.mean = mean.as_ref();
            }
        }
        let one = |work: &Work| (work.group, work.change(&by, self.own_mirror.as_ref(), self.holds()));
        if work.len() < WORTH_SHARING {
            work.iter().map(one).collect()
        } else {
            work.par_iter().with_min_len(WORTH_SHARING / 2).map(one).collect()
        }
    }

    fn apply(&mut self, document: &mut Document, views: &mut PosedViews, changes: Vec<(u32, Change)>) -> usize {
        self.note_refusals(&changes);
        let changed = changes.iter().filter_map(|(group, change)| match change {
            Change::Changed(row) => Some((*group, row)),
            _ => None,
        });
        let rows = changed.flat_map(|(group, row)| self.surface.members(group).map(move |vertex| (vertex, row)));
        let mut rows: Vec<(VertexIndex, &Row)> = rows.collect();
        let n_changed = rows.len();
        if n_changed == 0 {
            return 0;
        }
        let revision = document.mesh(self.mesh).weights_revision;
        if n_changed < MANY {
            let mut rows: Vec<(VertexIndex, Row)> =
                rows.into_iter().map(|(vertex, row)| (vertex, row.clone())).collect();
            document.swap_rows(self.mesh, &mut rows);
            let vertices: Vec<VertexIndex> = rows.iter().map(|(vertex, _)| *vertex).collect();
            self.before.keep(rows);
            views.rows_changed(document, self.mesh, revision, &vertices);
        } else {
            if !rows.is_sorted_by_key(|(vertex, _)| *vertex) {
                rows.par_sort_unstable_by_key(|(vertex, _)| *vertex);
            }
            let vertices = rows.iter().map(|(vertex, _)| *vertex).collect();
            let stride = document.mesh(self.mesh).weights.stride();
            let (mut rows, _) = RowList::made(vertices, stride, |place, _| (rows[place].1.clone(), ()));
            document.swap_row_list(self.mesh, &mut rows);
            views.rows_changed(document, self.mesh, revision, rows.vertices());
            self.before.keep_many(rows);
        }
        n_changed
    }

    /// Notes who refuses a change, and who does no longer.
    fn note_refusals(&mut self, changes: &[(u32, Change)]) {
        for (group, change) in changes {
            let refusal = match change {
                Change::Changed(_) if self.refused.is_empty() => continue,
                Change::Changed(_) => {
                    self.refused.remove(&self.surface.representative(*group));
                    continue;
                }
                Change::Unchanged => continue,
                Change::NoOtherJoint => Refusal::NoOtherJoint,
                Change::Blocked { by } => {
                    self.blocking.extend(by);
                    Refusal::Blocked
                }
            };
            self.refused.insert(self.surface.representative(*group), refusal);
        }
    }

    /// Fits changed rows to the budget.
    pub(super) fn fit(&mut self, document: &mut Document, views: &mut PosedViews, spec: &StrokeSpec) {
        let paints_joint = matches!(spec.brush.brush.kernel, Kernel::Weight(_));
        let budget = document.budget().max_influences();
        let mut fitted = Vec::new();
        let weights = &document.mesh(self.mesh).weights;
        for vertex in self.before.vertices().filter(|&vertex| weights.row(vertex).len() > budget) {
            let Some(before) = self.before.get(vertex).map(|row| row.to_row()) else { continue };
            let after = weights.get(vertex);
            let painted = if paints_joint { self.painted(&before, &after) } else { &[] };
            match fit_budget_of(&before, &after, painted, budget, self.holds(), spec.leaves_unassigned) {
                BudgetOutcome::Fits(row) => fitted.push((vertex, row)),
                BudgetOutcome::KeepEarlier => {
                    self.refused.insert(vertex, Refusal::Budget);
                    fitted.push((vertex, before));
                }
            }
        }
        fitted.sort_unstable_by_key(|(vertex, _)| *vertex);
        let stride = weights.stride();
        swap_and_repose(document, views, self.mesh, RowList::packed(fitted, stride));
    }

    /// The joints that were painted on a vertex: of both sides' those that moved more.
    fn painted(&self, before: &Row, after: &Row) -> &[JointSlot] {
        let sum = |row: &Row, side: &Side| side.slots.iter().map(|&slot| row.weight(slot)).sum::<f32>();
        let moved = |side: &Side| (sum(after, side) - sum(before, side)).abs();
        let side = match &self.sides {
            [Some(direct), Some(mirrored)] if moved(mirrored) > moved(direct) => Some(mirrored),
            [direct, mirrored] => direct.as_ref().or(mirrored.as_ref()),
        };
        side.map(|side| side.slots.as_slice()).unwrap_or_default()
    }

    /// What each joint gave and received.
    pub(super) fn exchange(&self, document: &Document) -> Vec<Exchange> {
        let mut sums: Vec<(f64, f64)> = vec![(0.0, 0.0); document.n_slots(self.mesh)];
        let weights = &document.mesh(self.mesh).weights;
        let is_first = |vertex: VertexIndex| self.surface.representative(self.surface.group_of(vertex)) == vertex;
        let mut vertices: Vec<VertexIndex> = self.before.vertices().filter(|&vertex| is_first(vertex)).collect();
        // Sums do not come out the same in another order.
        vertices.sort_unstable();
        for vertex in vertices {
            let Some(before) = self.before.get(vertex) else { continue };
            let after = weights.row(vertex);
            let mut note = |slot: JointSlot, change: f32| {
                if let Some(sum) = sums.get_mut(slot.idx()).filter(|_| change.is_finite()) {
                    let (given, received) = ((-change).max(0.0), change.max(0.0));
                    *sum = (sum.0 + f64::from(given), sum.1 + f64::from(received));
                }
            };
            after.for_each(|i| note(i.slot, i.weight - before.weight(i.slot)));
            before.for_each(|i| {
                if after.weight(i.slot) == 0.0 {
                    note(i.slot, -i.weight);
                }
            });
        }
        let moved = sums.into_iter().enumerate().filter(|(_, sum)| *sum != (0.0, 0.0));
        let exchange = moved.filter_map(|(slot, (given, received))| {
            let joint = document.joint_of(self.mesh, JointSlot(slot as u16))?;
            Some(Exchange { joint, given, received })
        });
        exchange.collect()
    }

    /// Adds what became of the mesh to the stroke's result.
    pub(super) fn finish(self, document: &Document, result: &mut StrokeResult) {
        let mesh = self.mesh;
        result.has_met |= self.has_met;
        result.was_allowed |= self.was_allowed;
        let weights = &document.mesh(mesh).weights;
        let mut rows = self.before.into_list(weights.stride());
        rows.retain(|_, vertex, before| !weights.row(vertex).same_influences(&before));
        result.blocking.extend(self.blocking.iter().filter_map(|&slot| document.joint_of(mesh, slot)));
        result.n_vertices += rows.len();
        if !rows.is_empty() {
            result.edits.push(Edit::Rows { mesh, rows });
        }
        if !self.refused.is_empty() {
            result.refused.insert(mesh, self.refused);
        }
    }

    /// How many vertices have another row than before, or had.
    pub(super) fn n_changed(&self) -> usize {
        self.before.len()
    }

    /// Takes back a part of what became of the mesh: what one large change did. `false` once nothing is left of it.
    pub(super) fn take_back_some(&mut self, document: &mut Document, views: &mut PosedViews) -> bool {
        let stride = document.mesh(self.mesh).weights.stride();
        let Some(rows) = self.before.take_some(stride) else { return false };
        swap_and_repose(document, views, self.mesh, rows);
        true
    }

    /// Takes back what became of the mesh.
    pub(super) fn abort(self, document: &mut Document, views: &mut PosedViews) {
        let stride = document.mesh(self.mesh).weights.stride();
        swap_and_repose(document, views, self.mesh, self.before.into_list(stride));
    }

    fn holds(&self) -> Holds<'_> {
        Holds { locks: &self.locks, lane: self.lane.as_deref() }
    }
}

/// Slots that are painted as one, rising.
fn each_once(slot: JointSlot, more: impl Iterator<Item = JointSlot>) -> Vec<JointSlot> {
    let mut slots: Vec<JointSlot> = std::iter::once(slot).chain(more).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The point of the surface that a group's weight is carried from: as far back as the dab has moved, without leaving the
/// surface: not from the other lip.
fn upstream(surface: &MeshSurface, positions: &[Vec3], group: u32, moved: Vec3) -> Option<Upstream> {
    if moved == Vec3::ZERO {
        return None;
    }
    let back = positions[group as usize] - moved;
    let found = walk_toward(&surface.topology, |group| positions[group as usize], group, back)?;
    let groups = surface.topology.triangles()[found.triangle as usize];
    Some(Upstream { groups, shares: found.barycentric.max(Vec3::ZERO).to_array() })
}

fn swap_and_repose(document: &mut Document, views: &mut PosedViews, mesh: MeshIndex, mut rows: RowList) {
    if rows.is_empty() {
        return;
    }
    let revision = document.mesh(mesh).weights_revision;
    document.swap_row_list(mesh, &mut rows);
    views.rows_changed(document, mesh, revision, rows.vertices());
}
