//! Everything that can be done by a line of text: menus, palette, keymap, scripts and tests use this one list.
//!
//! To add a command: write a `pub static` in its group's file and name it in [`COMMANDS`].

use std::collections::BTreeMap;

use sinew_model::{Document, NodeIndex, shown_name};

use crate::args::ArgError;
use crate::editor::Editor;
use crate::give::GiveTo;
use crate::history::HistoryError;
use crate::script::Line;
use crate::stroke::{Exchange, Refusal, StrokeResult};

mod flood;
mod gradient;
mod history;
mod locks;
mod mask_stroke;
mod masks;
mod meshes;
mod paint;
mod rows;
mod scope;
mod selection;
mod selection_mirror;
mod settle;
mod symmetry;
mod view;
mod visibility;

pub use mask_stroke::MaskStroke;

/// Every command, in the order in which help lists them.
pub static COMMANDS: &[&Command] = &[
    &paint::STROKE,
    &gradient::GRADIENT,
    &flood::FLOOD,
    &rows::SET,
    &rows::NORMALIZE,
    &rows::LIMIT,
    &rows::SMOOTH,
    &rows::PRUNE,
    &settle::SETTLE,
    &settle::UNASSIGNED,
    &symmetry::MIRROR,
    &selection::SELECT,
    &selection::SELECT_ALL,
    &selection::SELECT_NONE,
    &selection::SELECT_UNWEIGHTED,
    &selection::SELECT_LINKED,
    &selection::GROW,
    &selection::SHRINK,
    &selection::INVERT,
    &selection_mirror::SELECT_MIRROR,
    &masks::MASK,
    &mask_stroke::MASK_STROKE,
    &masks::CLEAR_MASK,
    &masks::INVERT_MASK,
    &visibility::HIDE,
    &visibility::ISOLATE,
    &visibility::REVEAL,
    &locks::LOCK,
    &locks::UNLOCK,
    &locks::LOCK_PAINTED,
    &locks::BUDGET,
    &symmetry::PAIR,
    &symmetry::UNPAIR,
    &symmetry::PAIRS,
    &meshes::MAKE_UNIQUE,
    &history::UNDO,
    &history::REDO,
    &view::MESH,
    &view::JOINT,
    &view::POSE,
    &view::RESET_POSE,
    &view::DEFORM,
    &view::VIEW_AS,
    &view::SCENE,
    &view::SHOW_MESH,
];

/// A command: what it is called, what it takes, what it does.
pub struct Command {
    /// The name in scripts.
    pub name: &'static str,
    /// The name on screen.
    pub label: &'static str,
    /// What it does, one line.
    pub hint: &'static str,
    /// Which menu it stands in.
    pub menu: &'static str,
    /// What it takes.
    pub params: &'static [Param],
    /// Does it. Nothing may have changed when it returns an error.
    pub run: fn(&mut Editor, &Line) -> Result<Outcome, CommandError>,
}

/// A parameter of a command.
pub struct Param {
    /// The key.
    pub key: &'static str,
    /// What may stand there, for help: `NAME`, `0..1`, `a|b`.
    pub value: &'static str,
    /// What holds without it; `None` if it must be given.
    pub default: Option<&'static str>,
    /// What it is.
    pub hint: &'static str,
}

/// What a command did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// One line for a person.
    pub message: String,
    /// How many vertices got another row.
    pub n_vertices: usize,
    /// What was left alone and why, one line each.
    pub notes: Vec<String>,
    /// Whether there was nothing to change: the message says why.
    pub is_idle: bool,
}

/// Why a command was not done. Nothing changed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum CommandError {
    /// A parameter cannot be used.
    #[error(transparent)]
    Arg(#[from] ArgError),
    /// Undo or redo found nothing.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The file has nothing to paint.
    #[error("nothing to edit: no mesh of this file has weights under a skin")]
    NothingSkinned,
    /// Several meshes could be meant.
    #[error("{n} skinned meshes have this joint; name one with mesh=NAME (there is {names})")]
    WhichMesh {
        /// How many.
        n: usize,
        /// Their names.
        names: String,
    },
    /// The joint to paint is locked.
    #[error("joint \"{}\" is locked; unlock it to paint it", shown_name(joint))]
    JointLocked {
        /// The joint.
        joint: String,
    },
    /// The mesh cannot be painted.
    #[error("mesh \"{}\" cannot be painted: {reason}", shown_name(mesh))]
    NotPaintable {
        /// The mesh.
        mesh: String,
        /// Why.
        reason: &'static str,
    },
    /// What the pointer meets has no weights: it hangs from a joint as it is.
    #[error("the rigid part {}{} has no weights to paint. View > Rigid Parts hides such parts", shown_name(part), hangs_from(joint.as_deref()))]
    RigidPart {
        /// The part.
        part: String,
        /// The joint that it hangs from.
        joint: Option<String>,
    },
    /// The node is the only one to show its mesh.
    #[error("node \"{node}\" is the only one to show mesh \"{mesh}\": it is unique already")]
    MeshNotShared {
        /// The node.
        node: String,
        /// Its mesh.
        mesh: String,
    },
    /// Nothing is selected.
    #[error("nothing is selected: select vertices first")]
    NothingSelected,
    /// No joint is active.
    #[error("no joint is active: pick one first")]
    NoActiveJoint,
    /// A stroke has begun and not ended.
    #[error("a stroke is under way: end it first")]
    StrokeUnderWay,
}

