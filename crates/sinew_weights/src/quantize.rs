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
