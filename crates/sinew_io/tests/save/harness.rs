//! Opening, editing and comparing, for all tests of saving.

use serde_json::Value;
use sinew_io::{Bytes, Component, Container, ContainerKind, Encoded, Imported, MapResolver, encode, import};
use sinew_model::{Document, JointSlot, MeshIndex, Row, VertexIndex};
use sinew_tests::{GltfBuilder, Scene};

pub const MESH: MeshIndex = MeshIndex(0);

/// Opens a file that needs no other.
#[track_caller]
pub fn open_bytes(bytes: &[u8]) -> Imported {
    import(bytes.to_vec(), &MapResolver::default()).expect("the file opens")
}

/// Opens the first of some files; the others lie beside it.
#[track_caller]
pub fn open_files(files: &[(String, Vec<u8>)]) -> Imported {
    let beside = files[1..].iter().map(|(name, bytes)| (name.clone(), Bytes::from(bytes.clone()))).collect();
    import(files[0].1.clone(), &MapResolver(beside)).expect("the file opens")
}

/// A row of slots and weights.
pub fn row(influences: &[(u16, f32)]) -> Row {
    influences.iter().map(|&(slot, weight)| (JointSlot(slot), weight)).collect()
}

/// Gives a vertex of the first mesh another row.
pub fn set(imported: &mut Imported, vertex: u32, influences: &[(u16, f32)]) {
    imported.document.swap_rows(MESH, &mut [(VertexIndex(vertex), row(influences))]);
}

/// The document in the container it came in.
#[track_caller]
pub fn saved(imported: &Imported) -> Encoded {
    let kind = imported.source.kind();
    let name = if kind == ContainerKind::Glb { "model.glb" } else { "model.gltf" };
    let encoded = encode(&imported.document, &imported.source, kind, name).expect("the document is saved");
    assert!(encoded.report.everything_else_identical);
    encoded
}

/// The saved file, which is all there is.
#[track_caller]
pub fn saved_bytes(imported: &Imported) -> Vec<u8> {
    let mut files = saved(imported).files;
    assert_eq!(files.len(), 1);
    files.remove(0).1
}

/// The JSON of a file.
pub fn json_of(bytes: &[u8]) -> Value {
    let container = Container::parse(bytes).expect("a container");
    serde_json::from_slice(&bytes[container.json]).expect("JSON")
}

/// The accessor of an attribute of a primitive of mesh 0.
pub fn attribute(json: &Value, primitive: usize, name: &str) -> Option<u32> {
    json["meshes"][0]["primitives"][primitive]["attributes"][name].as_u64().map(|index| index as u32)
}

/// The stored numbers of an attribute of the first primitive of mesh 0.
#[track_caller]
pub fn stored(imported: &Imported, name: &str) -> Vec<[u32; 4]> {
    let accessors = imported.source.accessors().expect("accessors");
    let accessor =
        accessors.get(attribute(&imported.source.json, 0, name).expect("the attribute")).expect("an accessor");
    match accessor.layout.component {
        Component::F32 => accessor.floats::<4>(name).expect("floats").iter().map(|row| row.map(f32::to_bits)).collect(),
        _ => accessor.integers(name).expect("integers"),
    }
}

/// The component type of an attribute of the first primitive of mesh 0.
#[track_caller]
pub fn component(imported: &Imported, name: &str) -> Component {
    let accessor = attribute(&imported.source.json, 0, name).expect("the attribute");
    imported.source.accessors().expect("accessors").layout(accessor).expect("a layout").component
}

/// JSON pointers of all differences, arrays element by element.
pub fn differences(was: &Value, is: &Value) -> Vec<String> {
    fn walk(place: &str, was: &Value, is: &Value, out: &mut Vec<String>) {
        match (was, is) {
            (Value::Object(a), Value::Object(b)) => {
                let mut keys: Vec<&String> = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))).collect();
                keys.sort();
                for key in keys {
                    let null = Value::Null;
                    walk(&format!("{place}/{key}"), a.get(key).unwrap_or(&null), b.get(key).unwrap_or(&null), out);
                }
            }
            (Value::Array(a), Value::Array(b)) => {
                for i in 0..a.len().max(b.len()) {
                    let null = Value::Null;
                    walk(&format!("{place}/{i}"), a.get(i).unwrap_or(&null), b.get(i).unwrap_or(&null), out);
                }
            }
            _ if was == is => {}
            _ => out.push(place.to_owned()),
        }
    }
    let mut out = Vec::new();
    walk("", was, is, &mut out);
    out
}

/// How far a saved weight may be from the document's: nothing for floats, a unit for integers.
pub fn tolerance(component: Component) -> f32 {
    match component {
        Component::U8 => 1.001 / 255.0,
        Component::U16 => 1.001 / 65535.0,
        _ => 0.0,
    }
}

/// Fails unless the re-opened document has the same rows in every mesh, each weight within `tolerance`.
#[track_caller]
pub fn assert_same_rows(expected: &Document, found: &Document, tolerance: f32) {
    for (m, (expected, found)) in expected.meshes().iter().zip(found.meshes()).enumerate() {
        assert_eq!(expected.n_vertices(), found.n_vertices());
        for vertex in expected.weights.vertices() {
            let (is, was) = (found.weights.get(vertex), expected.weights.get(vertex));
            let same = was.same_influences(&is) || was.largest_change(&is) <= tolerance;
            assert!(same, "mesh {m}, vertex {vertex}: {was:?} came back as {is:?}");
        }
    }
}

/// A scene as an opened GLB.
#[track_caller]
pub fn open_scene(scene: &Scene) -> Imported {
    open_bytes(&scene.glb())
}

/// The scene as a builder whose accessors of joints and weights have no bounds, so that the JSON keeps its length.
pub fn without_bounds(scene: &Scene) -> GltfBuilder {
    let mut builder = scene.build();
    for primitive in builder.json["meshes"][0]["primitives"].as_array().cloned().into_iter().flatten() {
        for (name, accessor) in primitive["attributes"].as_object().into_iter().flatten() {
            let accessor = &mut builder.json["accessors"][accessor.as_u64().unwrap() as usize];
            if let Some(accessor) = accessor.as_object_mut().filter(|_| name != "POSITION") {
                accessor.remove("min");
                accessor.remove("max");
            }
        }
    }
    builder
}

/// Fails with the lengths and the first difference, not with the bytes.
#[track_caller]
pub fn assert_same_bytes(expected: &[u8], found: &[u8], what: &str) {
    let first = expected.iter().zip(found).position(|(a, b)| a != b);
    assert!(expected == found, "{what}: {} and {} bytes, first difference at {first:?}", expected.len(), found.len());
}

/// A small image.
pub fn png() -> Vec<u8> {
    sinew_tests::checker_png(4, [255; 3], [0; 3])
}
