//! What every deformer must do. A new deformer gets one line at the end.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use proptest::prelude::*;
use sinew_deform::{Deformer, DualQuaternion, LinearBlend, OffSum, Palette, Posed, SkinInput};
use sinew_model::{JointSlot, LocalTransform, NodeIndex, Row, StandIns, VertexIndex};

use crate::fixtures::*;

pub fn bind_pose_is_the_identity(deformer: &dyn Deformer) {
    let mut character = four_influences();
    character.pose.reset_turns();
    let posed = character.posed(deformer);
    check_all_near(&posed.positions, &character.mesh.positions, 2e-6);
    check_all_near(&posed.normals, &character.mesh.normals, 2e-6);
}

pub fn moving_the_whole_skeleton_moves_the_result_rigidly(deformer: &dyn Deformer) {
    let mut character = four_influences();
    let before = character.posed(deformer);
    let root = trs([4.0, -2.0, 7.0], DQuat::from_axis_angle(DVec3::new(2.0, -1.0, 3.0).normalize(), 2.2), [1.0; 3]);
    let moved = root.to_affine() * character.nodes[0].rest.to_affine();
    character.nodes[0].rest = LocalTransform::from_affine(moved);
    // The rest transform of the root has no turn of its own, so turning by hand still comes after it.
    let after = character.posed(deformer);
    let rigid = |v: &Vec3| root.to_affine().transform_point3(v.as_dvec3()).as_vec3();
    let turned = |v: &Vec3| root.to_affine().transform_vector3(v.as_dvec3()).as_vec3();
    check_all_near(&after.positions, &before.positions.iter().map(rigid).collect::<Vec<_>>(), 1e-5);
    check_all_near(&after.normals, &before.normals.iter().map(turned).collect::<Vec<_>>(), 1e-5);
}

pub fn the_order_within_a_row_changes_no_bit(deformer: &dyn Deformer) {
    let straight = four_influences();
    let before = straight.posed(deformer);
    for (first, second) in [(0, 3), (1, 2), (0, 1), (2, 3), (0, 2)] {
        let mut shuffled = straight.clone();
        shuffled.change_rows(|_, row| {
            let before = row.clone();
            row.influences_mut().swap(first, second);
            assert_ne!(*row, before);
        });
        check_same_bits(&shuffled.posed(deformer), &before);
    }
    // The same for rows that are divided by their sum.
    let mut off_sum = straight.clone();
    off_sum.change_rows(|_, row| row.influences_mut()[0].weight *= 0.5);
    let mut shuffled = off_sum.clone();
    shuffled.change_rows(|_, row| row.influences_mut().reverse());
    check_same_bits(&shuffled.posed(deformer), &off_sum.posed(deformer));
}

pub fn the_order_within_long_rows_changes_no_bit(deformer: &dyn Deformer) {
    for n in [5, 8, 9, 12, 33, 40] {
        let mut long = four_influences();
        while long.joints.len() < n {
            long.joints.push(long.joints[long.joints.len() % 6]);
            let matrices = long.joint_from_mesh.as_mut().expect("matrices");
            matrices.push(DAffine3::from_translation(DVec3::X * matrices.len() as f64 * 0.1) * matrices[2]);
        }
        let weights = |v: usize| (0..n).map(move |i| 1.0 + ((v * 3 + i * 7) % 13) as f32);
        let row = |v: usize| -> Row {
            let sum: f32 = weights(v).sum();
            weights(v).enumerate().map(|(i, weight)| (JointSlot(i as u16), weight / sum)).collect()
        };
        for stride in [n, 4] {
            long.mesh.weights = sinew_model::WeightTable::new(144, stride);
            for v in 0..144 {
                long.mesh.weights.set(VertexIndex(v), &row(v as usize));
            }
            let before = long.posed(deformer);
            check_sane(&before);
            let mut reversed = long.clone();
            reversed.change_rows(|_, row| row.influences_mut().reverse());
            check_same_bits(&reversed.posed(deformer), &before);
        }
    }
}

