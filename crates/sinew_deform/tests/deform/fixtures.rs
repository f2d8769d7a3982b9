//! Small characters made in code, and a reference that shares nothing with the kernels.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use sinew_deform::{Deformer, OffSum, Palette, Posed, SkinInput};
use sinew_model::{
    JointSlot, LocalTransform, Mesh, Node, NodeIndex, NodeTree, Pose, Revision, Row, Skin, SkinIndex, StandIns,
    VertexIndex, VertexPool, WeightTable,
};
use sinew_rig::{morph_weights, morphed, scene_from_nodes};

/// One skinned mesh with its skeleton; the mesh stands at the last node.
#[derive(Clone, Debug)]
pub struct Character {
    pub nodes: Vec<Node>,
    pub joints: Vec<u32>,
    pub joint_from_mesh: Option<Vec<DAffine3>>,
    pub mesh: Mesh,
    pub pose: Pose,
}

impl Character {
    /// Joints at the given nodes, bound where the nodes stand at rest.
    pub fn new(mut nodes: Vec<Node>, joints: &[u32], positions: Vec<Vec3>, normals: Vec<Vec3>, rows: Vec<Row>) -> Self {
        nodes.push(node(LocalTransform::IDENTITY, &[]));
        let mut weights = WeightTable::new(positions.len(), 4);
        for (v, row) in rows.iter().enumerate() {
            weights.set(VertexIndex::from_idx(v), row);
        }
        let count = positions.len() as u32;
        let mesh = Mesh {
            name: None,
            pools: vec![VertexPool { first: 0, count, skinned: true, has_normals: true }],
            primitives: Vec::new(),
            texcoords: vec![glam::Vec2::ZERO; positions.len()],
            positions,
            normals,
            morph_targets: Vec::new(),
            morph_weights: Vec::new(),
            weights,
            weights_revision: Revision(0),
        };
        let mut character = Self { nodes, joints: joints.to_vec(), joint_from_mesh: None, mesh, pose: Pose::rest() };
        let scene = character.scene();
        character.joint_from_mesh = Some(joints.iter().map(|&joint| scene[joint as usize].inverse()).collect());
        character
    }

    pub fn scene(&self) -> Vec<DAffine3> {
        scene_from_nodes(&self.tree(), &[], &self.pose)
    }

    pub fn tree(&self) -> NodeTree {
        NodeTree::new(self.nodes.clone()).expect("a forest")
    }

    pub fn skin(&self) -> Skin {
        let joints = self.joints.iter().map(|&joint| NodeIndex(joint)).collect();
        Skin::new(SkinIndex(0), None, joints, self.joint_from_mesh.clone(), self.nodes.len()).expect("a skin")
    }

    pub fn palette(&self) -> Palette {
        Palette::new(&self.skin(), &self.scene(), self.instance())
    }

    pub fn instance(&self) -> NodeIndex {
        NodeIndex::from_idx(self.nodes.len() - 1)
    }

    pub fn posed(&self, deformer: &dyn Deformer) -> Posed {
        self.posed_with(deformer, OffSum::Divide)
    }

    pub fn posed_with(&self, deformer: &dyn Deformer, off_sum: OffSum) -> Posed {
        let weights = morph_weights(&self.tree(), self.instance(), &self.mesh, &[], &self.pose);
        let morphed = morphed(&self.mesh, &weights);
        let (positions, normals) = match &morphed {
            Some(morphed) => (&morphed.positions, &morphed.normals),
            None => (&self.mesh.positions, &self.mesh.normals),
        };
        let stand_ins = StandIns::of(&self.mesh);
        let input = SkinInput::new(positions, normals, &self.mesh.weights, &stand_ins, off_sum).expect("lengths agree");
        let mut posed = Posed::default();
        deformer.deform(&input, &self.palette(), &mut posed);
        posed
    }

    pub fn turn(&mut self, joint: u32, x: f32, y: f32, z: f32) {
        self.pose.set_turn_deg(NodeIndex(joint), Vec3::new(x, y, z));
    }

    /// Replaces each row by what `change` makes of it.
    pub fn change_rows(&mut self, mut change: impl FnMut(usize, &mut Row)) {
        for vertex in self.mesh.weights.vertices() {
            let mut row = self.mesh.weights.get(vertex);
            change(vertex.idx(), &mut row);
            self.mesh.weights.set(vertex, &row);
        }
    }

