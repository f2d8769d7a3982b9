//! The joint list: a tree with search, the active joint, locks, and how much weight each joint has.

use std::collections::BTreeSet;

use egui::{Align2, Color32, FontId, Id, Key, Rect, Response, ScrollArea, Sense, Ui, pos2, vec2};
use lucide_icons::Icon;
use sinew_edit::args::joint_name;
use sinew_edit::{Editor, GiveTo, Line};
use sinew_model::{Document, NodeIndex};

use super::controls;
use super::joint_tree::{Fold, JointTree, Row, Wanted};
use super::sight::Sight;
use crate::action::{Action, Notice};
use crate::facts::Facts;
use crate::viewport::joint_colors;
use crate::{fonts, theme};

/// What the list keeps between frames.
#[derive(Default)]
pub struct JointList {
    /// What is typed in the search field.
    pub search: String,
    /// Whether joints without weight are left out.
    pub used_only: bool,
    /// Joints whose own joints are folded away.
    pub collapsed: BTreeSet<NodeIndex>,
    shown: Option<NodeIndex>,
    /// Where the active joint's row was in the list.
    sight: Sight,
    of_file: Option<OfFile>,
}

/// What is made once for a file.
struct OfFile {
    tree: JointTree,
    /// `[n_nodes]`
    colors: Vec<Color32>,
    /// Widths of names, points. `[n_nodes]`
    widths: Vec<f32>,
}

/// What rows are drawn from, and where what they ask for goes.
struct Rows<'a> {
    editor: &'a Editor,
    facts: &'a Facts,
    of_file: &'a OfFile,
    hidden: &'a mut BTreeSet<NodeIndex>,
    collapsed: &'a mut BTreeSet<NodeIndex>,
    actions: &'a mut Vec<Action>,
    /// Joints that go into the lane or out of it.
    to_lane: &'a mut Vec<NodeIndex>,
    /// The joint that takes removed weight from now on.
    taker: &'a mut Option<NodeIndex>,
    indent: f32,
}

const TAKES_REMOVED: (&str, &str) =
    ("Takes removed weight", "What the painted joint gives up goes to this joint from now on");

/// Height of the heading and the search field, points.
pub const HEAD_HEIGHT: f32 = 62.0;
/// One step to the right in the tree, points: less where deep names need the room.
const INDENTS: std::ops::RangeInclusive<f32> = 5.0..=12.0;
/// Room for bar, eye and lock after a name, points.
const AFTER_NAME: f32 = 96.0;
/// So much of a name has room however deep its joint is, points.
const LEAST_NAME: f32 = 70.0;
/// Room for the colour and the triangle before a name, points.
const BEFORE_NAME: f32 = 27.0;

impl OfFile {
    fn of(ui: &Ui, document: &Document) -> Self {
        let colors = joint_colors::of(document).into_iter().map(|color| {
            let [r, g, b, _] = color.0;
            Color32::from_rgb(r, g, b)
        });
        let mut widths = vec![0.0; document.nodes().len()];
        for &joint in document.joints() {
            let name = ui.painter().layout_no_wrap(document.nodes().label(joint), name_font(), Color32::PLACEHOLDER);
            widths[joint.idx()] = name.size().x;
        }
        Self { tree: JointTree::of(document), colors: colors.collect(), widths }
    }

    /// The step to the right with which the rows' names have room, as far as there is such a step.
    fn indent(&self, rows: &[Row], width: f32) -> f32 {
        let room = |row: &Row| {
            let name = self.widths.get(row.joint.idx()).copied().unwrap_or(0.0);
            (width - BEFORE_NAME - AFTER_NAME - 6.0 - name) / row.depth as f32
        };
        let least = rows.iter().filter(|row| row.depth > 0).map(room).fold(f32::INFINITY, f32::min);
        least.clamp(*INDENTS.start(), *INDENTS.end())
    }

    fn color(&self, joint: NodeIndex) -> Color32 {
        self.colors.get(joint.idx()).copied().unwrap_or(Color32::GRAY)
    }
}

impl JointList {
    /// Another file is open: what was folded and searched for was of the old one.
    pub fn forget(&mut self) {
        *self = Self { used_only: self.used_only, ..Self::default() };
    }

