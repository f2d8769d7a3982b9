//! A crash at any moment: what was done is offered at the next start, and comes back to the bit.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::Key;
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::App;
use sinew_app::action::{Action, Level};
use sinew_app::keymap::Do;
use sinew_tests::{WeightsType, tube};

use super::driver::{CTRL, NONE, Setup, Window, arm};

/// A folder with a copy of the arm and a place for journals.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let desk = Self { folder };
        std::fs::copy(arm(), desk.model()).unwrap();
        desk
    }

    fn model(&self) -> PathBuf {
        self.folder.path().join("my arm.glb")
    }

    fn journals(&self) -> PathBuf {
        self.folder.path().join("state/journals")
    }

    fn start(&self, path: Option<PathBuf>) -> Window {
        Window::new(Setup { path, journal_folder: Some(self.journals()), ..Setup::default() })
    }

    fn open(&self) -> Window {
        self.start(Some(self.model()))
    }

    /// What lies in the state folder.
    fn left(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.journals());
        entries.map(|entries| entries.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default()
    }

    fn journal(&self) -> PathBuf {
        let mut left = self.left();
        left.retain(|path| path.extension().is_some_and(|ending| ending == "journal"));
        assert_eq!(left.len(), 1, "{left:?}");
        left.remove(0)
    }
}

/// The program ends without being asked.
fn crash(window: Window) {
    drop(window);
}

fn end_in_order(mut window: Window) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Do(Do::Quit));
    if window.harness.query_by_label("Discard").is_none() {
        window.harness.run();
    }
    if window.harness.query_by_label("Discard").is_some() {
        window.click_label("Discard");
    }
    eframe::App::on_exit(window.harness.state_mut());
}

fn line(window: &mut Window, line: &str) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Line(line.to_owned()));
    window.harness.run();
}

fn stroke(window: &mut Window, from_y: f32, to_y: f32) {
    let (from, to) = (window.pos(Vec3::new(0.0, from_y, 0.0)), window.pos(Vec3::new(0.0, to_y, 0.0)));
    window.drag(&[from, from.lerp(to, 0.5), to], egui::PointerButton::Primary, NONE);
}

/// The n-th thing that is done in a session.
fn deed(window: &mut Window, n: usize) {
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    window.editor_mut().session.brush.value = 0.2 + 0.1 * (n % 7) as f32;
    match n % 5 {
        3 => window.key(Key::Z, CTRL),
        4 => line(window, "smooth iterations=2"),
        n => stroke(window, 0.3 + 0.05 * n as f32, 0.6),
    }
}

type State = (Vec<Vec<(u16, u32)>>, String, bool);

/// All that a crash must not take: weights to the bit, the history, and whether it is saved.
fn state(app: &App) -> State {
    let editor = app.editor().unwrap();
    (super::driver::weights(editor), editor.script(), app.file().unwrap().is_unsaved())
}

/// The states after 0, 1, 2 … things were done.
fn live_states(n: usize) -> Vec<State> {
    let desk = Desk::new();
    let mut window = desk.open();
    let mut states = vec![state(window.app())];
    for i in 0..n {
        deed(&mut window, i);
        states.push(state(window.app()));
    }
    states
}

#[track_caller]
fn recover(window: &mut Window) {
    assert!(window.harness.query_by_label_contains("There is unsaved work on").is_some(), "nothing is offered");
    window.harness.get_by_label_contains("Recover ").click();
    // Opening has a spinner, which never comes to rest.
    window.harness.step();
    window.harness.step();
    window.settle();
}

#[test]
fn a_journal_cut_off_anywhere_brings_back_all_but_the_line_that_was_being_written() {
    const N: usize = 7;
    let states = live_states(N);
    let desk = Desk::new();
    let mut window = desk.open();
    assert!(desk.left().is_empty(), "nothing is written before something is done");
    (0..N).for_each(|n| deed(&mut window, n));
    crash(window);
    let (path, bytes) = (desk.journal(), std::fs::read(desk.journal()).unwrap());
    let header = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
    let mut cuts: Vec<usize> = (0..8).map(|i| header + (bytes.len() - header) * (2 * i + 1) / 16).collect();
    cuts.extend([bytes.len() - 1, bytes.len()]);
    for cut in cuts {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let n_whole = bytes[header..cut].split(|&b| b == b'\n').count() - 1;
        let mut window = desk.open();
        if states[n_whole] == states[0] {
            assert!(window.harness.query_by_label_contains("unsaved work").is_none());
            continue;
        }
        recover(&mut window);
        assert!(state(window.app()) == states[n_whole], "cut at {cut} of {}", bytes.len());
        crash(window);
        std::fs::remove_file(&path).unwrap();
    }
}

/// Set for the program that is to be killed: its folder.
const VICTIM: &str = "SINEW_TEST_VICTIM_FOLDER";

