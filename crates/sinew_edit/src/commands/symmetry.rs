//! Mirroring weights from one side to the other, and the table of joint pairs.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use sinew_model::{
    Document, JointPairs, JointSlot, MeshIndex, NodeIndex, Row, RowRef, VertexIndex, VertexSet, joint_named,
};
use sinew_weights::{Change, Holds, blend_row, mean_of_rows, set_weight};

use super::rows::{first_few, fit};
use super::scope::{MESH, ON, Scope};
use super::{Command, CommandError, Outcome, Param, n_vertices};
use crate::allowance::Allowance;
use crate::args::{self, ArgError};
use crate::edit::Edit;
use crate::editor::{Editor, OpenStep};
use crate::script::Line;
use crate::surface::MeshSurface;
use crate::symmetry::{PairedBy, SlotMirror, Symmetry, SymmetrySettings};

pub static MIRROR: Command = Command {
    name: "mirror",
    label: "Mirror Weights",
    hint: "Copy the weights of one side to the other, joints swapped with their pairs",
    menu: "Weights",
    params: &[
        Param { key: "from", value: "+x|-x|+y|-y|+z|-z", default: Some("+x"), hint: "the side that is copied" },
        Param { key: "joint", value: "NAME|all", default: Some("all"), hint: "only this joint and its pair" },
        AT,
        TOLERANCE,
        ON,
        MESH,
    ],
    run: mirror,
};

pub static PAIR: Command = Command {
    name: "pair",
    label: "Pair Joints",
    hint: "Make two joints each other's mirror image; a joint paired with itself stands on the plane",
    menu: "Joints",
    params: &[
        Param { key: "a", value: "NAME", default: None, hint: "a joint" },
        Param { key: "b", value: "NAME", default: None, hint: "its mirror image" },
    ],
    run: pair,
};

pub static UNPAIR: Command = Command {
    name: "unpair",
    label: "Unpair Joint",
    hint: "Find a joint's mirror image by name and place again",
    menu: "Joints",
    params: &[Param { key: "joint", value: "NAME|all", default: None, hint: "the joint, or all paired by hand" }],
    run: unpair,
};

pub static PAIRS: Command = Command {
    name: "pairs",
    label: "Joint Pairs",
    hint: "List which joints are each other's mirror image, and how that was found",
    menu: "Joints",
    params: &[
        Param { key: "axis", value: "x|y|z", default: Some("x"), hint: "the axis the plane stands across" },
        AT,
        TOLERANCE,
    ],
    run: pairs,
};

pub(super) const AT: Param = Param {
    key: "at",
    value: "X",
    default: Some("the middle of paired joints"),
    hint: "where the plane cuts the axis, scene units",
};
pub(super) const TOLERANCE: Param = Param {
    key: "tolerance",
    value: "R",
    default: Some("a thousandth of the size"),
    hint: "how far a vertex may be from its twin's mirror image",
};
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// What is mirrored, and everything it depends on.
struct Mirror {
    symmetry: Arc<Symmetry>,
    surfaces: BTreeMap<MeshIndex, Arc<MeshSurface>>,
    /// Whether the positive side is copied.
    from_positive: bool,
    /// The one joint that is copied with its pair; `None` for all.
    joint: Option<NodeIndex>,
    scope: Scope,
}

/// What became of one mesh.
#[derive(Default)]
struct Mirrored {
    rows: Vec<(VertexIndex, Row)>,
    n_alone: usize,
    n_blocked: usize,
}

fn mirror(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    const FROM: [&str; 6] = ["+x", "-x", "+y", "-y", "+z", "-z"];
    let from = args::choice(line, "from", &FROM, |word| FROM.iter().position(|known| *known == word))?.unwrap_or(0);
    let settings = settings(line, from / 2)?;
    let scope = Scope::of(editor, line)?;
    let document = editor.document();
    let joint = match line.get("joint") {
        None | Some("all") => None,
        Some(name) => {
            let home = (scope.meshes.len() == 1).then(|| scope.meshes[0]);
            Some(joint_named(document, home, name).map_err(ArgError::from)?)
        }
    };
    let mut written = scope.recorded(editor, line);
    if let Some(joint) = joint {
        let name = args::joint_name(document, None, joint);
        written.params.iter_mut().filter(|(key, _)| key == "joint").for_each(|(_, value)| value.clone_from(&name));
    }
    let label = match joint {
        None => format!("Mirror from {}", FROM[from]),
        Some(joint) => format!("Mirror {} from {}", document.nodes().label(joint), FROM[from]),
    };
    let (symmetry, surfaces) = (editor.symmetry(settings), editor.skinned_surfaces());
    let mirror = Mirror { symmetry, surfaces, from_positive: from % 2 == 0, joint, scope };

    let mut step = OpenStep::new();
    let (mut outcome, mut is_hindered) = (Outcome::new(&label, 0), false);
    let meshes: Vec<MeshIndex> = mirror.surfaces.keys().copied().collect();
    // All from the rows as they were: a mesh may be the other's source and the other way round.
    let mut all = Vec::with_capacity(meshes.len());
    for mesh in meshes {
        let locks = editor.document().locked_slots(mesh);
        let mut mirrored = mirror.mesh(editor.document(), mesh, &locks);
        let n_budget = fit(editor, mesh, &mut mirrored.rows, &[], false, Holds::locks(&locks));
        all.push((mesh, mirrored, n_budget));
    }
    for (mesh, mirrored, n_budget) in all {
        let name = editor.document().mesh_label(mesh);
        let left = [
            (mirrored.n_blocked, "locks block"),
            (n_budget, "the budget keeps"),
            (mirrored.n_alone, "no other joint on"),
        ];
        for (n, why) in left.into_iter().filter(|&(n, _)| n > 0) {
            outcome.notes.push(format!("{name}: {why} {}", n_vertices(n)));
            is_hindered = true;
        }
        if mirror.scope.meshes.contains(&mesh) {
            mirror.note_unmatched(editor.document(), mesh, &name, &mut outcome);
        }
        outcome.n_vertices += editor.apply_rows(&mut step, mesh, mirrored.rows);
    }
    outcome.explain_nothing(is_hindered, || "every vertex with a twin is its mirror image already".to_owned());
    editor.commit(step, label, written);
    Ok(outcome)
}

