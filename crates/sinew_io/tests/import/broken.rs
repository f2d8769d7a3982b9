//! Files that are not what they say: an error with a place, never a panic, a hang or a memory full of nothing.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};
use sinew_io::OpenError;
use sinew_tests::{Channel, Clip, Morph, Scene, Storage, checker_png, strip};

use crate::{changed, opened_scene, rebuilt, try_open};

fn accessor_of(json: &Value, attribute: &str) -> usize {
    let primitive = &json["meshes"][0]["primitives"][0];
    let accessor = if attribute == "indices" { &primitive["indices"] } else { &primitive["attributes"][attribute] };
    accessor.as_u64().expect("an accessor") as usize
}

fn error_of(change: impl FnOnce(&mut Value)) -> OpenError {
    try_open(changed(&strip(), change)).expect_err("a broken file")
}

#[test]
fn every_error_names_the_place() {
    // B70
    let position = |json: &Value| accessor_of(json, "POSITION");
    let p = position(&strip().build().json);
    let accessor = format!("accessors/{p}");
    let cases: Vec<(&str, OpenError, &str)> = vec![
        ("count 10^9", error_of(|json| json["accessors"][p]["count"] = json!(1_000_000_000)), &accessor),
        ("byteOffset past the end", error_of(|json| json["accessors"][p]["byteOffset"] = json!(1u64 << 50)), &accessor),
        ("bufferView -1", error_of(|json| json["accessors"][p]["bufferView"] = json!(-1)), "/bufferView"),
        ("bufferView 99", error_of(|json| json["accessors"][p]["bufferView"] = json!(99)), "/bufferView"),
        ("node.mesh 99", error_of(|json| json["nodes"][2]["mesh"] = json!(99)), "nodes/2/mesh"),
        ("node.skin 99", error_of(|json| json["nodes"][2]["skin"] = json!(99)), "nodes/2/skin"),
        ("skin.joints [99]", error_of(|json| json["skins"][0]["joints"] = json!([99])), "skins/0/joints/0"),
        ("negative count", error_of(|json| json["accessors"][p]["count"] = json!(-5)), "/count"),
        ("meshes {}", error_of(|json| json["meshes"] = json!({})), "meshes"),
        ("nodes 7", error_of(|json| json["nodes"] = json!(7)), "nodes"),
        (
            "view past the buffer",
            error_of(|json| json["bufferViews"][0]["byteLength"] = json!(1 << 30)),
            "bufferViews/0",
        ),
        ("a stride of 1", error_of(|json| json["bufferViews"][0]["byteStride"] = json!(1)), "byteStride"),
        ("no component type", error_of(|json| json["accessors"][p]["componentType"] = json!(null)), "/componentType"),
        ("double", error_of(|json| json["accessors"][p]["componentType"] = json!(5130)), "/componentType"),
        ("a type of VEC5", error_of(|json| json["accessors"][p]["type"] = json!("VEC5")), "/type"),
        (
            "POSITION 99",
            error_of(|json| json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(99)),
            "POSITION",
        ),
        ("POSITION of VEC2", error_of(|json| json["accessors"][p]["type"] = json!("VEC2")), "POSITION"),
        ("mode 9", error_of(|json| json["meshes"][0]["primitives"][0]["mode"] = json!(9)), "/mode"),
        ("buffer shorter than stated", error_of(|json| json["buffers"][0]["byteLength"] = json!(1 << 30)), "buffers/0"),
    ];
    for (what, error, place) in cases {
        assert!(error.to_string().contains(place), "{what}: {error}");
    }
}

#[test]
fn files_that_are_cut_off_empty_or_no_text_are_errors() {
    // B70
    let whole = strip().glb();
    for len in (0..whole.len()).step_by(7) {
        assert!(try_open(whole[..len].to_vec()).is_err(), "{len} of {} bytes", whole.len());
    }
    let mut bad_text = whole.clone();
    bad_text[30] = 0xFF;
    assert!(matches!(try_open(bad_text), Err(OpenError::Container(_))));
    assert!(matches!(try_open(b"{\"asset\": ".to_vec()), Err(OpenError::Syntax(_))));
    assert!(try_open(b"{\"nodes\": [".repeat(100_000)).is_err(), "deep nesting");
    assert!(try_open(b"[]".to_vec()).is_err());
}

#[test]
fn indices_past_the_vertices_are_errors() {
    // B70
    let mut scene = strip();
    scene.primitive().indices = Some(vec![0, 1, 10]);
    let error = try_open(scene.glb()).expect_err("no vertex 10").to_string();
    assert!(error.contains("below 10") && error.contains("found 10"), "{error}");
}

#[test]
fn a_sparse_element_past_the_count_is_an_error() {
    let mut scene = strip();
    scene.primitive().positions_storage = Storage::SparseOverBase(vec![3, 8]);
    let bytes = rebuilt(&scene, |builder| {
        let p = accessor_of(&builder.json, "POSITION");
        let view = builder.json["accessors"][p]["sparse"]["indices"]["bufferView"].as_u64().expect("a view");
        let at = builder.json["bufferViews"][view as usize]["byteOffset"].as_u64().expect("an offset") as usize;
        builder.bin[at] = 200;
    });
    assert!(try_open(bytes).expect_err("no element 200").to_string().contains("200"));
}

