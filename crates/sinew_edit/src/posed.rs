//! Posed surfaces, kept by revision: what is drawn, picked and painted on.
//!
//! Everything here follows from the document, a pose and a deformer. Nothing is recomputed while those stay the
//! same; after a dab only the touched rows are.

use std::sync::Arc;

use glam::{DAffine3, Vec3};
use sinew_deform::{Deformer, OffSum, Palette, Posed, SkinInput};
use sinew_geometry::{Aabb, Bvh, TriMeshRef};
use sinew_model::{Document, Mesh, MeshIndex, Pose, Revision, StandIns, VertexIndex};
use sinew_rig::Morphed;

use crate::surface::MeshSurface;
use row_log::{MoveLog, RowLog};

pub mod exported;
mod row_log;

/// If more rows change at once and they are a good part of their mesh, all of it is posed anew when somebody asks: that
/// is sooner done than posing so many one by one, and perhaps nobody asks.
const MANY: usize = 4096;

/// Posed positions and the search tree over them, for every instance that somebody asked for.
pub struct PosedViews {
    pose: Pose,
    deformer: &'static dyn Deformer,
    /// Changes whenever pose or deformer do.
    stamp: u64,
    /// World matrices of all nodes in this pose, once somebody needs them. `[n_nodes]`
    scene_from_node: Option<Vec<DAffine3>>,
    surfaces: Vec<Option<Arc<MeshSurface>>>,
    stand_ins: Vec<Option<StandIns>>,
    instances: Vec<Option<PosedInstance>>,
    row_log: RowLog,
}

/// One instance as it stands.
pub struct PosedInstance {
    /// Posed positions and normals, scene space. `[n_vertices]`
    pub posed: Posed,
    /// Posed positions by weld group, scene space. `[n_groups]`
    pub group_positions: Vec<Vec3>,
    /// Which of the mesh's positions changed last: counts up with every full or partial re-pose.
    pub version: u64,
    moves: MoveLog,
    bvh: Option<Bvh>,
    bvh_version: u64,
    palette: Palette,
    morphed: Option<Morphed>,
    stamp: u64,
    weights_revision: Revision,
}

impl PosedInstance {
    /// The vertices that moved since a version; `None` if all did, or if that is not known any more.
    pub fn moved_since(&self, version: u64) -> Option<Vec<VertexIndex>> {
        self.moves.between(version, self.version)
    }
}

impl PosedViews {
    /// Nothing posed yet; shows `pose` through `deformer`.
    pub fn new(document: &Document, pose: Pose, deformer: &'static dyn Deformer) -> Self {
        Self {
            pose,
            deformer,
            stamp: 1,
            scene_from_node: None,
            surfaces: vec![None; document.meshes().len()],
            stand_ins: vec![None; document.meshes().len()],
            instances: document.instances().iter().map(|_| None).collect(),
            row_log: RowLog::default(),
        }
    }

    /// Shows another pose or deformer; nothing happens if both are as before.
    pub fn show(&mut self, pose: &Pose, deformer: &'static dyn Deformer) {
        let same_pose = self.pose == *pose;
        if same_pose && self.deformer.name() == deformer.name() {
            return;
        }
        if !same_pose {
            self.pose = pose.clone();
            self.scene_from_node = None;
        }
        self.deformer = deformer;
        self.stamp += 1;
    }

    /// Changes whenever the pose or the deformer do.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    /// The pose shown.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// World matrices of all nodes in this pose. `[n_nodes]`
    pub fn scene_from_node(&mut self, document: &Document) -> &[DAffine3] {
        let pose = &self.pose;
        self.scene_from_node
            .get_or_insert_with(|| sinew_rig::scene_from_nodes(document.nodes(), document.clips(), pose))
    }

    /// The welded surface of a mesh, made at the first call: that must be before the mesh's first edit.
    pub fn surface(&mut self, document: &Document, mesh: MeshIndex) -> Arc<MeshSurface> {
        let surface = &mut self.surfaces[mesh.idx()];
        Arc::clone(surface.get_or_insert_with(|| Arc::new(MeshSurface::of(document.mesh(mesh)))))
    }

    /// Takes over the welded surfaces of views on the same meshes, whose rows may have gone on; what is posed follows
    /// when it is asked for.
    pub fn share_surfaces(&mut self, other: &Self) {
        self.surfaces.clone_from(&other.surfaces);
        self.stand_ins.iter_mut().for_each(|stand_ins| *stand_ins = None);
    }

