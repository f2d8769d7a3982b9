//! One device for all tests, and small scenes.

use std::sync::OnceLock;

use glam::camera::rh::{proj::directx as proj, view};
use glam::{Mat4, Vec2, Vec3};
use sinew_render::readback::{Picture, read_picture};
use sinew_render::{DrawList, Frame, HeadlessDevice, Mesh, MeshData, RenderError, Renderer};

/// The device, or `None` after saying that the test is skipped.
pub fn device() -> Option<&'static HeadlessDevice> {
    static DEVICE: OnceLock<Option<HeadlessDevice>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| HeadlessDevice::new().ok()).as_ref();
    if device.is_none() {
        println!("skipped: no GPU adapter");
    }
    device
}

/// A renderer with one sample a pixel.
pub fn renderer() -> Option<Renderer> {
    let gpu = device()?;
    Some(Renderer::new(&gpu.device, &gpu.queue, 1).expect("one sample is supported"))
}

/// The picture of a list.
pub fn picture(renderer: &Renderer, size_px: [u32; 2], frame: &Frame, list: &DrawList<'_>) -> Picture {
    let target = renderer.new_target(size_px).expect("the size is within the limits");
    renderer.draw_now(&target, frame, list).expect("the list can be drawn");
    read_picture(renderer.device(), renderer.queue(), &target).expect("the picture can be read")
}

/// Orthographic, looking along −z at the origin; scene units are pixels, y up, the origin in the middle.
pub fn pixel_frame(size_px: [u32; 2], pixels_per_point: f32) -> Frame {
    let [w, h] = size_px.map(|s| s as f32);
    // Reversed depth: z 100 is at 1 (near), z -100 at 0.
    let clip_from_view = Mat4::from_cols_array(&[
        2.0 / w,
        0.0,
        0.0,
        0.0, //
        0.0,
        2.0 / h,
        0.0,
        0.0, //
        0.0,
        0.0,
        0.005,
        0.0, //
        0.0,
        0.0,
        0.5,
        1.0,
    ]);
    Frame::new(clip_from_view, Mat4::IDENTITY, pixels_per_point)
}

/// Perspective with an infinite far plane, from `eye` to the origin.
pub fn perspective_frame(eye: Vec3) -> Frame {
    let clip_from_view = proj::perspective_infinite_reverse(0.8, 1.0, 0.01);
    Frame::new(clip_from_view, view::look_at_mat4(eye, Vec3::ZERO, Vec3::Y).inverse(), 1.0)
}

/// A square in the plane `z`, from −half to half, facing +z.
pub fn quad(renderer: &Renderer, half: f32, z: f32) -> Mesh {
    quad_wound(renderer, half, z, [0, 1, 2, 0, 2, 3]).expect("a quad fits any device")
}

/// The same with other triangles.
pub fn quad_wound(renderer: &Renderer, half: f32, z: f32, indices: [u32; 6]) -> Result<Mesh, RenderError> {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let data = MeshData {
        positions: &corners.map(|[x, y]| Vec3::new(x * half, y * half, z)),
        normals: &[Vec3::Z; 4],
        texcoords: &corners.map(|[x, y]| Vec2::new(0.5 + 0.5 * x, 0.5 - 0.5 * y)),
        indices: &indices,
    };
    Mesh::new(renderer, data)
}
