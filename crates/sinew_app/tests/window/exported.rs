//! Editing | As exported: the switch, the map of the difference, painting under it; and how weights look.

use egui::Key;
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::files::OpenFile;
use sinew_app::stored_as::stored_as;
use sinew_app::viewport::options::{Show, ViewOptions};
use sinew_app::viewport::still::{StillOptions, render};
use sinew_edit::WeightType;
use sinew_render::color::{linear_from_srgb, luminance};
use sinew_render::{HeadlessDevice, MeshStyle};
use sinew_tests::{Scene, WeightsType, strip, tube};

use super::driver::{NONE, Setup, Window};

/// A tube with six joints on every vertex of its middle, in bytes.
fn six_joints() -> Scene {
    let mut scene = tube(12, 16);
    for k in 2..6 {
        scene.add_joint(1, &format!("J{k}"), Vec3::Y * 0.1);
    }
    scene.primitive().weights_type = WeightsType::U8;
    let n = scene.rows().len();
    for row in &mut scene.rows()[n / 3..2 * n / 3] {
        *row = [(0, 76), (1, 64), (2, 51), (3, 38), (4, 16), (5, 10)].map(|(j, w)| (j, w as f32 / 255.0)).to_vec();
    }
    scene
}

fn opened(scene: &Scene) -> OpenFile {
    OpenFile::new(sinew_io::import(scene.glb(), &sinew_io::MapResolver::default()).unwrap())
}

fn window_on(scene: &Scene) -> (Window, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("six.glb");
    std::fs::write(&path, scene.glb()).unwrap();
    let size = egui::vec2(1440.0, 900.0);
    (Window::new(Setup { path: Some(path), size, ..Setup::default() }), folder)
}

#[test]
fn the_switch_its_key_and_its_menu_show_the_model_as_exported() {
    let (mut window, _folder) = window_on(&six_joints());
    assert!(window.harness.query_by_label("Export profile").is_none());
    assert!(window.harness.query_by_label("Difference").is_none());
    window.click_label("As exported");
    assert!(window.editor().session.as_exported);
    window.click_label("Export profile");
    assert!(window.harness.query_by_label("As the file: 8 influences, u8").is_some(), "what the file has is said");
    window.click_label("4 × u8");
    assert_eq!(window.editor().session.export.name, "4xu8");
    window.click_label("Difference");
    assert_eq!(window.app().viewport().options.show, Show::Difference);
    window.click_label("Editing");
    assert!(!window.editor().session.as_exported);
    assert!(window.harness.query_by_label("Difference").is_none(), "there is nothing to compare with");
    window.key(Key::V, NONE);
    assert_eq!(window.editor().session.view_as().map(|profile| profile.name), Some("4xu8"), "the last one is kept");
    window.key(Key::V, NONE);
    assert!(!window.editor().session.as_exported);
}

#[test]
fn the_legend_names_the_largest_difference_and_a_click_goes_there() {
    let (mut window, _folder) = window_on(&six_joints());
    window.editor_mut().run("pose turns=J1:0,0,60;J4:0,50,0;J5:0,0,70").unwrap();
    window.editor_mut().run("view_as profile=4xu8").unwrap();
    window.harness.run();
    window.click_label("Difference");
    let difference = window.editor_mut().difference().unwrap();
    let (instance, vertex) = difference.worst.unwrap();
    let place = window.editor_mut().exported(instance).unwrap().posed.positions[vertex.idx()];
    let far = window.app().viewport().camera.distance;
    let weights = window.weights();
    let button = window.harness.get_by_label_contains("Largest");
    button.click();
    window.harness.run();
    let viewport = window.app().viewport();
    assert!(viewport.camera.distance < 0.5 * far, "closer: {} of {far}", viewport.camera.distance);
    let pos = window.pos(place);
    assert!(pos.distance(window.center()) < 40.0, "the vertex is in the middle, at {pos:?}");
    assert_eq!(window.weights(), weights, "a click on the legend does not paint");
}

