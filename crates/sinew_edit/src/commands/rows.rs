//! Commands on weight rows: numbers instead of a brush. They act on weld groups, so twins stay equal.

use rayon::prelude::*;
use sinew_model::lookup::mesh_named;
use sinew_model::{Document, JointSlot, MeshIndex, NodeIndex, Row, RowList, VertexIndex, VertexSet, joint_named};
use sinew_weights::{
    BudgetOutcome, Change, Holds, MeshChanges, SmoothField, SmoothSettings, Terms, fit_budget_of, limit_mesh,
    mean_of_rows, normalize_mesh, prune_mesh, set_weights,
};

use super::paint::{UNASSIGNED, leaves_unassigned};
use super::scope::{MESH, ON, Scope};
use super::{Command, CommandError, Outcome, Param, n_vertices};
use crate::allowance::Allowance;
use crate::args::{self, ArgError};
use crate::editor::{Editor, OpenStep};
use crate::script::Line;

/// What `set` calls the selected vertices.
const SELECTION: &str = "selection";

pub static SET: Command = Command {
    name: "set",
    label: "Set Weight",
    hint: "Give vertices an exact weight of a joint",
    menu: "Weights",
    params: &[
        Param {
            key: "vertices",
            value: "0-99,120|all|selection",
            default: Some("selection"),
            hint: "vertex numbers of the mesh, or what is selected",
        },
        Param { key: "joint", value: "NAME", default: None, hint: "the joint" },
        Param { key: "value", value: "0..1", default: None, hint: "the weight" },
        UNASSIGNED,
        MESH,
    ],
    run: set,
};

pub static NORMALIZE: Command = Command {
    name: "normalize",
    label: "Normalize",
    hint: "Scale every row so that it sums to 1; locked joints keep their weight",
    menu: "Weights",
    params: &[ON, MESH],
    run: |editor, line| {
        let why = |who: &str| format!("{who} has weights that do not sum to 1");
        whole_mesh(editor, line, ("Normalize", &why), |editor, mesh, target| {
            Ok(normalize_mesh(editor.document().mesh(mesh), target.holds()))
        })
    },
};

pub static LIMIT: Command = Command {
    name: "limit",
    label: "Limit Influences",
    hint: "Keep the largest influences of every vertex and rescale them to 1",
    menu: "Weights",
    params: &[Param { key: "influences", value: "N", default: Some("4"), hint: "how many to keep" }, ON, MESH],
    run: |editor, line| {
        let n = args::integer(line, "influences", 4, 1, 255)? as usize;
        let why = |who: &str| format!("{who} has more than {n} joints");
        whole_mesh(editor, line, (&format!("Limit to {n}"), &why), |editor, mesh, target| {
            Ok(limit_mesh(editor.document().mesh(mesh), n, target.holds()))
        })
    },
};

pub static PRUNE: Command = Command {
    name: "prune",
    label: "Prune",
    hint: "Remove weights below a threshold; the largest of a vertex always stays",
    menu: "Weights",
    params: &[Param { key: "below", value: "0..1", default: Some("0.01"), hint: "the threshold" }, ON, MESH],
    run: |editor, line| {
        let below = args::number(line, "below", 0.01, 0.0, 1.0)?;
        let why = |who: &str| format!("{who} has weights below {below} that can go");
        whole_mesh(editor, line, (&format!("Prune below {below}"), &why), |editor, mesh, target| {
            Ok(prune_mesh(editor.document().mesh(mesh), below, target.holds()))
        })
    },
};

pub static SMOOTH: Command = Command {
    name: "smooth",
    label: "Smooth Weights",
    hint: "Even out all joints' weights over the whole mesh",
    menu: "Weights",
    params: &[
        Param { key: "iterations", value: "N", default: Some("1"), hint: "how often" },
        Param { key: "strength", value: "0..1", default: Some("1"), hint: "how much each time" },
        ON,
        MESH,
    ],
    run: smooth,
};

/// What a verb may change on a mesh.
struct Target {
    /// Locked slots. `[n_slots]`
    locks: Vec<bool>,
    /// The vertices that are meant; `None` for all.
    only: Option<VertexSet>,
}

impl Target {
    fn holds(&self) -> Holds<'_> {
        Holds::locks(&self.locks)
    }

    fn allowance<'a>(&'a self, document: &'a Document, mesh: MeshIndex) -> Allowance<'a> {
        Allowance::of(document, mesh).within(self.only.as_ref())
    }
}

