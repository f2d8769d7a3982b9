//! Numbers about the weights that panels show, kept by revision.

use sinew_edit::Editor;
use sinew_model::{NodeIndex, Revision};

use crate::viewport::marks::Marks;

/// Counters that are always true, and how much weight each joint has.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    of: Option<(Vec<Revision>, usize)>,
    joint_weights: Vec<f32>,
    largest: f32,
    /// Paintable vertices.
    pub n_vertices: usize,
    /// Vertices whose weights do not sum to 1.
    pub n_off_sum: usize,
    /// Vertices with more influences than the budget.
    pub n_over_budget: usize,
    /// Vertices without weight.
    pub n_unweighted: usize,
    /// Vertices with a share that no joint has, left so by edits: they block a save.
    pub n_unassigned: usize,
    /// Places where vertices that stand together have different weights: the seam opens there when it is bent.
    pub n_torn: usize,
    /// The longest row.
    pub max_influences: usize,
}

impl Facts {
    /// Brings the numbers up to date. While a stroke is under way they stay: looking at every row would cost more
    /// than a dab.
    pub fn update(&mut self, editor: &mut Editor) {
        let document = editor.document();
        let revisions: Vec<Revision> = document.meshes().iter().map(|mesh| mesh.weights_revision).collect();
        let of = Some((revisions, document.budget().max_influences()));
        if self.of == of || (self.of.is_some() && editor.stroke().is_some()) {
            return;
        }
        let mut facts = Self { of, joint_weights: vec![0.0; document.nodes().len()], ..Self::default() };
        for mesh in document.skinned_meshes() {
            facts.add_joint_weights(editor, mesh);
            let census = editor.census(mesh);
            facts.n_vertices += census.n_vertices;
            facts.n_off_sum += census.off_sum.len();
            facts.n_over_budget += census.over_budget.len();
            facts.n_unweighted += census.unweighted.len();
            facts.n_unassigned += census.unassigned.len();
            facts.n_torn += editor.surface(mesh).n_torn(editor.document().mesh(mesh));
            facts.max_influences = facts.max_influences.max(census.max_influences);
        }
        facts.largest = facts.joint_weights.iter().copied().fold(0.0, f32::max);
        *self = facts;
    }

    /// How many vertices would be marked.
    pub fn count(&self, marks: Marks) -> usize {
        match marks {
            Marks::OffSum => self.n_off_sum,
            Marks::OverBudget => self.n_over_budget,
            Marks::Unweighted => self.n_unweighted,
            Marks::Unassigned => self.n_unassigned,
        }
    }

    /// Sum of a joint's weights over all vertices.
    pub fn joint_weight(&self, joint: NodeIndex) -> f32 {
        self.joint_weights.get(joint.idx()).copied().unwrap_or(0.0)
    }

    /// A joint's weight against that of the joint that has most, 0 to 1.
    pub fn joint_share(&self, joint: NodeIndex) -> f32 {
        if self.largest > 0.0 { self.joint_weight(joint) / self.largest } else { 0.0 }
    }

    fn add_joint_weights(&mut self, editor: &Editor, mesh: sinew_model::MeshIndex) {
        let document = editor.document();
        let mut by_slot = vec![0.0f64; document.n_slots(mesh)];
        let weights = &document.mesh(mesh).weights;
        for vertex in weights.vertices() {
            weights.row(vertex).for_each(|influence| {
                if let Some(sum) = by_slot.get_mut(influence.slot.idx()).filter(|_| influence.weight.is_finite()) {
                    *sum += f64::from(influence.weight);
                }
            });
        }
        for (slot, sum) in by_slot.into_iter().enumerate() {
            if let Some(joint) = document.joint_of(mesh, sinew_model::JointSlot::from_idx(slot)) {
                self.joint_weights[joint.idx()] += sum as f32;
            }
        }
    }
}
