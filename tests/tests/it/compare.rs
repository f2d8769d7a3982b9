//! The judge of a saved file: what may differ from the opened one, and that what was edited is there.
//!
//! It reads both files by itself ([`Stored`]), so a fault of the importer cannot hide one of the writer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sinew_model::{Document, MeshIndex, Row, VertexIndex};

use crate::stored::{Elements, Files, Stored};

/// The vertices of each mesh whose rows were edited.
pub type Edited = BTreeMap<MeshIndex, BTreeSet<VertexIndex>>;

/// The vertices whose rows differ between two states of a document.
pub fn edited(opened: &Document, now: &Document) -> Edited {
    let mut edited = Edited::new();
    for (m, (was, is)) in opened.meshes().iter().zip(now.meshes()).enumerate() {
        let differ = |v: &VertexIndex| !was.weights.get(*v).same_influences(&is.weights.get(*v));
        let vertices: BTreeSet<VertexIndex> = is.weights.vertices().filter(differ).collect();
        if !vertices.is_empty() {
            edited.insert(MeshIndex::from_idx(m), vertices);
        }
    }
    edited
}

/// Fails unless the saved file is the opened one with the document's rows at the edited vertices, and nothing else.
///
/// JSON is compared by pointer, every accessor by its stored elements, every buffer byte by byte: in the same
/// container old buffers stay where they are, apart from the elements of edited vertices.
#[track_caller]
pub fn assert_only_edited_rows_differ(was_files: &Files, is_files: &Files, document: &Document, edited: &Edited) {
    let (was, is) = (Stored::of(was_files), Stored::of(is_files));
    let parts = Parts::of(&was, document, edited);
    for pointer in differences(&was.json, &is.json) {
        assert!(
            parts.may_differ(&pointer, &was, &is),
            "{pointer} changed: {:?} to {:?}",
            was.json.pointer(&pointer),
            is.json.pointer(&pointer)
        );
    }
    for list in ["accessors", "bufferViews", "buffers", "nodes", "meshes", "skins", "images", "animations"] {
        assert!(is.n(list) >= was.n(list), "{list} were lost");
    }
    if was.is_glb == is.is_glb {
        assert!(was.other_chunks == is.other_chunks, "other chunks changed");
        parts.assert_buffers_kept(&was, &is);
        for (name, bytes) in &was_files[1..] {
            assert!(is_files.iter().any(|(other, is)| other == name && is == bytes), "{name} beside the model changed");
        }
    }
    for accessor in 0..was.n("accessors") {
        // A packed container may leave compressed bytes where they are; that is checked by view.
        if !parts.accessors.contains(&accessor) && !was.is_compressed(accessor) {
            assert!(was.elements(accessor) == is.elements(accessor), "values of accessor {accessor} changed");
        }
    }
    for view in 0..was.n("bufferViews") {
        let len = |of: &Stored| of.view(view).map(<[u8]>::len);
        assert_eq!(len(&was), len(&is), "length of view {view}");
    }
    for image in 0..was.n("images") {
        let bytes = |of: &Stored| {
            of.json["images"][image]["bufferView"].as_u64().map(|view| of.view(view as usize).map(<[u8]>::to_vec))
        };
        if let (Some(a), Some(b)) = (bytes(&was), bytes(&is)) {
            assert!(a == b, "image {image} changed");
        }
    }
    assert_rows(&was, &is, document, edited);
}

/// Which parts of the file belong to edited rows.
struct Parts {
    /// Primitives with edited vertices.
    primitives: BTreeSet<(usize, usize)>,
    /// Their accessors of JOINTS_n and WEIGHTS_n.
    accessors: BTreeSet<usize>,
    /// Bytes of the elements of edited vertices, by buffer.
    bytes: Vec<(usize, std::ops::Range<usize>)>,
}

