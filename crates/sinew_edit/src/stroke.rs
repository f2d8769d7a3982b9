//! Strokes: dabs that paint the posed surface, and the one step they end in.
//!
//! The stroke owns blending from the values before each dab by strength × falloff, locks, normalising, the budget,
//! weld groups and undo; the brush only says where a vertex is going. A finished stroke is one command line whose
//! replay gives the same bits: it carries pose, deformer, every dab and, if front only, the eye.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;
use sinew_deform::Deformer;
use sinew_model::{Document, JointSlot, MeshIndex, NodeIndex, Pose, Row, VertexIndex};
use sinew_weights::{BudgetOutcome, Change, Holds, fit_budget};

use crate::allowance::Allowance;
use crate::args::{self, DabArg};
use crate::brush_change::BrushChange;
use crate::brushes::Kernel;
use crate::edit::Edit;
use crate::posed::PosedViews;
pub use crate::reach::Reach;
use crate::reach::ReachScratch;
use crate::script::Line;
use crate::session::BrushSettings;
use crate::surface::MeshSurface;

/// Everything a stroke's result depends on, but its dabs.
#[derive(Clone)]
pub struct StrokeSpec {
    /// The mesh that is painted.
    pub mesh: MeshIndex,
    /// The instance on whose posed surface the dabs lie.
    pub instance_idx: usize,
    /// The joint that is painted.
    pub joint: NodeIndex,
    /// The brush and how it is held.
    pub brush: BrushSettings,
    /// The eye, scene space, if only what it sees is painted.
    pub eye: Option<Vec3>,
    /// The pose in which the dabs lie.
    pub pose: Pose,
    /// The deformer in which the dabs lie.
    pub deformer: &'static dyn Deformer,
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
    slot: JointSlot,
    locks: Vec<bool>,
    surface: Arc<MeshSurface>,
    dabs: Vec<DabArg>,
    /// Rows before the stroke, of every vertex it changed.
    before: HashMap<VertexIndex, Row, BuildHasherDefault<Spread>>,
    refused: BTreeMap<VertexIndex, Refusal>,
    blocking: BTreeSet<JointSlot>,
}

/// Spreads vertex numbers over a table: they are distinct, and nobody chooses them to collide.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What a finished stroke did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StrokeResult {
    /// The edit that takes it back; `None` if nothing changed.
    pub edit: Option<Edit>,
    /// How many vertices changed.
    pub n_vertices: usize,
    /// Vertices under the brush that kept their row, and why.
    pub refused: BTreeMap<VertexIndex, Refusal>,
    /// Locked joints that were in the way.
    pub blocking: BTreeSet<NodeIndex>,
}

impl Stroke {
    /// Begins a stroke. Nothing changes before the first dab.
    pub fn begin(document: &Document, views: &mut PosedViews, spec: StrokeSpec) -> Result<Self, args::ArgError> {
        let slot = match document.instances()[spec.instance_idx].skin.and_then(|s| document.skin(s).slot(spec.joint)) {
            Some(slot) => slot,
            None => args::joint_in(document, spec.mesh, spec.joint)?,
        };
        let surface = views.surface(document, spec.mesh);
        let locks = document.locked_slots(spec.mesh);
        Ok(Self {
            spec,
            slot,
            locks,
            surface,
            dabs: Vec::new(),
            before: HashMap::default(),
            refused: BTreeMap::new(),
            blocking: BTreeSet::new(),
        })
    }

    /// What the stroke depends on.
    pub fn spec(&self) -> &StrokeSpec {
        &self.spec
    }

