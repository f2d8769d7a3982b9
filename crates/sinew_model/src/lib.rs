//! The document and its invariants: nodes, skins, meshes, weights, poses and clips.
//!
//! Boundary: plain data and checks. Nothing here reads or writes files, draws, or decides how weights change;
//! `sinew_io` builds a [`Document`], `sinew_edit` is the only crate that changes one.

pub mod census;
pub mod clip;
pub mod document;
pub mod ids;
pub mod joint_pairs;
pub mod lookup;
pub mod material;
pub mod mesh;
pub mod nodes;
pub mod pose;
pub mod row;
pub mod row_list;
pub mod shown_name;
pub mod skin;
pub mod stand_in;
pub mod transform;
pub mod vertex_mask;
pub mod vertex_set;
pub mod weight_table;

pub use census::WeightCensus;
pub use clip::{Channel, Clip, Interpolation, Track};
pub use document::{Budget, Document, DocumentError, DocumentParts, Instance, MeshCopy, Revision, SceneInfo};
pub use ids::{
    ClipIndex, ImageIndex, JointSlot, MaterialIndex, MeshIndex, NodeIndex, SceneIndex, SkinIndex, VertexIndex,
};
pub use joint_pairs::JointPairs;
pub use lookup::{LookupError, joint_named};
pub use material::{AlphaMode, Image, ImageFormat, Material, TextureUse, TextureWrap};
pub use mesh::{Mesh, MeshError, MorphTarget, Primitive, VertexPool};
pub use nodes::{Node, NodeTree, NodeTreeError};
pub use pose::{ClipTime, Pose};
pub use row::{Influence, Row, RowFault, UNWEIGHTED_SUM};
pub use row_list::RowList;
pub use shown_name::shown_name;
pub use skin::{Skin, SkinError};
pub use stand_in::StandIns;
pub use transform::LocalTransform;
pub use vertex_mask::VertexMask;
pub use vertex_set::VertexSet;
pub use weight_table::{RowRef, WeightTable};
