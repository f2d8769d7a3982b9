//! The reported faults that saving must not have.

use serde_json::{Value, json};
use sinew_io::{Component, Container, ContainerKind, HowChanged, SaveError, encode};
use sinew_model::{JointSlot, VertexIndex};
use sinew_tests::{
    JointsType, Mesh, Morph, Node, Placement, Primitive, Scene, Share, Storage, WeightsType, chain, cube, strip,
};

use crate::harness::{
    MESH, assert_same_bytes, assert_same_rows, attribute, component, differences, json_of, open_bytes, open_scene, row,
    saved, saved_bytes, set, stored, without_bounds,
};

/// Edits vertex 4 of STRIP, whose row is (J0 .5, J1 .5).
const EDIT: &[(u16, f32)] = &[(0, 0.25), (1, 0.75)];

fn six_joint_strip() -> Scene {
    let mut scene = strip();
    for joint in 2..6 {
        scene.add_joint(1, &format!("J{joint}"), glam::Vec3::Y * 0.1);
    }
    scene
}

#[test]
fn every_influence_of_every_set_survives() {
    // B01
    let mut scene = six_joint_strip();
    scene.rows()[3] = vec![(0, 0.30), (1, 0.25), (2, 0.20), (3, 0.15), (4, 0.06), (5, 0.04)];
    let mut imported = open_scene(&scene);
    assert_same_bytes(&scene.glb(), &saved_bytes(&imported), "unedited");
    set(&mut imported, 0, EDIT);
    let back = open_bytes(&saved_bytes(&imported));
    assert_same_rows(&imported.document, &back.document, 0.0);
    assert_eq!(back.document.mesh(MESH).weights.get(VertexIndex(3)).len(), 6);
}

#[test]
fn joints_and_matrices_keep_their_order() {
    // B02, B11, B12
    let mut scene = six_joint_strip();
    scene.skins[0].joints = vec![5, 1, 0, 4, 3];
    scene.rebind(0);
    let mut imported = open_scene(&scene);
    set(&mut imported, 4, &[(1, 0.25), (0, 0.75)]);
    let first = saved(&imported);
    let back = open_bytes(&first.files[0].1);
    assert_eq!(back.source.json["skins"], imported.source.json["skins"]);
    assert_eq!(back.document.skins(), imported.document.skins());
    let again = open_scene(&scene);
    let mut again = sinew_io::Imported { warnings: Vec::new(), ..again };
    set(&mut again, 4, &[(0, 0.75), (1, 0.25)]);
    assert_same_bytes(&first.files[0].1, &saved_bytes(&again), "another session, another order of influences");
}

#[test]
fn unused_places_of_an_edited_row_get_joint_0_and_other_rows_are_left_alone() {
    // B05
    let mut scene = chain(8);
    for row in scene.rows() {
        let (first, second) = (row.first().map_or(0.0, |i| i.1), row.get(1).map_or(0.0, |i| i.1));
        *row = vec![(0, first), (1, second), (7, 0.0), (7, 0.0)];
    }
    let mut imported = open_scene(&scene);
    set(&mut imported, 4, EDIT);
    let back = open_bytes(&saved_bytes(&imported));
    let joints = stored(&back, "JOINTS_0");
    assert_eq!(joints[4], [0, 1, 0, 0]);
    assert_eq!(joints[3], [0, 1, 7, 7]);
}

#[test]
fn interleaved_neighbours_are_not_touched() {
    // B06
    let mut scene = strip();
    scene.primitive().placement = Placement::Interleaved { byte_stride: 44 };
    let bytes = scene.glb();
    let mut imported = open_bytes(&bytes);
    set(&mut imported, 4, EDIT);
    let encoded = saved(&imported);
    assert!(encoded.report.accessors.iter().all(|accessor| accessor.how == HowChanged::InPlace));
    let after = &encoded.files[0].1;
    assert_eq!(bytes.len(), after.len());
    let bin = Container::parse(&bytes).unwrap().bin().unwrap();
    let weights = bin.start + 4 * 44 + 24..bin.start + 4 * 44 + 40;
    let changed: Vec<usize> = bin.clone().filter(|&at| bytes[at] != after[at]).collect();
    assert!(!changed.is_empty() && changed.iter().all(|at| weights.contains(at)), "{changed:?} of {weights:?}");
}

