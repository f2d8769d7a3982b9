//! Raw vertices, weights and a pose become posed vertices in scene space.
//!
//! Boundary: pure kernels over checked input. Which pose, which morph weights and when to deform again is decided
//! elsewhere. A [`Palette`] is made for a pose, a [`SkinInput`] from a mesh; a [`Deformer`] turns them into [`Posed`].

pub mod deformers;
pub mod dual_quaternion;
pub mod input;
pub mod linear_blend;
pub mod palette;
pub mod polar;
mod row;
mod run;
mod wide;

pub use deformers::{DEFORMERS, Deformer, Posed, deformer_named};
pub use dual_quaternion::DualQuaternion;
pub use input::{OffSum, SkinInput, SkinInputError};
pub use linear_blend::LinearBlend;
pub use palette::{DualJoint, Palette};
