//! The tree against brute force, before and after vertices move.

use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::{
    test_meshes::Noise,
    triangle::{PreparedRay, closest_on_triangle},
};

/// A soup with shared corners, slivers and points, on whole numbers, so that ties and touching are common.
fn soup() -> impl Strategy<Value = (Vec<Vec3>, Vec<[u32; 3]>)> {
    let point = (0_i8..6, 0_i8..6, 0_i8..6).prop_map(|(x, y, z)| Vec3::new(x as f32, y as f32, z as f32));
    (3_usize..40).prop_flat_map(move |n| {
        let vertex = 0..n as u32;
        (
            prop::collection::vec(point.clone(), n),
            prop::collection::vec([vertex.clone(), vertex.clone(), vertex], 1..80),
        )
    })
}

fn corners(positions: &[Vec3], t: [u32; 3]) -> [Vec3; 3] {
    t.map(|v| positions[v as usize])
}

fn build(positions: &[Vec3], triangles: &[[u32; 3]]) -> Bvh {
    Bvh::build(TriMeshRef::new(positions, triangles).expect("indices in range"))
}

fn check_against_all(bvh: &Bvh, positions: &[Vec3], triangles: &[[u32; 3]], noise: &mut Noise) {
    let mut coordinate = |whole: bool| {
        let x = noise.next() * 8.0 - 1.0;
        if whole { x.round() } else { x }
    };
    for i in 0..12 {
        let whole = i % 2 == 0;
        let mut vec = || Vec3::new(coordinate(whole), coordinate(whole), coordinate(whole));
        let (from, to) = (vec(), vec());
        let direction = to - from;
        let expected = PreparedRay::new(from, direction).and_then(|ray| {
            (0..triangles.len())
                .filter_map(|t| {
                    let (at, _) = ray.intersect(corners(positions, triangles[t]))?;
                    (0.0..=1.5).contains(&at).then_some((at, t as u32))
                })
                .min_by(|a, b| a.partial_cmp(b).expect("finite"))
        });
        let found = bvh.raycast(positions, from, direction, 1.5);
        assert_eq!(found.map(|h| (h.t, h.triangle)), expected.map(|(t, i)| (t as f32, i)));
        assert_eq!(bvh.any_hit(positions, from, direction, (0.0, 1.5), |_| false), expected.is_some());
        if let Some(hit) = found {
            assert!(hit.point.distance(from + direction * hit.t) < 1e-4);
        }

        for limit in [f32::INFINITY, 1.0, 0.0] {
            let expected = (0..triangles.len())
                .filter_map(|t| {
                    let (d2, _) = closest_on_triangle(from.as_dvec3(), corners(positions, triangles[t]))?;
                    (d2 <= (limit as f64).powi(2)).then_some((d2, t as u32))
                })
                .min_by(|a, b| a.partial_cmp(b).expect("finite"));
            let found = bvh.closest_point(positions, from, limit);
            assert_eq!(found.map(|h| (h.distance, h.triangle)), expected.map(|(d2, t)| (d2.sqrt() as f32, t)));
            if let Some(hit) = found {
                assert!((hit.point.distance(from) - hit.distance).abs() < 1e-5);
            }
        }

        let mut found = Vec::new();
        bvh.vertices_within(positions, from, 2.0, |v, _| found.push(v));
        found.sort_unstable();
        let expected: Vec<u32> = (0..positions.len() as u32)
            .filter(|&v| positions[v as usize].distance(from) <= 2.0)
            .filter(|v| triangles.iter().any(|t| t.contains(v)))
            .collect();
        assert_eq!(found, expected);

        let mut found = Vec::new();
        let direction = Vec3::new(1.0, -0.5, from.x);
        bvh.vertices_near_ray(positions, from, direction, 1.5, |v, _| found.push(v));
        found.sort_unstable();
        let distance = |v: u32| {
            let to = (positions[v as usize] - from).as_dvec3();
            let along = direction.as_dvec3().normalize();
            to.distance(along * to.dot(along).max(0.0))
        };
        // In single precision one at the rim may fall to either side.
        let is_used = |v: &u32| triangles.iter().any(|t| t.contains(v));
        let surely: Vec<u32> =
            (0..positions.len() as u32).filter(is_used).filter(|&v| distance(v) <= 1.5 - 1e-4).collect();
        assert!(surely.iter().all(|v| found.binary_search(v).is_ok()));
        assert!(found.iter().all(|&v| distance(v) <= 1.5 + 1e-4 && is_used(&v)));
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]));

        let mut found = Vec::new();
        bvh.triangles_within(positions, from, 2.0, |t| found.push(t));
        found.sort_unstable();
        let expected: Vec<u32> = (0..triangles.len() as u32)
            .filter(|&t| {
                closest_on_triangle(from.as_dvec3(), corners(positions, triangles[t as usize]))
                    .is_some_and(|(d2, _)| d2 <= 4.0)
            })
            .collect();
        assert_eq!(found, expected);
    }
}

proptest! {
    #[test]
    fn answers_agree_with_looking_at_all_triangles_also_after_moving(
        (mut positions, triangles) in soup(),
        moved in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        noise in any::<u64>(),
    ) {
        let mut noise = Noise(noise);
        let mut bvh = build(&positions, &triangles);
        check_against_all(&bvh, &positions, &triangles, &mut noise);

        // A few vertices move, one to nowhere.
        let moved: Vec<usize> = moved.iter().map(|i| i.index(positions.len())).collect();
        for (i, &v) in moved.iter().enumerate() {
            positions[v] = if i == 4 { Vec3::NAN } else { Vec3::new(i as f32, noise.next() * 9.0, 2.5) };
        }
        let dirty: Vec<u32> = (0..triangles.len() as u32)
            .filter(|&t| triangles[t as usize].iter().any(|&v| moved.contains(&(v as usize))))
            .collect();
        bvh.refit_some(&positions, dirty.iter().rev().copied());
        let mut whole = bvh.clone();
        whole.refit_all(&positions);
        prop_assert_eq!(&bvh.boxes, &whole.boxes);
        check_against_all(&bvh, &positions, &triangles, &mut noise);
    }
}

#[test]
fn a_mesh_without_triangles_answers_nothing() {
    let bvh = build(&[], &[]);
    assert_eq!(bvh.raycast(&[], Vec3::ZERO, Vec3::X, 1.0), None);
    assert_eq!(bvh.closest_point(&[], Vec3::ZERO, f32::INFINITY), None);
    let mut bvh = build(&[Vec3::NAN; 3], &[[0, 1, 2]]);
    assert_eq!(bvh.raycast(&[Vec3::NAN; 3], Vec3::ZERO, Vec3::X, 1.0), None);
    let here = [Vec3::ZERO, Vec3::X, Vec3::Y];
    bvh.refit_some(&here, [0]);
    let hit = bvh.closest_point(&here, Vec3::new(0.2, 0.2, 3.0), 5.0);
    assert_eq!(hit.map(|h| h.distance), Some(3.0));
    assert_eq!(bvh.closest_point(&here, Vec3::ZERO, -1.0), None);
    assert_eq!(bvh.raycast(&here, Vec3::Z, Vec3::ZERO, 1.0), None);
}

#[test]
fn the_tree_is_the_same_on_one_thread() {
    let (positions, triangles) = crate::test_meshes::flat(100, 100);
    let many = build(&positions, &triangles);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let one = pool.install(|| build(&positions, &triangles));
    assert_eq!(many.triangle_at, one.triangle_at);
    assert_eq!(many.boxes, one.boxes);
}
