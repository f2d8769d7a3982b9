//! Containers, files beside the file, images, extensions.

use std::path::Path;

use serde_json::json;
use sinew_io::{
    BufferOrigin, ContainerKind, ImageError, ImportWarning, MapResolver, OpenError, decode_image, import, open,
};
use sinew_model::{ImageFormat, ImageIndex};
use sinew_tests::{checker_png, strip};

use crate::{assert_same_mesh, changed, opened, opened_files, opened_scene, rebuilt, try_open};

#[test]
fn the_three_containers_give_the_same_document() {
    let glb = opened_scene(&strip());
    let text = opened_files(strip().gltf_files("strip"));
    let embedded = opened(strip().gltf_embedded());
    assert_same_mesh(&glb, &text);
    assert_same_mesh(&glb, &embedded);
    assert_eq!((glb.source.kind(), text.source.kind()), (ContainerKind::Glb, ContainerKind::Gltf));
    assert_eq!(glb.source.buffers[0].origin, BufferOrigin::BinChunk);
    let (uri, name) = ("strip.bin".to_owned(), "strip.bin".to_owned());
    assert_eq!(text.source.buffers[0].origin, BufferOrigin::External { uri, name });
    assert_eq!(embedded.source.buffers[0].origin, BufferOrigin::DataUri);
    assert_eq!(glb.source.json_text(), strip().build().json_text());
}

#[test]
fn the_json_may_have_any_length() {
    // B13
    for name in ["a", "ab", "abc", "abcd"] {
        let mut scene = strip();
        scene.nodes[0].name = name.to_owned();
        assert_eq!(opened_scene(&scene).document.nodes().label(sinew_model::NodeIndex(0)), name);
    }
}

#[test]
fn a_buffer_ends_where_it_says_and_not_with_its_padding() {
    // B13
    let imported = opened(rebuilt(&strip(), |builder| {
        builder.view(&[9], None, None);
    }));
    let chunk = imported.source.container.bin().expect("a BIN chunk");
    assert_eq!(chunk.len() - imported.source.buffers[0].bytes.len(), 3);
    assert_same_mesh(&imported, &opened_scene(&strip()));
}

#[test]
fn names_of_files_are_found_decoded_and_as_written() {
    // B14
    let folder = tempfile::tempdir().expect("a folder");
    for (uri, name) in [
        ("my%20strip%2010%25.bin", "my strip 10%.bin"),
        ("my strip 10%.bin", "my strip 10%.bin"),
        ("%E7%BD%91.bin", "网.bin"),
        ("a%20b.bin", "a%20b.bin"),
        ("../up.bin", "../up.bin"),
    ] {
        let below = folder.path().join("below");
        std::fs::create_dir_all(&below).expect("a folder");
        let mut builder = strip().build();
        builder.json["buffers"][0]["uri"] = json!(uri);
        std::fs::write(below.join("strip.gltf"), builder.json_text()).expect("written");
        std::fs::write(below.join(name), &builder.bin).expect("written");
        let imported = open(&below.join("strip.gltf")).unwrap_or_else(|error| panic!("{uri}: {error}"));
        assert_same_mesh(&imported, &opened_scene(&strip()));
        let origin = BufferOrigin::External { uri: uri.to_owned(), name: name.to_owned() };
        assert_eq!(imported.source.buffers[0].origin, origin);
        assert_eq!(imported.source.path.as_deref(), Some(&*below.join("strip.gltf")));
        std::fs::remove_file(below.join(name)).expect("removed");
    }
}

#[test]
fn a_missing_buffer_is_an_error_that_names_the_file() {
    let (_, text) = strip().gltf_files("strip").swap_remove(0);
    let error = try_open(text).expect_err("no buffer");
    assert!(error.to_string().contains("buffers/0") && error.to_string().contains("strip.bin"), "{error}");
}

#[test]
fn a_missing_image_is_a_warning() {
    let mut scene = strip();
    scene.add_image(checker_png(4, [255; 3], [0; 3]), Some("checker.png"));
    let mut files = scene.gltf_files("strip");
    assert_eq!(opened_files(files.clone()).document.image(ImageIndex(0)).format, ImageFormat::Png);
    files.retain(|(name, _)| name != "checker.png");
    let imported = opened_files(files);
    assert!(matches!(&imported.warnings[..], [ImportWarning::Image { path, .. }] if path == "images/0"));
    let missing = decode_image(imported.document.image(ImageIndex(0)));
    assert_eq!(missing, Err(ImageError::Missing { name: "checker.png".to_owned() }));
}

