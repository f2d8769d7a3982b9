//! What is ours beside the model: it comes back as it was kept, and nobody else's words in it are lost.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails there, helpers included")]

use std::fs;
use std::path::{Path, PathBuf};

use glam::Vec3;
use proptest::prelude::*;
use sinew_io::project::{NamedPose, Project, ProjectError, Stored, load, project_path, store};
use sinew_io::{MapResolver, import};
use sinew_model::{Budget, ClipIndex, ClipTime, Document, MeshIndex, NodeIndex, Pose, VertexIndex, VertexMask};
use sinew_tests::{Clip, Scene, strip};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with(text: &str) -> Self {
        let folder = Self::new();
        fs::write(folder.path(), text).unwrap();
        folder
    }

    fn model(&self) -> PathBuf {
        self.0.path().join("arm.glb")
    }

    fn path(&self) -> PathBuf {
        project_path(&self.model())
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[track_caller]
    fn load(&self, document: &Document) -> (Project, Vec<String>) {
        let (project, warnings) = load(document, &self.model()).unwrap();
        (project.unwrap(), warnings.iter().map(ToString::to_string).collect())
    }
}

/// STRIP with a joint without a name and two clips.
fn scene() -> Scene {
    let mut scene = strip();
    scene.add_joint(1, "", Vec3::Y * 0.5);
    scene.clips = ["walk", "run"].map(|name| Clip { name: name.to_owned(), ..Clip::default() }).to_vec();
    scene
}

fn document_of(scene: &Scene) -> Document {
    import(scene.glb(), &MapResolver::default()).unwrap().document
}

fn joint(document: &Document, name: &str) -> NodeIndex {
    let nodes = document.nodes();
    let mut joints = document.joints().iter().copied();
    joints.find(|&joint| nodes.node(joint).name.as_deref().unwrap_or_default() == name).unwrap()
}

fn bent(document: &Document) -> Pose {
    let mut pose = Pose::rest();
    pose.set_turn_deg(joint(document, "J1"), Vec3::new(0.1, -90.0, 1e-7));
    pose.set_turn_deg(joint(document, ""), Vec3::X);
    pose.clip = Some(ClipTime { clip: ClipIndex(1), time_s: 0.3 });
    pose.morph_weights.insert(document.instances()[0].node, vec![0.25, 1.0]);
    pose
}

fn full(document: &Document) -> Project {
    let mut project = Project::default();
    project.locks = vec![joint(document, ""), joint(document, "J0")];
    project.budget = Some(Budget::Influences(8));
    project.pose = bent(document);
    project.poses =
        ["fist", "fist", "a \"b\"\n"].map(|name| NamedPose { name: name.to_owned(), pose: bent(document) }).to_vec();
    project
}

#[track_caller]
fn assert_same(found: &Project, expected: &Project) {
    let mut locks = expected.locks.clone();
    locks.sort_unstable();
    assert_eq!(found.locks, locks);
    assert_eq!((found.budget, &found.pose, &found.poses), (expected.budget, &expected.pose, &expected.poses));
}

#[test]
fn what_was_kept_comes_back_and_keeping_it_again_changes_no_byte() {
    let (folder, document) = (Folder::new(), document_of(&scene()));
    let project = full(&document);
    assert_eq!(store(&document, &project, &folder.model()).unwrap(), Stored::Written(folder.path()));
    let (found, warnings) = folder.load(&document);
    assert_same(&found, &project);
    assert_eq!(warnings, [""; 0]);
    assert_eq!(store(&document, &found, &folder.model()).unwrap(), Stored::Unchanged);
    assert_eq!(store(&document, &project, &folder.model()).unwrap(), Stored::Unchanged);
    assert_eq!(folder.names(), ["arm.sinew.json"]);
}

