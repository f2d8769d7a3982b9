//! Who is next to whom on the welded surface.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use crate::{tri_mesh::TriMeshRef, weld::WeldGroups};

/// Neighbours, triangles and edges of the groups of a welded mesh. Positions play no part, so it holds for any pose.
///
/// Corners are numbered `3 * triangle + corner`. Corner `c` also stands for the directed edge (*half-edge*) from its own
/// group to the next corner's. A triangle of which two corners are welded together has no edges here.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// `[n_triangles]`, groups
    triangles: Vec<[u32; 3]>,
    /// `[n_groups + 1]` into `corners`
    corner_offsets: Vec<u32>,
    /// `[3 * n_triangles]`, ascending within a group
    corners: Vec<u32>,
    /// `[n_groups + 1]` into `neighbours`
    neighbour_offsets: Vec<u32>,
    /// Groups, ascending within a group
    neighbours: Vec<u32>,
    /// `[3 * n_triangles]`, half-edge → next half-edge around the same undirected edge (a ring); itself on a border
    across: Vec<u32>,
    /// `[n_groups]`, whether an edge of the group has one triangle, or more than two
    is_irregular: Vec<bool>,
}

/// Groups per piece of parallel work.
const CHUNK: usize = 4096;

impl Topology {
    /// Connects the groups of `weld` along the triangles of `mesh`. Both must have the same number of vertices.
    pub fn new(mesh: TriMeshRef<'_>, weld: &WeldGroups) -> Self {
        let triangles = weld.triangles(mesh.triangles());
        Self::from_groups(triangles, weld.n_groups())
    }

    /// `triangles` name groups below `n_groups`.
    fn from_groups(triangles: Vec<[u32; 3]>, n_groups: usize) -> Self {
        let (corner_offsets, corners) = corners_by_group(&triangles, n_groups);
        let across: Vec<AtomicU32> =
            (0..corners.len() as u32).into_par_iter().with_min_len(CHUNK).map(AtomicU32::new).collect();

        struct Piece {
            counts: Vec<u32>,
            neighbours: Vec<u32>,
            is_irregular: Vec<bool>,
        }
        let pieces: Vec<Piece> = (0..n_groups.div_ceil(CHUNK))
            .into_par_iter()
            .map(|piece| {
                let groups = piece * CHUNK..n_groups.min((piece + 1) * CHUNK);
                let mut out = Piece {
                    counts: Vec::with_capacity(groups.len()),
                    neighbours: Vec::with_capacity(groups.len() * 6),
                    is_irregular: Vec::with_capacity(groups.len()),
                };
                // (other end, half-edge) of every edge around the group.
                let mut around: Vec<(u32, u32)> = Vec::new();
                for group in groups {
                    around.clear();
                    let range = corner_offsets[group] as usize..corner_offsets[group + 1] as usize;
                    for &corner in &corners[range] {
                        let t = triangles[corner as usize / 3];
                        if is_collapsed(t) {
                            continue;
                        }
                        let (next, previous) = (next_corner(corner), previous_corner(corner));
                        around.push((t[next as usize % 3], corner));
                        around.push((t[previous as usize % 3], previous));
                    }
                    around.sort_unstable();
                    let before = out.neighbours.len();
                    let mut irregular = false;
                    for edge in around.chunk_by(|a, b| a.0 == b.0) {
                        let other = edge[0].0;
                        out.neighbours.push(other);
                        irregular |= edge.len() != 2;
                        // Each undirected edge is linked once, from its lower end.
                        if (group as u32) < other {
                            for (i, &(_, half_edge)) in edge.iter().enumerate() {
                                let next = edge[(i + 1) % edge.len()].1;
                                across[half_edge as usize].store(next, Ordering::Relaxed);
                            }
                        }
                    }
                    out.counts.push((out.neighbours.len() - before) as u32);
                    out.is_irregular.push(irregular);
                }
                out
            })
            .collect();

        let mut neighbour_offsets = Vec::with_capacity(n_groups + 1);
        neighbour_offsets.push(0);
        let mut total = 0;
        let mut neighbours = Vec::with_capacity(pieces.iter().map(|p| p.neighbours.len()).sum());
        let mut is_irregular = Vec::with_capacity(n_groups);
        for piece in pieces {
            for count in piece.counts {
                total += count;
                neighbour_offsets.push(total);
            }
            neighbours.extend_from_slice(&piece.neighbours);
            is_irregular.extend_from_slice(&piece.is_irregular);
        }
        Self {
            triangles,
            corner_offsets,
            corners,
            neighbour_offsets,
            neighbours,
            across: across.into_iter().map(AtomicU32::into_inner).collect(),
            is_irregular,
        }
    }

