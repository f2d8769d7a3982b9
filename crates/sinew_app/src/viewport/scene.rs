//! A document as buffers on the GPU: made once, then kept current by revision and version.

mod dot_spread;
mod edges;
mod materials;
pub(super) mod runs;
mod tints;

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;
use sinew_edit::Editor;
use sinew_geometry::GeodesicScratch;
use sinew_io::Rgba;
use sinew_model::{Document, MeshIndex, NodeIndex, Revision, VertexIndex, VertexSet};
use sinew_render::{
    Color, DotSpread, DrawList, Material, Mesh, MeshData, MeshDraw, MeshMode, MeshStyle, RenderError, Renderer,
    VertexDots, Wire, WireDraw,
};

use super::asymmetry::LeftRight;
use super::display::{Display, Under, ZeroHighlight};
use super::gpu_skin::GpuSkin;
use super::joint_colors;
use super::legend::scale_top;
use super::options::{Show, ViewOptions};
use super::seams::Seams;
use super::shown_weights;
use super::triangles::{Part, Triangles};

use edges::edges;
pub use materials::uv_transform;
use tints::Tints;
pub use tints::{ALONE_TINT, BLOCKED_TINT, BUDGET_TINT, UNMATCHED_TINT, UNWEIGHTED_TINT, refusal_tint};

/// Everything of a document that is drawn as a surface.
pub struct Scene {
    materials: Vec<Material>,
    instances: Vec<InstanceBuffers>,
    /// Which of them the session's scene shows. `[n_instances]`
    shown: Arc<[bool]>,
    /// `[n_nodes]`
    joint_colors: Vec<Color>,
    skin_on_gpu: bool,
    pub(super) left_right: LeftRight,
    ring_scratch: GeodesicScratch,
}

/// One instance's buffers and what they were made from.
struct InstanceBuffers {
    mesh: Mesh,
    parts: Vec<Part>,
    /// Pools that stand a second time after the mesh's own vertices, for primitives with their own coordinates.
    tails: Vec<Range<usize>>,
    /// The hidden vertices that are left out; none were yet.
    hidden_of: Option<Revision>,
    wire: Option<Wire>,
    /// Which vertices have room for a dot, and the hidden ones that have none; once dots were asked for.
    dots: Option<(DotSpread, Revision)>,
    skin: Option<GpuSkin>,
    /// Version of the positions on the GPU, and whether they are those as exported.
    posed_version: Option<(bool, u64)>,
    joint_colors_of: Option<Revision>,
    numbers_of: Option<Numbers>,
    /// The weights shown, while weights are. `[n_vertices]`
    weights: Vec<f32>,
    tints_of: Option<Tints>,
    /// Whether any of them is seen.
    has_tints: bool,
    seams: Option<Seams>,
    /// Vertices without a twin, while those are shown.
    unmatched: Vec<VertexIndex>,
}

/// What the number at each vertex was made from.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    /// A joint's weights, of rows after a profile; as shares of what locks leave, if there are such.
    Weights(Revision, Option<NodeIndex>, Option<&'static str>, Option<Revision>),
    /// Distances of a version, as shares of the largest shown.
    Difference(u64, f32),
    /// Left–right differences of a version.
    LeftRight(u64),
}

impl Numbers {
    /// The same of another revision of the rows, if it is weights.
    const fn at(self, revision: Revision) -> Self {
        match self {
            Self::Weights(_, joint, profile, locks) => Self::Weights(revision, joint, profile, locks),
            other => other,
        }
    }
}

impl Scene {
    /// Uploads a document as the editor's session shows it. `images` are the document's, decoded. `[n_images]`
    pub fn new(
        renderer: &Renderer,
        editor: &mut Editor,
        images: &[Option<Arc<Rgba>>],
        skin_on_gpu: bool,
    ) -> Result<Self, RenderError> {
        let materials = editor
            .document()
            .materials()
            .iter()
            .map(|material| materials::upload(renderer, material, images))
            .collect::<Result<_, _>>()?;
        let instances = (0..editor.document().instances().len())
            .map(|i| InstanceBuffers::new(renderer, editor, i))
            .collect::<Result<_, _>>()?;
        let joint_colors = joint_colors::of(editor.document());
        let (skin_on_gpu, left_right) = (skin_on_gpu && renderer.can_skin(), LeftRight::default());
        let shown = editor.shown_instances();
        let ring_scratch = GeodesicScratch::default();
        Ok(Self { materials, instances, shown, joint_colors, skin_on_gpu, left_right, ring_scratch })
    }

