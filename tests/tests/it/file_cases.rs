//! What a file holds survives: sets, order, layout, extensions, names.

use std::process::Command;

use glam::{Mat4, Vec3};
use serde_json::{Value, json};
use sinew_io::{OpenError, SaveOptions, SaveState, SaveTarget, open, save};
use sinew_tests::{JointsType, Node, Placement, PositionsType, Scene, Storage, WeightsType, chain, checker_png, strip};

use crate::compare::differences;
use crate::job::{Job, MESH, assert_all_near, assert_close, assert_same_files};
use crate::stored::{Stored, percent_decoded};

/// A dab on vertex 4 (−.5, 1) of STRIP alone.
const DAB: &str = "stroke joint=J1 value=0.9 radius=0.1 falloff=constant points=-0.5,1,0";

fn strip_with_joints(n: usize) -> Scene {
    let mut scene = strip();
    for k in 2..n {
        scene.add_joint(1, &format!("J{k}"), Vec3::Y * 0.1);
    }
    scene
}

/// Joints and weights of a vertex of the first primitive as stored, over all sets.
fn stored_row(stored: &Stored, vertex: usize) -> Vec<(u32, f64)> {
    let numbers = |kind: &str| -> Vec<f64> {
        let sets = stored.sets(0, 0, kind);
        sets.iter().flat_map(|(_, accessor)| stored.elements(*accessor).expect("plain").numbers(vertex)).collect()
    };
    numbers("JOINTS").into_iter().map(|joint| joint as u32).zip(numbers("WEIGHTS")).collect()
}

#[test]
fn six_influences_over_two_sets_survive_and_are_limited_only_on_request() {
    // B01
    let mut scene = strip_with_joints(6);
    let six = vec![(0, 0.30), (1, 0.25), (2, 0.20), (3, 0.15), (4, 0.06), (5, 0.04)];
    scene.rows()[4].clone_from(&six);
    let mut job = Job::of(&scene);
    job.save();
    job.run(&["set vertices=0 joint=J1 value=0.5"]);
    let mut back = job.reopen();
    let survived: Vec<(u16, f32)> = back.row(4).influences().iter().map(|i| (i.slot.0, i.weight)).collect();
    assert_eq!(survived, six);

    let outcome = back.run(&["limit influences=4"]);
    assert_eq!(outcome.n_vertices, 1, "how many vertices changed is said");
    let files = back.save();
    let stored = Stored::of(&files);
    assert_eq!(stored.sets(0, 0, "WEIGHTS").len(), 2, "sets never shrink");
    for (place, expected) in [0.3333, 0.2778, 0.2222, 0.1667, 0.0, 0.0, 0.0, 0.0].into_iter().enumerate() {
        let (joint, weight) = stored_row(&stored, 4)[place];
        assert!((weight - expected).abs() < 5e-5, "place {place}: {weight}");
        assert_eq!(joint as usize, if expected > 0.0 { place } else { 0 });
    }
}

#[test]
fn joints_out_of_tree_order_keep_their_order_and_their_matrices() {
    // B02
    let mut scene = strip();
    scene.add_joint(1, "leaf", Vec3::Y * 0.5);
    scene.add_joint(0, "helper", Vec3::X * 0.5);
    scene.skins[0].joints = vec![3, 1, 0, 4];
    let bind = |x: f32| Mat4::from_translation(Vec3::new(x, 2.0 * x, -x));
    scene.skins[0].inverse_bind = Some([0.1, 0.2, 0.3, 0.4].map(bind).to_vec());
    for row in scene.rows() {
        for (slot, _) in row.iter_mut() {
            *slot = if *slot == 0 { 2 } else { 1 };
        }
    }
    let mut job = Job::of(&scene);
    job.save();
    let before = stored_row(&Stored::of(&job.files), 6);
    job.run(&["set vertices=4 joint=J0 value=0.125"]);
    let files = job.save();
    let stored = Stored::of(&files);
    assert_eq!(stored.json["skins"][0]["joints"], json!([3, 1, 0, 4]));
    assert_eq!(stored_row(&stored, 6), before);
    assert!(stored_row(&stored, 4).contains(&(2, 0.125)), "slot 2 is J0");
    let back = Job::open(files);
    assert_eq!(back.document().skins(), job.document().skins());
}

