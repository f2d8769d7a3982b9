// Poses vertices: linear blend or dual quaternions. One invocation a vertex.

struct SkinningUniform {
    n_vertices: u32,
    n_per_vertex: u32,
    n_joints: u32,
    method: u32,
    n_along_x: u32,
    _padding_0: u32,
    _padding_1: u32,
    _padding_2: u32,
}

struct Influence {
    joint: u32,
    weight: f32,
}

struct PaletteJoint {
    row_x: vec4f,
    row_y: vec4f,
    row_z: vec4f,
    rotation: vec4f,
    det_sign: f32,
    _padding_0: u32,
    _padding_1: u32,
    _padding_2: u32,
}

const DUAL_QUATERNION: u32 = 1u;

@group(0) @binding(0) var<uniform> skinning: SkinningUniform;
// Packed three floats a vertex: array<vec3f> would have a stride of 16 bytes.
@group(0) @binding(1) var<storage, read> rest_positions: array<f32>;
@group(0) @binding(2) var<storage, read> rest_normals: array<f32>;
@group(0) @binding(3) var<storage, read> influences: array<Influence>;
@group(0) @binding(4) var<storage, read> palette: array<PaletteJoint>;
@group(0) @binding(5) var<storage, read_write> positions: array<f32>;
@group(0) @binding(6) var<storage, read_write> normals: array<f32>;

fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

fn multiply(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// Cofactor matrix of the 3x3 with these rows, times v. Its rows are cross products of the others.
fn cofactor_times(x: vec3f, y: vec3f, z: vec3f, v: vec3f) -> vec3f {
    return vec3f(dot(cross(y, z), v), dot(cross(z, x), v), dot(cross(x, y), v));
}

// A unit vector, or the fallback where there is no direction. Scaled first: cofactors of tiny scales underflow.
fn unit_or(v: vec3f, fallback: vec3f) -> vec3f {
    let largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
    if (!(largest > 1e-30)) {
        return fallback;
    }
    return normalize(v / largest);
}

struct Posed {
    position: vec3f,
    normal: vec3f,
}

// The influence with the greatest weight; of equals the one with the lowest joint.
fn heaviest(first: u32) -> u32 {
    var best = 0xffffffffu;
    var best_weight = 0.0;
    for (var i = 0u; i < skinning.n_per_vertex; i++) {
        let influence = influences[first + i];
        if (influence.joint >= skinning.n_joints || influence.weight == 0.0) {
            continue;
        }
        let is_heavier = influence.weight > best_weight
            || (influence.weight == best_weight && influence.joint < best);
        if (best == 0xffffffffu || is_heavier) {
            best = influence.joint;
            best_weight = influence.weight;
        }
    }
    return best;
}

fn linear_blend(first: u32, main: u32, position: vec3f, normal: vec3f) -> Posed {
    var x = vec4f(0.0);
    var y = vec4f(0.0);
    var z = vec4f(0.0);
    for (var i = 0u; i < skinning.n_per_vertex; i++) {
        let influence = influences[first + i];
        if (influence.joint < skinning.n_joints) {
            x += palette[influence.joint].row_x * influence.weight;
            y += palette[influence.joint].row_y * influence.weight;
            z += palette[influence.joint].row_z * influence.weight;
        }
    }
    let p = vec4f(position, 1.0);
    let det = dot(x.xyz, cross(y.xyz, z.xyz));
    let turned = sign(det) * cofactor_times(x.xyz, y.xyz, z.xyz, normal);
    let fallback = rotate(palette[main].rotation, normal);
    return Posed(vec3f(dot(x, p), dot(y, p), dot(z, p)), unit_or(turned, fallback));
}

fn dual_quaternion(first: u32, main: u32, position: vec3f, normal: vec3f) -> Posed {
    let p = vec4f(position, 1.0);
    let reference = palette[main].rotation;
    // Everything is measured from this vertex, so each dual part holds where its joint alone would carry it.
    var real = vec4f(0.0);
    var dual = vec4f(0.0);
    var stretched = vec3f(0.0);
    for (var i = 0u; i < skinning.n_per_vertex; i++) {
        let influence = influences[first + i];
        if (influence.joint >= skinning.n_joints || influence.weight == 0.0) {
            continue;
        }
        let joint = palette[influence.joint];
        let carried = vec3f(dot(joint.row_x, p), dot(joint.row_y, p), dot(joint.row_z, p));
        let aligned = select(-1.0, 1.0, dot(joint.rotation, reference) >= 0.0) * joint.rotation;
        real += influence.weight * aligned;
        dual += influence.weight * 0.5 * multiply(vec4f(carried - position, 0.0), aligned);
        let turned = joint.det_sign * cofactor_times(joint.row_x.xyz, joint.row_y.xyz, joint.row_z.xyz, normal);
        let conjugate = vec4f(-joint.rotation.xyz, joint.rotation.w);
        let own = unit_or(turned, rotate(joint.rotation, normal));
        stretched += influence.weight * rotate(conjugate, own);
    }
    let squared = dot(real, real);
    let offset = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz)) / squared;
    let rotation = real * inverseSqrt(squared);
    return Posed(position + offset, rotate(rotation, unit_or(stretched, normal)));
}

@compute @workgroup_size(64)
fn cs_main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = id.y * skinning.n_along_x + id.x;
    if (vertex >= skinning.n_vertices) {
        return;
    }
    let at = vertex * 3u;
    let position = vec3f(rest_positions[at], rest_positions[at + 1u], rest_positions[at + 2u]);
    let normal = vec3f(rest_normals[at], rest_normals[at + 1u], rest_normals[at + 2u]);
    let first = vertex * skinning.n_per_vertex;
    let main = heaviest(first);
    var posed = Posed(position, normal);
    if (main != 0xffffffffu) {
        if (skinning.method == DUAL_QUATERNION) {
            posed = dual_quaternion(first, main, position, normal);
        } else {
            posed = linear_blend(first, main, position, normal);
        }
    }
    positions[at] = posed.position.x;
    positions[at + 1u] = posed.position.y;
    positions[at + 2u] = posed.position.z;
    normals[at] = posed.normal.x;
    normals[at + 1u] = posed.normal.y;
    normals[at + 2u] = posed.normal.z;
}
