//! The facts about a file for a person to read.

use std::fmt::Write as _;

use super::facts::{BufferFacts, Facts, JointFacts, MeshFacts, PoolFacts, SceneFacts, SkinFacts};
use crate::stdout::printable;

/// Joints a skin shows by name before it says "and N more".
const MOST_JOINTS: usize = 12;

/// The report: what the file holds, then what is unusual in it.
pub fn report(facts: &Facts) -> String {
    let mut out = Lines::default();
    let file = &facts.file;
    out.line(0, &file.path);
    let by = file.generator.as_deref().map_or_else(String::new, |generator| format!(", made by {generator}"));
    let container = if file.container == "glb" { "binary glTF" } else { "glTF text" };
    out.line(1, &format!("{container} {}{by}, {} bytes", file.version.as_deref().unwrap_or("?"), file.n_bytes));
    for (b, buffer) in file.buffers.iter().enumerate() {
        out.line(1, &format!("buffer {b}: {}", buffer_text(buffer)));
    }
    for (what, list) in [("uses", &facts.extensions_used), ("requires", &facts.extensions_required)] {
        if !list.is_empty() {
            out.line(1, &format!("{what} {}", list.join(", ")));
        }
    }
    let budget = facts.budget.map_or_else(|| "unlimited".to_owned(), |budget| budget.to_string());
    let (nodes, materials) = (count(facts.n_nodes, "node"), count(facts.n_materials, "material"));
    out.line(1, &format!("{nodes}, {materials}, budget {budget} influences a vertex"));
    for scene in &facts.scenes {
        out.line(0, &scene_text(scene, facts.meshes.len()));
    }
    for skin in &facts.skins {
        write_skin(&mut out, skin);
    }
    for mesh in &facts.meshes {
        write_mesh(&mut out, mesh);
    }
    for clip in &facts.clips {
        let label = label(clip.name.as_deref(), clip.clip);
        out.line(0, &format!("clip {label}: {} s, {}", clip.duration_s, count(clip.n_channels, "channel")));
    }
    for image in &facts.images {
        out.line(0, &format!("image {}: {}, {} bytes", image.name, image.format, image.n_bytes));
    }
    for warning in &facts.warnings {
        out.line(0, &format!("warning: {warning}"));
    }
    out.text
}

fn scene_text(scene: &SceneFacts, n_meshes: usize) -> String {
    let label = label(scene.name.as_deref(), scene.scene);
    let is_default = if scene.is_default { ", the file's own" } else { "" };
    let shows = match scene.meshes.len() {
        0 => "no mesh".to_owned(),
        n if n == n_meshes => "every mesh".to_owned(),
        _ => {
            let numbers: Vec<String> = scene.meshes.iter().map(u32::to_string).collect();
            format!("of {n_meshes} meshes {}", numbers.join(", "))
        }
    };
    format!("scene {label}{is_default}: shows {shows}, from {}", nodes_text(&scene.roots))
}

fn write_skin(out: &mut Lines, skin: &SkinFacts) {
    let label = label(skin.name.as_deref(), skin.skin);
    out.line(0, &format!("skin {label}: {}, at {}", count(skin.joints.len(), "joint"), nodes_text(&skin.nodes)));
    let name = |joint: &JointFacts| {
        joint.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| format!("#{}", joint.node))
    };
    let mut names: Vec<String> = skin.joints.iter().take(MOST_JOINTS).map(name).collect();
    if skin.joints.len() > MOST_JOINTS {
        names.push(format!("and {} more", skin.joints.len() - MOST_JOINTS));
    }
    out.line(1, &names.join(", "));
}

