//! From starting the program to its first frame with the demo character, with software Vulkan under a virtual X server:
//! an upper bound, since a machine with a GPU draws faster.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::cargo::{cargo, show, workspace_root};
use crate::needs;

const DISPLAY: &str = ":96";
const N_STARTS: usize = 5;
const TARGET_MS: f64 = 500.0;

/// Builds the editor in release, starts it a few times and prints the median, or why that is skipped.
pub fn run() -> anyhow::Result<()> {
    println!("\nstart");
    let Some(_server) = display_server() else {
        println!("  skipped: start to first frame with the demo (no display server can be started: Xvfb)");
        return Ok(());
    };
    let root = workspace_root();
    show(cargo().current_dir(&root).args(["build", "--release", "-p", "sinew"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let program = target.join("release").join("sinew");
    // A home of its own, so that no remembered window plays a part.
    let home = std::env::temp_dir().join(format!("sinew-bench-start-{}", std::process::id()));
    std::fs::create_dir_all(&home)?;
    let times: anyhow::Result<Vec<f64>> = (0..N_STARTS).map(|_| start(&program, &home)).collect();
    let _ = std::fs::remove_dir_all(&home);
    let mut times = times?;
    times.sort_by(f64::total_cmp);
    let (median, best) = (times[N_STARTS / 2], times[0]);
    let mark = if median <= TARGET_MS { "ok  " } else { "MISS" };
    println!(
        "  {mark} start to first frame with the demo, software Vulkan: {median:.0} ms (best {best:.0})   target {TARGET_MS} ms \
         on a GPU machine   Blender, software GL, - / 1,300"
    );
    Ok(())
}

/// Milliseconds from starting the program until it says that its first frame was shown.
fn start(program: &Path, home: &Path) -> anyhow::Result<f64> {
    let mut command = Command::new(program);
    command.arg("--exit-after-first-frame").stdout(Stdio::piped()).stderr(Stdio::null());
    if let Some(driver) = needs::vulkan_driver("lvp_icd") {
        command.env("VK_DRIVER_FILES", driver);
    }
    command.env("DISPLAY", DISPLAY).env("HOME", home).env("XDG_RUNTIME_DIR", home).env("WGPU_BACKEND", "vulkan");
    command.env_remove("WAYLAND_DISPLAY").env_remove("XDG_DATA_HOME").env_remove("XDG_STATE_HOME");
    let begin = Instant::now();
    let mut child = Running(command.spawn().context("the editor did not start")?);
    let stdout = child.0.stdout.take().context("the editor has no stdout")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line)?;
    let took_ms = begin.elapsed().as_secs_f64() * 1e3;
    anyhow::ensure!(line.trim() == "first frame", "the editor ended before its first frame");
    child.0.wait()?;
    Ok(took_ms)
}

fn display_server() -> Option<Running> {
    if !cfg!(target_os = "linux") || !needs::program_exists("Xvfb") {
        return None;
    }
    let mut server = Command::new("Xvfb");
    server.args([DISPLAY, "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset"]);
    let mut server = Running(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?);
    sleep(Duration::from_millis(800));
    // Another server on this display, or none at all: it has ended by now.
    matches!(server.0.try_wait(), Ok(None)).then_some(server)
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