    /// Lists all joints again; whether some were left out by a search.
    pub fn clear_search(&mut self) -> bool {
        !std::mem::take(&mut self.search).is_empty()
    }

    /// Draws the list. `hidden` are the joints that the view leaves out.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        editor: &mut Editor,
        facts: &Facts,
        hidden: &mut BTreeSet<NodeIndex>,
        actions: &mut Vec<Action>,
    ) {
        self.head(ui, editor.document(), hidden);
        let search = egui::TextEdit::singleline(&mut self.search).hint_text("Search joints");
        let search = ui.add(search.desired_width(f32::INFINITY));
        search.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Search joints"));
        if search.lost_focus() && ui.input(|i| i.key_pressed(Key::Escape)) {
            self.search.clear();
        }
        let at = pos2(search.rect.max.x - 13.0, search.rect.center().y);
        if self.search.is_empty() {
            let icon = char::from(Icon::Search);
            ui.painter().text(at, Align2::CENTER_CENTER, icon, fonts::icon_font(13.0), theme::of(ui).quiet);
        } else if clear_button(ui, at) {
            self.search.clear();
        }
        ui.add_space(2.0);
        let is_new = self.of_file.is_none();
        let of_file = self.of_file.get_or_insert_with(|| OfFile::of(ui, editor.document()));
        let active = editor.session.active_joint;
        if active != self.shown
            && let Some(active) = active
        {
            // A joint picked in the view is found in the list.
            of_file.tree.above(active).for_each(|joint| {
                self.collapsed.remove(&joint);
            });
        }
        let used_only = self.used_only;
        let is_left_out = |joint| used_only && facts.joint_weight(joint) <= 0.0 && Some(joint) != active;
        let wanted = Wanted { search: &self.search, is_left_out: &is_left_out, collapsed: &self.collapsed };
        let rows = of_file.tree.rows(&wanted);
        if rows.is_empty() {
            nothing_listed(ui, &self.search, used_only);
        }
        let list_id = ui.scope_id().with("joint");
        if let Some(joint) = walk(ui, &of_file.tree, &mut self.collapsed, &rows, list_id, &search) {
            editor.session.active_joint = Some(joint);
        }
        let active = editor.session.active_joint;
        let row = active.and_then(|active| rows.iter().position(|row| row.joint == active));
        let is_other = active != self.shown;
        self.shown = active;
        let area = ScrollArea::vertical()
            .id_salt("joints")
            .auto_shrink([false, false])
            .animated(false)
            .min_scrolled_height(0.0);
        // Where the list of another file was scrolled to, maybe on another day, means nothing here.
        let area = if is_new { area.vertical_scroll_offset(0.0) } else { area };
        let height = ui.available_height();
        let to_see = self.sight.row_to_see(row, rows.len(), height, is_other);
        let mut picked = None;
        ui.spacing_mut().item_spacing.y = 0.0;
        let indent = of_file.indent(&rows, ui.available_width());
        let (mut to_lane, mut taker) = (Vec::new(), None);
        let collapsed = &mut self.collapsed;
        let (to_lane_of, taker_of) = (&mut to_lane, &mut taker);
        let mut from =
            Rows { editor, facts, of_file, hidden, collapsed, actions, to_lane: to_lane_of, taker: taker_of, indent };
        let output = area.show_rows(ui, theme::ROW_HEIGHT, rows.len(), |ui, range| {
            if let Some((row, align)) = to_see {
                let top = ui.max_rect().min.y + (row as f32 - range.start as f32) * theme::ROW_HEIGHT;
                let rect = Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=top + theme::ROW_HEIGHT);
                ui.scroll_to_rect(rect, align);
                ui.ctx().request_repaint();
            }
            for row in &rows[range] {
                if let Some(joint) = show_row(ui, &mut from, row, list_id.with(row.joint.idx())) {
                    picked = Some(joint);
                }
            }
        });
        self.sight.saw(row, output.state.clamped_offset().y, height);
        if let Some(joint) = taker {
            editor.session.paint.give = GiveTo::Joint(joint);
            let name = editor.document().nodes().label(joint);
            actions.push(Action::Say(Notice::done(format!("What other joints lose goes to {name}"))));
        }
        for joint in to_lane {
            let lane = &mut editor.session.paint.lane;
            match lane.iter().position(|&other| other == joint) {
                Some(at) => drop(lane.remove(at)),
                None => lane.push(joint),
            }
            actions.push(Action::Say(super::brush_bar::about_lane(editor)));
        }
        if let Some(joint) = picked {
            editor.session.active_joint = Some(joint);
            self.shown = Some(joint);
        }
    }

    fn head(&mut self, ui: &mut Ui, document: &Document, hidden: &mut BTreeSet<NodeIndex>) {
        let (n_joints, n_locked) = (document.joints().len(), document.locks().len());
        ui.horizontal(|ui| {
            ui.label(theme::heading("Joints"));
            let locked = if n_locked > 0 { format!(" · {n_locked} locked") } else { String::new() };
            ui.label(theme::quiet(format!("{n_joints}{locked}")));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let hint = "Leave out joints without weight";
                if controls::toggle(ui, "Used only", self.used_only).on_hover_text(hint).clicked() {
                    self.used_only ^= true;
                }
                if !hidden.is_empty() {
                    let text = format!("Show {} hidden", hidden.len());
                    if ui.small_button(text).on_hover_text("Show all joints in the view").clicked() {
                        hidden.clear();
                    }
                }
            });
        });
    }
}