    /// Takes a welded surface that was made elsewhere from the same, still unedited mesh.
    pub fn install_surface(&mut self, mesh: MeshIndex, surface: Arc<MeshSurface>) {
        self.surfaces[mesh.idx()].get_or_insert(surface);
    }

    /// Follows meshes that came or went at the end. A copy's surface is its original's, welded by the rows as they came;
    /// who shows another mesh now is posed anew, because no two meshes ever have the same revision. Returns whether any
    /// came or went.
    pub fn meshes_changed(&mut self, document: &Document) -> bool {
        let n_meshes = document.meshes().len();
        if n_meshes == self.surfaces.len() {
            return false;
        }
        self.surfaces.truncate(n_meshes);
        self.stand_ins.truncate(n_meshes);
        let n_known = self.surfaces.len();
        for copy in document.mesh_copies().iter().filter(|copy| copy.mesh.idx() >= n_known) {
            let surface = self.surface(document, copy.original);
            self.surfaces.push(Some(surface));
            self.stand_ins.push(None);
        }
        true
    }

    /// An instance as it stands now.
    pub fn instance(&mut self, document: &Document, instance_idx: usize) -> &PosedInstance {
        self.pose_instance(document, instance_idx);
        self.instances[instance_idx].as_ref().expect("posed above")
    }

    /// An instance as it stands now, with the search tree over its groups.
    pub fn searchable(&mut self, document: &Document, instance_idx: usize) -> (&PosedInstance, &Bvh) {
        self.pose_instance(document, instance_idx);
        let surface = self.surface(document, document.instances()[instance_idx].mesh);
        let posed = self.instances[instance_idx].as_mut().expect("posed above");
        if posed.bvh_version != posed.version {
            match &mut posed.bvh {
                Some(bvh) => bvh.refit_all(&posed.group_positions),
                None => posed.bvh = Some(build(&posed.group_positions, surface.topology.triangles())),
            }
            posed.bvh_version = posed.version;
        }
        let posed = self.instances[instance_idx].as_ref().expect("posed above");
        (posed, posed.bvh.as_ref().expect("built above"))
    }

    /// Re-poses the given vertices after their rows changed: all of a mesh's change since its rows were last current.
    /// `groups` are the groups of these vertices.
    pub fn rows_changed(&mut self, document: &Document, mesh: MeshIndex, before: Revision, vertices: &[VertexIndex]) {
        let m = document.mesh(mesh);
        self.row_log.note(mesh, before, m.weights_revision, vertices);
        if vertices.len() > MANY.max(m.n_vertices() / 4) {
            self.stand_ins[mesh.idx()] = None;
            return;
        }
        let Some(stand_ins) = &self.stand_ins[mesh.idx()] else { return };
        // Whoever borrows a row follows its lender; a vertex that gained or lost its weight changes who borrows.
        let borrows_change = vertices.iter().any(|&v| {
            stand_ins.get(v).is_some() != (m.is_paintable(v) && m.weights.row(v).sum() < sinew_model::UNWEIGHTED_SUM)
        });
        if borrows_change {
            self.stand_ins[mesh.idx()] = None;
            return;
        }
        let mut touched = vertices.to_vec();
        if !stand_ins.is_empty() {
            touched.extend(stand_ins.iter().filter(|(_, lender)| vertices.contains(lender)).map(|(v, _)| v));
        }
        let surface = self.surface(document, mesh);
        for (instance, posed) in document.instances().iter().zip(&mut self.instances) {
            let Some(posed) = posed else { continue };
            if instance.mesh != mesh || posed.stamp != self.stamp || posed.weights_revision != before {
                continue;
            }
            let Some(stand_ins) = &self.stand_ins[mesh.idx()] else { continue };
            let (positions, normals) = rest_of(m, posed.morphed.as_ref());
            if let Ok(input) = SkinInput::new(positions, normals, &m.weights, stand_ins, OffSum::Divide) {
                self.deformer.deform_some(&input, &posed.palette, &touched, &mut posed.posed);
            }
            posed.weights_revision = m.weights_revision;
            for &v in &touched {
                posed.group_positions[surface.group_of(v) as usize] = posed.posed.positions[v.idx()];
            }
            // After a large change the whole tree is refitted when somebody searches it.
            let is_dab = touched.len() <= MANY.max(posed.group_positions.len() / 16);
            if let Some(bvh) = posed.bvh.as_mut().filter(|_| is_dab && posed.bvh_version == posed.version) {
                let groups = surface.groups_of(&touched);
                let triangles = groups.iter().flat_map(|&group| surface.topology.triangles_of(group));
                bvh.refit_some(&posed.group_positions, triangles);
                posed.bvh_version = posed.version + 1;
            }
            posed.version += 1;
            posed.moves.note(posed.version, touched.clone());
        }
    }

