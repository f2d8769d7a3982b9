//! The journal: what was done to an opened file, line by line as it happened, so that nothing is lost with the program.
//!
//! A header says which file and which bytes of it; each line after it is a step as the history keeps it, `undo`, `redo`,
//! or `saved` where the document was saved. The same lines over the same bytes give the same document to the bit, at every length: a journal that was cut off
//! anywhere is the session up to its last whole line. Boundary: text only; who keeps it, and where, is not known here.

mod loss;

pub use loss::Loss;

use sinew_model::{Budget, Document, JointPairs, MeshIndex, NodeIndex, VertexIndex, VertexMask};

use crate::editor::{Editor, LineError};
use crate::script::{Line, SyntaxError};

/// The version this program writes.
pub const JOURNAL_VERSION: u32 = 1;

/// The line of an undo.
pub const UNDO_LINE: &str = "undo";
/// The line of a redo.
pub const REDO_LINE: &str = "redo";

const HEADER: &str = "journal";
const SAVED: &str = "saved";

/// Which file a journal belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalHeader {
    /// The model's path.
    pub model: String,
    /// Length of the file as it was opened, bytes.
    pub n_bytes: u64,
    /// Hash of the bytes as they were opened.
    pub hash: String,
    /// How the document stood then, beyond what the bytes say.
    pub given: Given,
}

/// What an opened document was given besides its file: from what is kept beside the model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The influence budget; `None` leaves it at what the model uses.
    pub budget: Option<Budget>,
    /// Locked joints.
    pub locks: Vec<NodeIndex>,
    /// Joint pairs made by hand.
    pub pairs: JointPairs,
    /// Masks as text ([`VertexMask::parse`]): how many vertices there may be is known only with the document.
    pub masks: Vec<(MeshIndex, String)>,
}

/// A save in a journal: where to, and how the file was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedMark {
    /// The saved file's path.
    pub model: String,
    /// Its length, bytes.
    pub n_bytes: u64,
    /// When it was written, nanoseconds since 1970, if the system says.
    pub modified_ns: Option<u64>,
}

/// What a journal's lines come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Steps that are done at its end.
    pub n_done: usize,
    /// Steps between the last save (or the opening) and the end, undone ones counting like done ones; 0 if all is saved.
    pub n_unsaved: usize,
}

/// A journal that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Journal<'a> {
    /// Which file it belongs to.
    pub header: JournalHeader,
    /// What was done, in order.
    pub lines: Vec<&'a str>,
}

/// Why a text is no journal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JournalError {
    /// Not even the header was written to its end.
    #[error("the journal ends within its first line")]
    NoHeader,
    /// The first line is something else.
    #[error("expected a line \"{HEADER} version=… model=… bytes=… hash=…\", found \"{found}\"")]
    NotAHeader {
        /// The line's beginning.
        found: String,
    },
    /// The first line cannot be read.
    #[error("the journal's first line: {0}")]
    Syntax(#[from] SyntaxError),
    /// A later program wrote it.
    #[error("the journal has version {found}; expected at most {JOURNAL_VERSION}")]
    Newer {
        /// Its version.
        found: u32,
    },
}

/// What a replay did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReplayReport {
    /// Lines done.
    pub n_done: usize,
    /// Lines not done: the first that failed and all behind it, for they were made on top of it.
    pub n_failed: usize,
    /// The first line that failed (its number among those replayed, from 1) and why.
    pub first_error: Option<(usize, LineError)>,
}

impl JournalHeader {
    /// The header as the journal's first line, without the line break.
    pub fn line(&self) -> String {
        let line = Line::new(HEADER).with("version", JOURNAL_VERSION).with("model", &self.model);
        let mut line = line.with("bytes", self.n_bytes).with("hash", &self.hash);
        if let Some(budget) = self.given.budget {
            line = line.with("budget", budget);
        }
        if !self.given.locks.is_empty() {
            let locks: Vec<String> = self.given.locks.iter().map(NodeIndex::to_string).collect();
            line = line.with("locks", locks.join(","));
        }
        if !self.given.pairs.is_empty() {
            let pairs: Vec<String> = self.given.pairs.iter().map(|(a, b)| format!("{a}:{b}")).collect();
            line = line.with("pairs", pairs.join(","));
        }
        if !self.given.masks.is_empty() {
            let masks: Vec<String> = self.given.masks.iter().map(|(mesh, mask)| format!("{mesh}={mask}")).collect();
            line = line.with("masks", masks.join(";"));
        }
        line.to_string()
    }

