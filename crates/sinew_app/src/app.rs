//! The application: holds the parts and calls them; what they do is theirs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use egui::{CentralPanel, Panel};
use sinew_edit::Editor;
use sinew_io::{OpenError, SaveReport};

use crate::action::{Action, Notice};
use crate::busy;
use crate::dialogs::{Asking, FileDialogs, SystemDialogs};
use crate::facts::Facts;
use crate::files::OpenFile;
use crate::key_order::{self, KeyOrder};
use crate::keymap::{self, Mode};
use crate::mirroring::{self, Mirroring};
use crate::modals::{Modal, Then, Verdict};
use crate::notices::Notices;
use crate::opening::Opening;
use crate::panels::brush_bar::BrushBar;
use crate::panels::controls;
use crate::panels::joints::JointList;
use crate::panels::palette::{self, Palette};
use crate::panels::pose::PosePanel;
use crate::panels::sections::Section;
use crate::panels::settings::Settings;
use crate::panels::side::{self, Part};
use crate::panels::timeline::Playback;
use crate::panels::{file_report, history, menus, save_report, status, timeline, tool_strip, top_bar, welcome};
use crate::preferences::Preferences;
use crate::recovery::{self, Offer};
use crate::rescue::{Rescue, Rescued};
use crate::saving::{self, Saving};
use crate::viewport::Viewport;
use crate::viewport::gpu::{GpuOptions, ViewportGpu};
use crate::working::{self, Working};
use crate::{AppError, PREFERENCES_KEY, escape, fonts, perform, theme};

/// How the window starts.
pub struct Start {
    /// The file to open.
    pub path: Option<PathBuf>,
    /// A model to show that is no file, where no file is to be opened.
    pub model: Option<sinew_io::Imported>,
    /// Makes the character that comes with the program.
    pub demo: Option<Demo>,
    /// Whether files can be dropped on the window: not on every desktop.
    pub can_drop: bool,
    /// The place where a window that had to close left its file, and where this one leaves its own; without one the
    /// window stays and says that it cannot draw.
    pub rescue: Option<Rescue>,
    /// Where journals are kept, so that a crash loses nothing; without it none are.
    pub journal_folder: Option<PathBuf>,
    /// The file dialogs.
    pub dialogs: Arc<dyn FileDialogs>,
    /// How the view uses the device.
    pub gpu: GpuOptions,
    /// So long a save or a command may take before the window goes on without it.
    pub quick_save: Duration,
}

/// Makes the character that comes with the program.
pub type Demo = fn() -> Result<sinew_io::Imported, OpenError>;

/// The window's application.
pub struct App {
    pub(crate) file: Option<OpenFile>,
    pub(crate) viewport: Viewport,
    pub(crate) notices: Notices,
    pub(crate) report: Option<SaveReport>,
    pub(crate) modal: Option<Modal>,
    pub(crate) shows_file_report: bool,
    pub(crate) may_close: bool,
    pub(crate) settings: Settings,
    pub(crate) preferences: Preferences,
    pub(crate) dialogs: Arc<dyn FileDialogs>,
    pub(crate) palette: Option<Palette>,
    pub(crate) saving: Option<Saving>,
    pub(crate) working: Option<Working>,
    pub(crate) mirroring: Option<Mirroring>,
    pub(crate) quick_save: Duration,
    pub(crate) opening: Option<Opening>,
    /// Where the file goes if this window has to close because the device stopped.
    rescue: Option<Rescue>,
    pub(crate) demo: Option<Demo>,
    can_drop: bool,
    pub(crate) asking: Option<Asking>,
    /// What happens after the save whose path is asked for.
    pub(crate) after_asking: Option<Then>,
    journal_folder: Option<PathBuf>,
    /// Work that a crash left and nobody decided about.
    pub(crate) offers: Vec<Offer>,
    /// The journal of the one that is to be asked about.
    pub(crate) to_ask: Option<PathBuf>,
    pub(crate) facts: Facts,
    pub(crate) joint_list: JointList,
    pose_panel: PosePanel,
    pub(crate) playback: Playback,
    pub(crate) brush_bar: BrushBar,
    key_order: KeyOrder,
    /// Recent files as they are stored.
    stored_recent: Vec<PathBuf>,
    title: String,
    n_frames: u64,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            path: None,
            model: None,
            journal_folder: None,
            rescue: None,
            demo: None,
            // Dropped files do not arrive under Wayland (B60).
            can_drop: std::env::var_os("WAYLAND_DISPLAY").is_none(),
            dialogs: Arc::new(SystemDialogs),
            gpu: GpuOptions::default(),
            quick_save: Duration::from_millis(150),
        }
    }
}

