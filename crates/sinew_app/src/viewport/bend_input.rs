//! Pointer and keys that bend and turn the active joint: what begins it, and the degrees that are typed.

use egui::Key;
use glam::{Vec2, Vec3};
use sinew_edit::tools::BendView;
use sinew_edit::{CommandError, Editor};

use super::Viewport;
use super::gizmo::RingDrag;
use crate::action::{Action, Notice};

/// Takes hold of the active joint to bend it.
pub(super) fn begin_bend(viewport: &mut Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    let Some(joint) = editor.session.active_joint else {
        actions.push(Action::Say(Notice::refused(CommandError::NoActiveJoint)));
        return;
    };
    // What is flexed for a while must not become the pose.
    viewport.tools.flex.cancel(editor);
    let place = editor.scene_from_node()[joint.idx()].translation.as_vec3();
    let view = viewport.view();
    let to_eye: Vec3 = view.camera.eye() - place;
    let joint_px = view.px_of(place).unwrap_or(view.size_px * 0.5);
    viewport.tools.bend.begin(editor, joint, BendView { joint_px, pointer_px: viewport.tools.pointer_px, to_eye });
}

/// Takes the ring under the pointer, if there is one.
pub(super) fn take_ring(viewport: &mut Viewport, editor: &mut Editor, px: Vec2) -> bool {
    let (view, pixels_per_point) = (viewport.view(), viewport.area.pixels_per_point);
    let Some(gizmo) = viewport.gizmo(editor) else { return false };
    let Some(grip) = gizmo.grip_at(&view, pixels_per_point, px) else { return false };
    viewport.tools.turn = Some(RingDrag::begin(editor, &view, &gizmo, grip));
    true
}

/// Keys while a ring is in the hand: degrees.
pub(super) fn type_turn(viewport: &mut Viewport, editor: &mut Editor, key: Key) -> bool {
    let Some(turn) = &mut viewport.tools.turn else { return false };
    match (key, typed(key)) {
        (Key::Enter, _) => viewport.tools.turn = None,
        (Key::Backspace, _) => turn.backspace(editor),
        (_, Some(c)) => turn.type_char(editor, c),
        _ => return false,
    }
    true
}

/// The part of a number that a key is.
pub(super) fn typed(key: Key) -> Option<char> {
    Some(match key {
        Key::Num0 => '0',
        Key::Num1 => '1',
        Key::Num2 => '2',
        Key::Num3 => '3',
        Key::Num4 => '4',
        Key::Num5 => '5',
        Key::Num6 => '6',
        Key::Num7 => '7',
        Key::Num8 => '8',
        Key::Num9 => '9',
        Key::Minus => '-',
        Key::Period | Key::Comma => '.',
        _ => return None,
    })
}