#[test]
fn the_text_has_a_line_for_each_thing_in_a_fixed_order() {
    let (folder, document) = (Folder::new(), document_of(&scene()));
    let mut project = Project::default();
    project.locks = vec![joint(&document, "J1"), joint(&document, "J0")];
    project.budget = Some(Budget::Unlimited);
    project.poses = vec![NamedPose { name: "bent".to_owned(), pose: bent(&document) }];
    project.poses[0].pose.morph_weights.clear();
    store(&document, &project, &folder.model()).unwrap();
    let (j0, j1, tip) = (joint(&document, "J0"), joint(&document, "J1"), joint(&document, ""));
    let expected = format!(
        r#"{{
  "sinew": 1,
  "budget": "unlimited",
  "locks": [
    {{ "name": "J0", "node": {j0} }},
    {{ "name": "J1", "node": {j1} }}
  ],
  "poses": [
    {{
      "name": "bent",
      "clip": {{ "name": "run", "index": 1, "time_s": 0.3 }},
      "turns": [
        {{ "name": "J1", "node": {j1}, "degrees": [0.1, -90, 1e-7] }},
        {{ "node": {tip}, "degrees": [1, 0, 0] }}
      ]
    }}
  ]
}}
"#
    );
    assert_eq!(folder.text(), expected);
}

fn mask(values: &[(u32, f32)]) -> VertexMask {
    values.iter().map(|&(vertex, value)| (VertexIndex(vertex), value)).collect()
}

#[test]
fn pairs_and_masks_come_back_and_are_kept_with_what_they_were_for() {
    let (folder, document) = (Folder::new(), document_of(&scene()));
    let [j0, j1, tip] = ["J0", "J1", ""].map(|name| joint(&document, name));
    let mut project = Project::default();
    project.pairs = [(j1, j0), (tip, tip)].into_iter().collect();
    project.masks = vec![(MeshIndex(0), mask(&[(0, 0.0), (1, 0.0), (2, 0.1), (9, 0.5)]))];
    store(&document, &project, &folder.model()).unwrap();
    let expected = format!(
        r#"{{
  "sinew": 1,
  "pairs": [
    {{
      "name": "J0",
      "node": {j0},
      "twin": {{ "name": "J1", "node": {j1} }}
    }},
    {{
      "node": {tip},
      "twin": {{ "node": {tip} }}
    }}
  ],
  "masks": [
    {{ "name": "Strip", "index": 0, "n_vertices": 10, "mask": "0-1:0,2:0.1,9:0.5" }}
  ]
}}
"#
    );
    assert_eq!(folder.text(), expected);
    let (found, warnings) = folder.load(&document);
    assert_eq!((&found.pairs, &found.masks, warnings.len()), (&project.pairs, &project.masks, 0));
    assert_eq!(store(&document, &found, &folder.model()).unwrap(), Stored::Unchanged);
    store(&document, &Project::default(), &folder.model()).unwrap();
    assert!(folder.names().is_empty());
}

#[test]
fn a_mask_for_another_mesh_and_a_pair_of_a_joint_that_is_gone_are_reported_and_stay() {
    let text = r#"{"sinew": 1, "masks": [{"name": "Strip", "index": 0, "n_vertices": 11, "mask": "10:0"}, {"name": "Hat",
        "index": 7, "n_vertices": 5, "mask": "0:0.5"}], "pairs": [{"name": "J0", "node": 0, "twin": {"name": "J9", "node": 9}}]}"#;
    let (folder, document) = (Folder::new(), document_of(&scene()));
    fs::write(folder.path(), text).unwrap();
    let (mut found, warnings) = folder.load(&document);
    assert!(found.masks.is_empty() && found.pairs.is_empty());
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[0].contains("pairs/0/twin: the model has no joint \"J9\""), "{warnings:?}");
    found.locks.push(joint(&document, "J1"));
    store(&document, &found, &folder.model()).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&folder.text()).unwrap();
    let before: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!((&kept["masks"], &kept["pairs"]), (&before["masks"], &before["pairs"]));
    // A mask that the mesh has now takes the place of the one that did not fit.
    found.masks = vec![(MeshIndex(0), mask(&[(4, 0.0)]))];
    store(&document, &found, &folder.model()).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&folder.text()).unwrap();
    let names: Vec<_> = kept["masks"].as_array().unwrap().iter().map(|entry| entry["mask"].clone()).collect();
    assert_eq!(names, ["4:0", "0:0.5"]);
}

