// A square in the ground plane; lines by distance to the nearest multiple of the cell, in pixels.

struct GridUniform {
    center: vec4f,
    u: vec4f,
    v: vec4f,
    color: vec4f,
}

@group(1) @binding(0) var<uniform> grid: GridUniform;

struct GridFragment {
    @builtin(position) position: vec4f,
    // Scene units from the centre along both axes.
    @location(0) place: vec2f,
}

@vertex
fn vs_main(@builtin(vertex_index) corner: u32) -> GridFragment {
    var out: GridFragment;
    let r = grid.center.w;
    out.place = vec2f(select(-r, r, (corner & 1u) == 1u), select(-r, r, corner >= 2u));
    let point = grid.center.xyz + grid.u.xyz * out.place.x + grid.v.xyz * out.place.y;
    out.position = frame.clip_from_scene * vec4f(point, 1.0);
    return out;
}

@fragment
fn fs_main(in: GridFragment) -> @location(0) vec4f {
    let cells = in.place / grid.u.w;
    let cells_per_px = max(fwidth(cells), vec2f(1e-9));
    let distance_px = abs(fract(cells + 0.5) - 0.5) / cells_per_px;
    let half_px = 0.5 * max(grid.v.w * frame.pixels_per_point, 1.0);
    var coverage = clamp(half_px - distance_px + 0.5, vec2f(0.0), vec2f(1.0));
    // Where cells shrink to pixels the lines melt into an even tone, then vanish.
    coverage *= 1.0 - smoothstep(vec2f(0.15), vec2f(0.6), cells_per_px);
    let fade = 1.0 - smoothstep(0.15, 1.0, length(in.place) / grid.center.w);
    let alpha = grid.color.a * max(coverage.x, coverage.y) * fade;
    return target_color(vec4f(grid.color.rgb, alpha));
}
