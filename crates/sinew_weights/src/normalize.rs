//! Bringing rows to the sum 1.

use sinew_model::{Mesh, Row, UNWEIGHTED_SUM};

use crate::holds::Holds;
use crate::share::{Held, is_usable, share_out, tolerance};
use crate::whole_mesh::{self, MeshChanges, RowOutcome};

/// Divides the free weights by their sum, so that the whole row sums to 1: free weights are scaled by one factor to
/// 1 − Σ held. Rows that are right within [`Row::sum_tolerance`] keep their bits; unusable weights (negative, NaN,
/// infinite) are dropped; rows with almost no weight are unweighted, never divided.
pub fn normalize_row(row: &Row, holds: Holds<'_>) -> RowOutcome {
    let mut usable_sum = 0.0;
    let mut is_clean = true;
    for i in row.influences() {
        if is_usable(i.weight) {
            usable_sum += f64::from(i.weight);
        } else {
            is_clean = false;
        }
    }
    if usable_sum < f64::from(UNWEIGHTED_SUM) {
        return RowOutcome::Unweighted;
    }
    if is_clean && (usable_sum - 1.0).abs() <= tolerance(row.len()) {
        return RowOutcome::Unchanged;
    }
    let Held::Sum(held) = Held::of(row, None, holds) else {
        return RowOutcome::Blocked;
    };
    let mut result = row.clone();
    share_out(&mut result, held, None, holds, 0.0);
    // Without free weight there is nothing to scale, and the held weights must not move.
    if result.check().is_ok() { RowOutcome::Changed(result) } else { RowOutcome::Blocked }
}

/// [`normalize_row`] on all skinned vertices of a mesh.
pub fn normalize_mesh(mesh: &Mesh, holds: Holds<'_>) -> MeshChanges {
    whole_mesh::run(
        mesh,
        |row| {
            let mut sum = 0.0;
            let mut is_clean = true;
            row.for_each(|i| {
                sum += f64::from(i.weight);
                is_clean &= is_usable(i.weight);
            });
            !is_clean || (sum - 1.0).abs() > tolerance(row.len())
        },
        |row| normalize_row(row, holds),
    )
}
