//! Anti-aliased line segments with a width in points.

use glam::Vec3;

use super::instances::Instance;
use crate::Color;
use crate::frame::FRAME_WGSL;

/// How a segment ends.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// Cut off at the end point: for polylines, whose segments must not overlap.
    Butt = 0,
    /// A half disc beyond the end point.
    Round = 1,
}

/// A segment in scene space. Also what the GPU reads, one instance each.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Line {
    /// One end, in scene space.
    pub start: Vec3,
    /// Width in logical points.
    pub width_points: f32,
    /// The other end, in scene space.
    pub end: Vec3,
    /// Colour and opacity.
    pub color: Color,
    /// A [`Cap`] as a number.
    pub cap: u32,
    /// How far the segment is pulled towards the viewer before the depth test, as a fraction of its distance, so
    /// that a line on a surface is not half sunk in it. 0.002 suits a brush ring.
    pub pull: f32,
    /// Twin of the padding in the shader.
    pub padding: [u32; 2],
}

impl Line {
    /// A segment with round ends that is not pulled towards the viewer.
    pub fn new(start: Vec3, end: Vec3, width_points: f32, color: Color) -> Self {
        Self { start, width_points, end, color, cap: Cap::Round as u32, pull: 0.0, padding: [0; 2] }
    }

    /// The same segment with other ends.
    #[must_use]
    pub fn with_cap(self, cap: Cap) -> Self {
        Self { cap: cap as u32, ..self }
    }

    /// The same segment, pulled towards the viewer by this fraction of its distance before the depth test.
    #[must_use]
    pub fn with_pull(self, pull: f32) -> Self {
        Self { pull, ..self }
    }
}

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    [FRAME_WGSL, include_str!("../../shader/lines.wgsl")].concat()
}

impl Instance for Line {
    const WHAT: &'static str = "lines";
    const ATTRIBUTES: &'static [wgpu::VertexAttribute] = &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Uint32, 4 => Uint32, 5 => Float32, 6 => Uint32x2];

    fn shader_source() -> String {
        shader_source()
    }
}
