//! A skinned instance posed by the GPU: the same rows and palette that the CPU deformers use, in GPU form.

use std::ops::Range;

use glam::Vec3;
use sinew_deform::Palette;
use sinew_edit::Editor;
use sinew_model::{Document, JointSlot, Pose, Revision, Row, StandIns, UNWEIGHTED_SUM, VertexIndex, WeightTable};
use sinew_render::{Influence, Mesh, PaletteJoint, RenderError, Renderer, SkinMethod, SkinnedMesh, SkinnedMeshData};
use sinew_rig::{morph_weights, morphed};

use super::scene::{runs, with_tails};

/// Rest data, rows and palette on the GPU, and what they were made from.
pub struct GpuSkin {
    skinned: SkinnedMesh,
    n_per_vertex: usize,
    rows_of: RowsOf,
    morphs: Vec<f32>,
    posed_by: Option<(Pose, &'static str, Revision, Option<&'static str>)>,
}

/// What rows depend on: the document's, slots that move nothing, the profile they are exported by.
type RowsOf = (Revision, Vec<JointSlot>, Option<&'static str>);

impl GpuSkin {
    /// Uploads an instance.
    pub fn new(
        renderer: &Renderer,
        editor: &mut Editor,
        instance_idx: usize,
        tails: &[Range<usize>],
    ) -> Result<Self, RenderError> {
        let palette = palette_of(editor, instance_idx);
        let morphs = morphs_of(editor, instance_idx);
        Self::upload(renderer, editor, instance_idx, &palette, morphs, tails)
    }

    /// Poses `mesh` if pose, deformer or rows changed.
    pub fn update(
        &mut self,
        renderer: &Renderer,
        editor: &mut Editor,
        instance_idx: usize,
        tails: &[Range<usize>],
        mesh: &Mesh,
    ) -> Result<(), RenderError> {
        let deformer = editor.session.deformer.name();
        let revision = editor.document().mesh(editor.document().instances()[instance_idx].mesh).weights_revision;
        let profile = editor.session.view_as().map(|profile| profile.name);
        let is_current = self.posed_by.as_ref().is_some_and(|(pose, by, of, to)| {
            *by == deformer && *of == revision && *to == profile && *pose == editor.session.pose
        });
        if is_current {
            return Ok(());
        }
        let palette = palette_of(editor, instance_idx);
        let morphs = morphs_of(editor, instance_idx);
        let rows_of = (revision, palette.unsound_slots().collect::<Vec<_>>(), profile);
        let n_longest = longest_row(editor.document(), instance_idx);
        if morphs != self.morphs || n_longest > self.n_per_vertex {
            *self = Self::upload(renderer, editor, instance_idx, &palette, morphs, tails)?;
        } else if rows_of != self.rows_of {
            if let Some(changed) = self.changed(editor, instance_idx, &rows_of) {
                let n = editor.document().mesh(editor.document().instances()[instance_idx].mesh).n_vertices();
                let rows = Rows::of(editor, instance_idx, &palette, self.n_per_vertex);
                for (run, first) in runs::of(changed, n, tails) {
                    self.skinned.set_influences(renderer, first, &rows.influences(run))?;
                }
            } else {
                let rows = rows(editor, instance_idx, &palette, self.n_per_vertex, tails);
                self.skinned.set_influences(renderer, 0, &rows)?;
            }
            self.rows_of = rows_of;
        }
        self.skinned.set_palette(renderer, &joints(&palette))?;
        let method = if deformer == "dqs" { SkinMethod::DualQuaternion } else { SkinMethod::Linear };
        let label = wgpu::CommandEncoderDescriptor { label: Some("pose") };
        let mut encoder = renderer.device().create_command_encoder(&label);
        self.skinned.pose(renderer, &mut encoder, mesh, method)?;
        renderer.queue().submit([encoder.finish()]);
        self.posed_by = Some((editor.session.pose.clone(), deformer, revision, profile));
        Ok(())
    }

    /// The vertices whose rows are not those on the GPU, if that is known and they are few.
    fn changed(&self, editor: &Editor, instance_idx: usize, rows_of: &RowsOf) -> Option<Vec<VertexIndex>> {
        let mesh = editor.document().instances()[instance_idx].mesh;
        let (since, unsound, profile) = &self.rows_of;
        // Who follows another one's row changes with that, and an export may change others.
        let is_alone = (unsound, profile) == (&rows_of.1, &None) && rows_of.2.is_none() && !editor.may_borrow(mesh);
        let changed = editor.rows_changed_since(mesh, *since).filter(|_| is_alone)?;
        (changed.len() < editor.document().mesh(mesh).n_vertices() / 4).then_some(changed)
    }

    fn upload(
        renderer: &Renderer,
        editor: &mut Editor,
        instance_idx: usize,
        palette: &Palette,
        morphs: Vec<f32>,
        tails: &[Range<usize>],
    ) -> Result<Self, RenderError> {
        let n_per_vertex = longest_row(editor.document(), instance_idx);
        let influences = rows(editor, instance_idx, palette, n_per_vertex, tails);
        let document = editor.document();
        let mesh = document.mesh(document.instances()[instance_idx].mesh);
        let moved = morphed(mesh, &morphs);
        let (positions, normals): (&[Vec3], &[Vec3]) =
            moved.as_ref().map_or((&mesh.positions, &mesh.normals), |moved| (&moved.positions, &moved.normals));
        let data = SkinnedMeshData {
            rest_positions: &with_tails(positions.to_vec(), tails),
            rest_normals: &with_tails(normals.to_vec(), tails),
            influences: &influences,
            n_per_vertex: n_per_vertex as u32,
        };
        let profile = editor.session.view_as().map(|profile| profile.name);
        let rows_of = (mesh.weights_revision, palette.unsound_slots().collect(), profile);
        Ok(Self { skinned: SkinnedMesh::new(renderer, data)?, n_per_vertex, rows_of, morphs, posed_by: None })
    }
}

fn palette_of(editor: &mut Editor, instance_idx: usize) -> Palette {
    let scene_from_node = editor.scene_from_node().to_vec();
    let document = editor.document();
    let instance = document.instances()[instance_idx];
    match instance.skin {
        Some(skin) => Palette::new(document.skin(skin), &scene_from_node, instance.node),
        None => Palette::rigid(scene_from_node[instance.node.idx()]),
    }
}

fn morphs_of(editor: &Editor, instance_idx: usize) -> Vec<f32> {
    let document = editor.document();
    let instance = document.instances()[instance_idx];
    let mesh = document.mesh(instance.mesh);
    morph_weights(document.nodes(), instance.node, mesh, document.clips(), &editor.session.pose)
}

fn longest_row(document: &Document, instance_idx: usize) -> usize {
    document.mesh(document.instances()[instance_idx].mesh).weights.max_influences().max(1)
}

/// The palette as the GPU reads it; the last entry places vertices that no joint moves.
fn joints(palette: &Palette) -> Vec<PaletteJoint> {
    let dual = palette.dual_joints().iter();
    let rows = palette.rows().iter();
    rows.zip(dual).map(|(&rows, dual)| PaletteJoint { rows, rotation: dual.rotation, stretch: dual.stretch }).collect()
}

/// The influences that move each vertex, padded to equal length; tails again after all.
fn rows(
    editor: &mut Editor,
    instance_idx: usize,
    palette: &Palette,
    n_per_vertex: usize,
    tails: &[Range<usize>],
) -> Vec<Influence> {
    let n = editor.document().mesh(editor.document().instances()[instance_idx].mesh).n_vertices();
    let mut rows = Rows::of(editor, instance_idx, palette, n_per_vertex);
    if rows.exported.is_none() {
        rows.stand_ins = StandIns::of(rows.mesh);
    }
    let tails: Vec<_> = tails.iter().map(|tail| tail.start * n_per_vertex..tail.end * n_per_vertex).collect();
    with_tails(rows.influences(0..n), &tails)
}

/// A mesh's rows as the GPU reads them: as `sinew_deform::OffSum::Divide` has them, or as exported, undivided.
struct Rows<'a> {
    mesh: &'a sinew_model::Mesh,
    exported: Option<WeightTable>,
    /// Whose rows vertices without weight follow; none until somebody looks.
    stand_ins: StandIns,
    /// Which slots move anything. `[n_joints]`
    moves: Vec<bool>,
    n_per_vertex: usize,
}

