//! The journal: what was done to an opened file, line by line as it happened, so that nothing is lost with the program.
//!
//! A header says which file and which bytes of it; each line after it is a step as the history keeps it, `undo` or
//! `redo`. The same lines over the same bytes give the same document to the bit, at every length: a journal that was cut off
//! anywhere is the session up to its last whole line. Boundary: text only; who keeps it, and where, is not known here.

use crate::editor::{Editor, LineError};
use crate::script::{Line, SyntaxError};

/// The version this program writes.
pub const JOURNAL_VERSION: u32 = 1;

/// The line of an undo.
pub const UNDO_LINE: &str = "undo";
/// The line of a redo.
pub const REDO_LINE: &str = "redo";

const HEADER: &str = "journal";

/// Which file a journal belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalHeader {
    /// The model's path.
    pub model: String,
    /// Length of the file as it was opened, bytes.
    pub n_bytes: u64,
    /// Hash of the bytes as they were opened.
    pub hash: String,
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
        line.with("bytes", self.n_bytes).with("hash", &self.hash).to_string()
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
        match (line.get("model"), number("bytes"), line.get("hash")) {
            (Some(model), Some(n_bytes), Some(hash)) => {
                Ok(Self { model: model.to_owned(), n_bytes, hash: hash.to_owned() })
            }
            _ => Err(not_a_header()),
        }
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
}

/// Does a journal's lines (or the next few of them) again. The editor must have opened the bytes that the header names and
/// have done the lines before these. Stops at the first line that fails: the document is then as it once was.
pub fn replay(editor: &mut Editor, lines: &[&str]) -> ReplayReport {
    // Lines name their mesh where it mattered; where they do not, none was chosen.
    let active_mesh = editor.session.active_mesh.take();
    let mut report = ReplayReport::default();
    for line in lines {
        if let Err(error) = editor.run(line) {
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
        JournalHeader { model: model.to_owned(), n_bytes: 1234, hash: "0a1b".to_owned() }
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
