//! What lies over the model: joints and bones; and the ground under it.

use glam::{Vec2, Vec3};
use sinew_edit::Editor;
use sinew_geometry::Aabb;
use sinew_model::NodeIndex;
use sinew_render::{Bone, Color, Disc, DrawList, Grid};

use super::camera::View;

/// The active joint, everywhere.
pub const ACTIVE: Color = Color::hex(0x5EC8B5);
const ACTIVE_LIGHT: Color = Color::hex(0x7BEBDD);
const LIGHT: Color = Color::hex(0xECEEF1);
const LOCKED: Color = Color::hex(0xF0C05A);
const DARK: Color = Color::hex(0x1A1B1F);
/// Joints closer than this on screen get smaller dots, points: a face's do not run together.
const ROOMY: f32 = 9.0;
/// Bones shorter than this on screen stand back, points.
const SHORT: f32 = 16.0;

/// Adds joints and bones in the session's pose, as a view has room for them. `is_weighted` says which nodes are joints
/// with weight, `[n_nodes]`, or nothing: the others are drawn fainter.
pub fn push_joints(
    list: &mut DrawList<'_>,
    editor: &mut Editor,
    (view, pixels_per_point): (&View, f32),
    hovered: Option<NodeIndex>,
    is_weighted: &[bool],
    is_drawn: impl Fn(NodeIndex) -> bool,
) {
    let active = editor.session.active_joint;
    let mut bones = editor.bones();
    bones.retain(|bone| is_drawn(bone.joint));
    let many = bones.len() > 80;
    let places: Vec<Option<Vec2>> =
        bones.iter().map(|bone| view.px_of(bone.head).map(|px| px / pixels_per_point)).collect();
    let room = room_around(&places, ROOMY);
    let locks = editor.document().locks();
    // Where nearly all are locked ("lock others"), halos around all of them would hide the model.
    let many_locked = locks.len() > 12;
    for pass in [false, true] {
        for (i, bone) in bones.iter().enumerate().filter(|(_, bone)| (Some(bone.joint) == active) == pass) {
            let is_active = Some(bone.joint) == active;
            let is_hovered = Some(bone.joint) == hovered;
            let is_helper = is_weighted.get(bone.joint.idx()) == Some(&false) && !is_active && !is_hovered;
            let share = if is_helper { 0.38 } else { 1.0 };
            let stands_out = is_active || is_hovered;
            let crowded = if stands_out { 1.0 } else { room[i] / ROOMY };
            let color = if is_active { ACTIVE_LIGHT } else { LIGHT };
            if bone.head != bone.tail {
                let mut drawn = Bone::new(bone.head, bone.tail, color);
                drawn.half_width_points = if many { 8.0 } else { 12.0 };
                let (fill, outline) = match (is_active, is_hovered) {
                    (true, _) => (0.30, 0.95),
                    (false, true) => (0.30, 0.90),
                    (false, false) => (0.07, if many { 0.34 } else { 0.5 }),
                };
                let length = places[i].zip(view.px_of(bone.tail));
                let length = length.map_or(SHORT, |(head, tail)| head.distance(tail / pixels_per_point));
                let share = if stands_out { share } else { share * (length / SHORT).clamp(0.3, 1.0) };
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
            let radius = radius * crowded.max(0.34);
            if is_locked {
                // A halo tells it apart from an active joint and by form, not by colour alone.
                let (around, fill, line) = if many_locked { (1.8, 0.2, 1.0) } else { (3.5, 0.35, 1.4) };
                let halo = Disc::new(bone.head, radius + around * crowded.max(0.5), DARK.with_alpha(fill));
                list.discs_on_top.push(halo.with_outline(line * crowded.max(0.7), LOCKED));
            }
            let outline = DARK.with_alpha(0.45 * share);
            list.discs_on_top.push(Disc::new(bone.head, radius, color).with_outline(crowded.max(0.5), outline));
        }
    }
}

/// How far each place's nearest other one is, at most `enough`; what stands at the same place counts as one.
fn room_around(places: &[Option<Vec2>], enough: f32) -> Vec<f32> {
    let mut room = vec![enough; places.len()];
    let mut by_x: Vec<(usize, Vec2)> = places.iter().enumerate().filter_map(|(i, at)| Some((i, (*at)?))).collect();
    by_x.sort_by(|a, b| a.1.x.total_cmp(&b.1.x));
    for (k, &(i, at)) in by_x.iter().enumerate() {
        for &(j, other) in by_x[k + 1..].iter().take_while(|(_, other)| other.x - at.x < enough) {
            let apart = at.distance(other);
            if apart > 0.5 {
                room[i] = room[i].min(apart);
                room[j] = room[j].min(apart);
            }
        }
    }
    room
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_that_crowd_have_less_room_and_twins_count_as_one() {
        let places = [(0.0, 0.0), (0.0, 0.1), (3.0, 4.0), (100.0, 0.0)].map(|(x, y)| Some(Vec2::new(x, y)));
        let room = room_around(&[&places[..], &[None]].concat(), 9.0);
        assert!((room[0] - 5.0).abs() < 0.1 && (room[2] - room[1]).abs() < 0.1, "{room:?}");
        assert_eq!((room[3], room[4]), (9.0, 9.0));
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
