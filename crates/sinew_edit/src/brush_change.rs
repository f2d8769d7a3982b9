//! What a brush makes of one weld group's row: the only place that calls kernels, for dabs and floods alike.
//!
//! Boundary: rows in, a change out. Which groups are meant and how much, and what becomes of the change, is the caller's.

use std::cell::OnceCell;

use glam::Vec3;
use sinew_geometry::Bvh;
use sinew_model::{JointSlot, Mesh, Row, RowRef, VertexIndex};
use sinew_weights::{Change, Holds, Terms, blend_row, mean_of_rows, set_weights, with_share, without_share};

use crate::brushes::{Brush, Kernel, Sample};
use crate::stroke::RowsBefore;
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
    /// The painted joints' slots, rising: one, or several that are painted as one.
    pub slots: &'a [JointSlot],
    /// What is painted, 0 to 1.
    pub value: f32,
    /// What may not move.
    pub holds: Holds<'a>,
    /// What else it goes by.
    pub around: Around<'a>,
}

/// What a change goes by besides the vertex and its neighbours. By default there is nothing.
#[derive(Clone, Copy, Default)]
pub struct Around<'a> {
    /// Rows that count in place of the mesh's: those before the stroke, for a stroke that acts once on every vertex.
    pub before: Option<&'a RowsBefore>,
    /// Whether only joints that the row already has may gain.
    pub existing_only: bool,
    /// Where weight goes and comes from. Where the rest is left open, rows' open shares count as one more joint.
    pub terms: Terms,
    /// The mean row of everything that is meant.
    pub mean: Option<&'a Row>,
    /// Neighbours across gaps.
    pub across: Option<Across<'a>>,
}

/// Where neighbours in other shells are found.
#[derive(Clone, Copy)]
pub struct Across<'a> {
    /// Posed positions of the groups. `[n_groups]`
    pub positions: &'a [Vec3],
    /// The search tree over them.
    pub bvh: &'a Bvh,
    /// Which connected shell each group is of. `[n_groups]`
    pub shells: &'a [u32],
    /// How far a neighbour may be, scene units.
    pub gap: f32,
}

/// One weld group and how much is to be done to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Job {
    /// The group.
    pub group: u32,
    /// Strength × falloff × how much the vertex may change.
    pub amount: f32,
    /// What is painted there, 0 to 1.
    pub value: f32,
    /// Where its weight comes from when rows are carried along.
    pub upstream: Option<Upstream>,
    /// Whether it is its own mirror image.
    pub is_center: bool,
}

/// A point of the surface by three groups and their shares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Upstream {
    /// The corners of the triangle.
    pub groups: [u32; 3],
    /// Their shares, none negative, summing to 1.
    pub shares: [f32; 3],
}

impl<'a> BrushChange<'a> {
    /// What `amount` (strength × falloff × how much the vertex may change) makes of a group's row.
    pub fn of(&self, group: u32, amount: f32) -> Change {
        self.of_job(&Job { group, amount, value: self.value, upstream: None, is_center: false })
    }

    /// What a job makes of its group's row.
    pub fn of_job(&self, job: &Job) -> Change {
        let vertex = self.surface.representative(job.group);
        if job.amount <= 0.0 || !self.mesh.is_paintable(vertex) {
            return Change::Unchanged;
        }
        self.of_row(&self.row(vertex), job)
    }

    /// The mean row of several groups, each counted by its factor; `None` if none of them has weight.
    pub fn mean_of(&self, groups: impl Iterator<Item = (u32, f32)>) -> Option<Row> {
        self.mean(groups.flat_map(|(group, factor)| {
            let beyond = self.around.across.map(|across| across.neighbours(group)).unwrap_or_default();
            std::iter::once(group).chain(beyond).map(move |group| (group, factor))
        }))
    }

    fn mean(&self, groups: impl Iterator<Item = (u32, f32)>) -> Option<Row> {
        let mean = if self.around.terms.leaves {
            let rows: Vec<(Row, f32)> = groups.map(|(group, factor)| (self.row_with_share(group), factor)).collect();
            mean_of_rows(rows.iter().map(|(row, factor)| (RowRef::Long(row.influences()), *factor)))
        } else {
            mean_of_rows(groups.map(|(group, factor)| (self.row_ref(group), factor)))
        };
        Some(mean).filter(|mean| !mean.is_empty())
    }

