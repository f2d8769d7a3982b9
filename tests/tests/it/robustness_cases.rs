//! Files that are broken or odd, and saves that fail.

use std::io;
use std::path::Path;

use glam::Vec3;
use serde_json::{Value, json};
use sinew_io::atomic::{Disk, WriteHook};
use sinew_io::{MapResolver, SaveError, SaveOptions, SaveState, SaveTarget, import, open, save};
use sinew_tests::{GltfBuilder, Mesh, Node, Scene, Skin, cube, strip};

use crate::job::{Job, assert_same_files};
use crate::stored::Stored;

const ANY_DAB: &str = "stroke joint=J1 value=0.9 radius=0.1 falloff=constant points=-0.5,1,0";

#[test]
fn broken_files_end_in_an_error_that_names_the_place() {
    // B70: STRIP's accessors are POSITION 0, TEXCOORD_0 1, JOINTS_0 2, WEIGHTS_0 3, indices 4, matrices 5.
    fn changed(change: impl FnOnce(&mut GltfBuilder)) -> Vec<u8> {
        let mut builder = strip().build();
        change(&mut builder);
        builder.glb()
    }
    fn put(pointer: &str, value: Value) -> Vec<u8> {
        changed(|builder| {
            let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
            let parent = builder.json.pointer_mut(parent).expect("it is there");
            match parent.as_array_mut() {
                Some(list) => list[key.parse::<usize>().expect("an index")] = value,
                None => parent[key] = value,
            }
        })
    }
    let glb = strip().glb();
    let mut bad_text = glb.clone();
    bad_text[40] = 0xFF;
    let variants: Vec<(&str, Vec<u8>, &str)> = vec![
        ("count of a thousand million", put("/accessors/3/count", json!(1_000_000_000)), "accessors/3"),
        ("offset past the end", put("/accessors/3/byteOffset", json!(100_000)), "accessors/3"),
        ("bufferView −1", put("/accessors/3/bufferView", json!(-1)), "accessors/3/bufferView"),
        ("mesh 99", put("/nodes/2/mesh", json!(99)), "nodes/2/mesh"),
        ("joint 99", put("/skins/0/joints", json!([99])), "skins/0/joints"),
        ("a byte 0xFF in the JSON", bad_text, "UTF-8 at byte 40"),
        ("truncated BIN", glb[..glb.len() - 64].to_vec(), "bytes"),
        ("buffer shorter than stated", put("/buffers/0/byteLength", json!(100_000)), "buffers/0"),
        (
            "indices past the vertices",
            changed(|b| {
                let view = b.json["accessors"][4]["bufferView"].as_u64().expect("a view") as usize;
                let at = b.json["bufferViews"][view]["byteOffset"].as_u64().expect("an offset") as usize;
                b.bin[at..at + 2].copy_from_slice(&500_u16.to_le_bytes());
            }),
            "meshes/0/primitives/0",
        ),
        ("negative count", put("/accessors/3/count", json!(-10)), "accessors/3/count"),
        ("an empty file", Vec::new(), "empty"),
        ("meshes that are no list", put("/meshes", json!({})), "meshes"),
    ];
    let mut open_document = Job::of(&strip());
    open_document.run(&[ANY_DAB]);
    let before = open_document.save();
    for (what, bytes, names) in variants {
        match import(bytes, &MapResolver::default()) {
            Ok(_) => panic!("{what}: opened"),
            Err(error) => assert!(error.to_string().contains(names), "{what}: {error:?}: {error}"),
        }
        assert_same_files(&before, &open_document.save(), "the open document");
    }
}

#[test]
fn every_cut_and_every_changed_byte_ends_in_a_document_or_an_error() {
    // B70, widened: no panic, whatever is cut off or overwritten.
    let glb = strip().glb();
    for end in (0..glb.len()).step_by(7) {
        assert!(import(glb[..end].to_vec(), &MapResolver::default()).is_err(), "cut at {end}");
    }
    let mut n_opened = 0;
    for at in 12..glb.len() {
        for value in [0x00, b'9', b'-', 0xFF] {
            let mut bytes = glb.clone();
            bytes[at] = value;
            if let Ok(imported) = import(bytes, &MapResolver::default()) {
                n_opened += 1;
                let instances = imported.document.instances().len();
                let mut editor = sinew_edit::Editor::new(imported.document);
                (0..instances)
                    .for_each(|i| assert!(editor.posed(i).posed.positions.iter().all(|p| p.is_finite()), "byte {at}"));
            }
        }
    }
    assert!(n_opened > 100, "most bytes are data, which may be anything: {n_opened}");
}

