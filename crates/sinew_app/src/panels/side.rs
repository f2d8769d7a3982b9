//! The column at the right: the joint list, and sections under it that fold to their headings. The list keeps a useful
//! height whatever is open; the sections share the rest.
//!
//! Sizes are those that were chosen by hand, whenever the window has room for them: a window that was small for a while
//! leaves them as they were.

use egui::containers::panel::PanelState;
use egui::{
    Align, Align2, FontId, Frame, Id, Layout, Margin, Panel, Rangef, Rect, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2,
};
use lucide_icons::Icon;

use super::sections::{Place, Section, Sections, Wanted};
use super::{joints, pose};
use crate::{fonts, theme};

/// Width before somebody chose one, points.
const FIRST_WIDTH: f32 = 300.0;
/// Narrower, joint names are lost.
const MIN_WIDTH: f32 = 260.0;
const MAX_WIDTH: f32 = 560.0;
/// So much of the window stays for the view where there is any, points.
const VIEW_WIDTH: f32 = 320.0;

/// Height of the history before somebody chose one, points.
const FIRST_HEIGHT: f32 = 170.0;
/// With less a section says nothing, points: two rows of the history, the first lines of a report.
const LEAST_HEIGHT: f32 = 52.0;
/// The share of the column that a report takes at the most; the rest of it is scrolled to.
const REPORT_SHARE: f32 = 0.28;
/// A heading with the room around it, points.
const HEADING: f32 = 28.0;
/// The share of the column that the joint list keeps.
const JOINTS_SHARE: f32 = 0.4;
/// The list keeps so many rows in a low column, and so many where not even one section would have room.
const LEAST_ROWS: usize = 4;
const FEWEST_ROWS: usize = 2;

/// The parts of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// What stands beside the title, from the right.
    Beside,
    /// What the section is for.
    Content,
}

/// Draws the column at the right.
pub fn show(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let room = (ui.available_width() - VIEW_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH);
    let frame = theme::panel_frame(theme::of(ui));
    sized(ui, ("side", Axis::Width), FIRST_WIDTH, Rangef::new(MIN_WIDTH, room), frame, content);
}

/// Draws sections, from the top, at the bottom of the column, so that the joint list has its room above them.
pub fn sections(
    ui: &mut Ui,
    sections: &mut Sections,
    (present, (pose_height, n_joints)): (&[Section], (f32, usize)),
    mut draw: impl FnMut(&mut Ui, Section, Part),
) {
    let column = ui.available_height();
    let wanted: Vec<Wanted> = present.iter().map(|&section| wanted(ui, section, (column, pose_height))).collect();
    let room = column - joints_height(column, n_joints, present.len());
    let places = sections.share(room, HEADING, &wanted);
    let used = |place: &Place| match place {
        Place::None => 0.0,
        Place::Folded => HEADING,
        Place::Open(height) => HEADING + height,
    };
    let spare = (room - places.iter().map(used).sum::<f32>()).max(0.0);
    for (wanted, place) in wanted.iter().zip(&places).rev() {
        let Wanted { section, least, .. } = *wanted;
        let title = section.title();
        let frame =
            Frame::new().fill(theme::of(ui).panel).inner_margin(Margin { left: 0, right: 0, top: 1, bottom: 1 });
        let mut content = |ui: &mut Ui| {
            let is_open = matches!(place, Place::Open(_));
            if heading(ui, title, is_open, |ui| draw(ui, section, Part::Beside)) {
                sections.toggle(section);
                ui.ctx().request_repaint();
            }
            if is_open {
                body(ui, section, |ui| draw(ui, section, Part::Content));
            }
        };
        match *place {
            Place::None => {}
            Place::Open(height) if section == Section::History => {
                let range = Rangef::new(HEADING + least, HEADING + height + spare);
                sized(ui, (title, Axis::Height), FIRST_HEIGHT, range, frame, content);
            }
            Place::Open(_) | Place::Folded => {
                let panel = Panel::bottom((title, "fixed")).exact_size(used(place)).resizable(false);
                panel.frame(frame).show(ui, &mut content);
            }
        }
    }
}

/// How high the joint list is at the least, points. In the lowest columns it gives way so far that one of the sections
/// can be open.
fn joints_height(column: f32, n_joints: usize, n_sections: usize) -> f32 {
    let rows = |n: usize| joints::HEAD_HEIGHT + n as f32 * theme::ROW_HEIGHT;
    let beside_one = column - n_sections as f32 * HEADING - LEAST_HEIGHT;
    let wanted = (column * JOINTS_SHARE).max(rows(LEAST_ROWS));
    wanted.min(beside_one).max(rows(FEWEST_ROWS)).min(rows(n_joints))
}

