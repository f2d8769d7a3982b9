//! The window, driven through real pointer and key events without a display.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop with the reason")]

mod window {
    pub mod driver;

    mod around;
    mod brush;
    mod files;
    mod job;
    mod joints;
    mod limits;
    mod still;
    mod view;
}
