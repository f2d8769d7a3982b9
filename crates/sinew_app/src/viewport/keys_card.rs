//! The keys of the tool in hand, over the view until the next key or click.

use egui::{Align2, Area, Context, Id, Order, Ui};

use super::Viewport;
use crate::keymap::{self, BINDINGS, Do, Mode, binding, key_text};
use crate::theme;

const PAINT: &[Do] = &[Do::SizeBrush, Do::DragStrength, Do::DragValue, Do::SmallerBrush, Do::LargerBrush];
const JOINTS: &[Do] = &[
    Do::Bend,
    Do::Flex,
    Do::FlexAndStay,
    Do::ResetJoint,
    Do::ResetPose,
    Do::TakeJoint,
    Do::ParentJoint,
    Do::ChildJoint,
    Do::PreviousJoint,
    Do::NextJoint,
    Do::ToggleLock,
    Do::LockOthers,
    Do::LockPie,
];
const VIEW: &[Do] = &[
    Do::Frame,
    Do::FrameJoint,
    Do::CycleDisplay,
    Do::ToggleTextured,
    Do::ToggleContours,
    Do::ToggleWire,
    Do::ToggleJoints,
    Do::ToggleGizmo,
    Do::ToggleDots,
    Do::ToggleGhosts,
    Do::ToggleDeformer,
    Do::ToggleExported,
];

const EDIT: &[Do] = &[
    Do::Undo,
    Do::Redo,
    Do::ToggleMirror,
    Do::StraightLine,
    Do::CycleReach,
    Do::Flood,
    Do::LinearGradient,
    Do::RadialGradient,
    Do::MaskBrush,
    Do::Palette,
];
const SELECT: &[Do] = &[
    Do::SelectTool,
    Do::SelectAll,
    Do::SelectNone,
    Do::InvertSelection,
    Do::GrowSelection,
    Do::ShrinkSelection,
    Do::SelectLinked,
    Do::MirrorSelection,
    Do::HideSelected,
    Do::Isolate,
    Do::Reveal,
];

/// How large its letters are at most and at least, as a share of the size that lists have. Where they would have to be
/// smaller it scrolls.
const SCALES: std::ops::RangeInclusive<u32> = 12..=20;
const SCALE_OF_ONE: f32 = 20.0;
const MARGIN: f32 = 14.0;

/// Draws the card.
pub fn show(viewport: &Viewport, ui: &Ui) {
    if !viewport.tools.shows_keys {
        return;
    }
    let ctx = ui.ctx();
    let view = viewport.area().rect();
    // Over the panels, too, where the view alone is small.
    let window = ctx.content_rect().shrink(8.0);
    let within = if view.width() < 900.0 || view.height() < 560.0 { window } else { view.shrink(8.0) };
    let lines = lines(ctx);
    let room = within.size() - egui::Vec2::splat(2.0 * MARGIN);
    let laid = Laid::fitting(ui, &lines, room);
    let is_long = laid.is_long(room);
    let size = egui::vec2(laid.width(), laid.height.min(room.y)) + egui::Vec2::splat(2.0 * MARGIN);
    let area = Area::new(Id::unique("keys")).order(Order::Foreground).interactable(is_long);
    area.fixed_pos(within.center() - size * 0.5).constrain_to(window).show(ctx, |ui| {
        theme::use_stage_colors(ui);
        theme::float_frame().fill(theme::DARK.panel).inner_margin(MARGIN).show(ui, |ui| {
            if is_long {
                egui::ScrollArea::vertical().max_height(room.y).show(ui, |ui| laid.show(ui, &lines));
            } else {
                laid.show(ui, &lines);
            }
        });
    });
}