#[test]
fn zeros_without_bytes_cannot_fill_the_memory() {
    for (count, n_meshes) in [(1_000_000_000u64, 1), (4_294_967_295, 1), (16_000_000, 200)] {
        let bytes = changed(&strip(), |json| {
            let p = accessor_of(json, "POSITION");
            json["accessors"][p] = json!({ "componentType": 5126, "type": "VEC3", "count": count });
            let mesh = json!({ "primitives": [{ "attributes": { "POSITION": p }, "mode": 0 }] });
            json["meshes"] = json!(vec![mesh; n_meshes]);
        });
        let error = try_open(bytes).expect_err("too much");
        assert!(matches!(error, OpenError::PastEnd { .. } | OpenError::TooLarge { .. }), "{error}");
    }
}

#[test]
fn a_small_file_cannot_ask_for_the_same_bytes_without_end() {
    let start = Instant::now();
    let bytes = rebuilt(&sinew_tests::grid(40_000, 2, 1), |builder| {
        // One mesh is enough for each of these to make a full copy of its vertices.
        let mesh = builder.json["meshes"][0].clone();
        builder.json["meshes"] = json!(vec![mesh; 5000]);
    });
    assert!(matches!(try_open(bytes), Err(OpenError::TooLarge { .. })));
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
}

#[test]
fn many_primitives_and_targets_take_time_only_for_themselves() {
    let start = Instant::now();
    let bytes = changed(&strip(), |json| {
        let primitive = json["meshes"][0]["primitives"][0].clone();
        let mut primitives = vec![primitive; 30_000];
        for (i, primitive) in primitives.iter_mut().enumerate() {
            // Each with targets of its own, so that each has a pool of its own.
            primitive["targets"] = json!(vec![json!({ "POSITION": primitive["attributes"]["POSITION"] }); i % 2]);
            primitive["attributes"]["JOINTS_0"] = json!(null);
        }
        json["meshes"][0]["primitives"] = json!(primitives);
    });
    let _ = try_open(bytes);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

/// A small file with a bit of everything.
fn small() -> Scene {
    let mut scene = strip();
    scene.primitive().weights_storage = Storage::SparseOverNothing;
    scene.primitive().morphs = vec![Morph { positions: vec![glam::Vec3::Z; 10], normals: vec![] }];
    scene.add_image(checker_png(2, [255; 3], [0; 3]), None);
    scene.primitive().material = Some(0);
    let times_s = vec![0.0, 1.0];
    let values = [0.0, 0.0, 0.0, 1.0].repeat(2);
    let channels = vec![Channel { node: 1, path: "rotation", times_s, values, interpolation: "LINEAR" }];
    scene.clips.push(Clip { name: "turn".to_owned(), channels });
    scene
}

/// All places of a JSON value, as pointers.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(i, value)| places(value, &format!("{at}/{i}"), out)),
        Value::Object(map) => map.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), out)),
        _ => {}
    }
}

fn odd_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3i64..40).prop_map(|n| json!(n)),
        prop_oneof![Just(255u64), Just(65536), Just(1 << 24), Just(1_000_000_000), Just(1 << 32), Just(u64::MAX)]
            .prop_map(|n| json!(n)),
        (-1e3f64..1e3).prop_map(|n| json!(n)),
        Just(json!(1e300)),
        prop_oneof![Just(5120), Just(5121), Just(5122), Just(5123), Just(5125), Just(5126)].prop_map(|n| json!(n)),
        prop_oneof![Just("SCALAR"), Just("VEC2"), Just("VEC3"), Just("VEC4"), Just("MAT4"), Just("x"), Just("data:,")]
            .prop_map(|text| json!(text)),
        Just(json!(null)),
        Just(json!({})),
        Just(json!([])),
        Just(json!([0, 0, 1])),
        Just(json!(true)),
    ]
}

#[test]
fn the_file_that_is_broken_below_is_whole() {
    assert_eq!(opened_scene(&small()).warnings, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn changed_bytes_never_panic(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut bytes = small().glb();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = try_open(bytes);
    }

    #[test]
    fn cut_off_files_never_panic(at in any::<prop::sample::Index>(), text in any::<bool>()) {
        let bytes = if text { small().gltf_embedded() } else { small().glb() };
        let len = at.index(bytes.len());
        prop_assert!(try_open(bytes[..len].to_vec()).is_err());
    }

    #[test]
    fn changed_json_never_panics(changes in proptest::collection::vec((any::<prop::sample::Index>(), odd_value()), 1..6)) {
        let bytes = changed(&small(), |json| {
            for (at, value) in changes {
                let mut all = Vec::new();
                places(json, "", &mut all);
                // Place 0 is the root.
                let place = at.index(all.len().saturating_sub(1).max(1)) + 1;
                if let Some(target) = all.get(place).and_then(|place| json.pointer_mut(place)) {
                    *target = value;
                }
            }
        });
        let start = Instant::now();
        let _ = try_open(bytes);
        prop_assert!(start.elapsed() < Duration::from_secs(20));
    }
}
