//! Pictures checked by numbers.

use glam::{Vec3, Vec4};
use sinew_render::color::{linear_from_srgb, luminance};
use sinew_render::readback::Picture;
use sinew_render::{
    Background, Bone, Cap, Color, Disc, DrawList, GpuLimits, Grid, Line, Material, MaterialData, Mesh, MeshData,
    MeshDraw, MeshMode, MeshStyle, OffscreenTarget, RenderError, Renderer, Wire, WireDraw, ramp,
};

use crate::gpu::{device, perspective_frame, picture, pixel_frame, quad, quad_wound, renderer};

fn draw(mesh: &Mesh, mode: MeshMode) -> MeshDraw<'_> {
    MeshDraw { mesh, material: None, indices: None, style: MeshStyle { mode, ..Default::default() } }
}

fn meshes<'a>(meshes: &[(&'a Mesh, MeshMode)]) -> DrawList<'a> {
    DrawList { meshes: meshes.iter().map(|(mesh, mode)| draw(mesh, *mode)).collect(), ..Default::default() }
}

fn center(picture: &Picture) -> [u8; 4] {
    picture.pixel(picture.width / 2, picture.height / 2).expect("the middle is inside")
}

fn linear(pixel: [u8; 4]) -> [f32; 3] {
    [0, 1, 2].map(|i| linear_from_srgb(f32::from(pixel[i]) / 255.0))
}

/// Hue and saturation without brightness: channels over their sum.
fn chromaticity(color: [f32; 3]) -> [f32; 3] {
    let sum: f32 = color.iter().sum();
    color.map(|c| c / sum)
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f32::max)
}

fn weight_pixel(renderer: &Renderer, weight: f32) -> [u8; 4] {
    let mesh = quad(renderer, 20.0, 0.0);
    mesh.set_weights(renderer, 0, &[weight; 4]).expect("four weights fit");
    center(&picture(renderer, [32, 32], &pixel_frame([32, 32], 1.0), &meshes(&[(&mesh, MeshMode::Weights)])))
}

#[test]
fn a_vertex_without_weight_looks_like_plain_clay() {
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 20.0, 0.0);
    let clay = center(&picture(&renderer, [32, 32], &pixel_frame([32, 32], 1.0), &meshes(&[(&mesh, MeshMode::Clay)])));
    assert_eq!(weight_pixel(&renderer, 0.0), clay);
    assert!(luminance(linear(clay)) > 0.25, "clay is light: {clay:?}");
    assert_ne!(weight_pixel(&renderer, 0.001), clay, "the ramp starts right above zero");
}

#[test]
fn the_drawn_ramp_agrees_with_the_legend_and_tells_exact_one_apart() {
    let Some(renderer) = renderer() else { return };
    for weight in [0.001, 0.25, 0.5, 0.75, 0.998] {
        let drawn = chromaticity(linear(weight_pixel(&renderer, weight)));
        let legend = chromaticity(ramp::weight_color(weight));
        assert!(distance(drawn, legend) < 0.03, "weight {weight}: drawn {drawn:?}, legend {legend:?}");
    }
    let (almost, one) = (weight_pixel(&renderer, 0.998), weight_pixel(&renderer, 1.0));
    let step = (0..3).map(|i| one[i].abs_diff(almost[i])).max().unwrap();
    assert!((8..80).contains(&step), "1 is told apart, but quietly: {almost:?} then {one:?}");
}

#[test]
fn drawn_luminance_rises_with_weight() {
    let Some(renderer) = renderer() else { return };
    let mut last = 0.0;
    // B65
    for weight in std::iter::once(1e-4).chain((1..=20).map(|i| i as f32 / 20.0)) {
        let luminance = luminance(linear(weight_pixel(&renderer, weight)));
        assert!(luminance > last, "weight {weight}: {luminance} after {last}");
        last = luminance;
    }
}

#[test]
fn drawn_luminance_falls_with_the_difference_from_clay_on() {
    let Some(renderer) = renderer() else { return };
    let pixel = |share: f32, mode| {
        let mesh = quad(&renderer, 20.0, 0.0);
        mesh.set_weights(&renderer, 0, &[share; 4]).expect("four numbers fit");
        center(&picture(&renderer, [32, 32], &pixel_frame([32, 32], 1.0), &meshes(&[(&mesh, mode)])))
    };
    assert_eq!(pixel(0.0, MeshMode::Difference), pixel(0.0, MeshMode::Clay), "what stays where it is, is clay");
    let mut last = f32::INFINITY;
    for i in 2..=20 {
        let luminance = luminance(linear(pixel(i as f32 / 20.0, MeshMode::Difference)));
        assert!(luminance < last, "share {}: {luminance} after {last}", i as f32 / 20.0);
        last = luminance;
    }
    let drawn = chromaticity(linear(pixel(0.5, MeshMode::Difference)));
    assert!(distance(drawn, chromaticity(ramp::difference_color(0.5))) < 0.03, "the legend has it so: {drawn:?}");
}

