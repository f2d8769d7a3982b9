//! The session by command: active mesh and joint, pose, deformer. No undo steps, nothing in the file.

use sinew_deform::{DEFORMERS, deformer_named};
use sinew_model::lookup::{mesh_named, mesh_node_named, scene_named};
use sinew_model::{Pose, joint_named};
use sinew_weights::{EXPORT_PROFILES, export_profile_named};

use super::{Command, CommandError, Outcome, Param};
use crate::args::{self, ArgError};
use crate::editor::Editor;
use crate::script::Line;
use crate::session::OutOfSight;

/// What `view_as` calls the model as edited.
const EDITING: &str = "editing";

pub static MESH: Command = Command {
    name: "mesh",
    label: "Choose Mesh",
    hint: "Let whole-mesh commands act on one mesh; all skinned meshes without a name",
    menu: "Edit",
    params: &[Param { key: "name", value: "NAME", default: Some("all"), hint: "the mesh's name, or all" }],
    run: choose_mesh,
};

pub static JOINT: Command = Command {
    name: "joint",
    label: "Choose Joint",
    hint: "Make a joint the one that is painted and bent",
    menu: "Joints",
    params: &[Param { key: "name", value: "NAME", default: None, hint: "the joint's name, position or #N" }],
    run: choose_joint,
};

pub static POSE: Command = Command {
    name: "pose",
    label: "Pose",
    hint: "Turn joints about their own rest axes; only the view changes",
    menu: "Joints",
    params: &[
        Param { key: "turns", value: "NAME:rx,ry,rz;…", default: Some("none"), hint: "degrees, x applied first" },
        Param { key: "clip", value: "NAME", default: Some("none"), hint: "a clip under the turns" },
        Param { key: "time", value: "SECONDS", default: Some("0"), hint: "the moment of the clip" },
        Param { key: "morphs", value: "#NODE:w,w,…", default: Some("none"), hint: "morph weights set by hand" },
    ],
    run: pose,
};

pub static RESET_POSE: Command = Command {
    name: "reset_pose",
    label: "Reset Pose",
    hint: "Put all joints, or one, back to the rest pose",
    menu: "Joints",
    params: &[Param { key: "joint", value: "NAME", default: Some("all"), hint: "only this joint" }],
    run: reset_pose,
};

pub static DEFORM: Command = Command {
    name: "deform",
    label: "Deformer",
    hint: "Show linear blend or dual quaternion skinning",
    menu: "View",
    params: &[Param { key: "by", value: "lbs|dqs", default: None, hint: "the deformer" }],
    run: deform,
};

pub static VIEW_AS: Command = Command {
    name: "view_as",
    label: "View As",
    hint: "Show the model as edited, or as an engine gets it: limited, rounded and undivided",
    menu: "View",
    params: &[Param {
        key: "profile",
        value: "editing|file|4xu8|4xu16|8xu8|4xf32",
        default: None,
        hint: "as edited, as a save writes the file, or influences x numbers",
    }],
    run: view_as,
};

pub static SCENE: Command = Command {
    name: "scene",
    label: "Choose Scene",
    hint: "Show one of the file's scenes, or everything; only the view changes",
    menu: "View",
    params: &[Param { key: "name", value: "NAME|#N|all", default: Some("all"), hint: "the scene's name, #N, or all" }],
    run: choose_scene,
};

pub static SHOW_MESH: Command = Command {
    name: "show_mesh",
    label: "Show All Meshes",
    hint: "Show all meshes again, or show or hide that of one node; only the view changes",
    menu: "View",
    params: &[
        Param {
            key: "node",
            value: "NAME",
            default: Some("all"),
            hint: "the node's name, its position among the nodes with a mesh, #N for node N, or all",
        },
        Param { key: "is", value: "shown|hidden|alone", default: Some("shown"), hint: "alone hides all others" },
    ],
    run: show_mesh,
};

