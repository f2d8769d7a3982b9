//! Automation: `cargo xtask run | test | ci | tidy | fixtures | bench | screenshots`. One file per subcommand, one line per subcommand in [`SUBCOMMANDS`].
//! Needs no C or C++ to build, and no crate of the editor.

mod bench;
mod cargo;
mod ci;
mod fixtures;
mod install;
mod needs;
mod run;
mod screenshots;
mod test;
mod tidy;

use std::process::ExitCode;

/// A subcommand: its name, its arguments, what it does, and the function that does it.
struct Subcommand {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&[String]) -> anyhow::Result<()>,
}

#[rustfmt::skip]
const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand { name: "run", arguments: "[FILE]", about: "install what is missing, build, open the editor", run: run::run },
    Subcommand { name: "test", arguments: "[CARGO TEST ARGS]", about: "install what is missing, run every test", run: test::run },
    Subcommand { name: "ci", arguments: "[STEP]…", about: "what CI runs: test, fmt, clippy, doc, tidy", run: ci::run },
    Subcommand { name: "tidy", arguments: "", about: "file lengths, module docs, the dependency table", run: tidy::run },
    Subcommand { name: "fixtures", arguments: "", about: "write the demo characters into assets/", run: fixtures::run },
    Subcommand { name: "bench", arguments: "[ARGS]", about: "measure the speed targets beside their yardsticks", run: bench::run },
    Subcommand { name: "screenshots", arguments: "[NAME]…", about: "drive the real window, take its pictures", run: screenshots::run },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        print!("{}", usage());
        return ExitCode::from(2);
    };
    if ["help", "--help", "-h"].contains(&name.as_str()) {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    }
    let Some(subcommand) = SUBCOMMANDS.iter().find(|subcommand| subcommand.name == name) else {
        eprint!("xtask: there is no `{name}`\n{}", usage());
        return ExitCode::from(2);
    };
    match (subcommand.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask {name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let line = |subcommand: &Subcommand| {
        let call = format!("{} {}", subcommand.name, subcommand.arguments);
        format!("  {call:24} {}\n", subcommand.about)
    };
    format!("cargo xtask\n{}", SUBCOMMANDS.iter().map(line).collect::<String>())
}
