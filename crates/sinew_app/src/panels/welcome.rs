//! What the stage says while no file is open: the way in, recent files, or how far opening is.

use std::path::{Path, PathBuf};

use egui::{Align2, Area, Id, RichText, Ui};
use lucide_icons::Icon;

use crate::action::Action;
use crate::keymap::{Do, binding};
use crate::modals::{self, Question};
use crate::{fonts, theme};

/// A file on its way in.
#[derive(Clone, Copy)]
pub struct Loading<'a> {
    /// The file.
    pub path: &'a Path,
    /// What is being done.
    pub step: &'a str,
}

/// Ways to a file.
#[derive(Clone, Copy)]
pub struct Ways<'a> {
    /// Whether a character comes with the program.
    pub has_demo: bool,
    /// Whether files can be dropped on the window.
    pub can_drop: bool,
    /// Files that a crash left work on, the last first.
    pub left: &'a [Question],
    /// Files that were open, the last first.
    pub recent: &'a [PathBuf],
}

const WIDTH: f32 = 400.0;
/// So many recent files are listed; the menu has them all.
const MAX_RECENT: usize = 6;
/// So many files with unsaved work; a list has them all.
const MAX_LEFT: usize = 3;

/// Draws the welcome over the empty view.
pub fn show(ui: &Ui, center: egui::Pos2, loading: Option<Loading<'_>>, ways: &Ways<'_>, actions: &mut Vec<Action>) {
    Area::new(Id::unique("welcome")).fixed_pos(center).pivot(Align2::CENTER_CENTER).show(ui.ctx(), |ui| {
        theme::use_stage_colors(ui);
        ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 40.0).max(0.0));
        ui.vertical_centered(|ui| match loading {
            Some(loading) => progress(ui, loading, actions),
            None => way_in(ui, ways, actions),
        });
    });
}

/// While a file is held over the window: where it goes.
pub fn drop_target(ctx: &egui::Context) {
    let held = ctx.input(|i| i.raw.hovered_files.first().map(|file| file.path.clone()));
    let Some(path) = held else { return };
    let name = path.as_deref().map(file_name).filter(|name| !name.is_empty());
    let rect = ctx.content_rect();
    let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Foreground, Id::unique("drop target")));
    painter.rect_filled(rect, 0.0, egui::Color32::from_black_alpha(170));
    dashed(&painter, rect.shrink(14.0), theme::TEAL);
    let text = format!("Drop to open {}", name.as_deref().unwrap_or("this file"));
    let font = egui::FontId::proportional(18.0);
    painter.text(rect.center(), Align2::CENTER_CENTER, text, font, theme::PRIMARY);
}

/// A spinner, the file, the step, and the way out.
pub fn progress(ui: &mut Ui, loading: Loading<'_>, actions: &mut Vec<Action>) {
    ui.add(egui::Spinner::new().size(22.0).color(theme::TEAL));
    ui.add_space(8.0);
    let name = file_name(loading.path);
    ui.label(RichText::new(format!("Opening {name}")).color(theme::PRIMARY).size(14.0));
    ui.label(theme::quiet(loading.step));
    ui.add_space(8.0);
    if ui.button("Cancel").on_hover_text("Leave everything as it was").clicked() {
        actions.push(Action::CancelOpen);
    }
}

fn way_in(ui: &mut Ui, ways: &Ways<'_>, actions: &mut Vec<Action>) {
    ui.label(fonts::icon(Icon::PersonStanding).size(40.0).color(theme::TEAL));
    ui.add_space(4.0);
    ui.label(RichText::new("Open a character").color(theme::PRIMARY).size(18.0));
    ui.add_space(4.0);
    ui.label(theme::quiet("glTF with a skin: .glb, .gltf or .vrm"));
    ui.add_space(16.0);
    buttons(ui, ways.has_demo, actions);
    if ways.can_drop {
        ui.add_space(16.0);
        let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), 56.0), egui::Sense::hover());
        dashed(ui.painter(), rect, theme::DARK.amount.gamma_multiply(0.8));
        let place = egui::UiBuilder::new().max_rect(rect);
        let place = place.layout(egui::Layout::centered_and_justified(egui::Direction::LeftToRight));
        ui.scope_builder(place, |ui| ui.label(theme::quiet("or drop a file anywhere on this window")));
    }
    if !ways.left.is_empty() {
        ui.add_space(20.0);
        work_left(ui, ways.left, actions);
    }
    if !ways.recent.is_empty() {
        ui.add_space(20.0);
        recent_files(ui, ways.recent, actions);
    }
}

/// Opening comes first: dropping does not work on every desktop (B60).
fn buttons(ui: &mut Ui, has_demo: bool, actions: &mut Vec<Action>) {
    // Two fill the width of what is under them; one stands in the middle.
    let gap = ui.spacing().item_spacing.x;
    let room = ui.available_width();
    let size = egui::vec2((room - gap) * 0.5, 32.0);
    ui.horizontal(|ui| {
        if !has_demo {
            ui.add_space((room - size.x) * 0.5);
        }
        let open = binding(Do::Open);
        let text = RichText::new(open.label).color(theme::PRIMARY);
        let button = egui::Button::new(text).fill(theme::DARK.teal_fill).min_size(size);
        if ui.add(button).on_hover_text(open.tooltip(ui.ctx())).clicked() {
            actions.push(Action::Do(Do::Open));
        }
        if has_demo {
            let demo = binding(Do::OpenDemo);
            let button = egui::Button::new(demo.label).min_size(size);
            if ui.add(button).on_hover_text(demo.hint).clicked() {
                actions.push(Action::Do(Do::OpenDemo));
            }
        }
    });
}

/// What a crash left: there to be taken up, and in nobody's way.
fn work_left(ui: &mut Ui, left: &[Question], actions: &mut Vec<Action>) {
    ui.label(theme::heading(&modals::work_on(left)));
    ui.add_space(4.0);
    for question in left.iter().take(MAX_LEFT) {
        if modals::question_row(ui, question) {
            actions.push(Action::AskToRecover(question.journal().to_owned()));
        }
    }
    if left.len() > MAX_LEFT && ui.button(format!("All {}…", left.len())).clicked() {
        actions.push(Action::Do(Do::Recover));
    }
}

fn recent_files(ui: &mut Ui, recent: &[PathBuf], actions: &mut Vec<Action>) {
    ui.label(theme::heading("Recent"));
    ui.add_space(4.0);
    for path in recent.iter().take(MAX_RECENT) {
        let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        let row = egui::Button::new(RichText::new(file_name(path)).color(theme::NORMAL))
            .right_text(theme::quiet(shortened(&folder, 36)))
            .fill(egui::Color32::TRANSPARENT)
            .min_size(egui::vec2(ui.available_width(), 26.0));
        let response = ui.add(row);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, file_name(path)));
        if response.on_hover_text(path.display().to_string()).clicked() {
            actions.push(Action::OpenPath(path.clone()));
        }
    }
}

fn dashed(painter: &egui::Painter, rect: egui::Rect, color: egui::Color32) {
    let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    painter.extend(egui::Shape::dashed_line(&corners, egui::Stroke::new(1.5, color), 6.0, 5.0));
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The end of a long text: of a path it says most.
fn shortened(text: &str, n_chars: usize) -> String {
    let n = text.chars().count();
    if n <= n_chars {
        text.to_owned()
    } else {
        format!("…{}", text.chars().skip(n - n_chars + 1).collect::<String>())
    }
}
