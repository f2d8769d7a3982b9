//! Bringing rows to the sum 1.

use sinew_model::{Mesh, Row, RowRef, UNWEIGHTED_SUM};

use crate::holds::Holds;
use crate::share::{each, is_usable, rebuilt, tolerance};
use crate::whole_mesh::{self, MeshChanges, RowOutcome};

/// Divides the free weights by their sum, so that the whole row sums to 1: free weights are scaled by one factor to
/// 1 − Σ held. Rows that are right within [`Row::sum_tolerance`] keep their bits; unusable weights (negative, NaN,
/// infinite) are dropped; rows with almost no weight are unweighted, never divided.
pub fn normalize_row(row: &Row, holds: Holds<'_>) -> RowOutcome {
    let row = RowRef::Long(row.influences());
    if is_right(row) { RowOutcome::Unchanged } else { normalized(row, holds) }
}

/// [`normalize_row`] on all skinned vertices of a mesh.
pub fn normalize_mesh(mesh: &Mesh, holds: Holds<'_>) -> MeshChanges {
    whole_mesh::run(mesh, |row| !is_right(row), |row| normalized(row, holds))
}

/// For a row that is not right.
fn normalized(row: RowRef<'_>, holds: Holds<'_>) -> RowOutcome {
    let mut sum = 0.0;
    each(row, |i| sum += if is_usable(i.weight) { f64::from(i.weight) } else { 0.0 });
    if sum < f64::from(UNWEIGHTED_SUM) {
        return RowOutcome::Unweighted;
    }
    match rebuilt(row, holds, |_| true) {
        Some(row) => RowOutcome::Changed(row),
        None => RowOutcome::Blocked,
    }
}

/// Whether all weights are usable and sum to 1.
#[inline]
fn is_right(row: RowRef<'_>) -> bool {
    let mut sum = 0.0;
    let mut is_clean = true;
    each(row, |i| {
        sum += f64::from(i.weight);
        is_clean &= is_usable(i.weight);
    });
    is_clean && (sum - 1.0).abs() <= tolerance(row.len())
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
    fn rows_are_divided_by_the_sum_of_all_influences() {
        // B18, B19
        let eight: Row = (0..8).map(|slot| (JointSlot(slot), 0.2)).collect();
        let expected: Row = (0..8).map(|slot| (JointSlot(slot), 0.125)).collect();
        assert_eq!(normalize_row(&eight, Holds::NONE), RowOutcome::Changed(expected));
        assert_eq!(normalize_row(&row(&[(0, 0.5), (1, 0.3), (2, 0.2)]), Holds::NONE), RowOutcome::Unchanged);
        let RowOutcome::Changed(halved) = normalize_row(&row(&[(0, 1.0), (1, 0.6), (2, 0.4)]), Holds::NONE) else {
            panic!("unchanged");
        };
        assert!(halved.largest_change(&row(&[(0, 0.5), (1, 0.3), (2, 0.2)])) < 1e-7);
    }

    #[test]
    fn a_lone_zero_weight_is_listed_and_the_others_are_done() {
        // B22, B20
        let mut zero = Row::new();
        zero.push(sinew_model::Influence { slot: JointSlot(0), weight: 0.0 });
        let mesh = mesh_of(&[zero, Row::rigid(JointSlot(1)), row(&[(0, 2.0)]), Row::new()]);
        let changes = normalize_mesh(&mesh, Holds::NONE);
        assert_eq!(changes.unweighted, [VertexIndex(0), VertexIndex(3)]);
        assert_eq!(changes.rows, vec![(VertexIndex(2), Row::rigid(JointSlot(0)))].into());
    }

    #[test]
    fn locked_weights_stay_and_rows_they_make_impossible_are_listed() {
        let mesh = mesh_of(&[row(&[(0, 0.3), (1, 0.3)]), row(&[(0, 0.4)]), row(&[(0, 1.4), (1, 0.2)])]);
        let changes = normalize_mesh(&mesh, Holds::locks(&[true]));
        assert_eq!(changes.blocked, [VertexIndex(1), VertexIndex(2)]);
        assert_eq!(changes.rows.len(), 1);
        let settled = changes.rows.get(0);
        assert_eq!(settled.weight(JointSlot(0)).to_bits(), 0.3_f32.to_bits());
        assert!((settled.weight(JointSlot(1)) - 0.7).abs() < 1e-7);
    }

    #[test]
    fn unusable_weights_are_dropped() {
        let mut odd = row(&[(0, 0.5)]);
        for (slot, weight) in [(1, f32::NAN), (2, f32::INFINITY), (3, -0.5)] {
            odd.push(sinew_model::Influence { slot: JointSlot(slot), weight });
        }
        assert_eq!(normalize_row(&odd, Holds::NONE), RowOutcome::Changed(Row::rigid(JointSlot(0))));
    }
}
