//! Lit triangle meshes: textured, in clay, or with one joint's weights as colours.
//!
//! Each vertex attribute has its own buffer, so that a pose uploads positions and normals alone and a stroke uploads
//! a range of weights. The weight is interpolated as a number and coloured per pixel.

use glam::{Vec2, Vec3, Vec4};

use crate::color::Color;
use crate::frame::FRAME_WGSL;
use crate::gpu::{self, Depth};
use crate::primitives::texture;
use crate::ramp::{self, Ramp};
use crate::{RenderError, Renderer};

/// The arrays of a mesh. Optional ones may be empty.
#[derive(Clone, Copy, Debug)]
pub struct MeshData<'a> {
    /// Posed positions, in scene space. `[n_vertices]`
    pub positions: &'a [Vec3],
    /// Posed unit normals, in scene space. `[n_vertices]`
    pub normals: &'a [Vec3],
    /// Texture coordinates, v down; empty for none. `[n_vertices]`
    pub texcoords: &'a [Vec2],
    /// Vertex indices, three a triangle; winding does not matter. `[3 * n_triangles]`
    pub indices: &'a [u32],
}

/// A mesh on the GPU. Weights start at 0, tints transparent.
pub struct Mesh {
    n_vertices: u32,
    n_indices: u32,
    positions: wgpu::Buffer,
    normals: wgpu::Buffer,
    texcoords: wgpu::Buffer,
    weights: wgpu::Buffer,
    tints: wgpu::Buffer,
    indices: wgpu::Buffer,
    n_bytes_written: std::sync::atomic::AtomicU64,
}

impl Mesh {
    /// Uploads a mesh.
    pub fn new(renderer: &Renderer, data: MeshData<'_>) -> Result<Self, RenderError> {
        use wgpu::BufferUsages as U;
        let n = data.positions.len();
        check_length("normals", n, data.normals.len())?;
        if !data.texcoords.is_empty() {
            check_length("texture coordinates", n, data.texcoords.len())?;
        }
        if let Some(&index) = data.indices.iter().find(|&&i| i as usize >= n) {
            let (index, count) = (u64::from(index), n as u64);
            return Err(RenderError::IndexOutOfRange { what: "triangle indices", index, count });
        }
        let (device, limits) = (renderer.device(), renderer.limits());
        // Compute skinning writes positions and normals where the device can bind them; a device too small for
        // that still draws them, posed by the CPU.
        let posed_bytes = size_of_val(data.positions) as u64;
        let can_bind = limits.max_storage_buffers_per_stage > 0 && posed_bytes <= limits.max_storage_binding_bytes;
        let posed = U::VERTEX | U::COPY_DST | U::COPY_SRC | if can_bind { U::STORAGE } else { U::empty() };
        let stream = U::VERTEX | U::COPY_DST | U::COPY_SRC;
        let fallback_texcoords = if data.texcoords.is_empty() { vec![Vec2::ZERO; n] } else { Vec::new() };
        let texcoords = if data.texcoords.is_empty() { &fallback_texcoords } else { data.texcoords };
        let triangles = &data.indices[..data.indices.len() / 3 * 3];
        Ok(Self {
            n_vertices: n as u32,
            n_indices: triangles.len() as u32,
            positions: gpu::filled_buffer(device, limits, "vertex positions (bytes)", data.positions, posed)?,
            normals: gpu::filled_buffer(device, limits, "vertex normals (bytes)", data.normals, posed)?,
            texcoords: gpu::filled_buffer(device, limits, "texture coordinates (bytes)", texcoords, stream)?,
            weights: gpu::filled_buffer(device, limits, "vertex weights (bytes)", &vec![0.0_f32; n], stream)?,
            tints: gpu::filled_buffer(device, limits, "vertex tints (bytes)", &vec![Color::TRANSPARENT; n], stream)?,
            indices: gpu::filled_buffer(device, limits, "triangle indices (bytes)", triangles, U::INDEX | U::COPY_DST)?,
            n_bytes_written: std::sync::atomic::AtomicU64::new(0),
        })
    }

    /// Number of vertices.
    pub fn n_vertices(&self) -> u32 {
        self.n_vertices
    }

    /// Number of triangle indices.
    pub fn n_indices(&self) -> u32 {
        self.n_indices
    }

