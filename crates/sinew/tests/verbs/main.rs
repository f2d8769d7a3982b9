//! The built binary, run as a person runs it: every verb, what it writes and what it says.

mod apply;
mod arguments;
mod deform;
mod info;
mod render;
mod scenes;
mod tour;
mod window;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sinew_tests::Scene;
use tempfile::TempDir;

/// A finished run.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

/// The binary with no display and none of the caller's settings.
fn command(args: &[&OsStr]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(args).stdin(Stdio::null());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG"] {
        command.env_remove(name);
    }
    command
}

fn finish(mut command: Command) -> Run {
    let Output { status, stdout, stderr } = command.output().expect("the binary starts");
    let err = String::from_utf8_lossy(&stderr).into_owned();
    assert!(!err.contains("panicked"), "{err}");
    Run { code: status.code(), out: String::from_utf8(stdout).expect("UTF-8"), err }
}

/// Runs the binary. Arguments are paths or text.
macro_rules! sinew {
    ($($arg:expr),* $(,)?) => {
        $crate::finish($crate::command(&[$(std::ffi::OsStr::new(&$arg)),*]))
    };
}
use sinew;

impl Run {
    /// The run did what it was asked to.
    fn done(self) -> Self {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self
    }

    /// The run failed with this code and names all of `parts` on stderr; stdout has nothing.
    fn fails(self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in: {}", self.err);
        }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("stdout is JSON")
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Writes a file and gives its path.
fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("writes");
    path
}

/// Writes `NAME.gltf` and the files beside it; gives the path of the first.
fn write_gltf(folder: &Path, name: &str, scene: &Scene) -> PathBuf {
    for (file, bytes) in scene.gltf_files(name) {
        write(folder, &file, bytes);
    }
    folder.join(format!("{name}.gltf"))
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{error}: {}", path.display()))
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn arm() -> PathBuf {
    sinew_tests::assets_dir().join("arm.glb")
}

/// Rows of three numbers, as `sinew deform` writes them.
fn vectors(value: &Value) -> Vec<[f32; 3]> {
    let number = |value: &Value| value.to_string().parse::<f32>().expect("a number");
    let vector = |value: &Value| [number(&value[0]), number(&value[1]), number(&value[2])];
    value.as_array().expect("a list").iter().map(vector).collect()
}