impl Parts {
    fn of(was: &Stored, document: &Document, edited: &Edited) -> Self {
        let mut parts = Self { primitives: BTreeSet::new(), accessors: BTreeSet::new(), bytes: Vec::new() };
        for (m, mesh) in document.meshes().iter().enumerate() {
            let Some(vertices) = edited.get(&MeshIndex::from_idx(m)) else { continue };
            for (p, primitive) in mesh.primitives.iter().enumerate() {
                let pool = mesh.pools[primitive.pool];
                let range = VertexIndex(pool.first)..VertexIndex(pool.first + pool.count);
                if vertices.range(range.clone()).next().is_none() {
                    continue;
                }
                parts.primitives.insert((m, p));
                for (_, accessor) in ["JOINTS", "WEIGHTS"].iter().flat_map(|kind| was.sets(m, p, kind)) {
                    if parts.accessors.insert(accessor) && !was.is_compressed(accessor) {
                        let places =
                            vertices.range(range.clone()).map(|v| was.place(accessor, (v.0 - pool.first) as usize));
                        parts.bytes.extend(places.flatten());
                    }
                }
            }
        }
        parts
    }

    fn may_differ(&self, pointer: &str, was: &Stored, is: &Stored) -> bool {
        let path: Vec<&str> = pointer.split('/').skip(1).collect();
        let at = |i: usize| path.get(i).and_then(|part| part.parse::<usize>().ok());
        let is_new = |list: &str| at(1).is_some_and(|i| i >= was.n(list));
        let repacked = was.is_glb != is.is_glb;
        if self.primitives.is_empty() && !repacked {
            return false;
        }
        match path[..] {
            ["accessors", ..] if is_new("accessors") => true,
            [
                "accessors",
                _,
                "bufferView" | "byteOffset" | "componentType" | "normalized" | "min" | "max" | "sparse",
                ..,
            ] => at(1).is_some_and(|i| self.accessors.contains(&i)),
            ["bufferViews", ..] if is_new("bufferViews") => true,
            ["bufferViews", _, "buffer" | "byteOffset"] | ["images", _, "uri"] => repacked,
            ["buffers", ..] if is_new("buffers") || repacked => true,
            ["buffers", _, "byteLength" | "uri"] => {
                // Bytes inside the file itself may grow, and a file of ours beside it, but no other.
                let uri = at(1).and_then(|i| was.json["buffers"][i]["uri"].as_str());
                uri.is_none_or(|uri| uri.starts_with("data:") || uri.contains(".skin-"))
            }
            ["meshes", _, "primitives", _, "attributes", name] => {
                (name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_"))
                    && at(1).zip(at(3)).is_some_and(|place| self.primitives.contains(&place))
            }
            _ => false,
        }
    }

    fn assert_buffers_kept(&self, was: &Stored, is: &Stored) {
        for (b, old) in was.buffers.iter().enumerate() {
            let (Some(old), Some(new)) = (old, &is.buffers[b]) else {
                assert!(old.is_none() && is.buffers[b].is_none(), "buffer {b} came or went");
                continue;
            };
            // A GLB's chunk is padded; what counts is what the buffer says it has.
            let n = was.json["buffers"][b]["byteLength"].as_u64().expect("a length") as usize;
            assert!(new.len() >= n, "buffer {b} got shorter");
            let mut free = vec![false; n];
            for (_, range) in self.bytes.iter().filter(|(buffer, _)| *buffer == b) {
                free[range.clone()].fill(true);
            }
            let changed = (0..n).find(|&at| old[at] != new[at] && !free[at]);
            assert!(changed.is_none(), "byte {changed:?} of buffer {b} changed and belongs to no edited row");
        }
    }
}

/// Every row of every skinned primitive: edited ones are the document's, the others as they were stored.
#[track_caller]
fn assert_rows(was: &Stored, is: &Stored, document: &Document, edited: &Edited) {
    let none = BTreeSet::new();
    for (m, mesh) in document.meshes().iter().enumerate() {
        let vertices = edited.get(&MeshIndex::from_idx(m)).unwrap_or(&none);
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let pool = mesh.pools[primitive.pool];
            let sets = |of: &Stored, kind: &str| -> Option<Vec<Elements>> {
                of.sets(m, p, kind).into_iter().map(|(_, accessor)| of.elements(accessor)).collect()
            };
            let new = sets(is, "JOINTS").zip(sets(is, "WEIGHTS"));
            let old = sets(was, "JOINTS").zip(sets(was, "WEIGHTS"));
            let Some((joints, weights)) = new else { continue };
            if !pool.skinned {
                continue;
            }
            assert_eq!(joints.len(), weights.len(), "mesh {m}, primitive {p}: sets");
            assert!(weights.iter().all(|set| set.component == weights[0].component), "sets of several types");
            for v in 0..pool.count as usize {
                let vertex = VertexIndex(pool.first + v as u32);
                let place = format!("mesh {m}, primitive {p}, vertex {vertex}");
                let stored = pairs(&joints, &weights, v);
                if vertices.contains(&vertex) {
                    assert_edited_row(&stored, weights[0].full(), &mesh.weights.get(vertex), &place);
                } else if let Some((old_joints, old_weights)) = &old {
                    let before = pairs(old_joints, old_weights, v);
                    assert!(
                        same(&stored[..before.len()], &before),
                        "{place} was not edited: {before:?} became {stored:?}"
                    );
                    assert!(stored[before.len()..].iter().all(|&pair| pair == (0.0, 0.0)), "{place}: {stored:?}");
                }
            }
        }
    }
}

