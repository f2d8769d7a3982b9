//! From a row of the document to the numbers that a file stores.
//!
//! Boundary: one row at a time, no bytes.

use sinew_model::{Influence, Row};
use smallvec::SmallVec;

use crate::accessor::Component;

/// An influence as stored: the weight is in units of 1/255 or 1/65535, or the bits of a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct StoredInfluence {
    pub joint: u32,
    pub weight: u32,
}

/// The influences of a row as stored; none has weight 0.
pub(super) type StoredRow = SmallVec<[StoredInfluence; 8]>;

/// What weight 1 is in units of an integer type; `None` for floats.
pub(super) fn units_of(component: Component) -> Option<u32> {
    match component {
        Component::U8 => Some(255),
        Component::U16 => Some(65535),
        _ => None,
    }
}

/// A row as a file of this component type stores it, in the order of joints.
///
/// Integers sum to exactly 255 or 65535: every weight is rounded down and the units that are missing go to the largest
/// remainders, of equal ones to the lower joint. Floats that sum to 1 within [`Row::sum_tolerance`] keep their bits;
/// others are divided by their sum.
pub(super) fn quantize(row: &Row, component: Component) -> StoredRow {
    let mut influences: SmallVec<[Influence; 8]> =
        row.influences().iter().copied().filter(|i| i.weight > 0.0).collect();
    influences.sort_unstable_by_key(|influence| influence.slot);
    let sum: f64 = influences.iter().map(|influence| f64::from(influence.weight)).sum();
    match units_of(component) {
        Some(units) => to_units(&influences, sum, units),
        None => to_floats(&influences, sum),
    }
}

fn to_units(influences: &[Influence], sum: f64, units: u32) -> StoredRow {
    let share = |influence: &Influence| f64::from(influence.weight) / sum * f64::from(units);
    let mut stored: StoredRow = influences
        .iter()
        .map(|influence| StoredInfluence { joint: influence.slot.0.into(), weight: share(influence).floor() as u32 })
        .collect();
    let given: u32 = stored.iter().map(|influence| influence.weight).sum();
    let mut by_remainder: SmallVec<[usize; 8]> = (0..stored.len()).collect();
    let remainder = |i: usize| share(&influences[i]) - share(&influences[i]).floor();
    by_remainder.sort_by(|&a, &b| remainder(b).total_cmp(&remainder(a)));
    // Rounded down, fewer units are missing than there are influences.
    for &i in by_remainder.iter().take(units.saturating_sub(given) as usize) {
        stored[i].weight += 1;
    }
    stored.retain(|influence| influence.weight > 0);
    stored
}

fn to_floats(influences: &[Influence], sum: f64) -> StoredRow {
    let is_one = (sum - 1.0).abs() <= f64::from(Row::sum_tolerance(influences.len()));
    let weight = |weight: f32| if is_one { weight } else { (f64::from(weight) / sum) as f32 };
    let stored = influences.iter().map(|influence| StoredInfluence {
        joint: influence.slot.0.into(),
        weight: weight(influence.weight).to_bits(),
    });
    stored.filter(|influence| influence.weight != 0).collect()
}

/// Puts a row into `places` (what the vertex holds in the file), filling unused places with joint 0 and weight 0.
///
/// With one set a joint keeps the place it has, so that little changes in the file. With several sets the heaviest
/// come first, so that a reader that knows one set loses the least.
pub(super) fn put_in_places(row: &StoredRow, places: &mut [StoredInfluence]) {
    let heaviest_first = |row: &mut StoredRow| row.sort_by_key(|i| (std::cmp::Reverse(i.weight), i.joint));
    let mut left = row.clone();
    if places.len() > 4 {
        heaviest_first(&mut left);
        places.fill(StoredInfluence::default());
        for (place, influence) in places.iter_mut().zip(left) {
            *place = influence;
        }
        return;
    }
    for place in places.iter_mut() {
        let stays = left.iter().position(|i| place.weight != 0 && i.joint == place.joint);
        *place = stays.map_or(StoredInfluence::default(), |at| left.remove(at));
    }
    heaviest_first(&mut left);
    let free = places.iter_mut().filter(|place| place.weight == 0);
    for (place, influence) in free.zip(left) {
        *place = influence;
    }
}

/// What the file's numbers say, as the importer reads them.
pub(super) fn weight_of(stored: u32, component: Component) -> f32 {
    units_of(component).map_or(f32::from_bits(stored), |units| stored as f32 / units as f32)
}

