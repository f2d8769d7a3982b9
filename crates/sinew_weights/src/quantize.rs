//! Rounding a row to integers that sum exactly, as the file stores it.

use sinew_model::{JointSlot, Row, UNWEIGHTED_SUM};
use smallvec::SmallVec;

use crate::share::is_usable;

/// The influences of a row in whole units, in the row's order; small ones may have 0 units.
pub type Units = SmallVec<[(JointSlot, u32); 4]>;

/// Rounds a row to units that sum to exactly `total` (255 for bytes, 65535 for 16 bits) by largest remainder: each
/// weight is rounded down, and the missing units go one each to the largest remainders (ties: the lower slot).
///
/// Off-sum rows are divided by their sum. Unusable weights get 0 units; so does everything in an unweighted row.
pub fn quantize_row(row: &Row, total: u32) -> Units {
    let usable = |weight: f32| if is_usable(weight) { f64::from(weight) } else { 0.0 };
    let sum: f64 = row.influences().iter().map(|i| usable(i.weight)).sum();
    if sum < f64::from(UNWEIGHTED_SUM) {
        return row.influences().iter().map(|i| (i.slot, 0)).collect();
    }
    let mut units = Units::new();
    let mut remainders: SmallVec<[(f64, JointSlot, usize); 8]> = SmallVec::new();
    let mut given = 0u32;
    for (place, i) in row.influences().iter().enumerate() {
        let exact = usable(i.weight) / sum * f64::from(total);
        let whole = (exact.floor() as u32).min(total - given);
        given += whole;
        units.push((i.slot, whole));
        remainders.push((exact - f64::from(whole), i.slot, place));
    }
    remainders.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for &(_, _, place) in remainders.iter().cycle().take((total - given) as usize) {
        units[place].1 += 1;
    }
    units
}

/// The row that whole units mean: units / `total`, without the influences of 0 units.
pub fn dequantize_row(units: &[(JointSlot, u32)], total: u32) -> Row {
    units.iter().map(|&(slot, units)| (slot, (f64::from(units) / f64::from(total.max(1))) as f32)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn units_of(row: &Row, total: u32) -> Vec<u32> {
        quantize_row(row, total).iter().map(|&(_, units)| units).collect()
    }

    fn row(weights: &[f32]) -> Row {
        weights.iter().enumerate().map(|(slot, &weight)| (JointSlot(slot as u16), weight)).collect()
    }

    #[test]
    fn bytes_sum_to_255_by_largest_remainder() {
        // B17
        assert_eq!(units_of(&row(&[0.343, 0.338, 0.198, 0.121]), 255), [87, 86, 51, 31]);
    }

    #[test]
    fn equal_remainders_go_to_the_lower_joint_whatever_the_order() {
        let half: Row = [(JointSlot(9), 0.5), (JointSlot(4), 0.5)].into_iter().collect();
        // A row is kept by rising slot: joint 4 comes first and takes the odd unit.
        assert_eq!(units_of(&half, 255), [128, 127]);
    }

    #[test]
    fn an_unweighted_row_has_no_units() {
        assert_eq!(units_of(&row(&[1e-9, 2e-9]), 255), [0, 0]);
        assert_eq!(dequantize_row(&quantize_row(&row(&[1e-9]), 255), 255), Row::new());
    }

    proptest! {
        #[test]
        fn units_sum_exactly_and_are_within_one_of_the_weight(
            weights in proptest::collection::vec(1e-6f32..1.0, 1..14),
            total in prop_oneof![Just(255u32), Just(65535)],
        ) {
            let row = row(&weights);
            let units = quantize_row(&row, total);
            prop_assert_eq!(units.iter().map(|&(_, units)| units).sum::<u32>(), total);
            for &(slot, units) in &units {
                let exact = f64::from(row.weight(slot)) / row.sum_f64() * f64::from(total);
                prop_assert!((f64::from(units) - exact).abs() < 1.0);
            }
        }

        #[test]
        fn integer_rows_come_back_as_they_were(cuts in proptest::collection::vec(0u32..=255, 3)) {
            let mut cuts = cuts;
            cuts.sort_unstable();
            let units: Units = [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 255 - cuts[2]]
                .into_iter().enumerate().map(|(slot, units)| (JointSlot(slot as u16), units)).collect();
            let row = dequantize_row(&units, 255);
            prop_assert_eq!(row.check(), Ok(()));
            let again = quantize_row(&row, 255);
            prop_assert!(again.iter().eq(units.iter().filter(|(_, units)| *units > 0)));
        }
    }
}
