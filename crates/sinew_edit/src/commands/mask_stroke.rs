//! Painting the mask: dabs on the posed surface that bring what they reach toward one value. One step.
//!
//! A dab is a stroke's: radius, falloff, reach, the eye and the pose mean the same; no weight changes, so locks, budget
//! and mask do not matter.

use sinew_model::{VertexIndex, VertexMask};

use super::paint::{STROKE, instance_for};
use super::{Command, CommandError, Outcome, n_vertices};
use crate::args::{self, ArgError, DabArg};
use crate::edit::Edit;
use crate::editor::{Editor, OpenStep};
use crate::reach::{Reach, ReachQuery};
use crate::script::Line;
use crate::stroke::{StrokeSpec, read_spec};

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
    step: OpenStep,
    before: VertexMask,
    dabs: Vec<DabArg>,
}

impl Editor {
    /// Begins a mask stroke on the spec's own instance: the brush's value is what vertices take afterwards.
    pub fn begin_mask_stroke(&mut self, spec: StrokeSpec) -> Result<MaskStroke, CommandError> {
        if self.stroke().is_some() {
            return Err(CommandError::StrokeUnderWay);
        }
        let before = self.document().mask(spec.mesh).clone();
        Ok(MaskStroke { spec, step: OpenStep::new(), before, dabs: Vec::new() })
    }

    /// Paints one dab; returns how many vertices changed.
    pub fn mask_dab(&mut self, stroke: &mut MaskStroke, dab: DabArg) -> usize {
        stroke.dabs.push(dab);
        let MaskStroke { spec, step, .. } = stroke;
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
        let surface = self.surface(spec.mesh);
        let reached = self.reached(spec.instance_idx, (&spec.pose, spec.deformer), &query);
        let strength = brush.strength * dab.strength_share;
        let document = self.document();
        let (mask, hidden, mesh) = (document.mask(spec.mesh), document.hidden(spec.mesh), document.mesh(spec.mesh));
        let values: Vec<(VertexIndex, f32)> = reached
            .into_iter()
            .map(|(group, distance)| (surface.representative(group), brush.fade(distance / radius) * strength))
            .filter(|&(vertex, amount)| amount > 0.0 && mesh.is_paintable(vertex) && !hidden.contains(vertex))
            .map(|(vertex, amount)| {
                let now = mask.at(vertex);
                let next = now + (brush.value - now) * amount.min(1.0);
                // What is all but there is there: a mask of nearly 1 would be kept for nothing.
                (vertex, if (next - brush.value).abs() < 1e-3 { brush.value } else { next })
            })
            .collect();
        self.apply_mask(step, spec.mesh, values)
    }

    /// Ends a mask stroke: one step, or none if nothing changed.
    pub fn end_mask_stroke(&mut self, stroke: MaskStroke) -> Outcome {
        let MaskStroke { spec, step, before, dabs } = stroke;
        let mesh = spec.mesh;
        let n_masked = self.document().mask(mesh).n_masked();
        let n_before = before.n_masked();
        let label = format!("Paint mask {:.2}", spec.brush.value);
        let line = spec.line_with_dabs(self.document(), MASK_STROKE.name, &dabs);
        self.commit(step, label.clone(), line);
        let mut outcome = Outcome::new(format!("{label}: {} masked", n_vertices(n_masked)), 0);
        if n_masked == n_before && self.document().mask(mesh) == &before {
            "The mask is as it was".clone_into(&mut outcome.message);
        }
        outcome
    }

    /// Takes a mask stroke back, as if it had never begun.
    pub fn abort_mask_stroke(&mut self, stroke: MaskStroke) {
        let mesh = stroke.spec.mesh;
        let now: Vec<VertexIndex> = self.document().mask(mesh).iter().map(|(vertex, _)| vertex).collect();
        let old = now.into_iter().map(|vertex| (vertex, stroke.before.at(vertex))).chain(stroke.before.iter());
        let mut values: Vec<(VertexIndex, f32)> = old.collect();
        values.sort_by_key(|(vertex, _)| *vertex);
        values.dedup_by_key(|(vertex, _)| *vertex);
        // The step is dropped: it never was one.
        let mut step = OpenStep::new();
        self.apply(&mut step, Edit::Mask { mesh, values });
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
