//! Writing a file whole or not at all.
//!
//! The bytes go to a temporary file in the target's folder, are flushed to the disk, can be read back, and only
//! then take the target's name. Whatever fails on the way, the target is as it was and no temporary file is left.
//! Boundary: knows paths and bytes, not what they mean.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes handed to the system in one call, so that a hook sees a large file in steps.
const STEP: usize = 1 << 20;

/// Called before bytes go to the disk; an error from it is the disk's. Lets tests make a disk fail.
pub trait WriteHook {
    /// `written` bytes of `file` are out, `n_bytes` more are about to be.
    fn before_write(&self, file: &Path, written: u64, n_bytes: usize) -> io::Result<()>;

    /// The longest run of bytes to hand over in one call.
    fn step(&self) -> usize {
        STEP
    }
}

/// How files are put on the disk.
#[derive(Clone, Copy)]
pub struct Disk<'a> {
    /// Whether to wait until the bytes are on the disk before the new file takes its name.
    pub sync: bool,
    /// Called before each write.
    pub hook: Option<&'a dyn WriteHook>,
}

impl Default for Disk<'_> {
    fn default() -> Self {
        Self { sync: true, hook: None }
    }
}

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing}: {source}: {}", path.display())]
pub struct WriteError {
    /// What was being done.
    pub doing: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub source: io::Error,
}

/// A written file that does not have its name yet; dropped, it is removed.
#[derive(Debug)]
pub struct Pending {
    temporary: PathBuf,
    target: PathBuf,
    sync: bool,
    placed: bool,
}

impl Pending {
    /// Writes `bytes` beside `target`, which is left alone. Where `target` is a link, the file it leads to is meant.
    /// A file that is marked read-only, and what is no file, are not to be replaced.
    pub fn write(target: &Path, bytes: &[u8], disk: &Disk<'_>) -> Result<Self, WriteError> {
        let target = follow_link(target);
        check_replaceable(&target)?;
        let (mut file, temporary) = create_beside(&target)?;
        let pending = Self { temporary, target, sync: disk.sync, placed: false };
        let failed = |doing, source| WriteError { doing, path: pending.target.clone(), source };
        let step = disk.hook.map_or(STEP, WriteHook::step).max(1);
        let mut written = 0;
        for part in bytes.chunks(step) {
            if let Some(hook) = disk.hook {
                hook.before_write(&pending.target, written, part.len()).map_err(|e| failed("write", e))?;
            }
            file.write_all(part).map_err(|e| failed("write", e))?;
            written += part.len() as u64;
        }
        if let Ok(existing) = fs::metadata(&pending.target) {
            file.set_permissions(existing.permissions()).map_err(|e| failed("keep the permissions of", e))?;
        }
        if disk.sync {
            file.sync_all().map_err(|e| failed("flush", e))?;
        }
        Ok(pending)
    }

    /// Where the bytes are until then, to read them back.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name, replacing what had it.
    pub fn place(mut self) -> Result<PathBuf, WriteError> {
        let failed = |source| WriteError { doing: "replace", path: self.target.clone(), source };
        fs::rename(&self.temporary, &self.target).map_err(failed)?;
        self.placed = true;
        if self.sync {
            sync_folder(folder_of(&self.target));
        }
        Ok(self.target.clone())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.placed {
            // There is nobody to tell, and the file's own error is on its way already.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// The folder a file lies in; a bare name lies in the current one.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file that a path leads to: through links, even where the last one dangles.
pub(crate) fn follow_link(path: &Path) -> PathBuf {
    let mut at = path.to_owned();
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&at) else { break };
        at = folder_of(&at).join(next);
    }
    at
}

/// Renaming asks only whether the folder may be written, so a read-only mark has to be looked at.
fn check_replaceable(target: &Path) -> Result<(), WriteError> {
    let Ok(existing) = fs::metadata(target) else { return Ok(()) };
    let refused = |doing, kind, reason: &str| {
        Err(WriteError { doing, path: target.to_owned(), source: io::Error::new(kind, reason) })
    };
    if existing.is_dir() {
        return refused("create a file beside", io::ErrorKind::IsADirectory, "the path is a folder");
    }
    if !existing.is_file() {
        return refused("replace", io::ErrorKind::InvalidInput, "not a regular file");
    }
    if existing.permissions().readonly() {
        return refused("replace", io::ErrorKind::PermissionDenied, "the file is read-only");
    }
    Ok(())
}

fn create_beside(target: &Path) -> Result<(File, PathBuf), WriteError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let failed = |source| WriteError { doing: "create a file beside", path: target.to_owned(), source };
    let Some(name) = target.file_name() else {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file")));
    };
    loop {
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut temporary_name = std::ffi::OsString::from(".");
        // A long name of the target's must not make this one too long.
        temporary_name.push(name.to_string_lossy().chars().take(40).collect::<String>());
        temporary_name.push(format!(".{}-{n}.tmp", std::process::id()));
        let temporary = folder_of(target).join(temporary_name);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((file, temporary)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(failed(e)),
        }
    }
}

/// Makes a rename last through a power cut. Not every file system can; the file itself is safe either way.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct FullDisk {
        after: u64,
    }

    impl WriteHook for FullDisk {
        fn before_write(&self, _: &Path, written: u64, n_bytes: usize) -> io::Result<()> {
            if written + n_bytes as u64 <= self.after {
                return Ok(());
            }
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"))
        }

        fn step(&self) -> usize {
            256
        }
    }

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_new_bytes_take_the_name_only_when_placed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a file.glb");
        fs::write(&target, "old").unwrap();
        let pending = Pending::write(&target, b"new bytes", &Disk::default()).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(fs::read(pending.temporary_path()).unwrap(), b"new bytes");
        pending.place().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new bytes");
        assert_eq!(names_in(folder.path()), ["a file.glb"]);
    }

    #[test]
    fn a_disk_that_fills_up_leaves_the_old_file_and_no_other() {
        // B73
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.glb");
        fs::write(&target, "old").unwrap();
        let disk = Disk { sync: true, hook: Some(&FullDisk { after: 1024 }) };
        let error = Pending::write(&target, &[7; 5000], &disk).unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().ends_with("a.glb"), "{error}");
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["a.glb"]);
    }

    #[test]
    fn a_folder_that_is_a_file_is_an_error() {
        // B73
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        assert!(Pending::write(&file.join("a.glb"), b"new", &Disk::default()).is_err());
        assert!(Pending::write(folder.path(), b"new", &Disk::default()).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["file"]);
    }

    #[test]
    fn a_file_that_is_marked_read_only_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("checked in.glb");
        fs::write(&file, "old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        let error = Pending::write(&file, b"new", &Disk::default()).unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::PermissionDenied);
        assert!(error.to_string().contains("read-only"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["checked in.glb"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_replaced() {
        use std::os::unix::net::UnixListener;
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket.glb");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(Pending::write(&socket, b"new", &Disk::default()).is_err());
        assert_eq!(names_in(folder.path()), ["socket.glb"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_a_link_stays_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real.glb");
        let link = folder.path().join("link.glb");
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.glb", &link).unwrap();
        Pending::write(&link, b"new", &Disk::default()).unwrap().place().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
