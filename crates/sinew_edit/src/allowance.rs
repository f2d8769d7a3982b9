//! How much of a change each vertex of a mesh takes: the mask, what is hidden and, where asked, the selection, as one number.
//!
//! Strokes multiply it into their amount; commands take it with [`Allowance::blend`] or [`Allowance::keep_allowed`].
//! Marks are equal on all vertices of a weld group, so the group's representative answers for it.

use rayon::prelude::*;
use sinew_model::{Document, MeshIndex, Row, VertexIndex, VertexMask, VertexSet, WeightTable};
use sinew_weights::{Change, Holds, MeshChanges, blend_row};

/// What the marks on a mesh allow.
#[derive(Clone, Copy, Debug)]
pub struct Allowance<'a> {
    mask: &'a VertexMask,
    hidden: &'a VertexSet,
    only: Option<&'a VertexSet>,
}

impl<'a> Allowance<'a> {
    /// By mask and hidden vertices.
    pub fn of(document: &'a Document, mesh: MeshIndex) -> Self {
        Self { mask: document.mask(mesh), hidden: document.hidden(mesh), only: None }
    }

    /// And of those nothing outside `only`, if it is given.
    #[must_use]
    pub fn within(self, only: Option<&'a VertexSet>) -> Self {
        Self { only, ..self }
    }

    /// How much of a change the vertex takes: 0 keeps its row to the bit, 1 takes all.
    #[inline]
    pub fn at(&self, vertex: VertexIndex) -> f32 {
        let is_out = self.hidden.contains(vertex) || self.only.is_some_and(|only| !only.contains(vertex));
        if is_out { 0.0 } else { self.mask.at(vertex) }
    }

    /// Whether the vertex takes anything at all.
    #[inline]
    pub fn allows(&self, vertex: VertexIndex) -> bool {
        self.at(vertex) > 0.0
    }

    /// Whether every vertex takes all of a change.
    pub fn is_full(&self) -> bool {
        self.mask.is_none() && self.hidden.is_empty() && self.only.is_none()
    }

    /// Leaves of new rows what the vertices take: none where nothing is allowed, a blend from the row before where the
    /// mask is between 0 and 1.
    pub fn blend(&self, before: &WeightTable, rows: &mut Vec<(VertexIndex, Row)>, holds: Holds<'_>) {
        if self.is_full() {
            return;
        }
        let blended = std::mem::take(rows).into_par_iter().filter_map(|(vertex, row)| match self.at(vertex) {
            amount if amount <= 0.0 => None,
            amount if amount >= 1.0 => Some((vertex, row)),
            amount => match blend_row(&before.get(vertex), &row, amount, holds) {
                Change::Changed(row) => Some((vertex, row)),
                _ => None,
            },
        });
        *rows = blended.collect();
    }

    /// Takes out of a verb's changes all that is about vertices that take nothing. For verbs that a vertex undergoes whole
    /// or not at all: a row limited by half would not be limited.
    pub fn keep_allowed(&self, changes: &mut MeshChanges) {
        if self.is_full() {
            return;
        }
        changes.rows.retain(|_, vertex, _| self.allows(vertex));
        changes.unweighted.retain(|vertex| self.allows(*vertex));
        changes.blocked.retain(|vertex| self.allows(*vertex));
    }
}
