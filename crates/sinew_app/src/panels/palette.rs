//! The command palette: everything that can be done, found by a few letters, or typed as a command line.

use egui::{Align2, Area, Id, Key, Modifiers, Order, RichText, ScrollArea, Sense, Ui, pos2, vec2};
use sinew_edit::commands::command_named;
use sinew_edit::{COMMANDS, Command};

use crate::keymap::{BINDINGS, Do};
use crate::theme;

/// The open palette.
#[derive(Default)]
pub struct Palette {
    text: String,
    chosen_idx: usize,
    has_focus: bool,
    /// Why the last line was not done.
    pub error: Option<String>,
}

/// What came of a frame.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Nothing yet.
    Open,
    /// Closed without a choice.
    Closed,
    /// Do this and close.
    Do(Do),
    /// Run this line; close if it could be done.
    Line(String),
}

/// Something that can be chosen.
struct Entry {
    label: String,
    detail: String,
    key: String,
    choice: Choice,
}

#[derive(Clone, Copy)]
enum Choice {
    Do(Do),
    Command(&'static Command),
}

const WIDTH: f32 = 520.0;
const MAX_HEIGHT: f32 = 330.0;

impl Palette {
    /// Draws the palette and takes keys and clicks.
    pub fn show(&mut self, ctx: &egui::Context) -> Answer {
        let (up, down, escape) = ctx.input_mut(|i| {
            let mut pressed = |key| i.consume_key(Modifiers::NONE, key);
            (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Escape))
        });
        let at = pos2(ctx.content_rect().center().x, ctx.content_rect().min.y + 64.0);
        let area = Area::new(Id::unique("palette")).order(Order::Foreground).fixed_pos(at).pivot(Align2::CENTER_TOP);
        let shown = area.show(ctx, |ui| {
            egui::Frame::window(ui.style()).inner_margin(10).show(ui, |ui| {
                ui.set_width(WIDTH.min(ctx.content_rect().width() - 40.0).max(0.0));
                self.contents(ui, up, down)
            })
        });
        let is_elsewhere = ctx.input(|i| {
            let at = i.pointer.interact_pos();
            i.pointer.any_pressed() && at.is_some_and(|at| !shown.response.rect.contains(at))
        });
        match shown.inner.inner {
            Answer::Open if escape || is_elsewhere => Answer::Closed,
            answer => answer,
        }
    }

    fn contents(&mut self, ui: &mut Ui, up: bool, down: bool) -> Answer {
        let field = egui::TextEdit::singleline(&mut self.text)
            .desired_width(f32::INFINITY)
            .hint_text("What to do, or a line: limit influences=4")
            .margin(vec2(8.0, 6.0));
        let field = ui.add(field);
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Command"));
        let is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        if !self.has_focus || field.lost_focus() {
            field.request_focus();
            self.has_focus = true;
        }
        if field.changed() {
            self.error = None;
            self.chosen_idx = 0;
        }
        ui.add_space(4.0);
        if let Some(command) = typed_command(&self.text) {
            usage(ui, command);
            if let Some(error) = &self.error {
                ui.add(egui::Label::new(RichText::new(error).color(theme::of(ui).bad)).wrap());
            }
            return if is_entered { Answer::Line(self.text.trim().to_owned()) } else { Answer::Open };
        }
        if let Some(error) = &self.error {
            ui.add(egui::Label::new(RichText::new(error).color(theme::of(ui).bad)).wrap());
        }
        let entries = found(ui.ctx(), self.text.trim());
        if entries.is_empty() {
            ui.label(theme::quiet("Nothing is called that"));
            return Answer::Open;
        }
        let last = entries.len() - 1;
        self.chosen_idx = match (up, down) {
            (true, _) => self.chosen_idx.checked_sub(1).unwrap_or(last),
            (_, true) if self.chosen_idx >= last => 0,
            (_, true) => self.chosen_idx + 1,
            _ => self.chosen_idx.min(last),
        };
        let mut picked = is_entered.then_some(self.chosen_idx);
        ScrollArea::vertical().max_height(MAX_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (i, entry) in entries.iter().enumerate() {
                if row(ui, entry, i == self.chosen_idx, up || down) {
                    picked = Some(i);
                }
            }
        });
        match picked.and_then(|i| entries.get(i)).map(|entry| entry.choice) {
            Some(Choice::Do(what)) => Answer::Do(what),
            Some(Choice::Command(command)) if command.params.iter().any(|param| param.default.is_none()) => {
                self.text = format!("{} ", command.name);
                self.put_cursor_at_end(ui.ctx(), field.id);
                Answer::Open
            }
            Some(Choice::Command(command)) => Answer::Line(command.name.to_owned()),
            None => Answer::Open,
        }
    }

    fn put_cursor_at_end(&self, ctx: &egui::Context, field: Id) {
        if let Some(mut state) = egui::TextEdit::load_state(ctx, field) {
            let end = egui::text::CCursor::new(self.text.chars().count());
            state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
            state.store(ctx, field);
        }
    }
}

