//! How far weights are from their mirror image, kept by revision: what the left–right display shows.

use std::sync::Arc;

use sinew_edit::{Asymmetry, Editor, SymmetrySettings};
use sinew_model::{MeshIndex, Revision};

/// The left–right difference of every skinned mesh.
#[derive(Default)]
pub struct LeftRight {
    made_of: Option<MadeOf>,
    of_meshes: Vec<(MeshIndex, Arc<Asymmetry>)>,
    /// Counts up whenever it is found anew.
    pub version: u64,
    /// The greatest difference of a weight.
    pub greatest: f32,
    /// How many vertices have no twin.
    pub n_unmatched: usize,
    /// How many vertices have one.
    pub n_matched: usize,
}

type MadeOf = (Vec<Revision>, Revision, SymmetrySettings);

/// A difference below this is mere rounding: the scale never ends below it.
const LEAST_TOP: f32 = 0.01;

impl LeftRight {
    /// Brings it up to date. While a stroke is under way it stays: looking at every row would cost more than a dab.
    pub fn update(&mut self, editor: &mut Editor) {
        let document = editor.document();
        let revisions = document.meshes().iter().map(|mesh| mesh.weights_revision).collect();
        let settings = editor.session.paint.mirror.unwrap_or_default();
        let made_of = (revisions, document.joint_pairs_revision(), settings);
        if self.made_of.as_ref() == Some(&made_of) || (self.made_of.is_some() && editor.stroke().is_some()) {
            return;
        }
        let meshes = document.skinned_meshes();
        let of = |mesh| (mesh, Arc::new(editor.asymmetry(mesh, settings)));
        self.of_meshes = meshes.into_iter().map(of).collect();
        self.version += 1;
        self.greatest = self.of_meshes.iter().map(|(_, found)| found.greatest).fold(0.0, f32::max);
        self.n_unmatched = self.of_meshes.iter().map(|(_, found)| found.unmatched.len()).sum();
        let n_vertices: usize = self.of_meshes.iter().map(|(_, found)| found.differences.len()).sum();
        self.n_matched = n_vertices.saturating_sub(self.n_unmatched);
        self.made_of = Some(made_of);
    }

    /// A mesh's.
    pub fn of(&self, mesh: MeshIndex) -> Option<&Asymmetry> {
        self.of_meshes.iter().find(|(of, _)| *of == mesh).map(|(_, found)| &**found)
    }

    /// The difference at which the ramp ends: a round number.
    pub fn top(&self) -> f32 {
        [LEAST_TOP, 0.02, 0.05, 0.1, 0.2, 0.5].into_iter().find(|&top| top >= self.greatest).unwrap_or(1.0)
    }
}
