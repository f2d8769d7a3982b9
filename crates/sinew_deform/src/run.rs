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
    type Blend: Copy;

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
            let fours = positions.chunks_mut(4).zip(normals.chunks_mut(4));
            for (four, (positions, normals)) in fours.enumerate() {
                let first = piece * CHUNK + four * 4;
                let last = first + positions.len() - 1;
                // A short last group poses its last vertex several times.
                let (p, n) = self.four(std::array::from_fn(|lane| (first + lane).min(last)));
                positions.copy_from_slice(&p[..positions.len()]);
                normals.copy_from_slice(&n[..normals.len()]);
            }
        });
    }

    fn some(&self, vertices: &[VertexIndex], out: &mut Posed) {
        let n_vertices = self.input.n_vertices();
        let write = |vertices: &[VertexIndex], p: &[Vec3; 4], n: &[Vec3; 4], out: &mut Posed| {
            for (lane, vertex) in vertices.iter().enumerate().filter(|(_, vertex)| vertex.idx() < n_vertices) {
                out.positions[vertex.idx()] = p[lane];
                out.normals[vertex.idx()] = n[lane];
            }
        };
        // A vertex that does not exist is posed as vertex 0 and not written.
        let lanes = |four: &[VertexIndex]| {
            std::array::from_fn(|lane| four.get(lane).map_or(0, |v| v.idx()).min(n_vertices))
                .map(|v: usize| if v < n_vertices { v } else { 0 })
        };
        if n_vertices == 0 {
            return;
        }
        if vertices.len() <= CHUNK {
            for four in vertices.chunks(4) {
                let (p, n) = self.four(lanes(four));
                write(four, &p, &n, out);
            }
            return;
        }
        let posed: Vec<_> = vertices.par_chunks(4).with_min_len(CHUNK / 4).map(|four| self.four(lanes(four))).collect();
        for (four, (p, n)) in vertices.chunks(4).zip(&posed) {
            write(four, p, n, out);
        }
    }

    #[inline]
    fn four(&self, vertices: [usize; 4]) -> ([Vec3; 4], [Vec3; 4]) {
        let raw = vertices.map(|v| self.input.positions()[v]);
        let normals = vertices.map(|v| self.input.normals()[v]);
        let blends = std::array::from_fn(|lane| self.blend(vertices[lane], raw[lane]));
        let posed = self.kernel.pose(&blends, Vec3x4::new(raw), Vec3x4::new(normals));
        let (mut posed_positions, mut posed_normals) = (posed.positions.split(), posed.normals.split());
        if posed.doubtful != 0 {
            for lane in (0..4).filter(|lane| posed.doubtful >> lane & 1 == 1) {
                (posed_positions[lane], posed_normals[lane]) = self.carefully(vertices[lane]);
            }
        }
        (posed_positions, posed_normals)
    }

    #[inline]
    fn blend(&self, vertex: usize, position: Vec3) -> K::Blend {
        if let Some(row) = &self.rigid {
            return self.kernel.blend(row, position);
        }
        match self.rows.row(vertex) {
            Some(row) => self.kernel.blend(&row, position),
            None => self.blend_carefully(vertex, position),
        }
    }

    #[cold]
    fn blend_carefully(&self, vertex: usize, position: Vec3) -> K::Blend {
        self.kernel.blend(CarefulRow::of(self.input, self.palette, vertex).shares(), position)
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
