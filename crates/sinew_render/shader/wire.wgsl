// Edges of a mesh, pulled a little towards the viewer so that the surface does not swallow them.

struct WireUniform {
    color: vec4f,
}

@group(1) @binding(0) var<uniform> wire: WireUniform;

@vertex
fn vs_main(@location(0) position: vec3f) -> @builtin(position) vec4f {
    var clip = frame.clip_from_scene * vec4f(position, 1.0);
    clip.z = select(clip.z + 1e-4 * clip.w, clip.z * 1.0015, frame.viewer.w > 0.5);
    return clip;
}

@fragment
fn fs_main() -> @location(0) vec4f {
    return target_color(wire.color);
}