#[test]
fn the_skeleton_hint_changes_nothing_in_the_picture_and_is_kept() {
    // B03: the node above J0 stands in all three; its shift counts as any ancestor's.
    let mut pictures = Vec::new();
    for skeleton in [None, Some(3), Some(1)] {
        let mut scene = strip();
        scene.insert_parent(0, Node::at("Armature", Vec3::Z * 3.0));
        scene.skins[0].skeleton = skeleton;
        let mut job = Job::of(&scene);
        pictures.push([job.posed(0), job.posed_in("J1:0,0,90", "dqs")]);
        job.run(&["set vertices=4 joint=J1 value=0.75"]);
        let stored = Stored::of(&job.save());
        assert_eq!(stored.json["skins"][0].get("skeleton").and_then(Value::as_u64), skeleton.map(|node| node as u64));
        assert_eq!(job.document().joints().len(), 2);
    }
    assert_eq!(pictures[0], pictures[1]);
    assert_eq!(pictures[0], pictures[2]);
    let lifted: Vec<Vec3> = strip().primitive().positions.iter().map(|p| *p + Vec3::Z * 3.0).collect();
    assert_all_near(&pictures[0][0], &lifted, 1e-6);
}

#[test]
fn padding_joints_mean_nothing_and_only_edited_rows_lose_them() {
    // B05
    let mut scene = strip_with_joints(8);
    for row in scene.rows() {
        let weight = |slot: u16| row.iter().find(|i| i.0 == slot).map_or(0.0, |i| i.1);
        *row = vec![(0, weight(0)), (1, weight(1)), (7, 0.0), (7, 0.0)];
    }
    let mut job = Job::of(&scene);
    assert!((0..10).all(|v| job.row(v).influences().iter().all(|i| i.slot.0 != 7)), "joint 7 has no influence");
    job.run(&[DAB]);
    let stored = Stored::of(&job.save());
    let joints = |v: usize| stored_row(&stored, v).iter().map(|(joint, _)| *joint).collect::<Vec<_>>();
    assert_eq!(joints(4), [0, 1, 0, 0]);
    assert_eq!(joints(5), [0, 1, 7, 7]);
}

#[test]
fn interleaved_neighbours_of_a_painted_vertex_keep_their_bytes() {
    // B06
    let mut scene = strip();
    scene.primitive().placement = Placement::Interleaved { byte_stride: 44 };
    let mut job = Job::of(&scene);
    job.run(&[DAB]);
    let files = job.save();
    let buffer = |files| Stored::of(files).buffers.remove(0).expect("a BIN chunk");
    let (was, is) = (buffer(&job.files), buffer(&files));
    assert_eq!(was.len(), is.len());
    let changed: Vec<usize> = (0..was.len()).filter(|&at| was[at] != is[at]).collect();
    // Vertex 4: position 12 bytes, texture coordinates 8, joints 4, then weights.
    let weights = 4 * 44 + 24..4 * 44 + 40;
    assert!(!changed.is_empty() && changed.iter().all(|at| weights.contains(at)), "{changed:?}");
    let mut separate = strip();
    separate.primitive().placement = Placement::Separate;
    let mut packed = Job::of(&separate);
    assert!(packed.source.json["bufferViews"].as_array().expect("views").iter().all(|v| v.get("byteStride").is_none()));
    packed.run(&[DAB]);
    packed.save();
    assert_eq!(packed.all_rows(), job.all_rows());
    assert_eq!(Job::open(files).document().mesh(MESH).texcoords, packed.document().mesh(MESH).texcoords);
}

#[test]
fn sparse_data_opens_like_dense_and_only_the_edited_attribute_becomes_plain() {
    // B07
    let mut scene = strip();
    scene.primitive().positions_storage = Storage::SparseOverBase(vec![8, 9]);
    scene.primitive().weights_storage = Storage::SparseOverNothing;
    let mut job = Job::of(&scene);
    let dense = Job::of(&strip());
    assert_eq!(job.document().mesh(MESH).positions, dense.document().mesh(MESH).positions);
    assert_eq!(job.all_rows(), dense.all_rows());
    job.save();
    job.run(&[DAB]);
    let stored = Stored::of(&job.save());
    let has_sparse = |name| stored.json["accessors"][stored.attribute(0, 0, name).expect(name)].get("sparse").is_some();
    assert!(has_sparse("POSITION") && !has_sparse("WEIGHTS_0") && !has_sparse("JOINTS_0"));
}

