//! The named fixtures. Each is a skinned mesh on a mesh node that comes after its joints.

use glam::{Vec2, Vec3};

use crate::GltfBuilder;
use crate::circle::circle_point;
use crate::scene::{JointsType, Mesh, Node, Primitive, Row, Scene, Skin};

/// A scene with one mesh, bound to joints given as (parent slot, name, place relative to the parent).
/// Joint k is node k and slot k; the mesh node comes last.
fn rigged(mesh_name: &str, joints: &[(Option<usize>, String, Vec3)], primitive: Primitive) -> Scene {
    let mut scene = Scene::default();
    for (parent, name, translation) in joints {
        scene.add_node(*parent, Node::at(name, *translation));
    }
    // Parents come first, so one pass gives the places; nothing is turned or scaled, so a bind matrix is a shift.
    let mut places: Vec<Vec3> = Vec::with_capacity(joints.len());
    for (parent, _, translation) in joints {
        places.push(parent.map_or(Vec3::ZERO, |parent| places[parent]) + *translation);
    }
    let inverse_bind = places.iter().map(|&place| glam::Mat4::from_translation(-place)).collect();
    scene.skins.push(Skin { joints: (0..joints.len()).collect(), inverse_bind: Some(inverse_bind), ..Skin::default() });
    add_mesh(&mut scene, mesh_name, primitive);
    scene
}

/// Adds a mesh and its root node, bound to skin 0.
fn add_mesh(scene: &mut Scene, name: &str, primitive: Primitive) {
    scene.meshes.push(Mesh { name: name.to_owned(), primitives: vec![primitive], ..Mesh::default() });
    let mesh = Some(scene.meshes.len() - 1);
    scene.add_node(None, Node { mesh, skin: Some(0), ..Node::at(name, Vec3::ZERO) });
}

/// Joints J0 at the origin and J1, its child, at (0, 1, 0).
fn two_joints() -> Vec<(Option<usize>, String, Vec3)> {
    vec![(None, "J0".to_owned(), Vec3::ZERO), (Some(0), "J1".to_owned(), Vec3::Y)]
}

/// `weight` for joint `second`, the rest for joint `first`; zero weights are left out.
fn two_way(first: u16, second: u16, weight: f32) -> Row {
    [(first, 1.0 - weight), (second, weight)].into_iter().filter(|&(_, weight)| weight > 0.0).collect()
}

/// Two triangles per quad of a grid of `n_columns` × `n_rows` vertices, counted row by row upwards, facing +Z.
fn grid_triangles(n_columns: u32, n_rows: u32) -> Vec<u32> {
    let mut indices = Vec::new();
    for row in 0..n_rows.saturating_sub(1) {
        for column in 0..n_columns.saturating_sub(1) {
            let a = row * n_columns + column;
            let (b, c) = (a + 1, a + n_columns);
            indices.extend_from_slice(&[a, b, c + 1, a, c + 1, c]);
        }
    }
    indices
}

/// Two columns of vertices at x = ±.5 (−.5 first) over `rows_y`, with the J1 ramp y / 2 between two slots.
fn strip_primitive(rows_y: &[f32], centre_x: f32, first: u16, second: u16) -> Primitive {
    let mut primitive = Primitive::default();
    for &y in rows_y {
        for x in [-0.5, 0.5] {
            primitive.positions.push(Vec3::new(centre_x + x, y, 0.0));
            primitive.uvs.push(Vec2::new(x + 0.5, 1.0 - y / 2.0));
            primitive.rows.push(two_way(first, second, y / 2.0));
        }
    }
    primitive.indices = Some(grid_triangles(2, rows_y.len() as u32));
    primitive
}

const STRIP_ROWS_Y: [f32; 5] = [0.0, 0.5, 1.0, 1.5, 2.0];

/// STRIP with a second mesh "Low" beside it, at x = 5 (node 3), over the same joints. Scene "High", which the file shows,
/// has the first mesh's node, scene "Low" the second's; the joints are in no scene.
#[must_use]
pub fn two_scenes() -> GltfBuilder {
    let mut scene = strip();
    add_mesh(&mut scene, "Low", strip_primitive(&STRIP_ROWS_Y, 5.0, 0, 1));
    let mut builder = scene.build();
    builder.json["scenes"] =
        serde_json::json!([{ "name": "High", "nodes": [2] }, { "name": "Low", "nodes": [3], "extras": { "kept": 1 } }]);
    builder
}

/// STRIP: 10 vertices, x = ±.5 (even: −.5), y = 0, .5, 1, 1.5, 2; joints J0 (node 0) and J1 (node 1) at (0, 1, 0); mesh node 2.
/// Weight of J1 by row: 0, .25, .5, .75, 1. With texture coordinates, without normals.
#[must_use]
pub fn strip() -> Scene {
    rigged("Strip", &two_joints(), strip_primitive(&STRIP_ROWS_Y, 0.0, 0, 1))
}

