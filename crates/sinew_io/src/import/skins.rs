//! Skins: joints and inverse bind matrices, in the file's order.

use glam::{DAffine3, DVec3};
use sinew_model::{NodeIndex, Skin, SkinIndex};

use crate::accessor::Accessors;
use crate::error::OpenError;
use crate::import::label;
use crate::json::Json;
use crate::warning::ImportWarning;

/// What a skin keeps for each joint, about: its node, its matrix in double precision, an entry in the table of slots. A
/// joint may be two bytes of text, so without a limit a small file could ask for anything.
const BYTES_PER_JOINT: u64 = (size_of::<NodeIndex>() + size_of::<DAffine3>() + 24) as u64;

/// Reads all skins. `skeleton` is a hint and is not looked at (B03).
pub(super) fn read(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    n_nodes: usize,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Vec<Skin>, OpenError> {
    let mut skins = Vec::new();
    for (s, json) in root.list("skins")?.enumerate() {
        json.object()?;
        let n_joints = json.list_len("joints")? as u64;
        accessors.budget.charge(n_joints * BYTES_PER_JOINT, || json.path.to_string())?;
        let joints = json.list("joints")?.map(|joint| joint.as_index(n_nodes).map(NodeIndex));
        let joints: Vec<NodeIndex> = joints.collect::<Result<_, _>>()?;
        let name = json.text("name")?.map(str::to_owned);
        let matrices = match json.index("inverseBindMatrices", accessors.len())? {
            None => None,
            Some(accessor) => {
                let used_as = format!("skins/{s}/inverseBindMatrices");
                let matrices = accessors.get(accessor)?.floats::<16>(&used_as)?;
                let mut n_bad = 0;
                let matrices = matrices.iter().map(|matrix| affine(matrix, &mut n_bad)).collect();
                if n_bad > 0 {
                    let skin = label(name.as_deref(), s);
                    warnings.push(ImportWarning::BadMatrices { skin, n_matrices: n_bad });
                }
                Some(matrices)
            }
        };
        skins.push(Skin::new(SkinIndex::from_idx(s), name, joints, matrices, n_nodes)?);
    }
    Ok(skins)
}

/// A matrix without its last row, which is 0 0 0 1 by the specification and wrong in some files.
fn affine(columns: &[f32; 16], n_bad: &mut usize) -> DAffine3 {
    let column = |i: usize| DVec3::new(columns[i].into(), columns[i + 1].into(), columns[i + 2].into());
    let matrix = DAffine3::from_cols(column(0), column(4), column(8), column(12));
    if matrix.is_finite() {
        return matrix;
    }
    *n_bad += 1;
    DAffine3::IDENTITY
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::accessor::MemoryBudget;

    #[test]
    fn skins_of_many_joints_without_matrices_are_within_the_memory_budget() {
        // Small: 30 skins of 1000 joints each; a file of 300 × 60 000 took 3 GB.
        let joints: Vec<u32> = (0..1000).collect();
        let json = json!({ "skins": vec![json!({ "joints": joints }); 30] });
        let root = Json::root(&json);
        let with_budget = |n_bytes| {
            let mut accessors = Accessors::new(root, &[]).expect("accessors");
            accessors.budget = MemoryBudget::of(n_bytes);
            read(root, &accessors, 1000, &mut Vec::new())
        };
        assert_eq!(with_budget(30_000 * BYTES_PER_JOINT).expect("enough").len(), 30);
        match with_budget(10_000 * BYTES_PER_JOINT) {
            Err(OpenError::TooLarge { path, .. }) => assert_eq!(path, "skins/10"),
            other => panic!("expected the budget to end, found {other:?}"),
        }
    }
}
