//! Answers worked out by hand: shapes of bent and twisted limbs, and files that place things oddly.

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use sinew_deform::{Deformer, DualQuaternion, LinearBlend, OffSum, deformer_named};
use sinew_model::{JointSlot, LocalTransform, MorphTarget, NodeIndex, Row, VertexIndex};

use crate::fixtures::*;

#[test]
fn a_strip_bent_by_90_degrees_is_where_it_should_be() {
    // B48
    let mut strip = strip();
    strip.turn(1, 0.0, 0.0, 90.0);
    let linear = strip.posed(&LinearBlend).positions;
    check_near(linear[3], Vec3::new(0.5, 0.75, 0.0), 1e-6);
    check_near(linear[5], Vec3::new(0.25, 1.25, 0.0), 1e-6);
    check_near(linear[7], Vec3::new(-0.25, 1.5, 0.0), 1e-6);
    let dual = strip.posed(&DualQuaternion).positions;
    check_near(dual[5], Vec3::new(0.353_55, 1.353_55, 0.0), 1e-5);
    check_near(dual[7], Vec3::new(-0.280_8, 1.648_9, 0.0), 1e-4);
}

#[test]
fn a_bent_tube_keeps_its_pivot_distance_only_with_dual_quaternions() {
    // B48: ring 4 (half and half) about the pivot (0, 1, 0); half of a turn by 90, 120, 150 degrees.
    for degrees in [90.0f32, 120.0, 150.0] {
        let mut tube = tube();
        tube.turn(1, 0.0, 0.0, degrees);
        let half = (degrees / 2.0).to_radians();
        let (linear, dual) = (tube.posed(&LinearBlend), tube.posed(&DualQuaternion));
        for v in 64..80 {
            let arm = tube.mesh.positions[v] - Vec3::Y;
            let turned = Quat::from_rotation_z(half) * arm;
            check_near(dual.positions[v], turned + Vec3::Y, 1e-5);
            // The mean of the arm and the arm turned in full: in the plane it shrinks by cos(half).
            let flat = Vec3::new(turned.x * half.cos(), turned.y * half.cos(), arm.z);
            check_near(linear.positions[v], flat + Vec3::Y, 1e-5);
        }
    }
}

#[test]
fn a_twisted_tube_thins_out_only_with_linear_blending() {
    // B49
    for (degrees, expected) in [(90.0, 0.1414), (120.0, 0.1), (170.0, 0.0174), (180.0, 0.0)] {
        let mut tube = tube();
        tube.turn(1, 0.0, degrees, 0.0);
        let radius = |deformer: &dyn Deformer| {
            let p = tube.posed(deformer).positions[64];
            assert!((p.y - 1.0).abs() < 1e-5);
            p.x.hypot(p.z)
        };
        assert!((radius(&LinearBlend) - expected).abs() < 1e-4, "{degrees} degrees");
        assert!((radius(&DualQuaternion) - 0.2).abs() < 1e-4, "{degrees} degrees");
    }
}

#[test]
fn a_collapsed_ring_keeps_the_normals_of_its_heavier_joint() {
    // At exactly 180 degrees the ring of half and half is a point: equal weights, so J0, which does not turn.
    let mut tube = tube();
    tube.turn(1, 0.0, 180.0, 0.0);
    let posed = tube.posed(&LinearBlend);
    check_near(posed.normals[64], tube.mesh.normals[64], 1e-5);
}

#[test]
fn a_root_far_away_moves_the_character_once() {
    // B46
    let mut tube = tube();
    tube.nodes[0].rest = at(10.0, 0.0, 0.0);
    let (linear, dual) = (tube.posed(&LinearBlend), tube.posed(&DualQuaternion));
    check_all_near(&dual.positions, &linear.positions, 1e-5);
    let mean = dual.positions.iter().map(|p| p.x).sum::<f32>() / 144.0;
    assert!((mean - 10.0).abs() < 1e-4);
}

#[test]
fn a_skin_without_matrices_lifts_by_the_joints_rest() {
    // B38
    let mut strip = strip();
    strip.joint_from_mesh = None;
    for deformer in [&LinearBlend as &dyn Deformer, &DualQuaternion] {
        let posed = strip.posed(deformer).positions;
        for (row, y) in [(4, 3.0), (3, 2.25), (2, 1.5), (1, 0.75), (0, 0.0)] {
            check_near(posed[row * 2 + 1], Vec3::new(0.5, y, 0.0), 1e-6);
        }
    }
}

#[test]
fn a_rest_pose_other_than_the_bind_pose_is_drawn_as_the_file_says() {
    // B39: bound straight and lying (Z up), standing bent.
    let mut strip = strip();
    let lying = DAffine3::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    for matrix in strip.joint_from_mesh.iter_mut().flatten() {
        *matrix *= lying;
    }
    for position in &mut strip.mesh.positions {
        *position = lying.inverse().transform_point3(position.as_dvec3()).as_vec3();
    }
    strip.nodes[1].rest.rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    check_near(strip.posed(&LinearBlend).positions[7], Vec3::new(-0.25, 1.5, 0.0), 1e-6);
}