fn name_font() -> FontId {
    FontId::proportional(12.5)
}

/// The way out of a search, at the end of its field.
fn clear_button(ui: &mut Ui, at: egui::Pos2) -> bool {
    let id = ui.scope_id().with("clear search");
    let response = ui.interact(Rect::from_center_size(at, vec2(18.0, 18.0)), id, Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Clear the search"));
    let colors = theme::of(ui);
    let color = if response.hovered() || response.has_focus() { colors.primary } else { colors.quiet };
    ui.painter().text(at, Align2::CENTER_CENTER, char::from(Icon::X), fonts::icon_font(13.0), color);
    response.on_hover_cursor(egui::CursorIcon::Default).on_hover_text("Show all joints again").clicked()
}

fn nothing_listed(ui: &mut Ui, search: &str, used_only: bool) {
    let text = match (search.trim(), used_only) {
        ("", _) => "No joint holds weight".to_owned(),
        (search, false) => format!("No joint is called “{search}”"),
        (search, true) => format!("No joint with weight is called “{search}”"),
    };
    ui.add(egui::Label::new(theme::quiet(text)).wrap());
}

/// Arrow keys on a focused row: up and down the list; left folds, then goes to the parent; right unfolds, then goes to
/// the first child; with Alt the whole branch folds. Down or Enter in the search field takes the first that was found.
fn walk(
    ui: &Ui,
    tree: &JointTree,
    collapsed: &mut BTreeSet<NodeIndex>,
    rows: &[Row],
    list_id: Id,
    search: &Response,
) -> Option<NodeIndex> {
    let found = || rows.iter().find(|row| !row.is_context);
    // Enter takes the keyboard from the field in the frame in which it is pressed.
    if search.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
        let joint = found()?.joint;
        ui.ctx().memory_mut(|memory| memory.request_focus(list_id.with(joint.idx())));
        return Some(joint);
    }
    let focused = ui.ctx().memory(egui::Memory::focused)?;
    let place = rows.iter().position(|row| list_id.with(row.joint.idx()) == focused);
    let (up, down, left, right, is_whole) = ui.input(|i| {
        let pressed = |key| i.key_pressed(key) && (i.modifiers.is_none() || i.modifiers.alt);
        let [up, down, left, right] = [Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight].map(pressed);
        (up, down, left, right, i.modifiers.alt)
    });
    let next = match place {
        None if focused == search.id && down => found(),
        None => None,
        Some(place) => {
            let row = rows[place];
            let arrows = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
            ui.ctx().memory_mut(|memory| memory.set_focus_lock_filter(focused, arrows));
            if (left && row.fold == Fold::Open) || (right && row.fold == Fold::Closed) {
                fold(tree, collapsed, row.joint, left, is_whole);
                ui.ctx().request_repaint();
                return None;
            }
            let parent = tree.parent(row.joint);
            match () {
                () if up => place.checked_sub(1).and_then(|place| rows.get(place)),
                () if down => rows.get(place + 1),
                () if left => rows.iter().find(|row| Some(row.joint) == parent),
                () if right && row.fold == Fold::Open => rows.get(place + 1),
                () => None,
            }
        }
    }?;
    ui.ctx().memory_mut(|memory| memory.request_focus(list_id.with(next.joint.idx())));
    Some(next.joint)
}