impl App {
    /// The application in a window (or a test's stand-in for one).
    pub fn new(cc: &eframe::CreationContext<'_>, start: Start) -> Result<Self, AppError> {
        theme::install(&cc.egui_ctx);
        fonts::install(&cc.egui_ctx);
        cc.egui_ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let state = cc.wgpu_render_state.clone().ok_or(AppError::NoGraphics)?;
        let mut gpu = ViewportGpu::new(state, start.gpu)?;
        gpu.watch(&cc.egui_ctx);
        let is_cpu = gpu.is_cpu();
        let mut preferences = Preferences::load(cc.storage);
        preferences.apply_look(&cc.egui_ctx);
        let mut app = Self {
            file: None,
            viewport: Viewport::new(gpu, preferences.view),
            notices: Notices::default(),
            report: None,
            modal: None,
            shows_file_report: false,
            may_close: false,
            settings: Settings::default(),
            dialogs: start.dialogs,
            palette: None,
            saving: None,
            working: None,
            mirroring: None,
            quick_save: start.quick_save,
            opening: None,
            demo: start.demo,
            can_drop: start.can_drop,
            asking: None,
            after_asking: None,
            offers: start.journal_folder.as_deref().map(recovery::find).unwrap_or_default(),
            to_ask: None,
            journal_folder: start.journal_folder,
            stored_recent: preferences.recent.clone(),
            preferences,
            facts: Facts::default(),
            joint_list: JointList::default(),
            pose_panel: PosePanel::default(),
            playback: Playback::default(),
            brush_bar: BrushBar::default(),
            key_order: KeyOrder::default(),
            title: String::new(),
            n_frames: 0,
            rescue: start.rescue,
        };
        if is_cpu {
            app.say(Notice::refused("No graphics card: drawing is slow"));
        }
        if let Some(rescued) = app.rescue.as_ref().and_then(Rescue::take) {
            app.take_file(rescued.file);
            app.say(Notice::refused(format!(
                "The graphics device stopped ({}); this is a new window, and nothing is lost",
                rescued.reason
            )));
        } else if let Some(path) = start.path {
            app.tell_of_work_but_on(&path);
            app.open_path(&cc.egui_ctx, path);
        } else {
            // Nobody asked for a file.
            app.to_ask = app.offer_of(|_| true);
            if let Some(model) = start.model {
                app.take_file(OpenFile::new(model));
            }
        }
        Ok(app)
    }

    /// The open file.
    pub fn file(&self) -> Option<&OpenFile> {
        self.file.as_ref()
    }

    /// The open file's editor.
    pub fn editor(&self) -> Option<&Editor> {
        self.file.as_ref().map(|file| &file.editor)
    }

    /// The open file's editor, to prepare a test's scene.
    pub fn editor_mut(&mut self) -> Option<&mut Editor> {
        self.file.as_mut().map(|file| &mut file.editor)
    }

    /// Stores which files were open as soon as that changes: a program that is killed does not forget the file that it
    /// has just written.
    pub fn store_recent(&mut self, storage: &mut dyn eframe::Storage) {
        if self.stored_recent != self.preferences.recent {
            self.stored_recent.clone_from(&self.preferences.recent);
            eframe::set_value(storage, PREFERENCES_KEY, &self.preferences);
            storage.flush();
        }
    }

    /// The 3D view.
    pub fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    /// The 3D view, to move its camera.
    pub fn viewport_mut(&mut self) -> &mut Viewport {
        &mut self.viewport
    }

    /// What the status line says happened last; none once it was seen long enough.
    pub fn notice(&self) -> Option<&Notice> {
        self.notices.shown()
    }

    /// Says something in the status line.
    pub(crate) fn say(&mut self, notice: Notice) {
        self.notices.say(notice);
    }

    /// The report of the last save.
    pub fn save_report(&self) -> Option<&SaveReport> {
        self.report.as_ref()
    }

    /// Whether a file or a dialog is on its way.
    pub fn is_busy(&self) -> bool {
        let is_at_work = self.saving.is_some() || self.working.is_some() || self.mirroring.is_some();
        self.opening.is_some() || self.asking.is_some() || is_at_work
    }

