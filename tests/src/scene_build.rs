//! From a [`Scene`] to JSON and buffer. The order of views, accessors and properties is fixed, so the bytes are too.

use glam::{Mat4, Quat, Vec2, Vec3};
use serde_json::{Map, Value, json};

use crate::gltf_builder::{Component, GltfBuilder, accessor_json, short, shorts};
use crate::scene::{
    Clip, Image, JointsType, Mesh, Node, Placement, PositionsType, Primitive, Row, Scene, Skin, Storage, WeightsType,
};

const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

pub(crate) fn build(scene: &Scene) -> GltfBuilder {
    let mut out = GltfBuilder::new();
    out.json["scene"] = json!(0);
    out.json["scenes"] = json!([{ "nodes": scene.roots }]);
    for node in &scene.nodes {
        out.push("nodes", node_json(node));
    }
    for mesh in &scene.meshes {
        push_mesh(&mut out, mesh);
    }
    for (skin_idx, skin) in scene.skins.iter().enumerate() {
        push_skin(&mut out, skin, position_scale(scene, skin_idx));
    }
    for clip in &scene.clips {
        push_clip(&mut out, clip);
    }
    for image in &scene.images {
        push_image(&mut out, image);
    }
    let quantized = |primitive: &Primitive| primitive.positions_type != PositionsType::F32;
    if scene.meshes.iter().flat_map(|mesh| &mesh.primitives).any(quantized) {
        out.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
        out.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    }
    out
}

fn named(name: &str) -> Value {
    if name.is_empty() { json!({}) } else { json!({ "name": name }) }
}

fn node_json(node: &Node) -> Value {
    let mut json = named(&node.name);
    if !node.children.is_empty() {
        json["children"] = json!(node.children);
    }
    if let Some(matrix) = node.matrix {
        json["matrix"] = shorts(&matrix.to_cols_array());
    } else {
        if node.translation != Vec3::ZERO {
            json["translation"] = shorts(&node.translation.to_array());
        }
        if node.rotation != Quat::IDENTITY {
            json["rotation"] = shorts(&node.rotation.to_array());
        }
        if let Some(scale) = node.scale.filter(|&scale| scale != Vec3::ONE) {
            json["scale"] = shorts(&scale.to_array());
        }
    }
    if let Some(mesh) = node.mesh {
        json["mesh"] = json!(mesh);
    }
    if let Some(skin) = node.skin {
        json["skin"] = json!(skin);
    }
    json
}

/// What a skin's inverse bind matrices must undo because its mesh stores positions divided.
fn position_scale(scene: &Scene, skin: usize) -> f32 {
    let user = scene.nodes.iter().filter(|node| node.skin == Some(skin)).find_map(|node| node.mesh);
    let primitive = user.and_then(|mesh| scene.meshes.get(mesh)).and_then(|mesh| mesh.primitives.first());
    match primitive.map(|primitive| primitive.positions_type) {
        Some(PositionsType::I16 { divisor }) => divisor,
        _ => 1.0,
    }
}

fn push_skin(out: &mut GltfBuilder, skin: &Skin, position_scale: f32) {
    let mut json = named(&skin.name);
    json["joints"] = json!(skin.joints);
    if let Some(inverse_bind) = &skin.inverse_bind {
        let scale = Mat4::from_scale(Vec3::splat(position_scale));
        let values: Vec<f64> =
            inverse_bind.iter().flat_map(|matrix| (*matrix * scale).to_cols_array()).map(f64::from).collect();
        let accessor = out.accessor(Component::F32, "MAT4", false, &values, None);
        json["inverseBindMatrices"] = json!(accessor);
    }
    if let Some(skeleton) = skin.skeleton {
        json["skeleton"] = json!(skeleton);
    }
    out.push("skins", json);
}

fn push_mesh(out: &mut GltfBuilder, mesh: &Mesh) {
    let mut json = named(&mesh.name);
    let mesh_idx = out.json["meshes"].as_array().map_or(0, Vec::len);
    json["primitives"] = json!([]);
    if !mesh.morph_weights.is_empty() {
        json["weights"] = shorts(&mesh.morph_weights);
    }
    out.push("meshes", json);
    for primitive in &mesh.primitives {
        let primitive = primitive_json(out, primitive);
        if let Some(list) = out.json["meshes"][mesh_idx]["primitives"].as_array_mut() {
            list.push(primitive);
        }
    }
}

