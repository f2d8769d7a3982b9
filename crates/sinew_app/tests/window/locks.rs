//! Joints while painting: walking the skeleton, the lock pie.

use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;
use sinew_app::action::Level;
use sinew_app::keymap::Mode;
use sinew_model::NodeIndex;

use super::driver::{ALT, CTRL, NONE, Window, arm};

fn biped() -> Window {
    Window::open(&arm().with_file_name("biped.glb"))
}

fn joint(window: &Window, name: &str) -> NodeIndex {
    sinew_model::joint_named(window.editor().document(), None, name).unwrap()
}

#[test]
fn arrows_walk_the_skeleton_with_the_pointer_over_the_skin() {
    // Pain 7
    let mut window = biped();
    window.hover(window.center());
    let go = |window: &mut Window, key| {
        window.key(key, NONE);
        let active = window.editor().session.active_joint.unwrap();
        window.editor().document().nodes().label(active)
    };
    window.editor_mut().session.active_joint = Some(joint(&window, "LeftLowerArm"));
    assert_eq!(go(&mut window, Key::ArrowUp), "LeftUpperArm");
    assert_eq!(go(&mut window, Key::ArrowDown), "LeftLowerArm");
    assert_eq!(go(&mut window, Key::ArrowDown), "LeftHand");
    assert_eq!(go(&mut window, Key::ArrowDown), "LeftThumb1");
    assert_eq!(go(&mut window, Key::ArrowRight), "LeftIndex1");
    assert_eq!(go(&mut window, Key::ArrowUp), "LeftHand");
    assert_eq!(go(&mut window, Key::ArrowDown), "LeftIndex1", "down goes where one came from");
    assert_eq!(go(&mut window, Key::ArrowLeft), "LeftThumb1");
    window.key(Key::OpenBracket, CTRL);
    assert_eq!(window.editor().session.active_joint, Some(joint(&window, "LeftHand")));
    window.editor_mut().session.active_joint = Some(joint(&window, "Hips"));
    assert_eq!(go(&mut window, Key::ArrowUp), "Hips");
    assert_eq!(window.app().notice().unwrap().level, Level::Refused, "a root has no parent");
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn the_lock_pie_is_chosen_from_by_digit_direction_and_name() {
    let mut window = Window::open(&arm());
    let joints = window.editor().document().joints().to_vec();
    window.editor_mut().session.active_joint = Some(joints[1]);
    let n_locked = |window: &Window| window.editor().document().locks().len();
    let at = window.center();
    window.hover(at);
    window.key(Key::K, NONE);
    assert_eq!(window.app().viewport().mode(), Mode::Choosing);
    window.key(Key::Num1, NONE);
    assert!(window.editor().document().locks().contains(&joints[1]));
    // To the lower right: turned over, in one step.
    window.key(Key::K, NONE);
    window.click(at + vec2(80.0, 50.0), NONE);
    assert_eq!(n_locked(&window), joints.len() - 1);
    assert!(!window.editor().document().locks().contains(&joints[1]));
    assert_eq!(window.editor().history().n_done(), 2, "nothing was painted, and it is one step");
    window.key(Key::Z, CTRL);
    assert_eq!(n_locked(&window), 1);
    window.hover(at);
    window.key(Key::K, NONE);
    for name in ["Lock Others", "Invert Locks", "Unlock All", "Lock All", "Lock Painted", "Without Locked Joints"] {
        assert!(window.harness.query_by_role_and_label(egui::Role::MenuItem, name).is_some(), "{name}");
    }
    window.click_label("Unlock All");
    assert_eq!(n_locked(&window), 0);
    assert_eq!(window.app().viewport().mode(), Mode::Idle);
    // The middle, Escape and other keys choose nothing.
    for is_escape in [true, false] {
        window.hover(at);
        window.key(Key::K, NONE);
        if is_escape {
            window.key(Key::Escape, NONE);
        } else {
            window.click(at, NONE);
        }
        assert_eq!(window.app().viewport().mode(), Mode::Idle);
        assert_eq!(n_locked(&window), 0);
        assert!(window.harness.query_by_label("Lock All").is_none());
    }
}

#[test]
fn the_lock_pie_locks_the_joint_it_was_opened_on_and_what_was_painted() {
    // Pain 1
    let mut window = biped();
    let (hand, arm) = (joint(&window, "LeftHand"), joint(&window, "LeftLowerArm"));
    let place = |window: &mut Window, joint: NodeIndex| {
        let at = window.editor_mut().scene_from_node()[joint.idx()].translation.as_vec3();
        window.pos(at)
    };
    window.editor_mut().session.active_joint = Some(arm);
    let pos = place(&mut window, hand);
    window.hover(pos);
    window.key(Key::K, NONE);
    assert!(window.harness.query_by_label("Lock LeftHand under pointer").is_some());
    window.key(Key::Num3, NONE);
    let locked = |window: &Window| window.editor().document().locks().iter().copied().collect::<Vec<_>>();
    assert_eq!(locked(&window), [hand]);
    window.key(Key::L, ALT);
    assert!(locked(&window).is_empty(), "its own key takes it back");
    // Nothing was painted yet, and nothing is under the pointer beside the figure.
    let beside = window.app().viewport().area().rect().left_top() + vec2(300.0, 60.0);
    window.hover(beside);
    for digit in [Key::Num3, Key::Num7] {
        window.key(Key::K, NONE);
        window.key(digit, NONE);
        assert!(locked(&window).is_empty());
        assert_eq!(window.app().notice().unwrap().level, Level::Refused);
    }
    for name in ["LeftLowerArm", "LeftHand"] {
        window.editor_mut().session.active_joint = Some(joint(&window, name));
        let pos = place(&mut window, arm);
        window.stroke(pos, pos + vec2(4.0, 4.0), NONE);
    }
    window.key(Key::K, NONE);
    window.key(Key::Num7, NONE);
    assert_eq!(locked(&window), [arm], "not the one that is being painted");
    window.key(Key::Z, CTRL);
    assert!(locked(&window).is_empty());
}
