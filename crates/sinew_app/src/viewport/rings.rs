//! The brush's rings: on the skin, in the air for what reaches through space or along the view, and where the mirror has
//! it. And the mirror's plane.

use glam::Vec3;
use sinew_edit::pick::SkinHit;
use sinew_edit::{Editor, Reach};
use sinew_geometry::Aabb;
use sinew_render::{Color, DrawList, Line, ring};

use super::overlay;

const LIGHT: Color = Color::hex(0xECEEF1);
const DARK: Color = Color::hex(0x1A1B1F);
const MIRRORED: Color = Color::hex(0x8FF5E4);
const N_AROUND: usize = 96;

/// Adds the rings of the brush at a point of the skin, seen from `eye`; in the mirror, too, if that paints there.
pub fn push(
    list: &mut DrawList<'_>,
    editor: &mut Editor,
    hit: &SkinHit,
    eye: Vec3,
    (is_painting, is_mirrored): (bool, bool),
) {
    let share = if is_painting { 0.75 } else { 1.0 };
    push_one(list, editor, hit, eye, (LIGHT, share));
    if is_mirrored && let Some(twin) = twin(editor, hit) {
        push_one(list, editor, &twin, eye, (MIRRORED, share * 0.8));
    }
}

fn push_one(list: &mut DrawList<'_>, editor: &mut Editor, hit: &SkinHit, eye: Vec3, (color, share): (Color, f32)) {
    let brush = editor.session.brush;
    match brush.reach {
        Reach::Surface => overlay::push_ring(list, editor, hit, (color, share)),
        // A ball looks like a circle from everywhere; where it cuts the skin is fainter.
        Reach::Volume => {
            let outer = facing(hit.point, eye, brush.radius);
            ring::push_ring(&mut list.lines_on_top, &outer, 3.2, DARK.with_alpha(0.28 * share));
            ring::push_ring(&mut list.lines_on_top, &outer, 1.5, color.with_alpha(share));
            overlay::push_ring(list, editor, hit, (color, 0.35 * share));
        }
        Reach::Screen => {
            let outer = facing(hit.point, eye, brush.radius);
            ring::push_ring(&mut list.lines_on_top, &outer, 3.2, DARK.with_alpha(0.28 * share));
            ring::push_ring(&mut list.lines_on_top, &outer, 1.5, color.with_alpha(share));
            let half = overlay::half_way(|t| brush.fade(t));
            if half < 1.0 {
                let inner = facing(hit.point, eye, brush.radius * half);
                ring::push_dashed_ring(&mut list.lines_on_top, &inner, 1.1, color.with_alpha(0.6 * share));
            }
        }
    }
}

/// Points of a circle that faces the eye.
fn facing(center: Vec3, eye: Vec3, radius: f32) -> Vec<Vec3> {
    let (u, v) = (eye - center).normalize_or(Vec3::Z).any_orthonormal_pair();
    let at = |k: usize| {
        let angle = k as f32 / N_AROUND as f32 * std::f32::consts::TAU;
        center + (u * angle.cos() + v * angle.sin()) * radius
    };
    (0..N_AROUND).map(at).collect()
}

/// Where the mirror has a point of the skin, as the character stands: at the twin of the vertex next to it.
pub fn twin(editor: &mut Editor, hit: &SkinHit) -> Option<SkinHit> {
    let settings = editor.session.paint.mirror?;
    let symmetry = editor.symmetry(settings);
    let group = editor.surface(hit.mesh).group_of(hit.vertex);
    let (mesh, twin) = symmetry.twin(hit.mesh, group)?;
    if (mesh, twin) == (hit.mesh, group) {
        return None;
    }
    let instance_idx = if mesh == hit.mesh {
        hit.instance_idx
    } else {
        editor.document().instances().iter().position(|instance| instance.mesh == mesh)?
    };
    let vertex = editor.surface(mesh).representative(twin);
    let posed = &editor.posed(instance_idx).posed;
    let (point, normal) = (posed.positions[vertex.idx()], posed.normals[vertex.idx()].normalize_or(Vec3::Y));
    Some(SkinHit { instance_idx, mesh, point, normal, vertex, ..*hit })
}

/// Adds the outline of the mirror's plane around the model, faintly.
pub fn push_plane(list: &mut DrawList<'_>, editor: &mut Editor, bounds: Aabb) {
    let Some(settings) = editor.session.paint.mirror.filter(|_| !bounds.is_empty()) else { return };
    let plane = editor.symmetry(settings).plane();
    let margin = bounds.diagonal() * 0.04;
    let (low, high) = (bounds.min - Vec3::splat(margin), bounds.max + Vec3::splat(margin));
    let axis = plane.axis.min(2);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |at_u: f32, at_v: f32| {
        let mut point = Vec3::ZERO;
        (point[axis], point[u], point[v]) = (plane.at, at_u, at_v);
        point
    };
    let corners = [corner(low[u], low[v]), corner(high[u], low[v]), corner(high[u], high[v]), corner(low[u], high[v])];
    for i in 0..4 {
        list.lines.push(Line::new(corners[i], corners[(i + 1) % 4], 1.2, MIRRORED.with_alpha(0.20)));
    }
}