#[test]
fn the_weight_is_interpolated_and_not_the_colour() {
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 20.0, 0.0);
    mesh.set_weights(&renderer, 0, &[0.0, 1.0, 1.0, 0.0]).unwrap();
    let size = [40, 40];
    let shot = picture(&renderer, size, &pixel_frame(size, 1.0), &meshes(&[(&mesh, MeshMode::Weights)]));
    let middle = chromaticity(linear(shot.pixel(20, 20).unwrap()));
    assert!(distance(middle, chromaticity(ramp::weight_color(0.5125))) < 0.03, "{middle:?}");
}

#[test]
fn the_nearer_mesh_hides_the_farther_whatever_the_order() {
    let Some(renderer) = renderer() else { return };
    let (near, far) = (quad(&renderer, 0.5, 1.0), quad(&renderer, 2.0, -1.0));
    near.set_weights(&renderer, 0, &[1.0; 4]).unwrap();
    let frame = perspective_frame(Vec3::new(0.0, 0.0, 6.0));
    let far_first = meshes(&[(&far, MeshMode::Weights), (&near, MeshMode::Weights)]);
    let near_first = meshes(&[(&near, MeshMode::Weights), (&far, MeshMode::Weights)]);
    let (a, b) = (picture(&renderer, [64, 64], &frame, &far_first), picture(&renderer, [64, 64], &frame, &near_first));
    assert_eq!(a, b);
    let [r, _, blue, _] = center(&a);
    assert!(r > blue + 60, "the near quad is yellow: {:?}", center(&a));
}

#[test]
fn a_face_is_lit_the_same_whatever_its_winding() {
    let Some(renderer) = renderer() else { return };
    let front = quad(&renderer, 20.0, 0.0);
    let back = quad_wound(&renderer, 20.0, 0.0, [0, 2, 1, 0, 3, 2]).unwrap();
    let inward = quad(&renderer, 20.0, 0.0);
    inward.set_normals(&renderer, 0, &[-Vec3::Z; 4]).unwrap();
    let frame = pixel_frame([32, 32], 1.0);
    let shots = [&front, &back, &inward]
        .map(|m| center(&picture(&renderer, [32, 32], &frame, &meshes(&[(m, MeshMode::Clay)]))));
    assert_eq!(shots[0], shots[1]);
    assert_eq!(shots[0], shots[2]);
}

#[test]
fn only_the_given_range_of_a_stream_changes() {
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 20.0, 0.0);
    mesh.set_positions(&renderer, 1, &[Vec3::new(2.0, -20.0, 0.0), Vec3::new(2.0, 20.0, 0.0)]).unwrap();
    let shot = picture(&renderer, [40, 40], &pixel_frame([40, 40], 1.0), &meshes(&[(&mesh, MeshMode::Clay)]));
    assert_ne!(shot.pixel(5, 20).unwrap(), [0, 0, 0, 255], "the left half stays");
    assert_eq!(shot.pixel(30, 20).unwrap(), [0, 0, 0, 255], "the right edge moved in");
    let error = mesh.set_weights(&renderer, 3, &[1.0, 1.0]).unwrap_err();
    assert_eq!(error, RenderError::IndexOutOfRange { what: "weights", index: 4, count: 4 });
}

#[test]
fn a_texture_shows_upright_and_in_its_own_colours() {
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 20.0, 0.0);
    let rgba = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]].concat();
    let data = MaterialData { base_color: Vec4::ONE, texture: Some((&rgba, [2, 2])), alpha_cutoff: 0.0 };
    let material = Material::new(&renderer, data).unwrap();
    let mut list = meshes(&[(&mesh, MeshMode::Textured)]);
    list.meshes[0].material = Some(&material);
    let shot = picture(&renderer, [40, 40], &pixel_frame([40, 40], 1.0), &list);
    // One texel from the corners, where no neighbour mixes in.
    let [red, green, blue] = [(10, 10), (30, 10), (10, 30)].map(|(x, y)| shot.pixel(x, y).unwrap());
    assert!(red[0] > 150 && red[1] < 90 && red[2] < 90, "{red:?}");
    assert!(green[1] > 150 && green[0] < 90 && green[2] < 90, "{green:?}");
    assert!(blue[2] > 150 && blue[0] < 90 && blue[1] < 90, "{blue:?}");
    let short = MaterialData { texture: Some((&rgba[..8], [2, 2])), ..data };
    let error = Material::new(&renderer, short).err().unwrap();
    assert_eq!(error, RenderError::LengthMismatch { what: "texture bytes", expected: 16, found: 8 });
}

