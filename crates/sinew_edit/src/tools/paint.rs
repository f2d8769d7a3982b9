//! The paint tool: pointer motion becomes evenly spaced dabs of one stroke.
//!
//! The pointer's path is sampled every pixel of its length, whatever the event rate; a dab is laid where the picked
//! points have travelled one spacing over the skin. A stroke may begin beside the mesh and paints from first contact: the
//! mesh that it met there, or all visible meshes of the joint's skeleton. What else the pointer passes over it leaves out,
//! and says so.

use glam::{DVec2, Vec2, Vec3};

use crate::args::DabArg;
use crate::brushes::{Inverse, brush_named};
use crate::commands::{CommandError, Outcome};
use crate::editor::Editor;
use crate::pick::{Ray, SkinHit};
use crate::reach::Reach;
use crate::session::BrushSettings;
use crate::stroke::{StrokeSpec, instances_along};

/// Where the pointer is, and how pixels become rays in the view at hand.
#[derive(Clone, Copy)]
pub struct Pointer<'a> {
    /// Pixels from the viewport's top left.
    pub px: Vec2,
    /// The ray through a pixel.
    pub ray_at: &'a dyn Fn(Vec2) -> Ray,
    /// The eye, scene space.
    pub eye: Vec3,
    /// How a pen is pressed.
    pub pressure: Pressure,
}

/// What a pen's pressure does to dabs: shares of the brush's strength and radius, 1 without a pen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pressure {
    /// Share of the strength.
    pub strength: f32,
    /// Share of the radius.
    pub radius: f32,
}

impl Pressure {
    /// No pen, or one that says nothing.
    pub const FULL: Self = Self { strength: 1.0, radius: 1.0 };
}

impl Default for Pressure {
    fn default() -> Self {
        Self::FULL
    }
}

/// Keys held when a stroke begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PaintModifiers {
    /// Paint the inverse.
    pub invert: bool,
    /// Smooth instead.
    pub smooth: bool,
    /// Paint along the straight line from where the button went down to where the pointer is.
    pub straight: bool,
}

/// The paint tool. Nothing is painted while it is idle.
#[derive(Default)]
pub struct PaintTool {
    state: Option<Path>,
}

/// The pointer's path since the button went down.
struct Path {
    brush: BrushSettings,
    /// Where the button went down, if the path is the straight line from there.
    straight_from: Option<DVec2>,
    /// Where the brush is: at the pointer, or trailing it.
    last_px: DVec2,
    /// Length until the next sample, pixels.
    until_sample: f64,
    /// The last picked point and its instance, if the last sample met one that is painted.
    last_point: Option<(usize, Vec3)>,
    /// Distance over the skin since the last dab.
    travelled: f32,
    /// The instance that the last sample met and that the stroke leaves out.
    passed: Option<usize>,
    /// The first such one.
    left_out: Option<usize>,
    /// Time until the next dab of a brush that paints at rest, seconds.
    until_dab_s: f32,
}

/// The most dabs laid at once for time that has passed: a window that was busy does not make up for it.
const MOST_DABS_AT_REST: u32 = 8;

/// Distance between samples of the pointer's path, pixels.
const SAMPLE_PX: f64 = 1.0;

impl PaintTool {
    /// Whether a stroke is under way, on the mesh or still beside it.
    pub fn is_painting(&self) -> bool {
        self.state.is_some()
    }

    /// The button goes down: begins a stroke with the session's brush, or says why not.
    pub fn press(
        &mut self,
        editor: &mut Editor,
        pointer: Pointer<'_>,
        modifiers: PaintModifiers,
    ) -> Result<(), CommandError> {
        if self.state.is_some() {
            return Ok(());
        }
        let joint = editor.session.active_joint.ok_or(CommandError::NoActiveJoint)?;
        if editor.document().skinned_meshes().is_empty() {
            return Err(CommandError::NothingSkinned);
        }
        let together = &editor.session.paint.together;
        editor.check_unlocked(std::iter::once(joint).chain(together.iter().copied()))?;
        let px = pointer.px.as_dvec2();
        let mut path = Path::at(modified(editor.session.brush, modifiers), px);
        path.straight_from = modifiers.straight.then_some(px);
        path.sample(editor, pointer, pointer.px)?;
        self.state = Some(path);
        Ok(())
    }

