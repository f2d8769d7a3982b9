//! The page of keys in the settings: every key by group, found by words, pressed anew, taken back.

use egui::{Button, Event, Key, KeyboardShortcut, Modifiers, RichText, ScrollArea, Stroke, Ui, vec2};
use lucide_icons::Icon;

use super::controls;
use crate::keymap::presets::AltClick;
use crate::keymap::{BINDINGS, Binding, Do, Keys, Preset, binding, shortcut_text};
use crate::theme;

/// What the page keeps between frames.
#[derive(Default)]
pub struct KeysPage {
    /// What is searched for.
    pub search: String,
    /// Whose key is being pressed, and which of its keys that replaces; a further one if it is past the last.
    listening: Option<(Do, usize)>,
}

const ROOM: f32 = 360.0;
/// Height of what stands above the list and around the window, points.
const AROUND: f32 = 196.0;
const LABEL_WIDTH: f32 = 200.0;
const GROUPS: [&str; 7] = ["File", "Edit", "View", "Joints", "Weights", "Brushes", "Window"];

/// Whether a key only changes what others mean.
fn is_modifier(key: Key) -> bool {
    use Key::{AltLeft, AltRight, ControlLeft, ControlRight, ShiftLeft, ShiftRight, SuperLeft, SuperRight};
    matches!(key, ShiftLeft | ShiftRight | ControlLeft | ControlRight | AltLeft | AltRight | SuperLeft | SuperRight)
}

impl KeysPage {
    /// Whether the next key is meant for the page and nothing else.
    pub fn is_listening(&self) -> bool {
        self.listening.is_some()
    }

    /// Forgets that a key was to be pressed.
    pub fn stop(&mut self) {
        self.listening = None;
    }

    /// Draws the page and takes the key that is to be chosen.
    pub fn show(&mut self, ui: &mut Ui, keys: &mut Keys) {
        self.listen(ui, keys);
        ui.horizontal(|ui| {
            if let Some(preset) = controls::segments(ui, &Preset::ALL, keys.preset) {
                keys.preset = preset;
                self.stop();
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let hint = "All keys as the preset has them";
                if ui.add_enabled(keys.has_own(), Button::new("Reset all")).on_hover_text(hint).clicked() {
                    keys.reset_all();
                    self.stop();
                }
            });
        });
        let search = egui::TextEdit::singleline(&mut self.search).hint_text("Search by name or key");
        let search = ui.add(search.desired_width(f32::INFINITY));
        search.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Search keys"));
        ui.add_space(4.0);
        let room = ROOM.min(ui.ctx().content_rect().height() - AROUND).max(60.0);
        ScrollArea::vertical().max_height(room).min_scrolled_height(room).auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let wanted = self.search.trim().to_lowercase();
            let mut n_shown = mouse(ui, keys.preset, &wanted);
            for group in GROUPS {
                let is_in = |line: &&Binding| line.group() == group && fits(ui, keys, line, &wanted);
                let lines: Vec<&'static Binding> = BINDINGS.iter().filter(is_in).collect();
                if lines.is_empty() {
                    continue;
                }
                n_shown += lines.len();
                heading(ui, group);
                for line in lines {
                    self.line(ui, keys, line);
                }
            }
            if n_shown == 0 {
                ui.label(theme::quiet("Nothing is called that, and no key is"));
            }
        });
    }

    /// Takes the pressed key before anything else does.
    fn listen(&mut self, ui: &Ui, keys: &mut Keys) {
        let Some((what, place)) = self.listening else { return };
        let pressed = ui.ctx().input_mut(|i| {
            // Ctrl and the like come as keys of their own before the key they are held with.
            let is_key = |event: &Event| matches!(event, Event::Key { key, pressed: true, .. } if !is_modifier(*key));
            let at = i.events.iter().position(is_key)?;
            let event = i.events.remove(at);
            i.events.retain(|event| !matches!(event, Event::Text(_)));
            match event {
                Event::Key { key, modifiers, .. } => Some((key, modifiers)),
                _ => None,
            }
        });
        let Some((key, modifiers)) = pressed else { return };
        self.listening = None;
        ui.ctx().request_repaint();
        if key == Key::Escape {
            return;
        }
        let held = Modifiers { ctrl: false, mac_cmd: false, ..modifiers };
        let mut all = keys.of(what).to_vec();
        let shortcut = KeyboardShortcut::new(held, key);
        match all.get_mut(place) {
            Some(old) => *old = shortcut,
            None => all.push(shortcut),
        }
        all.dedup();
        keys.set(what, &all);
    }

    fn line(&mut self, ui: &mut Ui, keys: &mut Keys, line: &Binding) {
        let colors = *theme::of(ui);
        let what = line.what;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            name(ui, line.label).on_hover_text(line.hint);
            let others = keys.conflicts(what);
            let all = keys.of(what);
            for (place, shortcut) in all.iter().enumerate() {
                if self.listening == Some((what, place)) {
                    self.pressing(ui, keys, what, place);
                    continue;
                }
                let text = shortcut_text(ui.ctx(), shortcut);
                let is_shared = others.iter().any(|&other| keys.of(other).contains(shortcut));
                let line_color = if is_shared { colors.warning } else { colors.line };
                let button = Button::new(RichText::new(&text).size(11.5).color(colors.primary))
                    .fill(colors.well)
                    .stroke(Stroke::new(1.0, line_color))
                    .corner_radius(4);
                let response = ui.add(button);
                response.widget_info(|| {
                    let name = format!("Key of {}: {text}", line.label);
                    egui::WidgetInfo::labeled(egui::Role::Button, true, name)
                });
                if response.on_hover_text("Click, then press another key").clicked() {
                    self.listening = Some((what, place));
                }
            }
            if self.listening == Some((what, all.len())) {
                self.pressing(ui, keys, what, all.len());
            } else if add_button(ui, line.label).clicked() {
                self.listening = Some((what, all.len()));
            }
            if keys.is_own(what) {
                let tooltip = "The preset's keys again";
                if small_button(ui, Icon::RotateCcw, &format!("Reset keys of {}", line.label), tooltip).clicked() {
                    keys.reset(what);
                    self.stop();
                }
            }
            if let [first, ..] = others[..] {
                let more = if others.len() > 1 { format!(" and {} more", others.len() - 1) } else { String::new() };
                let text = format!("also {}{more}", binding(first).label);
                ui.label(RichText::new(text).size(11.5).color(colors.warning));
                let hint = "Take the key from the others";
                let name = format!("Only for {}", line.label);
                let response = ui.small_button("Only here").on_hover_text(hint);
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
                if response.clicked() {
                    take_from(keys, what, &others);
                }
            }
        });
    }

    /// A key is to be pressed.
    fn pressing(&mut self, ui: &mut Ui, keys: &mut Keys, what: Do, place: usize) {
        let colors = *theme::of(ui);
        let text = RichText::new("Press a key… (Esc)").size(11.5).color(colors.primary);
        let button = Button::new(text).fill(colors.teal_well).stroke(Stroke::new(1.0, colors.teal)).corner_radius(4);
        if ui.add(button).clicked() {
            self.stop();
        }
        let mut all = keys.of(what).to_vec();
        if place < all.len() && ui.small_button("Remove").on_hover_text("Without this key").clicked() {
            all.remove(place);
            keys.set(what, &all);
            self.stop();
        }
    }
}

