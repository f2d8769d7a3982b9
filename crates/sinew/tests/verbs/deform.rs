//! `sinew deform`.

use std::path::Path;

use glam::{Vec2, Vec3};
use serde_json::Value;
use sinew_tests::{Channel, Clip, Morph, Node, Primitive, Scene, Share};

use crate::{command, finish, folder, read, sinew, vectors, write};

/// Poses a scene and gives the primitives.
fn posed(scene: &Scene, args: &[&str]) -> Vec<Value> {
    let folder = folder();
    let path = write(folder.path(), "model.glb", scene.glb());
    posed_file(&path, args)
}

fn posed_file(path: &Path, args: &[&str]) -> Vec<Value> {
    let folder = folder();
    let out = folder.path().join("posed.json");
    let mut all = vec!["deform".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()];
    all.extend(args.iter().map(|arg| std::ffi::OsStr::new(*arg)));
    finish(command(&all)).done();
    let json: Value = serde_json::from_slice(&read(&out)).expect("JSON");
    assert_eq!(json.as_object().expect("an object").len(), 1);
    json["primitives"].as_array().expect("a list").clone()
}

fn close(a: [f32; 3], b: [f32; 3]) -> bool {
    Vec3::from(a).distance(Vec3::from(b)) < 1e-5
}

#[test]
fn a_turned_joint_takes_its_vertices_along() {
    let primitives = posed(&sinew_tests::strip(), &["--pose", "J1=0,0,90"]);
    assert_eq!(primitives.len(), 1);
    assert_eq!(primitives[0].as_object().expect("an object").len(), 5);
    assert_eq!(
        (&primitives[0]["node"], &primitives[0]["mesh"], &primitives[0]["primitive"]),
        (&2.into(), &0.into(), &0.into())
    );
    let positions = vectors(&primitives[0]["positions"]);
    assert_eq!(vectors(&primitives[0]["normals"]).len(), 10);
    assert!(close(positions[8], [-1.0, 0.5, 0.0]) && close(positions[9], [-1.0, 1.5, 0.0]), "{positions:?}");
    assert_eq!(positions[0], [-0.5, 0.0, 0.0]);
}

#[test]
fn as_exported_is_limited_rounded_and_undivided() {
    let mut scene = sinew_tests::strip();
    scene.rows()[3] = vec![(0, 0.5)];
    let positions = |args: &[&str]| vectors(&posed(&scene, args)[0]["positions"]);
    let edited = positions(&["--pose", "J1=0,0,90"]);
    let bytes = positions(&["--pose", "J1=0,0,90", "--as", "4xu8"]);
    // A quarter is 63.75 / 255.
    let share = 64.0 / 255.0;
    let (still, turned) = (Vec3::new(-0.5, 0.5, 0.0), Vec3::new(0.5, 0.5, 0.0));
    assert!(Vec3::from(edited[2]).distance(still.lerp(turned, 0.25)) < 1e-5, "{:?}", edited[2]);
    assert!(Vec3::from(bytes[2]).distance(still.lerp(turned, share)) < 1e-5, "{:?}", bytes[2]);
    // Half a weight in floats is half the place.
    assert!(close(positions(&["--as", "file"])[3], [0.25, 0.25, 0.0]));
    assert!(close(edited[3], [0.5, 0.5, 0.0]), "views divide");
}

#[test]
fn rest_positions_come_back_to_the_bit_in_json_and_obj() {
    let mut scene = sinew_tests::strip();
    let odd = [0.1, 1.0 / 3.0, 1.000_000_1, 1e-20, 123_456.79, -0.7, f32::MIN_POSITIVE, 3e7, 0.3, 16_777_217.0];
    for (position, odd) in scene.primitive().positions.iter_mut().zip(odd) {
        position.z = odd;
    }
    // All vertices with one joint that does nothing, so that the numbers must come out as they went in.
    scene.rows().fill(vec![(0, 1.0)]);
    let folder = folder();
    let path = write(folder.path(), "odd.glb", scene.glb());
    let bits = |positions: &[[f32; 3]]| positions.iter().map(|p| p.map(f32::to_bits)).collect::<Vec<_>>();
    let expected: Vec<[f32; 3]> = scene.primitive().positions.iter().map(Vec3::to_array).collect();
    assert_eq!(bits(&vectors(&posed_file(&path, &[])[0]["positions"])), bits(&expected));

    let out = folder.path().join("posed.OBJ");
    sinew!("deform", path, "-o", out).done();
    let text = String::from_utf8(read(&out)).expect("UTF-8");
    let number = |text: &str| text.parse::<f32>().expect("a number");
    let of_line = |line: &str| -> Vec<f32> { line.split(' ').skip(1).map(number).collect() };
    let from_obj: Vec<[f32; 3]> = text
        .lines()
        .filter(|line| line.starts_with("v "))
        .map(|line| of_line(line).try_into().expect("three"))
        .collect();
    assert_eq!(bits(&from_obj), bits(&expected));
}

