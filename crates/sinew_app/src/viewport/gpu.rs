//! The view's drawing objects: renderer, off-screen target, and the texture the window shows.
//!
//! On a CPU adapter smooth edges cost four times as much: there pictures are first drawn rough, and once more,
//! smooth, when nothing has changed for a moment.

use egui_wgpu::RenderState;
use sinew_render::{GpuLimits, OffscreenTarget, RenderError, Renderer};

use super::loss::DeviceWatch;

/// How the view uses the device.
#[derive(Clone, Copy, Debug)]
pub struct GpuOptions {
    /// Whether the GPU poses; unset, it does unless it is a CPU.
    pub skin_on_gpu: Option<bool>,
    /// Checked in place of the device's own limits: to see how a small device behaves.
    pub limits: Option<GpuLimits>,
    /// Whether rough pictures are drawn again, smooth, once nothing changes.
    pub refine: bool,
}

/// Renderers, targets and the window's textures.
pub struct ViewportGpu {
    state: RenderState,
    limits: GpuLimits,
    canvas: Canvas,
    smooth: Option<Canvas>,
    refine: bool,
    skin_on_gpu: bool,
    is_cpu: bool,
    watch: DeviceWatch,
}

/// A renderer with its target and the texture that the window shows.
pub struct Canvas {
    renderer: Renderer,
    target: OffscreenTarget,
    texture: Option<egui::TextureId>,
}

impl Default for GpuOptions {
    fn default() -> Self {
        Self { skin_on_gpu: None, limits: None, refine: true }
    }
}

impl ViewportGpu {
    /// Makes the pipelines on the window's device.
    pub fn new(state: RenderState, options: GpuOptions) -> Result<Self, RenderError> {
        let is_cpu = state.adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let limits = options.limits.unwrap_or_else(|| GpuLimits::of(&state.device));
        let canvas = Canvas::new(&state, if is_cpu { 1 } else { 4 }, limits)?;
        let skin_on_gpu = options.skin_on_gpu.unwrap_or(!is_cpu) && canvas.renderer.can_skin();
        Ok(Self {
            state,
            limits,
            canvas,
            smooth: None,
            refine: is_cpu && options.refine,
            skin_on_gpu,
            is_cpu,
            watch: DeviceWatch::default(),
        })
    }

    /// Notices from here on when the device stops, and asks for a frame then.
    pub fn watch(&mut self, ctx: &egui::Context) {
        self.watch = DeviceWatch::install(&self.state.device, ctx);
    }

    /// Why the device has stopped, if it has: nothing can be drawn any more.
    pub fn loss(&self) -> Option<&str> {
        self.watch.loss()
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.state.device
    }

    /// The pipelines.
    pub fn renderer(&self) -> &Renderer {
        &self.canvas.renderer
    }

    /// Whether the GPU poses.
    pub fn skins_on_gpu(&self) -> bool {
        self.skin_on_gpu
    }

    /// Whether the graphics device is this machine's CPU: correct, but slow.
    pub fn is_cpu(&self) -> bool {
        self.is_cpu
    }

    /// Whether a smooth picture is still to follow a rough one.
    pub fn refines(&self) -> bool {
        self.refine
    }

    /// The canvas for rough or smooth pictures, of this size in physical pixels, not zero.
    pub fn canvas(&mut self, is_smooth: bool, size_px: [u32; 2]) -> Result<&Canvas, RenderError> {
        let is_smooth = is_smooth && self.refine;
        if is_smooth && self.smooth.is_none() {
            self.smooth = Some(Canvas::new(&self.state, 4, self.limits)?);
        }
        let canvas = match &mut self.smooth {
            Some(smooth) if is_smooth => smooth,
            _ => &mut self.canvas,
        };
        canvas.resize(&self.state, size_px)?;
        Ok(canvas)
    }
}

impl Canvas {
    fn new(state: &RenderState, samples: u32, limits: GpuLimits) -> Result<Self, RenderError> {
        let renderer = Renderer::with_limits(&state.device, &state.queue, samples, limits)?;
        let target = renderer.new_target([0, 0])?;
        Ok(Self { renderer, target, texture: None })
    }

    /// The pipelines.
    pub fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// The picture.
    pub fn target(&self) -> &OffscreenTarget {
        &self.target
    }

    /// The picture as the window knows it.
    pub fn texture(&self) -> Option<egui::TextureId> {
        self.texture
    }

    fn resize(&mut self, state: &RenderState, size_px: [u32; 2]) -> Result<(), RenderError> {
        if size_px == self.target.size_px() {
            return Ok(());
        }
        self.target = self.renderer.new_target(size_px)?;
        if let Some(view) = self.target.view() {
            let mut shown = state.renderer.write();
            let filter = wgpu::FilterMode::Nearest;
            match self.texture {
                Some(id) => shown.update_egui_texture_from_wgpu_texture(&state.device, view, filter, id),
                None => self.texture = Some(shown.register_native_texture(&state.device, view, filter)),
            }
        }
        Ok(())
    }
}