#[test]
fn painting_goes_on_as_exported_and_the_picture_follows() {
    let (mut edited, _one) = window_on(&six_joints());
    let (mut exported, _other) = window_on(&six_joints());
    for window in [&mut edited, &mut exported] {
        window.editor_mut().run("joint name=J3").unwrap();
        window.harness.run();
    }
    exported.editor_mut().run("view_as profile=8xu8").unwrap();
    exported.harness.run();
    let version = exported.editor_mut().exported(0).unwrap().version;
    let n_pictures = exported.app().viewport().n_pictures();
    let center = edited.center();
    for window in [&mut edited, &mut exported] {
        window.stroke(center, center + egui::vec2(30.0, 20.0), NONE);
        assert!(window.editor().history().can_undo());
    }
    assert_eq!(edited.weights(), exported.weights(), "the surface as edited is painted");
    assert!(exported.editor_mut().exported(0).unwrap().version > version);
    assert!(exported.app().viewport().n_pictures() > n_pictures);
}

#[test]
fn processor_and_graphics_card_pose_the_same_as_exported() {
    let gpu = HeadlessDevice::new().unwrap();
    let mut scene = six_joints();
    // Undivided, and nothing at all: half a weight goes half the way to the origin.
    scene.rows()[5] = vec![(0, 0.5)];
    scene.rows()[90] = Vec::new();
    let mut file = opened(&scene);
    file.editor.run("pose turns=J1:0,0,60;J5:0,0,70").unwrap();
    let view = ViewOptions { show: Show::Clay, joints: false, ..ViewOptions::default() };
    let options = StillOptions { size_px: [240, 180], view, ..StillOptions::default() };
    let edited = render(&gpu, &mut file.editor, &[], &options).unwrap();
    file.editor.run("view_as profile=4xu8").unwrap();
    let cpu = render(&gpu, &mut file.editor, &[], &options).unwrap();
    assert_ne!(cpu, edited);
    let on_gpu = render(&gpu, &mut file.editor, &[], &StillOptions { skin_on_gpu: true, ..options }).unwrap();
    let n_different = cpu.rgba.iter().zip(&on_gpu.rgba).filter(|(a, b)| a.abs_diff(**b) > 8).count();
    assert!(n_different < cpu.rgba.len() / 300, "{n_different} bytes differ");
    let view = ViewOptions { show: Show::Difference, ..view };
    let map = render(&gpu, &mut file.editor, &[], &StillOptions { view, ..options }).unwrap();
    assert_ne!(map, cpu, "the difference is drawn over clay");
}

#[test]
fn stored_numbers_are_read_from_the_file() {
    for (weights_type, weights) in
        [(WeightsType::U8, WeightType::U8), (WeightsType::U16, WeightType::U16), (WeightsType::F32, WeightType::F32)]
    {
        let mut scene = strip();
        scene.primitive().weights_type = weights_type;
        let imported = sinew_io::import(scene.glb(), &sinew_io::MapResolver::default()).unwrap();
        let stored = stored_as(&imported.source);
        assert_eq!((stored[0][0].n_sets, stored[0][0].weights), (1, weights));
    }
}

#[test]
fn no_weight_at_all_looks_unlike_weight_0_and_both_unlike_the_ramp() {
    // B65
    let gpu = HeadlessDevice::new().unwrap();
    let middle = |row: &[(u16, f32)]| {
        let mut scene = strip();
        scene.rows().iter_mut().for_each(|other| *other = row.to_vec());
        let mut file = opened(&scene);
        file.editor.session.active_joint = Some(file.editor.document().joints()[1]);
        let view = ViewOptions { show: Show::Weights, joints: false, ..ViewOptions::default() };
        let options = StillOptions { size_px: [64, 64], view, ..StillOptions::default() };
        let picture = render(&gpu, &mut file.editor, &[], &options).unwrap();
        let [r, g, b, _] = picture.pixel(32, 32).unwrap();
        luminance([r, g, b].map(|c| linear_from_srgb(f32::from(c) / 255.0)))
    };
    let (zero, none) = (middle(&[(0, 1.0)]), middle(&[]));
    assert!((zero - none).abs() > 0.15 * zero.max(none), "luminance of weight 0 {zero}, of no weight {none}");
    let ramp =
        [1e-4, 0.25, 0.5, 0.75, 1.0].map(|w| if w < 1.0 { middle(&[(0, 1.0 - w), (1, w)]) } else { middle(&[(1, w)]) });
    assert!(ramp.is_sorted_by(|a, b| a < b), "luminance rises strictly with weight: {ramp:?}");
    let clay = MeshStyle::default().clay.to_linear();
    assert!(luminance([clay[0], clay[1], clay[2]]) > 0.25);
    assert!((zero - ramp[0]).abs() > 0.15, "the smallest weight is told from 0: {zero}, {}", ramp[0]);
}
