//! `sinew info`.

use serde_json::json;
use sinew_tests::{JointsType, Node, WeightsType};

use crate::{arm, command, finish, folder, read, sinew, write, write_gltf};

#[test]
fn a_file_is_described_without_display_and_without_gpu() {
    // B75
    let path = arm();
    let mut command = command(&["info".as_ref(), path.as_os_str()]);
    command.env("VK_ICD_FILENAMES", "/nonexistent").env("VK_DRIVER_FILES", "/nonexistent");
    let run = finish(command).done();
    assert_eq!(run.err, "");
    for part in ["binary glTF 2.0", "2 joints", "seam place", "arm.glb"] {
        assert!(run.out.contains(part), "{part:?} is not in: {}", run.out);
    }
}

#[test]
fn the_json_says_what_the_file_holds() {
    let folder = folder();
    let mut scene = sinew_tests::seam();
    scene.primitive().joints_type = JointsType::U16;
    scene.primitive().weights_type = WeightsType::U8;
    let path = write(folder.path(), "seam.glb", scene.glb());
    let info = sinew!("info", path, "--json").done().json();
    assert_eq!(info["file"]["container"], "glb");
    assert_eq!(info["file"]["path"], path.to_str().expect("UTF-8"));
    assert_eq!(info["file"]["n_bytes"], read(&path).len());
    assert_eq!(info["file"]["buffers"][0]["from"], "bin_chunk");
    assert_eq!(info["n_nodes"], 3);
    assert_eq!(info["skins"][0]["joints"], json!([{"node": 0, "name": "J0"}, {"node": 1, "name": "J1"}]));
    assert_eq!(info["skins"][0]["nodes"], json!([2]));
    let mesh = &info["meshes"][0];
    assert_eq!((&mesh["n_vertices"], &mesh["n_triangles"]), (&json!(12), &json!(8)));
    assert_eq!(mesh["primitives"], json!([{"primitive": 0, "pool": 0, "n_triangles": 8, "material": null}]));
    assert_eq!(
        mesh["pools"],
        json!([{"pool": 0, "first_vertex": 0, "n_vertices": 12, "normals": false,
            "sets": [{"set": 0, "joints": "u16", "weights": "u8"}]}])
    );
    assert_eq!((&mesh["seams"], &mesh["torn"], &mesh["unweighted"]), (&json!(2), &json!(0), &json!(0)));
    assert_eq!((&mesh["paintable"], &mesh["off_sum"], &info["warnings"]), (&json!(true), &json!(0), &json!([])));
}