#[test]
fn a_window_killed_at_any_moment_loses_at_most_the_step_under_way() {
    const MOST: usize = 40;
    if let Some(folder) = std::env::var_os(VICTIM) {
        let folder = Path::new(&folder);
        let (path, journal_folder) = (Some(folder.join("my arm.glb")), Some(folder.join("state/journals")));
        let mut window = Window::new(Setup { path, journal_folder, ..Setup::default() });
        for n in 0..MOST {
            deed(&mut window, n);
            println!("did {}", n + 1);
        }
        std::thread::sleep(Duration::from_mins(1));
        return;
    }
    let states = live_states(12);
    for (n_seen, pause_ms) in [(1, 3), (4, 40), (6, 11), (9, 27)] {
        let desk = Desk::new();
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "--nocapture",
                "window::trust::a_window_killed_at_any_moment_loses_at_most_the_step_under_way",
            ])
            .env(VICTIM, desk.folder.path())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let number = |line: String| line.strip_prefix("did ").and_then(|n| n.parse::<usize>().ok());
        let is_enough = said.by_ref().filter_map(number).any(|n| n == n_seen);
        std::thread::sleep(Duration::from_millis(pause_ms));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_enough, "the other program ended by itself");
        let n_did = said.filter_map(number).last().unwrap_or(n_seen);
        let mut window = desk.open();
        recover(&mut window);
        let found = state(window.app());
        let is_one_of = |n: usize| states.get(n).is_some_and(|expected| *expected == found);
        assert!(is_one_of(n_did) || is_one_of(n_did + 1), "killed after {n_did}");
    }
}

#[test]
fn a_recovered_session_goes_on_and_can_crash_again() {
    let desk = Desk::new();
    let mut window = desk.open();
    deed(&mut window, 0);
    crash(window);
    let mut window = desk.open();
    recover(&mut window);
    assert!(window.app().notice().unwrap().text.contains("Recovered 1 step"));
    deed(&mut window, 1);
    let before = state(window.app());
    crash(window);
    let mut window = desk.start(None);
    recover(&mut window);
    assert!(state(window.app()) == before);
    assert_eq!(window.app().file().unwrap().path(), Some(desk.model().as_path()));
    window.key(Key::Z, CTRL);
    window.key(Key::Z, CTRL);
    assert!(!window.app().file().unwrap().is_unsaved());
    end_in_order(window);
    assert!(desk.left().is_empty());
}

#[test]
fn work_after_a_save_and_undo_behind_it_come_back_to_the_bit() {
    let desk = Desk::new();
    let opened = std::fs::read(desk.model()).unwrap();
    let mut window = desk.open();
    (0..3).for_each(|n| deed(&mut window, n));
    window.key(Key::S, CTRL);
    assert!(!window.app().file().unwrap().is_unsaved());
    let saved = std::fs::read(desk.model()).unwrap();
    assert_ne!(saved, opened);
    window.key(Key::Z, CTRL);
    window.key(Key::Z, CTRL);
    let behind = state(window.app());
    assert!(behind.2, "what is not what was saved is unsaved");
    crash(window);

    let mut window = desk.open();
    assert!(window.harness.query_by_label_contains("It kept 2 steps").is_some());
    recover(&mut window);
    assert!(state(window.app()) == behind);
    // Redo leads to what is on the disk, and saving it again changes nothing.
    window.key(Key::Y, CTRL);
    window.key(Key::Y, CTRL);
    assert!(!window.app().file().unwrap().is_unsaved());
    line(&mut window, "smooth iterations=1");
    window.key(Key::Z, CTRL);
    window.key(Key::S, CTRL);
    assert!(window.harness.query_by_label_contains("changed on disk").is_none(), "it is our own save");
    assert_eq!(std::fs::read(desk.model()).unwrap(), saved);
    end_in_order(window);
    assert!(desk.left().is_empty(), "{:?}", desk.left());
}

