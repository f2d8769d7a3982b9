//! The fixtures are what they say, and an outside judge finds nothing wrong with them.

use std::path::PathBuf;

use glam::{Mat4, Vec3};

use crate::*;

/// Writes a file for the validator and gives its path.
fn write(dir: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.0.join(name);
    std::fs::write(&path, bytes).expect("the temporary folder can be written");
    path
}

/// A folder that goes with the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sinew_tests_{name}_{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn named_fixtures() -> Vec<(&'static str, Scene)> {
    vec![
        ("strip", strip()),
        ("tube", tube(9, 16)),
        ("seam", seam()),
        ("pair", pair()),
        ("pair_two", pair_two_meshes()),
        ("cube", cube(Vec3::ZERO, 1.0)),
        ("patch", patch(4, 4)),
        ("chain", chain(300)),
        ("grid", grid(2000, 55, 2)),
    ]
}

/// STRIP in every storage the cases ask for.
fn stored_variants() -> Vec<(&'static str, Scene)> {
    let mut variants = Vec::new();
    let mut vary = |name, change: &dyn Fn(&mut Scene)| {
        let mut scene = strip();
        change(&mut scene);
        variants.push((name, scene));
    };
    vary("u16_joints", &|s| s.primitive().joints_type = JointsType::U16);
    vary("u8_weights", &|s| s.primitive().weights_type = WeightsType::U8);
    vary("u16_weights", &|s| s.primitive().weights_type = WeightsType::U16);
    vary("quantised", &|s| s.primitive().positions_type = PositionsType::I16 { divisor: 2.0 });
    vary("interleaved", &|s| s.primitive().placement = Placement::Interleaved { byte_stride: 44 });
    vary("sparse", &|s| {
        s.primitive().positions_storage = Storage::SparseOverBase(vec![8, 9]);
        s.primitive().weights_storage = Storage::SparseOverNothing;
    });
    vary("unindexed", &|s| {
        let primitive = s.primitive();
        let indices = primitive.indices.take().expect("STRIP has indices");
        primitive.positions = indices.iter().map(|&i| primitive.positions[i as usize]).collect();
        primitive.uvs = indices.iter().map(|&i| primitive.uvs[i as usize]).collect();
        primitive.rows = indices.iter().map(|&i| primitive.rows[i as usize].clone()).collect();
    });
    vary("two_sets", &|s| {
        for k in 2..6 {
            s.add_joint(1, &format!("J{k}"), Vec3::new(0.0, 0.25, 0.0));
        }
        s.rows()[0] = vec![(0, 0.3), (1, 0.25), (2, 0.2), (3, 0.15), (4, 0.06), (5, 0.04)];
    });
    vary("morph_clip_image", &|s| {
        let lift = |k: usize| if k >= 8 { Vec3::Z } else { Vec3::ZERO };
        s.primitive().morphs = vec![Morph { positions: (0..10).map(lift).collect(), normals: Vec::new() }];
        s.meshes[0].morph_weights = vec![1.0];
        let image = s.add_image(checker_png(4, [200, 80, 60], [60, 80, 200]), None);
        s.primitive().material = Some(image);
        s.clips.push(Clip {
            name: "Bend".to_owned(),
            channels: vec![Channel {
                node: 1,
                path: "rotation",
                times_s: vec![0.0, 1.0],
                values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.707_106_77, 0.707_106_77],
                interpolation: "LINEAR",
            }],
        });
    });
    vary("shared_accessors", &|s| {
        let share = |attribute: &str| Share { attribute: attribute.to_owned(), mesh: 0, primitive: 0 };
        let mut second = s.primitive().clone();
        second.shares = ["POSITION", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"].map(share).to_vec();
        s.meshes[0].primitives.push(second);
    });
    variants
}

#[test]
fn the_khronos_validator_finds_no_error_and_no_warning() {
    let dir = TempDir::new("valid");
    let mut paths = Vec::new();
    for (name, scene) in named_fixtures().into_iter().chain(stored_variants()) {
        paths.push(write(&dir, &format!("{name}.glb"), &scene.glb()));
    }
    paths.push(write(&dir, "embedded.gltf", &strip().gltf_embedded()));
    let mut with_image = strip();
    let image = with_image.add_image(checker_png(2, [255; 3], [0; 3]), Some("checker.png"));
    with_image.primitive().material = Some(image);
    for (name, bytes) in with_image.gltf_files("beside") {
        let path = write(&dir, &name, &bytes);
        if name == "beside.gltf" {
            paths.push(path);
        }
    }
    let paths: Vec<&std::path::Path> = paths.iter().map(PathBuf::as_path).collect();
    validate_gltf(&paths, None).assert_no_warning();
}

#[test]
fn the_validator_is_able_to_find_a_fault() {
    let dir = TempDir::new("faulty");
    let mut broken = strip().build();
    broken.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = serde_json::json!(99);
    let path = write(&dir, "broken.glb", &broken.glb());
    let verdict = validate_gltf(&[&path], None);
    assert!(!matches!(verdict, Verdict::Passed(_)), "{verdict:?}");
}