    /// Posed positions, `[n_vertices]` × 3 f32, tightly packed.
    pub fn positions(&self) -> &wgpu::Buffer {
        &self.positions
    }

    /// Posed normals, `[n_vertices]` × 3 f32, tightly packed.
    pub fn normals(&self) -> &wgpu::Buffer {
        &self.normals
    }

    /// What the surface shows as numbers, `[n_vertices]` f32, tightly packed.
    pub fn weights(&self) -> &wgpu::Buffer {
        &self.weights
    }

    /// How much was written into its streams since it was made, bytes: what a stroke costs.
    pub fn n_bytes_written(&self) -> u64 {
        self.n_bytes_written.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// What dots on the vertices read: positions, weights, tints.
    pub(crate) fn vertex_streams(&self) -> [&wgpu::Buffer; 3] {
        [&self.positions, &self.weights, &self.tints]
    }

    /// Replaces positions from `first` on, in scene space.
    pub fn set_positions(&self, renderer: &Renderer, first: u32, positions: &[Vec3]) -> Result<(), RenderError> {
        self.write(renderer, "positions", &self.positions, first, positions)
    }

    /// Replaces unit normals from `first` on, in scene space.
    pub fn set_normals(&self, renderer: &Renderer, first: u32, normals: &[Vec3]) -> Result<(), RenderError> {
        self.write(renderer, "normals", &self.normals, first, normals)
    }

    /// Replaces the numbers that the surface shows from `first` on: one joint's weights, or differences.
    pub fn set_weights(&self, renderer: &Renderer, first: u32, weights: &[f32]) -> Result<(), RenderError> {
        self.write(renderer, "weights", &self.weights, first, weights)
    }

    /// Replaces tints from `first` on. A tint's alpha says how much of it covers the vertex's own colour; use it for
    /// marks (blocked, over budget, unweighted) and for maps of other numbers (squash).
    pub fn set_tints(&self, renderer: &Renderer, first: u32, tints: &[Color]) -> Result<(), RenderError> {
        self.write(renderer, "tints", &self.tints, first, tints)
    }

    /// Replaces the first triangle indices: those that are not hidden. Which of them are drawn says [`MeshDraw::indices`].
    pub fn set_indices(&self, renderer: &Renderer, indices: &[u32]) -> Result<(), RenderError> {
        let (n, count) = (indices.len() as u64, u64::from(self.n_indices));
        if n > count {
            return Err(RenderError::IndexOutOfRange { what: "triangle indices", index: n, count });
        }
        if let Some(&index) = indices.iter().find(|&&i| i >= self.n_vertices) {
            let (index, count) = (u64::from(index), u64::from(self.n_vertices));
            return Err(RenderError::IndexOutOfRange { what: "triangle indices", index, count });
        }
        renderer.queue().write_buffer(&self.indices, 0, bytemuck::cast_slice(indices));
        Ok(())
    }

    fn write<T: bytemuck::NoUninit>(
        &self,
        renderer: &Renderer,
        what: &'static str,
        buffer: &wgpu::Buffer,
        first: u32,
        items: &[T],
    ) -> Result<(), RenderError> {
        let (end, count) = (u64::from(first) + items.len() as u64, u64::from(self.n_vertices));
        if end > count {
            return Err(RenderError::IndexOutOfRange { what, index: end - 1, count });
        }
        if !items.is_empty() {
            let offset = u64::from(first) * size_of::<T>() as u64;
            renderer.queue().write_buffer(buffer, offset, bytemuck::cast_slice(items));
            self.n_bytes_written.fetch_add(size_of_val(items) as u64, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(())
    }
}

pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), RenderError> {
    if expected == found {
        return Ok(());
    }
    Err(RenderError::LengthMismatch { what, expected: expected as u64, found: found as u64 })
}

/// What a mesh's surface shows.
#[repr(u32)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshMode {
    /// The material's colour and texture.
    Textured = 0,
    /// Plain clay.
    #[default]
    Clay = 1,
    /// The weight ramp; clay where the weight is 0.
    Weights = 2,
    /// The difference ramp over clay; the weight stream holds each vertex's share of the largest difference shown.
    Difference = 3,
}

/// How a mesh is shown in this picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshStyle {
    /// What the surface shows.
    pub mode: MeshMode,
    /// The colour of clay.
    pub clay: Color,
    /// Contour lines at multiples of 1/n of the weight; 0 for none.
    pub n_contours: u32,
    /// The colours of weights. One picture has at most one custom ramp.
    pub ramp: Ramp,
    /// How much ramps cover what lies under them, 0 to 1.
    pub opacity: f32,
    /// How much tints cover, a factor on their own alpha.
    pub tint_opacity: f32,
    /// Whether the material shows under ramps, in place of clay.
    pub is_textured_under: bool,
    /// Whether a weight of exactly 0 is marked dark, in place of what lies under the ramp.
    pub marks_zero: bool,
    /// Whether light tints are drawn as stripes, so that no ramp looks like them; dark ones shade all the same.
    pub has_stripes: bool,
}

