//! The nearest of a fixed set of points: a kd-tree.

use glam::Vec3;

/// An index over points that do not move.
#[derive(Clone, Debug, Default)]
pub struct PointIndex {
    /// The tree, in place: the middle of a range is its root, the halves its children; a short range is a leaf.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    point: Vec3,
    index: u32,
    axis: u32,
}

/// So few points are looked at one by one.
const LEAF: usize = 8;

/// Below this many points a part of the tree is built on one thread.
const PARALLEL_FROM: usize = 8192;

impl PointIndex {
    /// Indexes all finite points; `points[i]` is found as `i`.
    pub fn new(points: &[Vec3]) -> Self {
        Self::from_points(points.iter().enumerate().map(|(i, &p)| (i as u32, p)))
    }

    /// Indexes chosen points with their numbers. Points with NaN or infinities are left out.
    pub fn from_points(points: impl IntoIterator<Item = (u32, Vec3)>) -> Self {
        let mut nodes: Vec<Node> = points
            .into_iter()
            .filter(|(_, point)| point.is_finite())
            .map(|(index, point)| Node { point, index, axis: 0 })
            .collect();
        build(&mut nodes);
        Self { nodes }
    }

    /// How many points are indexed.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is indexed.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of the nearest point, the lowest number among equally near ones. `None` when nothing is indexed or
    /// `point` is not finite.
    pub fn nearest(&self, point: Vec3) -> Option<u32> {
        if !point.is_finite() {
            return None;
        }
        let mut best = (f32::INFINITY, u32::MAX);
        search(&self.nodes, point, &mut best);
        (!self.nodes.is_empty()).then_some(best.1)
    }

    /// The `most` nearest points that are at most `radius` away, with their squared distances: nearest first, equally near
    /// ones by number.
    pub fn nearest_within(&self, point: Vec3, radius: f32, most: usize) -> Vec<(u32, f32)> {
        let mut found = Vec::new();
        self.find_within(point, radius, most, &mut found);
        found
    }

    /// [`PointIndex::nearest_within`] into memory that is used again.
    pub fn find_within(&self, point: Vec3, radius: f32, most: usize, found: &mut Vec<(u32, f32)>) {
        found.clear();
        if point.is_finite() && radius >= 0.0 && most > 0 {
            Near { point, radius_squared: radius * radius, most, found }.search(&self.nodes);
        }
    }
}

/// The nearest points so far, sorted.
struct Near<'a> {
    point: Vec3,
    radius_squared: f32,
    most: usize,
    found: &'a mut Vec<(u32, f32)>,
}

impl Near<'_> {
    fn search(&mut self, nodes: &[Node]) {
        if nodes.len() <= LEAF {
            return nodes.iter().for_each(|node| self.look_at(node));
        }
        let middle = nodes.len() / 2;
        let node = &nodes[middle];
        self.look_at(node);
        let to_plane = self.point[node.axis as usize] - node.point[node.axis as usize];
        let (left, right) = (&nodes[..middle], &nodes[middle + 1..]);
        let (near, far) = if to_plane < 0.0 { (left, right) } else { (right, left) };
        self.search(near);
        if to_plane * to_plane <= self.reach() {
            self.search(far);
        }
    }

    #[inline]
    fn look_at(&mut self, node: &Node) {
        let distance = node.point.distance_squared(self.point);
        if distance <= self.reach() {
            let is_before = |&(index, other): &(u32, f32)| (other, index) < (distance, node.index);
            let place = self.found.partition_point(is_before);
            if place < self.most {
                self.found.truncate(self.most - 1);
                self.found.insert(place, (node.index, distance));
            }
        }
    }

    /// Squared distance beyond which nothing is of interest.
    fn reach(&self) -> f32 {
        match self.found.last() {
            Some(&(_, farthest)) if self.found.len() == self.most => farthest.min(self.radius_squared),
            _ => self.radius_squared,
        }
    }
}

fn build(nodes: &mut [Node]) {
    if nodes.len() <= LEAF {
        return;
    }
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for node in &*nodes {
        min = min.min(node.point);
        max = max.max(node.point);
    }
    let axis = (max - min).max_position();
    let middle = nodes.len() / 2;
    nodes.select_nth_unstable_by(middle, |a, b| a.point[axis].total_cmp(&b.point[axis]).then(a.index.cmp(&b.index)));
    nodes[middle].axis = axis as u32;
    let parallel = nodes.len() >= PARALLEL_FROM;
    let (left, rest) = nodes.split_at_mut(middle);
    let right = &mut rest[1..];
    if parallel {
        rayon::join(|| build(left), || build(right));
    } else {
        build(left);
        build(right);
    }
}

fn search(nodes: &[Node], point: Vec3, best: &mut (f32, u32)) {
    let mut look_at = |node: &Node| {
        let found = (node.point.distance_squared(point), node.index);
        if found.0 < best.0 || (found.0 == best.0 && found.1 < best.1) {
            *best = found;
        }
    };
    if nodes.len() <= LEAF {
        return nodes.iter().for_each(look_at);
    }
    let middle = nodes.len() / 2;
    let node = &nodes[middle];
    look_at(node);
    let to_plane = point[node.axis as usize] - node.point[node.axis as usize];
    let (left, right) = (&nodes[..middle], &nodes[middle + 1..]);
    let (near, far) = if to_plane < 0.0 { (left, right) } else { (right, left) };
    search(near, point, best);
    // Not strictly less: an equally near point with a lower number may be over there.
    if to_plane * to_plane <= best.0 {
        search(far, point, best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_nearest_to_nowhere() {
        assert_eq!(PointIndex::new(&[]).nearest(Vec3::ZERO), None);
        let index = PointIndex::new(&[Vec3::NAN, Vec3::ONE, Vec3::ONE]);
        assert_eq!(index.len(), 2);
        assert_eq!(index.nearest(Vec3::ZERO), Some(1));
        assert_eq!(index.nearest(Vec3::NAN), None);
        let far = PointIndex::new(&[Vec3::splat(3e38)]);
        assert_eq!(far.nearest(Vec3::splat(-3e38)), Some(0));
    }

    proptest! {
        #[test]
        fn nearest_agrees_with_looking_at_all(
            points in prop::collection::vec((0_i8..6, 0_i8..6, 0_i8..6), 1..80),
            query in (-1_i8..7, -1_i8..7, -1_i8..7),
        ) {
            // Whole numbers, so that many points are equally near.
            let vec = |(x, y, z): (i8, i8, i8)| Vec3::new(x as f32, y as f32, z as f32);
            let points: Vec<Vec3> = points.into_iter().map(vec).collect();
            let query = vec(query);
            let expected = (0..points.len())
                .min_by(|&a, &b| {
                    let d = |i: usize| points[i].distance_squared(query);
                    d(a).total_cmp(&d(b)).then(a.cmp(&b))
                })
                .map(|i| i as u32);
            let index = PointIndex::new(&points);
            prop_assert_eq!(index.nearest(query), expected);
            let mut within: Vec<(u32, f32)> =
                points.iter().enumerate().map(|(i, point)| (i as u32, point.distance_squared(query))).collect();
            within.retain(|&(_, distance)| distance <= 4.0);
            within.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            within.truncate(5);
            prop_assert_eq!(index.nearest_within(query, 2.0, 5), within);
        }
    }
}