    /// Reads a journal's first line.
    pub fn parse(text: &str) -> Result<Self, JournalError> {
        let not_a_header = || JournalError::NotAHeader { found: text.chars().take(60).collect() };
        let line = Line::parse(text)?.filter(|line| line.name == HEADER).ok_or_else(not_a_header)?;
        let number = |key: &str| line.get(key)?.parse::<u64>().ok();
        let version = number("version").and_then(|version| u32::try_from(version).ok()).ok_or_else(not_a_header)?;
        if version > JOURNAL_VERSION {
            return Err(JournalError::Newer { found: version });
        }
        let budget = match line.get("budget") {
            None => None,
            Some("unlimited") => Some(Budget::Unlimited),
            Some(n) => Some(Budget::Influences(n.parse().ok().filter(|&n| n > 0).ok_or_else(not_a_header)?)),
        };
        let locks = line.get("locks").map(|locks| locks.split(',').map(|n| n.parse().map(NodeIndex)).collect());
        let locks = locks.transpose().map_err(|_| not_a_header())?.unwrap_or_default();
        let pair = |text: &str| {
            let (a, b) = text.split_once(':')?;
            Some((NodeIndex(a.parse().ok()?), NodeIndex(b.parse().ok()?)))
        };
        let pairs = line.get("pairs").map(|pairs| pairs.split(',').map(pair).collect::<Option<JointPairs>>());
        let pairs = pairs.map(|pairs| pairs.ok_or_else(not_a_header)).transpose()?.unwrap_or_default();
        let mask = |text: &str| {
            let (mesh, mask) = text.split_once('=')?;
            Some((MeshIndex(mesh.parse().ok()?), mask.to_owned()))
        };
        let masks = line.get("masks").map(|masks| masks.split(';').map(mask).collect::<Option<Vec<_>>>());
        let masks = masks.map(|masks| masks.ok_or_else(not_a_header)).transpose()?.unwrap_or_default();
        match (line.get("model"), number("bytes"), line.get("hash")) {
            (Some(model), Some(n_bytes), Some(hash)) => {
                let given = Given { budget, locks, pairs, masks };
                Ok(Self { model: model.to_owned(), n_bytes, hash: hash.to_owned(), given })
            }
            _ => Err(not_a_header()),
        }
    }
}

impl Given {
    /// Gives it to a document that nobody has edited yet. Joints and vertices that it does not have are
    /// passed over.
    pub fn apply(&self, document: &mut Document) {
        if let Some(budget) = self.budget {
            document.set_budget(budget);
        }
        let n_nodes = document.nodes().len();
        for &joint in self.locks.iter().filter(|joint| joint.idx() < n_nodes) {
            document.set_lock(joint, true);
        }
        let mut pairs: JointPairs = self.pairs.iter().filter(|(a, b)| a.idx() < n_nodes && b.idx() < n_nodes).collect();
        if !pairs.is_empty() {
            document.swap_joint_pairs(&mut pairs);
        }
        for (mesh, text) in &self.masks {
            let Some(m) = document.meshes().get(mesh.idx()) else { continue };
            let Some(mask) = VertexMask::parse(text, m.n_vertices()) else { continue };
            let mut values: Vec<(VertexIndex, f32)> = mask.iter().collect();
            document.swap_mask(*mesh, &mut values);
        }
    }
}

impl SavedMark {
    /// The mark as a line of the journal.
    pub fn line(&self) -> String {
        let line = Line::new(SAVED).with("model", &self.model).with("bytes", self.n_bytes);
        self.modified_ns.iter().fold(line, |line, ns| line.with("modified", ns)).to_string()
    }

    /// Reads a mark; `None` if the line is something else.
    pub fn parse(text: &str) -> Option<Self> {
        let line = Line::parse(text).ok().flatten().filter(|line| line.name == SAVED)?;
        let number = |key: &str| line.get(key).and_then(|value| value.parse().ok());
        Some(Self { model: line.get("model")?.to_owned(), n_bytes: number("bytes")?, modified_ns: number("modified") })
    }
}

impl<'a> Journal<'a> {
    /// Reads a journal. What stands behind the last line break was being written when the program ended; it is left out.
    pub fn parse(text: &'a str) -> Result<Self, JournalError> {
        let (whole, _) = text.rsplit_once('\n').ok_or(JournalError::NoHeader)?;
        let mut lines = whole.split('\n');
        let header = JournalHeader::parse(lines.next().unwrap_or_default())?;
        Ok(Self { header, lines: lines.collect() })
    }

    /// The last save.
    pub fn last_save(&self) -> Option<SavedMark> {
        self.lines.iter().rev().find_map(|line| SavedMark::parse(line))
    }

    /// What the lines come to, without doing them.
    pub fn tally(&self) -> Tally {
        let (mut n_done, mut n_saved, mut since_save) = (0_usize, Some(0_usize), 0);
        for line in &self.lines {
            since_save += 1;
            match *line {
                UNDO_LINE => n_done = n_done.saturating_sub(1),
                REDO_LINE => n_done += 1,
                line if SavedMark::parse(line).is_some() => (n_saved, since_save) = (Some(n_done), 0),
                _ => {
                    // What was undone is forgotten, the saved state with it.
                    n_saved = n_saved.filter(|&n_saved| n_saved <= n_done);
                    n_done += 1;
                }
            }
        }
        let n_unsaved = n_saved.map_or(since_save, |n_saved| n_saved.abs_diff(n_done));
        Tally { n_done, n_unsaved }
    }
}

