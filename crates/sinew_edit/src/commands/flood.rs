//! Flood: a brush at every vertex at once, instead of under dabs. One step.

use rayon::prelude::*;
use sinew_model::{JointSlot, MeshIndex, NodeIndex, Row, VertexIndex, joint_named};
use sinew_weights::{Change, Holds, Terms};

use super::paint::{UNASSIGNED, WITH, leaves_unassigned};
use super::rows::fit;
use super::scope::{MESH, ON, Scope};
use super::{Command, CommandError, Outcome, Param, n_vertices};
use crate::allowance::Allowance;
use crate::args::{self, ArgError};
use crate::brush_change::{Around, BrushChange};
use crate::brushes::{Kernel, Needs, brush_named, brush_names};
use crate::editor::{Editor, OpenStep};
use crate::script::Line;
use crate::session::BrushSettings;
use crate::stroke::{joint_list, read_joints};

pub static FLOOD: Command = Command {
    name: "flood",
    label: "Flood",
    hint: "Apply a brush to the selection, or the whole mesh, at once",
    menu: "Weights",
    params: &[
        Param { key: "joint", value: "NAME", default: Some("the active joint"), hint: "the joint that is painted" },
        WITH,
        Param { key: "brush", value: "NAME", default: Some("replace"), hint: "the brush, as for stroke" },
        Param { key: "value", value: "0..1", default: Some("1"), hint: "what is painted" },
        Param { key: "strength", value: "0..1", default: Some("1"), hint: "how much of the way" },
        Param { key: "iterations", value: "N", default: Some("1"), hint: "how often" },
        UNASSIGNED,
        ON,
        MESH,
    ],
    run: flood,
};

/// What one pass did to one mesh.
#[derive(Default)]
struct Pass {
    rows: Vec<(VertexIndex, Row)>,
    n_alone: usize,
    n_blocked: usize,
}

