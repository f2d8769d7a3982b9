//! A quiet ground grid that fades out around its centre.

use glam::{Vec3, Vec4};

use crate::Color;
use crate::frame::FRAME_WGSL;
use crate::gpu::{self, Depth};

/// A square grid in a plane of scene space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Centre of the fade; lines pass through multiples of the cell from here.
    pub center: Vec3,
    /// Unit vector along one set of lines.
    pub u: Vec3,
    /// Unit vector along the other set.
    pub v: Vec3,
    /// Distance of two lines, in scene units.
    pub cell: f32,
    /// Distance from the centre at which the grid has faded out, in scene units.
    pub radius: f32,
    /// Width of a line in logical points.
    pub width_points: f32,
    /// Colour, and opacity at the centre.
    pub color: Color,
}

impl Grid {
    /// A ground plane for y up, of this radius, with cells of this size.
    pub fn ground(center: Vec3, cell: f32, radius: f32) -> Self {
        let color = Color::hex(0xC3C7CE).with_alpha(0.032);
        Self { center, u: Vec3::X, v: Vec3::Z, cell, radius, width_points: 1.0, color }
    }
}

/// What the shader sees.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct GridUniform {
    /// Centre; w is the radius.
    pub center: Vec4,
    /// One axis; w is the cell.
    pub u: Vec4,
    /// The other axis; w is the line width in points.
    pub v: Vec4,
    /// Linear colour, straight alpha.
    pub color: Vec4,
}

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    [FRAME_WGSL, include_str!("../../shader/grid.wgsl")].concat()
}

pub(crate) struct GridPipeline {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
}

impl GridPipeline {
    pub fn new(device: &wgpu::Device, frame_layout: &wgpu::BindGroupLayout, sample_count: u32) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("grid"),
            entries: &[gpu::buffer_entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT, wgpu::BufferBindingType::Uniform)],
        });
        let shader = gpu::shader(device, "grid", shader_source());
        let parts = gpu::PipelineParts {
            label: "grid",
            shader: &shader,
            extra_layout: Some(&layout),
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            depth: Depth::Test,
            blend: Some(gpu::ALPHA_OVER),
        };
        Self { pipeline: gpu::pipeline(device, frame_layout, sample_count, parts), layout }
    }

    pub fn draw(&self, device: &wgpu::Device, pass: &mut wgpu::RenderPass<'_>, grid: &Grid) {
        let uniform = GridUniform {
            center: grid.center.extend(grid.radius),
            u: grid.u.extend(grid.cell.max(1e-20)),
            v: grid.v.extend(grid.width_points),
            color: Vec4::from_array(grid.color.to_linear()),
        };
        let buffer = gpu::uniform_buffer(device, "grid", &uniform);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("grid"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &group, &[]);
        pass.draw(0..4, 0..1);
    }
}