    /// Paints one dab and re-poses what it touched; returns the changed vertices, rising by weld group.
    pub fn dab(
        &mut self,
        document: &mut Document,
        views: &mut PosedViews,
        scratch: &mut ReachScratch,
        dab: DabArg,
    ) -> Vec<VertexIndex> {
        let StrokeSpec { mesh, instance_idx, brush, eye, .. } = self.spec;
        views.show(&self.spec.pose, self.spec.deformer);
        self.dabs.push(dab);
        let radius = dab.radius.unwrap_or(brush.radius);
        let (posed, bvh) = views.searchable(document, instance_idx);
        scratch.find(brush.reach, &self.surface, posed, bvh, (dab.center, radius), eye);

        let strength = brush.strength * dab.strength_share;
        let one = |&(group, distance): &(u32, f32)| {
            let amount = strength * brush.falloff.at(distance / radius);
            (group, self.change(document, group, amount))
        };
        // Small dabs are done before another thread has woken up.
        const WORTH_SHARING: usize = 256;
        let changes: Vec<(u32, Change)> = if scratch.reached.len() < WORTH_SHARING {
            scratch.reached.iter().map(one).collect()
        } else {
            scratch.reached.par_iter().with_min_len(WORTH_SHARING / 2).map(one).collect()
        };

        let mut rows: Vec<(VertexIndex, Row)> = Vec::with_capacity(changes.len());
        for (group, change) in changes {
            let representative = self.surface.representative(group);
            match change {
                Change::Changed(row) => {
                    self.refused.remove(&representative);
                    rows.extend(self.surface.members(group).map(|vertex| (vertex, row.clone())));
                }
                Change::Unchanged => {}
                Change::NoOtherJoint => {
                    self.refused.insert(representative, Refusal::NoOtherJoint);
                }
                Change::Blocked { by } => {
                    self.refused.insert(representative, Refusal::Blocked);
                    self.blocking.extend(by);
                }
            }
        }
        let vertices: Vec<VertexIndex> = rows.iter().map(|(vertex, _)| *vertex).collect();
        if rows.is_empty() {
            return vertices;
        }
        let revision = document.mesh(mesh).weights_revision;
        document.swap_rows(mesh, &mut rows);
        self.before.reserve(rows.len());
        for (vertex, old) in rows {
            self.before.entry(vertex).or_insert(old);
        }
        views.rows_changed(document, mesh, revision, &vertices);
        vertices
    }

    /// Ends the stroke: fits changed rows to the budget and gathers the one edit that takes all of it back.
    pub fn finish(mut self, document: &mut Document, views: &mut PosedViews) -> StrokeResult {
        let mesh = self.spec.mesh;
        let painted = matches!(self.spec.brush.brush.kernel, Kernel::Weight(_)).then_some(self.slot);
        let budget = document.budget().max_influences();
        let mut fitted = Vec::new();
        for (&vertex, before) in &self.before {
            let after = document.mesh(mesh).weights.get(vertex);
            if after.len() <= budget {
                continue;
            }
            match fit_budget(before, &after, painted, budget, Holds::locks(&self.locks)) {
                BudgetOutcome::Fits(row) => fitted.push((vertex, row)),
                BudgetOutcome::KeepEarlier => {
                    self.refused.insert(vertex, Refusal::Budget);
                    fitted.push((vertex, before.clone()));
                }
            }
        }
        fitted.sort_unstable_by_key(|(vertex, _)| *vertex);
        swap_and_repose(document, views, mesh, &mut fitted);

        let weights = &document.mesh(mesh).weights;
        let mut rows: Vec<(VertexIndex, Row)> =
            self.before.into_iter().filter(|(vertex, before)| weights.get(*vertex) != *before).collect();
        rows.sort_unstable_by_key(|(vertex, _)| *vertex);
        let blocking = self.blocking.iter().filter_map(|&slot| document.joint_of(mesh, slot)).collect();
        let n_vertices = rows.len();
        let edit = (n_vertices > 0).then_some(Edit::Rows { mesh, rows });
        StrokeResult { edit, n_vertices, refused: self.refused, blocking }
    }

    /// Takes everything back, as if the stroke had never begun.
    pub fn abort(self, document: &mut Document, views: &mut PosedViews) {
        let mut rows: Vec<(VertexIndex, Row)> = self.before.into_iter().collect();
        rows.sort_unstable_by_key(|(vertex, _)| *vertex);
        swap_and_repose(document, views, self.spec.mesh, &mut rows);
    }

    /// The command line that does the stroke again.
    pub fn line(&self, document: &Document) -> Line {
        let StrokeSpec { mesh, instance_idx, joint, brush, eye, ref pose, deformer } = self.spec;
        let mut line = Line::new("stroke")
            .with("mesh", args::mesh_name(document, mesh))
            .with("joint", args::joint_name(document, Some(mesh), joint))
            .with("brush", brush.brush.name);
        if first_instance(document, mesh, joint) != Some(instance_idx) {
            line = line.with("node", format!("#{}", document.instances()[instance_idx].node));
        }
        if brush.brush.uses_value {
            line = line.with("value", brush.value);
        }
        line = line
            .with("strength", brush.strength)
            .with("radius", brush.radius)
            .with("falloff", brush.falloff.name())
            .with("reach", brush.reach.name())
            .with("deform", deformer.name());
        line = args::with_pose(line, document, Some(mesh), pose);
        let mut text = String::new();
        if let Some(eye) = eye {
            args::write_point(&mut text, eye);
            line = line.with("eye", &text);
            text.clear();
        }
        for (i, dab) in self.dabs.iter().enumerate() {
            if i > 0 {
                text.push(';');
            }
            args::write_point(&mut text, dab.center);
            if dab.radius.is_some() || dab.strength_share != 1.0 {
                let _ = write!(text, ",{}", dab.radius.unwrap_or(brush.radius));
            }
            if dab.strength_share != 1.0 {
                let _ = write!(text, ",{}", dab.strength_share);
            }
        }
        line.with("points", text)
    }

