//! Numbers where the eye is: the weights of the vertex under the brush, the angle at the bent joint.

use egui::{Align2, Color32, FontId, Pos2, Rect, Stroke, pos2, vec2};
use glam::Vec3;
use sinew_edit::Editor;
use sinew_edit::pick::SkinHit;
use sinew_model::{NodeIndex, Row, VertexIndex};
use sinew_render::{Color, Ramp};

use super::Viewport;
use super::display::Display;
use super::scene::Scene;
use crate::keymap::Mode;
use crate::{fonts, theme};

/// One line of the vertex read-out.
#[derive(Clone, PartialEq, Debug)]
pub struct Share {
    /// The joint.
    pub joint: String,
    /// Its weight.
    pub weight: f32,
    /// Its weight before the last step, where that changed the vertex.
    pub before: Option<f32>,
    /// Its weight as exported, while the model is shown so.
    pub exported: Option<f32>,
    /// Whether it is the active joint.
    pub is_active: bool,
    /// Whether it is locked.
    pub is_locked: bool,
    /// Its colour in lists.
    pub color: Color32,
}

/// What is known about the vertex under the brush.
#[derive(Clone, PartialEq, Debug)]
pub struct VertexReadOut {
    /// The vertex.
    pub vertex: VertexIndex,
    /// Which mesh it is in, where there are several, and whether commands act on that one alone.
    pub mesh: Option<(String, bool)>,
    /// How many vertices stand at this place as one.
    pub n_in_seam: usize,
    /// Its influences, the largest first.
    pub shares: Vec<Share>,
    /// How far it stands as exported from where it stands as edited, scene units; while the model is shown so.
    pub difference: Option<f32>,
    /// What is the matter with it, with the colour that marks it.
    pub notes: Vec<(Color32, String)>,
}

/// Of names before the bars, points: as wide as the longest name between these.
const NAME_WIDTHS: std::ops::RangeInclusive<f32> = 90.0..=190.0;
/// Of the card without the names, points.
const BESIDE_NAMES: f32 = 106.0;
/// Room for the weight as exported beside the weight.
const EXPORTED_WIDTH: f32 = 66.0;
const ROW: f32 = 18.0;
const MAX_ROWS: usize = 10;
/// A joint this near to the pointer, or to the brush's rim, is meant by it, points.
const NEAR: f32 = 60.0;

/// The vertex nearest to a hit and its weights. `colors` are the joints', by node. `[n_nodes]`
pub fn of_vertex(editor: &mut Editor, hit: &SkinHit, colors: &[Color]) -> Option<VertexReadOut> {
    let surface = editor.surface(hit.mesh);
    let difference = editor.exported(hit.instance_idx).map(|exported| exported.distances[hit.vertex.idx()]);
    let exported = editor.exported_rows(hit.mesh).map(|rows| rows.get(hit.vertex));
    let document = editor.document();
    let skin = document.instances()[hit.instance_idx].skin?;
    let row = document.mesh(hit.mesh).weights.get(hit.vertex);
    let before = editor.history().row_before_last(hit.mesh, hit.vertex);
    let gone = before.iter().flat_map(Row::influences).filter(|old| row.weight(old.slot) == 0.0 && old.weight > 0.0);
    let mut shares: Vec<Share> = row
        .influences()
        .iter()
        .chain(gone)
        .filter_map(|influence| {
            let joint = document.skin(skin).joint(influence.slot)?;
            Some(Share {
                joint: document.nodes().label(joint),
                weight: row.weight(influence.slot),
                before: before.as_ref().map(|before| before.weight(influence.slot)),
                exported: exported.as_ref().map(|exported| exported.weight(influence.slot)),
                is_active: editor.session.active_joint == Some(joint),
                is_locked: document.locks().contains(&joint),
                color: colors.get(joint.idx()).map_or(Color32::GRAY, |c| Color32::from_rgb(c.0[0], c.0[1], c.0[2])),
            })
        })
        .collect();
    shares.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let n_in_seam = surface.members(surface.group_of(hit.vertex)).len();
    let notes = super::vertex_notes::of(editor, hit.mesh, hit.vertex, &surface);
    let document = editor.document();
    let has_several = document.instances().len() > 1;
    let is_chosen = editor.session.active_mesh == Some(hit.mesh);
    let mesh = has_several.then(|| (document.instance_label(hit.instance_idx), is_chosen));
    Some(VertexReadOut { vertex: hit.vertex, mesh, n_in_seam, shares, difference, notes })
}

