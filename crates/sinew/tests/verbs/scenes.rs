//! Scenes on the command line: listed, chosen for pictures and positions, never written.

use serde_json::{Value, json};
use sinew_tests::two_scenes;

use crate::{folder, names_in, read, sinew, write};

#[test]
fn scenes_are_listed() {
    // B72
    let folder = folder();
    let path = write(folder.path(), "two.glb", two_scenes().glb());
    let info = sinew!("info", path, "--json").done().json();
    let expected = json!([
        {"scene": 0, "name": "High", "roots": [2], "is_default": true, "meshes": [0]},
        {"scene": 1, "name": "Low", "roots": [3], "is_default": false, "meshes": [1]},
    ]);
    assert_eq!(info["scenes"], expected);
    let text = sinew!("info", path).done().out;
    assert!(text.contains("scene \"High\", the file's own: shows of 2 meshes 0, from node 2\n"), "{text}");
    assert!(text.contains("scene \"Low\": shows of 2 meshes 1, from node 3\n"), "{text}");
}

#[test]
fn positions_are_those_of_every_node_unless_a_scene_is_named() {
    // B72
    let folder = folder();
    let path = write(folder.path(), "two.glb", two_scenes().glb());
    let nodes = |args: &[&str]| {
        let out = folder.path().join("out.json");
        let mut all = vec!["deform".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()];
        all.extend(args.iter().map(std::ffi::OsStr::new));
        crate::finish(crate::command(&all)).done();
        let json: Value = serde_json::from_slice(&read(&out)).expect("JSON");
        let primitives = json["primitives"].as_array().expect("a list").clone();
        primitives.iter().map(|primitive| primitive["node"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(nodes(&[]), [2, 3]);
    assert_eq!(nodes(&["--scene", "all"]), [2, 3]);
    assert_eq!(nodes(&["--scene", "Low"]), [3]);
    assert_eq!(nodes(&["--scene", "#0"]), [2]);
    std::fs::remove_file(folder.path().join("out.json")).expect("goes");
    let out = folder.path().join("no.json");
    sinew!("deform", path, "-o", out, "--scene", "Middle").fails(1, &["--scene", "Middle", "High"]);
    sinew!("render", path, "-o", folder.path().join("no.png"), "--scene", "#2").fails(1, &["--scene", "#2", "Low"]);
    assert_eq!(names_in(folder.path()), ["two.glb"]);
}

#[test]
fn a_picture_shows_the_scene_that_is_named() {
    // B72
    let folder = folder();
    let path = write(folder.path(), "two.glb", two_scenes().glb());
    if sinew_render::HeadlessDevice::new().is_err() {
        println!("skipped: no graphics adapter on this machine");
        return;
    }
    let picture = |name: &str, args: &[&str]| {
        let out = folder.path().join(name);
        let mut all = vec!["render".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()];
        all.extend(["--size", "160x120", "--show", "weights:J1"].iter().chain(args).map(std::ffi::OsStr::new));
        crate::finish(crate::command(&all)).done();
        let picture = image::load_from_memory(&read(&out)).expect("a PNG").into_rgba8();
        // The model is brighter than the backdrop.
        let is_model = |&x: &u32| (0..120).any(|y| picture.get_pixel(x, y).0[..3].iter().any(|&part| part > 120));
        (0..160).filter(is_model).count()
    };
    let [own, low, all] = [("own.png", &[][..]), ("low.png", &["--scene", "Low"]), ("all.png", &["--scene", "all"])]
        .map(|(name, args)| picture(name, args));
    assert!((30..70).contains(&own) && own.abs_diff(low) < 4, "one strip fills the height: {own} and {low} columns");
    assert!(all < own, "two strips side by side fit only smaller: {all} columns");
}

#[test]
fn what_is_shown_is_not_saved() {
    // B72
    let folder = folder();
    let path = write(folder.path(), "two.glb", two_scenes().glb());
    let out = folder.path().join("out.glb");
    sinew!("apply", path, "-o", out, "--do", "scene name=Low").done();
    assert!(read(&out) == read(&path));
    sinew!("apply", path, "-o", out, "--do", "scene name=Low", "--do", "set mesh=Low vertices=1 joint=J1 value=0.5")
        .done();
    assert!(read(&out) != read(&path));
    let scenes = |path| sinew!("info", path, "--json").done().json()["scenes"].clone();
    assert_eq!(scenes(&out), scenes(&path));
}
