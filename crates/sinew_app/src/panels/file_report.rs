//! What the opened file holds, and what was odd about it.

use egui::{RichText, Ui};
use lucide_icons::Icon;
use sinew_edit::{Line, args};
use sinew_model::Document;

use super::controls;
use super::sections::Section;
use crate::action::Action;
use crate::files::OpenFile;
use crate::{fonts, theme};

/// Draws what stands beside the heading, from the right.
pub fn beside(ui: &mut Ui, actions: &mut Vec<Action>) {
    if controls::icon_button(ui, Icon::X, "Close file report", true, "Close the file report").clicked() {
        actions.push(Action::CloseReport(Section::FileReport));
    }
}

/// Draws the report.
pub fn show(ui: &mut Ui, file: &OpenFile, actions: &mut Vec<Action>) {
    let document = file.editor.document();
    if let Some(path) = file.path() {
        ui.add(egui::Label::new(theme::quiet(path.display().to_string())).wrap());
    }
    let counts = [
        (document.meshes().len(), "mesh", "meshes"),
        (document.skins().len(), "skin", "skins"),
        (document.joints().len(), "joint", "joints"),
        (document.clips().len(), "clip", "clips"),
        (document.images().len(), "image", "images"),
    ];
    let counts = counts.map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }));
    let facts = format!("{} · budget {} influences", counts.join(", "), document.budget());
    ui.add(egui::Label::new(RichText::new(facts).color(theme::of(ui).normal)).wrap());
    if file.warnings.is_empty() {
        ui.label(RichText::new("Nothing odd was found").color(theme::of(ui).good));
    }
    shared_meshes(ui, document, actions);
    for warning in &file.warnings {
        ui.horizontal_top(|ui| {
            let color = if warning.is_minor() { theme::of(ui).normal } else { theme::of(ui).warning };
            ui.label(fonts::icon(Icon::TriangleAlert).size(13.0).color(color));
            ui.add(egui::Label::new(RichText::new(warning.to_string()).color(color).size(12.0)).wrap());
        });
    }
}

/// So many of a mesh's nodes get a button; a forest of one tree would fill the window.
const MOST_NODES: usize = 6;

/// Meshes that several nodes show, with a way to part each node from the others (B37).
fn shared_meshes(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    for mesh in document.skinned_meshes() {
        let nodes = document.nodes_of(mesh);
        if nodes.len() < 2 {
            continue;
        }
        let label = document.mesh(mesh).label(mesh);
        let text = format!("Mesh {label} is used by {} nodes: painting it at one paints it at all", nodes.len());
        ui.add(egui::Label::new(RichText::new(text).color(theme::of(ui).normal).size(12.0)).wrap());
        ui.horizontal_wrapped(|ui| {
            for &node in nodes.iter().take(MOST_NODES) {
                let name = document.nodes().label(node);
                let button = ui.small_button(format!("Make {name} unique"));
                if button.on_hover_text("Give this node a mesh of its own").clicked() {
                    let line = Line::new("make_unique").with("node", args::mesh_node_name(document, node));
                    actions.push(Action::Line(line.to_string()));
                }
            }
            if nodes.len() > MOST_NODES {
                ui.label(theme::quiet(format!("and {} more", nodes.len() - MOST_NODES)));
            }
        });
    }
}
