//! Rows, matrices and lengths that should not be, and are.

use glam::{DAffine3, Vec3};
use sinew_deform::{Deformer, DualQuaternion, LinearBlend, OffSum, SkinInput, SkinInputError};
use sinew_model::{JointSlot, Row, StandIns};

use crate::fixtures::*;

const BOTH: [&dyn Deformer; 2] = [&LinearBlend, &DualQuaternion];

#[test]
fn arrays_of_different_lengths_are_refused_with_numbers() {
    let strip = strip();
    let mesh = &strip.mesh;
    let none = StandIns::default();
    let found = SkinInput::new(&mesh.positions, &mesh.normals[..3], &mesh.weights, &none, OffSum::Divide).err();
    assert_eq!(found, Some(SkinInputError::Length { what: "normals", expected: 10, found: 3 }));
    let found = SkinInput::new(&mesh.positions[..3], &mesh.normals[..3], &mesh.weights, &none, OffSum::Divide).err();
    assert_eq!(found.map(|error| error.to_string()).as_deref(), Some("10 weight rows for 3 positions"));
}

#[test]
fn unweighted_vertices_go_with_the_nearest_weighted_one() {
    // B20
    let mut strip = strip();
    strip.change_rows(|v, row| {
        if v >= 8 {
            row.clear();
        }
    });
    for deformer in BOTH {
        strip.pose.reset_turns();
        check_near(strip.posed(deformer).positions[9], Vec3::new(0.5, 2.0, 0.0), 1e-6);
        strip.turn(1, 0.0, 0.0, 90.0);
        // With the row of vertex 7: three quarters J1.
        let mut lent = strip.clone();
        lent.change_rows(|v, row| {
            if v >= 8 {
                *row = ramp(0.75);
            }
        });
        assert_eq!(strip.posed(deformer), lent.posed(deformer));
        // As an engine: nothing carries it.
        assert_eq!(strip.posed_with(deformer, OffSum::Raw).positions[9], Vec3::ZERO);
    }
}

#[test]
fn a_mesh_without_any_weight_stays_with_its_node() {
    let mut strip = strip();
    strip.change_rows(|_, row| row.clear());
    strip.nodes[2].rest = at(3.0, 0.0, 0.0);
    for deformer in BOTH {
        check_near(strip.posed(deformer).positions[9], Vec3::new(3.5, 2.0, 0.0), 1e-6);
    }
}

#[test]
fn joints_past_the_list_count_as_no_influence() {
    let mut strip = strip();
    strip.turn(1, 0.0, 0.0, 90.0);
    let plain = strip.clone();
    strip.change_rows(|_, row| {
        row.influences_mut().iter_mut().for_each(|influence| influence.weight *= 0.5);
        row.set(JointSlot(2), 0.5);
    });
    for deformer in BOTH {
        check_all_near(&strip.posed(deformer).positions, &plain.posed(deformer).positions, 1e-6);
    }
    let half: Vec<Vec3> = plain.posed(&LinearBlend).positions.iter().map(|&p| p * 0.5).collect();
    check_all_near(&strip.posed_with(&LinearBlend, OffSum::Raw).positions, &half, 1e-6);
}

#[test]
fn a_weight_that_is_not_finite_is_as_good_as_none() {
    let mut strip = strip();
    strip.change_rows(|v, row| {
        if v == 9 {
            row.influences_mut()[0].weight = f32::NAN;
        }
    });
    strip.turn(1, 0.0, 0.0, 90.0);
    // The nearest vertex is 7, three quarters J1.
    let mut lent = strip.clone();
    lent.change_rows(|v, row| {
        if v == 9 {
            *row = ramp(0.75);
        }
    });
    for deformer in BOTH {
        assert_eq!(strip.posed(deformer), lent.posed(deformer));
        check_sane(&strip.posed_with(deformer, OffSum::Raw));
    }
}

#[test]
fn a_joint_whose_matrix_is_not_finite_moves_nothing() {
    let mut strip = strip();
    strip.joint_from_mesh.as_mut().expect("matrices")[1] = DAffine3::NAN;
    assert_eq!(strip.palette().unsound_slots().collect::<Vec<_>>(), [JointSlot(1)]);
    for deformer in BOTH {
        // What J0 has a share in goes with J0 alone; the rest stays with the node.
        check_all_near(&strip.posed(deformer).positions, &strip.mesh.positions, 1e-6);
    }
}

#[test]
fn shares_for_skinning_elsewhere_are_what_the_deformers_use() {
    let mut character = four_influences();
    character.change_rows(|v, row| match v % 4 {
        1 => row.influences_mut()[0].weight = 0.9,
        2 => row.clear(),
        3 => row.set(JointSlot(99), 0.5),
        _ => {}
    });
    let stand_ins = StandIns::of(&character.mesh);
    let (mesh, palette) = (&character.mesh, character.palette());
    let input = SkinInput::new(&mesh.positions, &mesh.normals, &mesh.weights, &stand_ins, OffSum::Divide);
    let input = input.expect("lengths agree");
    let posed = character.posed(&LinearBlend);
    for vertex in mesh.weights.vertices() {
        let p = mesh.positions[vertex.idx()].extend(1.0);
        let mut sum = Vec3::ZERO;
        input.for_each_share(&palette, vertex, |at, weight| {
            let rows = palette.rows()[at];
            sum += Vec3::new(rows[0].dot(p), rows[1].dot(p), rows[2].dot(p)) * weight;
        });
        check_near(sum, posed.positions[vertex.idx()], 2e-6);
    }
}

#[test]
fn rows_within_tolerance_are_not_divided() {
    // To the bit what an engine gives.
    let mut strip = strip();
    strip.turn(1, 0.0, 0.0, 33.0);
    strip.change_rows(|_, row| {
        if row.len() == 2 {
            row.influences_mut()[0].weight += 3e-7;
        }
    });
    for deformer in BOTH {
        assert_eq!(strip.posed(deformer), strip.posed_with(deformer, OffSum::Raw));
    }
    strip.change_rows(|_, row| {
        if row.len() == 2 {
            row.influences_mut()[0].weight += 3e-6;
        }
    });
    assert_ne!(strip.posed(&LinearBlend), strip.posed_with(&LinearBlend, OffSum::Raw));
}

#[test]
fn the_last_of_thousands_of_joints_is_followed() {
    // B68
    for n_joints in [300u32, 1_484, 5_000, 65_536] {
        let nodes = (0..n_joints)
            .map(|j| node(at(0.0, 0.001, 0.0), &if j + 1 < n_joints { vec![j + 1] } else { Vec::new() }))
            .collect();
        let joints: Vec<u32> = (0..n_joints).collect();
        let tip = Vec3::new(1.0, 0.001 * n_joints as f32, 0.0);
        let rows = vec![Row::rigid(JointSlot((n_joints - 1) as u16)); 2];
        let mut chain = Character::new(nodes, &joints, vec![tip; 2], vec![Vec3::X; 2], rows);
        chain.turn(n_joints - 1, 0.0, 0.0, 90.0);
        for deformer in BOTH {
            let posed = chain.posed(deformer);
            check_near(posed.positions[1], tip + Vec3::new(-1.0, 1.0, 0.0), 1e-4);
            check_near(posed.normals[1], Vec3::Y, 1e-4);
        }
    }
}
