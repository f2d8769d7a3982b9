//! A tree of boxes over triangles, for rays, closest points and everything within a radius; it follows moving vertices.
//!
//! The tree is a complete binary tree without pointers: node `i` has the children `2 i` and `2 i + 1`, node 1 is the
//! root, and leaf `l` of `n_leaves` (a power of two) holds the slots `l * n / n_leaves .. (l + 1) * n / n_leaves` of the
//! reordered triangles. Splits halve the number of triangles along the widest axis of their centres. That costs a little
//! speed per ray against a surface-area heuristic and buys a build and refits that are a few lines, run on all cores
//! level by level, and touch only the path above what moved.
//!
//! The tree keeps no positions: each query is given the positions that the tree was last fitted to.

mod query;

pub use query::{ClosestHit, RayHit};

use glam::Vec3;
use rayon::prelude::*;

use crate::{bounds::Aabb, tri_mesh::TriMeshRef};

/// A bounding volume hierarchy over the triangles of one mesh.
#[derive(Clone, Debug)]
pub struct Bvh {
    n_vertices: usize,
    n_leaves: usize,
    /// `[n_triangles]`, slot → triangle
    triangle_at: Vec<u32>,
    /// `[n_triangles]`, triangle → slot
    slot_of: Vec<u32>,
    /// `[n_triangles]`, slot → vertices
    corners: Vec<[u32; 3]>,
    /// `[n_triangles]`, bit c: no earlier slot has the vertex of corner c. Visits each vertex once without a set.
    first_use: Vec<u8>,
    /// `[2 * n_leaves]`, node → box; entry 0 is unused
    boxes: Vec<Aabb>,
    /// Scratch of [`Bvh::refit_some`].
    dirty: Vec<u32>,
    /// A bit for every leaf, set only within [`Bvh::refit_some`].
    is_dirty: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Item {
    center: Vec3,
    triangle: u32,
}

/// Aim of triangles in a leaf: between half of this and this.
const LEAF_SIZE: usize = 6;
/// Below this many triangles or boxes, work stays on one thread.
const PARALLEL_FROM: usize = 4096;

impl Bvh {
    /// Builds the tree for the mesh's present positions.
    pub fn build(mesh: TriMeshRef<'_>) -> Self {
        let n = mesh.triangles().len();
        let n_leaves = n.div_ceil(LEAF_SIZE).next_power_of_two();
        let mut items: Vec<Item> = (0..n as u32)
            .into_par_iter()
            .with_min_len(PARALLEL_FROM)
            .map(|triangle| {
                let [a, b, c] = mesh.corners(triangle);
                let center = a / 3.0 + b / 3.0 + c / 3.0;
                Item { center: if center.is_finite() { center } else { Vec3::ZERO }, triangle }
            })
            .collect();
        split(&mut items, 0, 0, n_leaves, Layout { n, n_leaves });

        let triangle_at: Vec<u32> = items.iter().map(|item| item.triangle).collect();
        let corners: Vec<[u32; 3]> =
            triangle_at.par_iter().with_min_len(PARALLEL_FROM).map(|&t| mesh.triangles()[t as usize]).collect();
        let mut slot_of = vec![0; n];
        for (slot, &triangle) in triangle_at.iter().enumerate() {
            slot_of[triangle as usize] = slot as u32;
        }
        let n_vertices = mesh.positions().len();
        let mut seen = vec![false; n_vertices];
        let first_use = corners
            .iter()
            .map(|corners| {
                corners.iter().enumerate().fold(0, |bits, (corner, &v)| {
                    let is_new = !std::mem::replace(&mut seen[v as usize], true);
                    bits | u8::from(is_new) << corner
                })
            })
            .collect();
        let mut bvh = Self {
            n_vertices,
            n_leaves,
            triangle_at,
            slot_of,
            corners,
            first_use,
            boxes: vec![Aabb::EMPTY; 2 * n_leaves],
            dirty: Vec::new(),
            is_dirty: vec![0; n_leaves.div_ceil(64)],
        };
        bvh.refit_all(mesh.positions());
        bvh
    }

    /// How many vertices the positions given to queries and refits must have.
    pub fn n_vertices(&self) -> usize {
        self.n_vertices
    }

    /// How many triangles are in the tree.
    pub fn n_triangles(&self) -> usize {
        self.triangle_at.len()
    }

    /// Box around all triangles, as last fitted.
    pub fn bounds(&self) -> Aabb {
        self.boxes[1]
    }

