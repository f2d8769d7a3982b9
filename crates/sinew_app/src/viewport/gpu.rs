//! The view's drawing objects: renderer, off-screen target, and the texture the window shows.

use egui_wgpu::RenderState;
use sinew_render::{GpuLimits, OffscreenTarget, RenderError, Renderer};

/// How the view uses the device.
#[derive(Clone, Copy, Debug, Default)]
pub struct GpuOptions {
    /// Whether the GPU poses; unset, it does unless it is a CPU.
    pub skin_on_gpu: Option<bool>,
    /// Checked in place of the device's own limits: to see how a small device behaves.
    pub limits: Option<GpuLimits>,
}

/// Renderer, target and the window's texture.
pub struct ViewportGpu {
    state: RenderState,
    renderer: Renderer,
    target: OffscreenTarget,
    texture: Option<egui::TextureId>,
    skin_on_gpu: bool,
    is_cpu: bool,
}

impl ViewportGpu {
    /// Makes the pipelines on the window's device.
    pub fn new(state: RenderState, options: GpuOptions) -> Result<Self, RenderError> {
        let is_cpu = state.adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let samples = if is_cpu { 1 } else { 4 };
        let limits = options.limits.unwrap_or_else(|| GpuLimits::of(&state.device));
        let renderer = Renderer::with_limits(&state.device, &state.queue, samples, limits)?;
        let target = renderer.new_target([0, 0])?;
        let skin_on_gpu = options.skin_on_gpu.unwrap_or(!is_cpu) && renderer.can_skin();
        Ok(Self { state, renderer, target, texture: None, skin_on_gpu, is_cpu })
    }

    /// The pipelines.
    pub fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// The picture.
    pub fn target(&self) -> &OffscreenTarget {
        &self.target
    }

    /// The picture as the window knows it; none before the first one.
    pub fn texture(&self) -> Option<egui::TextureId> {
        self.texture
    }

    /// Whether the GPU poses.
    pub fn skins_on_gpu(&self) -> bool {
        self.skin_on_gpu
    }

    /// Whether the graphics device is this machine's CPU: correct, but slow.
    pub fn is_cpu(&self) -> bool {
        self.is_cpu
    }

    /// Fits the target to this size, physical pixels. Zero leaves it as it is.
    pub fn resize(&mut self, size_px: [u32; 2]) -> Result<(), RenderError> {
        if size_px.contains(&0) || size_px == self.target.size_px() {
            return Ok(());
        }
        self.target = self.renderer.new_target(size_px)?;
        if let Some(view) = self.target.view() {
            let mut shown = self.state.renderer.write();
            let (device, filter) = (&self.state.device, wgpu::FilterMode::Nearest);
            match self.texture {
                Some(id) => shown.update_egui_texture_from_wgpu_texture(device, view, filter, id),
                None => self.texture = Some(shown.register_native_texture(device, view, filter)),
            }
        }
        Ok(())
    }
}
