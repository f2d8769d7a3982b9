//! Light through one triangle: from a window of one edge to windows of the other two.

use glam::{DVec2, DVec3};

use super::{Event, MERGE, Run, SLACK, queue_key};
use crate::adjacency::{next_corner, previous_corner};

/// The lit part of a half-edge, about to cross the half-edge's triangle.
///
/// In the frame of the half-edge: x runs from its start along it, y into the triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    half_edge: u32,
    /// Next window of the same half-edge.
    next: u32,
    is_done: bool,
    /// Length of the half-edge.
    length: f64,
    /// Where light comes from; y is never positive.
    source: DVec2,
    /// Distance of the source itself.
    sigma: f64,
    /// Lit range of x.
    lit: [f64; 2],
}

const NONE: u32 = u32::MAX;
/// Most windows of one half-edge. Far above what smooth surfaces need; bounds the work on noise.
const MOST_WINDOWS: u32 = 64;

impl<P: Fn(u32) -> DVec3> Run<'_, P> {
    /// Lights the part `lit` of an edge, for all other triangles at it. `source` is `[along the half-edge, distance from
    /// its line]` on the side of the half-edge's own triangle.
    pub(super) fn add_window(&mut self, half_edge: u32, length: f64, source: [f64; 2], sigma: f64, lit: [f64; 2]) {
        // Also ends here: positions that are NaN.
        if !(length > 0.0 && lit[1] - lit[0] > 1e-12 * length) {
            return;
        }
        let nearest = source[0].clamp(lit[0], lit[1]) - source[0];
        let distance = sigma + DVec2::new(nearest, source[1]).length();
        if distance.is_nan() || distance > self.radius {
            return;
        }
        let topology = self.topology;
        let start = self.group_at(half_edge);
        for other in topology.across(half_edge) {
            let (x, lit) = if self.group_at(other) == start {
                (source[0], lit)
            } else {
                (length - source[0], [length - lit[1], length - lit[0]])
            };
            let window = Window {
                half_edge: other,
                next: NONE,
                is_done: false,
                length,
                source: DVec2::new(x, -source[1]),
                sigma,
                lit,
            };
            self.insert(window, distance as f32);
        }
    }

    fn insert(&mut self, mut window: Window, distance: f32) {
        let head = *self.scratch.table.head(window.half_edge);
        let (mut at, mut count) = (head, 0);
        while at != NONE {
            let old = &mut self.scratch.windows[at as usize];
            at = old.next;
            count += 1;
            let (keeps, rest) = share(old, &mut window);
            if let Some(rest) = rest {
                self.insert(rest, distance);
            }
            if !keeps {
                return;
            }
        }
        if count >= MOST_WINDOWS {
            return;
        }
        // Read again: the rest of a cut window may have come in between.
        let new = self.scratch.windows.len() as u32;
        window.next = std::mem::replace(self.scratch.table.head(window.half_edge), new);
        self.scratch.windows.push(window);
        self.scratch.queue.push(queue_key(distance, Event::Window(new)));
    }

    /// Passes a window's light through its triangle.
    pub(super) fn cross_triangle(&mut self, index: u32) {
        let window = &mut self.scratch.windows[index as usize];
        if std::mem::replace(&mut window.is_done, true) {
            return;
        }
        let Window { half_edge, length, source, sigma, lit: [low, high], .. } = *window;
        // The triangle is u, v, w; the half-edge runs from u to v.
        let (to_w, to_u) = (next_corner(half_edge), previous_corner(half_edge));
        let origin = self.position_at(half_edge);
        let along = (self.position_at(to_w) - origin) / length;
        let third = self.position_at(to_u) - origin;
        let u = DVec2::ZERO;
        let v = DVec2::new(length, 0.0);
        let w = DVec2::new(third.dot(along), along.cross(third).length());

        // Where the line from the source to w crosses the edge.
        let height = w.y - source.y;
        let toward_w = if height > 0.0 { source.x - (w.x - source.x) * source.y / height } else { w.x };
        let slack = SLACK * length;
        let (mut left, mut right) = (toward_w > low, toward_w < high);
        if toward_w >= low - slack && toward_w <= high + slack {
            let back = source - w;
            let distance = sigma + back.length();
            let group = self.group_at(to_u);
            self.lower(group, distance, to_u, || DVec2::new(back.dot(u - w), back.perp_dot(u - w).abs()));
            // Xin and Wang: light that comes to w late, and later than round w to the window's far end, is of no use.
            let known = self.distance(group) as f64;
            if distance > known * (1.0 + 1e-6) {
                let is_late = |edge_end: DVec2, x: f64| {
                    let p = edge_end + (w - edge_end) * on_edge(source, x, edge_end, w);
                    sigma + source.distance(p) >= known + w.distance(p)
                };
                left = left && !is_late(u, low);
                right = right && !is_late(v, high);
            }
        }
        if left {
            let length = u.distance(w);
            let from = on_edge(source, low, u, w);
            let to = if toward_w < high { 1.0 } else { on_edge(source, high, u, w) };
            // The half-edge runs from w to u.
            let frame = frame_of(source, w, u, length);
            let lit = [(1.0 - to) * length, (1.0 - from) * length];
            self.add_window(to_u, length, frame, sigma, lit);
        }
        if right {
            let length = v.distance(w);
            let from = on_edge(source, high, v, w);
            let to = if toward_w > low { 1.0 } else { on_edge(source, low, v, w) };
            let frame = frame_of(source, v, w, length);
            self.add_window(to_w, length, frame, sigma, [from * length, to * length]);
        }
    }
}

