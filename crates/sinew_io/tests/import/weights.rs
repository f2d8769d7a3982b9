//! Weight rows: sets, types, storage, and what counts as no influence.

use serde_json::json;
use sinew_io::{ImportWarning, OpenError};
use sinew_model::{VertexIndex, WeightCensus};
use sinew_tests::{Placement, Scene, Share, Storage, WeightsType, chain, cube, strip};

use crate::{assert_same_mesh, changed, mesh, opened, opened_scene, row, row_in, row_of, try_open};

fn with_row(influences: &[(u16, f32)], n_joints: usize) -> Scene {
    let mut scene = chain(n_joints);
    scene.rows()[3] = influences.to_vec();
    scene
}

#[test]
fn all_sets_are_one_list_of_influences() {
    // B01
    let influences = [(0, 0.30), (1, 0.25), (2, 0.20), (3, 0.15), (4, 0.06), (5, 0.04)];
    let imported = opened_scene(&with_row(&influences, 6));
    assert_eq!(row_of(&imported, 3), influences);
    assert_eq!(imported.source.meshes[0].pools[0].sets.len(), 2);
}

#[test]
fn slots_without_weight_are_no_influences_whatever_joint_they_name() {
    // B05
    let imported = opened_scene(&with_row(&[(0, 0.5), (1, 0.5), (7, 0.0), (7, -0.0)], 8));
    assert_eq!(row_of(&imported, 3), [(0, 0.5), (1, 0.5)]);
    assert_eq!(imported.warnings, []);
}

#[test]
fn interleaved_and_separate_attributes_read_alike() {
    // B06
    let separate = strip();
    let mut interleaved = strip();
    interleaved.primitive().placement = Placement::Interleaved { byte_stride: 44 };
    assert_same_mesh(&opened_scene(&interleaved), &opened_scene(&separate));
}

#[test]
fn sparse_accessors_read_as_dense_ones_do_with_and_without_a_base() {
    // B07
    let mut sparse = strip();
    sparse.primitive().positions_storage = Storage::SparseOverBase(vec![3, 8]);
    sparse.primitive().weights_storage = Storage::SparseOverNothing;
    assert_same_mesh(&opened_scene(&sparse), &opened_scene(&strip()));
}

#[test]
fn integer_weights_are_fractions_of_their_largest_value() {
    for (weights_type, full) in [(WeightsType::U8, 255.0f32), (WeightsType::U16, 65535.0)] {
        let mut scene = strip();
        scene.primitive().weights_type = weights_type;
        let imported = opened_scene(&scene);
        let quarter = (0.25 * full).round();
        assert_eq!(row_of(&imported, 2), [(0, (full - quarter) / full), (1, quarter / full)]);
    }
}

#[test]
fn integer_weights_without_the_mark_are_read_as_if_they_had_it() {
    let mut scene = strip();
    scene.primitive().weights_type = WeightsType::U8;
    let with = opened_scene(&scene);
    let without = opened(changed(&scene, |json| {
        for accessor in json["accessors"].as_array_mut().expect("accessors") {
            accessor.as_object_mut().expect("an accessor").remove("normalized");
        }
    }));
    assert_same_mesh(&with, &without);
    assert!(matches!(without.warnings[..], [ImportWarning::UnmarkedIntegerWeights { .. }]));
}

#[test]
fn more_than_255_joints_are_told_apart() {
    // B16
    let imported = opened_scene(&chain(300));
    assert_eq!(row_of(&imported, 9), [(299, 1.0)]);
}

#[test]
fn vertices_without_weight_open_and_are_counted() {
    // B20, B22
    let mut scene = strip();
    scene.rows()[8] = vec![];
    scene.rows()[9] = vec![(0, 0.0)];
    let imported = opened_scene(&scene);
    let census = WeightCensus::of(mesh(&imported), 4, 0.0);
    assert_eq!(census.unweighted, [VertexIndex(8), VertexIndex(9)]);
    assert_eq!(census.off_sum, []);
    let warning = ImportWarning::Unweighted { mesh: "Strip".to_owned(), n_vertices: 2 };
    assert!(!warning.is_minor());
    assert_eq!(imported.warnings, [warning]);
}

