//! Meshes that an edit added: their text in the saved file, and who uses which accessor because of them.
//!
//! A copy says what its original says, to the byte: primitives, targets, materials, extras and extensions; it shares
//! every accessor but those that hold edited rows. Only its name is another one. The node that shows it gets its
//! number; nothing is renumbered.

use serde_json::Value;
use sinew_model::{Document, MeshCopy};

use crate::json_text::{JsonText, at};
use crate::report::AddedMesh;
use crate::save::error::SaveError;
use crate::save::plan::{Change, attributes_of};
use crate::save::users::AttributeUse;
use crate::source::GltfSource;

/// A mesh that the saved file gets.
#[derive(Clone, Debug)]
pub(super) struct Added {
    pub copy: MeshCopy,
    /// Its name; none where the original has none.
    pub name: Option<String>,
}

impl Added {
    /// The meshes that the document has and the opened file has not.
    pub fn all(document: &Document) -> Vec<Self> {
        let name = |copy: &MeshCopy| document.mesh(copy.mesh).name.clone().filter(|name| !name.is_empty());
        document.mesh_copies().iter().map(|&copy| Self { copy, name: name(&copy) }).collect()
    }

    /// What a person is told.
    pub fn report(&self, document: &Document) -> AddedMesh {
        AddedMesh {
            mesh: self.copy.mesh.0,
            name: document.mesh(self.copy.mesh).label(self.copy.mesh),
            copy_of: document.mesh(self.copy.original).label(self.copy.original),
            node: self.copy.node.0,
            node_name: document.nodes().label(self.copy.node),
        }
    }

    /// The accessors that the copy names as its original does, and where.
    pub fn uses(&self, json: &Value) -> Vec<(u32, AttributeUse)> {
        let mut uses = Vec::new();
        let primitives = json["meshes"][self.copy.original.idx()]["primitives"].as_array().map_or(0, Vec::len);
        for p in 0..primitives {
            for (name, accessor) in attributes_of(json, self.copy.original.idx(), p).as_object().into_iter().flatten() {
                if let Some(accessor) = accessor.as_f64() {
                    uses.push((accessor as u32, (self.copy.mesh.idx(), p, name.clone())));
                }
            }
        }
        uses
    }

    /// The mesh as text: the original's, with the name and the accessors that are the copy's own.
    pub fn text(&self, original: &str, changes: &[Change]) -> Result<String, SaveError> {
        let mut text = JsonText::new(original);
        if let Some(name) = &self.name {
            text.set_member(&[], "name", Value::from(name.as_str()).to_string())?;
        }
        for (change, primitive) in self.own(changes) {
            let attributes = at!["primitives", primitive, "attributes"];
            text.set_member(attributes, &change.attribute.name(), change.accessor.to_string())?;
        }
        Ok(text.finish()?)
    }

    /// Whether a written file has the copy and its node shows it.
    pub fn is_in(&self, written: &Value, source: &GltfSource, changes: &[Change]) -> bool {
        let mut expected = source.json["meshes"][self.copy.original.idx()].clone();
        if let Some(name) = &self.name {
            expected["name"] = Value::from(name.as_str());
        }
        for (change, primitive) in self.own(changes) {
            expected["primitives"][primitive]["attributes"][change.attribute.name()] = Value::from(change.accessor);
        }
        let shown = &written["nodes"][self.copy.node.idx()]["mesh"];
        written["meshes"][self.copy.mesh.idx()] == expected && *shown == self.copy.mesh.0
    }

    /// What is written for the copy alone, for each of its primitives.
    fn own<'a>(&self, changes: &'a [Change]) -> impl Iterator<Item = (&'a Change, usize)> {
        let mesh = self.copy.mesh;
        let own = changes.iter().filter(move |change| change.mesh == mesh);
        own.flat_map(|change| change.primitives.iter().map(move |&primitive| (change, primitive)))
    }
}
