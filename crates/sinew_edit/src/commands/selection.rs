//! Selecting vertices: by number, face, shell, weight, influence count. A selection is undone like an edit, so a script
//! that acts on one does so again.
//!
//! Vertices of one weld group are selected together; what is hidden cannot be selected.

use sinew_model::lookup::mesh_named;
use sinew_model::{MeshIndex, UNWEIGHTED_SUM, VertexIndex, VertexSet, joint_named};

use super::scope::{MESH, target_meshes, with_mesh};
use super::{Command, CommandError, Outcome, Param, n_vertices};
use crate::args::{self, ArgError};
use crate::editor::{Editor, OpenStep};
use crate::script::Line;
use crate::surface::MeshSurface;

pub static SELECT: Command = Command {
    name: "select",
    label: "Select",
    hint: "Select vertices by number, face, shell, weight or influence count",
    menu: "Select",
    params: &[
        Param { key: "vertices", value: "0-99,120|all|none", default: Some("not given"), hint: "vertex numbers" },
        Param { key: "faces", value: "0-99,120", default: Some("not given"), hint: "corners of the mesh's triangles" },
        Param { key: "island_of", value: "V", default: Some("not given"), hint: "the shells with these vertices" },
        Param {
            key: "joint",
            value: "NAME",
            default: Some("not given"),
            hint: "where it has weight (see min and max)",
        },
        Param { key: "min", value: "0..1", default: Some("more than 0"), hint: "the joint's least weight" },
        Param { key: "max", value: "0..1", default: Some("1"), hint: "the joint's greatest weight" },
        Param { key: "over", value: "N", default: Some("not given"), hint: "more influences than this" },
        Param { key: "unweighted", value: "yes", default: Some("not given"), hint: "without any weight" },
        Param {
            key: "how",
            value: "replace|add|remove|intersect",
            default: Some("replace"),
            hint: "what becomes of the selection there is",
        },
        MESH,
    ],
    run: select,
};

pub static SELECT_ALL: Command = Command {
    name: "select_all",
    label: "Select All",
    hint: "Select every vertex that is not hidden",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| run_select(editor, line, "vertices", "all"),
};

pub static SELECT_NONE: Command = Command {
    name: "select_none",
    label: "Select None",
    hint: "Select no vertex",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| run_select(editor, line, "vertices", "none"),
};

pub static SELECT_UNWEIGHTED: Command = Command {
    name: "select_unweighted",
    label: "Select Unweighted",
    hint: "Select the vertices without any weight",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| run_select(editor, line, "unweighted", "yes"),
};

pub static SELECT_LINKED: Command = Command {
    name: "select_linked",
    label: "Select Linked",
    hint: "Select all of every shell that has a selected vertex",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| reselect(editor, line, "Select linked", shells_with),
};

pub static GROW: Command = Command {
    name: "grow",
    label: "Grow Selection",
    hint: "Select the neighbours of what is selected, too",
    menu: "Select",
    params: &[STEPS, MESH],
    run: |editor, line| {
        let steps = steps(line)?;
        reselect(editor, line, "Grow selection", |surface, now| {
            (0..steps).fold(now.selected.clone(), |set, _| grown(surface, &set))
        })
    },
};

pub static SHRINK: Command = Command {
    name: "shrink",
    label: "Shrink Selection",
    hint: "Select no longer what is next to an unselected vertex",
    menu: "Select",
    params: &[STEPS, MESH],
    run: |editor, line| {
        let steps = steps(line)?;
        reselect(editor, line, "Shrink selection", |surface, now| {
            (0..steps).fold(now.selected.clone(), |set, _| shrunk(surface, &set, now.hidden))
        })
    },
};

pub static INVERT: Command = Command {
    name: "invert_selection",
    label: "Invert Selection",
    hint: "Select what is not selected, and the other way round",
    menu: "Select",
    params: &[MESH],
    run: |editor, line| {
        reselect(editor, line, "Invert selection", |_, now| {
            let mut all = VertexSet::all(now.n_vertices);
            all.subtract(now.selected);
            all
        })
    },
};

const STEPS: Param = Param { key: "steps", value: "N", default: Some("1"), hint: "how often" };

/// A mesh's marks, for a new selection to be made of them.
struct Now<'a> {
    n_vertices: usize,
    selected: &'a VertexSet,
    hidden: &'a VertexSet,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Replace,
    Add,
    Remove,
    Intersect,
}

