//! Locks and the influence budget: document state that is undone like weights.

use std::collections::BTreeSet;

use sinew_model::lookup::mesh_named;
use sinew_model::{Budget, NodeIndex, joint_named};

use super::{Command, CommandError, Outcome, Param};
use crate::args::{self, ArgError};
use crate::edit::Edit;
use crate::editor::{Editor, OpenStep};
use crate::script::Line;
use crate::stroke::joint_list;

const JOINT: Param = Param {
    key: "joint",
    value: "NAME|A,B|all",
    default: None,
    hint: "the joint's name, its position in the skin, #N for node N; several, or all",
};
/// The commands that paint a joint, and the parameters that name what is painted.
const PAINTS: [&str; 4] = ["stroke", "gradient", "flood", "set"];
const PAINTED: [&str; 2] = ["joint", "with"];

pub static LOCK: Command = Command {
    name: "lock",
    label: "Lock Joint",
    hint: "Keep a joint's weights from changing, to the bit; or those of all joints but it",
    menu: "Joints",
    params: &[
        JOINT,
        Param { key: "others", value: "yes|no", default: Some("no"), hint: "unlock this joint and lock all others" },
        Param {
            key: "invert",
            value: "yes|no",
            default: Some("no"),
            hint: "lock it if it is unlocked, else unlock it",
        },
    ],
    run: lock,
};

pub static UNLOCK: Command = Command {
    name: "unlock",
    label: "Unlock Joint",
    hint: "Let a joint's weights change again",
    menu: "Joints",
    params: &[JOINT],
    run: |editor, line| set_locks(editor, line, false),
};

pub static LOCK_PAINTED: Command = Command {
    name: "lock_painted",
    label: "Lock Painted",
    hint: "Lock every joint that was painted since opening, but the active one",
    menu: "Joints",
    params: &[],
    run: |editor, _| lock_painted(editor),
};

pub static BUDGET: Command = Command {
    name: "budget",
    label: "Influence Budget",
    hint: "Set how many joints may share a vertex after an edit",
    menu: "Weights",
    params: &[Param { key: "influences", value: "N|unlimited", default: None, hint: "how many, or unlimited" }],
    run: set_budget,
};

fn lock(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let yes_no = |word: &str| match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let is_yes = |key| args::choice(line, key, &["yes", "no"], yes_no).map(|given| given == Some(true));
    match (is_yes("others")?, is_yes("invert")?) {
        (false, false) => set_locks(editor, line, true),
        (true, false) => lock_others(editor, line),
        (false, true) => invert_locks(editor, line),
        (true, true) => {
            let (key, expected) = ("invert".to_owned(), "no, where others=yes is given".to_owned());
            Err(ArgError::Bad { key, expected, found: "yes".to_owned() }.into())
        }
    }
}

/// Locks what is unlocked and the other way round, in one step.
fn invert_locks(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let name = args::required(line, "joint", JOINT.hint)?;
    let document = editor.document();
    let (joints, label, written) = match joint_named(document, editor.session.active_mesh, name) {
        Ok(joint) => {
            let label = format!("Invert Lock of {}", document.nodes().label(joint));
            (vec![joint], label, line_for(editor, line, joint).with("invert", "yes"))
        }
        Err(_) if name == "all" => (document.joints().to_vec(), "Invert Locks".to_owned(), line.clone()),
        Err(error) => return Err(ArgError::from(error).into()),
    };
    let mut step = OpenStep::new();
    for joint in joints {
        let locked = !editor.document().locks().contains(&joint);
        editor.apply(&mut step, Edit::Lock { joint, locked });
    }
    let n_locked = editor.document().locks().len();
    editor.commit(step, &label, written);
    Ok(Outcome::new(format!("{label}: {n_locked} locked"), 0))
}

