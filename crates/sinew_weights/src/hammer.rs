//! Repairing a row that does not fit its surroundings: a spike.

use sinew_model::{Row, RowRef};
use smallvec::SmallVec;

use crate::average::mean_of_rows;
use crate::share::is_usable;

/// How far beyond its neighbours' own differences a row must be to count as a spike, in weight that would have to move.
const LEAST: f32 = 0.02;

/// What a spike should be: the mean of the neighbours that agree with one another. `None` if the row is no spike.
///
/// The neighbour that is nearest to all others stands for them (there must be two at least). A row is a spike if it is more than twice as far from it
/// as three quarters of the neighbours are (distance: the weight that would have to move). Neighbours as far as that
/// count for nothing, so a few spikes side by side are repaired from the good rows around them.
pub fn hammered(row: &Row, neighbours: &[RowRef<'_>]) -> Option<Row> {
    let own = RowRef::Long(row.influences());
    if neighbours.len() < 2 || neighbours.iter().all(|&other| distance(own, other) <= LEAST) {
        return None;
    }
    let sum = |a: RowRef<'_>| -> f32 { neighbours.iter().map(|&b| distance(a, b)).sum() };
    let sums: SmallVec<[f32; 12]> = neighbours.iter().map(|&a| sum(a)).collect();
    let typical = (0..neighbours.len()).min_by(|&a, &b| sums[a].total_cmp(&sums[b]))?;
    let typical = neighbours[typical];
    let mut distances: SmallVec<[f32; 12]> = neighbours.iter().map(|&other| distance(typical, other)).collect();
    distances.sort_unstable_by(f32::total_cmp);
    let spread = distances[(3 * distances.len()).div_ceil(4) - 1];
    let limit = 2.0 * spread + LEAST;
    if distance(own, typical) <= limit {
        return None;
    }
    let agreeing = neighbours.iter().filter(|&&other| distance(typical, other) <= limit);
    Some(mean_of_rows(agreeing.map(|&other| (other, 1.0)))).filter(|mean| !mean.is_empty())
}

/// The weight that would have to move to make one row the other.
fn distance(a: RowRef<'_>, b: RowRef<'_>) -> f32 {
    let usable = |weight: f32| if is_usable(weight) { weight } else { 0.0 };
    let mut sum = 0.0;
    a.for_each(|i| sum += (usable(i.weight) - usable(b.weight(i.slot))).abs());
    b.for_each(|i| {
        if a.weight(i.slot) == 0.0 {
            sum += usable(i.weight);
        }
    });
    0.5 * sum
}

#[cfg(test)]
mod tests {
    use sinew_model::JointSlot;

    use super::*;

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    fn hammer(own: &Row, neighbours: &[Row]) -> Option<Row> {
        let neighbours: Vec<RowRef<'_>> = neighbours.iter().map(|row| RowRef::Long(row.influences())).collect();
        hammered(own, &neighbours)
    }

    fn ramp(weight: f32) -> Row {
        row(&[(0, 1.0 - weight), (1, weight)])
    }

    #[test]
    fn a_spike_gets_its_neighbours_mean_and_a_spike_beside_it_has_no_say() {
        let a = Row::rigid(JointSlot(0));
        let spike = Row::rigid(JointSlot(5));
        assert_eq!(hammer(&spike, &[a.clone(), a.clone(), a.clone()]), Some(a.clone()));
        let around = [a.clone(), spike.clone(), a.clone(), a.clone(), a.clone(), a.clone()];
        assert_eq!(hammer(&spike, &around), Some(a.clone()));
        assert_eq!(hammer(&a, &around), None, "the good one beside it stays");
    }

    #[test]
    fn a_ramp_is_no_spike_not_even_at_its_border() {
        let inside = [ramp(0.25), ramp(0.5), ramp(0.75), ramp(0.5)];
        assert_eq!(hammer(&ramp(0.5), &inside), None);
        assert_eq!(hammer(&ramp(0.0), &[ramp(0.0), ramp(0.25), ramp(0.25)]), None);
        assert_eq!(hammer(&ramp(0.0), &[ramp(0.25)]), None, "one neighbour cannot say who is wrong");
        assert_eq!(hammer(&ramp(0.0), &[]), None);
        let Some(repaired) = hammer(&ramp(1.0), &[ramp(0.25), ramp(0.25), ramp(0.35), ramp(0.35)]) else {
            panic!("left the spike");
        };
        assert!((repaired.weight(JointSlot(1)) - 0.3).abs() < 1e-6);
    }

    #[test]
    fn an_unweighted_row_is_a_spike_and_unweighted_neighbours_say_nothing() {
        let a = Row::rigid(JointSlot(0));
        assert_eq!(hammer(&Row::new(), &[a.clone(), a.clone()]), Some(a.clone()));
        assert_eq!(hammer(&Row::new(), &[Row::new(), Row::new()]), None);
    }
}
