//! Poses by the GPU against a plain double-precision reference.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4, EulerRot, Vec3, Vec4};
use sinew_render::readback::read_buffer;
use sinew_render::{
    GpuLimits, Influence, Mesh, MeshData, PaletteJoint, RenderError, Renderer, SkinMethod, SkinnedMesh, SkinnedMeshData,
};

use crate::gpu::{device, renderer};

/// A joint as a rotation after a symmetric stretch: its polar decomposition is known from the start.
#[derive(Clone, Copy)]
struct Joint {
    rotation: DQuat,
    stretch: DMat3,
    translation: DVec3,
}

impl Joint {
    fn matrix(&self) -> DMat4 {
        DMat4::from_translation(self.translation) * DMat4::from_mat3(DMat3::from_quat(self.rotation) * self.stretch)
    }

    fn gpu(&self) -> PaletteJoint {
        let (m, s) = (self.matrix(), self.stretch);
        PaletteJoint {
            rows: [0, 1, 2].map(|r| m.row(r).as_vec4()),
            rotation: DVec4::from(self.rotation).as_vec4(),
            stretch: [
                Vec4::new(s.x_axis.x as f32, s.y_axis.y as f32, s.z_axis.z as f32, 0.0),
                Vec4::new(s.y_axis.x as f32, s.z_axis.x as f32, s.z_axis.y as f32, 0.0),
            ],
        }
    }
}

struct Strip {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    influences: Vec<Influence>,
    joints: Vec<Joint>,
    n_per_vertex: usize,
}

/// A strip of vertices along x over a chain of joints, each turned a little more, some stretched, some mirrored.
fn strip(n_vertices: usize, n_joints: usize, is_stretched: bool) -> Strip {
    let n_per_vertex = 4;
    let mut strip = Strip { positions: vec![], normals: vec![], influences: vec![], joints: vec![], n_per_vertex };
    for j in 0..n_joints {
        let angle = j as f64 * 0.37;
        let around = DMat3::from_rotation_y(0.3 + j as f64);
        let scale = DVec3::new(1.3, 0.8 + 0.1 * (j % 3) as f64, 1.0) * if j % 7 == 3 { -1.0 } else { 1.0 };
        let stretch = around * DMat3::from_diagonal(scale) * around.transpose();
        strip.joints.push(Joint {
            rotation: DQuat::from_euler(EulerRot::XYZ, angle.sin(), 0.4 * angle.cos(), 0.7 * (2.0 * angle).sin()),
            stretch: if is_stretched { stretch } else { DMat3::IDENTITY },
            translation: DVec3::new(0.2 * angle.cos(), 0.1 * angle, -0.3),
        });
    }
    for v in 0..n_vertices {
        let t = v as f32 / n_vertices as f32;
        strip.positions.push(Vec3::new(10.0 * t, (v % 5) as f32 * 0.2 - 0.4, 0.1));
        strip.normals.push(Vec3::new(0.2, (v as f32).sin(), (v as f32).cos()).normalize_or_zero());
        let first = (t * n_joints as f32) as usize;
        let weights = [0.4, 0.4, 0.15, 0.05];
        for (i, weight) in weights.into_iter().enumerate() {
            // Slots in falling order: a tie must go to the lower joint, not to the first slot.
            let joint = ((first + 3 - i) % n_joints) as u32;
            strip.influences.push(Influence { joint, weight });
        }
    }
    strip
}

impl Strip {
    fn row(&self, vertex: usize) -> Vec<(Joint, f64, u32)> {
        self.influences[vertex * self.n_per_vertex..(vertex + 1) * self.n_per_vertex]
            .iter()
            .filter(|i| i.weight != 0.0 && (i.joint as usize) < self.joints.len())
            .map(|i| (self.joints[i.joint as usize], f64::from(i.weight), i.joint))
            .collect()
    }

    fn reference(&self, vertex: usize, method: SkinMethod) -> (DVec3, DVec3) {
        let (p, n) = (self.positions[vertex].as_dvec3(), self.normals[vertex].as_dvec3());
        let row = self.row(vertex);
        match method {
            SkinMethod::Linear => {
                let blended = row.iter().fold(DMat4::ZERO, |sum, (joint, w, _)| sum + joint.matrix() * *w);
                let linear = DMat3::from_mat4(blended);
                (blended.transform_point3(p), normal(linear, n))
            }
            SkinMethod::DualQuaternion => {
                let main = row.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.2.cmp(&a.2))).expect("a row").0;
                let (mut real, mut dual, mut stretch) = (DVec4::ZERO, DVec4::ZERO, DMat3::ZERO);
                for (joint, w, _) in &row {
                    let q = joint.rotation;
                    let sign = if q.dot(main.rotation) < 0.0 { -1.0 } else { 1.0 };
                    // The rigid motion with this rotation that takes p where the matrix takes it.
                    let t = joint.matrix().transform_point3(p) - q * p;
                    real += DVec4::from(q) * *w * sign;
                    dual += DVec4::from(DQuat::from_xyzw(t.x, t.y, t.z, 0.0).mul_quat(q)) * (0.5 * w * sign);
                    stretch += joint.stretch * *w;
                }
                let length = real.length();
                let (q, d) = (DQuat::from_vec4(real / length), DQuat::from_vec4(dual / length));
                let t = d.mul_quat(q.conjugate());
                (q * p + 2.0 * DVec3::new(t.x, t.y, t.z), q * normal(stretch, n))
            }
        }
    }

    fn diagonal(&self, method: SkinMethod) -> f64 {
        let posed: Vec<DVec3> = (0..self.positions.len()).map(|v| self.reference(v, method).0).collect();
        let low = posed.iter().fold(DVec3::INFINITY, |a, b| a.min(*b));
        let high = posed.iter().fold(DVec3::NEG_INFINITY, |a, b| a.max(*b));
        low.distance(high)
    }
}