    /// How many times the window was laid out.
    pub fn n_frames(&self) -> u64 {
        self.n_frames
    }

    /// Does what is asked; the same way in for keys, menus, panels and tests.
    pub fn perform(&mut self, ctx: &egui::Context, action: Action) {
        perform::perform(self, ctx, action);
    }

    fn poll(&mut self, ctx: &egui::Context) {
        self.poll_asking(ctx);
        if let Some(saving) = self.saving.take() {
            saving::poll(self, ctx, saving);
        }
        working::poll(self);
        self.poll_opening();
        self.ask_about_offers();
    }

    fn keep_journal(&mut self, ctx: &egui::Context) {
        if let Some(notice) = self.file.as_mut().and_then(|file| file.keep_journal(self.journal_folder.as_deref())) {
            self.say(notice);
            ctx.request_repaint();
        }
    }

    fn guard_close(&mut self, ctx: &egui::Context) {
        let is_closing = ctx.input(|i| i.viewport().close_requested());
        if let Some(saving) = self.saving.as_mut().filter(|_| is_closing) {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            saving.then = Some(Then::Quit);
            return;
        }
        if is_closing {
            // Nothing of it is done yet, so nothing is lost that is not asked about.
            self.working = None;
        }
        if is_closing && !self.may_close && self.file.as_ref().is_some_and(OpenFile::is_unsaved) {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.modal = Some(Modal::Unsaved(Then::Quit));
            if ctx.input(|i| i.viewport().visible()) == Some(false) {
                // The question has to be seen.
                ctx.send_viewport_cmd(egui::ViewportCommand::Minimized(false));
                ctx.send_viewport_cmd(egui::ViewportCommand::Focus);
            }
        }
    }

    /// Whether this window closes so that another one can show the file: its device has stopped. Nothing may be drawn
    /// any more then.
    fn gives_way(&mut self, ctx: &egui::Context) -> bool {
        if self.rescue.is_none() || self.viewport.gpu().loss().is_none() {
            return false;
        }
        self.may_close = true;
        match self.saving {
            Some(_) => ctx.request_repaint_after(Duration::from_millis(50)),
            None => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        }
        true
    }

