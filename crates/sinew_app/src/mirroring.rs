//! Who is whose twin, found off the window's thread where that takes long. Until it is known nothing is mirrored, so
//! nothing is painted that should be; looking around and everything else go on.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use sinew_edit::{Editor, FoundSymmetry, SymmetrySettings};

use crate::action::Notice;
use crate::app::App;
use crate::viewport::options::Show;

/// So many places are searched within a frame; more of them on another thread.
pub(crate) const AT_ONCE: usize = 100_000;

/// The search under way.
pub(crate) struct Mirroring {
    settings: SymmetrySettings,
    news: Receiver<FoundSymmetry>,
}

/// Whether strokes can be mirrored now, or are not to be.
pub(crate) fn is_ready(editor: &mut Editor) -> bool {
    let Some(settings) = editor.session.paint.mirror else { return true };
    editor.known_symmetry(settings).is_some() || editor.n_mirrored() <= AT_ONCE
}

/// Sees to it that the symmetry that is mirrored by, or shown, is known or on its way.
pub(crate) fn follow(app: &mut App, ctx: &egui::Context) {
    let Some(file) = &mut app.file else { return app.mirroring = None };
    let editor = &mut file.editor;
    let is_wanted = editor.session.paint.mirror.is_some()
        || app.brush_bar.symmetry_card().is_open
        || app.viewport.options.show == Show::LeftRight;
    let settings = editor.session.paint.symmetry();
    if !is_wanted || editor.known_symmetry(settings).is_some() {
        app.mirroring = None;
        return;
    }
    if let Some(mirroring) = app.mirroring.take().filter(|mirroring| mirroring.settings == settings) {
        match mirroring.news.try_recv() {
            // What has changed since is found anew, below.
            Ok(found) => {
                if editor.keep_symmetry(found) {
                    return;
                }
            }
            Err(TryRecvError::Empty) => return app.mirroring = Some(mirroring),
            Err(TryRecvError::Disconnected) => {
                cancel(app);
                return app.say(Notice::failed("Mirror images could not be found; this is a fault of Sinew"));
            }
        }
    }
    if editor.n_mirrored() <= AT_ONCE {
        editor.symmetry(settings);
        return;
    }
    let work = editor.symmetry_work(settings);
    let (sender, news) = channel();
    let waker = ctx.clone();
    std::thread::spawn(move || {
        // The window may be gone by now, or want another one.
        let _ = sender.send(work.find());
        waker.request_repaint();
    });
    app.mirroring = Some(Mirroring { settings, news });
}

/// Mirrors nothing rather than wait.
pub(crate) fn cancel(app: &mut App) {
    app.mirroring = None;
    app.brush_bar.symmetry_card().is_open = false;
    if app.viewport.options.show == Show::LeftRight {
        app.viewport.options.show = Show::Weights;
    }
    if let Some(file) = &mut app.file {
        file.editor.session.paint.mirror = None;
    }
}
