//! What the binary can do, one file a verb.

pub mod apply;
pub mod commands;
pub mod deform;
pub mod info;
pub mod render;
pub mod window;
