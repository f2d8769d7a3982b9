//! Small inputs made in code, for the tests of every crate, and the outside judges of what is saved.
//!
//! [`strip()`], [`tube()`], [`seam()`], [`pair()`], [`cube()`], [`patch()`], [`chain()`] and [`grid()`] give a [`Scene`]: plain data that a test
//! may still change. [`Scene::build`] turns it into a [`GltfBuilder`] (JSON and binary buffer, open to any change),
//! which writes `.glb`, `.gltf` with a `.bin`, or `.gltf` with a data URI.
//!
//! This library uses no crate of the editor, so that each of them can use it in its tests.
//! Right-handed, Y up, units are metres.

mod circle;
mod container;
mod gltf_builder;
mod judges;
mod png;
mod scene;
mod scene_build;
mod shapes;
#[cfg(test)]
mod tests;

pub use circle::circle_point;
pub use container::{data_uri, glb_bytes};
pub use gltf_builder::{Component, GltfBuilder};
pub use judges::{Verdict, assets_dir, roundtrip_diff, sample_models, shared_models, validate_gltf};
pub use png::checker_png;
pub use scene::{
    Channel, Clip, Image, JointsType, Mesh, Morph, Node, Placement, PositionsType, Primitive, Row, Scene, Share, Skin,
    Storage, WeightsType,
};
pub use shapes::{chain, cube, grid, pair, pair_two_meshes, patch, seam, strip, tube, two_scenes};
