//! Who deforms, and devices that are too small.

use glam::Vec3;
use sinew_app::viewport::gpu::GpuOptions;
use sinew_app::viewport::scene::read_positions;
use sinew_deform::DEFORMERS;
use sinew_render::GpuLimits;
use sinew_tests::{chain, grid};

use super::driver::{Setup, Window, arm};

fn write(folder: &tempfile::TempDir, scene: &sinew_tests::Scene) -> std::path::PathBuf {
    let path = folder.path().join("scene.glb");
    std::fs::write(&path, scene.glb()).unwrap();
    path
}

#[test]
fn the_gpu_poses_like_the_cpu() {
    let gpu = GpuOptions { skin_on_gpu: Some(true), refine: false, ..GpuOptions::default() };
    let mut window = Window::new(Setup { path: Some(arm()), gpu, ..Setup::default() });
    assert!(window.app().viewport().scene().unwrap().skins_on_gpu());
    let elbow = window.editor().document().joints()[1];
    let size = window.editor_mut().bounds().diagonal();
    for deformer in DEFORMERS {
        window.editor_mut().session.deformer = *deformer;
        for turn in [Vec3::ZERO, Vec3::new(90.0, 0.0, 0.0), Vec3::new(0.0, 170.0, 35.0)] {
            window.editor_mut().session.pose.set_turn_deg(elbow, turn);
            window.harness.run();
            let expected = window.editor_mut().posed(0).posed.positions.clone();
            let viewport = window.app().viewport();
            let found = read_positions(viewport.gpu().renderer(), viewport.scene().unwrap().mesh(0)).unwrap();
            let worst = expected.iter().zip(&found).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(worst <= 1e-5 * size, "{} turned {turn}: {worst} of {size}", deformer.name());
            assert!(turn == Vec3::ZERO || expected.iter().any(|p| p.x.abs() > 0.3 || p.z.abs() > 0.3));
        }
    }
}

#[test]
fn thousands_of_joints_follow_their_pose_whoever_deforms() {
    // B68
    for (n_joints, on_gpu) in [(300, true), (5000, true), (5000, false)] {
        let folder = tempfile::tempdir().unwrap();
        let path = write(&folder, &chain(n_joints));
        let gpu = GpuOptions { skin_on_gpu: Some(on_gpu), refine: false, ..GpuOptions::default() };
        let mut window = Window::new(Setup { path: Some(path), gpu, ..Setup::default() });
        let last = *window.editor().document().joints().last().unwrap();
        let read = |window: &Window| {
            let viewport = window.app().viewport();
            read_positions(viewport.gpu().renderer(), viewport.scene().unwrap().mesh(0)).unwrap()
        };
        let rest = read(&window);
        window.editor_mut().session.pose.set_turn_deg(last, Vec3::new(0.0, 0.0, 90.0));
        window.harness.run();
        assert_ne!(read(&window), rest, "{n_joints} joints, on the GPU: {on_gpu}");
        let size = window.editor_mut().bounds().diagonal();
        let expected = window.editor_mut().posed(0).posed.positions.clone();
        let worst = expected.iter().zip(&read(&window)).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(worst <= 1e-5 * size, "{n_joints} joints: {worst} of {size}");
    }
}

#[test]
fn a_device_that_is_too_small_is_explained_with_numbers_and_the_window_lives() {
    // B68
    let folder = tempfile::tempdir().unwrap();
    let path = write(&folder, &grid(200_000, 4, 1));
    let limits = GpuLimits {
        max_buffer_bytes: 1 << 20,
        max_storage_binding_bytes: 1 << 20,
        max_texture_px: 8192,
        max_workgroups_per_axis: 65_535,
        max_storage_buffers_per_stage: 8,
    };
    let gpu = GpuOptions { limits: Some(limits), refine: false, ..GpuOptions::default() };
    let mut window = Window::new(Setup { path: Some(path), gpu, ..Setup::default() });
    let problem = window.app().viewport().problem().unwrap().to_owned();
    assert!(problem.contains("1048576"), "{problem}");
    window.click_label("DQS");
    assert_eq!(window.editor().session.deformer.name(), "dqs");
}
