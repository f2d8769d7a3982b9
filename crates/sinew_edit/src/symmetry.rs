//! The mirror image of a character: which weld groups and which joints are each other's, across all its meshes.
//!
//! It is found on the shape in which the meshes were bound, placed in the scene by each skin's root joint: where rest and
//! bind pose are one, that is the rest pose. So it depends neither on the pose shown nor on weights, and an edit cannot
//! change it. The plane stands across an axis where it is put, else through the median midpoint of joints paired by hand
//! or by name, else through 0. Boundary: says who is whose image; `commands::symmetry` and strokes act on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DAffine3, Vec3};
use rayon::prelude::*;
use sinew_geometry::{Aabb, MirrorPlane, MirrorPoint, mirror_twins};
use sinew_model::{
    Document, JointSlot, MeshCopy, MeshIndex, NodeIndex, Pose, Revision, Row, SkinIndex, VertexIndex, VertexSet,
};
use sinew_weights::mean_of_rows;

use crate::editor::Editor;
use crate::surface::MeshSurface;

pub use self::joints::{JointPair, PairedBy};

mod joints;
mod names;

/// What a symmetry is asked for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SymmetrySettings {
    /// The axis that the plane stands across: 0 for x, 1 for y, 2 for z.
    pub axis: usize,
    /// Where the plane cuts the axis, scene units; `None` finds it.
    pub at: Option<f32>,
    /// How far a vertex may be from its twin's mirror image, scene units; `None` is a thousandth of the character's size.
    pub tolerance: Option<f32>,
}

/// Who is whose mirror image.
#[derive(Clone, Debug)]
pub struct Symmetry {
    plane: MirrorPlane,
    tolerance: f32,
    joints: BTreeMap<NodeIndex, (NodeIndex, PairedBy)>,
    /// Where each mesh's groups begin in the lists below; `None` for meshes without skin. One more than there are meshes.
    first: Vec<Option<u32>>,
    /// The mesh of each group.
    mesh_of: Vec<MeshIndex>,
    twins: Vec<Option<u32>>,
    distances: Vec<f32>,
}

/// Which slot of one mesh's rows stands for the mirror image of each slot of another's; `None` where that has no such
/// joint. `[n_slots]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotMirror(Vec<Option<JointSlot>>);

/// How far a mesh's weights are from their mirror image.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Asymmetry {
    /// For each vertex the greatest difference of a weight from the mirrored joint's on the twin; 0 without a twin.
    /// `[n_vertices]`
    pub differences: Vec<f32>,
    /// The greatest of all.
    pub greatest: f32,
    /// Vertices without a twin.
    pub unmatched: VertexSet,
}

/// A symmetry and what it was made from.
pub(crate) struct KeptSymmetry {
    settings: SymmetrySettings,
    pairs: Revision,
    copies: Vec<MeshCopy>,
    symmetry: Arc<Symmetry>,
}

/// How far twins may be apart, in parts of the character's size.
const TOLERANCE: f32 = 1e-3;

impl Symmetry {
    /// Finds it. `surface` gives the welded surface of each skinned mesh.
    pub fn new(
        document: &Document,
        settings: SymmetrySettings,
        surface: impl FnMut(MeshIndex) -> Arc<MeshSurface>,
    ) -> Self {
        let rest = sinew_rig::scene_from_nodes(document.nodes(), document.clips(), &Pose::rest());
        let axis = settings.axis.min(2);
        let (points, first, mesh_of) = points(document, &rest, surface);
        let places = joints::places(document, &rest);
        let bounds = points.iter().fold(Aabb::from_points(&[]), |bounds, point| bounds.with_point(point.position));
        let size = if bounds.is_empty() { 0.0 } else { bounds.diagonal() };
        let tolerance = settings.tolerance.unwrap_or(size * TOLERANCE);
        let mut pairs = joints::said_or_named(document);
        let at = settings.at.unwrap_or_else(|| joints::middle(&pairs, &places, axis));
        let plane = MirrorPlane { axis, at };
        joints::pair_by_place(document, &mut pairs, &places, plane, tolerance);
        let twins = mirror_twins(&points, plane, tolerance);
        let distances = points.iter().map(|point| plane.distance(point.position)).collect();
        Self { plane, tolerance, joints: pairs, first, mesh_of, twins, distances }
    }

    /// The plane, scene space.
    pub fn plane(&self) -> MirrorPlane {
        self.plane
    }