/// One line of the card.
enum Entry {
    Heading(&'static str),
    Key(Line),
    /// A last one, under everything.
    Note(&'static str),
}

fn lines(ctx: &Context) -> Vec<Entry> {
    let lane = vec![("Shift click".to_owned(), "Joint into the lane (in the list)".to_owned())];
    let groups = [
        ("Paint", paint(ctx)),
        ("Edit", of(ctx, EDIT)),
        ("Brushes", brushes(ctx)),
        ("Joints", [of(ctx, JOINTS), lane].concat()),
        ("Select, hide", of(ctx, SELECT)),
        ("View", of(ctx, VIEW)),
    ];
    let mut lines = Vec::new();
    for (title, keys) in groups {
        lines.push(Entry::Heading(title));
        lines.extend(keys.into_iter().filter(|(key, _)| !key.is_empty()).map(Entry::Key));
    }
    lines.push(Entry::Note("Any key closes this. All keys can be changed in Settings."));
    lines
}

/// The columns and the size of letters with which all has room.
struct Laid {
    scale: f32,
    /// Which lines each column has, how wide its keys are and how wide it is, points.
    columns: Vec<(std::ops::Range<usize>, f32, f32)>,
    height: f32,
}

impl Laid {
    /// The largest letters with which everything is seen; the least if none will do.
    fn fitting(ui: &Ui, lines: &[Entry], room: egui::Vec2) -> Self {
        let mut laid = None;
        for step in SCALES.rev() {
            let scale = step as f32 / SCALE_OF_ONE;
            let tried = Self::in_columns(ui, lines, scale, room);
            let fits = !tried.is_long(room);
            laid = Some(tried);
            if fits {
                break;
            }
        }
        laid.unwrap_or_else(|| Self::in_columns(ui, lines, 1.0, room))
    }

    /// As many columns as there is width for, and no more than are needed.
    fn in_columns(ui: &Ui, lines: &[Entry], scale: f32, room: egui::Vec2) -> Self {
        let mut last = None;
        for n_columns in 1..=6 {
            let columns = Self::columns(ui, lines, scale, n_columns);
            let longest = columns.iter().map(|(range, ..)| range.len()).max().unwrap_or(0);
            let laid = Self { scale, columns, height: (longest as f32 + 1.4) * LINE * scale };
            if laid.width() > room.x {
                return last.unwrap_or(laid);
            }
            if laid.height <= room.y {
                return laid;
            }
            last = Some(laid);
        }
        last.unwrap_or(Self { scale, columns: Vec::new(), height: 0.0 })
    }

    fn columns(ui: &Ui, lines: &[Entry], scale: f32, n_columns: usize) -> Vec<(std::ops::Range<usize>, f32, f32)> {
        let n_keys = lines.len() - 1;
        let width = |text: &str, size: f32| {
            let font = egui::FontId::proportional(size * scale);
            ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x
        };
        let mut columns = Vec::new();
        let mut first = 0;
        while first < n_keys {
            let n_left = n_columns.saturating_sub(columns.len()).max(1);
            let mut end = first + (n_keys - first).div_ceil(n_left);
            // A heading stands over more than one line of what it is for.
            let heading = (first + 1..end).rev().take(2).find(|&i| matches!(lines[i], Entry::Heading(_)));
            if end < n_keys {
                end = heading.unwrap_or(end);
            }
            let (mut keys, mut words) = (0.0_f32, 0.0_f32);
            for line in &lines[first..end] {
                if let Entry::Key((key, what)) = line {
                    keys = keys.max(width(key, KEY_SIZE) + 12.0 * scale);
                    words = words.max(width(what, TEXT_SIZE));
                }
            }
            columns.push((first..end, keys, keys + 10.0 * scale + words + 2.0));
            first = end;
        }
        columns
    }

    fn width(&self) -> f32 {
        let gaps = self.columns.len().saturating_sub(1) as f32 * GAP;
        self.columns.iter().map(|(.., width)| width).sum::<f32>() + gaps
    }

    /// Whether it has to be scrolled.
    fn is_long(&self, room: egui::Vec2) -> bool {
        self.height > room.y
    }

    fn show(&self, ui: &mut Ui, lines: &[Entry]) {
        let scale = self.scale;
        ui.spacing_mut().item_spacing = egui::vec2(GAP, 0.0);
        ui.horizontal_top(|ui| {
            for (range, keys, width) in &self.columns {
                ui.vertical(|ui| {
                    ui.set_width(*width);
                    for line in &lines[range.clone()] {
                        entry(ui, line, (*keys, *width), scale);
                    }
                });
            }
        });
        if let Some(line @ Entry::Note(_)) = lines.last() {
            entry(ui, line, (0.0, self.width()), scale);
        }
    }
}

/// Of a line, of letters, between columns, points.
const LINE: f32 = 21.0;
const KEY_SIZE: f32 = 11.0;
const TEXT_SIZE: f32 = 12.5;
const GAP: f32 = 22.0;

fn entry(ui: &mut Ui, line: &Entry, (keys, width): (f32, f32), scale: f32) {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(width, LINE * scale), egui::Sense::hover());
    let colors = theme::of(ui);
    let write = |x: f32, text: &str, size: f32, color| {
        let font = egui::FontId::proportional(size * scale);
        ui.painter().text(egui::pos2(x, rect.center().y), Align2::LEFT_CENTER, text, font, color)
    };
    let name = match line {
        Entry::Heading(title) => {
            write(rect.min.x, title, TEXT_SIZE + 1.0, colors.primary);
            title
        }
        Entry::Note(note) => {
            write(rect.min.x, note, TEXT_SIZE - 0.5, colors.quiet);
            note
        }
        Entry::Key((key, what)) => {
            let font = egui::FontId::proportional(KEY_SIZE * scale);
            let text = ui.painter().layout_no_wrap(key.clone(), font, colors.primary);
            let cap = egui::Rect::from_min_size(
                egui::pos2(rect.min.x, rect.min.y + 1.5 * scale),
                egui::vec2(text.size().x + 10.0 * scale, rect.height() - 3.0 * scale),
            );
            let response = ui.interact(cap, response.id.with("key"), egui::Sense::hover());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, key));
            let line = egui::Stroke::new(1.0, colors.line);
            ui.painter().rect(cap, 4.0, colors.well, line, egui::StrokeKind::Inside);
            let at = Align2::CENTER_CENTER.anchor_size(cap.center(), text.size()).min;
            ui.painter().galley(at, text, colors.primary);
            write(rect.min.x + keys + 10.0 * scale, what, TEXT_SIZE, colors.normal);
            what.as_str()
        }
    };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, name));
}