/// Folds or unfolds a joint, or it and all under it.
fn fold(tree: &JointTree, collapsed: &mut BTreeSet<NodeIndex>, joint: NodeIndex, is_closing: bool, is_whole: bool) {
    let mut set = |joint| {
        if is_closing {
            collapsed.insert(joint);
        } else {
            collapsed.remove(&joint);
        }
    };
    if is_whole { tree.branches(joint).for_each(set) } else { set(joint) }
}

/// The parts of a row that can be clicked.
struct Parts {
    row: Response,
    triangle: Option<Response>,
    lock: Response,
    eye: Response,
}

impl Parts {
    fn all(&self) -> impl Iterator<Item = &Response> {
        [&self.row, &self.lock, &self.eye].into_iter().chain(&self.triangle)
    }
}

fn show_row(ui: &mut Ui, from: &mut Rows<'_>, row: &Row, id: Id) -> Option<NodeIndex> {
    let document = from.editor.document();
    let colors = theme::of(ui);
    let name = document.nodes().label(row.joint);
    let is_active = from.editor.session.active_joint == Some(row.joint);
    let is_locked = document.locks().contains(&row.joint);
    let is_hidden = from.hidden.contains(&row.joint);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), theme::ROW_HEIGHT));
    let bar = Rect::from_min_size(pos2(rect.max.x - 88.0, rect.center().y - 2.0), vec2(40.0, 4.0));
    let color = match (is_active, from.facts.joint_weight(row.joint) > 0.0 && !is_hidden && !row.is_context) {
        (true, _) => colors.primary,
        (false, true) => colors.normal,
        (false, false) => colors.quiet,
    };
    // Only the deepest rows move left of their place; a name that has no room loses its middle.
    let end = rect.max.x - AFTER_NAME;
    let indent = rect.min.x + 6.0 + row.depth as f32 * from.indent;
    let left = indent.min(end - BEFORE_NAME - LEAST_NAME).max(rect.min.x + 6.0);
    let text = fonts::fit_name(ui.painter(), &name, name_font(), color, end - left - BEFORE_NAME);
    let is_cut = text.text() != name;

    let parts = interact_row(ui, rect, left, row, id);
    name_parts(&parts, &name, row.fold, (is_active, is_locked, is_hidden));
    let is_hovered = parts.all().any(Response::hovered);
    if is_active {
        ui.painter().rect_filled(rect, 4.0, colors.teal_row);
    } else if is_hovered {
        ui.painter().rect_filled(rect, 4.0, colors.hover);
    }
    for focused in parts.all().filter(|response| response.has_focus()) {
        let line = egui::Stroke::new(1.0, colors.teal);
        ui.painter().rect_stroke(focused.rect, 4.0, line, egui::StrokeKind::Inside);
    }
    let of_joint = from.of_file.color(row.joint);
    let faded = if row.is_context || is_hidden { of_joint.gamma_multiply(0.45) } else { of_joint };
    if from.editor.session.paint.lane.contains(&row.joint) {
        let tick = Rect::from_min_max(rect.min + vec2(0.0, 4.0), pos2(rect.min.x + 2.5, rect.max.y - 4.0));
        ui.painter().rect_filled(tick, 1.0, colors.teal);
    }
    let swatch = Rect::from_center_size(pos2(left + 4.0, rect.center().y), vec2(8.0, 8.0));
    ui.painter().rect_filled(swatch, 2.0, faded);
    let soft = if is_active { colors.normal } else { colors.quiet };
    let mark = |center, icon: Icon, color| {
        ui.painter().text(center, Align2::CENTER_CENTER, char::from(icon), fonts::icon_font(13.0), color);
    };
    if let Some(triangle) = &parts.triangle {
        let icon = if row.fold == Fold::Closed { Icon::ChevronRight } else { Icon::ChevronDown };
        let color = if triangle.hovered() { colors.primary } else { soft };
        mark(triangle.rect.center(), icon, color);
    }
    let clip = Rect::from_min_max(rect.min, pos2(end, rect.max.y)).intersect(ui.clip_rect());
    let at = Align2::LEFT_CENTER.anchor_size(pos2(left + BEFORE_NAME, rect.center().y), text.size()).min;
    ui.painter().with_clip_rect(clip).galley(at, text, color);
    weight_bar(ui, bar, from.facts.joint_share(row.joint), faded);
    match (is_locked, is_hovered || parts.lock.has_focus()) {
        (true, _) => mark(parts.lock.rect.center(), Icon::Lock, colors.warning),
        (false, true) => mark(parts.lock.rect.center(), Icon::LockOpen, soft),
        (false, false) => {}
    }
    match (is_hidden, is_hovered || parts.eye.has_focus()) {
        (true, _) => mark(parts.eye.rect.center(), Icon::EyeOff, soft),
        (false, true) => mark(parts.eye.rect.center(), Icon::Eye, soft),
        (false, false) => {}
    }
    let Parts { row: mut response, triangle, lock, eye } = parts;
    let is_whole = ui.input(|i| i.modifiers.alt);
    if lock.on_hover_text("Locked joints keep their weights to the bit (Alt: lock all others)").clicked() {
        from.actions.push(match (is_whole, is_locked) {
            (true, _) => lock_others(document, row.joint),
            (false, true) => line(document, "unlock", row.joint),
            (false, false) => line(document, "lock", row.joint),
        });
    }
    if eye.on_hover_text("Show or hide this joint in the view (Alt: only this and those under it)").clicked() {
        if is_whole {
            solo(from, row.joint);
        } else {
            set_hidden(from.hidden, row.joint, !is_hidden);
        }
    }
    if triangle.is_some_and(|triangle| triangle.on_hover_text("Fold or unfold (Alt: all under it)").clicked()) {
        fold(&from.of_file.tree, from.collapsed, row.joint, row.fold == Fold::Open, is_whole);
    }
    if is_cut {
        response = response.on_hover_text(&name);
    }
    let wants_menu = response.clicked() && ui.input(|i| i.modifiers.command);
    let open = (wants_menu || response.secondary_clicked()).then_some(egui::SetOpenCommand::Bool(true));
    egui::Popup::menu(&response).open_memory(open).at_pointer_fixed().show(|ui| menu(ui, from, row.joint, &name));
    let is_for_lane = response.clicked() && ui.input(|i| i.modifiers.shift);
    if is_for_lane {
        from.to_lane.push(row.joint);
    }
    (response.clicked() && !wants_menu && !is_for_lane).then_some(row.joint)
}

