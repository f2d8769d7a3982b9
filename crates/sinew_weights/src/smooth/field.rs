//! Weights as smoothing works on them: packed rows in blocks, short ones sparse, long ones dense.

use std::ops::Range;

use rayon::prelude::*;
use sinew_model::{Influence, JointSlot, RowRef};

use crate::holds::Holds;
use crate::share::{NEGLIGIBLE, is_usable, tolerance};

/// Groups in one block: few enough for a block to stay in a core's cache, many enough to be worth a task.
const BLOCK: usize = 1024;

/// Rows of a block turn dense once they are on average longer than this part of the width: adding up a dense row
/// costs a fraction of a sparse one per slot, because it needs no indices.
const DENSE_PART: usize = 8;

/// The free weights of all groups.
#[derive(Clone)]
pub(super) struct Field {
    pub(super) blocks: Vec<Block>,
    /// Slots of a dense row: all that occur, rounded up to a multiple of 64.
    pub(super) width: usize,
}

/// The free weights of consecutive groups.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) groups: Range<u32>,
    rows: Rows,
    /// Whether a group has no free weight. `[n]`
    pub(super) is_empty: Vec<bool>,
    /// What the held weights leave a group; negative for groups that do not move. `[n]`
    pub(super) room: Vec<f32>,
    pub(super) n_moving: usize,
}

#[derive(Clone)]
enum Rows {
    /// End to end, each sorted by slot; `ends` says where each ends. `[n]`
    Sparse { ends: Vec<u32>, influences: Vec<Influence> },
    /// `[n * width]`
    Dense { width: usize, weights: Vec<f32> },
}

/// One row of a block.
#[derive(Clone, Copy)]
pub(super) enum RowView<'a> {
    Sparse(&'a [Influence]),
    Dense(&'a [f32]),
}

impl Field {
    /// Takes the rows of `n_groups` groups; only groups that `is_selected` picks move.
    pub(super) fn pack<'t>(
        n_groups: usize,
        row_of: impl Fn(u32) -> Option<RowRef<'t>> + Sync,
        is_selected: impl Fn(u32) -> bool + Sync,
        holds: Holds<'_>,
    ) -> Self {
        let ranges: Vec<Range<u32>> =
            (0..n_groups).step_by(BLOCK).map(|first| first as u32..(first + BLOCK).min(n_groups) as u32).collect();
        let (blocks, n_slots): (Vec<Block>, Vec<usize>) =
            ranges.into_par_iter().map(|groups| Block::pack(groups, &row_of, &is_selected, holds)).unzip();
        let width = n_slots.into_iter().max().unwrap_or(0).next_multiple_of(64);
        Self { blocks, width }
    }

    /// The block of a group, and its place there.
    #[inline]
    pub(super) fn at(&self, group: u32) -> (&Block, usize) {
        (&self.blocks[group as usize / BLOCK], group as usize % BLOCK)
    }
}

impl Block {
    /// The block, and how many slots its rows need.
    fn pack<'t>(
        groups: Range<u32>,
        row_of: impl Fn(u32) -> Option<RowRef<'t>>,
        is_selected: impl Fn(u32) -> bool,
        holds: Holds<'_>,
    ) -> (Self, usize) {
        let (mut ends, mut influences) = (Vec::with_capacity(groups.len()), Vec::new());
        let (mut is_empty, mut rooms) = (Vec::with_capacity(groups.len()), Vec::with_capacity(groups.len()));
        let (mut n_moving, mut n_slots) = (0, 0);
        for group in groups.clone() {
            let start = influences.len();
            let room = row_of(group).map_or(0.0, |row| push_free(&mut influences, row, holds));
            let row = &mut influences[start..];
            row.sort_unstable_by_key(|i| i.slot);
            n_slots = n_slots.max(row.last().map_or(0, |i| i.slot.idx() + 1));
            let moves = room > 0.0 && is_selected(group);
            n_moving += usize::from(moves);
            rooms.push(if moves { room } else { -1.0 });
            is_empty.push(row.is_empty());
            ends.push(influences.len() as u32);
        }
        (Self { groups, rows: Rows::Sparse { ends, influences }, is_empty, room: rooms, n_moving }, n_slots)
    }

    #[inline]
    pub(super) fn row(&self, local: usize) -> RowView<'_> {
        match &self.rows {
            Rows::Sparse { ends, influences } => {
                let start = if local == 0 { 0 } else { ends[local - 1] as usize };
                RowView::Sparse(&influences[start..ends[local] as usize])
            }
            Rows::Dense { width, weights } => RowView::Dense(&weights[local * width..(local + 1) * width]),
        }
    }

    /// Whether the next iteration of this block should be dense. Smoothing only makes rows longer.
    pub(super) fn is_dense_next(&self, width: usize) -> bool {
        match &self.rows {
            Rows::Sparse { ends, influences } => influences.len() * DENSE_PART > ends.len() * width,
            Rows::Dense { .. } => true,
        }
    }

    /// Empties the rows, to be filled again with [`Block::push_from`].
    pub(super) fn clear_as(&mut self, is_dense: bool, width: usize) {
        match &mut self.rows {
            Rows::Sparse { ends, influences } if !is_dense => {
                ends.clear();
                influences.clear();
            }
            Rows::Dense { weights, .. } if is_dense => weights.clear(),
            Rows::Sparse { .. } => {
                self.rows = Rows::Dense { width, weights: Vec::with_capacity(self.groups.len() * width) };
            }
            Rows::Dense { .. } => self.rows = Rows::Sparse { ends: Vec::new(), influences: Vec::new() },
        }
    }

    /// Appends a row: the sums times `factor`. Where there is `room`, influences below [`NEGLIGIBLE`] are left out and
    /// the others make up for it. The accumulator is empty afterwards.
    pub(super) fn push_from(&mut self, accumulator: &mut Accumulator, factor: f64, room: f64) {
        let least = if room > 0.0 { NEGLIGIBLE } else { f32::MIN_POSITIVE };
        match &mut self.rows {
            Rows::Sparse { ends, influences } => {
                let start = influences.len();
                let mut dropped = 0.0;
                accumulator.drain(|slot, sum| {
                    let weight = (sum * factor) as f32;
                    if weight >= least {
                        influences.push(Influence { slot: JointSlot::from_idx(slot), weight });
                    } else {
                        dropped += f64::from(weight);
                    }
                });
                let up = make_up(room, dropped);
                if up != 1.0 {
                    influences[start..].iter_mut().for_each(|i| i.weight = (f64::from(i.weight) * up) as f32);
                }
                ends.push(influences.len() as u32);
            }
            Rows::Dense { weights, .. } => {
                let start = weights.len();
                weights.extend(accumulator.sums.iter().map(|sum| (sum * factor) as f32));
                accumulator.clear();
                let row = &mut weights[start..];
                // Most rows have none so small; looking is quick, dropping is not.
                let n_small = row.iter().filter(|weight| **weight < least && **weight > 0.0).count();
                if n_small > 0 {
                    let mut dropped = 0.0;
                    for weight in row.iter_mut().filter(|weight| **weight < least) {
                        dropped += f64::from(std::mem::take(weight));
                    }
                    let up = make_up(room, dropped);
                    for weight in row {
                        *weight = (f64::from(*weight) * up) as f32;
                    }
                }
            }
        }
    }
}

