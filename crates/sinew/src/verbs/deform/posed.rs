//! Every primitive of every node, posed.

use std::ops::Range;

use anyhow::anyhow;
use glam::{DAffine3, Vec3};
use serde::Serialize;
use sinew_deform::{Deformer, OffSum, Palette, Posed, SkinInput};
use sinew_model::{Document, Instance, Mesh, Pose, Primitive, SceneIndex, StandIns, VertexIndex, VertexPool};
use sinew_rig::{morph_weights, morphed, scene_from_nodes};

/// A primitive at a node, in scene space.
#[derive(Serialize)]
pub struct PosedPrimitive {
    /// The node.
    pub node: u32,
    /// Its mesh.
    pub mesh: u32,
    /// The primitive of the mesh.
    pub primitive: usize,
    /// Positions of the primitive's pool. `[n_vertices]`
    pub positions: Vec<[f32; 3]>,
    /// Unit normals. `[n_vertices]`
    pub normals: Vec<[f32; 3]>,
    /// Triangles, counted over `positions`.
    #[serde(skip)]
    pub triangles: Vec<[u32; 3]>,
}

/// Poses everything that a scene shows (without one, everything), in node order, then primitive order.
pub fn primitives(
    document: &Document,
    scene: Option<SceneIndex>,
    pose: &Pose,
    deformer: &'static dyn Deformer,
    off_sum: OffSum,
) -> anyhow::Result<Vec<PosedPrimitive>> {
    let scene_from_node = scene_from_nodes(document.nodes(), document.clips(), pose);
    let mut all = Vec::new();
    let is_in = scene.map(|scene| document.nodes_in(scene));
    let is_shown = |instance: &&Instance| is_in.as_ref().is_none_or(|is_in| is_in[instance.node.idx()]);
    for &instance in document.instances().iter().filter(is_shown) {
        let poser = Poser::new(document, pose, &scene_from_node, instance, (deformer, off_sum));
        let shared = poser.whole_mesh()?;
        for (p, primitive) in poser.mesh.primitives.iter().enumerate() {
            let range = range_of(&poser.mesh.pools[primitive.pool]);
            let own = poser.with_own_normals(primitive, &range)?;
            let posed = own.as_ref().unwrap_or(&shared);
            all.push(PosedPrimitive {
                node: instance.node.0,
                mesh: instance.mesh.0,
                primitive: p,
                positions: arrays(&posed.positions[range.clone()]),
                normals: arrays(&posed.normals[range.clone()]),
                triangles: poser.triangles(primitive, range.start as u32),
            });
        }
    }
    Ok(all)
}

struct Poser<'a> {
    mesh: &'a Mesh,
    morph_weights: Vec<f32>,
    stand_ins: StandIns,
    /// Of the skin, for pools that have weights; the rigid one if there is no skin.
    palette: Palette,
    /// Where the node puts what no joint moves.
    rigid: Palette,
    is_skinned: bool,
    is_mirrored: bool,
    deformer: &'static dyn Deformer,
    off_sum: OffSum,
}

impl<'a> Poser<'a> {
    fn new(
        document: &'a Document,
        pose: &Pose,
        scene_from_node: &[DAffine3],
        instance: Instance,
        (deformer, off_sum): (&'static dyn Deformer, OffSum),
    ) -> Self {
        let mesh = document.mesh(instance.mesh);
        let at_node = scene_from_node[instance.node.idx()];
        let skin = instance.skin.filter(|_| mesh.is_skinned());
        let rigid = Palette::rigid(at_node);
        Self {
            mesh,
            morph_weights: morph_weights(document.nodes(), instance.node, mesh, document.clips(), pose),
            stand_ins: StandIns::of(mesh),
            palette: skin.map_or_else(
                || rigid.clone(),
                |skin| Palette::new(document.skin(skin), scene_from_node, instance.node),
            ),
            rigid,
            is_skinned: skin.is_some(),
            is_mirrored: skin.is_none() && at_node.matrix3.determinant() < 0.0,
            deformer,
            off_sum,
        }
    }

    fn whole_mesh(&self) -> anyhow::Result<Posed> {
        let morphed = morphed(self.mesh, &self.morph_weights);
        let (positions, normals) =
            morphed.as_ref().map_or((&self.mesh.positions, &self.mesh.normals), |m| (&m.positions, &m.normals));
        let input = self.input(positions, normals)?;
        let mut posed = Posed::default();
        self.deformer.deform(&input, &self.palette, &mut posed);
        // Vertices that have no row to be weighed by stay with the node, also where an off-sum row is taken as it is.
        for pool in self.mesh.pools.iter().filter(|pool| self.is_skinned && !pool.skinned) {
            self.deformer.deform_some(&input, &self.rigid, &vertices(&range_of(pool)), &mut posed);
        }
        Ok(posed)
    }

    /// The primitive's vertices again where it has other normals than its pool.
    fn with_own_normals(&self, primitive: &Primitive, range: &Range<usize>) -> anyhow::Result<Option<Posed>> {
        let Some(own) = primitive.own_normals.as_ref().filter(|own| own.len() == range.len()) else { return Ok(None) };
        let mut mesh = self.mesh.clone();
        mesh.normals[range.clone()].copy_from_slice(own);
        let (positions, normals) = match morphed(&mesh, &self.morph_weights) {
            Some(morphed) => (morphed.positions, morphed.normals),
            None => (mesh.positions, mesh.normals),
        };
        let mut posed = Posed::default();
        let is_rigid = !self.mesh.pools[primitive.pool].skinned;
        let palette = if is_rigid { &self.rigid } else { &self.palette };
        self.deformer.deform_some(&self.input(&positions, &normals)?, palette, &vertices(range), &mut posed);
        Ok(Some(posed))
    }

    fn input<'b>(&'b self, positions: &'b [Vec3], normals: &'b [Vec3]) -> anyhow::Result<SkinInput<'b>> {
        SkinInput::new(positions, normals, &self.mesh.weights, &self.stand_ins, self.off_sum)
            .map_err(|error| anyhow!("cannot pose the mesh: {error}"))
    }

    /// A node that mirrors turns triangles over (glTF 2.0, "Instantiation").
    fn triangles(&self, primitive: &Primitive, first: u32) -> Vec<[u32; 3]> {
        let turned = |[a, b, c]: [u32; 3]| if self.is_mirrored { [a, c, b] } else { [a, b, c] };
        primitive.triangles.iter().map(|triangle| turned(triangle.map(|v| v - first))).collect()
    }
}

fn range_of(pool: &VertexPool) -> Range<usize> {
    pool.first as usize..(pool.first + pool.count) as usize
}

fn vertices(range: &Range<usize>) -> Vec<VertexIndex> {
    range.clone().map(VertexIndex::from_idx).collect()
}

fn arrays(vectors: &[Vec3]) -> Vec<[f32; 3]> {
    vectors.iter().map(Vec3::to_array).collect()
}
