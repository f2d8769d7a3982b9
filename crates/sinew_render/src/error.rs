//! What can go wrong between plain arrays and the GPU.

/// Why a GPU object could not be made or filled.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RenderError {
    /// The device cannot hold this much.
    #[error("{what} needs {needed}, but this graphics device allows {limit}")]
    ExceedsDeviceLimit {
        /// The object, with its unit, such as `"vertex positions (bytes)"`.
        what: &'static str,
        /// What the object needs.
        needed: u64,
        /// What the device allows.
        limit: u64,
    },
    /// The device ran out of memory.
    #[error("{what} of {width} × {height} pixels does not fit into the memory of this graphics device")]
    OutOfMemory {
        /// The object.
        what: &'static str,
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// An array has the wrong length.
    #[error("{what}: expected {expected} items, found {found}")]
    LengthMismatch {
        /// The array.
        what: &'static str,
        /// How many items it should have.
        expected: u64,
        /// How many it has.
        found: u64,
    },
    /// An index points past its array.
    #[error("{what}: index {index} is past the end ({count} items)")]
    IndexOutOfRange {
        /// The index array.
        what: &'static str,
        /// The index found.
        index: u64,
        /// How many items there are.
        count: u64,
    },
    /// A sample count that the pipelines do not offer.
    #[error("{found} samples a pixel are not supported: expected 1 or 4")]
    SampleCount {
        /// The count asked for.
        found: u32,
    },
    /// The device has no compute shaders with enough storage buffers.
    #[error("this graphics device has no compute shaders")]
    NoCompute,
    /// The GPU did not hand back a picture.
    #[error("the picture could not be read back from the graphics device: {reason}")]
    Readback {
        /// What the driver said.
        reason: String,
    },
}
