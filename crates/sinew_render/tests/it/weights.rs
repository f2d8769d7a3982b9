//! How weights are shown: ramps, zero, opacity, contours, dots. Checked by numbers.

use sinew_render::color::{linear_from_srgb, luminance};
use sinew_render::{
    Color, DotSpread, DrawList, Material, MaterialData, MeshDraw, MeshMode, MeshStyle, Ramp, Renderer, VertexDots,
};

use crate::gpu::{picture, pixel_frame, quad, renderer};

const SIZE: [u32; 2] = [48, 48];

fn weights() -> MeshStyle {
    MeshStyle { mode: MeshMode::Weights, ..MeshStyle::default() }
}

/// The middle of a square of one weight.
fn pixel(renderer: &Renderer, weight: f32, style: MeshStyle, material: Option<&Material>) -> [u8; 4] {
    let mesh = quad(renderer, 30.0, 0.0);
    mesh.set_weights(renderer, 0, &[weight; 4]).expect("four weights fit");
    let meshes = vec![MeshDraw { mesh: &mesh, material, indices: None, style }];
    let list = DrawList { meshes, ..DrawList::default() };
    picture(renderer, SIZE, &pixel_frame(SIZE, 1.0), &list).pixel(24, 24).expect("the middle is inside")
}

fn light(pixel: [u8; 4]) -> f32 {
    luminance([0, 1, 2].map(|c| linear_from_srgb(f32::from(pixel[c]) / 255.0)))
}

/// Hue and saturation without brightness.
fn chroma(color: [f32; 3]) -> [f32; 3] {
    let sum: f32 = color.iter().sum();
    color.map(|c| c / sum)
}

#[test]
fn every_ramp_is_drawn_as_the_legend_has_it_and_the_perceptual_ones_rise() {
    // Pain 22, B65
    let Some(renderer) = renderer() else { return };
    let custom = Ramp::Custom([Color::hex(0x10_2040), Color::hex(0xC0_4060), Color::hex(0xF0_F0C0)]);
    for ramp in [Ramp::Tide, Ramp::Ember, Ramp::Grey, custom] {
        let mut last = 0.0;
        for weight in [0.02, 0.2, 0.4, 0.6, 0.8, 0.99] {
            let drawn = pixel(&renderer, weight, MeshStyle { ramp, ..weights() }, None);
            let drawn_chroma = chroma([0, 1, 2].map(|c| linear_from_srgb(f32::from(drawn[c]) / 255.0)));
            let legend = chroma(ramp.color(weight));
            let apart = (0..3).map(|c| (drawn_chroma[c] - legend[c]).abs()).fold(0.0, f32::max);
            assert!(apart < 0.035, "{ramp:?} at {weight}: {drawn_chroma:?} for {legend:?}");
            assert!(light(drawn) > last, "{ramp:?} at {weight}");
            last = light(drawn);
        }
    }
}

#[test]
fn zero_is_clay_or_marked_dark_and_never_looks_like_a_small_weight() {
    let Some(renderer) = renderer() else { return };
    let clay = pixel(&renderer, 0.0, weights(), None);
    let marked = pixel(&renderer, 0.0, MeshStyle { marks_zero: true, ..weights() }, None);
    assert!(light(marked) < light(clay) * 0.25, "{marked:?} {clay:?}");
    let small = pixel(&renderer, 0.002, MeshStyle { marks_zero: true, ..weights() }, None);
    assert!(light(small) > light(marked) * 1.2, "{small:?} {marked:?}");
    let plain_small = pixel(&renderer, 0.002, weights(), None);
    assert_eq!(small, plain_small, "the mark is on zero alone");
}

#[test]
fn opacity_lets_clay_or_the_texture_through() {
    let Some(renderer) = renderer() else { return };
    let red =
        Material::new(&renderer, MaterialData { base_color: [0.8, 0.02, 0.02, 1.0].into(), ..Default::default() });
    let red = red.unwrap();
    let full = pixel(&renderer, 0.5, weights(), Some(&red));
    let clay = pixel(&renderer, 0.5, MeshStyle { opacity: 0.0, ..weights() }, Some(&red));
    assert_eq!(clay, pixel(&renderer, 0.0, weights(), None));
    let under = MeshStyle { opacity: 0.0, is_textured_under: true, ..weights() };
    let textured = pixel(&renderer, 0.5, under, Some(&red));
    assert_eq!(textured, pixel(&renderer, 0.5, MeshStyle { mode: MeshMode::Textured, ..weights() }, Some(&red)));
    let half = pixel(&renderer, 0.5, MeshStyle { opacity: 0.5, ..under }, Some(&red));
    for c in 0..3 {
        let (low, high) = (full[c].min(textured[c]), full[c].max(textured[c]));
        assert!((low..=high).contains(&half[c]), "{c}: {half:?} between {full:?} and {textured:?}");
    }
    assert_ne!(half, full);
    assert_eq!(full, pixel(&renderer, 0.5, MeshStyle { is_textured_under: true, ..weights() }, Some(&red)));
}

#[test]
fn contours_are_seen_on_dark_and_on_light() {
    let Some(renderer) = renderer() else { return };
    for (from, to, is_on_light) in [(0.05, 0.45, false), (0.55, 0.95, true)] {
        let row = |n_contours| {
            let mesh = quad(&renderer, 24.0, 0.0);
            mesh.set_weights(&renderer, 0, &[from, to, to, from]).unwrap();
            let style = MeshStyle { n_contours, ramp: Ramp::Grey, ..weights() };
            let meshes = vec![MeshDraw { mesh: &mesh, material: None, indices: None, style }];
            let list = DrawList { meshes, ..DrawList::default() };
            let shot = picture(&renderer, SIZE, &pixel_frame(SIZE, 1.0), &list);
            (2..46).map(|x| light(shot.pixel(x, 24).unwrap())).collect::<Vec<f32>>()
        };
        let (plain, lined) = (row(0), row(4));
        let most = plain.iter().zip(&lined).max_by(|a, b| (a.0 - a.1).abs().total_cmp(&(b.0 - b.1).abs())).unwrap();
        assert!((most.1 - most.0).abs() > 0.05, "{most:?}");
        assert_eq!(most.1 < most.0, is_on_light, "{most:?}");
    }
}

