//! The paint kit in the window: brushes that are held as before, presets, reach, symmetry, selecting, masks, lane,
//! gradients. Each test does what a hand does and looks at the document.

use egui::{Key, PointerButton, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use glam::Vec3;
use sinew_app::action::Level;
use sinew_app::viewport::hand::Hand;
use sinew_edit::{Falloff, GiveTo, Reach};
use sinew_model::NodeIndex;

use super::driver::{ALT, CTRL, NONE, SHIFT, Setup, Window, arm};

/// The arm with its second joint active and a brush that is equally strong everywhere.
fn window() -> Window {
    let size = vec2(1440.0, 900.0);
    let mut window = Window::new(Setup { path: Some(arm()), size, ..Setup::default() });
    let elbow = window.editor().document().joints()[1];
    window.editor_mut().session.active_joint = Some(elbow);
    let brush = &mut window.editor_mut().session.brush;
    (brush.radius, brush.falloff) = (0.25, Falloff::Constant);
    window.harness.run();
    window
}

fn middle(window: &Window) -> Pos2 {
    window.pos(Vec3::new(0.0, 1.0, 0.0))
}

fn n_selected(window: &Window) -> usize {
    let document = window.editor().document();
    document.skinned_meshes().into_iter().map(|mesh| document.selection(mesh).len()).sum()
}

fn n_masked(window: &Window) -> usize {
    let document = window.editor().document();
    document.skinned_meshes().into_iter().map(|mesh| document.mask(mesh).n_masked()).sum()
}

fn last_line(window: &Window) -> String {
    window.editor().history().entries().last().unwrap().line.to_owned()
}

#[test]
fn every_brush_is_held_as_it_was_and_says_only_what_it_uses() {
    // B36, B62
    let mut window = window();
    window.editor_mut().session.brush.value = 0.75;
    window.harness.run();
    assert!(window.harness.query_by_label("Value").is_some());
    window.key(Key::M, NONE);
    assert_eq!(window.editor().session.brush.brush.name, "smooth");
    assert!(window.harness.query_by_label("Value").is_none(), "smooth has no value");
    window.editor_mut().session.brush.strength = 0.3;
    window.key(Key::B, NONE);
    let brush = window.editor().session.brush;
    assert_eq!((brush.value, brush.strength), (0.75, 1.0));
    window.key(Key::M, NONE);
    let brush = window.editor().session.brush;
    assert_eq!((brush.strength, brush.radius), (0.3, 0.25), "its own strength, the one size");
}

#[test]
fn a_preset_is_saved_chosen_and_deleted_by_name() {
    let mut window = window();
    window.click_label("Brush options");
    window.editor_mut().session.brush.strength = 0.35;
    window.harness.get_by_label("Preset name").focus();
    window.harness.run();
    window.harness.get_by_label("Preset name").type_text("Feather");
    window.harness.run();
    window.click_label("Save preset");
    window.key(Key::M, NONE);
    window.click_label("Feather");
    let brush = window.editor().session.brush;
    assert_eq!(brush.brush.name, "replace");
    assert!((brush.strength - 0.35).abs() < 1e-6);
    window.click_label("Delete preset Feather");
    assert!(window.harness.query_by_label("Feather").is_none());
}

#[test]
fn the_card_sets_falloff_once_and_who_takes_what_is_removed() {
    // Pains 3 and 21
    let mut window = window();
    window.click_label("Brush options");
    window.click_label("Sphere falloff");
    assert_eq!(window.editor().session.brush.falloff, Falloff::Sphere);
    window.click_label("Curve falloff");
    let at = window.harness.get_by_label("Falloff curve point 3").rect().center();
    let before = window.editor().session.brush.curve;
    window.drag(&[at, at - vec2(0.0, 10.0), at - vec2(0.0, 20.0)], PointerButton::Primary, NONE);
    assert!(window.editor().session.brush.curve.at(0.5) > before.at(0.5) + 0.1, "the point went up");
    window.click_label("Once");
    assert!(window.editor().session.brush.once);
    window.click_label("Parent");
    assert_eq!(window.editor().session.paint.give, GiveTo::Parent);
    window.click_label("Neighbours");
    let pos = middle(&window);
    window.stroke(pos, pos + vec2(0.0, 20.0), CTRL);
    let line = last_line(&window);
    assert!(line.contains("give=neighbours") && line.contains("cap=yes") && line.contains("curve="), "{line}");
    window.click_label("Reset brush");
    assert_eq!(window.editor().session.brush.falloff, Falloff::Smooth);
}

#[test]
fn held_keys_show_the_brush_that_they_make() {
    let mut window = window();
    window.hover(middle(&window));
    window.hold(SHIFT);
    assert_eq!(window.editor().session.brush.brush.name, "replace", "it is not held so");
    let smooth = window.harness.get_all_by_label("Smooth").filter(|node| node.rect().min.y < 80.0).count();
    assert_eq!(smooth, 1, "the bar says what the hand does now");
    window.hold(NONE);
    assert_eq!(window.harness.get_all_by_label("Smooth").filter(|node| node.rect().min.y < 80.0).count(), 0);
}

#[test]
fn one_key_goes_through_the_reaches_and_a_screen_stroke_paints_both_sides() {
    // Pain 12, B28, B29
    let mut window = window();
    for reach in [Reach::Volume, Reach::Screen] {
        window.key(Key::O, NONE);
        assert_eq!(window.editor().session.brush.reach, reach);
    }
    let pos = middle(&window);
    window.click(pos, NONE);
    let line = last_line(&window);
    assert!(line.contains("reach=screen") && line.contains("eye="), "{line}");
    window.key(Key::O, NONE);
    assert_eq!(window.editor().session.brush.reach, Reach::Surface);
}

#[test]
fn a_size_in_pixels_stays_when_the_camera_comes_near() {
    let mut window = window();
    window.click_label("Brush options");
    window.click_label("Pixels");
    let pos = middle(&window);
    window.hover(pos);
    window.harness.run_steps(2);
    let radius = window.editor().session.brush.radius;
    window.harness.state_mut().viewport_mut().camera.distance *= 0.5;
    window.harness.run_steps(3);
    let nearer = window.editor().session.brush.radius;
    assert!((nearer / radius - 0.5).abs() < 0.1, "{radius} then {nearer}");
}

#[test]
fn the_mirror_is_switched_by_its_button_and_written_into_the_stroke() {
    // Pains 5 and 6, B33, B34
    let mut window = window();
    window.click_label("Mirror X");
    assert_eq!(window.editor().session.paint.mirror.map(|mirror| mirror.axis), Some(0));
    let pos = middle(&window);
    window.stroke(pos, pos + vec2(0.0, 24.0), NONE);
    assert!(last_line(&window).contains("mirror=x"), "{}", last_line(&window));
    window.key(Key::X, NONE);
    assert_eq!(window.editor().session.paint.mirror, None);
    window.click_label("Symmetry");
    window.click_label("Z axis");
    window.click_label("Strokes: off");
    assert_eq!(window.editor().session.paint.mirror.map(|mirror| mirror.axis), Some(2));
}

#[test]
fn weights_are_mirrored_and_joints_paired_from_the_card() {
    // Pain 5, B34
    let mut window = window();
    let pos = middle(&window);
    window.stroke(pos, pos + vec2(0.0, 24.0), NONE);
    window.click_label("Symmetry");
    window.click_label("Mirror weights");
    assert!(last_line(&window).starts_with("mirror from=+x"), "{}", last_line(&window));
    let joints: Vec<NodeIndex> = window.editor().document().joints().to_vec();
    let name = |window: &Window, joint| window.editor().document().nodes().label(joint);
    let (a, b) = (name(&window, joints[0]), name(&window, joints[1]));
    window.click_label(&format!("Pair {b} …"));
    window.editor_mut().session.active_joint = Some(joints[0]);
    window.harness.run();
    window.click_label(&format!("Pair {b} with {a}"));
    assert_eq!(window.editor().document().joint_pairs().twin(joints[1]), Some(joints[0]));
    window.harness.get_all_by_label(&format!("Unpair {a}")).next().unwrap().click();
    window.harness.run();
    assert_eq!(window.editor().document().joint_pairs().twin(joints[1]), None);
}

#[test]
fn a_click_a_box_and_a_lasso_select_shift_adds_and_control_takes_away() {
    let mut window = window();
    window.key(Key::P, NONE);
    assert_eq!(window.app().viewport().in_hand.hand, Hand::Select);
    let first = window.weights();
    let pos = middle(&window);
    window.click(pos, NONE);
    let one = n_selected(&window);
    assert!(one > 0);
    assert!(window.weights() == first, "selecting paints nothing");
    let beside = window.pos(Vec3::new(0.0, 0.5, 0.0));
    window.drag(&[beside - vec2(80.0, 12.0), beside + vec2(80.0, 12.0)], PointerButton::Primary, SHIFT);
    let more = n_selected(&window);
    assert!(more > one, "{more}");
    window.drag(&[beside - vec2(90.0, 20.0), beside + vec2(90.0, 20.0)], PointerButton::Primary, CTRL);
    assert_eq!(n_selected(&window), one);
    window.click_label("Lasso");
    let around = [(-90.0, -20.0), (90.0, -20.0), (90.0, 20.0), (-90.0, 20.0)];
    let path: Vec<Pos2> = around.map(|(x, y)| beside + vec2(x, y)).to_vec();
    window.drag(&path, PointerButton::Primary, NONE);
    let seen = n_selected(&window);
    assert!(seen > 0);
    window.click_label("Through");
    window.drag(&path, PointerButton::Primary, NONE);
    assert!(n_selected(&window) > seen, "also what the eye does not see");
    window.click_label("Island");
    window.click(pos, NONE);
    let all = window.editor().document().mesh(window.editor().document().skinned_meshes()[0]).n_vertices();
    assert_eq!(n_selected(&window), all, "the arm is one piece");
    window.click_label("Select nothing");
    assert_eq!(n_selected(&window), 0);
    window.key(Key::B, NONE);
    assert_eq!(window.app().viewport().in_hand.hand, Hand::Brush, "a brush's key takes the brush again");
}

#[test]
fn selections_grow_shrink_and_turn_round_by_button_and_by_menu() {
    let mut window = window();
    window.key(Key::P, NONE);
    let pos = middle(&window);
    window.click(pos, NONE);
    let one = n_selected(&window);
    window.click_label("Grow Selection");
    let grown = n_selected(&window);
    assert!(grown > one);
    window.click_label("Shrink Selection");
    assert!(n_selected(&window) < grown);
    window.menu("Select");
    window.click_label("Select All");
    let all = n_selected(&window);
    window.menu("Select");
    window.click_label("Select None");
    assert_eq!((n_selected(&window), all > grown), (0, true));
    window.click_label("Select by");
    window.click_label("Weight 1");
    let whole = n_selected(&window);
    assert!(whole > 0 && whole < all, "{whole} of {all}");
    // The number is a person's.
    let select_at_least = |window: &mut Window, text: &str| {
        window.click_label("Select by");
        let field = "Least weight";
        window.harness.get_by_label(field).focus();
        window.harness.run();
        window.key(Key::A, CTRL);
        window.harness.get_by_label(field).type_text(text);
        window.harness.run();
        window.key(Key::Enter, NONE);
        window.click_label("Weight at least");
        assert!(last_line(window).contains(&format!("min={text}")), "{}", last_line(window));
        assert!(window.harness.query_by_label("Weight at least").is_none(), "the menu closes");
        n_selected(window)
    };
    let (many, few) = (select_at_least(&mut window, "0.25"), select_at_least(&mut window, "0.75"));
    assert!(many > few && few >= whole, "{many} {few} {whole}");
}

#[test]
fn hidden_vertices_are_not_picked_nor_painted_until_they_are_shown_again() {
    let mut window = window();
    let pos = middle(&window);
    window.key(Key::P, NONE);
    window.click_label("Through");
    window.drag(&[pos - vec2(90.0, 40.0), pos + vec2(90.0, 40.0)], PointerButton::Primary, NONE);
    window.key(Key::H, CTRL);
    let n_hidden = |window: &Window| {
        let document = window.editor().document();
        document.hidden(document.skinned_meshes()[0]).len()
    };
    assert!(n_hidden(&window) > 0);
    window.key(Key::B, NONE);
    window.hover(pos);
    assert!(window.app().viewport().hover().is_none(), "the view goes through the hole");
    let first = window.weights();
    window.stroke(pos, pos + vec2(0.0, 10.0), NONE);
    assert!(window.weights() == first);
    window.key(Key::H, ALT);
    assert_eq!(n_hidden(&window), 0);
    window.hover(pos + vec2(1.0, 0.0));
    assert!(window.app().viewport().hover().is_some());
}

#[test]
fn what_the_mask_brush_protects_keeps_its_weights_to_the_bit() {
    // B24
    let mut window = window();
    let pos = middle(&window);
    window.key(Key::P, SHIFT);
    assert_eq!(window.app().viewport().in_hand.hand, Hand::Mask);
    let first = window.weights();
    window.stroke(pos - vec2(0.0, 10.0), pos + vec2(0.0, 10.0), NONE);
    let masked = n_masked(&window);
    assert!(masked > 0);
    let line = last_line(&window);
    window.key(Key::B, NONE);
    window.editor_mut().session.brush.radius = 0.1;
    window.click(pos, NONE);
    assert!(window.weights() == first, "under the mask");
    window.key(Key::Z, CTRL);
    assert_eq!(n_masked(&window), 0);
    window.editor_mut().run(&line).unwrap();
    assert_eq!(n_masked(&window), masked, "its line does the same");
    window.harness.run();
    window.click_label("Clear mask");
    window.click(pos, NONE);
    assert!(window.weights() != first);
}

#[test]
fn the_mask_brush_and_the_selection_mirror() {
    // Pain 6
    let figure = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/biped.glb");
    let mut window = Window::open(&figure);
    let wrist = sinew_model::joint_named(window.editor().document(), None, "LeftHand").unwrap();
    let at = window.editor_mut().scene_from_node()[wrist.idx()].translation.as_vec3();
    let pos = window.pos(at);
    let sides = |window: &Window, is_marked: &dyn Fn(sinew_model::VertexIndex) -> bool| {
        let document = window.editor().document();
        let mesh = document.mesh(document.skinned_meshes()[0]);
        let marked = mesh.weights.vertices().filter(|&v| is_marked(v)).map(|v| mesh.positions[v.idx()].x);
        let (left, right): (Vec<f32>, Vec<f32>) = marked.partition(|&x| x > 0.0);
        (left.len(), right.len())
    };
    window.key(Key::P, SHIFT);
    window.click_label("Mirror X");
    window.stroke(pos, pos + vec2(4.0, 4.0), NONE);
    let document = window.editor().document();
    let mesh = document.skinned_meshes()[0];
    let masked = sides(&window, &|v| document.mask(mesh).at(v) < 1.0);
    assert!(masked.0 > 0 && masked.0 == masked.1, "{masked:?}");
    assert!(last_line(&window).contains("mirror=x"), "{}", last_line(&window));
    window.key(Key::P, NONE);
    window.click(pos, NONE);
    window.key(Key::Period, SHIFT);
    let selected = |window: &Window| {
        let document = window.editor().document();
        sides(window, &|v| document.selection(mesh).contains(v))
    };
    assert_eq!(selected(&window).1, 0);
    let one = selected(&window).0;
    window.click_label("Mirror Selection");
    assert_eq!(selected(&window), (one, one));
    window.key(Key::Z, CTRL);
    assert_eq!(selected(&window), (one, 0));
    window.menu("Select");
    let entries = window.harness.get_all_by_label("Mirror Selection");
    entries.max_by(|a, b| a.rect().min.y.total_cmp(&b.rect().min.y)).unwrap().click();
    window.harness.run();
    assert_eq!(selected(&window), (one, one));
}

#[test]
fn escape_takes_a_mask_stroke_back() {
    let mut window = window();
    let pos = middle(&window);
    window.key(Key::P, SHIFT);
    window.hover(pos);
    window.press(pos, PointerButton::Primary, NONE);
    window.hover(pos + vec2(0.0, 20.0));
    assert!(n_masked(&window) > 0, "it shows while it is painted");
    window.key(Key::Escape, NONE);
    assert_eq!((n_masked(&window), window.editor().history().n_done()), (0, 0));
}

#[test]
fn a_lane_is_chosen_in_the_list_and_written_into_the_stroke() {
    // Pains 1 and 3
    let mut window = window();
    window.click_label("Lane");
    assert_eq!(window.editor().session.paint.lane.len(), 2, "the active joint and its parent");
    window.click_label("Lane: 2");
    assert!(window.editor().session.paint.lane.is_empty());
    let joint = window.editor().document().joints()[1];
    let name = window.editor().document().nodes().label(joint);
    let at = window.harness.get_by_role_and_label(egui::Role::Button, &name).rect().center();
    window.hold(SHIFT);
    window.click(at, SHIFT);
    window.hold(NONE);
    assert_eq!(window.editor().session.paint.lane, [joint]);
}

#[test]
fn the_lanes_joints_can_be_painted_as_one() {
    let figure = arm().with_file_name("biped.glb");
    let mut window = Window::new(Setup { path: Some(figure), size: vec2(1440.0, 900.0), ..Setup::default() });
    window.editor_mut().run("joint name=LeftLowerArm").unwrap();
    window.harness.run();
    assert!(window.harness.query_by_label("As one").is_none(), "nothing is chosen yet");
    window.click_label("Lane");
    window.click_label("As one");
    assert!(window.editor().session.paint.lane.is_empty());
    let wrist = sinew_model::joint_named(window.editor().document(), None, "LeftHand").unwrap();
    let at = window.editor_mut().scene_from_node()[wrist.idx()].translation.as_vec3();
    let pos = window.pos(at);
    window.stroke(pos, pos + vec2(3.0, 3.0), NONE);
    let script = window.editor().script();
    assert!(script.contains("joint=LeftLowerArm") && script.contains("with=LeftUpperArm"), "{script}");
    window.click_label("As one: 2");
    assert_eq!(window.editor().session.paint.lane.len(), 2);
    assert!(window.editor().session.paint.together.is_empty());
}

#[test]
fn the_bar_says_who_takes_what_is_removed_and_that_a_joint_cannot_take_its_own() {
    // Pain 3
    let mut window = window();
    let joints: Vec<NodeIndex> = window.editor().document().joints().to_vec();
    let [shoulder, elbow] = [0, 1].map(|i| window.editor().document().nodes().label(joints[i]));
    let open_menu = |window: &mut Window, name: &str| {
        window.harness.get_by_role_and_label(egui::Role::Button, name).click_secondary();
        window.harness.run();
    };
    open_menu(&mut window, &elbow);
    assert!(window.harness.get_by_label("Takes removed weight").accesskit_node().is_disabled(), "it is painted");
    window.key(Key::Escape, NONE);
    open_menu(&mut window, &shoulder);
    window.click_label("Takes removed weight");
    assert_eq!(window.editor().session.paint.give, GiveTo::Joint(joints[0]));
    let chip = format!("Gives to {shoulder}");
    assert!(window.harness.query_by_label(&chip).is_some(), "the card is closed");

    window.editor_mut().session.active_joint = Some(joints[0]);
    let pos = window.pos(Vec3::new(0.0, 0.9, 0.0));
    window.stroke(pos, pos + vec2(0.0, 10.0), CTRL);
    let said = window.app().notice().unwrap();
    assert_eq!(said.level, Level::Refused);
    assert!(said.text.contains(&format!("{shoulder} cannot take what it gives up itself")), "{}", said.text);
    window.click_label(&chip);
    assert_eq!(window.editor().session.paint.give, GiveTo::Others);
    assert!(window.harness.query_by_label(&chip).is_none());
}

#[test]
fn who_gave_and_who_received_is_said_after_the_stroke() {
    // Pain 1
    let mut window = window();
    let pos = middle(&window);
    window.stroke(pos - vec2(0.0, 30.0), pos + vec2(0.0, 30.0), NONE);
    let exchange = window.editor().exchange();
    assert!(exchange.len() >= 2);
    let first = exchange[0];
    let name = window.editor().document().nodes().label(first.joint);
    let text = format!("{name}: gave {:.2}, received {:.2}", first.given, first.received);
    assert!(window.harness.query_by_label(&text).is_some(), "{text}");
    window.key(Key::Z, CTRL);
    assert!(window.harness.query_by_label(&text).is_none(), "after undo it is not true any more");
}

#[test]
fn what_was_painted_is_locked_once_another_joint_is_taken() {
    // Pain 1
    let mut window = window();
    window.click_label("Protect what I painted");
    let joints: Vec<NodeIndex> = window.editor().document().joints().to_vec();
    let pos = middle(&window);
    window.stroke(pos, pos + vec2(0.0, 20.0), NONE);
    assert!(window.editor().document().locks().is_empty());
    window.editor_mut().session.active_joint = Some(joints[0]);
    window.harness.run();
    assert!(window.editor().document().locks().contains(&joints[1]));
}

#[test]
fn a_gradient_shows_while_it_is_laid_and_is_one_step_once_it_is_kept() {
    let mut window = window();
    let first = window.weights();
    let (low, high) = (window.pos(Vec3::new(0.0, 0.6, 0.0)), window.pos(Vec3::new(0.0, 1.4, 0.0)));
    window.key(Key::A, SHIFT);
    window.drag(&[low, low.lerp(high, 0.5), high], PointerButton::Primary, NONE);
    let laid = window.weights();
    assert!(laid != first, "it shows at once");
    assert_eq!(window.editor().history().n_done(), 0);
    window.click_label("Narrow profile");
    assert!(window.weights() != laid, "it follows its profile");
    window.key(Key::Enter, NONE);
    assert_eq!(window.editor().history().n_done(), 1);
    assert!(last_line(&window).starts_with("gradient "), "{}", last_line(&window));
    let kept = window.weights();
    window.drag(&[high, low], PointerButton::Primary, NONE);
    assert!(window.weights() != kept);
    window.key(Key::Escape, NONE);
    assert!(window.weights() == kept);
    window.key(Key::Z, CTRL);
    assert!(window.weights() == first);
}

#[test]
fn a_gradient_leaves_alone_what_is_not_connected_unless_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pair.glb");
    std::fs::write(&path, sinew_tests::pair().glb()).unwrap();
    let mut window = Window::new(Setup { path: Some(path), size: vec2(1440.0, 900.0), ..Setup::default() });
    window.editor_mut().run("joint name=L1").unwrap();
    window.harness.run();
    let first = window.weights();
    // The second strip is vertices 10 to 19.
    let other_is_as_before = |window: &Window| window.weights()[10..] == first[10..];
    let (low, high) = (window.pos(Vec3::new(2.0, 0.4, 0.0)), window.pos(Vec3::new(2.0, 1.6, 0.0)));
    window.key(Key::A, SHIFT);
    window.drag(&[low, low.lerp(high, 0.5), high], PointerButton::Primary, NONE);
    assert!(window.weights() != first && other_is_as_before(&window));
    window.click_label("Connected only");
    assert!(!other_is_as_before(&window), "it shows at once");
    window.click_label("Only joints already there");
    assert!(other_is_as_before(&window), "the joint is not there");
    window.click_label("Only joints already there");
    window.click_label("Connected only");
    window.key(Key::Enter, NONE);
    assert!(last_line(&window).contains("shell=yes") && !last_line(&window).contains("existing="));
    window.key(Key::Z, CTRL);
    // What is selected counts instead.
    window.editor_mut().run("select_all").unwrap();
    window.drag(&[low, low.lerp(high, 0.5), high], PointerButton::Primary, NONE);
    window.key(Key::Enter, NONE);
    assert!(!other_is_as_before(&window) && last_line(&window).contains("on=selection"));
}

