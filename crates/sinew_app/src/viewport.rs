//! The 3D view: a picture drawn off-screen only when something in it changed, and the tools that work in it.

pub mod asymmetry;
pub mod axes;
mod bend_input;
pub mod camera;
pub mod display;
pub mod display_card;
pub mod draw;
pub mod exchange_card;
mod framing;
pub mod ghosts;
pub mod gizmo;
pub mod gpu;
pub mod gpu_skin;
pub mod hand;
pub mod hand_input;
mod held;
pub mod input;
pub mod joint_colors;
pub mod joints;
pub mod keys_card;
pub mod lay;
pub mod legend;
pub mod lock_pie;
pub mod loss;
pub mod mark_dots;
pub mod marks;
pub mod mask_brush;
pub mod options;
pub mod overlay;
pub mod pose_text;
pub mod read_out;
pub mod rings;
pub mod scene;
pub mod seams;
pub mod select;
pub mod shown_weights;
pub mod still;
pub mod switches;
pub mod tools;
pub mod triangles;
pub mod vertex_notes;
pub mod walk;
pub mod zoom;

use glam::{Vec2, Vec3};
use sinew_edit::Editor;
use sinew_edit::pick::SkinHit;
use sinew_geometry::Aabb;
use sinew_model::{MeshIndex, NodeIndex, Pose, Revision, SceneIndex};

use crate::action::Action;
use crate::files::OpenFile;
use crate::keymap::Mode;
use camera::{Camera, NamedView, View};
use draw::Extras;
pub use framing::posed_points;
use gizmo::{Gizmo, GizmoLook, Grip, RingDrag};
use gpu::ViewportGpu;
use hand::{Hand, InHand, ScreenSize};
use joints::WeightedJoints;
use options::{Show, ViewOptions};
use scene::Scene;
use tools::Tools;

/// How long nothing must change before a rough picture is drawn again, smooth. Seconds.
const SETTLED_S: f64 = 0.25;
/// Larger models stay rough on a CPU adapter: a smooth picture would take too long.
const MAX_REFINED_TRIANGLES: usize = 400_000;

/// The 3D view and the state of its tools.
pub struct Viewport {
    /// The camera.
    pub camera: Camera,
    /// What is shown.
    pub options: ViewOptions,
    /// What is in the hand.
    pub in_hand: InHand,
    /// The size of the brush on screen, where that is kept.
    pub screen_size: ScreenSize,
    exchange: exchange_card::ExchangeCard,
    /// Whether the card that says how weights are shown is open.
    pub shows_display: bool,
    gpu: ViewportGpu,
    scene: Option<Scene>,
    problem: Option<String>,
    tools: Tools,
    hover: Option<SkinHit>,
    hovered_joint: Option<NodeIndex>,
    /// The joint whose dot the pointer is on.
    named_joint: Option<NodeIndex>,
    hovered_ring: Option<usize>,
    weighted: WeightedJoints,
    bounds: Aabb,
    /// The scene that the bounds are of.
    scene_bounds_of: Option<SceneIndex>,
    front_yaw_deg: f32,
    needs_framing: bool,
    shown: Option<FrameKey>,
    n_pictures: u64,
    texture: Option<egui::TextureId>,
    rough_since: Option<f64>,
    /// Which of the places that have marks was framed last.
    marked_place: usize,
    legend: legend::Legend,
    /// Whether nothing moves by itself: the system's or the theme's wish.
    is_calm: bool,
    /// Where the view was last laid out.
    area: PxRect,
}

/// The view's rectangle in whole physical pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PxRect {
    /// Top left, physical pixels from the window's.
    pub min_px: Vec2,
    /// Width and height, physical pixels.
    pub size_px: [u32; 2],
    /// Physical pixels in a point.
    pub pixels_per_point: f32,
}

/// Everything that a picture depends on.
#[derive(PartialEq)]
struct FrameKey {
    hidden: std::collections::BTreeSet<NodeIndex>,
    area: PxRect,
    camera: Camera,
    options: ViewOptions,
    session: Option<SessionKey>,
    ring: Option<(SkinHit, sinew_edit::BrushSettings)>,
    hand: Hand,
    laid: Option<[Vec3; 2]>,
    left_right: Option<u64>,
    is_painting: bool,
    hovered_joint: Option<NodeIndex>,
    hovered_ring: Option<usize>,
    turned: Option<(Grip, f32)>,
    mode: Mode,
}

