//! Smoothing whole rows over the welded surface.

mod field;

use rayon::prelude::*;
use sinew_model::{Influence, JointSlot, Row, VertexIndex, WeightTable};

use crate::holds::Holds;
use crate::share::{Held, share_out, tolerance};
use field::{Accumulator, Block, Field};

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
/// [`crate::NEGLIGIBLE`] go and the row is rescaled.
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
    let mut now = Field::pack(field.n_groups, |group| start(group).map(|v| table.row(v)), &is_selected, holds);
    let mut next = now.clone();
    for _ in 0..settings.iterations {
        next.blocks.par_iter_mut().enumerate().for_each_init(
            || Accumulator::new(now.width),
            |accumulator, (b, block)| {
                if now.blocks[b].n_moving > 0 {
                    kernel.step(block, &now, b, &field.neighbours, accumulator);
                }
            },
        );
        std::mem::swap(&mut now, &mut next);
    }
    let changed: Vec<Vec<(VertexIndex, Row)>> = now
        .blocks
        .par_iter()
        .map_init(
            || vec![0.0; now.width],
            |scratch, block| {
                let mut changed = Vec::new();
                for (local, group) in block.groups.clone().enumerate().filter(|&(local, _)| block.room[local] > 0.0) {
                    let Some(first) = start(group) else { continue };
                    let before = table.get(first);
                    let Some(row) = settle(&before, block, local, holds, scratch) else { continue };
                    // Twins have equal rows, but perhaps in another order.
                    for twin in (field.members)(group).iter().skip(1).copied().map(VertexIndex) {
                        if !table.get(twin).same_influences(&row) {
                            changed.push((twin, row.clone()));
                        }
                    }
                    if before != row {
                        changed.push((first, row));
                    }
                }
                changed
            },
        )
        .collect();
    let mut changed: Vec<(VertexIndex, Row)> = changed.into_iter().flatten().collect();
    if !changed.is_sorted_by_key(|(vertex, _)| *vertex) {
        changed.sort_unstable_by_key(|(vertex, _)| *vertex);
    }
    changed
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
        now: &Field,
        b: usize,
        neighbours: impl Fn(u32) -> &'g [u32],
        accumulator: &mut Accumulator,
    ) {
        let block = &now.blocks[b];
        next.clear_as(block.is_dense_next(now.width), now.width);
        for (local, group) in block.groups.clone().enumerate() {
            let room = f64::from(block.room[local]);
            let mut n_counted = 0_u32;
            if room > 0.0 {
                for &neighbour in neighbours(group) {
                    let (block, local) = now.at(neighbour);
                    n_counted += u32::from(!block.is_empty[local]);
                    accumulator.add(block.row(local), 1.0);
                }
            }
            let is_empty = block.is_empty[local];
            let mut factor = 1.0;
            if n_counted == 0 {
                accumulator.add(block.row(local), 1.0);
            } else {
                // Without holds all rows sum to 1, and the mean needs no rescaling: what is equal all over keeps its bits.
                let n_counted = f64::from(n_counted);
                let mut scale = 1.0 / n_counted;
                if self.has_holds {
                    let total = accumulator.total();
                    if (total * scale - room).abs() > tolerance(1) {
                        scale = room / total;
                    }
                }
                let strength = if is_empty { 1.0 } else { self.strength };
                factor = strength * scale;
                if strength < 1.0 {
                    accumulator.add(block.row(local), (1.0 - strength) / factor);
                }
            }
            next.is_empty[local] = is_empty && n_counted == 0;
            let room = if n_counted == 0 { 0.0 } else { room };
            next.push_from(accumulator, factor, room);
        }
    }
}

/// The whole row again: held weights to the bit, free ones from the block, in the stored order, new ones behind.
/// None if nothing valid came out. `scratch` is 0 before and after. `[width]`
fn settle(before: &Row, block: &Block, local: usize, holds: Holds<'_>, scratch: &mut [f32]) -> Option<Row> {
    let free = block.row(local);
    free.each(|slot, weight| scratch[slot] = weight);
    let mut row = Row::new();
    for i in before.influences() {
        if holds.holds(i.slot) {
            row.push(*i);
        } else if let Some(weight) = scratch.get_mut(i.slot.idx()).filter(|weight| **weight > 0.0) {
            row.push(Influence { slot: i.slot, weight: std::mem::take(weight) });
        }
    }
    free.each(|slot, _| {
        let weight = std::mem::take(&mut scratch[slot]);
        if weight > 0.0 {
            row.push(Influence { slot: JointSlot::from_idx(slot), weight });
        }
    });
    let slack = tolerance(row.len());
    if (row.sum_f64() - 1.0).abs() > slack {
        let Held::Sum(held) = Held::of(&row, None, holds) else { return None };
        share_out(&mut row, held, None, holds, 0.0);
    }
    ((row.sum_f64() - 1.0).abs() <= slack).then_some(row)
}

