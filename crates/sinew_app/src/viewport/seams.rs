//! Seams on the model: where vertices share a place as one, and where twins came with different weights and may tear.

use std::collections::{BTreeMap, HashSet};

use glam::Vec3;
use sinew_edit::{Editor, MeshSurface};
use sinew_model::{Mesh, VertexIndex};
use sinew_render::{Cap, Color, Disc, DrawList, Line};

/// Vertices that share a place, and move as one.
pub const SEAM: Color = Color::hex(0x8FD3FF);
/// Twins that came apart.
pub const TORN: Color = Color::hex(0xFF8F6B);

/// A mesh's seams, made once: surfaces never weld anew.
#[derive(Default)]
pub struct Seams {
    /// Edges along seams.
    whole: Vec<[u32; 2]>,
    /// Edges along torn places.
    torn: Vec<[u32; 2]>,
    torn_places: Vec<VertexIndex>,
}

impl Seams {
    /// Finds the borders of the mesh's triangles whose ends stand where others do.
    pub fn of(mesh: &Mesh, surface: &MeshSurface) -> Self {
        let bits = |v: u32| mesh.positions[v as usize].to_array().map(f32::to_bits);
        let torn_places: HashSet<[u32; 3]> = surface.torn.iter().map(|v| bits(v.0)).collect();
        let is_seam = |v: u32| surface.members(surface.group_of(VertexIndex(v))).len() > 1;
        let mut n_sides: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for [a, b, c] in mesh.triangles() {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let may_be = |v| is_seam(v) || torn_places.contains(&bits(v));
                if may_be(from) && may_be(to) {
                    *n_sides.entry([from.min(to), from.max(to)]).or_default() += 1;
                }
            }
        }
        let borders = n_sides.into_iter().filter(|(_, n)| *n == 1).map(|(edge, _)| edge);
        let (torn, whole): (Vec<_>, Vec<_>) =
            borders.partition(|edge| edge.iter().all(|&v| torn_places.contains(&bits(v))));
        // Both sides of a seam have the edge: once is enough.
        let mut seen = HashSet::new();
        let mut once = |edges: Vec<[u32; 2]>| -> Vec<[u32; 2]> {
            let is_new = |edge: &[u32; 2]| {
                let [a, b] = edge.map(bits);
                seen.insert(if a < b { [a, b] } else { [b, a] })
            };
            edges.into_iter().filter(is_new).collect()
        };
        Self { whole: once(whole), torn: once(torn), torn_places: surface.torn.clone() }
    }

    /// Whether there are any, and whether any are torn.
    pub fn kinds(&self) -> (bool, bool) {
        (!self.whole.is_empty(), !self.torn_places.is_empty())
    }

    /// Adds them as an instance stands.
    pub fn push(&self, list: &mut DrawList<'_>, editor: &mut Editor, instance_idx: usize) {
        let is_exported = editor.exported(instance_idx).is_some();
        let positions: &[Vec3] = if is_exported {
            editor.exported(instance_idx).map_or(&[], |exported| &exported.posed.positions)
        } else {
            &editor.posed(instance_idx).posed.positions
        };
        let at = |v: u32| positions[v as usize];
        let line = |&[a, b]: &[u32; 2], width, color: Color| {
            Line::new(at(a), at(b), width, color).with_cap(Cap::Round).with_pull(0.002)
        };
        list.lines.extend(self.whole.iter().map(|edge| line(edge, 1.7, SEAM)));
        list.lines.extend(self.torn.iter().map(|edge| line(edge, 2.6, TORN)));
        let dark = Color::hex(0x1A_1B1F).with_alpha(0.5);
        let dot = |v: &VertexIndex| Disc::new(at(v.0), 2.6, TORN).with_outline(0.9, dark);
        list.discs.extend(self.torn_places.iter().map(dot));
    }
}