#[test]
fn a_held_y_paints_a_straight_line() {
    // B31
    let mut window = window();
    window.editor_mut().session.brush.radius = 0.06;
    let (low, high) = (window.pos(Vec3::new(0.0, 0.7, 0.0)), window.pos(Vec3::new(0.0, 1.3, 0.0)));
    let aside = low.lerp(high, 0.5) + vec2(25.0, 0.0);
    let hold = |window: &mut Window, pressed: bool| {
        let key = Key::Y;
        window.harness.event(egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: NONE });
        window.harness.run();
    };
    window.hover(low);
    hold(&mut window, true);
    window.drag(&[low, aside, high], PointerButton::Primary, NONE);
    hold(&mut window, false);
    let crooked = last_line(&window);
    window.key(Key::Z, CTRL);
    hold(&mut window, true);
    window.drag(&[low, high], PointerButton::Primary, NONE);
    hold(&mut window, false);
    assert_eq!(last_line(&window), crooked, "the way between the ends does not matter");
}

#[test]
fn flood_brings_the_brush_to_the_selection() {
    // Pain 18
    let mut window = window();
    window.key(Key::P, NONE);
    let pos = middle(&window);
    window.click(pos, NONE);
    window.key(Key::B, NONE);
    let first = window.weights();
    window.harness.event(egui::Event::Cut);
    window.harness.run();
    assert!(last_line(&window).starts_with("flood "), "the key that cuts elsewhere: {}", last_line(&window));
    window.key(Key::Z, CTRL);
    assert!(window.weights() == first);
    window.click_label("Flood");
    let now = window.weights();
    let n_changed = first.iter().zip(&now).filter(|(a, b)| a != b).count();
    assert!(n_changed <= n_selected(&window));
    assert!(last_line(&window).starts_with("flood ") || n_changed == 0);
    assert_ne!(window.app().notice().map(|notice| notice.level), Some(Level::Failed));
}
