//! The mixture of several rows: what neighbours have, what a smooth brush goes toward.

use sinew_model::{Influence, JointSlot, Row, RowRef, UNWEIGHTED_SUM};
use smallvec::SmallVec;

use crate::holds::Holds;
use crate::share::{NEGLIGIBLE, is_usable, share_out, tolerance};

/// The mean of `rows`, each counted by its factor (0 or more), as a row sorted by slot that sums to 1.
///
/// Unweighted rows and factors that are not positive numbers count for nothing; off-sum rows are divided by their sum
/// first; influences that end below [`NEGLIGIBLE`] are dropped. Without anything to average the result is empty. The mean of equal rows has
/// their bits. Sums are taken in double precision, in the order of `rows`.
pub fn mean_of_rows<'a>(rows: impl IntoIterator<Item = (RowRef<'a>, f32)>) -> Row {
    let mut sums: SmallVec<[(JointSlot, f64); 12]> = SmallVec::new();
    let mut total = 0.0;
    for (row, factor) in rows {
        let sum: f64 = usable(row).map(|i| f64::from(i.weight)).sum();
        if sum < f64::from(UNWEIGHTED_SUM) || !is_usable(factor) {
            continue;
        }
        let factor = f64::from(factor);
        let scale = if (sum - 1.0).abs() <= tolerance(row.len()) { factor } else { factor / sum };
        total += factor;
        for i in usable(row) {
            let weight = f64::from(i.weight) * scale;
            match sums.iter_mut().find(|(slot, _)| *slot == i.slot) {
                Some((_, so_far)) => *so_far += weight,
                None => sums.push((i.slot, weight)),
            }
        }
    }
    sums.sort_unstable_by_key(|&(slot, _)| slot);
    let mut mean = Row::new();
    for (slot, sum) in sums {
        mean.push(Influence { slot, weight: (sum / total) as f32 });
    }
    let is_settled = (mean.sum_f64() - 1.0).abs() <= tolerance(mean.len());
    if !is_settled || mean.influences().iter().any(|i| i.weight < NEGLIGIBLE) {
        share_out(&mut mean, 0.0, None, Holds::NONE, NEGLIGIBLE);
    }
    mean
}

fn usable(row: RowRef<'_>) -> impl Iterator<Item = Influence> + '_ {
    (0..row.len()).map(move |place| row.at(place)).filter(|i| is_usable(i.weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    fn mean(rows: &[(&Row, f32)]) -> Row {
        mean_of_rows(rows.iter().map(|&(row, factor)| (RowRef::Long(row.influences()), factor)))
    }

    #[test]
    fn rows_count_by_their_factor_and_come_out_sorted() {
        let (a, b) = (row(&[(5, 1.0)]), row(&[(2, 0.5), (5, 0.5)]));
        assert_eq!(mean(&[(&a, 1.0), (&b, 3.0)]), row(&[(2, 0.375), (5, 0.625)]));
    }

    #[test]
    fn equal_rows_keep_their_bits() {
        let a = row(&[(0, 0.1), (1, 0.7), (4, 0.2)]);
        for n in 1..9 {
            assert_eq!(mean(&vec![(&a, 0.3); n]), a);
        }
    }

    #[test]
    fn unweighted_rows_say_nothing_and_off_sum_rows_count_once() {
        let (empty, tiny) = (Row::new(), row(&[(3, 1e-9)]));
        let (double, other) = (row(&[(0, 1.0), (1, 1.0)]), row(&[(1, 1.0)]));
        let mixed = mean(&[(&empty, 1.0), (&double, 1.0), (&tiny, 1.0), (&other, 1.0)]);
        assert_eq!(mixed, row(&[(0, 0.25), (1, 0.75)]));
        assert_eq!(mean(&[(&empty, 1.0), (&other, f32::NAN)]), Row::new());
    }
}
