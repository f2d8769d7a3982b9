//! Files of command lines: read with a limit and without a byte order mark, written whole or not at all.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::atomic::{Disk, Pending, WriteError};

/// Longest script, bytes: more than days of strokes, and no more than memory holds.
pub const LONGEST_SCRIPT: u64 = 256 << 20;

/// A script that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The system did not give it.
    #[error("cannot read the script: {source}: {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It has no end, or is no script.
    #[error("the script is longer than {LONGEST_SCRIPT} bytes: {}", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// It is not text.
    #[error("the script is not UTF-8: {}:{line}", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first line that is not, from 1.
        line: usize,
    },
}

/// The text of a script, pipes included. Editors on some systems begin a file with a byte order mark, which is no part
/// of the first line.
pub fn read_script(path: &Path) -> Result<String, ScriptError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LONGEST_SCRIPT + 1).read_to_end(&mut bytes))
        .map_err(|source| ScriptError::Read { path: path.to_owned(), source })?;
    if bytes.len() as u64 > LONGEST_SCRIPT {
        return Err(ScriptError::TooLong { path: path.to_owned() });
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        ScriptError::NotUtf8 { path: path.to_owned(), line: valid.matches('\n').count() + 1 }
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// Writes a script; what was there before stays until all of it is on the disk.
pub fn write_script(path: &Path, text: &str) -> Result<(), WriteError> {
    Pending::write(path, text.as_bytes(), &Disk::default())?.place().map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_at_the_beginning_is_left_out_and_one_elsewhere_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script.txt");
        std::fs::write(&path, "\u{feff}smooth\n\u{feff}").unwrap();
        assert_eq!(read_script(&path).unwrap(), "smooth\n\u{feff}");
    }

    #[test]
    fn bytes_that_are_no_text_are_named_by_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script.txt");
        std::fs::write(&path, b"smooth\nsmooth\n# \xe9\n").unwrap();
        assert!(read_script(&path).unwrap_err().to_string().ends_with("script.txt:3"));
    }

    #[test]
    fn a_script_that_cannot_be_written_leaves_what_was_there() {
        // B73
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script.txt");
        write_script(&path, "smooth\n").unwrap();
        let mut permissions = std::fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions).unwrap();
        assert!(write_script(&path, "normalize\n").is_err());
        assert_eq!(read_script(&path).unwrap(), "smooth\n");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }
}