    fn retitle(&mut self, ctx: &egui::Context) {
        let title = match &self.file {
            Some(file) => format!("{}{} - Sinew", if file.is_unsaved() { "*" } else { "" }, file.name()),
            None => "Sinew".to_owned(),
        };
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    fn side_panel(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        let Some(file) = &mut self.file else { return };
        let (name, report, pose) = (file.name(), self.report.as_ref(), &mut self.pose_panel);
        let has = |section: &Section| match section {
            Section::Pose | Section::History => true,
            Section::SaveReport => report.is_some(),
            Section::FileReport => self.shows_file_report,
        };
        let mut present = vec![Section::Pose, Section::History, Section::SaveReport, Section::FileReport];
        present.retain(has);
        let heights = (pose.height(&file.editor), file.editor.document().joints().len());
        side::sections(ui, &mut self.preferences.sections, (&present, heights), |ui, section, part| {
            match (section, part) {
                (Section::Pose, Part::Beside) => PosePanel::beside(ui, &file.editor, actions),
                (Section::Pose, Part::Content) => pose.show(ui, &mut file.editor),
                (Section::History, Part::Beside) => {}
                (Section::History, Part::Content) => history::show(ui, &file.editor, &name, actions),
                (Section::SaveReport, part) => {
                    let Some(report) = report else { return };
                    match part {
                        Part::Beside => save_report::beside(ui, report, actions),
                        Part::Content => save_report::show(ui, report),
                    }
                }
                (Section::FileReport, Part::Beside) => file_report::beside(ui, actions),
                (Section::FileReport, Part::Content) => file_report::show(ui, file, actions),
            }
        });
        CentralPanel::no_frame().show(ui, |ui| {
            let hidden = self.viewport.hidden_joints_mut();
            self.joint_list.show(ui, &mut file.editor, &self.facts, hidden, actions);
        });
    }

    fn panels(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        Panel::top("top bar").exact_size(theme::BAR_HEIGHT).frame(theme::bar_frame(theme::of(ui))).show(ui, |ui| {
            let shown = self.file.as_ref().map(|file| menus::Shown {
                file,
                options: self.viewport.options,
                has_display_card: self.viewport.shows_display,
                has_file_report: self.shows_file_report,
            });
            let files = menus::Files { recent: &self.preferences.recent, has_left: !self.offers.is_empty() };
            top_bar::show(ui, shown, files, actions);
        });
        if let Some(file) = &mut self.file {
            self.facts.update(&mut file.editor);
            if self.viewport.options.marks.is_some_and(|marks| self.facts.count(marks) == 0) {
                self.viewport.options.marks = None;
            }
            let (viewport, memory) = (&mut self.viewport, &mut self.preferences.brushes);
            Panel::top("brush bar").exact_size(theme::BAR_HEIGHT).frame(theme::bar_frame(theme::of(ui))).show(
                ui,
                |ui| {
                    self.brush_bar.show(ui, &mut file.editor, viewport, memory, actions);
                },
            );
        }
        let (mode, facts) = match self.file {
            Some(_) => (self.viewport.hand_mode(), Some((&self.facts, self.viewport.options.marks))),
            None => (Mode::Empty, None),
        };
        Panel::bottom("status")
            .exact_size(28.0)
            .frame(theme::bar_frame(theme::of(ui)))
            .show(ui, |ui| status::show(ui, mode, &mut self.notices, facts, actions));
        if let Some(file) = &self.file {
            Panel::left("tools")
                .exact_size(tool_strip::WIDTH)
                .resizable(false)
                .frame(theme::bar_frame(theme::of(ui)).inner_margin(0))
                .show(ui, |ui| tool_strip::show(ui, &file.editor, (mode, self.viewport.in_hand), actions));
            side::show(ui, |ui| self.side_panel(ui, actions));
        }
        if let Some(file) = self.file.as_mut().filter(|file| timeline::has_clips(file.editor.document())) {
            Panel::bottom("timeline")
                .exact_size(theme::BAR_HEIGHT)
                .frame(theme::bar_frame(theme::of(ui)))
                .show(ui, |ui| timeline::show(ui, &mut file.editor, &mut self.playback));
        }
    }

    /// Lets a clip run on; asks for frames only while one does.
    fn play(&mut self, ctx: &egui::Context) {
        // A clip waits for a hidden window: it would only keep the processor busy (B69).
        let is_seen = ctx.input(|i| i.viewport().visible()) != Some(false);
        let Some(file) = self.file.as_mut().filter(|_| is_seen && self.playback.is_playing()) else { return };
        self.playback.advance(&mut file.editor, ctx.input(|i| i.stable_dt));
        if self.playback.is_playing() {
            ctx.request_repaint();
        }
    }

    fn show_palette(&mut self, ctx: &egui::Context) {
        let Some(mut palette) = self.palette.take() else { return };
        match palette.show(ctx, self) {
            palette::Answer::Open => {
                self.palette = Some(palette);
                return;
            }
            palette::Answer::Closed => {}
            palette::Answer::Do(what) => self.perform(ctx, Action::Do(what)),
            palette::Answer::Press(press) => press.perform(self, ctx),
            palette::Answer::Line(line) => match perform::run_line(self, ctx, &line) {
                Ok(()) => {}
                Err(reason) => {
                    palette.error = Some(reason);
                    self.palette = Some(palette);
                }
            },
        }
        if self.palette.is_none() {
            // Its field would have the keyboard for another frame.
            ctx.memory_mut(egui::Memory::stop_text_input);
        }
        ctx.request_repaint();
    }

    fn show_modal(&mut self, ui: &egui::Ui) {
        let Some(modal) = &mut self.modal else { return };
        match modal.show(ui.ctx()) {
            Verdict::Open => {}
            verdict => {
                self.modal = None;
                ui.ctx().memory_mut(egui::Memory::stop_text_input);
                perform::after_modal(self, ui.ctx(), verdict);
            }
        }
    }
}

impl Drop for App {
    /// Also in the middle of a panic: what draws the panels does not expect a device that stops under it.
    fn drop(&mut self) {
        let (Some(rescue), Some(reason)) = (&self.rescue, self.viewport.gpu().loss()) else { return };
        let reason = reason.to_owned();
        if let Some(mut file) = self.file.take() {
            file.editor.end_stroke();
            self.viewport.unflex(&mut file.editor);
            rescue.put(Rescued { file, reason });
        }
    }
}

impl eframe::App for App {
    /// What goes on while nobody sees the window, too: it may be closed there, and work may end.
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        self.poll(ctx);
        if let Some(storage) = frame.storage_mut() {
            self.store_recent(storage);
        }
        if !self.gives_way(ctx) {
            self.guard_close(ctx);
        }
        self.keep_journal(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        keymap::install(&ctx, &self.preferences.keys);
        self.n_frames += 1;
        if self.gives_way(&ctx) {
            return;
        }
        let is_in_front = self.palette.is_some() || self.modal.is_some() || self.settings.takes_letters(&ctx);
        self.key_order.begin_frame(&ctx, is_in_front);
        escape::close_topmost(self, &ctx);
        let mut actions = Vec::new();
        if self.modal.is_none() {
            take_drops(&ctx, &mut actions);
        }
        self.play(&ctx);
        mirroring::follow(self, &ctx);
        self.panels(ui, &mut actions);
        let before = (self.viewport.mode(), self.viewport.session_stamp(self.file.as_ref()));
        let is_leaving = self.opening.is_some() && self.file.is_some();
        let is_blocked = self.settings.is_listening()
            || self.modal.is_some()
            || self.palette.is_some()
            || self.saving.is_some()
            || self.working.is_some()
            || is_leaving;
        CentralPanel::no_frame().show(ui, |ui| {
            theme::use_stage_colors(ui);
            let file = self.file.as_mut();
            if self.settings.takes_letters(&ctx) && before.0 == Mode::Idle {
                key_order::without_letters(&ctx, || self.viewport.ui(ui, file, is_blocked, &mut actions));
            } else {
                self.viewport.ui(ui, file, is_blocked, &mut actions);
            }
            if self.file.is_none() {
                let loading = self.opening.as_ref().map(Opening::shown);
                let center = self.viewport.area().rect().center();
                let ways = welcome::Ways {
                    has_demo: self.demo.is_some(),
                    can_drop: self.can_drop,
                    left: &self.questions(),
                    recent: &self.preferences.recent,
                };
                welcome::show(ui, center, loading, &ways, &mut actions);
            }
        });
        busy::show(self, &ctx, &mut actions);
        // What is painted or bent stands still.
        if matches!(self.viewport.mode(), Mode::Painting | Mode::Bending | Mode::Turning | Mode::Flexing) {
            self.playback.pause();
        }
        let escapes = self.viewport.mode() == Mode::Idle && before.0 == Mode::Idle && !is_blocked;
        if escapes && ctx.input(|i| i.key_pressed(egui::Key::Escape)) && self.viewport.options.marks.take().is_some() {
            ctx.request_repaint();
        }
        // The panels were laid out before the view took its input: one more frame shows them what it did.
        let after = (self.viewport.mode(), self.viewport.session_stamp(self.file.as_ref()));
        if before.0 != after.0 && after.0 != Mode::Idle {
            self.notices.clear();
        }
        if !actions.is_empty() || before != after {
            ctx.request_repaint();
        }
        for action in actions {
            self.perform(&ctx, action);
        }
        welcome::drop_target(&ctx);
        let pen = &mut self.viewport.options.pen;
        self.settings.show(&ctx, &mut self.preferences, pen);
        if let Some(said) = controls::take_said(&ctx) {
            self.say(Notice::refused(said));
        }
        self.show_palette(&ctx);
        self.show_modal(ui);
        self.retitle(&ctx);
        self.keep_journal(&ctx);
        if let Some(file) = &mut self.file {
            file.turned_since.follow(&file.editor);
        }
    }

    fn on_exit(&mut self) {
        // Another window goes on where the device stopped.
        let Some(file) = self.file.as_mut().filter(|_| self.viewport.gpu().loss().is_none()) else { return };
        if self.may_close || !file.is_unsaved() {
            file.journal.end();
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        if let Some(file) = &mut self.file {
            self.preferences.brushes.remember(&mut file.editor);
        }
        self.preferences.view = self.viewport.options;
        eframe::set_value(storage, PREFERENCES_KEY, &self.preferences);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

/// Files dropped on the window: the first is opened.
fn take_drops(ctx: &egui::Context, actions: &mut Vec<Action>) {
    let mut dropped = ctx.input(|i| i.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect::<Vec<_>>());
    dropped.retain(|path| !path.as_os_str().is_empty());
    let Some(first) = dropped.first().cloned() else { return };
    let name = first.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    actions.push(Action::OpenPath(first));
    if dropped.len() > 1 {
        let text = format!("One file at a time: {name} of the {} that were dropped", dropped.len());
        actions.push(Action::Say(Notice::refused(text)));
    }
}
