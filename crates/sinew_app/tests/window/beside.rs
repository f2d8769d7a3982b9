//! What is kept beside the model: locks and the budget.

use std::path::Path;

use egui::Key;
use egui_kittest::kittest::Queryable;
use sinew_app::action::Action;
use sinew_app::files::{FileWarning, OpenFile};
use sinew_model::Budget;

use super::driver::{CTRL, Setup, Window, arm};

fn line(window: &mut Window, line: &str) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Line(line.to_owned()));
    window.harness.run();
}

fn copy_of_arm(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("arm.glb");
    std::fs::copy(arm(), &path).unwrap();
    path
}

#[test]
fn locks_and_budget_are_there_when_the_saved_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of_arm(folder.path());
    let model = std::fs::read(&path).unwrap();
    let beside = folder.path().join("arm.sinew.json");
    let mut window = Window::open(&path);
    window.key(Key::S, CTRL);
    assert!(!beside.exists(), "there is nothing to keep");
    let name = window.editor().document().nodes().label(window.editor().document().joints()[1]);
    line(&mut window, &format!("lock joint=\"{name}\""));
    line(&mut window, "budget influences=7");
    assert!(window.app().file().unwrap().is_unsaved());
    window.key(Key::S, CTRL);
    assert!(window.app().save_report().unwrap().files_written.contains(&beside));
    assert_eq!(std::fs::read(&path).unwrap(), model, "the model itself knows no locks");
    drop(window);
    let mut window = Window::open(&path);
    let document = window.editor().document();
    assert_eq!(document.budget(), Budget::Influences(7));
    assert_eq!(document.locks().iter().copied().collect::<Vec<_>>(), [document.joints()[1]]);
    assert!(!window.app().file().unwrap().is_unsaved());
    line(&mut window, &format!("unlock joint=\"{name}\""));
    line(&mut window, "budget influences=4");
    window.key(Key::S, CTRL);
    assert!(!beside.exists(), "there is nothing to keep any more");
}

#[test]
fn a_session_on_a_kept_budget_comes_back_after_a_crash_with_what_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of_arm(folder.path());
    let journal_folder = Some(folder.path().join("journals"));
    let start = || Setup { path: Some(path.clone()), journal_folder: journal_folder.clone(), ..Setup::default() };
    let mut window = Window::open(&path);
    line(&mut window, "budget influences=1");
    window.key(Key::S, CTRL);
    drop(window);
    let mut window = Window::new(start());
    line(&mut window, "smooth iterations=3");
    let smoothed = window.weights();
    assert!(smoothed.iter().any(|row| row.len() == 1), "done within the kept budget");
    line(&mut window, "budget influences=4");
    // The save gives the model its own budget back; what came before it was done within the kept one.
    window.key(Key::S, CTRL);
    assert!(!folder.path().join("arm.sinew.json").exists());
    line(&mut window, "smooth iterations=1");
    line(&mut window, "budget influences=5");
    let before = window.weights();
    let n_done = window.editor().history().n_done();
    assert_eq!(n_done, 4);
    drop(window);
    let mut window = Window::new(start());
    window.harness.get_by_label_contains("Recover ").click();
    window.harness.step();
    window.harness.step();
    window.settle();
    assert_eq!((window.weights(), window.editor().history().n_done()), (before, n_done));
    for _ in 0..3 {
        window.key(Key::Z, CTRL);
    }
    assert_eq!(window.weights(), smoothed);
    assert_eq!(window.editor().document().budget(), Budget::Influences(1));
}

#[test]
fn what_cannot_be_read_is_a_warning_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of_arm(folder.path());
    let beside = folder.path().join("arm.sinew.json");
    let newer = r#"{"sinew":99,"locks":[{"name":"elbow"}]}"#;
    for (text, needle) in [(newer, "later version"), ("{\"sinew\":", "not JSON")] {
        std::fs::write(&beside, text).unwrap();
        let file = OpenFile::open(&path).unwrap();
        let said = file.warnings.iter().any(|warning| {
            matches!(warning, FileWarning::Beside(_)) && warning.to_string().contains(needle) && !warning.is_minor()
        });
        assert!(said, "{:?}", file.warnings);
        let mut window = Window::open(&path);
        let name = window.editor().document().nodes().label(window.editor().document().joints()[1]);
        line(&mut window, &format!("lock joint=\"{name}\""));
        window.key(Key::S, CTRL);
        let report = window.app().save_report().unwrap();
        assert!(report.warnings.iter().any(|warning| warning.contains("were not kept")), "{report}");
        assert_eq!(std::fs::read_to_string(&beside).unwrap(), text);
    }
}
