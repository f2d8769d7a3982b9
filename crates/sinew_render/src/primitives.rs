//! One file per thing that can be drawn. Each has its GPU structs beside its pipeline.

pub mod background;
pub mod bones;
pub mod discs;
pub mod grid;
pub(crate) mod instances;
pub mod lines;
pub mod mesh;
pub mod ring;
pub mod skinned_mesh;
pub(crate) mod texture;
pub mod vertex_dots;
pub mod wire;