/// STRIP on a chain of `n_joints` joints J0, J1, …, each 2 / `n_joints` above the one before. The last joint has STRIP's J1 weights.
/// Joint numbers are bytes up to 256 joints, else shorts.
#[must_use]
pub fn chain(n_joints: usize) -> Scene {
    let step = Vec3::new(0.0, 2.0 / n_joints as f32, 0.0);
    let joints: Vec<_> =
        (0..n_joints).map(|k| (k.checked_sub(1), format!("J{k}"), if k == 0 { Vec3::ZERO } else { step })).collect();
    let mut primitive = strip_primitive(&STRIP_ROWS_Y, 0.0, 0, n_joints.saturating_sub(1) as u16);
    if n_joints > 256 {
        primitive.joints_type = JointsType::U16;
    }
    rigged("Chain", &joints, primitive)
}

/// SEAM: STRIP with row 3 (y = 1) doubled, 12 vertices counted bottom to top: 4 and 5 belong to the triangles below,
/// 6 and 7 to those above, at the same places with other texture coordinates.
#[must_use]
pub fn seam() -> Scene {
    let mut primitive = strip_primitive(&[0.0, 0.5, 1.0, 1.0, 1.5, 2.0], 0.0, 0, 1);
    for uv in &mut primitive.uvs[6..] {
        uv.x += 1.0;
    }
    // The quad between the two copies has no area; its triangles are taken out.
    let between = 12..18;
    if let Some(indices) = &mut primitive.indices {
        indices.drain(between);
    }
    rigged("Seam", &two_joints(), primitive)
}

const PAIR_X: f32 = 2.0;

fn pair_joints() -> Scene {
    let mut scene = Scene::default();
    let root = scene.add_node(None, Node::at("root", Vec3::ZERO));
    for (side, x) in [("L", PAIR_X), ("R", -PAIR_X)] {
        let lower = scene.add_node(Some(root), Node::at(&format!("{side}0"), Vec3::new(x, 0.0, 0.0)));
        scene.add_node(Some(lower), Node::at(&format!("{side}1"), Vec3::Y));
    }
    scene.skins.push(Skin { joints: vec![1, 2, 3, 4], ..Skin::default() });
    scene.rebind(0);
    scene
}

/// PAIR: two STRIPs at x = +2 (vertices 0–9) and x = −2 (10–19) in one mesh; joints L0, L1, R0, R1 (slots 0–3, nodes 1–4)
/// under the plain node `root` (node 0); mesh node 5.
#[must_use]
pub fn pair() -> Scene {
    let mut scene = pair_joints();
    let mut primitive = strip_primitive(&STRIP_ROWS_Y, PAIR_X, 0, 1);
    let right = strip_primitive(&STRIP_ROWS_Y, -PAIR_X, 2, 3);
    primitive.positions.extend(right.positions);
    primitive.uvs.extend(right.uvs);
    primitive.rows.extend(right.rows);
    if let (Some(indices), Some(right)) = (&mut primitive.indices, right.indices) {
        indices.extend(right.iter().map(|index| index + 10));
    }
    add_mesh(&mut scene, "Pair", primitive);
    scene
}

/// PAIR as two meshes under one skin: `Left` at x = +2 and `Right` at x = −2.
#[must_use]
pub fn pair_two_meshes() -> Scene {
    let mut scene = pair_joints();
    add_mesh(&mut scene, "Left", strip_primitive(&STRIP_ROWS_Y, PAIR_X, 0, 1));
    add_mesh(&mut scene, "Right", strip_primitive(&STRIP_ROWS_Y, -PAIR_X, 2, 3));
    scene
}

/// TUBE: STRIP's joints and ramp on a cylinder of radius .2 about the Y axis, `n_rings` rings from y = 0 to 2 of `n_segments` vertices
/// (TUBE proper: 9 × 16), open at both ends, with normals; vertex = ring × `n_segments` + segment.
#[must_use]
pub fn tube(n_rings: usize, n_segments: usize) -> Scene {
    let radius = 0.2;
    let mut primitive = Primitive::default();
    for ring in 0..n_rings {
        let weight = ring as f32 / (n_rings - 1) as f32;
        for segment in 0..n_segments {
            let (cos, sin) = circle_point(segment, n_segments);
            let normal = Vec3::new(cos as f32, 0.0, sin as f32);
            primitive.positions.push(normal * radius + Vec3::new(0.0, 2.0 * weight, 0.0));
            primitive.normals.push(normal);
            primitive.rows.push(two_way(0, 1, weight));
        }
    }
    let mut indices = Vec::with_capacity((n_rings - 1) * n_segments * 6);
    for ring in 0..n_rings - 1 {
        for segment in 0..n_segments {
            let a = (ring * n_segments + segment) as u32;
            let b = (ring * n_segments + (segment + 1) % n_segments) as u32;
            let up = n_segments as u32;
            indices.extend_from_slice(&[b, a, a + up, b, a + up, b + up]);
        }
    }
    primitive.indices = Some(indices);
    rigged("Tube", &two_joints(), primitive)
}