/// Joint and weight of every place of a vertex; weights as a share of 1.
fn pairs(joints: &[Elements], weights: &[Elements], v: usize) -> Vec<(f64, f64)> {
    joints
        .iter()
        .zip(weights)
        .flat_map(|(joints, weights)| {
            let shares = weights.numbers(v).into_iter().map(|weight| weight / weights.full());
            joints.numbers(v).into_iter().zip(shares.collect::<Vec<_>>())
        })
        .collect()
}

/// Equal to the bit, NaN included.
fn same(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.to_bits() == b.1.to_bits())
}

#[track_caller]
fn assert_edited_row(stored: &[(f64, f64)], full: f64, row: &Row, place: &str) {
    let mut by_joint: BTreeMap<u16, f64> = BTreeMap::new();
    for &(joint, share) in stored {
        if share == 0.0 {
            assert_eq!(joint, 0.0, "{place}: an unused place names a joint: {stored:?}");
        } else {
            assert!(by_joint.insert(joint as u16, share * full).is_none(), "{place}: a joint stands twice: {stored:?}");
        }
    }
    let expected: BTreeMap<u16, f64> = if full == 1.0 {
        row.influences().iter().map(|i| (i.slot.0, f64::from(i.weight))).collect()
    } else {
        units(row, full)
    };
    let sum: f64 = by_joint.values().sum();
    if full == 1.0 {
        let off = (sum - 1.0).abs();
        assert!(off <= 2e-7 * by_joint.len() as f64, "{place}: floats sum to {sum}");
        assert_eq!(by_joint, expected, "{place}: floats");
    } else {
        // The shares were divided by `full` and multiplied again.
        let whole: BTreeMap<u16, f64> = by_joint.iter().map(|(joint, units)| (*joint, units.round())).collect();
        assert_eq!(whole.values().sum::<f64>(), full, "{place}: integers sum to {sum}");
        assert_eq!(whole, expected, "{place}: integers");
    }
}

/// Integers by largest remainder, equal ones to the lower joint, without zeros.
fn units(row: &Row, full: f64) -> BTreeMap<u16, f64> {
    let sum = row.sum_f64();
    let exact: BTreeMap<u16, f64> =
        row.influences().iter().map(|i| (i.slot.0, f64::from(i.weight) / sum * full)).collect();
    let mut units: BTreeMap<u16, f64> = exact.iter().map(|(joint, exact)| (*joint, exact.floor())).collect();
    while units.values().sum::<f64>() < full {
        let behind = |joint: &u16| exact[joint] - units[joint];
        let joint = *units.keys().rev().max_by(|a, b| behind(a).total_cmp(&behind(b))).expect("a joint");
        units.entry(joint).and_modify(|units| *units += 1.0);
    }
    units.retain(|_, units| *units > 0.0);
    units
}