#[test]
fn unknown_extensions_survive_at_every_level() {
    // B09
    for shared in [false, true] {
        let mut builder = strip().build();
        let unknown = json!({ "ACME_x": { "node": 1, "list": [1, 2] } });
        builder.json["extensions"] = unknown.clone();
        builder.json["extensionsUsed"] = json!(["ACME_x"]);
        builder.json["ACME_block"] = json!({ "z": 1.50, "a": [null, true] });
        let weights =
            Stored::of(&vec![("a.glb".to_owned(), builder.glb())]).attribute(0, 0, "WEIGHTS_0").expect("weights");
        for pointer in ["/nodes/0", "/skins/0", "/meshes/0/primitives/0", &format!("/accessors/{weights}")] {
            let place = builder.json.pointer_mut(pointer).expect("it is there");
            place["extensions"] = unknown.clone();
            place["acme"] = json!("kept");
        }
        if shared {
            // Another user of the same bytes: the edited weights have to move.
            let view = builder.json["accessors"][weights]["bufferView"].clone();
            builder
                .push("accessors", json!({ "bufferView": view, "componentType": 5126, "type": "VEC4", "count": 10 }));
        }
        let mut job = Job::bytes(builder.glb());
        job.run(&[DAB]);
        let is = Stored::of(&job.save());
        let allowed = ["/accessors/", "/bufferViews/", "/buffers/0/byteLength"];
        for pointer in differences(&builder.json, &is.json) {
            assert!(allowed.iter().any(|start| pointer.starts_with(start)), "{pointer}");
            assert!(!pointer.contains("extensions") && !pointer.contains("acme"), "{pointer}");
        }
    }
}

#[test]
fn node_numbers_inside_extensions_stay_true() {
    // B10
    let mut builder = strip().build();
    let vrm = json!({ "humanoid": { "humanBones": [{ "bone": "hips", "node": 0 }, { "bone": "spine", "node": 1 }] } });
    builder.json["extensions"] = json!({ "VRM": vrm });
    builder.json["extensionsUsed"] = json!(["VRM"]);
    let mut job = Job::bytes(builder.glb());
    let outcome = job.run(&["joint name=J0", "stroke joint=J0 value=0.9 radius=0.1 falloff=constant points=-0.5,1,0"]);
    assert_eq!(outcome.n_vertices, 1, "joint 0, node 0, can be chosen and painted");
    let files = job.save();
    let stored = Stored::of(&files);
    assert_eq!(stored.json["nodes"], builder.json["nodes"]);
    let text = String::from_utf8_lossy(&files[0].1).into_owned();
    assert!(
        text.contains(&format!("\"VRM\":{}", builder.json["extensions"]["VRM"])),
        "the extension's text is unchanged"
    );
}

#[test]
fn the_same_work_in_two_processes_gives_the_same_bytes() {
    // B11: this test runs itself once more as another process, and both with another number of threads.
    let work = || {
        let mut scene = strip();
        for (k, (parent, name)) in [
            (1, "zeta"),
            (1, "alpha"),
            (2, "mid"),
            (2, "Beta"),
            (0, "omega"),
            (6, "a2"),
            (6, "a10"),
            (3, "b"),
            (8, "c"),
            (4, "aa"),
        ]
        .into_iter()
        .enumerate()
        {
            scene.add_joint(parent, name, Vec3::new(0.1 * k as f32 - 0.5, 0.2, 0.0));
        }
        assert_eq!(scene.skins[0].joints.len(), 12);
        scene.primitive().weights_storage = Storage::SparseOverNothing;
        let mut job = Job::of(&scene);
        job.run(&[
            "stroke joint=zeta value=0.4 radius=0.7 path=-0.5,0,0;0.5,2,0",
            "stroke joint=a10 brush=add value=0.3 radius=0.8 reach=volume pose=J1:0,0,40 deform=dqs points=0,1,0;0.2,1.2,0",
            "smooth iterations=2",
            "budget influences=8",
            "stroke joint=Beta brush=add value=0.2 radius=2 points=0,1,0",
        ]);
        job.save()
    };
    const OUT: &str = "SINEW_TESTS_SECOND_PROCESS";
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads");
    if let Ok(path) = std::env::var(OUT) {
        std::fs::write(path, &pool(3).install(work)[0].1).expect("the folder is there");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("second.glb");
    let name = "file_cases::the_same_work_in_two_processes_gives_the_same_bytes";
    let status = Command::new(std::env::current_exe().expect("this test"))
        .args([name, "--exact"])
        .env(OUT, &path)
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.expect("the test runs").success());
    let second = std::fs::read(&path).expect("the second process wrote");
    assert_same_files(&vec![("second.glb".to_owned(), second)], &pool(1).install(work), "two processes");
}

