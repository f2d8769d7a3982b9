//! Nodes, skins and clips.

use glam::{DVec3, Mat4, Quat, Vec3};
use serde_json::json;
use sinew_io::ImportWarning;
use sinew_model::{Interpolation, LocalTransform, MeshIndex, NodeIndex, SkinIndex, Track};
use sinew_tests::{Channel, Clip, Node, chain, cube, strip};

use crate::{changed, mesh, opened, opened_scene, try_open};

#[test]
fn joints_and_matrices_stay_in_the_file_s_order() {
    // B02
    let mut scene = chain(4);
    let matrices = [4.0, 1.0, 3.0, 2.0].map(|x| Mat4::from_translation(Vec3::new(x, 0.0, 0.0)));
    scene.skins[0].joints = vec![3, 1, 0, 2];
    scene.skins[0].inverse_bind = Some(matrices.to_vec());
    let imported = opened_scene(&scene);
    let skin = imported.document.skin(SkinIndex(0));
    assert_eq!(skin.joints(), [3, 1, 0, 2].map(NodeIndex));
    let x: Vec<f64> = skin.joint_from_mesh().iter().map(|matrix| matrix.translation.x).collect();
    assert_eq!(x, [4.0, 1.0, 3.0, 2.0]);
}

#[test]
fn the_skeleton_hint_changes_nothing() {
    // B03
    let plain = opened_scene(&strip());
    let mut scene = strip();
    scene.skins[0].skeleton = Some(1);
    let hinted = opened_scene(&scene);
    assert_eq!(hinted.document.skins(), plain.document.skins());
    assert_eq!(hinted.document.nodes(), plain.document.nodes());
    assert!(opened(changed(&strip(), |json| json["skins"][0]["skeleton"] = json!(null))).warnings.is_empty());
}

#[test]
fn skins_over_the_same_joints_stay_three_skins() {
    // B04
    let mut scene = cube(Vec3::ZERO, 1.0);
    for x in [2.0, 4.0] {
        let mut skin = scene.skins[0].clone();
        skin.inverse_bind = Some(vec![Mat4::from_translation(Vec3::new(-x, 0.0, 0.0))]);
        scene.skins.push(skin);
        scene.meshes.push(scene.meshes[0].clone());
        let (mesh, skin) = (Some(scene.meshes.len() - 1), Some(scene.skins.len() - 1));
        scene.add_node(None, Node { mesh, skin, ..Node::default() });
    }
    let document = opened_scene(&scene).document;
    assert_eq!((document.skins().len(), document.joints()), (3, &[NodeIndex(0)][..]));
    assert_eq!(document.skins_of(MeshIndex(2)), [SkinIndex(2)]);
    assert_eq!(document.skin(SkinIndex(2)).joint_from_mesh()[0].translation, DVec3::new(-4.0, 0.0, 0.0));
}

#[test]
fn joints_without_weights_stay_joints() {
    // B12
    let mut scene = strip();
    scene.add_joint(1, "tail_end", Vec3::Y);
    let document = opened_scene(&scene).document;
    assert_eq!(document.joints().len(), 3);
    assert_eq!(document.skin(SkinIndex(0)).joint_from_mesh()[2].translation, DVec3::new(0.0, -2.0, 0.0));
}

#[test]
fn a_skin_without_matrices_has_identities() {
    // B38
    let mut scene = strip();
    scene.skins[0].inverse_bind = None;
    let document = opened_scene(&scene).document;
    assert!(document.skin(SkinIndex(0)).joint_from_mesh().iter().all(|m| *m == glam::DAffine3::IDENTITY));
}

#[test]
fn the_last_row_of_a_matrix_does_not_matter() {
    let mut scene = strip();
    for matrix in scene.skins[0].inverse_bind.as_mut().expect("matrices") {
        matrix.x_axis.w = 0.5;
        matrix.w_axis.w = f32::NAN;
    }
    assert_eq!(opened_scene(&scene).document.skins(), opened_scene(&strip()).document.skins());
}

#[test]
fn plain_nodes_between_joints_keep_their_place_in_the_tree() {
    // B51
    let mut scene = strip();
    let turned = Quat::from_rotation_z(30f32.to_radians());
    let between = Node { rotation: turned, ..Node::at("offset", Vec3::new(0.0, 0.4, 0.0)) };
    let between = scene.insert_parent(1, between);
    let document = opened_scene(&scene).document;
    let nodes = document.nodes();
    assert_eq!(nodes.parent(NodeIndex(1)), Some(NodeIndex::from_idx(between)));
    assert_eq!(nodes.parent(NodeIndex::from_idx(between)), Some(NodeIndex(0)));
    assert_eq!(document.joints(), [NodeIndex(0), NodeIndex(1)]);
    assert!(!document.is_joint(NodeIndex::from_idx(between)));
}

