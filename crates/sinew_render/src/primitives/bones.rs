//! Bones over the skin: a kite from joint to joint with a translucent fill and a thin outline, widths in points.

use glam::Vec3;

use super::instances::Instance;
use crate::Color;
use crate::frame::FRAME_WGSL;

/// A bone in scene space. Also what the GPU reads, one instance each.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Bone {
    /// Where the joint is, in scene space.
    pub head: Vec3,
    /// Greatest half width of the kite in logical points; a short bone is slimmer.
    pub half_width_points: f32,
    /// Where the bone ends, in scene space.
    pub tail: Vec3,
    /// Fill; usually translucent.
    pub fill: Color,
    /// Outline.
    pub outline: Color,
    /// Width of the outline in logical points.
    pub outline_points: f32,
    /// Twin of the padding in the shader.
    pub padding: [u32; 2],
}

impl Bone {
    /// A bone with the usual proportions in one colour: opaque outline, translucent fill.
    pub fn new(head: Vec3, tail: Vec3, color: Color) -> Self {
        Self {
            head,
            half_width_points: 16.0,
            tail,
            fill: color.with_alpha(0.22),
            outline: color.with_alpha(0.92),
            outline_points: 1.2,
            padding: [0; 2],
        }
    }
}

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    [FRAME_WGSL, include_str!("../../shader/bones.wgsl")].concat()
}

impl Instance for Bone {
    const WHAT: &'static str = "bones";
    const ATTRIBUTES: &'static [wgpu::VertexAttribute] = &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Uint32, 4 => Uint32, 5 => Float32, 6 => Uint32x2];

    fn shader_source() -> String {
        shader_source()
    }
}
