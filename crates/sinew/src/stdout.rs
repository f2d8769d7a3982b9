//! Output on stdout. Closing it early (`sinew info FILE | head -1`) is no error and no panic. Text may hold names from a
//! file; what they could tell a terminal to do never reaches it.

use std::borrow::Cow;
use std::io::{self, Write as _};

use serde::Serialize;

/// Prints text, which may have several lines, and a line end.
pub fn line(text: &str) -> anyhow::Result<()> {
    let shown: Vec<Cow<'_, str>> = text.split('\n').map(printable).collect();
    write(&(shown.join("\n") + "\n"))
}

/// Prints a value as indented JSON and a line end.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    write(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// One line of text for a terminal: a name in it can neither break the line nor command the terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) { text.replace(char::is_control, "\u{fffd}").into() } else { text.into() }
}

/// Whether an error says that nobody reads the output any more.
pub fn is_closed(error: &anyhow::Error) -> bool {
    error.downcast_ref::<StdoutError>().is_some_and(|error| error.0.kind() == io::ErrorKind::BrokenPipe)
}

/// Why stdout takes nothing.
#[derive(Debug)]
struct StdoutError(io::Error);

impl std::fmt::Display for StdoutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot write to stdout: {}", self.0)
    }
}

impl std::error::Error for StdoutError {}

fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(StdoutError)?;
    Ok(())
}