fn normal(linear: DMat3, n: DVec3) -> DVec3 {
    (linear.inverse().transpose() * n).normalize_or_zero()
}

fn pose(renderer: &Renderer, strip: &Strip, method: SkinMethod) -> (Vec<Vec3>, Vec<Vec3>) {
    let data = SkinnedMeshData {
        rest_positions: &strip.positions,
        rest_normals: &strip.normals,
        influences: &strip.influences,
        n_per_vertex: strip.n_per_vertex as u32,
    };
    let mut skinned = SkinnedMesh::new(renderer, data).expect("the strip fits");
    let blank = vec![Vec3::ZERO; strip.positions.len()];
    let mesh = Mesh::new(renderer, MeshData { positions: &blank, normals: &blank, texcoords: &[], indices: &[] })
        .expect("the strip fits");
    let palette: Vec<PaletteJoint> = strip.joints.iter().map(Joint::gpu).collect();
    skinned.set_palette(renderer, &palette).expect("the palette fits");
    let mut encoder = renderer.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    skinned.pose(renderer, &mut encoder, &mesh, method).expect("as many vertices");
    renderer.queue().submit([encoder.finish()]);
    let read = |buffer| {
        let bytes = read_buffer(renderer.device(), renderer.queue(), buffer).expect("the buffer can be read");
        bytemuck::pod_collect_to_vec::<u8, Vec3>(&bytes)
    };
    (read(mesh.positions()), read(mesh.normals()))
}

#[track_caller]
fn check(renderer: &Renderer, strip: &Strip, method: SkinMethod) {
    let (positions, normals) = pose(renderer, strip, method);
    let diagonal = strip.diagonal(method);
    for v in 0..strip.positions.len() {
        let (position, normal) = strip.reference(v, method);
        let error = positions[v].as_dvec3().distance(position) / diagonal;
        assert!(error <= 1e-5, "{method:?}, vertex {v}: {} for {position}, off by {error} diagonals", positions[v]);
        let turned = normals[v].as_dvec3().distance(normal);
        assert!(turned < 2e-4, "{method:?}, vertex {v}: normal {} for {normal}", normals[v]);
    }
}

// B68
#[test]
fn any_number_of_joints_poses_as_the_reference_does() {
    let Some(renderer) = renderer() else { return };
    for n_joints in [1, 2, 300, 1_484, 5_000] {
        for method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
            check(&renderer, &strip(6_000, n_joints, false), method);
        }
    }
}

#[test]
fn stretched_and_mirrored_joints_pose_as_the_reference_does() {
    let Some(renderer) = renderer() else { return };
    let mut strip = strip(4_000, 50, true);
    // Neighbours that mirror and that do not blend to flat matrices, where a normal means nothing: keep them apart.
    for (i, influence) in strip.influences.iter_mut().enumerate() {
        let is_mirrored = influence.joint % 7 == 3;
        let is_first = i % 4 == 0;
        if is_mirrored && !is_first {
            influence.joint -= 1;
        }
    }
    for row in strip.influences.chunks_mut(4).filter(|row| row[0].joint % 7 == 3) {
        (row[0].weight, row[1].weight, row[2].weight, row[3].weight) = (1.0, 0.0, 0.0, 0.0);
    }
    for method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
        check(&renderer, &strip, method);
    }
}

#[test]
fn one_influence_gives_the_joints_matrix_in_both_methods() {
    let Some(renderer) = renderer() else { return };
    let mut strip = strip(500, 40, true);
    for row in strip.influences.chunks_mut(4) {
        row[0].weight = 1.0;
        row[1..].fill(Influence { joint: 9_999, weight: 0.5 });
    }
    let (linear, dual) =
        (pose(&renderer, &strip, SkinMethod::Linear), pose(&renderer, &strip, SkinMethod::DualQuaternion));
    for v in 0..500 {
        assert!(linear.0[v].distance(dual.0[v]) < 1e-5, "vertex {v}: {} and {}", linear.0[v], dual.0[v]);
        assert!(linear.1[v].distance(dual.1[v]) < 1e-4, "vertex {v}: normals {} and {}", linear.1[v], dual.1[v]);
    }
}

#[test]
fn more_vertices_than_one_row_of_workgroups_are_all_posed() {
    let Some(gpu) = device() else { return };
    let limits = GpuLimits { max_workgroups_per_axis: 3, ..GpuLimits::of(&gpu.device) };
    let renderer = Renderer::with_limits(&gpu.device, &gpu.queue, 1, limits).unwrap();
    check(&renderer, &strip(1_000, 8, false), SkinMethod::Linear);
}

#[test]
fn a_palette_that_does_not_fit_is_refused_with_numbers() {
    let Some(gpu) = device() else { return };
    let limits = GpuLimits { max_storage_binding_bytes: 1 << 20, ..GpuLimits::of(&gpu.device) };
    let renderer = Renderer::with_limits(&gpu.device, &gpu.queue, 1, limits).unwrap();
    let strip = strip(100, 3, false);
    let data = SkinnedMeshData {
        rest_positions: &strip.positions,
        rest_normals: &strip.normals,
        influences: &strip.influences,
        n_per_vertex: 4,
    };
    let mut skinned = SkinnedMesh::new(&renderer, data).unwrap();
    let error = skinned.set_palette(&renderer, &vec![PaletteJoint::IDENTITY; 20_000]).unwrap_err();
    let needed = 20_000 * size_of::<PaletteJoint>() as u64;
    assert_eq!(error, RenderError::ExceedsDeviceLimit { what: "palette (bytes)", needed, limit: 1 << 20 });
}