    /// What a job makes of a row that its group might have.
    pub(crate) fn of_row(&self, row: &Row, job: &Job) -> Change {
        if !(self.around.terms.leaves && matches!(self.brush.kernel, Kernel::Row(_))) {
            return self.of_shares(row, job);
        }
        match self.of_shares(&with_share(row.clone()), job) {
            Change::Changed(row) => Change::Changed(without_share(row)),
            other => other,
        }
    }

    fn of_shares(&self, row: &Row, job: &Job) -> Change {
        let group = job.group;
        let neighbour_mean = || self.mean(self.neighbours(group).map(|group| (group, 1.0)));
        let kept: OnceCell<Vec<Row>> = OnceCell::new();
        let neighbours = || -> Vec<RowRef<'_>> {
            if !self.around.terms.leaves {
                return self.neighbours(group).map(|group| self.row_ref(group)).collect();
            }
            let rows = kept.get_or_init(|| self.neighbours(group).map(|group| self.row_with_share(group)).collect());
            rows.iter().map(|row| RowRef::Long(row.influences())).collect()
        };
        let upstream = || {
            let Upstream { groups, shares } = job.upstream?;
            self.mean(groups.into_iter().zip(shares))
        };
        let weight = match self.slots {
            [slot] => row.weight(*slot),
            slots => slots.iter().map(|&slot| f64::from(row.weight(slot))).sum::<f64>() as f32,
        };
        let sample = Sample {
            row,
            weight,
            value: job.value,
            neighbour_mean: &neighbour_mean,
            neighbours: &neighbours,
            mean: self.around.mean,
            upstream: &upstream,
        };
        match self.brush.kernel {
            Kernel::Weight(_) if self.around.existing_only && weight <= 0.0 => Change::Unchanged,
            Kernel::Weight(toward) => {
                let target = toward(&sample);
                // At full strength the target itself, to the bit.
                let blended = if job.amount >= 1.0 { target } else { weight + (target - weight) * job.amount };
                let neighbours = || neighbour_mean().unwrap_or_default();
                set_weights(row, self.slots, blended, self.holds, self.around.terms, neighbours)
            }
            Kernel::Row(toward) => match toward(&sample) {
                Some(mut target) => {
                    if self.around.existing_only {
                        target.retain(|i| row.weight(i.slot) > 0.0);
                    }
                    blend_row(row, &target, job.amount, self.holds)
                }
                None => Change::Unchanged,
            },
        }
    }

    /// The row that counts for a vertex.
    pub(crate) fn row(&self, vertex: VertexIndex) -> Row {
        self.row_at(vertex).to_row()
    }

    fn row_with_share(&self, group: u32) -> Row {
        with_share(self.row(self.surface.representative(group)))
    }

    fn row_ref(&self, group: u32) -> RowRef<'a> {
        self.row_at(self.surface.representative(group))
    }

    fn row_at(&self, vertex: VertexIndex) -> RowRef<'a> {
        let before = self.around.before.and_then(|before| before.get(vertex));
        before.unwrap_or_else(|| self.mesh.weights.row(vertex))
    }

    /// Neighbours over the surface, then those across a gap.
    fn neighbours(&self, group: u32) -> impl Iterator<Item = u32> + '_ {
        let beyond = self.around.across.map(|across| across.neighbours(group)).unwrap_or_default();
        self.surface.topology.neighbours(group).iter().copied().chain(beyond)
    }
}

impl Across<'_> {
    /// Groups of other shells within the gap, rising.
    fn neighbours(&self, group: u32) -> Vec<u32> {
        let shell = self.shells[group as usize];
        let mut found = Vec::new();
        self.bvh.vertices_within(self.positions, self.positions[group as usize], self.gap, |other, _| {
            if self.shells[other as usize] != shell {
                found.push(other);
            }
        });
        found.sort_unstable();
        found
    }
}
