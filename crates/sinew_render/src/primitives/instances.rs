//! Instanced quads: what lines, dots and bones have in common. The vertex shader places four corners per instance.

use crate::gpu::{self, Depth};
use crate::{GpuLimits, RenderError};

/// A pipeline for one kind of instance, with and without a depth test.
pub(crate) struct InstancePipeline {
    what: &'static str,
    tested: wgpu::RenderPipeline,
    on_top: wgpu::RenderPipeline,
}

/// What the GPU reads once for each quad.
pub(crate) trait Instance {
    /// What they are called in messages.
    const WHAT: &'static str;
    /// The fields, in order.
    const ATTRIBUTES: &'static [wgpu::VertexAttribute];

    /// The shader as the pipeline uses it.
    fn shader_source() -> String;
}

/// One picture's instances.
pub(crate) struct Instances {
    buffer: wgpu::Buffer,
    count: u32,
}

impl InstancePipeline {
    pub fn new<T: Instance>(device: &wgpu::Device, frame_layout: &wgpu::BindGroupLayout, sample_count: u32) -> Self {
        let what = T::WHAT;
        let shader = gpu::shader(device, what, T::shader_source());
        let build = |depth| {
            let layout = wgpu::VertexBufferLayout {
                array_stride: size_of::<T>() as u64,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: T::ATTRIBUTES,
            };
            let parts = gpu::PipelineParts {
                label: what,
                shader: &shader,
                extra_layout: None,
                buffers: &[Some(layout)],
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                depth,
                blend: Some(gpu::ALPHA_OVER),
            };
            gpu::pipeline(device, frame_layout, sample_count, parts)
        };
        Self { what, tested: build(Depth::Test), on_top: build(Depth::Ignore) }
    }

    pub fn prepare<T: bytemuck::NoUninit>(
        &self,
        device: &wgpu::Device,
        limits: &GpuLimits,
        instances: &[T],
    ) -> Result<Instances, RenderError> {
        let buffer = gpu::filled_buffer(device, limits, self.what, instances, wgpu::BufferUsages::VERTEX)?;
        Ok(Instances { buffer, count: instances.len() as u32 })
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, instances: &Instances, is_on_top: bool) {
        if instances.count == 0 {
            return;
        }
        pass.set_pipeline(if is_on_top { &self.on_top } else { &self.tested });
        pass.set_vertex_buffer(0, instances.buffer.slice(..));
        pass.draw(0..4, 0..instances.count);
    }
}
