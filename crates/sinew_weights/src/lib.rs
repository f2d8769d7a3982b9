//! How weights change: pure functions on rows, one file per verb, and drivers that run a verb over a whole mesh.
//!
//! Boundary: knows rows, slots and weld groups as numbers. No document, undo, selection, brush or window; what may
//! not move comes in as [`Holds`], what changed goes out as rows. Every result is the same to the bit whatever the
//! number of threads.

pub mod average;
pub mod blend;
pub mod budget;
pub mod change;
pub mod export_rows;
pub mod give;
pub mod hammer;
pub mod holds;
pub mod limit;
pub mod normalize;
pub mod prune;
pub mod quantize;
mod share;
pub mod sharpen;
pub mod smooth;
pub mod together;
pub mod unassigned;
pub mod whole_mesh;

pub use average::mean_of_rows;
pub use blend::blend_row;
pub use budget::{BudgetOutcome, fit_budget};
pub use change::{Blockers, Change, set_weight};
pub use export_rows::{EXPORT_PROFILES, ExportProfile, WeightType, export_mesh, export_profile_named, export_row};
pub use give::{Give, set_weight_giving};
pub use hammer::hammered;
pub use holds::Holds;
pub use limit::{limit_mesh, limit_row};
pub use normalize::{normalize_mesh, normalize_row};
pub use prune::{prune_mesh, prune_row};
pub use quantize::{dequantize_row, quantize_row};
pub use share::NEGLIGIBLE;
pub use sharpen::sharpened;
pub use smooth::{SmoothField, SmoothSettings, smooth};
pub use together::{Terms, fit_budget_of, set_weights};
pub use unassigned::{UNASSIGNED, set_weight_leaving, unassigned_share, with_share, without_share};
pub use whole_mesh::{MeshChanges, RowOutcome};