    /// Whether the GPU poses the skinned meshes.
    pub fn skins_on_gpu(&self) -> bool {
        self.skin_on_gpu
    }

    /// Brings the buffers up to what the editor's session shows. Nothing is uploaded twice.
    pub fn update(
        &mut self,
        renderer: &Renderer,
        editor: &mut Editor,
        options: &ViewOptions,
    ) -> Result<(), RenderError> {
        let show = options.show.at_hand(editor.session.as_exported);
        if show == Show::LeftRight {
            self.left_right.update(editor);
        }
        let show = self.at_hand(show);
        self.shown = editor.shown_instances();
        for (i, buffers) in self.instances.iter_mut().enumerate().filter(|(i, _)| self.shown[*i]) {
            buffers.update_hidden(renderer, editor.document(), i)?;
            buffers.update_pose(renderer, editor, i, self.skin_on_gpu)?;
            if show == Show::Difference {
                buffers.update_difference(renderer, editor, i)?;
            } else if show == Show::LeftRight {
                buffers.update_left_right(renderer, editor.document().instances()[i].mesh, &self.left_right)?;
            } else {
                buffers.update_weights(renderer, editor, i, options.display.locks_apart)?;
            }
            if show != Show::JointColors {
                buffers.clear_joint_colors(renderer)?;
            }
            let left_right = (show == Show::LeftRight).then_some(self.left_right.version);
            buffers.update_tints(renderer, editor, i, (show == Show::Weights, left_right), options)?;
            if show == Show::JointColors {
                buffers.update_joint_colors(renderer, editor, i, &self.joint_colors)?;
            }
            if options.display.seams && buffers.seams.is_none() {
                let mesh = editor.document().instances()[i].mesh;
                let surface = editor.surface(mesh);
                buffers.seams = Some(Seams::of(editor.document().mesh(mesh), &surface));
            }
            if options.display.dots {
                buffers.update_dots(renderer, editor, i)?;
            }
            if options.wire && buffers.wire.is_none() {
                buffers.wire = Some(edges(renderer, editor.document(), i, &buffers.mesh)?);
            }
        }
        Ok(())
    }

    /// What to draw. `show` is what surfaces show in fact.
    pub fn draws(
        &self,
        document: &Document,
        options: &ViewOptions,
        show: Show,
    ) -> (Vec<MeshDraw<'_>>, Vec<WireDraw<'_>>) {
        let mut meshes = Vec::new();
        let mut wires = Vec::new();
        for (i, buffers) in self.shown() {
            let instance = document.instances()[i];
            let is_skinned = instance.skin.is_some() && document.mesh(instance.mesh).is_skinned();
            let style = style_of(*options, show, is_skinned);
            for part in &buffers.parts {
                meshes.push(MeshDraw {
                    mesh: &buffers.mesh,
                    material: part.material.and_then(|m| self.materials.get(m.idx())),
                    indices: Some(part.indices.clone()),
                    style,
                });
            }
            if let Some(wire) = buffers.wire.as_ref().filter(|_| options.wire) {
                let color = Color::hex(0x00_0000).with_alpha(0.28);
                wires.push(WireDraw { mesh: &buffers.mesh, wire, color });
            }
        }
        (meshes, wires)
    }

