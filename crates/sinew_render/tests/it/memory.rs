//! Memory over many pictures: a window is open for a day.

use glam::Vec3;
use sinew_render::{
    Background, Bone, Color, Disc, DotSpread, DrawList, Grid, Line, MeshDraw, MeshMode, MeshStyle, Ramp, VertexDots,
    Wire, WireDraw,
};

use crate::gpu::{pixel_frame, quad, renderer};

const SIZE: [u32; 2] = [64, 64];
/// Pictures after which caches are full.
const N_FIRST: usize = 60;
const N_MORE: usize = 200;
/// A shader that is compiled anew for every draw takes a hundred times as much.
const MAX_GROWTH: u64 = 8 << 20;

/// Memory of this process that is no file's, bytes; where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}

#[test]
fn pictures_do_not_pile_up_in_memory() {
    let Some(renderer) = renderer() else { return };
    let mesh = quad(&renderer, 20.0, 0.0);
    let wire = Wire::new(&renderer, 4, &[[0, 2]]).expect("a small wire");
    let spread = DotSpread::new(&renderer, &mesh, &[1e3; 4]).expect("as many as vertices");
    let modes = [MeshMode::Clay, MeshMode::Weights, MeshMode::Textured];
    let style = |mode| MeshStyle { mode, n_contours: 10, ..Default::default() };
    let white = Color::hex(0xFFFFFF);
    let line = Line::new(Vec3::ZERO, Vec3::X * 9.0, 2.0, white);
    let disc = Disc::new(Vec3::ZERO, 3.0, white).with_outline(1.0, white);
    let bone = Bone::new(Vec3::ZERO, Vec3::X * 9.0, white);
    let grid =
        Grid { center: Vec3::ZERO, u: Vec3::X, v: Vec3::Y, cell: 4.0, radius: 30.0, width_points: 1.0, color: white };
    let list = DrawList {
        background: Some(Background::default()),
        meshes: modes.map(|mode| MeshDraw { mesh: &mesh, material: None, indices: None, style: style(mode) }).into(),
        grid: Some(grid),
        wires: vec![WireDraw { mesh: &mesh, wire: &wire, color: white }],
        vertex_dots: vec![VertexDots {
            mesh: &mesh,
            spread: &spread,
            n_vertices: 4,
            radius_points: 2.0,
            ramp: Ramp::Tide,
        }],
        lines: vec![line],
        discs: vec![disc],
        bones: vec![bone],
        lines_on_top: vec![line],
        discs_on_top: vec![disc],
    };
    let target = renderer.new_target(SIZE).expect("a small target");
    let draw = |n: usize| {
        for _ in 0..n {
            renderer.draw_now(&target, &pixel_frame(SIZE, 1.0), &list).expect("the list can be drawn");
            renderer.device().poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
        }
        resident()
    };
    let (Some(before), Some(after)) = (draw(N_FIRST), draw(N_MORE)) else {
        println!("skipped: this system does not tell how much memory a process has");
        return;
    };
    let growth = after.saturating_sub(before);
    assert!(growth < MAX_GROWTH, "{} KiB more after {N_MORE} pictures", growth / 1024);
}
