//! What the session shows of its scene: which instances are seen, picked and framed, and whose joints. Edits by line act
//! on everything, whatever is shown.

use std::sync::Arc;

use sinew_model::{Document, NodeIndex, SceneIndex};

use super::Editor;
use crate::session::OutOfSight;

/// What of one scene is shown.
pub(super) struct Shown {
    /// The scene; `None` is everything.
    of: Option<SceneIndex>,
    but: OutOfSight,
    /// `[n_instances]`
    instances: Arc<[bool]>,
    /// `[n_nodes]`
    joints: Vec<bool>,
}

impl Editor {
    /// Whether each instance is shown. `[n_instances]`
    pub fn shown_instances(&mut self) -> Arc<[bool]> {
        Arc::clone(&self.shown().instances)
    }

    /// Whether an instance is shown.
    pub fn is_shown(&mut self, instance_idx: usize) -> bool {
        self.shown().instances[instance_idx]
    }

    /// Whether a joint belongs to what is shown: it is in the scene, or moves something that is.
    pub fn is_joint_shown(&mut self, joint: NodeIndex) -> bool {
        self.shown().joints[joint.idx()]
    }

    pub(super) fn shown(&mut self) -> &Shown {
        let (of, but) = (self.session.scene, &self.session.out_of_sight);
        let kept = self.shown.take().filter(|shown| shown.of == of && shown.but == *but);
        self.shown.insert(kept.unwrap_or_else(|| Shown::new(&self.document, of, but)))
    }
}

impl Shown {
    fn new(document: &Document, of: Option<SceneIndex>, but: &OutOfSight) -> Self {
        let is_in = of.map_or_else(|| vec![true; document.nodes().len()], |scene| document.nodes_in(scene));
        let all = document.instances();
        // A mesh that is put out of the way still has its joints.
        let mut joints = is_in.clone();
        for instance in all.iter().filter(|instance| is_in[instance.node.idx()]) {
            for joint in instance.skin.map(|skin| document.skin(skin).joints()).unwrap_or_default() {
                joints[joint.idx()] = true;
            }
        }
        let is_shown = |i: usize| is_in[all[i].node.idx()] && !but.hides(document, i);
        let instances = (0..all.len()).map(is_shown).collect();
        Self { of, but: but.clone(), instances, joints }
    }

    /// Whether the joint belongs to what is shown.
    pub(super) fn has_joint(&self, joint: NodeIndex) -> bool {
        self.joints[joint.idx()]
    }
}
