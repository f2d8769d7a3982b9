//! EXT_meshopt_compression.

use serde_json::{Value, json};
use sinew_io::{OpenError, open};
use sinew_model::{Mesh, MeshIndex};
use sinew_tests::{GltfBuilder, shared_models, strip};

use crate::{assert_same_mesh, opened, opened_scene, rebuilt, row_in, try_open};

/// Compresses every view of STRIP that has as many bytes a vertex as `byte_stride` says; the plain bytes go.
fn compress(builder: &mut GltfBuilder, extension: &str) {
    let attributes = &builder.json["meshes"][0]["primitives"][0]["attributes"];
    let named = |name: &str| attributes[name].as_u64().map(|accessor| accessor as usize);
    let accessors: Vec<usize> = ["POSITION", "TEXCOORD_0", "WEIGHTS_0"].into_iter().filter_map(named).collect();
    let fallback = json!({ "byteLength": 4096, "extensions": { (extension): { "fallback": true } } });
    for accessor in accessors {
        let accessor = &builder.json["accessors"][accessor];
        let (count, view) = (accessor["count"].as_u64(), accessor["bufferView"].as_u64());
        let (count, view) = (count.expect("a count") as usize, view.expect("a view") as usize);
        let view_json = &builder.json["bufferViews"][view];
        let start = view_json["byteOffset"].as_u64().unwrap_or(0) as usize;
        let length = view_json["byteLength"].as_u64().expect("a length") as usize;
        let plain = builder.bin[start..start + length].to_vec();
        let byte_stride = length / count;
        let encoded = match byte_stride {
            8 => encode::<8>(&plain),
            12 => encode::<12>(&plain),
            16 => encode::<16>(&plain),
            other => panic!("a stride of {other}"),
        };
        builder.bin[start..start + length].fill(0xEE);
        let place = builder.view(&encoded, None, None);
        let views = builder.json["bufferViews"].as_array_mut().expect("views");
        let at: Value = views.remove(place);
        views[view] = json!({
            "buffer": 1,
            "byteLength": length,
            "byteStride": byte_stride,
            "extensions": { (extension): {
                "buffer": 0,
                "byteOffset": at["byteOffset"],
                "byteLength": at["byteLength"],
                "byteStride": byte_stride,
                "mode": "ATTRIBUTES",
                "count": count,
            } },
        });
    }
    builder.json["buffers"].as_array_mut().expect("buffers").push(fallback);
    builder.json["extensionsRequired"] = json!([extension]);
}

fn encode<const N: usize>(plain: &[u8]) -> Vec<u8> {
    let vertices: Vec<[u8; N]> = plain.chunks_exact(N).map(|chunk| chunk.try_into().expect("a vertex")).collect();
    meshopt::encode_vertex_buffer_level(&vertices, 2, Some(0)).expect("encoded")
}

#[test]
fn compressed_views_read_as_plain_ones_under_either_name() {
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let imported = opened(rebuilt(&strip(), |builder| compress(builder, extension)));
        assert_same_mesh(&imported, &opened_scene(&strip()));
        assert_eq!(imported.warnings, []);
        assert!(imported.source.decode_rows(MeshIndex(0), 0).is_ok());
    }
}

#[test]
fn a_view_that_cannot_be_decoded_is_named() {
    let name = "EXT_meshopt_compression";
    let change = |key: &'static str, value: Value| {
        try_open(rebuilt(&strip(), |builder| {
            compress(builder, name);
            for view in builder.json["bufferViews"].as_array_mut().expect("views") {
                if let Some(compression) = view.get_mut("extensions").map(|extensions| &mut extensions[name]) {
                    compression[key] = value.clone();
                }
            }
        }))
    };
    assert!(matches!(change("byteLength", json!(7)), Err(OpenError::Compressed { .. })));
    assert!(matches!(change("byteLength", json!(1u64 << 40)), Err(OpenError::PastEnd { .. })));
    assert!(matches!(change("count", json!(4_000_000_000u64)), Err(OpenError::TooLarge { .. })));
    assert!(matches!(change("count", json!(9)), Err(OpenError::Compressed { .. } | OpenError::PastEnd { .. })));
    assert!(matches!(change("byteStride", json!(10)), Err(OpenError::Json(_))));
    assert!(matches!(change("byteStride", json!(0)), Err(OpenError::Json(_))));
    assert!(matches!(change("mode", json!("TRIANGLES")), Err(OpenError::Json(_))));
    assert!(matches!(change("buffer", json!(9)), Err(OpenError::Json(_))));
}

/// A corner of a triangle: position, and slots with the bits of their weights.
type Corner = (String, Vec<(u16, u32)>);

/// Corners of all triangles with positions and weights, in an order that does not depend on vertex order.
fn surface(mesh: &Mesh) -> Vec<Vec<Corner>> {
    let corner = |vertex: u32| {
        let mut row: Vec<_> = row_in(mesh, vertex).into_iter().map(|(slot, weight)| (slot, weight.to_bits())).collect();
        row.sort_unstable();
        (mesh.positions[vertex as usize].to_string(), row)
    };
    let mut triangles: Vec<Vec<_>> = mesh
        .triangles()
        .map(|triangle| {
            let mut corners = triangle.map(corner).to_vec();
            corners.sort_unstable();
            corners
        })
        .collect();
    triangles.sort_unstable();
    triangles
}

#[test]
fn a_compressed_character_equals_its_uncompressed_twin() {
    let Some(models) = shared_models() else { return };
    let compressed = open(&models.join("King_meshopt.glb")).expect("a model").document;
    let plain = open(&models.join("King_quant_u8.glb")).expect("a model").document;
    for (compressed, plain) in compressed.meshes().iter().zip(plain.meshes()) {
        // The compressor reorders vertices and triangles.
        assert!(surface(compressed) == surface(plain), "{:?}", plain.name);
    }
}
