//! `sinew render`. Where no adapter is, not even a software one, only the mistakes are checked.

use std::path::Path;

use crate::{Run, arm, command, finish, folder, names_in, read, sinew, write};

/// The picture, or `None` (said on stdout) where there is nothing to draw with.
fn picture(args: &[&str], folder: &Path) -> Option<image::RgbaImage> {
    let (path, out) = (arm(), folder.join("picture.png"));
    let mut all = vec!["render".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()];
    all.extend(args.iter().map(|arg| std::ffi::OsStr::new(*arg)));
    let run = finish(command(&all));
    if is_without_adapter(&run) {
        println!("skipped: no graphics adapter on this machine");
        return None;
    }
    run.done();
    Some(image::load_from_memory(&read(&out)).expect("a PNG").into_rgba8())
}

fn is_without_adapter(run: &Run) -> bool {
    run.code == Some(1) && run.err.contains("no graphics adapter") && run.err.contains("install")
}

#[test]
fn a_picture_has_the_size_asked_for_and_shows_what_was_asked_for() {
    let folder = folder();
    // Bent, because at rest the arm looks the same from the front and from the side.
    let base = ["--size", "160x120", "--pose", "ForeArm=0,0,40"];
    let with = |more: &[&str]| picture(&[&base, more].concat(), folder.path());
    let Some(bent) = with(&[]) else { return };
    assert_eq!(bent.dimensions(), (160, 120));
    assert!(bent.pixels().any(|pixel| pixel != bent.get_pixel(0, 0)), "the model is in the picture");
    assert_eq!(with(&["--view", "front", "--show", "weights:UpperArm"]), Some(bent.clone()));
    for other in [
        &["--pose", "ForeArm=0,0,70"][..],
        &["--clip", "Bend", "--time", "1"],
        &["--view", "side"],
        &["--view", "top"],
        &["--view", "-30,-20"],
        &["--show", "weights:ForeArm"],
        &["--show", "textured"],
        &["--as-exported", "4xu8", "--show", "difference"],
    ] {
        let picture = with(other).expect("the adapter is still there");
        assert!(picture != bent, "{other:?} changes the picture");
    }
    let twist = |deform| with(&["--pose", "ForeArm=0,170,0", "--deform", deform]);
    assert!(twist("lbs") != twist("dqs"), "deformers differ in a twist");
}

#[test]
fn without_an_adapter_the_reason_and_the_remedy_are_said() {
    // B75
    let folder = folder();
    let (path, out) = (arm(), folder.path().join("picture.png"));
    let mut command = command(&["render".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()]);
    command
        .env("VK_ICD_FILENAMES", "/nonexistent")
        .env("VK_DRIVER_FILES", "/nonexistent")
        .env("WGPU_BACKEND", "vulkan");
    finish(command).fails(1, &["no graphics adapter", "install", "mesa-vulkan-drivers"]);
    assert!(!out.exists());
}

#[test]
fn opengl_alone_draws_or_says_what_is_missing() {
    // B75
    let folder = folder();
    let (path, out) = (arm(), folder.path().join("picture.png"));
    let args =
        ["render".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str(), "--size".as_ref(), "64x48".as_ref()];
    let mut command = command(&args);
    command.env("WGPU_BACKEND", "gl");
    let run = finish(command);
    if is_without_adapter(&run) {
        println!("skipped: no OpenGL on this machine");
        return;
    }
    run.done();
    let picture = image::load_from_memory(&read(&out)).expect("a PNG").into_rgba8();
    assert!(picture.pixels().any(|pixel| pixel != picture.get_pixel(0, 0)), "the model is in the picture");
}

#[test]
fn that_a_processor_draws_and_is_slow_is_said_once_on_stderr() {
    // B75
    let folder = folder();
    let (path, out) = (arm(), folder.path().join("picture.png"));
    let run = sinew!("render", path, "-o", out, "--size", "64x48");
    let Ok(gpu) = sinew_render::HeadlessDevice::new() else {
        println!("skipped: no graphics adapter on this machine");
        return;
    };
    let run = run.done();
    assert_eq!(run.err.matches("software, which is slow").count(), usize::from(gpu.is_cpu()), "{}", run.err);
    assert_eq!(run.out, "");
}

#[test]
fn mistakes_are_named_before_anything_is_drawn() {
    let folder = folder();
    let path = write(folder.path(), "strip.glb", sinew_tests::strip().glb());
    let out = folder.path().join("out.png");
    sinew!("render", path, "-o", folder.path().join("out.jpg")).fails(1, &["jpg", ".png"]);
    sinew!("render", path, "-o", out, "--show", "weights:J9").fails(1, &["J9", "J0"]);
    sinew!("render", path, "-o", out, "--pose", "J9=0,0,0").fails(1, &["J9", "J0"]);
    for (flag, value, expected) in [
        ("--size", "0x10", "WxH"),
        ("--size", "99999x10", "WxH"),
        ("--size", "10", "WxH"),
        ("--view", "back", "yaw,pitch"),
        ("--view", "0,91", "yaw,pitch"),
        ("--show", "weights:", "weights:NAME"),
        ("--show", "wire", "weights:NAME"),
    ] {
        sinew!("render", path, "-o", out, flag, value).fails(2, &[expected]);
    }
    assert_eq!(names_in(folder.path()), ["strip.glb"]);
}
