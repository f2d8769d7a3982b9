//! Dual quaternion skinning beside linear blending, on files as they open.

use glam::{Quat, Vec3};
use sinew_tests::{Node, cube, strip, tube};

use crate::job::{Job, assert_all_near, assert_near};
use crate::stored::Stored;

/// The vertices of TUBE's ring whose joints have half each.
const HALF_RING: std::ops::Range<usize> = 64..80;

#[test]
fn rotations_with_opposite_signs_blend_the_short_way() {
    // B44
    let mut pictures = Vec::new();
    for sign in [1.0, -1.0] {
        let mut scene = tube(9, 16);
        scene.nodes[0].rotation = Quat::from_rotation_y(170f32.to_radians());
        scene.nodes[1].rotation = Quat::from_rotation_y(20f32.to_radians()) * sign;
        let mut job = Job::of(&scene);
        job.run(&["deform by=dqs"]);
        let posed = job.posed(0);
        for v in HALF_RING {
            let rest = scene.primitive().positions[v];
            assert_near(posed[v], Vec3::new(-rest.x, rest.y, -rest.z), 1e-6);
        }
        pictures.push(posed);
    }
    assert_all_near(&pictures[0], &pictures[1], 1e-6);
}

#[test]
fn with_one_influence_the_switch_moves_nothing_whatever_the_scale() {
    // B45
    for scale in [Vec3::new(2.0, 1.0, 1.0), Vec3::new(-2.0, 1.0, 1.0), Vec3::new(2.0, -1.0, 3.0)] {
        let mut scene = cube(Vec3::new(0.3, 0.2, 0.1), 1.0);
        scene.nodes[0].scale = Some(scale);
        scene.nodes[0].rotation = Quat::from_rotation_z(30f32.to_radians());
        scene.insert_parent(
            0,
            Node { scale: Some(Vec3::splat(0.25)), ..Node::at("Armature", Vec3::new(1.0, 2.0, 3.0)) },
        );
        let mut job = Job::of(&scene);
        let linear = job.posed_in("J0:0,0,0", "lbs");
        let dual = job.posed_in("J0:0,0,0", "dqs");
        assert_all_near(&dual, &linear, 1e-5);
        let corner = scene.primitive().positions[7] * scale;
        assert_near(linear[7], Vec3::new(1.0, 2.0, 3.0) + 0.25 * (scene.nodes[0].rotation * corner), 1e-5);
        assert_all_near(&job.posed_in("J0:20,40,60", "dqs"), &job.posed_in("J0:20,40,60", "lbs"), 1e-5);
    }
}

#[test]
fn a_moved_root_moves_the_model_once() {
    // B46
    let mut scene = tube(9, 16);
    scene.nodes[0].translation = Vec3::X * 10.0;
    let mut job = Job::of(&scene);
    let (linear, dual) = (job.posed_in("J1:0,0,0", "lbs"), job.posed_in("J1:0,0,0", "dqs"));
    assert_all_near(&dual, &linear, 1e-5);
    let mean = dual.iter().sum::<Vec3>() / dual.len() as f32;
    assert!((mean.x - 10.0).abs() < 1e-4, "{mean}");
}

#[test]
fn the_same_pose_gives_the_same_shape_however_it_was_reached() {
    // B47
    for deformer in ["lbs", "dqs"] {
        let mut direct = Job::of(&tube(9, 16));
        let expected = direct.posed_in("J1:0,200,0", deformer);
        let mut swept = Job::of(&tube(9, 16));
        for degrees in (0..=360).step_by(10).chain((200..360).rev().step_by(10)).chain([200]) {
            swept.posed_in(&format!("J1:0,{degrees},0"), deformer);
        }
        assert_all_near(&swept.posed(0), &expected, 1e-6);

        // Everything turns together: a vertex moves along its circle and no more.
        let step = 0.2 * 2.0 * 0.5f32.to_radians().sin();
        let mut before: Option<Vec<Vec3>> = None;
        for degrees in 170..=190 {
            let now = swept.posed_in(&format!("J0:0,{degrees},0"), deformer);
            if let Some(before) = before {
                for v in 0..now.len() {
                    assert!(before[v].distance(now[v]) <= step + 1e-3, "{deformer}, {degrees}°, vertex {v}");
                }
            }
            before = Some(now);
        }
    }
}

#[test]
fn an_elbow_bends_to_the_values_of_both_ways() {
    // B48
    let mut job = Job::of(&strip());
    let linear = job.posed_in("J1:0,0,90", "lbs");
    assert_near(linear[5], Vec3::new(0.25, 1.25, 0.0), 1e-6);
    assert_near(linear[7], Vec3::new(-0.25, 1.5, 0.0), 1e-6);
    let dual = job.posed_in("J1:0,0,90", "dqs");
    assert_near(dual[5], Vec3::new(0.353_55, 1.353_55, 0.0), 1e-4);
    assert_near(dual[7], Vec3::new(-0.2808, 1.6489, 0.0), 1e-4);
    assert!((dual[5].distance(Vec3::Y) - 0.5).abs() < 1e-6, "still .5 from the pivot");

    // TUBE, 90/120/150°: the half ring in the bending plane keeps its distance, or shrinks by cos(half).
    let mut job = Job::of(&tube(9, 16));
    for degrees in [90.0_f32, 120.0, 150.0] {
        let half = (degrees / 2.0).to_radians();
        let (linear, dual) =
            (job.posed_in(&format!("J1:0,0,{degrees}"), "lbs"), job.posed_in(&format!("J1:0,0,{degrees}"), "dqs"));
        // Vertex 64 stands at (.2, 1, 0).
        let turned = Vec3::new(0.2 * half.cos(), 0.2 * half.sin(), 0.0);
        assert_near(dual[64] - Vec3::Y, turned, 1e-5);
        assert_near(linear[64] - Vec3::Y, turned * half.cos(), 1e-5);
    }
}

#[test]
fn a_twist_wraps_like_candy_only_with_linear_blending_and_the_choice_is_not_saved() {
    // B49
    let mut job = Job::of(&tube(9, 16));
    for (degrees, expected) in [(90, 0.1414), (120, 0.1), (170, 0.0174), (180, 0.0)] {
        let radius = |posed: &[Vec3], v: usize| posed[v].x.hypot(posed[v].z);
        let linear = job.posed_in(&format!("J1:0,{degrees},0"), "lbs");
        let dual = job.posed_in(&format!("J1:0,{degrees},0"), "dqs");
        for v in HALF_RING {
            assert!((radius(&linear, v) - expected).abs() < 1e-4, "{degrees}°: {}", radius(&linear, v));
            // At exactly 180° any finite direction will do; it keeps the radius all the same.
            assert!((radius(&dual, v) - 0.2).abs() < 1e-4, "{degrees}°: {}", radius(&dual, v));
        }
    }
    // Both ways use the same weights, and the one that is shown leaves no trace in the file.
    let stroke = "stroke joint=J1 value=0.5 radius=0.3 points=0.2,1,0";
    job.run(&["reset_pose", "deform by=dqs", stroke]);
    let dual = job.save();
    let mut other = Job::of(&tube(9, 16));
    other.run(&[stroke, "deform by=lbs"]);
    assert_eq!(other.save(), dual);
    assert_eq!(Stored::of(&dual).json, Stored::of(&job.files).json);
}
