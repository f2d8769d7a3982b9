//! The window: eframe shell, panels and viewport.
//!
//! Boundary: the only crate with egui. It reads the editor, draws, and turns input into commands and tools of
//! `sinew_edit`; files go through `sinew_io`. Nothing here decides what an edit does.

pub mod action;
pub mod app;
mod asking;
pub mod brush_memory;
mod busy;
pub mod dialogs;
mod escape;
mod facts;
pub mod files;
pub mod fonts;
mod kept_beside;
mod key_order;
pub mod keymap;
mod mirroring;
pub mod modals;
pub mod notices;
mod opening;
pub mod panels;
mod perform;
mod preferences;
mod recovery;
mod rescue;
mod saving;
mod scripts;
mod session_journal;
mod start;
pub mod stored_as;
pub mod theme;
mod turned_since;
pub mod viewport;
mod working;

pub use app::{App, Start};
pub use rescue::{Rescue, Rescued};
pub use start::{AppError, WindowOptions, run};

/// Under which name preferences are stored.
pub(crate) const PREFERENCES_KEY: &str = "preferences";
