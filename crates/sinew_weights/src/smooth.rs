//! Smoothing whole rows over the welded surface.

use std::ops::Range;

use rayon::prelude::*;
use sinew_model::{Influence, Row, RowRef, VertexIndex, WeightTable};

use crate::holds::Holds;
use crate::share::{Held, NEGLIGIBLE, is_usable, share_out, tolerance};

/// The welded surface that weights are smoothed over. Groups are numbered from 0; a vertex is in one group.
#[derive(Clone, Copy, Debug)]
pub struct SmoothField<M, N> {
    /// How many weld groups there are.
    pub n_groups: usize,
    /// The vertices of a group. The first one's row stands for all.
    pub members: M,
    /// The groups that share an edge with a group.
    pub neighbours: N,
}

/// How much is smoothed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmoothSettings {
    /// How often every vertex moves toward the mean of its neighbours.
    pub iterations: u32,
    /// How far it moves each time, 0 to 1.
    pub strength: f32,
}

/// Moves the rows of all groups that `is_selected` picks toward the mean of their neighbours' rows, all influences at
/// once; every iteration reads only the one before (Jacobi), so the order of vertices does not matter. Returns the
/// rows that changed, vertices rising; vertices of one group get the same row to the bit.
///
/// Neighbours outside the selection take part as they are; unweighted ones do not; off-sum rows count divided by their
/// sum. Held weights stay to the bit, and the free part is scaled to what they leave. A selected unweighted vertex gets
/// the mean as its row. A vertex whose held weights leave no room stays. After each iteration influences below
/// [`NEGLIGIBLE`] go and the row is rescaled.
pub fn smooth<'g>(
    table: &WeightTable,
    field: SmoothField<impl Fn(u32) -> &'g [u32] + Sync, impl Fn(u32) -> &'g [u32] + Sync>,
    is_selected: impl Fn(u32) -> bool + Sync,
    settings: SmoothSettings,
    holds: Holds<'_>,
) -> Vec<(VertexIndex, Row)> {
    let strength = f64::from(settings.strength).min(1.0);
    if settings.iterations == 0 || strength.is_nan() || strength <= 0.0 {
        return Vec::new();
    }
    let kernel = Kernel { strength, has_holds: !holds.is_none() };
    let start = |group: u32| -> Option<VertexIndex> { (field.members)(group).first().copied().map(VertexIndex) };
    let mut now = Blocks(
        ranges(field.n_groups)
            .into_par_iter()
            .map(|groups| Block::pack(groups, |group| start(group).map(|v| table.row(v)), &is_selected, holds))
            .collect(),
    );
    let n_slots = now.0.iter().map(|block| block.n_slots).max().unwrap_or(0);
    let mut next = now.clone();
    for _ in 0..settings.iterations {
        next.0.par_iter_mut().enumerate().for_each_init(
            || Accumulator::new(n_slots),
            |accumulator, (b, block)| {
                if now.0[b].n_moving > 0 {
                    kernel.step(block, &now, b, &field.neighbours, accumulator);
                }
            },
        );
        std::mem::swap(&mut now, &mut next);
    }
    let changed: Vec<Vec<(VertexIndex, Row)>> = now
        .0
        .par_iter()
        .map(|block| {
            let mut changed = Vec::new();
            for group in block.groups.clone().filter(|&group| block.moves(group)) {
                let Some(first) = start(group) else { continue };
                let Some(row) = settle(&table.get(first), now.row(group), holds) else { continue };
                for vertex in (field.members)(group).iter().copied().map(VertexIndex) {
                    if !table.get(vertex).same_influences(&row) {
                        changed.push((vertex, row.clone()));
                    }
                }
            }
            changed
        })
        .collect();
    let mut changed: Vec<(VertexIndex, Row)> = changed.into_iter().flatten().collect();
    if !changed.is_sorted_by_key(|(vertex, _)| *vertex) {
        changed.sort_unstable_by_key(|(vertex, _)| *vertex);
    }
    changed
}

/// Groups in one block: few enough for a block to stay in a core's cache, many enough to be worth a task.
const BLOCK: usize = 1024;

fn ranges(n_groups: usize) -> Vec<Range<u32>> {
    (0..n_groups).step_by(BLOCK).map(|first| first as u32..(first + BLOCK).min(n_groups) as u32).collect()
}

/// The free influences of consecutive groups, packed end to end, rows sorted by slot after the first iteration.
#[derive(Clone)]
struct Block {
    groups: Range<u32>,
    /// Where rows end. `[n + 1]`, the first is 0.
    ends: Vec<u32>,
    influences: Vec<Influence>,
    /// What the held weights leave a group; negative for groups that do not move. `[n]`
    room: Vec<f32>,
    n_moving: usize,
    n_slots: usize,
}

#[derive(Clone)]
struct Blocks(Vec<Block>);

