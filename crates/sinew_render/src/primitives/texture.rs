//! Textures of meshes: colour with its smaller levels, and lookup tables.

use wgpu::util::{DeviceExt as _, TextureDataOrder};

use crate::color::{linear_from_srgb, srgb_from_linear};

/// A texture of sRGB RGBA bytes, `[height * width * 4]`, both sizes above 0, with all smaller levels.
pub(crate) fn color_texture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    label: &str,
    rgba: &[u8],
    size: [u32; 2],
) -> wgpu::TextureView {
    let (levels, n_levels) = with_smaller_levels(rgba, size);
    let texture = texture(device, queue, label, wgpu::TextureFormat::Rgba8UnormSrgb, &levels, size, n_levels);
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Rows of linear colours, for reading without a sampler.
pub(crate) struct Lookup {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    width: u32,
}

impl Lookup {
    /// Uploads rows of `width` entries.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, label: &str, entries: &[[f32; 4]], width: u32) -> Self {
        let size = [width, entries.len() as u32 / width];
        let format = wgpu::TextureFormat::Rgba32Float;
        let texture = texture(device, queue, label, format, bytemuck::cast_slice(entries), size, 1);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { texture, view, width }
    }

    /// All rows.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Replaces a row before the next submission.
    pub fn set_row(&self, queue: &wgpu::Queue, row: u32, entries: &[[f32; 4]]) {
        let target = wgpu::TexelCopyTextureInfo {
            texture: &self.texture,
            mip_level: 0,
            origin: wgpu::Origin3d { x: 0, y: row, z: 0 },
            aspect: wgpu::TextureAspect::All,
        };
        let n = self.width.min(entries.len() as u32);
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(16 * n), rows_per_image: None };
        let size = wgpu::Extent3d { width: n, height: 1, depth_or_array_layers: 1 };
        queue.write_texture(target, bytemuck::cast_slice(entries), layout, size);
    }
}

fn texture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    label: &str,
    format: wgpu::TextureFormat,
    bytes: &[u8],
    [width, height]: [u32; 2],
    mip_level_count: u32,
) -> wgpu::Texture {
    let descriptor = wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    };
    device.create_texture_with_data(queue, &descriptor, TextureDataOrder::LayerMajor, bytes)
}

/// The picture followed by halves of itself down to one pixel, and how many levels that makes. Averages of 2×2
/// pixels in linear light.
fn with_smaller_levels(rgba: &[u8], size: [u32; 2]) -> (Vec<u8>, u32) {
    let linear: Vec<f32> = (0..256).map(|byte| linear_from_srgb(byte as f32 / 255.0)).collect();
    // Finely enough that every byte survives the way there and back.
    let encoded: Vec<u8> = (0..=4095).map(|i| (srgb_from_linear(i as f32 / 4095.0) * 255.0).round() as u8).collect();
    let mut levels = rgba.to_vec();
    let (mut begin, mut n_levels) = (0, 1);
    let [mut width, mut height] = size.map(|s| s as usize);
    while width > 1 || height > 1 {
        let (half_width, half_height) = ((width / 2).max(1), (height / 2).max(1));
        let level = levels[begin..].to_vec();
        begin = levels.len();
        for y in 0..half_height {
            for x in 0..half_width {
                for channel in 0..4 {
                    let at = |dx: usize, dy: usize| {
                        let (x, y) = ((2 * x + dx).min(width - 1), (2 * y + dy).min(height - 1));
                        level[(y * width + x) * 4 + channel]
                    };
                    let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
                    levels.push(if channel == 3 {
                        (four.iter().map(|&a| u32::from(a)).sum::<u32>() / 4) as u8
                    } else {
                        let mean = four.iter().map(|&c| linear[usize::from(c)]).sum::<f32>() / 4.0;
                        encoded[(mean * 4095.0).round() as usize]
                    });
                }
            }
        }
        (width, height) = (half_width, half_height);
        n_levels += 1;
    }
    (levels, n_levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_levels_keep_the_light_and_end_at_one_pixel() {
        let checker = [[255_u8, 255, 255, 255], [0, 0, 0, 255], [0, 0, 0, 255], [255, 255, 255, 255]].concat();
        let (levels, n_levels) = with_smaller_levels(&checker, [2, 2]);
        assert_eq!(n_levels, 2);
        // Half the light is byte 188, not 128.
        assert_eq!(levels[16..], [188, 188, 188, 255]);
        let (levels, n_levels) = with_smaller_levels(&[7; 5 * 3 * 4], [5, 3]);
        assert_eq!((levels.len(), n_levels), ((5 * 3 + 2 + 1) * 4, 3));
        assert_eq!(levels[15 * 4 + 3], 7);
    }
}