#[test]
fn the_round_trip_checker_passes_a_copy_and_finds_a_moved_vertex() {
    let dir = TempDir::new("roundtrip");
    let original = write(&dir, "original.glb", &strip().glb());
    let copy = write(&dir, "copy.glb", &strip().glb());
    roundtrip_diff(&[], &original, &copy).assert_passed();
    let mut moved = strip();
    moved.primitive().positions[3].y += 0.1;
    let moved = write(&dir, "moved.glb", &moved.glb());
    assert!(!matches!(roundtrip_diff(&["all"], &original, &moved), Verdict::Passed(_)));
}

#[test]
fn all_three_forms_hold_the_same_json_and_buffer() {
    let scene = strip();
    let built = scene.build();
    let files = scene.gltf_files("strip");
    assert_eq!(files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["strip.gltf", "strip.bin"]);
    assert_eq!(files[1].1, built.bin);
    let mut beside: serde_json::Value = serde_json::from_slice(&files[0].1).expect("the text is JSON");
    assert_eq!(beside["buffers"][0]["uri"], "strip.bin");
    assert_eq!(beside["buffers"][0]["byteLength"], built.bin.len());
    beside["buffers"][0].as_object_mut().expect("a buffer").remove("uri");
    assert_eq!(beside, built.json);
    let glb = scene.glb();
    let json_len = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    let inside: serde_json::Value = serde_json::from_slice(&glb[20..20 + json_len]).expect("the text is JSON");
    assert_eq!(inside, built.json);
    assert!(glb[28 + json_len..].starts_with(&built.bin));
}

#[test]
fn a_scene_gives_the_same_bytes_every_time() {
    for ((name, first), (_, second)) in named_fixtures().into_iter().zip(named_fixtures()) {
        assert_eq!(first.glb(), second.glb(), "{name}");
    }
}

#[test]
fn interleaved_data_lies_at_the_stride_and_with_the_filler_that_was_asked_for() {
    let mut scene = strip();
    scene.primitive().placement = Placement::Interleaved { byte_stride: 44 };
    let built = scene.build();
    let view = &built.json["bufferViews"][0];
    assert_eq!((view["byteStride"].as_u64(), view["byteLength"].as_u64()), (Some(44), Some(440)));
    // Position, texture coordinates, joints, weights, filler of vertex 9.
    let vertex = &built.bin[9 * 44..10 * 44];
    assert_eq!(vertex[4..8], 2f32.to_le_bytes());
    assert_eq!(vertex[20..24], [1, 0, 0, 0]);
    assert_eq!(vertex[24..28], 1f32.to_le_bytes());
    assert_eq!(vertex[40..44], [0xAA; 4]);
}

#[test]
fn sparse_storage_keeps_values_out_of_the_base() {
    let mut scene = strip();
    scene.primitive().positions_storage = Storage::SparseOverBase(vec![8, 9]);
    scene.primitive().weights_storage = Storage::SparseOverNothing;
    let built = scene.build();
    let attributes = &built.json["meshes"][0]["primitives"][0]["attributes"];
    let accessor = |name: &str| &built.json["accessors"][attributes[name].as_u64().expect("an index") as usize];
    assert_eq!(accessor("POSITION")["sparse"]["count"], 2);
    assert!(accessor("POSITION")["bufferView"].is_number());
    assert_eq!(accessor("WEIGHTS_0")["sparse"]["count"], 10);
    assert!(accessor("WEIGHTS_0")["bufferView"].is_null());
    assert_eq!(built.bin[8 * 12..10 * 12], [0; 24], "the base holds nothing for the two moved vertices");
}

#[test]
fn integer_weights_sum_to_full_only_where_the_row_does() {
    let mut scene = strip();
    scene.primitive().weights_type = WeightsType::U8;
    for k in 2..4 {
        scene.add_joint(1, &format!("J{k}"), Vec3::Y);
    }
    scene.rows()[0] = vec![(0, 1.0 / 3.0), (1, 1.0 / 3.0), (2, 1.0 / 3.0)];
    scene.rows()[1] = vec![(0, 200.0 / 255.0), (1, 54.0 / 255.0)];
    scene.rows()[2] = vec![(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)];
    let built = scene.build();
    let weights =
        built.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].as_u64().expect("an index") as usize;
    let view = built.json["accessors"][weights]["bufferView"].as_u64().expect("an index") as usize;
    let at = built.json["bufferViews"][view]["byteOffset"].as_u64().expect("an offset") as usize;
    let sum =
        |vertex: usize| built.bin[at + vertex * 4..at + vertex * 4 + 4].iter().map(|&b| u32::from(b)).sum::<u32>();
    assert_eq!((sum(0), sum(1), sum(2)), (255, 254, 255));
}