#[test]
fn a_tint_covers_by_its_opacity() {
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 20.0, 0.0);
    mesh.set_tints(&renderer, 0, &[Color::hex(0xFF0000); 4]).unwrap();
    let frame = pixel_frame([32, 32], 1.0);
    let [r, g, b, _] = center(&picture(&renderer, [32, 32], &frame, &meshes(&[(&mesh, MeshMode::Clay)])));
    assert!(r > 150 && g < 80 && b < 80, "{:?}", [r, g, b]);
}

/// How much of a pixel white covers, over black. OpenGL mixes encoded values, all others linear light.
fn coverage(renderer: &Renderer, pixel: [u8; 4]) -> [f32; 3] {
    if renderer.device().adapter_info().backend == wgpu::Backend::Gl {
        return [0, 1, 2].map(|i| f32::from(pixel[i]) / 255.0);
    }
    linear(pixel)
}

/// Light of a column through a white line on black, in linear light: the line's width in pixels.
fn line_width_px(renderer: &Renderer, width_points: f32, pixels_per_point: f32, end: Vec3) -> (f32, usize) {
    let size = [64, 64];
    let line = Line::new(-end, end, width_points, Color::hex(0xFFFFFF)).with_cap(Cap::Butt);
    let list = DrawList { lines: vec![line], ..Default::default() };
    let shot = picture(renderer, size, &pixel_frame(size, pixels_per_point), &list);
    let column: Vec<f32> = (0..64).map(|y| coverage(renderer, shot.pixel(32, y).expect("inside"))[0]).collect();
    (column.iter().sum(), column.iter().filter(|c| (0.02..0.98).contains(*c)).count())
}

#[test]
fn lines_have_their_width_in_points_and_smooth_edges() {
    let Some(renderer) = renderer() else { return };
    for (points, scale) in [(1.0, 1.0), (3.0, 1.0), (3.0, 2.0), (1.5, 2.0), (0.5, 1.0)] {
        let (width, _) = line_width_px(&renderer, points, scale, Vec3::new(30.0, 0.0, 0.0));
        assert!((width - points * scale).abs() < 0.06, "{points} points at {scale}: {width} px");
    }
    // A slanted line is wider in a column by 1 / cos, and has partly covered pixels at its edges.
    let (width, n_partial) = line_width_px(&renderer, 4.0, 1.0, Vec3::new(30.0, 10.0, 0.0));
    let expected = 4.0 * (10.0_f32.hypot(30.0)) / 30.0;
    assert!((width - expected).abs() < 0.25, "{width} px, expected {expected}");
    assert!(n_partial >= 2, "anti-aliased edges");
}

#[test]
fn lines_are_hidden_by_meshes_unless_on_top() {
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 20.0, 0.0);
    let frame = pixel_frame([32, 32], 1.0);
    let behind = Line::new(Vec3::new(-9.0, 0.0, -5.0), Vec3::new(9.0, 0.0, -5.0), 6.0, Color::hex(0xFF0000));
    let mut list = meshes(&[(&mesh, MeshMode::Clay)]);
    let clay = center(&picture(&renderer, [32, 32], &frame, &list));
    list.lines.push(behind);
    assert_eq!(center(&picture(&renderer, [32, 32], &frame, &list)), clay);
    list.lines_on_top.push(behind);
    assert_eq!(center(&picture(&renderer, [32, 32], &frame, &list)), [255, 0, 0, 255]);
}

#[test]
fn a_line_that_passes_behind_the_eye_is_cut_at_the_near_plane() {
    let Some(renderer) = renderer() else { return };
    let frame = perspective_frame(Vec3::new(0.0, 0.5, 6.0));
    let line = Line::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 40.0), 3.0, Color::hex(0xFFFFFF));
    let list = DrawList { lines_on_top: vec![line], ..Default::default() };
    let shot = picture(&renderer, [64, 64], &frame, &list);
    assert_eq!(shot.pixel(32, 60).unwrap(), [255; 4], "below the middle: the part before the eye");
    assert_eq!(shot.pixel(32, 10).unwrap(), [0, 0, 0, 255], "nothing mirrored above");
}

