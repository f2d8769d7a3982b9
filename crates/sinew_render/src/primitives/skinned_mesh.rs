//! Skinning by a compute pass that writes posed positions and normals where the lit mesh draws them from.
//!
//! For real graphics devices. On a CPU adapter it is slower than the CPU deformers; those are also the reference
//! that the results are held to.

use glam::{Vec3, Vec4};

use super::mesh::{Mesh, check_length};
use crate::gpu;
use crate::{RenderError, Renderer};

/// One joint's share of a vertex. Weight 0 is no influence, and so is a joint past the palette.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Influence {
    /// Index into the palette.
    pub joint: u32,
    /// Its weight; the weights of a vertex sum to 1.
    pub weight: f32,
}

/// One joint of the palette, as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct PaletteJoint {
    /// Rows of the matrix from mesh space at bind to scene space as posed.
    pub rows: [Vec4; 3],
    /// Polar factor of its 3×3: a proper rotation, as a unit quaternion (x, y, z, w).
    pub rotation: Vec4,
    /// The other polar factor, a symmetric matrix (negative where the joint mirrors): xx, yy, zz, 0 and xy, xz, yz, 0.
    pub stretch: [Vec4; 2],
}

/// How influences are blended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinMethod {
    /// Linear blend skinning.
    Linear = 0,
    /// Dual quaternions (Kavan et al. 2008), carried over to scale and shear per vertex.
    DualQuaternion = 1,
}

/// What does not change while posing.
#[derive(Clone, Copy, Debug)]
pub struct SkinnedMeshData<'a> {
    /// Rest positions, in mesh space at bind. `[n_vertices]`
    pub rest_positions: &'a [Vec3],
    /// Rest unit normals. `[n_vertices]`
    pub rest_normals: &'a [Vec3],
    /// Influences, the same number for every vertex, padded with weight 0. `[n_vertices * n_per_vertex]`
    pub influences: &'a [Influence],
    /// Influences a vertex.
    pub n_per_vertex: u32,
}

/// Rest data, rows and palette of a mesh on the GPU.
pub struct SkinnedMesh {
    n_vertices: u32,
    n_per_vertex: u32,
    n_joints: u32,
    rest_positions: wgpu::Buffer,
    rest_normals: wgpu::Buffer,
    influences: wgpu::Buffer,
    palette: wgpu::Buffer,
}

/// What the shader sees.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct SkinningUniform {
    /// Number of vertices.
    pub n_vertices: u32,
    /// Influences a vertex.
    pub n_per_vertex: u32,
    /// Length of the palette.
    pub n_joints: u32,
    /// A [`SkinMethod`] as a number.
    pub method: u32,
    /// Invocations along x in one row of the dispatch.
    pub n_along_x: u32,
    /// Twin of the padding in the shader.
    pub padding_0: u32,
    /// As before.
    pub padding_1: u32,
    /// As before.
    pub padding_2: u32,
}

const WORKGROUP: u32 = 64;
const N_STORAGE_BUFFERS: u32 = 6;

impl SkinnedMesh {
    /// Uploads rest data and rows, with an empty palette.
    pub fn new(renderer: &Renderer, data: SkinnedMeshData<'_>) -> Result<Self, RenderError> {
        if renderer.skinning().is_none() {
            return Err(RenderError::NoCompute);
        }
        let n = data.rest_positions.len();
        check_length("rest normals", n, data.rest_normals.len())?;
        check_length("influences", n * data.n_per_vertex as usize, data.influences.len())?;
        let (device, limits) = (renderer.device(), renderer.limits());
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        Ok(Self {
            n_vertices: n as u32,
            n_per_vertex: data.n_per_vertex,
            n_joints: 0,
            rest_positions: gpu::filled_buffer(device, limits, "rest positions (bytes)", data.rest_positions, usage)?,
            rest_normals: gpu::filled_buffer(device, limits, "rest normals (bytes)", data.rest_normals, usage)?,
            influences: gpu::filled_buffer(device, limits, "influences (bytes)", data.influences, usage)?,
            palette: gpu::filled_buffer(device, limits, "palette (bytes)", &[PaletteJoint::IDENTITY], usage)?,
        })
    }

    /// Replaces the rows of vertices from `first` on; whole rows.
    pub fn set_influences(&self, renderer: &Renderer, first: u32, influences: &[Influence]) -> Result<(), RenderError> {
        let stride = u64::from(self.n_per_vertex);
        let begin = u64::from(first) * stride;
        let (end, count) = (begin + influences.len() as u64, u64::from(self.n_vertices) * stride);
        if end > count {
            return Err(RenderError::IndexOutOfRange { what: "influences", index: end - 1, count });
        }
        if !influences.is_empty() {
            let offset = begin * size_of::<Influence>() as u64;
            renderer.queue().write_buffer(&self.influences, offset, bytemuck::cast_slice(influences));
        }
        Ok(())
    }