/// Draws the read-outs.
pub fn show(viewport: &Viewport, ui: &egui::Ui, editor: &mut Editor) {
    // Where a tag stands: the card keeps off it.
    let mut tags: Vec<Rect> = Vec::new();
    if let Some((joint, turn)) = turning(viewport, editor) {
        let place = editor.scene_from_node()[joint.idx()].translation.as_vec3();
        let name = editor.document().nodes().label(joint);
        if let Some(px) = viewport.view().px_of(place) {
            tags.push(tag(ui, viewport.area().pos_of(px) + vec2(14.0, 10.0), &format!("{name}  {turn}")));
        }
    }
    if let Some(text) = viewport.tools.size_read_out(editor) {
        let at = viewport.area().pos_of(viewport.tools.pointer_px());
        tags.push(tag(ui, at + vec2(16.0, 14.0), &text));
    }
    if let Some(joint) = editor.session.active_joint {
        let place = editor.scene_from_node()[joint.idx()].translation.as_vec3();
        if let Some((pos, turn)) = resting_turn(viewport, editor, (joint, place)) {
            tags.push(tag(ui, pos + vec2(14.0, 10.0), &turn));
        }
    }
    if viewport.mode() == Mode::Taking
        && let Some(joint) = viewport.named_joint()
    {
        // At the pointer: that is where the eye is, the joint may be hidden by a hand.
        let at = viewport.area().pos_of(viewport.tools.pointer_px());
        tags.push(tag(ui, at + vec2(16.0, -10.0), &joint_tag(editor, joint)));
    } else if let Some(joint) = viewport.named_joint() {
        let place = editor.scene_from_node()[joint.idx()].translation.as_vec3();
        if let Some(px) = viewport.view().px_of(place) {
            let end = viewport.area().pos_of(px) + vec2(-12.0, -28.0);
            tags.push(tag_before(ui, end, &joint_tag(editor, joint)));
        }
    }
    if viewport.mode() == Mode::Idle
        && !viewport.tools.shows_keys
        && let Some(hit) = viewport.hover()
        && let Some(read_out) = of_vertex(editor, hit, viewport.scene().map_or(&[][..], Scene::joint_colors))
        && let Some(px) = viewport.view().px_of(hit.point)
    {
        let reach = editor.session.brush.radius * viewport.view().px_per_unit(hit.point);
        let area = viewport.area();
        let brush = (area.pos_of(px), reach / area.pixels_per_point);
        vertex_card(ui, area.rect(), (brush, &tags), &read_out, &viewport.options.display);
    }
}

/// A joint's name, whether it is locked, and how it is turned, if it is.
pub fn joint_tag(editor: &Editor, joint: NodeIndex) -> String {
    let mut text = editor.document().nodes().label(joint);
    if editor.document().locks().contains(&joint) {
        text.push_str(" (locked)");
    }
    let turn = turn_text(editor.session.pose.turn_deg(joint));
    if !turn.is_empty() {
        text = format!("{text}  {turn}");
    }
    text
}

/// `X 95°  Z -3.5°`: the axes about which there is a turn.
fn turn_text(turn_deg: Vec3) -> String {
    let rounded = turn_deg.to_array().map(|deg| (deg * 10.0).round() / 10.0);
    let turned = ["X", "Y", "Z"].into_iter().zip(rounded).filter(|(_, deg)| *deg != 0.0);
    turned.map(|(axis, deg)| format!("{axis} {deg}°")).collect::<Vec<_>>().join("  ")
}

