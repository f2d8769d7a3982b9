//! All weight rows of a mesh, packed for kernels that stream over them.
//!
//! Rows live in flat arrays of a fixed number of places a row; the rare longer row lives in an overflow map, so
//! that one long row never costs the others memory or a re-layout in the middle of a stroke.

mod bulk;

use std::collections::BTreeMap;

use crate::ids::{JointSlot, VertexIndex};
use crate::row::{Influence, Row};

/// Marks a row that lives in the overflow map.
const OVERFLOW: u8 = u8::MAX;

/// The most places a row has in the flat arrays.
const MAX_STRIDE: usize = 32;

/// The weight rows of a mesh, each by rising slot. `[n_vertices]`
#[derive(Clone, Debug, Default)]
pub struct WeightTable {
    stride: usize,
    lens: Vec<u8>,
    slots: Vec<JointSlot>,
    weights: Vec<f32>,
    overflow: BTreeMap<VertexIndex, Row>,
}

/// One row, borrowed from a [`WeightTable`].
#[derive(Clone, Copy, Debug)]
pub enum RowRef<'a> {
    /// From the flat arrays: slots and weights, equally long.
    Packed(&'a [JointSlot], &'a [f32]),
    /// From the overflow map.
    Long(&'a [Influence]),
}

impl WeightTable {
    /// A table of empty rows with room for `max_influences` a row (rounded up to a multiple of 4, 4 to 32).
    pub fn new(n_vertices: usize, max_influences: usize) -> Self {
        let stride = max_influences.clamp(1, MAX_STRIDE).next_multiple_of(4);
        Self {
            stride,
            lens: vec![0; n_vertices],
            slots: vec![JointSlot(0); n_vertices * stride],
            weights: vec![0.0; n_vertices * stride],
            overflow: BTreeMap::new(),
        }
    }

    /// How many rows the table has.
    #[inline]
    pub fn n_vertices(&self) -> usize {
        self.lens.len()
    }

    /// Places a row has in the flat arrays: a multiple of 4.
    #[inline]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Slots of all rows; places past a row's end are 0. `[n_vertices * stride]`
    pub fn slots(&self) -> &[JointSlot] {
        &self.slots
    }

    /// Weights of all rows; places past a row's end are 0. `[n_vertices * stride]`
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Whether some row does not fit the flat arrays. Its places there are all 0.
    pub fn has_long_rows(&self) -> bool {
        !self.overflow.is_empty()
    }

    /// Whether this row lives outside the flat arrays.
    #[inline]
    pub fn is_long(&self, vertex: VertexIndex) -> bool {
        self.lens[vertex.idx()] == OVERFLOW
    }

    /// The row of a vertex.
    #[inline]
    pub fn row(&self, vertex: VertexIndex) -> RowRef<'_> {
        let v = vertex.idx();
        let len = self.lens[v];
        if len == OVERFLOW {
            return RowRef::Long(self.overflow.get(&vertex).map_or(&[], |row| row.influences()));
        }
        let start = v * self.stride;
        let end = start + len as usize;
        RowRef::Packed(&self.slots[start..end], &self.weights[start..end])
    }

    /// A copy of the row of a vertex.
    #[inline]
    pub fn get(&self, vertex: VertexIndex) -> Row {
        self.row(vertex).to_row()
    }

    /// The weight of `slot` on a vertex, 0 if it has none.
    #[inline]
    pub fn weight(&self, vertex: VertexIndex, slot: JointSlot) -> f32 {
        self.row(vertex).weight(slot)
    }

    /// Replaces the row of a vertex. Rows are kept by rising slot, so that kernels may add up in that order.
    pub fn set(&mut self, vertex: VertexIndex, row: &Row) {
        if !row.is_sorted() {
            let mut sorted = row.clone();
            sorted.sort();
            return self.set(vertex, &sorted);
        }
        let v = vertex.idx();
        if self.lens[v] == OVERFLOW {
            self.overflow.remove(&vertex);
        }
        let start = v * self.stride;
        let slots = &mut self.slots[start..start + self.stride];
        let weights = &mut self.weights[start..start + self.stride];
        slots.fill(JointSlot(0));
        weights.fill(0.0);
        if row.len() > self.stride {
            self.lens[v] = OVERFLOW;
            self.overflow.insert(vertex, row.clone());
            return;
        }
        self.lens[v] = row.len() as u8;
        for (place, influence) in row.influences().iter().enumerate() {
            slots[place] = influence.slot;
            weights[place] = influence.weight;
        }
    }

    /// Exchanges the row of a vertex with `row`: do, undo and redo are the same swap.
    pub fn swap(&mut self, vertex: VertexIndex, row: &mut Row) {
        let old = self.get(vertex);
        self.set(vertex, row);
        *row = old;
    }

    /// The longest row.
    pub fn max_influences(&self) -> usize {
        let packed = self.lens.iter().filter(|&&len| len != OVERFLOW).max().copied().unwrap_or(0) as usize;
        self.overflow.values().map(Row::len).max().unwrap_or(0).max(packed)
    }

    /// Memory that the table holds outside itself, bytes.
    pub fn n_heap_bytes(&self) -> usize {
        let places = self.slots.capacity() * size_of::<JointSlot>() + self.weights.capacity() * size_of::<f32>();
        let long: usize = self.overflow.values().map(|row| size_of::<Row>() + row.n_heap_bytes()).sum();
        self.lens.capacity() + places + long
    }

    /// All vertices.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = VertexIndex> + use<> {
        (0..self.lens.len() as u32).map(VertexIndex)
    }
}

