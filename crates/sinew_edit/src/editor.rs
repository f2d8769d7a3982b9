//! The editor without a window: a document, a session, a history, and the caches that follow from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DAffine3, Vec3};
use rayon::prelude::*;
use sinew_deform::{DEFORMERS, Deformer};
use sinew_geometry::{Aabb, Bvh};
use sinew_model::{
    Document, MeshIndex, NodeIndex, Pose, Revision, RowList, VertexIndex, WeightCensus, WeightTable, shown_name,
};

use crate::args::ArgError;
use crate::bones::{Bone, Bones};
use crate::commands::{CommandError, Outcome, command_named};
use crate::edit::Edit;
use crate::history::{Changed, History, HistoryError};
use crate::journal::{REDO_LINE, UNDO_LINE};
use crate::pick::{self, Ray, SkinHit};
use crate::posed::exported::{Difference, ExportedInstance, ExportedViews, StoredWeights};
use crate::posed::{PosedInstance, PosedViews};
use crate::script::{Line, SyntaxError};
use crate::session::Session;
use crate::stroke::{Refusal, Scratches, Stroke};
use crate::surface::MeshSurface;
use crate::symmetry::KeptSymmetry;

mod ahead;
mod came;
mod painting;
mod shown;

pub use ahead::{Ahead, Stale};
use came::Came;
use painting::LastStroke;
use shown::Shown;

/// A document being edited. Views read it; everything that changes it is a command line, a stroke, undo or redo.
pub struct Editor {
    document: Document,
    history: History,
    views: PosedViews,
    exported: ExportedViews,
    stroke: Option<Stroke>,
    scratches: Scratches,
    last_stroke: LastStroke,
    refused: BTreeMap<MeshIndex, BTreeMap<VertexIndex, Refusal>>,
    refused_revision: u64,
    census: BTreeMap<MeshIndex, (Revision, usize, Arc<WeightCensus>)>,
    /// What lacked weight when the file was opened.
    came: Arc<Came>,
    bones: Option<Bones>,
    shown: Option<Shown>,
    pub(crate) symmetry: Option<KeptSymmetry>,
    /// Lines for the journal, if somebody asked for them.
    committed: Option<Vec<String>>,
    /// What is kept but not undone. Commands and panels write it; nothing in the document depends on it.
    pub session: Session,
}

/// Why a line was not done. Nothing changed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LineError {
    /// The line cannot be read.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// No command has the name.
    #[error("there is no command \"{}\"; there are {known}", shown_name(name))]
    NoSuchCommand {
        /// The name asked for.
        name: String,
        /// All names.
        known: String,
    },
    /// The command could not be done.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// Edits of one step while it is made: already in the document, not yet in the history.
#[derive(Default)]
pub struct OpenStep {
    edits: Vec<Edit>,
}

impl Editor {
    /// An editor on a document, at rest, with linear blend skinning, the first skinned mesh's first joint active, showing
    /// what [`Document::first_scene`] says.
    pub fn new(document: Document) -> Self {
        let mut session = Session::new(default_deformer());
        session.active_joint = document
            .skinned_meshes()
            .first()
            .and_then(|&mesh| document.skins_of(mesh).first().copied())
            .and_then(|skin| document.skin(skin).joints().first().copied());
        session.scene = document.first_scene();
        let came = Arc::new(Came::of(&document));
        let views = PosedViews::new(&document, Pose::rest(), session.deformer);
        Self {
            document,
            history: History::new(History::DEFAULT_MAX_BYTES),
            views,
            exported: ExportedViews::default(),
            stroke: None,
            scratches: Scratches::new(),
            last_stroke: LastStroke::default(),
            refused: BTreeMap::new(),
            refused_revision: 0,
            census: BTreeMap::new(),
            committed: None,
            came,
            bones: None,
            shown: None,
            symmetry: None,
            session,
        }
    }

    /// The document.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Remembers that the document as it is has been saved.
    pub fn set_saved(&mut self) {
        self.history.set_saved();
    }

    /// Does one command line; `None` for comments and blank lines.
    pub fn run(&mut self, text: &str) -> Result<Option<Outcome>, LineError> {
        match Line::parse(text)? {
            Some(line) => self.run_line(&line).map(Some),
            None => Ok(None),
        }
    }

    /// Does one parsed command line.
    pub fn run_line(&mut self, line: &Line) -> Result<Outcome, LineError> {
        let command = command_named(&line.name).ok_or_else(|| LineError::NoSuchCommand {
            name: line.name.clone(),
            known: crate::commands::COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>().join(", "),
        })?;
        if self.stroke.is_some() {
            return Err(CommandError::StrokeUnderWay.into());
        }
        command.check_params(line).map_err(CommandError::from)?;
        Ok((command.run)(self, line)?)
    }

