//! What would be lost with a journal, found without doing its lines: not every step is work.

use std::collections::BTreeSet;

use super::{Journal, REDO_LINE, SavedMark, UNDO_LINE};
use crate::script::Line;

/// Commands whose steps leave nothing to save.
const KEEPS_NOTHING: [&str; 12] = [
    "select",
    "select_all",
    "select_none",
    "select_unweighted",
    "select_linked",
    "select_mirror",
    "invert_selection",
    "grow",
    "shrink",
    "hide",
    "isolate",
    "reveal",
];
/// Commands that lock and unlock joints.
const LOCKS: [&str; 2] = ["lock", "unlock"];

/// What would be lost with a journal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Loss {
    /// Nothing that a save would write: what was selected or hidden, locks that were set and taken away again.
    Nothing,
    /// Which joints are locked.
    Locks,
    /// Weights, or what else takes work.
    Work,
}

impl Journal<'_> {
    /// What would be lost with it, without doing its lines.
    pub fn loss(&self) -> Loss {
        let (mut done, mut undone, mut saved) = (Vec::new(), Vec::new(), Vec::new());
        for &text in &self.lines {
            match text {
                UNDO_LINE => undone.extend(done.pop()),
                REDO_LINE => done.extend(undone.pop()),
                _ if SavedMark::parse(text).is_some() => saved.clone_from(&done),
                _ => {
                    undone.clear();
                    done.push(text);
                }
            }
        }
        let n_same = saved.iter().zip(&done).take_while(|(a, b)| a == b).count();
        let differing = saved[n_same..].iter().chain(&done[n_same..]);
        let lines: Option<Vec<Line>> = differing.map(|text| Line::parse(text).ok().flatten()).collect();
        let Some(lines) = lines else { return Loss::Work };
        let is_lock = |line: &Line| LOCKS.contains(&line.name.as_str());
        match () {
            () if lines.iter().any(|line| !is_lock(line) && !KEEPS_NOTHING.contains(&line.name.as_str())) => Loss::Work,
            () if !lines.iter().any(is_lock) => Loss::Nothing,
            // Which joints were locked before is known by number, and lines have names.
            () if !self.header.given.locks.is_empty() => Loss::Locks,
            () => match (Locked::after(&saved), Locked::after(&done)) {
                (Some(before), Some(after)) if before == after => Loss::Nothing,
                _ => Loss::Locks,
            },
        }
    }
}

/// Which joints lines lock, by the names in them, where none was locked before.
#[derive(PartialEq, Default)]
struct Locked {
    /// Whether all are but those named.
    all: bool,
    but: BTreeSet<String>,
}

impl Locked {
    /// What lines come to; `None` where the names alone do not say.
    fn after(lines: &[&str]) -> Option<Self> {
        let mut locked = Self::default();
        for text in lines {
            let line = Line::parse(text).ok().flatten()?;
            if !LOCKS.contains(&line.name.as_str()) {
                continue;
            }
            let (is_lock, joint) = (line.name == LOCKS[0], line.get("joint")?);
            match (line.get("others"), line.get("invert"), joint) {
                (None | Some("no"), None | Some("no"), "all") => locked = Self { all: is_lock, but: BTreeSet::new() },
                (None | Some("no"), None | Some("no"), joints) => {
                    for joint in joints.split(',') {
                        if is_lock == locked.all {
                            locked.but.remove(joint)
                        } else {
                            locked.but.insert(joint.to_owned())
                        };
                    }
                }
                (Some("yes"), _, joint) => locked = Self { all: true, but: BTreeSet::from([joint.to_owned()]) },
                _ => return None,
            }
        }
        Some(locked)
    }
}

#[cfg(test)]
mod tests {
    use sinew_model::NodeIndex;

    use super::*;
    use crate::journal::{Given, JournalHeader};

    #[test]
    fn what_would_be_lost_is_told_from_what_would_not() {
        let loss = |lines: &[&str], locks: &[NodeIndex]| {
            let mark = SavedMark { model: "a.glb".to_owned(), n_bytes: 9, modified_ns: None }.line();
            let lines = lines.iter().map(|&line| if line == "saved" { &*mark } else { line }).collect();
            let given = Given { locks: locks.to_vec(), ..Given::default() };
            Journal { header: JournalHeader { model: String::new(), n_bytes: 0, hash: String::new(), given }, lines }
                .loss()
        };
        for lines in [
            &["select_all", "grow steps=2", "hide"][..],
            &["lock joint=A", "unlock joint=A"],
            &["lock joint=A,B", "unlock joint=B", "unlock joint=A"],
            &["lock joint=A others=yes", "unlock joint=all"],
            &["smooth", "undo"],
            &["smooth", "saved", "select_none"],
            &["lock joint=A", "saved", "unlock joint=A", "select_all", "lock joint=A"],
            &["smooth", "saved", "undo", "redo"],
        ] {
            assert_eq!(loss(lines, &[]), Loss::Nothing, "{lines:?}");
        }
        for lines in [
            &["lock joint=A"][..],
            &["lock joint=A", "saved", "undo"],
            &["lock joint=A others=yes", "unlock joint=B"],
            &["lock joint=A invert=yes", "unlock joint=A"],
        ] {
            assert_eq!(loss(lines, &[]), Loss::Locks, "{lines:?}");
        }
        assert_eq!(loss(&["lock joint=A", "unlock joint=A"], &[NodeIndex(3)]), Loss::Locks, "A may have been locked");
        for lines in [
            &["select_all", "smooth"][..],
            &["smooth", "saved", "undo"],
            &["smooth", "saved", "undo", "select_all"],
            &["mask what=selected"],
            &["budget influences=4", "lock joint=A"],
            &["\"not a line"],
        ] {
            assert_eq!(loss(lines, &[]), Loss::Work, "{lines:?}");
        }
        for name in KEEPS_NOTHING.iter().chain(&LOCKS) {
            assert!(crate::commands::command_named(name).is_some(), "{name}");
        }
    }
}
