//! The model as an engine would pose it: rows after the chosen limit and numbers, undivided, and how far that is from
//! the model as edited. Kept by revision; after a dab only the touched rows are made again.
//!
//! Boundary: a view. Painting and picking stay on the surface as edited, so a stroke does not depend on it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use sinew_deform::{OffSum, Palette, Posed, SkinInput};
use sinew_geometry::Aabb;
use sinew_model::{Document, MeshIndex, Revision, StandIns, VertexIndex, WeightTable};
use sinew_weights::{ExportProfile, WeightType, export_mesh, export_row};

use super::{PosedViews, rest_of};

/// A difference counts from this share of the model's diagonal on.
pub const TOLERANCE: f32 = 1e-4;

/// How a pool's weights are stored in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StoredWeights {
    /// Sets of four influences.
    pub n_sets: usize,
    /// Their numbers; where sets differ, the widest, which is what a save writes.
    pub weights: WeightType,
}

/// One instance as an engine would pose it.
pub struct ExportedInstance {
    /// Posed positions and normals, scene space. `[n_vertices]`
    pub posed: Posed,
    /// Distance from where the vertex stands as edited, scene units. `[n_vertices]`
    pub distances: Vec<f32>,
    /// Counts up with every change of the above; never the same for two profiles.
    pub version: u64,
    stamp: u64,
    weights_revision: Revision,
}

/// How far the whole model as exported is from the model as edited.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Difference {
    /// The largest distance, scene units.
    pub max: f32,
    /// Where: the instance and its vertex; `None` if nothing differs.
    pub worst: Option<(usize, VertexIndex)>,
    /// The mean over all vertices, scene units.
    pub mean: f32,
    /// From what distance on a vertex counts, scene units.
    pub tolerance: f32,
    /// Vertices whose distance is over the tolerance.
    pub n_over: usize,
    /// Vertices that lose influences to the limit.
    pub n_limited: usize,
    /// Vertices under skins.
    pub n_vertices: usize,
}

/// Everything as exported, for every instance that somebody asked for.
#[derive(Default)]
pub struct ExportedViews {
    profile: Option<&'static ExportProfile>,
    stored: Vec<Vec<StoredWeights>>,
    rows: BTreeMap<MeshIndex, (Revision, WeightTable)>,
    instances: BTreeMap<usize, ExportedInstance>,
    difference: Option<(Vec<u64>, Difference)>,
    version: u64,
}

impl ExportedViews {
    /// Says how the file stores its weights. `[n_meshes][n_pools]`
    pub fn set_stored(&mut self, stored: Vec<Vec<StoredWeights>>) {
        *self = Self { stored, version: self.version, ..Self::default() };
    }

    /// How the file stores all weights together: the most sets and the widest numbers.
    pub fn stored_widest(&self) -> StoredWeights {
        let all = self.stored.iter().flatten().filter(|stored| stored.n_sets > 0);
        let widest = |a: StoredWeights, b: &StoredWeights| StoredWeights {
            n_sets: a.n_sets.max(b.n_sets),
            weights: a.weights.max(b.weights),
        };
        let mut all = all.peekable();
        let Some(&&first) = all.peek() else { return StoredWeights::default() };
        all.fold(first, widest)
    }

    /// How the file stores a mesh's weights; empty if that is not known. `[n_pools]`
    fn stored(&self, document: &Document, mesh: MeshIndex) -> &[StoredWeights] {
        // A mesh that was made unique is stored as the one it is a copy of.
        self.stored.get(document.file_mesh(mesh).idx()).map_or(&[], Vec::as_slice)
    }

    /// Chooses the profile; without one everything made is forgotten.
    pub fn show(&mut self, profile: Option<&'static ExportProfile>) {
        if self.profile != profile {
            self.profile = profile;
            self.rows.clear();
            self.instances.clear();
            self.difference = None;
        }
    }

    /// A mesh's rows as exported; `None` without a profile.
    pub fn rows(&mut self, document: &Document, views: &PosedViews, mesh: MeshIndex) -> Option<&WeightTable> {
        let profile = self.profile?;
        let stored: Vec<WeightType> = self.stored(document, mesh).iter().map(|stored| stored.weights).collect();
        let m = document.mesh(mesh);
        let touched = match self.rows.get(&mesh) {
            Some((revision, _)) => views.row_log.between(mesh, *revision, m.weights_revision),
            None => None,
        };
        match (touched, self.rows.get_mut(&mesh)) {
            (Some(touched), Some((revision, table))) => {
                for vertex in touched {
                    let pool = m.pools.iter().position(|p| vertex.0 >= p.first && vertex.0 - p.first < p.count);
                    let stored = pool.and_then(|pool| stored.get(pool).copied()).unwrap_or_default();
                    table.set(vertex, &export_row(&m.weights.get(vertex), profile, stored));
                }
                *revision = m.weights_revision;
            }
            _ => {
                self.rows.insert(mesh, (m.weights_revision, export_mesh(m, profile, &stored)));
            }
        }
        self.rows.get(&mesh).map(|(_, table)| table)
    }