fn interact_row(ui: &Ui, rect: Rect, left: f32, row: &Row, id: Id) -> Parts {
    let response = ui.interact(rect, id, Sense::click());
    let place = |x: f32, width: f32| Rect::from_center_size(pos2(x, rect.center().y), vec2(width, theme::ROW_HEIGHT));
    let triangle =
        (row.fold != Fold::Leaf).then(|| ui.interact(place(left + 17.0, 16.0), id.with("fold"), Sense::click()));
    let lock = ui.interact(place(rect.max.x - 13.0, 20.0), id.with("lock"), Sense::click());
    let eye = ui.interact(place(rect.max.x - 33.0, 20.0), id.with("eye"), Sense::click());
    Parts { row: response, triangle, lock, eye }
}

fn name_parts(parts: &Parts, name: &str, fold: Fold, (is_active, is_locked, is_hidden): (bool, bool, bool)) {
    use egui::WidgetInfo;
    parts.row.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, is_active, name));
    if let Some(triangle) = &parts.triangle {
        let is_open = fold == Fold::Open;
        let label = format!("{} {name}", if is_open { "Fold" } else { "Unfold" });
        triangle.widget_info(|| WidgetInfo::selected(egui::Role::DisclosureTriangle, true, is_open, &label));
    }
    let label = format!("{} {name}", if is_locked { "Unlock" } else { "Lock" });
    parts.lock.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, is_locked, &label));
    let label = format!("{} {name}", if is_hidden { "Show" } else { "Hide" });
    parts.eye.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, is_hidden, &label));
}