#[test]
fn a_sparse_attribute_becomes_plain_and_other_sparse_ones_stay() {
    // B07
    let mut scene = strip();
    scene.primitive().positions_storage = Storage::SparseOverBase(vec![2, 7]);
    scene.primitive().weights_storage = Storage::SparseOverNothing;
    let mut imported = open_scene(&scene);
    set(&mut imported, 4, EDIT);
    let encoded = saved(&imported);
    let back = open_bytes(&encoded.files[0].1);
    assert_same_rows(&imported.document, &back.document, 0.0);
    let json = &back.source.json;
    let accessor = |name: &str| &json["accessors"][attribute(json, 0, name).unwrap() as usize];
    assert!(accessor("WEIGHTS_0").get("sparse").is_none());
    assert!(accessor("POSITION").get("sparse").is_some());
    assert_eq!(attribute(json, 0, "WEIGHTS_0"), attribute(&imported.source.json, 0, "WEIGHTS_0"));
    assert_eq!(back.document.mesh(MESH).positions, imported.document.mesh(MESH).positions);
}

#[test]
fn what_shares_only_one_attribute_keeps_its_values() {
    // B08
    let mut scene = strip();
    let share = |attribute: &str| Share { attribute: attribute.to_owned(), mesh: 0, primitive: 0 };
    let mut second = scene.meshes[0].primitives[0].clone();
    second.shares = ["POSITION", "JOINTS_0", "WEIGHTS_0"].map(share).to_vec();
    scene.meshes[0].primitives.push(second.clone());
    second.shares = vec![share("JOINTS_0")];
    scene.meshes.push(Mesh { name: "other".to_owned(), primitives: vec![second], ..Mesh::default() });
    scene.add_node(None, Node { mesh: Some(1), skin: Some(0), ..Node::default() });
    let mut imported = open_scene(&scene);
    assert_eq!(imported.document.mesh(MESH).pools.len(), 1);
    // Joint 1 comes to a vertex that had joint 0 alone, so both attributes change.
    set(&mut imported, 0, EDIT);
    let encoded = saved(&imported);
    let back = open_bytes(&encoded.files[0].1);
    assert_same_rows(&imported.document, &back.document, 0.0);
    let json = &back.source.json;
    for name in ["JOINTS_0", "WEIGHTS_0"] {
        assert_eq!(attribute(json, 0, name), attribute(json, 1, name));
    }
    let added = encoded.report.accessors.iter().filter(|accessor| accessor.how == HowChanged::Added);
    assert_eq!(added.map(|accessor| accessor.attribute.as_str()).collect::<Vec<_>>(), ["JOINTS_0"]);
    let weights = encoded.report.accessors.iter().find(|accessor| accessor.attribute == "WEIGHTS_0").unwrap();
    assert_eq!((weights.how, weights.primitives.as_slice()), (HowChanged::InPlace, &[0, 1][..]));
}