fn show_mesh(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    const WAYS: [&str; 3] = ["shown", "hidden", "alone"];
    let is = args::choice(line, "is", &WAYS, |word| WAYS.into_iter().find(|way| *way == word))?.unwrap_or(WAYS[0]);
    let document = editor.document();
    let name = line.get("node").unwrap_or("all");
    let node = match mesh_node_named(document, name) {
        Ok(node) => Some(node),
        Err(_) if name == "all" => None,
        Err(error) => return Err(ArgError::from(error).into()),
    };
    let all = || document.instances().iter().map(|instance| instance.node);
    let mut out_of_sight = editor.session.out_of_sight.clone();
    match (node, is) {
        (Some(node), "hidden") => {
            out_of_sight.nodes.insert(node);
        }
        (Some(node), "alone") => {
            out_of_sight = OutOfSight { nodes: all().filter(|&n| n != node).collect(), rigid: false }
        }
        (Some(node), _) => {
            out_of_sight.nodes.remove(&node);
            // One rigid part is wanted: the others go on being hidden, each by itself.
            let instance_idx = document.instances().iter().position(|instance| instance.node == node);
            if instance_idx.is_some_and(|i| document.is_rigid(i)) && std::mem::take(&mut out_of_sight.rigid) {
                let rigid = all().enumerate().filter(|&(i, other)| other != node && document.is_rigid(i));
                out_of_sight.nodes.extend(rigid.map(|(_, other)| other));
            }
        }
        (None, "hidden") => out_of_sight.nodes = all().collect(),
        (None, _) => out_of_sight = OutOfSight::default(),
    }
    let label = match node {
        Some(node) => {
            let instance_idx = document.instances().iter().position(|instance| instance.node == node).unwrap_or(0);
            format!("{} is {is}", document.instance_label(instance_idx))
        }
        None => format!("All meshes are {}", if is == "hidden" { is } else { "shown" }),
    };
    editor.session.out_of_sight = out_of_sight;
    Ok(Outcome::new(label, 0))
}

fn choose_scene(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let named = line.get("name").map(|name| scene_named(editor.document(), name));
    let scene = named.transpose().map_err(ArgError::from)?.flatten();
    editor.session.scene = scene;
    let label = scene.map(|scene| format!("Scene {}", editor.document().scene_label(scene)));
    let mut outcome = Outcome::new(label.unwrap_or_else(|| "All scenes".to_owned()), 0);
    if scene.is_some() && !editor.shown_instances().contains(&true) {
        outcome.notes.push("it shows no mesh".to_owned());
    }
    Ok(outcome)
}

fn choose_mesh(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let name = line.get("name").unwrap_or("all");
    match mesh_named(editor.document(), name) {
        Ok(mesh) => {
            let document = editor.document();
            let label = document.mesh_label(mesh);
            let reason = if !document.mesh(mesh).is_skinned() {
                "it has no weights"
            } else if document.skins_of(mesh).is_empty() {
                "no node shows it under a skin"
            } else {
                editor.session.active_mesh = Some(mesh);
                return Ok(Outcome::new(format!("Mesh {label}"), 0));
            };
            Err(CommandError::NotPaintable { mesh: label, reason })
        }
        Err(_) if name == "all" => {
            editor.session.active_mesh = None;
            Ok(Outcome::new("All skinned meshes", 0))
        }
        Err(error) => Err(ArgError::from(error).into()),
    }
}

fn choose_joint(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let name = args::required(line, "name", "the joint")?;
    let joint = joint_named(editor.document(), editor.session.active_mesh, name).map_err(ArgError::from)?;
    editor.session.active_joint = Some(joint);
    Ok(Outcome::new(format!("Joint {}", editor.document().nodes().label(joint)), 0))
}

fn pose(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let mut as_stroke = line.clone();
    for (key, _) in &mut as_stroke.params {
        if key == "turns" {
            "pose".clone_into(key);
        }
    }
    editor.session.pose = args::pose(&as_stroke, editor.document(), editor.session.active_mesh)?;
    Ok(Outcome::new("Pose", 0))
}

fn reset_pose(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    match line.get("joint") {
        None | Some("all") => editor.session.pose = Pose::rest(),
        Some(name) => {
            let joint = joint_named(editor.document(), editor.session.active_mesh, name).map_err(ArgError::from)?;
            editor.session.pose.set_turn_deg(joint, glam::Vec3::ZERO);
        }
    }
    Ok(Outcome::new("Reset pose", 0))
}

fn deform(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let names: Vec<&str> = DEFORMERS.iter().map(|deformer| deformer.name()).collect();
    if let Some(deformer) = args::choice(line, "by", &names, deformer_named)? {
        editor.session.deformer = deformer;
    }
    Ok(Outcome::new(format!("Deformer: {}", editor.session.deformer.label()), 0))
}

fn view_as(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let names: Vec<&str> = std::iter::once(EDITING).chain(EXPORT_PROFILES.iter().map(|profile| profile.name)).collect();
    let named = |name: &str| if name == EDITING { Some(None) } else { export_profile_named(name).map(Some) };
    let profile = args::choice(line, "profile", &names, named)?.flatten();
    editor.session.as_exported = profile.is_some();
    let message = match profile {
        Some(profile) => {
            editor.session.export = profile;
            format!("Shown as exported: {}", profile.label)
        }
        None => "Shown as edited".to_owned(),
    };
    Ok(Outcome::new(message, 0))
}