fn wanted(ui: &Ui, section: Section, (column, pose_height): (f32, f32)) -> Wanted {
    match section {
        Section::Pose => Wanted { section, height: pose_height, least: pose::TURNS_HEIGHT },
        Section::History => {
            let key = chosen_key(ui, section.title());
            let chosen = ui.data_mut(|data| *data.get_persisted_mut_or(key, FIRST_HEIGHT));
            Wanted { section, height: (chosen - HEADING).max(LEAST_HEIGHT), least: LEAST_HEIGHT }
        }
        Section::SaveReport | Section::FileReport => {
            let all: f32 = ui.data(|data| data.get_temp(content_key(section))).unwrap_or(FIRST_HEIGHT);
            Wanted { section, height: all.min((column * REPORT_SHARE).max(LEAST_HEIGHT)), least: LEAST_HEIGHT }
        }
    }
}

fn body(ui: &mut Ui, section: Section, content: impl FnOnce(&mut Ui)) {
    if !matches!(section, Section::SaveReport | Section::FileReport) {
        return content(ui);
    }
    ui.add_space(2.0);
    // As low as its section: by itself it would push the heading out.
    let area = ScrollArea::vertical().id_salt(section.title()).auto_shrink([false, false]).min_scrolled_height(0.0);
    let shown = area.show(ui, content);
    let key = content_key(section);
    let height = shown.content_size.y + 4.0;
    let before = ui.data_mut(|data| data.get_temp::<f32>(key));
    if before.is_none_or(|before| (before - height).abs() > 0.5) {
        ui.data_mut(|data| data.insert_temp(key, height));
        ui.ctx().request_repaint();
    }
}

/// The title with its triangle, and what stands beside it; whether the row was clicked.
fn heading(ui: &mut Ui, title: &str, is_open: bool, beside: impl FnOnce(&mut Ui)) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING - 2.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::DisclosureTriangle, true, is_open, title));
    let colors = theme::of(ui);
    let (painter, y) = (ui.painter(), rect.center().y);
    let icon = char::from(if is_open { Icon::ChevronDown } else { Icon::ChevronRight });
    let color = if response.hovered() || response.has_focus() { colors.primary } else { colors.quiet };
    painter.text(pos2(rect.min.x + 6.0, y), Align2::CENTER_CENTER, icon, fonts::icon_font(13.0), color);
    let font = FontId::proportional(12.5);
    let text = painter.text(pos2(rect.min.x + 17.0, y), Align2::LEFT_CENTER, title, font, colors.primary);
    if response.has_focus() {
        let line = egui::Stroke::new(1.0, colors.teal);
        painter.rect_stroke(rect, 4.0, line, egui::StrokeKind::Inside);
    }
    let rest = Rect::from_min_max(pos2(text.max.x + 8.0, rect.min.y), rect.max);
    let rest = UiBuilder::new().max_rect(rest).layout(Layout::right_to_left(Align::Center));
    // Of its own: a row without anything beside the title is as high.
    beside(&mut ui.new_child(rest));
    response.clicked()
}

fn content_key(section: Section) -> Id {
    Id::unique(("content height", section.title()))
}

#[derive(Clone, Copy)]
enum Axis {
    Width,
    Height,
}

fn chosen_key(ui: &Ui, name: &'static str) -> Id {
    ui.scope_id().with(name).with("chosen size")
}

fn sized(
    ui: &mut Ui,
    (name, axis): (&'static str, Axis),
    first: f32,
    range: Rangef,
    frame: Frame,
    content: impl FnOnce(&mut Ui),
) {
    let (id, key) = (ui.scope_id().with(name), chosen_key(ui, name));
    let size_of = |state: PanelState| match axis {
        Axis::Width => state.size().x,
        Axis::Height => state.size().y,
    };
    let chosen = ui.data_mut(|data| *data.get_persisted_mut_or(key, first));
    let available = match axis {
        Axis::Width => ui.available_width(),
        Axis::Height => ui.available_height(),
    };
    let expected = range.clamp(chosen).min(available);
    // By itself a panel that had to be small would stay so.
    if let Some(PanelState { mut outer_rect }) = PanelState::load(ui, id) {
        match axis {
            Axis::Width => outer_rect.min.x = outer_rect.max.x - chosen,
            Axis::Height => outer_rect.min.y = outer_rect.max.y - chosen,
        }
        ui.data_mut(|data| data.insert_persisted(id, PanelState { outer_rect }));
    }
    let panel = match axis {
        Axis::Width => Panel::right(name),
        Axis::Height => Panel::bottom(name),
    };
    panel.resizable(true).default_size(first).size_range(range).frame(frame).show(ui, content);
    // Kept at the end of a drag, and when the keyboard or a screen reader sizes the panel.
    let now = PanelState::load(ui, id).map_or(expected, size_of);
    let was_sized = (now - expected).abs() > 1.0 && (now - chosen).abs() > 1.0;
    ui.data_mut(|data| data.insert_persisted(key, if was_sized { now } else { chosen }));
}