fn take_from(keys: &mut Keys, what: Do, others: &[Do]) {
    let mine = keys.of(what).into_owned();
    for &other in others {
        let rest: Vec<_> = keys.of(other).iter().filter(|key| !mine.contains(key)).copied().collect();
        keys.set(other, &rest);
    }
}

fn fits(ui: &Ui, keys: &Keys, line: &Binding, wanted: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    let mut texts = keys.of(line.what).iter().map(|key| shortcut_text(ui.ctx(), key)).collect::<Vec<_>>().into_iter();
    wanted.is_empty() || has(line.label) || has(line.hint) || has(line.group()) || texts.any(|text| has(&text))
}

fn heading(ui: &mut Ui, name: &str) {
    ui.add_space(6.0);
    ui.label(theme::heading(name));
}

/// A name at the left of a row, cut where the keys begin.
fn name(ui: &mut Ui, text: &str) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(LABEL_WIDTH, 24.0), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    let at = egui::pos2(rect.min.x, rect.center().y);
    let font = egui::FontId::proportional(12.5);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.text(at, egui::Align2::LEFT_CENTER, text, font, theme::of(ui).normal);
    response
}

fn add_button(ui: &mut Ui, label: &str) -> egui::Response {
    small_button(ui, Icon::Plus, &format!("Add key to {label}"), "Click, then press a further key")
}

fn small_button(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str) -> egui::Response {
    let text = crate::fonts::icon(icon).size(12.0).color(theme::of(ui).quiet);
    let response = ui.add(Button::new(text).frame_when_inactive(false).corner_radius(4).min_size(vec2(20.0, 20.0)));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    response.on_hover_text(tooltip)
}

/// What the mouse does: it follows the preset. Returns how many lines there were.
fn mouse(ui: &mut Ui, preset: Preset, wanted: &str) -> usize {
    let mut lines = vec![
        ("LMB", "Paint"),
        ("Ctrl LMB", "Paint inverted"),
        ("Shift LMB", "Smooth"),
        ("MMB", "Orbit"),
        ("Shift MMB", "Pan"),
        ("Wheel", "Zoom"),
    ];
    match preset.alt_click() {
        AltClick::PicksJoint => lines.push(("Alt LMB", "Pick joint")),
        AltClick::MovesCamera => {
            lines.extend([
                ("Alt LMB", "Orbit"),
                ("Alt MMB", "Pan"),
                ("Alt RMB", "Zoom"),
                ("Ctrl Shift LMB", "Pick joint"),
            ]);
        }
    }
    let has = |text: &str| text.to_lowercase().contains(wanted);
    lines.retain(|(key, what)| wanted.is_empty() || has(key) || has(what) || has("mouse"));
    if !lines.is_empty() {
        heading(ui, "Mouse");
    }
    for (key, what) in &lines {
        ui.horizontal(|ui| {
            let colors = *theme::of(ui);
            name(ui, what);
            ui.label(RichText::new(*key).size(11.5).color(colors.quiet));
        });
    }
    lines.len()
}
