//! Poses: forward kinematics over the whole node tree, clip sampling and morph weights.
//!
//! Boundary: what a pose does to nodes and to raw vertices before skinning. Skinning itself is `sinew_deform`'s.

pub mod forward;
pub mod morphs;
pub mod sample;

pub use forward::{local_transforms, scene_from_nodes};
pub use morphs::{Morphed, morph_weights, morphed};
pub use sample::{apply_clip, clip_morph_weights};