impl Default for MeshStyle {
    fn default() -> Self {
        Self {
            mode: MeshMode::Clay,
            clay: Color::hex(0xB9B5B0),
            n_contours: 0,
            ramp: Ramp::Tide,
            opacity: 1.0,
            tint_opacity: 1.0,
            is_textured_under: false,
            marks_zero: false,
            has_stripes: false,
        }
    }
}

/// Picture data of a material.
#[derive(Clone, Copy, Debug)]
pub struct MaterialData<'a> {
    /// Linear factor on the colour, with alpha.
    pub base_color: Vec4,
    /// sRGB RGBA bytes, rows from the top, with width and height; `[height * width * 4]`.
    pub texture: Option<(&'a [u8], [u32; 2])>,
    /// Pixels with less alpha are left out; 0 keeps all.
    pub alpha_cutoff: f32,
}

impl Default for MaterialData<'_> {
    fn default() -> Self {
        Self { base_color: Vec4::ONE, texture: None, alpha_cutoff: 0.0 }
    }
}

/// A material on the GPU.
pub struct Material {
    base_color: Vec4,
    alpha_cutoff: f32,
    texture: Option<wgpu::TextureView>,
}

impl Material {
    /// Uploads a material and its texture, with smaller levels for far views.
    pub fn new(renderer: &Renderer, data: MaterialData<'_>) -> Result<Self, RenderError> {
        let texture = match data.texture {
            Some((rgba, [width, height])) if width > 0 && height > 0 => {
                check_length("texture bytes", width as usize * height as usize * 4, rgba.len())?;
                renderer.limits().check_texture("texture (pixels along one side)", [width, height])?;
                Some(texture::color_texture(renderer.device(), renderer.queue(), "base color", rgba, [width, height]))
            }
            _ => None,
        };
        Ok(Self { base_color: data.base_color, alpha_cutoff: data.alpha_cutoff, texture })
    }
}

/// A mesh, or a range of its triangles, in this picture.
#[derive(Clone)]
pub struct MeshDraw<'a> {
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Its material; `None` for white.
    pub material: Option<&'a Material>,
    /// Which indices to draw; `None` for all. Cut to the mesh's own range.
    pub indices: Option<std::ops::Range<u32>>,
    /// How to show it.
    pub style: MeshStyle,
}

/// What the shader sees.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct MeshUniform {
    /// Linear factor on the texture.
    pub base_color: Vec4,
    /// Linear clay colour; w is 1.
    pub clay: Vec4,
    /// A [`MeshMode`] as a number.
    pub mode: u32,
    /// Contours a unit of weight.
    pub n_contours: u32,
    /// Pixels with less alpha are left out.
    pub alpha_cutoff: f32,
    /// Below this a weight is 0.
    pub zero_below: f32,
    /// From this on a weight is 1.
    pub one_from: f32,
    /// The row of the lookup texture that weights take.
    pub ramp_row: u32,
    /// How much ramps cover.
    pub opacity: f32,
    /// How much tints cover.
    pub tint_opacity: f32,
    /// 1 if the material shows under ramps.
    pub is_textured_under: u32,
    /// 1 if a weight of exactly 0 is marked.
    pub marks_zero: u32,
    /// 1 if light tints are drawn as stripes.
    pub has_stripes: u32,
    /// Twin of the padding in the shader.
    pub padding: u32,
}

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    [FRAME_WGSL, include_str!("../../shader/mesh.wgsl")].concat()
}

