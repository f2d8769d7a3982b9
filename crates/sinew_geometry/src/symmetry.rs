//! Which points are each other's mirror image across a plane.
//!
//! Two points are twins when each lies within a tolerance of the other's image, and no better partner is left for
//! either: the closest pairs part first, so the answer is the same both ways and every point has at most one twin. A
//! point on the plane is its own. Boundary: points and numbers; knows no meshes, joints or weights.

use glam::Vec3;
use rayon::prelude::*;

use crate::nearest::PointIndex;

/// A plane across one axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MirrorPlane {
    /// The axis it stands across: 0, 1 or 2.
    pub axis: usize,
    /// Where it cuts that axis.
    pub at: f32,
}

/// A point that may have a twin.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MirrorPoint {
    /// Where it is. Points that are not finite have no twin.
    pub position: Vec3,
    /// Unit normal; zero says nothing. Tells points at one place apart: of closed lips the upper's twin is the upper's.
    pub normal: Vec3,
    /// Points with the same label are the likelier twins where several are as near: which mesh they are of.
    pub label: u32,
}

/// How many points near a mirror image are looked at. More stand there only where a mesh is finer than the tolerance.
const MOST_CANDIDATES: usize = 8;

/// Points that one thread looks at in one go.
const CHUNK: usize = 4096;

impl MirrorPlane {
    /// The mirror image of a point.
    pub fn point(self, mut point: Vec3) -> Vec3 {
        // In double precision, so that the image's image is the point wherever single precision can say it.
        point[self.axis] = (2.0 * f64::from(self.at) - f64::from(point[self.axis])) as f32;
        point
    }

    /// The mirror image of a direction.
    pub fn direction(self, mut direction: Vec3) -> Vec3 {
        direction[self.axis] = -direction[self.axis];
        direction
    }

    /// How far a point is from the plane; above 0 on the axis' positive side.
    pub fn distance(self, point: Vec3) -> f32 {
        point[self.axis] - self.at
    }
}

/// Each point's twin: another point, itself on the plane, or none. `[n_points]`
///
/// Within `tolerance`, nearness counts most, then that normals agree and labels are the same. Points in equally good
/// places pair by their numbers.
pub fn mirror_twins(points: &[MirrorPoint], plane: MirrorPlane, tolerance: f32) -> Vec<Option<u32>> {
    if tolerance.is_nan() || tolerance < 0.0 {
        return vec![None; points.len()];
    }
    let index = PointIndex::from_points(points.iter().enumerate().map(|(i, point)| (i as u32, point.position)));
    // A pair has at least one point here: not both can be farther than the tolerance on the negative side.
    let some: Vec<Vec<Candidate>> = points
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, some)| {
            let (mut candidates, mut near) = (Vec::with_capacity(some.len()), Vec::with_capacity(MOST_CANDIDATES));
            for (point, i) in some.iter().zip((chunk * CHUNK) as u32..) {
                if plane.distance(point.position) >= -tolerance {
                    index.find_within(plane.point(point.position), tolerance, MOST_CANDIDATES, &mut near);
                    let others = near.iter().map(|&(other, _)| other);
                    candidates.extend(others.map(|other| Candidate::of(points, plane, tolerance, i, other)));
                }
            }
            candidates
        })
        .collect();
    let mut candidates = some.concat();
    candidates.par_sort_unstable_by(|a, b| a.cost.total_cmp(&b.cost).then((a.low, a.high).cmp(&(b.low, b.high))));
    let mut twins = vec![None; points.len()];
    for Candidate { low, high, .. } in candidates {
        if twins[low as usize].is_none() && twins[high as usize].is_none() {
            twins[low as usize] = Some(high);
            twins[high as usize] = Some(low);
        }
    }
    twins
}

#[derive(Clone, Copy)]
struct Candidate {
    cost: f32,
    low: u32,
    high: u32,
}

