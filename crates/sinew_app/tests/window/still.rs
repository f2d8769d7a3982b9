//! Pictures without a window.

use sinew_app::files::OpenFile;
use sinew_app::viewport::camera::NamedView;
use sinew_app::viewport::options::{Show, ViewOptions};
use sinew_app::viewport::still::{StillOptions, render};
use sinew_render::HeadlessDevice;

use super::driver::arm;

#[test]
fn a_still_shows_the_posed_model_with_its_weights_whoever_poses() {
    let gpu = HeadlessDevice::new().unwrap();
    let mut file = OpenFile::open(&arm()).unwrap();
    let elbow = file.editor.document().joints()[1];
    file.editor.session.active_joint = Some(elbow);
    file.editor.session.pose.set_turn_deg(elbow, glam::Vec3::new(0.0, 0.0, 90.0));
    let view = ViewOptions { show: Show::Weights, joints: false, ..ViewOptions::default() };
    let options = StillOptions { size_px: [320, 240], view, ..StillOptions::default() };
    let images = file.images.clone();
    let cpu = render(&gpu, &mut file.editor, &images, &options).unwrap();
    let on_gpu = render(&gpu, &mut file.editor, &images, &StillOptions { skin_on_gpu: true, ..options }).unwrap();
    let is_yellow = |p: &[u8]| p[0] > 150 && p[1] > 140 && p[2] < 120;
    let n_yellow = cpu.rgba.chunks(4).filter(|p| is_yellow(p)).count();
    assert!(n_yellow > 1500, "the bent half has full weight: {n_yellow} yellow pixels");
    let columns = |picture: &sinew_render::readback::Picture| -> Vec<u32> {
        let is_seen = |x: u32| (0..picture.height).any(|y| picture.pixel(x, y).is_some_and(|p| is_yellow(&p)));
        (0..picture.width).filter(|&x| is_seen(x)).collect()
    };
    let (first, last) = (columns(&cpu)[0], *columns(&cpu).last().unwrap());
    assert!(last - first > 60, "bent by 90 degrees it lies across the picture: {first} to {last}");
    let n_different = cpu.rgba.iter().zip(&on_gpu.rgba).filter(|(a, b)| a.abs_diff(**b) > 8).count();
    assert!(n_different < cpu.rgba.len() / 500, "{n_different} bytes differ");
    let side = StillOptions { yaw_pitch_deg: NamedView::Side.yaw_pitch_deg(), ..options };
    assert_ne!(render(&gpu, &mut file.editor, &images, &side).unwrap(), cpu);
}
