//! Runs a kernel over all or some vertices: eight at a time, in parallel pieces, the same bits either way.
#![expect(clippy::inline_always, reason = "out of line it would not be compiled for the wider processor")]

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sinew_model::{JointSlot, VertexIndex};

use crate::deformers::Posed;
use crate::input::SkinInput;
use crate::palette::Palette;
use crate::row::{CarefulRow, EightSlots, EightWeights, FourShares, PlainRows, Share};
use crate::wide::{Lanes, Pair, Task, Vec3x8, Width};

/// Vertices per piece of parallel work.
const CHUNK: usize = 4096;

/// The arithmetic of a deformer.
pub trait Kernel: Sync {
    /// What a joint is to this deformer.
    type Joint: Copy + Sync;

    /// What the influences of one vertex blend to.
    type Blend<L: Lanes>: Copy;

    /// The joints, in the order of [`Palette::rows`]. `[n_joints + 1]`
    fn joints(&self) -> &[Self::Joint];

    /// Blends a row.
    fn blend<'j, L: Lanes>(
        token: L::Token,
        row: impl Iterator<Item = FourShares<'j, Self::Joint>> + Clone,
    ) -> Self::Blend<L>
    where
        Self: 'j;

    /// Poses eight vertices at raw positions.
    fn pose<L: Lanes>(
        &self,
        token: L::Token,
        blends: &[Self::Blend<L>; 8],
        positions: Vec3x8<L>,
        normals: Vec3x8<L>,
    ) -> PosedEight<L>;

    /// Poses one vertex in double precision: for what overflows or vanishes in single precision. Must be finite for
    /// finite input.
    fn pose_carefully(&self, row: &[Share], position: Vec3, normal: Vec3) -> (DVec3, DVec3);
}

/// Eight posed vertices.
pub struct PosedEight<L> {
    pub positions: Vec3x8<L>,
    pub normals: Vec3x8<L>,
    /// Bit k: vertex k is to be posed carefully.
    pub doubtful: u32,
}

/// Poses every vertex.
pub fn deform<K: Kernel>(kernel: &K, input: &SkinInput<'_>, palette: &Palette, out: &mut Posed) {
    deform_with(kernel, input, palette, Width::widest(), out);
}

fn deform_with<K: Kernel>(kernel: &K, input: &SkinInput<'_>, palette: &Palette, width: Width, out: &mut Posed) {
    out.fit(input.n_vertices());
    match input.weights().stride() {
        8 => Runner::<K, 2>::new(kernel, input, palette).all(width, out),
        _ => Runner::<K, 1>::new(kernel, input, palette).all(width, out),
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

/// Eight vertices to be posed.
struct Eight<'a, const N: usize> {
    vertices: Vertices<'a>,
    positions: &'a [Vec3; 8],
    normals: &'a [Vec3; 8],
    slots: &'a EightSlots<N>,
    weights: &'a EightWeights<N>,
}

/// Which eight vertices. Only exceptions ask, so that it need not be written down for most.
#[derive(Clone, Copy)]
enum Vertices<'a> {
    From(usize),
    These(&'a [usize; 8]),
}

impl Vertices<'_> {
    fn at(self, lane: usize) -> usize {
        match self {
            Self::From(first) => first + lane,
            Self::These(vertices) => vertices[lane],
        }
    }
}

/// Positions and normals of eight vertices.
type Out<'o> = (&'o mut [Vec3; 8], &'o mut [Vec3; 8]);

impl<'a, K: Kernel, const N: usize> Runner<'a, K, N> {
    fn new(kernel: &'a K, input: &'a SkinInput<'a>, palette: &'a Palette) -> Self {
        let table = input.weights();
        let fits = table.stride() == N * 4;
        let slots = if fits { table.slots().as_chunks().0.as_chunks().0 } else { &[] };
        let weights = if fits { table.weights().as_chunks().0.as_chunks().0 } else { &[] };
        Self { kernel, input, palette, plain: PlainRows::new(input, palette), slots, weights }
    }

    fn all(&self, width: Width, out: &mut Posed) {
        let pieces = out.positions.par_chunks_mut(CHUNK).zip(out.normals.par_chunks_mut(CHUNK));
        pieces.enumerate().for_each(|(piece, (positions, normals))| {
            width.run(Piece { runner: self, first: piece * CHUNK, positions, normals });
        });
    }

    fn some(&self, vertices: &[VertexIndex], out: &mut Posed) {
        let n_vertices = self.input.n_vertices();
        if n_vertices == 0 {
            return;
        }
        // Few vertices are not worth wider lanes. Missing ones are posed as another and not written.
        let pose = |some: &[VertexIndex]| {
            let mut posed = vec![[[Vec3::ZERO; 8]; 2]; some.len().div_ceil(8)];
            for (some, [p, n]) in some.chunks(8).zip(&mut posed) {
                let at = |lane: usize| some.get(lane).map_or(0, |v| v.idx()).min(n_vertices - 1);
                self.gathered([0, 1, 2, 3, 4, 5, 6, 7].map(at), (p, n));
            }
            posed
        };
        let mut write = |some: &[VertexIndex], posed: &[[[Vec3; 8]; 2]]| {
            let posed = posed.iter().flat_map(|[p, n]| p.iter().zip(n));
            for (vertex, (&p, &n)) in some.iter().zip(posed).filter(|(vertex, _)| vertex.idx() < n_vertices) {
                out.positions[vertex.idx()] = p;
                out.normals[vertex.idx()] = n;
            }
        };
        // Scattered writes cannot be shared out, so the results of many vertices are gathered first.
        if vertices.len() <= CHUNK {
            write(vertices, &pose(vertices));
        } else {
            let posed: Vec<_> = vertices.par_chunks(CHUNK).map(pose).collect();
            vertices.chunks(CHUNK).zip(&posed).for_each(|(some, posed)| write(some, posed));
        }
    }