    /// The lines that do again what is done: the history as a script.
    pub fn script(&self) -> String {
        let lines = self.history.entries().filter(|entry| entry.is_done);
        lines.flat_map(|entry| [entry.line.to_owned(), "\n".to_owned()]).collect()
    }

    /// Takes the last step back. A stroke under way is taken back instead.
    pub fn undo(&mut self) -> Result<Changed, HistoryError> {
        if self.stroke.is_some() {
            let label = "stroke".to_owned();
            self.abort_stroke();
            return Ok(Changed { label, rows: BTreeMap::new() });
        }
        let revisions = self.revisions();
        let changed = self.history.undo(&mut self.document)?;
        self.note_committed(UNDO_LINE);
        self.after_swap(&revisions, &changed);
        Ok(changed)
    }

    /// Does the first undone step again.
    pub fn redo(&mut self) -> Result<Changed, HistoryError> {
        let revisions = self.revisions();
        let changed = self.history.redo(&mut self.document)?;
        self.note_committed(REDO_LINE);
        self.after_swap(&revisions, &changed);
        Ok(changed)
    }

    /// Applies an edit as part of a step.
    pub fn apply(&mut self, step: &mut OpenStep, mut edit: Edit) {
        let before = match &edit {
            Edit::Rows { mesh, .. } => {
                // The welded surface is decided by the rows as they came.
                self.views.surface(&self.document, *mesh);
                Some((*mesh, self.document.mesh(*mesh).weights_revision))
            }
            _ => None,
        };
        edit.apply(&mut self.document);
        self.follow_meshes();
        if let (Some((mesh, revision)), Edit::Rows { rows, .. }) = (before, &edit) {
            self.views.rows_changed(&self.document, mesh, revision, rows.vertices());
        }
        step.edits.push(edit);
    }

    /// Applies new rows as part of a step; twins of the given vertices get the same rows. Rows must be by weld-group
    /// representative or by vertex, each group once.
    pub fn apply_rows(&mut self, step: &mut OpenStep, mesh: MeshIndex, rows: impl Into<RowList>) -> usize {
        let surface = self.views.surface(&self.document, mesh);
        let weights = &self.document.mesh(mesh).weights;
        let mut rows: RowList = rows.into();
        let twins_beside = |(place, &vertex): (usize, &VertexIndex)| {
            let twins = surface.members(surface.group_of(vertex)).filter(move |twin| *twin != vertex);
            let is_beside = |twin: &VertexIndex| rows.vertices().binary_search(twin).is_err();
            twins.filter(is_beside).map(move |twin| (twin, place)).collect::<Vec<_>>()
        };
        let is_rising = rows.vertices().is_sorted_by(|a, b| a < b);
        let seams = if surface.n_seams > 0 { rows.vertices() } else { &[] };
        let twins = seams.par_iter().enumerate().with_min_len(4096).flat_map_iter(twins_beside);
        let mut twins: Vec<(VertexIndex, usize)> = twins.collect();
        // Most rows come in order, their twins with them: those stay where they are.
        if !is_rising || !twins.is_empty() {
            let mut all: Vec<_> = rows.vertices().iter().enumerate().map(|(place, &vertex)| (vertex, place)).collect();
            all.append(&mut twins);
            all.par_sort_by_key(|(vertex, _)| *vertex);
            all.dedup_by_key(|(vertex, _)| *vertex);
            let (vertices, places): (Vec<_>, Vec<_>) = all.into_iter().unzip();
            rows = RowList::made(vertices, weights.stride(), |to, _| (rows.get(places[to]), ())).0;
        }
        rows.retain(|_, vertex, row| !weights.row(vertex).same_influences(&row));
        let n_changed = rows.len();
        if n_changed > 0 {
            self.apply(step, Edit::Rows { mesh, rows });
        }
        n_changed
    }

    /// Ends a step. A step without edits is no step.
    pub fn commit(&mut self, step: OpenStep, label: impl Into<String>, line: impl ToString) {
        if !step.edits.is_empty() {
            let line = line.to_string();
            self.note_committed(&line);
            self.history.push(&mut self.document, label.into(), line, step.edits);
        }
    }

    /// From here on remembers each line that changed the document (steps, undo, redo) until it is taken.
    pub fn keep_committed(&mut self) {
        self.committed.get_or_insert_default();
    }

