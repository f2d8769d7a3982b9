// Bones as kites in screen space: wide near the head, pointed at the tail.

struct Bone {
    @location(0) head: vec3f,
    @location(1) half_width_points: f32,
    @location(2) tail: vec3f,
    @location(3) fill: u32,
    @location(4) outline: u32,
    @location(5) outline_points: f32,
    @location(6) padding: vec2u,
}

struct BoneFragment {
    @builtin(position) position: vec4f,
    // Pixels along and across, from the head.
    @location(0) place: vec2f,
    // Length, distance of the shoulder from the head, half width at the shoulder, half width of the outline.
    @location(1) @interpolate(flat) shape: vec4f,
    @location(2) @interpolate(flat) fill: vec4f,
    @location(3) @interpolate(flat) outline: vec4f,
}

@vertex
fn vs_main(@builtin(vertex_index) corner: u32, bone: Bone) -> BoneFragment {
    var out: BoneFragment;
    out.position = nowhere();
    let segment = clip_segment(
        frame.clip_from_scene * vec4f(bone.head, 1.0),
        frame.clip_from_scene * vec4f(bone.tail, 1.0),
    );
    if (!segment.is_visible) {
        return out;
    }
    let head = px_from_clip(segment.start);
    let span = px_from_clip(segment.end) - head;
    let length_px = length(span);
    let along = select(vec2f(1.0, 0.0), span / max(length_px, 1e-6), length_px > 1e-4);
    let across = vec2f(-along.y, along.x);
    let half_width = min(bone.half_width_points * frame.pixels_per_point, 0.14 * length_px);
    let shoulder = min(1.7 * half_width, 0.2 * length_px);
    let half_outline = 0.5 * bone.outline_points * frame.pixels_per_point;
    let reach = half_outline + 1.0;
    let is_end = (corner & 1u) == 1u;
    let x = select(-reach, length_px + reach, is_end);
    let y = select(-(half_width + reach), half_width + reach, corner >= 2u);
    let depth = select(segment.start.z / segment.start.w, segment.end.z / segment.end.w, is_end);
    out.position = clip_from_px(head + along * x + across * y, clamp(depth, 0.0, 1.0));
    out.place = vec2f(x, y);
    out.shape = vec4f(length_px, shoulder, half_width, half_outline);
    out.fill = color_from_rgba8(bone.fill);
    out.outline = color_from_rgba8(bone.outline);
    return out;
}

fn distance_to_segment(p: vec2f, a: vec2f, b: vec2f) -> f32 {
    let ab = b - a;
    let t = clamp(dot(p - a, ab) / max(dot(ab, ab), 1e-6), 0.0, 1.0);
    return length(p - a - ab * t);
}

@fragment
fn fs_main(in: BoneFragment) -> @location(0) vec4f {
    let p = vec2f(in.place.x, abs(in.place.y));
    let shoulder = vec2f(in.shape.y, in.shape.z);
    let tail = vec2f(in.shape.x, 0.0);
    let edge = min(distance_to_segment(p, vec2f(0.0), shoulder), distance_to_segment(p, shoulder, tail));
    let toward_head = in.shape.z * p.x / max(in.shape.y, 1e-4);
    let toward_tail = in.shape.z * (in.shape.x - p.x) / max(in.shape.x - in.shape.y, 1e-4);
    let is_inside = p.y < min(toward_head, toward_tail);
    let signed = select(edge, -edge, is_inside);
    let fill = clamp(0.5 - signed, 0.0, 1.0);
    let line = clamp(in.shape.w - edge + 0.5, 0.0, 1.0);
    // One side a little lighter: the ridge of a solid that is not there.
    let ridge = clamp(in.place.y + 0.5, 0.0, 1.0);
    let alpha_fill = in.fill.a * fill * mix(1.0, 0.7, ridge);
    let alpha_line = in.outline.a * line;
    let alpha = alpha_line + alpha_fill * (1.0 - alpha_line);
    let rgb = (in.outline.rgb * alpha_line + in.fill.rgb * alpha_fill * (1.0 - alpha_line)) / max(alpha, 1e-5);
    return target_color(vec4f(rgb, alpha));
}
