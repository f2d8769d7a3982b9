//! Text files, files beside them, and going from one container to the other.

use serde_json::json;
use sinew_io::{BufferOrigin, Bytes, Container, ContainerKind, Encoded, HowChanged, MapResolver, encode, import};
use sinew_tests::{Scene, data_uri, strip, tube};

use crate::harness::{
    MESH, assert_same_bytes, assert_same_rows, differences, json_of, open_bytes, open_files, png, row, saved, set,
    without_bounds,
};

const EDIT: &[(u16, f32)] = &[(0, 0.25), (1, 0.75)];

/// The files of a save with those of the original that they need.
fn with_originals(encoded: &Encoded, originals: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
    encoded.files.iter().chain(&originals[1..]).cloned().collect()
}

#[test]
fn a_text_file_changes_by_a_few_lines_and_our_data_lies_beside_it() {
    let mut files = strip().gltf_files("strip");
    let pretty = serde_json::to_string_pretty(&json_of(&files[0].1)).unwrap() + "\n";
    files[0].1 = pretty.clone().into_bytes();
    let mut imported = open_files(&files);
    assert_same_bytes(&files[0].1, &saved(&imported).files[0].1, "unedited");
    set(&mut imported, 4, EDIT);
    let encoded = saved(&imported);
    let [(main_name, main), (skin_name, _)] = encoded.files.as_slice() else { panic!("two files") };
    assert_eq!(main_name, "model.gltf");
    assert!(skin_name.starts_with("model.skin-") && skin_name.split('.').next_back() == Some("bin"), "{skin_name}");
    let after = String::from_utf8(main.clone()).unwrap();
    let kept = pretty.lines().filter(|line| after.lines().any(|other| other == *line)).count();
    assert!(pretty.lines().count() - kept <= 6, "{after}");
    assert!(after.lines().count() <= pretty.lines().count() + 12, "{after}");
    let back = open_files(&with_originals(&encoded, &files));
    assert_same_rows(&imported.document, &back.document, 0.0);
    assert_eq!(back.source.json["buffers"][0], imported.source.json["buffers"][0]);
}

#[test]
fn our_file_is_replaced_and_not_added_to() {
    let originals = without_bounds(&strip()).gltf_files("strip");
    let mut files = originals.clone();
    let mut names = Vec::new();
    let mut lens = Vec::new();
    for round in 0..4 {
        let mut imported = open_files(&files);
        let share = 0.1 + 0.2 * round as f32;
        set(&mut imported, 4, &[(0, share), (1, 1.0 - share)]);
        let encoded = saved(&imported);
        let back = open_files(&with_originals(&encoded, &originals));
        assert_same_rows(&imported.document, &back.document, 0.0);
        names.push(encoded.files[1].0.clone());
        lens.push((encoded.files[0].1.len(), encoded.files[1].1.len()));
        files = with_originals(&encoded, &originals);
    }
    assert_eq!(lens, [lens[0]; 4]);
    names.dedup();
    assert_eq!(names.len(), 4, "each content has its own name: {names:?}");
    // Unedited, the file of an earlier save is kept as it is.
    let untouched = saved(&open_files(&files));
    assert_same_bytes(&files[0].1, &untouched.files[0].1, "unedited");
    assert_eq!(untouched.files[1], files[1]);
}

#[test]
fn an_embedded_file_stays_one_file_and_reuses_its_skin_buffer() {
    let mut bytes = strip().gltf_embedded();
    let mut lens = Vec::new();
    for round in 0..3 {
        let mut imported = open_bytes(&bytes);
        let share = 0.25 + 0.125 * round as f32;
        set(&mut imported, 4, &[(0, share), (1, 1.0 - share)]);
        let encoded = saved(&imported);
        assert_eq!(encoded.files.len(), 1);
        bytes = encoded.files[0].1.clone();
        let back = open_bytes(&bytes);
        assert_same_rows(&imported.document, &back.document, 0.0);
        assert_eq!(back.source.buffers.len(), 2);
        assert_eq!(back.source.json["buffers"][0], imported.source.json["buffers"][0]);
        lens.push(bytes.len());
    }
    assert_eq!(lens, [lens[0]; 3]);
}

#[test]
fn new_file_names_are_percent_encoded_and_old_uris_keep_their_spelling() {
    // B14
    for (uri, name) in
        [("my%20strip%2010%25.bin", "my strip 10%.bin"), ("my strip.bin", "my strip.bin"), ("%E7%BD%91.bin", "网.bin")]
    {
        let mut builder = strip().build();
        builder.json["buffers"][0]["uri"] = json!(uri);
        builder.push("images", json!({ "uri": "no%20such.png" }));
        let main = builder.gltf_files("x").remove(0).1;
        let mut imported = open_files(&[("x.gltf".to_owned(), main), (name.to_owned(), builder.bin.clone())]);
        set(&mut imported, 4, EDIT);
        let encoded = encode(&imported.document, &imported.source, ContainerKind::Gltf, "my 网 10%.gltf").unwrap();
        let json = json_of(&encoded.files[0].1);
        assert_eq!(json["buffers"][0]["uri"], uri);
        assert_eq!(json["images"][0]["uri"], "no%20such.png");
        let new_uri = json["buffers"][1]["uri"].as_str().unwrap();
        assert!(new_uri.starts_with("my%20%E7%BD%91%2010%25.skin-"), "{new_uri}");
        assert!(encoded.files[1].0.starts_with("my 网 10%.skin-"), "{}", encoded.files[1].0);
    }
}