/// The joint that is being bent or turned and, where that is a turn, what becomes of it: `Z +37.6° → 77.6°`.
pub fn turning(viewport: &Viewport, editor: &Editor) -> Option<(NodeIndex, String)> {
    let (joint, change) = viewport.tools.bend_read_out()?;
    if viewport.tools.flex.joint().is_some() {
        // It is taken back: the pose stays what it is.
        return Some((joint, change));
    }
    let total = turn_text(editor.session.pose.turn_deg(joint));
    let axis = change.split(' ').next().unwrap_or_default();
    let total = match total.strip_prefix(axis) {
        _ if total.is_empty() => "0°",
        Some(degrees) if !degrees.trim_start().contains(' ') => degrees.trim_start(),
        _ => &total,
    };
    Some((joint, format!("{change} → {total}")))
}

/// How a joint at a place is turned, and where that is shown: beside it. With a brush in the hand, which has other things to
/// show there, only as long as the pointer is near the joint and the brush not on it.
pub fn resting_turn(viewport: &Viewport, editor: &Editor, (joint, place): (NodeIndex, Vec3)) -> Option<(Pos2, String)> {
    let is_free = matches!(viewport.mode(), Mode::Idle | Mode::Looking);
    let text = turn_text(editor.session.pose.turn_deg(joint));
    if !is_free || !viewport.options.joints || text.is_empty() || viewport.named_joint() == Some(joint) {
        return None;
    }
    let (view, area) = (viewport.view(), viewport.area());
    let px = view.px_of(place)?;
    if viewport.shows_ring() {
        let hit = viewport.hover();
        let reach_px = hit.map_or(0.0, |hit| editor.session.brush.radius * view.px_per_unit(hit.point));
        let apart_px = viewport.tools.pointer_px().distance(px);
        let is_near = apart_px < reach_px + NEAR * area.pixels_per_point;
        if !is_near || (hit.is_some() && apart_px <= reach_px) {
            return None;
        }
    }
    Some((area.pos_of(px), text))
}

fn tag(ui: &egui::Ui, at: Pos2, text: &str) -> Rect {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(12.0), theme::PRIMARY);
    draw_tag(ui, at, galley)
}

/// A tag that ends at a place: the vertex card goes on behind it.
fn tag_before(ui: &egui::Ui, end: Pos2, text: &str) -> Rect {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(12.0), theme::PRIMARY);
    let left = ui.max_rect().min.x + 4.0;
    draw_tag(ui, pos2((end.x - galley.size().x - 12.0).max(left), end.y), galley)
}

fn draw_tag(ui: &egui::Ui, at: Pos2, galley: std::sync::Arc<egui::Galley>) -> Rect {
    let rect = Rect::from_min_size(at, galley.size() + vec2(12.0, 6.0));
    ui.painter().rect_filled(rect, 4.0, Color32::from_black_alpha(200));
    ui.painter().galley(at + vec2(6.0, 3.0), galley, theme::PRIMARY);
    rect
}

/// Where a card stands beside the brush and does not cover it: at the right, else at the left; where neither has room, as
/// far to the right as may be. Under a tag that stands there, or over it.
fn beside((center, radius): (Pos2, f32), size: egui::Vec2, within: Rect, tags: &[Rect]) -> Pos2 {
    let away = radius + 22.0;
    let (right, left) = (center.x + away, center.x - away - size.x);
    let last = (within.max.x - size.x).max(within.min.x);
    let x = if right > last && left >= within.min.x { left } else { right.min(last) };
    let y = (center.y - 30.0).min(within.max.y - size.y).max(within.min.y);
    let card = Rect::from_min_size(pos2(x, y), size);
    let Some(tag) = tags.iter().find(|tag| tag.expand(2.0).intersects(card)) else { return card.min };
    let (under, over) = (tag.max.y + 6.0, tag.min.y - 6.0 - size.y);
    pos2(x, if under + size.y <= within.max.y { under } else { over.max(within.min.y) })
}

