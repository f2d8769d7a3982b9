//! The influences that count at a vertex, by rising slot as weight tables keep them.
#![expect(clippy::inline_always, reason = "out of line it would not be compiled for the wider processor")]

use glam::Vec4;
use sinew_model::{JointSlot, Row, UNWEIGHTED_SUM, VertexIndex};

use crate::input::{OffSum, SkinInput};
use crate::palette::Palette;
use crate::wide::Lanes;

/// How far from 1 a sum in single precision may be so that the row is surely within its tolerance: less than
/// `Row::sum_tolerance` of any number of weights by more than the rounding of the sum.
const SURELY_ONE: f32 = f32::EPSILON;

/// A position in the palette and the weight it has.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Share {
    at: u32,
    weight: f32,
}

impl Share {
    pub fn new(at: usize, weight: f32) -> Self {
        Self { at: at as u32, weight }
    }

    /// Position in the palette.
    pub fn at(self) -> usize {
        self.at as usize
    }

    pub fn weight(self) -> f32 {
        self.weight
    }
}

/// The heaviest share; of equals the lowest slot.
pub fn heaviest(row: &[Share]) -> Option<Share> {
    row.iter().copied().reduce(|best, share| if share.weight() > best.weight() { share } else { best })
}

/// Four influences: what kernels blend. Where a row ends earlier the weights are 0.
#[derive(Clone, Copy)]
pub struct FourShares<'a, J> {
    pub joints: [&'a J; 4],
    pub weights: [f32; 4],
}

impl<'a, J> FourShares<'a, J> {
    /// Shares of a careful row, four at a time.
    pub fn of(joints: &'a [J], shares: &'a [Share]) -> impl Iterator<Item = Self> + Clone {
        shares.chunks(4).map(|chunk| {
            let share = |place: usize| chunk.get(place).copied().unwrap_or_default();
            Self {
                joints: [0, 1, 2, 3].map(|place| &joints[share(place).at()]),
                weights: [0, 1, 2, 3].map(|place| share(place).weight()),
            }
        })
    }

    /// The weighted sum of eight numbers of each joint.
    #[inline(always)]
    pub fn sum_of_eight<L: Lanes>(&self, token: L::Token, part: impl Fn(&J) -> &[f32; 8]) -> L {
        let ([a, b, c, d], [wa, wb, wc, wd]) = (self.joints, self.weights);
        L::load(token, part(a)) * L::splat(token, wa)
            + L::load(token, part(b)) * L::splat(token, wb)
            + L::load(token, part(c)) * L::splat(token, wc)
            + L::load(token, part(d)) * L::splat(token, wd)
    }
}

/// Slots of eight rows in the flat arrays of a weight table, each `N` times four.
pub type EightSlots<const N: usize> = [[[JointSlot; 4]; N]; 8];

/// The weights beside [`EightSlots`].
pub type EightWeights<const N: usize> = [[[f32; 4]; N]; 8];

/// Tells rows that need a second look from those that can be blended as they stand.
pub struct PlainRows {
    least: f32,
    most: f32,
    n_checked: usize,
}

impl PlainRows {
    pub fn new(input: &SkinInput<'_>, palette: &Palette) -> Self {
        let (least, most) = match input.off_sum() {
            OffSum::Divide => (1.0 - SURELY_ONE, 1.0 + SURELY_ONE),
            OffSum::Raw => (UNWEIGHTED_SUM, f32::MAX),
        };
        Self { least, most, n_checked: palette.n_checked() }
    }

    /// Bit k: whether the weights of row k need not be divided and are finite. Places of long rows are 0.
    #[inline(always)]
    pub fn have_plain_sums<L: Lanes, const N: usize>(&self, token: L::Token, weights: &EightWeights<N>) -> u32 {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = weights;
        let fours = [four(r0), four(r1), four(r2), four(r3), four(r4), four(r5), four(r6), four(r7)];
        let [a, b, c, d] = L::turned_fours(token, fours);
        let sums = a + b + c + d;
        sums.at_least(L::splat(token, self.least)) & L::splat(token, self.most).at_least(sums)
    }

    /// The joints and weights of a row. `None` if a joint does not exist or moves nothing.
    #[inline(always)]
    pub fn shares<'j, J: Copy, const N: usize>(
        &self,
        joints: &'j [J],
        slots: &[[JointSlot; 4]; N],
        weights: &[[f32; 4]; N],
    ) -> Option<[FourShares<'j, J>; N]> {
        let joints = joints.get(..self.n_checked)?;
        let mut fours = [FourShares { joints: [joints.first()?; 4], weights: [0.0; 4] }; N];
        for (four, (slots, weights)) in fours.iter_mut().zip(slots.iter().zip(weights)) {
            for (joint, slot) in four.joints.iter_mut().zip(slots) {
                *joint = joints.get(slot.idx())?;
            }
            four.weights = *weights;
        }
        Some(fours)
    }
}

/// The sums over every fourth place.
#[inline(always)]
fn four<const N: usize>(row: &[[f32; 4]; N]) -> Vec4 {
    let mut sum = Vec4::from_array(row[0]);
    for weights in &row[1..] {
        sum += Vec4::from_array(*weights);
    }
    sum
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