fn flood(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let defaults = BrushSettings::default();
    let brush = args::choice(line, "brush", &brush_names(), brush_named)?.unwrap_or(defaults.brush);
    if brush.needs == Needs::Upstream {
        let (expected, found) = ("a brush that does not follow the pointer".to_owned(), brush.name.to_owned());
        return Err(ArgError::Bad { key: "brush".to_owned(), expected, found }.into());
    }
    let value = args::number(line, "value", defaults.value, 0.0, 1.0)?;
    let strength = args::number(line, "strength", defaults.strength, 0.0, 1.0)?;
    let iterations = args::integer(line, "iterations", 1, 1, 1000)?;
    let scope = Scope::of(editor, line)?;
    let document = editor.document();
    let home = match scope.meshes[..] {
        [mesh] => Some(mesh),
        _ => editor.session.active_mesh,
    };
    let joint = match line.get("joint") {
        Some(name) => joint_named(document, home, name).map_err(ArgError::from)?,
        None => editor.session.active_joint.ok_or(CommandError::NoActiveJoint)?,
    };
    let mut together = match (line.get("joint"), line.get(WITH.key)) {
        // As in the hand.
        (None, None) => editor.session.paint.together.iter().copied().collect(),
        _ => read_joints(document, home, line, WITH.key)?,
    };
    together.retain(|&other| other != joint);
    let label = match together.len() {
        0 => document.nodes().label(joint),
        n => format!("{} and {n} more", document.nodes().label(joint)),
    };
    editor.check_unlocked(std::iter::once(joint).chain(together.iter().copied()))?;
    let leaves = leaves_unassigned(editor, line)?;
    if let [mesh] = scope.meshes[..] {
        args::joint_in(document, mesh, joint)?;
    }
    let mut written = line.clone();
    written.params.retain(|(key, _)| !["joint", WITH.key, UNASSIGNED.key].contains(&key.as_str()));
    let mut written = scope.recorded(editor, &written);
    written.params.insert(0, ("joint".to_owned(), args::joint_name(document, home, joint)));
    if !together.is_empty() {
        written = written.with(WITH.key, joint_list(document, home, &together));
    }
    if leaves {
        written = written.with(UNASSIGNED.key, "yes");
    }

    let label = format!("Flood {} {label}", brush.label);
    let mut step = OpenStep::new();
    let (mut left, mut n_vertices_changed) = ([0; 3], 0);
    for &mesh in &scope.meshes {
        let Some(slots) = slots(editor, mesh, joint, &together) else { continue };
        let surface = editor.surface(mesh);
        let only = scope.only(editor.document(), mesh);
        let locks = editor.document().locked_slots(mesh);
        let holds = Holds::locks(&locks);
        let painted: &[JointSlot] = if matches!(brush.kernel, Kernel::Weight(_)) { &slots } else { &[] };
        let terms = Terms { leaves, ..Terms::default() };
        let (mut n_changed, mut last) = (0, [0; 3]);
        for _ in 0..iterations {
            let document = editor.document();
            let mut change = BrushChange {
                mesh: document.mesh(mesh),
                surface: &surface,
                brush,
                slots: &slots,
                value,
                holds,
                around: Around { terms, ..Around::default() },
            };
            let allowance = Allowance::of(document, mesh).within(only.as_ref());
            let mean = (brush.needs == Needs::Mean).then(|| mean_of_all(&change, &allowance)).flatten();
            change.around.mean = mean.as_ref();
            let mut pass = one_pass(&change, &allowance, strength);
            let n_kept = fit(editor, mesh, &mut pass.rows, painted, leaves, holds);
            let n = editor.apply_rows(&mut step, mesh, pass.rows);
            // The last pass says what was left alone: earlier ones may have been in its way.
            last = [pass.n_alone, pass.n_blocked, n_kept];
            n_changed = n.max(n_changed);
            if n == 0 {
                break;
            }
        }
        n_vertices_changed += n_changed;
        left.iter_mut().zip(last).for_each(|(all, own)| *all += own);
    }
    let mut outcome = Outcome::new(&label, n_vertices_changed);
    for (n, why) in left.into_iter().zip(["no other joint on", "locks block", "the budget keeps"]) {
        if n > 0 {
            outcome.notes.push(format!("{why} {}", n_vertices(n)));
        }
    }
    editor.commit(step, label, written);
    Ok(outcome)
}

/// The slots of a joint and of those that are painted with it, rising; `None` where the mesh does not have the joint.
fn slots(editor: &Editor, mesh: MeshIndex, joint: NodeIndex, together: &[NodeIndex]) -> Option<Vec<JointSlot>> {
    let document = editor.document();
    let mut slots = vec![document.slot_of(mesh, joint)?];
    slots.extend(together.iter().filter_map(|&other| document.slot_of(mesh, other)));
    slots.sort_unstable();
    slots.dedup();
    Some(slots)
}

/// The mean row of everything that is meant.
fn mean_of_all(change: &BrushChange<'_>, allowance: &Allowance<'_>) -> Option<Row> {
    let groups = 0..change.surface.weld.n_groups() as u32;
    change.mean_of(groups.map(|group| (group, allowance.at(change.surface.representative(group)))))
}

/// Every group's change from the rows as they are, so that the order of vertices does not matter.
fn one_pass(change: &BrushChange<'_>, allowance: &Allowance<'_>, strength: f32) -> Pass {
    let one = |group: u32| {
        let vertex = change.surface.representative(group);
        (vertex, change.of(group, strength * allowance.at(vertex)))
    };
    let changes: Vec<(VertexIndex, Change)> = (0..change.surface.weld.n_groups() as u32)
        .into_par_iter()
        .with_min_len(256)
        .map(one)
        .filter(|(_, change)| *change != Change::Unchanged)
        .collect();
    let mut pass = Pass::default();
    for (vertex, change) in changes {
        match change {
            Change::Changed(row) => pass.rows.push((vertex, row)),
            Change::Unchanged => {}
            Change::NoOtherJoint => pass.n_alone += 1,
            Change::Blocked { .. } => pass.n_blocked += 1,
        }
    }
    pass
}