    /// Dots on the vertices of skinned meshes.
    pub fn dots(&self, document: &Document, display: &Display) -> Vec<VertexDots<'_>> {
        let shown = self.shown().map(|(i, buffers)| (buffers, document.instances()[i]));
        let skinned = shown.filter(|(_, instance)| {
            display.dots && instance.skin.is_some() && document.mesh(instance.mesh).is_skinned()
        });
        let dots = skinned.filter_map(|(buffers, instance)| {
            let (spread, _) = buffers.dots.as_ref()?;
            Some(VertexDots {
                mesh: &buffers.mesh,
                spread,
                n_vertices: document.mesh(instance.mesh).n_vertices() as u32,
                radius_points: f32::from(display.dot_points.max(1)) * 0.5,
                ramp: display.ramp(),
            })
        });
        dots.collect()
    }

    /// Adds seams as they stand.
    pub fn push_seams(&self, list: &mut DrawList<'_>, editor: &mut Editor) {
        for (i, buffers) in self.shown() {
            if let Some(seams) = &buffers.seams {
                seams.push(list, editor, i);
            }
        }
    }

    /// Memory for measuring along the skin, kept from picture to picture.
    pub fn ring_scratch(&mut self) -> &mut GeodesicScratch {
        &mut self.ring_scratch
    }

    /// Whether there are seams, and whether any are torn; where they were asked for.
    pub fn seam_kinds(&self) -> (bool, bool) {
        let kinds = self.shown().filter_map(|(_, buffers)| buffers.seams.as_ref()).map(Seams::kinds);
        kinds.fold((false, false), |(whole, torn), (has_whole, has_torn)| (whole || has_whole, torn || has_torn))
    }

    /// The colour of every joint, by node. `[n_nodes]`
    pub fn joint_colors(&self) -> &[Color] {
        &self.joint_colors
    }

    /// The left–right difference as it was last shown.
    pub fn left_right(&self) -> &LeftRight {
        &self.left_right
    }

    /// What surfaces show: clay until there is something to show.
    pub fn at_hand(&self, show: Show) -> Show {
        if show == Show::LeftRight && !self.left_right.is_found() { Show::Clay } else { show }
    }

    /// How many triangles a picture has.
    pub fn n_triangles(&self) -> usize {
        self.shown().map(|(_, buffers)| buffers.mesh.n_indices() as usize / 3).sum()
    }

    /// What the session's scene shows, with its place among the document's instances.
    fn shown(&self) -> impl Iterator<Item = (usize, &InstanceBuffers)> {
        self.instances.iter().enumerate().filter(|(i, _)| self.shown[*i])
    }

    /// The GPU mesh of an instance, for tests that compare who posed it.
    pub fn mesh(&self, instance_idx: usize) -> &Mesh {
        &self.instances[instance_idx].mesh
    }
}

impl InstanceBuffers {
    fn new(renderer: &Renderer, editor: &mut Editor, instance_idx: usize) -> Result<Self, RenderError> {
        let posed = editor.posed(instance_idx);
        let (version, positions, normals) = (posed.version, posed.posed.positions.clone(), posed.posed.normals.clone());
        let document = editor.document();
        let mesh = document.mesh(document.instances()[instance_idx].mesh);
        let index = document.instances()[instance_idx].mesh;
        let triangles = Triangles::of(document, index, &VertexSet::EMPTY);
        let Triangles { indices, parts, tails, tail_texcoords } = triangles;
        let mut texcoords = mesh.texcoords.clone();
        texcoords.extend(tail_texcoords);
        let data = MeshData {
            positions: &with_tails(positions, &tails),
            normals: &with_tails(normals, &tails),
            texcoords: &texcoords,
            indices: &indices,
        };
        let mesh = Mesh::new(renderer, data)?;
        Ok(Self {
            mesh,
            parts,
            tails,
            hidden_of: None,
            wire: None,
            dots: None,
            skin: None,
            posed_version: Some((false, version)),
            joint_colors_of: None,
            numbers_of: None,
            weights: Vec::new(),
            tints_of: None,
            has_tints: false,
            seams: None,
            unmatched: Vec::new(),
        })
    }

    /// Leaves out triangles with a hidden corner.
    fn update_hidden(
        &mut self,
        renderer: &Renderer,
        document: &Document,
        instance_idx: usize,
    ) -> Result<(), RenderError> {
        let mesh = document.instances()[instance_idx].mesh;
        let (hidden, revision) = (document.hidden(mesh), document.hidden_revision(mesh));
        if self.hidden_of == Some(revision) || (self.hidden_of.is_none() && hidden.is_empty()) {
            return Ok(());
        }
        let triangles = Triangles::of(document, mesh, hidden);
        self.mesh.set_indices(renderer, &triangles.indices)?;
        self.parts = triangles.parts;
        self.wire = None;
        self.hidden_of = Some(revision);
        Ok(())
    }

    /// Which vertices have a dot at which distance: by where they stand now, which is near enough in any pose.
    fn update_dots(
        &mut self,
        renderer: &Renderer,
        editor: &mut Editor,
        instance_idx: usize,
    ) -> Result<(), RenderError> {
        let mesh = editor.document().instances()[instance_idx].mesh;
        let revision = editor.document().hidden_revision(mesh);
        if self.dots.as_ref().is_some_and(|(_, of)| *of == revision) {
            return Ok(());
        }
        let surface = editor.surface(mesh);
        let places = editor.posed(instance_idx).group_positions.clone();
        let document = editor.document();
        let apart = dot_spread::of(&surface, &places, document.mesh(mesh).n_vertices(), document.hidden(mesh));
        let spread = DotSpread::new(renderer, &self.mesh, &with_tails(apart, &self.tails))?;
        self.dots = Some((spread, revision));
        Ok(())
    }