    /// Fits all boxes to `positions` (`[n_vertices]`), on all cores.
    pub fn refit_all(&mut self, positions: &[Vec3]) {
        let layout = self.layout();
        let corners = &self.corners;
        self.boxes[self.n_leaves..]
            .par_iter_mut()
            .with_min_len(PARALLEL_FROM)
            .enumerate()
            .for_each(|(leaf, b)| *b = leaf_box(&corners[layout.slots(leaf)], positions));
        let mut first = self.n_leaves / 2;
        while first > 0 {
            let (above, children) = self.boxes.split_at_mut(2 * first);
            above[first..]
                .par_iter_mut()
                .with_min_len(PARALLEL_FROM)
                .zip(children.par_chunks_exact(2).with_min_len(PARALLEL_FROM))
                .for_each(|(b, pair)| *b = pair[0].union(pair[1]));
            first /= 2;
        }
    }

    /// Fits the boxes above `triangles` (any order, repeats allowed) to `positions` (`[n_vertices]`).
    ///
    /// When vertices moved, give every triangle that uses one of them; all others must not have moved since the last fit.
    pub fn refit_some(&mut self, positions: &[Vec3], triangles: impl IntoIterator<Item = u32>) {
        let layout = self.layout();
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.clear();
        for triangle in triangles {
            let leaf = layout.leaf_of(self.slot_of[triangle as usize] as usize);
            // Each leaf is found many times: sorting them once is quick, sorting all finds is not.
            let (word, bit) = (&mut self.is_dirty[leaf / 64], 1 << (leaf % 64));
            if *word & bit == 0 {
                *word |= bit;
                dirty.push(leaf as u32);
            }
        }
        dirty.sort_unstable();
        for &leaf in &dirty {
            self.is_dirty[leaf as usize / 64] = 0;
        }
        for leaf in &mut dirty {
            let slots = layout.slots(*leaf as usize);
            *leaf += self.n_leaves as u32;
            self.boxes[*leaf as usize] = leaf_box(&self.corners[slots], positions);
        }
        // Level by level: the nodes stay sorted, so that equal parents are side by side.
        while dirty.first().is_some_and(|&node| node > 1) {
            let mut kept = 0;
            for i in 0..dirty.len() {
                let parent = dirty[i] / 2;
                if kept > 0 && dirty[kept - 1] == parent {
                    continue;
                }
                let child = 2 * parent as usize;
                self.boxes[parent as usize] = self.boxes[child].union(self.boxes[child + 1]);
                dirty[kept] = parent;
                kept += 1;
            }
            dirty.truncate(kept);
        }
        self.dirty = dirty;
    }

    fn layout(&self) -> Layout {
        Layout { n: self.triangle_at.len(), n_leaves: self.n_leaves }
    }
}

/// Which slots a leaf holds.
#[derive(Clone, Copy)]
struct Layout {
    n: usize,
    n_leaves: usize,
}

impl Layout {
    fn start(self, leaf: usize) -> usize {
        (leaf as u64 * self.n as u64 / self.n_leaves as u64) as usize
    }

    fn slots(self, leaf: usize) -> std::ops::Range<usize> {
        self.start(leaf)..self.start(leaf + 1)
    }

    /// The inverse of [`Layout::slots`].
    fn leaf_of(self, slot: usize) -> usize {
        (((slot as u64 + 1) * self.n_leaves as u64 - 1) / self.n as u64) as usize
    }
}

/// Orders `items`, which begin at slot `first` and fill `leaves` leaves from `leaf` on.
fn split(items: &mut [Item], first: usize, leaf: usize, leaves: usize, layout: Layout) {
    if leaves == 1 {
        items.sort_unstable_by_key(|item| item.triangle);
        return;
    }
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for item in &*items {
        min = min.min(item.center);
        max = max.max(item.center);
    }
    let axis = (max - min).max_position();
    let middle = layout.start(leaf + leaves / 2) - first;
    if middle < items.len() {
        // A total order: the two halves are the same sets whatever the algorithm does.
        items.select_nth_unstable_by(middle, |a, b| {
            a.center[axis].total_cmp(&b.center[axis]).then(a.triangle.cmp(&b.triangle))
        });
    }
    let parallel = items.len() >= PARALLEL_FROM;
    let (left, right) = items.split_at_mut(middle);
    let half = leaves / 2;
    let mut on_left = || split(left, first, leaf, half, layout);
    let mut on_right = || split(right, first + middle, leaf + half, half, layout);
    if parallel {
        rayon::join(on_left, on_right);
    } else {
        on_left();
        on_right();
    }
}

/// Corners that are NaN add nothing.
fn leaf_box(corners: &[[u32; 3]], positions: &[Vec3]) -> Aabb {
    let mut b = Aabb::EMPTY;
    for &v in corners.as_flattened() {
        b = b.with_point(positions[v as usize]);
    }
    b
}

#[cfg(test)]
mod tests;
