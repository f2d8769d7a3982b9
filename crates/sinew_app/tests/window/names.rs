//! Every control has a name of its own and can be reached with the keyboard, in every state of the window.

use std::collections::{BTreeMap, BTreeSet};

use egui::Key;
use egui::accesskit::Action;
use egui_kittest::kittest::{NodeT, Queryable};
use sinew_app::action::{Action as Ask, Notice};
use sinew_app::keymap::Do;

use super::driver::{CTRL, CTRL_SHIFT, NONE, SHIFT, Setup, Window, arm};
use super::pose::moving;

/// A control as a screen reader meets it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Control {
    role: String,
    name: String,
    is_enabled: bool,
    can_focus: bool,
    place: String,
}

fn controls(window: &Window) -> Vec<Control> {
    let root = window.harness.root();
    let nodes = root.children_recursive().filter_map(|node| {
        let node = node.accesskit_node();
        let can_focus = node.data().supports_action(Action::Focus);
        // Bars of long lists are for the mouse: the keys scroll what they walk through.
        if node.role() == egui::Role::ScrollBar {
            return None;
        }
        (can_focus || node.data().supports_action(Action::Click)).then(|| Control {
            role: format!("{:?}", node.role()),
            name: node.label().unwrap_or_default().trim().to_owned(),
            is_enabled: !node.is_disabled(),
            can_focus,
            place: format!("{:?}", node.bounding_box()),
        })
    });
    nodes.collect()
}

/// Names that two controls may have: a menu and the switch of what it is about; egui's own handles of panels.
const SHARED: [&str; 3] = ["Joints", "Weights", "Resize panel"];

/// What is wrong with the names: controls without one, and names that several controls share.
fn faults(window: &Window) -> Vec<String> {
    let found = controls(window);
    assert!(!found.is_empty());
    let mut by_name: BTreeMap<&str, Vec<&Control>> = BTreeMap::new();
    for control in &found {
        by_name.entry(&control.name).or_default().push(control);
    }
    let shared = by_name.iter().filter(|(name, controls)| controls.len() > 1 && !SHARED.contains(name));
    let nameless = found.iter().filter(|control| control.name.is_empty()).map(|control| format!("{control:?}"));
    nameless.chain(shared.map(|(name, _)| format!("several are called “{name}”"))).collect()
}

#[track_caller]
fn assert_named(window: &Window, state: &str) {
    assert_eq!(faults(window), Vec::<String>::new(), "{state}");
}

/// What has the keyboard.
fn focused(window: &Window) -> Option<String> {
    let root = window.harness.root();
    let node = root.children_recursive().find(egui_kittest::Node::is_focused)?;
    Some(node.accesskit_node().label().unwrap_or_default().trim().to_owned())
}

/// Everything that the Tab key comes to until it is where it began.
fn reached(window: &mut Window) -> BTreeSet<String> {
    let n = controls(window).len();
    let mut names = BTreeSet::new();
    for _ in 0..n + 8 {
        window.harness.key_press(Key::Tab);
        window.harness.step();
        names.extend(focused(window));
    }
    window.harness.run();
    names
}

#[track_caller]
fn assert_reachable(window: &mut Window, state: &str) {
    let wanted: BTreeSet<String> =
        controls(window).into_iter().filter(|c| c.can_focus && c.is_enabled).map(|c| c.name).collect();
    let found = reached(window);
    let missed: Vec<&String> = wanted.difference(&found).collect();
    assert!(missed.is_empty(), "{state}: Tab does not come to {missed:?}");
}

#[test]
fn controls_have_names_and_the_keyboard_reaches_them_while_nothing_is_open() {
    let mut window = Window::new(Setup::default());
    assert_named(&window, "empty");
    assert_reachable(&mut window, "empty");
    window.key(Key::Comma, CTRL);
    assert_named(&window, "settings");
    assert_reachable(&mut window, "settings");
}

#[test]
fn controls_have_names_and_the_keyboard_reaches_them_around_an_open_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moving.glb");
    std::fs::write(&path, moving().glb()).unwrap();
    let setup = Setup { path: Some(path), size: egui::vec2(1440.0, 900.0), ..Setup::default() };
    let mut window = Window::new(setup);
    window.editor_mut().run("settle").unwrap();
    window.editor_mut().run("set vertices=0 joint=J1 value=0.5").unwrap();
    window.editor_mut().run("lock joint=J0").unwrap();
    let ctx = window.harness.ctx.clone();
    window.click_label("Morph targets");
    assert_named(&window, "open");
    assert_reachable(&mut window, "open");
    window.harness.state_mut().perform(&ctx, Ask::ToggleFileReport);
    window.key(Key::S, CTRL);
    window.harness.state_mut().perform(&ctx, Ask::Say(Notice::refused("something")));
    window.harness.run();
    assert_named(&window, "reports");
}

#[test]
fn dialogs_and_the_palette_have_names_and_are_reached() {
    let mut window = Window::open(&arm());
    let ctx = window.harness.ctx.clone();
    window.key(Key::P, CTRL_SHIFT);
    let inside = |window: &Window, name: &str| controls(window).iter().any(|control| control.name == name);
    assert!(inside(&window, "Command"));
    assert!(faults(&window).iter().all(|fault| fault.contains('“')), "{:?}", faults(&window));
    window.key(Key::Escape, NONE);
    // A question in the middle takes the keyboard.
    window.editor_mut().run("smooth").unwrap();
    window.harness.state_mut().perform(&ctx, Ask::Do(Do::Quit));
    window.harness.run();
    assert!(faults(&window).iter().all(|fault| fault.contains('“')), "{:?}", faults(&window));
    let found = reached(&mut window);
    for name in ["Save", "Discard", "Cancel"] {
        assert!(found.iter().any(|f| f == name), "{name}: {found:?}");
    }
    window.key(Key::Escape, NONE);
    window.harness.state_mut().perform(&ctx, Ask::OpenPath("/nowhere/hero.glb".into()));
    window.harness.run();
}

#[test]
fn menus_have_names_and_tell_their_keys() {
    let mut window = Window::open(&arm());
    for menu in ["File", "Edit", "View", "Joints", "Weights"] {
        window.menu(menu);
        let nameless: Vec<Control> = controls(&window).into_iter().filter(|control| control.name.is_empty()).collect();
        assert!(nameless.is_empty(), "{menu}: {nameless:?}");
        window.key(Key::Escape, NONE);
    }
    let first = {
        let document = window.editor().document();
        document.nodes().label(document.joints()[0])
    };
    window.harness.get_by_label(&first).click_secondary();
    window.harness.run();
    assert!(controls(&window).iter().all(|control| !control.name.is_empty()), "a joint's menu");
    for entry in ["Lock others", "Solo", "Fold all"] {
        assert!(window.harness.query_by_label(entry).is_some(), "{entry}");
    }
    window.key(Key::Escape, NONE);
    window.key(Key::Tab, SHIFT);
    assert!(focused(&window).is_some());
}
