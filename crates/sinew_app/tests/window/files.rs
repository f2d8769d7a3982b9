//! Opening and saving: dialogs that are not there, broken files, unsaved changes.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Key;
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::action::Action;
use sinew_app::dialogs::FileDialogs;
use sinew_app::files::OpenFile;
use sinew_app::keymap::Do;
use sinew_io::{OpenError, Progress};

use super::driver::{CTRL, CTRL_SHIFT, NONE, Setup, Window, arm};

/// A dialog in which somebody always chooses this path.
struct Chooses(PathBuf);

impl FileDialogs for Chooses {
    fn open(&self, _: &[&str]) -> Option<PathBuf> {
        Some(self.0.clone())
    }

    fn save(&self, _: &Path, _: &[&str]) -> Option<PathBuf> {
        Some(self.0.clone())
    }
}

fn paint(window: &mut Window) {
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    let (from, to) = (window.pos(Vec3::new(0.0, 0.4, 0.0)), window.pos(Vec3::new(0.0, 0.6, 0.0)));
    window.stroke(from, to, NONE);
    assert!(window.app().file().unwrap().is_unsaved());
}

#[test]
fn without_a_dialog_a_path_can_be_typed_and_cancel_changes_nothing() {
    // B76
    let mut window = Window::new(Setup::default());
    assert!(window.app().file().is_none());
    window.key(Key::O, CTRL);
    window.settle();
    window.harness.get_by_label("Path").type_text(&arm().display().to_string());
    window.harness.run();
    window.key(Key::Enter, NONE);
    window.settle();
    assert_eq!(window.app().file().unwrap().name(), "arm.glb");
    window.key(Key::O, CTRL);
    window.settle();
    window.click_label("Cancel");
    assert_eq!(window.app().file().unwrap().name(), "arm.glb");
    assert!(window.harness.query_by_label("Path").is_none());
}

#[test]
fn save_as_works_without_a_dialog_and_the_file_is_the_new_one() {
    // B76
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let mut window = Window::open(&path);
    paint(&mut window);
    window.key(Key::S, CTRL_SHIFT);
    window.settle();
    let field = window.harness.get_by_label("Path");
    field.focus();
    window.harness.run();
    window.key(Key::A, CTRL);
    let other = folder.path().join("other.glb");
    window.harness.get_by_label("Path").type_text(&other.display().to_string());
    window.harness.run();
    window.key(Key::Enter, NONE);
    window.settle();
    assert_eq!(window.app().file().unwrap().path(), Some(other.as_path()));
    assert!(!window.app().file().unwrap().is_unsaved());
    assert_eq!(std::fs::read(&path).unwrap(), before, "the opened file is untouched");
}

#[test]
fn a_broken_file_is_explained_and_the_open_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.glb");
    std::fs::write(&broken, b"glTF\x02\0\0\0").unwrap();
    let mut window = Window::open(&arm());
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::OpenPath(broken));
    window.settle();
    assert!(window.harness.query_by_label("broken.glb cannot be opened").is_some());
    assert_eq!(window.app().file().unwrap().name(), "arm.glb");
    window.click_label("Close");
    assert!(window.harness.query_by_label("broken.glb cannot be opened").is_none());
}

#[test]
fn a_save_that_fails_is_explained_and_stays_unsaved() {
    // B73
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), b"").unwrap();
    let impossible = folder.path().join("file").join("arm.glb");
    let dialogs = Arc::new(Chooses(impossible));
    let mut window = Window::new(Setup { path: Some(arm()), dialogs, ..Setup::default() });
    paint(&mut window);
    window.key(Key::S, CTRL_SHIFT);
    window.settle();
    assert!(window.harness.query_by_label("The file was not saved").is_some());
    assert!(window.app().file().unwrap().is_unsaved());
    assert_eq!(window.app().file().unwrap().name(), "arm.glb");
}

#[test]
fn a_save_that_fails_speaks_of_changes_only_where_there_are_any() {
    // B73
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), b"").unwrap();
    let dialogs = Arc::new(Chooses(folder.path().join("file").join("arm.glb")));
    let mut window = Window::new(Setup { path: Some(arm()), dialogs, ..Setup::default() });
    window.key(Key::S, CTRL_SHIFT);
    window.settle();
    assert!(window.harness.query_by_label("No file was written.").is_some());
    window.key(Key::Escape, NONE);
    paint(&mut window);
    window.key(Key::S, CTRL_SHIFT);
    window.settle();
    assert!(window.harness.query_by_label("No file was written, and the changes are still here.").is_some());
}

