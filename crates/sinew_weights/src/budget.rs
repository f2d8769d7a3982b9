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
    share_out(&mut row, held, painted, holds, 0.0);
    BudgetOutcome::Fits(row)
}
