//! Keeping the open file when its window has to go because the graphics device stopped.
//!
//! A device that stopped takes the window with it: panels are drawn on it too. The file is put by when the application
//! goes, even in the middle of a panic, and the next window takes it up with its history and all that is unsaved.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::files::{OpenFile, Target};

/// Where a window that goes leaves its file for the next one. Clones are the same place.
#[derive(Clone, Default)]
pub struct Rescue {
    place: Rc<RefCell<Option<Rescued>>>,
}

/// A file without a window.
pub struct Rescued {
    /// The file as it was, history and unsaved weights included.
    pub file: OpenFile,
    /// Why its window had to go.
    pub reason: String,
}

impl Rescue {
    /// Puts a file by.
    pub fn put(&self, rescued: Rescued) {
        *self.place.borrow_mut() = Some(rescued);
    }

    /// Takes the file that was put by.
    pub fn take(&self) -> Option<Rescued> {
        self.place.borrow_mut().take()
    }
}

impl Rescued {
    /// Writes the file beside the one it came from, under another name, because there will be no window. Says what was
    /// done.
    pub fn write_copy(&self) -> String {
        if !self.file.is_unsaved() {
            return "nothing was unsaved".to_owned();
        }
        let path = free_path(self.file.path());
        match self.file.save_job(Target::Copy(path.clone()), true)() {
            Ok(_) => format!("what was unsaved is in {}", path.display()),
            Err(error) => format!("what was unsaved could not be written: {error}"),
        }
    }
}

/// `arm.rescued.glb` beside `arm.glb`, `arm.rescued-2.glb` where an earlier rescue lies there already, and so on.
fn free_path(path: Option<&Path>) -> PathBuf {
    let path = path.map_or_else(|| std::env::temp_dir().join("sinew.glb"), Path::to_owned);
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let numbered = |n: u32| match n {
        1 => path.with_extension(format!("rescued.{ending}")),
        n => path.with_extension(format!("rescued-{n}.{ending}")),
    };
    // A link that leads nowhere is somebody's too.
    (1..u32::MAX).map(numbered).find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| numbered(u32::MAX))
}
