//! Who else uses an accessor, and who else uses its bytes: what decides whether data may change where it is.
//!
//! Boundary: reads the JSON, decides nothing. Where it cannot tell, bytes count as used.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::accessor::{Accessors, Placement};
use crate::json::Json;
use crate::source::GltfSource;

/// Where a primitive names an accessor: mesh, primitive, attribute.
pub(super) type AttributeUse = (usize, usize, String);

/// The uses of a file's accessors and bytes.
pub(super) struct Users {
    attributes: BTreeMap<u32, Vec<AttributeUse>>,
    /// Accessors used as anything but an attribute: indices, morph targets, animations, matrices.
    others: BTreeSet<u32>,
    regions: Vec<Region>,
}

/// Bytes that something uses: elements of `size` bytes at a stride, or one block.
#[derive(Clone, Copy)]
struct Region {
    accessor: Option<u32>,
    buffer: u32,
    start: u128,
    /// One past the last byte.
    end: u128,
    stride: u128,
    size: u128,
}

impl Users {
    /// Gathers all uses. What is not as glTF asks is skipped: whatever of it a document came from has been checked.
    pub fn of(source: &GltfSource, accessors: &Accessors<'_>) -> Self {
        let root = Json::root(&source.json);
        let mut users = Self { attributes: BTreeMap::new(), others: BTreeSet::new(), regions: Vec::new() };
        users.gather_accessors(&source.json);
        let mut views_of_accessors = BTreeSet::new();
        for a in 0..accessors.len() as u32 {
            let Ok(layout) = accessors.layout(a) else { continue };
            if let Some(base) = &layout.base {
                views_of_accessors.insert(base.view);
                users.add(accessors, Some(a), base, layout.count, layout.element_size());
            }
            if let Some(sparse) = &layout.sparse {
                views_of_accessors.extend([sparse.indices.view, sparse.values.view]);
                users.add(accessors, None, &sparse.indices, sparse.count, sparse.index_component.size());
                users.add(accessors, None, &sparse.values, sparse.count, layout.element_size());
            }
        }
        let mut named_elsewhere = BTreeSet::new();
        views_named_outside_accessors(&source.json, &mut named_elsewhere);
        for v in 0..root.list_len("bufferViews").unwrap_or(0) as u32 {
            let Ok(view) = accessors.view(v) else { continue };
            if let Some(compression) = &view.compression {
                users.add_block(compression.buffer, compression.offset, compression.length);
            } else if named_elsewhere.contains(&v) || !views_of_accessors.contains(&v) {
                users.add_block(view.buffer, view.offset, view.length);
            }
        }
        users
    }

    /// Counts a use that the saved file will have.
    pub fn add_use(&mut self, accessor: u32, of: AttributeUse) {
        self.attributes.entry(accessor).or_default().push(of);
    }

    /// Whether anything but the uses that `ours` accepts names the accessor.
    pub fn is_shared(&self, accessor: u32, ours: impl Fn(&AttributeUse) -> bool) -> bool {
        self.others.contains(&accessor) || self.attributes.get(&accessor).is_some_and(|uses| !uses.iter().all(ours))
    }

    /// Whether any byte of the accessor's elements is used by something else.
    pub fn bytes_are_shared(&self, accessor: u32) -> bool {
        let Some(own) = self.regions.iter().find(|region| region.accessor == Some(accessor)) else { return true };
        self.regions.iter().any(|other| other.accessor != Some(accessor) && own.overlaps(other))
    }

