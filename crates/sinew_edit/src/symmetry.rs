//! The mirror image of a character: which weld groups and which joints are each other's, across all its meshes.
//!
//! It is found on the shape in which the meshes were bound, placed in the scene by each skin's root joint: where rest and
//! bind pose are one, that is the rest pose. So it depends neither on the pose shown nor on weights, and an edit cannot
//! change it. The plane stands across an axis where it is put, else through the median midpoint of joints paired by hand
//! or by name, else through 0. Boundary: says who is whose image; `commands::symmetry` and strokes act on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DAffine3, Vec3};
use sinew_geometry::MirrorPlane;
use sinew_model::{Document, JointSlot, MeshCopy, MeshIndex, NodeIndex, Revision, Row, RowRef, SkinIndex};
use sinew_weights::mean_of_rows;

use crate::editor::Editor;
use crate::surface::MeshSurface;

pub use self::asymmetry::{Asymmetry, AsymmetryWork};
pub use self::joints::{JointPair, PairedBy};

mod asymmetry;
mod joints;
mod names;
mod work;

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

/// What a symmetry follows from, besides the shape, which never changes.
#[derive(Clone, PartialEq)]
struct MadeOf {
    settings: SymmetrySettings,
    pairs: Revision,
    copies: Vec<MeshCopy>,
}

/// A symmetry and what it was made from.
#[derive(Clone)]
pub(crate) struct KeptSymmetry {
    made_of: MadeOf,
    symmetry: Arc<Symmetry>,
}

/// A symmetry that is still to be found, on whatever thread: it needs no document.
pub struct SymmetryWork {
    made_of: MadeOf,
    asked: work::Asked,
}

/// A symmetry that was found; [`Editor::keep_symmetry`] takes it.
pub struct FoundSymmetry(KeptSymmetry);

impl SymmetryWork {
    /// Finds it.
    pub fn find(self) -> FoundSymmetry {
        FoundSymmetry(KeptSymmetry { made_of: self.made_of, symmetry: Arc::new(self.asked.find()) })
    }
}

impl Symmetry {
    /// Finds it. `surface` gives the welded surface of each skinned mesh.
    pub fn new(
        document: &Document,
        settings: SymmetrySettings,
        surface: impl FnMut(MeshIndex) -> Arc<MeshSurface>,
    ) -> Self {
        work::Asked::new(document, settings, surface).find()
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
            image = mean_of_rows([(RowRef::Long(image.influences()), 1.0)]);
        }
        (!image.is_empty()).then_some(image)
    }
}

impl Editor {
    /// The mirror image of the character, kept until joint pairs or meshes change. On a large mesh it takes a while:
    /// see [`Editor::symmetry_work`].
    pub fn symmetry(&mut self, settings: SymmetrySettings) -> Arc<Symmetry> {
        if let Some(symmetry) = self.known_symmetry(settings) {
            return symmetry;
        }
        let found = self.symmetry_work(settings).find();
        Arc::clone(&self.symmetry.insert(found.0).symmetry)
    }

    /// The mirror image, if it is found already.
    pub fn known_symmetry(&self, settings: SymmetrySettings) -> Option<Arc<Symmetry>> {
        self.symmetry
            .as_ref()
            .filter(|kept| kept.made_of == self.made_of(settings))
            .map(|kept| Arc::clone(&kept.symmetry))
    }

    /// How many places a search for the mirror image looks at: the weld groups of all skinned meshes.
    pub fn n_mirrored(&mut self) -> usize {
        self.skinned_surfaces().values().map(|surface| surface.weld.n_groups()).sum()
    }

    /// What another thread needs to find the mirror image.
    pub fn symmetry_work(&mut self, settings: SymmetrySettings) -> SymmetryWork {
        let surfaces = self.skinned_surfaces();
        let asked = work::Asked::new(self.document(), settings, |mesh| Arc::clone(&surfaces[&mesh]));
        SymmetryWork { made_of: self.made_of(settings), asked }
    }

    /// Takes over what another thread found; `false` if pairs or meshes have changed since.
    pub fn keep_symmetry(&mut self, found: FoundSymmetry) -> bool {
        let is_current = found.0.made_of == self.made_of(found.0.made_of.settings);
        if is_current {
            self.symmetry = Some(found.0);
        }
        is_current
    }

    /// How far a mesh's weights are from their mirror image. Not kept: who shows it keeps it by revision.
    pub fn asymmetry(&mut self, mesh: MeshIndex, settings: SymmetrySettings) -> Asymmetry {
        let symmetry = self.symmetry(settings);
        let mut found = self.asymmetry_work(symmetry).find();
        found.retain(|(of, _)| *of == mesh);
        found.pop().map(|(_, found)| found).unwrap_or_default()
    }

    /// What another thread needs to find how far all meshes' weights are from their mirror image.
    pub fn asymmetry_work(&mut self, symmetry: Arc<Symmetry>) -> AsymmetryWork {
        let surfaces = self.skinned_surfaces();
        AsymmetryWork::new(self.document(), symmetry, surfaces)
    }

    fn made_of(&self, settings: SymmetrySettings) -> MadeOf {
        let document = self.document();
        MadeOf { settings, pairs: document.joint_pairs_revision(), copies: document.mesh_copies().to_vec() }
    }

    /// The welded surface of every skinned mesh.
    pub(crate) fn skinned_surfaces(&mut self) -> BTreeMap<MeshIndex, Arc<MeshSurface>> {
        self.document().skinned_meshes().into_iter().map(|mesh| (mesh, self.surface(mesh))).collect()
    }
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
