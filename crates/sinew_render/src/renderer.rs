//! All pipelines, and the order in which a picture is drawn.

use crate::frame::Frame;
use crate::gpu;
use crate::primitives::background::{Background, BackgroundPipeline};
use crate::primitives::bones::Bone;
use crate::primitives::discs::Disc;
use crate::primitives::grid::{Grid, GridPipeline};
use crate::primitives::instances::InstancePipeline;
use crate::primitives::lines::Line;
use crate::primitives::mesh::{MeshDraw, MeshPipeline};
use crate::primitives::skinned_mesh::SkinningPipeline;
use crate::primitives::texture::Lookup;
use crate::primitives::vertex_dots::{VertexDots, VertexDotsPipeline};
use crate::primitives::wire::{WireDraw, WirePipeline};
use crate::ramp::{self, Ramp};
use crate::target::{COLOR_FORMAT, check_sample_count, drawn_format};
use crate::{GpuLimits, OffscreenTarget, RenderError};

/// Everything in one picture. Drawn in the order of the fields: later ones lie over earlier ones, except where a
/// depth test hides them.
#[derive(Clone, Default)]
pub struct DrawList<'a> {
    /// The backdrop; `None` leaves black.
    pub background: Option<Background>,
    /// Opaque meshes, hidden by each other.
    pub meshes: Vec<MeshDraw<'a>>,
    /// The ground, hidden by meshes.
    pub grid: Option<Grid>,
    /// Edges over meshes, hidden by meshes.
    pub wires: Vec<WireDraw<'a>>,
    /// Dots on the vertices of meshes, hidden by meshes.
    pub vertex_dots: Vec<VertexDots<'a>>,
    /// Lines hidden by meshes.
    pub lines: Vec<Line>,
    /// Dots hidden by meshes.
    pub discs: Vec<Disc>,
    /// Bones, seen through everything.
    pub bones: Vec<Bone>,
    /// Lines seen through everything.
    pub lines_on_top: Vec<Line>,
    /// Dots seen through everything.
    pub discs_on_top: Vec<Disc>,
}

/// The pipelines for one device and sample count.
pub struct Renderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    limits: GpuLimits,
    sample_count: u32,
    frame_layout: wgpu::BindGroupLayout,
    background: BackgroundPipeline,
    mesh: MeshPipeline,
    grid: GridPipeline,
    wire: WirePipeline,
    vertex_dots: VertexDotsPipeline,
    ramps: Lookup,
    lines: InstancePipeline,
    discs: InstancePipeline,
    bones: InstancePipeline,
    skinning: Option<SkinningPipeline>,
}

