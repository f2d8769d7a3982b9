//! `cargo xtask bench [ARGS]`: measures the speed targets of DESIGN.md §6 in release, each beside its yardstick.
//! Most of the measuring is the example `bench` of `sinew_tests`, which this starts; the start of the program itself is
//! measured from here, as the group `start`.

mod start;

use crate::cargo::{cargo, show, workspace_root};

/// Builds and runs the benchmarks; the arguments are handed on.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut command = cargo();
    command.current_dir(workspace_root()).args(["run", "--release", "-p", "sinew_tests", "--example", "bench", "--"]);
    show(command.args(arguments))?;
    if arguments.first().is_none_or(|only| "start".contains(only.as_str())) { start::run() } else { Ok(()) }
}
