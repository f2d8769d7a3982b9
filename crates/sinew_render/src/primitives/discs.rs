//! Round dots with a radius in points, always facing the viewer.

use glam::Vec3;

use super::instances::Instance;
use crate::Color;
use crate::frame::FRAME_WGSL;

/// A dot in scene space. Also what the GPU reads, one instance each.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Disc {
    /// Centre, in scene space.
    pub center: Vec3,
    /// Radius without the outline, in logical points.
    pub radius_points: f32,
    /// Fill.
    pub color: Color,
    /// Outline, drawn outside the radius.
    pub outline_color: Color,
    /// Width of the outline in logical points.
    pub outline_points: f32,
    /// How far the dot is pulled towards the viewer before the depth test, as a fraction of its distance.
    pub pull: f32,
}

impl Disc {
    /// A dot with no outline.
    pub fn new(center: Vec3, radius_points: f32, color: Color) -> Self {
        let outline_color = Color::TRANSPARENT;
        Self { center, radius_points, color, outline_color, outline_points: 0.0, pull: 0.002 }
    }

    /// The same dot with an outline.
    #[must_use]
    pub fn with_outline(self, outline_points: f32, outline_color: Color) -> Self {
        Self { outline_color, outline_points, ..self }
    }
}

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    [FRAME_WGSL, include_str!("../../shader/discs.wgsl")].concat()
}

impl Instance for Disc {
    const WHAT: &'static str = "discs";
    const ATTRIBUTES: &'static [wgpu::VertexAttribute] =
        &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Uint32, 3 => Uint32, 4 => Float32, 5 => Float32];

    fn shader_source() -> String {
        shader_source()
    }
}
