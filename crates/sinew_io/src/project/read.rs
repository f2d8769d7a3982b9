//! The project file's members as a [`Project`]: whatever is not well formed is an error, what is not found a warning.

use glam::Vec3;
use serde_json::Value;
use sinew_model::{Budget, ClipIndex, ClipTime, Document, MeshIndex, NodeIndex, Pose, VertexMask};

use super::names::{ModelNames, Names};
use super::{NamedPose, Project, ProjectWarning};
use crate::json::{Json, JsonError};

/// The version that a file says it has.
pub(super) fn version(root: &Value) -> Result<u64, JsonError> {
    let root = Json::root(root);
    root.object()?;
    let version = root.need("sinew", "the version, a whole number of at least 1")?;
    match version.as_whole()? {
        0 => Err(version.wrong("a whole number of at least 1")),
        version => Ok(version),
    }
}

/// Everything but what is carried along unread.
pub(super) fn project(document: &Document, root: &Value) -> Result<(Project, Vec<ProjectWarning>), JsonError> {
    let names = ModelNames::of(document);
    let mut reader = Reader { names: &names, warnings: Vec::new() };
    let root = Json::root(root);
    let mut project = Project::default();
    for entry in root.list("locks")? {
        project.locks.extend(reader.joint(entry)?);
    }
    project.locks.sort_unstable();
    project.locks.dedup();
    project.budget = root.get("budget").map(budget).transpose()?;
    for entry in root.list("pairs")? {
        let joint = reader.joint(entry)?;
        let twin = reader.joint(entry.need("twin", "a joint by name and node")?)?;
        if let (Some(joint), Some(twin)) = (joint, twin) {
            project.pairs.pair(joint, twin);
        }
    }
    for entry in root.list("masks")? {
        project.masks.extend(reader.mask(document, entry)?);
    }
    project.masks.sort_by_key(|(mesh, _)| *mesh);
    project.masks.dedup_by_key(|(mesh, _)| *mesh);
    if let Some(pose) = root.get("pose") {
        project.pose = reader.pose(pose)?;
    }
    for entry in root.list("poses")? {
        entry.object()?;
        entry.need("name", "a name")?;
        let name = entry.text("name")?.unwrap_or_default().to_owned();
        project.poses.push(NamedPose { name, pose: reader.pose(entry)? });
    }
    Ok((project, reader.warnings))
}

struct Reader<'a> {
    names: &'a ModelNames<'a>,
    warnings: Vec<ProjectWarning>,
}

impl Reader<'_> {
    fn joint(&mut self, entry: Json<'_>) -> Result<Option<NodeIndex>, JsonError> {
        Ok(self.find(&self.names.joints, "joint", entry, "node")?.map(NodeIndex))
    }

    fn mask(&mut self, document: &Document, entry: Json<'_>) -> Result<Option<(MeshIndex, VertexMask)>, JsonError> {
        let found = self.find(&self.names.meshes, "mesh", entry, "index")?.map(MeshIndex);
        let n_vertices = entry.need("n_vertices", "how many vertices the mesh has")?.as_whole()?;
        let text = entry.need("mask", "vertices and values, such as \"0-99:0,120:0.5\"")?;
        let written = entry.text("mask")?.unwrap_or_default();
        let Some(mesh) = found else { return Ok(None) };
        if document.mesh(mesh).n_vertices() as u64 != n_vertices {
            let (path, name) = (entry.path.to_string(), entry.text("name")?.map(str::to_owned));
            let what = "mesh with the vertices that its mask is for, whose name is";
            self.warnings.push(ProjectWarning { path, what, name, index: Some(mesh.0.into()) });
            return Ok(None);
        }
        let mask = VertexMask::parse(written, n_vertices as usize);
        let mask = mask.ok_or_else(|| text.wrong("vertices of the mesh and values, such as \"0-99:0,120:0.5\""))?;
        Ok(Some((mesh, mask)).filter(|(_, mask)| !mask.is_none()))
    }

    fn pose(&mut self, from: Json<'_>) -> Result<Pose, JsonError> {
        from.object()?;
        let mut pose = Pose::rest();
        for entry in from.list("turns")? {
            let joint = self.joint(entry)?;
            let degrees = entry.need("degrees", "3 numbers")?;
            let euler_deg = entry.numbers::<3>("degrees")?.unwrap_or_default().map(|number| number as f32);
            if !euler_deg.iter().all(|number| number.is_finite()) {
                return Err(degrees.wrong("3 numbers of single precision"));
            }
            if let Some(joint) = joint {
                pose.set_turn_deg(joint, Vec3::from_array(euler_deg));
            }
        }
        if let Some(clip) = from.get("clip") {
            let time_s = clip.get("time_s").map(single).transpose()?.unwrap_or(0.0);
            let found = self.find(&self.names.clips, "clip", clip, "index")?;
            pose.clip = found.map(|clip| ClipTime { clip: ClipIndex(clip), time_s });
        }
        for entry in from.list("morphs")? {
            let weights = entry.list("weights")?.map(single).collect::<Result<Vec<f32>, _>>()?;
            if let Some(node) = self.find(&self.names.mesh_nodes, "node with a mesh", entry, "node")? {
                pose.morph_weights.insert(NodeIndex(node), weights);
            }
        }
        Ok(pose)
    }

    fn find(
        &mut self,
        names: &Names<'_>,
        what: &'static str,
        entry: Json<'_>,
        index_key: &'static str,
    ) -> Result<Option<u32>, JsonError> {
        entry.object()?;
        let name = entry.text("name")?;
        let index = entry.whole(index_key)?;
        let found = names.find(name, index);
        if found.is_none() {
            let (path, name) = (entry.path.to_string(), name.map(str::to_owned));
            self.warnings.push(ProjectWarning { path, what, name, index });
        }
        Ok(found)
    }
}

fn budget(member: Json<'_>) -> Result<Budget, JsonError> {
    let wrong = || member.wrong("a whole number from 1 to 255, or \"unlimited\"");
    if member.value() == "unlimited" {
        return Ok(Budget::Unlimited);
    }
    let influences = member.as_whole().ok().and_then(|number| u8::try_from(number).ok()).filter(|&number| number > 0);
    influences.map(Budget::Influences).ok_or_else(wrong)
}

fn single(member: Json<'_>) -> Result<f32, JsonError> {
    let number = member.as_number()? as f32;
    if number.is_finite() { Ok(number) } else { Err(member.wrong("a number of single precision")) }
}