    /// What a dab of `amount` (strength × falloff) makes of a group's row.
    fn change(&self, document: &Document, group: u32, amount: f32) -> Change {
        let change = BrushChange {
            mesh: document.mesh(self.spec.mesh),
            surface: &self.surface,
            brush: self.spec.brush.brush,
            slot: self.slot,
            value: self.spec.brush.value,
            holds: Holds::locks(&self.locks),
        };
        let allowed = Allowance::of(document, self.spec.mesh).at(self.surface.representative(group));
        change.of(group, amount * allowed)
    }
}

/// The instance that a stroke paints on unless it says otherwise: the mesh's first whose skin lists the joint.
pub fn first_instance(document: &Document, mesh: MeshIndex, joint: NodeIndex) -> Option<usize> {
    document.instances().iter().position(|instance| {
        instance.mesh == mesh && instance.skin.is_some_and(|skin| document.skin(skin).slot(joint).is_some())
    })
}

/// Dab centres along a path: the first at its start, then one every `step` of its length. A path of one point is one
/// dab.
pub fn dabs_along(path: &[Vec3], step: f32) -> Vec<Vec3> {
    let mut dabs: Vec<Vec3> = path.first().copied().into_iter().collect();
    if step.is_nan() || step <= 0.0 {
        return path.to_vec();
    }
    let step = f64::from(step);
    // A step of 0.05 in single precision is a little more than that: 20 of them must still fit into a path of 1.
    let slack = 1e-3 * step;
    // How far along the current segment the next dab lies; double precision so that it does not drift.
    let mut next = step;
    for segment in path.windows(2) {
        let (a, b) = (segment[0].as_dvec3(), segment[1].as_dvec3());
        let length = a.distance(b);
        while next <= length + slack && length > 0.0 {
            dabs.push(a.lerp(b, (next / length).min(1.0)).as_vec3());
            next += step;
        }
        next -= length;
    }
    dabs
}

fn swap_and_repose(document: &mut Document, views: &mut PosedViews, mesh: MeshIndex, rows: &mut [(VertexIndex, Row)]) {
    if rows.is_empty() {
        return;
    }
    let revision = document.mesh(mesh).weights_revision;
    document.swap_rows(mesh, rows);
    let vertices: Vec<VertexIndex> = rows.iter().map(|(vertex, _)| *vertex).collect();
    views.rows_changed(document, mesh, revision, &vertices);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dabs_are_spaced_by_length_whatever_the_number_of_points() {
        // B31
        let coarse = [Vec3::ZERO, Vec3::new(30.0, 0.0, 0.0)];
        let fine: Vec<Vec3> = (0..=30).map(|i| Vec3::new(i as f32, 0.0, 0.0)).collect();
        let (a, b) = (dabs_along(&coarse, 0.5), dabs_along(&fine, 0.5));
        assert_eq!(a.len(), 61);
        assert_eq!(b.len(), 61);
        assert!(a.iter().zip(&b).all(|(a, b)| a.distance(*b) < 1e-4));
        assert_eq!(dabs_along(&coarse[..1], 0.5), [Vec3::ZERO]);
        assert!(dabs_along(&[], 0.5).is_empty());
    }

    #[test]
    fn a_path_of_whole_steps_ends_in_a_dab_though_the_step_is_rounded() {
        for n in 1..200 {
            for (spacing, radius) in [(0.25, 0.2), (0.25, 0.1), (0.3, 0.7), (0.1, 0.01)] {
                let end = Vec3::X * (n as f32 * spacing * radius);
                let dabs = dabs_along(&[-end, end], spacing * radius);
                assert_eq!(dabs.len(), 2 * n + 1, "{n} steps of {spacing} × {radius}");
                assert!(dabs[2 * n].distance(end) < 1e-3 * spacing * radius);
            }
        }
    }
}