    /// An instance as exported; `None` without a profile.
    pub fn instance(
        &mut self,
        document: &Document,
        views: &mut PosedViews,
        instance_idx: usize,
    ) -> Option<&ExportedInstance> {
        let instance = document.instances()[instance_idx];
        let mesh = document.mesh(instance.mesh);
        self.rows(document, views, instance.mesh)?;
        let (_, table) = self.rows.get(&instance.mesh)?;
        views.instance(document, instance_idx);
        let posed = views.instances[instance_idx].as_ref()?;
        let borrows = views.stand_ins[instance.mesh.idx()].as_ref().is_some_and(|stand_ins| !stand_ins.is_empty());
        let (positions, normals) = rest_of(mesh, posed.morphed.as_ref());
        // An engine knows no stand-ins.
        let stand_ins = StandIns::default();
        let input = SkinInput::new(positions, normals, table, &stand_ins, OffSum::Raw).ok()?;

        let known = self.instances.get(&instance_idx).filter(|entry| entry.stamp == posed.stamp);
        let touched =
            known.and_then(|entry| views.row_log.between(instance.mesh, entry.weights_revision, mesh.weights_revision));
        let is_current = known.is_some_and(|entry| entry.weights_revision == mesh.weights_revision);
        if is_current {
            return self.instances.get(&instance_idx);
        }
        self.version += 1;
        let mut entry = self.instances.remove(&instance_idx).unwrap_or_else(|| ExportedInstance {
            posed: Posed::default(),
            distances: Vec::new(),
            version: 0,
            stamp: 0,
            weights_revision: mesh.weights_revision,
        });
        if let Some(touched) = touched {
            views.deformer.deform_some(&input, &posed.palette, &touched, &mut entry.posed);
            if borrows {
                // Who borrows a row moves with its lender, as edited.
                measure(&posed.posed, &mut entry);
            } else {
                for v in touched {
                    let v = v.idx();
                    entry.distances[v] = entry.posed.positions[v].distance(posed.posed.positions[v]);
                }
            }
        } else {
            views.deformer.deform(&input, &posed.palette, &mut entry.posed);
            // Vertices that have no row to be weighed by stay with the node.
            let rigid = views.scene_from_node.as_ref().map(|all| Palette::rigid(all[instance.node.idx()]));
            for pool in mesh.pools.iter().filter(|pool| !pool.skinned) {
                let vertices: Vec<VertexIndex> = (pool.first..pool.first + pool.count).map(VertexIndex).collect();
                if let Some(rigid) = rigid.as_ref().filter(|_| instance.skin.is_some()) {
                    views.deformer.deform_some(&input, rigid, &vertices, &mut entry.posed);
                }
            }
            measure(&posed.posed, &mut entry);
        }
        entry.stamp = posed.stamp;
        entry.weights_revision = mesh.weights_revision;
        entry.version = self.version;
        self.instances.insert(instance_idx, entry);
        self.instances.get(&instance_idx)
    }

    /// How far the accepted instances are from the model as edited; `None` without a profile.
    pub fn difference(
        &mut self,
        document: &Document,
        views: &mut PosedViews,
        accept: impl Fn(usize) -> bool,
    ) -> Option<Difference> {
        let profile = self.profile?;
        let is_skinned = |i: &usize| {
            accept(*i)
                && document.instances()[*i].skin.is_some()
                && document.mesh(document.instances()[*i].mesh).is_skinned()
        };
        let skinned: Vec<usize> = (0..document.instances().len()).filter(is_skinned).collect();
        let versions = skinned
            .iter()
            .map(|&i| self.instance(document, views, i).map(|e| e.version))
            .collect::<Option<Vec<_>>>()?;
        if let Some((of, difference)) = &self.difference
            && *of == versions
        {
            return Some(*difference);
        }
        let mut found = Difference::default();
        let (mut bounds, mut sum) = (Aabb::from_points(&[]), 0.0);
        for &i in &skinned {
            let Some(entry) = self.instances.get(&i) else { continue };
            bounds = bounds.union(Aabb::from_points(&views.instance(document, i).posed.positions));
            found.n_vertices += entry.distances.len();
            for (v, &distance) in entry.distances.iter().enumerate() {
                sum += f64::from(distance);
                if distance > found.max {
                    found.max = distance;
                    found.worst = Some((i, VertexIndex::from_idx(v)));
                }
            }
        }
        found.tolerance = bounds.diagonal() * TOLERANCE;
        found.mean = (sum / found.n_vertices.max(1) as f64) as f32;
        let is_over = |i: &usize| {
            let distances = self.instances.get(i).map_or(&[][..], |entry| &entry.distances);
            distances.iter().filter(|&&distance| distance > found.tolerance).count()
        };
        found.n_over = skinned.iter().map(is_over).sum();
        let mut meshes: Vec<MeshIndex> = skinned.iter().map(|&i| document.instances()[i].mesh).collect();
        meshes.sort_unstable();
        meshes.dedup();
        let limit = profile.influences.unwrap_or(usize::MAX);
        let n_limited = |mesh: MeshIndex| {
            let weights = &document.mesh(mesh).weights;
            weights.vertices().filter(|&v| weights.row(v).len() > limit).count()
        };
        found.n_limited = meshes.into_iter().map(n_limited).sum();
        self.difference = Some((versions, found));
        Some(found)
    }
}

fn measure(edited: &Posed, entry: &mut ExportedInstance) {
    let ExportedInstance { posed, distances, .. } = entry;
    distances.resize(posed.positions.len(), 0.0);
    let all = distances.par_iter_mut().zip(&posed.positions).zip(&edited.positions);
    all.with_min_len(16 * 1024).for_each(|((distance, a), b)| *distance = a.distance(*b));
}
