//! Surfaces: triangles, normals, texture coordinates, morph targets, quantised positions.

use glam::{Vec2, Vec3};
use serde_json::json;
use sinew_io::ImportWarning;
use sinew_model::{AlphaMode, ImageIndex, MaterialIndex, TextureWrap, VertexIndex};
use sinew_tests::{Component, Morph, PositionsType, checker_png, cube, patch, strip};

use crate::{assert_same_mesh, changed, mesh, opened, opened_scene, rebuilt};

/// STRIP whose primitive has another mode and indices.
fn with_mode(mode: u32, indices: &[u32]) -> Vec<[u32; 3]> {
    let mut scene = strip();
    scene.primitive().indices = Some(indices.to_vec());
    let imported = opened(changed(&scene, |json| json["meshes"][0]["primitives"][0]["mode"] = json!(mode)));
    mesh(&imported).primitives[0].triangles.clone()
}

#[test]
fn strips_and_fans_are_taken_apart_and_keep_their_side() {
    assert_eq!(with_mode(5, &[0, 1, 2, 3, 4]), [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
    assert_eq!(with_mode(6, &[0, 1, 2, 3]), [[1, 2, 0], [2, 3, 0]]);
    assert_eq!(with_mode(5, &[0, 1, 2, 2, 3, 3, 4, 5]), [[0, 1, 2], [3, 5, 4]], "repeated vertices only stitch");
}

#[test]
fn points_and_lines_keep_their_vertices_and_have_no_triangles() {
    for mode in 0..4 {
        assert!(with_mode(mode, &[0, 1, 2]).is_empty());
    }
}

#[test]
fn without_indices_three_vertices_make_a_triangle() {
    let mut scene = strip();
    scene.primitive().indices = None;
    let imported = opened_scene(&scene);
    assert_eq!(mesh(&imported).primitives[0].triangles, [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    // The tenth vertex is one too many.
    assert!(matches!(imported.warnings[..], [ImportWarning::LeftOut { .. }]));
}

#[test]
fn normals_are_made_where_the_file_has_none() {
    let imported = opened_scene(&cube(Vec3::new(5.0, 0.0, 0.0), 2.0));
    let cube = mesh(&imported);
    assert!(!cube.pools[0].has_normals);
    for (position, normal) in cube.positions.iter().zip(&cube.normals) {
        let outward = *position - Vec3::new(5.0, 0.0, 0.0);
        assert!(normal.is_normalized() && normal.dot(outward) > 1.0, "{normal} at {position}");
    }
    let flat = opened_scene(&patch(2, 2));
    assert!(mesh(&flat).pools[0].has_normals);
    assert!(mesh(&flat).normals.iter().all(|normal| *normal == Vec3::Z));
}

#[test]
fn quantised_positions_are_the_stored_fractions() {
    // B40
    let mut scene = strip();
    scene.primitive().positions_type = PositionsType::I16 { divisor: 4.0 };
    let imported = opened_scene(&scene);
    let exact = opened_scene(&strip());
    for (stored, position) in mesh(&imported).positions.iter().zip(&mesh(&exact).positions) {
        assert!((*stored * 4.0).abs_diff_eq(*position, 4.0 / 65534.0), "{stored} {position}");
    }
}

#[test]
fn primitives_with_other_normals_and_texture_coordinates_than_their_pool_keep_their_own() {
    // B08
    let bytes = rebuilt(&patch(1, 1), |builder| {
        let normals = [1.0, 0.0, 0.0].repeat(4);
        let normals = builder.accessor(Component::F32, "VEC3", false, &normals, None);
        let uvs = builder.accessor(Component::F32, "VEC2", false, &[0.5; 8], None);
        let more = builder.accessor(Component::F32, "VEC2", false, &[0.25; 8], None);
        let primitives = builder.json["meshes"][0]["primitives"].as_array_mut().expect("primitives");
        let mut second = primitives[0].clone();
        primitives[0]["attributes"]["TEXCOORD_0"] = json!(uvs);
        second["attributes"]["NORMAL"] = json!(normals);
        second["attributes"]["TEXCOORD_0"] = json!(more);
        primitives.push(second);
    });
    let imported = opened(bytes);
    let mesh = mesh(&imported);
    assert_eq!((mesh.pools.len(), mesh.normals[0], mesh.texcoords[3]), (1, Vec3::Z, Vec2::splat(0.5)));
    assert!(mesh.primitives[0].own_normals.is_none() && mesh.primitives[0].own_texcoords.is_none());
    assert_eq!(mesh.primitives[1].own_normals.as_deref(), Some(&[Vec3::X; 4][..]));
    assert_eq!(mesh.primitives[1].own_texcoords.as_deref(), Some(&[Vec2::splat(0.25); 4][..]));
}

#[test]
fn morph_targets_are_kept_where_they_move_something() {
    // B57
    let mut scene = strip();
    let mut lift = vec![Vec3::ZERO; 10];
    lift[8] = Vec3::Z;
    lift[9] = Vec3::Z;
    let none = Morph { positions: vec![Vec3::ZERO; 10], normals: vec![] };
    scene.primitive().morphs = vec![Morph { positions: lift, normals: vec![] }, none];
    scene.meshes[0].morph_weights = vec![1.0];
    let imported =
        opened(changed(&scene, |json| json["meshes"][0]["extras"] = json!({ "targetNames": ["lift", "none"] })));
    let mesh = mesh(&imported);
    assert_eq!(mesh.morph_weights, [1.0, 0.0]);
    let lift = &mesh.morph_targets[0];
    assert_eq!(lift.name.as_deref(), Some("lift"));
    assert_eq!(lift.vertices, [VertexIndex(8), VertexIndex(9)]);
    assert_eq!((lift.positions[0], lift.normals[0]), (Vec3::Z, Vec3::ZERO));
    assert!(mesh.morph_targets[1].vertices.is_empty());
    assert_eq!(imported.source.meshes[0].pools[0].targets.len(), 2);
}

#[test]
fn positions_that_are_no_numbers_become_zero_and_are_counted() {
    let mut scene = strip();
    scene.primitive().positions[4].x = f32::NAN;
    let imported = opened_scene(&scene);
    assert_eq!(mesh(&imported).positions[4], Vec3::ZERO);
    assert!(matches!(imported.warnings[..], [ImportWarning::BadPositions { n_vertices: 1, .. }]));
}

#[test]
fn a_material_shows_its_base_colour_with_the_texture_coordinates_it_names() {
    let mut scene = strip();
    scene.add_image(checker_png(2, [255, 0, 0], [0, 0, 255]), None);
    scene.primitive().material = Some(0);
    let imported = opened(rebuilt(&scene, |builder| {
        let uvs = builder.accessor(Component::F32, "VEC2", false, &[0.75; 20], None);
        let json = &mut builder.json;
        json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = json!(uvs);
        json["samplers"] = json!([{ "wrapS": 33071, "wrapT": 33648 }]);
        json["textures"][0]["sampler"] = json!(0);
        json["materials"][0]["alphaMode"] = json!("MASK");
        json["materials"][0]["extensions"]["KHR_materials_unlit"] = json!({});
        let texture = &mut json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
        texture["texCoord"] = json!(0);
        texture["extensions"]["KHR_texture_transform"] = json!({ "texCoord": 1, "offset": [0.5, 0.25], "rotation": 1 });
    }));
    let material = imported.document.material(MaterialIndex(0));
    let texture = material.base_color_texture.expect("a texture");
    assert_eq!((texture.image, texture.texcoord_set), (ImageIndex(0), 1));
    assert_eq!(texture.wrap, [TextureWrap::ClampToEdge, TextureWrap::MirroredRepeat]);
    assert_eq!((texture.offset, texture.rotation_rad, texture.scale), ([0.5, 0.25], 1.0, [1.0; 2]));
    assert_eq!((material.alpha_mode, material.unlit), (AlphaMode::Mask { cutoff: 0.5 }, true));
    assert!(mesh(&imported).texcoords.iter().all(|uv| *uv == Vec2::splat(0.75)));
}

#[test]
fn a_material_that_is_wrong_costs_only_its_look() {
    let mut scene = strip();
    scene.add_image(checker_png(2, [255, 0, 0], [0, 0, 255]), None);
    scene.primitive().material = Some(0);
    let imported = opened(changed(&scene, |json| {
        json["materials"][0]["alphaMode"] = json!("SEE_THROUGH");
        json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = json!(7);
    }));
    assert_same_mesh(&imported, &opened_scene(&strip()));
    assert_eq!(imported.document.material(MaterialIndex(0)).base_color_texture, None);
    assert_eq!(imported.warnings.len(), 2);
}
