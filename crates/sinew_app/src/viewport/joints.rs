//! Joints in the view: which of them hold weight, and which one is under the pointer.

use std::collections::BTreeSet;

use glam::Vec2;
use sinew_edit::Editor;
use sinew_edit::pick::{self, Ray};
use sinew_model::{Document, JointSlot, NodeIndex, Revision};

use super::camera::View;

/// How far from a joint or bone a click may be, points.
const PICK_RADIUS_POINTS: f32 = 14.0;
/// How far from a joint's dot the pointer may be to read its name, points.
const DOT_RADIUS_POINTS: f32 = 6.0;

/// Which joints hold weight in any mesh: the others are controls and helpers, which stand back. Kept by revision.
#[derive(Default)]
pub struct WeightedJoints {
    /// Joints that are neither drawn nor picked by their dots and bones.
    pub hidden: BTreeSet<NodeIndex>,
    of: Option<Vec<Revision>>,
    is_weighted: Vec<bool>,
}

impl WeightedJoints {
    /// Brings it up to date. While a stroke is under way it stays: looking at every row would cost more than a dab.
    pub fn update(&mut self, editor: &Editor) {
        let document = editor.document();
        let revisions: Vec<Revision> = document.meshes().iter().map(|mesh| mesh.weights_revision).collect();
        if self.of.as_ref() == Some(&revisions) || (self.of.is_some() && editor.stroke().is_some()) {
            return;
        }
        self.is_weighted = is_weighted(document);
        self.of = Some(revisions);
    }

    /// Whether each node is a joint with weight. `[n_nodes]`, empty before the first update
    pub fn as_slice(&self) -> &[bool] {
        &self.is_weighted
    }

    /// The joint under a pixel: the dot or bone of one with weight, else of one without, else the joint that moves the
    /// skin there most.
    pub fn at(&self, (view, pixels_per_point): (&View, f32), editor: &mut Editor, px: Vec2) -> Option<NodeIndex> {
        let mut bones = editor.bones();
        let clip_from_scene = view.clip_from_scene();
        let nearest =
            |bones: &[_]| pick::joint(bones, clip_from_scene, view.size_px, px, PICK_RADIUS_POINTS * pixels_per_point);
        bones.retain(|bone| !self.hidden.contains(&bone.joint));
        let any = nearest(&bones);
        bones.retain(|bone| self.is_weighted.get(bone.joint.idx()).is_none_or(|&is_weighted| is_weighted));
        nearest(&bones).or(any).or_else(|| on_skin(editor, view.ray_at(px)))
    }

    /// The joint whose dot the pointer is on; one with weight where several are.
    pub fn dot_at(&self, (view, pixels_per_point): (&View, f32), editor: &mut Editor, px: Vec2) -> Option<NodeIndex> {
        let clip_from_scene = view.clip_from_scene();
        let mut best: Option<(bool, f32, NodeIndex)> = None;
        for bone in editor.bones().into_iter().filter(|bone| !self.hidden.contains(&bone.joint)) {
            let Some(at) = pick::project(clip_from_scene, view.size_px, bone.head) else { continue };
            let (distance, is_helper) = (at.distance(px), self.is_weighted.get(bone.joint.idx()) == Some(&false));
            let is_nearer = best.is_none_or(|(helper, least, _)| (is_helper, distance) < (helper, least));
            if distance <= DOT_RADIUS_POINTS * pixels_per_point && is_nearer {
                best = Some((is_helper, distance, bone.joint));
            }
        }
        best.map(|(.., joint)| joint)
    }
}

fn is_weighted(document: &Document) -> Vec<bool> {
    let mut is_weighted = vec![false; document.nodes().len()];
    for mesh in document.skinned_meshes() {
        let mut by_slot = vec![false; document.n_slots(mesh)];
        let weights = &document.mesh(mesh).weights;
        for vertex in weights.vertices() {
            weights.row(vertex).for_each(|influence| {
                if let Some(has) = by_slot.get_mut(influence.slot.idx()) {
                    *has |= influence.weight > 0.0;
                }
            });
        }
        // One mesh under several skins: each skin's joint of a slot counts.
        for skin in document.skins_of(mesh) {
            for (slot, _) in by_slot.iter().enumerate().filter(|(_, has)| **has) {
                if let Some(joint) = document.skin(skin).joint(JointSlot::from_idx(slot)) {
                    is_weighted[joint.idx()] = true;
                }
            }
        }
    }
    is_weighted
}

/// The joint that moves what a ray meets: skin by most weight, a rigid part as a whole.
pub fn on_skin(editor: &mut Editor, ray: Ray) -> Option<NodeIndex> {
    let hit = editor.pick(ray)?;
    pick::moved_by(editor.document(), &hit)
}
