//! The window: eframe shell, panels and viewport.
