//! Installing what is missing, through apt where that is possible; else saying in one line what to type.

use std::process::{Command, Stdio};

use anyhow::bail;

use crate::cargo::show;
use crate::needs::{Machine, Need, missing, program_exists};

/// How apt may be used here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Apt {
    /// We are root.
    Direct,
    /// Through sudo, which asks for no password.
    Sudo,
    /// There is apt, but we may not use it.
    NotAllowed,
    /// There is no apt.
    None,
}

/// Installs those of `needs` that are missing. An error says what to do by hand.
pub fn ensure_present(needs: &[Need]) -> anyhow::Result<()> {
    let absent = missing(needs, &Machine);
    if absent.is_empty() {
        return Ok(());
    }
    eprintln!("missing: {}", names(&absent));
    let apt = apt();
    if let Apt::NotAllowed | Apt::None = apt {
        bail!("{}", by_hand(&absent, apt, std::env::consts::OS));
    }
    // Package lists that cannot be refreshed may still be good enough.
    if let Err(error) = show(&mut apt_get(apt, &["update"])) {
        eprintln!("note: {error:#}");
    }
    let mut install = apt_get(apt, &["install", "-y", "--no-install-recommends"]);
    if let Err(error) = show(install.args(packages(&absent))) {
        bail!("{error:#}\n{}", by_hand(&absent, Apt::NotAllowed, "linux"));
    }
    let still_absent = missing(needs, &Machine);
    if !still_absent.is_empty() {
        // The packages are there; perhaps only our way of looking fails on this system.
        eprintln!("note: installed, but not found where it is usually: {}", names(&still_absent));
    }
    Ok(())
}

fn names(needs: &[Need]) -> String {
    needs.iter().map(|need| need.what).collect::<Vec<_>>().join(", ")
}

/// The packages to install, each once, in the order of the needs.
fn packages(needs: &[Need]) -> Vec<&'static str> {
    let mut packages = Vec::new();
    for need in needs {
        if !packages.contains(&need.package) {
            packages.push(need.package);
        }
    }
    packages
}

/// What a person has to do.
fn by_hand(absent: &[Need], apt: Apt, os: &str) -> String {
    match (os, apt) {
        ("linux", Apt::None) => format!("please install with your package manager: {}", names(absent)),
        ("linux", _) => format!(
            "please type:\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends {}",
            packages(absent).join(" ")
        ),
        ("macos", _) => "please type:\n  xcode-select --install".to_owned(),
        _ => format!("please install: {}", names(absent)),
    }
}

fn apt() -> Apt {
    let quiet =
        |command: &mut Command| command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !cfg!(target_os = "linux") || !program_exists("apt-get") {
        return Apt::None;
    }
    let user = Command::new("id").arg("-u").output();
    if user.is_ok_and(|output| output.stdout.trim_ascii() == b"0") {
        return Apt::Direct;
    }
    if quiet(Command::new("sudo").args(["-n", "true"])).is_ok_and(|status| status.success()) {
        return Apt::Sudo;
    }
    Apt::NotAllowed
}

fn apt_get(apt: Apt, arguments: &[&str]) -> Command {
    let mut command = if apt == Apt::Sudo {
        let mut command = Command::new("sudo");
        command.args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        command
    } else {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    // Another apt (a machine that has just started updates itself) gets five minutes to finish.
    command.args(["-o", "DPkg::Lock::Timeout=300"]).args(arguments);
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Sign;

    const ABSENT: &[Need] = &[
        Need { what: "a loader", package: "libvulkan1", sign: Sign::Library("libvulkan.so.1") },
        Need { what: "a driver", package: "mesa-vulkan-drivers", sign: Sign::VulkanDriver("") },
        Need { what: "the software driver", package: "mesa-vulkan-drivers", sign: Sign::VulkanDriver("lvp_icd") },
    ];

    #[test]
    fn a_package_that_meets_two_needs_is_named_once() {
        assert_eq!(packages(ABSENT), ["libvulkan1", "mesa-vulkan-drivers"]);
    }

    #[test]
    fn who_may_not_use_apt_is_told_one_line_to_type() {
        let text = by_hand(ABSENT, Apt::NotAllowed, "linux");
        assert!(
            text.ends_with("sudo apt-get install -y --no-install-recommends libvulkan1 mesa-vulkan-drivers"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 2);
    }

    #[test]
    fn systems_without_apt_are_told_what_is_needed() {
        assert!(by_hand(ABSENT, Apt::None, "linux").contains("a loader, a driver"));
        assert!(by_hand(ABSENT, Apt::None, "macos").contains("xcode-select --install"));
        assert!(by_hand(ABSENT, Apt::None, "windows").contains("a loader"));
    }
}