/// The command of a line that is being typed: its name and a space.
fn typed_command(text: &str) -> Option<&'static Command> {
    let (name, _) = text.trim_start().split_once(' ')?;
    command_named(name)
}

fn usage(ui: &mut Ui, command: &Command) {
    ui.label(RichText::new(command.usage()).monospace().color(theme::of(ui).primary));
    ui.add(egui::Label::new(theme::quiet(command.hint)).wrap());
    for param in command.params {
        let otherwise = param.default.map(|default| format!("; otherwise {default}")).unwrap_or_default();
        let text = format!("{}={}  {}{otherwise}", param.key, param.value, param.hint);
        ui.add(egui::Label::new(theme::quiet(text)).wrap());
    }
}

fn row(ui: &mut Ui, entry: &Entry, is_chosen: bool, follow: bool) -> bool {
    let colors = theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, &entry.label));
    if is_chosen || response.hovered() {
        ui.painter().rect_filled(rect, 4.0, if is_chosen { colors.teal_row } else { colors.hover });
    }
    let font = egui::FontId::proportional(12.5);
    let y = rect.center().y;
    let soft = if is_chosen { colors.normal } else { colors.quiet };
    let key = ui.painter().text(pos2(rect.max.x - 8.0, y), Align2::RIGHT_CENTER, &entry.key, font.clone(), soft);
    let at = pos2(rect.min.x + 8.0, y);
    let label = ui.painter().text(at, Align2::LEFT_CENTER, &entry.label, font.clone(), colors.primary);
    let room = egui::Rect::from_min_max(pos2(label.max.x + 12.0, rect.min.y), pos2(key.min.x - 8.0, rect.max.y));
    if room.width() > 24.0 {
        let mut job = egui::text::LayoutJob::simple_singleline(entry.detail.clone(), font, soft);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room.width());
        let detail = ui.painter().layout_job(job);
        let at = Align2::LEFT_CENTER.anchor_size(pos2(room.min.x, y), detail.size()).min;
        ui.painter().galley(at, detail, soft);
    }
    if is_chosen && follow {
        response.scroll_to_me(None);
    }
    response.on_hover_text(&entry.detail).clicked()
}

/// What fits the typed letters, best first.
fn found(ctx: &egui::Context, wanted: &str) -> Vec<Entry> {
    let of_window = BINDINGS.iter().filter(|binding| binding.what != Do::Palette).map(|binding| Entry {
        label: binding.label.to_owned(),
        detail: binding.hint.to_owned(),
        key: binding.key_text(ctx),
        choice: Choice::Do(binding.what),
    });
    let of_editor = COMMANDS.iter().filter(|command| !BINDINGS.iter().any(|b| b.label == command.label));
    let of_editor = of_editor.map(|&command| Entry {
        label: command.label.to_owned(),
        detail: command.hint.to_owned(),
        key: command.name.to_owned(),
        choice: Choice::Command(command),
    });
    let mut scored: Vec<(i32, Entry)> = of_window
        .chain(of_editor)
        .filter_map(|entry| {
            let name = match entry.choice {
                Choice::Command(command) => fit(wanted, command.name),
                Choice::Do(_) => None,
            };
            fit(wanted, &entry.label).max(name).map(|score| (score, entry))
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, entry)| entry).collect()
}

/// How well letters fit a name: all must occur in order; at the beginning of a word and side by side count more.
fn fit(wanted: &str, name: &str) -> Option<i32> {
    let mut score = 0;
    let mut rest = name.chars();
    let (mut before, mut was_hit) = (' ', false);
    for letter in wanted.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase) {
        loop {
            let next = rest.next()?;
            let is_start = !before.is_alphanumeric() || (before.is_lowercase() && next.is_uppercase());
            before = next;
            if next.to_lowercase().eq(std::iter::once(letter)) {
                score += 1 + if is_start { 8 } else { 0 } + if was_hit { 9 } else { 0 };
                was_hit = true;
                break;
            }
            was_hit = false;
        }
    }
    Some(score * 4 - name.chars().count() as i32 / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_in_order_fit_and_beginnings_of_words_fit_better() {
        assert_eq!(fit("xyz", "Limit Influences"), None);
        assert_eq!(fit("tl", "Limit"), None, "order counts");
        assert!(fit("sa", "Save As…") > fit("sa", "Smooth Weights All"));
        assert!(fit("li", "Limit Influences") > fit("li", "Scale In"));
        assert!(fit("", "anything").is_some());
    }

    #[test]
    fn a_line_is_recognised_by_its_name_and_a_space() {
        assert!(typed_command("limit influences=4").is_some_and(|command| command.name == "limit"));
        assert!(typed_command("limit").is_none());
        assert!(typed_command("limits a").is_none());
    }
}
