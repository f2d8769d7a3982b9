//! The window, driven through real pointer and key events without a display.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop with the reason")]

mod window {
    pub mod driver;

    mod around;
    mod asking;
    mod bar;
    mod beside;
    mod brush;
    mod cases;
    mod column;
    mod controls;
    mod dabs;
    mod dialogs;
    mod escape;
    mod exported;
    mod files;
    mod hand;
    mod in_front;
    mod job;
    mod joints;
    mod keys;
    mod kit;
    mod large;
    mod limits;
    mod locks;
    mod lost;
    mod meshes;
    mod names;
    mod notices;
    mod palette;
    mod pose;
    mod recent;
    mod recovery;
    mod said;
    mod scenes;
    mod seeing;
    mod still;
    mod tree;
    mod trust;
    mod view;
    mod wild;
    mod working;
    mod zoom;
}