pub(crate) struct MeshPipeline {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    white: wgpu::TextureView,
    base_sampler: wgpu::Sampler,
}

impl MeshPipeline {
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame_layout: &wgpu::BindGroupLayout,
        sample_count: u32,
    ) -> Self {
        let texture_entry = |binding, filterable| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let sampler_entry = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("mesh"),
            entries: &[
                gpu::buffer_entry(0, wgpu::ShaderStages::FRAGMENT, gpu::branch_constants(device)),
                texture_entry(1, true),
                sampler_entry(2),
                texture_entry(3, false),
            ],
        });
        let streams = [
            (12, wgpu::vertex_attr_array![0 => Float32x3]),
            (12, wgpu::vertex_attr_array![1 => Float32x3]),
            (8, wgpu::vertex_attr_array![2 => Float32x2]),
            (4, wgpu::vertex_attr_array![3 => Float32]),
            (4, wgpu::vertex_attr_array![4 => Uint32]),
        ];
        let buffers = streams.each_ref().map(|(array_stride, attributes)| {
            let step_mode = wgpu::VertexStepMode::Vertex;
            Some(wgpu::VertexBufferLayout { array_stride: *array_stride, step_mode, attributes })
        });
        let shader = gpu::shader(device, "mesh", gpu::with_branch_constants(device, shader_source(), "mesh"));
        let parts = gpu::PipelineParts {
            label: "mesh",
            shader: &shader,
            extra_layout: Some(&layout),
            buffers: &buffers,
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth: Depth::TestAndWrite,
            blend: None,
        };
        let linear = wgpu::FilterMode::Linear;
        Self {
            pipeline: gpu::pipeline(device, frame_layout, sample_count, parts),
            layout,
            white: texture::color_texture(device, queue, "white", &[255; 4], [1, 1]),
            base_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("base color"),
                address_mode_u: wgpu::AddressMode::Repeat,
                address_mode_v: wgpu::AddressMode::Repeat,
                mag_filter: linear,
                min_filter: linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            }),
        }
    }

    pub fn draw(
        &self,
        device: &wgpu::Device,
        pass: &mut wgpu::RenderPass<'_>,
        ramps: &wgpu::TextureView,
        draw: &MeshDraw<'_>,
    ) {
        let mesh = draw.mesh;
        let range = draw.indices.clone().unwrap_or(0..mesh.n_indices);
        let range = range.start..range.end.min(mesh.n_indices);
        if range.is_empty() {
            return;
        }
        let material = draw.material;
        let uniform = MeshUniform {
            base_color: material.map_or(Vec4::ONE, |m| m.base_color),
            clay: Vec4::from_array(draw.style.clay.to_linear()),
            mode: draw.style.mode as u32,
            n_contours: draw.style.n_contours,
            alpha_cutoff: material.map_or(0.0, |m| m.alpha_cutoff),
            zero_below: ramp::ZERO_BELOW,
            one_from: ramp::ONE_FROM,
            ramp_row: draw.style.ramp.row(),
            opacity: draw.style.opacity.clamp(0.0, 1.0),
            tint_opacity: draw.style.tint_opacity.clamp(0.0, 1.0),
            is_textured_under: u32::from(draw.style.is_textured_under),
            marks_zero: u32::from(draw.style.marks_zero),
            has_stripes: u32::from(draw.style.has_stripes),
            padding: 0,
        };
        let buffer = gpu::uniform_buffer(device, "mesh", &uniform);
        let base = material.and_then(|m| m.texture.as_ref()).unwrap_or(&self.white);
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("mesh"),
            layout: &self.layout,
            entries: &[
                entry(0, buffer.as_entire_binding()),
                entry(1, wgpu::BindingResource::TextureView(base)),
                entry(2, wgpu::BindingResource::Sampler(&self.base_sampler)),
                entry(3, wgpu::BindingResource::TextureView(ramps)),
            ],
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &group, &[]);
        let streams = [&mesh.positions, &mesh.normals, &mesh.texcoords, &mesh.weights, &mesh.tints];
        for (slot, stream) in (0..).zip(streams) {
            pass.set_vertex_buffer(slot, stream.slice(..));
        }
        pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(range, 0, 0..1);
    }
}