/// One vertex attribute before it has a place: its stored values, component by component.
struct Attribute<'a> {
    name: String,
    component: Component,
    shape: &'static str,
    normalized: bool,
    values: Vec<f64>,
    storage: &'a Storage,
}

impl Attribute<'_> {
    fn n_components(&self) -> usize {
        match self.shape {
            "VEC2" => 2,
            "VEC3" => 3,
            _ => 4,
        }
    }

    /// Bytes of one element, filled up to a multiple of four as vertex data must be.
    fn padded_size(&self) -> usize {
        (self.n_components() * self.component.size()).next_multiple_of(4)
    }

    fn element_bytes(&self, element: usize) -> Vec<u8> {
        let n = self.n_components();
        let mut bytes = Vec::with_capacity(self.padded_size());
        for &value in &self.values[element * n..(element + 1) * n] {
            self.component.push(&mut bytes, value);
        }
        bytes
    }

    fn n_elements(&self) -> usize {
        self.values.len() / self.n_components()
    }

    fn json(&self) -> Value {
        accessor_json(self.component, self.shape, self.normalized, &self.values)
    }
}

fn primitive_json(out: &mut GltfBuilder, primitive: &Primitive) -> Value {
    let mut shared = Map::new();
    for share in &primitive.shares {
        let source = &out.json["meshes"][share.mesh]["primitives"][share.primitive];
        let accessor =
            if share.attribute == "indices" { &source["indices"] } else { &source["attributes"][&share.attribute] };
        shared.insert(share.attribute.clone(), accessor.clone());
    }
    let mut attributes = attributes_of(primitive);
    attributes.retain(|attribute| !shared.contains_key(&attribute.name));
    let mut places = place(out, &attributes, primitive.placement);
    let indices = match shared.remove("indices") {
        Some(indices) => Some(indices),
        None => primitive.indices.as_ref().map(|indices| json!(push_indices(out, indices, primitive.positions.len()))),
    };
    places.append(&mut shared);
    let mut json = json!({ "attributes": places });
    if let Some(indices) = indices {
        json["indices"] = indices;
    }
    if let Some(material) = primitive.material {
        json["material"] = json!(material);
    }
    if !primitive.morphs.is_empty() {
        let mut targets = Vec::new();
        for morph in &primitive.morphs {
            let mut target = json!({ "POSITION": push_vec3s(out, &morph.positions) });
            if !morph.normals.is_empty() {
                target["NORMAL"] = json!(push_vec3s(out, &morph.normals));
            }
            targets.push(target);
        }
        json["targets"] = Value::Array(targets);
    }
    json
}

fn push_vec3s(out: &mut GltfBuilder, vectors: &[Vec3]) -> usize {
    out.accessor(Component::F32, "VEC3", false, &flat3(vectors), Some(ARRAY_BUFFER))
}

fn flat3(vectors: &[Vec3]) -> Vec<f64> {
    vectors.iter().flat_map(Vec3::to_array).map(f64::from).collect()
}

fn push_indices(out: &mut GltfBuilder, indices: &[u32], n_vertices: usize) -> usize {
    // 0xFFFF is the restart value and may not be used as an index.
    let component = if n_vertices <= 0xFFFF { Component::U16 } else { Component::U32 };
    let values: Vec<f64> = indices.iter().map(|&index| f64::from(index)).collect();
    out.accessor(component, "SCALAR", false, &values, Some(ELEMENT_ARRAY_BUFFER))
}

fn attributes_of(primitive: &Primitive) -> Vec<Attribute<'_>> {
    let float = |name: &str, shape, values| Attribute {
        name: name.to_owned(),
        component: Component::F32,
        shape,
        normalized: false,
        values,
        storage: &Storage::Dense,
    };
    let mut attributes = Vec::new();
    if !primitive.positions.is_empty() {
        let mut positions = float("POSITION", "VEC3", flat3(&primitive.positions));
        positions.storage = &primitive.positions_storage;
        if let PositionsType::I16 { divisor } = primitive.positions_type {
            positions.component = Component::I16;
            positions.normalized = true;
            for value in &mut positions.values {
                *value = (*value / f64::from(divisor) * 32767.0).round();
            }
        }
        attributes.push(positions);
    }
    if !primitive.normals.is_empty() {
        attributes.push(float("NORMAL", "VEC3", flat3(&primitive.normals)));
    }
    if !primitive.uvs.is_empty() {
        let values = primitive.uvs.iter().flat_map(Vec2::to_array).map(f64::from).collect();
        attributes.push(float("TEXCOORD_0", "VEC2", values));
    }
    attributes.extend(skin_attributes(primitive));
    attributes
}