#[test]
fn unknown_extensions_and_members_stay_where_they_are() {
    // B09, B10
    let mut builder = strip().build();
    let unknown = json!({ "ACME_x": { "node": 1, "list": [1, 2] } });
    builder.json["extensions"] = json!({
        "ACME_x": unknown["ACME_x"],
        "VRM": { "humanoid": { "humanBones": [{ "bone": "hips", "node": 0 }, { "bone": "spine", "node": 1 }] } }
    });
    builder.json["extensionsUsed"] = json!(["ACME_x", "VRM"]);
    builder.json["ACME_top"] = json!([1.5, null]);
    let weights = attribute(&builder.json, 0, "WEIGHTS_0").unwrap() as usize;
    builder.json["nodes"][0]["extensions"] = unknown.clone();
    builder.json["skins"][0]["extensions"] = unknown.clone();
    builder.json["meshes"][0]["primitives"][0]["extensions"] = unknown.clone();
    builder.json["accessors"][weights]["extensions"] = unknown.clone();
    builder.json["accessors"][weights]["extras"] = json!({ "bufferView": "mine" });
    let bytes = builder.glb();
    let mut imported = open_bytes(&bytes);
    set(&mut imported, 4, EDIT);
    assert_eq!(differences(&json_of(&bytes), &json_of(&saved_bytes(&imported))), Vec::<String>::new());
    // And where the attribute has to move.
    let view = builder.json["accessors"][weights]["bufferView"].clone();
    builder.push("accessors", json!({ "bufferView": view, "componentType": 5126, "type": "VEC4", "count": 10 }));
    let bytes = builder.glb();
    let mut imported = open_bytes(&bytes);
    set(&mut imported, 4, EDIT);
    let changed = differences(&json_of(&bytes), &json_of(&saved_bytes(&imported)));
    let n_views = builder.json["bufferViews"].as_array().unwrap().len();
    let expected = [
        format!("/accessors/{weights}/bufferView"),
        format!("/bufferViews/{n_views}"),
        "/buffers/0/byteLength".to_owned(),
    ];
    assert_eq!(changed, expected);
}

#[test]
fn a_glb_is_padded_as_the_format_says() {
    // B13
    for n in 1..=4 {
        let mut scene = strip();
        scene.nodes[0].name = "n".repeat(n);
        scene.primitive().weights_storage = Storage::SparseOverNothing;
        let mut imported = open_scene(&scene);
        set(&mut imported, 4, EDIT);
        let bytes = saved_bytes(&imported);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(word(8), bytes.len());
        let json = &bytes[20..20 + word(12)];
        let text_len = json.iter().rposition(|&byte| byte == b'}').unwrap() + 1;
        assert!(
            json.len().is_multiple_of(4) && json.len() - text_len < 4 && json[text_len..].iter().all(|&b| b == b' ')
        );
        let bin = 20 + word(12);
        assert_eq!((word(bin) % 4, bin + 8 + word(bin)), (0, bytes.len()));
        let stated = json_of(&bytes)["buffers"][0]["byteLength"].as_u64().unwrap() as usize;
        assert!((0..4).contains(&(word(bin) - stated)));
    }
}

#[test]
fn byte_joints_become_shorts_when_a_joint_needs_it() {
    // B16
    let mut scene = chain(300);
    for row in scene.rows() {
        for influence in row.iter_mut().filter(|influence| influence.0 > 255) {
            influence.0 = 200;
        }
    }
    scene.primitive().joints_type = JointsType::U8;
    let mut imported = open_scene(&scene);
    assert_eq!(component(&imported, "JOINTS_0"), Component::U8);
    set(&mut imported, 0, &[(299, 1.0)]);
    let back = open_bytes(&saved_bytes(&imported));
    assert_eq!(component(&back, "JOINTS_0"), Component::U16);
    assert_eq!(component(&back, "WEIGHTS_0"), Component::F32);
    assert_eq!(stored(&back, "JOINTS_0")[0], [299, 0, 0, 0]);
    assert_same_rows(&imported.document, &back.document, 0.0);
}

#[test]
fn byte_weights_sum_to_255_and_rows_that_did_not_are_left_alone() {
    // B17
    let mut scene = chain(4);
    scene.primitive().weights_type = WeightsType::U8;
    scene.rows()[1] = vec![(0, 127.0 / 255.0), (1, 127.0 / 255.0)];
    let mut imported = open_scene(&scene);
    set(&mut imported, 0, &[(0, 0.343), (1, 0.338), (2, 0.198), (3, 0.121)]);
    let back = open_bytes(&saved_bytes(&imported));
    let weights = stored(&back, "WEIGHTS_0");
    let mut by_joint = [0; 4];
    for (joint, weight) in stored(&back, "JOINTS_0")[0].iter().zip(weights[0]) {
        by_joint[*joint as usize] += weight;
    }
    assert_eq!(by_joint, [87, 86, 51, 31]);
    assert_eq!(weights[1].iter().sum::<u32>(), 254);
}