#[test]
fn what_is_unusual_is_counted() {
    // B20, B21
    let folder = folder();
    let mut scene = sinew_tests::seam();
    for k in 2..6 {
        scene.add_joint(0, &format!("J{k}"), glam::Vec3::ZERO);
    }
    let rows = scene.rows();
    rows[0] = vec![(0, 0.0)];
    rows[1] = vec![(0, 0.75)];
    rows[2] = (0..5).map(|slot| (slot, 0.2)).collect();
    rows[6] = vec![(1, 1.0)];
    let path = write(folder.path(), "odd.glb", scene.glb());
    let info = sinew!("info", path, "--json").done().json();
    let mesh = &info["meshes"][0];
    assert_eq!(mesh["unweighted"], 1);
    assert_eq!((&mesh["off_sum"], &mesh["worst_off_sum"]), (&json!(1), &json!(0.25)));
    assert_eq!((&mesh["max_influences"], &mesh["over_4"]), (&json!(5), &json!(1)));
    // One of the two seam places came torn.
    assert_eq!((&mesh["seams"], &mesh["torn"]), (&json!(1), &json!(1)));
    let text = sinew!("info", path).done().out;
    for part in ["1 vertex without weight", "by up to 0.25", "1 vertex with more than 4", "1 torn place"] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn clips_images_morphs_and_extensions_are_listed() {
    let folder = folder();
    let mut scene = sinew_tests::strip();
    scene.add_image(sinew_tests::checker_png(2, [0, 0, 0], [255, 255, 255]), Some("checker.png"));
    scene.primitive().material = Some(0);
    let n_vertices = scene.primitive().positions.len();
    scene.primitive().morphs.push(sinew_tests::Morph { positions: vec![glam::Vec3::X; n_vertices], normals: vec![] });
    scene.clips.push(sinew_tests::Clip {
        name: "wave".to_owned(),
        channels: vec![sinew_tests::Channel {
            node: 1,
            path: "translation",
            times_s: vec![0.0, 2.5],
            values: vec![0.0; 6],
            interpolation: "LINEAR",
        }],
    });
    scene.skins.push(scene.skins[0].clone());
    let path = write_gltf(folder.path(), "strip", &scene);
    let text = String::from_utf8(read(&path)).expect("UTF-8");
    let text = text.replacen('{', r#"{"extensionsUsed": ["VENDOR_thing"],"#, 1);
    write(folder.path(), "strip.gltf", text);
    let info = sinew!("info", path, "--json").done().json();
    assert_eq!(info["file"]["container"], "gltf");
    assert_eq!(info["file"]["buffers"][0]["uri"], "strip.bin");
    assert_eq!(info["clips"], json!([{"clip": 0, "name": "wave", "duration_s": 2.5, "n_channels": 1}]));
    assert_eq!(info["images"][0]["format"], "png");
    assert_eq!(info["meshes"][0]["morph_targets"], json!([null]));
    assert_eq!(info["extensions_used"], json!(["VENDOR_thing"]));
    // B71: the second skin has no mesh.
    assert_eq!(info["warnings"].as_array().expect("a list").len(), 1);
    let text = sinew!("info", path).done().out;
    for part in ["\"wave\": 2.5 s", "VENDOR_thing", "1 morph target", "warning: skin"] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn control_characters_in_names_do_not_reach_the_terminal() {
    let folder = folder();
    let mut scene = sinew_tests::strip();
    scene.nodes[1].name = "J1\u{1b}[31m\nwarning: fake".to_owned();
    scene.add_node(None, Node::default());
    let path = write(folder.path(), "names.glb", scene.glb());
    let text = sinew!("info", path).done().out;
    assert!(!text.contains('\u{1b}') && !text.lines().any(|line| line.starts_with("warning: fake")), "{text}");
}

#[test]
fn files_that_cannot_be_opened_are_named_with_the_reason() {
    // B70
    let folder = folder();
    let path = folder.path().join("no such file.glb");
    sinew!("info", path).fails(1, &["error: ", "no such file.glb"]);
    let glb = sinew_tests::strip().glb();
    let text = sinew_tests::strip().build().json_text();
    let cases: [(&str, Vec<u8>, &str); 5] = [
        ("empty.glb", Vec::new(), "empty"),
        ("cut.glb", glb[..glb.len() / 2].to_vec(), "ends at byte"),
        ("cube.stl", b"solid cube".to_vec(), ".gltf"),
        ("list.gltf", b"{\"meshes\": {}, \"asset\": {\"version\": \"2.0\"}}".to_vec(), "meshes"),
        ("lone.gltf", text.replace("\"buffers\":[{", "\"buffers\":[{\"uri\":\"gone.bin\",").into_bytes(), "gone.bin"),
    ];
    for (name, bytes, reason) in cases {
        let path = write(folder.path(), name, bytes);
        sinew!("info", path).fails(1, &["error: ", name, reason]);
    }
    sinew!("info", folder.path()).fails(1, &["error: "]);
}

#[test]
fn every_sample_model_is_described() {
    let Some(models) = sinew_tests::shared_models() else {
        println!("skipped: the sample models are not there");
        return;
    };
    let mut n_seen = 0;
    for entry in std::fs::read_dir(models).expect("a folder") {
        let path = entry.expect("an entry").path();
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if !["glb", "gltf", "vrm"].contains(&ending.as_str()) {
            continue;
        }
        let run = sinew!("info", path, "--json");
        if run.code == Some(0) {
            assert!(run.json()["n_nodes"].as_u64().expect("a number") > 0, "{}", path.display());
        } else {
            assert!(run.err.contains("Draco"), "{}: {}", path.display(), run.err);
        }
        n_seen += 1;
    }
    assert!(n_seen > 0, "no model in the folder");
}

#[test]
fn a_mesh_that_several_nodes_show_is_said_to_be_shared() {
    // B37
    let folder = folder();
    let mut scene = sinew_tests::strip();
    scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::at("twin", glam::Vec3::ZERO) });
    let path = write(folder.path(), "twins.glb", scene.glb());
    let info = sinew!("info", path, "--json").done().json();
    assert_eq!((&info["meshes"][0]["nodes"], &info["meshes"][0]["n_nodes"]), (&json!([2, 3]), &json!(2)));
    let text = sinew!("info", path).done().out;
    assert!(text.contains("used by 2 nodes"), "{text}");

    let out = folder.path().join("parted.glb");
    sinew!("apply", path, "-o", out, "--do", "make_unique node=twin").done();
    let info = sinew!("info", out, "--json").done().json();
    assert_eq!((&info["meshes"][0]["n_nodes"], &info["meshes"][1]["nodes"]), (&json!(1), &json!([3])));
    assert_eq!(info["meshes"][1]["name"], "Strip (2)");
}