#[test]
fn obj_faces_count_from_1_over_all_objects() {
    let folder = folder();
    let path = write(folder.path(), "pair.glb", sinew_tests::pair_two_meshes().glb());
    let out = folder.path().join("pair.obj");
    sinew!("deform", path, "-o", out).done();
    let text = String::from_utf8(read(&out)).expect("UTF-8");
    let objects: Vec<&str> = text.split("o ").skip(1).collect();
    assert_eq!(objects.len(), 2);
    for (object, numbers) in objects.iter().zip([1..=10_usize, 11..=20]) {
        let lines = |kind: &str| object.lines().filter(|line| line.starts_with(kind)).count();
        assert_eq!((lines("v "), lines("vn "), lines("f ")), (10, 10, 8));
        let mut used: Vec<usize> = Vec::new();
        for corner in object.lines().filter(|line| line.starts_with("f ")).flat_map(|line| line.split(' ').skip(1)) {
            let (vertex, normal) = corner.split_once("//").expect("vertex//normal");
            assert_eq!(vertex, normal);
            used.push(vertex.parse().expect("a number"));
        }
        used.sort_unstable();
        used.dedup();
        assert_eq!(used, numbers.collect::<Vec<_>>());
    }
}

#[test]
fn raw_differs_on_off_sum_rows_only() {
    let mut scene = sinew_tests::strip();
    scene.rows()[4] = vec![(0, 0.25), (1, 0.25)];
    scene.rows()[7] = vec![(1, 1.25)];
    let pose = ["--pose", "J1=0,0,40"];
    let divided = vectors(&posed(&scene, &pose)[0]["positions"]);
    let raw = vectors(&posed(&scene, &[&pose[..], &["--raw"]].concat())[0]["positions"]);
    let differing: Vec<usize> = (0..10).filter(|&v| raw[v] != divided[v]).collect();
    assert_eq!(differing, [4, 7]);
    assert!(close(raw[4], divided[4].map(|x| x * 0.5)), "{raw:?}");
}

#[test]
fn morph_targets_come_before_skinning() {
    // B57
    let mut scene = sinew_tests::strip();
    let lift = (0..10).map(|v| if v >= 8 { Vec3::Z } else { Vec3::ZERO }).collect();
    scene.primitive().morphs.push(Morph { positions: lift, normals: Vec::new() });
    scene.meshes[0].morph_weights = vec![1.0];
    let positions = vectors(&posed(&scene, &["--pose", "J1=0,0,90"])[0]["positions"]);
    assert!(close(positions[9], [-1.0, 1.5, 1.0]), "{positions:?}");
    assert!(close(positions[0], [-0.5, 0.0, 0.0]), "{positions:?}");
}

#[test]
fn a_clip_moves_joints_and_morphs_at_its_moment() {
    let mut scene = sinew_tests::strip();
    let channel = |node, path, values| Channel { node, path, times_s: vec![0.0, 2.0], values, interpolation: "LINEAR" };
    scene.primitive().morphs.push(Morph { positions: vec![Vec3::Z; 10], normals: Vec::new() });
    scene.clips.push(Clip {
        name: "lift = up".to_owned(),
        channels: vec![
            channel(1, "translation", vec![0.0, 1.0, 0.0, 0.0, 3.0, 0.0]),
            channel(2, "weights", vec![0.0, 1.0]),
        ],
    });
    let top = |args: &[&str]| vectors(&posed(&scene, args)[0]["positions"])[9];
    assert!(close(top(&["--clip", "lift = up", "--time", "1"]), [0.5, 3.0, 0.5]));
    assert!(close(top(&["--clip", "#0", "--time", "99"]), [0.5, 4.0, 1.0]));
    assert!(close(top(&["--clip", "lift = up"]), [0.5, 2.0, 0.0]));
    assert!(close(top(&["--clip", "#0", "--time", "1", "--pose", "J1=0,0,90"]), [-1.0, 2.5, 0.5]));
}

#[test]
fn joints_are_named_as_everywhere_even_with_signs_in_their_names() {
    let mut scene = sinew_tests::strip();
    scene.nodes[1].name = "--arm = L; 100% 网".to_owned();
    let expected = posed(&scene, &["--pose", "#1=0,0,90"]);
    for name in ["--arm = L; 100% 网", "1"] {
        let turn = format!("{name}=0,0,90");
        assert_eq!(posed(&scene, &["--pose", &turn]), expected, "{name}");
        assert_eq!(posed(&scene, &[&format!("--pose={turn}")]), expected, "{name}");
    }
}

