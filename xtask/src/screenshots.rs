//! `cargo xtask screenshots [NAME]…`: pictures of the real window, driven by mouse and keys, into `screenshots/`.
//!
//! The window runs under a virtual X server with software Vulkan, so that the pictures are the same everywhere. What is
//! done for each picture is a list of [`Step`]s; points are in pixels of the 1440 × 900 window. A picture is the whole
//! window at the end, or a row of panels that were cut out of it on the way.

mod scenes;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::cargo::{cargo, show, workspace_root};
use crate::{install, needs};

/// One thing that a hand does.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The pointer goes there.
    Move(i32, i32),
    /// The left button is clicked where the pointer is.
    Click,
    /// A button is held from point to point, with this key held if it is not empty.
    Drag(u8, &'static str, &'static [(i32, i32)]),
    /// The left button goes down where the pointer is, and stays so.
    Press,
    /// It comes up again.
    Release,
    /// The pointer goes from point to point, slowly.
    Along(&'static [(i32, i32)]),
    /// A key goes down, and stays so.
    Hold(&'static str),
    /// It comes up again.
    LetGo(&'static str),
    /// A command's name or a line of a script, through the palette.
    Line(&'static str),
    /// Steps that several pictures begin with.
    All(&'static [Step]),
    /// What is in this rectangle (left, top, width, height) is the next panel of the picture.
    Panel([u32; 4]),
    /// Keys, one after the other, in xdotool's names.
    Keys(&'static [&'static str]),
    /// Text is typed.
    Type(&'static str),
    /// The wheel turns: up if positive.
    Wheel(i32),
    /// The window gets time to draw.
    Settle,
}

/// A picture.
pub struct Scene {
    /// The file's name in `screenshots/`, without ending.
    pub name: &'static str,
    /// What the window opens; empty for the demo character.
    pub file: &'static str,
    /// What is done before the picture is taken.
    pub steps: &'static [Step],
}

const SIZE: &str = "1440x900x24";
/// Between panels, pixels, and its colour: that of the window's wells.
const GAP: (&str, &str) = ("8", "#111215");
const DISPLAY: &str = ":97";

/// Builds the editor in release and takes the named pictures, or all.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("pictures are taken under Xvfb, which this system does not have");
    }
    install::ensure_present(&needs::to_take_pictures())?;
    let root = workspace_root();
    let program = if let Some(program) = std::env::var_os("SINEW_PROGRAM") {
        PathBuf::from(program)
    } else {
        show(cargo().current_dir(&root).args(["build", "--release", "-p", "sinew"]))?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        target.join("release").join("sinew")
    };
    let wanted = |scene: &&Scene| arguments.is_empty() || arguments.iter().any(|name| name == scene.name);
    let mut server = Running(
        Command::new("Xvfb")
            .args([DISPLAY, "-screen", "0", SIZE, "-nolisten", "tcp", "-noreset"])
            .stderr(Stdio::null())
            .spawn()
            .context("Xvfb did not start")?,
    );
    sleep(Duration::from_millis(800));
    let pictures = root.join("screenshots");
    std::fs::create_dir_all(&pictures)?;
    for scene in scenes::SCENES.iter().filter(wanted) {
        take(scene, &program, &root, &pictures).with_context(|| format!("the picture {}", scene.name))?;
        if server.0.try_wait()?.is_some() {
            bail!("Xvfb ended");
        }
    }
    Ok(())
}

/// A program that ends with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn take(scene: &Scene, program: &Path, root: &Path, pictures: &Path) -> anyhow::Result<()> {
    // A home of its own: remembered settings must not show, and what is saved goes nowhere else.
    let home = std::env::temp_dir().join(format!("sinew-screenshots-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home)?;
    let mut command = Command::new(program);
    if !scene.file.is_empty() {
        let copy = home.join(Path::new(scene.file).file_name().context("a scene's file has a name")?);
        std::fs::copy(root.join(scene.file), &copy)?;
        command.arg(copy);
    }
    if let Some(driver) = needs::vulkan_driver("lvp_icd") {
        command.env("VK_DRIVER_FILES", driver);
    }
    command.env("DISPLAY", DISPLAY).env("HOME", &home).env("XDG_RUNTIME_DIR", &home).env("WGPU_BACKEND", "vulkan");
    command.env_remove("WAYLAND_DISPLAY").env_remove("XDG_DATA_HOME").env_remove("XDG_STATE_HOME");
    let mut window = Running(command.stderr(Stdio::null()).spawn().context("the editor did not start")?);
    let id = wait_for_window(&mut window)?;
    xdotool(&["windowsize", "--sync", &id, "1440", "900"])?;
    xdotool(&["windowfocus", &id])?;
    settle(&id)?;
    let picture = pictures.join(format!("{}.png", scene.name));
    let mut panels = Vec::new();
    for step in scene.steps {
        if let Step::Panel([left, top, width, height]) = step {
            settle(&id)?;
            let panel = home.join(format!("panel-{}.png", panels.len()));
            import(Some(&format!("{width}x{height}+{left}+{top}")), &panel)?;
            panels.push(panel);
        } else {
            act(*step, &id)?;
        }
    }
    settle(&id)?;
    if panels.is_empty() {
        import(None, &picture)?;
    } else {
        let (gap, color) = GAP;
        let mut row = Command::new("convert");
        row.args(["-background", color]).args(&panels).args(["+smush", gap, "-strip"]);
        show(row.args(["-define", "png:compression-level=9"]).arg(&picture))?;
    }
    drop(window);
    let _ = std::fs::remove_dir_all(&home);
    Ok(())
}

/// What the display shows, or a part of it, into a file.
fn import(part: Option<&str>, picture: &Path) -> anyhow::Result<()> {
    let mut import = Command::new("import");
    import.env("DISPLAY", DISPLAY).args(["-window", "root", "-strip"]);
    if let Some(part) = part {
        import.args(["-crop", part, "+repage"]);
    }
    show(import.args(["-define", "png:compression-level=9"]).arg(picture))
}

fn act(step: Step, id: &str) -> anyhow::Result<()> {
    let go = |(x, y): (i32, i32)| xdotool(&["mousemove", &x.to_string(), &y.to_string()]).map(|_| ());
    let along = |points: &[(i32, i32)]| {
        for pair in points.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            for i in 1..=12 {
                go((from.0 + (to.0 - from.0) * i / 12, from.1 + (to.1 - from.1) * i / 12))?;
                sleep(Duration::from_millis(40));
            }
        }
        anyhow::Ok(())
    };
    match step {
        Step::Move(x, y) => go((x, y))?,
        Step::Click => drop(xdotool(&["click", "1"])?),
        Step::Drag(button, key, points) => {
            if !key.is_empty() {
                xdotool(&["keydown", key])?;
                sleep(Duration::from_millis(200));
            }
            let button = button.to_string();
            go(points[0])?;
            sleep(Duration::from_millis(200));
            xdotool(&["mousedown", &button])?;
            along(points)?;
            sleep(Duration::from_millis(300));
            xdotool(&["mouseup", &button])?;
            if !key.is_empty() {
                xdotool(&["keyup", key])?;
            }
        }
        Step::Press => drop(xdotool(&["mousedown", "1"])?),
        Step::Release => drop(xdotool(&["mouseup", "1"])?),
        Step::Along(points) => along(points)?,
        Step::Hold(key) => drop(xdotool(&["keydown", key])?),
        Step::LetGo(key) => drop(xdotool(&["keyup", key])?),
        Step::Line(line) => {
            for step in [Step::Keys(&["ctrl+shift+p"]), Step::Type(line), Step::Keys(&["Return"]), Step::Settle] {
                act(step, id)?;
            }
        }
        Step::All(steps) => steps.iter().try_for_each(|step| act(*step, id))?,
        // Taken where the picture is.
        Step::Panel(_) => {}
        Step::Keys(keys) => {
            for key in keys {
                xdotool(&["key", key])?;
                sleep(Duration::from_millis(150));
            }
        }
        Step::Type(text) => drop(xdotool(&["type", "--delay", "40", text])?),
        Step::Wheel(turns) => {
            let button = if turns > 0 { "4" } else { "5" };
            for _ in 0..turns.abs() {
                xdotool(&["click", button])?;
                sleep(Duration::from_millis(60));
            }
        }
        Step::Settle => settle(id)?,
    }
    sleep(Duration::from_millis(120));
    Ok(())
}

fn xdotool(arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("xdotool").env("DISPLAY", DISPLAY).args(arguments).output().context("xdotool")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn wait_for_window(window: &mut Running) -> anyhow::Result<String> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_mins(1) {
        if let Some(status) = window.0.try_wait()? {
            bail!("the editor ended ({status})");
        }
        let ids = xdotool(&["search", "--onlyvisible", "--name", "Sinew"])?;
        if let Some(id) = ids.lines().last() {
            return Ok(id.to_owned());
        }
        sleep(Duration::from_millis(200));
    }
    bail!("no window named Sinew after a minute")
}

/// Waits until two pictures in a row are the same: software drawing takes its time.
fn settle(id: &str) -> anyhow::Result<()> {
    let picture = || -> anyhow::Result<Vec<u8>> {
        let output = Command::new("import").env("DISPLAY", DISPLAY).args(["-window", id, "rgb:-"]).output()?;
        Ok(output.stdout)
    };
    sleep(Duration::from_millis(700));
    let mut before = picture()?;
    for _ in 0..40 {
        sleep(Duration::from_millis(500));
        let now = picture()?;
        if now == before && !now.is_empty() {
            return Ok(());
        }
        before = now;
    }
    Ok(())
}
