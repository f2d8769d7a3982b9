//! Finding a symmetry: what is taken from the document first, then the search, which needs no document and so can be on
//! another thread.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DAffine3, Vec3};
use rayon::prelude::*;
use sinew_geometry::{Aabb, MirrorPlane, MirrorPoint, mirror_twins};
use sinew_model::{Document, MeshIndex, NodeIndex, Pose};

use super::joints::{self, Pairs};
use super::{Symmetry, SymmetrySettings, scene_from_bound};
use crate::surface::MeshSurface;

/// How far twins may be apart, in parts of the character's size.
const TOLERANCE: f32 = 1e-3;

/// Everything that a symmetry is found from.
pub(super) struct Asked {
    settings: SymmetrySettings,
    points: Vec<MirrorPoint>,
    first: Vec<Option<u32>>,
    mesh_of: Vec<MeshIndex>,
    /// Where each joint stood when it was bound, and how deep in the tree it is.
    places: BTreeMap<NodeIndex, Vec3>,
    depths: BTreeMap<NodeIndex, u32>,
    /// The pairs that need no search.
    pairs: Pairs,
}

impl Asked {
    /// Takes it from the document. `surface` gives the welded surface of each skinned mesh.
    pub(super) fn new(
        document: &Document,
        settings: SymmetrySettings,
        surface: impl FnMut(MeshIndex) -> Arc<MeshSurface>,
    ) -> Self {
        let rest = sinew_rig::scene_from_nodes(document.nodes(), document.clips(), &Pose::rest());
        let settings = SymmetrySettings { axis: settings.axis.min(2), ..settings };
        let (points, first, mesh_of) = points(document, &rest, surface);
        let (places, depths) = (joints::places(document, &rest), joints::depths(document));
        Self { settings, points, first, mesh_of, places, depths, pairs: joints::said_or_named(document) }
    }

    /// Finds the symmetry.
    pub(super) fn find(self) -> Symmetry {
        let Self { settings: SymmetrySettings { axis, at, tolerance }, points, first, mesh_of, places, .. } = self;
        let mut pairs = self.pairs;
        let at = at.unwrap_or_else(|| joints::middle(&pairs, &places, axis));
        let plane = MirrorPlane { axis, at };
        let tolerance = tolerance.unwrap_or_else(|| {
            let bounds = points.iter().fold(Aabb::from_points(&[]), |bounds, point| bounds.with_point(point.position));
            if bounds.is_empty() { 0.0 } else { bounds.diagonal() * TOLERANCE }
        });
        joints::pair_by_place(&self.depths, &mut pairs, &places, plane, tolerance);
        let twins = mirror_twins(&points, plane, tolerance);
        let distances = points.iter().map(|point| plane.distance(point.position)).collect();
        Symmetry { plane, tolerance, joints: pairs, first, mesh_of, twins, distances }
    }
}

/// Every weld group of every skinned mesh where it was bound, where each mesh's begin, and whose each is.
fn points(
    document: &Document,
    rest: &[DAffine3],
    mut surface: impl FnMut(MeshIndex) -> Arc<MeshSurface>,
) -> (Vec<MirrorPoint>, Vec<Option<u32>>, Vec<MeshIndex>) {
    let mut first = vec![None; document.meshes().len()];
    let (mut points, mut mesh_of) = (Vec::new(), Vec::new());
    for mesh in document.skinned_meshes() {
        first[mesh.idx()] = Some(points.len() as u32);
        let surface = surface(mesh);
        let m = document.mesh(mesh);
        let scene_from_mesh = document.skins_of(mesh).first().map(|&skin| scene_from_bound(document, skin, rest));
        let scene_from_mesh = scene_from_mesh.unwrap_or(DAffine3::IDENTITY);
        // The cofactors turn normals right whatever the scale.
        let turn = scene_from_mesh.matrix3.inverse().transpose();
        points.par_extend((0..surface.weld.n_groups() as u32).into_par_iter().with_min_len(4096).map(|group| {
            let vertex = surface.representative(group);
            let position = scene_from_mesh.transform_point3(m.positions[vertex.idx()].as_dvec3()).as_vec3();
            let normal = (turn * m.normals[vertex.idx()].as_dvec3()).as_vec3().normalize_or_zero();
            MirrorPoint { position, normal, label: mesh.0 }
        }));
        mesh_of.resize(points.len(), mesh);
    }
    (points, first, mesh_of)
}