#[test]
fn unsaved_changes_are_asked_about_once_before_another_file_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::open(&path);
    paint(&mut window);
    let painted = window.weights();
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::OpenPath(arm()));
    window.settle();
    window.click_label("Cancel");
    assert_eq!(window.weights(), painted);
    window.harness.state_mut().perform(&ctx, Action::Do(Do::Quit));
    window.harness.run();
    assert!(window.harness.query_by_label("There are changes that are not saved").is_some());
    window.key(Key::Escape, NONE);
    window.harness.state_mut().perform(&ctx, Action::OpenPath(arm()));
    window.harness.run();
    window.click_label("Discard");
    window.settle();
    assert!(!window.app().file().unwrap().is_unsaved());
    assert_ne!(window.weights(), painted);
}

#[test]
fn a_closed_file_was_asked_about_and_the_first_screen_is_back() {
    let mut window = Window::open(&arm());
    paint(&mut window);
    window.key(Key::W, CTRL);
    window.click_label("Cancel");
    assert!(window.app().file().unwrap().is_unsaved());
    window.key(Key::W, CTRL);
    window.click_label("Discard");
    window.settle();
    assert!(window.app().file().is_none());
    assert!(window.app().notice().is_none());
    // The way back in is the recent file.
    window.click_label("arm.glb");
    window.settle();
    assert!(!window.app().file().unwrap().is_unsaved());
    let n_pictures = window.app().viewport().n_pictures();
    assert!(n_pictures > 0 && window.app().viewport().scene().is_some());
}

#[test]
fn a_menu_entry_does_what_its_key_does() {
    let mut window = Window::open(&arm());
    let deformer = |window: &Window| window.editor().session.deformer.name();
    window.click_label("View");
    let entry = window.harness.get_by_label_contains("Switch LBS / DQS").rect().center();
    window.click(entry, NONE);
    assert_eq!(deformer(&window), "dqs");
    assert!(window.harness.query_by_label_contains("Switch LBS / DQS").is_none(), "the menu closes");
}

#[test]
fn a_dropped_file_opens() {
    let mut window = Window::new(Setup::default());
    window.harness.input_mut().dropped_files.push(Arc::new(Dropped(arm())));
    window.harness.step();
    window.settle();
    assert_eq!(window.app().file().unwrap().name(), "arm.glb");
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn of_several_dropped_files_the_first_opens_and_the_rest_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("an arm with spaces.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::new(Setup::default());
    for path in [path, arm(), arm()] {
        window.harness.input_mut().dropped_files.push(Arc::new(Dropped(path)));
    }
    window.harness.step();
    let said = window.app().notice().unwrap().text.clone();
    assert_eq!(said, "One file at a time: an arm with spaces.glb of the 3 that were dropped");
    window.settle();
    assert_eq!(window.app().file().unwrap().name(), "an arm with spaces.glb");
}

#[test]
fn a_file_that_cannot_be_opened_offers_another() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.glb");
    std::fs::write(&broken, b"glTF").unwrap();
    let mut window = Window::new(Setup { dialogs: Arc::new(Chooses(arm())), ..Setup::default() });
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::OpenPath(broken));
    window.settle();
    window.harness.get_by_label("Open another…").click();
    window.harness.step();
    window.harness.step();
    window.settle();
    assert_eq!(window.app().file().unwrap().name(), "arm.glb");
}

#[test]
fn a_save_that_failed_can_be_tried_again_and_then_goes_on() {
    // B73
    let folder = tempfile::tempdir().unwrap();
    let (model, place) = (folder.path().join("arm.glb"), folder.path().join("place"));
    std::fs::copy(arm(), &model).unwrap();
    std::fs::write(&place, b"in the way").unwrap();
    let dialogs = Arc::new(Chooses(place.join("arm.glb")));
    let mut window = Window::new(Setup { path: Some(model), dialogs, ..Setup::default() });
    paint(&mut window);
    window.key(Key::S, CTRL_SHIFT);
    window.settle();
    assert!(window.harness.query_by_label("Save as…").is_some());
    std::fs::remove_file(&place).unwrap();
    std::fs::create_dir(&place).unwrap();
    window.click_label("Try again");
    window.settle();
    assert!(!window.app().file().unwrap().is_unsaved());
    assert!(place.join("arm.glb").exists());
}

