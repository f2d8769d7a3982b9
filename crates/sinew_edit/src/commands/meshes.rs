//! Meshes that several nodes show: parting one of the nodes from the others.

use sinew_model::lookup::mesh_node_named;

use super::{Command, CommandError, Outcome, Param};
use crate::args::{self, ArgError};
use crate::edit::Edit;
use crate::editor::{Editor, OpenStep};
use crate::script::Line;

const NODE: Param = Param {
    key: "node",
    value: "NAME",
    default: None,
    hint: "the node's name, its position among the nodes with a mesh, or #N for node N",
};

pub static MAKE_UNIQUE: Command = Command {
    name: "make_unique",
    label: "Make Mesh Unique",
    hint: "Give a node a copy of the mesh that it shares with other nodes, so that it can be painted alone",
    menu: "Edit",
    params: &[NODE],
    run: make_unique,
};

fn make_unique(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let document = editor.document();
    let node = mesh_node_named(document, args::required(line, NODE.key, NODE.hint)?).map_err(ArgError::from)?;
    let mesh_of = |editor: &Editor| {
        let mesh = editor.document().instances().iter().find(|instance| instance.node == node).map(|i| i.mesh);
        mesh.map(|mesh| (mesh, editor.document().mesh(mesh).label(mesh)))
    };
    let label = document.nodes().label(node);
    let Some((mesh, shared)) = mesh_of(editor).filter(|&(mesh, _)| document.nodes_of(mesh).len() > 1) else {
        let mesh = mesh_of(editor).map(|(_, label)| label).unwrap_or_default();
        return Err(CommandError::MeshNotShared { node: label, mesh });
    };
    let written = Line::new(&line.name).with(NODE.key, args::mesh_node_name(document, node));
    let mut step = OpenStep::new();
    editor.apply(&mut step, Edit::OwnMesh { node, owns: true });
    editor.commit(step, format!("Make {label} unique"), written);
    let own = mesh_of(editor).map(|(_, label)| label).unwrap_or_default();
    let left: Vec<String> =
        editor.document().nodes_of(mesh).into_iter().map(|node| editor.document().nodes().label(node)).collect();
    Ok(Outcome::new(format!("{label} has mesh {own}; {shared} stays with {}", left.join(", ")), 0))
}
