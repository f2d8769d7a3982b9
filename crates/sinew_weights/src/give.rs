//! Where weight goes that a joint gives up.
//!
//! The rule of every brush is that the others of the row take it in proportion. An artist may want it elsewhere: with the
//! joints of the neighbouring vertices, the parent joint, a joint of their choice. Weight that a joint *gains* always comes
//! from the others in proportion: [`set_weight`].

use sinew_model::{JointSlot, Row};

use crate::change::{Blockers, Change, set_weight};
use crate::holds::Holds;
use crate::share::{NEGLIGIBLE, is_usable, tolerance};

/// Who takes what a joint gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Give {
    /// The row's other joints, in proportion.
    #[default]
    Others,
    /// The joints of the neighbouring vertices, in their proportion.
    Neighbours,
    /// One joint: the parent, or a chosen one.
    To(JointSlot),
}

/// [`set_weight`], but what `slot` gives up goes where `give` says; all other weights keep their bits.
///
/// `neighbours` is the mean of the neighbouring vertices' rows. If nobody there can take the weight (no neighbour, only
/// `slot` itself or held joints), or if `slot` is to give to itself, the others take it in proportion. A held receiver
/// blocks: [`Change::Blocked`] by it. Rows that did not sum to 1, or gain weight, are [`set_weight`]'s.
pub fn set_weight_giving(
    row: &Row,
    slot: JointSlot,
    target: f32,
    holds: Holds<'_>,
    give: Give,
    neighbours: impl Fn() -> Row,
) -> Change {
    let stored = row.weight(slot);
    let is_plain = match give {
        Give::Others => true,
        Give::Neighbours => false,
        Give::To(receiver) => receiver == slot,
    };
    let gives = target < stored && !holds.is_locked(slot) && row.check().is_ok();
    if is_plain || !gives {
        return set_weight(row, slot, target, holds, neighbours);
    }
    let goal = if target < NEGLIGIBLE { 0.0 } else { target };
    if goal.to_bits() == stored.to_bits() {
        return Change::Unchanged;
    }
    let mut receivers = Row::new();
    match give {
        Give::To(receiver) if holds.holds(receiver) => {
            return Change::Blocked { by: Blockers::from_slice(&[receiver]) };
        }
        Give::To(receiver) => receivers.set(receiver, 1.0),
        _ => {
            let around = neighbours();
            for i in
                around.influences().iter().filter(|i| i.slot != slot && !holds.holds(i.slot) && is_usable(i.weight))
            {
                receivers.push(*i);
            }
        }
    }
    let sum = receivers.sum_f64();
    if sum <= 0.0 {
        return set_weight(row, slot, target, holds, neighbours);
    }
    let given = f64::from(stored) - f64::from(goal);
    let mut result = row.clone();
    result.set(slot, goal);
    let largest = receivers.influences().iter().max_by(|a, b| a.weight.total_cmp(&b.weight).then(b.slot.cmp(&a.slot)));
    let largest = largest.map_or(slot, |i| i.slot);
    for i in receivers.influences().iter().filter(|i| i.slot != largest) {
        let part = (f64::from(i.weight) / sum * given) as f32;
        // What would be nothing on its own goes to the largest receiver.
        if part >= NEGLIGIBLE || row.weight(i.slot) > 0.0 {
            result.set(i.slot, row.weight(i.slot) + part);
        }
    }
    // The largest takes what is left, rounding included.
    let rest = 1.0 - (result.sum_f64() - f64::from(result.weight(largest)));
    result.set(largest, rest.max(0.0) as f32);
    result.drop_zeros();
    let is_right = (result.sum_f64() - 1.0).abs() <= tolerance(result.len()) && result.check().is_ok();
    if !is_right {
        return set_weight(row, slot, target, holds, neighbours);
    }
    if result.same_influences(row) { Change::Unchanged } else { Change::Changed(result) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: JointSlot = JointSlot(0);
    const B: JointSlot = JointSlot(1);
    const C: JointSlot = JointSlot(2);
    const D: JointSlot = JointSlot(3);

    fn row(influences: &[(JointSlot, f32)]) -> Row {
        influences.iter().copied().collect()
    }

    #[track_caller]
    fn given(before: &Row, target: f32, locks: &[bool], give: Give, around: &Row) -> Row {
        match set_weight_giving(before, A, target, Holds::locks(locks), give, || around.clone()) {
            Change::Changed(row) => row,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn assert_row(found: &Row, expected: &[(JointSlot, f32)]) {
        assert_eq!(found.check(), Ok(()));
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for &(slot, weight) in expected {
            assert!((found.weight(slot) - weight).abs() < 1e-7, "{slot}: {found:?}");
        }
    }

    #[test]
    fn a_chosen_joint_takes_it_all_and_the_others_keep_their_bits() {
        let before = row(&[(A, 0.5), (B, 0.3), (C, 0.2)]);
        let after = given(&before, 0.1, &[], Give::To(D), &Row::new());
        assert_row(&after, &[(A, 0.1), (B, 0.3), (C, 0.2), (D, 0.4)]);
        assert_eq!(after.weight(B).to_bits(), 0.3_f32.to_bits());
        assert_row(&given(&before, 0.0, &[], Give::To(B), &Row::new()), &[(B, 0.8), (C, 0.2)]);
        // It need not be in the row, nor anybody else.
        assert_row(&given(&Row::rigid(A), 0.25, &[], Give::To(C), &Row::new()), &[(A, 0.25), (C, 0.75)]);
    }

    #[test]
    fn neighbours_take_it_in_their_proportion() {
        let before = row(&[(A, 0.5), (B, 0.5)]);
        let around = row(&[(A, 0.2), (C, 0.6), (D, 0.2)]);
        let after = given(&before, 0.1, &[], Give::Neighbours, &around);
        assert_row(&after, &[(A, 0.1), (B, 0.5), (C, 0.3), (D, 0.1)]);
        // Without anybody there, as always.
        assert_row(&given(&before, 0.1, &[], Give::Neighbours, &Row::new()), &[(A, 0.1), (B, 0.9)]);
        assert_row(&given(&before, 0.1, &[], Give::Neighbours, &Row::rigid(A)), &[(A, 0.1), (B, 0.9)]);
    }

    #[test]
    fn a_locked_receiver_blocks_and_locked_neighbours_get_nothing() {
        // B24
        let before = row(&[(A, 0.5), (B, 0.3), (C, 0.2)]);
        let locks = [false, false, true, false];
        let blocked = set_weight_giving(&before, A, 0.1, Holds::locks(&locks), Give::To(C), Row::new);
        assert_eq!(blocked, Change::Blocked { by: Blockers::from_slice(&[C]) });
        let after = given(&before, 0.1, &locks, Give::Neighbours, &row(&[(C, 0.5), (D, 0.5)]));
        assert_row(&after, &[(A, 0.1), (B, 0.3), (C, 0.2), (D, 0.4)]);
        assert_eq!(after.weight(C).to_bits(), 0.2_f32.to_bits());
    }

    #[test]
    fn a_receiver_outside_the_lane_blocks() {
        let before = row(&[(A, 0.5), (B, 0.5)]);
        let holds = Holds { locks: &[], lane: Some(&[true, true]) };
        assert_eq!(
            set_weight_giving(&before, A, 0.1, holds, Give::To(C), Row::new),
            Change::Blocked { by: Blockers::from_slice(&[C]) }
        );
    }

    #[test]
    fn what_a_joint_gains_still_comes_from_the_others_in_proportion() {
        let before = row(&[(A, 0.5), (B, 0.3), (C, 0.2)]);
        for give in [Give::Others, Give::Neighbours, Give::To(D)] {
            assert_row(&given(&before, 0.8, &[], give, &Row::rigid(D)), &[(A, 0.8), (B, 0.12), (C, 0.08)]);
        }
    }
}
