//! A weight row: the influences of one vertex.

use smallvec::SmallVec;

use crate::ids::JointSlot;

/// A row whose weights sum to less than this counts as unweighted.
pub const UNWEIGHTED_SUM: f32 = 1e-6;

/// One joint's share in a vertex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Influence {
    /// Position in the skin's joint list.
    pub slot: JointSlot,
    /// Share, 0 to 1 in a valid row.
    pub weight: f32,
}

impl PartialEq for Influence {
    /// Equality to the bit.
    fn eq(&self, other: &Self) -> bool {
        self.slot == other.slot && self.weight.to_bits() == other.weight.to_bits()
    }
}

impl Eq for Influence {}

/// The influences of one vertex by rising slot, each joint at most once, none with weight 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Row(SmallVec<[Influence; 4]>);

/// What is wrong with a row.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum RowFault {
    /// A weight is negative, NaN or infinite.
    #[error("joint slot {slot} has weight {weight}; expected a finite number of at least 0")]
    BadWeight {
        /// The slot that holds it.
        slot: JointSlot,
        /// The weight found.
        weight: f32,
    },
    /// A joint stands twice in the row.
    #[error("joint slot {slot} stands twice")]
    Twice {
        /// The slot found twice.
        slot: JointSlot,
    },
    /// The weights do not sum to 1.
    #[error("weights sum to {sum}; expected 1 within {tolerance}")]
    Sum {
        /// The sum found.
        sum: f32,
        /// How far from 1 it may be.
        tolerance: f32,
    },
}

impl Row {
    /// A row without influences.
    pub fn new() -> Self {
        Self::default()
    }

    /// A row of influences that stand in order, each joint once.
    #[inline]
    pub(crate) fn from_sorted(influences: impl Iterator<Item = Influence>) -> Self {
        Self(influences.collect())
    }

    /// A row of influences, each joint once.
    #[inline]
    pub fn of_influences(influences: &[Influence]) -> Self {
        let mut row = Self(SmallVec::from_slice(influences));
        if !row.is_sorted() {
            row.sort();
        }
        row
    }

    /// A row of one influence of weight 1.
    pub fn rigid(slot: JointSlot) -> Self {
        let mut row = Self::new();
        row.set(slot, 1.0);
        row
    }

    /// The influences, by rising slot.
    #[inline]
    pub fn influences(&self) -> &[Influence] {
        &self.0
    }

    /// The influences, to change their weights in place. Call [`Row::drop_zeros`] after weights may have become 0.
    #[inline]
    pub fn influences_mut(&mut self) -> &mut [Influence] {
        &mut self.0
    }

    /// How many influences the row has.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the row has no influence.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Memory that the row holds outside itself, bytes.
    pub fn n_heap_bytes(&self) -> usize {
        if self.0.spilled() { self.0.capacity() * size_of::<Influence>() } else { 0 }
    }

    /// The weight of `slot`, 0 if it is not in the row.
    #[inline]
    pub fn weight(&self, slot: JointSlot) -> f32 {
        self.0.iter().find(|i| i.slot == slot).map_or(0.0, |i| i.weight)
    }

    /// Sets the weight of `slot`, adding or removing the influence as needed.
    #[inline]
    pub fn set(&mut self, slot: JointSlot, weight: f32) {
        match self.0.iter().position(|i| i.slot == slot) {
            Some(at) if weight == 0.0 => {
                self.0.remove(at);
            }
            Some(at) => self.0[at].weight = weight,
            None if weight == 0.0 => {}
            None => self.push(Influence { slot, weight }),
        }
    }

    /// Adds to the weight of `slot`: how rows are merged.
    pub fn add(&mut self, slot: JointSlot, weight: f32) {
        match self.0.iter_mut().find(|i| i.slot == slot) {
            Some(influence) => influence.weight += weight,
            None => self.push(Influence { slot, weight }),
        }
    }

    /// Puts an influence that the caller knows is not in the row yet where its slot belongs.
    #[inline]
    pub fn push(&mut self, influence: Influence) {
        // Most come in order.
        if self.0.last().is_none_or(|last| last.slot <= influence.slot) {
            return self.0.push(influence);
        }
        let at = self.0.iter().rposition(|i| i.slot <= influence.slot).map_or(0, |before| before + 1);
        self.0.insert(at, influence);
    }

    /// Whether slots rise: [`Row::influences_mut`] can break that.
    #[inline]
    pub(crate) fn is_sorted(&self) -> bool {
        self.0.is_sorted_by_key(|i| i.slot)
    }

