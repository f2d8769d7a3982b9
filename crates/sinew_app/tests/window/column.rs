//! The column at the right: the joint list keeps its rows and the active joint, sections under it fold and share.

use egui::{Key, Vec2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use sinew_app::action::Action;
use sinew_app::panels::sections::Section;
use sinew_tests::chain;

use super::driver::{CTRL, NONE, Setup, Window};

/// A chain of joints, long enough that the list has to scroll.
struct Chain {
    folder: tempfile::TempDir,
}

impl Chain {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("chain.glb"), chain(60).glb()).unwrap();
        Self { folder }
    }

    fn open(&self, size: Vec2) -> Window {
        Window::new(Setup { path: Some(self.folder.path().join("chain.glb")), size, ..Setup::default() })
    }
}

/// A window of 1440 × 900 with text at 100 % and at 200 %.
const SIZES: [(Vec2, usize); 2] = [(vec2(1440.0, 900.0), 8), (vec2(720.0, 450.0), 4)];

/// Names of the rows that are wholly in sight.
fn rows(window: &Window) -> Vec<String> {
    let top = window.harness.get_by_label("Search joints").rect().max.y;
    let bottom = window.harness.get_by_label("Pose").rect().min.y;
    let is_row = |name: &str| name.strip_prefix('J').is_some_and(|n| n.parse::<u32>().is_ok());
    let nodes = window.harness.root().children_recursive().filter_map(|node| {
        let name = node.accesskit_node().label().filter(|name| is_row(name))?;
        let rect = node.rect();
        // The pose is called by its joint's name, too.
        (rect.min.y >= top && rect.max.y <= bottom).then_some(name)
    });
    nodes.collect()
}

fn active(window: &Window) -> String {
    let joint = window.editor().session.active_joint.unwrap();
    window.editor().document().nodes().label(joint)
}

/// Clicks a row where its name ends: deep in the tree its triangle lies in the middle.
fn pick(window: &mut Window, name: &str) {
    let rect = window.harness.get_by_label(name).rect();
    window.click(rect.right_center() - vec2(100.0, 0.0), NONE);
}

fn edit_and_save(window: &mut Window) {
    window.editor_mut().run("smooth").unwrap();
    window.harness.run();
    window.key(Key::S, CTRL);
    assert!(window.app().save_report().is_some());
}

fn ask(window: &mut Window, action: Action) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, action);
    window.harness.run();
}

#[test]
fn the_joint_list_keeps_its_rows_and_the_active_joint_whatever_is_open_below_it() {
    for (size, least) in SIZES {
        let chain = Chain::new();
        let mut window = chain.open(size);
        let before = rows(&window);
        // The lowest row that is in sight: the first to be lost.
        let name = before.last().unwrap().clone();
        pick(&mut window, &name);
        assert_eq!(active(&window), name);
        edit_and_save(&mut window);
        ask(&mut window, Action::ToggleFileReport);
        for heading in ["Pose", "History", "Save report", "File report"] {
            assert!(window.harness.query_by_label(heading).is_some(), "{heading} at {size}");
        }
        let found = rows(&window);
        assert!(found.len() >= least, "{size}: {found:?}");
        assert!(found.len() < before.len() || before.len() == least, "the list had to give room");
        assert!(found.contains(&name), "{size}: the active joint {name} is not among {found:?}");
    }
}

#[test]
fn a_search_and_its_end_leave_the_active_joint_in_sight() {
    let chain = Chain::new();
    let mut window = chain.open(SIZES[1].0);
    let last = *window.editor().document().joints().last().unwrap();
    window.editor_mut().session.active_joint = Some(last);
    window.harness.run();
    assert!(rows(&window).contains(&"J59".to_owned()));
    window.harness.get_by_label("Search joints").click();
    window.harness.run();
    window.harness.get_by_label("Search joints").type_text("j12");
    window.harness.run();
    assert!(!rows(&window).contains(&"J59".to_owned()));
    window.click_label("Clear the search");
    assert!(rows(&window).contains(&"J59".to_owned()), "{:?}", rows(&window));
    pick(&mut window, "J59");
    edit_and_save(&mut window);
    assert!(rows(&window).contains(&"J59".to_owned()), "{:?}", rows(&window));
}

#[test]
fn who_scrolled_away_from_the_active_joint_is_left_where_they_are() {
    let chain = Chain::new();
    let mut window = chain.open(SIZES[0].0);
    let in_list = window.harness.get_by_label("J3").rect().center();
    window.hover(in_list);
    window.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -700.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: NONE,
    });
    window.harness.run_steps(60);
    let first = rows(&window)[0].clone();
    assert!(!rows(&window).contains(&"J0".to_owned()));
    edit_and_save(&mut window);
    assert_eq!(rows(&window)[0], first, "the list does not jump");
}

