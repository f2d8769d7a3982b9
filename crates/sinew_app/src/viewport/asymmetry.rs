//! How far weights are from their mirror image, kept by revision: what the left–right display shows. On a large mesh it
//! is found on another thread, and what was true before is shown meanwhile.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use sinew_edit::{Asymmetry, Editor, SymmetrySettings};
use sinew_model::{MeshIndex, Revision};

use crate::mirroring::AT_ONCE;

/// The left–right difference of every skinned mesh.
#[derive(Default)]
pub struct LeftRight {
    made_of: Option<MadeOf>,
    of_meshes: Found,
    /// What another thread is looking for.
    under_way: Option<(MadeOf, Receiver<Found>)>,
    /// Whether somebody looks every frame for what another thread has found.
    is_followed: bool,
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
type Found = Vec<(MeshIndex, Asymmetry)>;

/// A difference below this is mere rounding: the scale never ends below it.
const LEAST_TOP: f32 = 0.01;

impl LeftRight {
    /// Brings it up to date, unless another thread is to do that. While a stroke is under way it stays: looking at every
    /// row would cost more than a dab.
    pub fn update(&mut self, editor: &mut Editor) {
        let made_of = made_of(editor);
        if self.is_current(&made_of, editor) || (self.is_followed && editor.n_mirrored() > AT_ONCE) {
            return;
        }
        let symmetry = editor.symmetry(made_of.2);
        self.take(made_of, editor.asymmetry_work(symmetry).find());
    }

    /// Once a frame: takes what another thread has found, and has it look for what is wanted now, once twins are known.
    pub fn follow(&mut self, editor: &mut Editor, ctx: &egui::Context) {
        self.is_followed = true;
        if let Some((made_of, news)) = self.under_way.take() {
            match news.try_recv() {
                Ok(found) => self.take(made_of, found),
                Err(TryRecvError::Empty) => self.under_way = Some((made_of, news)),
                Err(TryRecvError::Disconnected) => self.made_of = Some(made_of),
            }
        }
        let made_of = made_of(editor);
        let is_done = self.under_way.is_some() || self.is_current(&made_of, editor);
        if is_done || editor.n_mirrored() <= AT_ONCE {
            return;
        }
        let Some(symmetry) = editor.known_symmetry(made_of.2) else { return };
        let work = editor.asymmetry_work(symmetry);
        let (sender, news) = channel();
        let waker = ctx.clone();
        std::thread::spawn(move || {
            // The window may be gone by now.
            let _ = sender.send(work.find());
            waker.request_repaint();
        });
        self.under_way = Some((made_of, news));
    }

    /// Whether anything was found yet.
    pub fn is_found(&self) -> bool {
        self.made_of.is_some()
    }

    fn is_current(&self, made_of: &MadeOf, editor: &Editor) -> bool {
        self.made_of.as_ref() == Some(made_of) || (self.made_of.is_some() && editor.stroke().is_some())
    }

    fn take(&mut self, made_of: MadeOf, found: Found) {
        self.of_meshes = found;
        self.version += 1;
        self.greatest = self.of_meshes.iter().map(|(_, found)| found.greatest).fold(0.0, f32::max);
        self.n_unmatched = self.of_meshes.iter().map(|(_, found)| found.unmatched.len()).sum();
        let n_vertices: usize = self.of_meshes.iter().map(|(_, found)| found.differences.len()).sum();
        self.n_matched = n_vertices.saturating_sub(self.n_unmatched);
        self.made_of = Some(made_of);
    }

    /// A mesh's.
    pub fn of(&self, mesh: MeshIndex) -> Option<&Asymmetry> {
        self.of_meshes.iter().find(|(of, _)| *of == mesh).map(|(_, found)| found)
    }

    /// The difference at which the ramp ends: a round number.
    pub fn top(&self) -> f32 {
        [LEAST_TOP, 0.02, 0.05, 0.1, 0.2, 0.5].into_iter().find(|&top| top >= self.greatest).unwrap_or(1.0)
    }
}

fn made_of(editor: &Editor) -> MadeOf {
    let document = editor.document();
    let revisions = document.meshes().iter().map(|mesh| mesh.weights_revision).collect();
    (revisions, document.joint_pairs_revision(), editor.session.paint.symmetry())
}
