//! Values of command parameters: reading them from text and writing them so that they come back to the bit.

use std::fmt::Write as _;

use glam::Vec3;
use sinew_model::lookup::LookupError;
use sinew_model::{
    ClipIndex, ClipTime, Document, JointSlot, MeshIndex, NodeIndex, Pose, SceneIndex, VertexIndex, VertexSet,
    joint_named, shown_name,
};

use crate::script::Line;

/// Why a line's parameters cannot be used.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ArgError {
    /// A parameter that the command needs is not there.
    #[error("{command} needs {key}=…: {hint}")]
    Missing {
        /// The command.
        command: String,
        /// The parameter.
        key: &'static str,
        /// What it is.
        hint: &'static str,
    },
    /// A parameter that the command does not have.
    #[error("{command} has no parameter \"{key}\"; it takes {known}")]
    Unknown {
        /// The command.
        command: String,
        /// The parameter found.
        key: String,
        /// The parameters there are.
        known: String,
    },
    /// A value that is not of the right kind.
    #[error("{key}: expected {expected}, found \"{}\"", shown_name(found))]
    Bad {
        /// The parameter.
        key: String,
        /// What it should be.
        expected: String,
        /// The text found.
        found: String,
    },
    /// A vertex past the end.
    #[error("{key}: vertex {vertex} does not exist; mesh \"{}\" has vertices 0 to {last}", shown_name(mesh))]
    NoSuchVertex {
        /// The parameter.
        key: &'static str,
        /// The vertex asked for.
        vertex: u64,
        /// The mesh.
        mesh: String,
        /// Its last vertex.
        last: u64,
    },
    /// A joint or mesh that is not there.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// A joint that does not move the mesh.
    #[error("joint \"{}\" is not in any skin of mesh \"{}\"", shown_name(joint), shown_name(mesh))]
    NotInSkin {
        /// The joint.
        joint: String,
        /// The mesh.
        mesh: String,
    },
}

/// A dab as scripts write it: centre, and where they differ from the stroke's, radius and share of the strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DabArg {
    /// Centre, scene space.
    pub center: Vec3,
    /// Radius, scene units, where it is not the stroke's.
    pub radius: Option<f32>,
    /// Share of the stroke's strength, 1 if not given.
    pub strength_share: f32,
}

/// The value of a parameter, or its absence as an error.
pub fn required<'a>(line: &'a Line, key: &'static str, hint: &'static str) -> Result<&'a str, ArgError> {
    line.get(key).ok_or_else(|| ArgError::Missing { command: line.name.clone(), key, hint })
}

/// A finite number within `min ..= max`, or the default where the parameter is not given.
pub fn number(line: &Line, key: &str, default: f32, min: f32, max: f32) -> Result<f32, ArgError> {
    let Some(text) = line.get(key) else { return Ok(default) };
    let number = text.parse::<f32>().ok().filter(|n| n.is_finite() && (min..=max).contains(n));
    number.ok_or_else(|| bad(key, range_text("a number", min, max), text))
}

/// A whole number within `min ..= max`, or the default where the parameter is not given.
pub fn integer(line: &Line, key: &str, default: u32, min: u32, max: u32) -> Result<u32, ArgError> {
    let Some(text) = line.get(key) else { return Ok(default) };
    let number = text.parse::<u32>().ok().filter(|n| (min..=max).contains(n));
    number.ok_or_else(|| bad(key, range_text("a whole number", min as f32, max as f32), text))
}

/// One of several names, or `None` where the parameter is not given.
pub fn choice<T>(
    line: &Line,
    key: &str,
    names: &[&str],
    named: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ArgError> {
    let Some(text) = line.get(key) else { return Ok(None) };
    named(text).map(Some).ok_or_else(|| bad(key, format!("one of {}", names.join(", ")), text))
}

/// `yes` or `no`, or `None` where the parameter is not given.
pub fn yes(line: &Line, key: &str) -> Result<Option<bool>, ArgError> {
    choice(line, key, &["yes", "no"], |word| match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    })
}

/// A point, `x,y,z`.
pub fn point(key: &str, text: &str) -> Result<Vec3, ArgError> {
    let numbers = numbers(text);
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok(Vec3::new(x, y, z)),
        _ => Err(bad(key, "x,y,z".to_owned(), text)),
    }
}

/// Points, `x,y,z;x,y,z…`.
pub fn points(key: &str, text: &str) -> Result<Vec<Vec3>, ArgError> {
    text.split(';').filter(|part| !part.trim().is_empty()).map(|part| point(key, part)).collect()
}