#[test]
fn scale_kept_in_the_bind_matrices_counts() {
    // B40: positions stored halved, matrices that double them.
    let mut strip = strip();
    for position in &mut strip.mesh.positions {
        *position *= 0.5;
    }
    for matrix in strip.joint_from_mesh.iter_mut().flatten() {
        *matrix *= DAffine3::from_scale(DVec3::splat(2.0));
    }
    strip.turn(1, 0.0, 0.0, 90.0);
    check_near(strip.posed(&LinearBlend).positions[7], Vec3::new(-0.25, 1.5, 0.0), 1e-6);
    check_near(strip.posed(&DualQuaternion).positions[7], Vec3::new(-0.280_8, 1.648_9, 0.0), 1e-4);
    check_near(strip.posed(&LinearBlend).normals[0], Vec3::Z, 1e-6);
}

#[test]
fn a_turned_helper_between_the_joints_changes_nothing_at_rest() {
    // B51
    let plain = strip();
    let offset = trs([0.0, 0.4, 0.0], DQuat::from_rotation_z(30f64.to_radians()), [1.0; 3]);
    let rest = LocalTransform::from_affine(offset.to_affine().inverse() * DAffine3::from_translation(DVec3::Y));
    let nodes = vec![node(at(0.0, 0.0, 0.0), &[1]), node(offset, &[2]), node(rest, &[])];
    let mesh = plain.mesh.clone();
    let rows = (0..10).map(|v| mesh.weights.get(VertexIndex(v))).collect();
    let mut helped = Character::new(nodes, &[0, 2], mesh.positions.clone(), mesh.normals.clone(), rows);
    check_all_near(&helped.posed(&LinearBlend).positions, &mesh.positions, 1e-6);
    helped.turn(2, 0.0, 0.0, 90.0);
    check_near(helped.posed(&LinearBlend).positions[7], Vec3::new(-0.25, 1.5, 0.0), 1e-6);
}

#[test]
fn normals_of_a_stretched_surface_lean_away_from_the_stretch() {
    // B56
    let diagonal = Vec3::new(0.707_106_77, 0.707_106_77, 0.0);
    let nodes = vec![node(trs([0.0; 3], DQuat::IDENTITY, [4.0, 1.0, 1.0]), &[])];
    let mut quad =
        Character::new(nodes, &[0], vec![Vec3::ZERO; 4], vec![diagonal; 4], vec![Row::rigid(JointSlot(0)); 4]);
    quad.joint_from_mesh = None;
    for deformer in [&LinearBlend as &dyn Deformer, &DualQuaternion] {
        check_near(quad.posed(deformer).normals[2], Vec3::new(0.242_535_6, 0.970_142_5, 0.0), 1e-6);
    }
    // A joint scaled to nothing keeps its rotation's normal.
    quad.nodes[0].rest.scale = DVec3::ZERO;
    for deformer in [&LinearBlend as &dyn Deformer, &DualQuaternion] {
        check_near(quad.posed(deformer).normals[2], diagonal, 1e-6);
    }
}

#[test]
fn morph_targets_come_before_the_bend() {
    // B57
    let mut strip = strip();
    strip.mesh.morph_targets = vec![MorphTarget {
        name: None,
        vertices: vec![VertexIndex(8), VertexIndex(9)],
        positions: vec![Vec3::Z; 2],
        normals: vec![Vec3::ZERO; 2],
    }];
    strip.mesh.morph_weights = vec![1.0];
    strip.turn(1, 0.0, 0.0, 90.0);
    // (0.5, 2) goes to (−1, 1.5) about the joint at (0, 1).
    check_near(strip.posed(&LinearBlend).positions[9], Vec3::new(-1.0, 1.5, 1.0), 1e-6);
    strip.pose.morph_weights.insert(NodeIndex(2), vec![0.0]);
    check_near(strip.posed(&LinearBlend).positions[9], Vec3::new(-1.0, 1.5, 0.0), 1e-6);
}

#[test]
fn rows_off_their_sum_look_the_same_anywhere_unless_raw() {
    // B21
    let mut strip = strip();
    strip.nodes[0].rest = at(100.0, 0.0, 0.0);
    let whole = strip.posed(&LinearBlend).positions;
    strip.change_rows(|v, row| {
        if v / 2 == 1 {
            row.influences_mut().iter_mut().for_each(|influence| influence.weight *= 0.98);
        }
    });
    for deformer in [&LinearBlend as &dyn Deformer, &DualQuaternion] {
        check_all_near(&strip.posed(deformer).positions, &whole, 1e-4);
    }
    let raw = strip.posed_with(&LinearBlend, OffSum::Raw).positions;
    check_near(raw[2], whole[2] * 0.98, 1e-4);
    assert!(raw[2].distance(whole[2]) > 1.9);
}

#[test]
fn deformers_are_found_by_name() {
    assert_eq!(deformer_named("lbs").map(Deformer::label), Some("Linear blend"));
    assert_eq!(deformer_named("dqs").map(Deformer::label), Some("Dual quaternion"));
    assert!(deformer_named("LBS").is_none());
}
