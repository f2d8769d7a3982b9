//! Whether joints were turned by hand since the last step: undo does not take that back, and says so once.

use glam::Vec3;
use sinew_edit::Editor;
use sinew_model::NodeIndex;

use crate::keymap::{Do, key_text};

/// How joints were turned when the last step was done, undone or done again.
#[derive(Default)]
pub struct TurnedSince {
    n_done: usize,
    turns: Vec<(NodeIndex, Vec3)>,
}

impl TurnedSince {
    /// Looks whether there was a step since.
    pub fn follow(&mut self, editor: &Editor) {
        let n_done = editor.history().n_done();
        if n_done != self.n_done {
            *self = Self { n_done, turns: editor.session.pose.turns().collect() };
        }
    }

    /// Whether joints are turned otherwise than at the last step.
    pub fn is_other(&self, editor: &Editor) -> bool {
        !editor.session.pose.turns().eq(self.turns.iter().copied())
    }
}

/// What a person is told who looks for a turn in the history.
pub fn hint(ctx: &egui::Context) -> String {
    let key = key_text(ctx, Do::ResetJoint);
    let way = if key.is_empty() { "Pose > Reset Joint" } else { &key };
    format!("poses are not in the history: {way} resets the joint")
}
