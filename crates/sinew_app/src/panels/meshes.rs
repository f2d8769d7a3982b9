//! The list of meshes: what nodes show, which of it is in view, and the mesh that commands act on.
//!
//! Lists nodes, because those are the names that people gave; a mesh's own name stands behind. What is hidden here is
//! hidden in the view alone.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align2, Color32, FontId, PopupCloseBehavior, Response, ScrollArea, Sense, Ui, vec2};
use lucide_icons::Icon;
use sinew_edit::{Editor, Line, OutOfSight, args};

use super::grouped;
use crate::action::Action;
use crate::files::OpenFile;
use crate::keymap::Do;
use crate::{fonts, theme};

/// Where the bar has less room than this, points, the list's button has no words.
const ROOM_FOR_WORDS: f32 = 680.0;
const WIDTH: f32 = 320.0;
const ROW: f32 = 22.0;
const EYE_WIDTH: f32 = 26.0;

/// A line of the list.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Row {
    /// All meshes.
    All,
    /// An instance with weights.
    Skinned(usize),
    /// All parts that no weights move.
    Rigid,
    /// One of them.
    Part(usize),
}

/// What the file holds, in a few words; where it has several meshes, their list opens from there.
pub fn show(ui: &mut Ui, file: &OpenFile, actions: &mut Vec<Action>) {
    let has_room = ui.available_width() > ROOM_FOR_WORDS;
    if file.editor.document().instances().len() < 2 {
        if has_room {
            ui.add(egui::Label::new(theme::quiet(file.summary())).truncate());
        }
        return;
    }
    let (colors, is_chosen) = (theme::of(ui), file.editor.session.active_mesh.is_some());
    let color = if is_chosen { colors.primary } else { colors.quiet };
    let format =
        |font_id, color| egui::TextFormat { font_id, color, valign: egui::Align::Center, ..Default::default() };
    let mut text = egui::text::LayoutJob::default();
    text.append(&char::from(Icon::Layers2).to_string(), 0.0, format(fonts::icon_font(13.0), color));
    if has_room {
        text.append(&words(file), 5.0, format(FontId::proportional(12.5), color));
    }
    text.append(&char::from(Icon::ChevronDown).to_string(), 3.0, format(fonts::icon_font(12.0), colors.quiet));
    let button = egui::Button::new(text).frame_when_inactive(false).corner_radius(5);
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::from_button(button).config(config).ui(ui, |ui| list(ui, &file.editor, actions));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Meshes"));
    response.on_hover_text(format!("{}\nWhich meshes are in view, and which one commands act on", words(file)));
}

/// `Belt (1 of 6 meshes) · 1,204 vertices · 58 joints · 2 hidden`.
fn words(file: &OpenFile) -> String {
    let (document, session) = (file.editor.document(), &file.editor.session);
    let mut text = match session.active_mesh {
        Some(mesh) => {
            let n_vertices = super::n_vertices(document.mesh(mesh).n_vertices());
            let of = format!("1 of {} meshes", document.skinned_meshes().len());
            format!("{} ({of}) · {n_vertices}", document.mesh_label(mesh))
        }
        None => file.summary(),
    };
    let n_hidden = (0..document.instances().len()).filter(|&i| session.out_of_sight.hides(document, i)).count();
    if n_hidden > 0 {
        text = format!("{text} · {n_hidden} hidden");
    }
    text
}

fn rows(editor: &Editor) -> Vec<Row> {
    let document = editor.document();
    let (rigid, skinned): (Vec<usize>, Vec<usize>) =
        (0..document.instances().len()).partition(|&i| document.is_rigid(i));
    let mut rows = vec![Row::All];
    rows.extend(skinned.into_iter().map(Row::Skinned));
    if !rigid.is_empty() {
        rows.push(Row::Rigid);
        rows.extend(rigid.into_iter().map(Row::Part));
    }
    rows
}

fn list(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    ui.set_width(WIDTH);
    ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
    let rows = rows(editor);
    let room = (ui.ctx().content_rect().height() - theme::BAR_HEIGHT) * 0.7;
    ScrollArea::vertical().max_height(room).show_rows(ui, ROW, rows.len(), |ui, range| {
        for row in &rows[range] {
            ui.horizontal(|ui| self::row(ui, editor, *row, actions));
        }
    });
}