    /// Replaces the palette; any number of joints that the device can hold.
    pub fn set_palette(&mut self, renderer: &Renderer, palette: &[PaletteJoint]) -> Result<(), RenderError> {
        let bytes: &[u8] = bytemuck::cast_slice(palette);
        if self.palette.size() == bytes.len() as u64 {
            renderer.queue().write_buffer(&self.palette, 0, bytes);
        } else {
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
            let what = "palette (bytes)";
            let one = [PaletteJoint::IDENTITY];
            let filled = if palette.is_empty() { &one } else { palette };
            self.palette = gpu::filled_buffer(renderer.device(), renderer.limits(), what, filled, usage)?;
        }
        self.n_joints = palette.len() as u32;
        Ok(())
    }

    /// Records the pass that poses every vertex into `mesh`, which must have as many vertices.
    pub fn pose(
        &self,
        renderer: &Renderer,
        encoder: &mut wgpu::CommandEncoder,
        mesh: &Mesh,
        method: SkinMethod,
    ) -> Result<(), RenderError> {
        let Some(pipeline) = renderer.skinning() else {
            return Err(RenderError::NoCompute);
        };
        check_length("vertices of the posed mesh", self.n_vertices as usize, mesh.n_vertices() as usize)?;
        renderer.limits().check_storage("vertex positions (bytes)", mesh.positions().size())?;
        if self.n_vertices == 0 {
            return Ok(());
        }
        let [x, y] = dispatch_size(self.n_vertices, renderer.limits().max_workgroups_per_axis);
        let uniform = SkinningUniform {
            n_vertices: self.n_vertices,
            n_per_vertex: self.n_per_vertex,
            n_joints: self.n_joints,
            method: method as u32,
            n_along_x: x * WORKGROUP,
            padding_0: 0,
            padding_1: 0,
            padding_2: 0,
        };
        let uniform = gpu::uniform_buffer(renderer.device(), "skinning", &uniform);
        let buffers = [
            &uniform,
            &self.rest_positions,
            &self.rest_normals,
            &self.influences,
            &self.palette,
            mesh.positions(),
            mesh.normals(),
        ];
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, b)| wgpu::BindGroupEntry { binding, resource: b.as_entire_binding() })
            .collect();
        let group = renderer.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("skinning"),
            layout: &pipeline.layout,
            entries: &entries,
        });
        let mut pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("skinning"), timestamp_writes: None });
        pass.set_pipeline(&pipeline.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(x, y, 1);
        Ok(())
    }
}

impl PaletteJoint {
    /// A joint that moves nothing.
    pub const IDENTITY: Self = Self {
        rows: [Vec4::X, Vec4::Y, Vec4::Z],
        rotation: Vec4::W,
        stretch: [Vec4::new(1.0, 1.0, 1.0, 0.0), Vec4::ZERO],
    };
}

/// Workgroups along x and y: one row as long as the device allows, then more rows.
fn dispatch_size(n_vertices: u32, max_per_axis: u32) -> [u32; 2] {
    let n_groups = n_vertices.div_ceil(WORKGROUP);
    let x = n_groups.min(max_per_axis).max(1);
    [x, n_groups.div_ceil(x)]
}

/// The shader as the pipeline uses it.
pub fn shader_source() -> String {
    include_str!("../../shader/skinning.wgsl").to_owned()
}

pub(crate) struct SkinningPipeline {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

impl SkinningPipeline {
    /// `None` where the device has no compute shaders with enough storage buffers.
    pub fn new(device: &wgpu::Device) -> Option<Self> {
        let limits = device.limits();
        let is_possible = limits.max_storage_buffers_per_shader_stage >= N_STORAGE_BUFFERS
            && limits.max_compute_workgroup_size_x >= WORKGROUP
            && limits.max_compute_invocations_per_workgroup >= WORKGROUP
            && limits.max_compute_workgroups_per_dimension > 0;
        if !is_possible {
            return None;
        }
        let storage = |binding, read_only| {
            gpu::buffer_entry(binding, wgpu::ShaderStages::COMPUTE, wgpu::BufferBindingType::Storage { read_only })
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("skinning"),
            entries: &[
                gpu::buffer_entry(0, wgpu::ShaderStages::COMPUTE, wgpu::BufferBindingType::Uniform),
                storage(1, true),
                storage(2, true),
                storage(3, true),
                storage(4, true),
                storage(5, false),
                storage(6, false),
            ],
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("skinning"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("skinning"),
            layout: Some(&pipeline_layout),
            module: &gpu::shader(device, "skinning", shader_source()),
            entry_point: Some("cs_main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Some(Self { pipeline, layout })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dispatch_past_the_limit_of_one_axis_gets_more_rows() {
        assert_eq!(dispatch_size(1, 65_535), [1, 1]);
        assert_eq!(dispatch_size(65_535 * 64, 65_535), [65_535, 1]);
        assert_eq!(dispatch_size(65_535 * 64 + 1, 65_535), [65_535, 2]);
        assert_eq!(dispatch_size(1000, 4), [4, 4]);
    }
}
