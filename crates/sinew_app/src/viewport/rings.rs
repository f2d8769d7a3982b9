//! The brush's rings: on the skin, in the air for what reaches through space or along the view, and where the mirror has
//! it. And the mirror's plane.

mod on_skin;

use glam::Vec3;
use sinew_edit::pick::SkinHit;
use sinew_edit::{Editor, Falloff, Reach};
use sinew_geometry::{Aabb, GeodesicScratch, TraceEnd};
use sinew_render::{Cap, Color, DrawList, Line, ring};

const LIGHT: Color = Color::hex(0xECEEF1);
const DARK: Color = Color::hex(0x1A1B1F);
const MIRRORED: Color = Color::hex(0x8FF5E4);
const N_AROUND: usize = 96;
/// Dashes and gaps around a dashed ring.
const N_DASHES: usize = 72;
/// Toward the eye, so that the skin that a ring lies on does not hide it.
const PULL: f32 = 0.003;

/// Adds the rings of the brush at a point of the skin, seen from `eye`; in the mirror, too, if strokes are mirrored.
pub fn push(
    list: &mut DrawList<'_>,
    (editor, scratch): (&mut Editor, &mut GeodesicScratch),
    hit: &SkinHit,
    eye: Vec3,
    is_painting: bool,
) {
    let share = if is_painting { 0.75 } else { 1.0 };
    push_one(list, (editor, scratch), hit, eye, (LIGHT, share));
    if let Some(twin) = twin(editor, hit) {
        push_one(list, (editor, scratch), &twin, eye, (MIRRORED, share * 0.8));
    }
}

fn push_one(
    list: &mut DrawList<'_>,
    (editor, scratch): (&mut Editor, &mut GeodesicScratch),
    hit: &SkinHit,
    eye: Vec3,
    (color, share): (Color, f32),
) {
    let brush = editor.session.brush;
    let half = if brush.falloff == Falloff::Constant { 1.0 } else { half_way(|t| brush.fade(t)) };
    let mut on_skin = |list: &mut DrawList<'_>, end: TraceEnd, look: Look| {
        for piece in on_skin::rim(editor, scratch, hit, end) {
            push_piece(list, &piece, look);
        }
    };
    match brush.reach {
        Reach::Surface => {
            on_skin(list, TraceEnd::Along(brush.radius), Look { color, share, width: 1.5, is_dashed: false });
            if half < 1.0 {
                let end = TraceEnd::Along(brush.radius * half);
                on_skin(list, end, Look { color, share: 0.65 * share, width: 1.1, is_dashed: true });
            }
        }
        // A ball looks like a circle from everywhere; where it cuts the skin is fainter.
        Reach::Volume => {
            let outer = facing(hit.point, eye, brush.radius);
            ring::push_ring(&mut list.lines_on_top, &outer, 3.2, DARK.with_alpha(0.28 * share));
            ring::push_ring(&mut list.lines_on_top, &outer, 1.5, color.with_alpha(share));
            let look = Look { color, share: 0.55 * share, width: 1.1, is_dashed: false };
            on_skin(list, TraceEnd::Straight(brush.radius), look);
            if half < 1.0 {
                let end = TraceEnd::Straight(brush.radius * half);
                on_skin(list, end, Look { share: 0.65 * share, is_dashed: true, ..look });
            }
        }
        Reach::Screen => {
            let outer = facing(hit.point, eye, brush.radius);
            ring::push_ring(&mut list.lines_on_top, &outer, 3.2, DARK.with_alpha(0.28 * share));
            ring::push_ring(&mut list.lines_on_top, &outer, 1.5, color.with_alpha(share));
            if half < 1.0 {
                let inner = facing(hit.point, eye, brush.radius * half);
                ring::push_dashed_ring(&mut list.lines_on_top, &inner, 1.1, color.with_alpha(0.6 * share));
            }
        }
    }
}

/// How a ring on the skin is drawn.
#[derive(Clone, Copy)]
struct Look {
    color: Color,
    share: f32,
    width: f32,
    is_dashed: bool,
}

