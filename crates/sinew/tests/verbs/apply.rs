//! `sinew apply`.

use std::fs;
use std::path::Path;

use serde_json::json;
use sinew_tests::Scene;

use crate::{arm, folder, names_in, read, sinew, vectors, write, write_gltf};

/// Lines that change weights, locks and the history in turn.
const SCRIPT: &str = "\u{feff}# a session\n\
    set vertices=0-3 joint=J1 value=0.4\r\n\
    \n\
    lock joint=J0\n\
    stroke joint=J1 brush=add value=0.3 radius=0.8 points=0,1,0;0,1.25,0 pose=J1:0,0,30\n\
    unlock joint=J0\n\
    smooth iterations=2\n\
    undo\n\
    stroke joint=J1 brush=replace value=0.6 radius=0.7 reach=volume points=0,0.5,0\n";

fn lines() -> Vec<&'static str> {
    SCRIPT.trim_start_matches('\u{feff}').lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// What the file poses to, bent; the same numbers mean the same weights.
fn bent(path: &Path) -> Vec<Vec<[f32; 3]>> {
    let folder = folder();
    let out = folder.path().join("posed.json");
    sinew!("deform", path, "--pose", "J1=0,0,90", "--raw", "-o", out).done();
    let json: serde_json::Value = serde_json::from_slice(&read(&out)).expect("JSON");
    json["primitives"].as_array().expect("a list").iter().map(|p| vectors(&p["positions"])).collect()
}

fn strip_in(folder: &Path) -> std::path::PathBuf {
    write(folder, "strip.glb", sinew_tests::strip().glb())
}

#[test]
fn without_lines_the_copy_is_byte_identical() {
    let folder = folder();
    let out = folder.path().join("copy.glb");
    let run = sinew!("apply", arm(), "-o", out).done();
    assert_eq!(read(&out), read(&arm()));
    assert!(run.out.contains("no weights changed") && run.out.contains("identical"), "{}", run.out);
    // View commands and edits that are taken back change nothing either.
    let path = strip_in(folder.path());
    let out = folder.path().join("back.glb");
    let steps = ["set vertices=0 joint=J1 value=1", "undo", "pose turns=J1:0,0,90", "deform by=dqs"];
    sinew!("apply", path, "-o", out, "--do", steps[0], "--do", steps[1], "--do", steps[2], "--do", steps[3]).done();
    assert_eq!(read(&out), read(&path));
}

#[test]
fn a_gltf_copied_elsewhere_takes_its_files_along() {
    // B14
    let names = [
        ("my%20strip%2010%25.bin", "my strip 10%.bin"),
        ("a raw space.bin", "a raw space.bin"),
        ("%E7%BD%91.bin", "网.bin"),
    ];
    for (uri, name) in names {
        let (from, to) = (folder(), folder());
        let mut scene = sinew_tests::strip();
        scene.add_image(sinew_tests::checker_png(2, [0, 0, 0], [9, 9, 9]), Some("checker.png"));
        for (file, bytes) in scene.gltf_files("in") {
            if file == "in.bin" {
                write(from.path(), name, bytes);
            } else if file == "in.gltf" {
                let text = String::from_utf8(bytes).expect("UTF-8");
                assert!(text.contains("in.bin"));
                write(from.path(), "模型 100%.gltf", text.replace("in.bin", uri));
            } else {
                write(from.path(), &file, bytes);
            }
        }
        let out = to.path().join("模型 100%.gltf");
        let run = sinew!("apply", from.path().join("模型 100%.gltf"), "-o", out, "--json").done();
        assert_eq!(names_in(to.path()), names_in(from.path()));
        for file in names_in(from.path()) {
            assert_eq!(read(&to.path().join(&file)), read(&from.path().join(&file)), "{file}");
        }
        let report = &run.json()["report"];
        assert_eq!(report["files_brought"].as_array().expect("a list").len(), 2, "{report}");
        assert_eq!(report["everything_else_identical"], true);
        sinew!("info", out).done();
    }
}

#[test]
fn an_embedded_gltf_stays_embedded() {
    // B14
    let folder = folder();
    let path = write(folder.path(), "strip.gltf", sinew_tests::strip().gltf_embedded());
    let out = folder.path().join("out.gltf");
    sinew!("apply", path, "-o", out).done();
    assert_eq!(read(&out), read(&path));
    sinew!("apply", path, "-o", out, "--do", "set vertices=0 joint=J1 value=0.5").done();
    assert_eq!(names_in(folder.path()), ["out.gltf", "strip.gltf"]);
    assert_ne!(bent(&out), bent(&path));
}

