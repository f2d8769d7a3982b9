//! A picture of an editor's session without a window.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use sinew_edit::Editor;
use sinew_io::Rgba;
use sinew_render::readback::{Picture, read_picture};
use sinew_render::{HeadlessDevice, RenderError, Renderer};

use super::camera::{Camera, View};
use super::draw::{self, Extras};
use super::options::ViewOptions;
use super::scene::Scene;

/// What the picture is to show.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StillOptions {
    /// Width and height, pixels.
    pub size_px: [u32; 2],
    /// Yaw and pitch of the camera, degrees; see [`super::camera::NamedView`].
    pub yaw_pitch_deg: [f32; 2],
    /// What surfaces show.
    pub view: ViewOptions,
    /// Whether the GPU poses, else the CPU.
    pub skin_on_gpu: bool,
    /// Fit only what is within a distance of a point into the picture, scene units; the whole model if unset.
    pub focus: Option<(Vec3, f32)>,
}

impl Default for StillOptions {
    fn default() -> Self {
        let view = ViewOptions { joints: false, ..ViewOptions::default() };
        Self { size_px: [1280, 800], yaw_pitch_deg: [0.0, 0.0], view, skin_on_gpu: false, focus: None }
    }
}

/// Draws the session (pose, deformer, active joint) so that the posed model just fits the picture. `images` are the
/// document's, decoded ([`crate::files::decode_images`]).
pub fn render(
    gpu: &HeadlessDevice,
    editor: &mut Editor,
    images: &[Option<Arc<Rgba>>],
    options: &StillOptions,
) -> Result<Picture, RenderError> {
    let renderer = Renderer::new(&gpu.device, &gpu.queue, 4)?;
    let target = renderer.new_target(options.size_px)?;
    let bounds = editor.bounds();
    let mut points = super::posed_points(editor);
    if let Some((center, radius)) = options.focus {
        points.retain(|point| point.distance(center) <= radius);
    }
    let mut camera = Camera::default();
    camera.look(options.yaw_pitch_deg);
    camera.frame(&points, Vec2::new(options.size_px[0] as f32, options.size_px[1] as f32));
    let view = View::new(camera, options.size_px);
    let mut scene = Scene::new(&renderer, editor, images, options.skin_on_gpu)?;
    let extras = Extras { bounds, ..Extras::default() };
    draw::draw(&renderer, &target, &mut scene, editor, (&view, 1.0), &options.view, extras)?;
    read_picture(&gpu.device, &gpu.queue, &target)
}
