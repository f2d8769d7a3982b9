//! Locks and the influence budget: document state that is undone like weights.

use sinew_model::{Budget, NodeIndex, joint_named};

use super::{Command, CommandError, Outcome, Param};
use crate::args::{self, ArgError};
use crate::edit::Edit;
use crate::editor::{Editor, OpenStep};
use crate::script::Line;

const JOINT: Param = Param {
    key: "joint",
    value: "NAME|all",
    default: None,
    hint: "the joint's name, its position in the skin, #N for node N, or all",
};

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
    let named = joint_named(document, editor.session.active_mesh, name);
    let joints: Vec<NodeIndex> = match named {
        Ok(joint) => vec![joint],
        Err(_) if name == "all" => document.joints().to_vec(),
        Err(error) => return Err(ArgError::from(error).into()),
    };
    let mut changing = joints.clone();
    changing.retain(|joint| document.locks().contains(joint) != locked);
    let label = match joints[..] {
        [joint] => document.nodes().label(joint),
        _ => format!("{} joints", joints.len()),
    };
    let verb = if locked { "Lock" } else { "Unlock" };
    let written = match joints[..] {
        [joint] => line_for(editor, line, joint),
        _ => line.clone(),
    };
    let mut step = OpenStep::new();
    for joint in changing {
        editor.apply(&mut step, Edit::Lock { joint, locked });
    }
    let label = format!("{verb} {label}");
    editor.commit(step, &label, written);
    Ok(Outcome::new(label, 0))
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
