//! `cargo xtask test [ARGS]`: software Vulkan, then every test of the workspace.

use crate::cargo::{cargo, show, workspace_root};
use crate::install;
use crate::needs::{self, Machine, Probe, Sign};

/// Installs what is missing and runs `cargo test`; the arguments are handed on to it.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    if let Err(error) = install::ensure_present(&needs::to_test()) {
        // Without a compiler nothing can be built; without Vulkan the tests that draw say what they miss.
        let compiler_there = Machine.has(Sign::Program(&["c++", "g++", "clang++"])) || cfg!(windows);
        if !compiler_there {
            return Err(error);
        }
        eprintln!("note: {error:#}\nnote: tests that draw cannot run without it");
    }
    let mut command = cargo();
    command.current_dir(workspace_root()).arg("test");
    command.args(selection(arguments)).args(arguments);
    // Pixels are compared with pictures made by the software driver, so that one is used wherever it is.
    let chosen_by_hand = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
    if let Some(driver) = needs::vulkan_driver("lvp_icd").filter(|_| !chosen_by_hand) {
        eprintln!("drawing in software: {}", driver.display());
        command.env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver);
        if std::env::var_os("WGPU_BACKEND").is_none() {
            command.env("WGPU_BACKEND", "vulkan");
        }
    }
    show(&mut command)
}

/// Everything, unless the arguments name packages themselves. One failing test does not keep the others from running.
fn selection(arguments: &[String]) -> Vec<&'static str> {
    let own = arguments.iter().take_while(|argument| *argument != "--");
    let names_packages =
        own.clone().any(|argument| argument == "-p" || argument.starts_with("--package") || argument == "--workspace");
    let stops_early = own.clone().any(|argument| argument == "--no-fail-fast");
    let mut selection = Vec::new();
    if !names_packages {
        selection.push("--workspace");
    }
    if !stops_early {
        selection.push("--no-fail-fast");
    }
    selection
}

#[cfg(test)]
mod tests {
    use super::selection;

    fn check(arguments: &[&str], expected: &[&str]) {
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        assert_eq!(selection(&arguments), expected);
    }

    #[test]
    fn everything_is_tested_unless_packages_are_named() {
        check(&[], &["--workspace", "--no-fail-fast"]);
        check(&["seam"], &["--workspace", "--no-fail-fast"]);
        check(&["-p", "sinew_io"], &["--no-fail-fast"]);
        check(&["--package=sinew_io", "--no-fail-fast"], &[]);
        check(&["--", "-p"], &["--workspace", "--no-fail-fast"]);
    }
}
