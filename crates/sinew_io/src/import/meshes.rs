//! Meshes: vertices of all pools end to end, triangles, weight rows.

use glam::{Vec2, Vec3};
use sinew_model::{Material, Mesh, Primitive, Revision, VertexIndex, VertexPool, WeightTable};

use crate::accessor::{Accessor, Accessors};
use crate::error::OpenError;
use crate::import::pools::{self, PrimitiveSpec};
use crate::import::rows::{RowFindings, read_rows, table_bytes};
use crate::import::{label, morphs, triangles};
use crate::json::Json;
use crate::progress::Progress;
use crate::source::{MeshMap, PoolMap};
use crate::warning::ImportWarning;

/// Reads all meshes, and which accessors they came from.
pub(super) fn read(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    (materials, n_slots): (&[Material], &[usize]),
    progress: Progress<'_>,
    warnings: &mut Vec<ImportWarning>,
) -> Result<(Vec<Mesh>, Vec<MeshMap>), OpenError> {
    let mut meshes = Vec::new();
    let mut maps = Vec::new();
    for (m, json) in root.list("meshes")?.enumerate() {
        progress.step(&format!("Reading mesh {} of {}", m + 1, n_slots.len()))?;
        json.object()?;
        let (map, specs) = pools::read(json, accessors.len(), n_slots[m], materials, warnings)?;
        let mut users = vec![Vec::new(); map.pools.len()];
        for (primitive, spec) in specs.iter().enumerate() {
            users[spec.pool].push(primitive);
        }
        let label = label(json.text("name")?, m);
        let reader = MeshReader { accessors, json, map: &map, specs: &specs, users, label };
        meshes.push(reader.read(warnings)?);
        maps.push(map);
    }
    Ok((meshes, maps))
}

/// One mesh being read.
struct MeshReader<'a> {
    accessors: &'a Accessors<'a>,
    json: Json<'a>,
    map: &'a MeshMap,
    specs: &'a [PrimitiveSpec<'a>],
    /// The primitives of each pool, rising. `[n_pools]`
    users: Vec<Vec<usize>>,
    label: String,
}