pub fn the_mesh_origin_does_not_matter(deformer: &dyn Deformer) {
    let mut character = scaled_and_sheared();
    let before = character.posed(deformer);
    character.move_mesh_origin(Vec3::new(3.0, -5.0, 2.0));
    let after = character.posed(deformer);
    check_all_near(&after.positions, &before.positions, 2e-5);
    check_all_near(&after.normals, &before.normals, 1e-5);
}

pub fn the_number_of_threads_changes_no_bit(deformer: &dyn Deformer) {
    let character = repeated(&four_influences(), 200);
    let with_threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads");
        pool.install(|| character.posed(deformer))
    };
    let one = with_threads(1);
    check_same_bits(&with_threads(3), &one);
    check_same_bits(&with_threads(8), &one);
}

pub fn one_influence_moves_exactly_as_its_matrix(deformer: &dyn Deformer) {
    // B45: scaled parent, uneven and negative joint scale; and shear.
    let turned = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 0.6);
    for scale in [[2.0, 1.0, 1.0], [-2.0, 1.0, 1.0], [-1.0, -3.0, -0.5], [1.0, 1e-3, 1.0], [0.5, 0.5, 0.5]] {
        let parent = trs([0.0; 3], turned, [0.25, 0.25, 0.5]);
        let joint = trs([0.3, 0.1, 0.0], DQuat::from_rotation_z(30f64.to_radians()), scale);
        let corner = |v: usize| Vec3::new((v & 1) as f32, (v >> 1 & 1) as f32, (v >> 2) as f32) - 0.5;
        let positions: Vec<Vec3> = (0..8).map(corner).collect();
        let normals: Vec<Vec3> = positions.iter().map(|p| p.try_normalize().expect("a corner")).collect();
        let rows = vec![Row::rigid(JointSlot(0)); 8];
        let nodes = vec![node(parent, &[1]), node(joint, &[])];
        let mut cube = Character::new(nodes, &[1], positions.clone(), normals.clone(), rows);
        cube.joint_from_mesh = None;
        let matrix = parent.to_affine() * joint.to_affine();
        let inverse_transpose = matrix.matrix3.inverse().transpose();
        let posed = cube.posed(deformer);
        for v in 0..8 {
            check_near(posed.positions[v], matrix.transform_point3(positions[v].as_dvec3()).as_vec3(), 1e-6);
            let expected = (inverse_transpose * normals[v].as_dvec3()).normalize_or_zero().as_vec3();
            check_near(posed.normals[v], expected, 2e-5);
        }
    }
}

pub fn antipodal_quaternions_turn_the_short_way(deformer: &dyn Deformer) {
    // B44: ring 4 sits between 170° and 190° about Y.
    let mut tube = tube();
    tube.turn(0, 0.0, 170.0, 0.0);
    tube.turn(1, 0.0, 20.0, 0.0);
    let posed = tube.posed(deformer);
    let radius = if deformer.name() == "lbs" { 0.2 * 10f32.to_radians().cos() } else { 0.2 };
    let expected = Vec3::new(-radius, 1.0, 0.0);
    check_near(posed.positions[64], expected, 1e-5);
}

pub fn earlier_calls_leave_no_trace(deformer: &dyn Deformer) {
    // B47
    let mut tube = tube();
    tube.turn(1, 0.0, 200.0, 0.0);
    let direct = tube.posed(deformer);
    let mut last = Posed::default();
    for step in (0..=36).chain((20..36).rev()) {
        tube.turn(1, 0.0, step as f32 * 10.0, 0.0);
        last = tube.posed(deformer);
    }
    check_same_bits(&last, &direct);
}

pub fn turning_everything_through_180_degrees_makes_no_jump(deformer: &dyn Deformer) {
    // B47: a vertex moves 0.2 · 1° and no more from one degree to the next.
    let mut tube = tube();
    let mut before: Option<Posed> = None;
    for degrees in 170..=190 {
        tube.turn(0, 0.0, degrees as f32, 0.0);
        let now = tube.posed(deformer);
        if let Some(before) = before {
            check_all_near(&now.positions, &before.positions, 0.2 * 1f32.to_radians() + 1e-5);
        }
        before = Some(now);
    }
}

