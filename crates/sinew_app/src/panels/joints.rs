//! The joint list: a tree with search, the active joint, locks, and how much weight each joint has.

use egui::{Align2, FontId, Rect, ScrollArea, Sense, Ui, pos2, vec2};
use lucide_icons::Icon;
use sinew_edit::args::joint_name;
use sinew_edit::{Editor, Line};
use sinew_model::{Document, NodeIndex};

use crate::action::Action;
use crate::facts::Facts;
use crate::{fonts, theme};

/// What the list keeps between frames.
#[derive(Default)]
pub struct JointList {
    /// What is typed in the search field.
    pub search: String,
    shown: Option<NodeIndex>,
}

/// One row.
struct Row {
    joint: NodeIndex,
    depth: usize,
}

impl JointList {
    /// Draws the list.
    pub fn show(&mut self, ui: &mut Ui, editor: &mut Editor, facts: &Facts, actions: &mut Vec<Action>) {
        let document = editor.document();
        let (n_joints, n_locked) = (document.joints().len(), document.locks().len());
        ui.horizontal(|ui| {
            ui.label(theme::heading("Joints"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let locked = if n_locked > 0 { format!(" · {n_locked} locked") } else { String::new() };
                ui.label(theme::quiet(format!("{n_joints}{locked}")));
            });
        });
        let field =
            egui::TextEdit::singleline(&mut self.search).hint_text("Search joints").desired_width(f32::INFINITY);
        let response = ui.add(field);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Search joints"));
        ui.add_space(2.0);
        let rows = rows(document, &self.search);
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
        let output = area.show_rows(ui, theme::ROW_HEIGHT, rows.len(), |ui, range| {
            for row in &rows[range] {
                if let Some(joint) = show_row(ui, editor, facts, row, actions) {
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
}

fn rows(document: &Document, search: &str) -> Vec<Row> {
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
        .map(|&joint| Row { joint, depth: if wanted.is_empty() { depth[joint.idx()] } else { 0 } })
        .collect()
}

fn show_row(ui: &mut Ui, editor: &Editor, facts: &Facts, row: &Row, actions: &mut Vec<Action>) -> Option<NodeIndex> {
    let document = editor.document();
    let name = document.nodes().label(row.joint);
    let is_active = editor.session.active_joint == Some(row.joint);
    let is_locked = document.locks().contains(&row.joint);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW_HEIGHT), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_active, &name));
    let lock_rect = Rect::from_center_size(pos2(rect.max.x - 14.0, rect.center().y), vec2(22.0, theme::ROW_HEIGHT));
    let lock = ui.interact(lock_rect, response.id.with("lock"), Sense::click());
    let lock_label = format!("{} {name}", if is_locked { "Unlock" } else { "Lock" });
    lock.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_locked, &lock_label));
    if is_active {
        ui.painter().rect_filled(rect, 4.0, theme::of(ui).teal_row);
    } else if response.hovered() || lock.hovered() {
        ui.painter().rect_filled(rect, 4.0, theme::of(ui).hover);
    }
    let left = rect.min.x + 8.0 + row.depth.min(14) as f32 * 10.0;
    let color = match (is_active, facts.joint_weight(row.joint) > 0.0) {
        (true, _) => theme::of(ui).primary,
        (false, true) => theme::of(ui).normal,
        (false, false) => theme::of(ui).quiet,
    };
    let bar = Rect::from_min_size(pos2(rect.max.x - 74.0, rect.center().y - 2.0), vec2(42.0, 4.0));
    let clip = Rect::from_min_max(rect.min, pos2(bar.min.x - 6.0, rect.max.y)).intersect(ui.clip_rect());
    let at = pos2(left, rect.center().y);
    ui.painter().with_clip_rect(clip).text(at, Align2::LEFT_CENTER, &name, FontId::proportional(12.5), color);
    weight_bar(ui, bar, facts.joint_share(row.joint), is_active);
    padlock(ui, lock_rect.center(), is_locked, response.hovered() || lock.hovered());
    if lock.on_hover_text("Locked joints keep their weights to the bit").clicked() {
        let command = if is_locked { "unlock" } else { "lock" };
        let joint = joint_name(document, None, row.joint);
        actions.push(Action::Line(Line::new(command).with("joint", joint).to_string()));
    }
    response.clicked().then_some(row.joint)
}

/// How much of the weight a joint has, against the one that has most. Small shares are still seen.
fn weight_bar(ui: &Ui, bar: Rect, share: f32, is_active: bool) {
    ui.painter().rect_filled(bar, 2.0, theme::of(ui).well);
    if share > 0.0 {
        let width = (bar.width() * share.sqrt()).max(2.0);
        let color = if is_active { theme::of(ui).teal } else { theme::of(ui).amount };
        ui.painter().rect_filled(Rect::from_min_size(bar.min, vec2(width, bar.height())), 2.0, color);
    }
}

fn padlock(ui: &Ui, center: egui::Pos2, is_locked: bool, is_hovered: bool) {
    if !is_locked && !is_hovered {
        return;
    }
    let (icon, color) = match is_locked {
        true => (Icon::Lock, theme::of(ui).warning),
        false => (Icon::LockOpen, theme::of(ui).quiet),
    };
    ui.painter().text(center, Align2::CENTER_CENTER, char::from(icon), fonts::icon_font(13.0), color);
}
