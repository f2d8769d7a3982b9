//! The gradient as a command.

use super::paint::{AT, CLIP, DEFORM, EXISTING, GIVE, LANE, MIRROR, MORPHS, POSE, TIME, TOLERANCE, UNASSIGNED, WITH};
use super::paint::{instance_for, leaves_unassigned, optional};
use super::{Command, CommandError, Outcome, Param};
use crate::args::{self, ArgError};
use crate::curve::Curve;
use crate::editor::Editor;
use crate::gradient::{Gradient, GradientShape};
use crate::script::Line;
use crate::stroke::{StrokeSpec, read_spec};

pub static GRADIENT: Command = Command {
    name: "gradient",
    label: "Gradient",
    hint: "Run a joint's weight along a line, or away from a point, by a profile",
    menu: "Weights",
    params: &[
        Param { key: "joint", value: "NAME", default: None, hint: "the joint that is painted" },
        WITH,
        Param { key: "from", value: "x,y,z", default: None, hint: "where it begins, scene space" },
        Param { key: "to", value: "x,y,z", default: None, hint: "where it ends" },
        optional("shape", "linear|radial", "linear", "along the line, or away from its begin"),
        optional("profile", "x,y;x,y…|linear|wide|narrow", "linear", "the weight from begin (0) to end (1)"),
        optional("beyond", "yes|no", "no", "also before its begin and beyond its end, with the weight there"),
        optional("on", "selection|all", "the selection, if there is one", "which vertices"),
        optional("mesh", "NAME", "the active mesh, else the nearest", "the mesh that is painted"),
        optional(
            "meshes",
            "all|A,B",
            "none",
            "other meshes with the joint that are painted along (all: those that show)",
        ),
        optional("node", "#N", "the first", "which node's posed surface is meant"),
        optional("brush", "replace|add|subtract|scale|grow|lighten|darken", "replace", "how the profile is applied"),
        optional("value", "0..1", "1", "what the profile is multiplied by"),
        optional("strength", "0..1", "1", "how much of the way"),
        EXISTING,
        optional("shell", "yes|no", "no", "only the connected shell, of each mesh, that is nearest to from"),
        LANE,
        GIVE,
        UNASSIGNED,
        MIRROR,
        AT,
        TOLERANCE,
        POSE,
        CLIP,
        TIME,
        MORPHS,
        DEFORM,
    ],
    run: gradient,
};

fn gradient(editor: &mut Editor, line: &Line) -> Result<Outcome, CommandError> {
    let read = read_spec(editor.document(), line, editor.session.active_mesh)?;
    if !read.brush.brush.uses_value {
        let (expected, found) = ("a brush that paints toward a value", read.brush.brush.name.to_owned());
        return Err(ArgError::Bad { key: "brush".to_owned(), expected: expected.to_owned(), found }.into());
    }
    let from = args::point("from", args::required(line, "from", "where it begins, x,y,z")?)?;
    let to = args::point("to", args::required(line, "to", "where it ends, x,y,z")?)?;
    if from == to {
        let (expected, found) = ("another point than from".to_owned(), line.get("to").unwrap_or_default().to_owned());
        return Err(ArgError::Bad { key: "to".to_owned(), expected, found }.into());
    }
    let names = GradientShape::ALL.map(GradientShape::name);
    let shape = args::choice(line, "shape", &names, GradientShape::named)?.unwrap_or_default();
    let profile = match line.get("profile") {
        Some(text) => Curve::parse(text).ok_or_else(|| {
            let expected = "linear, wide, narrow or 2 to 12 points x,y;x,y… within 0 to 1, x rising";
            args::bad("profile", expected.to_owned(), text)
        })?,
        None => Curve::LINE,
    };
    let yes = |word: &str| match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let beyond = args::choice(line, "beyond", &["yes", "no"], yes)?.unwrap_or(false);
    let on = |word: &str| match word {
        "selection" => Some(true),
        "all" => Some(false),
        _ => None,
    };
    let on = args::choice(line, "on", &["selection", "all"], on)?;
    let instance_idx = instance_for(editor, line, &read, from.midpoint(to))?;
    let leaves_unassigned = leaves_unassigned(editor, line)?;
    let document = editor.document();
    let spec = StrokeSpec { leaves_unassigned, ..read.on(document, line, instance_idx)? };
    let is_selected = |instance_idx: usize| !document.selection(document.instances()[instance_idx].mesh).is_empty();
    let is_any = spec.instances().any(is_selected);
    let on_selection = on.unwrap_or(is_any);
    if on_selection && !is_any {
        return Err(CommandError::NothingSelected);
    }
    let gradient = Gradient { spec, from, to, shape, profile, beyond, on_selection };
    editor.preview_gradient(&gradient)?;
    Ok(editor.end_gradient(&gradient).unwrap_or_default())
}
