//! The mask brush: the pointer's way over the skin becomes dabs of one mask stroke.

use glam::{Vec2, Vec3};
use sinew_edit::args::DabArg;
use sinew_edit::brushes::brush_named;
use sinew_edit::commands::MaskStroke;
use sinew_edit::tools::Pressure;
use sinew_edit::{CommandError, Editor, Outcome, Reach, StrokeSpec};

use super::camera::View;

/// A mask stroke under way.
pub struct MaskBrush {
    stroke: MaskStroke,
    instance_idx: usize,
    last_px: Vec2,
    last: Option<Vec3>,
    step: f32,
}

impl MaskBrush {
    /// The button goes down on the skin; `None` beside it.
    pub fn press(
        editor: &mut Editor,
        view: &View,
        (px, value, pressure): (Vec2, f32, Pressure),
    ) -> Result<Option<Self>, CommandError> {
        let Some(hit) = editor.pick(view.ray_at(px)) else { return Ok(None) };
        editor.check_not_rigid(hit.instance_idx)?;
        let session = &editor.session;
        let document = editor.document();
        let skin = document.instances()[hit.instance_idx].skin;
        // A joint of the skin says which instance is meant where a mesh has several.
        let joint = skin.and_then(|skin| document.skin(skin).joints().first().copied());
        let Some(joint) = joint.filter(|_| document.mesh(hit.mesh).is_skinned()) else { return Ok(None) };
        let mut brush = session.brush;
        brush.brush = brush_named("replace").unwrap_or(brush.brush);
        brush.value = value;
        brush.strength = 1.0;
        let is_seen_from = brush.front_only || brush.reach == Reach::Screen;
        let pose = (session.pose.clone(), session.deformer);
        let spec = StrokeSpec {
            eye: is_seen_from.then(|| view.camera.eye()),
            mirror: session.paint.mirror,
            ..StrokeSpec::new((hit.mesh, hit.instance_idx), joint, brush, pose)
        };
        let step = brush.spacing * brush.radius;
        let stroke = editor.begin_mask_stroke(spec)?;
        let mut begun = Self { stroke, instance_idx: hit.instance_idx, last_px: px, last: None, step };
        begun.at(editor, hit.point, pressure);
        Ok(Some(begun))
    }

    /// The pointer moves.
    pub fn drag(&mut self, editor: &mut Editor, view: &View, px: Vec2, pressure: Pressure) {
        let n = (px.distance(self.last_px) / 2.0).ceil().max(1.0) as u32;
        for i in 1..=n {
            let at = self.last_px.lerp(px, i as f32 / n as f32);
            let hit = editor.pick(view.ray_at(at)).filter(|hit| hit.instance_idx == self.instance_idx);
            match hit {
                Some(hit) if self.last.is_none_or(|last| last.distance(hit.point) >= self.step) => {
                    self.at(editor, hit.point, pressure);
                }
                Some(_) => {}
                None => self.last = None,
            }
        }
        self.last_px = px;
    }

    /// The button comes up.
    pub fn release(self, editor: &mut Editor) -> Outcome {
        editor.end_mask_stroke(self.stroke)
    }

    /// Takes the stroke back.
    pub fn cancel(self, editor: &mut Editor) {
        editor.abort_mask_stroke(self.stroke);
    }

    fn at(&mut self, editor: &mut Editor, center: Vec3, pressure: Pressure) {
        let radius = (pressure.radius != 1.0).then_some(editor.session.brush.radius * pressure.radius);
        editor.mask_dab(&mut self.stroke, DabArg { center, radius, strength_share: pressure.strength });
        self.last = Some(center);
    }
}
