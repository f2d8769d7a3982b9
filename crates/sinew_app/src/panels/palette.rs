//! The command palette: everything that can be done, found by a few letters, or typed as a command line.

mod buttons;
mod completion;
mod entries;
mod find;

pub use buttons::Press;

use egui::{Align2, Area, Id, Key, Modifiers, Order, Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};
use sinew_edit::Command;
use sinew_edit::commands::command_named;

use self::completion::Value;
use self::entries::{Choice, Entry};
use crate::app::App;
use crate::keymap::Do;
use crate::theme;

/// The open palette.
#[derive(Default)]
pub struct Palette {
    text: String,
    /// The chosen row; of values for a line none is until an arrow key chooses one.
    chosen: Option<usize>,
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
    /// Do what this part of a panel does and close.
    Press(Press),
    /// Run this line; close if it could be done.
    Line(String),
}

/// A row of a list.
struct Row<'a> {
    label: &'a str,
    tag: &'a str,
    detail: &'a str,
    key: &'a str,
}

/// The keys that are the palette's and not the field's.
#[derive(Clone, Copy)]
struct Keys {
    up: bool,
    down: bool,
    tab: bool,
    escape: bool,
    /// Set once the field saw it.
    enter: bool,
}

const WIDTH: f32 = 560.0;
const ROW_HEIGHT: f32 = 26.0;
/// Its distance from the window's top, points.
const TOP: f32 = 64.0;
/// Room that stays free under it, points: its own margin and some of the window.
const BELOW: f32 = 26.0;

impl Palette {
    /// Where the palette is: its area.
    pub fn area_id() -> Id {
        Id::unique("palette")
    }

    /// Draws the palette and takes keys and clicks.
    pub fn show(&mut self, ctx: &egui::Context, app: &App) -> Answer {
        let mut keys = ctx.input_mut(|i| {
            let mut pressed = |key| i.consume_key(Modifiers::NONE, key);
            let (up, down) = (pressed(Key::ArrowUp), pressed(Key::ArrowDown));
            Keys { up, down, tab: pressed(Key::Tab), escape: pressed(Key::Escape), enter: false }
        });
        let at = pos2(ctx.content_rect().center().x, ctx.content_rect().min.y + TOP);
        let area = Area::new(Self::area_id()).order(Order::Foreground).fixed_pos(at).pivot(Align2::CENTER_TOP);
        let shown = area.show(ctx, |ui| {
            egui::Frame::window(ui.style()).inner_margin(10).show(ui, |ui| {
                ui.set_width(WIDTH.min(ctx.content_rect().width() - 40.0).max(0.0));
                self.contents(ui, app, &mut keys)
            })
        });
        let is_elsewhere = ctx.input(|i| {
            let at = i.pointer.interact_pos();
            i.pointer.any_pressed() && at.is_some_and(|at| !shown.response.rect.contains(at))
        });
        match shown.inner.inner {
            Answer::Open if keys.escape || is_elsewhere => Answer::Closed,
            answer => answer,
        }
    }

    fn contents(&mut self, ui: &mut Ui, app: &App, keys: &mut Keys) -> Answer {
        let field = egui::TextEdit::singleline(&mut self.text)
            .id(Self::area_id().with("field"))
            .desired_width(f32::INFINITY)
            .hint_text("What to do, or a line: limit influences=4")
            .margin(vec2(8.0, 6.0))
            // The Tab key takes what is offered.
            .lock_focus(true);
        let field = ui.add(field);
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Command"));
        keys.enter = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        if !self.has_focus || field.lost_focus() {
            field.request_focus();
            self.has_focus = true;
        }
        if field.changed() {
            (self.error, self.chosen) = (None, None);
        }
        if let Some(error) = &self.error {
            // Right under what was typed: what follows may be long.
            ui.add(egui::Label::new(RichText::new(error).color(theme::of(ui).bad)).wrap());
        }
        ui.add_space(4.0);
        match typed_command(&self.text) {
            Some(command) => self.line(ui, app, command, *keys),
            None => self.list(ui, app, *keys),
        }
    }

    /// What fits a few letters.
    fn list(&mut self, ui: &mut Ui, app: &App, keys: Keys) -> Answer {
        let entries = entries::found(ui.ctx(), app, self.text.trim());
        if entries.is_empty() {
            ui.label(theme::quiet("Nothing is called that"));
            return Answer::Open;
        }
        self.chosen = stepped(self.chosen.or(Some(0)), entries.len(), keys);
        let mut picked = self.chosen.filter(|_| keys.enter);
        scrolled(ui, |ui| picked = rows(ui, entries.iter().map(Row::of_entry), self.chosen, keys).or(picked));
        picked.and_then(|i| entries.into_iter().nth(i)).map_or(Answer::Open, |entry| self.choose(ui.ctx(), entry))
    }

