//! A glTF scene as plain data that a test can change before it is written.

use glam::{Mat4, Quat, Vec2, Vec3};

use crate::gltf_builder::GltfBuilder;

/// A vertex's influences as they will stand in the file: (slot in the skin's joints, weight), in this order.
/// Zero weights, repeated joints and sums other than 1 are written as they are.
pub type Row = Vec<(u16, f32)>;

/// A whole file. Indices are positions in these lists, and the same in the file.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// All nodes: joints, plain nodes and mesh nodes.
    pub nodes: Vec<Node>,
    /// Node indices of scene 0.
    pub roots: Vec<usize>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Animations.
    pub clips: Vec<Clip>,
    /// Images; each becomes a texture and a material of the same index, with the image as base colour.
    pub images: Vec<Image>,
}

/// A node with translation, rotation and scale (or a matrix).
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Name; empty for none.
    pub name: String,
    /// Child nodes.
    pub children: Vec<usize>,
    /// Translation, written if not zero.
    pub translation: Vec3,
    /// Rotation, written if not the identity.
    pub rotation: Quat,
    /// Scale, written if not one; `None` for one.
    pub scale: Option<Vec3>,
    /// Matrix instead of translation, rotation and scale.
    pub matrix: Option<Mat4>,
    /// Mesh.
    pub mesh: Option<usize>,
    /// Skin.
    pub skin: Option<usize>,
}

/// A skin.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Name; empty for none.
    pub name: String,
    /// Node of each slot.
    pub joints: Vec<usize>,
    /// `joint_from_mesh` at bind of each slot; `None` leaves the property out.
    pub inverse_bind: Option<Vec<Mat4>>,
    /// The `skeleton` hint.
    pub skeleton: Option<usize>,
}

/// A mesh.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name; empty for none.
    pub name: String,
    /// Primitives.
    pub primitives: Vec<Primitive>,
    /// Default morph weights; empty for none.
    pub morph_weights: Vec<f32>,
}

/// A primitive: triangles with their vertices, and how they are stored.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// Rest positions. `[n_vertices]`
    pub positions: Vec<Vec3>,
    /// Normals; empty for none.
    pub normals: Vec<Vec3>,
    /// Texture coordinates; empty for none.
    pub uvs: Vec<Vec2>,
    /// Weight rows; empty for an unskinned primitive. `[n_vertices]`
    pub rows: Vec<Row>,
    /// Triangles, three vertices each; `None` for a primitive without indices.
    pub indices: Option<Vec<u32>>,
    /// Morph targets.
    pub morphs: Vec<Morph>,
    /// Material (= image) index.
    pub material: Option<usize>,
    /// Sets of JOINTS_n / WEIGHTS_n; 0 for as many as the longest row needs.
    pub n_sets: usize,
    /// Type of JOINTS_n.
    pub joints_type: JointsType,
    /// Type of WEIGHTS_n.
    pub weights_type: WeightsType,
    /// Type of POSITION.
    pub positions_type: PositionsType,
    /// How the vertex attributes lie in the buffer.
    pub placement: Placement,
    /// Dense or sparse POSITION. A sparse one has a view of its own, also when the rest is interleaved.
    pub positions_storage: Storage,
    /// Dense or sparse WEIGHTS_n.
    pub weights_storage: Storage,
    /// Attributes taken from an earlier primitive instead of written again.
    pub shares: Vec<Share>,
}

/// One morph target.
#[derive(Clone, Debug, Default)]
pub struct Morph {
    /// Offsets of the positions. `[n_vertices]`
    pub positions: Vec<Vec3>,
    /// Offsets of the normals; empty for none.
    pub normals: Vec<Vec3>,
}

/// Component type of JOINTS_n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JointsType {
    /// Unsigned byte; slots above 255 lose their upper bits.
    #[default]
    U8,
    /// Unsigned short.
    U16,
}

/// Component type of WEIGHTS_n.
///
/// Integers are rounded slot by slot; where a row's sum is 1 (within 1e-4) the largest takes the leftover,
/// so that only rows that are off in the scene are off in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightsType {
    /// Float.
    #[default]
    F32,
    /// Normalised unsigned byte.
    U8,
    /// Normalised unsigned short.
    U16,
}

/// Component type of POSITION.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PositionsType {
    /// Float.
    #[default]
    F32,
    /// Normalised signed short (KHR_mesh_quantization): the file holds position / `divisor`, and the inverse bind
    /// matrices of the skins that the mesh is used with are multiplied by the scale `divisor` on the right.
    I16 {
        /// Metres that the stored value 1 stands for.
        divisor: f32,
    },
}

/// How a primitive's vertex attributes lie in the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// A view for each attribute, no `byteStride` unless alignment asks for it.
    #[default]
    Separate,
    /// All attributes in one view, vertex by vertex, in the order POSITION, NORMAL, TEXCOORD_0, JOINTS_n, WEIGHTS_n.
    Interleaved {
        /// Bytes from one vertex to the next; at least what the attributes take, filler bytes are 0xAA.
        byte_stride: usize,
    },
}

/// Dense or sparse accessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// Plain.
    #[default]
    Dense,
    /// These vertices come from the sparse part; the base holds zeros for them.
    SparseOverBase(Vec<u32>),
    /// No base view: every vertex comes from the sparse part.
    SparseOverNothing,
}

