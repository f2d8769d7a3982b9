//! The stroke as a command: exact dabs, or a path that dabs are laid along.

use sinew_deform::{DEFORMERS, deformer_named};
use sinew_model::joint_named;
use sinew_model::lookup::mesh_named;

use super::{Command, CommandError, Outcome, Param};
use crate::args::{self, ArgError, DabArg};
use crate::brushes::{brush_named, brush_names};
use crate::editor::{Editor, default_deformer};
use crate::falloff::Falloff;
use crate::reach::Reach;
use crate::script::Line;
use crate::session::BrushSettings;
use crate::stroke::{StrokeSpec, dabs_along, first_instance};

const fn optional(key: &'static str, value: &'static str, default: &'static str, hint: &'static str) -> Param {
    Param { key, value, default: Some(default), hint }
}

pub static STROKE: Command = Command {
    name: "stroke",
    label: "Stroke",
    hint: "Paint a joint's weight with a brush on the posed surface",
    menu: "Weights",
    params: &[
        Param { key: "joint", value: "NAME", default: None, hint: "the joint that is painted" },
        optional("mesh", "NAME", "the active mesh, else the nearest", "the mesh that is painted"),
        optional("node", "#N", "the first", "which node's posed surface the dabs lie on"),
        optional("brush", "replace|add|subtract|smooth", "replace", "the brush"),
        optional("value", "0..1", "1", "what is painted"),
        optional("strength", "0..1", "1", "how much of the way a dab goes"),
        optional("radius", "R", "0.1", "scene units"),
        optional("falloff", "smooth|linear|sharp|constant", "smooth", "how it fades to the rim"),
        optional("reach", "surface|volume", "surface", "along the surface or straight through space"),
        optional("points", "x,y,z;…", "none", "exact dab centres, each x,y,z[,radius[,strength]]"),
        optional("path", "x,y,z;…", "none", "a path that dabs are laid along"),
        optional("spacing", "S", "0.25", "distance between dabs along the path, radii"),
        optional("pose", "NAME:rx,ry,rz;…", "rest", "turned joints, degrees"),
        optional("clip", "NAME", "none", "a clip under the turns"),
        optional("time", "SECONDS", "0", "the moment of the clip"),
        optional("morphs", "#NODE:w,w,…", "the file's", "morph weights"),
        optional("deform", "lbs|dqs", "lbs", "the deformer"),
        optional("eye", "x,y,z", "none", "paint only what this eye sees"),
    ],
    run: stroke,
};

fn stroke(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let document = editor.document();
    let mesh = match line.get("mesh") {
        Some(name) => Some(mesh_named(document, name).map_err(ArgError::from)?),
        None => editor.session.active_mesh,
    };
    let joint = joint_named(document, mesh, args::required(line, "joint", "the joint that is painted")?)
        .map_err(ArgError::from)?;
    let defaults = BrushSettings::default();
    let brush = BrushSettings {
        brush: args::choice(line, "brush", &brush_names(), brush_named)?.unwrap_or(defaults.brush),
        value: args::number(line, "value", defaults.value, 0.0, 1.0)?,
        strength: args::number(line, "strength", defaults.strength, 0.0, 1.0)?,
        radius: args::number(line, "radius", defaults.radius, f32::MIN_POSITIVE, f32::MAX)?,
        falloff: args::choice(line, "falloff", &Falloff::ALL.map(Falloff::name), Falloff::named)?
            .unwrap_or(defaults.falloff),
        reach: args::choice(line, "reach", &Reach::ALL.map(Reach::name), Reach::named)?.unwrap_or(defaults.reach),
        front_only: line.get("eye").is_some(),
        spacing: args::number(line, "spacing", defaults.spacing, 0.01, 10.0)?,
    };
    let pose = args::pose(line, document, mesh)?;
    let names: Vec<&str> = DEFORMERS.iter().map(|deformer| deformer.name()).collect();
    let deformer = args::choice(line, "deform", &names, deformer_named)?.unwrap_or_else(default_deformer);
    let eye = line.get("eye").map(|text| args::point("eye", text)).transpose()?;
    let dabs = match (line.get("points"), line.get("path")) {
        (Some(text), None) => args::dabs("points", text)?,
        (None, Some(text)) => dabs_on_path(text, brush.spacing * brush.radius)?,
        _ => {
            let (command, hint) =
                ("stroke".to_owned(), "dab centres, or else path=… to lay dabs along (one of the two)");
            return Err(ArgError::Missing { command, key: "points", hint }.into());
        }
    };
    let Some(first) = dabs.first() else {
        let (command, hint) = ("stroke".to_owned(), "at least one dab centre x,y,z");
        return Err(ArgError::Missing { command, key: "points", hint }.into());
    };

    if document.skinned_meshes().is_empty() {
        return Err(CommandError::NothingSkinned);
    }
    let instance_idx = match (line.get("node"), mesh) {
        (Some(name), _) => {
            let node = name.strip_prefix('#').and_then(|digits| digits.parse::<u32>().ok());
            let found = document.instances().iter().position(|i| Some(i.node.0) == node && i.skin.is_some());
            Some(found.ok_or_else(|| ArgError::Bad {
                key: "node".to_owned(),
                expected: "#N of a node with a skinned mesh".to_owned(),
                found: name.to_owned(),
            })?)
        }
        (None, Some(mesh)) => first_instance(document, mesh, joint),
        (None, None) => editor.nearest_instance(joint, None, (&pose, deformer), first.center),
    };
    let document = editor.document();
    let Some(instance_idx) = instance_idx else {
        let (joint, mesh) =
            (document.nodes().label(joint), mesh.map_or("any".to_owned(), |m| document.mesh(m).label(m)));
        return Err(ArgError::NotInSkin { joint, mesh }.into());
    };
    let mesh = document.instances()[instance_idx].mesh;
    editor.begin_stroke(StrokeSpec { mesh, instance_idx, joint, brush, eye, pose, deformer })?;
    for dab in dabs {
        editor.dab(dab);
    }
    Ok(editor.end_stroke().unwrap_or_default())
}

/// Dabs along a path, unless the path is so long for their distance that nobody could wait for them.
fn dabs_on_path(text: &str, step: f32) -> Result<Vec<DabArg>, ArgError> {
    const MOST_DABS: f64 = 1e6;
    let path = args::points("path", text)?;
    let length: f64 = path.windows(2).map(|ends| ends[0].as_dvec3().distance(ends[1].as_dvec3())).sum();
    let n_dabs = length / f64::from(step);
    if n_dabs > MOST_DABS {
        return Err(ArgError::Bad {
            key: "path".to_owned(),
            expected: format!("a path of at most {MOST_DABS} dabs; take a larger radius or spacing"),
            found: format!("{n_dabs:.0} dabs"),
        });
    }
    let dab = |center| DabArg { center, radius: None, strength_share: 1.0 };
    Ok(dabs_along(&path, step).into_iter().map(dab).collect())
}