    /// How far a vertex may be from its twin's mirror image, scene units.
    pub fn tolerance(&self) -> f32 {
        self.tolerance
    }

    /// A joint's mirror image: itself on the plane and where nobody was found.
    pub fn joint_twin(&self, joint: NodeIndex) -> NodeIndex {
        self.joints.get(&joint).map_or(joint, |&(twin, _)| twin)
    }

    /// All joints with their mirror image, by node; of a pair both.
    pub fn joint_pairs(&self) -> impl Iterator<Item = JointPair> + '_ {
        self.joints.iter().map(|(&joint, &(twin, by))| JointPair { joint, twin, by })
    }

    /// The group that is a group's mirror image: itself on the plane, `None` where there is none.
    pub fn twin(&self, mesh: MeshIndex, group: u32) -> Option<(MeshIndex, u32)> {
        let twin = self.twins[self.place(mesh, group)?]?;
        let mesh = self.mesh_of[twin as usize];
        Some((mesh, twin - self.first[mesh.idx()]?))
    }

    /// Whether a group is its own mirror image.
    pub fn is_centre(&self, mesh: MeshIndex, group: u32) -> bool {
        self.twin(mesh, group) == Some((mesh, group))
    }

    /// How far a group is from the plane; above 0 on the axis' positive side. 0 for meshes without skin.
    pub fn distance(&self, mesh: MeshIndex, group: u32) -> f32 {
        self.place(mesh, group).map_or(0.0, |place| self.distances[place])
    }

    /// Groups of a mesh that have no mirror image, rising.
    pub fn unmatched(&self, mesh: MeshIndex) -> Vec<u32> {
        let n_groups = self.first[mesh.idx()].map_or(0, |_| self.mesh_of.iter().filter(|&&of| of == mesh).count());
        (0..n_groups as u32).filter(|&group| self.twin(mesh, group).is_none()).collect()
    }

    /// How slots of `from`'s rows become slots of `to`'s in the mirror.
    pub fn slots(&self, document: &Document, from: MeshIndex, to: MeshIndex) -> SlotMirror {
        let slots = (0..document.n_slots(from)).map(|slot| {
            let joint = document.joint_of(from, JointSlot::from_idx(slot))?;
            document.slot_of(to, self.joint_twin(joint))
        });
        SlotMirror(slots.collect())
    }

    fn place(&self, mesh: MeshIndex, group: u32) -> Option<usize> {
        self.first.get(mesh.idx()).copied().flatten().map(|first| (first + group) as usize)
    }
}

impl SlotMirror {
    /// The slot that stands for the mirror image of a slot.
    pub fn slot(&self, slot: JointSlot) -> Option<JointSlot> {
        self.0.get(slot.idx()).copied().flatten()
    }

    /// The mirror image of a row. Weight of joints that are not there goes to the others in proportion; `None` if nothing
    /// is left, or nothing was.
    pub fn row(&self, row: &Row) -> Option<Row> {
        let mut image = Row::new();
        let mut is_whole = true;
        for i in row.influences() {
            match self.slot(i.slot) {
                Some(slot) => image.add(slot, i.weight),
                None => is_whole = false,
            }
        }
        if !is_whole {
            image = mean_of_rows([(sinew_model::RowRef::Long(image.influences()), 1.0)]);
        }
        (!image.is_empty()).then_some(image)
    }
}

impl Asymmetry {
    /// Compares a mesh's rows with the mirror image of their twins' rows.
    pub fn of(
        document: &Document,
        symmetry: &Symmetry,
        mesh: MeshIndex,
        mut surface: impl FnMut(MeshIndex) -> Arc<MeshSurface>,
    ) -> Self {
        let own = surface(mesh);
        let m = document.mesh(mesh);
        let sources = document.skinned_meshes().into_iter();
        let sources: BTreeMap<MeshIndex, (Arc<MeshSurface>, SlotMirror)> =
            sources.map(|other| (other, (surface(other), symmetry.slots(document, other, mesh)))).collect();
        let one = |group: u32| -> Option<f32> {
            let vertex = own.representative(group);
            if !m.is_paintable(vertex) {
                return Some(0.0);
            }
            let (other, twin) = symmetry.twin(mesh, group)?;
            let (surface, slots) = &sources[&other];
            let image = slots.row(&document.mesh(other).weights.get(surface.representative(twin)));
            Some(difference(&m.weights.get(vertex), &image.unwrap_or_default()))
        };
        let by_group: Vec<Option<f32>> =
            (0..own.weld.n_groups() as u32).into_par_iter().with_min_len(1024).map(one).collect();
        let mut found = Self { differences: vec![0.0; m.n_vertices()], ..Self::default() };
        for (v, at) in found.differences.iter_mut().enumerate() {
            match by_group[own.group_of(VertexIndex::from_idx(v)) as usize] {
                Some(difference) => *at = difference,
                None => {
                    found.unmatched.insert(VertexIndex::from_idx(v));
                }
            }
        }
        found.greatest = found.differences.iter().copied().fold(0.0, f32::max);
        found
    }
}