/// An attribute shared with an earlier primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Attribute name, such as `WEIGHTS_0`, or `indices`.
    pub attribute: String,
    /// Mesh that has it.
    pub mesh: usize,
    /// Primitive of that mesh that has it.
    pub primitive: usize,
}

/// An animation.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    /// Name; empty for none.
    pub name: String,
    /// Channels, each with a sampler of its own.
    pub channels: Vec<Channel>,
}

/// One channel of an animation.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Target node.
    pub node: usize,
    /// `translation`, `rotation`, `scale` or `weights`.
    pub path: &'static str,
    /// Key times in seconds.
    pub times_s: Vec<f32>,
    /// Key values one after the other (three or four a key; `weights`: one per target).
    pub values: Vec<f32>,
    /// `LINEAR`, `STEP` or `CUBICSPLINE`.
    pub interpolation: &'static str,
}

/// An image, used as the base colour of the material with the same index.
#[derive(Clone, Debug)]
pub struct Image {
    /// PNG or JPEG bytes.
    pub bytes: Vec<u8>,
    /// Media type.
    pub mime_type: &'static str,
    /// URI of a file beside the model; `None` puts the bytes into the buffer.
    pub uri: Option<String>,
}

impl Scene {
    /// The first primitive of the first mesh, which is all there is in most fixtures.
    pub fn primitive(&mut self) -> &mut Primitive {
        &mut self.meshes[0].primitives[0]
    }

    /// The weight rows of [`Scene::primitive`].
    pub fn rows(&mut self) -> &mut Vec<Row> {
        &mut self.primitive().rows
    }

    /// Adds a joint at `translation` under the joint in slot `parent` of skin 0; gives its slot.
    /// It is bound where it stands.
    pub fn add_joint(&mut self, parent: usize, name: &str, translation: Vec3) -> usize {
        let parent_node = self.skins[0].joints[parent];
        let node = self.add_node(Some(parent_node), Node { name: name.to_owned(), translation, ..Node::default() });
        let joint_from_scene = self.scene_from_node(node).inverse();
        let skin = &mut self.skins[0];
        skin.joints.push(node);
        if let Some(inverse_bind) = &mut skin.inverse_bind {
            inverse_bind.push(joint_from_scene);
        }
        skin.joints.len() - 1
    }

    /// Adds a node under `parent`, or as a root; gives its index.
    pub fn add_node(&mut self, parent: Option<usize>, node: Node) -> usize {
        let index = self.nodes.len();
        self.nodes.push(node);
        match parent {
            Some(parent) => self.nodes[parent].children.push(index),
            None => self.roots.push(index),
        }
        index
    }

    /// Puts a new node between `child` and its parent (or makes it a root); gives its index.
    pub fn insert_parent(&mut self, child: usize, mut node: Node) -> usize {
        let index = self.nodes.len();
        node.children.push(child);
        for list in self.nodes.iter_mut().map(|node| &mut node.children).chain([&mut self.roots]) {
            for entry in list.iter_mut().filter(|entry| **entry == child) {
                *entry = index;
            }
        }
        self.nodes.push(node);
        index
    }

    /// Binds skin `skin` anew to where its joints stand now.
    pub fn rebind(&mut self, skin: usize) {
        let inverse_bind = self.skins[skin].joints.iter().map(|&node| self.scene_from_node(node).inverse()).collect();
        self.skins[skin].inverse_bind = Some(inverse_bind);
    }

    /// World matrix of a node in its rest pose.
    #[must_use]
    pub fn scene_from_node(&self, node: usize) -> Mat4 {
        let mut matrix = self.nodes[node].local();
        let mut child = node;
        // A test may build a cycle on purpose; the walk ends after as many steps as there are nodes.
        for _ in 0..self.nodes.len() {
            let Some(parent) = self.nodes.iter().position(|candidate| candidate.children.contains(&child)) else {
                break;
            };
            matrix = self.nodes[parent].local() * matrix;
            child = parent;
        }
        matrix
    }

    /// Adds an image (and the texture and material with the same index); gives its index.
    pub fn add_image(&mut self, bytes: Vec<u8>, uri: Option<&str>) -> usize {
        self.images.push(Image { bytes, mime_type: "image/png", uri: uri.map(str::to_owned) });
        self.images.len() - 1
    }

    /// The file as JSON and buffer, for changes that a scene does not know.
    #[must_use]
    pub fn build(&self) -> GltfBuilder {
        crate::scene_build::build(self)
    }

    /// The file as `.glb`.
    #[must_use]
    pub fn glb(&self) -> Vec<u8> {
        self.build().glb()
    }

    /// The file as `NAME.gltf` and `NAME.bin` (and images with a URI): (file name, bytes), the `.gltf` first.
    #[must_use]
    pub fn gltf_files(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        self.build().gltf_files(name)
    }

    /// The file as one `.gltf` with a data URI.
    #[must_use]
    pub fn gltf_embedded(&self) -> Vec<u8> {
        self.build().gltf_embedded()
    }
}

impl Node {
    /// A node with a name and a translation.
    #[must_use]
    pub fn at(name: &str, translation: Vec3) -> Self {
        Self { name: name.to_owned(), translation, ..Self::default() }
    }

    /// `parent_from_node` in the rest pose.
    #[must_use]
    pub fn local(&self) -> Mat4 {
        self.matrix.unwrap_or_else(|| {
            Mat4::from_scale_rotation_translation(self.scale.unwrap_or(Vec3::ONE), self.rotation, self.translation)
        })
    }
}