    /// The vertices whose rows changed since a revision of the mesh's weights; `None` if that is not known any more.
    pub fn rows_changed_since(
        &self,
        document: &Document,
        mesh: MeshIndex,
        since: Revision,
    ) -> Option<Vec<VertexIndex>> {
        self.row_log.between(mesh, since, document.mesh(mesh).weights_revision)
    }

    /// Whether vertices of the mesh may follow another one's row, for want of weight.
    pub fn may_borrow(&self, mesh: MeshIndex) -> bool {
        self.stand_ins[mesh.idx()].as_ref().is_none_or(|stand_ins| !stand_ins.is_empty())
    }

    /// The box around the accepted instances, scene space.
    pub fn bounds(&mut self, document: &Document, accept: impl Fn(usize) -> bool) -> Aabb {
        let mut bounds = Aabb::from_points(&[]);
        for instance_idx in (0..document.instances().len()).filter(|&i| accept(i)) {
            bounds = bounds.union(Aabb::from_points(&self.instance(document, instance_idx).posed.positions));
        }
        bounds
    }

    fn pose_instance(&mut self, document: &Document, instance_idx: usize) {
        let instance = document.instances()[instance_idx];
        let mesh = document.mesh(instance.mesh);
        let stamp = self.stamp;
        let is_current = self.instances[instance_idx]
            .as_ref()
            .is_some_and(|posed| posed.stamp == stamp && posed.weights_revision == mesh.weights_revision);
        if is_current && self.stand_ins[instance.mesh.idx()].is_some() {
            return;
        }
        self.scene_from_node(document);
        let surface = self.surface(document, instance.mesh);
        let scene_from_node = self.scene_from_node.as_deref().unwrap_or_default();
        let stand_ins = self.stand_ins[instance.mesh.idx()].get_or_insert_with(|| StandIns::of(mesh));
        let morph_weights =
            sinew_rig::morph_weights(document.nodes(), instance.node, mesh, document.clips(), &self.pose);
        let morphed = sinew_rig::morphed(mesh, &morph_weights);
        let palette = match instance.skin {
            Some(skin) => Palette::new(document.skin(skin), scene_from_node, instance.node),
            None => Palette::rigid(scene_from_node[instance.node.idx()]),
        };
        let entry = self.instances[instance_idx].get_or_insert_with(|| PosedInstance {
            posed: Posed::default(),
            group_positions: Vec::new(),
            version: 0,
            moves: MoveLog::default(),
            bvh: None,
            bvh_version: 0,
            palette: palette.clone(),
            morphed: None,
            stamp,
            weights_revision: mesh.weights_revision,
        });
        entry.palette = palette;
        entry.morphed = morphed;
        let (positions, normals) = rest_of(mesh, entry.morphed.as_ref());
        if let Ok(input) = SkinInput::new(positions, normals, &mesh.weights, stand_ins, OffSum::Divide) {
            self.deformer.deform(&input, &entry.palette, &mut entry.posed);
        }
        entry.group_positions.clear();
        entry.group_positions.extend(
            (0..surface.weld.n_groups() as u32).map(|g| entry.posed.positions[surface.representative(g).idx()]),
        );
        entry.stamp = stamp;
        entry.weights_revision = mesh.weights_revision;
        entry.version += 1;
        entry.moves.clear();
    }
}

fn rest_of<'a>(mesh: &'a Mesh, morphed: Option<&'a Morphed>) -> (&'a [Vec3], &'a [Vec3]) {
    morphed.map_or((&mesh.positions, &mesh.normals), |morphed| (&morphed.positions, &morphed.normals))
}

fn build(group_positions: &[Vec3], triangles: &[[u32; 3]]) -> Bvh {
    match TriMeshRef::new(group_positions, triangles) {
        Ok(surface) => Bvh::build(surface),
        // Group triangles always name groups; an empty tree finds nothing.
        Err(_) => Bvh::build(TriMeshRef::new(&[], &[]).expect("nothing is out of range in nothing")),
    }
}
