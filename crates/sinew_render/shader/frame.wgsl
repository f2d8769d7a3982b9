// Bind group 0 and the few functions that several shaders use.

struct FrameUniform {
    clip_from_scene: mat4x4f,
    viewer: vec4f,
    up: vec4f,
    key: vec4f,
    fill: vec4f,
    rim: vec4f,
    viewport_px: vec2f,
    pixels_per_point: f32,
    must_encode: u32,
}

@group(0) @binding(0) var<uniform> frame: FrameUniform;

fn linear_from_srgb(encoded: vec3f) -> vec3f {
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, encoded <= vec3f(0.04045));
}

// What a fragment shader returns: linear light, encoded here where the target does not do it.
fn target_color(color: vec4f) -> vec4f {
    if (frame.must_encode == 0u) {
        return color;
    }
    let linear = max(color.rgb, vec3f(0.0));
    let high = 1.055 * pow(linear, vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(high, linear * 12.92, linear <= vec3f(0.0031308)), color.a);
}

// sRGB bytes with straight alpha -> linear light, straight alpha.
fn color_from_rgba8(packed: u32) -> vec4f {
    let encoded = unpack4x8unorm(packed);
    return vec4f(linear_from_srgb(encoded.rgb), encoded.a);
}

// Unit vector from a point towards the viewer, in scene space.
fn toward_viewer(point: vec3f) -> vec3f {
    return normalize(frame.viewer.xyz - point * frame.viewer.w);
}

// Physical pixels, y down, from clip space.
fn px_from_clip(clip: vec4f) -> vec2f {
    return (clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * frame.viewport_px;
}

// Clip space with w = 1, so that values vary linearly over the screen.
fn clip_from_px(px: vec2f, depth: f32) -> vec4f {
    return vec4f((px / frame.viewport_px - 0.5) * vec2f(2.0, -2.0), depth, 1.0);
}

// A position that no pixel lies in.
fn nowhere() -> vec4f {
    return vec4f(2.0, 2.0, 0.0, 1.0);
}

struct ClippedSegment {
    start: vec4f,
    end: vec4f,
    is_visible: bool,
}

// Cuts a segment in clip space at the near plane, where depth (reversed) is 1.
fn clip_segment(a: vec4f, b: vec4f) -> ClippedSegment {
    let da = a.w - a.z;
    let db = b.w - b.z;
    if (da <= 0.0 && db <= 0.0) {
        return ClippedSegment(a, b, false);
    }
    var start = a;
    var end = b;
    if (da < 0.0) {
        start = mix(a, b, da / (da - db));
    }
    if (db < 0.0) {
        end = mix(a, b, da / (da - db));
    }
    return ClippedSegment(start, end, start.w > 0.0 && end.w > 0.0);
}
