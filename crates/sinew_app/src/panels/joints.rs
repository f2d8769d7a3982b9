//! The joint list: a tree with search, the active joint, locks, and how much weight each joint has.

use std::collections::BTreeSet;

use egui::{Align2, FontId, Id, Key, Rect, Response, ScrollArea, Sense, Ui, pos2, vec2};
use lucide_icons::Icon;
use sinew_edit::args::joint_name;
use sinew_edit::{Editor, Line};
use sinew_model::{Document, NodeIndex};

use super::controls;
use crate::action::Action;
use crate::facts::Facts;
use crate::{fonts, theme};

/// What the list keeps between frames.
#[derive(Default)]
pub struct JointList {
    /// What is typed in the search field.
    pub search: String,
    /// Whether joints without weight are left out.
    pub used_only: bool,
    shown: Option<NodeIndex>,
}

/// One row.
struct Row {
    joint: NodeIndex,
    depth: usize,
}

/// What rows are drawn from, and where what they ask for goes.
struct Rows<'a> {
    editor: &'a Editor,
    facts: &'a Facts,
    hidden: &'a mut BTreeSet<NodeIndex>,
    actions: &'a mut Vec<Action>,
}

impl JointList {
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
        if self.search.is_empty() {
            let at = pos2(search.rect.max.x - 13.0, search.rect.center().y);
            let icon = char::from(Icon::Search);
            ui.painter().text(at, Align2::CENTER_CENTER, icon, fonts::icon_font(13.0), theme::of(ui).quiet);
        }
        ui.add_space(2.0);
        let used = self.used_only.then_some(facts);
        let rows = rows(editor.document(), &self.search, used, editor.session.active_joint);
        if rows.is_empty() {
            ui.label(theme::quiet("No joint is called that"));
        }
        let list_id = ui.scope_id().with("joint");
        if let Some(joint) = walk(ui, editor, &rows, list_id, &search) {
            editor.session.active_joint = Some(joint);
        }
        let active = editor.session.active_joint;
        let scroll_to = (active != self.shown).then(|| rows.iter().position(|row| Some(row.joint) == active)).flatten();
        self.shown = active;
        let mut area = ScrollArea::vertical().id_salt("joints").auto_shrink([false, false]);
        if let Some(row) = scroll_to {
            // Only if it is out of sight: a list that jumps under the pointer is worse than one that does not follow.
            let top = row as f32 * theme::ROW_HEIGHT;
            let height = ui.available_height();
            let at = ui.ctx().data(|data| data.get_temp::<f32>(ui.scope_id().with("joints_offset"))).unwrap_or(0.0);
            if top < at || top + theme::ROW_HEIGHT > at + height {
                area = area.vertical_scroll_offset((top - height * 0.5).max(0.0));
            }
        }
        let mut picked = None;
        let key = ui.scope_id().with("joints_offset");
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut from = Rows { editor, facts, hidden, actions };
        let output = area.show_rows(ui, theme::ROW_HEIGHT, rows.len(), |ui, range| {
            for row in &rows[range] {
                if let Some(joint) = show_row(ui, &mut from, row, list_id.with(row.joint.idx())) {
                    picked = Some(joint);
                }
            }
        });
        ui.ctx().data_mut(|data| data.insert_temp(key, output.state.clamped_offset().y));
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

fn rows(document: &Document, search: &str, used: Option<&Facts>, active: Option<NodeIndex>) -> Vec<Row> {
    let wanted = search.trim().to_lowercase();
    let mut depth = vec![0usize; document.nodes().len()];
    for &node in document.nodes().order() {
        if let Some(parent) = document.nodes().parent(node) {
            depth[node.idx()] = depth[parent.idx()] + usize::from(document.is_joint(parent));
        }
    }
    document
        .joints()
        .iter()
        .filter(|&&joint| wanted.is_empty() || document.nodes().label(joint).to_lowercase().contains(&wanted))
        .filter(|&&joint| used.is_none_or(|facts| facts.joint_weight(joint) > 0.0 || Some(joint) == active))
        .map(|&joint| Row { joint, depth: if wanted.is_empty() { depth[joint.idx()] } else { 0 } })
        .collect()
}

/// Arrow keys on a focused row go up and down the list, left to the parent and right to the first child; down from the
/// search field goes into the list.
fn walk(ui: &Ui, editor: &Editor, rows: &[Row], list_id: Id, search: &Response) -> Option<NodeIndex> {
    let document = editor.document();
    let focused = ui.ctx().memory(egui::Memory::focused)?;
    let place = rows.iter().position(|row| list_id.with(row.joint.idx()) == focused);
    let (up, down, left, right) = ui.input(|i| {
        let pressed = |key| i.key_pressed(key) && i.modifiers.is_none();
        (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::ArrowLeft), pressed(Key::ArrowRight))
    });
    let next = match place {
        None if focused == search.id && down => rows.first(),
        None => None,
        Some(place) => {
            let joint = rows[place].joint;
            let arrows = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
            ui.ctx().memory_mut(|memory| memory.set_focus_lock_filter(focused, arrows));
            let parent = document.nodes().parent(joint);
            match () {
                () if up => place.checked_sub(1).and_then(|place| rows.get(place)),
                () if down => rows.get(place + 1),
                () if left => rows.iter().find(|row| Some(row.joint) == parent),
                () if right => rows.iter().find(|row| document.nodes().parent(row.joint) == Some(joint)),
                () => None,
            }
        }
    }?;
    ui.ctx().memory_mut(|memory| memory.request_focus(list_id.with(next.joint.idx())));
    Some(next.joint)
}

