//! Zooming by the wheel: what it goes toward. On the surface that is the point under the pointer; beside the model it is
//! the point of the surface that lies nearest on the screen. What it goes toward stays where it is in the picture, so no
//! number of notches leads past the model.

use glam::{Vec2, Vec3};
use sinew_edit::Editor;

use super::{Viewport, posed_points};

/// Zooms toward (`factor` below 1) or away from what is at, or nearest to, a pixel.
pub fn by_wheel(viewport: &mut Viewport, editor: &mut Editor, px: Vec2, factor: f32) {
    let point = place(viewport, editor, px).unwrap_or(viewport.camera.target);
    viewport.camera.anchor(point);
    let at_px = viewport.view().px_of(point).unwrap_or(px);
    viewport.camera = viewport.view().zoomed(factor, at_px, viewport.bounds);
}

/// The point of the surface at a pixel, or the one that is seen nearest to it; none where there is no surface.
pub fn place(viewport: &Viewport, editor: &mut Editor, px: Vec2) -> Option<Vec3> {
    let view = viewport.view();
    match editor.pick(view.ray_at(px)) {
        Some(hit) => Some(hit.point),
        None => view.nearest(&posed_points(editor), px),
    }
}
