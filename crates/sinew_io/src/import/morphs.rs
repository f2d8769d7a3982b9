//! Morph targets: kept where they move something.

use glam::Vec3;
use sinew_model::{MorphTarget, VertexIndex, VertexPool};

use crate::accessor::Accessors;
use crate::error::OpenError;
use crate::json::Json;
use crate::source::MeshMap;

/// Reads the morph targets of a mesh. Target t of every pool is part of target t of the mesh.
/// Offsets that are not finite count as 0 and are counted in `n_bad`.
pub(super) fn read(
    accessors: &Accessors<'_>,
    mesh: Json<'_>,
    map: &MeshMap,
    pools: &[VertexPool],
    n_bad: &mut usize,
) -> Result<Vec<MorphTarget>, OpenError> {
    let n_targets = map.pools.iter().map(|pool| pool.targets.len()).max().unwrap_or(0);
    let names = mesh.get("extras").and_then(|extras| extras.value().get("targetNames")).and_then(|n| n.as_array());
    let name = |t: usize| names.and_then(|names| names.get(t)?.as_str()).map(str::to_owned);
    let mut targets: Vec<MorphTarget> =
        (0..n_targets).map(|t| MorphTarget { name: name(t), ..MorphTarget::default() }).collect();
    // Pools come in vertex order, so each target's vertices rise.
    for (pool, map) in pools.iter().zip(&map.pools) {
        for (t, (target, &[position, normal])) in targets.iter_mut().zip(&map.targets).enumerate() {
            let positions = read_offsets(accessors, mesh, t, "POSITION", position, pool.count)?;
            let normals = read_offsets(accessors, mesh, t, "NORMAL", normal, pool.count)?;
            let before = target.vertices.len();
            append(target, pool, &positions, &normals, n_bad);
            let kept = (target.vertices.len() - before) * size_of::<(VertexIndex, [Vec3; 2])>();
            accessors.budget.charge(kept as u64, || mesh.path.to_string())?;
        }
    }
    Ok(targets)
}

/// Appends the offsets that are not zero. Either list may be empty.
fn append(
    target: &mut MorphTarget,
    pool: &VertexPool,
    positions: &[[f32; 3]],
    normals: &[[f32; 3]],
    n_bad: &mut usize,
) {
    for v in 0..positions.len().max(normals.len()) {
        let offset = |list: &[[f32; 3]]| list.get(v).map_or(Vec3::ZERO, |&offset| Vec3::from(offset));
        let mut pair = [offset(positions), offset(normals)];
        for offset in pair.iter_mut().filter(|offset| !offset.is_finite()) {
            *offset = Vec3::ZERO;
            *n_bad += 1;
        }
        if pair != [Vec3::ZERO; 2] {
            target.vertices.push(VertexIndex(pool.first + v as u32));
            target.positions.push(pair[0]);
            target.normals.push(pair[1]);
        }
    }
}

/// The offsets of one attribute, none if the target does not name it. `[count]` or empty.
fn read_offsets(
    accessors: &Accessors<'_>,
    mesh: Json<'_>,
    target: usize,
    name: &str,
    accessor: Option<u32>,
    count: u32,
) -> Result<Vec<[f32; 3]>, OpenError> {
    let Some(accessor) = accessor else { return Ok(Vec::new()) };
    let used_as = format!("{} target {target} {name}", mesh.path);
    let accessor = accessors.get(accessor)?;
    if accessor.count() != count as usize {
        return Err(OpenError::Accessor {
            path: format!("accessors/{}/count", accessor.layout.accessor),
            used_as,
            expected: format!("{count}, as many as POSITION has"),
            found: accessor.count().to_string(),
        });
    }
    accessor.floats(&used_as)
}
