//! `sinew tour`: what it leaves behind, and that the saved character really is the smoothed one.

use crate::{folder, names_in, read, sinew, write};

#[test]
fn the_tour_leaves_the_character_the_report_the_script_and_pictures_that_differ() {
    let folder = folder();
    let out = folder.path().join("a tour");
    let run = sinew!("tour", "-o", out).done();
    let without_pictures = ["character.glb", "save-report.txt", "script.txt"];
    if run.out.contains("skipped: the pictures") {
        println!("skipped: no graphics adapter on this machine");
        assert_eq!(names_in(&out), without_pictures);
    } else {
        let n_notes = run.err.matches("software, which is slow").count();
        assert!(n_notes <= 1, "six pictures, one note: {}", run.err);
        let pictures = ["dqs-before.png", "lbs-after.png", "lbs-before.png", "weights-after.png", "weights-before.png"];
        let mut all = [&without_pictures[..], &pictures].concat();
        all.sort_unstable();
        assert_eq!(names_in(&out), all);
        assert!(read(&out.join("lbs-before.png")) != read(&out.join("dqs-before.png")));
        assert!(read(&out.join("lbs-before.png")) != read(&out.join("lbs-after.png")));
        assert!(read(&out.join("weights-before.png")) != read(&out.join("weights-after.png")));
    }
    let report = String::from_utf8(read(&out.join("save-report.txt"))).expect("text");
    assert!(report.contains("everything else identical"), "{report}");

    // The script does the same to the untouched character.
    let demo = write(folder.path(), "demo.glb", include_bytes!("../../../../assets/biped.glb"));
    let again = folder.path().join("again.glb");
    sinew!("apply", demo, "-o", again, "--script", out.join("script.txt")).done();
    assert!(read(&again) == read(&out.join("character.glb")), "the script gives the same file");
    assert!(read(&again) != read(&demo));
}

#[test]
fn a_character_of_somebody_elses_is_not_written_over() {
    let folder = folder();
    let theirs = write(folder.path(), "character.glb", b"theirs");
    sinew!("tour", "-o", folder.path()).fails(1, &["character.glb", "another folder"]);
    assert_eq!(read(&theirs), b"theirs");
    assert_eq!(names_in(folder.path()), ["character.glb"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = folder();
    let file = write(folder.path(), "taken", b"");
    sinew!("tour", "-o", file.join("inside")).fails(1, &["taken", "cannot make the folder", "os error"]);
}
