//! Surfaces without joints: welding, adjacency, ray and closest-point queries, normals, distance along the surface.
//!
//! Everything here works on plain positions and triangles. The crate knows no joints, weights, files, windows or GPUs.
//! Results never depend on the number of threads. Vertices and triangles are numbered with `u32`; positions with
//! NaN or infinities and triangles without area are tolerated everywhere: they take part in nothing, and nothing panics.

pub mod adjacency;
pub mod bounds;
pub mod bvh;
pub mod geodesic;
pub mod nearest;
pub mod normals;
pub mod sides;
pub mod spread;
pub mod symmetry;
#[cfg(test)]
mod test_meshes;
pub mod trace;
pub mod tri_mesh;
pub mod triangle;
pub mod walk;
pub mod weld;

pub use adjacency::Topology;
pub use bounds::Aabb;
pub use bvh::{Bvh, ClosestHit, RayHit};
pub use geodesic::{GeodesicScratch, SurfacePoint, distances_within};
pub use nearest::PointIndex;
pub use normals::vertex_normals;
pub use sides::SurfaceSides;
pub use spread::spread;
pub use symmetry::{MirrorPlane, MirrorPoint, mirror_twins};
pub use trace::{TraceEnd, Traced, trace_straight};
pub use tri_mesh::{TriMeshError, TriMeshRef};
pub use weld::WeldGroups;
