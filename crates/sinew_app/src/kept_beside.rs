//! What the window keeps beside a model, in `NAME.sinew.json`: locks, the budget, joint pairs and masks.
//!
//! It is read when a file is opened and written when it is saved, not with a copy: that is made to be given away. Whatever
//! is wrong with it, the model opens and saves. Boundary: the file itself is `sinew_io::project`'s.

use std::fmt;
use std::path::Path;

use sinew_edit::journal::Given;
use sinew_io::project::{self, Project, Stored};
use sinew_io::{ImportWarning, SaveReport};
use sinew_model::{Budget, Document, MeshIndex};

/// What was odd about an opened file.
#[derive(Clone, PartialEq, Debug)]
pub enum FileWarning {
    /// In the model.
    Model(ImportWarning),
    /// In what is kept beside it.
    Beside(String),
}

impl FileWarning {
    /// Whether it may wait until somebody looks.
    pub fn is_minor(&self) -> bool {
        match self {
            Self::Model(warning) => warning.is_minor(),
            Self::Beside(_) => false,
        }
    }
}

impl fmt::Display for FileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(warning) => warning.fmt(f),
            Self::Beside(text) => f.write_str(text),
        }
    }
}

/// What was read beside a model, to be written back with what changed.
#[derive(Clone)]
pub(crate) struct KeptBeside {
    project: Project,
    /// Whether there was a file that could be read.
    is_there: bool,
    /// The budget that the model itself asks for.
    own_budget: Budget,
}

impl KeptBeside {
    /// Reads what is kept beside the model at `path`; `document` is as its file says.
    pub(crate) fn read(document: &Document, path: Option<&Path>, warnings: &mut Vec<FileWarning>) -> Self {
        let mut kept = Self { project: Project::default(), is_there: false, own_budget: document.budget() };
        match path.map(|path| project::load(document, path)) {
            None | Some(Ok((None, _))) => {}
            Some(Ok((Some(project), odd))) => {
                (kept.project, kept.is_there) = (project, true);
                warnings.extend(odd.iter().map(|warning| FileWarning::Beside(warning.to_string())));
            }
            Some(Err(error)) => {
                let text = format!("what is kept beside the model was not read: {error}");
                warnings.push(FileWarning::Beside(text));
            }
        }
        kept
    }

    /// What it gives to the document.
    pub(crate) fn given(&self) -> Given {
        let Project { budget, locks, pairs, masks, .. } = &self.project;
        let masks = masks.iter().map(|(mesh, mask)| (*mesh, mask.to_string())).collect();
        Given { budget: *budget, locks: locks.clone(), pairs: pairs.clone(), masks }
    }

    /// Writes what the document has of it beside the saved model; the report gets what was done.
    pub(crate) fn write(&self, document: &Document, report: &mut SaveReport) {
        let mut project = self.project.clone();
        project.locks = document.locks().iter().copied().collect();
        project.budget = Some(document.budget()).filter(|&budget| budget != self.own_budget);
        project.pairs = document.joint_pairs().clone();
        let meshes = (0..document.meshes().len()).map(MeshIndex::from_idx);
        project.masks = meshes.map(|mesh| (mesh, document.mask(mesh).clone())).collect();
        project.masks.retain(|(_, mask)| !mask.is_none());
        let is_something = !(project.locks.is_empty() && project.pairs.is_empty() && project.masks.is_empty());
        let is_needed = self.is_there || is_something || project.budget.is_some();
        match project::store(document, &project, &report.path) {
            Ok(Stored::Written(path)) => report.files_written.push(path),
            Ok(Stored::Nothing | Stored::Unchanged | Stored::Removed(_)) => {}
            Err(error) if is_needed => {
                report.warnings.push(format!("locks, budget, pairs and masks were not kept: {error}"));
            }
            Err(error) => log::warn!("{error}"),
        }
    }
}
