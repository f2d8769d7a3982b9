//! Removing small weights.

use sinew_model::{Influence, Mesh, Row, RowRef, UNWEIGHTED_SUM};

use crate::holds::Holds;
use crate::share::{each, is_usable, rebuilt, tolerance};
use crate::whole_mesh::{self, MeshChanges, RowOutcome};

/// Removes free influences below `threshold` and scales the other free ones to fill the row. The largest free
/// influence (ties: the lower slot) always stays. Off-sum rows are measured as if normalised. A pure function of the
/// row and the threshold: sliding the threshold back and forth gives the same as asking at once. NaN removes nothing.
pub fn prune_row(row: &Row, threshold: f32, holds: Holds<'_>) -> RowOutcome {
    pruned(RowRef::Long(row.influences()), threshold, holds)
}

/// [`prune_row`] on all skinned vertices of a mesh.
pub fn prune_mesh(mesh: &Mesh, threshold: f32, holds: Holds<'_>) -> MeshChanges {
    let may_concern = |row: RowRef<'_>| {
        // Measured raw here; off-sum rows are always looked at.
        let mut sum = 0.0;
        let mut has_small = false;
        each(row, |i| {
            sum += f64::from(i.weight);
            has_small |= !is_usable(i.weight) || i.weight < threshold;
        });
        has_small || (sum - 1.0).abs() > tolerance(row.len())
    };
    whole_mesh::run(mesh, may_concern, |row| pruned(row, threshold, holds))
}

fn pruned(row: RowRef<'_>, threshold: f32, holds: Holds<'_>) -> RowOutcome {
    let (mut sum, mut held, mut free) = (0.0, 0.0, 0.0);
    let mut largest: Option<Influence> = None;
    each(row, |i| {
        let weight = if is_usable(i.weight) { f64::from(i.weight) } else { 0.0 };
        sum += weight;
        if holds.holds(i.slot) {
            held += weight;
        } else if weight > 0.0 {
            free += weight;
            if largest.is_none_or(|l| i.weight > l.weight || (i.weight == l.weight && i.slot < l.slot)) {
                largest = Some(i);
            }
        }
    });
    if sum < f64::from(UNWEIGHTED_SUM) {
        return RowOutcome::Unweighted;
    }
    let Some(largest) = largest else {
        return RowOutcome::Unchanged;
    };
    let factor = if (sum - 1.0).abs() <= tolerance(row.len()) { 1.0 } else { (1.0 - held).max(0.0) / free };
    let is_small = |i: Influence| f64::from(i.weight) * factor < f64::from(threshold) && i.slot != largest.slot;
    let mut n_small = 0;
    each(row, |i| n_small += usize::from(!holds.holds(i.slot) && (!is_usable(i.weight) || is_small(i))));
    if n_small == 0 {
        return RowOutcome::Unchanged;
    }
    match rebuilt(row, holds, |i| !is_small(i)) {
        Some(row) => RowOutcome::Changed(row),
        None => RowOutcome::Blocked,
    }
}

#[cfg(test)]
mod tests {
    use sinew_model::{JointSlot, VertexIndex};

    use super::*;
    use crate::whole_mesh::tests::mesh_of;

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    #[test]
    fn a_vertex_of_equal_small_weights_keeps_its_lowest_slot() {
        // B27
        let twenty: Row = (0..20).rev().map(|slot| (JointSlot(slot), 0.05)).collect();
        assert_eq!(prune_row(&twenty, 0.055, Holds::NONE), RowOutcome::Changed(Row::rigid(JointSlot(0))));
        assert_eq!(prune_row(&twenty, 0.05, Holds::NONE), RowOutcome::Unchanged);
    }

    #[test]
    fn sliding_the_threshold_gives_the_same_counts_as_asking_at_once() {
        // B27
        let mesh = mesh_of(&[
            (0..20).map(|slot| (JointSlot(slot), 0.05)).collect(),
            row(&[(0, 0.9), (1, 0.1)]),
            row(&[(0, 0.92), (1, 0.08)]),
            Row::new(),
        ]);
        let direct = prune_mesh(&mesh, 0.1, Holds::NONE);
        let lower = prune_mesh(&mesh, 0.055, Holds::NONE);
        assert_eq!(prune_mesh(&mesh, 0.1, Holds::NONE), direct);
        assert_eq!((lower.rows.len(), lower.n_removed), (1, 19));
        assert_eq!((direct.rows.len(), direct.n_removed), (2, 20));
        assert_eq!(direct.unweighted, [VertexIndex(3)]);
    }

    #[test]
    fn locked_influences_are_not_pruned_and_the_largest_free_one_takes_the_rest() {
        let before = row(&[(0, 0.01), (1, 0.96), (2, 0.02), (3, 0.01)]);
        let RowOutcome::Changed(after) = prune_row(&before, 0.05, Holds::locks(&[true, true])) else {
            panic!("did not change");
        };
        assert_eq!(after.check(), Ok(()));
        assert_eq!(after.len(), 3);
        assert_eq!(after.weight(JointSlot(1)).to_bits(), 0.96_f32.to_bits());
        assert!((after.weight(JointSlot(2)) - 0.03).abs() < 1e-7);
    }

    #[test]
    fn off_sum_rows_are_measured_as_if_normalised() {
        let mesh = mesh_of(&[row(&[(0, 1.9), (1, 0.1), (2, 0.13)])]);
        let changes = prune_mesh(&mesh, 0.055, Holds::NONE);
        assert_eq!((changes.rows.get(0).len(), changes.n_removed), (2, 1));
    }
}
