//! The document: everything that is undone and saved, and the facts that follow from it once.

mod instances;
mod marks;
mod mesh_copies;
mod scenes;

use std::collections::BTreeSet;
use std::fmt;

use self::marks::Marks;
pub use self::mesh_copies::MeshCopy;
pub use self::scenes::SceneInfo;

use crate::clip::Clip;
use crate::ids::{ImageIndex, JointSlot, MaterialIndex, MeshIndex, NodeIndex, SceneIndex, SkinIndex, VertexIndex};
use crate::joint_pairs::JointPairs;
use crate::material::{Image, Material};
use crate::mesh::{Mesh, MeshError};
use crate::nodes::NodeTree;
use crate::row::Row;
use crate::row_list::RowList;
use crate::skin::Skin;

/// A number that changes whenever its channel of the document does. Caches remember the one they were made from.
/// Undo gives a new revision, not the old one back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Revision(pub u64);

/// The most influences a row may have after an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// At most so many, 1 or more.
    Influences(u8),
    /// Any number.
    Unlimited,
}

/// A mesh at a node, with the skin that deforms it there. One mesh may stand at several nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The node.
    pub node: NodeIndex,
    /// The mesh.
    pub mesh: MeshIndex,
    /// The skin; without one the node's own transform places the mesh.
    pub skin: Option<SkinIndex>,
}

/// What an importer gathers; [`Document::new`] checks it.
#[derive(Clone, Debug, Default)]
pub struct DocumentParts {
    /// All nodes.
    pub nodes: NodeTree,
    /// All skins.
    pub skins: Vec<Skin>,
    /// All meshes.
    pub meshes: Vec<Mesh>,
    /// All materials.
    pub materials: Vec<Material>,
    /// All images.
    pub images: Vec<Image>,
    /// All clips.
    pub clips: Vec<Clip>,
    /// All scenes.
    pub scenes: Vec<SceneInfo>,
    /// The scene that the file says is to be shown.
    pub default_scene: Option<SceneIndex>,
}

/// A character being edited. Parts that edits never touch are public; weights, locks and the budget change only
/// through the methods here, which keep the revisions true.
#[derive(Clone, Debug)]
pub struct Document {
    nodes: NodeTree,
    skins: Vec<Skin>,
    meshes: Vec<Mesh>,
    materials: Vec<Material>,
    images: Vec<Image>,
    clips: Vec<Clip>,
    scenes: Vec<SceneInfo>,
    default_scene: Option<SceneIndex>,
    instances: Vec<Instance>,
    copies: Vec<MeshCopy>,
    /// For each mesh the longest joint list among the skins that the file shows it under.
    n_slots: Vec<usize>,
    joints: Vec<NodeIndex>,
    locks: BTreeSet<NodeIndex>,
    locks_revision: Revision,
    budget: Budget,
    /// `[n_meshes]`
    marks: Vec<Marks>,
    joint_pairs: JointPairs,
    joint_pairs_revision: Revision,
    last_revision: Revision,
}

/// Why parts do not make a document.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DocumentError {
    /// A mesh's arrays do not agree.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A node names something that does not exist.
    #[error("nodes/{node}/{what} is {found}; the file has {n}")]
    NoSuch {
        /// The node.
        node: NodeIndex,
        /// `mesh` or `skin`.
        what: &'static str,
        /// The index found.
        found: u32,
        /// How many there are.
        n: usize,
    },
    /// A material or primitive names something that does not exist.
    #[error("{whose} names {what} {found}; the file has {n}")]
    NoSuchLook {
        /// Who names it.
        whose: String,
        /// `material` or `image`.
        what: &'static str,
        /// The index found.
        found: u32,
        /// How many there are.
        n: usize,
    },
}

