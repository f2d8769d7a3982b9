//! The device limits that this crate checks before it allocates.

use crate::RenderError;

/// Limits checked before anything is allocated. Lower them to see how a small device behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuLimits {
    /// Largest buffer, in bytes.
    pub max_buffer_bytes: u64,
    /// Largest part of a storage buffer a shader may see, in bytes.
    pub max_storage_binding_bytes: u64,
    /// Largest width or height of a texture, in pixels.
    pub max_texture_px: u32,
    /// Largest number of workgroups along one axis of a dispatch.
    pub max_workgroups_per_axis: u32,
    /// Storage buffers a shader stage may use.
    pub max_storage_buffers_per_stage: u32,
}

impl GpuLimits {
    /// The limits this device was made with.
    pub fn of(device: &wgpu::Device) -> Self {
        let limits = device.limits();
        Self {
            max_buffer_bytes: limits.max_buffer_size,
            max_storage_binding_bytes: limits.max_storage_buffer_binding_size,
            max_texture_px: limits.max_texture_dimension_2d,
            max_workgroups_per_axis: limits.max_compute_workgroups_per_dimension,
            max_storage_buffers_per_stage: limits.max_storage_buffers_per_shader_stage,
        }
    }

    /// Errors if a buffer of this size cannot be made.
    pub fn check_buffer(&self, what: &'static str, bytes: u64) -> Result<(), RenderError> {
        check(what, bytes, self.max_buffer_bytes)
    }

    /// Errors if a storage buffer of this size cannot be made and bound whole.
    pub fn check_storage(&self, what: &'static str, bytes: u64) -> Result<(), RenderError> {
        check(what, bytes, self.max_buffer_bytes.min(self.max_storage_binding_bytes))
    }

    /// Errors if a texture of this size, in pixels, cannot be made.
    pub fn check_texture(&self, what: &'static str, size_px: [u32; 2]) -> Result<(), RenderError> {
        check(what, u64::from(size_px[0].max(size_px[1])), u64::from(self.max_texture_px))
    }
}

fn check(what: &'static str, needed: u64, limit: u64) -> Result<(), RenderError> {
    if needed > limit {
        return Err(RenderError::ExceedsDeviceLimit { what, needed, limit });
    }
    Ok(())
}