type Line = (String, String);

fn of(ctx: &Context, all: &[Do]) -> Vec<Line> {
    all.iter().map(|&what| (key_text(ctx, what), binding(what).label.to_owned())).collect()
}

/// The mouse, and the brush's numbers.
fn paint(ctx: &Context) -> Vec<Line> {
    let held = [("LMB", "Paint"), ("Ctrl", "Invert"), ("Shift", "Smooth")];
    let mut lines: Vec<Line> = held.map(|(key, what)| (key.to_owned(), what.to_owned())).into();
    lines.extend(of(ctx, PAINT));
    lines.extend(mouse(ctx));
    lines
}

fn brushes(ctx: &Context) -> Vec<Line> {
    let brushes = BINDINGS.iter().filter(|binding| matches!(binding.what, Do::Brush(_)));
    brushes.map(|line| (line.key_text(ctx), line.label.trim_start_matches("Brush: ").to_owned())).collect()
}

/// What the mouse does that no key does.
fn mouse(ctx: &Context) -> Vec<Line> {
    let is_mouse = |key: &str| ["MMB", "Wheel", "click", "drag"].iter().any(|word| key.contains(word));
    let hints = Mode::Idle.hints(ctx).into_iter().filter(|(key, _)| is_mouse(key));
    hints.map(|(key, what)| (key, keymap::hints::capitalised(what))).collect()
}
