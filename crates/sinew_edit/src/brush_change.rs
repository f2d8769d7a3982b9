//! What a brush makes of one weld group's row: the only place that calls kernels, for dabs and floods alike.
//!
//! Boundary: rows in, a change out. Which groups are meant and how much, and what becomes of the change, is the caller's.

use sinew_model::{JointSlot, Mesh, Row};
use sinew_weights::{Change, Holds, blend_row, mean_of_rows, set_weight};

use crate::brushes::{Brush, Kernel, Sample};
use crate::surface::MeshSurface;

/// A brush on a mesh, with all that its kernel and the normalising need.
#[derive(Clone, Copy)]
pub struct BrushChange<'a> {
    /// The mesh with its rows before the dab.
    pub mesh: &'a Mesh,
    /// Its welded surface.
    pub surface: &'a MeshSurface,
    /// The brush.
    pub brush: &'static Brush,
    /// The painted joint's slot.
    pub slot: JointSlot,
    /// What is painted, 0 to 1.
    pub value: f32,
    /// What may not move.
    pub holds: Holds<'a>,
}

impl BrushChange<'_> {
    /// What `amount` (strength × falloff × how much the vertex may change) makes of a group's row.
    pub fn of(&self, group: u32, amount: f32) -> Change {
        let vertex = self.surface.representative(group);
        if amount <= 0.0 || !self.mesh.is_paintable(vertex) {
            return Change::Unchanged;
        }
        let row = self.mesh.weights.get(vertex);
        let neighbour_mean = || {
            let neighbours = self.surface.topology.neighbours(group);
            let rows = neighbours.iter().map(|&g| (self.mesh.weights.row(self.surface.representative(g)), 1.0));
            Some(mean_of_rows(rows)).filter(|row: &Row| !row.is_empty())
        };
        let weight = row.weight(self.slot);
        let sample = Sample { row: &row, weight, value: self.value, neighbour_mean: &neighbour_mean };
        match self.brush.kernel {
            Kernel::Weight(toward) => {
                let target = toward(&sample);
                // At full strength the target itself, to the bit.
                let blended = if amount >= 1.0 { target } else { weight + (target - weight) * amount };
                set_weight(&row, self.slot, blended, self.holds, || neighbour_mean().unwrap_or_default())
            }
            Kernel::Row(toward) => match toward(&sample) {
                Some(target) => blend_row(&row, &target, amount, self.holds),
                None => Change::Unchanged,
            },
        }
    }
}
