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
        return Change::Changed(target.clone());
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
