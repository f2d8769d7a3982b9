//! Painting the mask: dabs on the posed surface that bring what they reach toward one value. One step.
//!
//! A dab is a stroke's: radius, falloff, reach, the eye, the pose and the mirror mean the same; no weight changes, so locks,
//! budget and mask do not matter.

use std::collections::BTreeMap;
use std::sync::Arc;

use sinew_model::{MeshIndex, VertexIndex, VertexMask};

use super::paint::{STROKE, instance_for};
use super::{Command, CommandError, Outcome, n_vertices};
use crate::args::{self, ArgError, DabArg};
use crate::edit::Edit;
use crate::editor::{Editor, OpenStep};
use crate::reach::{Reach, ReachQuery};
use crate::script::Line;
use crate::stroke::{StrokeSpec, read_spec};
use crate::symmetry::Symmetry;

pub static MASK_STROKE: Command = Command {
    name: "mask_stroke",
    label: "Mask Stroke",
    hint: "Paint how much of a change each vertex takes; value 0 protects. Parameters are those of stroke",
    menu: "Select",
    params: STROKE.params,
    run: mask_stroke,
};

/// A mask stroke under way. It must be ended or taken back.
pub struct MaskStroke {
    spec: StrokeSpec,
    symmetry: Option<Arc<Symmetry>>,
    step: OpenStep,
    /// The masks before the stroke, of the meshes that were painted.
    before: BTreeMap<MeshIndex, VertexMask>,
    dabs: Vec<DabArg>,
}

impl Editor {
    /// Begins a mask stroke on the spec's own instance: the brush's value is what vertices take afterwards.
    pub fn begin_mask_stroke(&mut self, spec: StrokeSpec) -> Result<MaskStroke, CommandError> {
        if self.stroke().is_some() {
            return Err(CommandError::StrokeUnderWay);
        }
        let symmetry = spec.mirror.map(|settings| self.symmetry(settings));
        Ok(MaskStroke { spec, symmetry, step: OpenStep::new(), before: BTreeMap::new(), dabs: Vec::new() })
    }

    /// Paints one dab; returns how many vertices changed.
    pub fn mask_dab(&mut self, stroke: &mut MaskStroke, dab: DabArg) -> usize {
        stroke.dabs.push(dab);
        let amounts = self.mask_amounts(stroke, dab);
        let value = stroke.spec.brush.value;
        let mut n_changed = 0;
        for (mesh, groups) in amounts {
            let surface = self.surface(mesh);
            let document = self.document();
            let (mask, hidden, m) = (document.mask(mesh), document.hidden(mesh), document.mesh(mesh));
            let values: Vec<(VertexIndex, f32)> = groups
                .into_iter()
                .map(|(group, amount)| (surface.representative(group), amount))
                .filter(|&(vertex, _)| m.is_paintable(vertex) && !hidden.contains(vertex))
                .map(|(vertex, amount)| {
                    let now = mask.at(vertex);
                    let next = now + (value - now) * amount.min(1.0);
                    // What is all but there is there: a mask of nearly 1 would be kept for nothing.
                    (vertex, if (next - value).abs() < 1e-3 { value } else { next })
                })
                .collect();
            stroke.before.entry(mesh).or_insert_with(|| mask.clone());
            n_changed += self.apply_mask(&mut stroke.step, mesh, values);
        }
        n_changed
    }

    /// How much a dab and its mirror image do to each group; under both at once, the larger amount.
    fn mask_amounts(&mut self, stroke: &MaskStroke, dab: DabArg) -> BTreeMap<MeshIndex, BTreeMap<u32, f32>> {
        let spec = &stroke.spec;
        let brush = spec.brush;
        let radius = dab.radius.unwrap_or(brush.radius);
        let query = ReachQuery {
            reach: brush.reach,
            center: dab.center,
            radius,
            eye: spec.eye,
            front_only: brush.front_only,
            shell_only: brush.shell_only,
        };
        let reached = self.reached(spec.instance_idx, (&spec.pose, spec.deformer), &query);
        let strength = brush.strength * dab.strength_share;
        let mut amounts: BTreeMap<MeshIndex, BTreeMap<u32, f32>> = BTreeMap::new();
        for (group, distance) in reached {
            let amount = brush.fade(distance / radius) * strength;
            if amount <= 0.0 {
                continue;
            }
            let twin = stroke.symmetry.as_ref().and_then(|symmetry| symmetry.twin(spec.mesh, group));
            for (mesh, group) in std::iter::once((spec.mesh, group)).chain(twin) {
                let most = amounts.entry(mesh).or_default().entry(group).or_insert(0.0);
                *most = most.max(amount);
            }
        }
        amounts
    }

    /// Ends a mask stroke: one step, or none if nothing changed.
    pub fn end_mask_stroke(&mut self, stroke: MaskStroke) -> Outcome {
        let MaskStroke { spec, step, before, dabs, .. } = stroke;
        let document = self.document();
        let n_masked: usize = before.keys().map(|&mesh| document.mask(mesh).n_masked()).sum();
        let is_as_before = before.iter().all(|(&mesh, mask)| document.mask(mesh) == mask);
        let label = format!("Paint mask {:.2}", spec.brush.value);
        let line = spec.line_with_dabs(document, MASK_STROKE.name, &dabs);
        self.commit(step, label.clone(), line);
        if is_as_before {
            return Outcome::new("The mask is as it was", 0);
        }
        Outcome::new(format!("{label}: {} masked", n_vertices(n_masked)), 0)
    }

    /// Takes a mask stroke back, as if it had never begun.
    pub fn abort_mask_stroke(&mut self, stroke: MaskStroke) {
        for (mesh, before) in stroke.before {
            let now: Vec<VertexIndex> = self.document().mask(mesh).iter().map(|(vertex, _)| vertex).collect();
            let old = now.into_iter().map(|vertex| (vertex, before.at(vertex))).chain(before.iter());
            let mut values: Vec<(VertexIndex, f32)> = old.collect();
            values.sort_by_key(|(vertex, _)| *vertex);
            values.dedup_by_key(|(vertex, _)| *vertex);
            // The step is dropped: it never was one.
            self.apply(&mut OpenStep::new(), Edit::Mask { mesh, values });
        }
    }
}

fn mask_stroke(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let read = read_spec(editor.document(), line, editor.session.active_mesh)?;
    let dabs = args::dabs("points", args::required(line, "points", "dab centres")?)?;
    let Some(first) = dabs.first() else {
        let (command, hint) = (line.name.clone(), "at least one dab centre x,y,z");
        return Err(ArgError::Missing { command, key: "points", hint }.into());
    };
    let instance_idx = instance_for(editor, line, &read, first.center)?;
    let spec = read.on(editor.document(), line, instance_idx)?;
    debug_assert!(spec.brush.reach != Reach::Screen || spec.eye.is_some());
    let mut stroke = editor.begin_mask_stroke(spec)?;
    for dab in dabs {
        editor.mask_dab(&mut stroke, dab);
    }
    Ok(editor.end_mask_stroke(stroke))
}
