// A dot a vertex, facing the viewer; coverage by distance. Dark around, so that it shows on its own colour.

struct VertexDotsUniform {
    radius_points: f32,
    pull: f32,
    ramp_row: u32,
    zero_below: f32,
    gap_points: f32,
    padding_0: f32,
    padding_1: f32,
    padding_2: f32,
}

@group(1) @binding(0) var<uniform> dots: VertexDotsUniform;
@group(1) @binding(1) var ramp_texture: texture_2d<f32>;

struct DotFragment {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) radii: vec2f,
    @location(2) @interpolate(flat) color: vec4f,
}

@vertex
fn vs_main(
    @builtin(vertex_index) corner: u32,
    @location(0) center: vec3f,
    @location(1) weight: f32,
    @location(2) tint: u32,
    // From the vertices that are shown along with it.
    @location(3) apart: f32,
) -> DotFragment {
    var out: DotFragment;
    out.position = nowhere();
    let clip = frame.clip_from_scene * vec4f(center, 1.0);
    if (clip.w <= 0.0 || clip.z > clip.w) {
        return out;
    }
    let m = frame.clip_from_scene;
    let px_per_unit = 0.5 * frame.viewport_px.x * length(vec3f(m[0].x, m[1].x, m[2].x)) / clip.w;
    let room = apart * px_per_unit / (dots.gap_points * frame.pixels_per_point);
    if (room < 1.0) {
        return out;
    }
    // They grow in, so that none springs up.
    let share = mix(0.5, 1.0, smoothstep(1.0, 1.35, room));
    let has_weight = weight >= dots.zero_below;
    // Vertices without the joint's weight stand back.
    let inner = dots.radius_points * frame.pixels_per_point * select(0.5, 1.0, has_weight) * share;
    let outer = inner + select(0.3, 0.9, has_weight) * frame.pixels_per_point;
    let reach = outer + 1.0;
    out.place = vec2f(
        select(-reach, reach, (corner & 1u) == 1u),
        select(-reach, reach, corner >= 2u),
    );
    let depth = clip.z / clip.w;
    let pulled = select(depth + dots.pull * 0.05, depth * (1.0 + dots.pull), frame.viewer.w > 0.5);
    out.position = clip_from_px(px_from_clip(clip) + out.place, clamp(pulled, 0.0, 1.0));
    out.radii = vec2f(inner, outer);
    let last = textureDimensions(ramp_texture).x - 1u;
    let at = u32(round(clamp(weight, 0.0, 1.0) * f32(last)));
    let of_ramp = textureLoad(ramp_texture, vec2u(at, dots.ramp_row), 0).rgb;
    let plain = select(vec3f(0.16, 0.17, 0.19), of_ramp, has_weight);
    let mark = color_from_rgba8(tint);
    out.color = vec4f(mix(plain, mark.rgb, mark.a), 1.0);
    return out;
}

@fragment
fn fs_main(in: DotFragment) -> @location(0) vec4f {
    let distance_px = length(in.place);
    let fill = clamp(in.radii.x - distance_px + 0.5, 0.0, 1.0);
    let whole = clamp(in.radii.y - distance_px + 0.5, 0.0, 1.0);
    let alpha_outline = 0.55 * max(whole - fill, 0.0);
    let alpha = fill + alpha_outline;
    let rgb = in.color.rgb * fill / max(alpha, 1e-5);
    return target_color(vec4f(rgb, alpha));
}