#[test]
fn an_image_in_the_buffer_is_decoded_to_its_pixels() {
    let mut scene = strip();
    scene.add_image(checker_png(2, [255, 128, 0], [0, 0, 255]), None);
    let imported = opened_scene(&scene);
    let pixels = decode_image(imported.document.image(ImageIndex(0))).expect("a picture");
    assert_eq!(pixels.pixels[..4], [255, 128, 0, 255]);
    assert_eq!(pixels.pixels.len(), (pixels.width * pixels.height * 4) as usize);
}

#[test]
fn a_picture_that_claims_to_be_huge_is_not_decoded() {
    let mut png = checker_png(2, [255; 3], [0; 3]);
    // Width and height stand at byte 16; the checksum after them no longer fits, which decoders may ignore.
    png[16..24].copy_from_slice(&[0x7f, 0, 0, 0, 0x7f, 0, 0, 0]);
    let mut scene = strip();
    scene.add_image(png, None);
    let imported = opened_scene(&scene);
    assert!(matches!(decode_image(imported.document.image(ImageIndex(0))), Err(ImageError::Decode { .. })));
}

#[test]
fn names_that_leave_for_the_network_or_the_root_are_not_followed() {
    for uri in ["http://example.com/a.bin", "file:///etc/hostname", "/etc/hostname"] {
        let bytes = changed(&strip(), |json| json["buffers"][0]["uri"] = json!(uri));
        let error = import(bytes, &MapResolver::default()).expect_err("not relative");
        assert!(error.to_string().contains("relative"), "{error}");
    }
}

#[test]
fn draco_is_refused_by_name_with_what_to_do() {
    // B15
    let bytes = rebuilt(&strip(), |builder| {
        let view = builder.view(&[1, 2, 3, 4], None, None);
        builder.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
        builder.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] =
            json!({ "bufferView": view, "attributes": { "POSITION": 0 } });
    });
    let error = try_open(bytes).expect_err("Draco").to_string();
    assert!(error.contains("Draco") && error.contains("Strip") && error.contains("export"), "{error}");
}

#[test]
fn extensions_that_leave_geometry_alone_are_accepted_others_are_named() {
    let with = |name: &str| try_open(changed(&strip(), |json| json["extensionsRequired"] = json!([name])));
    for name in ["KHR_mesh_quantization", "KHR_texture_basisu", "VRM", "VRMC_vrm", "KHR_materials_volume"] {
        assert_eq!(with(name).expect(name).warnings, [], "{name}");
    }
    let warnings = with("ACME_x").expect("an unknown extension").warnings;
    assert_eq!(warnings, [ImportWarning::UnknownExtension { name: "ACME_x".to_owned() }]);
    assert!(matches!(with("KHR_gaussian_splatting"), Err(OpenError::Extension { .. })));
}

#[test]
fn other_versions_of_gltf_are_refused() {
    for asset in
        [json!({ "version": "1.0" }), json!({ "version": "2.0", "minVersion": "2.1" }), json!({ "version": "3" })]
    {
        let error = try_open(changed(&strip(), |json| json["asset"] = asset)).expect_err("another version");
        assert!(matches!(error, OpenError::Version { .. }), "{error}");
    }
    assert!(try_open(changed(&strip(), |json| json["asset"]["version"] = json!("2.1"))).is_ok());
}

#[test]
fn a_file_of_another_kind_is_told_by_its_ending() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.fbx");
    std::fs::write(&path, b"Kaydara FBX Binary").expect("written");
    let error = open(&path).expect_err("no glTF").to_string();
    assert!(error.contains(".fbx") && error.contains(".glb"), "{error}");
    std::fs::write(&path, strip().glb()).expect("written");
    assert!(open(&path).is_ok(), "a GLB by another name");
    assert!(matches!(open(Path::new("no such file.glb")), Err(OpenError::Read { .. })));
}