#[test]
fn a_divisor_in_the_positions_comes_back_through_the_bind_matrices() {
    let mut scene = strip();
    scene.primitive().positions_type = PositionsType::I16 { divisor: 2.0 };
    let built = scene.build();
    // POSITION of vertex 8 is (-.5, 2, 0) / 2, one element takes 8 bytes.
    assert_eq!(i16::from_le_bytes([built.bin[8 * 8 + 2], built.bin[8 * 8 + 3]]), 32767);
    let matrices = built.json["skins"][0]["inverseBindMatrices"].as_u64().expect("an index") as usize;
    let view = built.json["accessors"][matrices]["bufferView"].as_u64().expect("an index") as usize;
    let at = built.json["bufferViews"][view]["byteOffset"].as_u64().expect("an offset") as usize;
    assert_eq!(built.bin[at..at + 4], 2f32.to_le_bytes());
}

#[test]
fn every_fixture_is_bound_where_it_stands() {
    for (name, scene) in named_fixtures() {
        let skin = &scene.skins[0];
        let inverse_bind = skin.inverse_bind.as_ref().expect("fixtures have bind matrices");
        assert_eq!(inverse_bind.len(), skin.joints.len(), "{name}");
        for (&node, &joint_from_mesh) in skin.joints.iter().zip(inverse_bind) {
            let posed = scene.scene_from_node(node) * joint_from_mesh;
            assert!(posed.abs_diff_eq(Mat4::IDENTITY, 1e-4), "{name}: node {node} at rest gives {posed}");
        }
    }
}

#[test]
fn every_row_sums_to_one_and_every_index_exists() {
    for (name, scene) in named_fixtures().into_iter().chain(stored_variants()) {
        let n_joints = scene.skins[0].joints.len();
        for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            assert_eq!(primitive.rows.len(), primitive.positions.len(), "{name}");
            for row in &primitive.rows {
                let sum: f64 = row.iter().map(|&(_, weight)| f64::from(weight)).sum();
                assert!((sum - 1.0).abs() < 1e-6, "{name}: {row:?}");
                assert!(
                    row.iter().all(|&(joint, weight)| usize::from(joint) < n_joints && weight > 0.0),
                    "{name}: {row:?}"
                );
            }
            let n_vertices = primitive.positions.len() as u32;
            assert!(primitive.indices.iter().flatten().all(|&index| index < n_vertices), "{name}");
        }
    }
}

#[test]
fn triangles_face_outward() {
    let normal = |primitive: &Primitive, triangle: &[u32]| {
        let corner = |k: usize| primitive.positions[triangle[k] as usize];
        (corner(1) - corner(0)).cross(corner(2) - corner(0))
    };
    let check = |mut scene: Scene, outward: &dyn Fn(Vec3) -> Vec3| {
        let primitive = scene.primitive().clone();
        let indices = primitive.indices.clone().expect("it has indices");
        for triangle in indices.chunks(3) {
            let middle = triangle.iter().map(|&index| primitive.positions[index as usize]).sum::<Vec3>() / 3.0;
            assert!(normal(&primitive, triangle).dot(outward(middle)) > 1e-6, "triangle {triangle:?}");
        }
    };
    check(strip(), &|_| Vec3::Z);
    check(seam(), &|_| Vec3::Z);
    check(patch(3, 2), &|_| Vec3::Z);
    check(tube(9, 16), &|middle| middle * Vec3::new(1.0, 0.0, 1.0));
    check(cube(Vec3::ZERO, 1.0), &|middle| middle);
}

#[test]
fn seam_twins_share_place_and_row_but_no_triangle() {
    let mut scene = seam();
    let primitive = scene.primitive();
    assert_eq!(primitive.positions.len(), 12);
    for (lower, upper) in [(4, 6), (5, 7)] {
        assert_eq!(primitive.positions[lower], primitive.positions[upper]);
        assert_eq!(primitive.rows[lower], primitive.rows[upper]);
        assert_ne!(primitive.uvs[lower], primitive.uvs[upper]);
    }
    let indices = primitive.indices.as_ref().expect("it has indices");
    assert_eq!(indices.len(), 24);
    assert!(indices.chunks(3).all(|t| t.iter().all(|&i| i < 6) || t.iter().all(|&i| i >= 6)));
}

#[test]
fn an_inserted_parent_takes_its_childs_place() {
    let mut scene = strip();
    let offset = scene.insert_parent(1, Node::at("offset", Vec3::new(0.0, 0.5, 0.0)));
    assert_eq!(scene.nodes[0].children, [offset]);
    assert_eq!(scene.nodes[offset].children, [1]);
    assert_eq!(scene.scene_from_node(1).w_axis.truncate(), Vec3::new(0.0, 1.5, 0.0));
    let above = scene.insert_parent(0, Node::at("above", Vec3::X));
    assert_eq!(scene.roots, [above, 2]);
}