#[test]
fn sums_that_are_off_are_said_once_for_a_mesh_and_rounding_is_a_minor_matter() {
    // B17: 254 of 255, as 87 + 86 + 50 + 31 has it.
    let mut scene = chain(4);
    scene.primitive().weights_type = WeightsType::U8;
    let units = |units: [u16; 4]| (0..4).map(|k| (k, f32::from(units[usize::from(k)]) / 255.0)).collect();
    scene.rows()[1] = units([87, 86, 50, 31]);
    scene.rows()[2] = units([128, 128, 0, 0]);
    let imported = opened_scene(&scene);
    let [warning] = &imported.warnings[..] else { panic!("one line, not {:?}", imported.warnings) };
    let ImportWarning::OffSum { mesh, n_vertices: 2, largest_off } = warning else { panic!("{warning:?}") };
    assert_eq!(mesh, "Chain");
    assert!((largest_off - 1.0 / 255.0).abs() < 1e-6);
    assert!(warning.is_minor(), "{warning}");
    assert!(
        warning.to_string().contains("2 vertices have weights that do not sum to 1, by up to 0.003922"),
        "{warning}"
    );

    let mut scene = strip();
    scene.rows()[3] = vec![(0, 0.5), (1, 0.25)];
    let imported = opened_scene(&scene);
    assert!(matches!(imported.warnings[..], [ImportWarning::OffSum { n_vertices: 1, .. }]), "{:?}", imported.warnings);
    assert!(!imported.warnings[0].is_minor(), "a quarter of the weight is missing");
}

#[test]
fn a_joint_that_stands_twice_gets_the_sum() {
    // B26
    let imported = opened_scene(&with_row(&[(1, 0.25), (0, 0.5), (1, 0.25)], 2));
    assert!(mesh(&imported).weights.get(VertexIndex(3)).same_influences(&row(&[(0, 0.5), (1, 0.5)])));
    let warning = ImportWarning::RepeatedJoints { mesh: "Chain".to_owned(), n_vertices: 1 };
    assert_eq!(imported.warnings, [warning]);
}

#[test]
fn weights_that_are_no_weights_count_as_none_and_are_counted() {
    let mut scene = strip();
    scene.rows()[1] = vec![(0, f32::NAN), (1, 0.5)];
    scene.rows()[2] = vec![(0, -0.25), (1, f32::INFINITY)];
    let imported = opened_scene(&scene);
    assert_eq!(row_of(&imported, 1), [(1, 0.5)]);
    assert_eq!(row_of(&imported, 2), []);
    let mesh = || "Strip".to_owned();
    let expected = [
        ImportWarning::BadWeights { mesh: mesh(), n_vertices: 2 },
        ImportWarning::Unweighted { mesh: mesh(), n_vertices: 1 },
        ImportWarning::OffSum { mesh: mesh(), n_vertices: 1, largest_off: 0.5 },
    ];
    assert_eq!(imported.warnings, expected);
}

#[test]
fn joints_past_the_skin_count_as_none_and_are_counted() {
    let mut scene = strip();
    scene.rows()[4] = vec![(0, 0.5), (2, 0.5)];
    let imported = opened_scene(&scene);
    assert_eq!(row_of(&imported, 4), [(0, 0.5)]);
    let mesh = || "Strip".to_owned();
    let expected = [
        ImportWarning::JointsPastSkin { mesh: mesh(), n_vertices: 1, n_slots: 2 },
        ImportWarning::OffSum { mesh: mesh(), n_vertices: 1, largest_off: 0.5 },
    ];
    assert_eq!(imported.warnings, expected);
}

#[test]
fn sums_stay_as_they_came() {
    let imported = opened_scene(&with_row(&[(0, 0.5), (1, 0.25)], 2));
    assert_eq!(row_of(&imported, 3), [(0, 0.5), (1, 0.25)]);
}

