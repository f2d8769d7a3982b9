//! Moving a whole row toward another one: smooth, average, smear, paste.

use sinew_model::{Influence, Row};

use crate::change::{Blockers, Change};
use crate::holds::Holds;
use crate::share::{Held, NEGLIGIBLE, is_usable, share_out, tolerance};

/// Moves `row` toward `target` by `t` (0 to 1; NaN asks for nothing), all influences at once.
///
/// Held weights never move, to the bit; the free part of both rows is scaled to 1 − Σ held of `row`, blended, and
/// settled as in [`crate::set_weight`]. At `t` 1 with nothing held a valid target is taken over bit for bit. A row
/// without free weight takes the target's whatever `t` is, if it has room. A target without usable weight asks for
/// nothing. [`Change::Blocked`] if the held weights leave no room, or if all of the target's joints are held.
pub fn blend_row(row: &Row, target: &Row, t: f32, holds: Holds<'_>) -> Change {
    if t.is_nan() || t <= 0.0 || !target.influences().iter().any(|i| is_usable(i.weight)) {
        return Change::Unchanged;
    }
    let t = f64::from(t.min(1.0));
    let held_in =
        |row: &Row| -> Blockers { row.influences().iter().map(|i| i.slot).filter(|&s| holds.holds(s)).collect() };
    if row.same_influences(target) {
        return Change::Unchanged;
    }
    if t == 1.0 && held_in(row).is_empty() && held_in(target).is_empty() && target.check().is_ok() {
        let mut taken = target.clone();
        taken.drop_zeros();
        return Change::Changed(taken);
    }
    let Held::Sum(held) = Held::of(row, None, holds) else {
        return Change::Blocked { by: held_in(row) };
    };
    let room = 1.0 - held;
    if room <= tolerance(row.len()) {
        return Change::Blocked { by: held_in(row) };
    }
    let here = free_sum(row, holds);
    let there = free_sum(target, holds);
    if there == 0.0 {
        return Change::Blocked { by: held_in(target) };
    }
    // Rows already at the sum are not scaled: what does not change keeps its bits.
    let factor = |sum: f64, n: usize| if (sum - room).abs() <= tolerance(n) { 1.0 } else { room / sum };
    let t = if here == 0.0 { 1.0 } else { t };
    let from = if here == 0.0 { 0.0 } else { factor(here, row.len()) };
    let toward = factor(there, target.len());
    let blended = |from_weight: f32, to_weight: f32| -> f32 {
        let (a, b) = (f64::from(usable_or_zero(from_weight)) * from, f64::from(usable_or_zero(to_weight)) * toward);
        (a + (b - a) * t) as f32
    };
    let mut result = Row::new();
    for i in row.influences() {
        if holds.holds(i.slot) {
            result.push(*i);
        } else {
            result.push(Influence { slot: i.slot, weight: blended(i.weight, target.weight(i.slot)) });
        }
    }
    for i in target.influences().iter().filter(|i| !holds.holds(i.slot)) {
        if !row.influences().iter().any(|own| own.slot == i.slot) {
            result.push(Influence { slot: i.slot, weight: blended(0.0, i.weight) });
        }
    }
    result.retain(|i| i.weight != 0.0);
    if result.check().is_err() || result.influences().iter().any(|i| i.weight < NEGLIGIBLE && !holds.holds(i.slot)) {
        share_out(&mut result, held, None, holds, NEGLIGIBLE);
    }
    if result.same_influences(row) { Change::Unchanged } else { Change::Changed(result) }
}

fn usable_or_zero(weight: f32) -> f32 {
    if is_usable(weight) { weight } else { 0.0 }
}

fn free_sum(row: &Row, holds: Holds<'_>) -> f64 {
    row.influences().iter().filter(|i| !holds.holds(i.slot) && is_usable(i.weight)).map(|i| f64::from(i.weight)).sum()
}

#[cfg(test)]
mod tests {
    use sinew_model::JointSlot;

    use super::*;

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    #[test]
    fn half_way_is_the_mean_of_both_rows() {
        let change = blend_row(&row(&[(0, 1.0)]), &row(&[(1, 0.5), (2, 0.5)]), 0.5, Holds::NONE);
        assert_eq!(change, Change::Changed(row(&[(0, 0.5), (1, 0.25), (2, 0.25)])));
    }

    #[test]
    fn all_the_way_takes_the_target_over_to_the_bit() {
        let target = row(&[(3, 0.1), (1, 0.2), (2, 0.7)]);
        assert_eq!(blend_row(&row(&[(0, 0.4), (2, 0.6)]), &target, 1.0, Holds::NONE), Change::Changed(target));
    }

    #[test]
    fn a_held_joint_keeps_its_weight_and_the_target_fills_the_rest() {
        let before = row(&[(0, 0.3), (1, 0.7)]);
        let Change::Changed(after) = blend_row(&before, &row(&[(0, 0.9), (2, 0.1)]), 1.0, Holds::locks(&[true])) else {
            panic!("unchanged")
        };
        assert_eq!(after.weight(JointSlot(0)).to_bits(), 0.3_f32.to_bits());
        assert!((after.weight(JointSlot(2)) - 0.7).abs() < 1e-7);
        assert_eq!(after.check(), Ok(()));
    }

    #[test]
    fn a_target_made_of_held_joints_blocks() {
        let change = blend_row(&row(&[(1, 1.0)]), &row(&[(0, 1.0)]), 0.5, Holds::locks(&[true]));
        assert_eq!(change, Change::Blocked { by: Blockers::from_slice(&[JointSlot(0)]) });
    }

    #[test]
    fn an_unweighted_row_takes_the_whole_target() {
        let target = row(&[(1, 0.25), (2, 0.75)]);
        assert_eq!(blend_row(&Row::new(), &target, 0.1, Holds::NONE), Change::Changed(target));
    }

    #[test]
    fn nothing_to_go_toward_or_no_strength_changes_nothing() {
        let before = row(&[(0, 0.5), (1, 0.5)]);
        assert_eq!(blend_row(&before, &Row::new(), 1.0, Holds::NONE), Change::Unchanged);
        assert_eq!(blend_row(&before, &row(&[(2, 1.0)]), 0.0, Holds::NONE), Change::Unchanged);
        assert_eq!(blend_row(&before, &row(&[(2, 1.0)]), f32::NAN, Holds::NONE), Change::Unchanged);
        assert_eq!(blend_row(&before, &before, 0.3, Holds::NONE), Change::Unchanged);
    }
}
