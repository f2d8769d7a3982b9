//! Runs a kernel over all or some vertices: four at a time, in parallel pieces, the same bits either way.

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sinew_model::{JointSlot, VertexIndex};

use crate::deformers::Posed;
use crate::input::SkinInput;
use crate::palette::Palette;
use crate::row::{CarefulRow, FourShares, FourSlots, FourWeights, PlainRows, Share};
use crate::wide::Vec3x4;

/// Vertices per piece of parallel work.
const CHUNK: usize = 4096;

/// The arithmetic of a deformer.
pub trait Kernel: Sync {
    /// What a joint is to this deformer.
    type Joint: Copy + Sync;

    /// What the influences of one vertex blend to.
    type Blend;

    /// The joints, in the order of [`Palette::rows`]. `[n_joints + 1]`
    fn joints(&self) -> &[Self::Joint];

    /// Blends a row for a vertex at a raw position.
    fn blend<'j>(row: impl Iterator<Item = FourShares<'j, Self::Joint>> + Clone, position: Vec3) -> Self::Blend
    where
        Self: 'j;

    /// Poses four vertices.
    fn pose(&self, blends: &[Self::Blend; 4], positions: Vec3x4, normals: Vec3x4) -> PosedFour;

    /// Poses one vertex in double precision: for what overflows or vanishes in single precision. Must be finite for
    /// finite input.
    fn pose_carefully(&self, row: &[Share], position: Vec3, normal: Vec3) -> (DVec3, DVec3);
}

/// Four posed vertices.
pub struct PosedFour {
    pub positions: Vec3x4,
    pub normals: Vec3x4,
    /// Bit k: vertex k is to be posed carefully.
    pub doubtful: u32,
}

/// Poses every vertex.
pub fn deform<K: Kernel>(kernel: &K, input: &SkinInput<'_>, palette: &Palette, out: &mut Posed) {
    out.fit(input.n_vertices());
    match input.weights().stride() {
        8 => Runner::<K, 2>::new(kernel, input, palette).all(out),
        _ => Runner::<K, 1>::new(kernel, input, palette).all(out),
    }
}

/// Poses some vertices.
pub fn deform_some<K: Kernel>(
    kernel: &K,
    input: &SkinInput<'_>,
    palette: &Palette,
    vertices: &[VertexIndex],
    out: &mut Posed,
) {
    out.fit(input.n_vertices());
    match input.weights().stride() {
        8 => Runner::<K, 2>::new(kernel, input, palette).some(vertices, out),
        _ => Runner::<K, 1>::new(kernel, input, palette).some(vertices, out),
    }
}

/// For rows of `N` times four places in the flat arrays of the weight table.
struct Runner<'a, K, const N: usize> {
    kernel: &'a K,
    input: &'a SkinInput<'a>,
    palette: &'a Palette,
    plain: PlainRows,
    /// Empty if the table is laid out otherwise.
    slots: &'a [[[JointSlot; 4]; N]],
    weights: &'a [[[f32; 4]; N]],
}

/// Four vertices to be posed.
struct Four<'a, const N: usize> {
    positions: &'a [Vec3; 4],
    normals: &'a [Vec3; 4],
    slots: &'a FourSlots<N>,
    weights: &'a FourWeights<N>,
}

impl<'a, K: Kernel, const N: usize> Runner<'a, K, N> {
    fn new(kernel: &'a K, input: &'a SkinInput<'a>, palette: &'a Palette) -> Self {
        let table = input.weights();
        let fits = table.stride() == N * 4;
        let slots = if fits { table.slots().as_chunks().0.as_chunks().0 } else { &[] };
        let weights = if fits { table.weights().as_chunks().0.as_chunks().0 } else { &[] };
        Self { kernel, input, palette, plain: PlainRows::new(input, palette), slots, weights }
    }

    fn all(&self, out: &mut Posed) {
        let raw = self.input.positions().as_chunks::<4>().0;
        let raw_normals = self.input.normals().as_chunks::<4>().0;
        let (slots, weights) = (self.slots.as_chunks::<4>().0, self.weights.as_chunks::<4>().0);
        let pieces = out.positions.par_chunks_mut(CHUNK).zip(out.normals.par_chunks_mut(CHUNK));
        pieces.enumerate().for_each(|(piece, (positions, normals))| {
            let (position_fours, last_positions) = positions.as_chunks_mut::<4>();
            let (normal_fours, last_normals) = normals.as_chunks_mut::<4>();
            let mut at = piece * CHUNK / 4;
            for (positions, normals) in position_fours.iter_mut().zip(normal_fours) {
                let vertices = [0, 1, 2, 3].map(|lane| at * 4 + lane);
                if let (Some(slots), Some(weights)) = (slots.get(at), weights.get(at)) {
                    let four = Four { positions: &raw[at], normals: &raw_normals[at], slots, weights };
                    self.four(vertices, &four, positions, normals);
                } else {
                    self.gathered(vertices, positions, normals);
                }
                at += 1;
            }
            if let Some(last) = last_positions.len().checked_sub(1) {
                // A short last group poses its last vertex several times.
                let mut posed = [[Vec3::ZERO; 4]; 2];
                let [p, n] = &mut posed;
                self.gathered([0, 1, 2, 3].map(|lane: usize| at * 4 + lane.min(last)), p, n);
                last_positions.copy_from_slice(&p[..=last]);
                last_normals.copy_from_slice(&n[..=last]);
            }
        });
    }

