//! Opening the model that a verb is about.

use std::io::Write as _;
use std::path::Path;

use anyhow::anyhow;
use sinew_io::{Imported, MapResolver, OpenError};

use crate::stdout::printable;

/// The demo character, which needs no file.
static DEMO: &[u8] = include_bytes!("../../../assets/biped.glb");

/// Opens a file; the error names it.
pub fn open(path: &Path) -> anyhow::Result<Imported> {
    sinew_io::open(path).map_err(|error| match error {
        OpenError::Read { .. } => error.into(),
        error => anyhow!("cannot open the model: {error}: {}", path.display()),
    })
}

/// Opens a file and says on stderr what is unusual in it.
pub fn open_with_warnings(path: &Path) -> anyhow::Result<Imported> {
    let imported = open(path)?;
    for warning in &imported.warnings {
        // A verb goes on when nobody can read its warnings.
        let _ = writeln!(std::io::stderr(), "warning: {}", printable(&warning.to_string()));
    }
    Ok(imported)
}

/// The demo character.
pub fn demo() -> anyhow::Result<Imported> {
    demo_model().map_err(|error| anyhow!("cannot open the demo character: {error}"))
}

/// The demo character, for the window, which says itself what went wrong.
pub fn demo_model() -> Result<Imported, OpenError> {
    sinew_io::import(DEMO.to_vec(), &MapResolver::default())
}
