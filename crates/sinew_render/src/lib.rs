//! wgpu primitives that know no document.