fn whole_mesh(
    editor: &mut Editor,
    line: &Line,
    (label, why_not): (&str, &dyn Fn(&str) -> String),
    verb: impl Fn(&mut Editor, MeshIndex, &Target) -> Result<MeshChanges, CommandError>,
) -> Result<Outcome, CommandError> {
    let scope = Scope::of(editor, line)?;
    let written = scope.recorded(editor, line);
    let mut step = OpenStep::new();
    let (mut outcome, mut is_hindered) = (Outcome::new(label, 0), false);
    for &mesh in &scope.meshes {
        let target = Target { locks: editor.document().locked_slots(mesh), only: scope.only(editor.document(), mesh) };
        let mut changes = verb(editor, mesh, &target)?;
        target.allowance(editor.document(), mesh).keep_allowed(&mut changes);
        let name = editor.document().mesh_label(mesh);
        if !changes.unweighted.is_empty() {
            let first = first_few(&changes.unweighted);
            let note = format!("{name}: {} without weight left alone ({first})", n_vertices(changes.unweighted.len()));
            outcome.notes.push(note);
        }
        if !changes.blocked.is_empty() {
            let first = first_few(&changes.blocked);
            outcome.notes.push(format!("{name}: {} blocked by locks ({first})", n_vertices(changes.blocked.len())));
            is_hindered = true;
        }
        outcome.n_vertices += editor.apply_rows(&mut step, mesh, changes.rows);
    }
    outcome.explain_nothing(is_hindered, || why_not(&scope.no_vertex(editor.document())));
    editor.commit(step, label, written);
    Ok(outcome)
}

fn smooth(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let iterations = args::integer(line, "iterations", 1, 1, 1000)?;
    let strength = args::number(line, "strength", 1.0, 0.0, 1.0)?;
    let label = if iterations == 1 { "Smooth".to_owned() } else { format!("Smooth {iterations} times") };
    let has_locks = !editor.document().locks().is_empty();
    let why = |who: &str| {
        let unless = if has_locks { " in what is not locked" } else { "" };
        format!("{who} differs from its neighbours{unless}")
    };
    whole_mesh(editor, line, (&label, &why), |editor, mesh, target| {
        let surface = editor.surface(mesh);
        let holds = target.holds();
        let field = SmoothField {
            n_groups: surface.weld.n_groups(),
            members: |group| surface.weld.members(group),
            neighbours: |group| surface.topology.neighbours(group),
        };
        let settings = SmoothSettings { iterations, strength };
        let m = editor.document().mesh(mesh);
        let allowance = target.allowance(editor.document(), mesh);
        let is_meant = |group| {
            let vertex = surface.representative(group);
            m.is_paintable(vertex) && allowance.allows(vertex)
        };
        let mut rows = sinew_weights::smooth(&m.weights, field, is_meant, settings, holds);
        allowance.blend(&m.weights, &mut rows, holds);
        fit(editor, mesh, &mut rows, &[], false, holds);
        let rows = RowList::packed(rows, editor.document().mesh(mesh).weights.stride());
        Ok(MeshChanges { rows, ..MeshChanges::default() })
    })
}