#[test]
fn dots_have_their_radius_and_outline_in_points() {
    let Some(renderer) = renderer() else { return };
    // Where encoded values are mixed, the rim between fill and outline is not proportional to coverage.
    let tolerance = if renderer.device().adapter_info().backend == wgpu::Backend::Gl { 0.08 } else { 0.02 };
    for scale in [1.0, 2.0] {
        let dot = Disc::new(Vec3::ZERO, 5.0, Color::hex(0xFFFFFF)).with_outline(2.0, Color::hex(0x00FF00));
        let list = DrawList { discs: vec![dot], ..Default::default() };
        let shot = picture(&renderer, [64, 64], &pixel_frame([64, 64], scale), &list);
        let sum = |channel: usize| -> f32 {
            shot.rgba.chunks(4).map(|p| coverage(&renderer, [p[0], p[1], p[2], 255])[channel]).sum()
        };
        let area = |radius: f32| std::f32::consts::PI * (radius * scale).powi(2);
        assert!((sum(0) / area(5.0) - 1.0).abs() < tolerance, "fill: {} px² of {}", sum(0), area(5.0));
        assert!((sum(1) / area(7.0) - 1.0).abs() < tolerance, "with outline: {} px² of {}", sum(1), area(7.0));
    }
}

#[test]
fn a_bone_is_a_translucent_kite_with_an_outline() {
    let Some(renderer) = renderer() else { return };
    let bone = Bone::new(Vec3::new(-50.0, 0.0, 0.0), Vec3::new(50.0, 0.0, 0.0), Color::hex(0xFFFFFF));
    let list = DrawList { bones: vec![bone], ..Default::default() };
    let shot = picture(&renderer, [128, 64], &pixel_frame([128, 64], 1.0), &list);
    let light = |x, y| coverage(&renderer, shot.pixel(x, y).unwrap())[0];
    // 100 px long: 14 % of it half width at the shoulder, 20 px from the head.
    let inside = light(64 - 50 + 20, 32 - 6);
    assert!((0.1..0.4).contains(&inside), "fill {inside}");
    let outline = (10..32).map(|y| light(64 - 50 + 20, y)).fold(0.0, f32::max);
    assert!(outline > 0.6, "outline {outline}");
    assert_eq!(light(64 - 50 + 20, 32 - 18), 0.0, "nothing beyond the shoulder");
    assert_eq!(light(64 + 45, 32 - 8), 0.0, "narrow near the tail");
}

#[test]
fn the_backdrop_runs_from_its_top_to_its_bottom_colour() {
    let Some(renderer) = renderer() else { return };
    let background = Background { glow: 0.0, ..Default::default() };
    let list = DrawList { background: Some(background), ..Default::default() };
    let shot = picture(&renderer, [16, 300], &pixel_frame([16, 300], 1.0), &list);
    for (y, expected) in [(0, [0x3A, 0x3E, 0x46]), (299, [0x20, 0x23, 0x29])] {
        let pixel = shot.pixel(8, y).unwrap();
        assert!((0..3).all(|i| pixel[i].abs_diff(expected[i]) <= 1), "row {y}: {pixel:?}");
    }
}

#[test]
fn the_grid_fades_out_and_hides_behind_meshes() {
    let Some(renderer) = renderer() else { return };
    let mut grid = Grid::ground(Vec3::ZERO, 10.0, 50.0);
    (grid.v, grid.color) = (Vec3::Y, Color::hex(0xFFFFFF));
    let mut list = DrawList { grid: Some(grid), ..Default::default() };
    let frame = pixel_frame([128, 128], 1.0);
    let row = |shot: &Picture, x| coverage(&renderer, shot.pixel(x, 64 - 5).unwrap())[0];
    let shot = picture(&renderer, [128, 128], &frame, &list);
    let (near, far) = (row(&shot, 64).max(row(&shot, 63)), row(&shot, 104).max(row(&shot, 103)));
    assert!(near > 0.3 && far < 0.5 * near, "line at the centre {near}, at 40 {far}");
    assert!(row(&shot, 69) < 0.02, "empty between lines");
    let mesh = quad(&renderer, 60.0, 1.0);
    list.meshes = vec![draw(&mesh, MeshMode::Clay)];
    let hidden = picture(&renderer, [128, 128], &frame, &list);
    list.grid = None;
    assert_eq!(hidden, picture(&renderer, [128, 128], &frame, &list));
}