pub fn some_vertices_get_the_same_bits_as_all(deformer: &dyn Deformer) {
    let mut character = repeated(&four_influences(), 40);
    // All kinds of rows: long, off the sum, unweighted, past the list.
    character.change_rows(|v, row| match v % 50 {
        1 => row.influences_mut()[0].weight = 0.9,
        2 => row.clear(),
        3 => (0..6).for_each(|slot| row.set(JointSlot(slot), 1.0 / 6.0)),
        4 => row.set(JointSlot(99), 0.5),
        _ => {}
    });
    let stand_ins = StandIns::of(&character.mesh);
    let mesh = &character.mesh;
    let input =
        SkinInput::new(&mesh.positions, &mesh.normals, &mesh.weights, &stand_ins, OffSum::Divide).expect("lengths");
    let palette = character.palette();
    let mut all = Posed::default();
    deformer.deform(&input, &palette, &mut all);
    let n = mesh.n_vertices() as u32;
    let untouched = Posed { positions: vec![Vec3::splat(7.0); n as usize], normals: vec![Vec3::X; n as usize] };
    let lists = [
        vec![],
        vec![0],
        vec![3, 2, 1],
        (0..n).step_by(3).collect(),
        (0..n).rev().collect(),
        vec![n, 5, 4_000_000_000],
    ];
    for list in lists {
        let vertices: Vec<VertexIndex> = list.iter().map(|&v| VertexIndex(v)).collect();
        let mut some = untouched.clone();
        deformer.deform_some(&input, &palette, &vertices, &mut some);
        for v in 0..n as usize {
            let expected = if list.contains(&(v as u32)) { &all } else { &untouched };
            assert_eq!(
                some.positions[v].to_array().map(f32::to_bits),
                expected.positions[v].to_array().map(f32::to_bits)
            );
            assert_eq!(some.normals[v].to_array().map(f32::to_bits), expected.normals[v].to_array().map(f32::to_bits));
        }
    }
}

pub fn nothing_makes_nan(deformer: &dyn Deformer) {
    let flat =
        [[0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1e-30, 1.0, 1.0], [1e17, 1e17, 1e17], [1e25, 1.0, 1.0]];
    for scale in flat {
        for who in 0..3 {
            for off_sum in [OffSum::Divide, OffSum::Raw] {
                let mut character = four_influences();
                character.nodes[who].rest.scale = DVec3::from(scale);
                check_sane(&character.posed_with(deformer, off_sum));
            }
        }
    }
    let mut character = four_influences();
    character.joint_from_mesh.as_mut().expect("matrices")[1] = DAffine3::NAN;
    check_sane(&character.posed(deformer));
    character.mesh.normals = vec![Vec3::ZERO; 144];
    check_sane(&character.posed(deformer));
    character.mesh.positions = vec![Vec3::splat(f32::MAX); 144];
    check_sane(&character.posed(deformer));
    character.mesh.positions = vec![Vec3::NAN; 144];
    check_sane(&character.posed(deformer));
    // Half a turn exactly: a tie.
    for (x, y, z) in [(180.0, 0.0, 0.0), (0.0, 180.0, 0.0), (0.0, 0.0, 180.0), (180.0, 180.0, 90.0)] {
        let mut tube = tube();
        tube.turn(1, x, y, z);
        check_sane(&tube.posed(deformer));
    }
    let nothing = Character::new(two_joints(), &[0, 1], Vec::new(), Vec::new(), Vec::new());
    assert_eq!(nothing.posed(deformer), Posed::default());
}