impl MeshReader<'_> {
    fn read(&self, warnings: &mut Vec<ImportWarning>) -> Result<Mesh, OpenError> {
        let mut positions: Vec<Vec3> = Vec::new();
        let mut pools = Vec::new();
        let mut n_bad = 0;
        for (p, pool) in self.map.pools.iter().enumerate() {
            let first = positions.len();
            let found = self.read_positions(p, pool, &mut n_bad)?;
            if first + found.len() > u32::MAX as usize {
                return Err(self.json.wrong("fewer than 2^32 vertices").into());
            }
            pools.push(VertexPool {
                first: first as u32,
                count: found.len() as u32,
                skinned: !pool.sets.is_empty(),
                has_normals: false,
            });
            append(&mut positions, found);
        }
        let mut primitives = Vec::new();
        for spec in self.specs {
            let pool = &pools[spec.pool];
            let triangles = triangles::read(self.accessors, spec, pool.first, pool.count, warnings)?;
            primitives.push(Primitive { pool: spec.pool, triangles, material: spec.material, ..Primitive::default() });
        }
        let normals = self.read_normals(&mut pools, &mut primitives, &positions, warnings)?;
        let texcoords = self.read_texcoords(&pools, &mut primitives, warnings)?;
        let weights = self.read_weights(&pools, warnings)?;
        let morph_targets = morphs::read(self.accessors, self.json, self.map, &pools, &mut n_bad)?;
        if n_bad > 0 {
            warnings.push(ImportWarning::BadPositions { mesh: self.label.clone(), n_vertices: n_bad });
        }
        let mut morph_weights = Vec::new();
        for weight in self.json.list("weights")?.take(morph_targets.len()) {
            morph_weights.push(weight.as_number()? as f32);
        }
        morph_weights.resize(morph_targets.len(), 0.0);
        Ok(Mesh {
            name: self.json.text("name")?.map(str::to_owned),
            pools,
            primitives,
            positions,
            normals,
            texcoords,
            morph_targets,
            morph_weights,
            weights,
            weights_revision: Revision::default(),
        })
    }

    fn read_positions(&self, p: usize, pool: &PoolMap, n_bad: &mut usize) -> Result<Vec<Vec3>, OpenError> {
        let Some(accessor) = pool.position else { return Ok(Vec::new()) };
        let positions = self.accessors.get(accessor)?.floats::<3>(&self.used_as(p, "POSITION"))?;
        let mut positions: Vec<Vec3> = positions.into_iter().map(Vec3::from).collect();
        for position in positions.iter_mut().filter(|position| !position.is_finite()) {
            *position = Vec3::ZERO;
            *n_bad += 1;
        }
        Ok(positions)
    }

    /// The first primitive of a pool gives the pool its normals; others may have their own.
    fn read_normals(
        &self,
        pools: &mut [VertexPool],
        primitives: &mut [Primitive],
        positions: &[Vec3],
        warnings: &mut Vec<ImportWarning>,
    ) -> Result<Vec<Vec3>, OpenError> {
        let mut normals = Vec::new();
        for (p, pool) in pools.iter_mut().enumerate() {
            let users = &self.users[p];
            let first = users.first().and_then(|&user| self.specs[user].normal);
            let expected = pool.count as usize;
            self.accessors.budget.charge(12 * expected as u64, || self.json.path.to_string())?;
            let found = match first {
                None => None,
                Some(accessor) => self.attribute::<3>(p, "NORMAL", accessor, expected, warnings)?,
            };
            pool.has_normals = found.is_some();
            let of_pool = match found {
                Some(found) => found.into_iter().map(|normal| unit(Vec3::from(normal))).collect(),
                None => smooth_normals(pool, users.iter().map(|&user| &primitives[user]), positions),
            };
            append(&mut normals, of_pool);
            for &user in users {
                let spec = &self.specs[user];
                let Some(accessor) = spec.normal.filter(|_| spec.normal != first) else { continue };
                let own = self.attribute::<3>(p, "NORMAL", accessor, expected, warnings)?;
                primitives[user].own_normals =
                    own.map(|own| own.into_iter().map(|normal| unit(Vec3::from(normal))).collect());
            }
        }
        Ok(normals)
    }

    fn read_texcoords(
        &self,
        pools: &[VertexPool],
        primitives: &mut [Primitive],
        warnings: &mut Vec<ImportWarning>,
    ) -> Result<Vec<Vec2>, OpenError> {
        let mut texcoords = Vec::new();
        let vec2 = |uv: [f32; 2]| Some(Vec2::from(uv)).filter(|uv| uv.is_finite()).unwrap_or_default();
        for (p, pool) in pools.iter().enumerate() {
            let expected = pool.count as usize;
            let mut first = None;
            let mut of_pool = Vec::new();
            for &user in &self.users[p] {
                let spec = &self.specs[user];
                let Some(accessor) = spec.texcoord.filter(|_| spec.texcoord != first) else { continue };
                let found = self.attribute::<2>(p, "TEXCOORD", accessor, expected, warnings)?;
                let Some(found) = found.map(|found| found.into_iter().map(vec2).collect::<Vec<_>>()) else { continue };
                if first.is_none() {
                    first = Some(accessor);
                    of_pool = found;
                } else {
                    primitives[user].own_texcoords = Some(found);
                }
            }
            if first.is_none() {
                self.accessors.budget.charge(8 * expected as u64, || self.json.path.to_string())?;
                of_pool = vec![Vec2::ZERO; expected];
            }
            append(&mut texcoords, of_pool);
        }
        Ok(texcoords)
    }

    /// An attribute that the view can do without: a wrong count is a warning.
    fn attribute<const N: usize>(
        &self,
        p: usize,
        name: &str,
        accessor: u32,
        expected: usize,
        warnings: &mut Vec<ImportWarning>,
    ) -> Result<Option<Vec<[f32; N]>>, OpenError> {
        let used_as = self.used_as(p, name);
        let accessor: Accessor<'_> = self.accessors.get(accessor)?;
        if accessor.count() != expected {
            let reason = format!("it has {} entries for {expected} vertices", accessor.count());
            warnings.push(ImportWarning::LeftOut { path: used_as, reason });
            return Ok(None);
        }
        Ok(Some(accessor.floats(&used_as)?))
    }

    fn read_weights(&self, pools: &[VertexPool], warnings: &mut Vec<ImportWarning>) -> Result<WeightTable, OpenError> {
        let mut tables = Vec::new();
        let mut total = RowFindings::default();
        for pool in &self.map.pools {
            let (table, found) = read_rows(self.accessors, pool, self.map.n_slots)?;
            total.add(&found);
            tables.push(table);
        }
        let mesh = || self.label.clone();
        let RowFindings { bad_weights, past_skin, repeated, unweighted, off_sum, largest_off, unmarked_integers } =
            total;
        if bad_weights > 0 {
            warnings.push(ImportWarning::BadWeights { mesh: mesh(), n_vertices: bad_weights });
        }
        if past_skin > 0 {
            let n_slots = self.map.n_slots;
            warnings.push(ImportWarning::JointsPastSkin { mesh: mesh(), n_vertices: past_skin, n_slots });
        }
        if repeated > 0 {
            warnings.push(ImportWarning::RepeatedJoints { mesh: mesh(), n_vertices: repeated });
        }
        if unweighted > 0 {
            warnings.push(ImportWarning::Unweighted { mesh: mesh(), n_vertices: unweighted });
        }
        if off_sum > 0 {
            warnings.push(ImportWarning::OffSum { mesh: mesh(), n_vertices: off_sum, largest_off });
        }
        if unmarked_integers {
            warnings.push(ImportWarning::UnmarkedIntegerWeights { mesh: mesh() });
        }
        if let [_] = tables[..] {
            return Ok(tables.pop().unwrap_or_default());
        }
        let n_vertices = pools.iter().map(|pool| pool.count as usize).sum();
        let longest = tables.iter().map(WeightTable::max_influences).max().unwrap_or(0);
        self.accessors.budget.charge(table_bytes(n_vertices, longest), || self.json.path.to_string())?;
        let mut weights = WeightTable::new(n_vertices, longest);
        for (pool, table) in pools.iter().zip(&tables) {
            for vertex in table.vertices().filter(|&vertex| !table.row(vertex).is_empty()) {
                weights.set(VertexIndex(pool.first + vertex.0), &table.get(vertex));
            }
        }
        Ok(weights)
    }

    /// Where the attribute of the pool's first primitive stands.
    fn used_as(&self, pool: usize, name: &str) -> String {
        let first = self.users[pool].first().map_or(self.json.path, |&user| self.specs[user].json.path);
        format!("{first}/attributes/{name}")
    }
}

/// Appends, without a copy where nothing is there yet.
fn append<T>(list: &mut Vec<T>, mut more: Vec<T>) {
    if list.is_empty() {
        *list = more;
    } else {
        list.append(&mut more);
    }
}

/// The direction; a normal without one points up.
fn unit(normal: Vec3) -> Vec3 {
    normal.try_normalize().unwrap_or(Vec3::Z)
}

/// Vertex normals from triangles, weighted by area. `[pool.count]`
fn smooth_normals<'a>(
    pool: &VertexPool,
    primitives: impl Iterator<Item = &'a Primitive>,
    positions: &[Vec3],
) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; pool.count as usize];
    for triangle in primitives.flat_map(|primitive| &primitive.triangles) {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        let doubled_area = (b - a).cross(c - a);
        for vertex in triangle {
            normals[(vertex - pool.first) as usize] += doubled_area;
        }
    }
    normals.into_iter().map(unit).collect()
}
