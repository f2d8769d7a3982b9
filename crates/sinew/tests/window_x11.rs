//! The built program in a real window: on a virtual X server without a window manager, drawn in software, used through
//! mouse and keys. Says what it skips where one of these is not there.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a busy machine may take for anything.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long the window gets to notice what shows in no other way.
const NOTICE: Duration = Duration::from_millis(300);

/// A child that ends with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The program, its window, and the screen that it is on.
struct Window {
    program: Running,
    _server: (Running, BufReader<ChildStdout>),
    display: String,
    id: String,
    home: TempDir,
}

/// What is missing for a window, if anything is.
fn missing() -> Option<&'static str> {
    let on_path = |name: &str| {
        std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
    };
    if !on_path("Xvfb") {
        Some("no Xvfb on this machine")
    } else if !on_path("xdotool") {
        Some("no xdotool on this machine")
    } else if driver().is_none() {
        Some("no software Vulkan driver on this machine")
    } else {
        None
    }
}

/// The driver that the caller chose, else Mesa's for the processor.
fn driver() -> Option<PathBuf> {
    if let Some(chosen) = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].into_iter().find_map(std::env::var_os) {
        return Some(chosen.into());
    }
    let folders = ["/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
    let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut drivers: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    drivers.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lvp_icd")));
    drivers.sort();
    let ours = format!(".{}.", std::env::consts::ARCH);
    drivers.iter().find(|path| path.to_string_lossy().contains(&ours)).or(drivers.first()).cloned()
}

impl Window {
    /// The demo character, from a file, in a window; or why there is none.
    fn open() -> Result<Self, &'static str> {
        if let Some(reason) = missing() {
            return Err(reason);
        }
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map(Running)
            .expect("Xvfb starts");
        let mut says = BufReader::new(server.0.stdout.take().expect("a pipe"));
        let mut number = String::new();
        says.read_line(&mut number).expect("text");
        if number.trim().is_empty() {
            return Err("Xvfb does not run on this machine");
        }
        let display = format!(":{}", number.trim());

        // A home of its own: neither remembered settings nor other sessions' journals.
        let home = tempfile::tempdir().expect("a folder");
        let model = home.path().join("biped.glb");
        fs::copy(sinew_tests::assets_dir().join("biped.glb"), &model).expect("a copy");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        for name in ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            command.env_remove(name);
        }
        command.env("DISPLAY", &display).env("HOME", home.path()).env("XDG_RUNTIME_DIR", home.path());
        command.env("WGPU_BACKEND", "vulkan").env("VK_DRIVER_FILES", driver().unwrap_or_default());
        let errors = File::create(home.path().join("stderr")).expect("a file");
        let program = command.arg(model).stdin(Stdio::null()).stderr(errors).spawn().map(Running).expect("starts");
        let mut window = Self { program, _server: (server, says), display, id: String::new(), home };
        window.wait("a window", |window| {
            let found = window.xdotool(&["search", "--onlyvisible", "--name", "Sinew"]);
            found.lines().last().unwrap_or_default().clone_into(&mut window.id);
            !window.id.is_empty()
        });
        Ok(window)
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").env("DISPLAY", &self.display).args(arguments).output().expect("xdotool");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn errors(&self) -> String {
        fs::read_to_string(self.home.path().join("stderr")).unwrap_or_default()
    }

    fn title(&self) -> String {
        self.xdotool(&["getwindowname", &self.id])
    }

    /// Waits until something holds; the program must be running until then.
    #[track_caller]
    fn wait(&mut self, for_what: &str, holds: impl Fn(&mut Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            let ended = self.program.0.try_wait().expect("a status");
            assert!(ended.is_none(), "the program ended ({ended:?}) before {for_what}:\n{}", self.errors());
            assert!(start.elapsed() < PATIENCE, "no {for_what}; the title is {:?}:\n{}", self.title(), self.errors());
            sleep(Duration::from_millis(100));
        }
    }

    #[track_caller]
    fn resize(&mut self, width: u32, height: u32) {
        self.xdotool(&["windowsize", &self.id, &width.to_string(), &height.to_string()]);
        let size = format!("WIDTH={width}\nHEIGHT={height}\n");
        self.wait(&size, |window| {
            let text = window.xdotool(&["getwindowgeometry", "--shell", &window.id]);
            text.contains(&size)
        });
        sleep(NOTICE);
    }

    /// Without a window manager nobody else gives the window the keys.
    fn focus(&self) {
        self.xdotool(&["windowfocus", &self.id]);
        sleep(NOTICE);
    }

    /// Paints along a short way.
    fn stroke(&self, [x, y]: [u32; 2]) {
        let go = |by: u32| self.xdotool(&["mousemove", &(x + 4 * by).to_string(), &(y + 6 * by).to_string()]);
        go(0);
        self.xdotool(&["mousedown", "1"]);
        for by in 1..=6 {
            go(by);
            sleep(Duration::from_millis(40));
        }
        self.xdotool(&["mouseup", "1"]);
    }
}

#[test]
fn whatever_happens_to_the_window_the_next_stroke_works_and_the_unsaved_one_is_there() {
    // B74
    let mut window = match Window::open() {
        Ok(window) => window,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let (saved, unsaved) = ("biped.glb - Sinew", "*biped.glb - Sinew");
    window.wait("title of the file", |window| window.title() == saved);
    window.resize(1440, 900);
    window.focus();
    window.stroke([575, 380]);
    window.wait("stroke", |window| window.title() == unsaved);

    for [width, height] in [[1, 1], [2, 900], [8000, 10], [480, 320], [1440, 900]] {
        window.resize(width, height);
    }
    let (id, mut blinks) = (window.id.clone(), Vec::new());
    for _ in 0..50 {
        blinks.extend(["windowunmap", &id, "sleep", "0.03", "windowmap", &id, "sleep", "0.03"]);
    }
    window.xdotool(&blinks);
    window.resize(1440, 900);
    window.focus();

    window.stroke([600, 480]);
    sleep(2 * NOTICE);
    window.xdotool(&["key", "ctrl+z"]);
    sleep(2 * NOTICE);
    assert_eq!(window.title(), unsaved, "the second stroke was taken back, the first one is still unsaved");
    window.xdotool(&["key", "ctrl+z"]);
    window.wait("title of the file as it was", |window| window.title() == saved);

    window.xdotool(&["key", "ctrl+q"]);
    let start = Instant::now();
    let status = loop {
        match window.program.0.try_wait().expect("a status") {
            Some(status) => break status,
            None => assert!(start.elapsed() < PATIENCE, "the window does not close"),
        }
        sleep(Duration::from_millis(50));
    };
    let errors = window.errors();
    assert!(status.success() && !errors.contains("panicked"), "{status}: {errors}");
    assert!(is_untouched(&window.home.path().join("biped.glb")), "nothing was saved");
}

fn is_untouched(model: &Path) -> bool {
    fs::read(model).expect("reads") == fs::read(sinew_tests::assets_dir().join("biped.glb")).expect("reads")
}