/// CUBE: 8 vertices, corners of an axis-aligned cube, all on one joint J0 at the origin; vertex bit 0 is x, bit 1 y, bit 2 z.
#[must_use]
pub fn cube(centre: Vec3, side: f32) -> Scene {
    let mut primitive = Primitive::default();
    for corner in 0..8 {
        let bit = |axis: usize| if corner >> axis & 1 == 1 { 0.5 } else { -0.5 };
        primitive.positions.push(centre + side * Vec3::new(bit(0), bit(1), bit(2)));
        primitive.rows.push(vec![(0, 1.0)]);
    }
    #[rustfmt::skip]
    let indices = vec![
        0, 4, 6, 0, 6, 2, // -X
        1, 3, 7, 1, 7, 5, // +X
        0, 1, 5, 0, 5, 4, // -Y
        2, 6, 7, 2, 7, 3, // +Y
        0, 2, 3, 0, 3, 1, // -Z
        4, 5, 7, 4, 7, 6, // +Z
    ];
    primitive.indices = Some(indices);
    rigged("Cube", &[(None, "J0".to_owned(), Vec3::ZERO)], primitive)
}

/// PATCH n×m: a flat grid of `n_x` × `n_y` cells of side 1 in z = 0 from the origin to (`n_x`, `n_y`, 0), facing +Z;
/// vertex = row × (`n_x` + 1) + column. Joint A (slot 0, weight 1) at the origin, its child B (slot 1, weight 0) in the middle.
#[must_use]
pub fn patch(n_x: usize, n_y: usize) -> Scene {
    let mut primitive = Primitive::default();
    for y in 0..=n_y {
        for x in 0..=n_x {
            primitive.positions.push(Vec3::new(x as f32, y as f32, 0.0));
            primitive.normals.push(Vec3::Z);
            primitive.rows.push(vec![(0, 1.0)]);
        }
    }
    primitive.indices = Some(grid_triangles(n_x as u32 + 1, n_y as u32 + 1));
    let middle = Vec3::new(n_x as f32, n_y as f32, 0.0) / 2.0;
    rigged("Patch", &[(None, "A".to_owned(), Vec3::ZERO), (Some(0), "B".to_owned(), middle)], primitive)
}

/// A flat square of at least `n_vertices` vertices (full rows) from the origin to (2, 2, 0), facing +Z, on a chain of `n_joints` joints along x.
/// Every vertex has 4 × `n_sets` influences (as many as there are joints at most), the strongest on the nearest joint. Made for measuring.
#[must_use]
pub fn grid(n_vertices: usize, n_joints: usize, n_sets: usize) -> Scene {
    let n_columns = n_vertices.isqrt().max(2);
    let n_rows = n_vertices.div_ceil(n_columns).max(2);
    let n_influences = (4 * n_sets).min(n_joints);
    let mut primitive = Primitive { n_sets, ..Primitive::default() };
    let joint_step = 2.0 / n_joints as f32;
    for row in 0..n_rows {
        for column in 0..n_columns {
            let x = 2.0 * column as f32 / (n_columns - 1) as f32;
            let y = 2.0 * row as f32 / (n_rows - 1) as f32;
            primitive.positions.push(Vec3::new(x, y, 0.0));
            primitive.normals.push(Vec3::Z);
            let along = x / joint_step;
            let first = ((along as usize).saturating_sub(n_influences / 2)).min(n_joints - n_influences);
            let strength = |joint: usize| 1.0 / (1.0 + f64::from((joint as f32 - along).abs())).powi(2);
            let sum: f64 = (first..first + n_influences).map(strength).sum();
            let mut influences: Row =
                (first..first + n_influences).map(|joint| (joint as u16, (strength(joint) / sum) as f32)).collect();
            influences.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            primitive.rows.push(influences);
        }
    }
    primitive.indices = Some(grid_triangles(n_columns as u32, n_rows as u32));
    if n_joints > 256 {
        primitive.joints_type = JointsType::U16;
    }
    let joints: Vec<_> = (0..n_joints)
        .map(|k| (k.checked_sub(1), format!("J{k}"), if k == 0 { Vec3::ZERO } else { Vec3::new(joint_step, 0.0, 0.0) }))
        .collect();
    rigged("Grid", &joints, primitive)
}
