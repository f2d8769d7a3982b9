//! How people and scripts name joints, meshes and nodes that show a mesh.
//!
//! A joint is named by its name; all digits that are nobody's name are a position in a skin's joint list; `#N` is
//! node N of the file. So is a node that shows a mesh, with its position among those nodes.

use crate::document::Document;
use crate::ids::{MeshIndex, NodeIndex, SceneIndex, SkinIndex};
use crate::shown_name::shown_name;

/// Why a name finds nothing to act on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LookupError {
    /// Nothing has the name.
    #[error("no {what} is named \"{}\"{hint}", shown_name(name))]
    Unknown {
        /// `joint`, `mesh`, `node with a mesh` or `scene`.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// What there is instead.
        hint: String,
    },
    /// Several have the name.
    #[error("{n} {what} are named \"{}\"; say which: {choices}", shown_name(name))]
    Ambiguous {
        /// `joints`, `meshes`, `nodes` or `scenes`.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// How many have it.
        n: usize,
        /// The `#N` of each: a joint's node, a node's, mesh's or scene's number.
        choices: String,
    },
}

/// Finds the joint that `name` means. `mesh` is the active mesh, if there is one; its first skin (or else the first
/// skinned mesh's) is searched first and gives positions their meaning.
pub fn joint_named(document: &Document, mesh: Option<MeshIndex>, name: &str) -> Result<NodeIndex, LookupError> {
    let home = home_skin(document, mesh);
    let home_joints = home.map(|skin| document.skin(skin).joints()).unwrap_or_default();
    for joints in [home_joints, document.joints()] {
        let mut found: Vec<NodeIndex> = joints
            .iter()
            .copied()
            .filter(|&joint| document.nodes().node(joint).name.as_deref() == Some(name))
            .collect();
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [] => {}
            [joint] => return Ok(joint),
            _ => {
                let choices: Vec<String> = found.iter().map(|joint| format!("#{joint}")).collect();
                return Err(LookupError::Ambiguous {
                    what: "joints",
                    name: name.to_owned(),
                    n: found.len(),
                    choices: choices.join(", "),
                });
            }
        }
    }
    let unknown = |hint: String| LookupError::Unknown { what: "joint", name: name.to_owned(), hint };
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
        let place: usize = name.parse().unwrap_or(usize::MAX);
        return home_joints.get(place).copied().ok_or_else(|| {
            unknown(format!(" and the skin has no joint at that position; it has {}", home_joints.len()))
        });
    }
    if let Some(number) = name.strip_prefix('#').and_then(|digits| digits.parse::<u32>().ok()) {
        let node = NodeIndex(number);
        return if document.is_joint(node) {
            Ok(node)
        } else if node.idx() < document.nodes().len() {
            Err(unknown(format!(": node {number} is not a joint of any skin")))
        } else {
            Err(unknown(format!(": the file has {} nodes", document.nodes().len())))
        };
    }
    Err(unknown(hint_of(document.joints().iter().map(|&joint| document.nodes().label(joint)), name)))
}

/// Finds the mesh that `name` means: a mesh's name, the name of a node that shows it, or `#N` for mesh N.
pub fn mesh_named(document: &Document, name: &str) -> Result<MeshIndex, LookupError> {
    let all = || (0..document.meshes().len()).map(MeshIndex::from_idx);
    let by_mesh: Vec<MeshIndex> = all().filter(|&m| document.mesh(m).name.as_deref() == Some(name)).collect();
    let by_node = || {
        let mut meshes: Vec<MeshIndex> = document
            .instances()
            .iter()
            .filter(|i| document.nodes().node(i.node).name.as_deref() == Some(name))
            .map(|i| i.mesh)
            .collect();
        meshes.sort_unstable();
        meshes.dedup();
        meshes
    };
    let found = if by_mesh.is_empty() { by_node() } else { by_mesh };
    match found[..] {
        [mesh] => return Ok(mesh),
        [] => {}
        _ => {
            let choices: Vec<String> = found.iter().map(|mesh| format!("#{mesh}")).collect();
            let (name, n) = (name.to_owned(), found.len());
            return Err(LookupError::Ambiguous { what: "meshes", name, n, choices: choices.join(", ") });
        }
    }
    let number = name.strip_prefix('#').unwrap_or(name);
    if let Some(mesh) = number.parse::<u32>().ok().map(MeshIndex).filter(|m| m.idx() < document.meshes().len()) {
        return Ok(mesh);
    }
    let hint = hint_of(all().map(|mesh| document.mesh(mesh).label(mesh)), name);
    Err(LookupError::Unknown { what: "mesh", name: name.to_owned(), hint })
}