/// JSON pointers of all differences; whole members where one side lacks them.
pub fn differences(was: &Value, is: &Value) -> Vec<String> {
    fn walk(place: &str, was: &Value, is: &Value, out: &mut Vec<String>) {
        match (was, is) {
            (Value::Object(a), Value::Object(b)) => {
                for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                    match (a.get(key), b.get(key)) {
                        (Some(was), Some(is)) => walk(&format!("{place}/{key}"), was, is, out),
                        _ => out.push(format!("{place}/{key}")),
                    }
                }
            }
            (Value::Array(a), Value::Array(b))
                if !a.is_empty() && !b.is_empty() && a[0].is_number() == b[0].is_number() =>
            {
                for i in 0..a.len().max(b.len()) {
                    match (a.get(i), b.get(i)) {
                        (Some(was), Some(is)) => walk(&format!("{place}/{i}"), was, is, out),
                        _ => out.push(format!("{place}/{i}")),
                    }
                }
            }
            _ if was == is => {}
            _ => out.push(place.to_owned()),
        }
    }
    let mut out = Vec::new();
    walk("", was, is, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use sinew_tests::{Placement, glb_bytes, strip};

    use super::*;
    use crate::job::Job;

    /// The saved file with another JSON or buffer.
    fn tampered(files: &Files, change: impl FnOnce(&mut Value, &mut Vec<u8>)) -> Files {
        let mut stored = Stored::of(files);
        let mut bin = stored.buffers.remove(0).expect("a BIN chunk");
        change(&mut stored.json, &mut bin);
        vec![(files[0].0.clone(), glb_bytes(stored.json.to_string().as_bytes(), &bin))]
    }

    #[test]
    fn the_judge_passes_an_edit_and_finds_everything_beside_it() {
        let mut scene = strip();
        scene.primitive().placement = Placement::Interleaved { byte_stride: 44 };
        let mut job = Job::of(&scene);
        job.run(&["set vertices=4 joint=J1 value=0.9"]);
        let saved = job.save();
        let edited = job.edited();
        let judge = |files: &Files| {
            let judged =
                AssertUnwindSafe(|| assert_only_edited_rows_differ(&job.files, files, job.document(), &edited));
            catch_unwind(judged).is_ok()
        };
        assert!(judge(&saved) && judge(&tampered(&saved, |_, _| {})));
        // Vertex v: position at 44 v, texture coordinates at + 12, joints at + 20, weights at + 24, filler at + 40.
        for at in [5 * 44, 4 * 44 + 3, 4 * 44 + 12, 3 * 44 + 20, 5 * 44 + 24, 4 * 44 + 41, 440] {
            assert!(!judge(&tampered(&saved, |_, bin| bin[at] ^= 1)), "byte {at}");
        }
        assert!(!judge(&tampered(&saved, |_, bin| bin[4 * 44 + 24] ^= 1)), "a last bit of the edited row");
        assert!(!judge(&tampered(&saved, |_, bin| bin[4 * 44 + 22] = 1)), "an unused place that names a joint");
        for (pointer, value) in [
            ("/nodes/0/name", Value::from("J9")),
            ("/skins/0/joints", serde_json::json!([1, 0])),
            ("/accessors/0/count", Value::from(9)),
            ("/accessors/3/type", Value::from("VEC3")),
            ("/asset", serde_json::json!({ "version": "2.0", "generator": "us" })),
            ("/scenes", Value::Null),
        ] {
            let changed = tampered(&saved, |json, _| *json.pointer_mut(pointer).expect("it is there") = value);
            assert!(!judge(&changed), "{pointer}");
        }
        assert!(!judge(&job.files), "the edit is missing");
    }
}
