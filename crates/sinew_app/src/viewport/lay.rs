//! A gradient while it is laid: two ends that can be moved, shown as it will be, kept as one step. On a large mesh it is
//! shown part by part, so that no frame takes long, and kept by its line, off the window's thread.

use std::ops::RangeInclusive;
use std::time::Instant;

use glam::{Vec2, Vec3};
use sinew_edit::brushes::brush_named;
use sinew_edit::stroke::instances_along;
use sinew_edit::{CommandError, Editor, Gradient, Line as EditLine, Outcome, StrokeSpec};

use super::camera::View;
use super::hand::GradientSettings;
use super::overlay::ACTIVE;
use crate::mirroring::{self, AT_ONCE};
use sinew_render::{Color, Disc, DrawList, Line};

/// A handle is grabbed from so far, points.
const GRAB_POINTS: f32 = 12.0;

/// So long a frame may show parts, seconds.
const PART_S: f32 = 0.012;
/// Places of the first part, and the least and most that one may have.
const FIRST_PART: usize = 20_000;
const PARTS: RangeInclusive<usize> = 17_000..=200_000;

/// A gradient that is laid and can still be changed.
pub struct Laid {
    instance_idx: usize,
    from: Vec3,
    to: Vec3,
    /// The end in the hand.
    grabbed: Option<End>,
    /// What is shown, wholly or in part.
    shown: Option<Gradient>,
    /// Up to which place it is shown; `None` if it is shown wholly at once.
    n_shown: Option<usize>,
    /// Places that were shown within a frame.
    n_part: usize,
    /// Whether it is kept as soon as what is shown of it is taken back.
    is_kept: bool,
}

/// How a gradient is kept.
pub enum Kept {
    /// It is.
    Now(Outcome),
    /// It will be by a line: see [`Laid::show`].
    Later,
}

/// What is still to be done for a laid gradient.
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    /// Nothing: it shows as it will be.
    Nothing,
    /// More, in the next frame.
    More,
    /// It is to be kept: this line does it.
    Keep(EditLine),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    From,
    To,
}

impl Laid {
    /// The button goes down on the skin; `None` beside it.
    pub fn begin(editor: &mut Editor, view: &View, px: Vec2) -> Option<Self> {
        let hit = editor.pick(view.ray_at(px))?;
        let document = editor.document();
        let is_able = document.mesh(hit.mesh).is_skinned() && document.instances()[hit.instance_idx].skin.is_some();
        is_able.then_some(Self {
            instance_idx: hit.instance_idx,
            from: hit.point,
            to: hit.point,
            grabbed: Some(End::To),
            shown: None,
            n_shown: None,
            n_part: FIRST_PART,
            is_kept: false,
        })
    }

    /// Takes the end at the pointer; `false` where there is none.
    pub fn grab(&mut self, view: &View, pixels_per_point: f32, px: Vec2) -> bool {
        let is_near =
            |point: Vec3| view.px_of(point).is_some_and(|at| at.distance(px) <= GRAB_POINTS * pixels_per_point);
        self.grabbed = match () {
            () if is_near(self.to) => Some(End::To),
            () if is_near(self.from) => Some(End::From),
            () => None,
        };
        self.grabbed.is_some()
    }

    /// The end in the hand goes to the skin under the pointer; beside it, at the depth at which it is.
    pub fn drag(&mut self, editor: &mut Editor, view: &View, px: Vec2) {
        let Some(end) = self.grabbed else { return };
        let at = if end == End::From { self.from } else { self.to };
        let ray = view.ray_at(px);
        let hit = editor.pick(ray).filter(|hit| hit.instance_idx == self.instance_idx);
        let facing = (view.camera.eye() - at).normalize_or_zero();
        let along = ray.direction.dot(facing);
        let on_plane = || {
            let t = (at - ray.origin).dot(facing) / along;
            (t.is_finite() && t > 0.0).then(|| ray.origin + ray.direction * t)
        };
        let Some(point) = hit.map(|hit| hit.point).or_else(on_plane) else { return };
        match end {
            End::From => self.from = point,
            End::To => self.to = point,
        }
    }

    /// Whether it only waits to be kept.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// The button comes up.
    pub fn release(&mut self) {
        self.grabbed = None;
    }

    /// Whether there is a way from one end to the other.
    pub fn has_length(&self) -> bool {
        self.from.distance(self.to) > 0.0
    }

    /// Shows the gradient as it is now, if that is not shown: at once, or a part of it.
    pub fn show(&mut self, editor: &mut Editor, settings: &GradientSettings) -> Result<Next, CommandError> {
        if self.is_kept {
            return Ok(self.keep_on(editor));
        }
        if !self.has_length() {
            return Ok(Next::Nothing);
        }
        if !mirroring::is_ready(editor) {
            return Ok(Next::More);
        }
        let gradient = self.gradient(editor, settings)?;
        let is_shown = self.shown.as_ref().is_some_and(|shown| editor.stroke().is_some() && is_same(shown, &gradient));
        if is_shown {
            return Ok(self.show_more(editor));
        }
        if self.n_shown.is_some() && editor.take_stroke_back_some() {
            return Ok(Next::More);
        }
        (self.shown, self.n_shown) = (None, None);
        editor.abort_stroke();
        if editor.n_in_gradient(&gradient) <= AT_ONCE {
            editor.preview_gradient(&gradient)?;
            self.shown = Some(gradient);
            return Ok(Next::Nothing);
        }
        editor.begin_gradient_parts(&gradient)?;
        (self.shown, self.n_shown) = (Some(gradient), Some(0));
        Ok(self.show_more(editor))
    }

