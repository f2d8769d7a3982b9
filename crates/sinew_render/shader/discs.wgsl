// Dots that face the viewer; coverage by distance.

struct Disc {
    @location(0) center: vec3f,
    @location(1) radius_points: f32,
    @location(2) color: u32,
    @location(3) outline_color: u32,
    @location(4) outline_points: f32,
    @location(5) pull: f32,
}

struct DiscFragment {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) radii: vec2f,
    @location(2) @interpolate(flat) color: vec4f,
    @location(3) @interpolate(flat) outline_color: vec4f,
}

@vertex
fn vs_main(@builtin(vertex_index) corner: u32, disc: Disc) -> DiscFragment {
    var out: DiscFragment;
    out.position = nowhere();
    let clip = frame.clip_from_scene * vec4f(disc.center, 1.0);
    if (clip.w <= 0.0 || clip.z > clip.w) {
        return out;
    }
    let inner = disc.radius_points * frame.pixels_per_point;
    let outer = inner + disc.outline_points * frame.pixels_per_point;
    let reach = outer + 1.0;
    out.place = vec2f(
        select(-reach, reach, (corner & 1u) == 1u),
        select(-reach, reach, corner >= 2u),
    );
    let depth = clip.z / clip.w;
    let pulled = select(depth + disc.pull * 0.05, depth * (1.0 + disc.pull), frame.viewer.w > 0.5);
    out.position = clip_from_px(px_from_clip(clip) + out.place, clamp(pulled, 0.0, 1.0));
    out.radii = vec2f(inner, outer);
    out.color = color_from_rgba8(disc.color);
    out.outline_color = color_from_rgba8(disc.outline_color);
    return out;
}

@fragment
fn fs_main(in: DiscFragment) -> @location(0) vec4f {
    let distance_px = length(in.place);
    let fill = clamp(in.radii.x - distance_px + 0.5, 0.0, 1.0);
    let whole = clamp(in.radii.y - distance_px + 0.5, 0.0, 1.0);
    let alpha_fill = in.color.a * fill;
    let alpha_outline = in.outline_color.a * max(whole - fill, 0.0);
    let alpha = alpha_fill + alpha_outline;
    let rgb = (in.color.rgb * alpha_fill + in.outline_color.rgb * alpha_outline) / max(alpha, 1e-5);
    return target_color(vec4f(rgb, alpha));
}