#[test]
fn the_ending_of_the_output_chooses_the_container() {
    let folder = folder();
    let glb = strip_in(folder.path());
    let line = "set vertices=2,3 joint=J1 value=0.75";
    let text = folder.path().join("text.GLTF");
    sinew!("apply", glb, "-o", text, "--do", line).done();
    assert_eq!(read(&text)[0], b'{');
    let back = folder.path().join("back.vrm");
    sinew!("apply", text, "-o", back).done();
    assert!(read(&back).starts_with(b"glTF"));
    let direct = folder.path().join("direct.glb");
    sinew!("apply", glb, "-o", direct, "--do", line).done();
    assert_eq!(bent(&back), bent(&direct));
    assert_ne!(bent(&back), bent(&glb));
    let skinned = sinew!("info", text, "--json").done().json();
    assert_eq!((&skinned["file"]["container"], &skinned["warnings"]), (&json!("gltf"), &json!([])));
}

#[test]
fn the_json_has_a_line_for_each_command_and_the_save_report() {
    let folder = folder();
    let path = strip_in(folder.path());
    let script = write(folder.path(), "script.txt", "# nothing\n\nset vertices=0-1 joint=J1 value=0.5\n");
    let out = folder.path().join("out.glb");
    let run = sinew!("apply", path, "-o", out, "--script", script, "--do", "lock joint=J1", "--json").done().json();
    assert_eq!(run.as_object().expect("an object").keys().collect::<Vec<_>>(), ["lines", "report"]);
    let lines = run["lines"].as_array().expect("a list");
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["line"], "set vertices=0-1 joint=J1 value=0.5");
    assert_eq!((&lines[0]["n_vertices"], &lines[0]["notes"]), (&json!(2), &json!([])));
    assert!(lines.iter().all(|line| line["message"].is_string() && line.as_object().expect("an object").len() == 4));
    let report = &run["report"];
    assert_eq!((&report["n_vertices_changed"], &report["largest_weight_change"]), (&json!(2), &json!(0.5)));
    assert_eq!(report["path"], out.to_str().expect("UTF-8"));
    assert_eq!(report["everything_else_identical"], true);
    assert!(report["accessors"].as_array().expect("a list").iter().any(|a| a["attribute"] == "WEIGHTS_0"), "{report}");
    assert_eq!(report["bytes_before"], read(&path).len());
}

#[test]
fn what_a_line_left_alone_is_said() {
    let folder = folder();
    let path = strip_in(folder.path());
    let out = folder.path().join("out.glb");
    let args = ["lock joint=J0", "set vertices=0-9 joint=J1 value=0"];
    let run = sinew!("apply", path, "-o", out, "--do", args[0], "--do", args[1]).done();
    assert!(run.out.contains("locks block"), "{}", run.out);
    assert!(run.out.contains("saved ") && run.out.contains("everything"), "{}", run.out);
}

#[test]
fn a_script_gives_the_bytes_that_its_lines_give_one_by_one() {
    let folder = folder();
    let path = strip_in(folder.path());
    let script = write(folder.path(), "script.txt", SCRIPT);
    let by_script = folder.path().join("by script.glb");
    sinew!("apply", path, "-o", by_script, "--script", script).done();
    let by_line = folder.path().join("by line.glb");
    let mut args: Vec<&std::ffi::OsStr> = vec!["apply".as_ref(), path.as_os_str(), "-o".as_ref(), by_line.as_os_str()];
    args.extend(lines().into_iter().flat_map(|line| ["--do", line]).map(std::ffi::OsStr::new));
    crate::finish(crate::command(&args)).done();
    assert_eq!(read(&by_script), read(&by_line));
    assert_ne!(read(&by_script), read(&path));
}

#[test]
fn lines_and_scripts_are_done_in_the_order_of_the_command_line() {
    let folder = folder();
    let path = strip_in(folder.path());
    let script = write(folder.path(), "half.txt", "set vertices=0 joint=J1 value=0.5\n");
    let (first, last) = (folder.path().join("first.glb"), folder.path().join("last.glb"));
    let quarter = "set vertices=0 joint=J1 value=0.25";
    let expected = |value: &str| {
        let out = folder.path().join("expected.glb");
        sinew!("apply", path, "-o", out, "--do", format!("set vertices=0 joint=J1 value={value}")).done();
        read(&out)
    };
    sinew!("apply", path, "--script", script, "--do", quarter, "-o", first).done();
    assert_eq!(read(&first), expected("0.25"));
    sinew!(
        "apply",
        path,
        "--do",
        "lock joint=J1",
        "--do",
        "unlock joint=J1",
        "--do",
        quarter,
        "--script",
        script,
        "-o",
        last
    )
    .done();
    assert_eq!(read(&last), expected("0.5"));
}

