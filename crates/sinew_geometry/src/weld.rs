//! Groups of vertices that are one point of the surface.
//!
//! A file splits a vertex wherever a UV seam, a hard edge or a material border runs. Neighbourhoods, distances and edits
//! must not see those splits. Vertices weld when their positions are equal to the bit (−0 equals 0); nothing is welded
//! by tolerance. The caller can keep vertices apart that mean different things; see [`crate::sides`] for one reason.

use std::cmp::Ordering;

use glam::Vec3;
use rayon::prelude::*;

/// Which vertices are one point: every vertex is in exactly one group.
///
/// Groups are numbered by their lowest vertex, so a mesh without twins has `group_of(v) == v`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeldGroups {
    /// `[n_vertices]`
    group_of: Vec<u32>,
    /// `[n_groups + 1]`, into `members`
    offsets: Vec<u32>,
    /// `[n_vertices]`, ascending within a group
    members: Vec<u32>,
}

impl WeldGroups {
    /// Welds all vertices with bit-equal positions for which `compare` finds no difference.
    ///
    /// `compare(a, b)` is a total order on coincident vertices that is `Equal` exactly when they may be one point:
    /// compare the side of the surface first, then the weight rows, and so on; `|_, _| Ordering::Equal` welds by position
    /// alone. It is only called for vertices at the same position. An order (rather than a yes or no) keeps a file with
    /// a million coincident vertices from taking a million times a million comparisons.
    ///
    /// Vertices with a NaN in their position stay alone.
    pub fn by_position(positions: &[Vec3], compare: impl Fn(u32, u32) -> Ordering) -> Self {
        let n = positions.len();
        // The upper half is a hash of the position, the lower half the vertex: equal positions end up side by side.
        let mut keys: Vec<u64> =
            positions.par_iter().enumerate().map(|(v, &p)| hash(position_bits(p)) << 32 | v as u64).collect();
        keys.par_sort_unstable();

        // Lowest vertex of each vertex's group, filled run by run.
        let mut lowest: Vec<u32> = (0..n as u32).collect();
        let mut run = Vec::new();
        for same_hash in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
            if same_hash.len() == 1 {
                continue;
            }
            run.clear();
            run.extend(same_hash.iter().map(|&key| key as u32).filter(|&v| !positions[v as usize].is_nan()));
            let bits = |v: u32| position_bits(positions[v as usize]);
            // A hash may be shared by different positions; the first comparison tells them apart.
            let order = |&a: &u32, &b: &u32| bits(a).cmp(&bits(b)).then_with(|| compare(a, b));
            run.sort_by(order);
            for group in run.chunk_by(|a, b| order(a, b) == Ordering::Equal) {
                // The sort is stable and the run was ascending, so the first is the lowest.
                for &v in group {
                    lowest[v as usize] = group[0];
                }
            }
        }
        Self::from_lowest(&lowest)
    }

    /// Every vertex alone.
    pub fn separate(n_vertices: usize) -> Self {
        Self::from_lowest(&(0..n_vertices as u32).collect::<Vec<_>>())
    }

    /// `lowest[v]` is the lowest vertex of v's group.
    fn from_lowest(lowest: &[u32]) -> Self {
        let n = lowest.len();
        let mut group_of = vec![0_u32; n];
        let mut sizes: Vec<u32> = Vec::with_capacity(n);
        for v in 0..n {
            let first = lowest[v] as usize;
            if first == v {
                group_of[v] = sizes.len() as u32;
                sizes.push(1);
            } else {
                group_of[v] = group_of[first];
                sizes[group_of[v] as usize] += 1;
            }
        }
        let mut offsets = Vec::with_capacity(sizes.len() + 1);
        let mut total = 0;
        offsets.push(0);
        for size in &mut sizes {
            let start = total;
            total += *size;
            offsets.push(total);
            // From here on `sizes` is where the next member of the group goes.
            *size = start;
        }
        let mut members = vec![0_u32; n];
        for (v, &group) in group_of.iter().enumerate() {
            let slot = &mut sizes[group as usize];
            members[*slot as usize] = v as u32;
            *slot += 1;
        }
        Self { group_of, offsets, members }
    }

    /// How many vertices.
    pub fn n_vertices(&self) -> usize {
        self.group_of.len()
    }

    /// How many groups.
    pub fn n_groups(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The group of a vertex.
    pub fn group_of(&self, vertex: u32) -> u32 {
        self.group_of[vertex as usize]
    }

    /// The group of every vertex, `[n_vertices]`.
    pub fn groups(&self) -> &[u32] {
        &self.group_of
    }

    /// The vertices of a group, ascending; never empty.
    pub fn members(&self, group: u32) -> &[u32] {
        let (from, to) = (self.offsets[group as usize], self.offsets[group as usize + 1]);
        &self.members[from as usize..to as usize]
    }

    /// The vertex that stands for the group: its lowest.
    pub fn representative(&self, group: u32) -> u32 {
        self.members[self.offsets[group as usize] as usize]
    }

    /// The vertices at the same point as `vertex`, itself included.
    pub fn twins(&self, vertex: u32) -> &[u32] {
        self.members(self.group_of(vertex))
    }

    /// Triangles over groups instead of vertices, `[n_triangles]`.
    pub fn triangles(&self, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        triangles.par_iter().with_min_len(4096).map(|t| t.map(|v| self.group_of(v))).collect()
    }

    /// The positions of the groups, `[n_groups]`: those of their representatives.
    pub fn positions(&self, positions: &[Vec3]) -> Vec<Vec3> {
        (0..self.n_groups() as u32).map(|group| positions[self.representative(group) as usize]).collect()
    }
}

