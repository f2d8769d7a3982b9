//! The whole editor without a window.
