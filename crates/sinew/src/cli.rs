//! The command line: which verbs there are.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::verbs::{apply, commands, deform, info, render, tour, window};

/// An editor for skin weights: open a glTF character, bend it, paint it, save it back with nothing else changed.
///
/// Without a verb the window opens. Exit codes: 0 done, 1 not done (the reason is on stderr), 2 arguments that cannot
/// be understood.
#[derive(Parser)]
#[command(name = "sinew", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// The model to open in the window: .glb, .gltf or .vrm; without one, the demo character
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Says on stdout when the first frame with the model was shown, and ends: for `cargo xtask bench`
    #[arg(long, hide = true)]
    exit_after_first_frame: bool,
}

#[derive(Subcommand)]
enum Verb {
    Info(info::Args),
    Apply(apply::Args),
    Deform(deform::Args),
    Render(render::Args),
    Commands(commands::Args),
    Tour(tour::Args),
}

impl Cli {
    /// Does what the arguments say.
    pub fn run(self) -> anyhow::Result<()> {
        match self.verb {
            None => window::run(&self.files, self.exit_after_first_frame),
            Some(Verb::Info(args)) => info::run(&args),
            Some(Verb::Apply(args)) => apply::run(&args),
            Some(Verb::Deform(args)) => deform::run(&args),
            Some(Verb::Render(args)) => render::run(&args),
            Some(Verb::Commands(args)) => commands::run(&args),
            Some(Verb::Tour(args)) => tour::run(&args),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_agree_with_each_other() {
        Cli::command().debug_assert();
    }
}
