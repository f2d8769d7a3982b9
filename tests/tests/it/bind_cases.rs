//! What bind matrices may hold, and that they are left alone.

use glam::{Mat4, Quat, Vec3};
use sinew_tests::{PositionsType, strip};

use crate::job::{Job, assert_all_near, assert_near};
use crate::stored::Stored;

#[test]
fn without_matrices_every_joint_is_bound_at_the_origin() {
    // B38
    let mut scene = strip();
    scene.skins[0].inverse_bind = None;
    let mut job = Job::of(&scene);
    for deformer in ["lbs", "dqs"] {
        let posed = job.posed_in("J1:0,0,0", deformer);
        for (row, y) in [0.0, 0.75, 1.5, 2.25, 3.0].into_iter().enumerate() {
            assert_near(posed[2 * row], Vec3::new(-0.5, y, 0.0), 1e-6);
            assert_near(posed[2 * row + 1], Vec3::new(0.5, y, 0.0), 1e-6);
        }
    }
    job.run(&["reset_pose", "set vertices=4 joint=J1 value=0.75"]);
    let stored = Stored::of(&job.save());
    assert!(stored.json["skins"][0].get("inverseBindMatrices").is_none());
}

#[test]
fn a_rest_pose_bent_away_from_the_bind_pose_is_drawn_bent() {
    // B39: bound straight and lying (Z up), standing bent.
    let mut scene = strip();
    let fixture_from_file = Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    for matrix in scene.skins[0].inverse_bind.iter_mut().flatten() {
        *matrix *= fixture_from_file;
    }
    for position in &mut scene.primitive().positions {
        *position = Vec3::new(position.x, -position.z, position.y);
    }
    scene.nodes[1].rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let mut job = Job::of(&scene);
    let posed = job.posed(0);
    assert_near(posed[7], Vec3::new(-0.25, 1.5, 0.0), 1e-6);
    assert_near(posed[5], Vec3::new(0.25, 1.25, 0.0), 1e-6);
    // Painted where it stands.
    job.run(&["stroke joint=J1 value=1 radius=0.1 falloff=constant points=-0.25,1.5,0"]);
    assert_eq!(job.weight(7, 1), 1.0);
    assert_eq!(job.edited().values().map(std::collections::BTreeSet::len).sum::<usize>(), 1);
    job.save();
}

#[test]
fn halved_positions_under_doubling_matrices_are_painted_in_scene_units() {
    // B40
    let mut scene = strip();
    scene.primitive().positions_type = PositionsType::I16 { divisor: 2.0 };
    let (mut quantised, mut float) = (Job::of(&scene), Job::of(&strip()));
    let posed = quantised.posed(0);
    assert_all_near(&posed, &float.posed(0), 1e-4);
    let height =
        posed.iter().map(|p| p.y).fold(f32::MIN, f32::max) - posed.iter().map(|p| p.y).fold(f32::MAX, f32::min);
    assert!((height - 2.0).abs() < 1e-4, "two units tall, not {height}");
    for center in ["0.4,1,0", "0.5,1.3,0", "0.45,1.75,0"] {
        for job in [&mut quantised, &mut float] {
            job.run(&[&format!("stroke joint=J0 value=0.7 radius=0.3 falloff=constant points={center}")]);
        }
        let painted = quantised.edited();
        assert!(!painted.is_empty());
        assert_eq!(painted, float.edited(), "a brush of .3 at {center} touches the same vertices");
    }
    let (was, is) = (Stored::of(&quantised.files), Stored::of(&quantised.save()));
    let position = was.attribute(0, 0, "POSITION").expect("positions");
    assert!(was.elements(position) == is.elements(position));
    assert_eq!(is.json["extensionsRequired"][0], "KHR_mesh_quantization");
}
