//! The off-screen picture that primitives are drawn into.

use crate::{GpuLimits, RenderError};

/// Format of the picture as a window toolkit sees it: gamma-encoded bytes.
pub const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Format of the view that shaders write linear light to; the hardware encodes.
pub const COLOR_VIEW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// The format that shaders draw to: [`COLOR_VIEW_FORMAT`], or [`COLOR_FORMAT`] where a texture cannot be seen through a
/// view of another format (OpenGL). There the shaders encode, and translucency is mixed in gamma space.
pub(crate) fn drawn_format(device: &wgpu::Device) -> wgpu::TextureFormat {
    if device.adapter_info().backend == wgpu::Backend::Gl { COLOR_FORMAT } else { COLOR_VIEW_FORMAT }
}

/// Reversed depth: cleared to 0, greater is nearer.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Colour and depth textures of one viewport. A target of zero size is legal; drawing into it does nothing.
pub struct OffscreenTarget {
    size_px: [u32; 2],
    sample_count: u32,
    textures: Option<Textures>,
}

struct Textures {
    color: wgpu::Texture,
    shown: wgpu::TextureView,
    resolved: wgpu::TextureView,
    multisampled: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
}

impl OffscreenTarget {
    /// A target of this size in physical pixels, with 1 or 4 samples a pixel.
    pub fn new(device: &wgpu::Device, size_px: [u32; 2], sample_count: u32) -> Result<Self, RenderError> {
        Self::with_limits(device, &GpuLimits::of(device), size_px, sample_count)
    }

    /// As [`Self::new`], checked against these limits.
    pub fn with_limits(
        device: &wgpu::Device,
        limits: &GpuLimits,
        size_px: [u32; 2],
        sample_count: u32,
    ) -> Result<Self, RenderError> {
        check_sample_count(sample_count)?;
        limits.check_texture("viewport (pixels along one side)", size_px)?;
        let is_empty = size_px[0] == 0 || size_px[1] == 0;
        let textures = if is_empty { None } else { Some(Textures::new(device, size_px, sample_count)?) };
        Ok(Self { size_px, sample_count, textures })
    }

    /// Makes new textures if the size differs; true if it did. On an error the old ones stay.
    pub fn resize(&mut self, device: &wgpu::Device, size_px: [u32; 2]) -> Result<bool, RenderError> {
        if size_px == self.size_px {
            return Ok(false);
        }
        *self = Self::new(device, size_px, self.sample_count)?;
        Ok(true)
    }

    /// Width and height in physical pixels.
    pub fn size_px(&self) -> [u32; 2] {
        self.size_px
    }

    /// Samples a pixel: 1 or 4.
    pub fn sample_count(&self) -> u32 {
        self.sample_count
    }

    /// The finished picture with gamma-encoded values, alpha 1. `None` if the size is zero.
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.textures.as_ref().map(|t| &t.color)
    }

    /// A [`COLOR_FORMAT`] view of the picture, for a window toolkit. `None` if the size is zero.
    pub fn view(&self) -> Option<&wgpu::TextureView> {
        self.textures.as_ref().map(|t| &t.shown)
    }

    /// Begins a pass that clears colour to black and depth to 0 (far).
    pub(crate) fn begin_pass<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> Option<wgpu::RenderPass<'e>> {
        let textures = self.textures.as_ref()?;
        let (view, resolve_target) = match &textures.multisampled {
            Some(multisampled) => (multisampled, Some(&textures.resolved)),
            None => (&textures.resolved, None),
        };
        let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        Some(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewport"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &textures.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        }))
    }
}

pub(crate) fn check_sample_count(sample_count: u32) -> Result<(), RenderError> {
    if sample_count == 1 || sample_count == 4 {
        return Ok(());
    }
    Err(RenderError::SampleCount { found: sample_count })
}

/// Makes something for a picture; an error if the device has no memory for it. Unasked, wgpu would end the program.
pub(crate) fn within_memory<T>(
    device: &wgpu::Device,
    what: &'static str,
    [width, height]: [u32; 2],
    make: impl FnOnce() -> T,
) -> Result<T, RenderError> {
    let scope = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let made = make();
    match pollster::block_on(scope.pop()) {
        None => Ok(made),
        Some(_) => Err(RenderError::OutOfMemory { what, width, height }),
    }
}

impl Textures {
    fn new(device: &wgpu::Device, size_px: [u32; 2], sample_count: u32) -> Result<Self, RenderError> {
        use wgpu::TextureUsages as U;
        let drawn = drawn_format(device);
        let other_formats: &[_] = if drawn == COLOR_FORMAT { &[] } else { &[COLOR_VIEW_FORMAT] };
        let texture = |label, samples, format, usage, view_formats: &[wgpu::TextureFormat]| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size_px[0], height: size_px[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats,
            })
        };
        let color_usage = U::RENDER_ATTACHMENT | U::TEXTURE_BINDING | U::COPY_SRC;
        let (color, samples, depth) = within_memory(device, "a picture", size_px, || {
            (
                texture("viewport color", 1, COLOR_FORMAT, color_usage, other_formats),
                (sample_count > 1).then(|| texture("viewport samples", sample_count, drawn, U::RENDER_ATTACHMENT, &[])),
                texture("viewport depth", sample_count, DEPTH_FORMAT, U::RENDER_ATTACHMENT, &[]),
            )
        })?;
        let resolved = color.create_view(&wgpu::TextureViewDescriptor {
            format: Some(drawn),
            // Some backends refuse the sampling usage on the view of another format.
            usage: Some(U::RENDER_ATTACHMENT),
            ..Default::default()
        });
        let shown = color.create_view(&wgpu::TextureViewDescriptor::default());
        let whole = wgpu::TextureViewDescriptor::default();
        let multisampled = samples.map(|samples| samples.create_view(&whole));
        let depth = depth.create_view(&whole);
        Ok(Self { color, shown, resolved, multisampled, depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeadlessDevice;

    #[test]
    fn what_does_not_fit_into_memory_is_an_error_and_the_device_lives() {
        // B68: no machine has room for the largest array of the largest textures.
        let Ok(gpu) = HeadlessDevice::new() else {
            println!("skipped: no GPU adapter");
            return;
        };
        let limits = gpu.device.limits();
        let side = limits.max_texture_dimension_2d;
        let huge = || {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("huge"),
                size: wgpu::Extent3d {
                    width: side,
                    height: side,
                    depth_or_array_layers: limits.max_texture_array_layers,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba32Float,
                usage: wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            })
        };
        let error = within_memory(&gpu.device, "a picture", [side, side], huge).err();
        assert_eq!(error, Some(RenderError::OutOfMemory { what: "a picture", width: side, height: side }));
        assert!(OffscreenTarget::new(&gpu.device, [16, 16], 4).is_ok());
    }
}