#[derive(PartialEq)]
struct SessionKey {
    scene: Option<SceneIndex>,
    out_of_sight: sinew_edit::OutOfSight,
    pose: Pose,
    deformer: &'static str,
    view_as: Option<&'static str>,
    active_joint: Option<NodeIndex>,
    weights: Vec<Revision>,
    locks: Revision,
    refused: u64,
    budget: sinew_model::Budget,
    /// Selected, masked, hidden.
    marks: Vec<[Revision; 3]>,
    pairs: Revision,
    mirror: Option<sinew_edit::SymmetrySettings>,
}

impl SessionKey {
    fn of(editor: &Editor) -> Self {
        let (document, session) = (editor.document(), &editor.session);
        Self {
            scene: session.scene,
            out_of_sight: session.out_of_sight.clone(),
            pose: session.pose.clone(),
            deformer: session.deformer.name(),
            view_as: session.view_as().map(|profile| profile.name),
            active_joint: session.active_joint,
            weights: document.meshes().iter().map(|mesh| mesh.weights_revision).collect(),
            locks: document.locks_revision(),
            refused: editor.refused_revision(),
            budget: document.budget(),
            marks: (0..document.meshes().len())
                .map(MeshIndex::from_idx)
                .map(|mesh| {
                    let (selected, masked) = (document.selection_revision(mesh), document.mask_revision(mesh));
                    [selected, masked, document.hidden_revision(mesh)]
                })
                .collect(),
            pairs: document.joint_pairs_revision(),
            mirror: session.paint.mirror,
        }
    }
}

impl PxRect {
    /// Rounds a rectangle in points to whole pixels; nothing is ever negative.
    pub fn new(rect: egui::Rect, pixels_per_point: f32) -> Self {
        let px = |points: egui::Pos2| Vec2::new(points.x, points.y) * pixels_per_point;
        let (min, max) = (px(rect.min).round(), px(rect.max).round());
        let side = |a: f32, b: f32| if b > a && (b - a).is_finite() { (b - a) as u32 } else { 0 };
        Self { min_px: min, size_px: [side(min.x, max.x), side(min.y, max.y)], pixels_per_point }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.size_px.contains(&0)
    }

    /// A window position as pixels from the view's top left.
    pub fn px_of(&self, pos: egui::Pos2) -> Vec2 {
        Vec2::new(pos.x, pos.y) * self.pixels_per_point - self.min_px
    }

    /// Pixels from the view's top left as a window position.
    pub fn pos_of(&self, px: Vec2) -> egui::Pos2 {
        let points = (px + self.min_px) / self.pixels_per_point;
        egui::pos2(points.x, points.y)
    }

    /// The rectangle in points, on whole pixels.
    pub fn rect(&self) -> egui::Rect {
        let size = Vec2::new(self.size_px[0] as f32, self.size_px[1] as f32);
        egui::Rect::from_min_max(self.pos_of(Vec2::ZERO), self.pos_of(size))
    }
}

impl Viewport {
    /// A view with an empty stage.
    pub fn new(gpu: ViewportGpu, options: ViewOptions) -> Self {
        Self {
            camera: Camera::default(),
            options,
            in_hand: InHand::default(),
            screen_size: ScreenSize::default(),
            exchange: exchange_card::ExchangeCard::default(),
            shows_display: false,
            gpu,
            scene: None,
            problem: None,
            tools: Tools::default(),
            hover: None,
            hovered_joint: None,
            named_joint: None,
            hovered_ring: None,
            weighted: WeightedJoints::default(),
            bounds: Aabb::EMPTY,
            scene_bounds_of: None,
            front_yaw_deg: 0.0,
            needs_framing: true,
            shown: None,
            n_pictures: 0,
            texture: None,
            rough_since: None,
            marked_place: 0,
            legend: legend::Legend::default(),
            is_calm: false,
            area: PxRect::new(egui::Rect::NOTHING, 1.0),
        }
    }

    /// Shows another file: forgets buffers and tools, frames the model.
    pub fn open(&mut self, file: &mut OpenFile) {
        self.close();
        self.bounds = file.editor.bounds();
        self.scene_bounds_of = file.editor.session.scene;
        self.camera = Camera::default();
        self.front_yaw_deg = file.front_yaw_deg();
        self.camera.yaw_deg += self.front_yaw_deg;
        self.needs_framing = true;
    }