#[test]
fn a_mask_that_is_no_mask_is_an_error_that_names_its_place() {
    for (member, place) in [
        (r#""mask": "10:0", "n_vertices": 10"#, "masks/0/mask"),
        (r#""mask": 5, "n_vertices": 10"#, "masks/0/mask"),
        (r#""mask": "1:0""#, "masks/0/n_vertices"),
    ] {
        let folder = Folder::new();
        let text = format!(r#"{{"sinew": 1, "masks": [{{"name": "Strip", "index": 0, {member}}}]}}"#);
        fs::write(folder.path(), text).unwrap();
        let error = load(&document_of(&scene()), &folder.model()).expect_err("no mask").to_string();
        assert!(error.contains(place), "{error}");
    }
}

#[test]
fn nothing_to_keep_is_no_file() {
    let (folder, document) = (Folder::new(), document_of(&scene()));
    assert_eq!(store(&document, &Project::default(), &folder.model()).unwrap(), Stored::Nothing);
    assert_eq!(load(&document, &folder.model()).unwrap(), (None, vec![]));
    assert!(folder.names().is_empty());

    store(&document, &full(&document), &folder.model()).unwrap();
    assert_eq!(store(&document, &Project::default(), &folder.model()).unwrap(), Stored::Removed(folder.path()));
    assert!(folder.names().is_empty());
}

#[test]
fn nothing_to_keep_leaves_a_file_that_holds_what_others_wrote() {
    let folder = Folder::with(r#"{ "sinew": 1, "locks": [{ "name": "J0", "node": 0 }], "todo": ["knees"] }"#);
    let document = document_of(&scene());
    store(&document, &Project::default(), &folder.model()).unwrap();
    assert_eq!(folder.text(), "{\n  \"sinew\": 1,\n  \"todo\": [\"knees\"]\n}\n");
}

#[test]
fn members_that_this_version_does_not_know_stay_at_every_level() {
    let document = document_of(&scene());
    let (j0, j1) = (joint(&document, "J0"), joint(&document, "J1"));
    let text = format!(
        r#"{{ "zebra": {{ "a": [1, {{ "b": null }}] }}, "sinew": 1, "locks": [{{ "note": "done", "name": "J0", "node": {j0} }}],
            "pose": {{ "camera": [1.5, 2, 3] }},
            "poses": [{{ "name": "fist", "tag": 7, "turns": [{{ "name": "J1", "node": {j1}, "degrees": [1, 2, 3], "ease": 0.5 }}] }}] }}"#
    );
    let folder = Folder::with(&text);
    let (mut project, warnings) = folder.load(&document);
    assert_eq!(warnings, [""; 0]);
    project.poses[0].pose.set_turn_deg(j1, Vec3::new(4.0, 5.0, 6.0));
    project.locks.push(j1);
    store(&document, &project, &folder.model()).unwrap();
    for kept in [
        r#""zebra": {"#,
        r#""b": null"#,
        r#""pose": { "camera": [1.5, 2, 3] }"#,
        r#""tag": 7"#,
        &format!(r#"{{ "name": "J0", "node": {j0}, "note": "done" }}"#),
        &format!(r#"{{ "name": "J1", "node": {j1} }}"#),
        &format!(r#"{{ "name": "J1", "node": {j1}, "degrees": [4, 5, 6], "ease": 0.5 }}"#),
    ] {
        assert!(folder.text().contains(kept), "{kept} in {}", folder.text());
    }

    // Saving the model under another name takes them along.
    let elsewhere = Folder::new();
    store(&document, &project, &elsewhere.model()).unwrap();
    assert_eq!(elsewhere.text(), folder.text());
}

#[test]
fn joints_are_found_again_after_nodes_were_renumbered_or_renamed() {
    let old = document_of(&scene());
    let folder = Folder::new();
    store(&old, &full(&old), &folder.model()).unwrap();

    // Another program put a node in front: every index is off by one, only names help.
    let mut moved = scene();
    moved.add_node(None, sinew_tests::Node::default());
    moved.nodes.rotate_right(1);
    let shift = |index: &mut usize| *index = (*index + 1) % 5;
    assert_eq!(moved.nodes.len(), 5);
    moved.nodes.iter_mut().for_each(|node| node.children.iter_mut().for_each(shift));
    moved.skins.iter_mut().for_each(|skin| skin.joints.iter_mut().for_each(shift));
    moved.skins.iter_mut().for_each(|skin| skin.skeleton = None);
    moved.roots.iter_mut().for_each(shift);
    let moved = document_of(&moved);
    assert_eq!(joint(&moved, "J1").0, joint(&old, "J1").0 + 1);
    let (found, warnings) = folder.load(&moved);
    assert_eq!(found.locks, [joint(&moved, "J0")]);
    assert_eq!(found.pose.turn_deg(joint(&moved, "J1")), bent(&old).turn_deg(joint(&old, "J1")));
    let expected = format!("locks/1: the model has no joint #{} without a name; kept as it was", joint(&old, ""));
    assert_eq!(warnings[0], expected);

    // The nameless joint's entry is still there for the old model.
    store(&moved, &found, &folder.model()).unwrap();
    let (found, warnings) = folder.load(&old);
    assert_eq!(warnings, [""; 0]);
    assert_same(&found, &full(&old));
}

#[test]
fn a_name_that_several_joints_have_is_found_by_its_index_alone() {
    let mut scene = scene();
    let tip = scene.add_joint(1, "J1", Vec3::Y);
    let document = document_of(&scene);
    let twins: Vec<u32> = document
        .joints()
        .iter()
        .filter(|&&joint| document.nodes().node(joint).name.as_deref() == Some("J1"))
        .map(|joint| joint.0)
        .collect();
    assert_eq!(twins.len(), 2, "{tip}");
    let folder = Folder::with(&format!(
        r#"{{ "sinew": 1, "locks": [{{ "name": "J1", "node": {} }}, {{ "name": "J1", "node": 99 }}, {{ "name": "J1" }}] }}"#,
        twins[1]
    ));
    let (project, warnings) = folder.load(&document);
    assert_eq!(project.locks, [NodeIndex(twins[1])]);
    assert_eq!(
        warnings,
        [
            "locks/1: the model has no joint \"J1\" (#99); kept as it was",
            "locks/2: the model has no joint \"J1\"; kept as it was"
        ]
    );
}

#[test]
fn a_clip_that_is_gone_is_reported_and_stays_until_another_takes_its_place() {
    let document = document_of(&scene());
    let folder = Folder::with(
        r#"{ "sinew": 1, "pose": { "clip": { "name": "jump", "index": 0, "time_s": 2 }, "morphs": [{ "node": 77, "weights": [1] }] } }"#,
    );
    let (mut project, warnings) = folder.load(&document);
    assert!(project.pose.is_rest());
    assert_eq!(
        warnings,
        [
            "pose/clip: the model has no clip \"jump\" (#0); kept as it was",
            "pose/morphs/0: the model has no node with a mesh #77 without a name; kept as it was"
        ]
    );
    store(&document, &project, &folder.model()).unwrap();
    assert!(folder.text().contains(r#""clip": { "name": "jump", "index": 0, "time_s": 2 }"#), "{}", folder.text());
    project.pose.clip = Some(ClipTime { clip: ClipIndex(0), time_s: 0.5 });
    store(&document, &project, &folder.model()).unwrap();
    assert!(folder.text().contains(r#""clip": { "name": "walk", "index": 0, "time_s": 0.5 }"#), "{}", folder.text());
    project.pose.clip = None;
    store(&document, &project, &folder.model()).unwrap();
    assert!(!folder.text().contains("clip"), "{}", folder.text());
}

#[test]
fn a_file_of_a_later_version_is_neither_read_nor_overwritten() {
    let text = r#"{ "sinew": 2, "locks": "in another form" }"#;
    let (folder, document) = (Folder::with(text), document_of(&scene()));
    let errors = [
        load(&document, &folder.model()).unwrap_err(),
        store(&document, &full(&document), &folder.model()).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, ProjectError::Newer { found: 2, known: 1, .. }), "{error}");
    }
    assert_eq!(folder.text(), text);
}

#[test]
fn a_file_that_is_not_well_formed_is_an_error_that_names_the_place_and_stays_as_it_is() {
    let document = document_of(&scene());
    let deep = "[".repeat(100_000);
    for (text, expected) in [
        ("", "not JSON: EOF"),
        ("<<<<<<< ours", "not JSON: expected value"),
        (deep.as_str(), "not JSON: recursion limit"),
        ("[]", "the root: expected an object"),
        ("{}", "sinew: expected the version, a whole number of at least 1, found nothing"),
        (r#"{ "sinew": 0 }"#, "sinew: expected a whole number"),
        (r#"{ "sinew": "1" }"#, "sinew: expected a whole number"),
        (r#"{ "sinew": 1, "locks": {} }"#, "locks: expected a list, found an object"),
        (r#"{ "sinew": 1, "locks": ["J0"] }"#, "locks/0: expected an object, found \"J0\""),
        (r#"{ "sinew": 1, "locks": [{ "node": -1 }] }"#, "locks/0/node: expected a whole number"),
        (
            r#"{ "sinew": 1, "budget": 256 }"#,
            "budget: expected a whole number from 1 to 255, or \"unlimited\", found 256",
        ),
        (r#"{ "sinew": 1, "poses": [{}] }"#, "poses/0/name: expected a name, found nothing"),
        (r#"{ "sinew": 1, "pose": { "turns": [{ "degrees": [1, 2] }] } }"#, "pose/turns/0/degrees: expected 3 numbers"),
        (r#"{ "sinew": 1, "pose": { "turns": [{ "degrees": [1, 2, 1e200] }] } }"#, "pose/turns/0/degrees: expected 3"),
        (
            r#"{ "sinew": 1, "pose": { "morphs": [{ "weights": [1e200] }] } }"#,
            "pose/morphs/0/weights/0: expected a number",
        ),
    ] {
        let folder = Folder::with(text);
        let error = load(&document, &folder.model()).unwrap_err().to_string();
        assert!(error.starts_with(expected) && error.ends_with("arm.sinew.json"), "{error}, expected {expected}");
        assert!(store(&document, &full(&document), &folder.model()).is_err(), "{text}");
        assert_eq!(folder.text(), text);
    }
}

#[test]
fn a_folder_or_a_huge_file_in_its_place_is_an_error() {
    let document = document_of(&scene());
    let folder = Folder::new();
    fs::create_dir(folder.path()).unwrap();
    assert!(matches!(load(&document, &folder.model()), Err(ProjectError::Read { .. })));
    assert!(store(&document, &full(&document), &folder.model()).is_err());
    let folder = Folder::with("");
    fs::File::options().write(true).open(folder.path()).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(load(&document, &folder.model()), Err(ProjectError::TooLarge { found, .. }) if found == 1 << 40));
}

#[test]
fn the_file_is_named_after_the_model() {
    assert_eq!(project_path(Path::new("a/Arm v1.2.glb")), Path::new("a/Arm v1.2.sinew.json"));
    assert_eq!(project_path(Path::new("arm.gltf")), Path::new("arm.sinew.json"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// A well-formed file with one piece replaced: an error or a project, and what is stored over it reads back.
    #[test]
    fn no_file_panics_and_what_is_stored_over_it_reads_back(at in 0usize..700, cut in 0usize..12, piece in "[\\[\\]{}\",:0-9a-zJ]{0,4}") {
        let (folder, document) = (Folder::new(), document_of(&scene()));
        store(&document, &full(&document), &folder.model()).unwrap();
        let mut text: Vec<char> = folder.text().chars().collect();
        let start = at.min(text.len());
        let end = (start + cut).min(text.len());
        text.splice(start..end, piece.chars());
        fs::write(folder.path(), text.into_iter().collect::<String>()).unwrap();
        if let Ok((Some(project), _)) = load(&document, &folder.model()) {
            store(&document, &project, &folder.model()).unwrap();
            let (again, _) = folder.load(&document);
            assert_same(&again, &project);
        }
    }
}
