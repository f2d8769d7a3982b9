//! What the binary can do, one file a verb.

pub mod apply;
pub mod commands;
pub mod deform;
pub mod info;
pub mod picture;
pub mod render;
pub mod tour;
pub mod window;