#[test]
fn primitives_that_share_positions_joints_and_weights_are_one_pool() {
    // B08
    let mut scene = strip();
    let share = |attribute: &str| Share { attribute: attribute.to_owned(), mesh: 0, primitive: 0 };
    let mut upper = scene.primitive().clone();
    scene.primitive().indices = Some(vec![0, 1, 3, 0, 3, 2]);
    upper.indices = Some(vec![2, 3, 5, 2, 5, 4]);
    upper.shares = ["POSITION", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"].map(share).to_vec();
    scene.meshes[0].primitives.push(upper.clone());
    let mut other = scene.meshes[0].clone();
    other.primitives.truncate(1);
    other.primitives[0].shares = vec![share("JOINTS_0")];
    scene.meshes.push(other);
    let imported = opened_scene(&scene);
    let first = mesh(&imported);
    assert_eq!((first.n_vertices(), first.pools.len(), first.primitives.len()), (10, 1, 2));
    assert_eq!(first.primitives[1].triangles, [[2, 3, 5], [2, 5, 4]]);
    let maps = &imported.source.meshes;
    assert_eq!(maps[0].primitive_pools, [0, 0]);
    assert_eq!(maps[0].pools[0].sets[0].joints, maps[1].pools[0].sets[0].joints);
    assert_ne!(maps[0].pools[0].sets[0].weights, maps[1].pools[0].sets[0].weights);
}

#[test]
fn primitives_that_share_only_some_of_it_have_pools_of_their_own() {
    // B08
    let mut scene = strip();
    let mut second = scene.primitive().clone();
    second.rows = vec![vec![(1, 1.0)]; 10];
    second.shares = vec![Share { attribute: "POSITION".to_owned(), mesh: 0, primitive: 0 }];
    scene.meshes[0].primitives.push(second);
    let imported = opened_scene(&scene);
    let mesh = mesh(&imported);
    assert_eq!((mesh.n_vertices(), mesh.pools.len()), (20, 2));
    assert_eq!(row_in(mesh, 0), [(0, 1.0)]);
    assert_eq!(row_in(mesh, 10), [(1, 1.0)]);
    assert_eq!(mesh.primitives[1].triangles[0], [10, 11, 13]);
}

#[test]
fn a_mesh_may_mix_skinned_and_unskinned_primitives() {
    let mut scene = strip();
    let mut plain = cube(glam::Vec3::ZERO, 1.0).primitive().clone();
    plain.rows.clear();
    scene.meshes[0].primitives.insert(0, plain);
    let imported = opened_scene(&scene);
    let mesh = mesh(&imported);
    assert!(!mesh.is_paintable(VertexIndex(7)) && mesh.is_paintable(VertexIndex(8)));
    assert_eq!(row_in(mesh, 7), []);
    assert_eq!(row_in(mesh, 10), [(0, 0.75), (1, 0.25)]);
}

#[test]
fn joints_without_weights_are_not_used_and_that_is_said() {
    // B71
    let imported = opened(changed(&strip(), |json| {
        json["meshes"][0]["primitives"][0]["attributes"].as_object_mut().expect("attributes").remove("WEIGHTS_0");
    }));
    assert!(!mesh(&imported).is_skinned());
    let path = "meshes/0/primitives/0/attributes/JOINTS_0".to_owned();
    assert_eq!(imported.warnings[0], ImportWarning::SetWithoutPartner { path });
    assert!(matches!(imported.warnings[1], ImportWarning::SkinWithoutWeights { .. }));
}

#[test]
fn weights_for_fewer_vertices_than_there_are_is_an_error() {
    let scene = strip();
    let weights = scene.build().json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].clone();
    let bytes =
        changed(&scene, |json| json["accessors"][weights.as_u64().expect("an index") as usize]["count"] = json!(9));
    let error = try_open(bytes).expect_err("a missing row");
    assert!(matches!(error, OpenError::Accessor { .. }), "{error}");
    assert!(error.to_string().contains("WEIGHTS_0"), "{error}");
}

#[test]
fn time_grows_with_vertices_and_not_faster() {
    // B66
    let time = |n_vertices: usize| {
        let bytes = sinew_tests::grid(n_vertices, 100, 2).glb();
        let runs = (0..3).map(|_| {
            let start = std::time::Instant::now();
            opened(bytes.clone());
            start.elapsed()
        });
        runs.min().expect("three runs")
    };
    let (small, large) = (time(20_000), time(160_000));
    // Eight times the vertices; a quadratic reader takes 64 times as long. The margin is for a busy machine.
    assert!(large < small * 28, "20 k vertices: {small:?}, 160 k: {large:?}");
}