/// JOINTS_n for all sets, then WEIGHTS_n; slots past a row's end are joint 0 with weight 0.
fn skin_attributes(primitive: &Primitive) -> Vec<Attribute<'_>> {
    if primitive.rows.is_empty() {
        return Vec::new();
    }
    let longest = primitive.rows.iter().map(Vec::len).max().unwrap_or(0);
    let n_sets = if primitive.n_sets > 0 { primitive.n_sets } else { longest.div_ceil(4).max(1) };
    assert!(longest <= n_sets * 4, "a row of {longest} influences does not fit into {n_sets} sets");
    let (joints_component, joints_mask) = match primitive.joints_type {
        JointsType::U8 => (Component::U8, 0xFF),
        JointsType::U16 => (Component::U16, 0xFFFF),
    };
    let weights_component = match primitive.weights_type {
        WeightsType::F32 => Component::F32,
        WeightsType::U8 => Component::U8,
        WeightsType::U16 => Component::U16,
    };
    let mut joints = vec![Vec::with_capacity(primitive.rows.len() * 4); n_sets];
    let mut weights = joints.clone();
    for row in &primitive.rows {
        let stored = stored_weights(row, primitive.weights_type);
        for slot in 0..n_sets * 4 {
            joints[slot / 4].push(row.get(slot).map_or(0.0, |&(joint, _)| f64::from(joint & joints_mask)));
            weights[slot / 4].push(stored.get(slot).copied().unwrap_or(0.0));
        }
    }
    let joints = joints.into_iter().enumerate().map(|(set, values)| Attribute {
        name: format!("JOINTS_{set}"),
        component: joints_component,
        shape: "VEC4",
        normalized: false,
        values,
        storage: &Storage::Dense,
    });
    let weights = weights.into_iter().enumerate().map(|(set, values)| Attribute {
        name: format!("WEIGHTS_{set}"),
        component: weights_component,
        shape: "VEC4",
        normalized: primitive.weights_type != WeightsType::F32,
        values,
        storage: &primitive.weights_storage,
    });
    joints.chain(weights).collect()
}

fn stored_weights(row: &Row, weights_type: WeightsType) -> Vec<f64> {
    let full = match weights_type {
        WeightsType::F32 => return row.iter().map(|&(_, weight)| f64::from(weight)).collect(),
        WeightsType::U8 => 255.0,
        WeightsType::U16 => 65535.0,
    };
    let sum: f64 = row.iter().map(|&(_, weight)| f64::from(weight)).sum();
    let mut stored: Vec<f64> = row.iter().map(|&(_, weight)| (f64::from(weight) * full).round()).collect();
    if (sum - 1.0).abs() <= 1e-4 {
        let leftover = full - stored.iter().sum::<f64>();
        if let Some(largest) = stored.iter_mut().reduce(|a, b| if *b > *a { b } else { a }) {
            *largest += leftover;
        }
    }
    stored
}

/// Writes the attributes into the buffer; gives the primitive's `attributes`.
fn place(out: &mut GltfBuilder, attributes: &[Attribute<'_>], placement: Placement) -> Map<String, Value> {
    let mut accessors = Map::new();
    let interleaved: Vec<&Attribute<'_>> = match placement {
        Placement::Separate => Vec::new(),
        Placement::Interleaved { .. } => {
            attributes.iter().filter(|attribute| *attribute.storage == Storage::Dense).collect()
        }
    };
    let interleaved_view = match (placement, interleaved.is_empty()) {
        (Placement::Interleaved { byte_stride }, false) => Some(interleave(out, &interleaved, byte_stride)),
        _ => None,
    };
    let mut byte_offset = 0;
    for attribute in attributes {
        let accessor = match (interleaved_view, attribute.storage) {
            (Some(view), Storage::Dense) => {
                let mut accessor = attribute.json();
                accessor["bufferView"] = json!(view);
                accessor["byteOffset"] = json!(byte_offset);
                byte_offset += attribute.padded_size();
                out.push("accessors", accessor)
            }
            (None, Storage::Dense) => separate(out, attribute),
            (_, Storage::SparseOverBase(moved)) => sparse(out, attribute, moved, true),
            (_, Storage::SparseOverNothing) => {
                let all: Vec<u32> = (0..attribute.n_elements() as u32).collect();
                sparse(out, attribute, &all, false)
            }
        };
        accessors.insert(attribute.name.clone(), json!(accessor));
    }
    accessors
}

