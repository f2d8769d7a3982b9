//! `cargo xtask bench [ARGS]`: measures the speed targets of DESIGN.md §6 in release, each beside its yardstick.
//! The measuring itself is the example `bench` of `sinew_tests`; this only starts it.

use crate::cargo::{cargo, show, workspace_root};

/// Builds and runs the benchmarks; the arguments are handed on.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut command = cargo();
    command.current_dir(workspace_root()).args(["run", "--release", "-p", "sinew_tests", "--example", "bench", "--"]);
    show(command.args(arguments))
}
