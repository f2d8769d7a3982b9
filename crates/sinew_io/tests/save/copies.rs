//! Saving meshes that an edit added: appended, sharing all but edited rows, and nothing else touched.

use serde_json::{Value, json};
use sinew_io::{ContainerKind, HowChanged, Imported, encode};
use sinew_model::{MeshIndex, NodeIndex, VertexIndex};
use sinew_tests::{Node, strip};

use crate::harness::{
    MESH, assert_same_bytes, assert_same_rows, differences, json_of, open_bytes, open_files, row, saved, saved_bytes,
    set,
};

const COPY: MeshIndex = MeshIndex(1);
const TWIN: NodeIndex = NodeIndex(3);
const EDIT: &[(u16, f32)] = &[(0, 0.25), (1, 0.75)];

/// STRIP at two nodes, with all that a mesh may say.
fn two_nodes() -> Imported {
    let mut scene = strip();
    scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::at("twin", glam::Vec3::ZERO) });
    let mut builder = scene.build();
    builder.json["extensionsUsed"] = json!(["EXT_unheard_of"]);
    builder.json["meshes"][0]["extras"] = json!({ "kept": [1.50, "é"] });
    builder.json["meshes"][0]["primitives"][0]["extensions"] = json!({ "EXT_unheard_of": { "index": 7 } });
    open_bytes(&builder.glb())
}

fn set_copy(imported: &mut Imported, vertex: u32, influences: &[(u16, f32)]) {
    imported.document.swap_rows(COPY, &mut [(VertexIndex(vertex), row(influences))]);
}

/// The accessor that a mesh names.
fn named(json: &Value, mesh: usize, attribute: &str) -> u64 {
    json["meshes"][mesh]["primitives"][0]["attributes"][attribute].as_u64().unwrap()
}

#[test]
fn a_copy_is_appended_and_shares_everything_until_it_is_edited() {
    // B37
    let mut imported = two_nodes();
    let opened = imported.source.original.to_vec();
    imported.document.set_own_mesh(TWIN, true);
    let encoded = saved(&imported);
    let json = json_of(&encoded.files[0].1);
    assert_eq!(differences(&imported.source.json, &json), ["/meshes/1", "/nodes/3/mesh"]);
    let mut expected = json["meshes"][0].clone();
    expected["name"] = json!("Strip (2)");
    assert_eq!((&json["meshes"][1], &json["nodes"][3]["mesh"]), (&expected, &json!(1)));
    assert_eq!(json["nodes"][2]["mesh"], json!(0), "the other node keeps its number");
    assert!(encoded.report.to_string().contains("mesh 1 (Strip (2)) added for node twin, a copy of mesh Strip"));
    assert!(encoded.report.accessors.is_empty());
    assert_eq!(json_of(&opened)["accessors"], json["accessors"]);

    imported.document.set_own_mesh(TWIN, false);
    assert_same_bytes(&opened, &saved_bytes(&imported), "undone");
}

#[test]
fn edited_rows_of_a_copy_get_accessors_of_their_own_and_the_original_is_overwritten_in_place() {
    // B37
    let mut imported = two_nodes();
    imported.document.set_own_mesh(TWIN, true);
    set_copy(&mut imported, 3, EDIT);
    let encoded = saved(&imported);
    let hows: Vec<HowChanged> = encoded.report.accessors.iter().map(|accessor| accessor.how).collect();
    assert_eq!(hows, [HowChanged::Added], "only weights changed");
    let json = json_of(&encoded.files[0].1);
    assert_ne!(named(&json, 0, "WEIGHTS_0"), named(&json, 1, "WEIGHTS_0"));
    for shared in ["POSITION", "JOINTS_0", "TEXCOORD_0"] {
        assert_eq!(named(&json, 0, shared), named(&json, 1, shared), "{shared}");
    }
    let back = open_bytes(&encoded.files[0].1);
    assert_same_rows(&imported.document, &back.document, 0.0);

    // Both edited: the copy has its own weights, so the original's are nobody else's.
    set(&mut imported, 4, &[(0, 0.125), (1, 0.875)]);
    let encoded = saved(&imported);
    let report: Vec<(&str, HowChanged)> =
        encoded.report.accessors.iter().map(|accessor| (accessor.mesh.as_str(), accessor.how)).collect();
    assert_eq!(report, [("Strip", HowChanged::InPlace), ("Strip (2)", HowChanged::Added)]);
    let back = open_bytes(&encoded.files[0].1);
    assert_same_rows(&imported.document, &back.document, 0.0);
    let again = saved_bytes(&back);
    assert_same_bytes(&encoded.files[0].1, &again, "opened and saved");
}

#[test]
fn an_edited_original_leaves_its_data_to_the_copy() {
    // B37
    let mut imported = two_nodes();
    imported.document.set_own_mesh(TWIN, true);
    set(&mut imported, 3, EDIT);
    let encoded = saved(&imported);
    let json = json_of(&encoded.files[0].1);
    assert_eq!(named(&json, 1, "WEIGHTS_0"), named(&imported.source.json, 0, "WEIGHTS_0"));
    assert_ne!(named(&json, 0, "WEIGHTS_0"), named(&json, 1, "WEIGHTS_0"));
    let back = open_bytes(&encoded.files[0].1);
    assert_same_rows(&imported.document, &back.document, 0.0);
    assert!(
        !back
            .document
            .mesh(MESH)
            .weights
            .get(VertexIndex(3))
            .same_influences(&back.document.mesh(COPY).weights.get(VertexIndex(3)))
    );
}

#[test]
fn a_copy_goes_into_a_text_file_too() {
    // B37
    let mut imported = two_nodes();
    imported.document.set_own_mesh(TWIN, true);
    set_copy(&mut imported, 3, EDIT);
    let encoded = encode(&imported.document, &imported.source, ContainerKind::Gltf, "model.gltf").unwrap();
    let back = open_files(&encoded.files);
    assert_same_rows(&imported.document, &back.document, 0.0);
    assert_eq!(back.document.nodes().node(TWIN).mesh, Some(COPY));
}
