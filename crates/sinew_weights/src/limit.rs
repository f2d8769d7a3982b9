//! Limiting how many joints a vertex may have.

use sinew_model::{JointSlot, Mesh, Row, UNWEIGHTED_SUM};
use smallvec::SmallVec;

use crate::holds::Holds;
use crate::share::{Held, is_usable, share_out};
use crate::whole_mesh::{self, MeshChanges, RowOutcome};

/// Keeps the `max_influences` (at least 1) largest influences and rescales the row to 1; of equal weights the lower
/// slot stays. Held influences stay whatever their size and count; if they leave no place for a free one that must
/// take up the rest, the row is blocked. Rows that are short enough are not touched, off-sum or not.
pub fn limit_row(row: &Row, max_influences: usize, holds: Holds<'_>) -> RowOutcome {
    let max_influences = max_influences.max(1);
    if row.len() <= max_influences {
        return RowOutcome::Unchanged;
    }
    let sum: f64 = row.influences().iter().filter(|i| is_usable(i.weight)).map(|i| f64::from(i.weight)).sum();
    if sum < f64::from(UNWEIGHTED_SUM) {
        return RowOutcome::Unweighted;
    }
    let Held::Sum(held) = Held::of(row, None, holds) else {
        return RowOutcome::Blocked;
    };
    let n_held = row.influences().iter().filter(|i| holds.holds(i.slot)).count();
    let mut free: SmallVec<[(f32, JointSlot); 8]> = row
        .influences()
        .iter()
        .filter(|i| !holds.holds(i.slot) && is_usable(i.weight))
        .map(|i| (i.weight, i.slot))
        .collect();
    free.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    free.truncate(max_influences.saturating_sub(n_held));
    let mut result = row.clone();
    result.retain(|i| holds.holds(i.slot) || free.iter().any(|&(_, slot)| slot == i.slot));
    share_out(&mut result, held, None, holds, 0.0);
    if result.len() <= max_influences && result.check().is_ok() {
        RowOutcome::Changed(result)
    } else {
        RowOutcome::Blocked
    }
}

/// [`limit_row`] on all skinned vertices of a mesh.
pub fn limit_mesh(mesh: &Mesh, max_influences: usize, holds: Holds<'_>) -> MeshChanges {
    whole_mesh::run(mesh, |row| row.len() > max_influences.max(1), |row| limit_row(row, max_influences, holds))
}
