//! Files that are offered again.

use std::collections::BTreeMap;
use std::path::Path;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use super::driver::{CTRL, CTRL_SHIFT, NONE, Window, arm};

/// What Open Recent lists, the last first.
fn recent(window: &mut Window) -> Vec<String> {
    window.menu("File");
    window.click_label("Open Recent");
    let right = window.harness.get_by_label("Open Recent").rect().max.x;
    let root = window.harness.root();
    let entries = root.children_recursive().filter(|node| node.accesskit_node().role() == Role::Button);
    let names = entries
        .filter(|node| node.rect().min.x >= right - 1.0)
        .filter_map(|node| node.accesskit_node().label())
        // The history begins with “Open hero.glb”.
        .filter(|name| !name.starts_with("Open ") && Path::new(name).extension().is_some_and(|ending| ending == "glb"));
    let names = names.collect();
    window.key(Key::Escape, NONE);
    window.key(Key::Escape, NONE);
    names
}

fn save_as(window: &mut Window, path: &Path) {
    window.key(Key::S, CTRL_SHIFT);
    window.settle();
    window.key(Key::A, CTRL);
    window.harness.get_by_label("Path").type_text(&path.display().to_string());
    window.harness.run();
    window.key(Key::Enter, NONE);
    window.settle();
}

#[test]
fn a_file_that_was_saved_under_a_new_name_is_offered_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::open(&path);
    assert_eq!(recent(&mut window), ["hero.glb"]);
    save_as(&mut window, &folder.path().join("hero 2.glb"));
    assert_eq!(window.app().file().unwrap().name(), "hero 2.glb");
    assert_eq!(recent(&mut window), ["hero 2.glb", "hero.glb"]);
}

/// What is kept between runs.
#[derive(Default)]
struct Kept {
    values: BTreeMap<String, String>,
    n_flushed: usize,
}

impl eframe::Storage for Kept {
    fn get_string(&self, key: &str) -> Option<String> {
        self.values.get(key).cloned()
    }

    fn set_string(&mut self, key: &str, value: String) {
        self.values.insert(key.to_owned(), value);
    }

    fn remove_string(&mut self, key: &str) {
        self.values.remove(key);
    }

    fn flush(&mut self) {
        self.n_flushed += 1;
    }
}

#[test]
fn a_program_that_is_killed_has_kept_which_files_were_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::open(&path);
    let mut kept = Kept::default();
    window.harness.state_mut().store_recent(&mut kept);
    assert!(kept.values.values().any(|text| text.contains("hero.glb")) && kept.n_flushed == 1);
    window.harness.state_mut().store_recent(&mut kept);
    assert_eq!(kept.n_flushed, 1, "only where something changed");
    save_as(&mut window, &folder.path().join("hero 2.glb"));
    window.harness.state_mut().store_recent(&mut kept);
    assert!(kept.values.values().any(|text| text.contains("hero 2.glb")) && kept.n_flushed == 2);
}