    /// The lines that changed the document since they were last taken, in order: what the journal gets. None before
    /// [`Editor::keep_committed`].
    pub fn take_committed(&mut self) -> Vec<String> {
        self.committed.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// An instance as the session's pose and deformer show it.
    pub fn posed(&mut self, instance_idx: usize) -> &PosedInstance {
        self.show_session();
        self.views.instance(&self.document, instance_idx)
    }

    /// An instance as the session shows it, with the search tree over its groups.
    pub fn searchable(&mut self, instance_idx: usize) -> (&PosedInstance, &Bvh) {
        self.show_session();
        self.views.searchable(&self.document, instance_idx)
    }

    /// The vertices whose rows changed since a revision of the mesh's weights; `None` if that is not known any more.
    pub fn rows_changed_since(&self, mesh: MeshIndex, since: Revision) -> Option<Vec<VertexIndex>> {
        self.views.rows_changed_since(&self.document, mesh, since)
    }

    /// Whether vertices of a mesh may follow another one's row, for want of weight.
    pub fn may_borrow(&self, mesh: MeshIndex) -> bool {
        self.views.may_borrow(mesh)
    }

    /// Says how the file stores its weights, for the view as exported. `[n_meshes][n_pools]`
    pub fn set_stored(&mut self, stored: Vec<Vec<StoredWeights>>) {
        self.exported.set_stored(stored);
    }

    /// How the file stores all its weights together: the most sets, the widest numbers.
    pub fn stored_widest(&self) -> StoredWeights {
        self.exported.stored_widest()
    }

    /// An instance as the session's profile exports it; `None` while the model is shown as edited.
    pub fn exported(&mut self, instance_idx: usize) -> Option<&ExportedInstance> {
        self.show_exported();
        self.exported.instance(&self.document, &mut self.views, instance_idx)
    }

    /// A mesh's rows as the session's profile exports them; `None` while the model is shown as edited.
    pub fn exported_rows(&mut self, mesh: MeshIndex) -> Option<&WeightTable> {
        self.show_exported();
        self.exported.rows(&self.document, &self.views, mesh)
    }

    /// How far what is shown as exported is from the model as edited; `None` while it is shown as edited.
    pub fn difference(&mut self) -> Option<Difference> {
        self.show_exported();
        let shown = self.shown_instances();
        self.exported.difference(&self.document, &mut self.views, |instance_idx| shown[instance_idx])
    }

    /// World matrices of all nodes in the session's pose. `[n_nodes]`
    pub fn scene_from_node(&mut self) -> &[DAffine3] {
        self.show_session();
        self.views.scene_from_node(&self.document)
    }

    /// The bones of what is shown, in the session's pose.
    pub fn bones(&mut self) -> Vec<Bone> {
        if self.bones.is_none() {
            self.bones = Some(self.rest_bones());
        }
        self.show_session();
        let scene_from_node = self.views.scene_from_node(&self.document);
        let mut bones = self.bones.as_ref().map(|bones| bones.posed(scene_from_node)).unwrap_or_default();
        if self.session.scene.is_some() {
            let shown = self.shown();
            bones.retain(|bone| shown.has_joint(bone.joint));
        }
        bones
    }

    fn rest_bones(&mut self) -> Bones {
        self.views.show(&Pose::rest(), self.session.deformer);
        let rest_from_node = self.views.scene_from_node(&self.document).to_vec();
        let Self { document, views, .. } = self;
        Bones::new(document, &rest_from_node, |head, tail| {
            let ray = Ray { origin: head, direction: tail - head };
            let is_skinned = |i: usize| document.instances()[i].skin.is_some();
            let hit = pick::skin(document, views, ray, is_skinned)?;
            (hit.t <= 1.0).then_some(hit.point)
        })
    }

    /// The box around everything that is shown in the session's pose, scene space.
    pub fn bounds(&mut self) -> Aabb {
        self.show_session();
        let shown = self.shown_instances();
        self.views.bounds(&self.document, |instance_idx| shown[instance_idx])
    }

    /// The first posed skin that a ray meets; any instance that is shown, painted or not, hides what is behind it.
    pub fn pick(&mut self, ray: Ray) -> Option<SkinHit> {
        self.show_session();
        let shown = self.shown_instances();
        pick::skin(&self.document, &mut self.views, ray, |instance_idx| shown[instance_idx])
    }

    /// The welded surface of a mesh.
    pub fn surface(&mut self, mesh: MeshIndex) -> Arc<MeshSurface> {
        self.views.surface(&self.document, mesh)
    }

    /// Takes a welded surface that another thread made from the same mesh. It must not have been edited before.
    pub fn install_surface(&mut self, mesh: MeshIndex, surface: Arc<MeshSurface>) {
        self.views.install_surface(mesh, surface);
    }

    /// Facts about a mesh's weights, kept by revision.
    pub fn census(&mut self, mesh: MeshIndex) -> Arc<WeightCensus> {
        let revision = self.document.mesh(mesh).weights_revision;
        let budget = self.document.budget().max_influences();
        if let Some((of, with, census)) = self.census.get(&mesh)
            && (*of, *with) == (revision, budget)
        {
            return Arc::clone(census);
        }
        let mut census = WeightCensus::of(self.document.mesh(mesh), budget, 0.0);
        self.came.part(&self.document, mesh, &mut census);
        let census = Arc::new(census);
        self.census.insert(mesh, (revision, budget, Arc::clone(&census)));
        census
    }

    /// The meshes that a whole-mesh command acts on: the named one, or all skinned meshes.
    pub fn target_meshes(&self) -> Vec<MeshIndex> {
        self.session.active_mesh.map_or_else(|| self.document.skinned_meshes(), |mesh| vec![mesh])
    }

    /// The instance whose posed surface is nearest to a point in a pose, among those of `mesh` (all skinned meshes
    /// without one) whose skin lists the joint.
    pub fn nearest_instance(
        &mut self,
        joint: NodeIndex,
        mesh: Option<MeshIndex>,
        (pose, deformer): (&Pose, &'static dyn Deformer),
        point: Vec3,
    ) -> Option<usize> {
        self.views.show(pose, deformer);
        let candidates: Vec<usize> = (0..self.document.instances().len())
            .filter(|&i| {
                let instance = self.document.instances()[i];
                mesh.is_none_or(|mesh| mesh == instance.mesh)
                    && self.document.mesh(instance.mesh).is_skinned()
                    && instance.skin.is_some_and(|skin| self.document.skin(skin).slot(joint).is_some())
            })
            .collect();
        if candidates.len() < 2 {
            return candidates.first().copied();
        }
        let mut best: Option<(f32, usize)> = None;
        for i in candidates.iter().copied() {
            let limit = best.map_or(f32::INFINITY, |(distance, _)| distance);
            let (posed, bvh) = self.views.searchable(&self.document, i);
            if let Some(hit) = bvh.closest_point(&posed.group_positions, point, limit)
                && best.is_none_or(|(distance, _)| hit.distance < distance)
            {
                best = Some((hit.distance, i));
            }
        }
        best.map(|(_, i)| i).or(candidates.first().copied())
    }

    fn note_committed(&mut self, line: &str) {
        if let Some(lines) = &mut self.committed {
            lines.push(line.to_owned());
        }
    }

    fn show_session(&mut self) {
        // While a stroke is under way the view is the stroke's, which is the session's.
        self.views.show(&self.session.pose, self.session.deformer);
    }

    fn show_exported(&mut self) {
        self.show_session();
        self.exported.show(self.session.view_as());
    }

    fn revisions(&self) -> Vec<Revision> {
        self.document.meshes().iter().map(|mesh| mesh.weights_revision).collect()
    }

    /// Brings what is kept by mesh number up to date with meshes that came or went.
    fn follow_meshes(&mut self) {
        if !self.views.meshes_changed(&self.document) {
            return;
        }
        let n_meshes = self.document.meshes().len();
        let is_there = |mesh: MeshIndex| mesh.idx() < n_meshes;
        self.scratches.retain(|&mesh, _| is_there(mesh));
        self.census.retain(|&mesh, _| is_there(mesh));
        self.refused.retain(|&mesh, _| is_there(mesh));
        self.session.active_mesh = self.session.active_mesh.filter(|&mesh| is_there(mesh));
    }

    fn after_swap(&mut self, revisions: &[Revision], changed: &Changed) {
        self.follow_meshes();
        self.forget_last_stroke();
        for (&mesh, vertices) in &changed.rows {
            self.views.rows_changed(&self.document, mesh, revisions[mesh.idx()], vertices);
        }
        if !self.refused.is_empty() {
            self.refused.clear();
            self.refused_revision += 1;
        }
    }
}

impl OpenStep {
    /// A step without edits yet.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The deformer that views start with: linear blend skinning, which is what engines do.
pub fn default_deformer() -> &'static dyn Deformer {
    DEFORMERS[0]
}

impl From<ArgError> for LineError {
    fn from(error: ArgError) -> Self {
        Self::Command(CommandError::Arg(error))
    }
}