impl<'a> Rows<'a> {
    fn of(editor: &'a mut Editor, instance_idx: usize, palette: &Palette, n_per_vertex: usize) -> Self {
        let mesh = editor.document().instances()[instance_idx].mesh;
        let exported = editor.exported_rows(mesh).cloned();
        let mut moves = vec![true; palette.n_joints()];
        palette.unsound_slots().for_each(|slot| moves[slot.idx()] = false);
        Self { mesh: editor.document().mesh(mesh), exported, stand_ins: StandIns::default(), moves, n_per_vertex }
    }

    /// Those of some vertices. `[n_vertices * n_per_vertex]`
    fn influences(&self, vertices: Range<usize>) -> Vec<Influence> {
        let Self { mesh, exported, stand_ins, moves, n_per_vertex } = self;
        let mut all = vec![Influence::default(); vertices.len() * n_per_vertex];
        for (v, places) in vertices.zip(all.chunks_exact_mut(*n_per_vertex)) {
            let vertex = VertexIndex::from_idx(v);
            let settled = match exported {
                Some(exported) => mesh.is_paintable(vertex).then(|| raw_row(exported.get(vertex), moves)),
                None => settled_row(mesh.weights.get(vertex), moves)
                    .or_else(|| settled_row(mesh.weights.get(stand_ins.get(vertex)?), moves)),
            };
            match settled {
                Some(row) => {
                    for (place, influence) in places.iter_mut().zip(row.influences()) {
                        *place = Influence { joint: u32::from(influence.slot.0), weight: influence.weight };
                    }
                }
                None => places[0] = Influence { joint: moves.len() as u32, weight: 1.0 },
            }
        }
        all
    }
}

/// The row as an engine takes it: whatever moves the vertex, by as much as it says.
fn raw_row(mut row: Row, moves: &[bool]) -> Row {
    row.retain(|i| i.weight.is_finite() && moves.get(i.slot.idx()).copied().unwrap_or(false));
    row
}

/// The row divided by its sum where that is off; `None` if nothing moves the vertex.
fn settled_row(mut row: Row, moves: &[bool]) -> Option<Row> {
    let is_finite = row.influences().iter().all(|influence| influence.weight.is_finite());
    row.retain(|i| i.weight != 0.0 && moves.get(i.slot.idx()).copied().unwrap_or(false));
    let sum = row.sum_f64();
    if !is_finite || sum < f64::from(UNWEIGHTED_SUM) {
        return None;
    }
    if (sum - 1.0).abs() > f64::from(Row::sum_tolerance(row.len())) {
        for influence in row.influences_mut() {
            influence.weight = (f64::from(influence.weight) / sum) as f32;
        }
    }
    Some(row)
}