impl Candidate {
    /// Asked from either side the answer is the same to the bit.
    fn of(points: &[MirrorPoint], plane: MirrorPlane, tolerance: f32, a: u32, b: u32) -> Self {
        let (low, high) = (a.min(b), a.max(b));
        let (p, q) = (&points[low as usize], &points[high as usize]);
        let distance = plane.point(p.position).distance(q.position);
        let away = if tolerance > 0.0 { distance / tolerance } else { 0.0 };
        let disagreement = 0.5 * (1.0 - plane.direction(p.normal).dot(q.normal));
        let cost = away + 0.25 * disagreement + if p.label == q.label { 0.0 } else { 0.25 };
        Self { cost, low, high }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const X0: MirrorPlane = MirrorPlane { axis: 0, at: 0.0 };

    fn points(positions: &[[f32; 3]]) -> Vec<MirrorPoint> {
        let point = |&position| MirrorPoint { position: Vec3::from(position), normal: Vec3::ZERO, label: 0 };
        positions.iter().map(point).collect()
    }

    #[test]
    fn points_pair_across_the_plane_and_stand_alone_on_it() {
        let all = points(&[[1.0, 2.0, 0.0], [-1.0, 2.0, 0.0], [0.0, 1.0, 0.0], [1.0, 5.0, 0.0], [f32::NAN, 0.0, 0.0]]);
        assert_eq!(mirror_twins(&all, X0, 1e-4), [Some(1), Some(0), Some(2), None, None]);
        let moved: Vec<MirrorPoint> =
            all.iter().map(|p| MirrorPoint { position: p.position + Vec3::X * 3.0, ..*p }).collect();
        let plane = MirrorPlane { axis: 0, at: 3.0 };
        assert_eq!(mirror_twins(&moved, plane, 1e-4), [Some(1), Some(0), Some(2), None, None]);
        assert_eq!(mirror_twins(&all, MirrorPlane { axis: 1, at: 2.0 }, 1e-4)[..2], [Some(0), Some(1)]);
    }

    #[test]
    fn the_nearest_pair_parts_first_and_nobody_has_two_twins() {
        let all = points(&[[1.0, 0.0, 0.0], [-1.0, 0.03, 0.0], [-1.0, 0.01, 0.0]]);
        assert_eq!(mirror_twins(&all, X0, 0.1), [Some(2), None, Some(0)]);
        assert_eq!(mirror_twins(&all, X0, 0.005), [None, None, None]);
    }

    #[test]
    fn points_in_one_place_are_told_apart_by_normal_and_label() {
        let mut lips = points(&[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
        for (point, up) in lips.iter_mut().zip([1.0, -1.0, -1.0, 1.0]) {
            point.normal = Vec3::new(0.0, up, 0.0);
        }
        assert_eq!(mirror_twins(&lips, X0, 1e-3), [Some(3), Some(2), Some(1), Some(0)]);
        let mut layers = points(&[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
        (layers[0].label, layers[3].label) = (7, 7);
        assert_eq!(mirror_twins(&layers, X0, 1e-3), [Some(3), Some(2), Some(1), Some(0)]);
    }

    #[test]
    fn a_thousand_points_in_one_place_end_soon_and_pair_off() {
        let all = points(&[[0.0, 0.0, 0.0]; 1000]);
        let twins = mirror_twins(&all, X0, 1e-3);
        assert!(twins.iter().enumerate().all(|(i, twin)| twin.is_none_or(|t| twins[t as usize] == Some(i as u32))));
    }

    proptest! {
        #[test]
        fn twins_are_mutual_near_and_the_same_however_the_points_are_numbered(
            cells in prop::collection::btree_set((-4_i8..5, 0_i8..4, 0_i8..3), 0..60), offset in -3_i8..4,
        ) {
            // Whole cells far apart against the tolerance: who is whose twin is plain.
            let position = |&(x, y, z): &(i8, i8, i8)| [f32::from(x) + f32::from(offset), y.into(), z.into()];
            let all = points(&cells.iter().map(position).collect::<Vec<_>>());
            let plane = MirrorPlane { axis: 0, at: offset.into() };
            let twins = mirror_twins(&all, plane, 0.01);
            let cells: Vec<_> = cells.into_iter().collect();
            for (i, &(x, y, z)) in cells.iter().enumerate() {
                let expected = cells.iter().position(|&other| other == (-x, y, z)).map(|at| at as u32);
                prop_assert_eq!(twins[i], expected);
            }
            let reversed: Vec<MirrorPoint> = all.iter().rev().copied().collect();
            let from_behind = mirror_twins(&reversed, plane, 0.01);
            let last = all.len().saturating_sub(1);
            for (i, twin) in twins.iter().enumerate() {
                prop_assert_eq!(from_behind[last - i], twin.map(|twin| last as u32 - twin));
            }
        }
    }
}
