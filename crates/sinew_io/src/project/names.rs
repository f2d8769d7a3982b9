//! Finding again what a file named by name and index.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sinew_model::Document;

/// The things of one kind that a model has, by index and by name.
pub(super) struct Names<'a> {
    by_index: BTreeMap<u32, Option<&'a str>>,
    /// The index, or `None` where several have the name.
    by_name: BTreeMap<&'a str, Option<u32>>,
}

/// All that a project file can name.
pub(super) struct ModelNames<'a> {
    pub joints: Names<'a>,
    pub mesh_nodes: Names<'a>,
    pub meshes: Names<'a>,
    pub clips: Names<'a>,
}

impl<'a> Names<'a> {
    fn new(things: impl Iterator<Item = (u32, Option<&'a str>)>) -> Self {
        let mut names = Self { by_index: BTreeMap::new(), by_name: BTreeMap::new() };
        for (index, name) in things {
            names.by_index.insert(index, name);
            if let Some(name) = name {
                names.by_name.entry(name).and_modify(|only| *only = None).or_insert(Some(index));
            }
        }
        names
    }

    /// The thing of that index if it has that name (or neither has one), else the only one with the name.
    pub fn find(&self, name: Option<&str>, index: Option<u64>) -> Option<u32> {
        let at_index = index.and_then(|index| u32::try_from(index).ok());
        at_index
            .filter(|index| self.by_index.get(index) == Some(&name))
            .or_else(|| name.and_then(|name| self.by_name.get(name).copied().flatten()))
    }

    /// What an entry of the file means, without asking whether it is well formed.
    pub fn find_entry(&self, entry: &Value, index_key: &str) -> Option<u32> {
        let number = |value: &Value| value.as_u64().or_else(|| value.as_f64().map(|number| number as u64));
        self.find(entry.get("name").and_then(Value::as_str), entry.get(index_key).and_then(number))
    }

    /// Whether there is a thing of that index.
    pub fn has(&self, index: u32) -> bool {
        self.by_index.contains_key(&index)
    }

    /// Writes name and index into an entry.
    pub fn name_entry(&self, entry: &mut Map<String, Value>, index_key: &str, index: u32) {
        match self.by_index.get(&index).copied().flatten() {
            Some(name) => entry.insert("name".to_owned(), name.into()),
            None => entry.remove("name"),
        };
        entry.insert(index_key.to_owned(), index.into());
    }
}

impl<'a> ModelNames<'a> {
    pub fn of(document: &'a Document) -> Self {
        let nodes = document.nodes();
        let named = |node: sinew_model::NodeIndex| (node.0, nodes.node(node).name.as_deref());
        let meshes = document.meshes().iter().enumerate().map(|(i, mesh)| (i as u32, mesh.name.as_deref()));
        let clips = document.clips().iter().enumerate().map(|(i, clip)| (i as u32, clip.name.as_deref()));
        Self {
            joints: Names::new(document.joints().iter().copied().map(named)),
            mesh_nodes: Names::new(document.instances().iter().map(|instance| named(instance.node))),
            meshes: Names::new(meshes),
            clips: Names::new(clips),
        }
    }
}