impl Window {
    /// Distance of the point (x, 0) of the edge by this window's light.
    fn value(&self, x: f64) -> f64 {
        self.sigma + self.source.distance(DVec2::new(x, 0.0))
    }
}

/// Shares the edge between a window there and a new one, so that each point is lit by the shorter way. Whether
/// anything of `new` remains, and a second piece of it when `old` takes its middle.
fn share(old: &mut Window, new: &mut Window) -> (bool, Option<Window>) {
    let length = new.length;
    let (slack, tiny) = (SLACK * length, 1e-9 * length);
    let (low, high) = (new.lit[0].max(old.lit[0]), new.lit[1].min(old.lit[1]));
    if low > high + slack {
        return (true, None);
    }
    let tolerance = MERGE * length;
    let is_same =
        (old.sigma - new.sigma).abs() <= tolerance && old.source.distance_squared(new.source) <= tolerance * tolerance;
    if is_same && !old.is_done {
        old.lit = [old.lit[0].min(new.lit[0]), old.lit[1].max(new.lit[1])];
        return (false, None);
    }
    if is_same && new.lit[0] >= old.lit[0] - slack && new.lit[1] <= old.lit[1] + slack {
        return (false, None);
    }
    if high - low <= tiny {
        return (true, None);
    }
    let worse = [low, high].map(|x| new.value(x) - old.value(x));
    if is_same || worse.iter().all(|&w| w >= -tiny) {
        let (before, after) = (new.lit[0] < low - tiny, new.lit[1] > high + tiny);
        let rest = Window { lit: [high, new.lit[1]], ..*new };
        return match (before, after) {
            (false, false) => (false, None),
            (true, false) => {
                new.lit[1] = low;
                (true, None)
            }
            (false, true) => {
                new.lit[0] = high;
                (true, None)
            }
            (true, true) => {
                new.lit[1] = low;
                (true, Some(rest))
            }
        };
    }
    if worse.iter().all(|&w| w <= tiny) {
        if !old.is_done {
            let (before, after) = (old.lit[0] < low - tiny, old.lit[1] > high + tiny);
            match (before, after) {
                (false, false) => old.is_done = true,
                (true, false) => old.lit[1] = low,
                (false, true) => old.lit[0] = high,
                (true, true) => {}
            }
        }
        return (true, None);
    }
    // Each is better at one end: they meet where their lights come equally late.
    let (mut a, mut b) = (low, high);
    for _ in 0..12 {
        let middle = f64::midpoint(a, b);
        if (new.value(middle) < old.value(middle)) == (worse[0] < 0.0) {
            a = middle;
        } else {
            b = middle;
        }
    }
    let (left, right) = if worse[0] < 0.0 { (new, old) } else { (old, new) };
    // What is done has sent its light on already. Each keeps the bisection's last uncertain bit.
    if !left.is_done && left.lit[1] <= high + tiny {
        left.lit[1] = b;
    }
    if !right.is_done && right.lit[0] >= low - tiny {
        right.lit[0] = a;
    }
    (true, None)
}

/// Where the ray from `source` through (x, 0) meets the edge, 0 at `start`, 1 at `end`.
fn on_edge(source: DVec2, x: f64, start: DVec2, end: DVec2) -> f64 {
    let direction = DVec2::new(x, 0.0) - source;
    let s = -(start - source).perp_dot(direction) / (end - start).perp_dot(direction);
    // Both zero when all is on one line: the whole edge is lit then.
    if s.is_nan() { 0.0 } else { s.clamp(0.0, 1.0) }
}

/// `source` as `[along, beside]` the edge.
pub(super) fn frame_of(source: DVec2, start: DVec2, end: DVec2, length: f64) -> [f64; 2] {
    let along = (end - start) / length;
    let offset = source - start;
    [offset.dot(along), offset.perp_dot(along).abs()]
}

/// First window of each lit half-edge: an open-addressing table, so that it costs nothing per size of the mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowTable {
    epoch: u32,
    n_used: usize,
    /// A power of two.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    epoch: u32,
    half_edge: u32,
    head: u32,
}

impl WindowTable {
    pub(super) fn clear(&mut self) {
        self.n_used = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.slots.fill(Slot::default());
            self.epoch = 1;
        }
    }

    /// The first window of a half-edge, [`NONE`] to begin with.
    fn head(&mut self, half_edge: u32) -> &mut u32 {
        if 2 * (self.n_used + 1) > self.slots.len() {
            self.grow();
        }
        let i = self.find(half_edge);
        let slot = &mut self.slots[i];
        if slot.epoch != self.epoch {
            *slot = Slot { epoch: self.epoch, half_edge, head: NONE };
            self.n_used += 1;
        }
        &mut slot.head
    }

    fn find(&self, half_edge: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut i = (half_edge.wrapping_mul(0x9E37_79B1) >> 7) as usize & mask;
        while self.slots[i].epoch == self.epoch && self.slots[i].half_edge != half_edge {
            i = (i + 1) & mask;
        }
        i
    }

    fn grow(&mut self) {
        let n = (2 * self.slots.len()).max(4096);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); n]);
        for slot in old {
            if slot.epoch == self.epoch {
                let i = self.find(slot.half_edge);
                self.slots[i] = slot;
            }
        }
    }
}
