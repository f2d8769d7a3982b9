// Line segments as screen-space quads; coverage by distance.

struct Line {
    @location(0) start: vec3f,
    @location(1) width_points: f32,
    @location(2) end: vec3f,
    @location(3) color: u32,
    @location(4) cap: u32,
    @location(5) pull: f32,
    @location(6) padding: vec2u,
}

struct LineFragment {
    @builtin(position) position: vec4f,
    // Pixels along and across, from the start.
    @location(0) place: vec2f,
    // Length, half width, opacity factor, 1 if the ends are round.
    @location(1) @interpolate(flat) shape: vec4f,
    @location(2) @interpolate(flat) color: vec4f,
}

@vertex
fn vs_main(@builtin(vertex_index) corner: u32, line: Line) -> LineFragment {
    var out: LineFragment;
    out.position = nowhere();
    let segment = clip_segment(
        frame.clip_from_scene * vec4f(line.start, 1.0),
        frame.clip_from_scene * vec4f(line.end, 1.0),
    );
    if (!segment.is_visible) {
        return out;
    }
    let start = px_from_clip(segment.start);
    let end = px_from_clip(segment.end);
    let span = end - start;
    let length_px = length(span);
    let along = select(vec2f(1.0, 0.0), span / max(length_px, 1e-6), length_px > 1e-4);
    let across = vec2f(-along.y, along.x);
    let width_px = line.width_points * frame.pixels_per_point;
    // Thinner than a pixel: a pixel wide and fainter.
    let half_px = 0.5 * max(width_px, 1.0);
    let reach = half_px + 1.0;
    let is_round = line.cap == 1u;
    let overshoot = select(0.0, reach, is_round);
    let is_end = (corner & 1u) == 1u;
    let x = select(-overshoot, length_px + overshoot, is_end);
    let y = select(-reach, reach, corner >= 2u);
    let depth_start = segment.start.z / segment.start.w;
    let depth_end = segment.end.z / segment.end.w;
    let depth = select(depth_start, depth_end, is_end);
    // Perspective: depth is near / distance. Orthographic: depth is linear, so the pull is a fraction of the range.
    let pulled = select(depth + line.pull * 0.05, depth * (1.0 + line.pull), frame.viewer.w > 0.5);
    out.position = clip_from_px(start + along * x + across * y, clamp(pulled, 0.0, 1.0));
    out.place = vec2f(x, y);
    out.shape = vec4f(length_px, half_px, min(width_px, 1.0), select(0.0, 1.0, is_round));
    out.color = color_from_rgba8(line.color);
    return out;
}

@fragment
fn fs_main(in: LineFragment) -> @location(0) vec4f {
    let beyond = max(max(-in.place.x, in.place.x - in.shape.x), 0.0) * in.shape.w;
    let distance_px = length(vec2f(beyond, in.place.y));
    let coverage = clamp(in.shape.y - distance_px + 0.5, 0.0, 1.0) * in.shape.z;
    return target_color(vec4f(in.color.rgb, in.color.a * coverage));
}
