//! What a save will change: for each attribute that differs, where its new data goes.
//!
//! Data whose type stays and whose bytes nobody else uses is overwritten where it is; else it is appended to the buffer
//! that is ours and the accessor keeps its number; only an accessor that something else uses too, or a new set, gets a
//! new number, at the end. Nothing is ever renumbered.
//!
//! Boundary: decides, writes nothing.

use std::collections::BTreeSet;

use serde_json::Value;
use sinew_model::{Document, MeshIndex};

use crate::accessor::{Accessors, Component};
use crate::save::attributes::{Attribute, Semantic, changed_attributes};
use crate::save::copies::Added;
use crate::save::error::SaveError;
use crate::save::packaging::Packaging;
use crate::save::rows::PoolEdit;
use crate::save::users::{AttributeUse, Users};
use crate::source::GltfSource;

/// An attribute that is written.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub mesh: MeshIndex,
    pub attribute: Attribute,
    /// The primitives that show it.
    pub primitives: Vec<usize>,
    /// The accessor that holds it in the saved file.
    pub accessor: u32,
    pub place: Place,
}

/// Where an attribute's data goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Over the old data: a buffer of the opened file, the first element's offset, and the stride.
    InPlace { buffer: usize, offset: usize, stride: usize },
    /// To this offset of the home buffer, in this new view. `is_new`: under a new accessor too.
    Appended { offset: usize, view: u32, is_new: bool },
}

/// All that a save changes.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub packaging: Packaging,
    pub changes: Vec<Change>,
    /// Meshes that edits added, in the order of their numbers.
    pub added: Vec<Added>,
    /// Sets that stood alone in the file (JOINTS_n or WEIGHTS_n without the other) and get both: mesh and n.
    pub completed: BTreeSet<(MeshIndex, u32)>,
    /// Length of the home buffer once everything is appended.
    pub home_len: usize,
}

impl Plan {
    /// Decides where the edited rows go.
    pub fn new(
        document: &Document,
        source: &GltfSource,
        accessors: &Accessors<'_>,
        users: &Users,
        packaging: Packaging,
        edits: &[PoolEdit],
    ) -> Result<Self, SaveError> {
        let home_len = packaging.home.len;
        let added = Added::all(document);
        let mut plan = Self { packaging, changes: Vec::new(), added, completed: BTreeSet::new(), home_len };
        // Uses of accessors that copies had and gave up for accessors of their own.
        let mut given_up: BTreeSet<AttributeUse> = BTreeSet::new();
        let mut next_view = list_len(&source.json, "bufferViews");
        let mut next_accessor = accessors.len() as u32;
        // Copies first: once they have accessors of their own, their original's may be nobody else's again.
        let is_copy = |edit: &&PoolEdit| document.file_mesh(edit.mesh) != edit.mesh;
        let in_order = edits.iter().filter(is_copy).chain(edits.iter().filter(|edit| !is_copy(edit)));
        for edit in in_order {
            let file_mesh = document.file_mesh(edit.mesh).idx();
            let map = &source.meshes[file_mesh];
            let primitives: Vec<usize> =
                (0..map.primitive_pools.len()).filter(|&p| map.primitive_pools[p] == edit.pool).collect();
            let is_named =
                |name: &str| primitives.iter().any(|&p| attributes_of(&source.json, file_mesh, p).get(name).is_some());
            for attribute in changed_attributes(document, accessors, edit, &map.pools[edit.pool])? {
                let name = attribute.name();
                if attribute.accessor.is_none() && is_named(&name) {
                    plan.completed.insert((edit.mesh, attribute.set));
                }
                let own = |of: &AttributeUse| {
                    let (m, p, of_name) = of;
                    (*m == edit.mesh.idx() && primitives.contains(p) && *of_name == name) || given_up.contains(of)
                };
                let kept = attribute.accessor.filter(|&accessor| !users.is_shared(accessor, own));
                let in_place = match kept {
                    Some(accessor) if !attribute.retyped => plan.in_place(accessors, users, accessor)?,
                    _ => None,
                };
                let place = in_place.unwrap_or_else(|| {
                    let offset = plan.home_len.next_multiple_of(4);
                    plan.home_len = offset + attribute.values.len() * attribute.element_size();
                    next_view += 1;
                    Place::Appended { offset, view: next_view - 1, is_new: kept.is_none() }
                });
                let accessor = kept.unwrap_or_else(|| {
                    next_accessor += 1;
                    next_accessor - 1
                });
                if file_mesh != edit.mesh.idx() {
                    given_up.extend(primitives.iter().map(|&p| (edit.mesh.idx(), p, name.clone())));
                }
                plan.changes.push(Change {
                    mesh: edit.mesh,
                    attribute,
                    primitives: primitives.clone(),
                    accessor,
                    place,
                });
            }
        }
        Ok(plan)
    }

    /// Whether something is appended to the home buffer.
    pub fn appends(&self) -> bool {
        self.home_len > self.packaging.home.len
    }

    fn in_place(&self, accessors: &Accessors<'_>, users: &Users, accessor: u32) -> Result<Option<Place>, SaveError> {
        let layout = accessors.layout(accessor)?;
        let (Some(base), None) = (&layout.base, &layout.sparse) else { return Ok(None) };
        let view = accessors.view(base.view)?;
        let buffer = view.buffer as usize;
        let is_ours = self.packaging.buffers.get(buffer).is_some_and(|moved| moved.is_written);
        if view.compression.is_some() || !is_ours || users.bytes_are_shared(accessor) {
            return Ok(None);
        }
        let offset = view.offset as usize + base.offset;
        Ok(Some(Place::InPlace { buffer, offset, stride: base.stride }))
    }
}

impl Change {
    /// The smallest and the largest of each component, as the accessor's `min` and `max` say it. NaN does not count.
    pub fn bounds(&self) -> [[String; 4]; 2] {
        let values = &self.attribute.values;
        std::array::from_fn(|side| {
            std::array::from_fn(|c| {
                let component = values.iter().map(|row| row[c]);
                match (self.attribute.semantic, self.attribute.component) {
                    (Semantic::Weights, Component::F32) => {
                        let floats = component.map(f32::from_bits).filter(|weight| weight.is_finite());
                        let extreme = floats.reduce(if side == 0 { f32::min } else { f32::max });
                        format!("{:?}", extreme.unwrap_or(0.0))
                    }
                    _ if side == 0 => component.min().unwrap_or(0).to_string(),
                    _ => component.max().unwrap_or(0).to_string(),
                }
            })
        })
    }
}

/// The attributes of a primitive.
pub(super) fn attributes_of(json: &Value, mesh: usize, primitive: usize) -> &Value {
    &json["meshes"][mesh]["primitives"][primitive]["attributes"]
}

fn list_len(json: &Value, key: &str) -> u32 {
    json.get(key).and_then(Value::as_array).map_or(0, Vec::len) as u32
}
