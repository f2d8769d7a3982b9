//! Scenes: names, roots, and which one is to be shown. Nothing is edited by scene, so what is wrong with one is a
//! warning, and what is right about it is kept.

use sinew_model::{NodeIndex, SceneIndex, SceneInfo};

use crate::accessor::Accessors;
use crate::error::OpenError;
use crate::json::{Json, JsonError};
use crate::warning::ImportWarning;

/// What a scene without roots keeps, about.
const BYTES_PER_SCENE: u64 = size_of::<SceneInfo>() as u64;

/// Reads all scenes and which one the file shows. One warning for each scene at most.
pub(super) fn read(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    n_nodes: usize,
    warnings: &mut Vec<ImportWarning>,
) -> Result<(Vec<SceneInfo>, Option<SceneIndex>), OpenError> {
    let mut left_out = |error: JsonError| {
        let reason = format!("expected {}, found {}", error.expected, error.found);
        warnings.push(ImportWarning::LeftOut { path: error.path, reason });
    };
    let mut scenes = Vec::new();
    match root.list("scenes") {
        Ok(list) => {
            accessors.budget.charge(list.len() as u64 * BYTES_PER_SCENE, || "scenes".to_owned())?;
            for json in list {
                let n_roots = json.list_len("nodes").unwrap_or(0) as u64;
                accessors.budget.charge(n_roots * size_of::<NodeIndex>() as u64, || json.path.to_string())?;
                let (scene, error) = read_scene(json, n_nodes);
                scenes.push(scene);
                error.into_iter().for_each(&mut left_out);
            }
        }
        Err(error) => left_out(error),
    }
    let default_scene = root.index("scene", scenes.len()).unwrap_or_else(|error| {
        left_out(error);
        None
    });
    Ok((scenes, default_scene.map(SceneIndex)))
}

/// What can be read of a scene, and the first thing that cannot.
fn read_scene(json: Json<'_>, n_nodes: usize) -> (SceneInfo, Option<JsonError>) {
    let mut first = None;
    let mut keep = |error: JsonError| {
        first.get_or_insert(error);
    };
    if let Err(error) = json.object() {
        keep(error);
    }
    let name = json.text("name").map_err(&mut keep).ok().flatten().map(str::to_owned);
    let mut roots = Vec::new();
    match json.list("nodes") {
        Ok(list) => {
            roots.extend(list.filter_map(|root| root.as_index(n_nodes).map_err(&mut keep).ok()).map(NodeIndex));
        }
        Err(error) => keep(error),
    }
    (SceneInfo { name, roots }, first)
}