#[test]
fn float_rows_sum_to_one_over_all_sets() {
    // B18
    let mut scene = chain(8);
    scene.rows()[0] = (0..8).map(|joint| (joint, 0.2)).collect();
    let mut imported = open_scene(&scene);
    set(&mut imported, 0, &[0, 1, 2, 3, 4, 5, 6, 7].map(|joint| (joint, 0.125)));
    let back = open_bytes(&saved_bytes(&imported));
    let row = back.document.mesh(MESH).weights.get(VertexIndex(0));
    assert_eq!(row.len(), 8);
    assert!((row.sum_f64() - 1.0).abs() <= 1.6e-6);
}

#[test]
fn rows_that_came_unweighted_are_saved_as_they_came_and_ours_block_the_save() {
    // B20
    let mut scene = strip();
    scene.rows()[8] = vec![(0, 0.0)];
    scene.rows()[9] = vec![(1, 0.0)];
    let mut imported = open_scene(&scene);
    set(&mut imported, 0, EDIT);
    let encoded = saved(&imported);
    assert_eq!(encoded.report.warnings.len(), 1);
    assert!(encoded.report.warnings[0].contains("2 vertices"), "{:?}", encoded.report.warnings);
    let back = open_bytes(&encoded.files[0].1);
    assert_eq!(stored(&back, "WEIGHTS_0")[8..], [[0; 4]; 2]);
    assert_eq!(stored(&back, "JOINTS_0")[9], stored(&imported, "JOINTS_0")[9]);
    set(&mut imported, 3, &[]);
    let error = encode(&imported.document, &imported.source, ContainerKind::Glb, "a.glb").unwrap_err();
    assert!(matches!(error, SaveError::Unweighted { n: 1, first: 3, .. }), "{error}");
}

#[test]
fn one_mesh_at_two_nodes_stays_one_mesh() {
    // B37
    let mut scene = strip();
    scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::default() });
    let mut imported = open_scene(&scene);
    set(&mut imported, 3, EDIT);
    let bytes = saved_bytes(&imported);
    assert_eq!(differences(&imported.source.json, &json_of(&bytes)), Vec::<String>::new());
}

#[test]
fn quantised_positions_matrices_and_morphs_are_left_alone() {
    // B40, B52, B57
    let mut scene = strip();
    scene.primitive().positions_type = sinew_tests::PositionsType::I16 { divisor: 2.0 };
    let offsets = (0..10).map(|v| if v > 7 { glam::Vec3::Z } else { glam::Vec3::ZERO }).collect();
    scene.primitive().morphs.push(Morph { positions: offsets, normals: Vec::new() });
    scene.meshes[0].morph_weights = vec![1.0];
    let bytes = scene.glb();
    let mut imported = open_bytes(&bytes);
    set(&mut imported, 4, EDIT);
    let after = saved_bytes(&imported);
    let (was, is) = (Container::parse(&bytes).unwrap(), Container::parse(&after).unwrap());
    assert_eq!(&bytes[was.json], &after[is.json]);
    let back = open_bytes(&after);
    assert_eq!(back.document.mesh(MESH).positions, imported.document.mesh(MESH).positions);
    assert_eq!(back.document.mesh(MESH).morph_targets, imported.document.mesh(MESH).morph_targets);
    assert_eq!(back.document.skins(), imported.document.skins());
    let changed = bytes.iter().zip(&after).filter(|(a, b)| a != b).count();
    assert!(changed <= 8, "two floats at most, found {changed} bytes");
}

