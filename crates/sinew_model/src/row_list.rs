//! Weight rows of some vertices, packed like a table: what a change brings to a mesh, and what it took away.
//!
//! A change may be about every vertex of a large mesh and stays in the history, so it costs about what the rows
//! themselves do and nothing is allocated for single rows.

use rayon::prelude::*;

use crate::ids::VertexIndex;
use crate::row::Row;
use crate::weight_table::{RowRef, WeightTable};

/// A row for each of some vertices.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RowList {
    vertices: Vec<VertexIndex>,
    /// The row at a place is that of the vertex there.
    rows: WeightTable,
}

impl RowList {
    /// A list that has, at each vertex's place, the row that `make` makes for it; and what else it says. In parallel.
    /// Rows of up to `max_influences` are packed: those of the mesh's table, best.
    pub fn made<T: Send + Default + Clone>(
        vertices: Vec<VertexIndex>,
        max_influences: usize,
        make: impl Fn(usize, VertexIndex) -> (Row, T) + Sync,
    ) -> (Self, Vec<T>) {
        let mut rows = WeightTable::new(vertices.len(), max_influences);
        let mut said = vec![T::default(); vertices.len()];
        rows.fill(&mut said, |place| make(place, vertices[place]));
        (Self { vertices, rows }, said)
    }

    /// Rows that were made one by one. Those of up to `max_influences` are packed.
    pub fn packed(rows: Vec<(VertexIndex, Row)>, max_influences: usize) -> Self {
        let vertices = rows.iter().map(|(vertex, _)| *vertex).collect();
        Self::made(vertices, max_influences, |place, _| (rows[place].1.clone(), ())).0
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Whose rows these are, in the order in which they came.
    pub fn vertices(&self) -> &[VertexIndex] {
        &self.vertices
    }

    /// The row at a place.
    pub fn row(&self, place: usize) -> RowRef<'_> {
        self.rows.row(VertexIndex::from_idx(place))
    }

    /// A copy of the row at a place.
    pub fn get(&self, place: usize) -> Row {
        self.rows.get(VertexIndex::from_idx(place))
    }

    /// The rows with their vertices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (VertexIndex, RowRef<'_>)> {
        self.vertices.iter().enumerate().map(|(place, &vertex)| (vertex, self.row(place)))
    }

    /// The row of a vertex, in a list of rising vertices.
    pub fn of(&self, vertex: VertexIndex) -> Option<RowRef<'_>> {
        self.vertices.binary_search(&vertex).ok().map(|place| self.row(place))
    }

    /// Keeps the rows that `keep` accepts by place, vertex and row, in their order. In parallel.
    pub fn retain(&mut self, keep: impl Fn(usize, VertexIndex, RowRef<'_>) -> bool + Sync) {
        let places = (0..self.len()).into_par_iter().with_min_len(4096);
        let keeps: Vec<bool> = places.map(|place| keep(place, self.vertices[place], self.row(place))).collect();
        if !keeps.contains(&false) {
            return;
        }
        let places: Vec<usize> = (0..self.len()).filter(|&place| keeps[place]).collect();
        let vertices = places.iter().map(|&place| self.vertices[place]).collect();
        *self = Self::made(vertices, self.rows.stride(), |to, _| (self.get(places[to]), ())).0;
    }

    /// Memory that the list holds outside itself, bytes.
    pub fn n_heap_bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<VertexIndex>() + self.rows.n_heap_bytes()
    }

    /// Exchanges the rows with those that the vertices have in `table`.
    pub(crate) fn swap_with(&mut self, table: &mut WeightTable) {
        table.swap_some(&self.vertices, &mut self.rows);
    }
}

impl FromIterator<(VertexIndex, Row)> for RowList {
    fn from_iter<I: IntoIterator<Item = (VertexIndex, Row)>>(rows: I) -> Self {
        Self::from(Vec::from_iter(rows))
    }
}

impl From<Vec<(VertexIndex, Row)>> for RowList {
    fn from(rows: Vec<(VertexIndex, Row)>) -> Self {
        let longest = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        Self::packed(rows, longest)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ids::JointSlot;

    /// A row of up to 13 influences that follows from a number.
    fn row(seed: u32) -> Row {
        let n = if seed.is_multiple_of(97) { 13 } else { seed % 6 };
        (0..n).map(|i| (JointSlot((seed % 31 + i) as u16), (seed + i + 1) as f32 * 1e-3)).collect()
    }

    fn table(n: u32, max_influences: usize, salt: u32) -> WeightTable {
        let mut table = WeightTable::new(n as usize, max_influences);
        (0..n).for_each(|v| table.set(VertexIndex(v), &row(v.wrapping_mul(7) + salt)));
        table
    }

    #[track_caller]
    fn check_swap(mut mesh: WeightTable, mut list: RowList) {
        let (mut one_by_one, before, brought) = (mesh.clone(), mesh.clone(), list.clone());
        let mut rows: Vec<(VertexIndex, Row)> = list.iter().map(|(vertex, row)| (vertex, row.to_row())).collect();
        for (vertex, row) in &mut rows {
            one_by_one.swap(*vertex, row);
        }
        list.swap_with(&mut mesh);
        assert!(mesh == one_by_one && list == RowList::from(rows));
        list.swap_with(&mut mesh);
        assert!(mesh == before && list == brought);
        assert_eq!(mesh.has_long_rows(), before.has_long_rows());
    }

    #[test]
    fn swapping_a_list_is_swapping_its_rows_and_twice_is_the_identity() {
        // More than one piece of parallel work, with long rows on either side and both.
        for (every, max_influences) in [(1, 4), (3, 4), (2, 8)] {
            let vertices = (0..9_000).step_by(every).map(VertexIndex).collect();
            let (list, _) = RowList::made(vertices, max_influences, |_, vertex| (row(vertex.0.wrapping_mul(13)), ()));
            check_swap(table(9_000, 4, 1), list);
        }
    }

    proptest! {
        #[test]
        fn lists_in_any_order_swap_like_their_rows(vertices in Just((0..40_u32).collect::<Vec<_>>()).prop_shuffle(), n in 0..40_usize) {
            let rows: RowList = vertices[..n].iter().map(|&v| (VertexIndex(v), row(v * 7))).collect();
            check_swap(table(40, 4, 3), rows);
        }
    }

    #[test]
    fn what_is_kept_of_a_list_keeps_its_order_and_rows() {
        let mut list: RowList = (0..200).rev().map(|v| (VertexIndex(v), row(v))).collect();
        list.retain(|_, vertex, row| vertex.0.is_multiple_of(2) && !row.is_empty());
        let expected = (0..200).rev().filter(|v| v % 2 == 0).map(|v| (VertexIndex(v), row(v)));
        assert_eq!(list, expected.filter(|(_, row)| !row.is_empty()).collect());
    }
}