    fn update_pose(
        &mut self,
        renderer: &Renderer,
        editor: &mut Editor,
        instance_idx: usize,
        on_gpu: bool,
    ) -> Result<(), RenderError> {
        let instance = editor.document().instances()[instance_idx];
        if on_gpu && instance.skin.is_some() && editor.document().mesh(instance.mesh).is_skinned() {
            let skin = match &mut self.skin {
                Some(skin) => skin,
                None => self.skin.insert(GpuSkin::new(renderer, editor, instance_idx, &self.tails)?),
            };
            return skin.update(renderer, editor, instance_idx, &self.tails, &self.mesh);
        }
        let exported = editor.session.as_exported.then(|| editor.exported(instance_idx).map(|e| e.version)).flatten();
        let version = match exported {
            Some(version) => (true, version),
            None => (false, editor.posed(instance_idx).version),
        };
        let moved = match self.posed_version {
            Some((false, before)) if !version.0 => editor.posed(instance_idx).moved_since(before),
            _ => None,
        };
        if let Some(moved) = moved {
            let posed = &editor.posed(instance_idx).posed;
            for (run, first) in runs::of(moved, posed.positions.len(), &self.tails) {
                self.mesh.set_positions(renderer, first, &posed.positions[run.clone()])?;
                self.mesh.set_normals(renderer, first, &posed.normals[run])?;
            }
            self.posed_version = Some(version);
        } else if self.posed_version != Some(version) {
            let posed = if version.0
                && let Some(exported) = editor.exported(instance_idx)
            {
                &exported.posed
            } else {
                &editor.posed(instance_idx).posed
            };
            self.mesh.set_positions(renderer, 0, &posed.positions)?;
            self.mesh.set_normals(renderer, 0, &posed.normals)?;
            let mut first = posed.positions.len();
            for tail in &self.tails {
                self.mesh.set_positions(renderer, first as u32, &posed.positions[tail.clone()])?;
                self.mesh.set_normals(renderer, first as u32, &posed.normals[tail.clone()])?;
                first += tail.len();
            }
            self.posed_version = Some(version);
        }
        Ok(())
    }

    fn update_weights(
        &mut self,
        renderer: &Renderer,
        editor: &mut Editor,
        instance_idx: usize,
        locks_apart: bool,
    ) -> Result<(), RenderError> {
        let document = editor.document();
        let revision = document.mesh(document.instances()[instance_idx].mesh).weights_revision;
        let profile = editor.session.view_as().map(|profile| profile.name);
        let locks = locks_apart.then(|| document.locks_revision());
        let made_of = Numbers::Weights(revision, editor.session.active_joint, profile, locks);
        if self.numbers_of == Some(made_of) {
            return Ok(());
        }
        let mesh = document.instances()[instance_idx].mesh;
        let changed = match self.numbers_of {
            Some(Numbers::Weights(since, ..)) if self.numbers_of == Some(made_of.at(since)) => {
                editor.rows_changed_since(mesh, since)
            }
            _ => None,
        };
        if let Some(changed) = changed.filter(|changed| changed.len() < self.weights.len() / 4) {
            let weights = shown_weights::of(editor, instance_idx, locks_apart, Some(&changed));
            changed.iter().zip(weights).for_each(|(vertex, weight)| self.weights[vertex.idx()] = weight);
            for (run, first) in runs::of(changed, self.weights.len(), &self.tails) {
                self.mesh.set_weights(renderer, first, &self.weights[run])?;
            }
        } else {
            self.weights = shown_weights::of(editor, instance_idx, locks_apart, None);
            self.mesh.set_weights(renderer, 0, &with_tails(self.weights.clone(), &self.tails))?;
        }
        self.numbers_of = Some(made_of);
        Ok(())
    }

    fn update_difference(
        &mut self,
        renderer: &Renderer,
        editor: &mut Editor,
        instance_idx: usize,
    ) -> Result<(), RenderError> {
        let top = editor.difference().map_or(1.0, |difference| scale_top(&difference));
        let Some(exported) = editor.exported(instance_idx) else { return Ok(()) };
        let made_of = Numbers::Difference(exported.version, top);
        if self.numbers_of != Some(made_of) {
            let shares = exported.distances.iter().map(|distance| distance / top).collect();
            self.mesh.set_weights(renderer, 0, &with_tails(shares, &self.tails))?;
            self.numbers_of = Some(made_of);
        }
        Ok(())
    }