    /// Eight vertices from anywhere.
    #[inline(never)]
    fn gathered(&self, vertices: [usize; 8], out: Out<'_>) {
        // Rows laid out otherwise become empty ones here, which are never plain.
        let eight = Eight {
            vertices: Vertices::These(&vertices),
            positions: &vertices.map(|v| self.input.positions()[v]),
            normals: &vertices.map(|v| self.input.normals()[v]),
            slots: &vertices.map(|v| self.slots.get(v).copied().unwrap_or([[JointSlot(0); 4]; N])),
            weights: &vertices.map(|v| self.weights.get(v).copied().unwrap_or([[0.0; 4]; N])),
        };
        self.eight::<Pair>((), &eight, out);
    }

    #[inline(always)]
    fn eight<L: Lanes>(&self, token: L::Token, eight: &Eight<'_, N>, out: Out<'_>) {
        if self.plain.have_plain_sums::<L, N>(token, eight.weights) != 0xff {
            return self.eight_mixed(eight, out);
        }
        // One after the other: for all at once there are not registers enough.
        let mut blends = [K::blend::<L>(token, std::iter::empty()); 8];
        for (lane, blend) in blends.iter_mut().enumerate() {
            let Some(plain) = self.blend::<L>(token, eight, lane) else { return self.eight_mixed(eight, out) };
            *blend = plain;
        }
        self.pose::<L>(token, &blends, eight, out);
    }

    /// Eight vertices of which some are not plain. Each is posed as it would be beside any others.
    #[cold]
    #[inline(never)]
    fn eight_mixed(&self, eight: &Eight<'_, N>, out: Out<'_>) {
        let plain = self.plain.have_plain_sums::<Pair, N>((), eight.weights);
        let blends = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| {
            let blend = if plain >> lane & 1 == 1 { self.blend::<Pair>((), eight, lane) } else { None };
            blend.unwrap_or_else(|| {
                let row = CarefulRow::of(self.input, self.palette, eight.vertices.at(lane));
                K::blend((), FourShares::of(self.kernel.joints(), row.shares()))
            })
        });
        self.pose::<Pair>((), &blends, eight, out);
    }

    #[inline(always)]
    fn blend<L: Lanes>(&self, token: L::Token, eight: &Eight<'_, N>, lane: usize) -> Option<K::Blend<L>> {
        let shares = self.plain.shares(self.kernel.joints(), &eight.slots[lane], &eight.weights[lane])?;
        Some(K::blend(token, shares.into_iter()))
    }

    #[inline(always)]
    fn pose<L: Lanes>(&self, token: L::Token, blends: &[K::Blend<L>; 8], eight: &Eight<'_, N>, out: Out<'_>) {
        let (positions, normals) = (L::load_vec3s(token, eight.positions), L::load_vec3s(token, eight.normals));
        let posed = self.kernel.pose(token, blends, positions, normals);
        L::store_vec3s(posed.positions, out.0);
        L::store_vec3s(posed.normals, out.1);
        if posed.doubtful != 0 {
            for lane in (0..8).filter(|lane| posed.doubtful >> lane & 1 == 1) {
                (out.0[lane], out.1[lane]) = self.carefully(eight.vertices.at(lane));
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn carefully(&self, vertex: usize) -> (Vec3, Vec3) {
        let row = CarefulRow::of(self.input, self.palette, vertex);
        let (position, normal) =
            self.kernel.pose_carefully(row.shares(), self.input.positions()[vertex], self.input.normals()[vertex]);
        (single(position), single(normal))
    }
}

/// Consecutive vertices, from a multiple of eight on.
struct Piece<'r, 'a, K, const N: usize> {
    runner: &'r Runner<'a, K, N>,
    first: usize,
    positions: &'r mut [Vec3],
    normals: &'r mut [Vec3],
}

impl<K: Kernel, const N: usize> Task for Piece<'_, '_, K, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) {
        let runner = self.runner;
        let raw = runner.input.positions().as_chunks::<8>().0;
        let raw_normals = runner.input.normals().as_chunks::<8>().0;
        let (slots, weights) = (runner.slots.as_chunks::<8>().0, runner.weights.as_chunks::<8>().0);
        let (position_eights, last_positions) = self.positions.as_chunks_mut::<8>();
        let (normal_eights, last_normals) = self.normals.as_chunks_mut::<8>();
        let mut at = self.first / 8;
        for out in position_eights.iter_mut().zip(normal_eights) {
            if let (Some(slots), Some(weights)) = (slots.get(at), weights.get(at)) {
                let vertices = Vertices::From(at * 8);
                let eight = Eight { vertices, positions: &raw[at], normals: &raw_normals[at], slots, weights };
                runner.eight::<L>(token, &eight, out);
            } else {
                runner.gathered([0, 1, 2, 3, 4, 5, 6, 7].map(|lane| at * 8 + lane), out);
            }
            at += 1;
        }
        if let Some(last) = last_positions.len().checked_sub(1) {
            // A short last group poses its last vertex several times.
            let (mut p, mut n) = ([Vec3::ZERO; 8], [Vec3::ZERO; 8]);
            let vertices = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane: usize| at * 8 + lane.min(last));
            runner.gathered(vertices, (&mut p, &mut n));
            last_positions.copy_from_slice(&p[..=last]);
            last_normals.copy_from_slice(&n[..=last]);
        }
    }
}

/// To single precision without infinities; NaN (from input that is not finite) becomes 0.
fn single(v: DVec3) -> Vec3 {
    let component = |c: f64| if c.is_nan() { 0.0 } else { c.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32 };
    Vec3::new(component(v.x), component(v.y), component(v.z))
}