fn interleave(out: &mut GltfBuilder, attributes: &[&Attribute<'_>], byte_stride: usize) -> usize {
    let used: usize = attributes.iter().map(|attribute| attribute.padded_size()).sum();
    assert!(used <= byte_stride, "the attributes take {used} bytes a vertex, the stride is {byte_stride}");
    let n_elements = attributes.iter().map(|attribute| attribute.n_elements()).max().unwrap_or(0);
    let mut bytes = Vec::with_capacity(n_elements * byte_stride);
    for element in 0..n_elements {
        for attribute in attributes {
            let end = bytes.len() + attribute.padded_size();
            bytes.extend(attribute.element_bytes(element));
            bytes.resize(end, 0);
        }
        bytes.resize((element + 1) * byte_stride, 0xAA);
    }
    out.view(&bytes, Some(byte_stride), Some(ARRAY_BUFFER))
}

fn separate(out: &mut GltfBuilder, attribute: &Attribute<'_>) -> usize {
    let (bytes, byte_stride) = packed(attribute, |_| true);
    let view = out.view(&bytes, byte_stride, Some(ARRAY_BUFFER));
    let mut accessor = attribute.json();
    accessor["bufferView"] = json!(view);
    out.push("accessors", accessor)
}

/// All elements one after the other, zeros where `keep` says no; the stride where alignment needs one.
fn packed(attribute: &Attribute<'_>, keep: impl Fn(u32) -> bool) -> (Vec<u8>, Option<usize>) {
    let padded = attribute.padded_size();
    let mut bytes = Vec::with_capacity(attribute.n_elements() * padded);
    for element in 0..attribute.n_elements() {
        if keep(element as u32) {
            bytes.extend(attribute.element_bytes(element));
        }
        bytes.resize((element + 1) * padded, 0);
    }
    let needs_stride = padded != attribute.n_components() * attribute.component.size();
    (bytes, needs_stride.then_some(padded))
}

fn sparse(out: &mut GltfBuilder, attribute: &Attribute<'_>, moved: &[u32], with_base: bool) -> usize {
    let mut accessor = attribute.json();
    if with_base {
        let (bytes, byte_stride) = packed(attribute, |element| !moved.contains(&element));
        accessor["bufferView"] = json!(out.view(&bytes, byte_stride, Some(ARRAY_BUFFER)));
    }
    let mut indices = Vec::new();
    let mut values = Vec::new();
    for &element in moved {
        indices.extend_from_slice(&element.to_le_bytes());
        values.extend(attribute.element_bytes(element as usize));
    }
    let indices_view = out.view(&indices, None, None);
    let values_view = out.view(&values, None, None);
    accessor["sparse"] = json!({
        "count": moved.len(),
        "indices": { "bufferView": indices_view, "componentType": Component::U32.code() },
        "values": { "bufferView": values_view },
    });
    out.push("accessors", accessor)
}

fn push_clip(out: &mut GltfBuilder, clip: &Clip) {
    let mut json = named(&clip.name);
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for channel in &clip.channels {
        let times: Vec<f64> = channel.times_s.iter().copied().map(f64::from).collect();
        let values: Vec<f64> = channel.values.iter().copied().map(f64::from).collect();
        let shape = match channel.path {
            "rotation" => "VEC4",
            "weights" => "SCALAR",
            _ => "VEC3",
        };
        let input = out.accessor(Component::F32, "SCALAR", false, &times, None);
        let output = out.accessor(Component::F32, shape, false, &values, None);
        channels.push(json!({ "sampler": samplers.len(), "target": { "node": channel.node, "path": channel.path } }));
        samplers.push(json!({ "input": input, "output": output, "interpolation": channel.interpolation }));
    }
    json["samplers"] = Value::Array(samplers);
    json["channels"] = Value::Array(channels);
    out.push("animations", json);
}

fn push_image(out: &mut GltfBuilder, image: &Image) {
    let json = if let Some(uri) = &image.uri {
        out.extra_files.push((uri.clone(), image.bytes.clone()));
        json!({ "uri": uri })
    } else {
        let view = out.view(&image.bytes, None, None);
        json!({ "bufferView": view, "mimeType": image.mime_type })
    };
    let source = out.push("images", json);
    let texture = out.push("textures", json!({ "source": source }));
    out.push(
        "materials",
        json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": texture }, "metallicFactor": short(0.0), "roughnessFactor": short(0.8) } }),
    );
}
