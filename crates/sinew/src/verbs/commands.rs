//! `sinew commands`: every command line that scripts may hold.

use std::fmt::Write as _;

use serde::Serialize;
use sinew_edit::COMMANDS;

use crate::stdout;

/// List every command line that `sinew apply` takes
///
/// --json prints [{"name", "usage", "hint", "params": [{"key", "value", "default", "hint"}]}]; "default" is null where
/// the parameter must be given.
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CommandHelp {
    name: &'static str,
    usage: String,
    hint: &'static str,
    params: Vec<ParamHelp>,
}

#[derive(Serialize)]
struct ParamHelp {
    key: &'static str,
    value: &'static str,
    default: Option<&'static str>,
    hint: &'static str,
}

/// Prints the list.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let commands: Vec<CommandHelp> = COMMANDS
        .iter()
        .map(|command| CommandHelp {
            name: command.name,
            usage: command.usage(),
            hint: command.hint,
            params: command
                .params
                .iter()
                .map(|p| ParamHelp { key: p.key, value: p.value, default: p.default, hint: p.hint })
                .collect(),
        })
        .collect();
    if args.json {
        return stdout::json(&commands);
    }
    let mut text = String::from(
        "One command a line: name key=value …. Values with spaces are \"quoted\" (\\\" and \\\\ inside); \
         a line that begins with # is a comment.\n",
    );
    for command in &commands {
        let _ = writeln!(text, "\n{}\n    {}", command.usage, command.hint);
        for param in &command.params {
            let default = param.default.map_or_else(String::new, |default| format!(" (without it: {default})"));
            let _ = writeln!(text, "    {}={}: {}{default}", param.key, param.value, param.hint);
        }
    }
    stdout::line(text.trim_end())
}