    fn update_left_right(
        &mut self,
        renderer: &Renderer,
        mesh: MeshIndex,
        left_right: &LeftRight,
    ) -> Result<(), RenderError> {
        let Some(found) = left_right.of(mesh) else { return Ok(()) };
        let made_of = Numbers::LeftRight(left_right.version);
        if self.numbers_of != Some(made_of) {
            let top = left_right.top();
            let shares = found.differences.iter().map(|difference| difference / top).collect();
            self.mesh.set_weights(renderer, 0, &with_tails(shares, &self.tails))?;
            self.unmatched = found.unmatched.iter().collect();
            self.numbers_of = Some(made_of);
        }
        Ok(())
    }

    /// Colours every vertex by its joints, in place of marks. During a stroke too: that is what one looks at.
    fn update_joint_colors(
        &mut self,
        renderer: &Renderer,
        editor: &Editor,
        instance_idx: usize,
        of_joints: &[Color],
    ) -> Result<(), RenderError> {
        let document = editor.document();
        let instance = document.instances()[instance_idx];
        let mesh = document.mesh(instance.mesh);
        let Some(skin) = instance.skin.filter(|_| mesh.is_skinned()) else { return Ok(()) };
        if self.joint_colors_of != Some(mesh.weights_revision) {
            let mut tints = joint_colors::of_vertices(document, mesh, skin, of_joints);
            tints.iter_mut().filter(|tint| **tint == Color::TRANSPARENT).for_each(|tint| *tint = UNWEIGHTED_TINT);
            self.mesh.set_tints(renderer, 0, &with_tails(tints, &self.tails))?;
            self.joint_colors_of = Some(mesh.weights_revision);
        }
        Ok(())
    }

    /// Leaves the tints as they are without any: marks come next.
    fn clear_joint_colors(&mut self, renderer: &Renderer) -> Result<(), RenderError> {
        if self.joint_colors_of.take().is_some() {
            self.mesh.set_tints(renderer, 0, &vec![Color::TRANSPARENT; self.mesh.n_vertices() as usize])?;
            (self.tints_of, self.has_tints) = (None, false);
        }
        Ok(())
    }
}

/// The array with copies of the given ranges behind it.
pub fn with_tails<T: Copy>(mut items: Vec<T>, tails: &[Range<usize>]) -> Vec<T> {
    for tail in tails {
        items.extend_from_within(tail.clone());
    }
    items
}

fn style_of(options: ViewOptions, show: Show, is_skinned: bool) -> MeshStyle {
    let display = &options.display;
    let is_textured_under = display.under == Under::Texture;
    let mode = match show {
        Show::Textured => MeshMode::Textured,
        Show::Weights if is_skinned => MeshMode::Weights,
        Show::Difference | Show::LeftRight if is_skinned => MeshMode::Difference,
        Show::JointColors if is_textured_under => MeshMode::Textured,
        Show::Weights | Show::Difference | Show::LeftRight | Show::JointColors | Show::Clay => MeshMode::Clay,
    };
    let clay = if is_skinned { MeshStyle::default().clay } else { Color::hex(0x7E_8086) };
    MeshStyle {
        mode,
        clay,
        n_contours: if options.contours { u32::from(display.n_lines) + 1 } else { 0 },
        ramp: display.ramp(),
        opacity: display.opacity(),
        // Joints' colours are tints; marks cover whatever weights do.
        tint_opacity: if show == Show::JointColors { display.opacity() } else { 1.0 },
        is_textured_under: is_textured_under && matches!(mode, MeshMode::Weights | MeshMode::Difference),
        marks_zero: display.zero == ZeroHighlight::Active,
        has_stripes: matches!(show, Show::Weights | Show::LeftRight),
    }
}

/// Positions read back from the GPU, for tests.
pub fn read_positions(renderer: &Renderer, mesh: &Mesh) -> Result<Vec<Vec3>, RenderError> {
    let bytes = sinew_render::readback::read_buffer(renderer.device(), renderer.queue(), mesh.positions())?;
    Ok(bytemuck::pod_collect_to_vec(&bytes))
}
