//! The one binary: `sinew FILE` opens the window, `sinew VERB FILE` runs without one.
//!
//! Boundary: reads arguments and files, prints, ends with a code. What is done to a document is said elsewhere.

mod cli;
mod export_args;
mod model_file;
mod pose_args;
mod stdout;
mod verbs;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    // Drivers grumble while adapters are looked for; what matters of it comes back as an error.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error,wgpu_hal=off")).init();
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the output has had enough of it.
        Err(error) if stdout::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if even this cannot be written.
            let _ = writeln!(std::io::stderr(), "error: {}", stdout::printable(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}
