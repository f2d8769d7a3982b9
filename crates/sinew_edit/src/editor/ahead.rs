//! Long work on another thread: lines are done by a second editor that starts from this one's document, and what they
//! did comes back at once, as the steps they would have been here. Until then this editor stays as it is; a runner that
//! is dropped leaves nothing behind.

use std::collections::BTreeSet;
use std::sync::Arc;

use sinew_model::{Document, NodeIndex, Pose, Revision};

use super::Editor;
use crate::commands::Outcome;
use crate::editor::LineError;
use crate::history::History;
use crate::posed::PosedViews;

/// An editor that ran ahead of another one.
pub struct Ahead {
    editor: Editor,
    base: Revision,
    /// The pose it began in.
    pose: Pose,
}

/// Why what was done ahead cannot be taken over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the document changed while this was worked on")]
pub struct Stale;

impl Editor {
    /// An editor on a copy of the document, for another thread. Its undo ends where it starts.
    pub fn ahead(&self) -> Ahead {
        let document: Document = self.document.clone();
        let base = document.revision();
        let mut editor = Self::new(document);
        editor.views = PosedViews::new(&editor.document, self.session.pose.clone(), self.session.deformer);
        editor.views.share_surfaces(&self.views);
        // Steps are handed over whole; the history that gets them bounds them.
        editor.history = History::new(usize::MAX);
        editor.session = self.session.clone();
        editor.came = Arc::clone(&self.came);
        editor.symmetry.clone_from(&self.symmetry);
        Ahead { editor, base, pose: self.session.pose.clone() }
    }

    /// Takes over what was done ahead: its document, its session, its steps. Nothing may have been edited since.
    pub fn catch_up(&mut self, ahead: Ahead) -> Result<(), Stale> {
        if self.stroke.is_some() || self.document.revision() != ahead.base {
            return Err(Stale);
        }
        let Editor { document, mut history, session, last_stroke, refused, views, symmetry, .. } = ahead.editor;
        self.document = document;
        let now = std::mem::replace(&mut self.session, session);
        // The brush in hand is nobody's script, and a joint that no line turned stands as it does now: it may have been
        // flexed for a while when the work began.
        self.session.brush = now.brush;
        let turned: BTreeSet<NodeIndex> =
            [&ahead.pose, &now.pose].iter().flat_map(|pose| pose.turns().map(|(joint, _)| joint)).collect();
        for joint in turned {
            if self.session.pose.turn_deg(joint) == ahead.pose.turn_deg(joint) {
                self.session.pose.set_turn_deg(joint, now.pose.turn_deg(joint));
            }
        }
        self.follow_meshes();
        self.views.share_surfaces(&views);
        self.last_stroke = last_stroke;
        self.refused = refused;
        // What was found there need not be found here.
        self.symmetry = symmetry.or(self.symmetry.take());
        self.refused_revision += 1;
        for step in history.take_done() {
            self.note_committed(&step.line);
            self.history.push(&mut self.document, step.label, step.line, step.edits);
        }
        Ok(())
    }
}

impl Ahead {
    /// Does one command line; `None` for comments and blank lines.
    pub fn run(&mut self, text: &str) -> Result<Option<Outcome>, LineError> {
        self.editor.run(text)
    }
}
