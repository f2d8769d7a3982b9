//! Many rows of a table at once, in parallel pieces.

use rayon::prelude::*;

use super::{OVERFLOW, WeightTable};
use crate::ids::{JointSlot, VertexIndex};
use crate::row::Row;

/// Rows that one thread handles in one go.
const PIECE: usize = 4096;

/// Consecutive rows in the flat arrays.
struct Part<'a> {
    first: usize,
    stride: usize,
    lens: &'a mut [u8],
    slots: &'a mut [JointSlot],
    weights: &'a mut [f32],
}

impl Part<'_> {
    fn split_at(self, vertex: usize) -> (Self, Self) {
        let Self { first, stride, .. } = self;
        let n = vertex - first;
        let (lens, more_lens) = self.lens.split_at_mut(n);
        let (slots, more_slots) = self.slots.split_at_mut(n * stride);
        let (weights, more_weights) = self.weights.split_at_mut(n * stride);
        let after = Part { first: vertex, stride, lens: more_lens, slots: more_slots, weights: more_weights };
        (Part { first, stride, lens, slots, weights }, after)
    }

    /// Exchanges two rows of tables that are laid out alike, or returns false because one is long.
    #[inline]
    fn swap(&mut self, vertex: usize, other: &mut Self, place: usize) -> bool {
        let (at, to, n) = (vertex - self.first, place - other.first, self.stride);
        if self.lens[at] == OVERFLOW || other.lens[to] == OVERFLOW {
            return false;
        }
        std::mem::swap(&mut self.lens[at], &mut other.lens[to]);
        self.slots[at * n..][..n].swap_with_slice(&mut other.slots[to * n..][..n]);
        self.weights[at * n..][..n].swap_with_slice(&mut other.weights[to * n..][..n]);
        true
    }

    /// Puts a row of rising slots in an empty place, or returns false because it is long.
    #[inline]
    fn put(&mut self, at: usize, row: &Row) -> bool {
        if row.len() > self.stride {
            self.lens[at] = OVERFLOW;
            return false;
        }
        self.lens[at] = row.len() as u8;
        let slots = self.slots[at * self.stride..].iter_mut();
        let places = slots.zip(&mut self.weights[at * self.stride..]);
        for ((slot, weight), influence) in places.zip(row.influences()) {
            (*slot, *weight) = (influence.slot, influence.weight);
        }
        true
    }
}

impl WeightTable {
    /// Fills a table of empty rows: each gets what `make` makes for its place. What else it says of a row goes into `said`.
    /// `[n_vertices]`
    pub(crate) fn fill<T: Send>(&mut self, said: &mut [T], make: impl Fn(usize) -> (Row, T) + Sync) {
        let pieces = self.pieces();
        let long: Vec<Vec<(VertexIndex, Row)>> = pieces
            .into_par_iter()
            .zip(said.par_chunks_mut(PIECE))
            .map(|(mut part, said)| {
                let mut long = Vec::new();
                for (at, said) in said.iter_mut().enumerate() {
                    let place = part.first + at;
                    let (mut row, says) = make(place);
                    *said = says;
                    if !row.is_sorted() {
                        row.sort();
                    }
                    if !part.put(at, &row) {
                        long.push((VertexIndex::from_idx(place), row));
                    }
                }
                long
            })
            .collect();
        self.overflow.extend(long.into_iter().flatten());
    }

    /// Exchanges the rows of some vertices with those at their places in another table.
    pub(crate) fn swap_some(&mut self, vertices: &[VertexIndex], other: &mut Self) {
        if self.stride != other.stride || !vertices.is_sorted_by(|a, b| a < b) {
            vertices.iter().enumerate().for_each(|(place, &vertex)| self.swap_with(vertex, other, place));
            return;
        }
        let mut rest = self.whole();
        let mut parts = Vec::with_capacity(vertices.len().div_ceil(PIECE));
        for some in vertices.chunks(PIECE) {
            let end = some.last().map_or(rest.first, |last| last.idx() + 1);
            let (part, after) = rest.split_at(end);
            parts.push((part, some));
            rest = after;
        }
        let long: Vec<Vec<usize>> = parts
            .into_par_iter()
            .zip(other.pieces())
            .map(|((mut part, some), mut theirs)| {
                let places = (theirs.first..).zip(some);
                places
                    .filter_map(|(place, &vertex)| (!part.swap(vertex.idx(), &mut theirs, place)).then_some(place))
                    .collect()
            })
            .collect();
        for place in long.into_iter().flatten() {
            self.swap_with(vertices[place], other, place);
        }
    }

    fn swap_with(&mut self, vertex: VertexIndex, other: &mut Self, place: usize) {
        let mut row = other.get(VertexIndex::from_idx(place));
        self.swap(vertex, &mut row);
        other.set(VertexIndex::from_idx(place), &row);
    }

    fn whole(&mut self) -> Part<'_> {
        let Self { stride, lens, slots, weights, .. } = self;
        Part { first: 0, stride: *stride, lens, slots, weights }
    }

    fn pieces(&mut self) -> Vec<Part<'_>> {
        let n_vertices = self.n_vertices();
        let mut rest = self.whole();
        let mut pieces = Vec::with_capacity(n_vertices.div_ceil(PIECE));
        while rest.first < n_vertices {
            let end = n_vertices.min(rest.first + PIECE);
            let (piece, after) = rest.split_at(end);
            pieces.push(piece);
            rest = after;
        }
        pieces
    }
}