/// Dabs, `x,y,z[,radius[,strength share]];…`.
pub fn dabs(key: &str, text: &str) -> Result<Vec<DabArg>, ArgError> {
    let one = |part: &str| {
        let numbers = numbers(part);
        let (center, radius, strength_share) = match numbers.as_deref() {
            Some(&[x, y, z]) => (Vec3::new(x, y, z), None, 1.0),
            Some(&[x, y, z, radius]) => (Vec3::new(x, y, z), Some(radius), 1.0),
            Some(&[x, y, z, radius, share]) => (Vec3::new(x, y, z), Some(radius), share),
            _ => return Err(bad(key, "x,y,z or x,y,z,radius or x,y,z,radius,strength".to_owned(), part)),
        };
        if radius.is_some_and(|radius| radius <= 0.0) || !(0.0..=1.0).contains(&strength_share) {
            return Err(bad(key, "a radius above 0 and a strength of 0 to 1".to_owned(), part));
        }
        Ok(DabArg { center, radius, strength_share })
    };
    text.split(';').filter(|part| !part.trim().is_empty()).map(one).collect()
}

/// Vertices of a mesh, `3,7,10-99`; `all` is every vertex.
pub fn vertices(document: &Document, mesh: MeshIndex, text: &str) -> Result<VertexSet, ArgError> {
    let key = "vertices";
    let n_vertices = document.mesh(mesh).n_vertices();
    if text == "all" {
        return Ok(VertexSet::all(n_vertices));
    }
    let found = number_set(key, text, "vertex numbers such as 3,7,10-99 (or all)", n_vertices)?;
    found.map_err(|vertex| {
        let mesh = document.mesh_label(mesh);
        ArgError::NoSuchVertex { key, vertex, mesh, last: (n_vertices as u64).saturating_sub(1) }
    })
}

/// Numbers below `n`, `3,7,10-99`; the inner error is the first number that is not. However long the text is, no more
/// is held than one bit a number.
pub fn number_set(key: &'static str, text: &str, expected: &str, n: usize) -> Result<Result<VertexSet, u64>, ArgError> {
    let mut found = VertexSet::EMPTY;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |digits: &str| digits.trim().parse::<u64>().map_err(|_| bad(key, expected.to_owned(), text));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(bad(key, expected.to_owned(), text));
        }
        if last >= n as u64 {
            return Ok(Err(last));
        }
        found.insert_range(VertexIndex(first as u32), VertexIndex(last as u32));
    }
    Ok(Ok(found))
}

/// A joint by name, and its slot in rows of the mesh.
pub fn joint_in(document: &Document, mesh: MeshIndex, joint: NodeIndex) -> Result<JointSlot, ArgError> {
    document
        .slot_of(mesh, joint)
        .ok_or_else(|| ArgError::NotInSkin { joint: document.nodes().label(joint), mesh: document.mesh_label(mesh) })
}

/// Joint turns, `NAME:rx,ry,rz;…`, degrees about the joint's own rest axes, added to `pose`.
pub fn pose_turns(document: &Document, mesh: Option<MeshIndex>, text: &str, pose: &mut Pose) -> Result<(), ArgError> {
    for part in text.split(';').filter(|part| !part.trim().is_empty()) {
        let (name, angles) = part.rsplit_once(':').ok_or_else(|| bad("pose", "NAME:rx,ry,rz".to_owned(), part))?;
        pose.set_turn_deg(joint_named(document, mesh, name)?, point("pose", angles)?);
    }
    Ok(())
}

/// Writes a point so that [`point`] reads the same bits.
pub fn write_point(out: &mut String, point: Vec3) {
    // Display of f32 writes the shortest digits that read back to the same number.
    let _ = write!(out, "{},{},{}", point.x, point.y, point.z);
}

/// A joint's name for scripts: its name where that finds this joint, else `#N`. Names with `;`, which separates
/// poses, or a line break are never written.
pub fn joint_name(document: &Document, mesh: Option<MeshIndex>, joint: NodeIndex) -> String {
    let name = document.nodes().label(joint);
    let finds_it = joint_named(document, mesh, &name) == Ok(joint);
    if finds_it && !name.contains([';', '\n', '\r']) { name } else { format!("#{joint}") }
}

/// A mesh's name for scripts.
pub fn mesh_name(document: &Document, mesh: MeshIndex) -> String {
    let name = document.mesh(mesh).label(mesh);
    let finds_it = sinew_model::lookup::mesh_named(document, &name) == Ok(mesh);
    if finds_it && !name.contains(['\n', '\r']) { name } else { format!("#{mesh}") }
}

/// A scene's name for scripts.
pub fn scene_name(document: &Document, scene: SceneIndex) -> String {
    let name = document.scene_label(scene);
    let finds_it = sinew_model::lookup::scene_named(document, &name) == Ok(Some(scene));
    if finds_it && !name.contains(['\n', '\r']) { name } else { format!("#{scene}") }
}