    /// Whether everything in a buffer is JOINTS_n and WEIGHTS_n.
    pub fn is_only_skin_data(&self, buffer: u32) -> bool {
        let is_skin = |accessor: u32| {
            let uses = self.attributes.get(&accessor);
            !self.others.contains(&accessor)
                && uses.is_some_and(|uses| {
                    uses.iter().all(|(_, _, name)| name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_"))
                })
        };
        let mut regions = self.regions.iter().filter(|region| region.buffer == buffer).peekable();
        regions.peek().is_some() && regions.all(|region| region.accessor.is_some_and(is_skin))
    }

    fn gather_accessors(&mut self, json: &Value) {
        for (m, mesh) in list(json, "meshes").iter().enumerate() {
            for (p, primitive) in list(mesh, "primitives").iter().enumerate() {
                self.others.extend(primitive.get("indices").and_then(index));
                for (name, accessor) in primitive.get("attributes").and_then(Value::as_object).into_iter().flatten() {
                    if let Some(accessor) = index(accessor) {
                        self.attributes.entry(accessor).or_default().push((m, p, name.clone()));
                    }
                }
                for target in list(primitive, "targets") {
                    self.others.extend(target.as_object().into_iter().flatten().filter_map(|(_, a)| index(a)));
                }
            }
        }
        for skin in list(json, "skins") {
            self.others.extend(skin.get("inverseBindMatrices").and_then(index));
        }
        for animation in list(json, "animations") {
            for sampler in list(animation, "samplers") {
                self.others.extend(["input", "output"].iter().filter_map(|key| sampler.get(key).and_then(index)));
            }
        }
        // Extensions that name accessors by the usual key.
        visit_members(json, &mut |key, value| {
            if key == "accessor" {
                self.others.extend(index(value));
            }
        });
    }

    fn add(&mut self, accessors: &Accessors<'_>, accessor: Option<u32>, at: &Placement, count: usize, size: usize) {
        let Ok(view) = accessors.view(at.view) else { return };
        // The bytes of a compressed view are nobody's: it is counted as a block where it really lies.
        if view.compression.is_some() {
            return;
        }
        let start = u128::from(view.offset) + at.offset as u128;
        let (stride, size) = (at.stride as u128, size as u128);
        let end = if count == 0 { start } else { start + (count as u128 - 1) * stride + size };
        self.regions.push(Region { accessor, buffer: view.buffer, start, end, stride, size });
    }

    fn add_block(&mut self, buffer: u32, offset: u64, length: u64) {
        let (start, size) = (u128::from(offset), u128::from(length));
        self.regions.push(Region { accessor: None, buffer, start, end: start + size, stride: size, size });
    }
}

impl Region {
    /// Whether both use some byte. Regions of different strides overlap where their ends do.
    fn overlaps(&self, other: &Self) -> bool {
        if self.buffer != other.buffer || self.end <= other.start || other.end <= self.start {
            return false;
        }
        if self.stride != other.stride || self.stride == 0 {
            return true;
        }
        // Interleaved: the elements of both begin at fixed places in each stride.
        let stride = self.stride;
        let from_own = (other.start % stride + stride - self.start % stride) % stride;
        from_own < self.size || from_own + other.size > stride
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> Option<u32> {
    Json::root(value).as_index(u32::MAX as usize).ok()
}

/// The views that anything but an accessor (and its sparse part) names by the usual key, images first of all.
fn views_named_outside_accessors(json: &Value, out: &mut BTreeSet<u32>) {
    for (key, value) in json.as_object().into_iter().flatten() {
        let mut add = |key: &str, value: &Value| {
            if key == "bufferView" {
                out.extend(index(value));
            }
        };
        if key != "accessors" {
            visit_members(value, &mut add);
            continue;
        }
        for accessor in value.as_array().into_iter().flatten() {
            for (key, value) in accessor.as_object().into_iter().flatten() {
                if key != "bufferView" && key != "sparse" {
                    visit_members(value, &mut add);
                }
            }
        }
    }
}

/// Visits every member of every object in the value. Depth is no matter of the call stack.
pub(super) fn visit_members<'v>(value: &'v Value, visit: &mut impl FnMut(&'v str, &'v Value)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(elements) => open.extend(elements),
            Value::Object(members) => {
                for (key, member) in members {
                    visit(key, member);
                    open.push(member);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(start: u128, n: u128, stride: u128, size: u128) -> Region {
        Region { accessor: None, buffer: 0, start, end: start + (n - 1) * stride + size, stride, size }
    }

    #[test]
    fn interleaved_neighbours_do_not_overlap_but_the_same_bytes_do() {
        let joints = region(24, 10, 44, 4);
        assert!(!joints.overlaps(&region(0, 10, 44, 24)));
        assert!(!joints.overlaps(&region(28, 10, 44, 16)));
        assert!(joints.overlaps(&region(24, 10, 44, 4)));
        assert!(joints.overlaps(&region(25, 3, 44, 1)));
        assert!(joints.overlaps(&region(68, 2, 44, 2)), "a later vertex of the same attribute");
        assert!(!joints.overlaps(&region(464, 10, 44, 4)), "the next primitive's vertices");
        assert!(joints.overlaps(&region(0, 1, 440, 440)), "a block over everything");
        assert!(joints.overlaps(&region(66, 2, 44, 4)), "wraps over the stride");
    }
}
