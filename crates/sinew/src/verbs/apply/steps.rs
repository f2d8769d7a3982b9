//! `--do` and `--script`, in the order in which they stand on the command line.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, value_parser};

const DO: &str = "do";
const SCRIPT: &str = "script";

/// Where lines come from.
pub struct Steps(Vec<Origin>);

enum Origin {
    /// The line itself, and which `--do` it is, from 1.
    Do(usize, String),
    Script(PathBuf),
}

/// A line to do.
pub struct Step {
    /// Where it stands, for messages.
    pub place: String,
    /// The line.
    pub line: String,
}

impl Steps {
    /// All lines in order, comments and blank lines included. Nothing is done before every script is read.
    pub fn read(&self) -> anyhow::Result<Vec<Step>> {
        let mut steps = Vec::new();
        for origin in &self.0 {
            match origin {
                Origin::Do(number, line) => {
                    steps.push(Step { place: format!("--do {number} ({})", shortened(line)), line: line.clone() });
                }
                Origin::Script(path) => steps.extend(script(path)?),
            }
        }
        Ok(steps)
    }
}

fn script(path: &Path) -> anyhow::Result<Vec<Step>> {
    let text = sinew_io::read_script(path)?;
    let step =
        |(i, line): (usize, &str)| Step { place: format!("{}:{}", path.display(), i + 1), line: line.to_owned() };
    Ok(text.lines().enumerate().map(step).collect())
}

/// The beginning of a line: strokes may be very long.
fn shortened(line: &str) -> String {
    const LONGEST: usize = 60;
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

impl clap::Args for Steps {
    fn augment_args(command: Command) -> Command {
        command
            .arg(
                Arg::new(DO)
                    .long(DO)
                    .value_name("LINE")
                    .action(ArgAction::Append)
                    .help("Do this command line; may be given several times"),
            )
            .arg(
                Arg::new(SCRIPT)
                    .long(SCRIPT)
                    .value_name("F")
                    .action(ArgAction::Append)
                    .value_parser(value_parser!(PathBuf))
                    .help("Do the lines of this file; may be given several times"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Steps {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let indices = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<_>>();
        let lines = matches.get_many::<String>(DO).into_iter().flatten().enumerate();
        let lines = lines.map(|(i, line)| Origin::Do(i + 1, line.clone()));
        let scripts = matches.get_many::<PathBuf>(SCRIPT).into_iter().flatten().cloned().map(Origin::Script);
        let mut origins: Vec<(usize, Origin)> =
            indices(DO).into_iter().zip(lines).chain(indices(SCRIPT).into_iter().zip(scripts)).collect();
        origins.sort_by_key(|(index, _)| *index);
        Ok(Self(origins.into_iter().map(|(_, origin)| origin).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
