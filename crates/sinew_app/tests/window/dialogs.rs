//! What stands in the middle of the window, walked through by the keyboard alone and found by names.

use std::path::Path;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use sinew_app::action::Action;
use sinew_app::keymap::Do;

use super::driver::{CTRL, CTRL_SHIFT, NONE, SHIFT, Setup, Window, arm};

/// The button or field that has the keyboard.
fn focused(window: &Window) -> String {
    let root = window.harness.root();
    let node = root.children_recursive().find(egui_kittest::Node::is_focused);
    node.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
}

/// Where Tab leads from here, until it is back.
fn walked(window: &mut Window) -> Vec<String> {
    let mut names = vec![focused(window)];
    for _ in 0..12 {
        window.key(Key::Tab, NONE);
        // Between the last and the first the keyboard is nowhere for a frame.
        window.harness.run();
        let name = focused(window);
        if name == names[0] {
            break;
        }
        names.push(name);
    }
    names
}

fn tab_to(window: &mut Window, name: &str) {
    for _ in 0..12 {
        if focused(window) == name {
            return;
        }
        window.key(Key::Tab, NONE);
    }
    panic!("Tab does not lead to {name}");
}

fn is_there(window: &Window, text: &str) -> bool {
    window.harness.query_by_label_contains(text).is_some()
}

fn ask(window: &mut Window, action: Action) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, action);
    window.harness.run();
    window.settle();
}

fn open_and_edit(path: &Path) -> Window {
    std::fs::copy(arm(), path).unwrap();
    let mut window = Window::open(path);
    window.editor_mut().run("smooth").unwrap();
    window.harness.run();
    window
}

#[test]
fn an_error_is_read_left_and_answered_without_a_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.glb");
    std::fs::write(&broken, b"glTF").unwrap();
    let mut window = Window::open(&arm());
    // What had the keyboard before has it no more.
    window.harness.get_by_label("Search joints").focus();
    window.harness.run();
    let open = |window: &mut Window| ask(window, Action::OpenPath(broken.clone()));
    open(&mut window);
    assert!(is_there(&window, "broken.glb cannot be opened") && is_there(&window, "arm.glb stays open"));
    assert_eq!(walked(&mut window), ["Open another…", "Close"], "Tab stays inside");
    window.key(Key::Tab, SHIFT);
    assert_eq!(focused(&window), "Close", "and goes backwards");
    window.key(Key::Enter, NONE);
    assert!(!is_there(&window, "cannot be opened"));
    open(&mut window);
    window.key(Key::Escape, NONE);
    assert!(!is_there(&window, "cannot be opened"));
    // Enter does what is offered first: there is no file dialog here, so a path is asked for.
    open(&mut window);
    window.key(Key::Enter, NONE);
    window.settle();
    assert_eq!(focused(&window), "Path");
    window.key(Key::Escape, NONE);
    assert_eq!(window.app().file().unwrap().name(), "arm.glb");

    // An error with nothing to do about it has one button.
    let script = folder.path().join("wrong.txt");
    std::fs::write(&script, "smoth\n").unwrap();
    ask(&mut window, Action::Do(Do::RunScript));
    window.key(Key::A, CTRL);
    window.harness.get_by_label("Path").type_text(&script.display().to_string());
    window.harness.run();
    window.key(Key::Enter, NONE);
    window.settle();
    assert!(is_there(&window, "The script stopped"));
    assert_eq!(walked(&mut window), ["Close"]);
    window.key(Key::Enter, NONE);
    assert!(!is_there(&window, "The script stopped"));
}

