//! Runs a kernel over all or some vertices: four at a time, in parallel pieces, the same bits either way.

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sinew_model::VertexIndex;

use crate::deformers::Posed;
use crate::input::SkinInput;
use crate::palette::Palette;
use crate::row::{CarefulRow, PackedRows, Share};
use crate::wide::Vec3x4;

/// Vertices per piece of parallel work.
const CHUNK: usize = 4096;

/// The arithmetic of a deformer.
pub trait Kernel: Sync {
    /// What the influences of one vertex blend to.
    type Blend: Copy + Default;

    /// Blends a row for a vertex at a raw position.
    fn blend(&self, row: &[Share], position: Vec3) -> Self::Blend;

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
        8 => Runner::<K, 8>::new(kernel, input, palette).all(out),
        _ => Runner::<K, 4>::new(kernel, input, palette).all(out),
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
        8 => Runner::<K, 8>::new(kernel, input, palette).some(vertices, out),
        _ => Runner::<K, 4>::new(kernel, input, palette).some(vertices, out),
    }
}

struct Runner<'a, K, const N: usize> {
    kernel: &'a K,
    input: &'a SkinInput<'a>,
    palette: &'a Palette,
    rows: PackedRows<'a, N>,
    /// The only row there is, if the palette is rigid.
    rigid: Option<[Share; 1]>,
}

impl<'a, K: Kernel, const N: usize> Runner<'a, K, N> {
    fn new(kernel: &'a K, input: &'a SkinInput<'a>, palette: &'a Palette) -> Self {
        let rigid = (palette.n_joints() == 0).then(|| [Share::new(0, 1.0)]);
        Self { kernel, input, palette, rows: PackedRows::new(input, palette), rigid }
    }

    fn all(&self, out: &mut Posed) {
        let pieces = out.positions.par_chunks_mut(CHUNK).zip(out.normals.par_chunks_mut(CHUNK));
        pieces.enumerate().for_each(|(piece, (positions, normals))| {
            let mut v = piece * CHUNK;
            let (position_fours, last_positions) = positions.as_chunks_mut::<4>();
            let (normal_fours, last_normals) = normals.as_chunks_mut::<4>();
            for (positions, normals) in position_fours.iter_mut().zip(normal_fours) {
                self.four([v, v + 1, v + 2, v + 3], positions, normals);
                v += 4;
            }
            if let Some(last) = last_positions.len().checked_sub(1) {
                // A short last group poses its last vertex several times.
                let mut posed = [[Vec3::ZERO; 4]; 2];
                let [p, n] = &mut posed;
                self.four([0, 1, 2, 3].map(|lane: usize| v + lane.min(last)), p, n);
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
            self.four([0, 1, 2, 3].map(|lane| four.get(lane).map_or(0, |v| v.idx()).min(n_vertices - 1)), p, n);
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

    #[inline]
    fn four(&self, vertices: [usize; 4], positions: &mut [Vec3; 4], normals: &mut [Vec3; 4]) {
        let (raw, raw_normals) = (self.input.positions(), self.input.normals());
        let mut blends = [K::Blend::default(); 4];
        for (blend, &v) in blends.iter_mut().zip(&vertices) {
            self.blend(v, raw[v], blend);
        }
        // From the arrays straight into lanes: by way of a copy on the stack it takes twice as long.
        let [a, b, c, d] = vertices;
        let raw = Vec3x4::new(raw[a], raw[b], raw[c], raw[d]);
        let raw_normals = Vec3x4::new(raw_normals[a], raw_normals[b], raw_normals[c], raw_normals[d]);
        let posed = self.kernel.pose(&blends, raw, raw_normals);
        posed.positions.split(positions);
        posed.normals.split(normals);
        if posed.doubtful != 0 {
            for lane in (0..4).filter(|lane| posed.doubtful >> lane & 1 == 1) {
                (positions[lane], normals[lane]) = self.carefully(vertices[lane]);
            }
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the kernels' innermost step: out of line it costs more than it does")]
    fn blend(&self, vertex: usize, position: Vec3, into: &mut K::Blend) {
        if let Some(row) = &self.rigid {
            *into = self.kernel.blend(row, position);
        } else if let Some(row) = self.rows.row(vertex) {
            *into = self.kernel.blend(&row, position);
        } else {
            self.blend_carefully(vertex, position, into);
        }
    }

    #[cold]
    fn blend_carefully(&self, vertex: usize, position: Vec3, into: &mut K::Blend) {
        *into = self.kernel.blend(CarefulRow::of(self.input, self.palette, vertex).shares(), position);
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
