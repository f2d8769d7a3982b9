//! Raising a row's contrast: what smoothing takes away.

use sinew_model::{Influence, Row};

use crate::holds::Holds;
use crate::share::{NEGLIGIBLE, is_usable, share_out};

/// The row away from its neighbours' mean and toward its larger joints, as a row that sums to 1: each weight `w` whose
/// mean around it is `m` becomes `w · max(0, 2w − m)`, scaled. Where the neighbours agree that is `w²`: the dominant joint
/// grows though there is no difference to raise, so a wide ramp becomes steeper in its middle and not only at its ends.
///
/// Only joints of the row itself are in the result. `None` if nothing would be left.
pub fn sharpened(row: &Row, neighbour_mean: Option<&Row>) -> Option<Row> {
    let sharper = |i: &Influence| {
        let mean = neighbour_mean.map_or(i.weight, |mean| mean.weight(i.slot));
        i.weight * (2.0 * i.weight - mean).max(0.0)
    };
    let mut result = Row::new();
    for i in row.influences().iter().filter(|i| is_usable(i.weight)) {
        let weight = sharper(i);
        if weight > 0.0 {
            result.push(Influence { slot: i.slot, weight });
        }
    }
    if result.is_empty() {
        return None;
    }
    share_out(&mut result, 0.0, None, Holds::NONE, NEGLIGIBLE);
    Some(result)
}

#[cfg(test)]
mod tests {
    use sinew_model::JointSlot;

    use super::*;

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    #[test]
    fn the_difference_from_the_neighbours_grows_and_so_does_the_dominant_joint() {
        // .6·(1.2 − .5) = .42 and .4·(.8 − .5) = .12 of .54 together.
        let sharp = sharpened(&row(&[(0, 0.6), (1, 0.4)]), Some(&row(&[(0, 0.5), (1, 0.5)]))).expect("a row");
        assert!((sharp.weight(JointSlot(0)) - 0.42 / 0.54).abs() < 1e-6);
        assert_eq!(sharp.check(), Ok(()));
        // Neighbours that agree: squares.
        let same = row(&[(0, 0.75), (1, 0.25)]);
        assert_eq!(sharpened(&same, Some(&same)), Some(row(&[(0, 0.9), (1, 0.1)])));
        assert_eq!(sharpened(&same, None), Some(row(&[(0, 0.9), (1, 0.1)])));
    }

    #[test]
    fn a_joint_that_the_neighbours_have_more_of_goes_and_no_new_one_comes() {
        let sharp = sharpened(&row(&[(0, 0.8), (1, 0.2)]), Some(&row(&[(1, 0.5), (2, 0.5)])));
        assert_eq!(sharp, Some(Row::rigid(JointSlot(0))));
        assert_eq!(sharpened(&Row::new(), None), None);
        assert_eq!(
            sharpened(&row(&[(0, 0.5), (1, 0.5)]), Some(&Row::rigid(JointSlot(0)))),
            Some(Row::rigid(JointSlot(1)))
        );
    }
}