#[test]
fn a_row_longer_than_the_sets_adds_a_set_and_sets_never_shrink() {
    for weights_type in [WeightsType::F32, WeightsType::U8, WeightsType::U16] {
        let mut scene = chain(6);
        scene.primitive().weights_type = weights_type;
        let mut imported = open_bytes(&without_bounds(&scene).glb());
        set(&mut imported, 5, &[(0, 0.3), (1, 0.25), (2, 0.2), (3, 0.15), (4, 0.06), (5, 0.04)]);
        let encoded = saved(&imported);
        let mut back = open_bytes(&encoded.files[0].1);
        let weights = component(&back, "WEIGHTS_0");
        assert_eq!(component(&back, "WEIGHTS_1"), weights);
        assert_same_rows(&imported.document, &back.document, crate::harness::tolerance(weights));
        let n_zero = stored(&back, "WEIGHTS_1").iter().filter(|row| **row == [0; 4]).count();
        assert_eq!(n_zero, 9);
        assert_eq!(stored(&back, "JOINTS_0")[5], [0, 1, 2, 3]);
        set(&mut back, 5, &[(0, 1.0)]);
        let shorter = open_bytes(&saved_bytes(&back));
        assert_eq!(stored(&shorter, "WEIGHTS_1"), [[0; 4]; 10]);
        assert_eq!(shorter.source.original.len(), back.source.original.len());
    }
}

#[test]
fn bounds_are_refreshed_where_the_accessor_has_them() {
    let mut scene = strip();
    for row in scene.rows() {
        *row = vec![(0, 0.5), (1, 0.5)];
    }
    let builder = scene.build();
    let weights = attribute(&builder.json, 0, "WEIGHTS_0").unwrap() as usize;
    let bounds = |json: &Value| {
        let accessor = &json["accessors"][weights];
        (accessor["min"].clone(), accessor["max"].clone())
    };
    let mut with = builder.clone();
    with.json["accessors"][weights]["min"] = json!([0.5, 0.5, 0, 0]);
    with.json["accessors"][weights]["max"] = json!([0.5, 0.5, 0, 0]);
    let mut imported = open_bytes(&with.glb());
    set(&mut imported, 4, EDIT);
    let json = json_of(&saved_bytes(&imported));
    assert_eq!(bounds(&json), (json!([0.25, 0.5, 0, 0]), json!([0.5, 0.75, 0, 0])));
    let mut without = builder;
    let accessor = without.json["accessors"][weights].as_object_mut().unwrap();
    accessor.remove("min");
    accessor.remove("max");
    let mut imported = open_bytes(&without.glb());
    set(&mut imported, 4, EDIT);
    assert_eq!(bounds(&json_of(&saved_bytes(&imported))), (Value::Null, Value::Null));
}

#[test]
fn a_rigid_mesh_beside_the_edited_one_is_left_alone() {
    let mut scene = strip();
    let mut rigid = cube(glam::Vec3::ZERO, 1.0);
    rigid.primitive().rows.clear();
    scene.meshes.push(Mesh { primitives: vec![Primitive::clone(&rigid.meshes[0].primitives[0])], ..Mesh::default() });
    scene.add_node(Some(0), Node { mesh: Some(1), ..Node::default() });
    let mut imported = open_scene(&scene);
    set(&mut imported, 4, EDIT);
    let back = open_bytes(&saved_bytes(&imported));
    assert_eq!(back.source.json, imported.source.json);
    assert_same_rows(&imported.document, &back.document, 0.0);
}

#[test]
fn undoing_everything_gives_the_opened_bytes_and_saving_again_the_same() {
    let mut scene = chain(6);
    scene.primitive().weights_storage = Storage::SparseOverNothing;
    let bytes = scene.glb();
    let mut imported = open_bytes(&bytes);
    let mut edit = [(VertexIndex(5), row(&[0, 1, 2, 3, 4].map(|slot| (slot, 0.2))))];
    imported.document.swap_rows(MESH, &mut edit);
    let edited = saved_bytes(&imported);
    assert_same_bytes(&edited, &saved_bytes(&imported), "saved twice");
    imported.document.swap_rows(MESH, &mut edit);
    assert_same_bytes(&bytes, &saved_bytes(&imported), "after undo");
    imported.document.swap_rows(MESH, &mut edit);
    assert_same_bytes(&edited, &saved_bytes(&imported), "after redo");
}

