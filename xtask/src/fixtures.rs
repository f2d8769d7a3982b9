//! `cargo xtask fixtures`: writes the demo characters. The same bytes every time and on every machine, which a test holds.

mod arm;
mod biped;

use anyhow::Context;

use crate::cargo::workspace_root;

/// A demo character: file name under `assets/` and what makes its bytes.
type Asset = (&'static str, fn() -> Vec<u8>);

const ASSETS: &[Asset] = &[("arm.glb", arm::glb), ("biped.glb", biped::glb)];

/// Writes all of them.
pub fn run(_arguments: &[String]) -> anyhow::Result<()> {
    let dir = workspace_root().join("assets");
    std::fs::create_dir_all(&dir).context("the assets folder cannot be made")?;
    for (name, make) in ASSETS {
        let bytes = make();
        std::fs::write(dir.join(name), &bytes).with_context(|| format!("assets/{name} cannot be written"))?;
        println!("assets/{name}: {} bytes", bytes.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn the_committed_characters_are_what_the_program_makes() {
        for (name, make) in ASSETS {
            let committed = std::fs::read(workspace_root().join("assets").join(name)).expect("the character is there");
            assert!(committed == make(), "assets/{name} differs: run `cargo xtask fixtures`");
        }
    }

    #[test]
    fn the_khronos_validator_finds_no_error_and_no_warning() {
        let paths: Vec<PathBuf> = ASSETS.iter().map(|(name, _)| workspace_root().join("assets").join(name)).collect();
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        sinew_tests::validate_gltf(&paths, None).assert_no_warning();
    }
}
