//! What a dab and its mirror image make of one weld group together.

use rayon::prelude::*;
use sinew_model::Row;
use sinew_weights::{Change, Holds, blend_row, with_share, without_share};

use crate::brush_change::{BrushChange, Job};
use crate::brushes::{Kernel, Needs};
use crate::symmetry::SlotMirror;

use super::target::MANY;

/// What is to be done to one group: by the dab itself, and by its mirror image.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub(super) group: u32,
    pub(super) jobs: [Option<Job>; 2],
    /// What the dab's mean counts it by on either side.
    pub(super) shares: [f32; 2],
    /// Whether nothing is left to be done: a stroke that acts once was here more strongly before.
    pub(super) is_done: bool,
}

/// Joins two lists of jobs, both rising by group, into one.
pub(super) fn joined(direct: &[Job], mirrored: &[Job]) -> Vec<Work> {
    if mirrored.is_empty() && direct.len() >= MANY {
        let alone = |&job: &Job| Work::of(job.group, [Some(job), None]);
        return direct.par_iter().with_min_len(MANY / 4).map(alone).collect();
    }
    let mut all = Vec::with_capacity(direct.len() + mirrored.len());
    let (mut direct, mut mirrored) = (direct.iter().copied().peekable(), mirrored.iter().copied().peekable());
    loop {
        let next = [direct.peek(), mirrored.peek()].into_iter().flatten().map(|job| job.group).min();
        let Some(group) = next else { return all };
        let jobs = [direct.next_if(|job| job.group == group), mirrored.next_if(|job| job.group == group)];
        all.push(Work::of(group, jobs));
    }
}

impl Work {
    #[inline]
    fn of(group: u32, jobs: [Option<Job>; 2]) -> Self {
        // What is its own mirror image counts for both sides.
        let shares = [jobs[0], jobs[1].or(jobs[0].filter(|job| job.is_center))];
        let shares = shares.map(|job| job.map_or(0.0, |job| job.amount));
        Self { group, jobs, shares, is_done: false }
    }

    /// What becomes of the group. `by` is the dab's change and its mirror image's; `own_mirror` turns a row of the mesh into
    /// its mirror image.
    pub(super) fn change(
        &self,
        by: &[Option<BrushChange<'_>>; 2],
        own_mirror: Option<&SlotMirror>,
        holds: Holds<'_>,
    ) -> Change {
        if self.is_done {
            return Change::Unchanged;
        }
        match (self.jobs, by) {
            ([Some(direct), Some(mirrored)], [Some(a), Some(b)]) => both(a, &direct, b, &mirrored, holds),
            ([Some(job), _], [Some(by), _]) => match (by.of_job(&job), own_mirror) {
                (Change::Changed(row), Some(mirror)) if job.is_center => {
                    centred(row, mirror, holds, by.around.terms.leaves)
                }
                (change, _) => change,
            },
            ([_, Some(job)], [_, Some(by)]) => by.of_job(&job),
            _ => Change::Unchanged,
        }
    }
}

/// A group under the dab and its mirror image at once. What cannot be told apart is done once, by the larger amount;
/// else one after the other, and of the two orders the mean: its twin gets the mirror image of that.
fn both(a: &BrushChange<'_>, direct: &Job, b: &BrushChange<'_>, mirrored: &Job, holds: Holds<'_>) -> Change {
    let is_same = match a.brush.kernel {
        Kernel::Weight(_) => a.slots == b.slots && direct.value == mirrored.value,
        Kernel::Row(_) => a.brush.needs == Needs::Neighbours,
    };
    if is_same {
        return if direct.amount >= mirrored.amount { a.of_job(direct) } else { b.of_job(mirrored) };
    }
    let vertex = a.surface.representative(direct.group);
    if !a.mesh.is_paintable(vertex) {
        return Change::Unchanged;
    }
    let row = a.row(vertex);
    let one_way = one_after_the_other(&row, (a, direct), (b, mirrored));
    let other_way = one_after_the_other(&row, (b, mirrored), (a, direct));
    match (one_way, other_way) {
        (Change::Changed(one), Change::Changed(other)) => {
            Change::Changed(mean(one, other, holds, a.around.terms.leaves))
        }
        (Change::Changed(row), _) | (_, Change::Changed(row)) => Change::Changed(row),
        (one, _) => one,
    }
}

type Step<'a, 'b> = (&'a BrushChange<'b>, &'a Job);

fn one_after_the_other(row: &Row, first: Step<'_, '_>, second: Step<'_, '_>) -> Change {
    let step = |(by, job): Step<'_, '_>, row: &Row| {
        if job.amount > 0.0 { by.of_row(row, job) } else { Change::Unchanged }
    };
    let one = step(first, row);
    let between = if let Change::Changed(row) = &one { row } else { row };
    match (step(second, between), one) {
        (Change::Changed(row), _) | (_, Change::Changed(row)) => Change::Changed(row),
        (Change::Unchanged, one) => one,
        (two, _) => two,
    }
}

/// The row of a vertex on the plane: the mean of what the dab made of it and the mirror image of that.
fn centred(row: Row, mirror: &SlotMirror, holds: Holds<'_>, leaves: bool) -> Change {
    Change::Changed(match mirror.row(&row) {
        Some(image) => mean(row, image, holds, leaves),
        None => row,
    })
}

/// Half of each row; open shares are averaged, too, where they are left open.
fn mean(one: Row, other: Row, holds: Holds<'_>, leaves: bool) -> Row {
    if leaves {
        return match blend_row(&with_share(one.clone()), &with_share(other), 0.5, holds) {
            Change::Changed(mean) => without_share(mean),
            _ => one,
        };
    }
    match blend_row(&one, &other, 0.5, holds) {
        Change::Changed(mean) => mean,
        _ => one,
    }
}
