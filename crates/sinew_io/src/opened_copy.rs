//! A copy of a model as it was opened, for a journal that goes on after the model was saved over.
//!
//! A journal's lines begin at the opened bytes, and a save may replace those. The copy holds the model and the files of
//! its buffers, under names of our own; images stay where they are, for they decide nothing. Boundary: knows one folder;
//! when a copy is needed is not known here.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::atomic::{WriteError, folder_of};
use crate::bytes::Bytes;
use crate::error::OpenError;
use crate::import::{Imported, import_with};
use crate::progress::Progress;
use crate::source::{BufferOrigin, GltfSource};
use crate::uri::{FolderResolver, Resolver, read_file};

const MODEL: &str = "model";

impl GltfSource {
    /// Length and hash of what was opened: the file and the files of its buffers. Equal ones give equal documents.
    pub fn fingerprint(&self) -> (u64, String) {
        let (mut n_bytes, mut hash) = (self.original.len() as u64, Sha256::new());
        hash.update(&*self.original);
        for (_, bytes) in self.buffer_files() {
            n_bytes += bytes.len() as u64;
            hash.update(&**bytes);
        }
        (n_bytes, hex(&hash.finalize()))
    }

    fn buffer_files(&self) -> impl Iterator<Item = (&str, &Bytes)> {
        self.buffers.iter().filter_map(|buffer| match &buffer.origin {
            BufferOrigin::External { name, .. } => Some((name.as_str(), &buffer.bytes)),
            _ => None,
        })
    }
}

/// Writes the copy and waits until it is on the disk. `folder` appears whole or not at all.
pub fn keep_opened(source: &GltfSource, folder: &Path) -> Result<(), WriteError> {
    let unfinished = folder.with_extension("tmp");
    let failed = |doing| move |source| WriteError { doing, path: folder.to_owned(), source };
    remove_folder(&unfinished).and_then(|()| remove_folder(folder)).map_err(failed("clear"))?;
    let write = |name: &str, bytes: &[u8]| {
        let mut file = File::create(unfinished.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    let write_all = || {
        fs::create_dir_all(&unfinished)?;
        write(MODEL, &source.original)?;
        source.buffer_files().try_for_each(|(name, bytes)| write(&stored_name(name), bytes))?;
        fs::rename(&unfinished, folder)
    };
    write_all().map_err(|error| {
        // The error itself is on its way.
        let _ = remove_folder(&unfinished);
        failed("keep a copy in")(error)
    })
}

/// Opens the copy as if it were the file that was opened: `model`, or nothing that has a path.
pub fn open_kept(folder: &Path, model: Option<&Path>, progress: Progress<'_>) -> Result<Imported, OpenError> {
    progress.step("Reading the file")?;
    let path = folder.join(MODEL);
    let bytes = read_file(&path).map_err(|source| OpenError::Read { path, source })?;
    let beside = FolderResolver(model.map(|model| folder_of(model).to_owned()).unwrap_or_default());
    let mut imported = import_with(bytes, &KeptResolver { folder: folder.to_owned(), beside }, progress)?;
    imported.source.path = model.map(Path::to_owned);
    Ok(imported)
}

/// Removes a copy; there may be none.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

struct KeptResolver {
    folder: PathBuf,
    beside: FolderResolver,
}

impl Resolver for KeptResolver {
    fn read(&self, name: &str) -> io::Result<Bytes> {
        match read_file(&self.folder.join(stored_name(name))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.beside.read(name),
            result => result,
        }
    }
}

/// A name that stays in the folder, whatever the model calls the file.
fn stored_name(name: &str) -> String {
    hex(&Sha256::digest(name.as_bytes())[..12])
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