impl Document {
    /// Checks the parts and derives instances, the joint list and the first budget (what the file uses in whole
    /// sets of four, at least 4).
    pub fn new(parts: DocumentParts) -> Result<Self, DocumentError> {
        let DocumentParts { nodes, skins, mut meshes, materials, images, clips, mut scenes, default_scene } = parts;
        let mut instances = Vec::new();
        for (node, entry) in nodes.iter() {
            let Some(mesh) = entry.mesh else { continue };
            if mesh.idx() >= meshes.len() {
                return Err(DocumentError::NoSuch { node, what: "mesh", found: mesh.0, n: meshes.len() });
            }
            if let Some(skin) = entry.skin.filter(|skin| skin.idx() >= skins.len()) {
                return Err(DocumentError::NoSuch { node, what: "skin", found: skin.0, n: skins.len() });
            }
            instances.push(Instance { node, mesh, skin: entry.skin });
        }
        for (m, mesh) in meshes.iter().enumerate() {
            mesh.check(MeshIndex::from_idx(m))?;
            for (p, primitive) in mesh.primitives.iter().enumerate() {
                if let Some(material) = primitive.material.filter(|material| material.idx() >= materials.len()) {
                    let whose = format!("meshes/{m}/primitives/{p}");
                    let (found, n) = (material.0, materials.len());
                    return Err(DocumentError::NoSuchLook { whose, what: "material", found, n });
                }
            }
        }
        for (m, material) in materials.iter().enumerate() {
            let image = material.base_color_texture.map(|texture| texture.image);
            if let Some(image) = image.filter(|image| image.idx() >= images.len()) {
                let (whose, found, n) = (format!("materials/{m}"), image.0, images.len());
                return Err(DocumentError::NoSuchLook { whose, what: "image", found, n });
            }
        }
        let mut is_listed = vec![false; nodes.len()];
        for joint in skins.iter().flat_map(Skin::joints) {
            if let Some(listed) = is_listed.get_mut(joint.idx()) {
                *listed = true;
            }
        }
        let joints = nodes.order().iter().copied().filter(|node| is_listed[node.idx()]).collect();
        let used = meshes.iter().map(|mesh| mesh.weights.max_influences()).max().unwrap_or(0);
        let budget = Budget::Influences(used.next_multiple_of(4).clamp(4, 252) as u8);
        let mut n_slots = vec![0; meshes.len()];
        for Instance { mesh, skin, .. } in &instances {
            let n_joints = skin.map_or(0, |skin| skins[skin.idx()].n_joints());
            n_slots[mesh.idx()] = n_joints.max(n_slots[mesh.idx()]);
        }
        for scene in &mut scenes {
            scene.roots.retain(|root| root.idx() < nodes.len());
        }
        let default_scene = default_scene.filter(|scene| scene.idx() < scenes.len());
        let mut last_revision = Revision(1);
        let locks_revision = last_revision;
        for mesh in &mut meshes {
            last_revision.0 += 1;
            mesh.weights_revision = last_revision;
        }
        let marks = vec![Marks::default(); meshes.len()];
        Ok(Self {
            nodes,
            skins,
            meshes,
            materials,
            images,
            clips,
            scenes,
            default_scene,
            instances,
            copies: Vec::new(),
            n_slots,
            joints,
            locks: BTreeSet::new(),
            locks_revision,
            budget,
            marks,
            joint_pairs: JointPairs::NONE,
            joint_pairs_revision: Revision::default(),
            last_revision,
        })
    }

    /// The node forest.
    pub fn nodes(&self) -> &NodeTree {
        &self.nodes
    }

    /// All skins, in the file's order.
    pub fn skins(&self) -> &[Skin] {
        &self.skins
    }

    /// One skin.
    pub fn skin(&self, skin: SkinIndex) -> &Skin {
        &self.skins[skin.idx()]
    }

    /// All meshes, in the file's order, then those that edits added.
    pub fn meshes(&self) -> &[Mesh] {
        &self.meshes
    }

    /// One mesh.
    pub fn mesh(&self, mesh: MeshIndex) -> &Mesh {
        &self.meshes[mesh.idx()]
    }

    /// One material.
    pub fn material(&self, material: MaterialIndex) -> &Material {
        &self.materials[material.idx()]
    }

    /// All materials, in the file's order.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// One image.
    pub fn image(&self, image: ImageIndex) -> &Image {
        &self.images[image.idx()]
    }

    /// All images, in the file's order.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// All clips, in the file's order.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// Every node that has a mesh, in node order.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Every node that some skin lists, depth first over the node forest.
    pub fn joints(&self) -> &[NodeIndex] {
        &self.joints
    }

    /// Whether some skin lists the node.
    pub fn is_joint(&self, node: NodeIndex) -> bool {
        self.skins.iter().any(|skin| skin.slot(node).is_some())
    }

