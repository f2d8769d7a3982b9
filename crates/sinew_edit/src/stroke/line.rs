//! A stroke as a command line: what is written reads back to the same bits, and what is as it was before a parameter
//! existed is not written.

use std::fmt::Write as _;

use sinew_deform::{DEFORMERS, Deformer, deformer_named};
use sinew_model::lookup::mesh_named;
use sinew_model::{Document, MeshIndex, NodeIndex, Pose, joint_named};

use super::{Stroke, StrokeSpec, first_instance, instances_along};
use crate::args::{self, ArgError, DabArg};
use crate::brushes::{Needs, brush_named, brush_names};
use crate::curve::Curve;
use crate::editor::default_deformer;
use crate::falloff::Falloff;
use crate::give::GiveTo;
use crate::reach::Reach;
use crate::script::Line;
use crate::session::BrushSettings;
use crate::symmetry::SymmetrySettings;

/// The axes that a plane of symmetry stands across.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Reads everything but where: the spec still lacks its instance, which may depend on the first dab.
pub(crate) struct ReadSpec {
    pub(crate) mesh: Option<MeshIndex>,
    pub(crate) joint: NodeIndex,
    pub(crate) brush: BrushSettings,
    pub(crate) pose: Pose,
    pub(crate) deformer: &'static dyn Deformer,
    together: Vec<NodeIndex>,
    lane: Vec<NodeIndex>,
    give: GiveTo,
    mirror: Option<SymmetrySettings>,
    leaves_unassigned: bool,
    shares_mean: bool,
}

/// Reads what a line says about a stroke but its dabs; `active_mesh` is meant if it names none.
pub(crate) fn read_spec(
    document: &Document,
    line: &Line,
    active_mesh: Option<MeshIndex>,
) -> Result<ReadSpec, ArgError> {
    let mesh = match line.get("mesh") {
        Some(name) => Some(mesh_named(document, name)?),
        None => active_mesh,
    };
    let joint = joint_named(document, mesh, args::required(line, "joint", "the joint that is painted")?)?;
    let names: Vec<&str> = DEFORMERS.iter().map(|deformer| deformer.name()).collect();
    Ok(ReadSpec {
        mesh,
        joint,
        brush: read_brush(line)?,
        pose: args::pose(line, document, mesh)?,
        deformer: args::choice(line, "deform", &names, deformer_named)?.unwrap_or_else(default_deformer),
        together: read_joints(document, mesh, line, "with")?,
        lane: read_joints(document, mesh, line, "lane")?,
        give: match line.get("give") {
            Some(text) => GiveTo::read(document, mesh, text)?,
            None => GiveTo::Others,
        },
        mirror: read_mirror(line)?,
        leaves_unassigned: args::yes(line, "unassigned")?.unwrap_or(false),
        shares_mean: args::choice(line, "mean", &["each", "all"], |word| match word {
            "each" => Some(false),
            "all" => Some(true),
            _ => None,
        })?
        .unwrap_or(false),
    })
}

/// A list of joints; none without the parameter.
pub(crate) fn read_joints(
    document: &Document,
    mesh: Option<MeshIndex>,
    line: &Line,
    key: &str,
) -> Result<Vec<NodeIndex>, ArgError> {
    let names = line.get(key).into_iter().flat_map(|text| text.split(','));
    Ok(names.map(|name| joint_named(document, mesh, name)).collect::<Result<_, _>>()?)
}

/// Joints as a list that [`read_joints`] reads.
pub(crate) fn joint_list(document: &Document, mesh: Option<MeshIndex>, joints: &[NodeIndex]) -> String {
    let names: Vec<String> = joints.iter().map(|&joint| listed_joint(document, mesh, joint)).collect();
    names.join(",")
}

fn read_mirror(line: &Line) -> Result<Option<SymmetrySettings>, ArgError> {
    let number = |key, min| line.get(key).map(|_| args::number(line, key, 0.0, min, f32::MAX)).transpose();
    let axis = args::choice(line, "mirror", &AXES, |name| AXES.iter().position(|axis| *axis == name))?;
    let (at, tolerance) = (number("at", f32::MIN)?, number("tolerance", 0.0)?);
    Ok(axis.map(|axis| SymmetrySettings { axis, at, tolerance }))
}

