//! The stroke as a command: exact dabs, or a path that dabs are laid along.

use glam::Vec3;

use super::{Command, CommandError, Outcome, Param};
use crate::args::{self, ArgError, DabArg};
use crate::editor::Editor;
use crate::script::Line;
use crate::stroke::{ReadSpec, dabs_along, first_instance, read_spec};

pub(super) const fn optional(
    key: &'static str,
    value: &'static str,
    default: &'static str,
    hint: &'static str,
) -> Param {
    Param { key, value, default: Some(default), hint }
}

/// Joints that are painted as one with the line's joint.
pub(super) const WITH: Param =
    optional("with", "A,B", "none", "joints that are painted as one with it, their ratio kept");

/// Whether the rest of a row may be left open.
pub(super) const UNASSIGNED: Param = optional(
    "unassigned",
    "yes|no",
    "as the unassigned command says",
    "take from and give to the share of a vertex that no joint has, before other joints",
);

// What strokes and gradients share.
pub(super) const EXISTING: Param =
    optional("existing", "yes|no", "no", "only joints that a vertex already has may gain");
pub(super) const LANE: Param = optional("lane", "A,B", "all joints", "the joints that weight is exchanged among");
pub(super) const GIVE: Param =
    optional("give", "others|neighbours|parent|NAME", "others", "who takes what the joint gives up");
pub(super) const MIRROR: Param = optional("mirror", "x|y|z", "none", "paint the other side, too, across this axis");
pub(super) const AT: Param = optional("at", "D", "found", "where the plane of the mirror cuts the axis");
pub(super) const TOLERANCE: Param =
    optional("tolerance", "D", "a thousandth of the size", "how far a mirrored vertex may be off");
pub(super) const POSE: Param = optional("pose", "NAME:rx,ry,rz;…", "rest", "turned joints, degrees");
pub(super) const CLIP: Param = optional("clip", "NAME", "none", "a clip under the turns");
pub(super) const TIME: Param = optional("time", "SECONDS", "0", "the moment of the clip");
pub(super) const MORPHS: Param = optional("morphs", "#NODE:w,w,…", "the file's", "morph weights");
pub(super) const DEFORM: Param = optional("deform", "lbs|dqs", "lbs", "the deformer");

pub static STROKE: Command = Command {
    name: "stroke",
    label: "Stroke",
    hint: "Paint a joint's weight with a brush on the posed surface",
    menu: "Weights",
    params: &[
        Param { key: "joint", value: "NAME", default: None, hint: "the joint that is painted" },
        WITH,
        optional("mesh", "NAME", "the active mesh, else the nearest", "the mesh that is painted"),
        optional(
            "meshes",
            "all|A,B",
            "none",
            "other meshes with the joint that are painted along (all: those that show)",
        ),
        optional("node", "#N", "the first", "which node's posed surface the dabs lie on"),
        optional(
            "brush",
            "replace|add|subtract|scale|grow|lighten|darken|smooth|sharpen|average|smear|hammer|erase",
            "replace",
            "the brush",
        ),
        optional("value", "0..1", "1", "what is painted"),
        optional("strength", "0..1", "1", "how much of the way a dab goes"),
        optional("radius", "R", "0.1", "scene units"),
        optional("falloff", "smooth|linear|sharp|constant|sphere|smoother|curve", "smooth", "how it fades to the rim"),
        optional(
            "curve",
            "x,y;x,y…",
            "a fade",
            "the share of the strength from centre (0) to rim (1), for falloff=curve",
        ),
        optional(
            "reach",
            "surface|volume|screen",
            "surface",
            "along the surface, through space, along the view of the eye",
        ),
        optional("shell", "yes|no", "no", "only the connected shell under the centre"),
        optional("iterations", "N", "1", "how often each dab is done"),
        optional(
            "mean",
            "each|all",
            "each",
            "whether brush=average takes each mesh's own mean, or that of all meshes=…",
        ),
        EXISTING,
        optional("gap", "R", "0", "how far smoothing also sees other shells, scene units"),
        optional("cap", "yes|no", "no", "act on each vertex once, by its strongest dab"),
        LANE,
        GIVE,
        UNASSIGNED,
        MIRROR,
        AT,
        TOLERANCE,
        optional("points", "x,y,z;…", "none", "exact dab centres, each x,y,z[,radius[,strength]]"),
        optional("path", "x,y,z;…", "none", "a path that dabs are laid along"),
        optional("spacing", "S", "0.25", "distance between dabs along the path, radii"),
        POSE,
        CLIP,
        TIME,
        MORPHS,
        DEFORM,
        optional("eye", "x,y,z", "none", "paint only what this eye sees; where reach=screen looks from"),
        optional("front", "yes|no", "yes with an eye, no with reach=screen", "only what the eye sees"),
    ],
    run: stroke,
};

fn stroke(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let document = editor.document();
    let read = read_spec(document, line, editor.session.active_mesh)?;
    let brush = read.brush;
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

    let instance_idx = instance_for(editor, line, &read, first.center)?;
    let mut spec = read.on(editor.document(), line, instance_idx)?;
    spec.leaves_unassigned = leaves_unassigned(editor, line)?;
    editor.begin_stroke(spec)?;
    for dab in dabs {
        editor.dab(dab);
    }
    Ok(editor.end_stroke().unwrap_or_default())
}

/// Whether a line leaves the rest open: as it says, else as the session does.
pub(super) fn leaves_unassigned(editor: &Editor, line: &Line) -> Result<bool, ArgError> {
    Ok(args::yes(line, UNASSIGNED.key)?.unwrap_or(editor.session.paint.leaves_unassigned))
}

/// The instance on which a line paints: the one it names, the mesh's first with the joint, or the nearest to a point.
pub(super) fn instance_for(
    editor: &mut Editor,
    line: &Line,
    read: &ReadSpec,
    point: Vec3,
) -> Result<usize, CommandError> {
    let document = editor.document();
    if document.skinned_meshes().is_empty() {
        return Err(CommandError::NothingSkinned);
    }
    let found = match (line.get("node"), read.mesh) {
        (Some(name), _) => {
            let node = name.strip_prefix('#').and_then(|digits| digits.parse::<u32>().ok());
            let found = document.instances().iter().position(|i| Some(i.node.0) == node && i.skin.is_some());
            Some(found.ok_or_else(|| ArgError::Bad {
                key: "node".to_owned(),
                expected: "#N of a node with a skinned mesh".to_owned(),
                found: name.to_owned(),
            })?)
        }
        (None, Some(mesh)) => first_instance(document, mesh, read.joint),
        (None, None) => editor.nearest_instance(read.joint, None, (&read.pose, read.deformer), point),
    };
    let document = editor.document();
    found.ok_or_else(|| {
        let mesh = read.mesh.map_or("any".to_owned(), |mesh| document.mesh_label(mesh));
        ArgError::NotInSkin { joint: document.nodes().label(read.joint), mesh }.into()
    })
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