/// The name of a node with a mesh for scripts: its name where that finds this node, else `#N`.
pub fn mesh_node_name(document: &Document, node: NodeIndex) -> String {
    let name = document.nodes().label(node);
    let finds_it = sinew_model::lookup::mesh_node_named(document, &name) == Ok(node);
    if finds_it && !name.contains(['\n', '\r']) { name } else { format!("#{node}") }
}

fn numbers(text: &str) -> Option<Vec<f32>> {
    text.split(',').map(|part| part.trim().parse::<f32>().ok().filter(|n| n.is_finite())).collect()
}

pub(crate) fn bad(key: &str, expected: String, found: &str) -> ArgError {
    const LONGEST: usize = 60;
    let mut found: String = found.chars().take(LONGEST + 1).collect();
    if found.chars().count() > LONGEST {
        found = found.chars().take(LONGEST).chain(['…']).collect();
    }
    ArgError::Bad { key: key.to_owned(), expected, found }
}

fn range_text(what: &str, min: f32, max: f32) -> String {
    match () {
        () if max < 1e9 => format!("{what} from {min} to {max}"),
        () if min == f32::MIN_POSITIVE => format!("{what} above 0"),
        () => format!("{what} of at least {min}"),
    }
}

/// Adds the parameters that say how the character stands: `pose`, `clip`, `time`, `morphs`.
pub fn with_pose(mut line: Line, document: &Document, mesh: Option<MeshIndex>, pose: &Pose) -> Line {
    if pose.turns().len() > 0 {
        let mut text = String::new();
        for (joint, euler_deg) in pose.turns() {
            if !text.is_empty() {
                text.push(';');
            }
            let _ = write!(text, "{}:", joint_name(document, mesh, joint));
            write_point(&mut text, euler_deg);
        }
        line = line.with("pose", text);
    }
    if let Some(moment) = pose.clip {
        line = line.with("clip", clip_name(document, moment.clip)).with("time", moment.time_s);
    }
    if !pose.morph_weights.is_empty() {
        let one = |(node, weights): (&NodeIndex, &Vec<f32>)| {
            let weights: Vec<String> = weights.iter().map(ToString::to_string).collect();
            format!("#{node}:{}", weights.join(","))
        };
        let all: Vec<String> = pose.morph_weights.iter().map(one).collect();
        line = line.with("morphs", all.join(";"));
    }
    line
}

/// Reads what [`with_pose`] writes: the pose a line asks for, the rest pose if it says nothing.
pub fn pose(line: &Line, document: &Document, mesh: Option<MeshIndex>) -> Result<Pose, ArgError> {
    let mut pose = Pose::rest();
    if let Some(text) = line.get("pose") {
        pose_turns(document, mesh, text, &mut pose)?;
    }
    if let Some(name) = line.get("clip") {
        let time_s = number(line, "time", 0.0, 0.0, f32::MAX)?;
        pose.clip = Some(ClipTime { clip: clip_named(document, name)?, time_s });
    }
    if let Some(text) = line.get("morphs") {
        for part in text.split(';') {
            let expected = || bad("morphs", "#NODE:w,w,…".to_owned(), part);
            let (node, weights) = part.rsplit_once(':').ok_or_else(expected)?;
            let node = node.strip_prefix('#').and_then(|digits| digits.parse::<u32>().ok()).map(NodeIndex);
            let node = node.filter(|node| node.idx() < document.nodes().len()).ok_or_else(expected)?;
            pose.morph_weights.insert(node, numbers(weights).ok_or_else(expected)?);
        }
    }
    Ok(pose)
}

/// A clip by name, or `#N` for clip N of the file.
pub fn clip_named(document: &Document, name: &str) -> Result<ClipIndex, ArgError> {
    let clips = document.clips();
    let by_name = clips.iter().position(|clip| clip.name.as_deref() == Some(name));
    let by_number = || name.strip_prefix('#').unwrap_or(name).parse::<usize>().ok().filter(|&n| n < clips.len());
    by_name.or_else(by_number).map(ClipIndex::from_idx).ok_or_else(|| {
        let names: Vec<String> = (0..clips.len()).map(|n| clip_name(document, ClipIndex::from_idx(n))).collect();
        let expected = if names.is_empty() {
            "a clip; the file has none".to_owned()
        } else {
            format!("one of {}", names.join(", "))
        };
        bad("clip", expected, name)
    })
}

/// A clip's name for scripts.
pub fn clip_name(document: &Document, clip: ClipIndex) -> String {
    let name = document.clips()[clip.idx()].name.clone().unwrap_or_default();
    let first = document.clips().iter().position(|other| other.name.as_deref() == Some(name.as_str()));
    if !name.is_empty() && first == Some(clip.idx()) { name } else { format!("#{clip}") }
}