    fn some(&self, vertices: &[VertexIndex], out: &mut Posed) {
        let n_vertices = self.input.n_vertices();
        if n_vertices == 0 {
            return;
        }
        // Missing vertices are posed as another and not written.
        let pose = |four: &[VertexIndex]| {
            let mut posed = [[Vec3::ZERO; 4]; 2];
            let [p, n] = &mut posed;
            self.gathered([0, 1, 2, 3].map(|lane| four.get(lane).map_or(0, |v| v.idx()).min(n_vertices - 1)), p, n);
            posed
        };
        let mut write = |four: &[VertexIndex], [p, n]: &[[Vec3; 4]; 2]| {
            for (lane, vertex) in four.iter().enumerate().filter(|(_, vertex)| vertex.idx() < n_vertices) {
                out.positions[vertex.idx()] = p[lane];
                out.normals[vertex.idx()] = n[lane];
            }
        };
        if vertices.len() <= CHUNK {
            vertices.chunks(4).for_each(|four| write(four, &pose(four)));
        } else {
            // Scattered writes cannot be shared out, so the results of many vertices are gathered first.
            let posed: Vec<_> = vertices.par_chunks(4).with_min_len(CHUNK / 4).map(pose).collect();
            vertices.chunks(4).zip(&posed).for_each(|(four, posed)| write(four, posed));
        }
    }

    /// Four vertices from anywhere.
    #[inline(never)]
    fn gathered(&self, vertices: [usize; 4], positions: &mut [Vec3; 4], normals: &mut [Vec3; 4]) {
        // Rows laid out otherwise become empty ones here, which are never plain.
        let four = Four {
            positions: &vertices.map(|v| self.input.positions()[v]),
            normals: &vertices.map(|v| self.input.normals()[v]),
            slots: &vertices.map(|v| self.slots.get(v).copied().unwrap_or([[JointSlot(0); 4]; N])),
            weights: &vertices.map(|v| self.weights.get(v).copied().unwrap_or([[0.0; 4]; N])),
        };
        self.four(vertices, &four, positions, normals);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the kernels' innermost step: out of line it costs more than it does")]
    fn four(&self, vertices: [usize; 4], four: &Four<'_, N>, positions: &mut [Vec3; 4], normals: &mut [Vec3; 4]) {
        if self.plain.have_plain_sums(four.weights).all()
            && let Some(a) = self.blend(four, 0)
            && let Some(b) = self.blend(four, 1)
            && let Some(c) = self.blend(four, 2)
            && let Some(d) = self.blend(four, 3)
        {
            self.pose([a, b, c, d], vertices, four, positions, normals);
        } else {
            self.four_mixed(vertices, four, positions, normals);
        }
    }

    /// Four vertices of which some are not plain. Each is posed as it would be beside any others.
    #[cold]
    #[inline(never)]
    fn four_mixed(&self, vertices: [usize; 4], four: &Four<'_, N>, positions: &mut [Vec3; 4], normals: &mut [Vec3; 4]) {
        let plain = self.plain.have_plain_sums(four.weights);
        let blends = [0, 1, 2, 3].map(|lane| {
            let blend = if plain.test(lane) { self.blend(four, lane) } else { None };
            blend.unwrap_or_else(|| self.blend_carefully(vertices[lane], four.positions[lane]))
        });
        self.pose(blends, vertices, four, positions, normals);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as above")]
    fn blend(&self, four: &Four<'_, N>, lane: usize) -> Option<K::Blend> {
        let shares = self.plain.shares(self.kernel.joints(), &four.slots[lane], &four.weights[lane])?;
        Some(K::blend(shares.into_iter(), four.positions[lane]))
    }

    fn blend_carefully(&self, vertex: usize, position: Vec3) -> K::Blend {
        let row = CarefulRow::of(self.input, self.palette, vertex);
        K::blend(FourShares::of(self.kernel.joints(), row.shares()), position)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as above")]
    fn pose(
        &self,
        blends: [K::Blend; 4],
        vertices: [usize; 4],
        four: &Four<'_, N>,
        positions: &mut [Vec3; 4],
        normals: &mut [Vec3; 4],
    ) {
        let posed = self.kernel.pose(&blends, Vec3x4::new(four.positions), Vec3x4::new(four.normals));
        posed.positions.split(positions);
        posed.normals.split(normals);
        if posed.doubtful != 0 {
            for lane in (0..4).filter(|lane| posed.doubtful >> lane & 1 == 1) {
                (positions[lane], normals[lane]) = self.carefully(vertices[lane]);
            }
        }
    }

    #[cold]
    fn carefully(&self, vertex: usize) -> (Vec3, Vec3) {
        let row = CarefulRow::of(self.input, self.palette, vertex);
        let (position, normal) =
            self.kernel.pose_carefully(row.shares(), self.input.positions()[vertex], self.input.normals()[vertex]);
        (single(position), single(normal))
    }
}

/// To single precision without infinities; NaN (from input that is not finite) becomes 0.
fn single(v: DVec3) -> Vec3 {
    let component = |c: f64| if c.is_nan() { 0.0 } else { c.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32 };
    Vec3::new(component(v.x), component(v.y), component(v.z))
}
