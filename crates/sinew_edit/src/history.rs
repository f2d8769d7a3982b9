//! Undo and redo: finished steps, bounded by the memory they hold.
//!
//! A step is pushed after its edits have been applied, so the record's `edit` does nothing by contract and its
//! `undo` and `redo` are the same swap. Where the bound has emptied a step, undo ends.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sinew_model::{Document, MeshIndex, Row, VertexIndex};
use undo::Record;

use crate::edit::Edit;

/// Steps that were committed, and which of them are done.
pub struct History {
    record: Record<Step>,
    max_bytes: usize,
    n_evicted: usize,
    /// How many steps were done when the document was last saved (or opened); `None` once those are forgotten.
    saved: Option<usize>,
}

/// What undo or redo changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The step's label.
    pub label: String,
    /// Vertices whose rows changed, by mesh, rising.
    pub rows: BTreeMap<MeshIndex, Vec<VertexIndex>>,
}

/// One line of the history list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// What a person reads.
    pub label: &'a str,
    /// The command line that does it again.
    pub line: &'a str,
    /// How many vertices it changed.
    pub n_vertices: usize,
    /// Whether it is done (not undone).
    pub is_done: bool,
    /// Whether its old values were given up to stay within the memory bound: undo ends here.
    pub is_evicted: bool,
}

/// Why there is nothing to undo or redo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HistoryError {
    /// No step is done.
    #[error("nothing to undo")]
    NothingToUndo,
    /// No step is undone.
    #[error("nothing to redo")]
    NothingToRedo,
    /// The step's old values are gone.
    #[error("undo ends here: earlier steps were given up to stay within {max_mib} MiB")]
    Evicted {
        /// The bound, MiB.
        max_mib: usize,
    },
}

/// A step that is handed on.
pub struct DoneStep {
    /// What a person reads.
    pub label: String,
    /// The command line that does it again.
    pub line: String,
    /// Its edits, holding the old values, in the order applied.
    pub edits: Vec<Edit>,
}

struct Step {
    label: String,
    line: String,
    n_vertices: usize,
    n_bytes: usize,
    /// Whether it changes something that is saved.
    is_saved: bool,
    /// Behind a lock because the record hands out its steps read-only and the memory bound must empty them.
    edits: Arc<Mutex<Vec<Edit>>>,
}

impl undo::Edit for Step {
    type Target = Document;
    type Output = Changed;

    /// The edits are applied before the step is pushed.
    fn edit(&mut self, _: &mut Document) -> Changed {
        self.changed()
    }

    fn undo(&mut self, document: &mut Document) -> Changed {
        self.edits().iter_mut().rev().for_each(|edit| edit.apply(document));
        self.changed()
    }

    fn redo(&mut self, document: &mut Document) -> Changed {
        self.edits().iter_mut().for_each(|edit| edit.apply(document));
        self.changed()
    }
}

impl Step {
    fn edits(&self) -> MutexGuard<'_, Vec<Edit>> {
        self.edits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) -> Changed {
        let mut rows: BTreeMap<MeshIndex, Vec<VertexIndex>> = BTreeMap::new();
        for edit in self.edits().iter() {
            if let Edit::Rows { mesh, rows: changed } = edit {
                rows.entry(*mesh).or_default().extend(changed.vertices());
            }
        }
        for vertices in rows.values_mut() {
            vertices.sort_unstable();
            vertices.dedup();
        }
        Changed { label: self.label.clone(), rows }
    }
}

impl History {
    /// The bound that the program starts with: 512 MiB.
    pub const DEFAULT_MAX_BYTES: usize = 512 << 20;

    /// An empty history that keeps at most `max_bytes` of old values (and always the last step).
    pub fn new(max_bytes: usize) -> Self {
        Self { record: Record::new(), max_bytes, n_evicted: 0, saved: Some(0) }
    }

