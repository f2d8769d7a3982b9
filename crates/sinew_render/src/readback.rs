//! A finished picture back in memory, for files and tests. Blocks until the GPU is done.

use crate::target::within_memory;
use crate::{OffscreenTarget, RenderError};

/// A picture: rows from the top, RGBA bytes, gamma-encoded. `rgba` is `[height * width * 4]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The bytes.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The pixel at column `x`, row `y`; `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba.get(at..at + 4)?.try_into().ok()
    }
}

/// Reads the target's picture. A target of zero size gives an empty picture.
pub fn read_picture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    target: &OffscreenTarget,
) -> Result<Picture, RenderError> {
    let [width, height] = target.size_px();
    let Some(texture) = target.texture() else {
        return Ok(Picture { width, height, rgba: Vec::new() });
    };
    let row_bytes = width * 4;
    let padded_row_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let total = u64::from(padded_row_bytes) * u64::from(height);
    crate::GpuLimits::of(device).check_buffer("picture readback (bytes)", total)?;
    let staging = within_memory(device, "a copy of a picture", [width, height], || staging_buffer(device, total))?;
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("readback") });
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &staging,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded_row_bytes),
                rows_per_image: Some(height),
            },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    queue.submit([encoder.finish()]);
    let padded = map_bytes(device, &staging)?;
    let rgba = padded.chunks(padded_row_bytes as usize).flat_map(|row| &row[..row_bytes as usize]).copied().collect();
    Ok(Picture { width, height, rgba })
}

/// Reads a whole buffer made with `COPY_SRC`.
pub fn read_buffer(device: &wgpu::Device, queue: &wgpu::Queue, buffer: &wgpu::Buffer) -> Result<Vec<u8>, RenderError> {
    let staging = staging_buffer(device, buffer.size());
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("readback") });
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    queue.submit([encoder.finish()]);
    map_bytes(device, &staging)
}

fn staging_buffer(device: &wgpu::Device, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}

fn map_bytes(device: &wgpu::Device, staging: &wgpu::Buffer) -> Result<Vec<u8>, RenderError> {
    let failed = |reason: String| RenderError::Readback { reason };
    let (sender, receiver) = std::sync::mpsc::channel();
    staging.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver lives until the end of this function; a late answer has nobody to hear it.
        let _ = sender.send(result);
    });
    device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| failed(e.to_string()))?;
    receiver.recv().map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
    let bytes = staging.get_mapped_range(..).map_err(|e| failed(e.to_string()))?.to_vec();
    Ok(bytes)
}
