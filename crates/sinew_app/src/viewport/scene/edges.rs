//! The edges of a mesh, as the wireframe shows them.

use sinew_model::{Document, VertexIndex};
use sinew_render::{Mesh, RenderError, Renderer, Wire};

/// Every edge once, but those of triangles with a hidden corner.
pub(super) fn edges(
    renderer: &Renderer,
    document: &Document,
    instance_idx: usize,
    on: &Mesh,
) -> Result<Wire, RenderError> {
    let index = document.instances()[instance_idx].mesh;
    let (mesh, hidden) = (document.mesh(index), document.hidden(index));
    let is_hidden = |v: &u32| hidden.contains(VertexIndex::from_idx(*v as usize));
    let mut edges: Vec<[u32; 2]> = mesh
        .triangles()
        .filter(|triangle| hidden.is_empty() || !triangle.iter().any(is_hidden))
        .flat_map(|[a, b, c]| [[a.min(b), a.max(b)], [b.min(c), b.max(c)], [c.min(a), c.max(a)]])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    Wire::new(renderer, on.n_vertices(), &edges)
}
