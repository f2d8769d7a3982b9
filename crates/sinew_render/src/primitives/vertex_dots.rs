//! Dots on the vertices of a mesh, coloured by weight and hidden by the surface in front of them. Straight from the
//! mesh's own streams: however many vertices there are, nothing is uploaded for a pose or a stroke. Where they would run
//! together, those that stand closest are left out until the view comes nearer.

use super::mesh::{Mesh, check_length};
use crate::frame::FRAME_WGSL;
use crate::gpu::{self, Depth};
use crate::ramp::{self, Ramp};
use crate::{RenderError, Renderer};

/// How far apart each vertex stands from those that are shown along with it, scene units; 0 for one that never has a dot.
pub struct DotSpread(wgpu::Buffer);

impl DotSpread {
    /// Uploads the distances for a mesh. `[n_vertices]`
    pub fn new(renderer: &Renderer, mesh: &Mesh, apart: &[f32]) -> Result<Self, RenderError> {
        check_length("distances of dots", mesh.n_vertices() as usize, apart.len())?;
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let (device, limits) = (renderer.device(), renderer.limits());
        Ok(Self(gpu::filled_buffer(device, limits, "distances of dots (bytes)", apart, usage)?))
    }
}

/// Dots on a mesh in this picture.
#[derive(Clone, Copy)]
pub struct VertexDots<'a> {
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Which of them there is room for.
    pub spread: &'a DotSpread,
    /// So many of its vertices, from the first.
    pub n_vertices: u32,
    /// Radius in logical points.
    pub radius_points: f32,
    /// The colours of weights.
    pub ramp: Ramp,
}

/// What the shader sees.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct VertexDotsUniform {
    /// Radius in logical points.
    pub radius_points: f32,
    /// How far a dot is pulled towards the viewer before the depth test, as a fraction of its distance.
    pub pull: f32,
    /// The row of the lookup texture.
    pub ramp_row: u32,
    /// Below this a weight is 0.
    pub zero_below: f32,
    /// From one dot's middle to the next at least, logical points.
    pub gap_points: f32,
    /// Twin of the padding in the shader.
    pub padding_0: f32,
    /// As before.
    pub padding_1: f32,
    /// As before.
    pub padding_2: f32,
}

/// From one dot's middle to the next, in diameters.
const GAP: f32 = 1.75;
/// Dots lie on the surface and must not be half sunk in it.
const PULL: f32 = 0.004;

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    [FRAME_WGSL, include_str!("../../shader/vertex_dots.wgsl")].concat()
}

pub(crate) struct VertexDotsPipeline {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
}

impl VertexDotsPipeline {
    pub fn new(device: &wgpu::Device, frame_layout: &wgpu::BindGroupLayout, sample_count: u32) -> Self {
        let ramps = wgpu::BindGroupLayoutEntry {
            binding: 1,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("vertex dots"),
            entries: &[gpu::buffer_entry(0, wgpu::ShaderStages::VERTEX, wgpu::BufferBindingType::Uniform), ramps],
        });
        let shader = gpu::shader(device, "vertex dots", shader_source());
        let streams = [
            (12, wgpu::vertex_attr_array![0 => Float32x3]),
            (4, wgpu::vertex_attr_array![1 => Float32]),
            (4, wgpu::vertex_attr_array![2 => Uint32]),
            (4, wgpu::vertex_attr_array![3 => Float32]),
        ];
        let buffers = streams.each_ref().map(|(array_stride, attributes)| {
            let step_mode = wgpu::VertexStepMode::Instance;
            Some(wgpu::VertexBufferLayout { array_stride: *array_stride, step_mode, attributes })
        });
        let parts = gpu::PipelineParts {
            label: "vertex dots",
            shader: &shader,
            extra_layout: Some(&layout),
            buffers: &buffers,
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            depth: Depth::Test,
            blend: Some(gpu::ALPHA_OVER),
        };
        Self { pipeline: gpu::pipeline(device, frame_layout, sample_count, parts), layout }
    }

    pub fn draw(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::RenderPass<'_>,
        ramps: &wgpu::TextureView,
        dots: &VertexDots<'_>,
    ) {
        let n = dots.n_vertices.min(dots.mesh.n_vertices());
        if n == 0 {
            return;
        }
        let uniform = VertexDotsUniform {
            radius_points: dots.radius_points,
            pull: PULL,
            ramp_row: dots.ramp.row(),
            zero_below: ramp::ZERO_BELOW,
            gap_points: 2.0 * GAP * dots.radius_points,
            padding_0: 0.0,
            padding_1: 0.0,
            padding_2: 0.0,
        };
        let buffer = gpu::uniform_buffer(device, "vertex dots", &uniform);
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("vertex dots"),
            layout: &self.layout,
            entries: &[entry(0, buffer.as_entire_binding()), entry(1, wgpu::BindingResource::TextureView(ramps))],
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &group, &[]);
        let [positions, weights, tints] = dots.mesh.vertex_streams();
        for (slot, stream) in (0..).zip([positions, weights, tints, &dots.spread.0]) {
            pass.set_vertex_buffer(slot, stream.slice(..));
        }
        pass.draw(0..4, 0..n);
    }
}
