//! The save report: what a save changed, and the proof that nothing else did.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// What a save did.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SaveReport {
    /// The saved file; a bare name if nothing was written to disk.
    pub path: PathBuf,
    /// Size of the opened file (with the files beside it that hold its buffers).
    pub bytes_before: u64,
    /// Size of the saved file (with the files beside it that hold its buffers).
    pub bytes_after: u64,
    /// Meshes that were added, each for one node that shared its mesh before.
    pub meshes_added: Vec<AddedMesh>,
    /// The accessors that changed, in the order of meshes, sets and attributes.
    pub accessors: Vec<ChangedAccessor>,
    /// Vertices whose row changed.
    pub n_vertices_changed: usize,
    /// The largest change of any weight.
    pub largest_weight_change: f32,
    /// Files that were written: the saved one and, if any, files of ours beside it.
    pub files_written: Vec<PathBuf>,
    /// Files of the opened one that were brought along.
    pub files_brought: Vec<PathBuf>,
    /// Files that could not be brought along, and why.
    pub not_brought: Vec<NotBrought>,
    /// What a person should know.
    pub warnings: Vec<String>,
    /// Whether the written file was read back and nothing but the changes above differs.
    pub everything_else_identical: bool,
}

/// A mesh that a save added: a copy for one node, which shows it now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AddedMesh {
    /// Its number in the saved file, the last of all.
    pub mesh: u32,
    /// Its name or number.
    pub name: String,
    /// The name or number of the mesh that it is a copy of.
    pub copy_of: String,
    /// The node that shows it.
    pub node: u32,
    /// That node's name or number.
    pub node_name: String,
}

/// An accessor that a save changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedAccessor {
    /// Its number in the saved file.
    pub accessor: u32,
    /// The attribute: `JOINTS_0`, `WEIGHTS_1` …
    pub attribute: String,
    /// The mesh's name or number.
    pub mesh: String,
    /// The primitives that show it.
    pub primitives: Vec<usize>,
    /// How it was changed.
    pub how: HowChanged,
    /// Elements that differ.
    pub n_vertices_changed: usize,
    /// Its component type, if that is another one now.
    pub new_component: Option<&'static str>,
}

/// How an accessor was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HowChanged {
    /// Its data was overwritten where it is.
    InPlace,
    /// Its data is in another place now.
    Moved,
    /// It is new.
    Added,
}

/// A file that was not brought along.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NotBrought {
    /// Its name, as the opened file has it.
    pub name: String,
    /// Why not.
    pub reason: String,
}

impl fmt::Display for SaveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "saved {}", self.path.display())?;
        writeln!(f, "size {} bytes, was {}", self.bytes_after, self.bytes_before)?;
        for added in &self.meshes_added {
            writeln!(f, "{added}")?;
        }
        if self.accessors.is_empty() {
            writeln!(f, "no weights changed")?;
        } else {
            let (n, most) = (self.n_vertices_changed, self.largest_weight_change);
            writeln!(f, "{n} {} changed, largest weight change {most:.6}", plural(n, "vertex", "vertices"))?;
        }
        for accessor in &self.accessors {
            writeln!(f, "  {accessor}")?;
        }
        for file in self.files_written.iter().filter(|file| **file != self.path) {
            writeln!(f, "wrote {}", file.display())?;
        }
        for file in &self.files_brought {
            writeln!(f, "brought along {}", file.display())?;
        }
        for file in &self.not_brought {
            writeln!(f, "not brought along {}: {}", file.name, file.reason)?;
        }
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        f.write_str(if self.everything_else_identical { "everything else identical" } else { "not read back" })
    }
}

impl fmt::Display for AddedMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mesh, name, copy_of, node_name, .. } = self;
        write!(f, "mesh {mesh} ({name}) added for node {node_name}, a copy of mesh {copy_of}")
    }
}

impl fmt::Display for ChangedAccessor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.how {
            HowChanged::InPlace => "overwritten in place",
            HowChanged::Moved => "moved",
            HowChanged::Added => "added",
        };
        let primitives: Vec<String> = self.primitives.iter().map(usize::to_string).collect();
        write!(
            f,
            "accessor {} ({} of mesh {}, {} {}): {how}, {} {}",
            self.accessor,
            self.attribute,
            self.mesh,
            plural(self.primitives.len(), "primitive", "primitives"),
            primitives.join(" "),
            self.n_vertices_changed,
            plural(self.n_vertices_changed, "vertex", "vertices"),
        )?;
        self.new_component.map_or(Ok(()), |component| write!(f, ", now {component}"))
    }
}

fn plural<'a>(n: usize, one: &'a str, many: &'a str) -> &'a str {
    if n == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_reads_as_plain_lines_and_ends_with_the_proof() {
        let report = SaveReport {
            path: "out/arm.glb".into(),
            bytes_before: 100,
            bytes_after: 104,
            accessors: vec![ChangedAccessor {
                accessor: 3,
                attribute: "WEIGHTS_0".to_owned(),
                mesh: "arm".to_owned(),
                primitives: vec![0, 1],
                how: HowChanged::InPlace,
                n_vertices_changed: 1,
                new_component: None,
            }],
            n_vertices_changed: 1,
            largest_weight_change: 0.25,
            files_written: vec!["out/arm.glb".into()],
            everything_else_identical: true,
            ..SaveReport::default()
        };
        let expected = "saved out/arm.glb\nsize 104 bytes, was 100\n1 vertex changed, largest weight change 0.250000\n  \
                        accessor 3 (WEIGHTS_0 of mesh arm, primitives 0 1): overwritten in place, 1 vertex\n\
                        everything else identical";
        assert_eq!(report.to_string(), expected);
    }
}