impl Mirror {
    /// The new rows of a mesh's groups on the receiving side and on the plane.
    fn mesh(&self, document: &Document, mesh: MeshIndex, locks: &[bool]) -> Mirrored {
        let surface = &self.surfaces[&mesh];
        let slots: BTreeMap<MeshIndex, SlotMirror> =
            self.surfaces.keys().map(|&other| (other, self.symmetry.slots(document, other, mesh))).collect();
        let allowance = Allowance::of(document, mesh);
        let one = |group: u32| -> Option<(VertexIndex, Change)> {
            let (other, twin) = self.symmetry.twin(mesh, group)?;
            let vertex = surface.representative(group);
            let source = self.surfaces[&other].representative(twin);
            let is_meant = self.is_meant(document, (mesh, vertex), (other, source));
            let amount = allowance.at(vertex);
            if !is_meant || amount <= 0.0 || !document.mesh(mesh).is_paintable(vertex) {
                return None;
            }
            let is_centre = (other, twin) == (mesh, group);
            if !is_centre && !self.receives((mesh, group), (other, twin)) {
                return None;
            }
            let row = document.mesh(mesh).weights.get(vertex);
            let image = slots[&other].row(&document.mesh(other).weights.get(source))?;
            let target = if is_centre {
                mean_of_rows([&row, &image].map(|row| (RowRef::Long(row.influences()), 1.0)))
            } else {
                image
            };
            let neighbours = || {
                let groups = surface.topology.neighbours(group).iter();
                mean_of_rows(groups.map(|&g| (document.mesh(mesh).weights.row(surface.representative(g)), 1.0)))
            };
            let change = match self.joint {
                None => blend_row(&row, &target, amount, Holds::locks(locks)),
                Some(joint) => {
                    let pair = [self.symmetry.joint_twin(joint), joint];
                    let slots = pair.map(|joint| document.slot_of(mesh, joint));
                    set_both(&row, &target, slots, amount, locks, neighbours)
                }
            };
            Some((vertex, change))
        };
        let changes: Vec<(VertexIndex, Change)> = (0..surface.weld.n_groups() as u32)
            .into_par_iter()
            .with_min_len(1024)
            .filter_map(one)
            .filter(|(_, change)| *change != Change::Unchanged)
            .collect();
        let mut mirrored = Mirrored::default();
        for (vertex, change) in changes {
            match change {
                Change::Changed(row) => mirrored.rows.push((vertex, row)),
                Change::Unchanged => {}
                Change::NoOtherJoint => mirrored.n_alone += 1,
                Change::Blocked { .. } => mirrored.n_blocked += 1,
            }
        }
        mirrored
    }

    /// Whether a pair is one of those that the line is about: either of it is on a mesh, and selected, that it names.
    fn is_meant(&self, document: &Document, a: (MeshIndex, VertexIndex), b: (MeshIndex, VertexIndex)) -> bool {
        [a, b].into_iter().any(|(mesh, vertex)| {
            self.scope.meshes.contains(&mesh) && (!self.scope.on_selection || document.selection(mesh).contains(vertex))
        })
    }

    /// Whether a group is the one of its pair that is written.
    fn receives(&self, own: (MeshIndex, u32), other: (MeshIndex, u32)) -> bool {
        let distance = |(mesh, group): (MeshIndex, u32)| self.symmetry.distance(mesh, group);
        let (here, there) = (distance(own), distance(other));
        if here == there { own > other } else { (here < there) == self.from_positive }
    }

    fn note_unmatched(&self, document: &Document, mesh: MeshIndex, name: &str, outcome: &mut Outcome) {
        let surface = &self.surfaces[&mesh];
        let unmatched: VertexSet =
            self.symmetry.unmatched(mesh).into_iter().flat_map(|group| surface.members(group)).collect();
        let paintable: Vec<VertexIndex> =
            unmatched.iter().filter(|&vertex| document.mesh(mesh).is_paintable(vertex)).collect();
        if !paintable.is_empty() {
            let n = n_vertices(paintable.len());
            outcome.notes.push(format!("{name}: {n} without a mirror image ({})", first_few(&paintable)));
        }
    }
}