/// Does a journal's lines (or the next few of them) again. The editor must have opened the bytes that the header names and
/// have done the lines before these. Stops at the first line that fails: the document is then as it once was.
pub fn replay(editor: &mut Editor, lines: &[&str]) -> ReplayReport {
    // Lines name their mesh where it mattered; where they do not, none was chosen.
    let active_mesh = editor.session.active_mesh.take();
    let mut report = ReplayReport::default();
    for line in lines {
        if SavedMark::parse(line).is_some() {
            editor.set_saved();
        } else if let Err(error) = editor.run(line) {
            report.first_error = Some((report.n_done + 1, error));
            break;
        }
        report.n_done += 1;
    }
    report.n_failed = lines.len() - report.n_done;
    editor.session.active_mesh = active_mesh;
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(model: &str) -> JournalHeader {
        let given = Given {
            budget: Some(Budget::Influences(6)),
            locks: vec![NodeIndex(3), NodeIndex(17)],
            pairs: [(NodeIndex(3), NodeIndex(5)), (NodeIndex(9), NodeIndex(9))].into_iter().collect(),
            masks: vec![(MeshIndex(0), "0-9:0,12:0.25".to_owned()), (MeshIndex(4), "1:0.5".to_owned())],
        };
        JournalHeader { model: model.to_owned(), n_bytes: 1234, hash: "0a1b".to_owned(), given }
    }

    fn tally(lines: &[&str]) -> (usize, usize) {
        let mark = SavedMark { model: "a b.glb".to_owned(), n_bytes: 9, modified_ns: None }.line();
        let lines = lines.iter().map(|&line| if line == "saved" { &*mark } else { line }).collect();
        let Tally { n_done, n_unsaved } = Journal { header: header(""), lines }.tally();
        (n_done, n_unsaved)
    }

    #[test]
    fn a_mark_of_a_save_reads_back_and_is_not_a_step() {
        let mark = SavedMark { model: r"C:\a b.glb".to_owned(), n_bytes: 7, modified_ns: Some(u64::MAX) };
        assert_eq!(SavedMark::parse(&mark.line()), Some(mark));
        assert_eq!(SavedMark::parse("lock joint=saved"), None);
    }

    #[test]
    fn the_tally_says_what_a_crash_would_lose() {
        assert_eq!(tally(&[]), (0, 0));
        assert_eq!(tally(&["a", "b"]), (2, 2));
        assert_eq!(tally(&["a", "undo"]), (0, 0));
        assert_eq!(tally(&["a", "b", "saved"]), (2, 0));
        assert_eq!(tally(&["a", "b", "saved", "undo"]), (1, 1), "an undo behind the save is work too");
        assert_eq!(tally(&["a", "b", "saved", "undo", "redo"]), (2, 0));
        assert_eq!(tally(&["a", "b", "saved", "undo", "c"]), (2, 2), "what was saved is no state any more");
        assert_eq!(tally(&["a", "undo", "b", "saved", "c"]), (2, 1));
    }

    #[test]
    fn a_header_reads_back_whatever_the_path() {
        for model in ["models/me/arm.glb", r"C:\new models\r\arm 10%.glb", "", "a\nb\r\"c\" 网.glb"] {
            let line = header(model).line();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(JournalHeader::parse(&line), Ok(header(model)));
        }
    }

    #[test]
    fn what_is_no_journal_is_named() {
        assert_eq!(Journal::parse(""), Err(JournalError::NoHeader));
        assert_eq!(Journal::parse(&header("arm.glb").line()), Err(JournalError::NoHeader));
        for found in ["", "# x", "undo", "journal version=1 model=a bytes=-1 hash=b", "journal model=a bytes=1 hash=b"]
        {
            let error = Journal::parse(&format!("{found}\nundo\n")).expect_err("no header");
            assert_eq!(error, JournalError::NotAHeader { found: found.to_owned() });
        }
        let newer = header("arm.glb").line().replace("version=1", "version=2");
        assert_eq!(Journal::parse(&format!("{newer}\n")), Err(JournalError::Newer { found: 2 }));
    }

    #[test]
    fn a_line_without_its_end_is_left_out() {
        let text = format!("{}\nlock joint=A\nundo\nunlock joint=B", header("arm.glb").line());
        let journal = Journal::parse(&text).expect("a journal");
        assert_eq!(journal.lines, ["lock joint=A", "undo"]);
    }
}