#[test]
fn rows_that_the_saved_file_cannot_hold_come_back_to_the_bit_from_text_with_a_binary_beside_it() {
    let mut scene = tube(9, 16);
    scene.primitive().weights_type = WeightsType::U8;
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in scene.gltf_files("tube") {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let (model, journals) = (folder.path().join("tube.gltf"), folder.path().join("journals"));
    let setup = || Setup { path: Some(model.clone()), journal_folder: Some(journals.clone()), ..Setup::default() };
    let mut window = Window::new(setup());
    for _ in 0..2 {
        line(&mut window, "smooth iterations=3");
        // The second save takes the files away that the first put beside the model.
        window.key(Key::S, CTRL);
        assert!(window.app().save_report().unwrap().everything_else_identical);
    }
    line(&mut window, "smooth iterations=1");
    let before = state(window.app());
    assert!(before.2);
    crash(window);
    let mut window = Window::new(setup());
    assert_ne!(super::driver::weights(window.editor()), before.0);
    recover(&mut window);
    assert!(state(window.app()) == before);
    // Saving what was opened gives the opened file back, also after a crash.
    (0..3).for_each(|_| window.key(Key::Z, CTRL));
    window.key(Key::S, CTRL);
    let opened = scene.gltf_files("tube").into_iter().find(|(name, _)| name == "tube.gltf").unwrap();
    assert!(std::fs::read(&model).unwrap() == opened.1);
}

#[test]
fn a_crash_when_all_is_saved_offers_nothing_and_leaves_nothing() {
    let desk = Desk::new();
    let mut window = desk.open();
    deed(&mut window, 0);
    window.key(Key::S, CTRL);
    crash(window);
    let window = desk.open();
    assert!(window.harness.query_by_label_contains("unsaved work").is_none());
    assert!(desk.left().is_empty(), "{:?}", desk.left());
}

#[test]
fn the_character_that_is_no_file_comes_back_too() {
    let demo = || sinew_io::import(std::fs::read(arm()).unwrap(), &sinew_io::MapResolver::default());
    let desk = Desk::new();
    let start = || Setup { demo: Some(demo), journal_folder: Some(desk.journals()), ..Setup::default() };
    let mut window = Window::new(start());
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Do(Do::OpenDemo));
    window.settle();
    (0..2).for_each(|n| deed(&mut window, n));
    let before = state(window.app());
    crash(window);
    let mut window = Window::new(start());
    assert!(window.harness.query_by_label("There is unsaved work on Demo character").is_some());
    recover(&mut window);
    assert!(state(window.app()) == before);
    assert_eq!(window.app().file().unwrap().path(), None);
}

#[test]
fn later_asks_again_at_the_next_start_and_discard_forgets() {
    let desk = Desk::new();
    let mut window = desk.open();
    deed(&mut window, 0);
    crash(window);
    let mut window = desk.start(None);
    window.click_label("Later");
    assert!(window.harness.query_by_label_contains("There is unsaved work").is_none());
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::OpenPath(desk.model()));
    window.settle();
    assert!(window.harness.query_by_label_contains("There is unsaved work").is_none(), "later");
    end_in_order(window);
    let mut window = desk.open();
    assert!(window.harness.query_by_label_contains("There is unsaved work").is_some(), "a new start");
    window.key(Key::Escape, NONE);
    end_in_order(window);
    let mut window = desk.start(None);
    window.click_label("Discard");
    assert!(desk.left().is_empty());
    assert!(window.app().file().is_none());
}

#[test]
fn discarded_changes_leave_no_journal_whether_closing_or_opening_another_file() {
    let desk = Desk::new();
    let mut window = desk.open();
    deed(&mut window, 0);
    assert_eq!(desk.left().len(), 1);
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::OpenPath(arm()));
    window.harness.run();
    window.click_label("Discard");
    window.settle();
    assert!(desk.left().is_empty());
    deed(&mut window, 0);
    assert_eq!(desk.left().len(), 1);
    end_in_order(window);
    assert!(desk.left().is_empty());
}

#[test]
fn a_file_that_changed_since_is_asked_about_before_anything_is_done_on_it() {
    let desk = Desk::new();
    let mut window = desk.open();
    deed(&mut window, 0);
    let before = state(window.app());
    crash(window);
    // Another program wrote it: the same model, other bytes.
    let mut bytes = std::fs::read(desk.model()).unwrap();
    let key = b"\"generator\":\"";
    let at = bytes.windows(key.len()).position(|part| part == key).unwrap() + key.len();
    bytes[at] = b'X';
    std::fs::write(desk.model(), &bytes).unwrap();
    let mut window = desk.open();
    recover(&mut window);
    assert!(window.harness.query_by_label_contains("has changed since").is_some());
    assert!(!window.app().file().unwrap().is_unsaved(), "nothing was done yet");
    recover(&mut window);
    assert_eq!(state(window.app()).0, before.0);
    crash(window);
    let mut window = desk.open();
    recover(&mut window);
    assert_eq!(state(window.app()).0, before.0, "the journal belongs to the changed file now");
}

#[test]
fn without_a_place_for_journals_one_line_says_so_and_work_goes_on() {
    let desk = Desk::new();
    std::fs::write(desk.folder.path().join("state"), "a file where the folder should be").unwrap();
    let mut window = desk.open();
    deed(&mut window, 0);
    let notice = window.app().notice().unwrap();
    assert!(notice.level == Level::Refused && notice.text.contains("would not survive a crash"), "{notice:?}");
    deed(&mut window, 1);
    assert!(!window.app().notice().is_some_and(|notice| notice.text.contains("crash")), "said once");
    // The disk is there again: nothing is missing in what is written then.
    std::fs::remove_file(desk.folder.path().join("state")).unwrap();
    deed(&mut window, 2);
    let before = state(window.app());
    crash(window);
    let mut window = desk.open();
    recover(&mut window);
    assert!(state(window.app()) == before);
}