/// Finds the node with a mesh that `name` means: its name; all digits that are nobody's name are a position among the
/// nodes that show a mesh, in node order; `#N` is node N.
pub fn mesh_node_named(document: &Document, name: &str) -> Result<NodeIndex, LookupError> {
    let all = || document.instances().iter().map(|instance| instance.node);
    let found: Vec<NodeIndex> =
        all().filter(|&node| document.nodes().node(node).name.as_deref() == Some(name)).collect();
    match found[..] {
        [node] => return Ok(node),
        [] => {}
        _ => {
            let choices: Vec<String> = found.iter().map(|node| format!("#{node}")).collect();
            let (name, n) = (name.to_owned(), found.len());
            return Err(LookupError::Ambiguous { what: "nodes", name, n, choices: choices.join(", ") });
        }
    }
    let unknown = |hint: String| LookupError::Unknown { what: "node with a mesh", name: name.to_owned(), hint };
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
        let place: usize = name.parse().unwrap_or(usize::MAX);
        let n = document.instances().len();
        return all().nth(place).ok_or_else(|| unknown(format!(" and there is none at that position; there are {n}")));
    }
    if let Some(number) = name.strip_prefix('#').and_then(|digits| digits.parse::<u32>().ok()) {
        let node = NodeIndex(number);
        return if all().any(|with_mesh| with_mesh == node) {
            Ok(node)
        } else if node.idx() < document.nodes().len() {
            Err(unknown(format!(": node {number} shows no mesh")))
        } else {
            Err(unknown(format!(": the file has {} nodes", document.nodes().len())))
        };
    }
    Err(unknown(hint_of(all().map(|node| document.nodes().label(node)), name)))
}

/// Finds the scene that `name` means: its name, `all` (`None`), or `#N` for scene N.
pub fn scene_named(document: &Document, name: &str) -> Result<Option<SceneIndex>, LookupError> {
    let scenes = document.scenes();
    let all = || (0..scenes.len()).map(SceneIndex::from_idx);
    let found: Vec<SceneIndex> = all().filter(|scene| scenes[scene.idx()].name.as_deref() == Some(name)).collect();
    match found[..] {
        [scene] => return Ok(Some(scene)),
        [] if name == "all" => return Ok(None),
        [] => {}
        _ => {
            let choices: Vec<String> = found.iter().map(|scene| format!("#{scene}")).collect();
            let (name, n) = (name.to_owned(), found.len());
            return Err(LookupError::Ambiguous { what: "scenes", name, n, choices: choices.join(", ") });
        }
    }
    let number = name.strip_prefix('#').unwrap_or(name).parse::<u32>().ok().map(SceneIndex);
    if let Some(scene) = number.filter(|scene| scene.idx() < scenes.len()) {
        return Ok(Some(scene));
    }
    let hint = hint_of(all().map(|scene| document.scene_label(scene)), name);
    Err(LookupError::Unknown { what: "scene", name: name.to_owned(), hint })
}

/// The skin that gives positions their meaning: the first of the active mesh, else of the first skinned mesh, else
/// the file's first.
pub fn home_skin(document: &Document, mesh: Option<MeshIndex>) -> Option<SkinIndex> {
    let of = |mesh: MeshIndex| document.skins_of(mesh).first().copied();
    mesh.and_then(of)
        .or_else(|| document.skinned_meshes().into_iter().find_map(of))
        .or_else(|| (!document.skins().is_empty()).then_some(SkinIndex(0)))
}

/// Names that look like the one asked for, else the first few.
fn hint_of(labels: impl Iterator<Item = String>, name: &str) -> String {
    let labels: Vec<String> = labels.collect();
    let wanted = name.to_lowercase();
    let alike: Vec<&String> = labels
        .iter()
        .filter(|label| {
            let label = label.to_lowercase();
            !wanted.is_empty() && (label.contains(&wanted) || wanted.contains(&label))
        })
        .take(5)
        .collect();
    let shown: Vec<&String> = if alike.is_empty() { labels.iter().take(5).collect() } else { alike };
    if shown.is_empty() {
        return "; there is none".to_owned();
    }
    let list: Vec<String> = shown.iter().map(|label| format!("\"{}\"", shown_name(label))).collect();
    let more = labels.len() - shown.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("; there is {}{rest}", list.join(", "))
}