#[test]
fn dots_have_their_weights_colour_and_size_and_hide_behind_surfaces() {
    // Pain 22
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 12.0, 0.0);
    mesh.set_weights(&renderer, 0, &[0.9, 0.9, 0.9, 0.0]).unwrap();
    let wall = quad(&renderer, 40.0, 20.0);
    let shot = |radius_points, is_walled| {
        let mut meshes = vec![MeshDraw { mesh: &mesh, material: None, indices: None, style: MeshStyle::default() }];
        if is_walled {
            meshes.push(MeshDraw { mesh: &wall, material: None, indices: None, style: MeshStyle::default() });
        }
        let spread = DotSpread::new(&renderer, &mesh, &[1e3; 4]).unwrap();
        let dots = VertexDots { mesh: &mesh, spread: &spread, n_vertices: 4, radius_points, ramp: Ramp::Tide };
        let list = DrawList { meshes, vertex_dots: vec![dots], ..DrawList::default() };
        picture(&renderer, SIZE, &pixel_frame(SIZE, 1.0), &list)
    };
    let open = shot(4.0, false);
    // The corner at (12, -12) is vertex 1.
    let at = |p: &sinew_render::readback::Picture, x, y| p.pixel(x, y).unwrap();
    let expected = Ramp::Tide.color_srgb(0.9);
    let dot = at(&open, 36, 36);
    assert!((0..3).all(|c| dot[c].abs_diff(expected[c]) <= 3), "{dot:?} {expected:?}");
    // Beyond the radius but within a larger one.
    assert!(light(at(&open, 36 + 6, 36)) < 0.05);
    let large = shot(7.0, false);
    let far = at(&large, 36 + 6, 36);
    assert!((0..3).all(|c| far[c].abs_diff(expected[c]) <= 3), "{far:?}");
    // No weight: small and grey, darker than any clay and any weight it could be taken for.
    assert!((0.1..0.2).contains(&light(at(&open, 12, 12))), "{:?}", at(&open, 12, 12));
    assert!(light(at(&open, 12 - 3, 12)) < 0.05, "half as large");
    let hidden = shot(4.0, true);
    assert_eq!(at(&hidden, 36, 36), at(&hidden, 24, 24), "behind the wall");
}

#[test]
fn dots_that_there_is_no_room_for_are_left_out() {
    // Pain 22
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 12.0, 0.0);
    mesh.set_weights(&renderer, 0, &[0.9; 4]).unwrap();
    // Two stand alone at 20 units, the other two at 5; a unit is a pixel.
    let spread = DotSpread::new(&renderer, &mesh, &[20.0, 20.0, 5.0, 5.0]).unwrap();
    let corners = [(12, 36), (36, 36), (36, 12), (12, 12)];
    let lit = |radius_points| {
        let dots = VertexDots { mesh: &mesh, spread: &spread, n_vertices: 4, radius_points, ramp: Ramp::Grey };
        let list = DrawList { vertex_dots: vec![dots], ..DrawList::default() };
        let shot = picture(&renderer, SIZE, &pixel_frame(SIZE, 1.0), &list);
        corners.map(|(x, y)| light(shot.pixel(x, y).unwrap()) > 0.3)
    };
    assert_eq!(lit(1.0), [true; 4]);
    assert_eq!(lit(3.0).into_iter().filter(|is_lit| *is_lit).count(), 2, "{:?}", lit(3.0));
    assert_eq!(lit(8.0), [false; 4]);
    let too_few = DotSpread::new(&renderer, &mesh, &[1.0; 3]);
    assert!(too_few.is_err());
}

#[test]
fn marks_are_stripes_over_the_weights_and_masks_shade() {
    // Pain 22, B65
    let Some(renderer) = renderer() else { return };
    let row = |tint: Color, has_stripes| {
        let mesh = quad(&renderer, 24.0, 0.0);
        mesh.set_weights(&renderer, 0, &[1.0; 4]).unwrap();
        mesh.set_tints(&renderer, 0, &[tint; 4]).unwrap();
        let style = MeshStyle { has_stripes, ..weights() };
        let meshes = vec![MeshDraw { mesh: &mesh, material: None, indices: None, style }];
        let shot = picture(&renderer, SIZE, &pixel_frame(SIZE, 1.0), &DrawList { meshes, ..DrawList::default() });
        (8..40).map(|x| light(shot.pixel(x, 24).unwrap())).collect::<Vec<f32>>()
    };
    let range = |row: &[f32]| row.iter().fold([f32::MAX, 0.0], |[low, high], &x| [x.min(low), x.max(high)]);
    // A mark of the very colour that a high weight has is still seen.
    let coral = Color([0xFF, 0x8F, 0x6B, 0xE0]);
    let [low, high] = range(&row(coral, true));
    assert!(high - low > 0.08, "stripes: {low} to {high}");
    let [low, high] = range(&row(coral, false));
    assert!(high - low < 0.02, "whole where it is asked for: {low} to {high}");
    let [low, high] = range(&row(Color([0x17, 0x19, 0x1E, 0xC4]), true));
    assert!(high - low < 0.02 && high < 0.35, "a mask shades evenly: {low} to {high}");
}
