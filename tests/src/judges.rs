//! The outside judges: sample models and file checkers that lie in a folder beside the repository.
//!
//! The folder is `SINEW_SHARED`, else `../shared` next to the workspace. Where it, `node` or numpy is missing, a check
//! comes back as [`Verdict::Skipped`] and says so on stdout; it never counts as passed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a judge said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It ran and found nothing wrong. Holds its output: the validator's warnings stand there.
    Passed(String),
    /// It ran and found faults. Holds its output.
    Failed(String),
    /// It could not run. Holds the reason.
    Skipped(String),
}

impl Verdict {
    /// Panics with the judge's output if it found faults; a skipped check passes.
    #[track_caller]
    pub fn assert_passed(&self) {
        if let Self::Failed(output) = self {
            panic!("the judge found faults:\n{output}");
        }
    }

    /// Like [`Verdict::assert_passed`], and no validator warning either.
    #[track_caller]
    pub fn assert_no_warning(&self) {
        self.assert_passed();
        if let Self::Passed(output) = self {
            assert!(!output.contains("warning"), "the judge warned:\n{output}");
        }
    }

    fn skipped(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        println!("skipped: {reason}");
        Self::Skipped(reason)
    }
}

/// The folder of sample models, if it is there.
#[must_use]
pub fn shared_models() -> Option<PathBuf> {
    let models = shared_dir().join("models");
    if models.is_dir() {
        return Some(models);
    }
    println!("skipped: no sample models (set SINEW_SHARED to the folder that holds models/)");
    None
}

/// Every sample model in that folder and the folders in it, sorted; none where there is no such folder.
#[must_use]
pub fn sample_models() -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), Vec::from_iter(shared_models()));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("an entry").path();
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if ["glb", "gltf", "vrm"].contains(&ending.as_str()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The `assets` folder of the workspace.
#[must_use]
pub fn assets_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets")
}

/// Are these files valid glTF 2.0? With `baseline`, faults that this original had already do not count (one path then).
#[must_use]
pub fn validate_gltf(paths: &[&Path], baseline: Option<&Path>) -> Verdict {
    let script = shared_dir().join("tools/validate-gltf.sh");
    if !script.is_file() {
        return Verdict::skipped("no glTF validator beside the repository");
    }
    let mut command = Command::new("bash");
    command.arg(script);
    if let Some(baseline) = baseline {
        command.arg("--baseline").arg(baseline);
    }
    command.args(paths);
    match run(&mut command) {
        Err(reason) => Verdict::skipped(format!("glTF validator: {reason}")),
        Ok((Some(0), output)) => Verdict::Passed(output),
        Ok((Some(1), output)) => Verdict::Failed(output),
        Ok((_, output)) => Verdict::skipped(format!("glTF validator cannot run: {}", output.trim())),
    }
}

/// Did anything but the weights of the `edited` primitives change? `edited` holds `all`, `MESH` or `MESH/PRIMITIVE`; empty allows no change.
#[must_use]
pub fn roundtrip_diff(edited: &[&str], original: &Path, exported: &Path) -> Verdict {
    let script = shared_dir().join("tools/gltf_roundtrip_diff.py");
    if !script.is_file() {
        return Verdict::skipped("no round-trip checker beside the repository");
    }
    let has_numpy = run(Command::new("python3").args(["-c", "import numpy"]));
    if !matches!(has_numpy, Ok((Some(0), _))) {
        return Verdict::skipped("round-trip checker: python3 with numpy is not installed");
    }
    let mut command = Command::new("python3");
    command.arg(script);
    for name in edited {
        command.arg("--edited").arg(name);
    }
    command.arg(original).arg(exported);
    match run(&mut command) {
        Err(reason) => Verdict::skipped(format!("round-trip checker: {reason}")),
        Ok((Some(0), output)) => Verdict::Passed(output),
        Ok((_, output)) => Verdict::Failed(output),
    }
}

fn shared_dir() -> PathBuf {
    std::env::var_os("SINEW_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from)
}

/// Exit code, and stdout with stderr after it.
fn run(command: &mut Command) -> Result<(Option<i32>, String), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok((output.status.code(), text))
}