fn set_locks(editor: &mut Editor, line: &Line, locked: bool) -> Result<Outcome, CommandError> {
    let name = args::required(line, "joint", JOINT.hint)?;
    let document = editor.document();
    let joints = named_joints(editor, name)?;
    let mut changing = joints.clone();
    changing.retain(|joint| document.locks().contains(joint) != locked);
    let label = match joints[..] {
        [joint] => document.nodes().label(joint),
        _ => format!("{} joints", joints.len()),
    };
    let verb = if locked { "Lock" } else { "Unlock" };
    let written = match joints[..] {
        [joint] => line_for(editor, line, joint),
        _ if name == "all" => line.clone(),
        _ => Line::new(&line.name).with("joint", joint_list(document, None, &joints)),
    };
    let mut step = OpenStep::new();
    for joint in changing {
        editor.apply(&mut step, Edit::Lock { joint, locked });
    }
    let label = format!("{verb} {label}");
    editor.commit(step, &label, written);
    Ok(Outcome::new(label, 0))
}

/// The joints that a text names: one, several, or all.
fn named_joints(editor: &Editor, text: &str) -> Result<Vec<NodeIndex>, ArgError> {
    let (document, mesh) = (editor.document(), editor.session.active_mesh);
    match joint_named(document, mesh, text) {
        Ok(joint) => Ok(vec![joint]),
        Err(_) if text == "all" => Ok(document.joints().to_vec()),
        Err(_) if text.contains(',') => {
            let mut joints =
                text.split(',').map(|name| joint_named(document, mesh, name)).collect::<Result<Vec<_>, _>>()?;
            joints.sort_unstable();
            joints.dedup();
            Ok(joints)
        }
        Err(error) => Err(error.into()),
    }
}

/// Locks what the history's done steps painted, but the active joint: that is being painted. The step names the joints, so
/// that it means the same whatever a replay has done before.
fn lock_painted(editor: &mut Editor) -> Result<Outcome, CommandError> {
    let document = editor.document();
    let mut painted = BTreeSet::new();
    for entry in editor.history().entries().filter(|entry| entry.is_done) {
        let Ok(Some(line)) = Line::parse(entry.line) else { continue };
        if PAINTS.contains(&line.name.as_str()) {
            let mesh = line.get("mesh").and_then(|name| mesh_named(document, name).ok());
            let names = PAINTED.iter().filter_map(|key| line.get(key)).flat_map(|text| text.split(','));
            painted.extend(names.filter_map(|name| joint_named(document, mesh, name).ok()));
        }
    }
    let active = editor.session.active_joint;
    painted.retain(|joint| Some(*joint) != active && !document.locks().contains(joint));
    if painted.is_empty() {
        let note = "no other unlocked joint was painted";
        return Ok(Outcome::new("Nothing was locked", 0).with_note(note));
    }
    let joints: Vec<NodeIndex> = painted.into_iter().collect();
    let line = Line::new(LOCK.name).with("joint", joint_list(document, None, &joints));
    set_locks(editor, &line, true)
}

/// Locks every joint but the named one, in one step.
fn lock_others(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let name = args::required(line, "joint", JOINT.hint)?;
    let document = editor.document();
    let free = joint_named(document, editor.session.active_mesh, name).map_err(ArgError::from)?;
    let wanted = |joint: NodeIndex| joint != free;
    let changing: Vec<NodeIndex> =
        document.joints().iter().copied().filter(|&joint| document.locks().contains(&joint) != wanted(joint)).collect();
    let label = format!("Lock all but {}", document.nodes().label(free));
    let written = line_for(editor, line, free).with("others", "yes");
    let mut step = OpenStep::new();
    for joint in changing {
        editor.apply(&mut step, Edit::Lock { joint, locked: wanted(joint) });
    }
    editor.commit(step, &label, written);
    Ok(Outcome::new(label, 0))
}

/// The line with a joint name that means the same joint whatever mesh is active.
fn line_for(editor: &Editor, line: &Line, joint: NodeIndex) -> Line {
    Line::new(&line.name).with("joint", args::joint_name(editor.document(), None, joint))
}

fn set_budget(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let budget = match line.get("influences") {
        Some("unlimited") => Budget::Unlimited,
        _ => Budget::Influences(args::integer(line, "influences", 4, 1, 255)? as u8),
    };
    let mut step = OpenStep::new();
    if budget != editor.document().budget() {
        editor.apply(&mut step, Edit::Budget(budget));
    }
    editor.commit(step, format!("Budget {budget}"), line);
    Ok(Outcome::new(format!("Budget: {budget} influences a vertex"), 0))
}
