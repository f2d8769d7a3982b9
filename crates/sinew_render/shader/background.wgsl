// A vertical gradient, mixed in sRGB as people expect from the two colours they chose.

struct BackgroundUniform {
    top: vec4f,
    bottom: vec4f,
}

@group(1) @binding(0) var<uniform> background: BackgroundUniform;

@vertex
fn vs_main(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let uv = position.xy / frame.viewport_px;
    let from_middle = (uv - vec2f(0.5, 0.44)) * vec2f(frame.viewport_px.x / frame.viewport_px.y, 1.0);
    let glow = background.top.w * exp(-3.5 * dot(from_middle, from_middle));
    // Half a step of ordered noise hides the bands; the same pixel always gets the same value.
    let noise = fract(52.9829189 * fract(dot(position.xy, vec2f(0.06711056, 0.00583715)))) - 0.5;
    let encoded = mix(background.top.rgb, background.bottom.rgb, uv.y) + glow + noise / 255.0;
    return target_color(vec4f(linear_from_srgb(max(encoded, vec3f(0.0))), 1.0));
}