    /// How many groups.
    pub fn n_groups(&self) -> usize {
        self.is_irregular.len()
    }

    /// Triangles over groups, `[n_triangles]`, in the mesh's order.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The groups that share an edge with `group`, ascending, without itself.
    pub fn neighbours(&self, group: u32) -> &[u32] {
        slice(&self.neighbour_offsets, &self.neighbours, group)
    }

    /// The corners (`3 * triangle + corner`) at `group`, ascending.
    pub fn corners(&self, group: u32) -> &[u32] {
        slice(&self.corner_offsets, &self.corners, group)
    }

    /// The triangles at `group`, ascending (a triangle with two corners there comes twice).
    pub fn triangles_of(&self, group: u32) -> impl Iterator<Item = u32> + '_ {
        self.corners(group).iter().map(|corner| corner / 3)
    }

    /// The other half-edges of the undirected edge of `half_edge`: none on a border, several where more than two
    /// triangles meet.
    pub fn across(&self, half_edge: u32) -> impl Iterator<Item = u32> + '_ {
        let follow = move |h: u32| {
            let next = self.across[h as usize];
            (next != half_edge).then_some(next)
        };
        std::iter::successors(follow(half_edge), move |&h| follow(h))
    }

    /// Whether the surface ends at `group`, or more than two triangles meet at one of its edges.
    pub fn is_irregular(&self, group: u32) -> bool {
        self.is_irregular[group as usize]
    }

    /// Connected parts (shells): `(shell of every group, number of shells)`. Shells are numbered by their lowest group;
    /// a group without triangles is a shell of its own.
    pub fn components(&self) -> (Vec<u32>, usize) {
        let mut parent: Vec<u32> = (0..self.n_groups() as u32).collect();
        for &[a, b, c] in &self.triangles {
            join(&mut parent, a, b);
            join(&mut parent, a, c);
        }
        // Roots are the lowest of their shell, so every parent is numbered before its children.
        let mut n_shells = 0;
        for group in 0..parent.len() {
            let up = parent[group] as usize;
            if up == group {
                parent[group] = n_shells;
                n_shells += 1;
            } else {
                parent[group] = parent[up];
            }
        }
        (parent, n_shells as usize)
    }
}

/// The next corner of the same triangle.
pub fn next_corner(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}

/// The previous corner of the same triangle.
pub fn previous_corner(corner: u32) -> u32 {
    if corner.is_multiple_of(3) { corner + 2 } else { corner - 1 }
}

fn is_collapsed([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

fn slice<'a>(offsets: &[u32], values: &'a [u32], i: u32) -> &'a [u32] {
    &values[offsets[i as usize] as usize..offsets[i as usize + 1] as usize]
}

/// A counting sort of the corners by group.
fn corners_by_group(triangles: &[[u32; 3]], n_groups: usize) -> (Vec<u32>, Vec<u32>) {
    let flat = triangles.as_flattened();
    let mut offsets = vec![0_u32; n_groups + 1];
    for &group in flat {
        offsets[group as usize] += 1;
    }
    let mut total = 0;
    for offset in &mut offsets {
        let count = *offset;
        *offset = total;
        total += count;
    }
    let mut corners = vec![0_u32; flat.len()];
    for (corner, &group) in flat.iter().enumerate() {
        let slot = &mut offsets[group as usize];
        corners[*slot as usize] = corner as u32;
        *slot += 1;
    }
    // Every offset has moved to the start of the next group: move them back by one place.
    offsets.copy_within(0..n_groups, 1);
    offsets[0] = 0;
    (offsets, corners)
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let up = parent[parent[i as usize] as usize];
        parent[i as usize] = up;
        i = up;
    }
    i
}

fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parent, a), root(parent, b));
    let (low, high) = (a.min(b), a.max(b));
    parent[high as usize] = low;
}
