//! Shaders, layouts, and pictures drawn by whatever adapter this machine has.

mod gpu;
mod layouts;
mod memory;
mod pictures;
mod skinning;
mod weights;
