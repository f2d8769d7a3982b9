//! Opening the native window.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};

use crate::app::{App, Demo, Start};
use crate::rescue::Rescue;

/// How to open the window.
#[derive(Clone, Debug, Default)]
pub struct WindowOptions {
    /// The file to open.
    pub path: Option<PathBuf>,
    /// A model to show that is no file, where no file is to be opened.
    pub model: Option<sinew_io::Imported>,
    /// Makes the character that comes with the program.
    pub demo: Option<Demo>,
    /// Where preferences are kept; unset, where the platform keeps them.
    pub preferences_path: Option<PathBuf>,
    /// Says on stdout when the first frame with a model was shown, and closes the window: to measure the start.
    pub exit_after_first_frame: bool,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is no display, or it refuses.
    #[error("the window cannot be opened: {reason}; {advice}")]
    NoWindow {
        /// What the platform said.
        reason: String,
        /// What to do.
        advice: &'static str,
    },
    /// No adapter, or none that gives a device.
    #[error(
        "no graphics adapter can be used: {reason}; install a Vulkan driver, or a software one (on Debian: \
         mesa-vulkan-drivers and libvulkan1); info, apply and deform work without one"
    )]
    NoAdapter {
        /// What the driver said.
        reason: String,
    },
    /// The window came without a graphics device.
    #[error("the window has no graphics device")]
    NoGraphics,
    /// The device stops again and again.
    #[error("the graphics device stopped and no other window could go on ({reason}); {kept}")]
    DeviceStopped {
        /// What the driver said.
        reason: String,
        /// What became of the open file.
        kept: String,
    },
    /// The device is too small for the view itself.
    #[error("the view cannot be drawn on this graphics device: {0}")]
    Render(#[from] sinew_render::RenderError),
}

/// How often a device may stop before no other window is tried.
const MOST_LOSSES: usize = 3;

/// Opens the window and returns when it is closed. Where the graphics device stops, another window goes on with the
/// same file.
pub fn run(options: WindowOptions) -> Result<(), AppError> {
    let rescue = Rescue::default();
    let WindowOptions { path, model, demo, preferences_path, exit_after_first_frame } = options;
    let journal_folder = eframe::storage_dir("sinew").map(|folder| folder.join("journals"));
    let common =
        || Start { demo, journal_folder: journal_folder.clone(), rescue: Some(rescue.clone()), ..Start::default() };
    let mut start = Start { path, model, ..common() };
    let mut n_lost = 0;
    loop {
        let native = native_options(preferences_path.clone());
        let make: eframe::AppCreator<'_> = Box::new(move |cc| {
            let app = App::new(cc, start)?;
            Ok(if exit_after_first_frame {
                Box::new(UntilShown { app, drawn_in: None, is_done: false })
            } else {
                Box::new(app)
            })
        });
        let window = || eframe::run_native("sinew", native, make);
        // What draws the panels panics where a device stops under it; the application puts its file by even then.
        let ended = catch_unwind(AssertUnwindSafe(window));
        let Some(rescued) = rescue.take() else {
            return ended.unwrap_or_else(|panic| resume_unwind(panic)).map_err(explain);
        };
        n_lost += 1;
        if n_lost > MOST_LOSSES {
            let kept = rescued.write_copy();
            return Err(AppError::DeviceStopped { reason: rescued.reason, kept });
        }
        rescue.put(rescued);
        start = common();
    }
}

/// The editor until a frame with a model is on the screen.
struct UntilShown {
    app: App,
    /// The first frame with a model. A frame is on the screen once a later one begins.
    drawn_in: Option<u64>,
    is_done: bool,
}

impl eframe::App for UntilShown {
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        self.app.logic(ctx, frame);
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let frame_nr = ui.ctx().cumulative_frame_nr();
        if self.drawn_in.is_some_and(|drawn| frame_nr > drawn) {
            if !std::mem::replace(&mut self.is_done, true) {
                let _ = writeln!(std::io::stdout(), "first frame");
                ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
            }
            return;
        }
        self.app.ui(ui, frame);
        if self.app.file.is_some() {
            self.drawn_in.get_or_insert(frame_nr);
        }
        ui.ctx().request_repaint();
    }

    fn on_exit(&mut self) {
        self.app.on_exit();
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        self.app.clear_color(visuals)
    }
}

fn native_options(preferences_path: Option<PathBuf>) -> eframe::NativeOptions {
    eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Sinew")
            .with_app_id("sinew")
            .with_inner_size([1440.0, 900.0])
            .with_min_inner_size([480.0, 320.0]),
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: WgpuConfiguration { wgpu_setup: wgpu_setup(), ..WgpuConfiguration::default() },
        persistence_path: preferences_path,
        persist_window: true,
        dithering: false,
        ..eframe::NativeOptions::default()
    }
}

/// All backends, and all that the adapter's limits allow; no features.
fn wgpu_setup() -> WgpuSetup {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    setup.device_descriptor = Arc::new(sinew_render::device::device_descriptor);
    WgpuSetup::CreateNew(setup)
}

fn explain(error: eframe::Error) -> AppError {
    let reason = error.to_string();
    match error {
        eframe::Error::AppCreation(inner) => match inner.downcast::<AppError>() {
            Ok(ours) => *ours,
            Err(other) => no_window(other.to_string()),
        },
        eframe::Error::Wgpu(_) => AppError::NoAdapter { reason },
        _ => no_window(reason),
    }
}

fn no_window(reason: String) -> AppError {
    // The platform layer puts the place in its own source before what is wrong.
    let plain =
        reason.split_once(".rs:").and_then(|(_, rest)| rest.split_once(": ")).map(|(_, plain)| plain.to_owned());
    let reason = plain.unwrap_or(reason).trim_end_matches('.').to_owned();
    let advice = "check that a display is there (on Linux: DISPLAY or WAYLAND_DISPLAY); info, apply, deform and render \
                  work without one";
    AppError::NoWindow { reason, advice }
}
