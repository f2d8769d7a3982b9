//! What lies over the model: bones, the brush ring on the surface, the ground.

use glam::Vec3;
use sinew_edit::pick::SkinHit;
use sinew_edit::{Editor, Falloff};
use sinew_geometry::Aabb;
use sinew_model::NodeIndex;
use sinew_render::{Bone, Color, Disc, DrawList, Grid, ring};

/// The active joint, everywhere.
pub const ACTIVE: Color = Color::hex(0x5EC8B5);
const ACTIVE_LIGHT: Color = Color::hex(0x7BEBDD);
const LIGHT: Color = Color::hex(0xECEEF1);
const LOCKED: Color = Color::hex(0xF0C05A);
const DARK: Color = Color::hex(0x1A1B1F);
const N_RING: usize = 64;

/// Adds joints and bones in the session's pose. `is_weighted` says which nodes are joints with weight, `[n_nodes]`, or
/// nothing: the others are drawn fainter.
pub fn push_joints(
    list: &mut DrawList<'_>,
    editor: &mut Editor,
    hovered: Option<NodeIndex>,
    is_weighted: &[bool],
    is_drawn: impl Fn(NodeIndex) -> bool,
) {
    let active = editor.session.active_joint;
    let mut bones = editor.bones();
    bones.retain(|bone| is_drawn(bone.joint));
    let many = bones.len() > 80;
    let locks = editor.document().locks();
    // Where nearly all are locked ("lock others"), halos around all of them would hide the model.
    let many_locked = locks.len() > 12;
    for pass in [false, true] {
        for bone in bones.iter().filter(|bone| (Some(bone.joint) == active) == pass) {
            let is_active = Some(bone.joint) == active;
            let is_hovered = Some(bone.joint) == hovered;
            let is_helper = is_weighted.get(bone.joint.idx()) == Some(&false) && !is_active && !is_hovered;
            let share = if is_helper { 0.38 } else { 1.0 };
            let color = if is_active { ACTIVE_LIGHT } else { LIGHT };
            if bone.head != bone.tail {
                let mut drawn = Bone::new(bone.head, bone.tail, color);
                drawn.half_width_points = if many { 8.0 } else { 12.0 };
                let (fill, outline) = match (is_active, is_hovered) {
                    (true, _) => (0.30, 0.95),
                    (false, true) => (0.30, 0.90),
                    (false, false) => (0.07, if many { 0.34 } else { 0.5 }),
                };
                drawn.fill = color.with_alpha(fill * share);
                drawn.outline = color.with_alpha(outline * share);
                drawn.outline_points = if is_active { 1.3 } else { 1.0 };
                list.bones.push(drawn);
            }
            let is_locked = locks.contains(&bone.joint);
            let color = match (is_active, is_locked) {
                (true, _) => ACTIVE,
                (false, true) => LOCKED,
                (false, false) => LIGHT.with_alpha(share * if many { 0.75 } else { 0.9 }),
            };
            let radius = match (is_active, many) {
                (true, _) => 4.5,
                (false, true) => 2.0,
                (false, false) => 3.0,
            };
            let radius = if is_helper { radius * 0.8 } else { radius };
            if is_locked {
                // A halo tells it apart from an active joint and by form, not by colour alone.
                let (around, fill, line) = if many_locked { (1.8, 0.2, 1.0) } else { (3.5, 0.35, 1.4) };
                let halo = Disc::new(bone.head, radius + around, DARK.with_alpha(fill));
                list.discs_on_top.push(halo.with_outline(line, LOCKED));
            }
            let outline = DARK.with_alpha(0.45 * share);
            list.discs_on_top.push(Disc::new(bone.head, radius, color).with_outline(1.0, outline));
        }
    }
}

/// Adds the brush ring around a point of the posed surface, and an inner one where the falloff is half.
pub fn push_ring(list: &mut DrawList<'_>, editor: &mut Editor, hit: &SkinHit, (color, strength): (Color, f32)) {
    let brush = editor.session.brush;
    let outer = points_around(editor, hit, brush.radius);
    ring::push_ring(&mut list.lines_on_top, &outer, 3.2, DARK.with_alpha(0.28 * strength));
    ring::push_ring(&mut list.lines_on_top, &outer, 1.5, color.with_alpha(strength));
    if brush.falloff != Falloff::Constant {
        let inner = points_around(editor, hit, brush.radius * half_way(|t| brush.fade(t)));
        ring::push_dashed_ring(&mut list.lines_on_top, &inner, 1.1, color.with_alpha(0.6 * strength));
    }
}

