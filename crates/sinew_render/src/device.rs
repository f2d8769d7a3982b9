//! A device without a window, for pictures on the command line and for tests.

/// A device made without a window.
pub struct HeadlessDevice {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// Which adapter it is, and whether it is a CPU (`device_type`).
    pub info: wgpu::AdapterInfo,
}

/// Why there is no device.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// No adapter on any backend.
    #[error(
        "no graphics adapter found (tried {tried}); install a Vulkan driver, or a software one \
         (on Debian: mesa-vulkan-drivers and libvulkan1)"
    )]
    NoAdapter {
        /// What was tried, in order.
        tried: String,
    },
    /// The adapter refused to make a device.
    #[error("the graphics adapter {adapter} did not give a device: {source}")]
    Refused {
        /// The adapter's name.
        adapter: String,
        /// What the driver said.
        source: wgpu::RequestDeviceError,
    },
}

impl HeadlessDevice {
    /// The best adapter of the platform: a GPU by its native backends, then one by GL, then a software adapter.
    /// `WGPU_BACKEND` limits which backends are looked at.
    pub fn new() -> Result<Self, DeviceError> {
        let allowed = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::all());
        let mut tried = Vec::new();
        let mut software = None;
        for (backends, is_software, name) in [
            (wgpu::Backends::PRIMARY, false, "Vulkan, DX12 and Metal"),
            (wgpu::Backends::GL, false, "OpenGL"),
            (wgpu::Backends::all(), true, "software"),
        ] {
            tried.push(name);
            let backends = backends & allowed;
            if backends.is_empty() || (is_software && software.is_some()) {
                continue;
            }
            let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
            descriptor.backends = backends;
            let instance = wgpu::Instance::new(descriptor);
            let options = wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                force_fallback_adapter: is_software,
                ..Default::default()
            };
            if let Ok(adapter) = pollster::block_on(instance.request_adapter(&options)) {
                if adapter.get_info().device_type != wgpu::DeviceType::Cpu {
                    return Self::of_adapter(&adapter);
                }
                // Correct but slow: only if no later backend has a GPU. The first one found is the most capable.
                software.get_or_insert(adapter);
            }
        }
        if let Some(adapter) = software {
            return Self::of_adapter(&adapter);
        }
        Err(DeviceError::NoAdapter { tried: tried.join(", then ") })
    }

    /// True if the "graphics device" is this machine's CPU: correct, but slow.
    pub fn is_cpu(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    fn of_adapter(adapter: &wgpu::Adapter) -> Result<Self, DeviceError> {
        let info = adapter.get_info();
        let request = adapter.request_device(&device_descriptor(adapter));
        let (device, queue) = pollster::block_on(request)
            .map_err(|source| DeviceError::Refused { adapter: info.name.clone(), source })?;
        Ok(Self { device, queue, info })
    }
}

/// What to ask of an adapter, with or without a window: no features, all that its limits allow.
pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor { label: Some("sinew"), required_limits: adapter.limits(), ..Default::default() }
}
