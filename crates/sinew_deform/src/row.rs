//! The influences that count at a vertex, in an order that does not depend on how they are stored.

use sinew_model::{JointSlot, Row, UNWEIGHTED_SUM, VertexIndex};

use crate::input::{OffSum, SkinInput};
use crate::palette::Palette;

/// How far from 1 a sum in single precision may be so that the row is surely within its tolerance: less than
/// `Row::sum_tolerance` of any number of weights by more than the rounding of the sum.
const SURELY_ONE: f32 = 1.5e-7;

/// A slot and its weight in one number. Sorted by it, a row has the same order however it was stored, even where a
/// joint stands twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Share(u64);

impl Share {
    #[inline]
    pub fn new(at: usize, weight: f32) -> Self {
        Self((at as u64) << 32 | u64::from(weight.to_bits()))
    }

    /// Position in the palette.
    #[inline]
    pub fn at(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[inline]
    pub fn weight(self) -> f32 {
        f32::from_bits(self.0 as u32)
    }
}

/// The heaviest share; of equals the lowest slot. Shares are sorted.
#[inline]
pub fn heaviest(row: &[Share]) -> Option<Share> {
    row.iter().copied().reduce(|best, share| if share.weight() > best.weight() { share } else { best })
}

/// Rows of `N` places in the flat arrays of a weight table.
pub struct PackedRows<'a, const N: usize> {
    slots: &'a [[JointSlot; N]],
    weights: &'a [[f32; N]],
    n_checked: usize,
    divide: bool,
}

impl<'a, const N: usize> PackedRows<'a, N> {
    /// Without any row if the table is laid out otherwise.
    pub fn new(input: &SkinInput<'a>, palette: &Palette) -> Self {
        let table = input.weights();
        let (slots, weights) = if table.stride() == N {
            (table.slots(), table.weights())
        } else {
            (Default::default(), Default::default())
        };
        Self {
            slots: slots.as_chunks().0,
            weights: weights.as_chunks().0,
            n_checked: palette.n_checked(),
            divide: input.off_sum() == OffSum::Divide,
        }
    }

    /// The row of a vertex if there is nothing to look at twice: it is short, its weights are finite and need not be
    /// divided, and its joints exist. Else `None`: see [`CarefulRow`].
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the kernels' innermost step: out of line it costs more than it does")]
    pub fn row(&self, vertex: usize) -> Option<[Share; N]> {
        let (slots, weights) = (self.slots.get(vertex)?, self.weights.get(vertex)?);
        let mut row = [Share::default(); N];
        for i in 0..N {
            row[i] = Share::new(slots[i].idx(), weights[i]);
        }
        sort(&mut row);
        // Summed only now, so that which way a row takes does not depend on how it is stored either.
        let mut sum = row[0].weight();
        for share in &row[1..] {
            sum += share.weight();
        }
        let plain =
            if self.divide { (sum - 1.0).abs() <= SURELY_ONE } else { (UNWEIGHTED_SUM..f32::INFINITY).contains(&sum) };
        (plain && row[N - 1].at() < self.n_checked).then_some(row)
    }
}

/// Sorts without branches. Written out, because the optimiser does not unroll a table of places.
#[inline]
fn sort<const N: usize>(row: &mut [Share; N]) {
    macro_rules! order {
        ($(($i:literal $j:literal))*) => {{
            $((row[$i], row[$j]) = (row[$i].min(row[$j]), row[$i].max(row[$j]));)*
        }};
    }
    match N {
        4 => order!((0 1) (2 3) (0 2) (1 3) (1 2)),
        8 => order!(
            (0 2) (1 3) (4 6) (5 7) (0 4) (1 5) (2 6) (3 7) (0 1) (2 3)
            (4 5) (6 7) (2 4) (3 5) (1 4) (3 6) (1 2) (3 4) (5 6)
        ),
        _ => row.sort_unstable(),
    }
}

/// A row looked at influence by influence. Only rows longer than the buffer allocate.
pub struct CarefulRow {
    few: [Share; 32],
    n_few: usize,
    many: Vec<Share>,
    /// Whether every weight is finite.
    is_finite: bool,
}

impl CarefulRow {
    /// What moves the vertex: see [`OffSum`].
    pub fn of(input: &SkinInput<'_>, palette: &Palette, vertex: usize) -> Self {
        let vertex = VertexIndex::from_idx(vertex);
        let mut row = Self { few: [Share::default(); 32], n_few: 0, many: Vec::new(), is_finite: true };
        if palette.n_joints() == 0 {
            row.stay(palette);
            return row;
        }
        row.gather(input, palette, vertex);
        if input.off_sum() == OffSum::Divide && !row.settle_sum() {
            let lent = input.stand_ins().get(vertex).filter(|lender| lender.idx() < input.n_vertices());
            let settled = lent.is_some_and(|lender| {
                row.gather(input, palette, lender);
                row.settle_sum()
            });
            if !settled {
                row.stay(palette);
            }
        }
        row
    }

    pub fn shares(&self) -> &[Share] {
        if self.many.is_empty() { &self.few[..self.n_few] } else { &self.many }
    }

    fn shares_mut(&mut self) -> &mut [Share] {
        if self.many.is_empty() { &mut self.few[..self.n_few] } else { &mut self.many }
    }

    /// The vertex stays with the instance's node.
    fn stay(&mut self, palette: &Palette) {
        self.many.clear();
        self.few[0] = Share::new(palette.n_joints(), 1.0);
        self.n_few = 1;
    }

    fn gather(&mut self, input: &SkinInput<'_>, palette: &Palette, vertex: VertexIndex) {
        self.many.clear();
        self.n_few = 0;
        self.is_finite = true;
        input.weights().row(vertex).for_each(|influence| {
            self.is_finite &= influence.weight.is_finite();
            if influence.weight == 0.0 || !influence.weight.is_finite() || !palette.moves(influence.slot) {
                return;
            }
            let share = Share::new(influence.slot.idx(), influence.weight);
            if self.many.is_empty() && self.n_few < self.few.len() {
                self.few[self.n_few] = share;
                self.n_few += 1;
            } else {
                if self.many.is_empty() {
                    self.many.extend_from_slice(&self.few);
                }
                self.many.push(share);
            }
        });
        self.shares_mut().sort_unstable();
    }

    /// Divides by the sum where it is off. `false` if the row counts as unweighted.
    fn settle_sum(&mut self) -> bool {
        let shares = self.shares_mut();
        let sum: f64 = shares.iter().map(|share| f64::from(share.weight())).sum();
        if !self.is_finite || sum < f64::from(UNWEIGHTED_SUM) {
            return false;
        }
        let shares = self.shares_mut();
        if (sum - 1.0).abs() > f64::from(Row::sum_tolerance(shares.len())) {
            for share in shares {
                *share = Share::new(share.at(), (f64::from(share.weight()) / sum) as f32);
            }
        }
        true
    }
}
