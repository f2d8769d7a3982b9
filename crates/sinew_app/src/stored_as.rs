//! How the open file stores its weights, as the view as exported wants to know it.

use sinew_edit::{StoredWeights, WeightType};
use sinew_io::{Component, GltfSource, PoolMap};

/// For every pool of every mesh its sets and the widest of their numbers, which is what a save writes.
/// `[n_meshes][n_pools]`
pub fn stored_as(source: &GltfSource) -> Vec<Vec<StoredWeights>> {
    let Ok(accessors) = source.accessors() else { return Vec::new() };
    let type_of = |accessor: u32| match accessors.layout(accessor).map(|layout| layout.component) {
        Ok(Component::U8) => WeightType::U8,
        Ok(Component::U16) => WeightType::U16,
        _ => WeightType::F32,
    };
    let of_pool = |pool: &PoolMap| StoredWeights {
        n_sets: pool.sets.len(),
        weights: pool.sets.iter().map(|set| type_of(set.weights)).max().unwrap_or_default(),
    };
    source.meshes.iter().map(|mesh| mesh.pools.iter().map(of_pool).collect()).collect()
}