pub fn mirrored_joints_give_the_mirror_image(deformer: &dyn Deformer) {
    // B55: the same limb under a parent with scale (−1, 1, 1), bent alike, is the mirror image; normals too.
    let mut plain = tube();
    plain.turn(1, 20.0, 40.0, 30.0);
    let expected = plain.posed(deformer);
    let mut mirrored = plain.clone();
    mirrored.nodes[0].rest.scale.x = -1.0;
    let posed = mirrored.posed(deformer);
    let mirror = |v: &Vec3| Vec3::new(-v.x, v.y, v.z);
    check_all_near(&posed.positions, &expected.positions.iter().map(mirror).collect::<Vec<_>>(), 1e-5);
    check_all_near(&posed.normals, &expected.normals.iter().map(mirror).collect::<Vec<_>>(), 1e-5);
}

pub fn a_mesh_without_a_skin_is_placed_by_its_node(deformer: &dyn Deformer) {
    let place = DAffine3 { matrix3: DMat3::from_diagonal(DVec3::new(4.0, 1.0, 1.0)), translation: DVec3::Y };
    let character = tube();
    let none = StandIns::default();
    let mesh = &character.mesh;
    for off_sum in [OffSum::Divide, OffSum::Raw] {
        let input = SkinInput::new(&mesh.positions, &mesh.normals, &mesh.weights, &none, off_sum).expect("lengths");
        let mut posed = Posed::default();
        deformer.deform(&input, &Palette::rigid(place), &mut posed);
        for v in 0..144 {
            check_near(posed.positions[v], mesh.positions[v] * Vec3::new(4.0, 1.0, 1.0) + Vec3::Y, 1e-6);
            let normal = (mesh.normals[v] * Vec3::new(0.25, 1.0, 1.0)).normalize_or_zero();
            check_near(posed.normals[v], normal, 1e-6);
        }
    }
}

/// Uneven scale, shear and a mirror somewhere along the chain.
pub fn scaled_and_sheared() -> Character {
    let mut character = four_influences();
    character.nodes[1].rest.scale = DVec3::new(1.3, 0.8, 1.0);
    character.nodes[2].rest.shear.y_axis.x = 0.3;
    character.nodes[3].rest.scale = DVec3::new(0.7, 1.0, 1.2);
    character
}

fn repeated(character: &Character, times: usize) -> Character {
    let mesh = &character.mesh;
    let n = mesh.n_vertices();
    let rows: Vec<Row> = (0..n * times).map(|v| mesh.weights.get(VertexIndex::from_idx(v % n))).collect();
    let nodes = character.nodes[..character.nodes.len() - 1].to_vec();
    let mut many =
        Character::new(nodes, &character.joints, mesh.positions.repeat(times), mesh.normals.repeat(times), rows);
    many.pose = character.pose.clone();
    many
}

#[track_caller]
fn check_same_bits(found: &Posed, expected: &Posed) {
    let bits = |posed: &Posed| -> Vec<[u32; 3]> {
        posed.positions.iter().chain(&posed.normals).map(|v| v.to_array().map(f32::to_bits)).collect()
    };
    assert!(bits(found) == bits(expected), "the results differ");
}

