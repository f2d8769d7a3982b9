//! What holds for all verbs: usage errors, help, a reader who goes away, and the list of command lines.

use std::collections::BTreeSet;
use std::process::Stdio;

use glam::Vec3;
use serde_json::Value;
use sinew_edit::COMMANDS;
use sinew_tests::Node;

use crate::{Run, arm, command, folder, sinew, write};

#[test]
fn arguments_that_cannot_be_understood_end_with_code_2() {
    sinew!("info").fails(2, &["Usage"]);
    sinew!("apply", "a.glb").fails(2, &["--out"]);
    sinew!("deform", "a.glb", "-o", "a.obj", "--deform", "cubic").fails(2, &["lbs", "dqs"]);
    sinew!("deform", "a.glb", "-o", "a.obj", "--time", "1").fails(2, &["--clip"]);
    sinew!("--no-such-flag").fails(2, &["--no-such-flag"]);
}

#[test]
fn help_documents_the_json_of_each_verb() {
    for (verb, members) in [
        ("info", &["\"warnings\"", "\"off_sum\"", "\"torn\""][..]),
        ("apply", &["\"lines\"", "\"report\"", "\"everything_else_identical\""]),
        ("deform", &["\"primitives\"", "\"positions\""]),
        ("commands", &["usage"]),
        ("render", &["weights:NAME"]),
    ] {
        let help = sinew!(verb, "--help").done().out;
        for member in members {
            assert!(help.contains(member), "{verb} --help lacks {member}: {help}");
        }
    }
}

/// Names of all members, at any depth.
fn members(json: &Value, into: &mut BTreeSet<String>) {
    match json {
        Value::Array(items) => items.iter().for_each(|item| members(item, into)),
        Value::Object(object) => {
            for (name, value) in object {
                into.insert(name.clone());
                members(value, into);
            }
        }
        _ => {}
    }
}

#[test]
fn every_member_of_the_json_stands_in_the_help() {
    let folder = folder();
    let mut scene = sinew_tests::strip();
    scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::at("copy", Vec3::ZERO) });
    scene.rows()[0] = vec![(0, 0.5)];
    let path = write(folder.path(), "strip.glb", scene.glb());
    let out = folder.path().join("out.glb");
    let lines = ["make_unique node=copy", "set vertices=3 joint=J1 value=0.9 mesh=Strip"];
    let applied = sinew!("apply", path, "-o", out, "--json", "--do", lines[0], "--do", lines[1]).done().json();
    for (verb, json) in [("apply", applied), ("info", sinew!("info", path, "--json").done().json())] {
        let help = sinew!(verb, "--help").done().out;
        let mut names = BTreeSet::new();
        members(&json, &mut names);
        assert!(names.len() > 15, "{names:?}");
        for name in names {
            assert!(help.contains(&format!("\"{name}\"")), "{verb} --help does not name {name:?}");
        }
    }
}

#[test]
fn names_from_a_file_cannot_command_the_terminal() {
    let folder = folder();
    let mut scene = sinew_tests::strip();
    "two\nlines \u{1b}[2J\u{9b}31m".clone_into(&mut scene.nodes[1].name);
    "mesh\u{7}".clone_into(&mut scene.meshes[0].name);
    scene.rows()[4].clear();
    let path = write(folder.path(), "odd.glb", scene.glb());
    let out = folder.path().join("out.glb");
    let runs = [
        sinew!("info", path),
        sinew!("apply", path, "-o", out, "--do", "set vertices=0 joint=1 value=0.5"),
        sinew!("apply", path, "-o", out, "--do", "set vertices=99 joint=1 value=0.5"),
        sinew!("apply", path, "-o", out, "--do", "lock joint=nobody"),
        sinew!("deform", path, "-o", folder.path().join("out.obj"), "--pose", "nobody=0,0,0"),
    ];
    for Run { out, err, .. } in runs {
        let is_command = |c: char| c.is_control() && c != '\n';
        assert!(!out.contains(is_command) && !err.contains(is_command), "{out:?} {err:?}");
    }
    // What programs read is exact.
    let json = sinew!("info", path, "--json").done().json();
    assert_eq!(json["skins"][0]["joints"][1]["name"], "two\nlines \u{1b}[2J\u{9b}31m");
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    let path = arm();
    for args in [vec!["info", "--json"], vec!["info"], vec!["commands"]] {
        let mut args: Vec<&std::ffi::OsStr> = args.into_iter().map(AsRef::as_ref).collect();
        if args[0] == "info" {
            args.push(path.as_os_str());
        }
        let mut child =
            command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn every_command_line_is_listed_with_its_parameters() {
    let text = sinew!("commands").done().out;
    let json = sinew!("commands", "--json").done().json();
    assert_eq!(json.as_array().expect("a list").len(), COMMANDS.len());
    for (command, entry) in COMMANDS.iter().zip(json.as_array().expect("a list")) {
        assert!(text.contains(&command.usage()) && text.contains(command.hint), "{}", command.name);
        assert_eq!(entry["usage"], command.usage());
        assert_eq!(entry["params"].as_array().expect("a list").len(), command.params.len());
    }
}