fn write_mesh(out: &mut Lines, mesh: &MeshFacts) {
    let (n_vertices, n_triangles) = (vertices(mesh.n_vertices), count(mesh.n_triangles, "triangle"));
    let skins = if mesh.skins.is_empty() {
        "no skin".to_owned()
    } else {
        let numbers: Vec<String> = mesh.skins.iter().map(u32::to_string).collect();
        format!("under skin {}", numbers.join(", "))
    };
    let name = label(mesh.name.as_deref(), mesh.mesh);
    out.line(0, &format!("mesh {name}: {n_vertices}, {n_triangles}, {skins}, at {}", nodes_text(&mesh.nodes)));
    if mesh.n_nodes > 1 {
        out.line(1, &format!("used by {} nodes, which show the same weights; make_unique parts one", mesh.n_nodes));
    }
    for pool in &mesh.pools {
        out.line(1, &pool_text(mesh, pool));
    }
    if !mesh.morph_targets.is_empty() {
        let names: Vec<String> =
            mesh.morph_targets.iter().enumerate().map(|(t, name)| label(name.as_deref(), t)).collect();
        out.line(1, &format!("{}: {}", count(names.len(), "morph target"), names.join(", ")));
    }
    if mesh.max_influences > 0 {
        out.line(1, &format!("up to {} a vertex", count(mesh.max_influences, "influence")));
    }
    let off_sum = format!("{} off: weights do not sum to 1, by up to {}", vertices(mesh.off_sum), mesh.worst_off_sum);
    let odd = [
        (mesh.unweighted, format!("{} without weight", vertices(mesh.unweighted))),
        (mesh.off_sum, off_sum),
        (mesh.over_budget, format!("{} over the budget", vertices(mesh.over_budget))),
        (mesh.over_4, format!("{} with more than 4 influences", vertices(mesh.over_4))),
        (mesh.seams, format!("{} where vertices with equal weights meet", count(mesh.seams, "seam place"))),
        (mesh.torn, format!("{} where vertices meet with different weights", count(mesh.torn, "torn place"))),
    ];
    for (_, line) in odd.iter().filter(|(n, _)| *n > 0) {
        out.line(1, line);
    }
}

fn pool_text(mesh: &MeshFacts, pool: &PoolFacts) -> String {
    let primitives: Vec<String> =
        mesh.primitives.iter().filter(|p| p.pool == pool.pool).map(|p| p.primitive.to_string()).collect();
    let sets: Vec<String> =
        pool.sets.iter().map(|set| format!("set {} joints {} weights {}", set.set, set.joints, set.weights)).collect();
    let sets = if sets.is_empty() { "not skinned".to_owned() } else { sets.join(", ") };
    let normals = if pool.normals { "" } else { ", no normals" };
    let n_vertices = vertices(pool.n_vertices as usize);
    format!("pool {} (primitive {}): {n_vertices}, {sets}{normals}", pool.pool, primitives.join(" "))
}

fn buffer_text(buffer: &BufferFacts) -> String {
    let from = match (buffer.from, &buffer.uri) {
        (_, Some(uri)) => uri.as_str(),
        ("bin_chunk", None) => "binary chunk",
        ("data_uri", None) => "data URI",
        (_, None) => return "no bytes in the file".to_owned(),
    };
    format!("{from}, {} bytes", buffer.n_bytes)
}

fn nodes_text(nodes: &[u32]) -> String {
    let numbers: Vec<String> = nodes.iter().map(u32::to_string).collect();
    match &numbers[..] {
        [] => "no node".to_owned(),
        [node] => format!("node {node}"),
        nodes => format!("nodes {}", nodes.join(", ")),
    }
}

fn vertices(n: usize) -> String {
    sinew_edit::commands::n_vertices(n)
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn label(name: Option<&str>, index: usize) -> String {
    name.filter(|name| !name.is_empty()).map_or_else(|| format!("#{index}"), |name| format!("\"{name}\""))
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    /// A line; names from the file cannot break it.
    fn line(&mut self, indent: usize, line: &str) {
        let _ = writeln!(self.text, "{:width$}{}", "", printable(line), width = indent * 2);
    }
}