/// The command with that name.
pub fn command_named(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().copied().find(|command| command.name == name)
}

impl Command {
    /// Refuses parameters that the command does not have and asks for those it needs.
    pub fn check_params(&self, line: &Line) -> Result<(), ArgError> {
        for (key, _) in &line.params {
            if !self.params.iter().any(|param| param.key == key) {
                let known: Vec<&str> = self.params.iter().map(|param| param.key).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(ArgError::Unknown { command: line.name.clone(), key: key.clone(), known });
            }
        }
        for param in self.params.iter().filter(|param| param.default.is_none()) {
            crate::args::required(line, param.key, param.hint)?;
        }
        Ok(())
    }

    /// The command as one line of help: `name key=VALUE [key=VALUE] …`.
    pub fn usage(&self) -> String {
        let params = self.params.iter().map(|param| match param.default {
            None => format!(" {}={}", param.key, param.value),
            Some(_) => format!(" [{}={}]", param.key, param.value),
        });
        std::iter::once(self.name.to_owned()).chain(params).collect()
    }
}

impl Outcome {
    /// What was done to how many vertices.
    pub fn new(message: impl Into<String>, n_vertices: usize) -> Self {
        Self { message: message.into(), n_vertices, ..Self::default() }
    }

    /// Says why nothing changed, if nothing did. If something was in the way, the notes say what.
    pub(crate) fn explain_nothing(&mut self, is_hindered: bool, why: impl FnOnce() -> String) {
        if self.n_vertices > 0 {
            return;
        }
        self.is_idle = true;
        self.message = if is_hindered { "Nothing changed".to_owned() } else { format!("Nothing to change: {}", why()) };
    }

    /// Adds a note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says that a painted joint which is to take what is removed did not take its own.
    pub(crate) fn note_own_taker(
        &mut self,
        document: &Document,
        (give, painted): (GiveTo, &[NodeIndex]),
        exchange: &[Exchange],
    ) {
        let GiveTo::Joint(taker) = give else { return };
        let has_given = |exchange: &Exchange| exchange.joint == taker && exchange.given > 0.0;
        if painted.contains(&taker) && exchange.iter().any(has_given) {
            let name = document.nodes().label(taker);
            self.notes.push(format!("{name} cannot take what it gives up itself: the others did"));
        }
    }

    /// Says which vertices a stroke left alone and why.
    pub fn note_refusals(&mut self, document: &Document, result: &StrokeResult) {
        let count = |refusal: Refusal| {
            result.refused.values().flat_map(BTreeMap::values).filter(|&&why| why == refusal).count()
        };
        let (alone, blocked, budget) = (count(Refusal::NoOtherJoint), count(Refusal::Blocked), count(Refusal::Budget));
        if alone > 0 {
            self.notes.push(format!("no other joint on {}", n_vertices(alone)));
        }
        if blocked > 0 {
            let names: Vec<String> = result.blocking.iter().map(|&joint| document.nodes().label(joint)).collect();
            // A joint that is not in the lane is held like a locked one.
            let n_locked = result.blocking.iter().filter(|joint| document.locks().contains(joint)).count();
            let by = match n_locked {
                0 if !names.is_empty() => "the lane",
                n if n == names.len() => "locks",
                _ => "locks and the lane",
            };
            self.notes.push(format!("{} blocked by {by}: {}", n_vertices(blocked), names.join(", ")));
        }
        if budget > 0 {
            self.notes.push(format!("{} kept by the budget of {} influences", n_vertices(budget), document.budget()));
        }
    }
}

fn hangs_from(joint: Option<&str>) -> String {
    joint.map(|joint| format!(" of the joint {}", shown_name(joint))).unwrap_or_default()
}

/// `1 vertex`, `12 vertices`.
pub fn n_vertices(n: usize) -> String {
    if n == 1 { "1 vertex".to_owned() } else { format!("{n} vertices") }
}
