//! Tools: small state machines between the pointer and the editor. They know pixels and rays, no window.

pub mod bend;
pub mod flex;
pub mod paint;
mod typed;

pub use bend::{Axis, BendTool, BendView};
pub use flex::{FlexRest, FlexTool, FlexView};
pub use paint::{PaintModifiers, PaintTool, Pointer, Pressure};
pub use typed::TypedNumber;
