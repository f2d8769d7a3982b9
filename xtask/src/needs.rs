//! What the build, the window and the tests need from the machine, and what of it is missing.
//!
//! The editor links only the C library; X11, xkb and Vulkan are opened at run time, so that a missing one
//! would be a failure at start, not at build. Hence this list.

use std::path::PathBuf;
use std::process::Command;

/// One thing that must be on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// What it is, for people.
    pub what: &'static str,
    /// The Debian or Ubuntu package that brings it.
    pub package: &'static str,
    /// How to see whether it is there.
    pub sign: Sign,
}

/// What shows that a need is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// One of these programs is on the path.
    Program(&'static [&'static str]),
    /// A shared library with this name can be found.
    Library(&'static str),
    /// A Vulkan driver file whose name starts so; empty for any driver.
    VulkanDriver(&'static str),
}

/// How the machine answers; a test puts another in its place.
pub trait Probe {
    /// Is this need met?
    fn has(&self, sign: Sign) -> bool;
}

/// meshopt, which decodes compressed meshes, is C++.
const BUILD: &[Need] =
    &[Need { what: "a C++ compiler", package: "g++", sign: Sign::Program(&["c++", "g++", "clang++"]) }];

const VULKAN_LOADER: Need =
    Need { what: "the Vulkan loader", package: "libvulkan1", sign: Sign::Library("libvulkan.so.1") };

const fn library(package: &'static str, name: &'static str) -> Need {
    Need { what: name, package, sign: Sign::Library(name) }
}

const WINDOW: &[Need] = &[
    library("libx11-6", "libX11.so.6"),
    library("libx11-xcb1", "libX11-xcb.so.1"),
    library("libxcursor1", "libXcursor.so.1"),
    library("libxi6", "libXi.so.6"),
    library("libxrandr2", "libXrandr.so.2"),
    library("libxkbcommon0", "libxkbcommon.so.0"),
    library("libxkbcommon-x11-0", "libxkbcommon-x11.so.0"),
    VULKAN_LOADER,
    Need { what: "a Vulkan driver", package: "mesa-vulkan-drivers", sign: Sign::VulkanDriver("") },
];

/// The tests draw in software, which gives the same pixels everywhere.
const SOFTWARE_VULKAN: &[Need] = &[
    VULKAN_LOADER,
    Need {
        what: "the software Vulkan driver (lavapipe)",
        package: "mesa-vulkan-drivers",
        sign: Sign::VulkanDriver("lvp_icd"),
    },
];

/// A desk and a hand for the real window.
const DESK: &[Need] = &[
    Need { what: "a virtual X server", package: "xvfb", sign: Sign::Program(&["Xvfb"]) },
    Need { what: "xdotool", package: "xdotool", sign: Sign::Program(&["xdotool"]) },
];

/// An eye for it.
const EYE: &[Need] = &[Need { what: "ImageMagick", package: "imagemagick", sign: Sign::Program(&["import"]) }];

/// What taking pictures of the window takes.
pub fn to_take_pictures() -> Vec<Need> {
    each_once(&[to_run().as_slice(), SOFTWARE_VULKAN, DESK, EYE])
}

/// What building and opening the editor takes on this system.
pub fn to_run() -> Vec<Need> {
    match std::env::consts::OS {
        "linux" => {
            let wayland =
                std::env::var_os("WAYLAND_DISPLAY").map(|_| library("libwayland-client0", "libwayland-client.so.0"));
            BUILD.iter().chain(WINDOW).copied().chain(wayland).collect()
        }
        "windows" => Vec::new(), // Rust itself asks for the same C++ build tools, and the graphics driver is there
        _ => BUILD.to_vec(),
    }
}

/// What running every test takes on this system; on Linux one of them opens the window.
pub fn to_test() -> Vec<Need> {
    match std::env::consts::OS {
        "linux" => each_once(&[BUILD, SOFTWARE_VULKAN, WINDOW, DESK]),
        "windows" => Vec::new(),
        _ => BUILD.to_vec(),
    }
}

fn each_once(lists: &[&[Need]]) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    for need in lists.iter().copied().flatten() {
        if !needs.contains(need) {
            needs.push(*need);
        }
    }
    needs
}

/// Those of `needs` that `probe` does not find.
pub fn missing(needs: &[Need], probe: &dyn Probe) -> Vec<Need> {
    needs.iter().copied().filter(|need| !probe.has(need.sign)).collect()
}

/// This machine.
pub struct Machine;

