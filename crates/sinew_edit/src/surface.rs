//! What does not change about a mesh's surface while its weights do: triangles, weld groups, neighbourhood.

use std::cmp::Ordering;

use sinew_geometry::sides::SurfaceSides;
use sinew_geometry::{Topology, TriMeshRef, WeldGroups};
use sinew_model::{Mesh, Row, VertexIndex, VertexSet};

/// A mesh's welded surface. Groups are decided once, by the weights as they came ("Coincident vertices" in
/// ARCHITECTURE.md): twins that came different stay apart, twins that came equal never part.
#[derive(Debug)]
pub struct MeshSurface {
    /// Coincident vertices with equal rows on the same side of the surface are one group.
    pub weld: WeldGroups,
    /// Neighbourhood of the groups; its triangles are the mesh's, in order, in group numbers.
    pub topology: Topology,
    /// Coincident vertices on the same side that came with different rows, one of each place, rising.
    pub torn: Vec<VertexIndex>,
    /// All vertices of each of those places. `[n_torn]`
    torn_members: Vec<Vec<VertexIndex>>,
    /// Groups of more than one vertex.
    pub n_seams: usize,
}

impl MeshSurface {
    /// Welds the mesh by its weights as they are now: call it before the first edit.
    pub fn of(mesh: &Mesh) -> Self {
        let triangles: Vec<[u32; 3]> = mesh.triangles().collect();
        // A mesh whose triangles do not fit its vertices is refused by `Document::new`.
        let Ok(tri_mesh) = TriMeshRef::new(&mesh.positions, &triangles) else {
            let weld = WeldGroups::separate(mesh.n_vertices());
            return Self {
                weld,
                topology: Topology::default(),
                torn: Vec::new(),
                torn_members: Vec::new(),
                n_seams: 0,
            };
        };
        let sides = SurfaceSides::new(tri_mesh, &mesh.normals);
        let by_side = |a: u32, b: u32| sides.compare(a, b);
        let weld =
            WeldGroups::by_position(&mesh.positions, |a, b| by_side(a, b).then_with(|| compare_rows(mesh, a, b)));
        let by_place = WeldGroups::by_position(&mesh.positions, by_side);
        let torn_places: Vec<u32> = (0..by_place.n_groups() as u32)
            .filter(|&place| {
                let members = by_place.members(place);
                members.iter().any(|&v| weld.group_of(v) != weld.group_of(members[0]))
            })
            .collect();
        let torn = torn_places.iter().map(|&place| VertexIndex(by_place.representative(place))).collect();
        let members = |&place: &u32| by_place.members(place).iter().map(|&v| VertexIndex(v)).collect();
        let torn_members = torn_places.iter().map(members).collect();
        let n_seams = (0..weld.n_groups() as u32).filter(|&group| weld.members(group).len() > 1).count();
        let topology = Topology::new(tri_mesh, &weld);
        Self { weld, topology, torn, torn_members, n_seams }
    }

    /// At how many places twins have different rows now: only where they came so, since edits part none.
    pub fn n_torn(&self, mesh: &Mesh) -> usize {
        let is_torn = |place: &&Vec<VertexIndex>| {
            place.iter().any(|vertex| compare_rows(mesh, vertex.0, place[0].0) != Ordering::Equal)
        };
        self.torn_members.iter().filter(is_torn).count()
    }

    /// The group of a vertex.
    pub fn group_of(&self, vertex: VertexIndex) -> u32 {
        self.weld.group_of(vertex.0)
    }

    /// The vertices of a group, rising.
    pub fn members(&self, group: u32) -> impl ExactSizeIterator<Item = VertexIndex> + '_ {
        self.weld.members(group).iter().map(|&v| VertexIndex(v))
    }

    /// The vertex whose row stands for the group.
    pub fn representative(&self, group: u32) -> VertexIndex {
        VertexIndex(self.weld.representative(group))
    }

    /// The groups of the given vertices, rising and each once: edits speak of groups so that twins stay equal.
    pub fn groups_of(&self, vertices: &[VertexIndex]) -> Vec<u32> {
        let mut groups: Vec<u32> = vertices.iter().map(|&vertex| self.group_of(vertex)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The groups of a set of vertices, rising and each once.
    pub fn groups_of_set(&self, vertices: &VertexSet) -> Vec<u32> {
        let mut groups: Vec<u32> = vertices.iter().map(|vertex| self.group_of(vertex)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The set with the twins of its vertices.
    pub fn with_twins(&self, vertices: &VertexSet) -> VertexSet {
        if self.n_seams == 0 {
            return vertices.clone();
        }
        let mut all = vertices.clone();
        for vertex in vertices.iter() {
            let members = self.members(self.group_of(vertex));
            if members.len() > 1 {
                all.extend(members);
            }
        }
        all
    }
}

/// An order of rows by content, whatever their slot order.
fn compare_rows(mesh: &Mesh, a: u32, b: u32) -> Ordering {
    let key = |v: u32| {
        let row: Row = mesh.weights.get(VertexIndex(v));
        let mut key: Vec<(u16, u32)> = row.influences().iter().map(|i| (i.slot.0, i.weight.to_bits())).collect();
        key.sort_unstable();
        (mesh.is_paintable(VertexIndex(v)), key)
    };
    key(a).cmp(&key(b))
}
