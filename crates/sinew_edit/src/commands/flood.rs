//! Flood: a brush at every vertex at once, instead of under dabs. One step.

use rayon::prelude::*;
use sinew_model::{Document, JointSlot, MeshIndex, NodeIndex, Pose, Row, VertexIndex, joint_named};
use sinew_weights::{Change, Holds, Terms, UNASSIGNED as OPEN_SHARE};

use super::paint::{EXISTING, GIVE, LANE, UNASSIGNED, WITH, leaves_unassigned};
use super::rows::fit;
use super::scope::{MESH, ON, Scope};
use super::{Command, CommandError, Outcome, Param, n_vertices};
use crate::allowance::Allowance;
use crate::args::{self, ArgError};
use crate::brush_change::{Across, Around, BrushChange};
use crate::brushes::{Kernel, Needs, brush_named, brush_names};
use crate::editor::{Editor, OpenStep, default_deformer};
use crate::give::GiveTo;
use crate::script::Line;
use crate::session::BrushSettings;
use crate::stroke::{first_instance, joint_list, read_joints};

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
        EXISTING,
        Param {
            key: "gap",
            value: "R",
            default: Some("0"),
            hint: "how far smoothing also sees other shells, in the rest pose, scene units",
        },
        LANE,
        GIVE,
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

impl Editor {
    /// The flood of the brush as it is held, the lane and who is given to. The joint, those that are painted with it and
    /// whether the rest is left open are the session's where a line does not say them.
    pub fn flood_line(&self) -> Line {
        let (document, brush, paint) = (self.document(), self.session.brush, &self.session.paint);
        let plain = BrushSettings::default();
        let mut line = Line::new(FLOOD.name).with("brush", brush.brush.name);
        if brush.brush.uses_value {
            line = line.with("value", brush.value);
        }
        line = line.with("strength", brush.strength);
        if brush.iterations != plain.iterations {
            line = line.with("iterations", brush.iterations);
        }
        if brush.existing_only {
            line = line.with(EXISTING.key, "yes");
        }
        if brush.gap != plain.gap {
            line = line.with("gap", brush.gap);
        }
        if !paint.lane.is_empty() {
            line = line.with(LANE.key, joint_list(document, None, &paint.lane));
        }
        if paint.give != GiveTo::Others {
            line = line.with(GIVE.key, paint.give.text(document, None));
        }
        line
    }
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
    let existing_only = args::yes(line, EXISTING.key)?.unwrap_or(false);
    let gap = args::number(line, "gap", defaults.gap, 0.0, f32::MAX)?;
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
    let joints = match together.len() {
        0 => document.nodes().label(joint),
        n => format!("{} and {n} more", document.nodes().label(joint)),
    };
    let lane = read_joints(document, home, line, LANE.key)?;
    let give = line.get(GIVE.key).map(|text| GiveTo::read(document, home, text)).transpose()?.unwrap_or_default();
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

    let label = format!("Flood {} {joints}", brush.label);
    let (mut step, mut n_meant) = (OpenStep::new(), 0);
    let (mut left, mut n_vertices_changed) = ([0; 3], 0);
    for &mesh in &scope.meshes {
        let Some(slots) = slots(editor, mesh, joint, &together) else { continue };
        let surface = editor.surface(mesh);
        let only = scope.only(editor.document(), mesh);
        let locks = editor.document().locked_slots(mesh);
        let lane = (!lane.is_empty()).then(|| slots_of_lane(editor.document(), mesh, &lane, leaves));
        let holds = Holds { locks: &locks, lane: lane.as_deref() };
        let painted: &[JointSlot] = if matches!(brush.kernel, Kernel::Weight(_)) { &slots } else { &[] };
        let terms = Terms { give: give.on(editor.document(), mesh, joint), leaves };
        let instance_idx = first_instance(editor.document(), mesh, joint).filter(|_| gap > 0.0);
        let shells = instance_idx.map(|_| surface.topology.components().0);
        let (mut n_changed, mut last) = (0, [0; 3]);
        for _ in 0..iterations {
            let (document, found) = match instance_idx {
                Some(instance_idx) => {
                    let (document, posed, bvh) = editor.searched(instance_idx, (&Pose::rest(), default_deformer()));
                    (document, Some((posed, bvh)))
                }
                None => (editor.document(), None),
            };
            let across = found.zip(shells.as_deref()).map(|((posed, bvh), shells)| Across {
                positions: &posed.group_positions,
                bvh,
                shells,
                gap,
            });
            let mut change = BrushChange {
                mesh: document.mesh(mesh),
                surface: &surface,
                brush,
                slots: &slots,
                value,
                holds,
                around: Around { existing_only, terms, across, ..Around::default() },
            };
            let allowance = Allowance::of(document, mesh).within(only.as_ref());
            let mean = (brush.needs == Needs::Mean).then(|| mean_of_all(&change, &allowance)).flatten();
            change.around.mean = mean.as_ref();
            let mut vertices = document.mesh(mesh).weights.vertices();
            n_meant += usize::from(n_meant == 0 && vertices.any(|vertex| allowance.allows(vertex)));
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
    let is_hindered = !outcome.notes.is_empty();
    outcome.explain_nothing(is_hindered, || match scope.no_vertex(editor.document()) {
        _ if strength <= 0.0 => "the strength is 0".to_owned(),
        who if n_meant == 0 => format!("{who} is there"),
        _ => brush.why_nothing(&joints, value, existing_only),
    });
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

/// Which slots weight is exchanged among.
fn slots_of_lane(document: &Document, mesh: MeshIndex, lane: &[NodeIndex], leaves: bool) -> Vec<bool> {
    let mut inside = vec![false; document.n_slots(mesh)];
    let open = leaves.then_some(OPEN_SHARE);
    for slot in lane.iter().filter_map(|&joint| document.slot_of(mesh, joint)).chain(open) {
        if inside.len() <= slot.idx() {
            inside.resize(slot.idx() + 1, false);
        }
        inside[slot.idx()] = true;
    }
    inside
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