impl Renderer {
    /// Builds all pipelines for targets with 1 or 4 samples a pixel. Use 1 on a CPU adapter.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, sample_count: u32) -> Result<Self, RenderError> {
        Self::with_limits(device, queue, sample_count, GpuLimits::of(device))
    }

    /// As [`Self::new`], checking against these limits: to see how a small device behaves.
    pub fn with_limits(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sample_count: u32,
        limits: GpuLimits,
    ) -> Result<Self, RenderError> {
        check_sample_count(sample_count)?;
        let frame_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("frame"),
            entries: &[gpu::buffer_entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT, wgpu::BufferBindingType::Uniform)],
        });
        Ok(Self {
            limits,
            sample_count,
            background: BackgroundPipeline::new(device, &frame_layout, sample_count),
            vertex_dots: VertexDotsPipeline::new(device, &frame_layout, sample_count),
            ramps: Lookup::new(device, queue, "ramps", &ramp::lookup_table(), ramp::N_LOOKUP),
            mesh: MeshPipeline::new(device, queue, &frame_layout, sample_count),
            grid: GridPipeline::new(device, &frame_layout, sample_count),
            wire: WirePipeline::new(device, &frame_layout, sample_count),
            lines: InstancePipeline::new::<Line>(device, &frame_layout, sample_count),
            discs: InstancePipeline::new::<Disc>(device, &frame_layout, sample_count),
            bones: InstancePipeline::new::<Bone>(device, &frame_layout, sample_count),
            skinning: SkinningPipeline::new(device),
            frame_layout,
            device: device.clone(),
            queue: queue.clone(),
        })
    }

    /// The device the pipelines belong to.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Its queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// What is checked before anything is allocated.
    pub fn limits(&self) -> &GpuLimits {
        &self.limits
    }

    /// Samples a pixel that a target must have.
    pub fn sample_count(&self) -> u32 {
        self.sample_count
    }

    /// True if this device can pose meshes; see [`crate::SkinnedMesh`].
    pub fn can_skin(&self) -> bool {
        self.skinning.is_some()
    }

    /// A target that fits this renderer, of this size in physical pixels.
    pub fn new_target(&self, size_px: [u32; 2]) -> Result<OffscreenTarget, RenderError> {
        OffscreenTarget::with_limits(&self.device, &self.limits, size_px, self.sample_count)
    }

    pub(crate) fn skinning(&self) -> Option<&SkinningPipeline> {
        self.skinning.as_ref()
    }

    /// Records one picture. A target of zero size is skipped.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &OffscreenTarget,
        frame: &Frame,
        list: &DrawList<'_>,
    ) -> Result<(), RenderError> {
        if target.sample_count() != self.sample_count {
            return Err(RenderError::SampleCount { found: target.sample_count() });
        }
        let (device, limits) = (&self.device, &self.limits);
        let lines = self.lines.prepare(device, limits, &list.lines)?;
        let discs = self.discs.prepare(device, limits, &list.discs)?;
        let bones = self.bones.prepare(device, limits, &list.bones)?;
        let lines_on_top = self.lines.prepare(device, limits, &list.lines_on_top)?;
        let discs_on_top = self.discs.prepare(device, limits, &list.discs_on_top)?;
        let must_encode = drawn_format(device) == COLOR_FORMAT;
        let uniform = gpu::uniform_buffer(device, "frame", &frame.uniform(target.size_px(), must_encode));
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &self.frame_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }],
        });
        let ramps = list.meshes.iter().map(|draw| draw.style.ramp).chain(list.vertex_dots.iter().map(|dots| dots.ramp));
        if let Some(custom) = ramps.into_iter().find(|ramp| matches!(ramp, Ramp::Custom(_))) {
            self.ramps.set_row(&self.queue, ramp::CUSTOM_ROW, &custom.entries());
        }
        let Some(mut pass) = target.begin_pass(encoder) else {
            return Ok(());
        };
        pass.set_bind_group(0, &group, &[]);
        if let Some(background) = &list.background {
            self.background.draw(device, &mut pass, background);
        }
        for draw in &list.meshes {
            self.mesh.draw(device, &mut pass, self.ramps.view(), draw);
        }
        if let Some(grid) = &list.grid {
            self.grid.draw(device, &mut pass, grid);
        }
        for draw in &list.wires {
            self.wire.draw(device, &mut pass, draw);
        }
        for dots in &list.vertex_dots {
            self.vertex_dots.draw(device, &mut pass, self.ramps.view(), dots);
        }
        self.lines.draw(&mut pass, &lines, false);
        self.discs.draw(&mut pass, &discs, false);
        self.bones.draw(&mut pass, &bones, true);
        self.lines.draw(&mut pass, &lines_on_top, true);
        self.discs.draw(&mut pass, &discs_on_top, true);
        Ok(())
    }

    /// Records and submits one picture.
    pub fn draw_now(&self, target: &OffscreenTarget, frame: &Frame, list: &DrawList<'_>) -> Result<(), RenderError> {
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picture") });
        self.draw(&mut encoder, target, frame, list)?;
        self.queue.submit([encoder.finish()]);
        Ok(())
    }
}
