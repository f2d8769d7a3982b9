//! The window, driven through real pointer and key events without a display.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop with the reason")]

mod window {
    pub mod driver;

    mod around;
    mod beside;
    mod brush;
    mod cases;
    mod controls;
    mod exported;
    mod files;
    mod job;
    mod joints;
    mod hand;
    mod keys;
    mod kit;
    mod limits;
    mod locks;
    mod lost;
    mod mirroring;
    mod names;
    mod pose;
    mod scenes;
    mod seeing;
    mod still;
    mod tree;
    mod trust;
    mod view;
    mod wild;
    mod working;
}