impl ReadSpec {
    /// The whole spec, once the instance is known.
    pub(crate) fn on(self, document: &Document, line: &Line, instance_idx: usize) -> Result<StrokeSpec, ArgError> {
        let mesh = document.instances()[instance_idx].mesh;
        let also = match line.get("meshes") {
            None => Vec::new(),
            Some("all") => instances_along(document, mesh, self.joint),
            Some(text) => {
                let one = |name: &str| {
                    let other = mesh_named(document, name)?;
                    first_instance(document, other, self.joint).ok_or_else(|| ArgError::NotInSkin {
                        joint: document.nodes().label(self.joint),
                        mesh: document.mesh(other).label(other),
                    })
                };
                text.split(',').map(one).collect::<Result<_, _>>()?
            }
        };
        let eye = line.get("eye").map(|text| args::point("eye", text)).transpose()?;
        let Self { joint, brush, pose, deformer, together, lane, give, mirror, .. } = self;
        let (leaves_unassigned, shares_mean) = (self.leaves_unassigned, self.shares_mean);
        Ok(StrokeSpec {
            also,
            shares_mean,
            together,
            eye,
            lane,
            give,
            mirror,
            leaves_unassigned,
            ..StrokeSpec::new((mesh, instance_idx), joint, brush, (pose, deformer))
        })
    }
}

fn read_brush(line: &Line) -> Result<BrushSettings, ArgError> {
    let defaults = BrushSettings::default();
    let yes = |key| args::yes(line, key);
    let reach = args::choice(line, "reach", &Reach::ALL.map(Reach::name), Reach::named)?.unwrap_or(defaults.reach);
    let has_eye = line.get("eye").is_some();
    if !has_eye && yes("front")? == Some(true) {
        let (command, hint) = (line.name.clone(), "where front=yes looks from, x,y,z");
        return Err(ArgError::Missing { command, key: "eye", hint });
    }
    if reach == Reach::Screen && !has_eye {
        let (command, hint) = (line.name.clone(), "where reach=screen looks from, x,y,z");
        return Err(ArgError::Missing { command, key: "eye", hint });
    }
    let curve = match line.get("curve") {
        Some(text) => Curve::parse(text).ok_or_else(|| {
            let expected = "2 to 12 points x,y;x,y… within 0 to 1, x rising (or linear, wide, narrow)";
            args::bad("curve", expected.to_owned(), text)
        })?,
        None => defaults.curve,
    };
    Ok(BrushSettings {
        brush: args::choice(line, "brush", &brush_names(), brush_named)?.unwrap_or(defaults.brush),
        value: args::number(line, "value", defaults.value, 0.0, 1.0)?,
        strength: args::number(line, "strength", defaults.strength, 0.0, 1.0)?,
        radius: args::number(line, "radius", defaults.radius, f32::MIN_POSITIVE, f32::MAX)?,
        falloff: args::choice(line, "falloff", &Falloff::ALL.map(Falloff::name), Falloff::named)?
            .unwrap_or(defaults.falloff),
        curve,
        reach,
        // An eye is there to see what it paints, unless it only says which way the screen lies.
        front_only: has_eye && yes("front")?.unwrap_or(reach != Reach::Screen),
        shell_only: yes("shell")?.unwrap_or(defaults.shell_only),
        spacing: args::number(line, "spacing", defaults.spacing, 0.01, 10.0)?,
        iterations: args::integer(line, "iterations", defaults.iterations, 1, 100)?,
        existing_only: yes("existing")?.unwrap_or(defaults.existing_only),
        gap: args::number(line, "gap", defaults.gap, 0.0, f32::MAX)?,
        once: yes("cap")?.unwrap_or(defaults.once),
        ..defaults
    })
}

