//! What a command without a brush acts on: which meshes, and on them the selection or everything.

use sinew_model::lookup::mesh_named;
use sinew_model::{Document, MeshIndex, VertexSet};

use super::{CommandError, Param};
use crate::args::{self, ArgError};
use crate::editor::Editor;
use crate::script::Line;

pub(super) const MESH: Param = Param {
    key: "mesh",
    value: "NAME",
    default: Some("the chosen mesh, else all skinned meshes"),
    hint: "only this mesh",
};

pub(super) const ON: Param = Param {
    key: "on",
    value: "selection|all",
    default: Some("the selection, if there is one"),
    hint: "which vertices; never hidden ones, and by the mask",
};

/// What a line acts on.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scope {
    /// The meshes, rising; on a selection only those that have one.
    pub meshes: Vec<MeshIndex>,
    /// Whether only what is selected.
    pub on_selection: bool,
    /// What `on` must say so that a replay acts on the same; nothing where nothing is selected.
    written: Option<&'static str>,
}

/// The meshes that a line names: one, the chosen one, or all skinned meshes.
pub(super) fn target_meshes(editor: &Editor, line: &Line) -> Result<Vec<MeshIndex>, CommandError> {
    let document = editor.document();
    let meshes = match line.get("mesh") {
        Some(name) => vec![mesh_named(document, name).map_err(ArgError::from)?],
        None => editor.target_meshes(),
    };
    if meshes.is_empty() {
        return Err(CommandError::NothingSkinned);
    }
    for &mesh in &meshes {
        if !document.mesh(mesh).is_skinned() || document.skins_of(mesh).is_empty() {
            let (mesh, reason) = (document.mesh_label(mesh), "it has no weights under a skin");
            return Err(CommandError::NotPaintable { mesh, reason });
        }
    }
    Ok(meshes)
}

/// The line with the mesh named if one was chosen, so that a replay acts on the same.
pub(super) fn with_mesh(editor: &Editor, line: &Line) -> Line {
    match (line.get("mesh"), editor.session.active_mesh) {
        (None, Some(mesh)) => line.clone().with("mesh", args::mesh_name(editor.document(), mesh)),
        _ => line.clone(),
    }
}

impl Scope {
    /// Reads `mesh` and `on`.
    pub(super) fn of(editor: &Editor, line: &Line) -> Result<Self, CommandError> {
        let mut meshes = target_meshes(editor, line)?;
        let is_selected = |mesh: &MeshIndex| !editor.document().selection(*mesh).is_empty();
        let on = args::choice(line, "on", &["selection", "all"], |word| match word {
            "selection" => Some(true),
            "all" => Some(false),
            _ => None,
        })?;
        let is_any = meshes.iter().any(is_selected);
        let on_selection = on.unwrap_or(is_any);
        if on_selection {
            if !is_any {
                return Err(CommandError::NothingSelected);
            }
            meshes.retain(is_selected);
        }
        let written = match (on_selection, on) {
            (true, _) => Some("selection"),
            (false, Some(_)) => Some("all"),
            (false, None) => None,
        };
        Ok(Self { meshes, on_selection, written })
    }

    /// The vertices of a mesh that are meant; `None` for all.
    pub(super) fn only(&self, document: &Document, mesh: MeshIndex) -> Option<VertexSet> {
        self.on_selection.then(|| document.selection(mesh).clone())
    }

    /// Who is not found, in a message that says why there is nothing to change: `no vertex`, `no selected vertex` …
    pub(super) fn no_vertex(&self, document: &Document) -> String {
        let is_masked = self.meshes.iter().any(|&mesh| !document.mask(mesh).is_none());
        let is_hidden = self.meshes.iter().any(|&mesh| !document.hidden(mesh).is_empty());
        let kinds = [(self.on_selection, "selected"), (is_masked, "unmasked"), (is_hidden, "visible")];
        let kinds: Vec<&str> = kinds.into_iter().filter(|(counts, _)| *counts).map(|(_, kind)| kind).collect();
        if kinds.is_empty() { "no vertex".to_owned() } else { format!("no {} vertex", kinds.join(", ")) }
    }

    /// The line as the history keeps it: what was meant by default is said.
    pub(super) fn recorded(&self, editor: &Editor, line: &Line) -> Line {
        let line = with_mesh(editor, line);
        match (line.get("on"), self.written) {
            (None, Some(on)) => line.with("on", on),
            _ => line,
        }
    }
}
