//! What the session's scene shows: which instances are seen, picked and framed, and whose joints. Edits by line act on
//! everything, whatever is shown.

use std::sync::Arc;

use sinew_model::{Document, NodeIndex, SceneIndex};

use super::Editor;

/// What one scene shows.
pub(super) struct Shown {
    /// The scene; `None` is everything.
    of: Option<SceneIndex>,
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
        let of = self.session.scene;
        let kept = self.shown.take().filter(|shown| shown.of == of);
        self.shown.insert(kept.unwrap_or_else(|| Shown::new(&self.document, of)))
    }
}

impl Shown {
    fn new(document: &Document, of: Option<SceneIndex>) -> Self {
        let is_in = of.map_or_else(|| vec![true; document.nodes().len()], |scene| document.nodes_in(scene));
        let instances: Arc<[bool]> = document.instances().iter().map(|instance| is_in[instance.node.idx()]).collect();
        let mut joints = is_in;
        for (instance, _) in document.instances().iter().zip(instances.iter()).filter(|(_, is_shown)| **is_shown) {
            for joint in instance.skin.map(|skin| document.skin(skin).joints()).unwrap_or_default() {
                joints[joint.idx()] = true;
            }
        }
        Self { of, instances, joints }
    }

    /// Whether the joint belongs to what is shown.
    pub(super) fn has_joint(&self, joint: NodeIndex) -> bool {
        self.joints[joint.idx()]
    }
}
