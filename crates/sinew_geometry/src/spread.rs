//! How far points stand apart, so that a view that draws back can leave some out and those that stay are spread evenly.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use glam::{IVec3, Vec3};

/// Each round keeps points that stand so many times farther apart than those of the round before.
const STEP: f32 = std::f32::consts::SQRT_2;
/// More rounds than the extent of any mesh over the least of its edges.
const MAX_ROUNDS: usize = 64;
/// So many rounds with smaller distances.
const MAX_FINER: usize = 11;

/// For each point the largest distance at which it is still kept: the points whose number is `d` or more stand at least
/// `d` apart, and none of the others is farther than a few `d` from one of them. `usual` is about how far points stand from
/// their neighbours; it only says where to begin. A point that stands closer to another than a fortieth of that gets 0.
/// `[n_points]`
pub fn spread(points: &[Vec3], usual: f32) -> Vec<f32> {
    let mut kept_at = vec![0.0; points.len()];
    if !(usual > 0.0 && usual.is_finite()) {
        return kept_at;
    }
    let all: Vec<u32> = (0..points.len() as u32).filter(|&i| points[i as usize].is_finite()).collect();
    let mut next = vec![u32::MAX; points.len()];
    let (first, mut left) = thinned(&[], &all, points, usual, &mut next);
    // Where they are dense, some more at ever smaller distances.
    let (mut fine, mut apart) = (first.clone(), usual);
    for _ in 0..MAX_FINER {
        if left.is_empty() {
            break;
        }
        apart /= STEP;
        let (more, still_left) = thinned(&fine, &left, points, apart, &mut next);
        for &i in &more {
            kept_at[i as usize] = apart;
        }
        fine.extend(more);
        left = still_left;
    }
    let (mut kept, mut apart) = (first, usual);
    for _ in 0..MAX_ROUNDS {
        for &i in &kept {
            kept_at[i as usize] = apart;
        }
        if kept.len() <= 1 {
            break;
        }
        apart *= STEP;
        (kept, _) = thinned(&[], &kept, points, apart, &mut next);
    }
    kept_at
}

/// Of the points in `of` those that stand at least `apart` from `there` and from those taken before them; and the others.
/// `next` is scratch. `[n_points]`
fn thinned(there: &[u32], of: &[u32], points: &[Vec3], apart: f32, next: &mut [u32]) -> (Vec<u32>, Vec<u32>) {
    // Cells of twice the distance: what is near a point is in eight of them at most.
    let cell = |point: Vec3| -> IVec3 { (point / (2.0 * apart)).floor().as_ivec3() };
    let mut first_in: HashMap<u64, u32, BuildHasherDefault<Mix>> = HashMap::default();
    first_in.reserve((there.len() + of.len()) / 4);
    let put = |i: u32, first_in: &mut HashMap<u64, u32, BuildHasherDefault<Mix>>, next: &mut [u32]| {
        let first = first_in.entry(key(cell(points[i as usize]))).or_insert(u32::MAX);
        next[i as usize] = *first;
        *first = i;
    };
    for &i in there {
        put(i, &mut first_in, next);
    }
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    for &i in of {
        let point = points[i as usize];
        let (low, high) = (cell(point - apart), cell(point + apart));
        let is_free = |at: IVec3| {
            let first = first_in.get(&key(at)).copied().filter(|&j| j != u32::MAX);
            let mut all = std::iter::successors(first, |&j| Some(next[j as usize]).filter(|&j| j != u32::MAX));
            all.all(|j| points[j as usize].distance_squared(point) >= apart * apart)
        };
        let mut near = (low.x..=high.x)
            .flat_map(|x| (low.y..=high.y).flat_map(move |y| (low.z..=high.z).map(move |z| IVec3::new(x, y, z))));
        if near.all(is_free) {
            put(i, &mut first_in, next);
            kept.push(i);
        } else {
            left.push(i);
        }
    }
    (kept, left)
}

/// A cell as one number. Cells that are far enough apart may share one: that only costs a look at points that are not near.
fn key(at: IVec3) -> u64 {
    let [x, y, z] = at.to_array().map(|c| u64::from(c as u32 & 0x1F_FFFF));
    x | y << 21 | z << 42
}

/// Cells are many, and nobody chooses them to harm: one multiplication is enough.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_stands_apart_and_leaves_no_gap() {
        // A sheet with a dense corner.
        let grid = |n: u32, side: f32| (0..n * n).map(move |i| Vec3::new((i % n) as f32, (i / n) as f32, 0.0) * side);
        let points: Vec<Vec3> = grid(20, 1.0).chain(grid(20, 0.05)).collect();
        let kept_at = spread(&points, 1.0);
        // Near enough every point is kept, but for the one in the corner that stands where another does.
        assert_eq!(kept_at.iter().filter(|&&d| d < 0.02).count(), 1);
        for apart in [0.02_f32, 0.3, 1.5, 6.0] {
            let kept: Vec<Vec3> = (0..points.len()).filter(|&i| kept_at[i] >= apart).map(|i| points[i]).collect();
            for (i, a) in kept.iter().enumerate() {
                assert!(kept[..i].iter().all(|b| a.distance(*b) >= apart), "{apart}: {a} has a neighbour");
            }
            // Rounds add up: each round's leftover stands within its distance of one that stays.
            let reach = apart * STEP * STEP / (STEP - 1.0);
            assert!(points.iter().all(|p| kept.iter().any(|k| k.distance(*p) < reach)), "{apart}: a gap");
        }
        assert!(kept_at.iter().filter(|&&d| d >= 1.5).count() < kept_at.iter().filter(|&&d| d >= 0.3).count());
    }

    #[test]
    fn twins_are_kept_once_and_points_nowhere_never() {
        let points = [Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::NAN];
        let kept_at = spread(&points, 0.1);
        assert!(kept_at[0] >= 0.1 && kept_at[1] == 0.0 && kept_at[2] >= 0.1 && kept_at[3] == 0.0, "{kept_at:?}");
        assert_eq!(spread(&points, f32::NAN), [0.0; 4]);
    }
}