    /// Adds a step whose edits (now holding the old values, in the order applied) are already in the document.
    /// Steps that were undone are forgotten.
    pub fn push(&mut self, document: &mut Document, label: String, line: String, edits: Vec<Edit>) {
        let n_bytes = edits.iter().map(Edit::n_bytes).sum();
        let n_vertices = edits.iter().map(|edit| if let Edit::Rows { rows, .. } = edit { rows.len() } else { 0 }).sum();
        let is_saved = edits.iter().any(Edit::is_saved);
        let edits = Arc::new(Mutex::new(edits));
        let head = self.record.head();
        if self.saved.is_some_and(|saved| saved > head) {
            // What was undone since the save is forgotten now; if it was only selected, nothing is lost.
            self.saved = self.is_saved().then_some(head);
        }
        self.record.edit(document, Step { label, line, n_vertices, n_bytes, is_saved, edits });
        self.n_evicted = self.n_evicted.min(self.record.len() - 1);
        self.keep_within_bound();
    }

    /// Takes the last done step back.
    pub fn undo(&mut self, document: &mut Document) -> Result<Changed, HistoryError> {
        if self.record.head() == 0 {
            return Err(HistoryError::NothingToUndo);
        }
        if self.record.head() <= self.n_evicted {
            return Err(HistoryError::Evicted { max_mib: self.max_bytes >> 20 });
        }
        self.record.undo(document).ok_or(HistoryError::NothingToUndo)
    }

    /// Does the first undone step again.
    pub fn redo(&mut self, document: &mut Document) -> Result<Changed, HistoryError> {
        self.record.redo(document).ok_or(HistoryError::NothingToRedo)
    }