fn vertex_card(ui: &egui::Ui, within: Rect, at: ((Pos2, f32), &[Rect]), read_out: &VertexReadOut, display: &Display) {
    let ramp: Ramp = display.ramp();
    let n_rows = read_out.shares.len().clamp(1, MAX_ROWS + 1);
    let is_exported = read_out.difference.is_some();
    let (more_width, more_rows) = if is_exported { (EXPORTED_WIDTH, 2.0) } else { (0.0, 0.0) };
    // Room for the joints' colours.
    let shift = if display.ghosts { 12.0 } else { 0.0 };
    let font = FontId::proportional(12.0);
    let names: Vec<_> = read_out
        .shares
        .iter()
        .take(MAX_ROWS)
        .map(|share| {
            let color = match (share.is_active, share.is_locked) {
                (true, _) => theme::TEAL,
                (false, true) => theme::WARNING,
                (false, false) => theme::NORMAL,
            };
            let name = if share.is_locked { format!("{} (locked)", share.joint) } else { share.joint.clone() };
            fonts::fit_name(ui.painter(), &name, font.clone(), color, *NAME_WIDTHS.end())
        })
        .collect();
    let longest = names.iter().map(|name| name.size().x).fold(0.0, f32::max);
    let name_width = longest.clamp(*NAME_WIDTHS.start(), *NAME_WIDTHS.end());
    let width = name_width + BESIDE_NAMES + more_width + shift;
    let notes: Vec<_> = read_out
        .notes
        .iter()
        .map(|(color, text)| {
            let wrapped = width - 32.0;
            (*color, ui.painter().layout(text.clone(), FontId::proportional(11.5), theme::NORMAL, wrapped))
        })
        .collect();
    let notes_height: f32 = notes.iter().map(|(_, note)| note.size().y + 4.0).sum();
    let size = vec2(width, 32.0 + ROW * (n_rows as f32 + more_rows) + notes_height);
    let at = beside(at.0, size, within.shrink(8.0), at.1);
    let rect = Rect::from_min_size(at, size);
    let painter = ui.painter().with_clip_rect(within);
    painter.rect(
        rect,
        6.0,
        Color32::from_rgba_unmultiplied(0x14, 0x15, 0x18, 0xE6),
        Stroke::new(1.0, theme::LINE),
        egui::StrokeKind::Inside,
    );
    let text = |pos, align, text: String, color| painter.text(pos, align, text, font.clone(), color);
    let mut y = at.y + 15.0;
    let title = text(
        pos2(at.x + 10.0, y),
        Align2::LEFT_CENTER,
        format!("Vertex {}", super::legend::thousands(read_out.vertex.idx())),
        theme::PRIMARY,
    );
    let mut free_x = title.max.x + 8.0;
    if read_out.n_in_seam > 1 {
        let seam = format!("seam of {}", read_out.n_in_seam);
        free_x = text(pos2(free_x, y), Align2::LEFT_CENTER, seam, theme::QUIET).max.x + 8.0;
    }
    if let Some((mesh, is_chosen)) = &read_out.mesh {
        let color = if *is_chosen { theme::TEAL } else { theme::QUIET };
        let name = fonts::fit_name(&painter, mesh, font.clone(), color, rect.max.x - 10.0 - free_x);
        painter.galley(pos2(rect.max.x - 10.0 - name.size().x, y - name.size().y * 0.5), name, color);
    }
    y += 20.0;
    let (exported_x, value_x) = (rect.max.x - 10.0, rect.max.x - 10.0 - more_width);
    if is_exported {
        text(pos2(value_x, y), Align2::RIGHT_CENTER, "edited".to_owned(), theme::QUIET);
        text(pos2(exported_x, y), Align2::RIGHT_CENTER, "exported".to_owned(), theme::QUIET);
        y += ROW;
    }
    if read_out.shares.is_empty() {
        text(pos2(at.x + 10.0, y), Align2::LEFT_CENTER, "no weight".to_owned(), theme::BAD);
    }
    for (share, name) in read_out.shares.iter().zip(names) {
        let mut name_x = at.x + 10.0;
        if display.ghosts {
            let swatch = Rect::from_center_size(pos2(name_x + 3.5, y), vec2(7.0, 7.0));
            painter.rect_filled(swatch, 3.5, share.color);
            name_x += 12.0;
        }
        painter.galley(pos2(name_x, y - name.size().y * 0.5), name, theme::NORMAL);
        let bar = Rect::from_min_size(pos2(at.x + 16.0 + name_width + shift, y - 4.0), vec2(40.0, 8.0));
        // Lighter than the ramp's dark end, which would be lost in a well.
        painter.rect_filled(bar, 2.0, Color32::from_gray(0x4A));
        let [r, g, b] = ramp.color_srgb(share.weight);
        let least = if share.weight > 0.0 { 2.0 } else { 0.0 };
        let width = (bar.width() * share.weight.clamp(0.0, 1.0)).max(least);
        let filled = Rect::from_min_size(bar.min, vec2(width, bar.height()));
        painter.rect_filled(filled, 2.0, Color32::from_rgb(r, g, b));
        if let Some(before) = share.before.filter(|before| (before - share.weight).abs() > 5e-4) {
            let x = bar.min.x + (bar.width() - 1.0) * before.clamp(0.0, 1.0);
            let mark = [pos2(x, bar.min.y - 3.0), pos2(x, bar.max.y + 3.0)];
            painter.line_segment(mark, Stroke::new(1.5, theme::PRIMARY));
        }
        let value = format!("{:.3}", share.weight);
        text(pos2(value_x, y), Align2::RIGHT_CENTER, value, theme::NORMAL);
        if let Some(exported) = share.exported {
            // What the limit takes is gone; what rounds away within the shown figures says nothing.
            let is_lost = exported == 0.0 && share.weight > 0.0;
            let changes = (exported - share.weight).abs() >= 5e-4;
            let color = if is_lost {
                theme::BAD
            } else if changes {
                theme::WARNING
            } else {
                theme::QUIET
            };
            let value = if is_lost { "lost".to_owned() } else { format!("{exported:.3}") };
            text(pos2(exported_x, y), Align2::RIGHT_CENTER, value, color);
        }
        y += ROW;
    }
    if read_out.shares.len() > MAX_ROWS {
        let more = format!("and {} more", read_out.shares.len() - MAX_ROWS);
        text(pos2(at.x + 10.0, y), Align2::LEFT_CENTER, more, theme::QUIET);
        y += ROW;
    }
    if let Some(difference) = read_out.difference {
        text(pos2(at.x + 10.0, y), Align2::LEFT_CENTER, "Distance".to_owned(), theme::QUIET);
        text(pos2(exported_x, y), Align2::RIGHT_CENTER, super::legend::figures(difference), theme::NORMAL);
        y += ROW;
    }
    y -= 8.0;
    for (color, note) in notes {
        let square = Rect::from_center_size(pos2(at.x + 14.0, y + 7.0), vec2(8.0, 8.0));
        painter.rect_filled(square, 1.5, color);
        let height = note.size().y;
        painter.galley(pos2(at.x + 24.0, y), note, theme::NORMAL);
        y += height + 4.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_keeps_off_the_brush_and_inside_the_view() {
        let view = Rect::from_min_size(Pos2::ZERO, vec2(1000.0, 600.0));
        let size = vec2(200.0, 80.0);
        for (x, y, radius) in [(300.0, 300.0, 60.0), (900.0, 590.0, 60.0), (640.0, 4.0, 150.0), (120.0, 300.0, 90.0)] {
            let card = Rect::from_min_size(beside((pos2(x, y), radius), size, view, &[]), size);
            assert!(view.contains_rect(card), "{card:?}");
            let apart = (x - card.max.x).max(card.min.x - x);
            assert!(apart > radius, "{apart} of {radius}");
        }
        // A joint's name stands there already.
        let tag = Rect::from_min_size(pos2(640.0, 290.0), vec2(120.0, 20.0));
        for (y, radius) in [(300.0, 60.0), (590.0, 60.0)] {
            let tag = tag.translate(vec2(0.0, y - 300.0));
            let card = Rect::from_min_size(beside((pos2(900.0, y), radius), size, view, &[tag]), size);
            assert!(view.contains_rect(card) && !card.intersects(tag), "{card:?} {tag:?}");
        }
        // A brush as large as the view leaves no room: the card is still seen whole.
        let card = Rect::from_min_size(beside((pos2(500.0, 300.0), 900.0), size, view, &[]), size);
        assert!(view.contains_rect(card));
    }
}