#[test]
fn a_file_without_a_name_asks_for_one_when_it_is_saved_on_the_way_to_another() {
    let demo = || sinew_io::import(std::fs::read(arm()).unwrap(), &sinew_io::MapResolver::default());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.glb");
    let dialogs = Arc::new(Chooses(path.clone()));
    let mut window = Window::new(Setup { demo: Some(demo), dialogs, ..Setup::default() });
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Do(Do::OpenDemo));
    window.settle();
    paint(&mut window);
    window.harness.state_mut().perform(&ctx, Action::OpenPath(arm()));
    window.harness.run();
    window.harness.get_by_label("Save").click();
    window.harness.step();
    window.harness.step();
    window.settle();
    assert!(path.exists(), "saved under the name that was chosen");
    assert_eq!(window.app().file().unwrap().path(), Some(arm().as_path()), "and then the other one opened");
}

#[test]
fn while_another_file_is_on_its_way_nothing_is_edited_that_would_be_lost() {
    let mut window = Window::open(&arm());
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::OpenPath(arm()));
    window.harness.state_mut().perform(&ctx, Action::Line("smooth iterations=2".to_owned()));
    assert_eq!(window.editor().history().n_done(), 0);
    window.harness.state_mut().perform(&ctx, Action::CancelOpen);
    window.harness.state_mut().perform(&ctx, Action::Line("smooth iterations=2".to_owned()));
    assert_eq!(window.editor().history().n_done(), 1);
    window.settle();
    assert_eq!(window.editor().history().n_done(), 1, "the cancelled file does not come after all");
}

#[test]
fn opening_ends_at_the_step_where_it_is_cancelled() {
    let n_steps = Cell::new(0);
    let count = |_: &str| {
        n_steps.set(n_steps.get() + 1);
        true
    };
    OpenFile::open_with(&arm(), Progress(&count)).unwrap();
    assert!(n_steps.get() > 5);
    for last in 1..=n_steps.get() {
        let n_told = Cell::new(0);
        let stop = |_: &str| {
            n_told.set(n_told.get() + 1);
            n_told.get() < last
        };
        assert!(matches!(OpenFile::open_with(&arm(), Progress(&stop)), Err(OpenError::Cancelled(_))));
        assert_eq!(n_told.get(), last, "nothing more is done");
    }
}

#[test]
fn a_cancelled_save_leaves_the_file_and_the_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let quick_save = std::time::Duration::ZERO;
    let mut window = Window::new(Setup { path: Some(path.clone()), quick_save, ..Setup::default() });
    paint(&mut window);
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Do(Do::Save));
    window.harness.state_mut().perform(&ctx, Action::CancelSave);
    window.settle();
    // It may have been too late; there is no third way.
    let is_cancelled = window.app().notice().unwrap().text.contains("cancelled");
    assert_eq!(window.app().file().unwrap().is_unsaved(), is_cancelled);
    assert_eq!(std::fs::read(&path).unwrap() == before, is_cancelled);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_save_report_says_what_changed_and_can_be_copied_and_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::open(&path);
    paint(&mut window);
    window.key(Key::S, CTRL);
    let report = window.app().save_report().unwrap().clone();
    let changed = format!("{} changed", report.n_vertices_changed);
    for text in ["Saved arm.glb", "Everything else identical", &changed, "WEIGHTS_0 of Arm"] {
        assert!(window.harness.query_by_label_contains(text).is_some(), "{text}: {report}");
    }
    window.harness.get_by_label("Copy save report").click();
    window.harness.step();
    let is_copy = |command: &egui::OutputCommand| *command == egui::OutputCommand::CopyText(report.to_string());
    let mut is_copied = window.harness.output().platform_output.commands.iter().any(is_copy);
    window.harness.step();
    is_copied |= window.harness.output().platform_output.commands.iter().any(is_copy);
    assert!(is_copied);
    window.harness.run();
    window.click_label("Close save report");
    assert!(window.app().save_report().is_none());
}
