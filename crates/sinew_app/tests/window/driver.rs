//! A window without a display, and hands to use it with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::Vec3;
use sinew_app::dialogs::FileDialogs;
use sinew_app::viewport::gpu::GpuOptions;
use sinew_app::{App, Start};
use sinew_edit::Editor;

/// A window and its application.
pub struct Window {
    /// The window.
    pub harness: Harness<'static, App>,
}

/// How the window is made.
pub struct Setup {
    pub size: Vec2,
    pub pixels_per_point: f32,
    pub path: Option<PathBuf>,
    pub model: Option<sinew_io::Imported>,
    pub gpu: GpuOptions,
    pub dialogs: Arc<dyn FileDialogs>,
    pub demo: Option<sinew_app::app::Demo>,
    pub can_drop: bool,
    pub journal_folder: Option<PathBuf>,
    pub quick_save: Duration,
}

/// A desktop without file dialogs.
pub struct NoDialogs;

impl FileDialogs for NoDialogs {
    fn open(&self, _: &[&str]) -> Option<PathBuf> {
        None
    }

    fn save(&self, _: &Path, _: &[&str]) -> Option<PathBuf> {
        None
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            size: egui::vec2(1100.0, 720.0),
            pixels_per_point: 1.0,
            path: None,
            model: None,
            gpu: GpuOptions { refine: false, ..GpuOptions::default() },
            dialogs: Arc::new(NoDialogs),
            demo: None,
            can_drop: true,
            journal_folder: None,
            quick_save: Duration::from_secs(5),
        }
    }
}

/// The arm that comes with the program.
pub fn arm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/arm.glb")
}

pub const NONE: Modifiers = Modifiers::NONE;
pub const SHIFT: Modifiers = Modifiers::SHIFT;
pub const ALT: Modifiers = Modifiers::ALT;
pub const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
pub const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..CTRL };

impl Window {
    pub fn new(setup: Setup) -> Self {
        let start = Start {
            path: setup.path,
            model: setup.model,
            dialogs: setup.dialogs,
            demo: setup.demo,
            can_drop: setup.can_drop,
            journal_folder: setup.journal_folder,
            gpu: setup.gpu,
            quick_save: setup.quick_save,
            ..Start::default()
        };
        let harness = Harness::builder()
            .with_size(setup.size)
            .with_pixels_per_point(setup.pixels_per_point)
            .with_max_steps(400)
            .with_step_dt(1.0 / 60.0)
            .wgpu()
            .build_eframe(|cc| App::new(cc, start).unwrap());
        let mut window = Self { harness };
        window.settle();
        window
    }

    pub fn open(path: &Path) -> Self {
        Self::new(Setup { path: Some(path.to_owned()), ..Setup::default() })
    }

    /// Waits for files and dialogs, then for the last frame.
    pub fn settle(&mut self) {
        for _ in 0..2000 {
            if !self.app().is_busy() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
            self.harness.step();
        }
        assert!(!self.app().is_busy(), "still busy after ten seconds");
        self.harness.run();
    }

    /// Nobody does anything for a while: what the status line said has been read.
    pub fn wait(&mut self, seconds: f64) {
        let now_s = self.harness.ctx.input(|i| i.time);
        self.harness.input_mut().time = Some(now_s + seconds);
        self.harness.step();
        self.harness.input_mut().time = None;
        self.harness.run();
    }

    /// Frames until nothing moves any more: a spinner goes on until what it waits for is there.
    fn rest(&mut self) {
        let start = Instant::now();
        while self.harness.try_run().is_err() {
            assert!(start.elapsed() < Duration::from_secs(10), "it never comes to rest");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn app(&self) -> &App {
        self.harness.state()
    }

    pub fn editor(&self) -> &Editor {
        self.app().editor().unwrap()
    }

    pub fn editor_mut(&mut self) -> &mut Editor {
        self.harness.state_mut().editor_mut().unwrap()
    }

    /// Where a scene point is in the window.
    pub fn pos(&self, point: Vec3) -> Pos2 {
        let viewport = self.app().viewport();
        viewport.area().pos_of(viewport.view().px_of(point).unwrap())
    }

    pub fn key(&mut self, key: Key, modifiers: Modifiers) {
        self.harness.key_press_modifiers(modifiers, key);
        self.rest();
        if key == Key::S && modifiers.command {
            self.settle();
        }
    }

    /// Holds keys for the events that follow.
    pub fn hold(&mut self, modifiers: Modifiers) {
        self.harness.event(Event::ModifiersChanged(modifiers));
        self.harness.run();
    }

    pub fn hover(&mut self, pos: Pos2) {
        self.harness.hover_at(pos);
        self.harness.run();
    }

    pub fn press(&mut self, pos: Pos2, button: PointerButton, modifiers: Modifiers) {
        self.harness.event(Event::PointerButton { pos, button, pressed: true, modifiers });
        self.harness.run();
    }

    pub fn release(&mut self, pos: Pos2, button: PointerButton, modifiers: Modifiers) {
        self.harness.event(Event::PointerButton { pos, button, pressed: false, modifiers });
        self.harness.run();
    }

    pub fn click(&mut self, pos: Pos2, modifiers: Modifiers) {
        self.hover(pos);
        self.press(pos, PointerButton::Primary, modifiers);
        self.release(pos, PointerButton::Primary, modifiers);
    }

    /// Drags through the positions.
    pub fn drag(&mut self, path: &[Pos2], button: PointerButton, modifiers: Modifiers) {
        self.hold(modifiers);
        self.hover(path[0]);
        self.press(path[0], button, modifiers);
        for &pos in &path[1..] {
            self.hover(pos);
        }
        self.release(path[path.len() - 1], button, modifiers);
        self.hold(NONE);
    }

    pub fn stroke(&mut self, from: Pos2, to: Pos2, modifiers: Modifiers) {
        let path: Vec<Pos2> = (0..=12).map(|i| from.lerp(to, i as f32 / 12.0)).collect();
        self.drag(&path, PointerButton::Primary, modifiers);
    }

    pub fn click_label(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.harness.run();
    }

    /// Opens a menu of the bar: it stands above everything else of that name.
    pub fn menu(&mut self, name: &str) {
        let all = self.harness.get_all_by_role_and_label(egui::Role::Button, name);
        all.min_by(|a, b| a.rect().min.y.total_cmp(&b.rect().min.y)).unwrap().click();
        self.harness.run();
    }

    /// How long until the window wants to be laid out again.
    pub fn repaint_delay(&self) -> Duration {
        self.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay
    }

    /// The middle of the view.
    pub fn center(&self) -> Pos2 {
        self.app().viewport().area().rect().center()
    }

    /// All weights of the first skinned mesh, to compare documents.
    pub fn weights(&self) -> Vec<Vec<(u16, u32)>> {
        weights(self.editor())
    }
}

/// All weights of the first skinned mesh, to the bit.
pub fn weights(editor: &Editor) -> Vec<Vec<(u16, u32)>> {
    let document = editor.document();
    let mesh = document.mesh(document.skinned_meshes()[0]);
    let rows = mesh.weights.vertices().map(|v| mesh.weights.get(v));
    rows.map(|row| row.influences().iter().map(|i| (i.slot.0, i.weight.to_bits())).collect()).collect()
}
