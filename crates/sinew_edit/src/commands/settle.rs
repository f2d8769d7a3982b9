//! Vertices that lack weight: settling them, and the mode in which painting leaves them so.

use sinew_geometry::PointIndex;
use sinew_model::{Document, JointSlot, MeshIndex, NodeIndex, Row, StandIns, VertexIndex, joint_named};
use sinew_weights::{Holds, RowOutcome, normalize_row, unassigned_share};

use super::rows::{first_few, fit};
use super::scope::{MESH, ON, Scope};
use super::{Command, CommandError, Outcome, Param, n_vertices};
use crate::allowance::Allowance;
use crate::args::{self, ArgError};
use crate::editor::{Editor, OpenStep};
use crate::script::Line;

pub static SETTLE: Command = Command {
    name: "settle",
    label: "Settle Unweighted",
    hint: "Give vertices without weight the joints they are drawn with, or one joint; or settle what was left unassigned",
    menu: "Weights",
    params: &[
        Param {
            key: "joint",
            value: "NAME",
            default: Some("nearest"),
            hint: "this joint instead of the nearest vertex's",
        },
        Param {
            key: "unassigned",
            value: "normalize|nearest|joint",
            default: Some("none: vertices without any weight"),
            hint: "settle the shares that edits left open: scale the rest up, or give them to the nearest whole vertex's \
                   joints, or to joint=NAME",
        },
        ON,
        MESH,
    ],
    run: settle,
};

pub static UNASSIGNED: Command = Command {
    name: "unassigned",
    label: "Leave the Rest Unassigned",
    hint: "Whether painting may leave shares of vertices that no joint has; they must be settled before saving",
    menu: "Weights",
    params: &[Param {
        key: "leave",
        value: "yes|no",
        default: None,
        hint: "yes: leave them; no: normalise as you paint",
    }],
    run: |editor, line| {
        editor.session.paint.leaves_unassigned = args::yes(line, "leave")?.unwrap_or(false);
        let leaves = editor.session.paint.leaves_unassigned;
        Ok(Outcome::new(if leaves { "Painting leaves the rest unassigned" } else { "Painting normalises" }, 0))
    },
};

/// How open shares are settled.
#[derive(Clone, Copy, PartialEq)]
enum How {
    /// The row's own joints grow, in proportion.
    Normalize,
    /// The joints of the nearest whole vertex take it.
    Nearest,
    /// One joint takes it.
    Joint(NodeIndex),
}

fn settle(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let scope = Scope::of(editor, line)?;
    let written = scope.recorded(editor, line);
    let joint = match line.get("joint") {
        None | Some("nearest") => None,
        Some(name) => {
            let home = (scope.meshes.len() == 1).then(|| scope.meshes[0]);
            Some(joint_named(editor.document(), home, name).map_err(ArgError::from)?)
        }
    };
    let names = ["normalize", "nearest", "joint"];
    let how = match args::choice(line, "unassigned", &names, |name| names.iter().position(|known| *known == name))? {
        None => return Ok(settle_unweighted(editor, &scope, joint, &written)),
        Some(0) => How::Normalize,
        Some(1) => How::Nearest,
        Some(_) => {
            let (command, hint) = (line.name.clone(), "the joint that takes what is unassigned");
            How::Joint(joint.ok_or(ArgError::Missing { command, key: "joint", hint })?)
        }
    };
    if let How::Joint(joint) = how {
        editor.check_unlocked(std::iter::once(joint))?;
    }
    Ok(settle_unassigned(editor, &scope, how, &written))
}

fn settle_unweighted(editor: &mut Editor, scope: &Scope, joint: Option<NodeIndex>, written: &Line) -> Outcome {
    let mut step = OpenStep::new();
    let mut outcome = Outcome::new("Settle unweighted", 0);
    for &mesh in &scope.meshes {
        let census = editor.census(mesh);
        let document = editor.document();
        let given = joint.map(|joint| document.slot_of(mesh, joint));
        if given == Some(None) {
            continue;
        }
        let stand_ins = StandIns::of(document.mesh(mesh));
        let row_for = |vertex: VertexIndex| -> Option<Row> {
            if let Some(slot) = given.flatten() {
                return Some(Row::rigid(slot));
            }
            Some(whole(document.mesh(mesh).weights.get(stand_ins.get(vertex)?)))
        };
        let only = scope.only(document, mesh);
        let allowance = Allowance::of(document, mesh).within(only.as_ref());
        let meant: Vec<VertexIndex> =
            census.unweighted.iter().copied().filter(|&vertex| allowance.allows(vertex)).collect();
        let rows: Vec<_> = meant.iter().filter_map(|&vertex| Some((vertex, row_for(vertex)?))).collect();
        let n_left = meant.len() - rows.len();
        if n_left > 0 {
            let (name, n) = (document.mesh_label(mesh), n_vertices(n_left));
            outcome.notes.push(format!("{name}: {n} still without weight: no other vertex has any; name a joint"));
        }
        outcome.n_vertices += editor.apply_rows(&mut step, mesh, rows);
    }
    let is_hindered = !outcome.notes.is_empty();
    outcome.explain_nothing(is_hindered, || format!("{} is without weight", scope.no_vertex(editor.document())));
    editor.commit(step, "Settle unweighted", written);
    outcome
}

