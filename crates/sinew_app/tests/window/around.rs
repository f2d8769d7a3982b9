//! What stands around the view: tools, settings, palette, counters, lists.

use egui::Key;
use egui_kittest::kittest::Queryable;

use sinew_app::action::Action;
use sinew_app::keymap::Do;
use sinew_app::viewport::marks::Marks;

use super::driver::{CTRL, CTRL_SHIFT, NONE, Setup, Window, arm};

#[test]
fn the_tool_strip_takes_brushes_by_click_and_by_key() {
    let mut window = Window::open(&arm());
    window.click_label("Add");
    assert_eq!(window.editor().session.brush.brush.name, "add");
    window.key(Key::M, NONE);
    assert_eq!(window.editor().session.brush.brush.name, "smooth");
    window.click_label("Bend Joint");
    assert_eq!(window.app().viewport().mode(), sinew_app::keymap::Mode::Bending);
}

#[test]
fn undo_and_redo_are_icons_with_names() {
    let mut window = Window::open(&arm());
    let before = window.weights();
    window.editor_mut().run("smooth").unwrap();
    window.harness.run();
    assert_ne!(window.weights(), before);
    window.click_label("Undo");
    assert_eq!(window.weights(), before);
    window.click_label("Redo");
    assert_ne!(window.weights(), before);
}

#[test]
fn the_light_theme_and_a_larger_size_are_chosen_in_the_settings() {
    let mut window = Window::new(Setup::default());
    window.key(Key::Comma, CTRL);
    window.click_label("Light");
    assert_eq!(window.harness.ctx.theme(), egui::Theme::Light);
    window.click_label("150 %");
    assert!((window.harness.ctx.zoom_factor() - 1.5).abs() < 1e-6);
    for _ in 0..9 {
        // Plus is a shifted key on most keyboards.
        window.key(Key::Plus, CTRL_SHIFT);
    }
    assert!((window.harness.ctx.zoom_factor() - 2.0).abs() < 1e-6, "never beyond 200 %");
    for _ in 0..9 {
        window.key(Key::Minus, CTRL);
    }
    assert!((window.harness.ctx.zoom_factor() - 1.0).abs() < 1e-6, "never below 100 %");
    window.key(Key::Comma, CTRL);
    assert!(window.harness.query_by_label("Light").is_none());
}

/// A file with unusual vertices: `n_bare` without weight.
fn with_bare_vertices(window: &mut Window, n_bare: u32) {
    use sinew_edit::Edit;
    use sinew_edit::editor::OpenStep;
    use sinew_model::{Row, VertexIndex};
    let editor = window.editor_mut();
    let mesh = editor.document().skinned_meshes()[0];
    let mut step = OpenStep::new();
    let rows = (0..n_bare).map(|v| (VertexIndex(v), Row::default())).collect();
    editor.apply(&mut step, Edit::Rows { mesh, rows });
    editor.commit(step, "Bare", "normalize");
    window.harness.run();
}

#[test]
fn a_counter_marks_and_frames_its_vertices_and_is_quiet_at_zero() {
    // B63
    let mut window = Window::open(&arm());
    assert!(window.harness.query_by_role_and_label(egui::Role::Button, "0 unweighted").is_none());
    with_bare_vertices(&mut window, 2);
    let before = window.app().viewport().camera;
    window.click_label("2 unweighted");
    assert_eq!(window.app().viewport().options.marks, Some(Marks::Unweighted));
    let after = window.app().viewport().camera;
    assert!(after.distance < before.distance, "two vertices are less than the whole model");
    let place = {
        let editor = window.editor_mut();
        editor.posed(0).posed.positions[0]
    };
    let px = window.app().viewport().view().px_of(place).unwrap();
    let size = window.app().viewport().view().size_px;
    assert!(px.x > 0.0 && px.y > 0.0 && px.x < size.x && px.y < size.y, "they are in sight");
    window.click_label("2 unweighted");
    assert_eq!(window.app().viewport().options.marks, None);
    window.click_label("2 unweighted");
    window.click_label("Undo");
    window.harness.run();
    assert_eq!(window.app().viewport().options.marks, None, "what is mended is not marked");
}

