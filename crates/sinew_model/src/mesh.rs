//! A mesh: its vertices, laid end to end over its pools, its triangles and its weight rows.

use glam::{Vec2, Vec3};

use crate::document::Revision;
use crate::ids::{MaterialIndex, MeshIndex, VertexIndex};
use crate::weight_table::WeightTable;

/// A mesh of the file. Vertices of all pools stand end to end in one numbering ([`VertexIndex`]).
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Name, if the file gives one.
    pub name: Option<String>,
    /// The vertex pools, in the order in which primitives first use them.
    pub pools: Vec<VertexPool>,
    /// The primitives, in the file's order.
    pub primitives: Vec<Primitive>,
    /// Raw positions, as stored (de-normalised where integers). `[n_vertices]`
    pub positions: Vec<Vec3>,
    /// Raw unit normals; made from the triangles where the file has none. `[n_vertices]`
    pub normals: Vec<Vec3>,
    /// Texture coordinates of the set that the base colour uses; zero where there are none. `[n_vertices]`
    pub texcoords: Vec<Vec2>,
    /// Morph targets.
    pub morph_targets: Vec<MorphTarget>,
    /// Morph weights the mesh gives; padded with 0. `[n_morph_targets]`
    pub morph_weights: Vec<f32>,
    /// Weight rows; empty rows in pools that are not skinned. `[n_vertices]`
    pub weights: WeightTable,
    /// Changes whenever `weights` does.
    pub weights_revision: Revision,
}

/// Vertices that primitives share: same POSITION, JOINTS_n and WEIGHTS_n accessors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VertexPool {
    /// First vertex.
    pub first: u32,
    /// How many vertices.
    pub count: u32,
    /// Whether the file gives joints and weights.
    pub skinned: bool,
    /// Whether the file gives normals.
    pub has_normals: bool,
}

/// Triangles with one material over one pool.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// Which pool the vertices are of.
    pub pool: usize,
    /// Triangles in mesh-wide vertex numbers; strips and fans are taken apart, points and lines have none.
    pub triangles: Vec<[u32; 3]>,
    /// The material.
    pub material: Option<MaterialIndex>,
    /// Raw normals, where this primitive has others than its pool. `[pool.count]`
    pub own_normals: Option<Vec<Vec3>>,
    /// Texture coordinates, where this primitive has others than its pool. `[pool.count]`
    pub own_texcoords: Option<Vec<Vec2>>,
}

/// A morph target: what it adds, at the vertices where that is not zero.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MorphTarget {
    /// Name (`extras.targetNames`), if the file gives one.
    pub name: Option<String>,
    /// Vertices, rising. `[n]`
    pub vertices: Vec<VertexIndex>,
    /// Added to raw positions. `[n]`
    pub positions: Vec<Vec3>,
    /// Added to raw normals. `[n]`
    pub normals: Vec<Vec3>,
}

/// Why arrays do not make a mesh.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MeshError {
    /// Per-vertex arrays of different lengths.
    #[error("mesh {mesh}: {what} has {found} entries for {expected} vertices")]
    Length {
        /// The mesh.
        mesh: MeshIndex,
        /// Which array.
        what: &'static str,
        /// How many vertices there are.
        expected: usize,
        /// How many entries were found.
        found: usize,
    },
    /// A triangle names a vertex outside its pool.
    #[error("mesh {mesh}, primitive {primitive}: a triangle names vertex {vertex}; its vertices are {first} to {last}")]
    TriangleOutside {
        /// The mesh.
        mesh: MeshIndex,
        /// The primitive.
        primitive: usize,
        /// The vertex named.
        vertex: u32,
        /// The pool's first vertex.
        first: u32,
        /// The pool's last vertex.
        last: u32,
    },
}

impl Mesh {
    /// How many vertices the mesh has, over all pools.
    pub fn n_vertices(&self) -> usize {
        self.positions.len()
    }

    /// Whether any pool has weights: whether there is something to paint.
    pub fn is_skinned(&self) -> bool {
        self.pools.iter().any(|pool| pool.skinned)
    }

    /// The pool of a vertex.
    pub fn pool_of(&self, vertex: VertexIndex) -> Option<&VertexPool> {
        let at = self.pools.partition_point(|pool| pool.first + pool.count <= vertex.0);
        self.pools.get(at)
    }

    /// Whether the vertex has a weight row that may be edited.
    #[inline]
    pub fn is_paintable(&self, vertex: VertexIndex) -> bool {
        self.pool_of(vertex).is_some_and(|pool| pool.skinned)
    }

    /// All triangles of all primitives, in order.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.primitives.iter().flat_map(|primitive| primitive.triangles.iter().copied())
    }

    /// A name for messages and scripts.
    pub fn label(&self, mesh: MeshIndex) -> String {
        match self.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("#{mesh}"),
        }
    }

    /// Checks array lengths and triangles.
    pub fn check(&self, mesh: MeshIndex) -> Result<(), MeshError> {
        let expected = self.positions.len();
        let lengths = [
            ("normals", self.normals.len()),
            ("texture coordinates", self.texcoords.len()),
            ("weight rows", self.weights.n_vertices()),
            ("pools", self.pools.iter().map(|pool| pool.count as usize).sum()),
        ];
        for (what, found) in lengths {
            if found != expected {
                return Err(MeshError::Length { mesh, what, expected, found });
            }
        }
        if self.morph_weights.len() != self.morph_targets.len() {
            let (expected, found) = (self.morph_targets.len(), self.morph_weights.len());
            return Err(MeshError::Length { mesh, what: "morph weights", expected, found });
        }
        for (i, primitive) in self.primitives.iter().enumerate() {
            let Some(pool) = self.pools.get(primitive.pool) else {
                let (expected, found) = (self.pools.len(), primitive.pool);
                return Err(MeshError::Length { mesh, what: "primitive's pool", expected, found });
            };
            let range = pool.first..pool.first + pool.count;
            if let Some(&vertex) = primitive.triangles.iter().flatten().find(|vertex| !range.contains(vertex)) {
                let last = range.end.saturating_sub(1);
                return Err(MeshError::TriangleOutside { mesh, primitive: i, vertex, first: range.start, last });
            }
        }
        Ok(())
    }
}