    /// The pointer moves with the button down.
    pub fn drag(&mut self, editor: &mut Editor, pointer: Pointer<'_>) -> Result<(), CommandError> {
        let Some(path) = &mut self.state else { return Ok(()) };
        let to = pointer.px.as_dvec2();
        if let Some(from) = path.straight_from {
            // The line so far is another one now.
            editor.abort_stroke();
            *path = Path { straight_from: Some(from), ..Path::at(path.brush, from) };
            path.sample(editor, pointer, from.as_vec2())?;
            return path.walk(editor, pointer, to);
        }
        let (slack, distance) = (f64::from(path.brush.lazy_px.max(0.0)), path.last_px.distance(to));
        if slack == 0.0 {
            return path.walk(editor, pointer, to);
        }
        if distance <= slack {
            return Ok(());
        }
        let to = path.last_px.lerp(to, (distance - slack) / distance);
        path.walk(editor, pointer, to)
    }

    /// Time passes with the button down: a brush that paints at rest lays its dabs where it is. Returns whether it wants to
    /// be asked again soon.
    pub fn tick(&mut self, editor: &mut Editor, pointer: Pointer<'_>, elapsed_s: f32) -> Result<bool, CommandError> {
        let Some(path) = self.state.as_mut().filter(|path| path.brush.airbrush_hz > 0.0) else { return Ok(false) };
        if path.straight_from.is_some() {
            return Ok(false);
        }
        let period_s = 1.0 / path.brush.airbrush_hz;
        path.until_dab_s -= elapsed_s.max(0.0);
        for _ in 0..MOST_DABS_AT_REST {
            if path.until_dab_s > 0.0 {
                break;
            }
            path.until_dab_s += period_s;
            if let Some((_, point)) = path.last_point {
                path.dab(editor, pointer, point);
            }
        }
        path.until_dab_s = path.until_dab_s.max(0.0);
        Ok(true)
    }

    /// Where the brush is, pixels from the viewport's top left: behind the pointer if it trails it. `None` while idle.
    pub fn brush_px(&self) -> Option<Vec2> {
        self.state.as_ref().map(|path| path.last_px.as_vec2())
    }

    /// The straight line that is being painted, pixels: from where the button went down to the pointer.
    pub fn straight_line(&self) -> Option<[Vec2; 2]> {
        let path = self.state.as_ref()?;
        Some([path.straight_from?.as_vec2(), path.last_px.as_vec2()])
    }

    /// Why nothing is painted where the pointer is, while it is over a mesh that the stroke leaves out.
    pub fn passes(&self, editor: &Editor) -> Option<String> {
        leaves_out(editor, self.state.as_ref()?.passed?)
    }

    /// The button comes up: ends the stroke.
    pub fn release(&mut self, editor: &mut Editor) -> Option<Outcome> {
        let path = self.state.take()?;
        let note = path.left_out.and_then(|instance_idx| leaves_out(editor, instance_idx));
        let mut outcome = editor.end_stroke()?;
        outcome.notes.extend(note);
        Some(outcome)
    }

    /// Takes the stroke back.
    pub fn cancel(&mut self, editor: &mut Editor) {
        if self.state.take().is_some() {
            editor.abort_stroke();
        }
    }
}

impl Path {
    fn at(brush: BrushSettings, px: DVec2) -> Self {
        Self {
            brush,
            straight_from: None,
            last_px: px,
            until_sample: SAMPLE_PX,
            last_point: None,
            travelled: 0.0,
            passed: None,
            left_out: None,
            until_dab_s: if brush.airbrush_hz > 0.0 { 1.0 / brush.airbrush_hz } else { 0.0 },
        }
    }

    /// Samples the way from where the brush is to `to`.
    fn walk(&mut self, editor: &mut Editor, pointer: Pointer<'_>, to: DVec2) -> Result<(), CommandError> {
        let from = self.last_px;
        let length = from.distance(to);
        while self.until_sample <= length && length > 0.0 {
            let at = from.lerp(to, self.until_sample / length);
            self.sample(editor, pointer, at.as_vec2())?;
            self.until_sample += SAMPLE_PX;
        }
        self.until_sample -= length;
        self.last_px = to;
        Ok(())
    }

    fn dab(&self, editor: &mut Editor, pointer: Pointer<'_>, center: Vec3) {
        let Pressure { strength, radius } = pointer.pressure;
        let radius = (radius != 1.0).then_some(self.brush.radius * radius);
        editor.dab(DabArg { center, radius, strength_share: strength });
    }

