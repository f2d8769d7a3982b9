//! Rows as they were before a stroke.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use sinew_model::{Row, RowList, RowRef, VertexIndex};

/// The row before the stroke of every vertex that it changed.
///
/// Dabs come to a few vertices again and again; a gradient comes to very many at once, or part by part. Those are kept as
/// they were swapped out.
#[derive(Default)]
pub struct RowsBefore {
    /// Large changes, each by rising vertex; no vertex is in two of them.
    many: Vec<RowList>,
    /// All others. Nothing may depend on their order.
    few: HashMap<VertexIndex, Row, BuildHasherDefault<Spread>>,
}

/// Amounts by weld group. Nothing may depend on its order.
pub(super) type Amounts = HashMap<u32, f32, BuildHasherDefault<Spread>>;

impl RowsBefore {
    /// The row before the stroke; `None` if the stroke has not changed it.
    pub fn get(&self, vertex: VertexIndex) -> Option<RowRef<'_>> {
        match self.few.get(&vertex) {
            Some(row) => Some(RowRef::Long(row.influences())),
            None => self.of_many(vertex),
        }
    }

    fn of_many(&self, vertex: VertexIndex) -> Option<RowRef<'_>> {
        self.many.iter().find_map(|rows| rows.of(vertex))
    }

    /// Keeps rows that a change took out, but those that are kept already.
    pub(super) fn keep(&mut self, rows: Vec<(VertexIndex, Row)>) {
        self.few.reserve(rows.len());
        for (vertex, row) in rows {
            if self.of_many(vertex).is_none() {
                self.few.entry(vertex).or_insert(row);
            }
        }
    }

    /// [`RowsBefore::keep`] for many, by rising vertex.
    pub(super) fn keep_many(&mut self, mut rows: RowList) {
        if !self.many.is_empty() || !self.few.is_empty() {
            rows.retain(|_, vertex, _| self.get(vertex).is_none());
        }
        if !rows.is_empty() {
            self.many.push(rows);
        }
    }

    /// Some of the rows, by rising vertex: those of one change if it was large. They are no longer kept. `None` once none
    /// is.
    pub(super) fn take_some(&mut self, max_influences: usize) -> Option<RowList> {
        if self.few.is_empty() {
            return self.many.pop();
        }
        let few = Self { many: Vec::new(), few: std::mem::take(&mut self.few) };
        Some(few.into_list(max_influences))
    }

    /// How many rows are kept.
    pub(super) fn len(&self) -> usize {
        self.few.len() + self.many.iter().map(RowList::len).sum::<usize>()
    }

    /// The vertices, in any order.
    pub(super) fn vertices(&self) -> impl Iterator<Item = VertexIndex> + '_ {
        self.few.keys().chain(self.many.iter().flat_map(RowList::vertices)).copied()
    }

    /// All rows, by rising vertex. Those of up to `max_influences` are packed.
    pub(super) fn into_list(self, max_influences: usize) -> RowList {
        let Self { mut many, few } = self;
        if few.is_empty() && many.len() < 2 {
            return many.pop().unwrap_or_default();
        }
        let mut rows: Vec<(VertexIndex, Row)> = few.into_iter().collect();
        rows.extend(many.iter().flat_map(RowList::iter).map(|(vertex, row)| (vertex, row.to_row())));
        rows.sort_unstable_by_key(|(vertex, _)| *vertex);
        RowList::packed(rows, max_influences)
    }
}

/// Spreads numbers over a table: they are distinct, and nobody chooses them to collide.
#[derive(Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