#[test]
fn unsaved_changes_are_kept_saved_or_given_up_without_a_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    let mut window = open_and_edit(&path);
    let edited = window.weights();
    let before = std::fs::read(&path).unwrap();
    window.key(Key::W, CTRL);
    assert!(is_there(&window, "There are changes that are not saved"));
    for name in ["Save", "Discard", "Cancel"] {
        assert!(window.harness.query_by_role_and_label(Role::Button, name).is_some(), "{name}");
    }
    assert_eq!(walked(&mut window), ["Save", "Discard", "Cancel"]);
    window.key(Key::Escape, NONE);
    assert_eq!(window.weights(), edited);
    window.key(Key::W, CTRL);
    tab_to(&mut window, "Cancel");
    window.key(Key::Enter, NONE);
    assert!(window.app().file().is_some_and(sinew_app::files::OpenFile::is_unsaved));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // Enter alone saves: the answer that loses nothing.
    window.key(Key::W, CTRL);
    window.key(Key::Enter, NONE);
    window.settle();
    assert!(window.app().file().is_none());
    assert_ne!(std::fs::read(&path).unwrap(), before);

    let mut window = open_and_edit(&path);
    window.key(Key::W, CTRL);
    tab_to(&mut window, "Discard");
    window.key(Key::Space, NONE);
    window.settle();
    assert!(window.app().file().is_none());
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn work_that_a_crash_left_is_taken_up_put_off_or_forgotten_without_a_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let (path, journals) = (folder.path().join("arm.glb"), folder.path().join("journals"));
    std::fs::copy(arm(), &path).unwrap();
    let start = |path: Option<&Path>| {
        let (path, journal_folder) = (path.map(Path::to_owned), Some(journals.clone()));
        Window::new(Setup { path, journal_folder, ..Setup::default() })
    };
    let mut window = start(Some(&path));
    let opened = window.weights();
    ask(&mut window, Action::Line("smooth".to_owned()));
    let edited = window.weights();
    drop(window);

    let mut window = start(None);
    assert!(is_there(&window, "There is unsaved work on arm.glb") && is_there(&window, "It kept 1 step"));
    assert_eq!(walked(&mut window), ["Recover 1 step", "Discard", "Later"]);
    window.key(Key::Escape, NONE);
    assert!(!is_there(&window, "unsaved work") && window.app().file().is_none());
    drop(window);
    let mut window = start(None);
    // Opening has a spinner, which never comes to rest.
    window.harness.key_press(Key::Enter);
    window.harness.step();
    window.settle();
    assert!(window.weights() == edited);
    drop(window);
    let mut window = start(None);
    tab_to(&mut window, "Later");
    window.key(Key::Enter, NONE);
    drop(window);
    let mut window = start(Some(&path));
    tab_to(&mut window, "Discard");
    window.key(Key::Enter, NONE);
    assert!(!is_there(&window, "There is unsaved work") && window.weights() == opened);
    drop(window);
    assert!(!is_there(&start(None), "unsaved work"), "it is forgotten");
}

#[test]
fn a_path_is_typed_confirmed_and_given_up_without_a_mouse() {
    // B76
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    let mut window = open_and_edit(&path);
    let copy = folder.path().join("copy.glb");
    window.key(Key::S, CTRL_SHIFT);
    window.settle();
    assert!(is_there(&window, "Save as"));
    assert!(is_there(&window, "This file exists and will be replaced"));
    assert_eq!(walked(&mut window), ["Path", "Save", "Cancel"]);
    window.key(Key::A, CTRL);
    window.harness.get_by_label("Path").type_text(&copy.display().to_string());
    window.harness.run();
    assert!(!is_there(&window, "will be replaced"));
    window.key(Key::Escape, NONE);
    assert!(!copy.exists() && window.harness.query_by_label("Path").is_none());
    window.key(Key::S, CTRL_SHIFT);
    window.settle();
    window.key(Key::A, CTRL);
    window.harness.get_by_label("Path").type_text(&copy.display().to_string());
    window.harness.run();
    tab_to(&mut window, "Save");
    window.key(Key::Enter, NONE);
    window.settle();
    assert_eq!(window.app().file().unwrap().path(), Some(copy.as_path()));

    ask(&mut window, Action::Do(Do::Open));
    tab_to(&mut window, "Cancel");
    window.key(Key::Enter, NONE);
    assert_eq!(window.app().file().unwrap().path(), Some(copy.as_path()));
}
