//! Which weld groups a dab reaches, and how far each is from its centre.

use glam::Vec3;
use sinew_geometry::Bvh;
use sinew_geometry::geodesic::{GeodesicScratch, distances_within};
use sinew_geometry::normals::vertex_normal;

use crate::posed::PosedInstance;
use crate::surface::MeshSurface;

/// How distance from a dab's centre is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// Along the posed surface, from the point of it nearest to the centre: never across a gap.
    #[default]
    Surface,
    /// Straight through space, over all shells of the mesh.
    Volume,
}

impl Reach {
    /// All kinds, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Surface, Self::Volume];

    /// The name in scripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Volume => "volume",
        }
    }

    /// The name on screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Surface => "Surface",
            Self::Volume => "Volume",
        }
    }

    /// The kind with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reach| reach.name() == name)
    }
}

/// Reusable memory for one mesh: a dab allocates nothing that grows with the mesh.
pub struct ReachScratch {
    geodesic: GeodesicScratch,
    /// Groups reached by the last dab with their distances, scene units; rising by group.
    pub reached: Vec<(u32, f32)>,
}

impl ReachScratch {
    /// For a mesh of that surface.
    pub fn new(surface: &MeshSurface) -> Self {
        Self { geodesic: GeodesicScratch::new(surface.weld.n_groups()), reached: Vec::new() }
    }

    /// Finds the groups within `radius` of `center`. A centre farther than the radius from the surface reaches none.
    /// With an `eye` only groups that face it and are not hidden from it count.
    pub fn find(
        &mut self,
        reach: Reach,
        surface: &MeshSurface,
        posed: &PosedInstance,
        bvh: &Bvh,
        (center, radius): (Vec3, f32),
        eye: Option<Vec3>,
    ) {
        let Self { geodesic, reached } = self;
        let positions = &posed.group_positions;
        reached.clear();
        match reach {
            Reach::Volume => {
                bvh.vertices_within(positions, center, radius, |group, distance| reached.push((group, distance)));
            }
            Reach::Surface => {
                let Some(seed) = bvh.closest_point(positions, center, radius) else { return };
                let position = |group: u32| positions[group as usize];
                distances_within(geodesic, &surface.topology, position, seed.into(), radius, |group, distance| {
                    reached.push((group, distance));
                });
            }
        }
        if let Some(eye) = eye {
            reached.retain(|&(group, _)| is_seen(surface, posed, bvh, group, eye));
        }
        reached.sort_unstable_by_key(|&(group, _)| group);
    }
}

/// Whether a group faces the eye and nothing of the mesh stands between them.
fn is_seen(surface: &MeshSurface, posed: &PosedInstance, bvh: &Bvh, group: u32, eye: Vec3) -> bool {
    let positions = &posed.group_positions;
    let here = positions[group as usize];
    let to_eye = eye - here;
    let normal = vertex_normal(&surface.topology, |group| positions[group as usize], group);
    if normal.dot(to_eye) <= 0.0 {
        return false;
    }
    // Triangles around the vertex itself never hide it.
    let around = surface.topology.corners(group);
    !bvh.any_hit(positions, here, to_eye, (1e-5, 1.0), |triangle| around.iter().any(|&corner| corner / 3 == triangle))
}