#[test]
fn the_palette_finds_commands_and_shows_what_is_wrong_with_a_line() {
    let mut window = Window::open(&arm());
    window.key(Key::P, CTRL_SHIFT);
    window.harness.get_by_label("Command").type_text("conto");
    window.harness.run();
    window.key(Key::Enter, NONE);
    assert!(window.app().viewport().options.contours);
    assert!(window.harness.query_by_label("Command").is_none(), "it closes when it is done");

    window.key(Key::P, CTRL_SHIFT);
    window.harness.get_by_label("Command").type_text("limit influences=none");
    window.harness.run();
    assert!(window.harness.query_by_label_contains("limit [influences=").is_some(), "the usage is shown");
    window.key(Key::Enter, NONE);
    assert!(window.harness.query_by_label_contains("\"none\"").is_some(), "the mistake is named");
    assert_eq!(window.editor().history().n_done(), 0);
    window.key(Key::A, CTRL);
    window.harness.get_by_label("Command").type_text("limit influences=1");
    window.harness.run();
    window.key(Key::Enter, NONE);
    assert!(window.harness.query_by_label("Command").is_none());
    assert_eq!(window.editor().history().n_done(), 1);
    window.key(Key::P, CTRL_SHIFT);
    window.key(Key::Escape, NONE);
    assert!(window.harness.query_by_label("Command").is_none());
}

#[test]
fn opened_files_are_offered_again_and_opening_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.glb");
    std::fs::copy(arm(), &path).unwrap();
    let mut window = Window::open(&path);
    window.click_label("File");
    window.click_label("Open Recent");
    assert!(window.harness.query_by_role_and_label(egui::Role::Button, "hero.glb").is_some());
    window.key(Key::Escape, NONE);
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::OpenPath(arm()));
    window.harness.state_mut().perform(&ctx, Action::CancelOpen);
    assert!(!window.app().is_busy());
    std::thread::sleep(std::time::Duration::from_millis(300));
    window.settle();
    assert_eq!(window.app().file().unwrap().name(), "hero.glb", "a file that comes too late is ignored");
}

#[test]
fn the_history_is_written_as_a_script_and_a_mistake_in_one_is_named_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("edits.txt");
    let mut window = Window::open(&arm());
    let before = window.weights();
    window.editor_mut().run("smooth").unwrap();
    window.harness.run();
    let smooth = window.weights();
    let type_path = |window: &mut Window, what: Do, path: &std::path::Path| {
        let ctx = window.harness.ctx.clone();
        window.harness.state_mut().perform(&ctx, Action::Do(what));
        window.settle();
        window.harness.get_by_label("Path").focus();
        window.harness.run();
        window.key(Key::A, CTRL);
        window.harness.get_by_label("Path").type_text(&path.display().to_string());
        window.harness.run();
        window.key(Key::Enter, NONE);
        window.settle();
    };
    type_path(&mut window, Do::SaveScript, &script);
    window.click_label("Undo");
    assert_eq!(window.weights(), before);
    type_path(&mut window, Do::RunScript, &script);
    assert_eq!(window.weights(), smooth, "the script does it again");

    // Editors on some systems begin a file so.
    let marked = folder.path().join("marked.txt");
    std::fs::write(&marked, format!("\u{feff}{}", std::fs::read_to_string(&script).unwrap())).unwrap();
    window.click_label("Undo");
    type_path(&mut window, Do::RunScript, &marked);
    assert_eq!(window.weights(), smooth, "a byte order mark is no part of the first line");

    let wrong = folder.path().join("wrong.txt");
    std::fs::write(&wrong, "# a comment\nnormalize\n\nsmoth\n").unwrap();
    type_path(&mut window, Do::RunScript, &wrong);
    assert!(window.harness.query_by_label("The script stopped").is_some());
    assert!(window.harness.query_by_label_contains("Line 4: there is no command \"smoth\"").is_some());
}

