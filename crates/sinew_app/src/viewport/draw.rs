//! One picture of an editor's session: surfaces, ground, joints, ring.

use sinew_edit::Editor;
use sinew_edit::pick::SkinHit;
use sinew_geometry::Aabb;
use sinew_model::NodeIndex;
use sinew_render::{Background, DrawList, OffscreenTarget, RenderError, Renderer};

use super::camera::View;
use super::ghosts;
use super::gizmo::{self, GizmoLook};
use super::lay::Laid;
use super::mark_dots;
use super::options::{Show, ViewOptions};
use super::overlay;
use super::rings;
use super::scene::Scene;

/// What a picture shows beside the model.
#[derive(Clone, Copy, Default)]
pub struct Extras<'a> {
    /// Where the brush is, if its ring is drawn.
    pub ring: Option<SkinHit>,
    /// Whether a stroke is under way.
    pub is_painting: bool,
    /// The joint under the pointer, if one would be picked.
    pub hovered_joint: Option<NodeIndex>,
    /// Whether each node is a joint with weight; empty if all are to look so. `[n_nodes]`
    pub is_weighted: &'a [bool],
    /// Joints that are not drawn.
    pub hidden: Option<&'a std::collections::BTreeSet<NodeIndex>>,
    /// A gradient that is being laid.
    pub laid: Option<&'a Laid>,
    /// The rings around the active joint, if they are drawn.
    pub gizmo: Option<GizmoLook>,
    /// The box around the model at rest, scene space.
    pub bounds: Aabb,
}

/// Brings the scene up to date and draws it.
pub fn draw(
    renderer: &Renderer,
    target: &OffscreenTarget,
    scene: &mut Scene,
    editor: &mut Editor,
    (view, pixels_per_point): (&View, f32),
    options: &ViewOptions,
    extras: Extras<'_>,
) -> Result<(), RenderError> {
    scene.update(renderer, editor, options)?;
    let mut over = DrawList::default();
    if options.joints {
        let is_drawn = |joint| extras.hidden.is_none_or(|hidden| !hidden.contains(&joint));
        overlay::push_joints(
            &mut over,
            editor,
            (view, pixels_per_point),
            extras.hovered_joint,
            extras.is_weighted,
            is_drawn,
        );
    }
    if let Some(look) = &extras.gizmo {
        gizmo::push(&mut over, view, look);
    }
    rings::push_plane(&mut over, editor, extras.bounds);
    mark_dots::push_selected(&mut over, editor, (view, pixels_per_point));
    // While a stroke goes on, counting every row would cost more than the dab.
    if let Some(marks) = options.marks.filter(|_| !extras.is_painting) {
        mark_dots::push_marked(&mut over, editor, marks);
    }
    if let Some(laid) = extras.laid {
        laid.push(&mut over);
    }
    if options.display.seams {
        scene.push_seams(&mut over, editor);
    }
    if let Some(hit) = extras.ring {
        let on = (&mut *editor, scene.ring_scratch());
        rings::push(&mut over, on, &hit, view.camera.eye(), extras.is_painting);
        if options.display.ghosts && !extras.is_painting {
            ghosts::push(&mut over, editor, &hit, scene.joint_colors());
        }
    }
    let show = scene.at_hand(options.show.at_hand(editor.session.as_exported));
    let (meshes, wires) = scene.draws(editor.document(), options, show);
    let grid = if show == Show::Textured && !options.joints { None } else { overlay::ground(extras.bounds) };
    let vertex_dots = scene.dots(editor.document(), &options.display);
    let list = DrawList { background: Some(Background::default()), meshes, grid, wires, vertex_dots, ..over };
    renderer.draw_now(target, &view.frame(pixels_per_point), &list)
}

/// Draws the empty stage.
pub fn draw_empty(renderer: &Renderer, target: &OffscreenTarget, view: &View) -> Result<(), RenderError> {
    let list = DrawList { background: Some(Background::default()), ..DrawList::default() };
    renderer.draw_now(target, &view.frame(1.0), &list)
}
