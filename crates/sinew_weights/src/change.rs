//! Setting one joint's weight on a vertex: what every brush that paints a joint ends in.

use sinew_model::{JointSlot, Row};
use smallvec::SmallVec;

use crate::holds::Holds;
use crate::share::{Held, NEGLIGIBLE, is_usable, share_out, tolerance};

/// Slots that stand in the way of a change: locked, or outside the lane. In row order, each once.
pub type Blockers = SmallVec<[JointSlot; 4]>;

/// What became of one vertex's row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The new row. It satisfies [`Row::check`].
    Changed(Row),
    /// The row is as it was asked to be.
    Unchanged,
    /// Weight was to be given up, and neither the row nor the neighbours have another joint to take it.
    NoOtherJoint,
    /// Locks are in the way; the row stays.
    Blocked {
        /// What blocks.
        by: Blockers,
    },
}

/// Brings the weight of `slot` to `target` and normalises the row.
///
/// - Held weights never move, to the bit. A locked `slot` is blocked; the lane does not bind `slot` itself.
/// - `slot` gets `target`, clamped to 0 to 1 − Σ held; below [`NEGLIGIBLE`] it gets 0. NaN asks for nothing.
/// - The other free influences are scaled by one factor to fill the rest; what rounding leaves over goes to the
///   largest of them, so `slot` reads exactly what was asked.
/// - If there are none and something is left, it goes to the free joints of `receivers()`, the mixture of the
///   neighbours' rows (called only then), in their proportion.
/// - If those have none either the row stays: [`Change::NoOtherJoint`], or [`Change::Blocked`] if a held joint was there.
///
/// Rows that came off-sum or with unusable weights are settled by a paint that asks for another weight than they have:
/// the result sums to 1 and unusable free weights are gone. If such a row has too little weight, nothing else to
/// fill it and the painted joint goes up (a first dab on an unweighted mesh), the painted joint takes all the rest.
pub fn set_weight(
    row: &Row,
    slot: JointSlot,
    target: f32,
    holds: Holds<'_>,
    receivers: impl FnOnce() -> Row,
) -> Change {
    if holds.is_locked(slot) {
        return Change::Blocked { by: Blockers::from_slice(&[slot]) };
    }
    if target.is_nan() {
        return Change::Unchanged;
    }
    let blockers = || -> Blockers {
        row.influences().iter().map(|i| i.slot).filter(|&other| other != slot && holds.holds(other)).collect()
    };
    let Held::Sum(held) = Held::of(row, Some(slot), holds) else {
        return Change::Blocked { by: blockers() };
    };
    let most = (1.0 - held).max(0.0);
    let goal = f64::from(target).clamp(0.0, most) as f32;
    let mut goal = if goal < NEGLIGIBLE { 0.0 } else { goal };
    let stored = row.weight(slot);
    if goal.to_bits() == stored.to_bits() && f64::from(target) <= most {
        return Change::Unchanged;
    }
    let now = if is_usable(stored) { stored } else { 0.0 };
    let has_other = row.influences().iter().any(|i| i.slot != slot && !holds.holds(i.slot) && is_usable(i.weight));
    let slack = tolerance(row.len());
    let mut result = row.clone();
    if !has_other {
        // The row is `slot` and what is held.
        let is_full = (f64::from(now) - most).abs() <= slack;
        if is_full && f64::from(target) >= most {
            let by = if f64::from(target) > most + slack { blockers() } else { Blockers::new() };
            return if by.is_empty() { Change::Unchanged } else { Change::Blocked { by } };
        }
        if most - f64::from(goal) > slack {
            let mut by = blockers();
            let mut received = false;
            for i in receivers().influences().iter().filter(|i| i.slot != slot && is_usable(i.weight)) {
                if !holds.holds(i.slot) {
                    result.set(i.slot, i.weight);
                    received = true;
                } else if !by.contains(&i.slot) {
                    by.push(i.slot);
                }
            }
            if !received {
                if is_full || goal <= now {
                    return if by.is_empty() { Change::NoOtherJoint } else { Change::Blocked { by } };
                }
                goal = most as f32;
            }
        }
    }
    result.set(slot, goal);
    share_out(&mut result, held, Some(slot), holds, NEGLIGIBLE);
    if result.same_influences(row) { Change::Unchanged } else { Change::Changed(result) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: JointSlot = JointSlot(0);
    const B: JointSlot = JointSlot(1);
    const C: JointSlot = JointSlot(2);

    fn row(influences: &[(JointSlot, f32)]) -> Row {
        influences.iter().copied().collect()
    }

    fn no_neighbours() -> Row {
        Row::new()
    }

    /// `locked` names slots; the result must be valid, leave locked weights to the bit and read `expected`.
    #[track_caller]
    fn check(before: &Row, slot: JointSlot, target: f32, locked: &[JointSlot], expected: &[(JointSlot, f32)]) {
        let locks: Vec<bool> = (0..4).map(|s| locked.contains(&JointSlot(s))).collect();
        let Change::Changed(after) = set_weight(before, slot, target, Holds::locks(&locks), no_neighbours) else {
            panic!("the row did not change");
        };
        assert_eq!(after.check(), Ok(()));
        assert_eq!(after.len(), expected.len(), "{after:?}");
        for &(slot, weight) in expected {
            assert!((after.weight(slot) - weight).abs() < 1e-7, "{slot}: {after:?}");
        }
        for &slot in locked {
            assert_eq!(after.weight(slot).to_bits(), before.weight(slot).to_bits());
        }
    }

    #[test]
    fn locks_hold_and_the_rest_pays_in_proportion() {
        // B24
        let before = row(&[(A, 0.5), (B, 0.3), (C, 0.2)]);
        check(&before, A, 0.9, &[C], &[(A, 0.8), (C, 0.2)]);
        check(&before, A, 0.8, &[], &[(A, 0.8), (B, 0.12), (C, 0.08)]);
        check(&before, A, 0.9, &[B], &[(A, 0.7), (B, 0.3)]);
    }

    #[test]
    fn painting_up_a_joint_takes_from_the_only_other_one_without_a_message() {
        // B23
        check(&Row::rigid(A), B, 1.0, &[], &[(B, 1.0)]);
    }

    #[test]
    fn add_mix_and_subtract_targets_leave_the_rest_to_the_others() {
        // B36: J1 .4; the stroke turns modes into targets .9 (add .5), .7 (mix), 1 (replace), 0 (subtract .5, clamped).
        let before = row(&[(B, 0.4), (A, 0.6)]);
        check(&before, B, 0.9, &[], &[(B, 0.9), (A, 0.1)]);
        check(&before, B, 0.7, &[], &[(B, 0.7), (A, 0.3)]);
        check(&before, B, 1.0, &[], &[(B, 1.0)]);
        check(&before, B, -0.1, &[], &[(A, 1.0)]);
    }

    #[test]
    fn the_last_joint_stays_and_says_so() {
        // B25
        let before = Row::rigid(A);
        assert_eq!(set_weight(&before, A, 0.0, Holds::NONE, no_neighbours), Change::NoOtherJoint);
        assert_eq!(set_weight(&before, A, 0.0, Holds::NONE, || before.clone()), Change::NoOtherJoint);
        assert_eq!(set_weight(&before, A, 1.0, Holds::NONE, no_neighbours), Change::Unchanged);
    }

    #[test]
    fn what_the_last_joint_gives_up_goes_to_the_neighbours_joints_in_their_proportion() {
        let mixture = row(&[(A, 0.2), (B, 0.6), (C, 0.2)]);
        let Change::Changed(after) = set_weight(&Row::rigid(A), A, 0.2, Holds::NONE, || mixture.clone()) else {
            panic!("the row did not change");
        };
        assert_eq!(after.check(), Ok(()));
        assert_eq!(after.weight(A), 0.2);
        assert!((after.weight(B) - 0.6).abs() < 1e-7 && (after.weight(C) - 0.2).abs() < 1e-7, "{after:?}");
        // A locked neighbour joint takes nothing.
        let locks = [false, true];
        let Change::Changed(after) = set_weight(&Row::rigid(A), A, 0.2, Holds::locks(&locks), || mixture) else {
            panic!("the row did not change");
        };
        assert_eq!((after.weight(B), after.weight(C)), (0.0, 0.8));
    }

    #[test]
    fn neighbours_are_only_asked_when_the_row_has_nobody_else() {
        let before = row(&[(A, 0.5), (B, 0.5)]);
        let change = set_weight(&before, A, 0.0, Holds::NONE, || panic!("asked the neighbours"));
        assert_eq!(change, Change::Changed(Row::rigid(B)));
    }

    #[test]
    fn blocked_vertices_name_the_locks_in_the_way() {
        let blocked = |by: &[JointSlot]| Change::Blocked { by: by.iter().copied().collect() };
        let before = row(&[(A, 0.5), (B, 0.3), (C, 0.2)]);
        let set = |slot, target, locks: &[bool], mixture: &Row| {
            set_weight(&before, slot, target, Holds::locks(locks), || mixture.clone())
        };
        assert_eq!(set(A, 0.9, &[true], &Row::new()), blocked(&[A]));
        assert_eq!(set(A, 0.9, &[false, true, true], &Row::new()), blocked(&[B, C]));
        assert_eq!(set(A, 0.1, &[false, true, true], &Row::new()), blocked(&[B, C]));
        let far = JointSlot(3);
        assert_eq!(set(A, 0.1, &[false, true, true, true], &Row::rigid(far)), blocked(&[B, C, far]));
        assert_eq!(set(A, 0.5, &[false, true, true], &Row::new()), Change::Unchanged);
    }

    #[test]
    fn a_lane_limits_the_exchange_to_its_joints() {
        let before = row(&[(A, 0.5), (B, 0.3), (C, 0.2)]);
        let holds = Holds { locks: &[], lane: Some(&[true, false, true]) };
        let Change::Changed(after) = set_weight(&before, A, 0.6, holds, no_neighbours) else {
            panic!("the row did not change");
        };
        assert_eq!(after.weight(B).to_bits(), 0.3_f32.to_bits());
        assert!((after.weight(C) - 0.1).abs() < 1e-7 && after.check().is_ok());
    }

    #[test]
    fn an_off_sum_row_is_settled_by_a_paint_but_not_by_a_dab_that_asks_for_nothing() {
        let before = row(&[(A, 0.5), (B, 0.2)]);
        assert_eq!(set_weight(&before, A, 0.5, Holds::NONE, no_neighbours), Change::Unchanged);
        check(&before, A, 0.6, &[], &[(A, 0.6), (B, 0.4)]);
    }

    #[test]
    fn an_unweighted_vertex_takes_the_painted_joint_and_the_neighbours_share() {
        let mixture = Row::rigid(B);
        let Change::Changed(after) = set_weight(&Row::new(), A, 0.4, Holds::NONE, || mixture) else {
            panic!("the row did not change");
        };
        assert_eq!((after.weight(A), after.weight(B)), (0.4, 0.6));
        check(&Row::new(), A, 0.4, &[], &[(A, 1.0)]);
        assert_eq!(set_weight(&Row::new(), A, 0.0, Holds::NONE, no_neighbours), Change::Unchanged);
    }

    #[test]
    fn held_weights_above_one_block() {
        let before = row(&[(A, 0.5), (B, 1.2)]);
        let change = set_weight(&before, A, 0.7, Holds::locks(&[false, true]), no_neighbours);
        assert_eq!(change, Change::Blocked { by: Blockers::from_slice(&[B]) });
    }
}