#[test]
fn a_joint_without_weights_stays_and_can_be_painted() {
    // B12
    let mut scene = strip();
    scene.add_joint(1, "tail_end", Vec3::Y);
    let mut job = Job::of(&scene);
    job.run(&["set vertices=9 joint=tail_end value=0.5"]);
    let painted = job.reopen();
    assert_eq!((painted.weight(9, 2), painted.weight(9, 1)), (0.5, 0.5));
    job.run(&["undo"]);
    let stored = Stored::of(&job.save());
    assert_eq!(stored.json["skins"][0]["joints"].as_array().map(Vec::len), Some(3));
    let matrices = stored.json["skins"][0]["inverseBindMatrices"].as_u64().expect("matrices") as usize;
    assert_eq!(stored.json["accessors"][matrices]["count"], 3);
}

#[test]
fn glb_chunks_are_padded_with_spaces_and_zeros() {
    // B13
    for n in 1..=4 {
        let mut scene = strip();
        scene.nodes[1].name = "n".repeat(n);
        // Sparse weights have to move, so the JSON and the buffer get new lengths.
        scene.primitive().weights_storage = Storage::SparseOverNothing;
        let mut job = Job::of(&scene);
        job.run(&["set vertices=4 joint=1 value=0.9"]);
        let bytes = job.save().remove(0).1;
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
        assert_eq!(word(8), bytes.len());
        let json = &bytes[20..20 + word(12)];
        assert_eq!(json.len() % 4, 0);
        let end = json.iter().rposition(|&byte| byte == b'}').expect("an object") + 1;
        assert!(json.len() - end < 4 && json[end..].iter().all(|&byte| byte == 0x20), "{:?}", &json[end..]);
        let bin = 20 + word(12);
        assert_eq!((word(bin) % 4, bin + 8 + word(bin)), (0, bytes.len()));
        let stated = serde_json::from_slice::<Value>(json).expect("JSON")["buffers"][0]["byteLength"].as_u64();
        let spare = word(bin) - stated.expect("a length") as usize;
        assert!(spare < 4 && bytes[bytes.len() - spare..].iter().all(|&byte| byte == 0));
    }
}