#[test]
fn headings_fold_and_unfold_their_sections_and_that_is_remembered() {
    let chain = Chain::new();
    let mut window = chain.open(SIZES[0].0);
    let is_listed = |window: &Window| window.harness.query_by_label("Open chain.glb").is_some();
    assert!(is_listed(&window));
    let n_rows = rows(&window).len();
    window.click_label("History");
    assert!(!is_listed(&window));
    assert!(rows(&window).len() > n_rows, "the joints have the room");
    // The keyboard does the same.
    window.click_label("Pose");
    assert!(window.harness.query_by_label("Turn X").is_none());
    window.harness.get_by_label("Pose").focus();
    window.harness.run();
    window.key(Key::Space, NONE);
    assert!(window.harness.query_by_label("Turn X").is_some());
    // Folded by hand, a report that comes does not open by itself: its heading says that it is there.
    edit_and_save(&mut window);
    window.click_label("Save report");
    assert!(window.harness.query_by_label("Everything else identical").is_none());
    window.editor_mut().run("smooth").unwrap();
    window.key(Key::S, CTRL);
    assert!(window.harness.query_by_label("Save report").is_some());
    assert!(window.harness.query_by_label("Everything else identical").is_none());
    assert!(!is_listed(&window));
    window.click_label("Save report");
    assert!(window.harness.query_by_label("Everything else identical").is_some());
}

#[test]
fn in_a_low_window_the_section_opened_last_has_the_room() {
    let chain = Chain::new();
    let mut window = chain.open(SIZES[1].0);
    edit_and_save(&mut window);
    assert!(window.harness.query_by_label("Everything else identical").is_some(), "the report has just come");
    ask(&mut window, Action::ToggleFileReport);
    assert!(window.harness.query_by_label_contains("0 images").is_some());
    assert!(window.harness.query_by_label("Everything else identical").is_none());
    window.click_label("History");
    assert!(window.harness.query_by_label("Open chain.glb").is_some());
    assert!(window.harness.query_by_label_contains("0 images").is_none());
    ask(&mut window, Action::CloseReport(Section::SaveReport));
    ask(&mut window, Action::CloseReport(Section::FileReport));
    for heading in ["Save report", "File report"] {
        assert!(window.harness.query_by_label(heading).is_none(), "{heading}");
    }
    assert!(window.harness.query_by_label("Turn X").is_some(), "there is room for the pose again");
}

#[test]
fn even_in_a_very_low_window_a_click_on_a_heading_opens_its_section() {
    let chain = Chain::new();
    // A screen of 1280 × 720 at 200 %.
    let mut window = chain.open(vec2(640.0, 360.0));
    edit_and_save(&mut window);
    assert!(rows(&window).len() >= 2);
    assert!(window.harness.query_by_label("Saved chain.glb").is_some(), "the report has just come");
    window.click_label("History");
    assert!(window.harness.query_by_label("Open chain.glb").is_some());
    window.click_label("Pose");
    assert!(window.harness.query_by_label("Turn X").is_some());
}

#[test]
fn in_a_low_column_the_pose_keeps_its_numbers_and_leaves_morphs_out_before_it_covers_anything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moving.glb");
    std::fs::write(&path, super::pose::moving().glb()).unwrap();
    let folded = |window: &Window| window.harness.query_by_label("Turn X").is_none();
    for height in (380..900).step_by(40) {
        let size = vec2(960.0, height as f32);
        let mut window = Window::new(Setup { path: Some(path.clone()), size, ..Setup::default() });
        edit_and_save(&mut window);
        ask(&mut window, Action::ToggleFileReport);
        let top = |name: &str| window.harness.query_by_label(name).map(|node| node.rect());
        let (Some(pose), Some(history)) = (top("Pose"), top("History")) else { continue };
        if folded(&window) {
            assert!(pose.max.y <= history.min.y, "{height}");
            continue;
        }
        let numbers = top("Turn X").unwrap();
        assert!(numbers.min.y >= pose.max.y - 0.5 && numbers.max.y <= history.min.y, "{height}: {pose:?} {numbers:?}");
        if let Some(morphs) = top("Morph targets") {
            assert!(morphs.min.y >= numbers.max.y - 0.5 && morphs.max.y <= history.min.y, "{height}: {morphs:?}");
        }
    }
}