    /// Meshes with weights that some node shows under a skin: what can be painted. In mesh order.
    pub fn skinned_meshes(&self) -> Vec<MeshIndex> {
        let under_skin: BTreeSet<MeshIndex> =
            self.instances.iter().filter(|instance| instance.skin.is_some()).map(|instance| instance.mesh).collect();
        under_skin.into_iter().filter(|&mesh| self.mesh(mesh).is_skinned()).collect()
    }

    /// The skins a mesh is seen under, in node order, each once.
    pub fn skins_of(&self, mesh: MeshIndex) -> Vec<SkinIndex> {
        let mut skins = Vec::new();
        for instance in self.instances.iter().filter(|instance| instance.mesh == mesh) {
            if let Some(skin) = instance.skin.filter(|skin| !skins.contains(skin)) {
                skins.push(skin);
            }
        }
        skins
    }

    /// How many slots a row of the mesh may name: the longest joint list among the skins that the file shows it under.
    /// A mesh that is parted from another (see [`Document::set_own_mesh`]) keeps the number: its rows may use them all.
    pub fn n_slots(&self, mesh: MeshIndex) -> usize {
        self.n_slots[mesh.idx()]
    }

    /// The slot a joint has in rows of the mesh, from the first of its skins that lists the joint.
    pub fn slot_of(&self, mesh: MeshIndex, joint: NodeIndex) -> Option<JointSlot> {
        self.skins_of(mesh).iter().find_map(|&skin| self.skin(skin).slot(joint))
    }

    /// The joint a slot means in rows of the mesh, by the first of its skins that is long enough.
    pub fn joint_of(&self, mesh: MeshIndex, slot: JointSlot) -> Option<NodeIndex> {
        self.skins_of(mesh).iter().find_map(|&skin| self.skin(skin).joint(slot))
    }

    /// Locked joints.
    pub fn locks(&self) -> &BTreeSet<NodeIndex> {
        &self.locks
    }

    /// Changes with every edit.
    pub fn revision(&self) -> Revision {
        self.last_revision
    }

    /// Changes whenever the locks do.
    pub fn locks_revision(&self) -> Revision {
        self.locks_revision
    }

    /// Which slots of the mesh's rows are locked: those that mean a locked joint in any of its skins. `[n_slots]`
    pub fn locked_slots(&self, mesh: MeshIndex) -> Vec<bool> {
        let mut locked = vec![false; self.n_slots(mesh)];
        for skin in self.skins_of(mesh) {
            for (slot, joint) in self.skin(skin).joints().iter().enumerate() {
                locked[slot] |= self.locks.contains(joint);
            }
        }
        locked
    }

    /// The influence budget.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Exchanges weight rows with `rows`: do and undo are the same call.
    pub fn swap_rows(&mut self, mesh: MeshIndex, rows: &mut [(VertexIndex, Row)]) {
        let revision = self.bump();
        let mesh = &mut self.meshes[mesh.idx()];
        mesh.weights_revision = revision;
        for (vertex, row) in rows {
            mesh.weights.swap(*vertex, row);
        }
    }

    /// [`Document::swap_rows`] for rows that are packed.
    pub fn swap_row_list(&mut self, mesh: MeshIndex, rows: &mut RowList) {
        let revision = self.bump();
        let mesh = &mut self.meshes[mesh.idx()];
        mesh.weights_revision = revision;
        rows.swap_with(&mut mesh.weights);
    }

    /// Locks or unlocks a joint; returns how it was.
    pub fn set_lock(&mut self, joint: NodeIndex, locked: bool) -> bool {
        let was = if locked { !self.locks.insert(joint) } else { self.locks.remove(&joint) };
        if was != locked {
            self.locks_revision = self.bump();
        }
        was
    }

    /// Sets the influence budget; returns the old one.
    pub fn set_budget(&mut self, budget: Budget) -> Budget {
        self.bump();
        std::mem::replace(&mut self.budget, budget)
    }

    fn bump(&mut self) -> Revision {
        self.last_revision.0 += 1;
        self.last_revision
    }
}

impl Budget {
    /// The most influences, `usize::MAX` if unlimited.
    pub fn max_influences(self) -> usize {
        match self {
            Self::Influences(n) => usize::from(n),
            Self::Unlimited => usize::MAX,
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Influences(n) => n.fmt(f),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}
