//! `cargo xtask ci [STEP]…`: what CI runs. All steps use one target folder and the same compiler flags, so that nothing is built twice.

use std::time::Instant;

use anyhow::{bail, ensure};

use crate::cargo::{cargo, show, workspace_root};
use crate::{test, tidy};

/// A step: its name and what it does.
type Step = (&'static str, fn() -> anyhow::Result<()>);

const STEPS: &[Step] = &[
    ("test", || {
        let status = test::tests(&[])?;
        ensure!(status.success(), "cargo test failed ({status})");
        Ok(())
    }),
    ("fmt", || show(cargo().current_dir(workspace_root()).args(["fmt", "--all", "--check"]))),
    ("clippy", || {
        show(cargo().current_dir(workspace_root()).args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))
    }),
    ("doc", || {
        let mut doc = cargo();
        show(doc.current_dir(workspace_root()).env("RUSTDOCFLAGS", "-D warnings").args([
            "doc",
            "--workspace",
            "--no-deps",
        ]))
    }),
    ("tidy", || tidy::run(&[])),
];

/// Runs the named steps, or all; a step that fails does not keep the others from running.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    for argument in arguments {
        ensure!(STEPS.iter().any(|(name, _)| name == argument), "there is no step `{argument}`");
    }
    let mut failures = Vec::new();
    for (name, step) in STEPS {
        if !arguments.is_empty() && !arguments.iter().any(|argument| argument == name) {
            continue;
        }
        eprintln!("\n== {name}");
        let start = Instant::now();
        match step() {
            Ok(()) => eprintln!("== {name}: ok, {:.0} s", start.elapsed().as_secs_f64()),
            Err(error) => {
                eprintln!("== {name}: FAILED, {:.0} s\n{error:#}", start.elapsed().as_secs_f64());
                failures.push(*name);
            }
        }
    }
    if !failures.is_empty() {
        bail!("failed: {}", failures.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_step_that_does_not_exist_is_refused_before_any_runs() {
        let error = super::run(&["tidy".to_owned(), "polish".to_owned()]).expect_err("there is no such step");
        assert!(error.to_string().contains("polish"));
    }
}
