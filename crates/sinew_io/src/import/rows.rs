//! Weight rows out of JOINTS_n and WEIGHTS_n.

use rayon::prelude::*;
use sinew_model::{Influence, JointSlot, Row, UNWEIGHTED_SUM, VertexIndex, WeightTable};

use crate::accessor::{Accessor, Accessors, Component};
use crate::error::OpenError;
use crate::source::PoolMap;

/// What was left out of a pool's rows or is odd about them, and how often.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct RowFindings {
    /// Vertices with a weight that is negative, NaN or infinite.
    pub(crate) bad_weights: usize,
    /// Vertices with a weight for a joint past the skin's list.
    pub(crate) past_skin: usize,
    /// Vertices that name a joint twice.
    pub(crate) repeated: usize,
    /// Vertices whose weights sum to nothing.
    pub(crate) unweighted: usize,
    /// Vertices that have weight, but whose sum is not 1 (B17).
    pub(crate) off_sum: usize,
    /// The largest distance of such a sum from 1.
    pub(crate) largest_off: f32,
    /// Integer weights that are not marked as normalised.
    pub(crate) unmarked_integers: bool,
}

impl RowFindings {
    /// Adds what was found elsewhere.
    pub(crate) fn add(&mut self, other: &Self) {
        self.bad_weights += other.bad_weights;
        self.past_skin += other.past_skin;
        self.repeated += other.repeated;
        self.unweighted += other.unweighted;
        self.off_sum += other.off_sum;
        self.largest_off = self.largest_off.max(other.largest_off);
        self.unmarked_integers |= other.unmarked_integers;
    }
}

/// One set, decoded.
struct Set {
    joints: Vec<[u32; 4]>,
    weights: Vec<[f32; 4]>,
}

/// Rows decoded at a time: bounds what is held beside the table.
const CHUNK: usize = 1 << 16;

/// Reads the rows of a pool. Slots of weight 0 are no influences, whatever joint they name (B05); a joint that stands
/// twice gets the sum (B26); weights that are no weights and slots from `n_slots` on are left out and counted. Sums
/// stay as they came. `[pool.count]`, numbered from 0; linear in vertices × sets (B66).
pub(crate) fn read_rows(
    accessors: &Accessors<'_>,
    pool: &PoolMap,
    n_slots: usize,
) -> Result<(WeightTable, RowFindings), OpenError> {
    let count = pool.position.map(|position| accessors.layout(position)).transpose()?.map_or(0, |layout| layout.count);
    let mut findings = RowFindings::default();
    if pool.sets.is_empty() {
        accessors.budget.charge(table_bytes(count, 0), || "meshes".to_owned())?;
        return Ok((WeightTable::new(count, 0), findings));
    }
    let mut sets = Vec::with_capacity(pool.sets.len());
    for set in &pool.sets {
        let used_as = [format!("JOINTS_{}", set.set), format!("WEIGHTS_{}", set.set)];
        let joints = accessors.get(set.joints)?;
        let weights = accessors.get(set.weights)?;
        for (accessor, used_as) in [(&joints, &used_as[0]), (&weights, &used_as[1])] {
            check_count(accessor, used_as, count)?;
        }
        let component = weights.layout.component;
        if !matches!(component, Component::F32 | Component::U8 | Component::U16) {
            return Err(weights.unfit(&used_as[1], "FLOAT, UNSIGNED_BYTE or UNSIGNED_SHORT"));
        }
        findings.unmarked_integers |= component != Component::F32 && !weights.layout.normalized;
        sets.push(Set { joints: joints.integers(&used_as[0])?, weights: weights.unit_floats(&used_as[1])? });
    }
    let longest = (0..count).into_par_iter().map(|v| n_nonzero(&sets, v)).max().unwrap_or(0);
    accessors.budget.charge(table_bytes(count, longest), || "meshes".to_owned())?;
    let mut table = WeightTable::new(count, longest);
    for start in (0..count).step_by(CHUNK) {
        let end = (start + CHUNK).min(count);
        let rows: Vec<(Row, RowFindings)> =
            (start..end).into_par_iter().with_min_len(1024).map(|v| row(&sets, v, n_slots)).collect();
        for (v, (row, found)) in (start..end).zip(&rows) {
            table.set(VertexIndex::from_idx(v), row);
            findings.add(found);
        }
    }
    Ok((table, findings))
}

/// Bytes of a table, about.
pub(crate) fn table_bytes(n_vertices: usize, max_influences: usize) -> u64 {
    n_vertices as u64 * (1 + 6 * max_influences.clamp(4, 32) as u64)
}

fn check_count(accessor: &Accessor<'_>, used_as: &str, expected: usize) -> Result<(), OpenError> {
    if accessor.count() == expected {
        return Ok(());
    }
    Err(OpenError::Accessor {
        path: format!("accessors/{}/count", accessor.layout.accessor),
        used_as: used_as.to_owned(),
        expected: format!("{expected}, as many as POSITION has"),
        found: accessor.count().to_string(),
    })
}

fn n_nonzero(sets: &[Set], v: usize) -> usize {
    sets.iter().map(|set| set.weights[v].iter().filter(|&&weight| weight != 0.0).count()).sum()
}

fn row(sets: &[Set], v: usize, n_slots: usize) -> (Row, RowFindings) {
    let (row, mut found) = merge(sets.iter().map(|set| (set.joints[v], set.weights[v])), n_slots);
    let sum = row.sum_f64();
    let off = (sum - 1.0).abs() as f32;
    if sum < f64::from(UNWEIGHTED_SUM) {
        found.unweighted = 1;
    } else if off > Row::sum_tolerance(row.len()) {
        found.off_sum = 1;
        found.largest_off = off;
    }
    (row, found)
}

/// The row of a vertex with these joints and weights in its sets.
pub(crate) fn merge(sets: impl Iterator<Item = ([u32; 4], [f32; 4])>, n_slots: usize) -> (Row, RowFindings) {
    let mut row = Row::new();
    let mut found = RowFindings::default();
    for (joints, weights) in sets {
        for (joint, weight) in joints.into_iter().zip(weights) {
            if weight == 0.0 {
                continue;
            }
            if !weight.is_finite() || weight < 0.0 {
                found.bad_weights = 1;
                continue;
            }
            if joint as usize >= n_slots || joint > u32::from(u16::MAX) {
                found.past_skin = 1;
                continue;
            }
            let slot = JointSlot(joint as u16);
            if row.influences().iter().any(|influence| influence.slot == slot) {
                found.repeated = 1;
                row.add(slot, weight);
            } else {
                row.push(Influence { slot, weight });
            }
        }
    }
    (row, found)
}