    /// Puts the mesh's origin elsewhere: the same character in other raw numbers.
    pub fn move_mesh_origin(&mut self, by: Vec3) {
        for position in &mut self.mesh.positions {
            *position += by;
        }
        for matrix in self.joint_from_mesh.iter_mut().flatten() {
            *matrix *= DAffine3::from_translation(-by.as_dvec3());
        }
    }
}

pub fn node(rest: LocalTransform, children: &[u32]) -> Node {
    let children = children.iter().map(|&child| NodeIndex(child)).collect();
    Node { name: None, children, rest, mesh: None, skin: None, morph_weights: None }
}

pub fn at(x: f64, y: f64, z: f64) -> LocalTransform {
    trs([x, y, z], DQuat::IDENTITY, [1.0; 3])
}

pub fn trs(translation: [f64; 3], rotation: DQuat, scale: [f64; 3]) -> LocalTransform {
    LocalTransform::from_trs(DVec3::from(translation), rotation, DVec3::from(scale))
}

/// J0 at the origin and its child J1 at (0, 1, 0).
pub fn two_joints() -> Vec<Node> {
    vec![node(at(0.0, 0.0, 0.0), &[1]), node(at(0.0, 1.0, 0.0), &[])]
}

/// A row of J0 and J1.
pub fn ramp(weight_of_j1: f32) -> Row {
    [(JointSlot(0), 1.0 - weight_of_j1), (JointSlot(1), weight_of_j1)].into_iter().collect()
}

/// Ten vertices, x = ±0.5, y = 0 to 2, weight of J1 rising by quarters.
pub fn strip() -> Character {
    let positions =
        (0..10).map(|v| Vec3::new(if v % 2 == 0 { -0.5 } else { 0.5 }, (v / 2) as f32 * 0.5, 0.0)).collect();
    let rows = (0..10).map(|v| ramp((v / 2) as f32 * 0.25)).collect();
    Character::new(two_joints(), &[0, 1], positions, vec![Vec3::Z; 10], rows)
}

/// Nine rings of sixteen vertices, radius 0.2, weights as the strip's; ring 4 has half and half.
pub fn tube() -> Character {
    let mut positions = Vec::new();
    let mut normals = Vec::new();
    let mut rows = Vec::new();
    for v in 0..144 {
        let angle = (v % 16) as f32 * std::f32::consts::TAU / 16.0;
        let normal = Vec3::new(angle.cos(), 0.0, angle.sin());
        positions.push(normal * 0.2 + Vec3::Y * (v / 16) as f32 * 0.25);
        normals.push(normal);
        rows.push(ramp((v / 16) as f32 / 8.0));
    }
    Character::new(two_joints(), &[0, 1], positions, normals, rows)
}

/// A tube whose rows name four joints of a chain of six, so that order within a row can matter.
pub fn four_influences() -> Character {
    let mut character = tube();
    let mut nodes: Vec<Node> = (0..5).map(|j| node(at(0.0, if j == 0 { 0.0 } else { 0.4 }, 0.0), &[j + 1])).collect();
    nodes.push(node(at(0.0, 0.4, 0.0), &[]));
    let rows = (0..144).map(|v| {
        let shares: Vec<f32> = (0..4).map(|i| 1.0 + ((v * 7 + i * 5) % 11) as f32).collect();
        let sum: f32 = shares.iter().sum();
        shares.iter().enumerate().map(|(i, share)| (JointSlot((i + v / 48) as u16), share / sum)).collect()
    });
    let rows = rows.collect();
    let mesh = character.mesh;
    character = Character::new(nodes, &[3, 1, 4, 0, 5, 2], mesh.positions, mesh.normals, rows);
    for (j, turn) in [(0, 20.0), (1, 35.0), (2, -50.0), (3, 80.0), (4, 15.0), (5, -70.0)] {
        character.turn(j, turn * 0.3, turn, turn * 0.7);
    }
    character
}

#[track_caller]
pub fn check_near(found: Vec3, expected: Vec3, tolerance: f32) {
    assert!(found.distance(expected) <= tolerance, "{found}, expected {expected} within {tolerance}");
}

#[track_caller]
pub fn check_all_near(found: &[Vec3], expected: &[Vec3], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (v, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        assert!(found.distance(expected) <= tolerance, "vertex {v}: {found}, expected {expected} within {tolerance}");
    }
}

#[track_caller]
pub fn check_sane(posed: &Posed) {
    for (v, (position, normal)) in posed.positions.iter().zip(&posed.normals).enumerate() {
        assert!(position.is_finite(), "vertex {v} at {position}");
        let length = normal.length();
        assert!(length == 0.0 || (length - 1.0).abs() < 1e-5, "normal {v} is {normal}");
    }
}