    /// All steps, oldest first, undone ones included.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.record.entries().enumerate().map(|(i, entry)| {
            let step: &Step = entry.as_ref();
            Entry {
                label: &step.label,
                line: &step.line,
                n_vertices: step.n_vertices,
                is_done: i < self.record.head(),
                is_evicted: i < self.n_evicted,
            }
        })
    }

    /// The done steps, oldest first, with their edits; they are gone from here. Evicted ones have none left.
    pub fn take_done(&mut self) -> Vec<DoneStep> {
        let record = std::mem::take(&mut self.record);
        let n_done = record.head();
        let steps = record.entries().take(n_done).map(|entry| {
            let step: &Step = entry.as_ref();
            DoneStep { label: step.label.clone(), line: step.line.clone(), edits: std::mem::take(&mut *step.edits()) }
        });
        steps.collect()
    }

    /// A vertex's row before the last done step, if that step changed it and still holds the old values.
    pub fn row_before_last(&self, mesh: MeshIndex, vertex: VertexIndex) -> Option<Row> {
        let step: &Step = self.record.get_entry(self.record.head().checked_sub(1)?)?.as_ref();
        step.edits().iter().find_map(|edit| match edit {
            Edit::Rows { mesh: of, rows } if *of == mesh => rows.of(vertex).map(|row| row.to_row()),
            _ => None,
        })
    }

    /// How many steps are done.
    pub fn n_done(&self) -> usize {
        self.record.head()
    }

    /// Whether there is a step that undo can take back.
    pub fn can_undo(&self) -> bool {
        self.record.head() > self.n_evicted
    }

    /// Whether there is an undone step.
    pub fn can_redo(&self) -> bool {
        self.record.can_redo()
    }

    /// Remembers that the document as it is now has been saved.
    pub fn set_saved(&mut self) {
        self.saved = Some(self.record.head());
    }

    /// Whether all that is saved is as it was last saved (or opened). Selecting and hiding change nothing that is.
    pub fn is_saved(&self) -> bool {
        let head = self.record.head();
        let is_step_saved = |i: usize| self.record.get_entry(i).is_none_or(|entry| !entry.as_ref().is_saved);
        self.saved.is_some_and(|saved| (saved.min(head)..saved.max(head)).all(is_step_saved))
    }

    /// Memory that all steps hold together, bytes.
    pub fn n_bytes(&self) -> usize {
        let steps = self.n_evicted..self.record.len();
        steps.filter_map(|i| self.record.get_entry(i).map(|entry| entry.as_ref().n_bytes)).sum()
    }

    fn keep_within_bound(&mut self) {
        let mut total = self.n_bytes();
        while total > self.max_bytes && self.n_evicted + 1 < self.record.len() {
            let Some(entry) = self.record.get_entry(self.n_evicted) else { break };
            let step = entry.as_ref();
            total -= step.n_bytes;
            *step.edits() = Vec::new();
            self.n_evicted += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};
    use sinew_model::{Budget, DocumentParts, Mesh, Revision, VertexSet, WeightTable};

    use super::*;

    fn document_of_one_mesh() -> Document {
        let mesh = Mesh {
            name: None,
            pools: vec![sinew_model::VertexPool { first: 0, count: 2, skinned: true, has_normals: false }],
            primitives: Vec::new(),
            positions: vec![Vec3::ZERO; 2],
            normals: vec![Vec3::Z; 2],
            texcoords: vec![Vec2::ZERO; 2],
            morph_targets: Vec::new(),
            morph_weights: Vec::new(),
            weights: WeightTable::new(2, 4),
            weights_revision: Revision::default(),
        };
        Document::new(DocumentParts { meshes: vec![mesh], ..DocumentParts::default() }).expect("a document")
    }

    fn document() -> Document {
        Document::new(DocumentParts::default()).expect("an empty document")
    }

    fn set_budget(history: &mut History, document: &mut Document, budget: u8) {
        let mut edit = Edit::Budget(Budget::Influences(budget));
        edit.apply(document);
        history.push(document, format!("Budget {budget}"), format!("budget influences={budget}"), vec![edit]);
    }

    #[test]
    fn undo_and_redo_walk_through_the_values() {
        let (mut document, mut history) = (document(), History::new(1 << 20));
        let first = document.budget();
        set_budget(&mut history, &mut document, 8);
        set_budget(&mut history, &mut document, 12);
        assert!(!history.is_saved());
        history.undo(&mut document).expect("a step");
        assert_eq!(document.budget(), Budget::Influences(8));
        history.undo(&mut document).expect("a step");
        assert_eq!(document.budget(), first);
        assert!(history.is_saved());
        assert_eq!(history.undo(&mut document), Err(HistoryError::NothingToUndo));
        history.redo(&mut document).expect("a step");
        history.redo(&mut document).expect("a step");
        assert_eq!(document.budget(), Budget::Influences(12));
        assert_eq!(history.redo(&mut document), Err(HistoryError::NothingToRedo));
    }

    #[test]
    fn selecting_leaves_nothing_to_save_and_does_not_hide_what_is() {
        let (mut document, mut history) = (document_of_one_mesh(), History::new(1 << 20));
        let select = |history: &mut History, document: &mut Document, n: usize| {
            let mut edit = Edit::Selection { mesh: MeshIndex(0), selection: VertexSet::all(n) };
            edit.apply(document);
            history.push(document, "Select".to_owned(), "select".to_owned(), vec![edit]);
        };
        select(&mut history, &mut document, 2);
        assert!(history.is_saved());
        set_budget(&mut history, &mut document, 8);
        select(&mut history, &mut document, 1);
        assert!(!history.is_saved());
        history.set_saved();
        history.undo(&mut document).expect("a step");
        assert!(history.is_saved(), "only the selection was undone");
        select(&mut history, &mut document, 0);
        assert!(history.is_saved(), "the saved place moved to where the selections part");
        history.undo(&mut document).expect("a step");
        history.undo(&mut document).expect("a step");
        assert!(!history.is_saved());
        set_budget(&mut history, &mut document, 12);
        assert!(!history.is_saved());
        history.undo(&mut document).expect("a step");
        assert!(!history.is_saved(), "what was saved is forgotten");
    }

    #[test]
    fn beyond_the_memory_bound_undo_ends_and_says_so_but_the_last_step_stays() {
        let (mut document, mut history) = (document(), History::new(1));
        for budget in [8, 12, 16] {
            set_budget(&mut history, &mut document, budget);
        }
        assert_eq!(history.entries().filter(|entry| entry.is_evicted).count(), 2);
        history.undo(&mut document).expect("the last step stays");
        assert_eq!(document.budget(), Budget::Influences(12));
        assert!(matches!(history.undo(&mut document), Err(HistoryError::Evicted { .. })));
        assert_eq!(document.budget(), Budget::Influences(12));
    }
}
