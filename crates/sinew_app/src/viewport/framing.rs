//! What fits into the view: all that is seen of the model, or the active joint and what is around it.

use glam::Vec3;
use sinew_edit::Editor;
use sinew_geometry::Aabb;
use sinew_model::VertexIndex;

use super::Viewport;
use super::camera::corners;

impl Viewport {
    /// Fits what is seen of the model, as it stands, into the view at the next picture.
    pub fn frame_model(&mut self) {
        self.needs_framing = true;
    }

    /// Fits the active joint and what is around it into the view; the whole model if no joint is active.
    pub fn frame_joint(&mut self, editor: &mut Editor) {
        let Some(joint) = editor.session.active_joint else { return self.frame_model() };
        let place = editor.scene_from_node()[joint.idx()].translation.as_vec3();
        let bones = editor.bones();
        let lengths = bones.iter().filter(|bone| bone.joint == joint).map(|bone| bone.head.distance(bone.tail));
        let diagonal = self.bounds.diagonal();
        let around = lengths.fold(0.0, f32::max).clamp(diagonal * 0.1, diagonal.max(1e-6)) * 0.8;
        let box_around = Aabb { min: place - Vec3::splat(around), max: place + Vec3::splat(around) };
        let size_px = self.view().size_px;
        self.camera.frame(&corners(box_around), size_px);
    }

    /// Frames the model if somebody asked for it, and knows the box around it.
    pub(super) fn frame_if_asked(&mut self, editor: &mut Editor) {
        let is_framing = self.needs_framing && !self.area.is_empty();
        if is_framing || self.scene_bounds_of != editor.session.scene {
            self.scene_bounds_of = editor.session.scene;
            // With everything hidden there is no box; the last one goes on telling how large the model is.
            let bounds = editor.bounds();
            self.bounds = if bounds.is_empty() { self.bounds } else { bounds };
        }
        if is_framing {
            let size_px = self.view().size_px;
            self.camera.frame(&posed_points(editor), size_px);
            self.needs_framing = false;
        }
    }
}

/// Posed vertices of everything that is seen, thinned out where there are very many: for framing.
pub fn posed_points(editor: &mut Editor) -> Vec<Vec3> {
    const MANY: usize = 20_000;
    let mut points = Vec::new();
    let shown = editor.shown_instances();
    for i in (0..shown.len()).filter(|&i| shown[i]) {
        let hidden = editor.document().hidden(editor.document().instances()[i].mesh).clone();
        let positions = &editor.posed(i).posed.positions;
        let step = (positions.len() - hidden.len()) / MANY + 1;
        let seen = positions.iter().enumerate().filter(|(v, _)| !hidden.contains(VertexIndex::from_idx(*v)));
        points.extend(seen.map(|(_, position)| position).step_by(step));
    }
    points
}