fn show_row(ui: &mut Ui, from: &mut Rows<'_>, row: &Row, id: Id) -> Option<NodeIndex> {
    let document = from.editor.document();
    let colors = theme::of(ui);
    let name = document.nodes().label(row.joint);
    let is_active = from.editor.session.active_joint == Some(row.joint);
    let is_locked = document.locks().contains(&row.joint);
    let is_hidden = from.hidden.contains(&row.joint);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), theme::ROW_HEIGHT));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_active, &name));
    let place = |from_right: f32| {
        Rect::from_center_size(pos2(rect.max.x - from_right, rect.center().y), vec2(20.0, theme::ROW_HEIGHT))
    };
    let lock = ui.interact(place(13.0), id.with("lock"), Sense::click());
    let lock_label = format!("{} {name}", if is_locked { "Unlock" } else { "Lock" });
    lock.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_locked, &lock_label));
    let eye = ui.interact(place(33.0), id.with("eye"), Sense::click());
    let eye_label = format!("{} {name}", if is_hidden { "Show" } else { "Hide" });
    eye.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_hidden, &eye_label));
    let is_hovered = response.hovered() || lock.hovered() || eye.hovered();
    if is_active {
        ui.painter().rect_filled(rect, 4.0, colors.teal_row);
    } else if is_hovered {
        ui.painter().rect_filled(rect, 4.0, colors.hover);
    }
    for focused in [&response, &lock, &eye].into_iter().filter(|response| response.has_focus()) {
        let line = egui::Stroke::new(1.0, colors.teal);
        ui.painter().rect_stroke(focused.rect, 4.0, line, egui::StrokeKind::Inside);
    }
    let left = rect.min.x + 8.0 + row.depth.min(14) as f32 * 10.0;
    let color = match (is_active, from.facts.joint_weight(row.joint) > 0.0 && !is_hidden) {
        (true, _) => colors.primary,
        (false, true) => colors.normal,
        (false, false) => colors.quiet,
    };
    let bar = Rect::from_min_size(pos2(rect.max.x - 90.0, rect.center().y - 2.0), vec2(42.0, 4.0));
    let clip = Rect::from_min_max(rect.min, pos2(bar.min.x - 6.0, rect.max.y)).intersect(ui.clip_rect());
    // A deep joint's long name moves left rather than lose its end, which tells left from right and 1 from 3.
    let text = ui.painter().layout_no_wrap(name.clone(), FontId::proportional(12.5), color);
    let left = left.min((clip.max.x - text.size().x).max(rect.min.x + 8.0));
    let at = Align2::LEFT_CENTER.anchor_size(pos2(left, rect.center().y), text.size()).min;
    ui.painter().with_clip_rect(clip).galley(at, text, color);
    weight_bar(ui, bar, from.facts.joint_share(row.joint), is_active);
    let mark = |center, icon: Icon, color| {
        ui.painter().text(center, Align2::CENTER_CENTER, char::from(icon), fonts::icon_font(13.0), color);
    };
    let soft = if is_active { colors.normal } else { colors.quiet };
    match (is_locked, is_hovered || lock.has_focus()) {
        (true, _) => mark(lock.rect.center(), Icon::Lock, colors.warning),
        (false, true) => mark(lock.rect.center(), Icon::LockOpen, soft),
        (false, false) => {}
    }
    match (is_hidden, is_hovered || eye.has_focus()) {
        (true, _) => mark(eye.rect.center(), Icon::EyeOff, soft),
        (false, true) => mark(eye.rect.center(), Icon::Eye, soft),
        (false, false) => {}
    }
    if lock.on_hover_text("Locked joints keep their weights to the bit").clicked() {
        from.actions.push(line(document, if is_locked { "unlock" } else { "lock" }, row.joint));
    }
    if eye.on_hover_text("Show or hide this joint in the view").clicked() {
        set_hidden(from.hidden, row.joint, !is_hidden);
    }
    let wants_menu = response.clicked() && ui.input(|i| i.modifiers.command);
    let open = (wants_menu || response.secondary_clicked()).then_some(egui::SetOpenCommand::Bool(true));
    egui::Popup::menu(&response).open_memory(open).at_pointer_fixed().show(|ui| menu(ui, from, row.joint, &name));
    (response.clicked() && !wants_menu).then_some(row.joint)
}

