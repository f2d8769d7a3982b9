//! Scenes: which nodes a file means to be shown together.
//!
//! A scene only says what is shown. World matrices come from the node forest, so a joint moves whether or not a scene
//! reaches it (B72).

use super::{Document, Instance};
use crate::ids::{NodeIndex, SceneIndex};

/// One scene, as the file gives it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SceneInfo {
    /// Name, if the file gives one.
    pub name: Option<String>,
    /// The nodes whose trees it shows.
    pub roots: Vec<NodeIndex>,
}

impl Document {
    /// All scenes, in the file's order.
    pub fn scenes(&self) -> &[SceneInfo] {
        &self.scenes
    }

    /// The scene that the file says is to be shown.
    pub fn default_scene(&self) -> Option<SceneIndex> {
        self.default_scene
    }

    /// A scene's name, or `#N` if it has none: what a person sees and a script may say.
    pub fn scene_label(&self, scene: SceneIndex) -> String {
        match self.scenes.get(scene.idx()).and_then(|scene| scene.name.as_deref()) {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("#{scene}"),
        }
    }

    /// Which nodes are in a scene's trees; none where there is no such scene. `[n_nodes]`
    pub fn nodes_in(&self, scene: SceneIndex) -> Vec<bool> {
        let mut is_in = vec![false; self.nodes.len()];
        let mut stack = self.scenes.get(scene.idx()).map(|scene| scene.roots.clone()).unwrap_or_default();
        while let Some(node) = stack.pop() {
            // A root may be named twice, or be in another root's tree.
            if !std::mem::replace(&mut is_in[node.idx()], true) {
                stack.extend(&self.nodes.node(node).children);
            }
        }
        is_in
    }

    /// The scene to begin with: the file's own where it has several, unless what can be painted is only in others.
    /// `None` is everything, and so is a file with one scene: what lies outside of it could not be found otherwise.
    pub fn first_scene(&self) -> Option<SceneIndex> {
        let scene = self.default_scene.filter(|_| self.scenes.len() > 1)?;
        let is_in = self.nodes_in(scene);
        let is_skinned = |i: &Instance| i.skin.is_some() && self.mesh(i.mesh).is_skinned();
        let any_skinned = self.instances.iter().any(is_skinned);
        let shows = |i: &Instance| is_in[i.node.idx()] && (is_skinned(i) || !any_skinned);
        self.instances.iter().any(shows).then_some(scene)
    }
}
