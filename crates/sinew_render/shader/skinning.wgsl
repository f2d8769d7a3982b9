// Poses vertices: linear blend or dual quaternions. One invocation a vertex.

struct SkinningUniform {
    n_vertices: u32,
    n_per_vertex: u32,
    n_joints: u32,
    method: u32,
    n_along_x: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

struct Influence {
    joint: u32,
    weight: f32,
}

struct PaletteJoint {
    rows: array<vec4f, 3>,
    rotation: vec4f,
    stretch: array<vec4f, 2>,
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

// A cofactor this much smaller than the square of its matrix is rounding, not a direction.
const NO_DIRECTION: f32 = 1e-6;

// sign(det) * cofactor * v as a unit vector, or the fallback where the matrix leaves no direction.
fn turned_normal(x: vec3f, y: vec3f, z: vec3f, v: vec3f, fallback: vec3f) -> vec3f {
    // Scaled first: cofactors of tiny scales underflow.
    let size = sqrt(dot(x, x) + dot(y, y) + dot(z, z));
    if (!(size > 1e-30)) {
        return fallback;
    }
    let a = x / size;
    let b = y / size;
    let c = z / size;
    let turned = cofactor_times(a, b, c, v);
    let length_squared = dot(turned, turned);
    if (!(length_squared > NO_DIRECTION * NO_DIRECTION)) {
        return fallback;
    }
    let side = select(1.0, -1.0, dot(a, cross(b, c)) < 0.0);
    return turned * (side * inverseSqrt(length_squared));
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
            x += palette[influence.joint].rows[0] * influence.weight;
            y += palette[influence.joint].rows[1] * influence.weight;
            z += palette[influence.joint].rows[2] * influence.weight;
        }
    }
    let p = vec4f(position, 1.0);
    let fallback = rotate(palette[main].rotation, normal);
    return Posed(vec3f(dot(x, p), dot(y, p), dot(z, p)), turned_normal(x.xyz, y.xyz, z.xyz, normal, fallback));
}

fn carried_by(joint: u32, position: vec3f) -> vec3f {
    let p = vec4f(position, 1.0);
    return vec3f(dot(palette[joint].rows[0], p), dot(palette[joint].rows[1], p), dot(palette[joint].rows[2], p));
}

fn dual_quaternion(first: u32, main: u32, position: vec3f, normal: vec3f) -> Posed {
    let reference = palette[main].rotation;
    // Everything is measured from where the heaviest joint carries this vertex: short vectors lose no digits.
    let origin = carried_by(main, position);
    var rotation = vec4f(0.0);
    var moved = vec4f(0.0);
    var diagonal = vec3f(0.0);
    var rest = vec3f(0.0);
    for (var i = 0u; i < skinning.n_per_vertex; i++) {
        let influence = influences[first + i];
        if (influence.joint >= skinning.n_joints || influence.weight == 0.0) {
            continue;
        }
        let q = palette[influence.joint].rotation;
        let signed = select(influence.weight, -influence.weight, dot(q, reference) < 0.0);
        let offset = carried_by(influence.joint, position) - origin;
        rotation += signed * q;
        moved += signed * multiply(vec4f(offset, 0.0), q);
        diagonal += influence.weight * palette[influence.joint].stretch[0].xyz;
        rest += influence.weight * palette[influence.joint].stretch[1].xyz;
    }
    let squared = dot(rotation, rotation);
    var unit = reference;
    var posed = origin;
    // Only weights of both signs can cancel: then the heaviest joint has it alone.
    if (squared > 1e-12) {
        unit = rotation * inverseSqrt(squared);
        // Vector part of moved * conj(rotation).
        let vector = rotation.w * moved.xyz - moved.w * rotation.xyz + cross(rotation.xyz, moved.xyz);
        posed = origin + vector / squared;
    }
    let stretched = turned_normal(
        vec3f(diagonal.x, rest.x, rest.y),
        vec3f(rest.x, diagonal.y, rest.z),
        vec3f(rest.y, rest.z, diagonal.z),
        normal,
        normal,
    );
    return Posed(posed, rotate(unit, stretched));
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
    // As in engines, where nothing moves a vertex it is nowhere: the sum of nothing.
    var posed = Posed(vec3f(0.0), normal);
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
