// Lit meshes. Soft key, fill and rim light; the weight ramp is shaded less than clay, so that it stays readable.

struct MeshUniform {
    base_color: vec4f,
    clay: vec4f,
    mode: u32,
    n_contours: u32,
    alpha_cutoff: f32,
    zero_below: f32,
    one_from: f32,
    ramp_row: u32,
    opacity: f32,
    tint_opacity: f32,
    is_textured_under: u32,
    marks_zero: u32,
    has_stripes: u32,
    padding: u32,
}

const TEXTURED: u32 = 0u;
const WEIGHTS: u32 = 2u;
const DIFFERENCE: u32 = 3u;
const STRIPES_POINTS: f32 = 5.0;
const BETWEEN_STRIPES: f32 = 0.2;

@group(1) @binding(0) var<uniform> mesh: MeshUniform;
@group(1) @binding(1) var base_texture: texture_2d<f32>;
@group(1) @binding(2) var base_sampler: sampler;
@group(1) @binding(3) var ramp_texture: texture_2d<f32>;

struct MeshVertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) texcoord: vec2f,
    @location(3) weight: f32,
    @location(4) tint: u32,
}

struct MeshFragment {
    @builtin(position) position: vec4f,
    @location(0) scene: vec3f,
    @location(1) normal: vec3f,
    @location(2) texcoord: vec2f,
    @location(3) weight: f32,
    // Premultiplied, so that a transparent neighbour does not darken it.
    @location(4) tint: vec4f,
}

@vertex
fn vs_main(vertex: MeshVertex) -> MeshFragment {
    var out: MeshFragment;
    out.position = frame.clip_from_scene * vec4f(vertex.position, 1.0);
    out.scene = vertex.position;
    out.normal = vertex.normal;
    out.texcoord = vertex.texcoord;
    out.weight = vertex.weight;
    let tint = color_from_rgba8(vertex.tint);
    out.tint = vec4f(tint.rgb * tint.a, tint.a);
    return out;
}

// The interpolated normal, on the side of the face that the viewer sees; winding plays no part.
fn facing_normal(normal: vec3f, face: vec3f, viewer: vec3f) -> vec3f {
    let facing = select(-face, face, dot(face, viewer) >= 0.0);
    let length_squared = dot(normal, normal);
    let unit = select(facing, normal * inverseSqrt(max(length_squared, 1e-20)), length_squared > 1e-12);
    return select(-unit, unit, dot(unit, facing) >= 0.0);
}

struct Shade {
    // Light that the surface's own colour reflects.
    diffuse: f32,
    // White light along silhouettes and in the highlight.
    sheen: f32,
}

fn studio(n: vec3f, viewer: vec3f) -> Shade {
    // The lights are large: their terminator is wrapped beyond 90 degrees and eased.
    let key = smoothstep(-0.30, 1.0, dot(n, frame.key.xyz)) * frame.key.w;
    let fill = smoothstep(-0.6, 1.1, dot(n, frame.fill.xyz)) * frame.fill.w;
    let sky = mix(0.07, 0.25, 0.5 + 0.5 * dot(n, frame.up.xyz));
    let grazing = 1.0 - clamp(dot(n, viewer), 0.0, 1.0);
    let rim = pow(grazing, 3.5) * smoothstep(-0.2, 0.8, dot(n, frame.rim.xyz)) * frame.rim.w;
    let middle = normalize(frame.key.xyz + viewer);
    let gloss = pow(clamp(dot(n, middle), 0.0, 1.0), 22.0) * 0.035 * frame.key.w;
    // Edges that turn away are a little darker, which draws the form without any light.
    let falloff = 1.0 - 0.22 * grazing * grazing;
    return Shade((sky + key + fill) * falloff, rim + gloss);
}

// Row 1 has differences, the others weights.
fn ramp_color(weight: f32, row: u32) -> vec3f {
    let last = textureDimensions(ramp_texture).x - 1u;
    let place = clamp(weight, 0.0, 1.0) * f32(last);
    let below = min(u32(place), last - 1u);
    let a = textureLoad(ramp_texture, vec2u(below, row), 0).rgb;
    let b = textureLoad(ramp_texture, vec2u(below + 1u, row), 0).rgb;
    return mix(a, b, place - f32(below));
}

