//! Who may depend on whom, as data, compared with what `cargo metadata` says. Only normal dependencies count: tests may use anything.

use std::collections::BTreeMap;

use cargo_metadata::{CargoOpt, DependencyKind, MetadataCommand};

use crate::cargo::workspace_root;

/// What one crate may use.
struct Allowed {
    /// The crate, without `sinew_`.
    name: &'static str,
    /// Crates of the workspace, without `sinew_`.
    ours: &'static [&'static str],
    /// Those of [`GUARDED`] that it may use.
    outside: &'static [&'static str],
}

/// Outside crates that decide what a crate is: windows, GPU, files, history.
const GUARDED: &[&str] = &[
    "clap",
    "eframe",
    "egui",
    "egui-wgpu",
    "gltf",
    "image",
    "meshopt",
    "naga",
    "rfd",
    "serde",
    "serde_json",
    "undo",
    "wgpu",
    "winit",
];

const UP_TO_RIG: &[&str] = &["geometry", "model", "weights", "deform", "rig", "inspect"];
const FILES: &[&str] = &["gltf", "image", "meshopt", "serde", "serde_json"];

#[rustfmt::skip]
const TABLE: &[Allowed] = &[
    Allowed { name: "geometry", ours: &[], outside: &[] },
    Allowed { name: "model", ours: &["geometry"], outside: &[] },
    Allowed { name: "weights", ours: &["geometry", "model"], outside: &[] },
    Allowed { name: "deform", ours: &["geometry", "model"], outside: &[] },
    Allowed { name: "rig", ours: &["geometry", "model"], outside: &[] },
    Allowed { name: "inspect", ours: &["geometry", "model", "weights", "deform", "rig"], outside: &[] },
    Allowed { name: "io", ours: &["model"], outside: FILES },
    Allowed { name: "edit", ours: UP_TO_RIG, outside: &["undo"] },
    Allowed { name: "render", ours: &[], outside: &["wgpu"] },
    Allowed { name: "app", ours: &["geometry", "model", "weights", "deform", "rig", "inspect", "io", "edit", "render"],
        outside: &["eframe", "egui", "egui-wgpu", "image", "rfd", "serde", "serde_json", "wgpu"] },
    Allowed { name: "sinew", ours: &["geometry", "model", "weights", "deform", "rig", "inspect", "io", "edit", "render", "app"],
        outside: &["clap", "image", "serde", "serde_json"] },
    Allowed { name: "tests", ours: &[], outside: &["serde_json"] },
    Allowed { name: "xtask", ours: &["tests"], outside: &["serde_json"] },
];

/// Direct normal dependencies of each crate of the workspace, by full name.
type Uses = BTreeMap<String, Vec<String>>;

/// Compares the workspace with the table.
pub fn check() -> anyhow::Result<Vec<String>> {
    let metadata = MetadataCommand::new()
        .manifest_path(workspace_root().join("Cargo.toml"))
        .features(CargoOpt::AllFeatures)
        .no_deps()
        .exec()?;
    let mut uses = Uses::new();
    for package in metadata.workspace_packages() {
        let normal = package.dependencies.iter().filter(|dependency| dependency.kind == DependencyKind::Normal);
        uses.insert(package.name.to_string(), normal.map(|dependency| dependency.name.clone()).collect());
    }
    Ok(complaints(&uses))
}

fn complaints(uses: &Uses) -> Vec<String> {
    let mut complaints = Vec::new();
    for (package, dependencies) in uses {
        let Some(allowed) = TABLE.iter().find(|allowed| allowed.name == short(package)) else {
            complaints.push(format!("{package} has no line in the dependency table"));
            continue;
        };
        for dependency in dependencies {
            let ours = uses.contains_key(dependency);
            let fine = if ours {
                allowed.ours.contains(&short(dependency))
            } else {
                !GUARDED.contains(&dependency.as_str()) || allowed.outside.contains(&dependency.as_str())
            };
            if !fine {
                complaints.push(format!(
                    "{package} may not depend on {dependency} (the table in xtask/src/tidy/dependencies.rs)"
                ));
            }
        }
    }
    complaints
}

fn short(package: &str) -> &str {
    package.strip_prefix("sinew_").unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(list: &[(&str, &[&str])]) -> Uses {
        list.iter()
            .map(|(package, dependencies)| {
                ((*package).to_owned(), dependencies.iter().map(|&name| name.to_owned()).collect())
            })
            .collect()
    }

    #[test]
    fn allowed_dependencies_raise_no_complaint() {
        let uses = uses(&[
            ("sinew_geometry", &["glam"]),
            ("sinew_model", &["sinew_geometry", "glam"]),
            ("sinew_io", &["gltf"]),
        ]);
        assert_eq!(complaints(&uses), [""; 0]);
    }

    #[test]
    fn a_kernel_crate_that_reaches_sideways_or_outside_is_named() {
        let uses = uses(&[("sinew_rig", &["sinew_deform", "serde"]), ("sinew_deform", &[])]);
        let complaints = complaints(&uses);
        assert_eq!(complaints.len(), 2);
        assert!(complaints[0].starts_with("sinew_rig may not depend on sinew_deform"));
        assert!(complaints[1].starts_with("sinew_rig may not depend on serde"));
    }

    #[test]
    fn a_crate_without_a_line_is_named() {
        assert_eq!(complaints(&uses(&[("sinew_cloth", &[])])), ["sinew_cloth has no line in the dependency table"]);
    }

    #[test]
    fn the_table_has_no_cycle() {
        // Each crate may use only crates above it in the table, apart from the two at its end, which stand alone.
        for (row, allowed) in TABLE.iter().enumerate() {
            for used in allowed.ours {
                let used_row = TABLE.iter().position(|other| other.name == *used).expect("used crates have a line");
                assert!(used_row < row, "{} uses {used}, which comes later", allowed.name);
            }
        }
    }
}