fn menu(ui: &mut Ui, from: &mut Rows<'_>, joint: NodeIndex, name: &str) {
    let document = from.editor.document();
    ui.set_min_width(180.0);
    ui.label(theme::heading(name));
    let (is_locked, is_hidden) = (document.locks().contains(&joint), from.hidden.contains(&joint));
    let entry = |ui: &mut Ui, text: &str, hint: &str| {
        let button = ui.button(text);
        controls::hint_beside(&button, hint);
        let is_clicked = button.clicked();
        if is_clicked {
            ui.close();
        }
        is_clicked
    };
    let verb = if is_locked { ("Unlock", "unlock") } else { ("Lock", "lock") };
    if entry(ui, verb.0, "Locked joints keep their weights to the bit") {
        from.actions.push(line(document, verb.1, joint));
    }
    if entry(ui, "Lock others", "Only this joint's weights may change") {
        from.actions.push(lock_others(document, joint));
    }
    if entry(ui, "Unlock all", "Let all weights change again") {
        from.actions.push(Action::Line(Line::new("unlock").with("joint", "all").to_string()));
    }
    ui.separator();
    let in_lane = from.editor.session.paint.lane.contains(&joint);
    let hint = "While there is a lane, painting exchanges weight only among its joints";
    if entry(ui, if in_lane { "Take out of the lane" } else { "Add to the lane" }, hint) {
        from.to_lane.push(joint);
    }
    let is_painted = from.editor.session.active_joint == Some(joint);
    let button = ui.add_enabled(!is_painted, egui::Button::new(TAKES_REMOVED.0));
    let button = button.on_hover_text(TAKES_REMOVED.1);
    if button.on_disabled_hover_text("This joint is painted: it cannot take what it gives up itself").clicked() {
        *from.taker = Some(joint);
        ui.close();
    }
    ui.separator();
    if entry(ui, if is_hidden { "Show" } else { "Hide" }, "In the view only: the file keeps it") {
        set_hidden(from.hidden, joint, !is_hidden);
    }
    if entry(ui, "Solo", "Show only this joint and those under it") {
        solo(from, joint);
    }
    if entry(ui, "Show all", "Show all joints in the view") {
        from.hidden.clear();
    }
    ui.separator();
    if entry(ui, "Unfold all", "Show the whole tree") {
        from.collapsed.clear();
    }
    if entry(ui, "Fold all", "Show only the first joints of the tree") {
        from.collapsed.extend(from.of_file.tree.all_branches());
    }
    ui.separator();
    if entry(ui, "Reset joint", "Put this joint back to the rest pose") {
        from.actions.push(line(document, "reset_pose", joint));
    }
}

fn line(document: &Document, command: &str, joint: NodeIndex) -> Action {
    Action::Line(Line::new(command).with("joint", joint_name(document, None, joint)).to_string())
}

fn set_hidden(hidden: &mut BTreeSet<NodeIndex>, joint: NodeIndex, is_hidden: bool) {
    if is_hidden {
        hidden.insert(joint);
    } else {
        hidden.remove(&joint);
    }
}

/// Hides all joints but one and those under it.
fn solo(from: &mut Rows<'_>, top: NodeIndex) {
    let joints = from.editor.document().joints();
    *from.hidden = joints.iter().copied().filter(|&joint| !from.of_file.tree.is_under(joint, top)).collect();
}

/// Locks all joints but one.
pub fn lock_others(document: &Document, joint: NodeIndex) -> Action {
    let line = Line::new("lock").with("joint", joint_name(document, None, joint)).with("others", "yes");
    Action::Line(line.to_string())
}

/// How much of the weight a joint has, against the one that has most. Small shares are still seen.
fn weight_bar(ui: &Ui, bar: Rect, share: f32, color: Color32) {
    ui.painter().rect_filled(bar, 2.0, theme::of(ui).line);
    if share > 0.0 {
        let width = (bar.width() * share.sqrt()).max(2.0);
        ui.painter().rect_filled(Rect::from_min_size(bar.min, vec2(width, bar.height())), 2.0, color);
    }
}