// How much of a tint covers here. Light tints are marks: stripes over the picture, so that none looks like a colour of a
// ramp. Dark ones shade.
fn tint_share(tint: vec4f, px: vec2f) -> f32 {
    let light = dot(tint.rgb, vec3f(0.2126, 0.7152, 0.0722)) / max(tint.a, 1e-4);
    if (mesh.has_stripes == 0u || light < 0.06) {
        return 1.0;
    }
    // Across a stripe and the gap beside it, in pixels.
    let period = STRIPES_POINTS * frame.pixels_per_point;
    let across = abs(fract((px.x + px.y) * 0.70710678 / period) - 0.5) * period;
    return mix(BETWEEN_STRIPES, 1.0, clamp(across - 0.25 * period + 0.5, 0.0, 1.0));
}

@fragment
fn fs_main(in: MeshFragment) -> @location(0) vec4f {
    let texel = textureSample(base_texture, base_sampler, in.texcoord);
    let face = cross(dpdx(in.scene), dpdy(in.scene));
    let weight_per_px = fwidth(in.weight);

    let viewer = toward_viewer(in.scene);
    let n = facing_normal(in.normal, face * inverseSqrt(max(dot(face, face), 1e-30)), viewer);
    let shade = studio(n, viewer);

    var albedo = mesh.clay.rgb;
    var diffuse = shade.diffuse;
    var sheen = shade.sheen;
    if (mesh.mode == TEXTURED || mesh.is_textured_under == 1u) {
        let base = texel * mesh.base_color;
        if (base.a < mesh.alpha_cutoff) {
            discard;
        }
        albedo = base.rgb;
    }
    if (mesh.mode == WEIGHTS) {
        let is_one = in.weight >= mesh.one_from;
        // The border of the weighted region is as sharp as a pixel, no sharper.
        let amount = clamp((in.weight - mesh.zero_below) / max(weight_per_px, 1e-7) + 0.5, 0.0, 1.0);
        var colored = ramp_color(in.weight, mesh.ramp_row);
        // Exactly 1 is a shade paler than almost 1.
        colored = select(colored, mix(colored, vec3f(1.0, 0.96, 0.74), 0.14), is_one);
        if (mesh.n_contours > 0u) {
            let level = in.weight * f32(mesh.n_contours);
            let level_per_px = max(weight_per_px * f32(mesh.n_contours), 1e-7);
            let distance_px = abs(fract(level + 0.5) - 0.5) / level_per_px;
            let is_between = level > 0.5 && level < f32(mesh.n_contours) - 0.5;
            let line = clamp(0.5 * frame.pixels_per_point + 0.5 - distance_px, 0.0, 1.0)
                * (1.0 - smoothstep(0.15, 0.45, level_per_px));
            // Light on dark, dark on light.
            let is_light = smoothstep(0.25, 0.5, dot(colored, vec3f(0.2126, 0.7152, 0.0722)));
            let strength = mix(0.34, 0.5, is_light);
            colored = mix(colored, vec3f(1.0 - is_light), select(0.0, strength * line, is_between));
        }
        if (mesh.marks_zero == 1u) {
            albedo = mix(albedo, vec3f(0.004, 0.005, 0.007), 0.985);
        }
        let cover = amount * mesh.opacity;
        albedo = mix(albedo, colored, cover);
        // Light models the form but leaves the ramp its range.
        diffuse = mix(diffuse, mix(0.86, diffuse, 0.6), cover);
        sheen = mix(sheen, 0.35 * sheen, cover);
    } else if (mesh.mode == DIFFERENCE) {
        // Clay where nothing moves, and no edge where it begins to.
        let amount = smoothstep(0.0, 0.12, in.weight) * mesh.opacity;
        albedo = mix(albedo, ramp_color(in.weight, 1u), amount);
        diffuse = mix(diffuse, mix(0.86, diffuse, 0.6), amount);
        sheen = mix(sheen, 0.35 * sheen, amount);
    }
    let tint = in.tint * mesh.tint_opacity * tint_share(in.tint, in.position.xy);
    albedo = albedo * (1.0 - tint.a) + tint.rgb;
    return target_color(vec4f(albedo * diffuse + sheen * mix(albedo, vec3f(1.0), 0.5), 1.0));
}