fn row(ui: &mut Ui, editor: &Editor, row: Row, actions: &mut Vec<Action>) {
    let (document, session) = (editor.document(), &editor.session);
    let (name, hint, n_vertices, is_seen) = match row {
        Row::All => {
            let n_vertices = document.skinned_meshes().into_iter().map(|mesh| document.mesh(mesh).n_vertices()).sum();
            let is_seen = session.out_of_sight == OutOfSight::default();
            ("All".to_owned(), String::new(), n_vertices, is_seen)
        }
        Row::Rigid => {
            let hint = "no weights move them".to_owned();
            ("Rigid parts".to_owned(), hint, 0, !session.out_of_sight.rigid)
        }
        Row::Skinned(i) | Row::Part(i) => {
            let (mesh, name) = (document.instances()[i].mesh, document.instance_label(i));
            let hint = document.mesh(mesh).label(mesh);
            let hint = if hint == name { String::new() } else { hint };
            (name, hint, document.mesh(mesh).n_vertices(), !session.out_of_sight.hides(document, i))
        }
    };
    let line = match row {
        Row::Skinned(i) | Row::Part(i) => {
            let node = document.instances()[i].node;
            Line::new("show_mesh").with("node", args::mesh_node_name(document, node))
        }
        Row::All | Row::Rigid => Line::new("show_mesh"),
    };
    let eye = eye(ui, &name, is_seen);
    let is_of_one = matches!(row, Row::Skinned(_) | Row::Part(_));
    let tip = if is_of_one { "In the view or not; with Alt this one alone" } else { "In the view or not" };
    if eye.on_hover_text(tip).clicked() {
        let is = match is_seen {
            _ if is_of_one && ui.input(|i| i.modifiers.alt) => "alone",
            true => "hidden",
            false => "shown",
        };
        actions.push(match row {
            Row::Rigid => Action::Do(Do::ToggleRigid),
            _ => Action::Line(line.with("is", is).to_string()),
        });
    }
    let (chosen, is_on) = match row {
        Row::All => (Some(Line::new("mesh")), session.active_mesh.is_none()),
        Row::Skinned(i) => {
            let mesh = document.instances()[i].mesh;
            let line = Line::new("mesh").with("name", args::mesh_name(document, mesh));
            (Some(line), session.active_mesh == Some(mesh))
        }
        Row::Rigid | Row::Part(_) => (None, false),
    };
    let response = entry(ui, (&name, &hint, n_vertices), (is_on, is_seen, chosen.is_some()));
    let tip = match row {
        Row::All => "Commands act on all skinned meshes",
        Row::Skinned(_) => "Commands act on this mesh alone; the brush paints what is under it",
        Row::Rigid | Row::Part(_) => "There is nothing to paint: these move with one joint as they are",
    };
    if response.on_hover_text(tip).clicked()
        && let Some(line) = chosen
    {
        actions.push(Action::Line(line.to_string()));
        ui.close();
    }
}

fn eye(ui: &mut Ui, name: &str, is_seen: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(EYE_WIDTH, ROW), Sense::click());
    let colors = theme::of(ui);
    let color = match (response.hovered(), is_seen) {
        (true, _) => colors.primary,
        (false, true) => colors.normal,
        (false, false) => colors.quiet,
    };
    let icon = if is_seen { Icon::Eye } else { Icon::EyeOff };
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, char::from(icon), fonts::icon_font(13.0), color);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_seen, format!("{name} in view")));
    response
}

/// The name, what the mesh itself is called, how many vertices.
fn entry(
    ui: &mut Ui,
    (name, hint, n_vertices): (&str, &str, usize),
    (is_on, is_seen, can_choose): (bool, bool, bool),
) -> Response {
    let sense = if can_choose { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH - EYE_WIDTH, ROW), sense);
    let colors = theme::of(ui);
    if is_on {
        ui.painter().rect_filled(rect, 4.0, colors.teal_well);
    } else if response.hovered() && can_choose {
        ui.painter().rect_filled(rect, 4.0, colors.hover);
    }
    let font = FontId::proportional(12.5);
    let text = match (is_on, is_seen && can_choose) {
        (true, _) => colors.primary,
        (false, true) => colors.normal,
        (false, false) => colors.quiet,
    };
    let mut room = rect.shrink2(vec2(8.0, 0.0));
    if n_vertices > 0 {
        let at = room.right_center();
        let drawn = ui.painter().text(at, Align2::RIGHT_CENTER, grouped(n_vertices), font.clone(), colors.quiet);
        room.max.x = drawn.min.x - 10.0;
    }
    let draw = |text: &str, color: Color32, from: f32, width: f32| {
        let galley = fonts::fit_name(ui.painter(), text, font.clone(), color, width);
        let (at, end) = (egui::pos2(from, rect.center().y - galley.size().y * 0.5), from + galley.size().x);
        ui.painter().galley(at, galley, color);
        end
    };
    let name_width = if hint.is_empty() { room.width() } else { room.width() * 0.65 };
    let hint_from = draw(name, text, room.min.x, name_width) + 10.0;
    if !hint.is_empty() && room.max.x - hint_from > 30.0 {
        draw(hint, colors.quiet, hint_from, room.max.x - hint_from);
    }
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, can_choose, is_on, format!("Mesh {name}")));
    response
}