/// The position's bits, with −0 made 0.
fn position_bits(p: Vec3) -> [u32; 3] {
    p.to_array().map(|x| (x + 0.0).to_bits())
}

/// 32 well-mixed bits.
fn hash([x, y, z]: [u32; 3]) -> u64 {
    let mut h = (x as u64 | (y as u64) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (h >> 32) ^ z as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h = (h ^ (h >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_position(positions: &[Vec3]) -> WeldGroups {
        WeldGroups::by_position(positions, |_, _| Ordering::Equal)
    }

    #[test]
    fn minus_zero_is_zero_and_nan_stays_alone() {
        let w = by_position(&[
            Vec3::new(f32::NAN, 0.0, 0.0),
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(f32::NAN, 0.0, 0.0),
            Vec3::new(-0.0, 1.0, -0.0),
        ]);
        assert_eq!(w.n_groups(), 3);
        assert_eq!(w.twins(3), [1, 3]);
        assert_eq!(w.twins(0), [0]);
        assert_eq!(w.representative(w.group_of(3)), 1);
    }

    #[test]
    fn vertices_that_the_caller_tells_apart_stay_apart() {
        let rows = [1, 2, 1, 2, 3];
        let w = WeldGroups::by_position(&[Vec3::ONE; 5], |a, b| rows[a as usize].cmp(&rows[b as usize]));
        assert_eq!(w.groups(), [0, 1, 0, 1, 2]);
        assert_eq!(w.members(1), [1, 3]);
    }

    proptest! {
        #[test]
        fn welding_agrees_with_comparing_all_pairs(
            points in prop::collection::vec((0_i8..3, 0_i8..3, 0_i8..2, 0_u8..2), 0..60)
        ) {
            let positions: Vec<Vec3> = points
                .iter()
                .map(|&(x, y, z, _)| Vec3::new(x as f32 * 0.1, -(y as f32), z as f32))
                .collect();
            let w = WeldGroups::by_position(&positions, |a, b| {
                points[a as usize].3.cmp(&points[b as usize].3)
            });
            for a in 0..points.len() {
                let twins: Vec<u32> = (0..points.len())
                    .filter(|&b| points[a] == points[b])
                    .map(|b| b as u32)
                    .collect();
                prop_assert_eq!(w.twins(a as u32), &twins[..]);
                prop_assert_eq!(w.representative(w.group_of(a as u32)), twins[0]);
            }
            let reps: Vec<u32> = (0..w.n_groups() as u32).map(|g| w.representative(g)).collect();
            prop_assert!(reps.is_sorted());
        }
    }
}
