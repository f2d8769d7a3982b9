//! What lasts as long as a key is held, and steps along the skeleton.

use egui::Key;
use sinew_edit::tools::{FlexRest, FlexView};
use sinew_edit::{CommandError, Editor};

use super::input::{choose, take_from_skin};
use super::tools::HELD_S;
use super::{Viewport, walk};
use crate::action::{Action, Notice};
use crate::keymap::Do;

/// Whether holding the key of it means more than pressing it.
pub fn is_held(what: Do) -> bool {
    matches!(
        what,
        Do::StraightLine
            | Do::Flex
            | Do::FlexAndStay
            | Do::TakeJoint
            | Do::LockPie
            | Do::ToggleTextured
            | Do::SizeBrush
            | Do::DragStrength
            | Do::DragValue
    )
}

/// A key is let go: what it held ends.
pub fn key_up(viewport: &mut Viewport, ctx: &egui::Context, editor: &mut Editor, key: Key, actions: &mut Vec<Action>) {
    if let Some((_, what)) = viewport.tools.flex_key.take_if(|(of, _)| *of == key) {
        flex_key_up(viewport, editor, what, actions);
    }
    let Some(held) = viewport.tools.held.filter(|held| held.key == key) else { return };
    viewport.tools.held = None;
    let was_long = ctx.input(|i| i.time) - held.since_s >= HELD_S;
    match held.what {
        Do::TakeJoint if viewport.tools.is_taking => {
            viewport.tools.is_taking = false;
            take_from_skin(viewport, editor, actions);
        }
        Do::LockPie if was_long || held.has_moved => {
            let (px, pixels_per_point) = (viewport.tools.pointer_px, viewport.area.pixels_per_point);
            let pie = viewport.tools.pie;
            if let Some((pie, what)) = pie.and_then(|pie| Some((pie, pie.entry_at(px, pixels_per_point)?))) {
                viewport.tools.pie = None;
                actions.push(pie.action(editor, what));
            }
        }
        Do::ToggleTextured if was_long => viewport.options.show = held.show,
        Do::SizeBrush | Do::DragStrength | Do::DragValue => {
            let by_button = viewport.tools.size.is_some_and(|size| size.by_button);
            if by_button || (was_long && held.has_moved) {
                viewport.tools.size = None;
            }
        }
        _ => {}
    }
}

/// The key that flexes comes up. What still stands flexed goes back when nothing is painted on it any more.
fn flex_key_up(viewport: &mut Viewport, editor: &mut Editor, what: Do, actions: &mut Vec<Action>) {
    let flex = &mut viewport.tools.flex;
    if what == Do::FlexAndStay {
        flex.stay(editor, FlexRest::Latched);
        if let Some(joint) = flex.joint() {
            let name = editor.document().nodes().label(joint);
            actions.push(Action::Say(Notice::done(format!("{name} stays flexed; its pose is not changed"))));
        }
    } else if flex.is_bending() {
        flex.release(editor, viewport.is_calm);
    }
}

/// A key of flexing goes down: a joint that stays flexed springs back, else the active one is taken hold of.
pub fn flex_key_down(viewport: &mut Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    if viewport.tools.flex.rest().is_some() {
        viewport.tools.flex.release(editor, viewport.is_calm);
    } else {
        begin_flex(viewport, editor, actions);
    }
}

/// Takes hold of the active joint to flex it.
pub fn begin_flex(viewport: &mut Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    let Some(joint) = editor.session.active_joint else {
        actions.push(Action::Say(Notice::refused(CommandError::NoActiveJoint)));
        return;
    };
    let place = editor.scene_from_node()[joint.idx()].translation.as_vec3();
    let end = editor.bones().into_iter().find(|bone| bone.joint == joint).map_or(place, |bone| bone.tail);
    let view = viewport.view();
    let px_of = |point| view.px_of(point).unwrap_or(view.size_px * 0.5);
    let scene_from_view = view.camera.scene_from_view();
    let flex_view = FlexView {
        pointer_px: viewport.tools.pointer_px,
        bone_px: px_of(end) - px_of(place),
        to_eye: view.camera.eye() - place,
        right: scene_from_view.x_axis.truncate(),
        up: scene_from_view.y_axis.truncate(),
        pixels_per_point: viewport.area.pixels_per_point,
    };
    viewport.tools.flex.begin(editor, joint, flex_view);
}

/// Goes from the active joint to another one of its family.
pub fn walk_to(viewport: &mut Viewport, editor: &mut Editor, way: walk::Way, actions: &mut Vec<Action>) {
    let Some(from) = editor.session.active_joint else {
        actions.push(Action::Say(Notice::refused(CommandError::NoActiveJoint)));
        return;
    };
    let to = walk::from(editor.document(), from, way, viewport.tools.came_from);
    if way == walk::Way::Parent && to.is_some() {
        viewport.tools.came_from = Some(from);
    }
    choose(editor, to, way.nothing_there(), actions);
}
