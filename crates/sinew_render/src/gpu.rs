//! What all pipelines share: formats, blending, and checked buffers.

use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

use crate::target::{DEPTH_FORMAT, drawn_format};
use crate::{GpuLimits, RenderError};

/// How a pipeline treats depth. Depth is reversed: greater is nearer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Hidden by what is nearer, and hides what is farther.
    TestAndWrite,
    /// Hidden by what is nearer.
    Test,
    /// Always seen.
    Ignore,
}

/// The parts in which the drawing pipelines differ.
pub(crate) struct PipelineParts<'a> {
    pub label: &'static str,
    pub shader: &'a wgpu::ShaderModule,
    pub extra_layout: Option<&'a wgpu::BindGroupLayout>,
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub topology: wgpu::PrimitiveTopology,
    pub depth: Depth,
    pub blend: Option<wgpu::BlendState>,
}

/// Builds a pipeline for the off-screen target; entry points are `vs_main` and `fs_main`.
pub(crate) fn pipeline(
    device: &wgpu::Device,
    frame_layout: &wgpu::BindGroupLayout,
    sample_count: u32,
    parts: PipelineParts<'_>,
) -> wgpu::RenderPipeline {
    let mut groups = vec![Some(frame_layout)];
    groups.extend(parts.extra_layout.map(Some));
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(parts.label),
        bind_group_layouts: &groups,
        immediate_size: 0,
    });
    let compare =
        if parts.depth == Depth::Ignore { wgpu::CompareFunction::Always } else { wgpu::CompareFunction::GreaterEqual };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(parts.label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: parts.shader,
            entry_point: Some("vs_main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: parts.buffers,
        },
        primitive: wgpu::PrimitiveState { topology: parts.topology, ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(parts.depth == Depth::TestAndWrite),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: sample_count, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: parts.shader,
            entry_point: Some("fs_main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: drawn_format(device),
                blend: parts.blend,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Straight alpha over an opaque picture, which stays opaque.
pub(crate) const ALPHA_OVER: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::SrcAlpha,
        dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
        operation: wgpu::BlendOperation::Add,
    },
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
        operation: wgpu::BlendOperation::Add,
    },
};

pub(crate) fn shader(device: &wgpu::Device, label: &str, source: String) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}

/// A filled buffer, checked against the limits. Empty data makes a small buffer, so that it can be bound.
pub(crate) fn filled_buffer<T: bytemuck::NoUninit>(
    device: &wgpu::Device,
    limits: &GpuLimits,
    what: &'static str,
    data: &[T],
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, RenderError> {
    let bytes: &[u8] = bytemuck::cast_slice(data);
    if usage.contains(wgpu::BufferUsages::STORAGE) {
        limits.check_storage(what, bytes.len() as u64)?;
    } else {
        limits.check_buffer(what, bytes.len() as u64)?;
    }
    let contents = if bytes.is_empty() { &[0; 16] } else { bytes };
    Ok(device.create_buffer_init(&BufferInitDescriptor { label: Some(what), contents, usage }))
}

/// A uniform buffer that lives for one picture.
pub(crate) fn uniform_buffer<T: bytemuck::NoUninit>(device: &wgpu::Device, label: &str, value: &T) -> wgpu::Buffer {
    device.create_buffer_init(&BufferInitDescriptor {
        label: Some(label),
        contents: bytemuck::bytes_of(value),
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::STORAGE,
    })
}

/// How a shader that branches on its constants reads them: as storage, where the device has that.
///
/// Lavapipe compiles a shader anew for every draw whose branches depend on a uniform buffer (milliseconds), and keeps
/// what it compiled for good (a megabyte a draw). What it reads from storage it takes as it comes.
pub(crate) fn branch_constants(device: &wgpu::Device) -> wgpu::BufferBindingType {
    if device.limits().max_storage_buffers_per_shader_stage > 0 {
        wgpu::BufferBindingType::Storage { read_only: true }
    } else {
        wgpu::BufferBindingType::Uniform
    }
}

/// The source of such a shader, written with a uniform buffer, for this device.
pub(crate) fn with_branch_constants(device: &wgpu::Device, source: String, name: &str) -> String {
    match branch_constants(device) {
        wgpu::BufferBindingType::Uniform => source,
        wgpu::BufferBindingType::Storage { .. } => {
            source.replace(&format!("var<uniform> {name}:"), &format!("var<storage, read> {name}:"))
        }
    }
}

pub(crate) fn buffer_entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BufferBindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}