#[test]
fn a_matrix_node_stands_where_its_parts_say() {
    let mut scene = strip();
    let (translation, rotation, scale) =
        (Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_x(0.5), Vec3::new(1.0, 2.0, 3.0));
    scene.nodes[1].matrix = Some(Mat4::from_scale_rotation_translation(scale, rotation, translation));
    let rest = opened_scene(&scene).document.nodes().node(NodeIndex(1)).rest;
    assert_eq!(rest.translation, translation.as_dvec3());
    assert!(rest.rotation.as_quat().abs_diff_eq(rotation, 1e-6) && rest.scale.as_vec3().abs_diff_eq(scale, 1e-6));
}

#[test]
fn joints_in_no_scene_and_files_without_scenes_open_alike() {
    // B72
    let plain = opened_scene(&strip()).document;
    for change in [json!([{ "nodes": [2] }]), json!(null)] {
        let document = opened(changed(&strip(), |json| json["scenes"] = change)).document;
        assert_eq!(document.nodes(), plain.nodes());
        assert_eq!(document.joints(), plain.joints());
    }
}

#[test]
fn a_skin_that_no_node_uses_and_a_mesh_without_its_skin_open() {
    // B71
    let imported = opened(changed(&strip(), |json| {
        json["nodes"][2].as_object_mut().expect("a node").remove("skin");
    }));
    assert!(imported.document.skinned_meshes().is_empty());
    assert_eq!(
        imported.warnings,
        [
            ImportWarning::WeightsWithoutSkin { mesh: "Strip".to_owned() },
            ImportWarning::UnusedSkin { skin: "#0".to_owned() },
        ]
    );
    assert_eq!(crate::row_of(&imported, 2), [(0, 0.75), (1, 0.25)]);
}

#[test]
fn a_rig_without_a_mesh_opens() {
    // B71
    let imported = opened(changed(&strip(), |json| {
        json.as_object_mut().expect("the root").remove("meshes");
        let node = json["nodes"][2].as_object_mut().expect("a node");
        node.remove("mesh");
    }));
    assert_eq!((imported.document.meshes().len(), imported.document.joints().len()), (0, 2));
}

#[test]
fn a_node_that_is_its_own_ancestor_is_an_error_and_not_an_endless_walk() {
    let error = try_open(changed(&strip(), |json| json["nodes"][1]["children"] = json!([0]))).expect_err("a cycle");
    assert!(error.to_string().contains("ancestor"), "{error}");
}

#[test]
fn clips_are_read_and_pointer_channels_are_passed_over() {
    let mut scene = strip();
    let channel = |path, values: &[f32], interpolation| Channel {
        node: 1,
        path,
        times_s: vec![0.0, 1.5],
        values: values.to_vec(),
        interpolation,
    };
    let turn = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let spline: Vec<f32> = (0..18).map(|n| n as f32).collect();
    let channels = vec![
        channel("rotation", &turn, "LINEAR"),
        channel("translation", &spline, "CUBICSPLINE"),
        channel("scale", &[1.0, 1.0], "STEP"),
    ];
    scene.clips.push(Clip { name: "bend".to_owned(), channels });
    let imported = opened(changed(&scene, |json| {
        let channels = json["animations"][0]["channels"].as_array_mut().expect("channels");
        channels.push(json!({ "sampler": 0, "target": { "path": "pointer", "extensions": {} } }));
    }));
    let clip = &imported.document.clips()[0];
    assert_eq!((clip.duration_s(), clip.channels.len()), (1.5, 2));
    assert_eq!(clip.channels[0].track, Track::Rotation(vec![Quat::IDENTITY, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0)]));
    assert_eq!(clip.channels[1].interpolation, Interpolation::CubicSpline);
    assert!(matches!(&clip.channels[1].track, Track::Translation(values) if values.len() == 6));
    // Two numbers are no two scales: that channel is left out, and so is the pointer.
    assert!(matches!(&imported.warnings[0], ImportWarning::LeftOut { path, .. } if path == "animations/0/channels/2"));
    assert!(matches!(&imported.warnings[1], ImportWarning::PointerChannels { n_channels: 1, .. }));
}

#[test]
fn a_name_may_be_missing_and_index_0_is_an_index() {
    // B10
    let imported = opened(changed(&strip(), |json| {
        json["nodes"][0].as_object_mut().expect("a node").remove("name");
        json["extensions"]["VRM"]["humanoid"]["humanBones"] = json!([{ "bone": "hips", "node": 0 }]);
    }));
    let nodes = imported.document.nodes();
    assert_eq!((nodes.label(NodeIndex(0)), nodes.label(NodeIndex(1))), ("#0".to_owned(), "J1".to_owned()));
    assert!(imported.document.is_joint(NodeIndex(0)));
    assert_eq!(nodes.node(NodeIndex(0)).rest, LocalTransform::IDENTITY);
    assert!(mesh(&imported).is_skinned());
}
