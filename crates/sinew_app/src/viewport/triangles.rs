//! The triangles of a mesh as the GPU gets them: by primitive, without those that have a hidden corner.

use std::ops::Range;

use glam::Vec2;
use sinew_model::{Document, MaterialIndex, MeshIndex, VertexIndex, VertexSet};

use super::scene::uv_transform;

/// The triangles of one primitive.
pub struct Part {
    /// Where they stand among the indices.
    pub indices: Range<u32>,
    /// What they are drawn with.
    pub material: Option<MaterialIndex>,
}

/// All triangles of a mesh.
pub struct Triangles {
    /// Vertex indices, three a triangle; beyond the mesh's own vertices they name those of tails.
    pub indices: Vec<u32>,
    /// One a primitive.
    pub parts: Vec<Part>,
    /// Pools that stand a second time after the mesh's own vertices, for primitives with their own coordinates.
    pub tails: Vec<Range<usize>>,
    /// Texture coordinates of the tails, in their order.
    pub tail_texcoords: Vec<Vec2>,
}

impl Triangles {
    /// Those that are not hidden.
    pub fn of(document: &Document, mesh: MeshIndex, hidden: &VertexSet) -> Self {
        let mesh = document.mesh(mesh);
        let mut all = Self { indices: Vec::new(), parts: Vec::new(), tails: Vec::new(), tail_texcoords: Vec::new() };
        let n_own = mesh.texcoords.len();
        for primitive in &mesh.primitives {
            let pool = mesh.pools[primitive.pool];
            let range = pool.first as usize..(pool.first + pool.count) as usize;
            let texture = primitive.material.and_then(|m| document.material(m).base_color_texture);
            let moved = texture.and_then(uv_transform);
            let mut shift = 0;
            if primitive.own_texcoords.is_some() || moved.is_some() {
                shift = n_own + all.tail_texcoords.len() - range.start;
                let own = primitive.own_texcoords.as_deref().unwrap_or(&mesh.texcoords[range.clone()]);
                let moved = moved.unwrap_or(glam::Affine2::IDENTITY);
                all.tail_texcoords.extend(own.iter().map(|&uv| moved.transform_point2(uv)));
                all.tails.push(range);
            }
            let start = all.indices.len() as u32;
            let is_seen = |triangle: &&[u32; 3]| {
                hidden.is_empty() || !triangle.iter().any(|&v| hidden.contains(VertexIndex::from_idx(v as usize)))
            };
            let triangles = primitive.triangles.iter().filter(is_seen);
            all.indices.extend(triangles.flatten().map(|&v| v + shift as u32));
            all.parts.push(Part { indices: start..all.indices.len() as u32, material: primitive.material });
        }
        all
    }
}
