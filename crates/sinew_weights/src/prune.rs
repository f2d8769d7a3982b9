//! Removing small weights.

use sinew_model::{JointSlot, Mesh, Row, UNWEIGHTED_SUM};

use crate::holds::Holds;
use crate::share::{Held, is_usable, share_out, tolerance};
use crate::whole_mesh::{self, MeshChanges, RowOutcome};

/// Removes free influences below `threshold` and scales the other free ones to fill the row. The largest free
/// influence (ties: the lower slot) always stays. Off-sum rows are measured as if normalised. A pure function of the
/// row and the threshold: sliding the threshold back and forth gives the same as asking at once. NaN removes nothing.
pub fn prune_row(row: &Row, threshold: f32, holds: Holds<'_>) -> RowOutcome {
    let mut sum = 0.0;
    let mut free_sum = 0.0;
    let mut largest: Option<(f32, JointSlot)> = None;
    for i in row.influences().iter().filter(|i| is_usable(i.weight)) {
        sum += f64::from(i.weight);
        if !holds.holds(i.slot) {
            free_sum += f64::from(i.weight);
            if largest.is_none_or(|(w, s)| i.weight > w || (i.weight == w && i.slot < s)) {
                largest = Some((i.weight, i.slot));
            }
        }
    }
    if sum < f64::from(UNWEIGHTED_SUM) {
        return RowOutcome::Unweighted;
    }
    let (Held::Sum(held), Some((_, largest))) = (Held::of(row, None, holds), largest) else {
        return if largest.is_some() { RowOutcome::Blocked } else { RowOutcome::Unchanged };
    };
    let factor = if (sum - 1.0).abs() <= tolerance(row.len()) { 1.0 } else { (1.0 - held).max(0.0) / free_sum };
    let mut result = row.clone();
    result.retain(|i| {
        let is_small = !is_usable(i.weight) || f64::from(i.weight) * factor < f64::from(threshold);
        holds.holds(i.slot) || i.slot == largest || !is_small
    });
    if result.len() == row.len() {
        return RowOutcome::Unchanged;
    }
    share_out(&mut result, held, None, holds, 0.0);
    if result.check().is_ok() { RowOutcome::Changed(result) } else { RowOutcome::Blocked }
}

/// [`prune_row`] on all skinned vertices of a mesh.
pub fn prune_mesh(mesh: &Mesh, threshold: f32, holds: Holds<'_>) -> MeshChanges {
    whole_mesh::run(
        mesh,
        |row| {
            // Measured raw here; off-sum rows are always looked at.
            let mut sum = 0.0;
            let mut has_small = row.is_empty();
            row.for_each(|i| {
                sum += f64::from(i.weight);
                has_small |= !is_usable(i.weight) || i.weight < threshold;
            });
            has_small || (sum - 1.0).abs() > tolerance(row.len())
        },
        |row| prune_row(row, threshold, holds),
    )
}
