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