/// The factor that makes up for what was dropped.
fn make_up(room: f64, dropped: f64) -> f64 {
    if dropped > 0.0 && dropped < room { room / (room - dropped) } else { 1.0 }
}

/// Appends the free part of a row, scaled to its room where it is off; returns the room, 0 if there is none.
fn push_free(influences: &mut Vec<Influence>, row: RowRef<'_>, holds: Holds<'_>) -> f32 {
    let (mut held, mut free) = (0.0, 0.0);
    let mut is_valid = true;
    let start = influences.len();
    row.for_each(|i| {
        if holds.holds(i.slot) {
            is_valid &= i.weight == 0.0 || is_usable(i.weight);
            held += f64::from(i.weight);
        } else if is_usable(i.weight) {
            free += f64::from(i.weight);
            influences.push(i);
        }
    });
    let slack = tolerance(row.len());
    // Where the held part is broken or full, the free part is only read by the neighbours.
    let room = if is_valid && 1.0 - held > slack { 1.0 - held } else { 0.0 };
    let aim = if room > 0.0 { room } else { 1.0 };
    if free > 0.0 && (free - aim).abs() > slack {
        influences[start..].iter_mut().for_each(|i| i.weight = (f64::from(i.weight) * aim / free) as f32);
    }
    room as f32
}

impl RowView<'_> {
    /// Calls `visit` for each slot that has weight, slots rising.
    pub(super) fn each(self, mut visit: impl FnMut(usize, f32)) {
        match self {
            Self::Sparse(influences) => influences.iter().for_each(|i| visit(i.slot.idx(), i.weight)),
            Self::Dense(weights) => {
                weights.iter().enumerate().filter(|(_, w)| **w > 0.0).for_each(|(slot, &weight)| visit(slot, weight));
            }
        }
    }
}

/// Sums by slot, and which slots have one.
pub(super) struct Accumulator {
    /// 0 between uses. `[width]`
    sums: Vec<f64>,
    /// One bit a slot, 0 between uses.
    touched: Vec<u64>,
}

impl Accumulator {
    pub(super) fn new(width: usize) -> Self {
        Self { sums: vec![0.0; width], touched: vec![0; width / 64] }
    }

    /// Adds `factor` times the row.
    #[inline]
    pub(super) fn add(&mut self, row: RowView<'_>, factor: f64) {
        match row {
            RowView::Sparse(influences) => {
                for i in influences {
                    let slot = i.slot.idx();
                    self.sums[slot] += f64::from(i.weight) * factor;
                    self.touched[slot / 64] |= 1 << (slot % 64);
                }
            }
            RowView::Dense(weights) => {
                for (sum, &weight) in self.sums.iter_mut().zip(weights) {
                    *sum += f64::from(weight) * factor;
                }
                self.touched.fill(u64::MAX);
            }
        }
    }

    /// The sum over all slots.
    pub(super) fn total(&self) -> f64 {
        self.sums.iter().sum()
    }

    fn clear(&mut self) {
        self.sums.fill(0.0);
        self.touched.fill(0);
    }

    /// Empties the accumulator into `visit`, slots rising.
    #[inline]
    fn drain(&mut self, mut visit: impl FnMut(usize, f64)) {
        for (word, bits) in self.touched.iter_mut().enumerate() {
            while *bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                visit(slot, self.sums[slot]);
                self.sums[slot] = 0.0;
            }
        }
    }
}
