//! Gradients: a joint's weight along a line or away from a point of the posed character, by a profile, as one step.
//!
//! A gradient is a stroke without dabs: locks, masks, lane, mirror, budget and undo are the stroke's.

use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;
use sinew_model::{Document, MeshIndex, VertexIndex};

use crate::args;
use crate::brush_change::Job;
use crate::commands::{CommandError, Outcome};
use crate::curve::Curve;
use crate::editor::Editor;
use crate::script::Line;
use crate::stroke::StrokeSpec;

/// The shape of a gradient.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GradientShape {
    /// Along the line from one point to the other; the same on every plane across it.
    #[default]
    Linear,
    /// Away from the first point; the second is on the rim.
    Radial,
}

/// A gradient: everything its result depends on but the document.
#[derive(Clone)]
pub struct Gradient {
    /// What is painted, how and in which pose. The brush's value is what the profile is multiplied by; its strength is how
    /// much of the way every vertex goes. The brush paints a joint: replace, add, lighten … With its `shell_only` only the
    /// connected shell of each mesh is meant that is nearest to `from`.
    pub spec: StrokeSpec,
    /// Where it begins, scene space.
    pub from: Vec3,
    /// Where it ends, scene space.
    pub to: Vec3,
    /// Its shape.
    pub shape: GradientShape,
    /// The weight over the way from begin (0) to end (1).
    pub profile: Curve,
    /// Whether vertices before its begin and beyond its end get the profile's weight there. Otherwise they are left alone.
    pub beyond: bool,
    /// Whether only selected vertices are meant.
    pub on_selection: bool,
}

impl GradientShape {
    /// Both, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Linear, Self::Radial];

    /// The name in scripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Radial => "radial",
        }
    }

    /// The name on screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Linear => "Linear",
            Self::Radial => "Radial",
        }
    }

    /// The shape with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }
}

impl Gradient {
    /// The profile's weight at a point; `None` where the gradient leaves vertices alone.
    pub fn weight_at(&self, point: Vec3) -> Option<f32> {
        self.weight_by(point, |t| self.profile.at(t))
    }

    #[inline]
    fn weight_by(&self, point: Vec3, profile: impl Fn(f32) -> f32) -> Option<f32> {
        let way = self.to - self.from;
        let t = match self.shape {
            GradientShape::Linear => (point - self.from).dot(way) / way.length_squared(),
            GradientShape::Radial => point.distance(self.from) / way.length(),
        };
        let is_meant = t.is_finite() && (self.beyond || (0.0..=1.0).contains(&t));
        is_meant.then(|| profile(t.clamp(0.0, 1.0)))
    }

    /// The command line that does the gradient again.
    pub fn line(&self, document: &Document) -> Line {
        let mut line = self.spec.line(document, "gradient");
        for (key, point) in [("from", self.from), ("to", self.to)] {
            let mut text = String::new();
            args::write_point(&mut text, point);
            line = line.with(key, text);
        }
        line = line.with("shape", self.shape.name()).with("profile", self.profile.text());
        if self.beyond {
            line = line.with("beyond", "yes");
        }
        line = line.with("on", if self.on_selection { "selection" } else { "all" });
        if self.spec.brush.shell_only {
            line = line.with("shell", "yes");
        }
        self.spec.with_whole(line, document)
    }

    fn label(&self, document: &Document) -> String {
        format!("{} gradient {}", self.shape.label(), self.spec.joints_label(document))
    }
}

impl Editor {
    /// Shows what a gradient will do: it is a stroke under way until [`Editor::end_gradient`], [`Editor::abort_stroke`] or
    /// the next preview. Returns how many vertices changed.
    pub fn preview_gradient(&mut self, gradient: &Gradient) -> Result<usize, CommandError> {
        self.abort_stroke();
        self.begin_stroke(gradient.spec.clone())?;
        Ok(self.paint_gradient_part(gradient, 0..usize::MAX))
    }

    /// Begins to show part by part what a gradient on many vertices will do: a stroke under way on which nothing is painted
    /// yet. Where a part and the mirror image of another meet, the gradient itself may come out a little different.
    pub fn begin_gradient_parts(&mut self, gradient: &Gradient) -> Result<(), CommandError> {
        self.begin_stroke(gradient.spec.clone())
    }

    /// How many places a gradient looks at: the weld groups of all its meshes.
    pub fn n_in_gradient(&mut self, gradient: &Gradient) -> usize {
        let instances = gradient.spec.instances();
        let meshes: Vec<MeshIndex> = instances.map(|i| self.document().instances()[i].mesh).collect();
        meshes.into_iter().map(|mesh| self.surface(mesh).weld.n_groups()).sum()
    }

    /// Paints the gradient under way at some of its places; returns how many vertices changed.
    pub fn paint_gradient_part(&mut self, gradient: &Gradient, part: Range<usize>) -> usize {
        let (mut groups, mut first) = (Vec::new(), 0);
        for instance_idx in gradient.spec.instances() {
            let mesh = self.document().instances()[instance_idx].mesh;
            let n_groups = self.surface(mesh).weld.n_groups();
            let own = part.start.saturating_sub(first).min(n_groups)..part.end.saturating_sub(first).min(n_groups);
            if !own.is_empty() {
                groups.push(self.gradient_jobs(gradient, instance_idx, own));
            }
            first += n_groups;
        }
        self.paint_groups(groups)
    }

    /// Ends the gradient under way as one step.
    pub fn end_gradient(&mut self, gradient: &Gradient) -> Option<Outcome> {
        let (label, line) = (gradient.label(self.document()), gradient.line(self.document()));
        let why_not = "the weights are as the gradient makes them already".to_owned();
        self.end_stroke_as(label, line, why_not)
    }

    /// Every group of a range that the gradient reaches on one instance.
    fn gradient_jobs(
        &mut self,
        gradient: &Gradient,
        instance_idx: usize,
        groups: Range<usize>,
    ) -> (MeshIndex, Vec<Job>) {
        let spec = &gradient.spec;
        let mesh = self.document().instances()[instance_idx].mesh;
        let surface = self.surface(mesh);
        let only = gradient.on_selection.then(|| self.document().selection(mesh).clone());
        let in_shell = spec
            .brush
            .shell_only
            .then(|| self.in_shell_at(instance_idx, (&spec.pose, spec.deformer), gradient.from, groups.clone()));
        let positions = &self.posed_as(instance_idx, (&spec.pose, spec.deformer)).group_positions;
        let is_meant = |vertex: VertexIndex| only.as_ref().is_none_or(|only| only.contains(vertex));
        let profile = gradient.profile.heights();
        let first = groups.start;
        let jobs = positions[groups].par_iter().enumerate().with_min_len(4096).filter_map(|(place, &position)| {
            let group = (first + place) as u32;
            if in_shell.as_ref().is_some_and(|in_shell| !in_shell[place]) {
                return None;
            }
            let weight = gradient.weight_by(position, &profile).filter(|_| is_meant(surface.representative(group)))?;
            let value = weight * spec.brush.value;
            Some(Job { group, amount: spec.brush.strength, value, upstream: None, is_center: false })
        });
        (mesh, jobs.collect())
    }
}
