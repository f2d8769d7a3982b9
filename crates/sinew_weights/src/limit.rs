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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    #[track_caller]
    fn check(row: &Row, max_influences: usize, holds: Holds<'_>, expected: &[(u16, f32)]) {
        let RowOutcome::Changed(after) = limit_row(row, max_influences, holds) else { panic!("did not change") };
        assert_eq!(after.check(), Ok(()));
        assert_eq!(after.len(), expected.len(), "{after:?}");
        for &(slot, weight) in expected {
            assert!((after.weight(JointSlot(slot)) - weight).abs() < 5e-5, "{after:?}");
        }
    }

    #[test]
    fn the_largest_stay_and_are_rescaled() {
        // B01
        let six = row(&[(0, 0.30), (1, 0.25), (2, 0.20), (3, 0.15), (4, 0.06), (5, 0.04)]);
        check(&six, 4, Holds::NONE, &[(0, 0.3333), (1, 0.2778), (2, 0.2222), (3, 0.1667)]);
        assert_eq!(limit_row(&six, 6, Holds::NONE), RowOutcome::Unchanged);
    }

    #[test]
    fn of_equal_weights_the_lower_slot_stays() {
        check(&row(&[(7, 0.25), (3, 0.25), (5, 0.25), (4, 0.25)]), 2, Holds::NONE, &[(3, 0.5), (4, 0.5)]);
    }

    #[test]
    fn a_locked_joint_stays_however_small() {
        let four = row(&[(0, 0.05), (1, 0.5), (2, 0.25), (3, 0.2)]);
        check(&four, 2, Holds::locks(&[true]), &[(0, 0.05), (1, 0.95)]);
        assert_eq!(limit_row(&four, 2, Holds::locks(&[true, true])), RowOutcome::Blocked);
    }
}
