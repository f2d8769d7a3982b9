//! Asking for a path: whatever becomes of the system's dialog, a person is asked or told.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use egui::{Event, Key};
use egui_kittest::kittest::Queryable;
use sinew_app::dialogs::{AreShown, FileDialogs};

use super::driver::{CTRL, CTRL_SHIFT, NONE, Setup, Window, arm};

/// A dialog that answers when a test lets it.
struct Slow(Mutex<Receiver<Option<PathBuf>>>);

impl Slow {
    fn new() -> (Sender<Option<PathBuf>>, Arc<Self>) {
        let (answer, answers) = channel();
        (answer, Arc::new(Self(Mutex::new(answers))))
    }

    fn answer(&self) -> Option<PathBuf> {
        self.0.lock().unwrap().recv_timeout(Duration::from_secs(20)).ok().flatten()
    }
}

impl FileDialogs for Slow {
    fn open(&self, _: &[&str]) -> Option<PathBuf> {
        self.answer()
    }

    fn save(&self, _: &Path, _: &[&str]) -> Option<PathBuf> {
        self.answer()
    }
}

/// A desktop on which nothing could show a dialog; asking all the same would hang.
struct Nothing;

impl FileDialogs for Nothing {
    fn open(&self, _: &[&str]) -> Option<PathBuf> {
        panic!("nobody could answer")
    }

    fn save(&self, _: &Path, _: &[&str]) -> Option<PathBuf> {
        panic!("nobody could answer")
    }

    fn are_shown(&self) -> AreShown {
        AreShown::Never
    }
}

fn window(dialogs: Arc<dyn FileDialogs>) -> Window {
    Window::new(Setup { path: Some(arm()), dialogs, ..Setup::default() })
}

fn is_asked(window: &Window) -> bool {
    window.harness.query_by_label("Path").is_some()
}

#[test]
fn a_dialog_that_was_never_shown_leads_to_the_path_box_however_long_that_takes() {
    // B76
    let (answer, dialogs) = Slow::new();
    let mut window = window(dialogs);
    for (key, modifiers) in [(Key::O, CTRL), (Key::S, CTRL_SHIFT)] {
        window.harness.key_press_modifiers(modifiers, key);
        window.harness.run_steps(4);
        std::thread::sleep(Duration::from_millis(400));
        window.harness.run_steps(4);
        answer.send(None).unwrap();
        window.settle();
        assert!(is_asked(&window), "{key:?}");
        window.key(Key::Escape, NONE);
    }
}

#[test]
fn a_dialog_that_was_cancelled_is_over_however_quick_that_was() {
    let (answer, dialogs) = Slow::new();
    let mut window = window(dialogs);
    window.harness.key_press_modifiers(CTRL, Key::O);
    window.harness.run_steps(4);
    // It takes the keyboard, and gives it back.
    window.harness.event(Event::WindowFocused(false));
    window.harness.event(Event::WindowFocused(true));
    window.harness.run_steps(4);
    answer.send(None).unwrap();
    window.settle();
    assert!(!is_asked(&window));
    assert_eq!(window.app().notice().unwrap().text, "No file was chosen", "not in silence");
}

#[test]
fn where_nothing_can_show_a_dialog_the_path_is_asked_for_at_once() {
    let mut window = window(Arc::new(Nothing));
    window.harness.key_press_modifiers(CTRL, Key::O);
    window.harness.run_steps(6);
    assert!(is_asked(&window));
}

#[test]
fn who_asks_again_because_nothing_appears_types_the_path_and_a_late_dialog_counts_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.glb");
    std::fs::copy(arm(), &path).unwrap();
    let (answer, dialogs) = Slow::new();
    let mut window = window(dialogs);
    window.harness.key_press_modifiers(CTRL, Key::O);
    window.harness.run_steps(4);
    assert!(!is_asked(&window), "it may only be slow");
    window.harness.key_press_modifiers(CTRL, Key::O);
    window.harness.run_steps(6);
    assert!(is_asked(&window));
    answer.send(Some(path.clone())).unwrap();
    window.settle();
    assert!(!is_asked(&window));
    assert_eq!(window.app().file().unwrap().path(), Some(path.as_path()));
}
