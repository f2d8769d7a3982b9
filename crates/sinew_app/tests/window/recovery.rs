//! Work that a crash left: asked about with the file it belongs to, once, and otherwise in nobody's way.

use std::path::{Path, PathBuf};

use egui::Key;
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::action::Action;

use super::driver::{CTRL, NONE, Setup, Window, arm};

/// A folder with models and a place for journals.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new(models: &[&str]) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        for model in models {
            std::fs::copy(arm(), desk.path(model)).unwrap();
        }
        desk
    }

    fn path(&self, model: &str) -> PathBuf {
        self.0.path().join(model)
    }

    fn journals(&self) -> PathBuf {
        self.0.path().join("journals")
    }

    fn n_journals(&self) -> usize {
        std::fs::read_dir(self.journals()).map(Iterator::count).unwrap_or_default()
    }

    fn start(&self, model: Option<&str>) -> Window {
        let (path, journal_folder) = (model.map(|model| self.path(model)), Some(self.journals()));
        Window::new(Setup { path, journal_folder, size: egui::vec2(1440.0, 900.0), ..Setup::default() })
    }

    /// A program that does these lines and ends without being asked.
    fn crash(&self, model: &str, lines: &[&str]) {
        let mut window = self.start(Some(model));
        if is_there(&window, "There is unsaved work") {
            window.click_label("Later");
        }
        for line in lines {
            perform(&mut window, Action::Line((*line).to_owned()));
        }
        drop(window);
        // The next journal is later.
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn perform(window: &mut Window, action: Action) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, action);
    window.harness.run();
}

fn open(window: &mut Window, path: &Path) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::OpenPath(path.to_owned()));
    window.settle();
}

fn is_there(window: &Window, text: &str) -> bool {
    window.harness.query_by_label_contains(text).is_some()
}

fn take_up(window: &mut Window) {
    window.harness.get_by_label_contains("Recover 1 step").click();
    // Opening has a spinner, which never comes to rest.
    window.harness.step();
    window.harness.step();
    window.settle();
}

#[test]
fn only_the_file_that_is_opened_is_asked_about_and_others_are_in_a_list() {
    let desk = Desk::new(&["hat.glb", "hero.glb", "boots.glb"]);
    for model in ["hat.glb", "hero.glb", "boots.glb"] {
        desk.crash(model, &["smooth"]);
    }
    let mut window = desk.start(Some("hero.glb"));
    assert!(is_there(&window, "There is unsaved work on hero.glb"));
    take_up(&mut window);
    assert_eq!(window.app().file().unwrap().name(), "hero.glb", "the one that was asked for");
    assert!(!is_there(&window, "There is unsaved work"), "nothing else is asked");
    window.menu("File");
    window.click_label("Recover…");
    assert!(is_there(&window, "Unsaved work on 2 files"));
    assert!(is_there(&window, "boots.glb: 1 step") && is_there(&window, "hat.glb: 1 step"));
    window.harness.get_by_label_contains("hat.glb: 1 step").click();
    window.harness.run();
    assert!(is_there(&window, "There is unsaved work on hat.glb"));
    // The open file has changes of its own.
    window.click_label("Recover 1 step");
    assert!(is_there(&window, "There are changes that are not saved"));
    window.click_label("Cancel");
    assert_eq!(window.app().file().unwrap().name(), "hero.glb");
}

#[test]
fn a_file_without_work_of_its_own_opens_at_once_and_one_line_tells_of_others() {
    let desk = Desk::new(&["hat.glb", "hero.glb"]);
    desk.crash("hat.glb", &["smooth"]);
    let window = desk.start(Some("hero.glb"));
    assert!(!is_there(&window, "There is unsaved work"));
    assert_eq!(window.app().notice().unwrap().text, "Unsaved work on 1 other file: see File, Recover…");
}