/// A piece of a ring: firm where it is seen, a trace of it where a limb is in front.
fn push_piece(list: &mut DrawList<'_>, piece: &[Vec3], look: Look) {
    let Look { color, share, width, is_dashed } = look;
    let line = |from, to, width, color| Line::new(from, to, width, color).with_cap(Cap::Butt).with_pull(PULL);
    if is_dashed {
        for (from, to) in dashes(piece) {
            list.lines.push(line(from, to, width, color.with_alpha(share)));
        }
        return;
    }
    let steps = || piece.windows(2).map(|step| (step[0], step[1]));
    list.lines.extend(steps().map(|(from, to)| line(from, to, width + 1.7, DARK.with_alpha(0.36 * share))));
    list.lines.extend(steps().map(|(from, to)| line(from, to, width, color.with_alpha(share))));
    list.lines_on_top.extend(steps().map(|(from, to)| line(from, to, width, color.with_alpha(0.16 * share))));
}

/// Every second part of a line, all equally long.
fn dashes(line: &[Vec3]) -> Vec<(Vec3, Vec3)> {
    let length: f32 = line.windows(2).map(|step| step[0].distance(step[1])).sum();
    let dash = length / N_DASHES as f32;
    let (mut all, mut gone) = (Vec::new(), 0.0);
    for step in line.windows(2) {
        let long = step[0].distance(step[1]);
        let mut from = 0.0;
        while from < long && dash > 0.0 {
            let k = ((gone + from) / dash + 1e-3).floor();
            let to = ((k + 1.0) * dash - gone).min(long);
            if to <= from {
                break;
            }
            if k as i64 % 2 == 0 {
                all.push((step[0].lerp(step[1], from / long), step[0].lerp(step[1], to / long)));
            }
            from = to;
        }
        gone += long;
    }
    all
}

/// Where a falloff has half its strength, radii.
fn half_way(fade: impl Fn(f32) -> f32) -> f32 {
    let (mut inside, mut outside) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = 0.5 * (inside + outside);
        if fade(middle) > 0.5 { inside = middle } else { outside = middle }
    }
    inside
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
    let symmetry = editor.known_symmetry(settings)?;
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
    let surface = editor.surface(mesh);
    let vertex = surface.representative(twin);
    let &corner = surface.topology.corners(twin).first()?;
    let mut barycentric = Vec3::ZERO;
    barycentric[corner as usize % 3] = 1.0;
    let posed = &editor.posed(instance_idx).posed;
    let (point, normal) = (posed.positions[vertex.idx()], posed.normals[vertex.idx()].normalize_or(Vec3::Y));
    Some(SkinHit { instance_idx, mesh, triangle: corner / 3, barycentric, point, normal, vertex, ..*hit })
}

/// Adds the outline of the mirror's plane around the model, faintly.
pub fn push_plane(list: &mut DrawList<'_>, editor: &mut Editor, bounds: Aabb) {
    let Some(settings) = editor.session.paint.mirror.filter(|_| !bounds.is_empty()) else { return };
    let Some(plane) = editor.known_symmetry(settings).map(|symmetry| symmetry.plane()) else { return };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_half_of_a_line_and_evenly_long_whatever_its_steps() {
        let line: Vec<Vec3> = [0.0, 0.1, 0.15, 0.9, 0.91, 1.7, 2.0].map(|x| Vec3::X * x).to_vec();
        let all = dashes(&line);
        let length: f32 = all.iter().map(|(from, to)| from.distance(*to)).sum();
        assert!((length - 1.0).abs() < 0.02, "{length}");
        assert!(all.iter().all(|(from, to)| from.distance(*to) <= 2.0 / N_DASHES as f32 + 1e-4));
        assert!(dashes(&[Vec3::ZERO]).is_empty() && dashes(&[Vec3::ZERO, Vec3::ZERO]).is_empty());
    }

    #[test]
    fn the_inner_ring_stands_where_the_falloff_is_half() {
        assert!((half_way(|t| Falloff::Linear.at(t)) - 0.5).abs() < 1e-4);
        assert!((half_way(|t| Falloff::Smooth.at(t)) - 0.5).abs() < 1e-4);
        assert!((half_way(|t| Falloff::Sharp.at(t)) - (1.0 - 0.5f32.sqrt())).abs() < 1e-4);
    }
}