    /// Forgets buffers and tools: the stage is empty.
    pub fn close(&mut self) {
        self.tools = Tools::default();
        self.scene = None;
        self.problem = None;
        self.hover = None;
        self.hovered_joint = None;
        self.named_joint = None;
        self.hovered_ring = None;
        self.weighted = WeightedJoints::default();
        self.shown = None;
        self.options.marks = None;
    }

    /// What the mouse buttons and keys do now.
    pub fn mode(&self) -> Mode {
        self.tools.mode()
    }

    /// What the mouse buttons and keys do now, by what is in the hand.
    pub fn hand_mode(&self) -> Mode {
        match (self.mode(), self.in_hand.hand) {
            (Mode::Idle, Hand::Select) => Mode::Selecting,
            (Mode::Idle, _) if self.tools.flex.rest().is_some() => Mode::Flexed,
            (mode, _) => mode,
        }
    }

    /// How many pictures were drawn so far.
    pub fn n_pictures(&self) -> u64 {
        self.n_pictures
    }

    /// The view as it was last laid out.
    pub fn view(&self) -> View {
        View::new(self.camera, self.area.size_px)
    }

    /// Where the view was last laid out.
    pub fn area(&self) -> PxRect {
        self.area
    }

    /// What is under the pointer.
    pub fn hover(&self) -> Option<&SkinHit> {
        self.hover.as_ref()
    }

    /// The scene on the GPU, once something was drawn.
    pub fn scene(&self) -> Option<&Scene> {
        self.scene.as_ref()
    }

    /// Drawing objects.
    pub fn gpu(&self) -> &ViewportGpu {
        &self.gpu
    }

    /// Why the model cannot be drawn.
    pub fn problem(&self) -> Option<&str> {
        self.gpu.loss().or(self.problem.as_deref())
    }

    /// Whether Escape is for a tool, a field or an open list.
    pub(crate) fn takes_escape(&self) -> bool {
        self.mode() != Mode::Idle || self.tools.shows_keys || self.tools.had_keys_elsewhere
    }

    /// Whether a joint stays flexed, which Escape lets spring back.
    pub(crate) fn has_flexed(&self) -> bool {
        self.tools.flex.joint().is_some()
    }

    /// Takes back whatever a tool has begun.
    pub fn cancel_tools(&mut self, editor: &mut Editor) {
        self.tools.cancel(editor);
    }

    /// Differs whenever what panels show of the editor does, but for the brush.
    pub fn session_stamp(&self, file: Option<&OpenFile>) -> Option<impl PartialEq + use<>> {
        file.map(|file| (SessionKey::of(&file.editor), file.editor.history().n_done(), file.editor.session.brush))
    }

    /// Puts a flexed joint back at once: somebody else needs the pose as it was set.
    pub fn unflex(&mut self, editor: &mut Editor) {
        self.tools.flex.cancel(editor);
    }

    /// Looks along a named view.
    pub fn look(&mut self, named: NamedView) {
        let [yaw_deg, pitch_deg] = named.yaw_pitch_deg();
        self.camera.look([yaw_deg + self.front_yaw_deg, pitch_deg]);
    }

