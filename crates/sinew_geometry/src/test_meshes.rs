//! Meshes that the tests make for themselves.

use std::f32::consts::TAU;

use glam::Vec3;

/// Positions and triangles.
pub type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// A small deterministic random source in 0..1.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}

/// `nx` × `ny` quads; vertex (i, j) at `at(i, j)`; `flip(i, j)` chooses the quad's diagonal.
pub fn grid(nx: u32, ny: u32, mut at: impl FnMut(u32, u32) -> Vec3, mut flip: impl FnMut(u32, u32) -> bool) -> Mesh {
    let mut positions = Vec::new();
    for j in 0..=ny {
        for i in 0..=nx {
            positions.push(at(i, j));
        }
    }
    let mut triangles = Vec::new();
    for j in 0..ny {
        for i in 0..nx {
            let a = j * (nx + 1) + i;
            let (b, c, d) = (a + 1, a + nx + 2, a + nx + 1);
            if flip(i, j) {
                triangles.extend([[a, b, d], [b, c, d]]);
            } else {
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    (positions, triangles)
}

/// Unit squares in the plane z = 0.
pub fn flat(nx: u32, ny: u32) -> Mesh {
    grid(nx, ny, |i, j| Vec3::new(i as f32, j as f32, 0.0), |_, _| false)
}

/// A tube of radius 1 along x with a seam: `around` quads round, `along` quads of height `step`.
pub fn tube(around: u32, along: u32, step: f32) -> Mesh {
    grid(
        along,
        around,
        |i, j| {
            let (sin, cos) = ((j % around) as f32 / around as f32 * TAU).sin_cos();
            Vec3::new(i as f32 * step, cos, sin)
        },
        |i, j| (i + j) % 2 == 0,
    )
}

/// The unit sphere, from a cube of `n` × `n` quads a side. Vertices on the cube's edges are split;
/// rounding makes their positions equal on both sides.
pub fn sphere(n: u32) -> Mesh {
    let (positions, triangles) = cube(n);
    (positions.into_iter().map(|p| (p.normalize_or_zero() * 65536.0).round() / 65536.0).collect(), triangles)
}

/// The cube −1..1, each side `n` × `n` quads with vertices of its own.
pub fn cube(n: u32) -> Mesh {
    let mut all: Mesh = (Vec::new(), Vec::new());
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let (u, v) = (axes[(axis + 1) % 3] * sign, axes[(axis + 2) % 3]);
            let side = grid(
                n,
                n,
                |i, j| {
                    let at = |i: u32| 2.0 * i as f32 / n as f32 - 1.0;
                    axes[axis] * sign + u * at(i) + v * at(j)
                },
                |i, j| (i * 7 + j * 3) % 2 == 0,
            );
            let first = all.0.len() as u32;
            all.0.extend(side.0);
            all.1.extend(side.1.iter().map(|t| t.map(|v| v + first)));
        }
    }
    all
}
