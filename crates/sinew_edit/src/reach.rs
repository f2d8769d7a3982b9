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
    /// From the ray of view through the centre: all along it, near and far side alike.
    Screen,
}

impl Reach {
    /// All kinds, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Surface, Self::Volume, Self::Screen];

    /// The name in scripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Volume => "volume",
            Self::Screen => "screen",
        }
    }

    /// The name on screen.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Surface => "Surface",
            Self::Volume => "Volume",
            Self::Screen => "Screen",
        }
    }

    /// The kind with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reach| reach.name() == name)
    }
}

/// What a dab asks for.
#[derive(Clone, Copy, Debug)]
pub struct ReachQuery {
    /// How distance is measured.
    pub reach: Reach,
    /// The dab's centre, scene space.
    pub center: Vec3,
    /// Its radius, scene units.
    pub radius: f32,
    /// The eye, scene space: what [`Reach::Screen`] looks along. Without one that reaches nothing.
    pub eye: Option<Vec3>,
    /// Whether only groups that face the eye and are not hidden from it count.
    pub front_only: bool,
    /// Whether only the connected shell counts whose surface is nearest to the centre.
    pub shell_only: bool,
}

/// Reusable memory for one mesh: a dab allocates nothing that grows with the mesh.
pub struct ReachScratch {
    geodesic: GeodesicScratch,
    /// Which connected shell each group is of, once somebody asked. `[n_groups]`
    shells: Option<Vec<u32>>,
    /// Groups reached by the last dab with their distances, scene units; rising by group.
    pub reached: Vec<(u32, f32)>,
}

impl ReachScratch {
    /// For a mesh of that surface.
    pub fn new(surface: &MeshSurface) -> Self {
        Self { geodesic: GeodesicScratch::new(surface.weld.n_groups()), shells: None, reached: Vec::new() }
    }

    /// Which connected shell each group is of. `[n_groups]`
    pub fn shells(&mut self, surface: &MeshSurface) -> &[u32] {
        self.shells.get_or_insert_with(|| surface.topology.components().0)
    }

    /// The shells, if [`ReachScratch::shells`] was called before.
    pub fn known_shells(&self) -> Option<&[u32]> {
        self.shells.as_deref()
    }

    /// Finds the groups within the radius. A centre farther than the radius from the surface reaches none (by
    /// [`Reach::Surface`] or with one shell only).
    pub fn find(&mut self, query: &ReachQuery, surface: &MeshSurface, posed: &PosedInstance, bvh: &Bvh) {
        let ReachQuery { reach, center, radius, eye, front_only, shell_only } = *query;
        let positions = &posed.group_positions;
        self.reached.clear();
        match reach {
            Reach::Volume => {
                let reached = &mut self.reached;
                bvh.vertices_within(positions, center, radius, |group, distance| reached.push((group, distance)));
            }
            Reach::Surface => {
                let Self { geodesic, reached, .. } = self;
                let Some(seed) = bvh.closest_point(positions, center, radius) else { return };
                let position = |group: u32| positions[group as usize];
                distances_within(geodesic, &surface.topology, position, seed.into(), radius, |group, distance| {
                    reached.push((group, distance));
                });
            }
            Reach::Screen => {
                let Some(eye) = eye else { return };
                let reached = &mut self.reached;
                bvh.vertices_near_ray(positions, eye, center - eye, radius, |group, distance| {
                    reached.push((group, distance));
                });
            }
        }
        if shell_only && reach != Reach::Surface {
            let Some(seed) = bvh.closest_point(positions, center, radius) else { return self.reached.clear() };
            let shells = self.shells.get_or_insert_with(|| surface.topology.components().0);
            let shell = shells[surface.topology.triangles()[seed.triangle as usize][0] as usize];
            self.reached.retain(|&(group, _)| shells[group as usize] == shell);
        }
        if let Some(eye) = eye.filter(|_| front_only) {
            self.reached.retain(|&(group, _)| is_seen(surface, posed, bvh, group, eye));
        }
        self.reached.sort_unstable_by_key(|&(group, _)| group);
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
