//! Joints while painting: walking the skeleton, the lock pie.

use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;
use sinew_app::action::Level;
use sinew_app::keymap::Mode;
use sinew_model::NodeIndex;

use super::driver::{CTRL, NONE, Window, arm};

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