#[cfg(test)]
mod tests {
    use sinew_model::JointSlot;

    use super::*;

    /// A grid of groups, four neighbours each; every second column is a seam: its groups have two vertices.
    struct Grid {
        members: Vec<Vec<u32>>,
        neighbours: Vec<Vec<u32>>,
        table: WeightTable,
    }

    impl Grid {
        fn new(width: u32, height: u32, row_at: impl Fn(u32, u32) -> Row) -> Self {
            let n_groups = width * height;
            let (mut members, mut neighbours) = (Vec::new(), Vec::new());
            let mut n_vertices = n_groups;
            for y in 0..height {
                for x in 0..width {
                    let group = y * width + x;
                    let mut own = vec![group];
                    if x % 2 == 1 {
                        own.push(n_vertices);
                        n_vertices += 1;
                    }
                    members.push(own);
                    let mut around = Vec::new();
                    around.extend((x > 0).then(|| group - 1));
                    around.extend((x + 1 < width).then(|| group + 1));
                    around.extend((y > 0).then(|| group - width));
                    around.extend((y + 1 < height).then(|| group + width));
                    neighbours.push(around);
                }
            }
            let mut table = WeightTable::new(n_vertices as usize, 4);
            for (group, own) in members.iter().enumerate() {
                for &v in own {
                    table.set(VertexIndex(v), &row_at(group as u32 % width, group as u32 / width));
                }
            }
            Self { members, neighbours, table }
        }

        fn smooth(
            &self,
            is_selected: impl Fn(u32) -> bool + Sync,
            iterations: u32,
            strength: f32,
            holds: Holds<'_>,
        ) -> Vec<(VertexIndex, Row)> {
            let field = SmoothField {
                n_groups: self.members.len(),
                members: |group: u32| self.members[group as usize].as_slice(),
                neighbours: |group: u32| self.neighbours[group as usize].as_slice(),
            };
            smooth(&self.table, field, is_selected, SmoothSettings { iterations, strength }, holds)
        }

        fn after(&self, changed: &[(VertexIndex, Row)]) -> WeightTable {
            let mut table = self.table.clone();
            for (vertex, row) in changed {
                table.set(*vertex, row);
            }
            table
        }
    }

    fn row(influences: &[(u16, f32)]) -> Row {
        influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
    }

    /// Joint 1 rises from 0 to 1 with y; joint 2 sits in a corner.
    fn ramp(height: u32) -> impl Fn(u32, u32) -> Row {
        move |x, y| {
            let t = if y * 2 < height { 0.0 } else { 1.0 };
            if (x, y) == (0, 0) { row(&[(2, 1.0)]) } else { row(&[(0, 1.0 - t), (1, t)]) }
        }
    }

    #[test]
    fn twins_over_a_seam_stay_equal_to_the_bit() {
        // B32
        let grid = Grid::new(6, 5, ramp(5));
        let changed = grid.smooth(|group| (6..24).contains(&group), 10, 1.0, Holds::NONE);
        assert!(!changed.is_empty());
        let after = grid.after(&changed);
        for own in grid.members.iter().filter(|own| own.len() > 1) {
            assert_eq!(after.get(VertexIndex(own[0])), after.get(VertexIndex(own[1])));
        }
        // Both twins of a group that changed are told.
        assert!(changed.iter().any(|(v, _)| v.0 >= 30) && changed.is_sorted_by_key(|(v, _)| *v));
    }

    /// Smooths everything and compares with averaging one joint at a time in double precision.
    #[track_caller]
    fn check_against_plain_averaging(grid: &Grid, n_slots: u16, strength: f32) {
        let after = grid.after(&grid.smooth(|_| true, 7, strength, Holds::NONE));
        assert!(after.vertices().all(|v| after.get(v).check().is_ok()));
        for slot in (0..n_slots).map(JointSlot) {
            let weight = |g: usize| f64::from(grid.table.weight(VertexIndex::from_idx(g), slot));
            let mut now: Vec<f64> = (0..grid.members.len()).map(weight).collect();
            for _ in 0..7 {
                let mean = |g: usize| {
                    let around = &grid.neighbours[g];
                    around.iter().map(|&n| now[n as usize]).sum::<f64>() / around.len() as f64
                };
                now = (0..now.len()).map(|g| now[g] + f64::from(strength) * (mean(g) - now[g])).collect();
            }
            for (g, &expected) in now.iter().enumerate() {
                let found = f64::from(after.weight(VertexIndex::from_idx(g), slot));
                assert!((found - expected).abs() < 2e-6, "group {g}, slot {slot}: {found}, expected {expected}");
            }
        }
    }