impl Block {
    fn pack<'t>(
        groups: Range<u32>,
        row_of: impl Fn(u32) -> Option<RowRef<'t>>,
        is_selected: impl Fn(u32) -> bool,
        holds: Holds<'_>,
    ) -> Self {
        let n = groups.len();
        let mut block = Self {
            groups: groups.clone(),
            ends: Vec::with_capacity(n + 1),
            influences: Vec::new(),
            room: Vec::with_capacity(n),
            n_moving: 0,
            n_slots: 0,
        };
        block.ends.push(0);
        for group in groups {
            let room = match row_of(group) {
                Some(row) => block.push_row(row, holds),
                None => -1.0,
            };
            let moves = room > 0.0 && is_selected(group);
            block.n_moving += usize::from(moves);
            block.room.push(if moves { room } else { -1.0 });
            block.ends.push(block.influences.len() as u32);
        }
        block
    }

    /// Appends the free part of a row, scaled to its room where it is off; returns the room, 0 if there is none.
    fn push_row(&mut self, row: RowRef<'_>, holds: Holds<'_>) -> f32 {
        let (mut held, mut free) = (0.0, 0.0);
        let mut is_valid = true;
        let start = self.influences.len();
        row.for_each(|i| {
            if holds.holds(i.slot) {
                is_valid &= i.weight == 0.0 || is_usable(i.weight);
                held += f64::from(i.weight);
            } else if is_usable(i.weight) {
                free += f64::from(i.weight);
                self.influences.push(i);
                self.n_slots = self.n_slots.max(i.slot.idx() + 1);
            }
        });
        let slack = tolerance(row.len());
        let room = 1.0 - held;
        // Where the held part is broken, the free part is only read by the neighbours, in its proportion.
        let room = if is_valid && room > slack { room } else { 0.0 };
        let aim = if room > 0.0 { room } else { 1.0 };
        if free > 0.0 && (free - aim).abs() > slack {
            for i in &mut self.influences[start..] {
                i.weight = (f64::from(i.weight) * aim / free) as f32;
            }
        }
        room as f32
    }

    fn moves(&self, group: u32) -> bool {
        self.room[(group - self.groups.start) as usize] > 0.0
    }

    fn row(&self, local: usize) -> &[Influence] {
        &self.influences[self.ends[local] as usize..self.ends[local + 1] as usize]
    }
}

impl Blocks {
    #[inline]
    fn row(&self, group: u32) -> &[Influence] {
        self.0[group as usize / BLOCK].row(group as usize % BLOCK)
    }
}

/// Sums by slot, and which slots have one.
struct Accumulator {
    /// `[n_slots]`, 0 between uses
    sums: Vec<f64>,
    /// One bit a slot, 0 between uses
    touched: Vec<u64>,
}

impl Accumulator {
    fn new(n_slots: usize) -> Self {
        let n_words = n_slots.div_ceil(64);
        Self { sums: vec![0.0; n_words * 64], touched: vec![0; n_words] }
    }

    #[inline]
    fn add(&mut self, row: &[Influence], factor: f64) {
        for i in row {
            let slot = i.slot.idx();
            self.sums[slot] += f64::from(i.weight) * factor;
            self.touched[slot / 64] |= 1 << (slot % 64);
        }
    }

    fn total(&self) -> f64 {
        self.sums.iter().sum()
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

struct Kernel {
    strength: f64,
    has_holds: bool,
}

impl Kernel {
    /// One iteration of one block: reads `now`, writes `next`.
    fn step<'g>(
        &self,
        next: &mut Block,
        now: &Blocks,
        b: usize,
        neighbours: impl Fn(u32) -> &'g [u32],
        accumulator: &mut Accumulator,
    ) {
        next.influences.clear();
        for (local, group) in now.0[b].groups.clone().enumerate() {
            let own = now.0[b].row(local);
            let room = f64::from(now.0[b].room[local]);
            let mut n_counted = 0_u32;
            if room > 0.0 {
                for &neighbour in neighbours(group) {
                    let row = now.row(neighbour);
                    n_counted += u32::from(!row.is_empty());
                    accumulator.add(row, 1.0);
                }
            }
            if n_counted == 0 {
                next.influences.extend_from_slice(own);
            } else {
                self.emit(next, own, room, f64::from(n_counted), accumulator);
            }
            next.ends[local + 1] = next.influences.len() as u32;
        }
    }

    /// Blends the own row into the neighbours' sums and writes the result.
    fn emit(&self, next: &mut Block, own: &[Influence], room: f64, n_counted: f64, accumulator: &mut Accumulator) {
        // Without holds all rows sum to 1, and the mean needs no rescaling: what is equal all over keeps its bits.
        let scale = if self.has_holds {
            let total = accumulator.total();
            if (total / n_counted - room).abs() <= tolerance(own.len()) { 1.0 / n_counted } else { room / total }
        } else {
            1.0 / n_counted
        };
        let strength = if own.is_empty() { 1.0 } else { self.strength };
        if strength < 1.0 {
            accumulator.add(own, (1.0 - strength) / (strength * scale));
        }
        let factor = strength * scale;
        let start = next.influences.len();
        let mut dropped = 0.0;
        accumulator.drain(|slot, sum| {
            let weight = (sum * factor) as f32;
            if weight >= NEGLIGIBLE {
                next.influences.push(Influence { slot: sinew_model::JointSlot::from_idx(slot), weight });
            } else {
                dropped += f64::from(weight);
            }
        });
        if dropped > 0.0 && dropped < room {
            let up = room / (room - dropped);
            for i in &mut next.influences[start..] {
                i.weight = (f64::from(i.weight) * up) as f32;
            }
        }
    }
}

/// The whole row again: held weights to the bit, free ones from the field, in the stored order, new ones behind.
/// None if nothing valid came out.
fn settle(before: &Row, free: &[Influence], holds: Holds<'_>) -> Option<Row> {
    let mut row = Row::new();
    for i in before.influences() {
        if holds.holds(i.slot) {
            row.push(*i);
        } else if let Some(now) = free.iter().find(|now| now.slot == i.slot) {
            row.push(*now);
        }
    }
    for now in free {
        if !before.influences().iter().any(|i| i.slot == now.slot) {
            row.push(*now);
        }
    }
    if row.check().is_err() {
        let Held::Sum(held) = Held::of(&row, None, holds) else { return None };
        share_out(&mut row, held, None, holds, 0.0);
    }
    row.check().is_ok().then_some(row)
}
