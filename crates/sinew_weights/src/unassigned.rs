//! The share of a row that nobody has yet: 1 − the sum of its weights, for painting that leaves the rest open.
//!
//! While the rest is left open, what a joint gains comes from that share first and what it gives up goes there. Verbs that
//! move whole rows see the share as one more joint ([`UNASSIGNED`]), so smoothing evens it out like any other.

use sinew_model::{Influence, JointSlot, Row};

use crate::change::{Change, set_weight};
use crate::give::{Give, set_weight_giving};
use crate::holds::Holds;
use crate::share::{Held, NEGLIGIBLE, is_usable, tolerance};

/// Stands for the open share in rows that [`with_share`] makes. No row of a document has it: no file lists so many joints.
pub const UNASSIGNED: JointSlot = JointSlot(u16::MAX);

/// What is missing to 1, or 0 if the sum is right or too large.
pub fn unassigned_share(row: &Row) -> f32 {
    let sum: f64 = row.influences().iter().filter(|i| is_usable(i.weight)).map(|i| f64::from(i.weight)).sum();
    let missing = 1.0 - sum;
    if missing > tolerance(row.len()) { missing as f32 } else { 0.0 }
}

/// The row with its open share as an influence.
pub fn with_share(mut row: Row) -> Row {
    let share = unassigned_share(&row);
    if share > 0.0 {
        row.push(Influence { slot: UNASSIGNED, weight: share });
    }
    row
}

/// The row without that influence.
pub fn without_share(mut row: Row) -> Row {
    row.retain(|i| i.slot != UNASSIGNED);
    row
}

