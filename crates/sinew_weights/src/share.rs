//! Sharing out what is not held, so that a row sums to 1 as exactly as floats allow.

use sinew_model::{Influence, JointSlot, Row, RowRef};

use crate::holds::Holds;

/// A free influence that a change brings below this is dropped and its share goes to the rest. It is half the
/// distance from 1 that the sum of a single influence may have: nothing that small can be told from rounding.
pub const NEGLIGIBLE: f32 = 1e-7;

/// Whether a weight says anything: files also bring negative ones, NaN and infinity, which count as no influence.
#[inline]
pub(crate) fn is_usable(weight: f32) -> bool {
    weight > 0.0 && weight < f32::INFINITY
}

/// How far from 1 the sum of a row of `n` influences may be.
#[inline]
pub(crate) fn tolerance(n: usize) -> f64 {
    f64::from(Row::sum_tolerance(n))
}

/// What the held influences of a row sum to, or that they leave no room for a valid row.
pub(crate) enum Held {
    /// The sum, at most 1 within the tolerance.
    Sum(f64),
    /// They sum to more than 1, or one of them is negative or not finite.
    Invalid,
}

impl Held {
    /// Looks at the held influences of `row`; `painted` never counts as held.
    #[inline]
    pub(crate) fn of(row: &Row, painted: Option<JointSlot>, holds: Holds<'_>) -> Self {
        let mut sum = 0.0;
        for i in row.influences() {
            if Some(i.slot) != painted && holds.holds(i.slot) {
                if i.weight != 0.0 && !is_usable(i.weight) {
                    return Self::Invalid;
                }
                sum += f64::from(i.weight);
            }
        }
        if sum > 1.0 + tolerance(row.len()) { Self::Invalid } else { Self::Sum(sum) }
    }
}

/// Scales the free influences other than `painted` by one factor so that the whole row sums to 1. Held influences
/// and `painted` keep their weight; `painted` gets the rest only if no other free influence is there to take it.
/// What rounding to floats leaves over goes to the largest scaled influence (ties: the lower slot).
///
/// Free influences that are unusable are dropped, and so are those that end below `drop_below`. The held ones must
/// not be [`Held::Invalid`] (`held` is their sum), and `painted` at most what they leave.
pub(crate) fn share_out(row: &mut Row, held: f64, painted: Option<JointSlot>, holds: Holds<'_>, drop_below: f32) {
    let is_other = |slot: JointSlot| Some(slot) != painted && !holds.holds(slot);
    let kept = painted.map_or(0.0, |slot| f64::from(row.weight(slot)));
    let room = (1.0 - held - kept).max(0.0);
    row.retain(|i| !is_other(i.slot) || is_usable(i.weight));
    let sum_of_others =
        |row: &Row| -> f64 { row.influences().iter().filter(|i| is_other(i.slot)).map(|i| f64::from(i.weight)).sum() };
    let mut others = sum_of_others(row);
    if drop_below > 0.0 || room == 0.0 {
        let least = f64::from(drop_below) * others;
        // Without a painted joint something must be left to take the room.
        let stays = if painted.is_none() && room > 0.0 {
            largest(row, is_other).map(|place| row.influences()[place].slot)
        } else {
            None
        };
        let before = row.len();
        row.retain(|i| {
            !is_other(i.slot) || Some(i.slot) == stays || (room > 0.0 && f64::from(i.weight) * room >= least)
        });
        if row.len() != before {
            others = sum_of_others(row);
        }
    }
    if others == 0.0 {
        if let Some(slot) = painted {
            row.set(slot, (1.0 - held).max(0.0) as f32);
        }
        return;
    }
    let factor = room / others;
    let mut shared = 0.0;
    for i in row.influences_mut().iter_mut().filter(|i| is_other(i.slot)) {
        i.weight = (f64::from(i.weight) * factor) as f32;
        shared += f64::from(i.weight);
    }
    if let Some(place) = largest(row, is_other) {
        let weight = &mut row.influences_mut()[place].weight;
        *weight = (f64::from(*weight) + (room - shared)) as f32;
    }
    row.drop_zeros();
}