#[test]
fn joints_are_hidden_soloed_and_locked_from_the_menu_of_their_row() {
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    let names: Vec<String> = joints.iter().map(|&joint| window.editor().document().nodes().label(joint)).collect();
    let hidden = |window: &mut Window| window.harness.state_mut().viewport_mut().hidden_joints_mut().clone();
    window.click_label(&format!("Hide {}", names[0]));
    assert_eq!(hidden(&mut window).into_iter().collect::<Vec<_>>(), [joints[0]]);
    window.click_label("Show 1 hidden");
    assert!(hidden(&mut window).is_empty());

    window.harness.get_by_label(&names[1]).click_secondary();
    window.harness.run();
    window.click_label("Lock others");
    let locks = window.editor().document().locks().clone();
    assert!(!locks.contains(&joints[1]) && locks.len() == joints.len() - 1);
    window.harness.get_by_label(&names[1]).click_secondary();
    window.harness.run();
    window.click_label("Solo");
    assert!(hidden(&mut window).contains(&joints[0]) && !hidden(&mut window).contains(&joints[1]));
    window.harness.get_by_label(&names[1]).click_secondary();
    window.harness.run();
    window.click_label("Unlock all");
    assert!(window.editor().document().locks().is_empty());
}

#[test]
fn arrow_keys_walk_the_joints() {
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    let name = |window: &Window, i: usize| window.editor().document().nodes().label(joints[i]);
    let first = name(&window, 0);
    window.click_label(&first);
    window.harness.get_by_label(&first).focus();
    window.harness.run();
    window.key(Key::ArrowDown, NONE);
    assert_eq!(window.editor().session.active_joint, Some(joints[1]));
    if window.harness.query_by_label(&format!("Fold {}", name(&window, 1))).is_some() {
        // The first press folds it.
        window.key(Key::ArrowLeft, NONE);
    }
    window.key(Key::ArrowLeft, NONE);
    assert_eq!(window.editor().session.active_joint, Some(joints[0]), "left goes to the parent");
    window.key(Key::ArrowRight, NONE);
    assert_eq!(window.editor().session.active_joint, Some(joints[1]), "right goes to the first child");
    window.key(Key::ArrowUp, NONE);
    assert_eq!(window.editor().session.active_joint, Some(joints[0]));
}

#[test]
fn joints_without_weight_can_be_left_out() {
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    let last = *joints.last().unwrap();
    let name = window.editor().document().nodes().label(last);
    let n_used = {
        let document = window.editor().document();
        let table = &document.mesh(document.skinned_meshes()[0]).weights;
        let slot = document.skin(document.instances()[0].skin.unwrap()).slot(last).unwrap();
        table.vertices().filter(|&v| table.weight(v, slot) > 0.0).count()
    };
    window.click_label("Used only");
    assert_eq!(window.harness.query_by_label(&name).is_some(), n_used > 0);
}

#[test]
fn while_a_file_is_written_the_window_lives_and_edits_wait() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.glb");
    std::fs::copy(arm(), &path).unwrap();
    let quick_save = std::time::Duration::ZERO;
    let mut window = Window::new(Setup { path: Some(path.clone()), quick_save, ..Setup::default() });
    window.editor_mut().run("smooth").unwrap();
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Do(Do::Save));
    assert!(window.app().is_busy());
    window.harness.state_mut().perform(&ctx, Action::Do(Do::Undo));
    assert_eq!(window.editor().history().n_done(), 1, "what edits is held back");
    assert!(window.app().notice().unwrap().text.contains("being written"));
    window.settle();
    assert!(!window.app().file().unwrap().is_unsaved());
    assert_ne!(std::fs::read(&path).unwrap(), std::fs::read(arm()).unwrap());
    window.click_label("Undo");
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn text_in_any_script_is_drawn_or_boxed_and_never_a_crash() {
    let mut window = Window::open(&arm());
    window.harness.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
    let text = "腕 рука ذراع แขน 팔 𒀀";
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Say(sinew_app::action::Notice::done(text)));
    window.harness.run();
    assert!(window.harness.query_by_label(text).is_some());
}