#[test]
fn the_character_that_is_shown_where_no_file_is_asked_for_hides_no_work() {
    let desk = Desk::new(&["hero.glb"]);
    desk.crash("hero.glb", &["smooth"]);
    let model = Some(sinew_io::open(&arm()).unwrap());
    let mut window = Window::new(Setup { model, journal_folder: Some(desk.journals()), ..Setup::default() });
    assert!(is_there(&window, "There is unsaved work on hero.glb"));
    take_up(&mut window);
    assert_eq!(window.app().file().unwrap().name(), "hero.glb");
}

#[test]
fn with_nothing_opened_the_latest_is_asked_about_and_later_is_later() {
    let desk = Desk::new(&["hat.glb", "hero.glb"]);
    desk.crash("hat.glb", &["smooth"]);
    desk.crash("hero.glb", &["smooth"]);
    let mut window = desk.start(None);
    assert!(is_there(&window, "There is unsaved work on hero.glb"));
    window.click_label("Later");
    assert!(!is_there(&window, "There is unsaved work"), "one question");
    assert!(is_there(&window, "Unsaved work on 2 files"), "the start page has a list");
    open(&mut window, &desk.path("hero.glb"));
    assert!(!is_there(&window, "There is unsaved work"), "later");
    window.key(Key::W, CTRL);
    open(&mut window, &desk.path("hero.glb"));
    assert!(!is_there(&window, "There is unsaved work"), "still later");
    open(&mut window, &desk.path("hat.glb"));
    assert!(is_there(&window, "There is unsaved work on hat.glb"), "it was not asked about yet");
    window.key(Key::Escape, NONE);
    // It is there whenever somebody looks for it.
    window.key(Key::W, CTRL);
    window.harness.get_by_label_contains("hero.glb: 1 step").click();
    window.harness.run();
    assert!(is_there(&window, "There is unsaved work on hero.glb"));
    take_up(&mut window);
    assert!(window.app().file().unwrap().is_unsaved());
    drop(window);
    let mut window = desk.start(None);
    assert!(is_there(&window, "There is unsaved work"), "asked again at the next start");
    window.click_label("Later");
}

#[test]
fn a_journal_that_holds_nothing_is_not_offered_at_all() {
    let desk = Desk::new(&["hero.glb"]);
    let joint = |i: usize| {
        let window = desk.start(Some("hero.glb"));
        let document = window.editor().document();
        document.nodes().label(document.joints()[i])
    };
    let (lock, unlock) = (format!("lock joint={}", joint(1)), format!("unlock joint={}", joint(1)));
    for lines in [&["select_all", "grow"][..], &[&lock, &unlock]] {
        desk.crash("hero.glb", lines);
        assert_eq!(desk.n_journals(), 1, "{lines:?}");
        for model in [Some("hero.glb"), None] {
            assert!(!is_there(&desk.start(model), "nsaved work"), "{lines:?}");
        }
        assert_eq!(desk.n_journals(), 0, "{lines:?}");
    }
    // What is locked is worth keeping and not worth a question.
    desk.crash("hero.glb", &[&lock]);
    let window = desk.start(None);
    assert!(!is_there(&window, "There is unsaved work") && is_there(&window, "Unsaved work on 1 file"));
}

#[test]
fn the_joint_that_was_painted_last_is_active_again() {
    let desk = Desk::new(&["hero.glb"]);
    let mut window = desk.start(Some("hero.glb"));
    let elbow = window.editor().document().joints()[1];
    assert_ne!(window.editor().session.active_joint, Some(elbow));
    window.editor_mut().session.active_joint = Some(elbow);
    let (from, to) = (window.pos(Vec3::new(0.0, 0.4, 0.0)), window.pos(Vec3::new(0.0, 0.6, 0.0)));
    window.stroke(from, to, NONE);
    assert!(window.app().file().unwrap().is_unsaved());
    drop(window);
    let mut window = desk.start(Some("hero.glb"));
    take_up(&mut window);
    assert_eq!(window.editor().session.active_joint, Some(elbow));
}