    /// A line that is being typed: what could stand at its end, and what the command takes. A name may begin as a line
    /// does (`smooth brush`), so names are offered, too, until a parameter is typed; they come first where the line's end is
    /// the name of nothing.
    fn line(&mut self, ui: &mut Ui, app: &App, command: &'static Command, keys: Keys) -> Answer {
        let offered = app.editor().and_then(|editor| completion::at_end(editor, command, &self.text));
        let values = offered.as_ref().map_or(&[][..], |offered| &offered.values);
        let are_words = !self.text.contains(['=', '"']) && self.text.split_whitespace().count() > 1;
        let entries = if are_words { entries::found(ui.ctx(), app, self.text.trim()) } else { Vec::new() };
        let first = (values.is_empty() && !entries.is_empty()).then_some(0);
        self.chosen = stepped(self.chosen.or(first), values.len() + entries.len(), keys);
        let mut picked = if keys.tab { self.chosen.or(Some(0)) } else { self.chosen.filter(|_| keys.enter) };
        scrolled(ui, |ui| {
            let all = values.iter().map(Row::of_value).chain(entries.iter().map(Row::of_entry));
            picked = rows(ui, all, self.chosen, keys).or(picked);
            if !values.is_empty() || !entries.is_empty() {
                ui.add_space(6.0);
            }
            usage(ui, command);
        });
        let taken = picked.and_then(|i| Some((offered.as_ref()?, values.get(i)?)));
        if let Some((line, is_all)) = taken.map(|(offered, value)| offered.with(command, value)) {
            self.write(ui.ctx(), line);
            return if is_all && !keys.tab { Answer::Line(self.text.clone()) } else { Answer::Open };
        }
        let n_values = values.len();
        match picked.and_then(|i| entries.into_iter().nth(i - n_values)) {
            Some(entry) => self.choose(ui.ctx(), entry),
            None if keys.enter => Answer::Line(completion::with_key(command, &self.text)),
            None => Answer::Open,
        }
    }

    fn choose(&mut self, ctx: &egui::Context, entry: Entry) -> Answer {
        match entry.choice {
            Choice::Do(what) => Answer::Do(what),
            Choice::Press(press) => Answer::Press(press),
            Choice::Command(command) if entries::asks(command) => {
                self.write(ctx, format!("{} ", command.name));
                Answer::Open
            }
            Choice::Command(command) => Answer::Line(command.name.to_owned()),
        }
    }

    /// Replaces what is typed.
    fn write(&mut self, ctx: &egui::Context, text: String) {
        (self.text, self.error, self.chosen) = (text, None, None);
        let field = Self::area_id().with("field");
        if let Some(mut state) = egui::TextEdit::load_state(ctx, field) {
            let end = egui::text::CCursor::new(self.text.chars().count());
            state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
            state.store(ctx, field);
        }
        // The field shows it in the next frame.
        ctx.request_repaint();
    }
}

impl<'a> Row<'a> {
    fn of_entry(entry: &'a Entry) -> Self {
        Self { label: &entry.label, tag: &entry.tag, detail: &entry.detail, key: &entry.key }
    }

    fn of_value(value: &'a Value) -> Self {
        Self { label: &value.label, tag: "", detail: &value.detail, key: "" }
    }
}

/// The row that the arrow keys lead to.
fn stepped(chosen: Option<usize>, n: usize, keys: Keys) -> Option<usize> {
    let last = n.checked_sub(1)?;
    match (chosen, keys) {
        (None, Keys { down: true, .. }) => Some(0),
        (None, Keys { up: true, .. }) => Some(last),
        (None, _) => None,
        (Some(i), Keys { up: true, .. }) => Some(i.checked_sub(1).unwrap_or(last)),
        (Some(i), Keys { down: true, .. }) => Some(if i >= last { 0 } else { i + 1 }),
        (Some(i), _) => Some(i.min(last)),
    }
}

