//! Which primitives of a mesh share their vertices (B08).

use std::collections::HashMap;

use sinew_model::{Material, MaterialIndex};

use crate::error::OpenError;
use crate::json::{Json, JsonError};
use crate::source::{MeshMap, PoolMap, WeightSet};
use crate::warning::ImportWarning;

/// The most JOINTS_n / WEIGHTS_n sets of a primitive: 128 influences a vertex.
const MAX_SETS: usize = 32;

/// What one primitive says, beside the pool its vertices are of.
pub(super) struct PrimitiveSpec<'a> {
    pub(super) json: Json<'a>,
    pub(super) pool: usize,
    pub(super) mode: u64,
    pub(super) indices: Option<u32>,
    pub(super) material: Option<MaterialIndex>,
    pub(super) normal: Option<u32>,
    pub(super) texcoord: Option<u32>,
}

/// Joint and weight accessors by set number, as they are found.
type Partners = std::collections::BTreeMap<u32, [Option<u32>; 2]>;

/// Reads the primitives of a mesh and sorts them into pools: those with the same POSITION, JOINTS_n, WEIGHTS_n and
/// morph targets share one, in the order in which primitives first use them.
pub(super) fn read<'a>(
    mesh: Json<'a>,
    n_accessors: usize,
    n_slots: usize,
    materials: &[Material],
    warnings: &mut Vec<ImportWarning>,
) -> Result<(MeshMap, Vec<PrimitiveSpec<'a>>), OpenError> {
    let mut map = MeshMap { n_slots, ..MeshMap::default() };
    let mut numbers: HashMap<PoolMap, usize> = HashMap::new();
    let mut primitives = Vec::new();
    for json in mesh.list("primitives")? {
        json.object()?;
        let material = json.index("material", materials.len())?.map(MaterialIndex);
        let texcoord_set = material
            .and_then(|material| materials[material.idx()].base_color_texture)
            .map_or(0, |texture| texture.texcoord_set);
        let mut pool = PoolMap::default();
        let mut partners = Partners::new();
        let (mut normal, mut texcoord) = (None, None);
        if let Some(attributes) = json.get("attributes") {
            for (name, member) in attributes.members()? {
                let accessor = || member.as_index(n_accessors);
                match split_set(name) {
                    ("POSITION", None) => pool.position = Some(accessor()?),
                    ("NORMAL", None) => normal = Some(accessor()?),
                    ("TEXCOORD", Some(set)) if set == texcoord_set => texcoord = Some(accessor()?),
                    ("JOINTS", Some(set)) => partners.entry(set).or_default()[0] = Some(accessor()?),
                    ("WEIGHTS", Some(set)) => partners.entry(set).or_default()[1] = Some(accessor()?),
                    _ => {}
                }
            }
        }
        for target in json.list("targets")? {
            pool.targets.push([target.index("POSITION", n_accessors)?, target.index("NORMAL", n_accessors)?]);
        }
        if pool.position.is_some() {
            pool.sets = pair_up(json, &partners, warnings)?;
        } else {
            let reason = "it has no POSITION".to_owned();
            warnings.push(ImportWarning::LeftOut { path: json.path.to_string(), reason });
            pool.targets.clear();
        }
        let number = *numbers.entry(pool).or_insert_with_key(|pool| {
            map.pools.push(pool.clone());
            map.pools.len() - 1
        });
        map.primitive_pools.push(number);
        let mode = json.whole("mode")?.unwrap_or(4);
        let indices = json.index("indices", n_accessors)?;
        primitives.push(PrimitiveSpec { json, pool: number, mode, indices, material, normal, texcoord });
    }
    Ok((map, primitives))
}

/// `JOINTS_1` as `JOINTS` and 1. Numbers are spelled without sign and leading zeros; anything else is another name.
fn split_set(name: &str) -> (&str, Option<u32>) {
    let Some((kind, digits)) = name.rsplit_once('_') else { return (name, None) };
    match digits.parse::<u32>() {
        Ok(set) if set.to_string() == digits => (kind, Some(set)),
        _ => (name, None),
    }
}

fn pair_up(
    primitive: Json<'_>,
    partners: &Partners,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Vec<WeightSet>, JsonError> {
    let mut sets = Vec::new();
    for (&set, pair) in partners {
        match *pair {
            [Some(joints), Some(weights)] => sets.push(WeightSet { set, joints, weights }),
            [joints, _] => {
                let name = if joints.is_some() { "JOINTS" } else { "WEIGHTS" };
                let path = format!("{}/attributes/{name}_{set}", primitive.path);
                warnings.push(ImportWarning::SetWithoutPartner { path });
            }
        }
    }
    if sets.len() > MAX_SETS {
        return Err(primitive.need("attributes", "")?.wrong(&format!("at most {MAX_SETS} sets of weights")));
    }
    Ok(sets)
}