impl StrokeSpec {
    /// A line that begins with what is painted where by which brush.
    pub(crate) fn line(&self, document: &Document, name: &str) -> Line {
        let &Self { mesh, instance_idx, joint, brush, ref also, .. } = self;
        let mut line = Line::new(name)
            .with("mesh", args::mesh_name(document, mesh))
            .with("joint", args::joint_name(document, Some(mesh), joint))
            .with("brush", brush.brush.name);
        let others: Vec<NodeIndex> = self.joints().skip(1).collect();
        if !others.is_empty() {
            line = line.with("with", joint_list(document, Some(mesh), &others));
        }
        if first_instance(document, mesh, joint) != Some(instance_idx) {
            line = line.with("node", format!("#{}", document.instances()[instance_idx].node));
        }
        if !also.is_empty() {
            let meshes: Vec<String> =
                also.iter().map(|&i| listed_mesh(document, document.instances()[i].mesh)).collect();
            line = line.with("meshes", meshes.join(","));
        }
        if self.shares_mean && !also.is_empty() && brush.brush.needs == Needs::Mean {
            line = line.with("mean", "all");
        }
        if brush.brush.uses_value {
            line = line.with("value", brush.value);
        }
        line.with("strength", brush.strength)
    }

    /// Adds what holds for the whole character: who may gain, who gives, the mirror, how it stands.
    pub(crate) fn with_whole(&self, mut line: Line, document: &Document) -> Line {
        let &Self { mesh, brush, ref pose, deformer, ref lane, give, mirror, .. } = self;
        if brush.existing_only {
            line = line.with("existing", "yes");
        }
        if !lane.is_empty() {
            line = line.with("lane", joint_list(document, Some(mesh), lane));
        }
        if give != GiveTo::Others {
            line = line.with("give", give.text(document, Some(mesh)));
        }
        if self.leaves_unassigned {
            line = line.with("unassigned", "yes");
        }
        if let Some(SymmetrySettings { axis, at, tolerance }) = mirror {
            line = line.with("mirror", AXES[axis.min(2)]);
            for (key, number) in [("at", at), ("tolerance", tolerance)] {
                if let Some(number) = number {
                    line = line.with(key, number);
                }
            }
        }
        args::with_pose(line.with("deform", deformer.name()), document, Some(mesh), pose)
    }

    /// The whole line of a command that lays dabs.
    pub(crate) fn line_with_dabs(&self, document: &Document, name: &str, dabs: &[DabArg]) -> Line {
        let &Self { brush, eye, .. } = self;
        let plain = BrushSettings::default();
        let mut line = self.line(document, name);
        line = line.with("radius", brush.radius).with("falloff", brush.falloff.name());
        if brush.falloff == Falloff::Curve {
            line = line.with("curve", brush.curve.text());
        }
        line = line.with("reach", brush.reach.name());
        for (key, _) in [("shell", brush.shell_only), ("cap", brush.once)].into_iter().filter(|(_, is_set)| *is_set) {
            line = line.with(key, "yes");
        }
        if brush.iterations != plain.iterations {
            line = line.with("iterations", brush.iterations);
        }
        if brush.gap != plain.gap {
            line = line.with("gap", brush.gap);
        }
        line = self.with_whole(line, document);
        let mut text = String::new();
        if let Some(eye) = eye {
            args::write_point(&mut text, eye);
            line = line.with("eye", &text);
            text.clear();
            if brush.front_only != (brush.reach != Reach::Screen) {
                line = line.with("front", if brush.front_only { "yes" } else { "no" });
            }
        }
        for (i, dab) in dabs.iter().enumerate() {
            if i > 0 {
                text.push(';');
            }
            args::write_point(&mut text, dab.center);
            if dab.radius.is_some() || dab.strength_share != 1.0 {
                let _ = write!(text, ",{}", dab.radius.unwrap_or(brush.radius));
            }
            if dab.strength_share != 1.0 {
                let _ = write!(text, ",{}", dab.strength_share);
            }
        }
        line.with("points", text)
    }
}

impl Stroke {
    /// The command line that does the stroke again.
    pub fn line(&self, document: &Document) -> Line {
        self.spec.line_with_dabs(document, "stroke", &self.dabs)
    }
}

/// A joint's name within a list.
fn listed_joint(document: &Document, mesh: Option<MeshIndex>, joint: NodeIndex) -> String {
    let name = args::joint_name(document, mesh, joint);
    if name.contains(',') { format!("#{joint}") } else { name }
}

/// A mesh's name within a list.
fn listed_mesh(document: &Document, mesh: MeshIndex) -> String {
    let name = args::mesh_name(document, mesh);
    if name.contains(',') || name == "all" { format!("#{mesh}") } else { name }
}