impl Editor {
    /// The mirror image of the character, kept until joint pairs or meshes change.
    pub fn symmetry(&mut self, settings: SymmetrySettings) -> Arc<Symmetry> {
        let document = self.document();
        let (pairs, copies) = (document.joint_pairs_revision(), document.mesh_copies());
        if let Some(kept) = &self.symmetry
            && (kept.settings, kept.pairs, kept.copies.as_slice()) == (settings, pairs, copies)
        {
            return Arc::clone(&kept.symmetry);
        }
        let copies = copies.to_vec();
        let surfaces = self.skinned_surfaces();
        let symmetry = Arc::new(Symmetry::new(self.document(), settings, |mesh| Arc::clone(&surfaces[&mesh])));
        self.symmetry = Some(KeptSymmetry { settings, pairs, copies, symmetry: Arc::clone(&symmetry) });
        symmetry
    }

    /// How far a mesh's weights are from their mirror image. Not kept: who shows it keeps it by revision.
    pub fn asymmetry(&mut self, mesh: MeshIndex, settings: SymmetrySettings) -> Asymmetry {
        let symmetry = self.symmetry(settings);
        let surfaces = self.skinned_surfaces();
        if !surfaces.contains_key(&mesh) {
            return Asymmetry::default();
        }
        Asymmetry::of(self.document(), &symmetry, mesh, |mesh| Arc::clone(&surfaces[&mesh]))
    }

    /// The welded surface of every skinned mesh.
    pub(crate) fn skinned_surfaces(&mut self) -> BTreeMap<MeshIndex, Arc<MeshSurface>> {
        self.document().skinned_meshes().into_iter().map(|mesh| (mesh, self.surface(mesh))).collect()
    }
}

/// The greatest difference of a weight between two rows of one mesh.
fn difference(a: &Row, b: &Row) -> f32 {
    let one_way =
        |a: &Row, b: &Row| a.influences().iter().map(|i| (i.weight - b.weight(i.slot)).abs()).fold(0.0, f32::max);
    one_way(a, b).max(one_way(b, a))
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
        points.extend((0..surface.weld.n_groups() as u32).map(|group| {
            let vertex = surface.representative(group);
            let position = scene_from_mesh.transform_point3(m.positions[vertex.idx()].as_dvec3()).as_vec3();
            let normal = (turn * m.normals[vertex.idx()].as_dvec3()).as_vec3().normalize_or_zero();
            MirrorPoint { position, normal, label: mesh.0 }
        }));
        mesh_of.resize(points.len(), mesh);
    }
    (points, first, mesh_of)
}

/// Places what a skin binds in the scene as its root joint stands at rest.
fn scene_from_bound(document: &Document, skin: SkinIndex, rest: &[DAffine3]) -> DAffine3 {
    let skin = document.skin(skin);
    let root = document.joints().iter().find_map(|&joint| Some((joint, skin.slot(joint)?)));
    root.map_or(DAffine3::IDENTITY, |(joint, slot)| rest[joint.idx()] * skin.joint_from_mesh()[slot.idx()])
}

/// Where a joint stood when its first skin was bound; where it rests if its bind matrix cannot say.
fn bound_place(document: &Document, joint: NodeIndex, rest: &[DAffine3]) -> Vec3 {
    let bound = (0..document.skins().len()).map(SkinIndex::from_idx).find_map(|index| {
        let skin = document.skin(index);
        let slot = skin.slot(joint)?;
        let joint_from_mesh = skin.joint_from_mesh()[slot.idx()];
        // Matrices that are all the same place no joint.
        let says_nothing = skin.n_joints() > 1 && skin.joint_from_mesh().iter().all(|other| *other == joint_from_mesh);
        let place = (scene_from_bound(document, index, rest) * joint_from_mesh.inverse()).translation.as_vec3();
        (!says_nothing && place.is_finite()).then_some(place)
    });
    bound.unwrap_or_else(|| rest[joint.idx()].translation.as_vec3())
}
