//! What holds for all verbs: usage errors, help, a reader who goes away, and the list of command lines.

use std::process::Stdio;

use sinew_edit::COMMANDS;

use crate::{arm, command, sinew};

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