fn menu(ui: &mut Ui, from: &mut Rows<'_>, joint: NodeIndex, name: &str) {
    let document = from.editor.document();
    ui.set_min_width(180.0);
    ui.label(theme::heading(name));
    let (is_locked, is_hidden) = (document.locks().contains(&joint), from.hidden.contains(&joint));
    let entry = |ui: &mut Ui, text: &str, hint: &str| {
        let is_clicked = ui.button(text).on_hover_text(hint).clicked();
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
        from.actions.push(Action::Line(Line::new("lock").with("joint", "all").to_string()));
        from.actions.push(line(document, "unlock", joint));
    }
    if entry(ui, "Unlock all", "Let all weights change again") {
        from.actions.push(Action::Line(Line::new("unlock").with("joint", "all").to_string()));
    }
    ui.separator();
    if entry(ui, if is_hidden { "Show" } else { "Hide" }, "In the view only: the file keeps it") {
        set_hidden(from.hidden, joint, !is_hidden);
    }
    if entry(ui, "Solo", "Show only this joint and those under it") {
        *from.hidden = document.joints().iter().copied().filter(|&other| !is_under(document, other, joint)).collect();
    }
    if entry(ui, "Show all", "Show all joints in the view") {
        from.hidden.clear();
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

/// Whether a node is the given one or below it.
fn is_under(document: &Document, node: NodeIndex, above: NodeIndex) -> bool {
    std::iter::successors(Some(node), |&node| document.nodes().parent(node)).any(|node| node == above)
}

/// How much of the weight a joint has, against the one that has most. Small shares are still seen.
fn weight_bar(ui: &Ui, bar: Rect, share: f32, is_active: bool) {
    ui.painter().rect_filled(bar, 2.0, theme::of(ui).line);
    if share > 0.0 {
        let width = (bar.width() * share.sqrt()).max(2.0);
        let color = if is_active { theme::of(ui).teal } else { theme::of(ui).amount };
        ui.painter().rect_filled(Rect::from_min_size(bar.min, vec2(width, bar.height())), 2.0, color);
    }
}
