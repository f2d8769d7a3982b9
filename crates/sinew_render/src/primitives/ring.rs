//! Closed and dashed polylines, such as the brush ring on a surface: points in, [`Line`]s out.

use glam::Vec3;

use super::lines::{Cap, Line};
use crate::Color;

/// How far a ring is pulled towards the viewer so that the surface it lies on does not hide it.
pub const SURFACE_PULL: f32 = 0.004;

/// Appends a closed polyline through these scene-space points.
pub fn push_ring(lines: &mut Vec<Line>, points: &[Vec3], width_points: f32, color: Color) {
    push_segments(lines, points, width_points, color, |_| true);
}

/// Appends every other segment of the closed polyline: a dashed ring. An even number of points looks best.
pub fn push_dashed_ring(lines: &mut Vec<Line>, points: &[Vec3], width_points: f32, color: Color) {
    push_segments(lines, points, width_points, color, |i| i % 2 == 0);
}

fn push_segments(
    lines: &mut Vec<Line>,
    points: &[Vec3],
    width_points: f32,
    color: Color,
    is_drawn: impl Fn(usize) -> bool,
) {
    for (i, &start) in points.iter().enumerate() {
        let end = points[(i + 1) % points.len()];
        if is_drawn(i) {
            lines.push(Line::new(start, end, width_points, color).with_cap(Cap::Butt).with_pull(SURFACE_PULL));
        }
    }
}