/// Brings the weights of a pair of joints to those in `target`; the others of the row make room in proportion.
fn set_both(
    row: &Row,
    target: &Row,
    slots: [Option<JointSlot>; 2],
    amount: f32,
    locks: &[bool],
    neighbours: impl Fn() -> Row,
) -> Change {
    let mut locks = locks.to_vec();
    let mut now = row.clone();
    let mut blocked = None;
    let second = slots[1].filter(|slot| slots[0] != Some(*slot));
    for slot in [slots[0], second].into_iter().flatten() {
        let (from, to) = (row.weight(slot), target.weight(slot));
        let goal = if amount >= 1.0 { to } else { from + (to - from) * amount };
        match set_weight(&now, slot, goal, Holds::locks(&locks), &neighbours) {
            Change::Changed(changed) => now = changed,
            Change::Unchanged => {}
            // The other of the two can still be right.
            refused => blocked = Some(refused),
        }
        // What one of them has now the other must not take away.
        if locks.len() <= slot.idx() {
            locks.resize(slot.idx() + 1, false);
        }
        locks[slot.idx()] = true;
    }
    match blocked {
        _ if !now.same_influences(row) => Change::Changed(now),
        Some(refused) => refused,
        None => Change::Unchanged,
    }
}

/// What a line says about the plane across an axis.
pub(super) fn settings(line: &Line, axis: usize) -> Result<SymmetrySettings, ArgError> {
    let number = |key, min| line.get(key).map(|_| args::number(line, key, 0.0, min, f32::MAX)).transpose();
    Ok(SymmetrySettings { axis, at: number("at", f32::MIN)?, tolerance: number("tolerance", 0.0)? })
}

fn pair(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let joint = |key| -> Result<NodeIndex, CommandError> {
        let name = args::required(line, key, "a joint")?;
        Ok(joint_named(editor.document(), editor.session.active_mesh, name).map_err(ArgError::from)?)
    };
    let (a, b) = (joint("a")?, joint("b")?);
    let document = editor.document();
    let name = |joint| args::joint_name(document, None, joint);
    let written = Line::new(&line.name).with("a", name(a)).with("b", name(b));
    let label = |joint| document.nodes().label(joint);
    let label =
        if a == b { format!("Pair {} with itself", label(a)) } else { format!("Pair {} and {}", label(a), label(b)) };
    let mut pairs = document.joint_pairs().clone();
    pairs.pair(a, b);
    Ok(set_pairs(editor, pairs, label, written))
}

fn unpair(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let name = args::required(line, "joint", "the joint, or all")?;
    let document = editor.document();
    let (pairs, label, written) = match joint_named(document, editor.session.active_mesh, name) {
        Ok(joint) => {
            let mut pairs = document.joint_pairs().clone();
            pairs.unpair(joint);
            let written = Line::new(&line.name).with("joint", args::joint_name(document, None, joint));
            (pairs, format!("Unpair {}", document.nodes().label(joint)), written)
        }
        Err(_) if name == "all" => (JointPairs::NONE, "Unpair all joints".to_owned(), line.clone()),
        Err(error) => return Err(ArgError::from(error).into()),
    };
    Ok(set_pairs(editor, pairs, label, written))
}

fn set_pairs(editor: &mut Editor, pairs: JointPairs, label: String, written: Line) -> Outcome {
    let mut step = OpenStep::new();
    if pairs != *editor.document().joint_pairs() {
        editor.apply(&mut step, Edit::Pairs(pairs));
    }
    editor.commit(step, &label, written);
    Outcome::new(label, 0)
}

fn pairs(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let axis = args::choice(line, "axis", &AXES, |word| AXES.iter().position(|known| *known == word))?.unwrap_or(0);
    let symmetry = editor.symmetry(settings(line, axis)?);
    let document = editor.document();
    let label = |joint| document.nodes().label(joint);
    let (mut notes, mut n_pairs, mut alone) = (Vec::new(), 0, Vec::new());
    for pair in symmetry.joint_pairs() {
        match pair.by {
            PairedBy::Nobody => alone.push(label(pair.joint)),
            by if pair.joint < pair.twin => {
                n_pairs += 1;
                notes.push(format!("{} and {} ({})", label(pair.joint), label(pair.twin), by.label()));
            }
            by if pair.joint == pair.twin => notes.push(format!("{} is its own ({})", label(pair.joint), by.label())),
            _ => {}
        }
    }
    if !alone.is_empty() {
        notes.push(format!("without a pair: {}", alone.join(", ")));
    }
    let at = symmetry.plane().at;
    let message = format!("{n_pairs} pairs across {} = {at}, {} joints without", AXES[axis], alone.len());
    Ok(Outcome { message, notes, ..Outcome::default() })
}
