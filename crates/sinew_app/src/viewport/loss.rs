//! A graphics device that stops: a driver that was reset, a card that was pulled, memory that ran out.
//!
//! What is on the device is gone then, and nothing can be drawn on it any more, not even the window's own panels. The
//! model is not on the device: it can still be saved, and another window can show it.

use std::sync::{Arc, OnceLock};

use super::PxRect;
use crate::theme;

/// Knows whether a device has stopped, and why. Clones know the same.
#[derive(Clone, Debug, Default)]
pub struct DeviceWatch {
    reason: Arc<OnceLock<String>>,
}

impl DeviceWatch {
    /// Watches a device from here on; `ctx` is asked for another frame when it stops. Without a watch the first error
    /// ends the program.
    pub fn install(device: &wgpu::Device, ctx: &egui::Context) -> Self {
        let watch = Self::default();
        let (lost, lost_ctx) = (watch.clone(), ctx.clone());
        device.set_device_lost_callback(move |_, message| {
            lost.stopped(if message.is_empty() { "it was reset or removed" } else { &message });
            lost_ctx.request_repaint();
        });
        let (failed, ctx) = (watch.clone(), ctx.clone());
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let is_ours = matches!(error, wgpu::Error::Validation { .. }) && failed.loss().is_none();
            // A wrong call is a fault of this program. Whoever works on it must see it; whoever paints must not lose work.
            assert!(!(is_ours && cfg!(debug_assertions)), "wgpu: {error}");
            failed.stopped(&error.to_string());
            ctx.request_repaint();
        }));
        watch
    }

    /// Why the device has stopped, if it has.
    pub fn loss(&self) -> Option<&str> {
        self.reason.get().map(String::as_str)
    }

    /// The first reason is the one: what comes after follows from it.
    fn stopped(&self, reason: &str) {
        let _ = self.reason.set(reason.trim().to_owned());
    }
}

/// Says in place of the picture that there is none.
pub(super) fn show(ui: &egui::Ui, area: PxRect, reason: &str) {
    let text = format!(
        "The graphics device has stopped: {reason}.\nThe model and its weights are whole. Save, then start Sinew again."
    );
    let rect = area.rect();
    ui.painter().rect_filled(rect, 0.0, theme::WELL);
    let font = egui::FontId::proportional(13.0);
    ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, text, font, theme::BAD);
}