#[test]
fn editing_and_saving_over_and_over_does_not_let_the_file_grow() {
    let mut scene = chain(6);
    scene.primitive().weights_storage = Storage::SparseOverNothing;
    let mut bytes = without_bounds(&scene).glb();
    let mut lens = Vec::new();
    for round in 0..4 {
        let mut imported = open_bytes(&bytes);
        let share = 0.1 + 0.05 * round as f32;
        set(&mut imported, 5, &[(0, 1.0 - 4.0 * share), (1, share), (2, share), (3, share), (4, share)]);
        let next = saved_bytes(&imported);
        assert_ne!(next, bytes);
        bytes = next;
        lens.push(bytes.len());
    }
    assert_eq!(lens, [lens[0]; 4]);
}

#[test]
fn sets_of_different_types_get_the_widest_and_other_rows_keep_their_weights() {
    let mut scene = chain(6);
    scene.primitive().n_sets = 2;
    scene.primitive().weights_type = WeightsType::U8;
    scene.rows()[3] = (0..6).map(|joint| (joint, if joint < 3 { 0.2 } else { 0.4 / 3.0 })).collect();
    let mut builder = without_bounds(&scene);
    let second = attribute(&builder.json, 0, "WEIGHTS_1").unwrap() as usize;
    let bytes = stored(&open_bytes(&builder.glb()), "WEIGHTS_1");
    let floats: Vec<f64> = bytes.as_flattened().iter().map(|&byte| f64::from(byte as f32 / 255.0)).collect();
    let accessor = builder.accessor(sinew_tests::Component::F32, "VEC4", false, &floats, None);
    builder.json["accessors"][second] = builder.json["accessors"][accessor].clone();
    let mut imported = open_bytes(&builder.glb());
    set(&mut imported, 5, &[0, 1, 2, 3, 4, 5].map(|joint| (joint, 1.0 / 6.0)));
    let encoded = saved(&imported);
    let back = open_bytes(&encoded.files[0].1);
    for name in ["WEIGHTS_0", "WEIGHTS_1"] {
        assert_eq!(component(&back, name), Component::F32);
    }
    assert_same_rows(&imported.document, &back.document, 0.0);
    let new = encoded.report.accessors.iter().find(|accessor| accessor.attribute == "WEIGHTS_0").unwrap();
    assert_eq!((new.how, new.new_component), (HowChanged::Moved, Some("FLOAT")));
    let json = &back.source.json["accessors"][attribute(&back.source.json, 0, "WEIGHTS_0").unwrap() as usize];
    assert!(json.get("normalized").is_none());
}

#[test]
fn a_broken_row_is_refused_by_name() {
    let mut imported = open_scene(&strip());
    let mut broken = row(&[(0, 0.5)]);
    broken.push(sinew_model::Influence { slot: JointSlot(1), weight: f32::NAN });
    imported.document.swap_rows(MESH, &mut [(VertexIndex(2), broken)]);
    let error = encode(&imported.document, &imported.source, ContainerKind::Glb, "a.glb").unwrap_err();
    assert_eq!(
        error.to_string(),
        "mesh Strip, vertex 2: joint slot 1 has weight NaN; expected a finite number of at least 0"
    );
}

#[test]
fn a_new_set_takes_the_lowest_free_number_whatever_numbers_the_file_uses() {
    // Sets 0 and 4294967295 are there: 1 is next, and nothing comes after the last.
    let mut scene = strip();
    for i in 2..10 {
        scene.add_joint(1, &format!("J{i}"), glam::Vec3::Y);
    }
    scene.primitive().n_sets = 2;
    let mut builder = scene.build();
    let attributes = builder.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap();
    for kind in ["JOINTS", "WEIGHTS"] {
        let accessor = attributes.remove(&format!("{kind}_1")).unwrap();
        attributes.insert(format!("{kind}_4294967295"), accessor);
    }
    let mut imported = open_bytes(&builder.glb());
    let row: Vec<(u16, f32)> = (0..10).map(|slot| (slot, 0.1)).collect();
    set(&mut imported, 4, &row);
    let back = open_bytes(&saved_bytes(&imported));
    assert_same_rows(&imported.document, &back.document, 0.0);
    for name in ["JOINTS_1", "WEIGHTS_1", "JOINTS_4294967295"] {
        assert!(attribute(&back.source.json, 0, name).is_some(), "{name}");
    }
}
