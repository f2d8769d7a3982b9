//! A file that is open in the editor.

use glam::Vec3;
use sinew_edit::{Editor, Outcome};
use sinew_io::{Bytes, ContainerKind, GltfSource, ImportWarning, Imported, MapResolver, SaveReport, encode, import};
use sinew_model::{Document, JointSlot, MeshIndex, Row, VertexIndex};
use sinew_tests::Scene;

use crate::compare::{Edited, assert_only_edited_rows_differ, edited};
use crate::stored::Files;

/// The first mesh, which is all there is in most fixtures.
pub const MESH: MeshIndex = MeshIndex(0);

/// An open file: its bytes, the document as it was opened, and the editor.
pub struct Job {
    pub files: Files,
    pub opened: Document,
    pub editor: Editor,
    pub source: GltfSource,
    pub warnings: Vec<ImportWarning>,
}

impl Job {
    /// Opens the first of the files.
    #[track_caller]
    pub fn open(files: Files) -> Self {
        let imported = import_files(&files);
        Self::of_imported(files, imported)
    }

    /// A job on what was opened from disk.
    pub fn of_imported(files: Files, imported: Imported) -> Self {
        let Imported { document, source, warnings } = imported;
        Self { files, opened: document.clone(), editor: Editor::new(document), source, warnings }
    }

    /// Opens one file that needs no other.
    #[track_caller]
    pub fn bytes(bytes: Vec<u8>) -> Self {
        let name = if bytes.starts_with(b"glTF") { "model.glb" } else { "model.gltf" };
        Self::open(vec![(name.to_owned(), bytes)])
    }

    /// Opens a scene as a GLB.
    #[track_caller]
    pub fn of(scene: &Scene) -> Self {
        Self::bytes(scene.glb())
    }

    /// Does lines; gives what the last one did.
    #[track_caller]
    pub fn run(&mut self, lines: &[&str]) -> Outcome {
        let mut last = Outcome::default();
        for line in lines {
            match self.editor.run(line) {
                Ok(outcome) => last = outcome.unwrap_or_default(),
                Err(error) => panic!("{line}: {error}"),
            }
        }
        last
    }

    /// The file as it would be saved in its container, judged: nothing but the edited rows differs, and re-opened it
    /// has the document's rows.
    #[track_caller]
    pub fn save(&self) -> Files {
        self.save_as(self.source.kind()).0
    }

    /// The same in a container of one's choice, with the report.
    #[track_caller]
    pub fn save_as(&self, kind: ContainerKind) -> (Files, SaveReport) {
        let name = if kind == ContainerKind::Glb { "model.glb" } else { "model.gltf" };
        let encoded = match encode(self.document(), &self.source, kind, name) {
            Ok(encoded) => encoded,
            Err(error) => panic!("the document is not saved: {error}"),
        };
        assert!(encoded.report.everything_else_identical);
        let mut files = encoded.files;
        for (name, bytes) in &self.files[1..] {
            if !files.iter().any(|(written, _)| written == name) {
                files.push((name.clone(), bytes.clone()));
            }
        }
        let edited = self.edited();
        assert_eq!(
            encoded.report.n_vertices_changed,
            edited.values().map(std::collections::BTreeSet::len).sum::<usize>()
        );
        assert_only_edited_rows_differ(&self.files, &files, self.document(), &edited);
        if edited.is_empty() && kind == self.source.kind() {
            assert!(files[0].1 == self.files[0].1, "without edits the file is the opened one");
        }
        (files, encoded.report)
    }

    /// Saves and opens the result.
    #[track_caller]
    pub fn reopen(&self) -> Self {
        Self::open(self.save())
    }

    pub fn document(&self) -> &Document {
        self.editor.document()
    }

    /// The vertices whose rows differ from what was opened.
    pub fn edited(&self) -> Edited {
        edited(&self.opened, self.document())
    }

    /// A row of the first mesh.
    pub fn row(&self, vertex: u32) -> Row {
        self.document().mesh(MESH).weights.get(VertexIndex(vertex))
    }

    /// The weight of a slot on a vertex of the first mesh.
    pub fn weight(&self, vertex: u32, slot: u16) -> f32 {
        self.row(vertex).weight(JointSlot(slot))
    }

    /// Every row of every mesh.
    pub fn all_rows(&self) -> Vec<Row> {
        let meshes = self.document().meshes().iter();
        meshes.flat_map(|mesh| mesh.weights.vertices().map(|v| mesh.weights.get(v)).collect::<Vec<_>>()).collect()
    }

    /// Posed positions of an instance, scene space; never NaN.
    #[track_caller]
    pub fn posed(&mut self, instance: usize) -> Vec<Vec3> {
        let posed = &self.editor.posed(instance).posed;
        assert!(posed.positions.iter().chain(&posed.normals).all(|v| v.is_finite()), "a posed vertex is not finite");
        posed.positions.clone()
    }

    /// Posed positions in a pose, by a deformer.
    #[track_caller]
    pub fn posed_in(&mut self, turns: &str, deformer: &str) -> Vec<Vec3> {
        self.run(&[&format!("pose turns={turns}"), &format!("deform by={deformer}")]);
        self.posed(0)
    }
}

/// Imports the first of the files; the others lie beside it.
#[track_caller]
pub fn import_files(files: &Files) -> Imported {
    let beside = files[1..].iter().map(|(name, bytes)| (name.clone(), Bytes::from(bytes.clone()))).collect();
    match import(files[0].1.clone(), &MapResolver(beside)) {
        Ok(imported) => imported,
        Err(error) => panic!("{} does not open: {error}", files[0].0),
    }
}

#[track_caller]
pub fn assert_near(found: Vec3, expected: Vec3, tolerance: f32) {
    assert!(found.distance(expected) <= tolerance, "found {found}, expected {expected}");
}

#[track_caller]
pub fn assert_all_near(found: &[Vec3], expected: &[Vec3], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (v, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(found.distance(*expected) <= tolerance, "vertex {v}: found {found}, expected {expected}");
    }
}

#[track_caller]
pub fn assert_close(found: f32, expected: f32, tolerance: f32) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}

/// Fails with the lengths and the first difference, not with the bytes.
#[track_caller]
pub fn assert_same_files(expected: &Files, found: &Files, what: &str) {
    assert_eq!(expected.len(), found.len(), "{what}: number of files");
    for ((_, expected), (name, found)) in expected.iter().zip(found) {
        let first = expected.iter().zip(found).position(|(a, b)| a != b);
        assert!(
            expected == found,
            "{what}: {name}: {} and {} bytes, first difference at {first:?}",
            expected.len(),
            found.len()
        );
    }
}
