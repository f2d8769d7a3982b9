//! Limiting how many joints a vertex may have.

use sinew_model::{Influence, Mesh, Row, RowRef, UNWEIGHTED_SUM};
use smallvec::SmallVec;

use crate::holds::Holds;
use crate::share::{each, is_usable, rebuilt};
use crate::whole_mesh::{self, MeshChanges, RowOutcome};

/// Keeps the `max_influences` (at least 1) largest influences and rescales the row to 1; of equal weights the lower
/// slot stays. Held influences stay whatever their size and count; if they leave no place for a free one that must
/// take up the rest, the row is blocked. Rows that are short enough are not touched, off-sum or not.
pub fn limit_row(row: &Row, max_influences: usize, holds: Holds<'_>) -> RowOutcome {
    limited(RowRef::Long(row.influences()), max_influences, holds)
}

/// [`limit_row`] on all skinned vertices of a mesh.
pub fn limit_mesh(mesh: &Mesh, max_influences: usize, holds: Holds<'_>) -> MeshChanges {
    whole_mesh::run(mesh, |row| row.len() > max_influences.max(1), |row| limited(row, max_influences, holds))
}

fn limited(row: RowRef<'_>, max_influences: usize, holds: Holds<'_>) -> RowOutcome {
    let max_influences = max_influences.max(1);
    if row.len() <= max_influences {
        return RowOutcome::Unchanged;
    }
    let mut sum = 0.0;
    let mut n_held = 0;
    let mut free: SmallVec<[u64; 12]> = SmallVec::new();
    each(row, |i| {
        sum += if is_usable(i.weight) { f64::from(i.weight) } else { 0.0 };
        if holds.holds(i.slot) {
            n_held += 1;
        } else if is_usable(i.weight) {
            free.push(size(i));
        }
    });
    if sum < f64::from(UNWEIGHTED_SUM) {
        return RowOutcome::Unweighted;
    }
    let n_kept = max_influences.saturating_sub(n_held).min(free.len());
    // The size of the last one that stays.
    let least = n_kept.checked_sub(1).map_or(u64::MAX, |at| nth_largest(&mut free, at));
    match rebuilt(row, holds, |i| size(i) >= least) {
        Some(row) if row.len() <= max_influences => RowOutcome::Changed(row),
        _ => RowOutcome::Blocked,
    }
}

/// Orders usable influences: the larger weight is larger, of equal ones the lower slot. Bits of floats above 0 sort like the
/// floats.
#[inline]
fn size(i: Influence) -> u64 {
    u64::from(i.weight.to_bits()) << 16 | u64::from(u16::MAX - i.slot.0)
}

/// The number that `at` others are larger than.
#[inline]
fn nth_largest(numbers: &mut [u64], at: usize) -> u64 {
    if numbers.len() > 8 {
        return *numbers.select_nth_unstable_by(at, |a, b| b.cmp(a)).1;
    }
    // Of a few each can be counted: it is the smallest of those that at most so many are larger than.
    let n_larger = |n: u64| numbers.iter().filter(|&&other| other > n).count();
    numbers.iter().copied().filter(|&n| n_larger(n) <= at).min().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use sinew_model::JointSlot;

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
