//! The backdrop: a vertical gradient with a faint glow behind the model, dithered so that it shows no bands.

use glam::Vec4;

use crate::Color;
use crate::frame::FRAME_WGSL;
use crate::gpu::{self, Depth};

/// What stands behind everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    /// Colour at the top.
    pub top: Color,
    /// Colour at the bottom.
    pub bottom: Color,
    /// How much lighter the middle is, in sRGB steps of 0..=1.
    pub glow: f32,
}

impl Default for Background {
    /// The dark theme's viewport.
    fn default() -> Self {
        Self { top: Color::hex(0x3A3E46), bottom: Color::hex(0x202329), glow: 0.018 }
    }
}

/// What the shader sees.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct BackgroundUniform {
    /// sRGB-encoded top colour; w is the glow.
    pub top: Vec4,
    /// sRGB-encoded bottom colour; w is 1.
    pub bottom: Vec4,
}

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    [FRAME_WGSL, include_str!("../../shader/background.wgsl")].concat()
}

pub(crate) struct BackgroundPipeline {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
}

impl BackgroundPipeline {
    pub fn new(device: &wgpu::Device, frame_layout: &wgpu::BindGroupLayout, sample_count: u32) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("background"),
            entries: &[gpu::buffer_entry(0, wgpu::ShaderStages::FRAGMENT, wgpu::BufferBindingType::Uniform)],
        });
        let shader = gpu::shader(device, "background", shader_source());
        let parts = gpu::PipelineParts {
            label: "background",
            shader: &shader,
            extra_layout: Some(&layout),
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth: Depth::Ignore,
            blend: None,
        };
        Self { pipeline: gpu::pipeline(device, frame_layout, sample_count, parts), layout }
    }

    pub fn draw(&self, device: &wgpu::Device, pass: &mut wgpu::RenderPass<'_>, background: &Background) {
        let [r, g, b, _] = background.top.to_srgb();
        let uniform = BackgroundUniform {
            top: Vec4::new(r, g, b, background.glow),
            bottom: Vec4::from_array(background.bottom.to_srgb()),
        };
        let buffer = gpu::uniform_buffer(device, "background", &uniform);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("background"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}
