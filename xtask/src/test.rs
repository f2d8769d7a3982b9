//! `cargo xtask test [ARGS]`: software Vulkan and a virtual screen, then every test of the workspace.

use std::process::ExitStatus;

use anyhow::Context;

use crate::cargo::{cargo, command_line, workspace_root};
use crate::install;
use crate::needs::{self, Machine, Probe, Sign};

/// Installs what is missing and runs `cargo test`; the arguments are handed on to it. The last lines are cargo's own.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let status = tests(arguments)?;
    if !status.success() {
        std::process::exit(status.code().unwrap_or(1));
    }
    Ok(())
}

/// The same for a caller that goes on afterwards.
pub fn tests(arguments: &[String]) -> anyhow::Result<ExitStatus> {
    if let Err(error) = install::ensure_present(&needs::to_test()) {
        // Without a compiler nothing can be built; the tests that draw or open a window say what they miss.
        let compiler_there = Machine.has(Sign::Program(&["c++", "g++", "clang++"])) || cfg!(windows);
        if !compiler_there {
            return Err(error);
        }
        eprintln!("note: {error:#}\nnote: tests that draw or open the window cannot run without it");
    }
    let mut command = cargo();
    command.current_dir(workspace_root()).arg("test");
    command.args(selection(arguments)).args(arguments);
    // Pixels are compared with pictures made by the software driver, so that one is used wherever it is.
    let chosen_by_hand = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].into_iter().find_map(std::env::var_os);
    if let Some(files) = chosen_by_hand {
        eprintln!("Vulkan driver: {} (from the environment)", files.display());
    } else if let Some(driver) = needs::vulkan_driver("lvp_icd") {
        eprintln!("Vulkan driver: {} (software)", driver.display());
        command.env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver);
        if std::env::var_os("WGPU_BACKEND").is_none() {
            command.env("WGPU_BACKEND", "vulkan");
        }
    }
    match sinew_tests::shared_models() {
        Some(models) => eprintln!("sample models: {}", models.display()),
        None => eprintln!("sample models: none; tests that need them say so"),
    }
    eprintln!("$ {}", command_line(&command));
    command.status().context("cargo did not start")
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