/// The place of the largest influence that `is_meant` picks; of equal ones the lower slot's.
fn largest(row: &Row, is_meant: impl Fn(JointSlot) -> bool) -> Option<usize> {
    let mut found: Option<(usize, f32, JointSlot)> = None;
    for (place, i) in row.influences().iter().enumerate().filter(|(_, i)| is_meant(i.slot)) {
        if found.is_none_or(|(_, w, s)| i.weight > w || (i.weight == w && i.slot < s)) {
            found = Some((place, i.weight, i.slot));
        }
    }
    found.map(|(place, ..)| place)
}

/// Calls `visit` for each influence in stored order. One call in the code, so that it is worth putting in line.
#[inline]
pub(crate) fn each(row: RowRef<'_>, mut visit: impl FnMut(Influence)) {
    for place in 0..row.len() {
        visit(row.at(place));
    }
}

/// A row made anew: held influences as they are, and of the free ones those that are usable and that `keeps` accepts,
/// scaled by one factor so that the row sums to 1. What rounding leaves over goes to the largest of them (ties: the
/// lower slot). None if the held ones leave no valid row.
#[inline]
pub(crate) fn rebuilt(row: RowRef<'_>, holds: Holds<'_>, keeps: impl Fn(Influence) -> bool) -> Option<Row> {
    let mut short = [Influence::default(); SHORT];
    if row.len() <= SHORT {
        return rebuilt_in(&mut short, row, holds, keeps);
    }
    rebuilt_in(&mut vec![Influence::default(); row.len()], row, holds, keeps)
}

/// Rows of up to so many influences are made without allocating.
const SHORT: usize = 8;

/// [`rebuilt`], in memory for as many influences as the row has.
#[inline]
fn rebuilt_in(
    made: &mut [Influence],
    row: RowRef<'_>,
    holds: Holds<'_>,
    keeps: impl Fn(Influence) -> bool,
) -> Option<Row> {
    let (mut held, mut free) = (0.0, 0.0);
    let mut is_valid = true;
    let mut n_kept = 0;
    each(row, |i| {
        let is_held = holds.holds(i.slot);
        let is_kept = if is_held { i.weight != 0.0 } else { is_usable(i.weight) && keeps(i) };
        if is_held {
            is_valid &= i.weight == 0.0 || is_usable(i.weight);
            held += f64::from(i.weight);
        } else if is_kept {
            free += f64::from(i.weight);
        }
        made[n_kept] = i;
        n_kept += usize::from(is_kept);
    });
    if !is_valid {
        return None;
    }
    let room = (1.0 - held).max(0.0);
    let factor = if free > 0.0 { room / free } else { 0.0 };
    let mut shared = 0.0;
    let mut largest: Option<(usize, Influence)> = None;
    let mut n_made = 0;
    for place in 0..n_kept {
        let mut i = made[place];
        let is_free = !holds.holds(i.slot);
        if is_free {
            i.weight = (f64::from(i.weight) * factor) as f32;
            if i.weight == 0.0 {
                continue;
            }
            if largest.is_none_or(|(_, l)| i.weight > l.weight || (i.weight == l.weight && i.slot < l.slot)) {
                largest = Some((n_made, i));
            }
            shared += f64::from(i.weight);
        }
        made[n_made] = i;
        n_made += 1;
    }
    if let Some((place, i)) = largest {
        let weight = (f64::from(i.weight) + (room - shared)) as f32;
        shared += f64::from(weight) - f64::from(i.weight);
        made[place].weight = weight;
    }
    ((held + shared - 1.0).abs() <= tolerance(n_made)).then(|| Row::of_influences(&made[..n_made]))
}