    /// Shows one more part, as large as a frame has time for.
    fn show_more(&mut self, editor: &mut Editor) -> Next {
        let (Some(gradient), Some(from)) = (&self.shown, self.n_shown) else { return Next::Nothing };
        let n_places = editor.n_in_gradient(gradient);
        if from >= n_places {
            return Next::Nothing;
        }
        let to = (from + self.n_part).min(n_places);
        let start = Instant::now();
        editor.paint_gradient_part(gradient, from..to);
        let share = PART_S / start.elapsed().as_secs_f32().max(1e-4);
        self.n_part = ((self.n_part as f32 * share.clamp(0.5, 2.0)) as usize).clamp(*PARTS.start(), *PARTS.end());
        self.n_shown = Some(to);
        if to < n_places { Next::More } else { Next::Nothing }
    }

    /// Keeps it: one step, now or as soon as what is shown in parts is taken back. `None` if nothing was laid.
    pub fn keep(&mut self, editor: &mut Editor) -> Option<Kept> {
        let gradient = self.shown.as_ref()?;
        if self.n_shown.is_none() {
            return editor.end_gradient(gradient).map(Kept::Now);
        }
        self.is_kept = true;
        Some(Kept::Later)
    }

    /// What is shown in parts makes room for the gradient as a command, which works on another thread.
    fn keep_on(&mut self, editor: &mut Editor) -> Next {
        if editor.take_stroke_back_some() {
            return Next::More;
        }
        editor.abort_stroke();
        match &self.shown {
            Some(gradient) => Next::Keep(gradient.line(editor.document())),
            None => Next::Nothing,
        }
    }

    fn gradient(&self, editor: &mut Editor, settings: &GradientSettings) -> Result<Gradient, CommandError> {
        let shown = editor.shown_instances();
        let session = &editor.session;
        let joint = session.active_joint.ok_or(CommandError::NoActiveJoint)?;
        let document = editor.document();
        let mesh = document.instances()[self.instance_idx].mesh;
        let mut brush = session.brush;
        if !brush.brush.uses_value {
            brush.brush = brush_named("replace").unwrap_or(brush.brush);
        }
        (brush.front_only, brush.existing_only) = (false, settings.existing);
        let spec = StrokeSpec::new((mesh, self.instance_idx), joint, brush, (session.pose.clone(), session.deformer));
        let mut also = if session.paint.all_meshes { instances_along(document, mesh, joint) } else { Vec::new() };
        also.retain(|&other| shown[other]);
        let mut spec = StrokeSpec {
            also,
            together: session.paint.together.iter().copied().filter(|&other| other != joint).collect(),
            leaves_unassigned: session.paint.leaves_unassigned,
            lane: session.paint.lane.clone(),
            give: session.paint.give,
            mirror: session.paint.mirror,
            ..spec
        };
        let on_selection = spec.instances().any(|i| !document.selection(document.instances()[i].mesh).is_empty());
        spec.brush.shell_only = settings.connected && !on_selection;
        Ok(Gradient {
            spec,
            from: self.from,
            to: self.to,
            shape: settings.shape,
            profile: settings.profile,
            beyond: settings.beyond,
            on_selection,
        })
    }

    /// Adds the ends and what lies between.
    pub fn push(&self, list: &mut DrawList<'_>) {
        let (light, dark) = (Color::hex(0xEC_EEF1), Color::hex(0x1A_1B1F));
        list.lines_on_top.push(Line::new(self.from, self.to, 3.6, dark.with_alpha(0.4)));
        list.lines_on_top.push(Line::new(self.from, self.to, 1.6, light.with_alpha(0.95)));
        list.discs_on_top.push(Disc::new(self.from, 6.0, ACTIVE).with_outline(1.5, dark.with_alpha(0.8)));
        list.discs_on_top.push(Disc::new(self.to, 6.0, dark).with_outline(2.0, ACTIVE));
    }

    /// Differs whenever what [`Laid::push`] draws does.
    pub fn ends(&self) -> [Vec3; 2] {
        [self.from, self.to]
    }
}

fn is_same(a: &Gradient, b: &Gradient) -> bool {
    let of = |gradient: &Gradient| {
        (gradient.from, gradient.to, gradient.shape, gradient.profile, gradient.beyond, gradient.on_selection)
    };
    let (x, y) = (&a.spec, &b.spec);
    of(a) == of(b)
        && (x.joint, &x.together, x.brush, &x.lane, x.give, x.mirror, &x.also, x.leaves_unassigned)
            == (y.joint, &y.together, y.brush, &y.lane, y.give, y.mirror, &y.also, y.leaves_unassigned)
        && (&x.pose, x.deformer.name()) == (&y.pose, y.deformer.name())
}
