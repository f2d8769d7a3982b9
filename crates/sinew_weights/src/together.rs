//! Several joints painted as one: the brush sees the sum of their weights, and they keep their ratio.

use sinew_model::{JointSlot, Row};
use smallvec::SmallVec;

use crate::budget::{BudgetOutcome, fit_budget_leaving};
use crate::change::{Blockers, Change};
use crate::give::{Give, set_weight_giving};
use crate::holds::Holds;
use crate::share::{NEGLIGIBLE, is_usable};
use crate::unassigned::{set_weight_leaving, unassigned_share};

/// Where the weight goes and comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// Who takes what is given up.
    pub give: Give,
    /// Whether the rest of a row may be left open ([`set_weight_leaving`]).
    pub leaves: bool,
}

/// The slots of a group that are not locked.
type Free = SmallVec<[JointSlot; 8]>;

/// Brings the sum of the weights of `slots` (each once, at least one) to `target`, and shares the change among them in the
/// ratio that they have in the row. If they have no weight there: in the ratio that the neighbours have, else equally.
///
/// Locked ones among them keep their weight to the bit, and it counts toward the sum; the others of the group do it all.
/// The rest of the row is normalised as if the group were one joint. One slot is [`set_weight_giving`] to the bit.
pub fn set_weights(
    row: &Row,
    slots: &[JointSlot],
    target: f32,
    holds: Holds<'_>,
    terms: Terms,
    neighbours: impl Fn() -> Row,
) -> Change {
    if let [slot] = slots {
        return set_one(row, *slot, target, holds, terms, neighbours);
    }
    let free = free_of(slots, holds);
    let Some(&first) = free.first() else {
        return Change::Blocked { by: Blockers::from_slice(slots) };
    };
    let locked: f64 = slots.iter().filter(|slot| !free.contains(slot)).map(|&slot| usable(row, slot)).sum();
    let target = (f64::from(target) - locked) as f32;
    let give = match terms.give {
        Give::To(receiver) if slots.contains(&receiver) => Give::Others,
        give => give,
    };
    let others = || {
        let mut around = neighbours();
        around.retain(|i| !slots.contains(&i.slot));
        around
    };
    match set_one(&merged(row, &free), first, target, holds, Terms { give, ..terms }, others) {
        Change::Changed(whole) => {
            let after = parted(whole, &free, row, neighbours);
            if after.same_influences(row) { Change::Unchanged } else { Change::Changed(after) }
        }
        other => other,
    }
}

/// [`crate::fit_budget`] for a group that was painted as one (none of them, for whole rows): none of it is dropped for the
/// budget. With `leaves` the row's open share stays open.
pub fn fit_budget_of(
    before: &Row,
    after: &Row,
    slots: &[JointSlot],
    budget: usize,
    holds: Holds<'_>,
    leaves: bool,
) -> BudgetOutcome {
    if after.len() <= budget.max(1) {
        return BudgetOutcome::Fits(after.clone());
    }
    let open = if leaves { f64::from(unassigned_share(after)) } else { 0.0 };
    if slots.len() <= 1 {
        return fit_budget_leaving(before, after, slots.first().copied(), budget, holds, open);
    }
    let free = free_of(slots, holds);
    let Some(&first) = free.first() else {
        return fit_budget_leaving(before, after, None, budget, holds, open);
    };
    let n_more = free.iter().filter(|&&slot| after.weight(slot) > 0.0).count().saturating_sub(1);
    if n_more >= budget.max(1) {
        return BudgetOutcome::KeepEarlier;
    }
    let (earlier, whole) = (merged(before, &free), merged(after, &free));
    match fit_budget_leaving(&earlier, &whole, Some(first), budget - n_more, holds, open) {
        BudgetOutcome::Fits(row) => BudgetOutcome::Fits(parted(row, &free, after, Row::new)),
        BudgetOutcome::KeepEarlier => BudgetOutcome::KeepEarlier,
    }
}

fn set_one(
    row: &Row,
    slot: JointSlot,
    target: f32,
    holds: Holds<'_>,
    terms: Terms,
    neighbours: impl Fn() -> Row,
) -> Change {
    if terms.leaves {
        set_weight_leaving(row, slot, target, holds, terms.give, neighbours)
    } else {
        set_weight_giving(row, slot, target, holds, terms.give, neighbours)
    }
}