/// Runs the suite over a deformer.
macro_rules! deformer_tests {
    ($name:ident, $deformer:expr, [$($check:ident)*]) => {
        mod $name {
            use super::*;
            $(#[test] fn $check() { super::$check(&$deformer); })*
        }
    };
    ($name:ident, $deformer:expr) => {
        deformer_tests!($name, $deformer, [
            bind_pose_is_the_identity
            moving_the_whole_skeleton_moves_the_result_rigidly
            the_order_within_a_row_changes_no_bit
            the_order_within_long_rows_changes_no_bit
            the_mesh_origin_does_not_matter
            the_number_of_threads_changes_no_bit
            one_influence_moves_exactly_as_its_matrix
            antipodal_quaternions_turn_the_short_way
            earlier_calls_leave_no_trace
            turning_everything_through_180_degrees_makes_no_jump
            some_vertices_get_the_same_bits_as_all
            nothing_makes_nan
            mirrored_joints_give_the_mirror_image
            a_mesh_without_a_skin_is_placed_by_its_node
        ]);
    };
}

deformer_tests!(linear_blend, LinearBlend);
deformer_tests!(dual_quaternion, DualQuaternion);

proptest! {
    /// Listing 10.7: the position goes to each joint's space, each joint carries it to the scene, the results are
    /// blended. In double precision and without any of the kernels' code.
    #[test]
    fn linear_blending_agrees_with_blending_positions(angles in proptest::array::uniform6(-180.0f32..180.0)) {
        let mut character = scaled_and_sheared();
        for (j, &angle) in angles.iter().enumerate() {
            character.turn(j as u32, angle, angle * 0.5, -angle);
        }
        let scene = character.scene();
        let joint_from_mesh = character.joint_from_mesh.clone().expect("matrices");
        let posed = character.posed(&LinearBlend);
        for v in 0..144 {
            let raw = character.mesh.positions[v].as_dvec3();
            let mut expected = DVec3::ZERO;
            character.mesh.weights.row(VertexIndex::from_idx(v)).for_each(|influence| {
                let in_joint = joint_from_mesh[influence.slot.idx()].transform_point3(raw);
                let scene_from_joint = scene[character.joints[influence.slot.idx()] as usize];
                expected += scene_from_joint.transform_point3(in_joint) * f64::from(influence.weight);
            });
            prop_assert!(posed.positions[v].distance(expected.as_vec3()) < 1e-5);
        }
    }

    /// The published method, written out with one dual quaternion per joint, for joints that only turn and move.
    #[test]
    fn without_scale_dual_quaternion_skinning_is_the_published_one(angles in proptest::array::uniform6(-180.0f32..180.0)) {
        let mut character = four_influences();
        for (j, &angle) in angles.iter().enumerate() {
            character.turn(j as u32, angle * 0.3, angle, angle * -0.2);
        }
        let scene = character.scene();
        let joint_from_mesh = character.joint_from_mesh.clone().expect("matrices");
        let posed = character.posed(&DualQuaternion);
        for v in 0..144 {
            let row = character.mesh.weights.get(VertexIndex::from_idx(v));
            let dual = |slot: JointSlot| {
                let m = scene[character.joints[slot.idx()] as usize] * joint_from_mesh[slot.idx()];
                let real = DQuat::from_mat3(&m.matrix3).normalize();
                let t = m.translation;
                (real, DQuat::from_xyzw(t.x, t.y, t.z, 0.0).mul_quat(real) * 0.5)
            };
            let mut heaviest = row.influences()[0];
            for influence in row.influences() {
                let heavier = influence.weight > heaviest.weight;
                if heavier || (influence.weight == heaviest.weight && influence.slot < heaviest.slot) {
                    heaviest = *influence;
                }
            }
            let toward = dual(heaviest.slot).0;
            let (mut real, mut moved) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
            let mut is_tie = false;
            for influence in row.influences() {
                let (r, d) = dual(influence.slot);
                is_tie |= r.dot(toward).abs() < 1e-4;
                let weight = f64::from(influence.weight) * r.dot(toward).signum();
                real += r * weight;
                moved += d * weight;
            }
            if is_tie {
                continue;
            }
            let length = real.length();
            let (real, moved) = (real / length, moved / length);
            let t = moved.mul_quat(real.conjugate()) * 2.0;
            let expected = real * character.mesh.positions[v].as_dvec3() + DVec3::new(t.x, t.y, t.z);
            prop_assert!(posed.positions[v].distance(expected.as_vec3()) < 2e-5, "vertex {v}");
            let normal = real * character.mesh.normals[v].as_dvec3();
            prop_assert!(posed.normals[v].distance(normal.as_vec3()) < 2e-5, "normal {v}");
        }
    }
}

#[test]
fn the_node_of_a_skinned_mesh_places_nothing() {
    // B50
    let mut character = strip();
    character.turn(1, 0.0, 0.0, 40.0);
    let expected = character.posed(&LinearBlend);
    let instance = NodeIndex::from_idx(2);
    character.nodes[instance.idx()].rest = trs([5.0, 0.0, 0.0], DQuat::from_rotation_x(1.0), [3.0; 3]);
    check_same_bits(&character.posed(&LinearBlend), &expected);
}