#[test]
fn a_line_that_cannot_be_done_is_named_and_nothing_is_written() {
    let folder = folder();
    let path = strip_in(folder.path());
    let before = read(&path);
    let good = "set vertices=0 joint=J1 value=0.5";
    let script = write(folder.path(), "a script.txt", format!("# one\n{good}\nset vertices=99 joint=J1 value=1\n"));
    let out = folder.path().join("out.glb");
    sinew!("apply", path, "-o", out, "--script", script).fails(1, &["a script.txt:3", "99"]);
    sinew!("apply", path, "-o", path, "--do", good, "--do", "paint it=black")
        .fails(1, &["--do 2", "paint it=black", "stroke"]);
    sinew!("apply", path, "-o", out, "--do", "set vertices=0 joint=J7 value=1").fails(1, &["--do 1", "J7", "J0"]);
    sinew!("apply", path, "-o", out, "--do", "set vertices=0 joint=\"J1").fails(1, &["column", "quote"]);
    sinew!("apply", path, "-o", out, "--script", folder.path().join("gone.txt")).fails(1, &["gone.txt"]);
    let latin = write(folder.path(), "latin.txt", b"# ok\nlock joint=\xE9\n");
    sinew!("apply", path, "-o", out, "--script", latin).fails(1, &["latin.txt:2", "UTF-8"]);
    assert_eq!(names_in(folder.path()), ["a script.txt", "latin.txt", "strip.glb"]);
    assert_eq!(read(&path), before);
}

#[test]
fn an_output_that_cannot_be_is_an_error_and_leaves_nothing() {
    // B73
    let folder = folder();
    let path = strip_in(folder.path());
    sinew!("apply", path, "-o", folder.path().join("out.fbx")).fails(1, &["fbx", ".gltf", "out.fbx"]);
    sinew!("apply", path, "-o", folder.path().join("out")).fails(1, &[".glb"]);
    sinew!("apply", path, "-o", path.join("out.glb")).fails(1, &["out.glb"]);
    sinew!("apply", folder.path().join("gone.glb"), "-o", folder.path().join("out.glb")).fails(1, &["gone.glb"]);
    assert_eq!(names_in(folder.path()), ["strip.glb"]);
}

#[test]
fn the_file_itself_may_be_the_output() {
    let folder = folder();
    let path = strip_in(folder.path());
    let line = "set vertices=4 joint=J1 value=0.875";
    let other = folder.path().join("other.glb");
    sinew!("apply", path, "-o", other, "--do", line).done();
    sinew!("apply", path, "-o", path, "--do", line).done();
    assert_eq!(read(&path), read(&other));
    assert_eq!(names_in(folder.path()), ["other.glb", "strip.glb"]);

    let text = write_gltf(folder.path(), "text", &sinew_tests::strip());
    let bin = read(&folder.path().join("text.bin"));
    sinew!("apply", text, "-o", text, "--do", line).done();
    assert_eq!(bent(&text), bent(&other));
    assert_eq!(read(&folder.path().join("text.bin")), bin);
}

#[test]
fn a_symbolic_link_stays_a_link() {
    #[cfg(unix)]
    {
        let folder = folder();
        let path = strip_in(folder.path());
        let link = folder.path().join("link.glb");
        std::os::unix::fs::symlink(&path, &link).expect("links");
        sinew!("apply", link, "-o", link, "--do", "set vertices=4 joint=J1 value=0.875").done();
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_ne!(read(&path), sinew_tests::strip().glb());
    }
}

#[test]
fn a_file_without_weights_is_copied_but_not_edited() {
    let folder = folder();
    let mut scene: Scene = sinew_tests::cube(glam::Vec3::ZERO, 1.0);
    scene.skins.clear();
    for node in &mut scene.nodes {
        node.skin = None;
    }
    scene.rows().clear();
    let path = write(folder.path(), "cube.glb", scene.glb());
    let out = folder.path().join("out.glb");
    sinew!("apply", path, "-o", out).done();
    assert_eq!(read(&out), read(&path));
    let edited = folder.path().join("edited.glb");
    sinew!("apply", path, "-o", edited, "--do", "set vertices=0 joint=J0 value=1").fails(1, &["--do 1"]);
    assert!(!edited.exists());
}

#[test]
fn a_file_that_is_marked_read_only_is_not_replaced() {
    // B73
    let folder = folder();
    let path = strip_in(folder.path());
    let before = read(&path);
    let mut permissions = fs::metadata(&path).expect("there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("may be marked");
    sinew!("apply", path, "-o", path, "--do", "set vertices=0 joint=J1 value=0.5")
        .fails(1, &["read-only", "strip.glb"]);
    assert!(read(&path) == before);
    assert_eq!(names_in(folder.path()), ["strip.glb"]);
}

#[cfg(unix)]
#[test]
fn a_script_without_end_is_refused() {
    let folder = folder();
    let path = strip_in(folder.path());
    let out = folder.path().join("out.glb");
    sinew!("apply", path, "-o", out, "--script", "/dev/zero").fails(1, &["longer than", "/dev/zero"]);
}