fn set(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let document = editor.document();
    let home = match line.get("mesh") {
        Some(name) => Some(mesh_named(document, name).map_err(ArgError::from)?),
        None => editor.session.active_mesh,
    };
    let joint = joint_named(document, home, args::required(line, "joint", "the joint")?).map_err(ArgError::from)?;
    let value = args::number(line, "value", 0.0, 0.0, 1.0)?;
    let mesh = match home {
        Some(mesh) => mesh,
        None => only_mesh_with(editor, joint)?,
    };
    let slot = args::joint_in(document, mesh, joint)?;
    let (vertices, named) = match line.get("vertices") {
        None | Some(SELECTION) if document.selection(mesh).is_empty() => return Err(CommandError::NothingSelected),
        None | Some(SELECTION) => (document.selection(mesh).clone(), SELECTION),
        Some(text) => (args::vertices(document, mesh, text)?, text),
    };
    let locks = document.locked_slots(mesh);
    let holds = Holds::locks(&locks);
    if holds.is_locked(slot) {
        return Err(CommandError::JointLocked { joint: document.nodes().label(joint) });
    }
    let label = format!("Set {} {value}", document.nodes().label(joint));
    let written = Line::new("set")
        .with("vertices", named)
        .with("joint", args::joint_name(document, Some(mesh), joint))
        .with("value", value)
        .with("mesh", args::mesh_name(document, mesh));
    let leaves = leaves_unassigned(editor, line)?;
    let written = if leaves { written.with(UNASSIGNED.key, "yes") } else { written };

    let surface = editor.surface(mesh);
    let document = editor.document();
    let weights = &document.mesh(mesh).weights;
    let allowance = Allowance::of(document, mesh);
    let (mut rows, mut n_alone, mut n_blocked, mut n_meant) = (Vec::new(), 0, 0, 0);
    for group in surface.groups_of_set(&vertices) {
        let vertex = surface.representative(group);
        let amount = allowance.at(vertex);
        if amount <= 0.0 || !document.mesh(mesh).is_paintable(vertex) {
            continue;
        }
        n_meant += 1;
        let row = weights.get(vertex);
        let weight = row.weight(slot);
        let goal = if amount >= 1.0 { value } else { weight + (value - weight) * amount };
        let neighbours = || {
            let groups = surface.topology.neighbours(group).iter();
            mean_of_rows(groups.map(|&g| (weights.row(surface.representative(g)), 1.0)))
        };
        match set_weights(&row, &[slot], goal, holds, Terms { leaves, ..Terms::default() }, neighbours) {
            Change::Changed(row) => rows.push((vertex, row)),
            Change::Unchanged => {}
            Change::NoOtherJoint => n_alone += 1,
            Change::Blocked { .. } => n_blocked += 1,
        }
    }
    let n_budget = fit(editor, mesh, &mut rows, &[slot], leaves, holds);
    let mut step = OpenStep::new();
    let mut outcome = Outcome::new(&label, editor.apply_rows(&mut step, mesh, rows));
    for (n, why) in [(n_alone, "no other joint on"), (n_blocked, "locks block"), (n_budget, "the budget keeps")] {
        if n > 0 {
            outcome.notes.push(format!("{why} {}", n_vertices(n)));
        }
    }
    let is_hindered = !outcome.notes.is_empty();
    outcome.explain_nothing(is_hindered, || match n_meant {
        0 => "none of these vertices may change: they are masked, hidden or in no skin".to_owned(),
        _ => format!("{} has {value} there already", editor.document().nodes().label(joint)),
    });
    editor.commit(step, label, written);
    Ok(outcome)
}

/// Fits rows to the budget, open shares kept if the line `leaves` them; rows that would lose more than they gained are taken out. Returns how many.
pub(super) fn fit(
    editor: &Editor,
    mesh: MeshIndex,
    rows: &mut Vec<(VertexIndex, Row)>,
    painted: &[JointSlot],
    leaves: bool,
    holds: Holds<'_>,
) -> usize {
    let budget = editor.document().budget().max_influences();
    let weights = &editor.document().mesh(mesh).weights;
    let keeps: Vec<bool> = rows
        .par_iter_mut()
        .with_min_len(1024)
        .map(|(vertex, row)| {
            if row.len() <= budget {
                return true;
            }
            match fit_budget_of(&weights.get(*vertex), row, painted, budget, holds, leaves) {
                BudgetOutcome::Fits(fitted) => {
                    *row = fitted;
                    true
                }
                BudgetOutcome::KeepEarlier => false,
            }
        })
        .collect();
    let before = rows.len();
    let mut keeps = keeps.into_iter();
    rows.retain(|_| keeps.next().unwrap_or(true));
    before - rows.len()
}

/// The only skinned mesh that has the joint.
fn only_mesh_with(editor: &Editor, joint: NodeIndex) -> Result<MeshIndex, CommandError> {
    let document = editor.document();
    let mut meshes = document.skinned_meshes();
    meshes.retain(|&mesh| document.slot_of(mesh, joint).is_some());
    match meshes[..] {
        [mesh] => Ok(mesh),
        [] => {
            let (joint, mesh) = (document.nodes().label(joint), "any".to_owned());
            Err(ArgError::NotInSkin { joint, mesh }.into())
        }
        _ => {
            let names: Vec<String> = meshes.iter().map(|&mesh| document.mesh(mesh).label(mesh)).collect();
            Err(CommandError::WhichMesh { n: meshes.len(), names: names.join(", ") })
        }
    }
}

pub(super) fn first_few(vertices: &[VertexIndex]) -> String {
    let shown: Vec<String> = vertices.iter().take(5).map(ToString::to_string).collect();
    let more = if vertices.len() > 5 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