/// The ground under the model.
pub fn ground(bounds: Aabb) -> Option<Grid> {
    if bounds.is_empty() {
        return None;
    }
    let size = bounds.diagonal().max(1e-6);
    let cell = round_length(size * 0.25);
    let center = Vec3::new(bounds.center().x, bounds.min.y.min(0.0), bounds.center().z);
    // Lines pass through multiples of the cell.
    let center = Vec3::new((center.x / cell).round() * cell, center.y, (center.z / cell).round() * cell);
    let mut grid = Grid::ground(center, cell, size * 2.2);
    grid.color = LIGHT.with_alpha(0.09);
    Some(grid)
}

/// The largest of 1, 2, 5, 10 … times a power of ten that is not above `length` (but for rounding).
fn round_length(length: f32) -> f32 {
    let power = 10f32.powf(length.log10().floor());
    let step = [5.0, 2.0, 1.0].into_iter().find(|step| step * power <= length * 1.12).unwrap_or(1.0);
    step * power
}

/// Where a falloff has half its strength, radii.
pub fn half_way(fade: impl Fn(f32) -> f32) -> f32 {
    let (mut inside, mut outside) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = 0.5 * (inside + outside);
        if fade(middle) > 0.5 { inside = middle } else { outside = middle }
    }
    inside
}

/// Points of a circle in the tangent plane, each lifted or dropped onto the surface along the normal. Where the circle
/// leaves the surface it goes on as its neighbours do, so that the ring has no jumps.
fn points_around(editor: &mut Editor, hit: &SkinHit, radius: f32) -> Vec<Vec3> {
    let (u, v) = hit.normal.any_orthonormal_pair();
    let (posed, bvh) = editor.searchable(hit.instance_idx);
    let flat = |k: usize| {
        let angle = k as f32 / N_RING as f32 * std::f32::consts::TAU;
        hit.point + (u * angle.cos() + v * angle.sin()) * radius
    };
    let heights: Vec<Option<f32>> = (0..N_RING)
        .map(|k| {
            // What lies deeper is another part of the body.
            let origin = flat(k) + hit.normal * (0.6 * radius);
            let met = bvh.raycast(&posed.group_positions, origin, -hit.normal, 1.2 * radius)?;
            // Nearly upright sides would pull the ring out of round.
            Some((0.6 * radius - met.t).clamp(-0.4 * radius, 0.4 * radius))
        })
        .collect();
    let heights = smoothed(&filled(&heights));
    (0..N_RING).map(|k| flat(k) + hit.normal * (heights[k] + radius * 0.01)).collect()
}

/// Gaps filled in a straight line between what is known on both sides, around the circle.
fn filled(heights: &[Option<f32>]) -> Vec<f32> {
    let n = heights.len();
    let nearest =
        |k: usize, step: usize| (0..n).find_map(|i| heights[(k + i * step) % n].map(|height| (i as f32, height)));
    (0..n)
        .map(|k| match (nearest(k, 1), nearest(k, n - 1)) {
            (Some((after, a)), Some((before, b))) if after + before > 0.0 => {
                (a * before + b * after) / (after + before)
            }
            (Some((_, height)), _) => height,
            _ => 0.0,
        })
        .collect()
}

fn smoothed(heights: &[f32]) -> Vec<f32> {
    let n = heights.len();
    let mean = |of: &[f32]| -> Vec<f32> {
        (0..n).map(|k| 0.25 * of[(k + n - 1) % n] + 0.5 * of[k] + 0.25 * of[(k + 1) % n]).collect()
    };
    mean(&mean(heights))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_in_a_ring_go_on_as_their_neighbours_do() {
        let gap = [Some(1.0), None, None, Some(4.0), Some(4.0)];
        assert_eq!(filled(&gap), [1.0, 2.0, 3.0, 4.0, 4.0]);
        assert_eq!(filled(&[None, None]), [0.0, 0.0]);
        assert_eq!(filled(&[None, Some(2.0), None]), [2.0, 2.0, 2.0]);
    }

    #[test]
    fn the_inner_ring_stands_where_the_falloff_is_half() {
        assert!((half_way(|t| Falloff::Linear.at(t)) - 0.5).abs() < 1e-4);
        assert!((half_way(|t| Falloff::Smooth.at(t)) - 0.5).abs() < 1e-4);
        assert!((half_way(|t| Falloff::Sharp.at(t)) - (1.0 - 0.5f32.sqrt())).abs() < 1e-4);
    }

    #[test]
    fn the_ground_has_round_cells_that_suit_the_model() {
        for (height, cell) in [(0.02, 0.005), (1.8, 0.5), (4.2, 1.0), (180.0, 50.0)] {
            let bounds = Aabb { min: Vec3::ZERO, max: Vec3::new(0.0, height, 0.0) };
            let found = ground(bounds).map_or(0.0, |grid| grid.cell);
            assert!((found / cell - 1.0).abs() < 1e-4, "{height}: {found}");
        }
    }
}
