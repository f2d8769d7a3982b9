//! `sinew [FILE]`, as far as it goes without a display.

use crate::{arm, command, finish, folder, sinew};

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