#[test]
fn wires_show_on_their_own_surface() {
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 12.0, 0.0);
    let wire = Wire::new(&renderer, 4, &[[0, 2]]).unwrap();
    let mut list = meshes(&[(&mesh, MeshMode::Clay)]);
    let frame = pixel_frame([32, 32], 1.0);
    let plain = picture(&renderer, [32, 32], &frame, &list);
    list.wires = vec![WireDraw { mesh: &mesh, wire: &wire, color: Color::hex(0xFF0000) }];
    let wired = picture(&renderer, [32, 32], &frame, &list);
    let n_changed = plain.rgba.chunks(4).zip(wired.rgba.chunks(4)).filter(|(a, b)| a != b).count();
    assert!((20..=30).contains(&n_changed), "a diagonal of 24 pixels: {n_changed}");
    let error = Wire::new(&renderer, 4, &[[0, 4]]).err().unwrap();
    assert_eq!(error, RenderError::IndexOutOfRange { what: "wire edges", index: 4, count: 4 });
}

#[test]
fn targets_of_any_size_can_be_drawn_and_read() {
    let Some(renderer) = renderer() else { return };
    let list = DrawList { background: Some(Background::default()), ..Default::default() };
    for size in [[0, 0], [0, 7], [1, 1], [333, 7], [64, 64]] {
        let shot = picture(&renderer, size, &pixel_frame([64, 64], 1.0), &list);
        assert_eq!(shot.rgba.len(), (size[0] * size[1] * 4) as usize);
        assert!(shot.rgba.chunks(4).all(|p| p[3] == 255 && p[0] > 20), "{size:?}: every pixel is drawn");
    }
}

#[test]
fn four_samples_smooth_the_edges_of_meshes() {
    let Some(gpu) = device() else { return };
    let renderer = Renderer::new(&gpu.device, &gpu.queue, 4).unwrap();
    let mesh = quad(&renderer, 10.0, 0.0);
    let corners = [[-10.0, -10.0], [10.0, -7.0], [10.0, 10.0], [-10.0, 7.0]];
    mesh.set_positions(&renderer, 0, &corners.map(|[x, y]| Vec3::new(x, y, 0.0))).unwrap();
    let shot = picture(&renderer, [32, 32], &pixel_frame([32, 32], 1.0), &meshes(&[(&mesh, MeshMode::Clay)]));
    let clay = center(&shot)[0];
    let n_partial = shot.rgba.chunks(4).filter(|p| p[0] > 10 && p[0] + 10 < clay).count();
    assert!(n_partial > 10, "{n_partial} partly covered pixels");
    let other = OffscreenTarget::new(&gpu.device, [8, 8], 1).unwrap();
    let error = renderer.draw_now(&other, &pixel_frame([8, 8], 1.0), &DrawList::default()).unwrap_err();
    assert_eq!(error, RenderError::SampleCount { found: 1 });
}

// B68
#[test]
fn what_the_device_cannot_hold_is_refused_with_numbers() {
    let Some(gpu) = device() else { return };
    let limits = GpuLimits { max_buffer_bytes: 1 << 20, max_texture_px: 100, ..GpuLimits::of(&gpu.device) };
    let renderer = Renderer::with_limits(&gpu.device, &gpu.queue, 1, limits).unwrap();
    let n = 200_000;
    let positions = vec![Vec3::ZERO; n];
    let data = MeshData { positions: &positions, normals: &positions, texcoords: &[], indices: &[] };
    let error = Mesh::new(&renderer, data).err().expect("too big");
    let (what, needed, limit) = ("vertex positions (bytes)", 2_400_000, 1 << 20);
    assert_eq!(error, RenderError::ExceedsDeviceLimit { what, needed, limit });
    let message = error.to_string();
    assert!(message.contains("2400000") && message.contains("1048576"), "{message}");
    assert!(renderer.new_target([101, 5]).is_err());
    // The renderer still draws what fits.
    let mesh = quad(&renderer, 20.0, 0.0);
    let shot = picture(&renderer, [16, 16], &pixel_frame([16, 16], 1.0), &meshes(&[(&mesh, MeshMode::Clay)]));
    assert!(center(&shot)[0] > 100);
}

#[test]
fn a_triangle_past_the_vertices_is_refused() {
    let Some(renderer) = renderer() else { return };
    let error = quad_wound(&renderer, 1.0, 0.0, [0, 1, 2, 0, 2, 4]).err().unwrap();
    assert_eq!(error, RenderError::IndexOutOfRange { what: "triangle indices", index: 4, count: 4 });
}
