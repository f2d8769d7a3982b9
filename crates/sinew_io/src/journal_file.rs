//! Journals on the disk: a file of lines that grows while a program runs and goes when it ends in order.
//!
//! What is found of a program that did not end in order is a leftover. A journal in use is locked, so that a second
//! window does not take it for one. Boundary: knows files and lines, not what the lines say.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::opened_copy::{hex, remove_folder};

const ENDING: &str = "journal";
const COPY_ENDING: &str = "opened";
/// Journals of one model in one folder, at most: in use, or left over and not yet settled.
const MOST_OF_A_MODEL: usize = 1000;
/// The longest first line, bytes.
const MOST_HEADER_BYTES: u64 = 64 << 10;
/// The longest journal, bytes: hours of painting.
const MOST_BYTES: u64 = 1 << 30;

/// The journal of this program, open and locked.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: LockedFile,
    /// Bytes of whole lines.
    n_bytes: u64,
    /// Whether a write failed, so that part of a line may stand behind them.
    is_torn: bool,
}

/// The journal of a program that did not end in order; locked while it is held.
#[derive(Debug)]
pub struct Leftover {
    path: PathBuf,
    file: LockedFile,
    /// The first line: which model it belongs to.
    pub header: String,
    /// When it was last written, if the system says.
    pub modified: Option<SystemTime>,
}

/// Waits for the disk, on whatever thread.
#[derive(Debug)]
pub struct Syncer(File);

/// An open file, unlocked when it is let go of. Closing alone might leave the lock to a program that is just being started.
#[derive(Debug)]
struct LockedFile(File);

/// A journal that cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalFileError {
    /// The system refuses.
    #[error("cannot {doing} the journal: {source}: {}", path.display())]
    Disk {
        /// What was being done.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A line holds a line break.
    #[error("expected one line, found a line break in \"{line}\"")]
    LineBreak {
        /// The line's beginning.
        line: String,
    },
    /// Nobody settled the journals of this model for too long.
    #[error("expected fewer than {MOST_OF_A_MODEL} journals of one model: {}", folder.display())]
    TooMany {
        /// The folder.
        folder: PathBuf,
    },
    /// A journal is larger than any session.
    #[error("expected a journal of at most {most} bytes, found {found}: {}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length, bytes.
        found: u64,
        /// The most there may be.
        most: u64,
    },
}

