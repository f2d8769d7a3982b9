//! wgpu primitives for a viewport: lit meshes with a weight ramp, lines, dots, bones, grid and background.
//!
//! Boundary: this crate knows no document and no window toolkit. It takes plain arrays, a camera and a
//! `wgpu::Device`, and draws into an off-screen target.
//!
//! Lifetimes: a [`Renderer`] owns the pipelines and lives as long as the device; a [`Mesh`] and a [`SkinnedMesh`]
//! live as long as their model; an [`OffscreenTarget`] lives per viewport size; a [`Frame`] and a [`DrawList`] live
//! for one picture.

pub mod color;
pub mod device;
pub mod error;
pub mod frame;
mod gpu;
pub mod limits;
pub mod primitives;
pub mod ramp;
pub mod readback;
pub mod renderer;
pub mod target;

pub use color::Color;
pub use device::{DeviceError, HeadlessDevice};
pub use error::RenderError;
pub use frame::{Frame, Lights};
pub use limits::GpuLimits;
pub use primitives::background::Background;
pub use primitives::bones::Bone;
pub use primitives::discs::Disc;
pub use primitives::grid::Grid;
pub use primitives::lines::{Cap, Line};
pub use primitives::mesh::{Material, MaterialData, Mesh, MeshData, MeshDraw, MeshMode, MeshStyle};
pub use primitives::ring;
pub use primitives::skinned_mesh::{Influence, PaletteJoint, SkinMethod, SkinnedMesh, SkinnedMeshData};
pub use primitives::vertex_dots::{DotSpread, VertexDots};
pub use primitives::wire::{Wire, WireDraw};
pub use ramp::Ramp;
pub use renderer::{DrawList, Renderer};
pub use target::OffscreenTarget;

/// The sources of all shaders, joined as the pipelines use them, with a name each. For validation in tests.
pub fn shader_sources() -> Vec<(&'static str, String)> {
    vec![
        ("background", primitives::background::shader_source()),
        ("bones", primitives::bones::shader_source()),
        ("discs", primitives::discs::shader_source()),
        ("grid", primitives::grid::shader_source()),
        ("lines", primitives::lines::shader_source()),
        ("mesh", primitives::mesh::shader_source()),
        ("skinning", primitives::skinned_mesh::shader_source()),
        ("vertex_dots", primitives::vertex_dots::shader_source()),
        ("wire", primitives::wire::shader_source()),
    ]
}
