//! Choosing which scene is shown.

use egui::Role;
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_model::SceneIndex;

use super::driver::{Window, arm};

#[test]
fn a_file_with_several_scenes_has_a_menu_of_them_and_one_with_one_has_none() {
    // B72
    let mut window = Window::open(&arm());
    window.menu("View");
    assert!(window.harness.query_by_role_and_label(Role::Button, "Scene").is_none());

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.glb");
    std::fs::write(&path, sinew_tests::two_scenes().glb()).unwrap();
    let mut window = Window::open(&path);
    assert_eq!(window.editor().session.scene, Some(SceneIndex(0)));
    let (high, low) = (window.pos(Vec3::new(0.1, 0.7, 0.0)), window.app().viewport().n_pictures());
    window.hover(high);
    assert!(window.app().viewport().hover().is_some());

    window.menu("View");
    window.click_label("Scene");
    window.click_label("Low");
    assert_eq!(window.editor().session.scene, Some(SceneIndex(1)));
    assert!(window.app().viewport().n_pictures() > low, "another scene is another picture");
    assert!(!window.app().file().unwrap().is_unsaved());
    window.harness.remove_cursor();
    window.hover(high);
    assert!(window.app().viewport().hover().is_none(), "what is not shown is not under the pointer");

    window.menu("View");
    window.click_label("Scene");
    window.click_label("All");
    assert_eq!(window.editor().session.scene, None);
    window.hover(high + egui::vec2(1.0, 0.0));
    assert!(window.app().viewport().hover().is_some());
}