#[test]
fn odd_file_names_are_found_and_kept() {
    // B14
    let mut scene = strip();
    let image = scene.add_image(checker_png(2, [255; 3], [0; 3]), Some("skin 100%.png"));
    scene.primitive().material = Some(image);
    for (uri, file) in [
        ("my%20strip%2010%25.bin", "my strip 10%.bin"),
        ("my strip 10%.bin", "my strip 10%.bin"),
        ("%E7%BD%91.bin", "网.bin"),
        ("", ""),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut builder = scene.build();
        builder.json["images"][0]["uri"] = json!("skin%20100%25.png");
        let path = folder.path().join("my strip 10%.gltf");
        let embedded = uri.is_empty();
        if embedded {
            std::fs::write(&path, builder.gltf_embedded()).expect("written");
        } else {
            builder.json["buffers"][0]["uri"] = json!(uri);
            std::fs::write(&path, builder.json_text()).expect("written");
            std::fs::write(folder.path().join(file), &builder.bin).expect("written");
        }
        std::fs::write(folder.path().join("skin 100%.png"), checker_png(2, [255; 3], [0; 3])).expect("written");
        let imported = open(&path).unwrap_or_else(|error| panic!("{uri}: {error}"));
        assert!(imported.warnings.is_empty(), "{:?}", imported.warnings);
        let mut job =
            Job::of_imported(vec![("my strip 10%.gltf".to_owned(), std::fs::read(&path).expect("there"))], imported);
        job.run(&[DAB]);
        let state = SaveState::opened(&job.source);
        let saved = save(job.document(), &job.source, &state, SaveTarget::InPlace, &SaveOptions::default());
        saved.unwrap_or_else(|error| panic!("{uri}: {error}"));
        let json: Value = serde_json::from_slice(&std::fs::read(&path).expect("there")).expect("JSON");
        assert_eq!(json["images"][0]["uri"], "skin%20100%25.png");
        let uris: Vec<&str> =
            json["buffers"].as_array().expect("buffers").iter().filter_map(|b| b["uri"].as_str()).collect();
        if embedded {
            assert!(uris.iter().all(|uri| uri.starts_with("data:")), "embedded stays embedded");
        } else {
            assert_eq!(uris[0], uri, "the text of the old URI is unchanged");
            assert_eq!(
                std::fs::read(folder.path().join(file)).expect("there"),
                builder.bin,
                "the old buffer is unchanged"
            );
            assert!(
                uris.len() == 2 && !uris[1].contains(' ') && folder.path().join(percent_decoded(uris[1])).is_file(),
                "{uris:?}"
            );
        }
        let back = open(&path).unwrap_or_else(|error| panic!("{uri} saved: {error}"));
        assert_close(
            back.document.mesh(MESH).weights.get(sinew_model::VertexIndex(4)).weight(sinew_model::JointSlot(1)),
            0.9,
            1e-7,
        );
    }
}

#[test]
fn draco_is_refused_by_name() {
    // B15
    let mut builder = strip().build();
    let view = builder.view(&[1, 2, 3, 4], None, None);
    let attributes = json!({ "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 });
    builder.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({ "KHR_draco_mesh_compression": { "bufferView": view, "attributes": attributes } });
    builder.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    builder.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    for bytes in [builder.glb(), builder.gltf_embedded()] {
        let error = sinew_io::import(bytes, &sinew_io::MapResolver::default()).expect_err("Draco cannot be read");
        assert!(matches!(error, OpenError::Draco { .. }), "{error:?}");
        let message = error.to_string();
        assert!(message.contains("KHR_draco_mesh_compression") && message.contains("Strip"), "{message}");
    }
}

#[test]
fn painting_joint_299_widens_byte_joints_and_loses_nothing() {
    // B16
    for weights_type in [WeightsType::F32, WeightsType::U8, WeightsType::U16] {
        let mut scene = chain(300);
        scene.rows().iter_mut().flatten().filter(|(slot, _)| *slot == 299).for_each(|(slot, _)| *slot = 255);
        scene.primitive().joints_type = JointsType::U8;
        scene.primitive().weights_type = weights_type;
        let mut job = Job::of(&scene);
        let outcome = job.run(&["stroke joint=J299 radius=0.1 falloff=constant points=-0.5,0,0"]);
        assert!(outcome.notes.is_empty(), "{:?}", outcome.notes);
        let files = job.save();
        let stored = Stored::of(&files);
        let component =
            |name| stored.json["accessors"][stored.attribute(0, 0, name).expect(name)]["componentType"].clone();
        assert_eq!(component("JOINTS_0"), 5123);
        let back = Job::open(files);
        assert_eq!(back.weight(0, 299), 1.0);
        assert_eq!(back.all_rows()[1..], job.all_rows()[1..]);
    }
}

#[test]
fn quantised_positions_do_not_hinder_any_of_this() {
    // B16, B01, B06 together: shorts for positions, bytes for weights, a fifth influence, interleaved.
    let mut scene = strip_with_joints(6);
    let primitive = scene.primitive();
    primitive.positions_type = PositionsType::I16 { divisor: 2.0 };
    primitive.weights_type = WeightsType::U8;
    primitive.placement = Placement::Interleaved { byte_stride: 48 };
    scene.rows()[4] = vec![(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)];
    let mut job = Job::of(&scene);
    job.run(&["budget influences=8", "set vertices=4 joint=J5 value=0.2"]);
    let stored = Stored::of(&job.save());
    assert_eq!(stored.sets(0, 0, "WEIGHTS").len(), 2);
    assert_eq!(stored_row(&stored, 4).iter().map(|(_, weight)| weight).sum::<f64>(), 255.0);
}
