//! `cargo xtask tidy`: habits that a compiler does not hold. Each check gives a list of complaints; the same checks run as tests.

mod dependencies;
mod sources;

use anyhow::bail;

use crate::cargo::workspace_root;

/// Runs every check and prints what is wrong.
pub fn run(_arguments: &[String]) -> anyhow::Result<()> {
    let mut complaints = sources::check(&workspace_root())?;
    complaints.extend(dependencies::check()?);
    for complaint in &complaints {
        eprintln!("tidy: {complaint}");
    }
    if !complaints.is_empty() {
        bail!("{} complaint(s)", complaints.len());
    }
    eprintln!("tidy: ok");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_are_tidy() {
        let complaints = sources::check(&workspace_root()).expect("the sources can be read");
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }

    #[test]
    fn every_crate_uses_only_what_the_dependency_table_allows() {
        let complaints = dependencies::check().expect("cargo metadata runs");
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }
}
