//! The settings window: theme and size of the window, the pen; and a page of keys. Changes show at once and are kept.

use egui::Ui;
use lucide_icons::Icon;

use super::controls;
use super::keys_page::KeysPage;
use crate::preferences::{Preferences, SCALES};
use crate::theme::{self, ThemeChoice};
use crate::viewport::options::PenUse;

/// The pages of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Page {
    /// Look and pen.
    #[default]
    General,
    /// Keys.
    Keys,
}

/// What the window keeps between frames.
#[derive(Default)]
pub struct Settings {
    /// Whether it is open.
    pub is_open: bool,
    /// What it shows.
    pub page: Page,
    /// The page of keys.
    pub keys: KeysPage,
    /// What it was last placed in.
    within: Option<egui::Rect>,
    /// Where it is.
    rect: Option<egui::Rect>,
    /// Whether typed letters are its own: once it is opened or pressed, until something else is.
    has_keyboard: bool,
}

const WIDTH: f32 = 560.0;
/// Room around it, points.
const GAP: f32 = 8.0;

impl Settings {
    /// Whether the next key is meant for the page of keys and nothing else.
    pub fn is_listening(&self) -> bool {
        self.is_open && self.page == Page::Keys && self.keys.is_listening()
    }

    /// Whether typed letters are meant for it, and for nothing behind it.
    pub fn takes_letters(&self, ctx: &egui::Context) -> bool {
        let is_over =
            || ctx.input(|i| i.pointer.latest_pos().zip(self.rect).is_some_and(|(at, rect)| rect.contains(at)));
        self.is_open && (self.has_keyboard || is_over())
    }

    /// Draws the window.
    pub fn show(&mut self, ctx: &egui::Context, preferences: &mut Preferences, pen: &mut PenUse) {
        if !self.is_open {
            self.keys.stop();
            (self.within, self.rect) = (None, None);
            return;
        }
        let is_new = self.rect.is_none();
        let before = (preferences.theme, preferences.scale_percent);
        let was_listening = self.is_listening();
        let mut is_closed = false;
        let within = ctx.content_rect().shrink(GAP);
        let mut window = egui::Window::new("Settings")
            .title_bar(false)
            .resizable(false)
            .pivot(egui::Align2::CENTER_CENTER)
            .constrain_to(within)
            .frame(egui::Frame::window(&ctx.global_style()));
        // In the middle of a window that is new to it: another size of window or text may leave no room where it was.
        if self.within.replace(within) != Some(within) {
            window = window.current_pos(within.center());
        }
        let shown = window.show(ctx, |ui| {
            ui.set_width(WIDTH.min(within.width() - 2.0 * 17.0).max(0.0));
            is_closed = head(ui);
            let pages = [(Page::General, "General", ""), (Page::Keys, "Keys", "")];
            ui.horizontal(|ui| {
                if let Some(page) = controls::segments(ui, &pages, self.page) {
                    self.page = page;
                    self.keys.stop();
                }
            });
            ui.add_space(10.0);
            match self.page {
                Page::General => contents(ui, preferences, pen),
                Page::Keys => self.keys.show(ui, &mut preferences.keys),
            }
        });
        self.rect = shown.map(|shown| shown.response.rect);
        let pressed = ctx.input(|i| i.pointer.interact_pos().filter(|_| i.pointer.any_pressed()));
        if let Some(at) = pressed {
            self.has_keyboard = self.rect.is_some_and(|rect| rect.contains(at));
        }
        self.has_keyboard |= is_new;
        let escapes = !was_listening && !ctx.text_edit_focused();
        is_closed |= escapes && ctx.input(|i| i.key_pressed(egui::Key::Escape));
        self.is_open = !is_closed;
        if (preferences.theme, preferences.scale_percent) != before {
            preferences.apply_look(ctx);
        }
    }
}

/// The title and the way out; whether that was taken.
fn head(ui: &mut Ui) -> bool {
    let mut is_closed = false;
    ui.horizontal(|ui| {
        ui.label(theme::heading("Settings").size(14.0));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            is_closed = controls::icon_button(ui, Icon::X, "Close settings", true, "Close (Esc)").clicked();
        });
    });
    ui.add_space(8.0);
    is_closed
}

fn contents(ui: &mut Ui, preferences: &mut Preferences, pen: &mut PenUse) {
    ui.label(theme::heading("Theme"));
    ui.horizontal(|ui| {
        if let Some(choice) = controls::segments(ui, &ThemeChoice::ALL, preferences.theme) {
            preferences.theme = choice;
        }
    });
    ui.label(theme::quiet("The stage behind the model stays dark: weights read the same in every theme."));
    ui.add_space(12.0);
    ui.label(theme::heading("Size of text and controls"));
    ui.horizontal(|ui| {
        let places = SCALES.map(|(percent, label)| (percent, label, ""));
        if let Some(percent) = controls::segments(ui, &places, preferences.scale_percent) {
            preferences.scale_percent = percent;
        }
    });
    ui.label(theme::quiet("Ctrl + and Ctrl − do the same."));
    ui.add_space(12.0);
    ui.label(theme::heading("Pen pressure sets"));
    ui.horizontal(|ui| {
        if let Some(choice) = controls::segments(ui, &PenUse::ALL, *pen) {
            *pen = choice;
        }
    });
    ui.label(theme::quiet("A mouse, or a pen without pressure, always paints in full."));
}
