//! Draws a bent, weighted tube with bones, brush ring, wire, grid and backdrop into a PNG.
//!
//! `cargo run -p sinew_render --example preview -- preview.png [clay|weights] [samples]`

use glam::camera::rh::{proj::directx as proj, view};
use glam::{Quat, Vec2, Vec3};
use sinew_render::{
    Background, Bone, Cap, Color, Disc, DrawList, Frame, Grid, HeadlessDevice, Line, Mesh, MeshData, MeshDraw,
    MeshMode, MeshStyle, Renderer, Wire, WireDraw, readback, ring,
};

const SIZE: [u32; 2] = [1080, 640];
const PIXELS_PER_POINT: f32 = 1.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "preview.png".to_owned());
    let mode = match arguments.next().as_deref() {
        Some("clay") => MeshMode::Clay,
        _ => MeshMode::Weights,
    };
    let samples = arguments.next().map_or(Ok(4), |s| s.parse())?;

    let gpu = HeadlessDevice::new()?;
    let renderer = Renderer::new(&gpu.device, &gpu.queue, samples)?;
    let tube = Tube::bent();
    let mesh = Mesh::new(
        &renderer,
        MeshData {
            positions: &tube.positions,
            normals: &tube.normals,
            texcoords: &vec![Vec2::ZERO; tube.positions.len()],
            indices: &tube.indices,
        },
    )?;
    mesh.set_weights(&renderer, 0, &tube.weights)?;
    let wire = Wire::new(&renderer, mesh.n_vertices(), &tube.rings)?;

    let eye = Vec3::new(0.15, 0.75, 6.6);
    let look = Vec3::new(0.05, -0.2, 0.0);
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let frame = Frame::new(
        proj::perspective_infinite_reverse(36.0_f32.to_radians(), aspect, 0.05),
        view::look_at_mat4(eye, look, Vec3::Y).inverse(),
        PIXELS_PER_POINT,
    );

    let light = Color::hex(0xECEEF1);
    let teal = Color::hex(0x5EC8B5);
    let (shoulder, elbow, hand) = (Vec3::new(-2.15, 0.32, 0.0), Vec3::new(0.8, 0.3, 0.0), Vec3::new(0.8, -1.55, 0.0));
    let mut list = DrawList {
        background: Some(Background::default()),
        grid: Some(Grid::ground(Vec3::new(0.0, -2.0, 0.0), 1.0, 14.0)),
        meshes: vec![MeshDraw {
            mesh: &mesh,
            material: None,
            indices: None,
            style: MeshStyle { mode, n_contours: 4, ..Default::default() },
        }],
        wires: vec![WireDraw { mesh: &mesh, wire: &wire, color: Color::hex(0xFFFFFF).with_alpha(0.10) }],
        bones: vec![Bone::new(shoulder, elbow, light), Bone::new(elbow, hand, Color::hex(0x7BEBDD))],
        discs_on_top: vec![
            Disc::new(shoulder, 5.0, light),
            Disc::new(elbow, 5.5, teal).with_outline(1.2, Color::hex(0x1A1B1F).with_alpha(0.5)),
            Disc::new(hand, 5.0, light),
        ],
        ..Default::default()
    };
    for (radius, is_inner) in [(0.52, false), (0.26, true)] {
        let points = tube.ring_on_surface(Vec3::new(0.62, 0.45, 1.0), radius);
        if is_inner {
            ring::push_dashed_ring(&mut list.lines, &points, 1.2, Color::hex(0xFFFFFF).with_alpha(0.65));
        } else {
            ring::push_ring(&mut list.lines, &points, 1.8, Color::hex(0xFFFFFF));
        }
    }
    list.lines.push(
        Line::new(Vec3::new(-0.2, -2.0, 0.0), Vec3::new(0.2, -2.0, 0.0), 1.5, Color::hex(0xFF8F6B).with_alpha(0.6))
            .with_cap(Cap::Round),
    );

    let target = renderer.new_target(SIZE)?;
    renderer.draw_now(&target, &frame, &list)?;
    let picture = readback::read_picture(&gpu.device, &gpu.queue, &target)?;
    image::save_buffer(&path, &picture.rgba, picture.width, picture.height, image::ColorType::Rgba8)?;
    println!("{path}: {} ({:?})", gpu.info.name, gpu.info.device_type);
    Ok(())
}

/// A capsule along x, bent down at the elbow by linear blending.
struct Tube {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    weights: Vec<f32>,
    indices: Vec<u32>,
    rings: Vec<[u32; 2]>,
}

const N_ALONG: u32 = 120;
const N_AROUND: u32 = 64;

impl Tube {
    fn bent() -> Self {
        let (half_length, radius, elbow) = (2.4_f32, 0.55_f32, Vec3::new(0.8, 0.3, 0.0));
        let bend = Quat::from_rotation_z(-92.0_f32.to_radians());
        let mut tube = Self { positions: vec![], normals: vec![], weights: vec![], indices: vec![], rings: vec![] };
        for i in 0..=N_ALONG {
            let t = i as f32 / N_ALONG as f32 * 2.0 - 1.0;
            let x = t * half_length;
            let cap = ((x.abs() - (half_length - radius)) / radius).clamp(0.0, 1.0);
            let profile = radius * (1.0 - cap * cap).max(0.0).sqrt();
            let slope = if cap > 0.0 { cap * x.signum() } else { 0.0 };
            for j in 0..N_AROUND {
                let angle = j as f32 / N_AROUND as f32 * std::f32::consts::TAU;
                let around = Vec3::new(0.0, angle.cos(), angle.sin());
                let rest = Vec3::new(x, 0.3, 0.0) + around * profile;
                let rest_normal =
                    (around * (1.0 - slope * slope).max(0.0).sqrt() + Vec3::X * slope).normalize_or_zero();
                let weight = smooth((x - (elbow.x - 1.5)) / 1.75);
                let bent = elbow + bend * (rest - elbow);
                tube.positions.push(rest.lerp(bent, weight));
                tube.normals.push(rest_normal.lerp(bend * rest_normal, weight).normalize_or_zero());
                tube.weights.push(weight);
                let next = i * N_AROUND + (j + 1) % N_AROUND;
                let here = i * N_AROUND + j;
                if i < N_ALONG {
                    tube.indices.extend([here, next, here + N_AROUND, next, next + N_AROUND, here + N_AROUND]);
                }
                if i % 12 == 6 {
                    tube.rings.push([here, next]);
                }
            }
        }
        tube
    }

    /// Points of a circle around `center`, dropped along −z onto the surface.
    fn ring_on_surface(&self, center: Vec3, radius: f32) -> Vec<Vec3> {
        (0..96)
            .map(|k| {
                let angle = k as f32 / 96.0 * std::f32::consts::TAU;
                let at = center.truncate() + Vec2::from_angle(angle) * radius;
                let near = self.positions.iter().filter(|p| p.z > -0.05);
                let nearest = near.min_by(|a, b| {
                    let distance = |p: &Vec3| p.truncate().distance_squared(at);
                    distance(a).total_cmp(&distance(b))
                });
                nearest.map_or(center, |p| at.extend(p.z))
            })
            .collect()
    }
}

fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