    #[test]
    fn the_result_is_that_of_plain_averaging_in_double_precision() {
        check_against_plain_averaging(&Grid::new(40, 40, ramp(40)), 3, 0.6);
        // Rows long enough to be worked on dense; halfway, rows that become so: 4 of 100 joints at random.
        let long = |x: u32, y: u32| (0..20).map(|k| (JointSlot((7 * k + (x * y) as u16) % 100), 0.05)).collect();
        check_against_plain_averaging(&Grid::new(40, 40, long), 100, 1.0);
        let scattered =
            |x: u32, y: u32| (0..4).map(|k| (JointSlot(((x * 31 + y * 57 + k * 13) % 100) as u16), 0.25)).collect();
        check_against_plain_averaging(&Grid::new(40, 40, scattered), 100, 0.5);
    }

    #[test]
    fn what_is_equal_all_over_is_not_rewritten() {
        let short = row(&[(4, 0.1), (0, 0.7), (9, 0.2)]);
        let long: Row = (0..20).map(|slot| (JointSlot(slot * 3), 0.05)).collect();
        for (equal, strength) in [(&short, 1.0), (&short, 0.3), (&long, 1.0), (&long, 0.3)] {
            assert_eq!(Grid::new(9, 9, |_, _| equal.clone()).smooth(|_| true, 10, strength, Holds::NONE), []);
        }
    }

    #[test]
    fn locked_weights_stay_to_the_bit_and_rows_still_sum_to_one() {
        // Short rows, and rows long enough to be worked on dense.
        for n_free in [1, 20] {
            let grid = Grid::new(8, 8, |x, y| {
                let locked = 0.05 * (x + 1) as f32;
                let mut own = row(&[(0, locked)]);
                for k in 0..n_free {
                    own.set(JointSlot(1 + k + if y < 4 { 0 } else { 10 }), (1.0 - locked) / f32::from(n_free));
                }
                own
            });
            let changed = grid.smooth(|_| true, 5, 0.8, Holds::locks(&[true]));
            assert!(!changed.is_empty());
            for (vertex, row) in &changed {
                assert_eq!(row.check(), Ok(()));
                let before = grid.table.weight(*vertex, JointSlot(0));
                assert_eq!(row.weight(JointSlot(0)).to_bits(), before.to_bits());
            }
        }
    }

    #[test]
    fn unselected_groups_stay_and_still_count_as_neighbours() {
        let grid = Grid::new(3, 1, |x, _| Row::rigid(JointSlot(x as u16)));
        let changed = grid.smooth(|group| group == 1, 1, 0.5, Holds::NONE);
        let expected = row(&[(1, 0.5), (0, 0.25), (2, 0.25)]);
        assert_eq!(changed, [(VertexIndex(1), expected.clone()), (VertexIndex(3), expected)]);
    }

    #[test]
    fn an_unweighted_vertex_gets_the_mean_and_gives_nothing() {
        let grid = Grid::new(3, 1, |x, _| if x == 1 { Row::new() } else { Row::rigid(JointSlot(x as u16)) });
        let after = grid.after(&grid.smooth(|_| true, 1, 0.1, Holds::NONE));
        assert_eq!(after.get(VertexIndex(1)), row(&[(0, 0.5), (2, 0.5)]));
        assert_eq!(after.get(VertexIndex(0)), Row::rigid(JointSlot(0)));
    }

    #[test]
    fn off_sum_and_unusable_rows_end_as_valid_rows() {
        let grid = Grid::new(5, 5, |x, y| match (x + y) % 4 {
            0 => row(&[(0, 1.4), (1, 0.9)]),
            1 => row(&[(0, f32::NAN), (2, 0.5)]),
            2 => row(&[(1, f32::INFINITY), (3, -1.0)]),
            _ => row(&[(700, 1e-30), (1, f32::MAX)]),
        });
        let changed = grid.smooth(|_| true, 4, 0.7, Holds::NONE);
        assert!(changed.iter().all(|(_, row)| row.check().is_ok()));
        assert_eq!(changed.len(), grid.table.n_vertices());
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_bit() {
        let grid = Grid::new(90, 60, ramp(60));
        let with = |n| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads start");
            pool.install(|| grid.smooth(|_| true, 6, 0.9, Holds::NONE))
        };
        assert_eq!(with(1), with(5));
    }
}
