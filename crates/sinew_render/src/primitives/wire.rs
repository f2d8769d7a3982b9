//! A mesh's edges as one-pixel lines over its surface, straight from the mesh's own posed positions.

use glam::Vec4;

use super::mesh::Mesh;
use crate::frame::FRAME_WGSL;
use crate::gpu::{self, Depth};
use crate::{Color, RenderError, Renderer};

/// The edges to draw: pairs of vertex indices of a mesh.
pub struct Wire {
    indices: wgpu::Buffer,
    n_indices: u32,
    n_vertices: u32,
}

impl Wire {
    /// Uploads these edges. Indices must be below `n_vertices`, the mesh's vertex count.
    pub fn new(renderer: &Renderer, n_vertices: u32, edges: &[[u32; 2]]) -> Result<Self, RenderError> {
        let past = edges.as_flattened().iter().find(|&&i| i >= n_vertices);
        if let Some(&index) = past {
            let (index, count) = (u64::from(index), u64::from(n_vertices));
            return Err(RenderError::IndexOutOfRange { what: "wire edges", index, count });
        }
        let what = "wire edges (bytes)";
        let indices = gpu::filled_buffer(renderer.device(), renderer.limits(), what, edges, wgpu::BufferUsages::INDEX)?;
        Ok(Self { indices, n_indices: edges.len() as u32 * 2, n_vertices })
    }
}

/// A wire over its mesh in this picture.
#[derive(Clone, Copy)]
pub struct WireDraw<'a> {
    /// Gives the positions. Must have the vertex count that the wire was made for, else nothing is drawn.
    pub mesh: &'a Mesh,
    /// The edges.
    pub wire: &'a Wire,
    /// Colour and opacity; translucent is calmer.
    pub color: Color,
}

/// What the shader sees.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct WireUniform {
    /// Linear colour, straight alpha.
    pub color: Vec4,
}

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    [FRAME_WGSL, include_str!("../../shader/wire.wgsl")].concat()
}

pub(crate) struct WirePipeline {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
}

impl WirePipeline {
    pub fn new(device: &wgpu::Device, frame_layout: &wgpu::BindGroupLayout, sample_count: u32) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("wire"),
            entries: &[gpu::buffer_entry(0, wgpu::ShaderStages::FRAGMENT, wgpu::BufferBindingType::Uniform)],
        });
        let shader = gpu::shader(device, "wire", shader_source());
        let attributes = wgpu::vertex_attr_array![0 => Float32x3];
        let positions = wgpu::VertexBufferLayout {
            array_stride: 12,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        };
        let parts = gpu::PipelineParts {
            label: "wire",
            shader: &shader,
            extra_layout: Some(&layout),
            buffers: &[Some(positions)],
            topology: wgpu::PrimitiveTopology::LineList,
            depth: Depth::Test,
            blend: Some(gpu::ALPHA_OVER),
        };
        Self { pipeline: gpu::pipeline(device, frame_layout, sample_count, parts), layout }
    }

    pub fn draw(&self, device: &wgpu::Device, pass: &mut wgpu::RenderPass<'_>, draw: &WireDraw<'_>) {
        if draw.wire.n_indices == 0 || draw.wire.n_vertices != draw.mesh.n_vertices() {
            return;
        }
        let uniform = WireUniform { color: Vec4::from_array(draw.color.to_linear()) };
        let buffer = gpu::uniform_buffer(device, "wire", &uniform);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("wire"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &group, &[]);
        pass.set_vertex_buffer(0, draw.mesh.positions().slice(..));
        pass.set_index_buffer(draw.wire.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..draw.wire.n_indices, 0, 0..1);
    }
}