impl JournalFile {
    /// Begins the journal of a model in `folder`, which is made if it is not there. The file is named after the model's
    /// path; an older journal of the same model is left alone.
    pub fn create(folder: &Path, model: &Path, header: &str) -> Result<Self, JournalFileError> {
        fs::create_dir_all(folder).map_err(|e| disk("make the folder of", folder, e))?;
        let stem = stem_for(model);
        for n in 0..MOST_OF_A_MODEL {
            let path = folder.join(if n == 0 { format!("{stem}.{ENDING}") } else { format!("{stem}-{n}.{ENDING}") });
            let file = match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(disk("create", &path, error)),
            };
            // Not every file system has locks. Without them a second window may offer this journal, which does no harm.
            let _ = file.lock();
            let mut journal = Self { path, file: LockedFile(file), n_bytes: 0, is_torn: false };
            if let Err(error) = journal.add(&[header]) {
                let _ = fs::remove_file(&journal.path);
                return Err(error);
            }
            return Ok(journal);
        }
        Err(JournalFileError::TooMany { folder: folder.to_owned() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a copy of the opened model is kept for it, if one is needed.
    pub fn copy_folder(&self) -> PathBuf {
        copy_folder(&self.path)
    }

    /// What waits until added lines are on the disk.
    pub fn syncer(&self) -> Result<Syncer, JournalFileError> {
        self.file.0.try_clone().map(Syncer).map_err(|e| disk("write", &self.path, e))
    }

    /// Adds lines and waits until they are on the disk.
    pub fn append(&mut self, lines: &[impl AsRef<str>]) -> Result<(), JournalFileError> {
        self.add(lines)?;
        self.file.0.sync_data().map_err(|e| disk("write", &self.path, e))
    }

    /// Adds lines. They outlast this program from now on, and a power cut once they were waited for ([`Syncer::sync`]).
    /// After an error none of them counts; later ones may still succeed.
    pub fn add(&mut self, lines: &[impl AsRef<str>]) -> Result<(), JournalFileError> {
        let mut text = String::new();
        for line in lines.iter().map(AsRef::as_ref) {
            if line.contains(['\n', '\r']) {
                return Err(JournalFileError::LineBreak { line: line.chars().take(60).collect() });
            }
            text.push_str(line);
            text.push('\n');
        }
        if text.is_empty() {
            return Ok(());
        }
        self.write(text.as_bytes()).map_err(|e| disk("write", &self.path, e))
    }

    /// Removes it: the program ends in order, or the model was saved.
    pub fn remove(self) -> Result<(), JournalFileError> {
        remove(&self.path)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.file.0.set_len(self.n_bytes)?;
        }
        self.is_torn = true;
        self.file.0.seek(SeekFrom::Start(self.n_bytes))?;
        self.file.0.write_all(bytes)?;
        self.n_bytes += bytes.len() as u64;
        self.is_torn = false;
        Ok(())
    }
}

impl Syncer {
    /// Waits until everything that was added is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}

/// The journals in `folder` that no running program holds, by file name. Those without a whole first line hold nothing and
/// are passed over, as is whatever cannot be opened.
pub fn leftovers(folder: &Path) -> Result<Vec<Leftover>, JournalFileError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(disk("look for", folder, error)),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    // A program may have ended between removing a journal and its copy.
    for path in paths.iter().filter(|path| path.is_dir() && !path.with_extension(ENDING).exists()) {
        if [COPY_ENDING, "tmp"].map(OsStr::new).into_iter().any(|ending| path.extension() == Some(ending)) {
            let _ = remove_folder(path);
        }
    }
    paths.retain(|path| path.extension() == Some(OsStr::new(ENDING)) && path.is_file());
    paths.sort();
    Ok(paths.into_iter().filter_map(Leftover::open).collect())
}

impl Leftover {
    fn open(path: PathBuf) -> Option<Self> {
        let file = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return None;
        }
        let file = LockedFile(file);
        let mut header = Vec::new();
        BufReader::new(&file.0).take(MOST_HEADER_BYTES).read_until(b'\n', &mut header).ok()?;
        let header = String::from_utf8(header).ok()?.strip_suffix('\n')?.to_owned();
        let modified = file.0.metadata().and_then(|about| about.modified()).ok();
        Some(Self { path, file, header, modified })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a copy of the opened model is, if one was kept.
    pub fn copy_folder(&self) -> Option<PathBuf> {
        Some(copy_folder(&self.path)).filter(|folder| folder.is_dir())
    }

    /// Everything in it, the header included. Bytes that are no text are replaced, so the last line may be damaged.
    pub fn read(&mut self) -> Result<String, JournalFileError> {
        let bytes = self.bytes()?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// Goes on with it as this program's journal, behind its first `n_lines` lines after the header; what stands there is
    /// cut off.
    pub fn resume(mut self, n_lines: usize) -> Result<JournalFile, JournalFileError> {
        let bytes = self.bytes()?;
        let whole = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let n_bytes = whole.take(n_lines.saturating_add(1)).map(<[u8]>::len).sum::<usize>() as u64;
        self.file.0.set_len(n_bytes).map_err(|e| disk("shorten", &self.path, e))?;
        Ok(JournalFile { path: self.path, file: self.file, n_bytes, is_torn: false })
    }

    fn bytes(&mut self) -> Result<Vec<u8>, JournalFileError> {
        let failed = |e| disk("read", &self.path, e);
        let found = self.file.0.metadata().map_err(failed)?.len();
        if found > MOST_BYTES {
            return Err(JournalFileError::TooLarge { path: self.path.clone(), found, most: MOST_BYTES });
        }
        let mut bytes = Vec::new();
        self.file.0.seek(SeekFrom::Start(0)).map_err(failed)?;
        (&self.file.0).take(MOST_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }

    /// Removes it: it was taken up or turned down.
    pub fn remove(self) -> Result<(), JournalFileError> {
        remove(&self.path)
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Closing it does the same, if later.
        let _ = self.0.unlock();
    }
}

/// The name of a model's journals: the beginning of the hash of its path.
fn stem_for(model: &Path) -> String {
    hex(&Sha256::digest(model.as_os_str().as_encoded_bytes())[..8])
}

fn copy_folder(journal: &Path) -> PathBuf {
    journal.with_extension(COPY_ENDING)
}

fn remove(path: &Path) -> Result<(), JournalFileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(disk("remove", path, error)),
        _ => {}
    }
    let copy = copy_folder(path);
    remove_folder(&copy).map_err(|e| disk("remove the copy beside", path, e))
}

fn disk(doing: &'static str, path: &Path, source: io::Error) -> JournalFileError {
    JournalFileError::Disk { doing, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
