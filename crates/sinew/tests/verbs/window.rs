//! `sinew [FILE]`, as far as it goes without a display.

use crate::{arm, command, finish, folder, sinew, write};

#[test]
fn without_a_display_the_reason_is_said() {
    let path = arm();
    sinew!(path).fails(1, &["display"]);
    finish(command(&[])).fails(1, &["display", "sinew info"]);
}

#[test]
fn a_file_that_cannot_be_opened_ends_the_program_before_a_window_appears() {
    let folder = folder();
    sinew!(folder.path().join("no such file.glb")).fails(1, &["no such file.glb"]);
}

#[test]
fn paths_with_spaces_are_whole_and_of_several_files_one_is_opened() {
    // B60
    let folder = folder();
    let [first, second] =
        ["my arm 10%.glb", "b.glb"].map(|name| write(folder.path(), name, sinew_tests::strip().glb()));
    // Without a display it goes as far as saying what it would open.
    sinew!(first, second).fails(1, &["one file at a time", "my arm 10%.glb", "leaving 1", "display"]);
    sinew!(first).fails(1, &["display"]);
}