    /// Puts the influences in order.
    pub(crate) fn sort(&mut self) {
        self.0.sort_by_key(|i| i.slot);
    }

    /// Removes all influences.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the influences that `keep` accepts.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(&Influence) -> bool) {
        self.0.retain(|i| keep(i));
    }

    /// Removes influences of weight 0.
    #[inline]
    pub fn drop_zeros(&mut self) {
        self.0.retain(|i| i.weight != 0.0);
    }

    /// Sum of the weights, added by rising slot.
    pub fn sum(&self) -> f32 {
        self.0.iter().map(|i| i.weight).sum()
    }

    /// Sum of the weights in double precision.
    #[inline]
    pub fn sum_f64(&self) -> f64 {
        self.0.iter().map(|i| f64::from(i.weight)).sum()
    }

    /// Whether both rows give every joint the same weight to the bit, in whatever order.
    #[inline]
    pub fn same_influences(&self, other: &Self) -> bool {
        self == other || (self.len() == other.len() && self.0.iter().all(|i| other.0.contains(i)))
    }

    /// The largest absolute difference of any joint's weight between the two rows.
    pub fn largest_change(&self, other: &Self) -> f32 {
        let here = self.0.iter().map(|i| (i.weight - other.weight(i.slot)).abs());
        let there = other.0.iter().map(|i| (i.weight - self.weight(i.slot)).abs());
        here.chain(there).fold(0.0, f32::max)
    }

    /// How far from 1 the sum of a float row with `n` non-zero weights may be.
    #[inline]
    pub fn sum_tolerance(n: usize) -> f32 {
        2e-7 * n.max(1) as f32
    }

    /// Checks what every row must satisfy after an edit: weights finite and not negative, no joint twice, sum 1.
    pub fn check(&self) -> Result<(), RowFault> {
        for (at, i) in self.0.iter().enumerate() {
            if !i.weight.is_finite() || i.weight < 0.0 {
                return Err(RowFault::BadWeight { slot: i.slot, weight: i.weight });
            }
            if self.0[..at].iter().any(|earlier| earlier.slot == i.slot) {
                return Err(RowFault::Twice { slot: i.slot });
            }
        }
        let sum = self.sum_f64();
        let tolerance = Self::sum_tolerance(self.len());
        if (sum - 1.0).abs() > f64::from(tolerance) {
            return Err(RowFault::Sum { sum: sum as f32, tolerance });
        }
        Ok(())
    }
}

impl FromIterator<(JointSlot, f32)> for Row {
    fn from_iter<I: IntoIterator<Item = (JointSlot, f32)>>(influences: I) -> Self {
        let mut row = Self::new();
        for (slot, weight) in influences {
            row.add(slot, weight);
        }
        row.drop_zeros();
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    #[test]
    fn a_joint_named_twice_is_merged_and_zero_weights_are_dropped() {
        // B26, B05
        let merged = row(&[(1, 0.25), (1, 0.25), (0, 0.5), (7, 0.0)]);
        assert_eq!(merged, row(&[(1, 0.5), (0, 0.5)]));
        assert_eq!(merged.len(), 2);
    }

    #[test]
    fn setting_zero_removes_the_influence() {
        let mut r = row(&[(0, 0.5), (1, 0.5)]);
        r.set(JointSlot(1), 0.0);
        assert_eq!(r, row(&[(0, 0.5)]));
    }

    #[test]
    fn check_names_each_fault() {
        assert_eq!(row(&[(0, 0.5), (1, 0.5)]).check(), Ok(()));
        assert!(matches!(row(&[(0, 0.5)]).check(), Err(RowFault::Sum { .. })));
        let mut negative = row(&[(0, 1.5)]);
        negative.push(Influence { slot: JointSlot(1), weight: -0.5 });
        assert!(matches!(negative.check(), Err(RowFault::BadWeight { .. })));
        let mut twice = row(&[(0, 0.5)]);
        twice.push(Influence { slot: JointSlot(0), weight: 0.5 });
        assert!(matches!(twice.check(), Err(RowFault::Twice { .. })));
    }

    #[test]
    fn order_does_not_matter_for_sameness() {
        assert!(row(&[(0, 0.25), (3, 0.75)]).same_influences(&row(&[(3, 0.75), (0, 0.25)])));
        assert!(!row(&[(0, 0.25), (3, 0.75)]).same_influences(&row(&[(3, 0.75), (1, 0.25)])));
    }
}