fn settle_unassigned(editor: &mut Editor, scope: &Scope, how: How, written: &Line) -> Outcome {
    let mut step = OpenStep::new();
    let mut outcome = Outcome::new("Settle unassigned", 0);
    for &mesh in &scope.meshes {
        let census = editor.census(mesh);
        let surface = editor.surface(mesh);
        let document = editor.document();
        let locks = document.locked_slots(mesh);
        let holds = Holds::locks(&locks);
        let only = scope.only(document, mesh);
        let allowance = Allowance::of(document, mesh).within(only.as_ref());
        let is_first = |vertex: VertexIndex| surface.representative(surface.group_of(vertex)) == vertex;
        let meant = census.unassigned.iter().copied().filter(|&vertex| allowance.allows(vertex) && is_first(vertex));
        let lenders = Lenders::of(document, mesh);
        let (mut rows, mut left) = (Vec::new(), Vec::new());
        for vertex in meant {
            let row = document.mesh(mesh).weights.get(vertex);
            let settled = match how {
                How::Normalize => match normalize_row(&row, holds) {
                    RowOutcome::Changed(row) => Some(row),
                    RowOutcome::Unweighted => lenders.row(document, vertex).and_then(|to| filled(&row, &to, holds)),
                    _ => None,
                },
                How::Nearest => lenders.row(document, vertex).and_then(|to| filled(&row, &to, holds)),
                How::Joint(joint) => {
                    document.slot_of(mesh, joint).and_then(|slot| filled(&row, &Row::rigid(slot), holds))
                }
            };
            match settled {
                Some(row) => rows.push((vertex, row)),
                None => left.push(vertex),
            }
        }
        let painted: Vec<JointSlot> = match how {
            How::Joint(joint) => document.slot_of(mesh, joint).into_iter().collect(),
            How::Normalize | How::Nearest => Vec::new(),
        };
        let name = document.mesh_label(mesh);
        let n_kept = fit(editor, mesh, &mut rows, &painted, false, holds);
        outcome.n_vertices += editor.apply_rows(&mut step, mesh, rows);
        if !left.is_empty() {
            let n = n_vertices(left.len());
            outcome
                .notes
                .push(format!("{name}: {n} still unassigned: nobody there can take it ({})", first_few(&left)));
        }
        if n_kept > 0 {
            outcome.notes.push(format!("{name}: the budget keeps {}", n_vertices(n_kept)));
        }
    }
    let is_hindered = !outcome.notes.is_empty();
    outcome.explain_nothing(is_hindered, || format!("{} has an unassigned share", scope.no_vertex(editor.document())));
    editor.commit(step, "Settle unassigned", written);
    outcome
}

/// The row with its open share given to the free joints of another, in their proportion; locked ones keep their bits.
fn filled(row: &Row, to: &Row, holds: Holds<'_>) -> Option<Row> {
    let mut takers = to.clone();
    takers.retain(|i| i.weight > 0.0 && !holds.holds(i.slot));
    let sum = takers.sum_f64();
    if sum <= 0.0 {
        return None;
    }
    let open = f64::from(unassigned_share(row));
    let mut result = row.clone();
    for i in takers.influences() {
        result.add(i.slot, (f64::from(i.weight) / sum * open) as f32);
    }
    // What rounding leaves over, the largest of them takes.
    let largest = takers.influences().iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?.slot;
    let weight = f64::from(result.weight(largest)) + (1.0 - result.sum_f64());
    result.set(largest, weight.max(0.0) as f32);
    result.check().is_ok().then_some(result)
}

fn whole(row: Row) -> Row {
    match normalize_row(&row, Holds::NONE) {
        RowOutcome::Changed(whole) => whole,
        _ => row,
    }
}

/// The vertices that nothing is missing from, by place.
struct Lenders {
    mesh: MeshIndex,
    index: PointIndex,
}

impl Lenders {
    fn of(document: &Document, mesh: MeshIndex) -> Self {
        let m = document.mesh(mesh);
        let is_whole =
            |&vertex: &VertexIndex| m.is_paintable(vertex) && unassigned_share(&m.weights.get(vertex)) == 0.0;
        let points = m.weights.vertices().filter(is_whole).map(|vertex| (vertex.0, m.positions[vertex.idx()]));
        Self { mesh, index: PointIndex::from_points(points) }
    }

    /// The row of the nearest one.
    fn row(&self, document: &Document, vertex: VertexIndex) -> Option<Row> {
        let mesh = document.mesh(self.mesh);
        let lender = self.index.nearest(mesh.positions[vertex.idx()])?;
        Some(whole(mesh.weights.get(VertexIndex(lender))))
    }
}