impl RowRef<'_> {
    /// How many influences the row has.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Packed(slots, _) => slots.len(),
            Self::Long(influences) => influences.len(),
        }
    }

    /// Whether the row has no influence.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy of the row.
    #[inline]
    pub fn to_row(&self) -> Row {
        match self {
            Self::Packed(slots, weights) => {
                let influences = slots.iter().zip(*weights).map(|(&slot, &weight)| Influence { slot, weight });
                Row::from_sorted(influences)
            }
            Self::Long(influences) => Row::from_sorted(influences.iter().copied()),
        }
    }

    /// The influence at a place.
    #[inline]
    pub fn at(&self, place: usize) -> Influence {
        match self {
            Self::Packed(slots, weights) => Influence { slot: slots[place], weight: weights[place] },
            Self::Long(influences) => influences[place],
        }
    }

    /// Calls `visit` for each influence by rising slot.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(Influence)) {
        for place in 0..self.len() {
            visit(self.at(place));
        }
    }

    /// The weight of `slot`, 0 if it is not in the row.
    #[inline]
    pub fn weight(&self, slot: JointSlot) -> f32 {
        (0..self.len()).map(|place| self.at(place)).find(|i| i.slot == slot).map_or(0.0, |i| i.weight)
    }

    /// Whether both rows give every joint the same weight to the bit.
    #[inline]
    pub fn same_influences(&self, other: &Self) -> bool {
        let has = |row: &Self, i: Influence| (0..row.len()).any(|place| row.at(place) == i);
        self.len() == other.len()
            && (0..self.len()).all(|place| self.at(place) == other.at(place) || has(other, self.at(place)))
    }

    /// Sum of the weights, added by rising slot.
    #[inline]
    pub fn sum(&self) -> f32 {
        match self {
            Self::Packed(_, weights) => weights.iter().sum(),
            Self::Long(influences) => influences.iter().map(|i| i.weight).sum(),
        }
    }
}

impl PartialEq for WeightTable {
    /// Equality of all rows to the bit, whatever the layout.
    fn eq(&self, other: &Self) -> bool {
        self.n_vertices() == other.n_vertices() && self.vertices().all(|v| self.get(v) == other.get(v))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_row() -> impl Strategy<Value = Row> {
        proptest::collection::vec((0u16..40, 0.01f32..1.0), 0..14)
            .prop_map(|influences| influences.into_iter().map(|(s, w)| (JointSlot(s), w)).collect())
    }

    proptest! {
        #[test]
        fn rows_of_any_length_come_back_to_the_bit(rows in proptest::collection::vec(any_row(), 1..12)) {
            let mut table = WeightTable::new(rows.len(), 4);
            for (v, row) in rows.iter().enumerate() {
                table.set(VertexIndex::from_idx(v), row);
            }
            for (v, row) in rows.iter().enumerate() {
                prop_assert_eq!(&table.get(VertexIndex::from_idx(v)), row);
            }
        }

        #[test]
        fn swapping_twice_is_the_identity(mut row in any_row(), old in any_row()) {
            let mut table = WeightTable::new(3, 4);
            table.set(VertexIndex(1), &old);
            let before = table.clone();
            table.swap(VertexIndex(1), &mut row);
            table.swap(VertexIndex(1), &mut row);
            prop_assert!(table == before);
            prop_assert_eq!(table.has_long_rows(), before.has_long_rows());
        }
    }

    #[test]
    fn places_past_the_end_of_a_row_are_zero() {
        let mut table = WeightTable::new(1, 4);
        table.set(VertexIndex(0), &(0..4).map(|s| (JointSlot(s + 1), 0.25)).collect());
        table.set(VertexIndex(0), &Row::rigid(JointSlot(9)));
        assert_eq!(table.slots(), [JointSlot(9), JointSlot(0), JointSlot(0), JointSlot(0)]);
        assert_eq!(table.weights(), [1.0, 0.0, 0.0, 0.0]);
    }
}