    /// Lays the view out, takes input and draws if something changed.
    pub fn ui(&mut self, ui: &mut egui::Ui, file: Option<&mut OpenFile>, is_blocked: bool, actions: &mut Vec<Action>) {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), egui::Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Viewport"));
        self.area = PxRect::new(rect, ui.ctx().pixels_per_point());
        let Some(file) = file else {
            input::keys_without_file(ui, is_blocked, actions);
            self.picture(ui, None);
            return;
        };
        self.frame_if_asked(&mut file.editor);
        self.weighted.update(&file.editor);
        self.is_calm = ui.style().animation_time <= 0.0;
        input::take(self, ui, &mut file.editor, is_blocked, actions);
        self.tools.follow_flex(&mut file.editor, self.is_calm);
        if self.tools.flex.is_springing() && self.tools.flex.advance(&mut file.editor, ui.input(|i| i.stable_dt)) {
            ui.ctx().request_repaint();
        }
        input::tick(self, ui, &mut file.editor, actions);
        hand_input::show_laid(self, ui.ctx(), &mut file.editor, actions);
        if let Some(scene) = self.scene.as_mut().filter(|_| self.options.show == Show::LeftRight) {
            scene.left_right.follow(&mut file.editor, ui.ctx());
        }
        self.look_under_pointer(ui, &mut file.editor, is_blocked);
        self.picture(ui, Some(file));
        hand_input::outline(self, ui);
        read_out::show(self, ui, &mut file.editor);
        switches::show(self, ui, &file.editor, actions);
        display_card::show(self, ui, actions);
        legend::show(self, ui, &mut file.editor);
        exchange_card::show(self, ui, &file.editor);
        axes::show(self, ui);
        actions.extend(lock_pie::show(self, ui, &file.editor));
        keys_card::show(self, ui);
    }

    fn look_under_pointer(&mut self, ui: &egui::Ui, editor: &mut Editor, is_blocked: bool) {
        let is_looking = matches!(self.mode(), Mode::Idle | Mode::Taking | Mode::Painting | Mode::Empty);
        self.hovered_joint = None;
        self.named_joint = None;
        self.hovered_ring = None;
        if let Some(hit) = self.tools.sizing_at() {
            self.hover = Some(hit);
            return;
        }
        self.hover = None;
        let pos = ui.ctx().input(|i| i.pointer.latest_pos());
        let Some(pos) = pos.filter(|&pos| is_looking && !is_blocked && self.is_over(ui, pos)) else { return };
        let px = self.area.px_of(pos);
        let modifiers = ui.ctx().input(|i| i.modifiers);
        if crate::keymap::of(ui.ctx()).picks_joint(modifiers) && self.mode() == Mode::Idle {
            self.hovered_joint = self.weighted.at((&self.view(), self.area.pixels_per_point), editor, px);
            return;
        }
        if self.mode() == Mode::Taking {
            self.hovered_joint = joints::on_skin(editor, self.view().ray_at(px));
            return;
        }
        if self.mode() == Mode::Idle {
            let (view, pixels_per_point) = (self.view(), self.area.pixels_per_point);
            let grip = self.gizmo(editor).and_then(|gizmo| gizmo.grip_at(&view, pixels_per_point, px));
            self.hovered_ring = grip.map(|grip| grip.axis_idx);
            if self.hovered_ring.is_some() {
                return;
            }
            if self.options.joints {
                self.named_joint = self.weighted.dot_at((&view, pixels_per_point), editor, px);
            }
        }
        self.hover = editor.pick(self.view().ray_at(px)).filter(|hit| {
            let document = editor.document();
            document.mesh(hit.mesh).is_skinned() && document.instances()[hit.instance_idx].skin.is_some()
        });
    }

    /// Whether what is in the hand has a size.
    fn shows_ring(&self) -> bool {
        matches!(self.in_hand.hand, Hand::Brush | Hand::Mask)
    }

    /// What the pen that touches the surface says.
    fn pressure(&self) -> sinew_edit::tools::Pressure {
        input::pressure(self)
    }

    /// The rings around the active joint, where they are shown.
    pub fn gizmo(&self, editor: &mut Editor) -> Option<Gizmo> {
        let is_flexed = self.tools.flex.joint().is_some();
        let is_shown =
            self.options.gizmo && !is_flexed && matches!(self.mode(), Mode::Idle | Mode::Turning | Mode::Looking);
        if is_shown { Gizmo::of(editor, &self.view(), self.area.pixels_per_point) } else { None }
    }

    /// The ring under the pointer: 0, 1, 2 for X, Y, Z.
    pub fn hovered_ring(&self) -> Option<usize> {
        self.hovered_ring
    }

    /// The joint whose name is shown because the pointer is on its dot, or because a click would pick it.
    pub fn named_joint(&self) -> Option<NodeIndex> {
        self.hovered_joint.or(self.named_joint)
    }

    /// Joints that are neither drawn nor picked.
    pub fn hidden_joints_mut(&mut self) -> &mut std::collections::BTreeSet<NodeIndex> {
        &mut self.weighted.hidden
    }

    /// Whether a window position is over the view and nothing lies in between.
    fn is_over(&self, ui: &egui::Ui, pos: egui::Pos2) -> bool {
        let on_top = ui.ctx().layer_id_at(pos).is_none_or(|layer| layer == ui.layer_id());
        self.area.rect().contains(pos)
            && on_top
            && !self.tools.switches_rect.contains(pos)
            && !self.tools.axes_rect.contains(pos)
            && !self.legend.rect.contains(pos)
    }

    fn picture(&mut self, ui: &egui::Ui, mut file: Option<&mut OpenFile>) {
        // Nobody sees what is drawn in a minimised or covered window; what changed is drawn once when it is back (B69).
        if self.area.is_empty() || ui.ctx().input(|i| i.viewport().visible()) == Some(false) {
            return;
        }
        if let Some(reason) = self.gpu.loss() {
            return loss::show(ui, self.area, reason);
        }
        let key = self.key(file.as_deref());
        let now = ui.ctx().input(|i| i.time);
        if self.shown.as_ref() != Some(&key) {
            self.draw(file.as_deref_mut(), false);
            self.shown = Some(key);
            self.rough_since = self.may_refine().then_some(now);
        }
        if let Some(since) = self.rough_since {
            let left = SETTLED_S - (now - since);
            if left <= 0.0 {
                self.draw(file, true);
                self.rough_since = None;
            } else {
                ui.ctx().request_repaint_after_secs(left as f32);
            }
        }
        let rect = self.area.rect();
        if let Some(texture) = self.texture {
            let uv = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            ui.painter().image(texture, rect, uv, egui::Color32::WHITE);
        }
        if let Some(problem) = &self.problem {
            let text = format!("This model cannot be drawn here.\n{problem}");
            let font = egui::FontId::proportional(13.0);
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, text, font, crate::theme::BAD);
        }
    }

    fn may_refine(&self) -> bool {
        let n_triangles = self.scene.as_ref().map_or(0, Scene::n_triangles);
        self.gpu.refines() && self.problem.is_none() && n_triangles <= MAX_REFINED_TRIANGLES
    }

    fn key(&self, file: Option<&OpenFile>) -> FrameKey {
        let session = file.map(|file| SessionKey::of(&file.editor));
        let brush = file.map(|file| file.editor.session.brush);
        FrameKey {
            hidden: self.weighted.hidden.clone(),
            area: self.area,
            camera: self.camera,
            options: self.options,
            session,
            ring: self.hover.zip(brush).filter(|_| self.shows_ring()),
            hand: self.in_hand.hand,
            laid: self.tools.in_use.laid.as_ref().map(lay::Laid::ends),
            left_right: self.scene.as_ref().map(|scene| scene.left_right().version),
            is_painting: self.mode() == Mode::Painting,
            hovered_joint: self.hovered_joint,
            hovered_ring: self.hovered_ring,
            turned: self.tools.ring_drag().map(RingDrag::turned),
            mode: self.mode(),
        }
    }

    fn draw(&mut self, file: Option<&mut OpenFile>, is_smooth: bool) {
        self.problem = self.try_draw(file, is_smooth).err().map(|problem| problem.to_string());
        self.n_pictures += 1;
    }

    fn try_draw(&mut self, mut file: Option<&mut OpenFile>, is_smooth: bool) -> Result<(), sinew_render::RenderError> {
        let view = self.view();
        let is_painting = self.tools.mode() == Mode::Painting;
        let skin_on_gpu = self.gpu.skins_on_gpu();
        let turned = self.tools.ring_drag().map(RingDrag::turned);
        let lit = turned.map(|(grip, _)| grip.axis_idx).or(self.hovered_ring);
        let gizmo = file.as_deref_mut().and_then(|file| self.gizmo(&mut file.editor));
        let shows_ring = self.shows_ring();
        let canvas = self.gpu.canvas(is_smooth, self.area.size_px)?;
        self.texture = canvas.texture();
        let Some(file) = file else {
            return draw::draw_empty(canvas.renderer(), canvas.target(), &view);
        };
        let scene = match &mut self.scene {
            Some(scene) => scene,
            None => self.scene.insert(Scene::new(canvas.renderer(), &mut file.editor, &file.images, skin_on_gpu)?),
        };
        let extras = Extras {
            ring: self.hover.filter(|_| self.hovered_joint.is_none() && shows_ring),
            laid: self.tools.in_use.laid.as_ref(),
            is_painting,
            hovered_joint: self.hovered_joint,
            is_weighted: self.weighted.as_slice(),
            hidden: Some(&self.weighted.hidden),
            gizmo: gizmo.map(|gizmo| GizmoLook { gizmo, lit, turned }),
            bounds: self.bounds,
        };
        let at = (&view, self.area.pixels_per_point);
        draw::draw(canvas.renderer(), canvas.target(), scene, &mut file.editor, at, &self.options, extras)
    }
}