fn free_of(slots: &[JointSlot], holds: Holds<'_>) -> Free {
    slots.iter().copied().filter(|&slot| !holds.is_locked(slot)).collect()
}

fn usable(row: &Row, slot: JointSlot) -> f64 {
    let weight = row.weight(slot);
    if is_usable(weight) { f64::from(weight) } else { 0.0 }
}

/// The row with the group's weight at its first.
fn merged(row: &Row, free: &[JointSlot]) -> Row {
    let sum: f64 = free.iter().map(|&slot| usable(row, slot)).sum();
    let mut whole = row.clone();
    whole.retain(|i| !free.contains(&i.slot));
    whole.set(free[0], sum as f32);
    whole
}

/// The group's weight shared out among it in the ratio of `like`, else the neighbours', else equally. What is nothing on
/// its own and what rounding leaves over goes to the largest (ties: the one named first).
fn parted(mut whole: Row, free: &[JointSlot], like: &Row, neighbours: impl FnOnce() -> Row) -> Row {
    let total = whole.weight(free[0]);
    if total == 0.0 {
        return whole;
    }
    let ratio_in = |row: &Row| -> SmallVec<[f64; 8]> { free.iter().map(|&slot| usable(row, slot)).collect() };
    let mut ratio = ratio_in(like);
    if ratio.iter().sum::<f64>() == 0.0 {
        ratio = ratio_in(&neighbours());
    }
    if ratio.iter().sum::<f64>() == 0.0 {
        ratio.iter_mut().for_each(|part| *part = 1.0);
    }
    let sum: f64 = ratio.iter().sum();
    let largest = (0..free.len()).reduce(|a, b| if ratio[b] > ratio[a] { b } else { a }).unwrap_or(0);
    let mut rest = f64::from(total);
    for (place, &slot) in free.iter().enumerate().filter(|(place, _)| *place != largest) {
        let part = (f64::from(total) * ratio[place] / sum) as f32;
        let part = if part < NEGLIGIBLE { 0.0 } else { part };
        whole.set(slot, part);
        rest -= f64::from(part);
    }
    whole.set(free[largest], rest.max(0.0) as f32);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: JointSlot = JointSlot(0);
    const B: JointSlot = JointSlot(1);
    const C: JointSlot = JointSlot(2);
    const D: JointSlot = JointSlot(3);
    const PLAIN: Terms = Terms { give: Give::Others, leaves: false };

    fn row(influences: &[(JointSlot, f32)]) -> Row {
        influences.iter().copied().collect()
    }

    #[track_caller]
    fn painted(before: &Row, target: f32, locks: &[bool], terms: Terms, around: &Row) -> Row {
        match set_weights(before, &[A, B], target, Holds::locks(locks), terms, || around.clone()) {
            Change::Changed(row) => row,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn assert_row(found: &Row, expected: &[(JointSlot, f32)]) {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for &(slot, weight) in expected {
            assert!((found.weight(slot) - weight).abs() < 1e-7, "{slot}: {found:?}");
        }
    }

    #[test]
    fn the_sum_goes_to_the_target_and_the_ratio_stays() {
        // A and B have .4 in a ratio of 3 to 1; C and D pay in theirs, 2 to 1.
        let before = row(&[(A, 0.3), (B, 0.1), (C, 0.4), (D, 0.2)]);
        let up = painted(&before, 0.7, &[], PLAIN, &Row::new());
        assert_row(&up, &[(A, 0.525), (B, 0.175), (C, 0.2), (D, 0.1)]);
        assert_eq!(up.check(), Ok(()));
        assert_row(&painted(&before, 0.0, &[], PLAIN, &Row::new()), &[(C, 2.0 / 3.0), (D, 1.0 / 3.0)]);
        assert_row(&painted(&before, 1.0, &[], PLAIN, &Row::new()), &[(A, 0.75), (B, 0.25)]);
    }

    #[test]
    fn joints_without_weight_there_come_in_the_neighbours_ratio_else_equally() {
        let before = Row::rigid(C);
        assert_row(&painted(&before, 0.5, &[], PLAIN, &Row::rigid(C)), &[(A, 0.25), (B, 0.25), (C, 0.5)]);
        let around = row(&[(A, 0.1), (B, 0.4), (C, 0.5)]);
        assert_row(&painted(&before, 0.5, &[], PLAIN, &around), &[(A, 0.1), (B, 0.4), (C, 0.5)]);
        // One that has none gets none while another has some.
        assert_row(&painted(&row(&[(A, 0.2), (C, 0.8)]), 0.6, &[], PLAIN, &around), &[(A, 0.6), (C, 0.4)]);
    }

    #[test]
    fn a_locked_one_keeps_its_weight_and_the_others_do_it_all() {
        // B24: A .2 is locked; the sum .3 goes to .8, so B goes from .1 to .6.
        let before = row(&[(A, 0.2), (B, 0.1), (C, 0.7)]);
        let after = painted(&before, 0.8, &[true], PLAIN, &Row::new());
        assert_row(&after, &[(A, 0.2), (B, 0.6), (C, 0.2)]);
        assert_eq!(after.weight(A).to_bits(), 0.2_f32.to_bits());
        // Lower than the locked one's weight nobody can bring the sum.
        assert_row(&painted(&before, 0.1, &[true], PLAIN, &Row::new()), &[(A, 0.2), (C, 0.8)]);
        let all = set_weights(&before, &[A, B], 0.8, Holds::locks(&[true, true]), PLAIN, Row::new);
        assert_eq!(all, Change::Blocked { by: Blockers::from_slice(&[A, B]) });
    }

    #[test]
    fn the_group_gives_to_others_and_never_to_itself() {
        let before = row(&[(A, 0.6), (B, 0.4)]);
        // The neighbours' A and B take nothing.
        let around = row(&[(A, 0.5), (B, 0.3), (C, 0.2)]);
        assert_row(&painted(&before, 0.5, &[], PLAIN, &around), &[(A, 0.3), (B, 0.2), (C, 0.5)]);
        assert_eq!(set_weights(&before, &[A, B], 0.5, Holds::NONE, PLAIN, Row::new), Change::NoOtherJoint);
        let to_d = Terms { give: Give::To(D), ..PLAIN };
        assert_row(&painted(&before, 0.5, &[], to_d, &around), &[(A, 0.3), (B, 0.2), (D, 0.5)]);
        let to_b = Terms { give: Give::To(B), ..PLAIN };
        assert_row(&painted(&before, 0.5, &[], to_b, &around), &[(A, 0.3), (B, 0.2), (C, 0.5)]);
    }

    #[test]
    fn with_the_rest_left_open_the_group_takes_from_it_and_gives_to_it() {
        let open = Terms { leaves: true, ..PLAIN };
        let before = row(&[(A, 0.15), (B, 0.05), (C, 0.3)]);
        assert_row(&painted(&before, 0.4, &[], open, &Row::new()), &[(A, 0.3), (B, 0.1), (C, 0.3)]);
        assert_row(&painted(&before, 0.1, &[], open, &Row::new()), &[(A, 0.075), (B, 0.025), (C, 0.3)]);
        assert_row(&painted(&Row::new(), 0.4, &[], open, &Row::new()), &[(A, 0.2), (B, 0.2)]);
    }

    #[test]
    fn the_budget_drops_none_of_the_group_and_leaves_open_what_is() {
        let before = row(&[(C, 0.7), (D, 0.3)]);
        let after = row(&[(A, 0.05), (B, 0.35), (C, 0.42), (D, 0.18)]);
        let fits = fit_budget_of(&before, &after, &[A, B], 3, Holds::NONE, false);
        let BudgetOutcome::Fits(fitted) = fits else { panic!("kept") };
        assert_row(&fitted, &[(A, 0.05), (B, 0.35), (C, 0.6)]);
        assert_eq!(fit_budget_of(&before, &after, &[A, B], 1, Holds::NONE, false), BudgetOutcome::KeepEarlier);
        // Half of the row is open and stays so.
        let part = row(&[(A, 0.3), (C, 0.1), (D, 0.1)]);
        let fits = fit_budget_of(&row(&[(C, 0.1), (D, 0.1)]), &part, &[A], 2, Holds::NONE, true);
        let BudgetOutcome::Fits(fitted) = fits else { panic!("kept") };
        assert_row(&fitted, &[(A, 0.3), (C, 0.2)]);
    }
}