    fn sample(&mut self, editor: &mut Editor, pointer: Pointer<'_>, px: Vec2) -> Result<(), CommandError> {
        self.passed = None;
        let Some(hit) = editor.pick((pointer.ray_at)(px)) else {
            self.last_point = None;
            return Ok(());
        };
        if editor.stroke().is_none() {
            self.begin(editor, pointer, &hit)?;
        }
        if !is_painted(editor, hit.instance_idx) {
            (self.last_point, self.passed) = (None, Some(hit.instance_idx));
            self.left_out = self.left_out.or(self.passed);
            return Ok(());
        }
        let step = (self.brush.spacing * self.brush.radius * pointer.pressure.radius).max(f32::MIN_POSITIVE);
        let is_contact = self.last_point.is_none();
        if let Some((instance_idx, last)) = self.last_point {
            let distance = last.distance(hit.point);
            // From mesh to mesh there may be a leap, which is no way over the skin.
            self.travelled += if instance_idx == hit.instance_idx { distance } else { distance.min(step) };
        }
        self.last_point = Some((hit.instance_idx, hit.point));
        if is_contact || self.travelled >= step {
            self.travelled = if is_contact { 0.0 } else { (self.travelled - step).min(step) };
            self.dab(editor, pointer, hit.point);
        }
        Ok(())
    }

    /// First contact: begins the editor's stroke on the instance that was hit.
    fn begin(&mut self, editor: &mut Editor, pointer: Pointer<'_>, hit: &SkinHit) -> Result<(), CommandError> {
        let joint = editor.session.active_joint.ok_or(CommandError::NoActiveJoint)?;
        let document = editor.document();
        let instance = document.instances()[hit.instance_idx];
        editor.check_not_rigid(hit.instance_idx)?;
        if instance.skin.is_none_or(|skin| document.skin(skin).slot(joint).is_none()) {
            let mesh = document.instance_label(hit.instance_idx);
            return Err(CommandError::NotPaintable { mesh, reason: "the active joint is not in its skin" });
        }
        let is_seen_from = self.brush.front_only || self.brush.reach == Reach::Screen;
        let options = &editor.session.paint;
        let also = if options.all_meshes { instances_along(document, instance.mesh, joint) } else { Vec::new() };
        let pose = (editor.session.pose.clone(), editor.session.deformer);
        let spec = StrokeSpec::new((instance.mesh, hit.instance_idx), joint, self.brush, pose);
        let mut spec = StrokeSpec {
            also,
            shares_mean: options.all_meshes,
            together: options.together.iter().copied().filter(|&other| other != joint).collect(),
            leaves_unassigned: options.leaves_unassigned,
            lane: options.lane.clone(),
            give: options.give,
            mirror: options.mirror,
            eye: is_seen_from.then_some(pointer.eye),
            ..spec
        };
        let shown = editor.shown_instances();
        spec.also.retain(|&other| shown[other]);
        editor.begin_stroke(spec)
    }
}

/// Whether the stroke under way paints an instance where the pointer is over it.
fn is_painted(editor: &Editor, instance_idx: usize) -> bool {
    editor.stroke().is_some_and(|stroke| stroke.spec().instances().any(|painted| painted == instance_idx))
}

/// Why the stroke under way leaves an instance out, for a person.
fn leaves_out(editor: &Editor, instance_idx: usize) -> Option<String> {
    let document = editor.document();
    let spec = editor.stroke()?.spec();
    let skin = document.instances()[instance_idx].skin.map(|skin| document.skin(skin));
    let label = |instance_idx: usize| document.instance_label(instance_idx);
    Some(match skin.filter(|skin| skin.slot(spec.joint).is_some()) {
        Some(_) if !editor.session.paint.all_meshes => {
            format!("The stroke stays on {}: All meshes is off", label(spec.instance_idx))
        }
        _ if !editor.session.paint.all_meshes => format!("The stroke stays on {}", label(spec.instance_idx)),
        Some(_) => format!("The stroke leaves out {}: another node shows the same mesh", label(instance_idx)),
        None if skin.is_none() => format!("The stroke leaves out {}: it has no skin", label(instance_idx)),
        None => {
            let joint = document.nodes().label(spec.joint);
            format!("The stroke leaves out {}: the joint {joint} is not in its skin", label(instance_idx))
        }
    })
}

/// The brush as the keys that are held make it.
pub fn modified(mut brush: BrushSettings, modifiers: PaintModifiers) -> BrushSettings {
    if modifiers.smooth {
        if let Some(smooth) = brush_named("smooth") {
            brush.brush = smooth;
        }
    } else if modifiers.invert {
        match brush.brush.inverse {
            Inverse::None => {}
            Inverse::Value => brush.value = 1.0 - brush.value,
            Inverse::Brush(name) => brush.brush = brush_named(name).unwrap_or(brush.brush),
            Inverse::BrushAndValue(name) => {
                brush.brush = brush_named(name).unwrap_or(brush.brush);
                brush.value = 1.0 - brush.value;
            }
        }
    }
    brush
}