/// The same weight in a wider component type. From bytes to shorts nothing is lost.
pub(super) fn widen(stored: u32, from: Component, to: Component) -> u32 {
    match (from, to) {
        (Component::U8, Component::U16) => stored * 257,
        (Component::U8 | Component::U16, Component::F32) => weight_of(stored, from).to_bits(),
        _ => stored,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sinew_model::JointSlot;

    use super::*;

    fn row(weights: &[f32]) -> Row {
        weights.iter().enumerate().map(|(s, &w)| (JointSlot(s as u16), w)).collect()
    }

    fn weights(row: &StoredRow) -> Vec<u32> {
        row.iter().map(|i| i.weight).collect()
    }

    #[test]
    fn missing_units_go_to_the_largest_remainders() {
        // B17
        let stored = quantize(&row(&[0.343, 0.338, 0.198, 0.121]), Component::U8);
        assert_eq!(weights(&stored), [87, 86, 51, 31]);
    }

    #[test]
    fn of_equal_remainders_the_lower_joint_gets_the_unit() {
        let reversed: Row = [(3, 0.5), (1, 0.5)].map(|(s, w)| (JointSlot(s), w)).into_iter().collect();
        let stored = quantize(&reversed, Component::U8);
        assert_eq!(
            stored.as_slice(),
            [StoredInfluence { joint: 1, weight: 128 }, StoredInfluence { joint: 3, weight: 127 }]
        );
    }

    #[test]
    fn what_rounds_to_nothing_takes_no_place() {
        let stored = quantize(&row(&[0.9999, 0.0001]), Component::U8);
        assert_eq!(stored.as_slice(), [StoredInfluence { joint: 0, weight: 255 }]);
    }

    #[test]
    fn floats_that_sum_to_one_keep_their_bits_and_others_are_divided_by_the_sum() {
        // B18, B19
        let exact = [0.1_f32, 0.2, 0.7];
        assert_eq!(weights(&quantize(&row(&exact), Component::F32)), exact.map(f32::to_bits));
        let eight = quantize(&row(&[0.2; 8]), Component::F32);
        assert_eq!(weights(&eight), [0.125_f32.to_bits(); 8]);
    }

    #[test]
    fn a_joint_keeps_its_place_in_a_single_set_and_unused_places_are_zero() {
        // B05
        let float = |joint, weight: f32| StoredInfluence { joint, weight: weight.to_bits() };
        let mut places = [float(7, 0.0), float(4, 0.5), float(2, 0.5), float(7, 0.0)];
        let new: Row = [(2, 0.25), (9, 0.5), (1, 0.25)].map(|(s, w)| (JointSlot(s), w)).into_iter().collect();
        put_in_places(&quantize(&new, Component::F32), &mut places);
        assert_eq!(places, [float(9, 0.5), float(1, 0.25), float(2, 0.25), float(0, 0.0)]);
    }

    #[test]
    fn over_several_sets_the_heaviest_come_first() {
        let mut places = [StoredInfluence::default(); 8];
        put_in_places(&quantize(&row(&[0.04, 0.06, 0.15, 0.2, 0.25, 0.3]), Component::F32), &mut places);
        assert_eq!(places.map(|place| place.joint), [5, 4, 3, 2, 1, 0, 0, 0]);
    }

    #[test]
    fn bytes_become_shorts_without_loss() {
        for byte in 0..=255 {
            let short = widen(byte, Component::U8, Component::U16);
            assert_eq!(f64::from(short) / 65535.0, f64::from(byte) / 255.0);
        }
    }

    proptest! {
        #[test]
        fn sums_are_exact_and_no_weight_is_off_by_a_unit(
            raw in proptest::collection::vec((0u16..300, 1e-6f32..1.0), 1..13), short in any::<bool>(),
        ) {
            let (component, units) = if short { (Component::U16, 65535) } else { (Component::U8, 255) };
            let mut row: Row = raw.iter().map(|&(s, w)| (JointSlot(s), w)).collect();
            let sum = row.sum_f64();
            row.influences_mut().iter_mut().for_each(|i| i.weight = (f64::from(i.weight) / sum) as f32);
            let stored = quantize(&row, component);
            prop_assert_eq!(stored.iter().map(|i| i.weight).sum::<u32>(), units);
            for i in &stored {
                prop_assert!((weight_of(i.weight, component) - row.weight(JointSlot(i.joint as u16))).abs() < 1.0001 / units as f32);
            }
            let floats = quantize(&row, Component::F32);
            let sum: f64 = floats.iter().map(|i| f64::from(f32::from_bits(i.weight))).sum();
            prop_assert!((sum - 1.0).abs() <= f64::from(Row::sum_tolerance(floats.len())));
        }
    }
}
