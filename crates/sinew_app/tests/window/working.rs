//! Commands that take long: the window lives on, says how far they are, and lets them be given up.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui_kittest::kittest::Queryable;
use sinew_app::action::Action;
use sinew_app::dialogs::FileDialogs;
use sinew_app::keymap::Do;

use super::driver::{NoDialogs, Setup, Window};

/// A dialog in which this script is chosen.
struct Script(PathBuf);

impl FileDialogs for Script {
    fn open(&self, _: &[&str]) -> Option<PathBuf> {
        Some(self.0.clone())
    }

    fn save(&self, _: &std::path::Path, _: &[&str]) -> Option<PathBuf> {
        None
    }
}

/// Longer than anybody waits, on the figure.
const LONG: &str = "smooth iterations=80";

/// A window that waits for nothing.
fn impatient(dialogs: Arc<dyn FileDialogs>) -> Window {
    let figure = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/biped.glb");
    Window::new(Setup { path: Some(figure), quick_save: Duration::ZERO, dialogs, ..Setup::default() })
}

fn perform(window: &mut Window, action: Action) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, action);
    window.harness.step();
}

/// A script whose first lines take long.
fn script(folder: &tempfile::TempDir, last: &str) -> PathBuf {
    let path = folder.path().join("long.txt");
    std::fs::write(&path, format!("# long\n{LONG}\n{LONG}\n{LONG}\n{last}\n")).unwrap();
    path
}

/// Steps until nothing is under way.
fn finish(window: &mut Window) {
    let start = Instant::now();
    while window.app().is_busy() {
        assert!(start.elapsed() < Duration::from_mins(2), "it ends");
        window.harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    window.settle();
}

#[test]
fn a_long_command_is_told_and_can_be_given_up() {
    let mut window = impatient(Arc::new(NoDialogs));
    let before = window.weights();
    perform(&mut window, Action::Line(LONG.to_owned()));
    assert!(window.app().is_busy());
    window.harness.step();
    assert!(window.harness.query_by_label("Cancel").is_some());
    // Nothing else may be edited now, and it says so.
    perform(&mut window, Action::Line("normalize".to_owned()));
    assert!(window.app().notice().unwrap().text.contains("a moment"));
    window.click_label("Cancel");
    window.settle();
    assert!(!window.app().is_busy());
    assert_eq!(window.weights(), before);
    assert!(!window.app().file().unwrap().is_unsaved());
    assert!(window.app().notice().unwrap().text.contains("nothing was changed"));
}

#[test]
fn escape_gives_a_long_command_up() {
    let mut window = impatient(Arc::new(NoDialogs));
    let before = window.weights();
    perform(&mut window, Action::Line(LONG.to_owned()));
    window.harness.step();
    window.harness.key_press(egui::Key::Escape);
    window.harness.step();
    window.harness.step();
    assert!(!window.app().is_busy());
    assert_eq!(window.weights(), before);
}

#[test]
fn a_long_command_ends_as_one_step_that_undo_takes_back() {
    let mut window = impatient(Arc::new(NoDialogs));
    let before = window.weights();
    perform(&mut window, Action::Line("smooth iterations=20".to_owned()));
    finish(&mut window);
    assert_ne!(window.weights(), before);
    assert_eq!(window.editor().history().n_done(), 1);
    perform(&mut window, Action::Do(Do::Undo));
    assert_eq!(window.weights(), before);
}

#[test]
fn a_script_runs_line_by_line_and_stops_where_a_line_cannot_be_done() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = impatient(Arc::new(Script(script(&folder, "smoothe"))));
    perform(&mut window, Action::Do(Do::RunScript));
    finish(&mut window);
    assert!(window.harness.query_by_label("The script stopped").is_some());
    assert!(window.harness.query_by_label_contains("smoothe").is_some());
    assert_eq!(window.editor().history().n_done(), 3, "the lines before it stay done");
}

#[test]
fn a_line_that_cannot_be_done_is_refused_with_its_reason() {
    let mut window = impatient(Arc::new(NoDialogs));
    perform(&mut window, Action::Line("limit influences=0".to_owned()));
    finish(&mut window);
    let notice = window.app().notice().unwrap().text.clone();
    assert!(notice.contains("influences"), "{notice}");
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn the_file_may_be_left_while_a_script_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = impatient(Arc::new(Script(script(&folder, "normalize"))));
    perform(&mut window, Action::Do(Do::RunScript));
    for _ in 0..20 {
        window.harness.step();
    }
    window.click_label("Cancel");
    window.settle();
    assert_eq!(window.editor().history().n_done(), 0, "nothing of it is done");
    perform(&mut window, Action::Do(Do::Close));
    window.settle();
    assert!(window.app().file().is_none());
}
