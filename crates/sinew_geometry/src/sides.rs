//! Which side of the surface a vertex is on, where surfaces lie on top of each other.
//!
//! A two-sided cloak is two sheets at the same positions, facing opposite ways; closed lips and two balls that touch look
//! the same at a point. Those must not weld, while hard edges, however sharp, must. Normals alone cannot tell
//! a blade's edge from a cloak, so the triangles decide: walking from triangle to triangle over shared edges
//! stays on one side, unless the next triangle is folded flat onto the last one.

use std::cmp::Ordering;

use glam::Vec3;

use crate::{
    adjacency::{Topology, next_corner},
    normals::face_normal,
    tri_mesh::TriMeshRef,
    weld::WeldGroups,
};

/// The side of every vertex. Only the comparison of vertices at the same position means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceSides {
    /// `[n_vertices]`, 0 nearly everywhere
    side: Vec<u8>,
}

/// Normals that point apart by more than 135° are opposite.
const OPPOSITE: f32 = -0.7;
/// Triangles whose normals are this opposite across an edge are folded onto each other (an opening below 2.5°).
const FOLDED: f32 = -0.999;
/// Above this many vertices at one position the file is broken, and all of them are one side.
const MOST_VERTICES: usize = 64;

impl SurfaceSides {
    /// Finds the sides. `normals` (`[n_vertices]`) are the file's, or those of the vertices' own triangles.
    ///
    /// Vertices at one position are on the same side when no two of their normals are opposite, or when a walk over
    /// the triangles around the position, which never takes a fold, leads from one to the other. What the walk does not
    /// connect is joined in the order of the vertices as long as no normals are opposite.
    pub fn new(mesh: TriMeshRef<'_>, normals: &[Vec3]) -> Self {
        let weld = WeldGroups::by_position(mesh.positions(), |_, _| Ordering::Equal);
        let mut side = vec![0; mesh.positions().len()];
        let is_opposite = |a: u32, b: u32| normals[a as usize].dot(normals[b as usize]) < OPPOSITE;
        let doubtful: Vec<u32> = (0..weld.n_groups() as u32)
            .filter(|&group| {
                let members = weld.members(group);
                (2..=MOST_VERTICES).contains(&members.len())
                    && members.iter().any(|&a| members.iter().any(|&b| is_opposite(a, b)))
            })
            .collect();
        if doubtful.is_empty() {
            return Self { side };
        }
        let topology = Topology::new(mesh, &weld);
        for group in doubtful {
            let members = weld.members(group);
            let mut walk = connect(mesh, &topology, group, members);
            // Join what no opposite normals keep apart.
            for first in 0..members.len() {
                for second in first + 1..members.len() {
                    let (a, b) = (walk[first], walk[second]);
                    let of = |part: usize| {
                        let walk = &walk;
                        (0..members.len()).filter(move |&i| walk[i] == part)
                    };
                    let is_apart = a == b || of(a).any(|i| of(b).any(|j| is_opposite(members[i], members[j])));
                    if !is_apart {
                        relabel(&mut walk, b, a);
                    }
                }
            }
            for (&vertex, part) in members.iter().zip(walk) {
                side[vertex as usize] = part as u8;
            }
        }
        Self { side }
    }

    /// Orders two vertices at the same position by their side, for [`WeldGroups::by_position`].
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        self.side[a as usize].cmp(&self.side[b as usize])
    }
}

/// The parts of `members` that a walk around `group` connects: for each the index of its part's first member.
fn connect(mesh: TriMeshRef<'_>, topology: &Topology, group: u32, members: &[u32]) -> Vec<usize> {
    let mut part: Vec<usize> = (0..members.len()).collect();
    let group_at = |corner: u32| topology.triangles()[corner as usize / 3][corner as usize % 3];
    let member_at = |triangle: u32| {
        let corner = (0..3).find(|&i| group_at(3 * triangle + i) == group)?;
        let vertex = mesh.triangles()[triangle as usize][corner as usize];
        members.binary_search(&vertex).ok()
    };
    // The edges that leave the group; those that arrive are the neighbours' partners of these.
    for &corner in topology.corners(group).iter().take(4 * MOST_VERTICES) {
        let normal = face_normal(mesh.corners(corner / 3));
        for other in topology.across(corner).take(MOST_VERTICES) {
            // Neighbours on one side run along their edge in opposite directions.
            if group_at(next_corner(other)) != group {
                continue;
            }
            let is_fold = normal.dot(face_normal(mesh.corners(other / 3))) < FOLDED;
            if let (false, Some(a), Some(b)) = (is_fold, member_at(corner / 3), member_at(other / 3)) {
                let (a, b) = (part[a].min(part[b]), part[a].max(part[b]));
                relabel(&mut part, b, a);
            }
        }
    }
    part
}

fn relabel(parts: &mut [usize], from: usize, to: usize) {
    for part in parts {
        if *part == from {
            *part = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_meshes::{Mesh, cube, flat};

    /// Face normals as a file with hard edges has them, and the groups.
    fn weld((positions, triangles): &Mesh) -> WeldGroups {
        let mesh = TriMeshRef::new(positions, triangles).expect("indices in range");
        let mut normals = vec![Vec3::ZERO; positions.len()];
        for (t, corners) in triangles.iter().enumerate() {
            for &v in corners {
                normals[v as usize] = face_normal(mesh.corners(t as u32));
            }
        }
        let sides = SurfaceSides::new(mesh, &normals);
        WeldGroups::by_position(positions, |a, b| sides.compare(a, b))
    }

    fn two_sided((positions, triangles): &Mesh) -> Mesh {
        let n = positions.len() as u32;
        let back = triangles.iter().map(|&[a, b, c]| [a + n, c + n, b + n]);
        ([&positions[..], positions].concat(), triangles.iter().copied().chain(back).collect())
    }

    #[test]
    fn a_cube_welds_over_its_hard_edges_and_corners() {
        let cube = cube(1);
        assert_eq!(cube.0.len(), 24);
        assert_eq!(weld(&cube).n_groups(), 8);
    }

    #[test]
    fn the_two_sheets_of_a_cloak_stay_apart() {
        let sheet = flat(3, 3);
        assert_eq!(weld(&two_sided(&sheet)).n_groups(), 32);
    }

    #[test]
    fn a_two_sided_box_with_hard_edges_is_two_surfaces() {
        let w = weld(&two_sided(&cube(2)));
        assert_eq!(w.n_groups(), 2 * 26);
        for group in 0..w.n_groups() as u32 {
            let outside = w.members(group).iter().filter(|&&v| v < 54).count();
            assert!(outside == 0 || outside == w.members(group).len());
        }
    }

    #[test]
    fn the_tip_of_a_spike_welds_although_its_faces_look_apart() {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        let ring = |k: u32| {
            let (sin, cos) = ((k % 8) as f32 * std::f32::consts::TAU / 8.0).sin_cos();
            Vec3::new(cos, sin, 0.0)
        };
        for k in 0..8 {
            let n = positions.len() as u32;
            positions.extend([ring(k), ring(k + 1), Vec3::Z * 10.0]);
            triangles.push([n, n + 1, n + 2]);
        }
        assert_eq!(weld(&(positions, triangles)).n_groups(), 9);
    }
}
