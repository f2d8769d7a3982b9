//! Making a changed row fit the influence budget.

use sinew_model::{JointSlot, Row};
use smallvec::SmallVec;

use crate::holds::Holds;
use crate::share::{Held, share_out};

/// What the budget did to a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BudgetOutcome {
    /// The row, now at most `budget` influences long.
    Fits(Row),
    /// Fitting would cost more than the change brought, or held joints fill the budget: the vertex keeps its row from before.
    KeepEarlier,
}

/// Drops the smallest free influences of `after` other than `painted` until at most `budget` (at least 1) are left;
/// of equal ones the higher slot goes. Their weight is shared in proportion among the remaining free influences
/// other than `painted`, so that `painted` keeps what it was given; it takes the weight only if no other is left.
///
/// If more weight would drop than `painted` moved from `before` to `after`, the vertex keeps its earlier row. Changes
/// of whole rows have no painted joint and always fit if held joints leave room.
pub fn fit_budget(
    before: &Row,
    after: &Row,
    painted: Option<JointSlot>,
    budget: usize,
    holds: Holds<'_>,
) -> BudgetOutcome {
    fit_budget_leaving(before, after, painted, budget, holds, 0.0)
}

/// [`fit_budget`] of a row whose share `open` belongs to nobody and stays so.
pub(crate) fn fit_budget_leaving(
    before: &Row,
    after: &Row,
    painted: Option<JointSlot>,
    budget: usize,
    holds: Holds<'_>,
    open: f64,
) -> BudgetOutcome {
    let budget = budget.max(1);
    let Some(excess) = after.len().checked_sub(budget).filter(|&excess| excess > 0) else {
        return BudgetOutcome::Fits(after.clone());
    };
    let Held::Sum(held) = Held::of(after, painted, holds) else {
        return BudgetOutcome::KeepEarlier;
    };
    let mut others: SmallVec<[(f32, JointSlot); 8]> = after
        .influences()
        .iter()
        .filter(|i| Some(i.slot) != painted && !holds.holds(i.slot))
        .map(|i| (i.weight, i.slot))
        .collect();
    let has_painted = painted.is_some_and(|slot| after.weight(slot) > 0.0);
    // Something free must be left to take the weight.
    if excess > others.len() || (excess == others.len() && !has_painted) {
        return BudgetOutcome::KeepEarlier;
    }
    others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let dropped = &others[..excess];
    if let Some(slot) = painted {
        let moved = (f64::from(after.weight(slot)) - f64::from(before.weight(slot))).abs();
        if dropped.iter().map(|&(weight, _)| f64::from(weight)).sum::<f64>() > moved {
            return BudgetOutcome::KeepEarlier;
        }
    }
    let mut row = after.clone();
    row.retain(|i| !dropped.iter().any(|&(_, slot)| slot == i.slot));
    share_out(&mut row, held + open, painted, holds, 0.0);
    BudgetOutcome::Fits(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    const PAINTED: JointSlot = JointSlot(9);

    #[test]
    fn the_smallest_goes_the_others_share_it_and_the_painted_joint_keeps_what_it_was_given() {
        let before = row(&[(0, 0.5), (1, 0.25), (2, 0.15), (3, 0.1)]);
        let after = row(&[(0, 0.25), (1, 0.125), (2, 0.075), (3, 0.05), (9, 0.5)]);
        let BudgetOutcome::Fits(fit) = fit_budget(&before, &after, Some(PAINTED), 4, Holds::NONE) else {
            panic!("kept the earlier row");
        };
        assert_eq!(fit.check(), Ok(()));
        assert_eq!(fit.len(), 4);
        assert_eq!((fit.weight(PAINTED), fit.weight(JointSlot(3))), (0.5, 0.0));
        assert!((fit.weight(JointSlot(0)) - 0.25 / 0.9).abs() < 1e-7);
    }

    #[test]
    fn of_equal_influences_the_higher_slot_goes() {
        let after = row(&[(9, 0.4), (5, 0.2), (2, 0.2), (7, 0.2)]);
        let BudgetOutcome::Fits(fit) = fit_budget(&Row::rigid(JointSlot(2)), &after, Some(PAINTED), 3, Holds::NONE)
        else {
            panic!("kept the earlier row");
        };
        assert_eq!((fit.len(), fit.weight(JointSlot(7)), fit.weight(PAINTED)), (3, 0.0, 0.4));
    }

    #[test]
    fn a_gain_smaller_than_the_loss_is_not_worth_it() {
        let before = row(&[(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]);
        let after = row(&[(0, 0.225), (1, 0.225), (2, 0.225), (3, 0.225), (9, 0.1)]);
        assert_eq!(fit_budget(&before, &after, Some(PAINTED), 4, Holds::NONE), BudgetOutcome::KeepEarlier);
    }

    #[test]
    fn locked_joints_are_not_dropped() {
        let before = row(&[(0, 0.1), (1, 0.9)]);
        let after = row(&[(0, 0.1), (1, 0.5), (9, 0.4)]);
        let locks = [true, false];
        let BudgetOutcome::KeepEarlier = fit_budget(&before, &after, Some(PAINTED), 2, Holds::locks(&locks)) else {
            panic!("dropped .5 for a gain of .4");
        };
        let after = row(&[(0, 0.1), (1, 0.3), (9, 0.6)]);
        let BudgetOutcome::Fits(fit) = fit_budget(&before, &after, Some(PAINTED), 2, Holds::locks(&locks)) else {
            panic!("kept the earlier row");
        };
        assert_eq!(fit.weight(JointSlot(0)).to_bits(), 0.1_f32.to_bits());
        assert!((fit.weight(PAINTED) - 0.9).abs() < 1e-7 && fit.check().is_ok());
        // Only held joints and the painted one, and still too many.
        let locks = [true, true];
        assert_eq!(fit_budget(&before, &after, Some(PAINTED), 2, Holds::locks(&locks)), BudgetOutcome::KeepEarlier);
    }

    #[test]
    fn a_change_of_the_whole_row_is_cut_to_the_budget() {
        let after = row(&[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]);
        let BudgetOutcome::Fits(fit) = fit_budget(&Row::rigid(JointSlot(0)), &after, None, 2, Holds::NONE) else {
            panic!("kept the earlier row");
        };
        assert!((fit.weight(JointSlot(0)) - 4.0 / 7.0).abs() < 1e-7 && fit.len() == 2 && fit.check().is_ok());
        assert_eq!(fit_budget(&after, &after, None, 4, Holds::NONE), BudgetOutcome::Fits(after.clone()));
    }
}
