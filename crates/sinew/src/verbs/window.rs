//! `sinew [FILE]`: the window.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::anyhow;
use sinew_app::WindowOptions;

use crate::model_file;

/// What says where a display is.
const DISPLAYS: [&str; 3] = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"];

/// Opens the window on the first file and returns when it is closed, or once the model was shown.
pub fn run(files: &[PathBuf], exit_after_first_frame: bool) -> anyhow::Result<()> {
    let path = files.first().cloned();
    if let Some(path) = &path {
        // A mistyped name is better said where it was typed; what is wrong inside a file the window says.
        let cannot_read = |error| anyhow!("cannot read the file: {error}: {}", path.display());
        // Opening a pipe would wait for whoever writes to it.
        if fs::metadata(path).map_err(cannot_read)?.is_file() {
            File::open(path).map_err(cannot_read)?;
        }
        if files.len() > 1 {
            let n_left = files.len() - 1;
            let _ = writeln!(std::io::stderr(), "one file at a time: opening {}, leaving {n_left}", path.display());
        }
    }
    if cfg!(target_os = "linux") && DISPLAYS.iter().all(|name| std::env::var_os(name).is_none_or(|v| v.is_empty())) {
        return Err(anyhow!(
            "there is no display to open a window on: expected one of {}, found none; \
             sinew info, apply, deform and render work without one",
            DISPLAYS.join(", ")
        ));
    }
    let model = if path.is_none() { Some(model_file::demo()?) } else { None };
    sinew_app::run(WindowOptions {
        path,
        model,
        demo: Some(model_file::demo_model),
        exit_after_first_frame,
        ..WindowOptions::default()
    })?;
    Ok(())
}