/// [`set_weight_giving`], but what `slot` gains comes from the open share first and what it gives up goes there, unless
/// `give` names somebody: the neighbours or a joint. All other weights keep their bits until the share is used up; then they
/// make room in proportion, and the row sums to 1. Never does it sum to more.
///
/// `neighbours` may have an open share of their own as [`UNASSIGNED`]; it takes its part.
pub fn set_weight_leaving(
    row: &Row,
    slot: JointSlot,
    target: f32,
    holds: Holds<'_>,
    give: Give,
    neighbours: impl Fn() -> Row,
) -> Change {
    let whole = || set_weight(row, slot, target, holds, &neighbours);
    if holds.is_locked(slot) || target.is_nan() {
        return whole();
    }
    let Held::Sum(held) = Held::of(row, Some(slot), holds) else { return whole() };
    let most = (1.0 - held).max(0.0);
    let goal = f64::from(target).clamp(0.0, most) as f32;
    let goal = if goal < NEGLIGIBLE { 0.0 } else { goal };
    let stored = row.weight(slot);
    if goal.to_bits() == stored.to_bits() {
        return if f64::from(target) <= most { Change::Unchanged } else { whole() };
    }
    if goal < stored && is_usable(stored) {
        let is_named = match give {
            Give::Others => false,
            Give::Neighbours => {
                let takes = |i: &Influence| i.slot != slot && !holds.holds(i.slot) && is_usable(i.weight);
                neighbours().influences().iter().any(takes)
            }
            Give::To(receiver) => receiver != slot,
        };
        if is_named {
            return match set_weight_giving(&with_share(row.clone()), slot, target, holds, give, neighbours) {
                Change::Changed(row) => Change::Changed(without_share(row)),
                other => other,
            };
        }
    }
    let mut result = row.clone();
    result.retain(|i| i.slot == slot || holds.holds(i.slot) || is_usable(i.weight));
    result.set(slot, goal);
    if result.sum_f64() > 1.0 + tolerance(result.len()) {
        return whole();
    }
    result.drop_zeros();
    if result.same_influences(row) { Change::Unchanged } else { Change::Changed(result) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Blockers;

    const A: JointSlot = JointSlot(0);
    const B: JointSlot = JointSlot(1);
    const C: JointSlot = JointSlot(2);

    fn row(influences: &[(JointSlot, f32)]) -> Row {
        influences.iter().copied().collect()
    }

    fn leaving(before: &Row, target: f32, locks: &[bool], give: Give, around: &Row) -> Change {
        set_weight_leaving(before, A, target, Holds::locks(locks), give, || around.clone())
    }

    #[track_caller]
    fn after(before: &Row, target: f32, locks: &[bool], give: Give, around: &Row) -> Row {
        match leaving(before, target, locks, give, around) {
            Change::Changed(row) => row,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_joint_takes_from_the_open_share_first_and_then_from_the_others() {
        let before = row(&[(A, 0.2), (B, 0.3), (C, 0.1)]);
        let painted = after(&before, 0.5, &[], Give::Others, &Row::new());
        assert_eq!(painted, row(&[(A, 0.5), (B, 0.3), (C, 0.1)]), "the others keep their bits");
        assert!((unassigned_share(&painted) - 0.1).abs() < 1e-7);
        // Full at .6; the last .2 come from B and C, three to one.
        let full = after(&before, 0.8, &[], Give::Others, &Row::new());
        assert_eq!(full.check(), Ok(()));
        assert!((full.weight(B) - 0.15).abs() < 1e-7 && (full.weight(C) - 0.05).abs() < 1e-7, "{full:?}");
    }

    #[test]
    fn a_never_weighted_vertex_gets_what_is_painted_and_nothing_else() {
        assert_eq!(after(&Row::new(), 0.4, &[], Give::Others, &Row::rigid(B)), row(&[(A, 0.4)]));
        assert_eq!(after(&row(&[(A, 0.4)]), 0.0, &[], Give::Others, &Row::rigid(B)), Row::new());
        assert_eq!(after(&row(&[(A, 0.4)]), 1.0, &[], Give::Others, &Row::rigid(B)), Row::rigid(A));
    }

    #[test]
    fn what_is_given_up_stays_open_unless_somebody_is_named() {
        let before = row(&[(A, 0.5), (B, 0.3)]);
        assert_eq!(after(&before, 0.1, &[], Give::Others, &Row::rigid(C)), row(&[(A, 0.1), (B, 0.3)]));
        // The last joint of a full row may go, too.
        assert_eq!(after(&Row::rigid(A), 0.25, &[], Give::Others, &Row::rigid(C)), row(&[(A, 0.25)]));
        let named = after(&before, 0.1, &[], Give::To(C), &Row::new());
        assert_eq!((named.weight(A), named.weight(B)), (0.1, 0.3));
        assert!((named.weight(C) - 0.4).abs() < 1e-7);
        // Neighbours that are half open leave half of it open.
        let around = row(&[(C, 0.5), (UNASSIGNED, 0.5)]);
        let shared = after(&before, 0.1, &[], Give::Neighbours, &around);
        assert!((shared.weight(C) - 0.2).abs() < 1e-7 && shared.weight(UNASSIGNED) == 0.0, "{shared:?}");
        // Nobody there: open.
        assert_eq!(after(&before, 0.1, &[], Give::Neighbours, &Row::new()), row(&[(A, 0.1), (B, 0.3)]));
    }

    #[test]
    fn locked_weights_stay_to_the_bit_and_bound_what_can_be_gained() {
        let before = row(&[(A, 0.2), (B, 0.3), (C, 0.1)]);
        let full = after(&before, 1.0, &[false, true], Give::Others, &Row::new());
        assert_eq!(full.weight(B).to_bits(), 0.3_f32.to_bits());
        assert!((full.weight(A) - 0.7).abs() < 1e-7 && full.check().is_ok() && full.len() == 2);
        let blocked = leaving(&full, 1.0, &[false, true], Give::Others, &Row::new());
        assert_eq!(blocked, Change::Blocked { by: Blockers::from_slice(&[B]) });
        let locked = leaving(&before, 1.0, &[true], Give::Others, &Row::new());
        assert_eq!(locked, Change::Blocked { by: Blockers::from_slice(&[A]) });
    }

    #[test]
    fn a_row_that_came_with_too_much_never_keeps_it() {
        let before = row(&[(A, 1.0), (B, 0.5)]);
        let settled = after(&before, 0.8, &[], Give::Others, &Row::new());
        assert_eq!(settled.check(), Ok(()));
        assert_eq!(settled.weight(A), 0.8);
    }

    #[test]
    fn the_share_goes_in_and_out_of_a_row_without_a_trace() {
        let part = row(&[(A, 0.25), (B, 0.5)]);
        assert_eq!(with_share(part.clone()).weight(UNASSIGNED), 0.25);
        assert_eq!(without_share(with_share(part.clone())), part);
        assert_eq!(with_share(Row::rigid(A)), Row::rigid(A));
        assert_eq!(with_share(Row::new()), Row::rigid(UNASSIGNED));
    }
}
