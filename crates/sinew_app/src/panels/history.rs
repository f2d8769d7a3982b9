//! What was done, newest last; a click goes there.

use egui::{Rect, ScrollArea, Sense, Ui};
use sinew_edit::Editor;

use super::grouped;
use crate::action::Action;
use crate::theme;

/// Draws the list.
pub fn show(ui: &mut Ui, editor: &Editor, opened: &str, actions: &mut Vec<Action>) {
    let history = editor.history();
    let area = ScrollArea::vertical().id_salt("history").auto_shrink([false, false]).animated(false);
    // The list goes along with what is done and undone, and stays where somebody scrolled it meanwhile.
    let key = ui.scope_id().with("history step");
    let before = ui.data(|data| data.get_temp(key));
    let has_moved = before != Some(history.n_done());
    ui.data_mut(|data| data.insert_temp(key, history.n_done()));
    // As low as its section: by itself it would push the heading out.
    area.min_scrolled_height(0.0).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut row = |ui: &mut Ui, label: &str, n_vertices, is_done, step: usize| {
            let is_here = history.n_done() == step;
            let place = row(ui, label, n_vertices, is_done, is_here, || actions.push(Action::GoToStep(step)));
            if is_here && has_moved {
                ui.scroll_to_rect(place, None);
            }
        };
        row(ui, &format!("Open {opened}"), None, true, 0);
        for (i, entry) in history.entries().enumerate() {
            let count = (entry.n_vertices > 0).then_some(entry.n_vertices);
            row(ui, entry.label, count, entry.is_done && !entry.is_evicted, i + 1);
        }
    });
}

fn row(ui: &mut Ui, label: &str, n_vertices: Option<usize>, is_done: bool, is_here: bool, go: impl FnOnce()) -> Rect {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(ui.available_width(), theme::ROW_HEIGHT), Sense::click());
    let named = || egui::WidgetInfo::selected(egui::Role::Button, true, is_here, label);
    response.widget_info(named);
    if is_here {
        ui.painter().rect_filled(rect, 4.0, theme::of(ui).teal_row);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, theme::of(ui).hover);
    }
    if response.has_focus() {
        let line = egui::Stroke::new(1.0, theme::of(ui).teal);
        ui.painter().rect_stroke(rect, 4.0, line, egui::StrokeKind::Inside);
    }
    let color = if is_done { theme::of(ui).normal } else { theme::of(ui).quiet };
    let inside = rect.shrink2(egui::vec2(6.0, 0.0));
    let count_width = if n_vertices.is_some() { 56.0 } else { 0.0 };
    // Painted, not a label of its own: the row is one thing to a screen reader.
    let mut text = egui::text::LayoutJob::simple_singleline(label.to_owned(), egui::FontId::proportional(12.5), color);
    text.wrap = egui::text::TextWrapping::truncate_at_width(inside.width() - count_width);
    let text = ui.painter().layout_job(text);
    let is_cut = text.elided;
    let at = egui::Align2::LEFT_CENTER.anchor_size(inside.left_center(), text.size()).min;
    ui.painter().galley(at, text, color);
    if let Some(n) = n_vertices {
        let at = egui::pos2(inside.max.x, inside.center().y);
        let font = egui::FontId::proportional(11.0);
        ui.painter().text(
            at,
            egui::Align2::RIGHT_CENTER,
            format!("{} v", grouped(n)),
            font,
            if is_here { theme::of(ui).normal } else { theme::of(ui).quiet },
        );
    }
    let response = if is_cut { response.on_hover_text(label) } else { response };
    if response.clicked() {
        go();
    }
    rect
}