/// As high as the content needs, up to the window's end. An area is no higher than it was, so the least height is said, too.
fn scrolled(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let room = (ui.ctx().content_rect().max.y - BELOW - ui.cursor().min.y).max(2.0 * ROW_HEIGHT);
    let area = ScrollArea::vertical().auto_shrink([false, true]).animated(false);
    area.max_height(room).min_scrolled_height(room).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        content(ui);
    });
}

/// The command of a line that is being typed: its name and a space.
fn typed_command(text: &str) -> Option<&'static Command> {
    let (name, _) = text.trim_start().split_once(' ')?;
    command_named(name)
}

fn usage(ui: &mut Ui, command: &Command) {
    ui.spacing_mut().item_spacing.y = 3.0;
    let text = RichText::new(command.usage()).monospace().color(theme::of(ui).primary);
    ui.add(egui::Label::new(text).wrap());
    ui.add(egui::Label::new(theme::quiet(command.hint)).wrap());
    for param in command.params {
        let otherwise = param.default.map(|default| format!("; otherwise {default}")).unwrap_or_default();
        let text = format!("{}={}  {}{otherwise}", param.key, param.value, param.hint);
        ui.add(egui::Label::new(theme::quiet(text)).wrap());
    }
}

/// Draws rows; the one that was clicked.
fn rows<'a>(ui: &mut Ui, rows: impl Iterator<Item = Row<'a>>, chosen: Option<usize>, keys: Keys) -> Option<usize> {
    let mut clicked = None;
    for (i, row) in rows.enumerate() {
        if show_row(ui, &row, Some(i) == chosen, keys) {
            clicked = Some(i);
        }
    }
    clicked
}

fn show_row(ui: &mut Ui, row: &Row<'_>, is_chosen: bool, keys: Keys) -> bool {
    let colors = theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| {
        let name = if row.tag.is_empty() { row.label.to_owned() } else { format!("{} ({})", row.label, row.tag) };
        egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, name)
    });
    if is_chosen && (keys.up || keys.down) {
        response.scroll_to_me(None);
    }
    if !ui.is_rect_visible(rect) {
        return false;
    }
    if is_chosen || response.hovered() {
        ui.painter().rect_filled(rect, 4.0, if is_chosen { colors.teal_row } else { colors.hover });
    }
    let font = egui::FontId::proportional(12.5);
    let y = rect.center().y;
    let soft = if is_chosen { colors.normal } else { colors.quiet };
    let key = ui.painter().text(pos2(rect.max.x - 8.0, y), Align2::RIGHT_CENTER, row.key, font.clone(), soft);
    let at = pos2(rect.min.x + 8.0, y);
    let mut before = ui.painter().text(at, Align2::LEFT_CENTER, row.label, font.clone(), colors.primary);
    if !row.tag.is_empty() {
        let at = pos2(before.max.x + 8.0, y);
        before = ui.painter().text(at, Align2::LEFT_CENTER, row.tag, font.clone(), colors.teal);
    }
    let room = Rect::from_min_max(pos2(before.max.x + 12.0, rect.min.y), pos2(key.min.x - 8.0, rect.max.y));
    let mut is_cut = room.width() <= 24.0;
    if !is_cut {
        let mut job = egui::text::LayoutJob::simple_singleline(row.detail.to_owned(), font, soft);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room.width());
        let detail = ui.painter().layout_job(job);
        is_cut = detail.elided;
        let at = Align2::LEFT_CENTER.anchor_size(pos2(room.min.x, y), detail.size()).min;
        ui.painter().galley(at, detail, soft);
    }
    let response = if is_cut && !row.detail.is_empty() { response.on_hover_text(row.detail) } else { response };
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_recognised_by_its_name_and_a_space() {
        assert!(typed_command("limit influences=4").is_some_and(|command| command.name == "limit"));
        assert!(typed_command("limit").is_none());
        assert!(typed_command("limits a").is_none());
    }

    #[test]
    fn arrow_keys_go_round_and_choose_nothing_by_themselves() {
        let none = Keys { up: false, down: false, tab: false, escape: false, enter: false };
        let (up, down) = (Keys { up: true, ..none }, Keys { down: true, ..none });
        assert_eq!(stepped(None, 3, none), None);
        assert_eq!((stepped(None, 3, down), stepped(None, 3, up)), (Some(0), Some(2)));
        assert_eq!((stepped(Some(2), 3, down), stepped(Some(0), 3, up)), (Some(0), Some(2)));
        assert_eq!(stepped(Some(5), 3, none), Some(2), "the list became shorter");
        assert_eq!(stepped(Some(5), 0, down), None);
    }
}