impl Probe for Machine {
    fn has(&self, sign: Sign) -> bool {
        match sign {
            Sign::Program(names) => {
                let compiler_named = names.contains(&"c++") && std::env::var_os("CXX").is_some();
                compiler_named || names.iter().any(|name| program_exists(name))
            }
            Sign::Library(name) => library_exists(name),
            Sign::VulkanDriver(prefix) => {
                let named_by_hand =
                    std::env::var_os("VK_DRIVER_FILES").or_else(|| std::env::var_os("VK_ICD_FILENAMES"));
                named_by_hand.is_some() || vulkan_driver(prefix).is_some()
            }
        }
    }
}

/// Is there a program of this name on the path?
pub fn program_exists(name: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
}

fn library_exists(name: &str) -> bool {
    // The loader's own list; it lies in /sbin, which is not on everyone's path.
    for program in ["ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"] {
        if let Ok(output) = Command::new(program).arg("-p").output()
            && output.status.success()
        {
            let listed = String::from_utf8_lossy(&output.stdout)
                .lines()
                .any(|line| line.split_whitespace().next() == Some(name));
            if listed {
                return true;
            }
            break;
        }
    }
    let arch_dir = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    let mut dirs: Vec<PathBuf> =
        ["/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib", &arch_dir].map(PathBuf::from).to_vec();
    if let Some(path) = std::env::var_os("LD_LIBRARY_PATH") {
        dirs.extend(std::env::split_paths(&path));
    }
    dirs.iter().any(|dir| dir.join(name).exists())
}

/// The first driver file, in name order, whose name starts with `prefix`.
pub fn vulkan_driver(prefix: &str) -> Option<PathBuf> {
    let mut dirs: Vec<PathBuf> =
        ["/etc", "/usr/share", "/usr/local/share", "/usr/local/etc", "/run/opengl-driver/share"]
            .map(PathBuf::from)
            .to_vec();
    if let Some(home) = std::env::home_dir() {
        dirs.push(home.join(".local/share"));
    }
    if let Some(data_dirs) = std::env::var_os("XDG_DATA_DIRS") {
        dirs.extend(std::env::split_paths(&data_dirs));
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for dir in dirs {
        let Ok(entries) = std::fs::read_dir(dir.join("vulkan/icd.d")) else { continue };
        files.extend(entries.flatten().map(|entry| entry.path()).filter(|path| is_driver(path, prefix)));
    }
    files.sort();
    // A machine may carry drivers for other processors too.
    let ours = format!(".{}.", std::env::consts::ARCH);
    files.iter().find(|path| path.to_string_lossy().contains(&ours)).or(files.first()).cloned()
}

fn is_driver(path: &std::path::Path, prefix: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(prefix) && path.extension().is_some_and(|extension| extension == "json")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine that lacks some things.
    struct Lacking(&'static [Sign]);

    impl Probe for Lacking {
        fn has(&self, sign: Sign) -> bool {
            !self.0.contains(&sign)
        }
    }

    #[test]
    fn a_machine_with_everything_misses_nothing() {
        assert_eq!(missing(WINDOW, &Lacking(&[])), []);
    }

    #[test]
    fn each_missing_thing_is_named_with_its_package() {
        let lacking = Lacking(&[Sign::Library("libXi.so.6"), Sign::VulkanDriver("")]);
        let found = missing(WINDOW, &lacking);
        assert_eq!(found.iter().map(|need| need.package).collect::<Vec<_>>(), ["libxi6", "mesa-vulkan-drivers"]);
    }

    #[test]
    fn the_tests_ask_for_the_software_driver_even_where_there_is_another() {
        let lacking = Lacking(&[Sign::VulkanDriver("lvp_icd")]);
        assert_eq!(missing(WINDOW, &lacking), []);
        assert_eq!(missing(SOFTWARE_VULKAN, &lacking).len(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_tests_ask_for_a_screen_and_a_hand_and_for_nothing_twice() {
        let lacking = Lacking(&[Sign::Program(&["Xvfb"]), Sign::Program(&["xdotool"])]);
        let packages: Vec<_> = missing(&to_test(), &lacking).iter().map(|need| need.package).collect();
        assert_eq!(packages, ["xvfb", "xdotool"]);
        let lacking = Lacking(&[Sign::Library("libvulkan.so.1")]);
        assert_eq!(missing(&to_test(), &lacking).len(), 1);
    }

    #[test]
    fn driver_files_are_told_by_their_names() {
        let path = std::path::Path::new("lvp_icd.x86_64.json");
        assert!(is_driver(path, "lvp_icd") && is_driver(path, "") && !is_driver(path, "radeon"));
        assert!(!is_driver(std::path::Path::new("lvp_icd.x86_64.json.bak"), "lvp_icd"));
    }

    #[test]
    fn a_program_that_does_not_exist_is_not_found() {
        assert!(!program_exists("no-program-has-this-name"));
    }
}