#[test]
fn a_glb_becomes_text_with_its_binary_beside_it_and_comes_back() {
    let scene = tube(9, 16);
    let mut imported = open_bytes(&scene.glb());
    let plain = encode(&imported.document, &imported.source, ContainerKind::Gltf, "tube.gltf").unwrap();
    assert_eq!(plain.files.iter().map(|file| file.0.as_str()).collect::<Vec<_>>(), ["tube.gltf", "tube.bin"]);
    assert_eq!(differences(&imported.source.json, &json_of(&plain.files[0].1)), ["/buffers/0/uri"]);
    set(&mut imported, 70, EDIT);
    let encoded = encode(&imported.document, &imported.source, ContainerKind::Gltf, "tube.gltf").unwrap();
    assert_eq!(encoded.files[2], plain.files[1], "the old binary stays as it was");
    let back = open_files(&encoded.files);
    assert_same_rows(&imported.document, &back.document, 0.0);
    let packed = encode(&back.document, &back.source, ContainerKind::Glb, "tube.glb").unwrap();
    assert_eq!(packed.files.len(), 1);
    let again = open_bytes(&packed.files[0].1);
    assert_same_rows(&imported.document, &again.document, 0.0);
    assert_eq!(again.source.buffers.len(), 1);
    assert_eq!(again.document.mesh(MESH).positions, imported.document.mesh(MESH).positions);
}

/// A text file over three buffers: a file, one that is not there, and a data URI.
fn three_buffers() -> (Vec<(String, Vec<u8>)>, Scene) {
    let mut scene = strip();
    scene.add_image(png(), None);
    scene.primitive().material = Some(0);
    let mut builder = scene.build();
    let image_view = builder.json["images"][0]["bufferView"].as_u64().unwrap() as usize;
    let view = builder.json["bufferViews"][image_view].clone();
    let at = view["byteOffset"].as_u64().unwrap() as usize;
    let image = builder.bin[at..at + view["byteLength"].as_u64().unwrap() as usize].to_vec();
    builder.push("buffers", json!({ "byteLength": 16, "extras": "not there" }));
    builder.push("buffers", json!({ "byteLength": image.len(), "uri": data_uri("application/octet-stream", &image) }));
    builder.json["bufferViews"][image_view]["buffer"] = json!(2);
    builder.json["bufferViews"][image_view]["byteOffset"] = json!(0);
    (builder.gltf_files("three"), scene)
}

#[test]
fn several_buffers_become_one_chunk_and_all_views_follow() {
    let (files, _) = three_buffers();
    let mut imported = open_files(&files);
    set(&mut imported, 4, EDIT);
    let packed = encode(&imported.document, &imported.source, ContainerKind::Glb, "three.glb").unwrap();
    assert_eq!(packed.files.len(), 1);
    assert!(packed.report.accessors.iter().all(|accessor| accessor.how == HowChanged::InPlace));
    let back = open_bytes(&packed.files[0].1);
    assert_eq!(back.source.buffers[0].origin, BufferOrigin::BinChunk);
    assert_eq!(back.source.json["buffers"][1]["extras"], "not there");
    assert_eq!(back.source.buffers.len(), 2);
    assert_same_rows(&imported.document, &back.document, 0.0);
    assert_eq!(format!("{:?}", back.document.images()), format!("{:?}", imported.document.images()));
}

#[test]
fn unknown_chunks_of_a_glb_stay_in_their_place() {
    let mut scene = strip();
    scene.primitive().weights_storage = sinew_tests::Storage::SparseOverNothing;
    let mut bytes = scene.glb();
    bytes.extend([4, 0, 0, 0, b'A', b'C', b'M', b'E', 1, 2, 3, 4]);
    let len = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&len.to_le_bytes());
    let mut imported = open_bytes(&bytes);
    set(&mut imported, 4, EDIT);
    let encoded = saved(&imported);
    let after = &encoded.files[0].1;
    let chunks = Container::parse(after).unwrap().chunks;
    assert_eq!(chunks.len(), 3);
    assert_eq!(chunks[2].kind.to_le_bytes(), *b"ACME");
    assert_eq!(&after[chunks[2].data.clone()], [1, 2, 3, 4]);
    let text = encode(&imported.document, &imported.source, ContainerKind::Gltf, "a.gltf").unwrap();
    assert!(text.report.warnings.iter().any(|warning| warning.contains("1 chunk")), "{:?}", text.report.warnings);
}

#[test]
fn weights_in_a_file_beside_a_glb_move_out_of_it_and_it_stays_as_it_was() {
    let builder = strip().build();
    let mut json = builder.json.clone();
    json["buffers"][0]["uri"] = json!("strip.bin");
    let glb = sinew_tests::glb_bytes(json.to_string().as_bytes(), &[]);
    let beside = MapResolver(vec![("strip.bin".to_owned(), Bytes::from(builder.bin.clone()))]);
    let mut imported = import(glb, &beside).unwrap();
    imported.document.swap_rows(MESH, &mut [(sinew_model::VertexIndex(4), row(EDIT))]);
    let encoded = saved(&imported);
    assert_eq!(encoded.files.len(), 2);
    let mut files = encoded.files.clone();
    files.push(("strip.bin".to_owned(), builder.bin));
    assert_same_rows(&imported.document, &open_files(&files).document, 0.0);
}