#[test]
fn dual_quaternions_keep_the_volume_that_linear_blending_loses() {
    // B49
    let tube = sinew_tests::tube(9, 16);
    let radius = |deform: &str| {
        let positions = vectors(&posed(&tube, &["--pose", "J1=0,180,0", "--deform", deform])[0]["positions"]);
        Vec2::new(positions[4 * 16][0], positions[4 * 16][2]).length()
    };
    assert!(radius("lbs") < 1e-4, "{}", radius("lbs"));
    assert!((radius("dqs") - 0.2).abs() < 1e-4, "{}", radius("dqs"));
}

#[test]
fn every_node_with_a_mesh_is_there_in_node_order() {
    let mut scene = sinew_tests::strip();
    // The skinned mesh once more, without a skin, moved; then a plain mesh of two primitives.
    scene.add_node(None, Node { mesh: Some(0), ..Node::at("again", Vec3::new(0.0, 0.0, 5.0)) });
    let mut cube = sinew_tests::cube(Vec3::ZERO, 1.0);
    let mut mesh = cube.meshes.remove(0);
    for primitive in &mut mesh.primitives {
        primitive.rows = Vec::new();
    }
    mesh.primitives.push(mesh.primitives[0].clone());
    scene.meshes.push(mesh);
    scene.add_node(Some(1), Node { mesh: Some(1), ..Node::at("held", Vec3::X) });
    let primitives = posed(&scene, &["--pose", "J1=0,0,90"]);
    let places: Vec<[u64; 3]> = primitives
        .iter()
        .map(|p| ["node", "mesh", "primitive"].map(|key| p[key].as_u64().expect("a number")))
        .collect();
    assert_eq!(places, [[2, 0, 0], [3, 0, 0], [4, 1, 0], [4, 1, 1]]);
    // Without a skin the node places the mesh, whatever its rows say.
    assert!(close(vectors(&primitives[1]["positions"])[9], [0.5, 2.0, 5.0]));
    // The plain mesh hangs on the turned joint, at (0, 1, 0) + the turned (1, 0, 0).
    let held = vectors(&primitives[2]["positions"]);
    let middle = held.iter().map(|&p| Vec3::from(p)).sum::<Vec3>() / held.len() as f32;
    assert!(middle.distance(Vec3::new(0.0, 2.0, 0.0)) < 1e-5, "{middle}");
}

#[test]
fn primitives_that_share_vertices_keep_their_own_normals() {
    let mut scene = sinew_tests::strip();
    scene.primitive().normals = vec![Vec3::Z; 10];
    let share = |attribute: &str| Share { attribute: attribute.to_owned(), mesh: 0, primitive: 0 };
    let second = Primitive {
        normals: vec![Vec3::X; 10],
        shares: ["POSITION", "JOINTS_0", "WEIGHTS_0"].map(share).to_vec(),
        ..scene.primitive().clone()
    };
    scene.meshes[0].primitives.push(second);
    let primitives = posed(&scene, &["--pose", "J1=0,0,90"]);
    assert_eq!(primitives[0]["positions"], primitives[1]["positions"]);
    assert!(close(vectors(&primitives[0]["normals"])[9], [0.0, 0.0, 1.0]));
    assert!(close(vectors(&primitives[1]["normals"])[9], [0.0, 1.0, 0.0]));
    assert!(close(vectors(&primitives[1]["normals"])[0], [1.0, 0.0, 0.0]));
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let folder = folder();
    let path = write(folder.path(), "strip.glb", sinew_tests::strip().glb());
    let out = folder.path().join("out.obj");
    for (args, parts) in [
        (["--pose", "J9=0,0,1"], &["J9", "J0", "J1"][..]),
        (["--pose", "J1"], &["NAME=rx,ry,rz", "\"J1\""]),
        (["--pose", "J1=0,0"], &["x,y,z", "0,0"]),
        (["--pose", "J1=0,nan,0"], &["x,y,z", "nan"]),
        (["--clip", "walk"], &["walk", "none"]),
    ] {
        sinew!("deform", path, "-o", out, args[0], args[1]).fails(1, parts);
    }
    sinew!("deform", path, "-o", folder.path().join("out.fbx")).fails(1, &["fbx", ".obj", ".json"]);
    sinew!("deform", path, "-o", folder.path().join("no folder/out.obj")).fails(1, &["no folder"]);
    sinew!("deform", folder.path().join("gone.glb"), "-o", out).fails(1, &["gone.glb"]);
    assert_eq!(crate::names_in(folder.path()), ["strip.glb"]);
}
