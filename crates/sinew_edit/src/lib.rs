//! The whole editor without a window: document, session, history, commands, strokes, picking, posed surfaces.
//!
//! Boundary: no files, no egui, no wgpu. The window and the command line both drive an [`Editor`].

pub mod allowance;
pub mod args;
pub mod bones;
pub mod brush_change;
pub mod brushes;
pub mod commands;
pub mod curve;
pub mod edit;
pub mod editor;
pub mod falloff;
pub mod ghosts;
pub mod give;
pub mod gradient;
pub mod history;
pub mod journal;
pub mod marks;
pub mod pick;
pub mod posed;
pub mod reach;
pub mod script;
pub mod session;
pub mod stroke;
pub mod surface;
pub mod symmetry;
pub mod tools;

pub use allowance::Allowance;
pub use brushes::{BRUSHES, Brush};
pub use commands::{COMMANDS, Command, CommandError, Outcome};
pub use curve::Curve;
pub use edit::Edit;
pub use editor::{Ahead, Editor, LineError, Stale};
pub use falloff::Falloff;
pub use ghosts::{Ghost, ghosts};
pub use give::GiveTo;
pub use gradient::{Gradient, GradientShape};
pub use history::History;
pub use posed::exported::{Difference, ExportedInstance, StoredWeights};
pub use reach::Reach;
pub use script::Line;
pub use session::{BrushSettings, OutOfSight, PaintOptions, Session};
pub use sinew_weights::{EXPORT_PROFILES, ExportProfile, WeightType, export_mesh, export_profile_named};
pub use stroke::{Exchange, Refusal, StrokeSpec};
pub use surface::MeshSurface;
pub use symmetry::{Asymmetry, AsymmetryWork, FoundSymmetry, Symmetry, SymmetrySettings, SymmetryWork};