impl How {
    const NAMES: [&'static str; 4] = ["replace", "add", "remove", "intersect"];

    fn named(name: &str) -> Option<Self> {
        let all = [Self::Replace, Self::Add, Self::Remove, Self::Intersect];
        Self::NAMES.iter().position(|known| *known == name).map(|at| all[at])
    }
}

fn run_select(editor: &mut Editor, line: &Line, key: &str, value: &str) -> Result<Outcome, CommandError> {
    let mut full = Line::new(SELECT.name).with(key, value);
    full.params.extend(line.params.iter().cloned());
    select(editor, &full)
}

fn select(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    const BY: [&str; 6] = ["vertices", "faces", "island_of", "joint", "over", "unweighted"];
    let given: Vec<&str> = BY.into_iter().filter(|key| line.get(key).is_some()).collect();
    let &[by] = &given[..] else {
        let hint = "what to select, by one of vertices, faces, island_of, joint, over, unweighted";
        return Err(ArgError::Missing { command: line.name.clone(), key: "vertices", hint }.into());
    };
    let how = args::choice(line, "how", &How::NAMES, How::named)?.unwrap_or(How::Replace);
    let is_numbers = matches!(by, "vertices" | "faces" | "island_of") && !matches!(line.get(by), Some("all" | "none"));
    let (meshes, mut written) = if is_numbers {
        let mesh = the_mesh(editor, line, by)?;
        let written = match line.get("mesh") {
            Some(_) => line.clone(),
            None => line.clone().with("mesh", args::mesh_name(editor.document(), mesh)),
        };
        (vec![mesh], written)
    } else {
        (target_meshes(editor, line)?, with_mesh(editor, line))
    };
    let mut found = Vec::with_capacity(meshes.len());
    for &mesh in &meshes {
        found.push((mesh, matching(editor, line, by, mesh)?));
    }
    if let ("vertices" | "faces", [(_, set)], true) = (by, &found[..], is_numbers) {
        // As short as it can be said: a lasso names every vertex.
        let text = if by == "faces" { line.get(by).unwrap_or_default().to_owned() } else { set.to_string() };
        written.params.iter_mut().filter(|(key, _)| key == by).for_each(|(_, value)| value.clone_from(&text));
    }
    let mut step = OpenStep::new();
    if matches!(how, How::Replace | How::Intersect) {
        for mesh in (0..editor.document().meshes().len()).map(MeshIndex::from_idx) {
            if !meshes.contains(&mesh) {
                editor.apply_selection(&mut step, mesh, &VertexSet::EMPTY);
            }
        }
    }
    for (mesh, set) in found {
        let mut selection = match how {
            How::Replace => VertexSet::EMPTY,
            _ => editor.document().selection(mesh).clone(),
        };
        let set = editor.surface(mesh).with_twins(&set);
        match how {
            How::Replace | How::Add => selection.add(&set),
            How::Remove => selection.subtract(&set),
            How::Intersect => selection.intersect(&set),
        }
        editor.apply_selection(&mut step, mesh, &selection);
    }
    Ok(finish(editor, step, written))
}

/// The vertices of a mesh that a line's criterion picks.
fn matching(editor: &mut Editor, line: &Line, by: &str, mesh: MeshIndex) -> Result<VertexSet, CommandError> {
    let surface = editor.surface(mesh);
    let document = editor.document();
    let m = document.mesh(mesh);
    let text = line.get(by).unwrap_or_default();
    let paintable = || m.weights.vertices().filter(|&vertex| m.is_paintable(vertex));
    Ok(match by {
        "vertices" if text == "none" => VertexSet::EMPTY,
        "vertices" => args::vertices(document, mesh, text)?,
        "faces" => {
            let n_triangles = surface.topology.triangles().len();
            let expected = format!("triangle numbers such as 3,7,10-99, below {n_triangles}");
            let faces = args::number_set("faces", text, &expected, n_triangles)?
                .map_err(|_| args::bad("faces", expected, text))?;
            let corners = faces.iter().flat_map(|face| surface.topology.triangles()[face.idx()]);
            corners.flat_map(|group| surface.members(group)).collect()
        }
        "island_of" => {
            let seeds = args::vertices(document, mesh, text)?;
            let now = Now { n_vertices: m.n_vertices(), selected: &seeds, hidden: document.hidden(mesh) };
            shells_with(&surface, &now)
        }
        "joint" => {
            let joint = joint_named(document, Some(mesh), text).map_err(ArgError::from)?;
            let min = args::number(line, "min", f32::MIN_POSITIVE, 0.0, 1.0)?;
            let max = args::number(line, "max", 1.0, 0.0, 1.0)?;
            let Some(slot) = document.slot_of(mesh, joint) else { return Ok(VertexSet::EMPTY) };
            paintable().filter(|&vertex| (min..=max).contains(&m.weights.weight(vertex, slot))).collect()
        }
        "over" => {
            let over = args::integer(line, "over", 4, 0, 65536)? as usize;
            paintable().filter(|&vertex| m.weights.row(vertex).len() > over).collect()
        }
        _ => {
            args::choice(line, "unweighted", &["yes"], |word| matches!(word, "yes" | "true").then_some(()))?;
            paintable().filter(|&vertex| m.weights.row(vertex).sum() < UNWEIGHTED_SUM).collect()
        }
    })
}

/// The one mesh whose numbers a line says.
fn the_mesh(editor: &Editor, line: &Line, by: &str) -> Result<MeshIndex, CommandError> {
    let document = editor.document();
    if let Some(name) = line.get("mesh") {
        return Ok(mesh_named(document, name).map_err(ArgError::from)?);
    }
    if let [mesh] = target_meshes(editor, line)?[..] {
        return Ok(mesh);
    }
    let command = format!("{} {by}=…", line.name);
    let hint = "the mesh whose numbers these are; there are several";
    Err(ArgError::Missing { command, key: "mesh", hint }.into())
}

/// Makes another selection of the one there is, on every mesh that is meant.
fn reselect(
    editor: &mut Editor,
    line: &Line,
    label: &str,
    make: impl Fn(&MeshSurface, &Now<'_>) -> VertexSet,
) -> Result<Outcome, CommandError> {
    let meshes = target_meshes(editor, line)?;
    let written = with_mesh(editor, line);
    let mut step = OpenStep::new();
    for mesh in meshes {
        let surface = editor.surface(mesh);
        let document = editor.document();
        let n_vertices = document.mesh(mesh).n_vertices();
        let now = Now { n_vertices, selected: document.selection(mesh), hidden: document.hidden(mesh) };
        let selection = make(&surface, &now);
        editor.apply_selection(&mut step, mesh, &selection);
    }
    let mut outcome = finish(editor, step, written);
    outcome.message = format!("{label}: {}", outcome.message);
    Ok(outcome)
}

/// Ends a step that selects; says how many vertices are selected now.
pub(super) fn finish(editor: &mut Editor, step: OpenStep, written: Line) -> Outcome {
    let document = editor.document();
    let n: usize = (0..document.meshes().len()).map(|m| document.selection(MeshIndex::from_idx(m)).len()).sum();
    let label = if n == 0 { "Select none".to_owned() } else { format!("Select {}", n_vertices(n)) };
    editor.commit(step, label, written);
    Outcome::new(format!("{} selected", n_vertices(n)), 0)
}

fn steps(line: &Line) -> Result<u32, ArgError> {
    args::integer(line, "steps", 1, 1, 1000)
}

/// The vertices of all shells that have a selected one.
fn shells_with(surface: &MeshSurface, now: &Now<'_>) -> VertexSet {
    let (shells, n_shells) = surface.topology.components();
    let mut is_meant = vec![false; n_shells];
    for vertex in now.selected.iter() {
        is_meant[shells[surface.group_of(vertex) as usize] as usize] = true;
    }
    let all = (0..now.n_vertices).map(VertexIndex::from_idx);
    all.filter(|&vertex| is_meant[shells[surface.group_of(vertex) as usize] as usize]).collect()
}

fn grown(surface: &MeshSurface, set: &VertexSet) -> VertexSet {
    let mut grown = set.clone();
    for group in surface.groups_of_set(set) {
        for &neighbour in surface.topology.neighbours(group) {
            grown.extend(surface.members(neighbour));
        }
    }
    grown
}

fn shrunk(surface: &MeshSurface, set: &VertexSet, hidden: &VertexSet) -> VertexSet {
    let is_inside = |group: u32| {
        let neighbours = surface.topology.neighbours(group).iter().map(|&g| surface.representative(g));
        let mut seen = neighbours.filter(|&neighbour| !hidden.contains(neighbour));
        seen.all(|neighbour| set.contains(neighbour))
    };
    set.iter().filter(|&vertex| is_inside(surface.group_of(vertex))).collect()
}
