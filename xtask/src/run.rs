//! `cargo xtask run [FILE]`: from a fresh machine with Rust to the open editor.

use std::path::Path;

use anyhow::ensure;

use crate::cargo::{cargo, show, workspace_root};
use crate::{install, needs};

/// Installs what is missing, builds in release, opens the editor with FILE (or its demo character). Where no window can
/// be opened, says so and lets the editor do its tour of the demo character instead.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    if let Some(file) = arguments.first().filter(|argument| !argument.starts_with('-')) {
        ensure!(Path::new(file).is_file(), "there is no file {file}");
    }
    let has_display =
        has_display(std::env::consts::OS, |name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    if !has_display {
        eprintln!(
            "note: no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); the window cannot be opened, so the \
             editor does its tour of the demo character instead"
        );
    }
    install::ensure_present(&needs::to_run())?;
    let manifest = workspace_root().join("Cargo.toml");
    show(cargo().args(["build", "--release", "-p", "sinew", "--manifest-path"]).arg(&manifest))?;
    let tour = ["tour".to_owned(), "-o".to_owned(), workspace_root().join("target/tour").display().to_string()];
    // Through cargo, which knows where its target folder is; the current folder stays, so FILE means what it meant.
    show(
        cargo()
            .args(["run", "--quiet", "--release", "-p", "sinew", "--manifest-path"])
            .arg(&manifest)
            .arg("--")
            .args(if has_display { arguments } else { &tour }),
    )
}

/// Is there something to open a window on?
fn has_display(os: &str, is_set: impl Fn(&str) -> bool) -> bool {
    os != "linux" || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::has_display;

    #[test]
    fn linux_without_either_variable_has_no_display() {
        assert!(!has_display("linux", |_| false));
        assert!(has_display("linux", |name| name == "WAYLAND_DISPLAY"));
        assert!(has_display("linux", |name| name == "DISPLAY"));
        assert!(has_display("macos", |_| false));
    }

    #[test]
    fn a_file_that_is_not_there_is_named_before_anything_is_built() {
        let error = super::run(&["no such model.glb".to_owned()]).expect_err("there is no such file");
        assert!(error.to_string().contains("no such model.glb"));
    }
}
