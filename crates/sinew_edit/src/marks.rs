//! Marking vertices as part of a step: selected, hidden, masked. Weld groups are marked as one.
//!
//! Boundary: what is to be marked comes in; which command or tool found it is not known here.

use sinew_model::{MeshIndex, VertexIndex, VertexSet};

use crate::edit::Edit;
use crate::editor::{Editor, OpenStep};

impl Editor {
    /// Makes a set, with its twins, the selection of a mesh. What is hidden cannot be selected.
    pub fn apply_selection(&mut self, step: &mut OpenStep, mesh: MeshIndex, selection: &VertexSet) {
        let mut selection = self.surface(mesh).with_twins(selection);
        selection.subtract(self.document().hidden(mesh));
        if selection != *self.document().selection(mesh) {
            self.apply(step, Edit::Selection { mesh, selection });
        }
    }

    /// Hides exactly a set, with its twins, of a mesh. What is hidden is no longer selected.
    pub fn apply_hidden(&mut self, step: &mut OpenStep, mesh: MeshIndex, hidden: &VertexSet) {
        let hidden = self.surface(mesh).with_twins(hidden);
        if hidden == *self.document().hidden(mesh) {
            return;
        }
        let mut selection = self.document().selection(mesh).clone();
        selection.subtract(&hidden);
        self.apply(step, Edit::Hidden { mesh, hidden });
        if selection != *self.document().selection(mesh) {
            self.apply(step, Edit::Selection { mesh, selection });
        }
    }

    /// Sets mask values of a mesh; twins get the value of the first of them that is named. Returns how many vertices have
    /// another value than before.
    pub fn apply_mask(
        &mut self,
        step: &mut OpenStep,
        mesh: MeshIndex,
        values: impl IntoIterator<Item = (VertexIndex, f32)>,
    ) -> usize {
        let surface = self.surface(mesh);
        let mut with_twins = Vec::new();
        for (vertex, value) in values {
            with_twins.extend(surface.members(surface.group_of(vertex)).map(|twin| (twin, value)));
        }
        with_twins.sort_by_key(|(vertex, _)| *vertex);
        with_twins.dedup_by_key(|(vertex, _)| *vertex);
        let mask = self.document().mask(mesh);
        with_twins.retain(|&(vertex, value)| mask.at(vertex) != value);
        let n_changed = with_twins.len();
        if n_changed > 0 {
            self.apply(step, Edit::Mask { mesh, values: with_twins });
        }
        n_changed
    }
}