#[test]
fn skins_and_weights_without_a_partner_open_and_are_kept() {
    // B71: skin 1 unused; mesh 1 has weights and no skin at its node.
    let mut scene = strip();
    scene.skins.push(Skin { joints: vec![1], name: "unused".to_owned(), ..Skin::default() });
    let mut other = cube(Vec3::X * 3.0, 1.0).meshes.remove(0);
    other.name = "Loose".to_owned();
    scene.meshes.push(other);
    scene.add_node(None, Node { mesh: Some(1), ..Node::at("loose", Vec3::ZERO) });
    let mut job = Job::of(&scene);
    let warned = |what: &str| job.warnings.iter().any(|warning| warning.to_string().contains(what));
    assert!(warned("unused") && warned("Loose"), "{:?}", job.warnings);
    let error = job.editor.run("mesh name=Loose").expect_err("cannot be painted").to_string();
    assert!(error.contains("no node shows it under a skin"), "{error}");
    assert_all_is_shown(&mut job);
    job.run(&[ANY_DAB]);
    let (was, is) = (Stored::of(&job.files), Stored::of(&job.save()));
    assert_eq!((&was.json["skins"], &was.json["meshes"][1]), (&is.json["skins"], &is.json["meshes"][1]));

    // A rig and nothing else.
    let mut rig = strip();
    rig.meshes.clear();
    rig.nodes[2] = Node::at("was a mesh", Vec3::ZERO);
    let mut job = Job::of(&rig);
    assert!(job.warnings.iter().any(|warning| warning.to_string().contains("used by no node")), "{:?}", job.warnings);
    assert_eq!(job.document().joints().len(), 2);
    assert!(job.editor.run(ANY_DAB).is_err_and(|error| error.to_string().contains("nothing to edit")));
    job.run(&["pose turns=J1:0,0,90"]);
    assert_eq!(job.editor.bones().len(), 2);
    job.save();
}

fn assert_all_is_shown(job: &mut Job) {
    for instance in 0..job.document().instances().len() {
        job.posed(instance);
    }
    assert!(
        job.editor.pick(sinew_edit::pick::Ray { origin: Vec3::new(3.0, 0.1, 9.0), direction: -Vec3::Z }).is_some(),
        "unskinned meshes are shown"
    );
}

#[test]
fn joints_outside_every_scene_move_their_mesh() {
    // B72
    let mut plain = Job::of(&strip());
    let expected = [plain.posed(0), plain.posed_in("J1:0,0,90", "lbs")];
    let outside = || {
        let mut builder = strip().build();
        builder.json["scenes"] = json!([{ "nodes": [2] }]);
        builder
    };
    let without = || {
        let mut builder = strip().build();
        let json = builder.json.as_object_mut().expect("an object");
        json.remove("scenes");
        json.remove("scene");
        builder
    };
    for builder in [outside(), without()] {
        let mut job = Job::bytes(builder.glb());
        assert_eq!(job.posed(0), expected[0]);
        assert_eq!(job.posed_in("J1:0,0,90", "lbs"), expected[1]);
        job.run(&["reset_pose", ANY_DAB]);
        let stored = Stored::of(&job.save());
        assert_eq!(stored.json.get("scenes"), builder.json.get("scenes"));
        assert_eq!(stored.json.get("scene"), builder.json.get("scene"));
    }
}

/// A disk that is full after some bytes.
struct FullAfter(u64);

impl WriteHook for FullAfter {
    fn before_write(&self, _: &Path, written: u64, n_bytes: usize) -> io::Result<()> {
        if written + n_bytes as u64 > self.0 { Err(io::Error::other("no space left on device")) } else { Ok(()) }
    }

    fn step(&self) -> usize {
        256
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_save_that_fails_leaves_the_old_file_no_litter_and_an_unsaved_document() {
    // B73
    let folder = tempfile::tempdir().expect("a folder");
    let mut scene: Scene = strip();
    scene.meshes[0].name = "a name that makes the file longer than a kilobyte ".repeat(20);
    let forms = [vec![("strip.glb".to_owned(), scene.glb())], scene.gltf_files("strip")];
    for files in forms {
        for (name, bytes) in &files {
            std::fs::write(folder.path().join(name), bytes).expect("written");
        }
        let path = folder.path().join(&files[0].0);
        let mut job = Job::of_imported(files.clone(), open(&path).expect("opens"));
        job.run(&["stroke joint=J1 value=0.9 radius=0.1 falloff=constant points=-0.5,1,0"]);
        assert!(!job.editor.history().is_saved());
        let (state, names) = (SaveState::opened(&job.source), names_in(folder.path()));
        let attempt = |target: SaveTarget<'_>, hook: Option<&dyn WriteHook>| {
            let options = SaveOptions { disk: Disk { sync: true, hook }, ..SaveOptions::default() };
            save(job.document(), &job.source, &state, target, &options)
        };
        for bytes in [0, 64, 1024] {
            let error = attempt(SaveTarget::InPlace, Some(&FullAfter(bytes))).expect_err("the disk is full");
            assert!(matches!(error, SaveError::Write(_)) && error.to_string().contains("no space left"), "{error}");
            assert_eq!(names_in(folder.path()), names, "no temporary file is left");
            for (name, bytes) in &files {
                assert!(std::fs::read(folder.path().join(name)).expect("there") == *bytes, "{name} is as it was");
            }
        }
        let inside_a_file = path.join("inside.glb");
        let error = attempt(SaveTarget::As(&inside_a_file), None).expect_err("a file is no folder");
        assert!(error.to_string().contains("inside.glb"), "{error}");
        assert_eq!(names_in(folder.path()), names);
        assert!(!job.editor.history().is_saved(), "still unsaved");
        // And with room it is saved.
        attempt(SaveTarget::InPlace, None).expect("room now");
        assert_eq!(Job::of_imported(files, open(&path).expect("opens")).all_rows(), job.all_rows());
    }
}

#[test]
fn a_mesh_without_any_primitive_opens_and_is_kept() {
    // B70: what glTF forbids but files hold.
    let mut scene = strip();
    scene.meshes.push(Mesh { name: "empty".to_owned(), ..Mesh::default() });
    scene.add_node(None, Node { mesh: Some(1), ..Node::default() });
    let mut job = Job::of(&scene);
    job.posed(1);
    job.run(&[ANY_DAB]);
    job.save();
}
