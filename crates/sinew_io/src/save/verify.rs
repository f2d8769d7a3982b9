//! Reading back: is the written file what it should be, and is everything else in it as it was?
//!
//! Works on the written bytes alone, through the same reader that opens files: the JSON member by member, every buffer
//! byte by byte, every accessor element by element, every row against the document.

use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;
use serde_json::Value;
use sinew_model::{Document, Row, VertexIndex};

use crate::accessor::Accessors;
use crate::save::error::SaveError;
use crate::save::plan::{Place, Plan, attributes_of};
use crate::save::quantize::units_of;
use crate::save::rows::PoolEdit;
use crate::save::stored_rows::StoredRows;
use crate::source::{GltfSource, WeightSet};

/// What a written file is compared with.
pub(super) struct Expected<'a> {
    pub document: &'a Document,
    pub source: &'a GltfSource,
    pub edits: &'a [PoolEdit],
    pub plan: &'a Plan,
    /// JSON pointers of what may differ, each with all below it.
    pub touched: &'a BTreeSet<String>,
}

impl Expected<'_> {
    /// Names the first thing that is not as it should be.
    pub fn check(&self, mut written: GltfSource) -> Result<(), SaveError> {
        if written.kind() != self.plan.packaging.kind {
            return Err(differs("the container"));
        }
        self.check_json(&written.json)?;
        let missing = self.plan.added.iter().find(|added| !added.is_in(&written.json, self.source, &self.plan.changes));
        if let Some(added) = missing {
            return Err(differs(&format!("the added meshes/{}", added.copy.mesh)));
        }
        self.check_buffers(&written)?;
        self.check_other_chunks(&written)?;
        self.check_accessors(&written)?;
        written.meshes.clone_from(&self.source.meshes);
        let maps = self.plan.added.iter().map(|added| self.source.meshes[added.copy.original.idx()].clone());
        written.meshes.extend(maps);
        for (m, map) in written.meshes.iter_mut().enumerate() {
            for p in 0..map.pools.len() {
                let first = map.primitive_pools.iter().position(|&pool| pool == p);
                let sets = first.map(|primitive| weight_sets(&written.json, m, primitive));
                map.pools[p].sets = sets.filter(|_| !map.pools[p].sets.is_empty()).unwrap_or_default();
            }
        }
        self.check_rows(&written)
    }

    fn check_json(&self, written: &Value) -> Result<(), SaveError> {
        match first_difference(&self.source.json, written, self.touched) {
            None => Ok(()),
            Some(place) => Err(differs(&format!("the JSON at {}", if place.is_empty() { "its root" } else { &place }))),
        }
    }

    /// Every byte of every buffer, but for the elements that were overwritten.
    fn check_buffers(&self, written: &GltfSource) -> Result<(), SaveError> {
        for (b, (buffer, moved)) in self.source.buffers.iter().zip(&self.plan.packaging.buffers).enumerate() {
            let was: &[u8] = &buffer.bytes;
            let is: &[u8] = written.buffers.get(moved.buffer as usize).map_or(&[], |buffer| &buffer.bytes);
            let Some(is) = is.get(moved.base..moved.base + was.len()) else {
                return Err(differs(&format!("the length of buffers/{b}")));
            };
            let mut at = 0;
            for range in self.overwritten(b) {
                if was[at..range.start.max(at)] != is[at..range.start.max(at)] {
                    return Err(differs(&format!("buffers/{b} near byte {at}")));
                }
                at = range.end.max(at);
            }
            if was[at..] != is[at..] {
                return Err(differs(&format!("buffers/{b} after byte {at}")));
            }
        }
        Ok(())
    }

    /// The bytes of a buffer that were to be overwritten, in rising order.
    fn overwritten(&self, of_buffer: usize) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        for change in &self.plan.changes {
            let Place::InPlace { buffer, offset, stride } = change.place else { continue };
            if buffer == of_buffer {
                let size = change.attribute.element_size();
                let range = |&v: &u32| offset + v as usize * stride..offset + v as usize * stride + size;
                ranges.extend(change.attribute.changed.iter().map(range));
            }
        }
        ranges.sort_unstable_by_key(|range| range.start);
        ranges
    }

    fn check_other_chunks(&self, written: &GltfSource) -> Result<(), SaveError> {
        if self.source.container.kind != written.container.kind {
            return Ok(());
        }
        // Padding is not content, so a chunk that gained some is the same.
        let others = |file: &GltfSource| -> Vec<(u32, Range<usize>)> {
            let bin = file.container.bin();
            let chunks = file.container.chunks.iter().skip(1).filter(|chunk| Some(&chunk.data) != bin.as_ref());
            chunks.map(|chunk| (chunk.kind, chunk.data.clone())).collect()
        };
        let (was, is) = (others(self.source), others(written));
        let same = |c: usize| {
            let (before, after) = (&self.source.original[was[c].1.clone()], &written.original[is[c].1.clone()]);
            was[c].0 == is[c].0 && after.starts_with(before)
        };
        if was.len() == is.len() && (0..was.len()).all(same) { Ok(()) } else { Err(differs("the other chunks")) }
    }

    /// Every accessor that was not to change, element by element.
    fn check_accessors(&self, written: &GltfSource) -> Result<(), SaveError> {
        let planned: BTreeSet<u32> = self.plan.changes.iter().map(|change| change.accessor).collect();
        let (was, is) = (self.source.accessors()?, written.accessors()?);
        let mut seen = BTreeSet::new();
        let n = was.len() as u32;
        let to_check: Vec<u32> = (0..n)
            .filter(|accessor| !planned.contains(accessor))
            .filter(|&accessor| seen.insert(key_of(&was, accessor).unwrap_or_else(|| format!("#{accessor}"))))
            .collect();
        let wrong = to_check.par_iter().find_first(|&&accessor| !same_accessor(&was, &is, accessor));
        wrong.map_or(Ok(()), |accessor| Err(differs(&format!("accessors/{accessor}"))))
    }

    /// Every row of every pool with edits: edited ones against the document, others against the opened file.
    fn check_rows(&self, written: &GltfSource) -> Result<(), SaveError> {
        let (was_accessors, is_accessors) = (self.source.accessors()?, written.accessors()?);
        for edit in self.edits {
            let file_mesh = self.document.file_mesh(edit.mesh);
            let maps = [&self.source.meshes[file_mesh.idx()], &written.meshes[edit.mesh.idx()]];
            let was = StoredRows::new(&was_accessors, &maps[0].pools[edit.pool], maps[0].n_slots)?;
            let is = StoredRows::new(&is_accessors, &maps[1].pools[edit.pool], maps[1].n_slots)?;
            let table = &self.document.mesh(edit.mesh).weights;
            let units = is.weights_component().and_then(units_of);
            if is.count() != edit.range.count as usize {
                return Err(differs(&format!("the rows of mesh {}", edit.mesh)));
            }
            let wrong = (0..edit.range.count).into_par_iter().with_min_len(4096).find_first(|&v| {
                match edit.vertices.binary_search(&v) {
                    Err(_) => !was.is_same(&is, v),
                    Ok(_) => !is_saved(&table.get(VertexIndex(edit.range.first + v)), &is.row(v), units),
                }
            });
            if let Some(v) = wrong {
                return Err(differs(&format!("the weights of mesh {}, vertex {}", edit.mesh, edit.range.first + v)));
            }
        }
        Ok(())
    }
}

/// Whether `found` is `row` as a file can hold it: to the bit in floats, within one unit in integers.
fn is_saved(row: &Row, found: &Row, units: Option<u32>) -> bool {
    let sum = row.sum_f64();
    match units {
        None if (sum - 1.0).abs() <= f64::from(Row::sum_tolerance(row.len())) => row.same_influences(found),
        _ => {
            let mut normalised = row.clone();
            normalised.influences_mut().iter_mut().for_each(|i| i.weight = (f64::from(i.weight) / sum) as f32);
            let tolerance = units.map_or(1e-6, |units| 1.001 / units as f32);
            normalised.largest_change(found) <= tolerance && (found.sum_f64() - 1.0).abs() < 1e-5
        }
    }
}

fn differs(what: &str) -> SaveError {
    SaveError::Differs(what.to_owned())
}

/// What of the file an accessor reads, to compare the same bytes only once.
fn key_of(accessors: &Accessors<'_>, accessor: u32) -> Option<String> {
    let mut layout = accessors.layout(accessor).ok()?;
    layout.accessor = 0;
    Some(format!("{layout:?}"))
}

fn same_accessor(was: &Accessors<'_>, is: &Accessors<'_>, accessor: u32) -> bool {
    let compressed = |accessors: &Accessors<'_>| {
        let view = accessors.layout(accessor).ok().and_then(|layout| layout.base).map(|base| accessors.view(base.view));
        view.is_some_and(|view| view.is_ok_and(|view| view.compression.is_some()))
    };
    // Compressed bytes were compared with their buffer; decoding them again would only take time.
    if compressed(was) && compressed(is) {
        return true;
    }
    match (was.get(accessor), is.get(accessor)) {
        (Ok(was), Ok(is)) => was.stored().iter().zip(&is.stored()).all(|pair| match pair {
            (Some(was), Some(is)) => was.same_elements(is),
            (None, None) => true,
            _ => false,
        }),
        // Broken accessors that nothing uses stay as broken as they were.
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

/// The sets that a primitive names, by rising n.
fn weight_sets(json: &Value, mesh: usize, primitive: usize) -> Vec<WeightSet> {
    let attributes = attributes_of(json, mesh, primitive);
    let index = |name: String| attributes.get(name).and_then(Value::as_f64).map(|index| index as u32);
    let numbers: BTreeSet<u32> = attributes
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, _)| name.strip_prefix("JOINTS_")?.parse().ok())
        .collect();
    let sets = numbers.into_iter().filter_map(|set| {
        let (joints, weights) = (index(format!("JOINTS_{set}"))?, index(format!("WEIGHTS_{set}"))?);
        Some(WeightSet { set, joints, weights })
    });
    sets.collect()
}

/// The JSON pointer of the first difference that `allowed` does not cover.
fn first_difference(was: &Value, is: &Value, allowed: &BTreeSet<String>) -> Option<String> {
    let mut open = vec![(String::new(), was, is)];
    while let Some((place, was, is)) = open.pop() {
        if allowed.contains(&place) {
            continue;
        }
        match (was, is) {
            (Value::Object(a), Value::Object(b)) => {
                for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                    let place = format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"));
                    match (a.get(key), b.get(key)) {
                        (Some(was), Some(is)) => open.push((place, was, is)),
                        _ if allowed.contains(&place) => {}
                        _ => return Some(place),
                    }
                }
            }
            (Value::Array(a), Value::Array(b)) => {
                for i in 0..a.len().max(b.len()) {
                    let place = format!("{place}/{i}");
                    match (a.get(i), b.get(i)) {
                        (Some(was), Some(is)) => open.push((place, was, is)),
                        _ if allowed.contains(&place) => {}
                        _ => return Some(place),
                    }
                }
            }
            _ if was == is => {}
            _ => return Some(place),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_allowed_may_differ() {
        let was = json!({ "a": [1, { "b/c": 2 }], "d": null });
        let allowed = |places: &[&str]| places.iter().map(|&place| place.to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(first_difference(&was, &was.clone(), &allowed(&[])), None);
        let is = json!({ "a": [1, { "b/c": 3 }], "d": null });
        assert_eq!(first_difference(&was, &is, &allowed(&[])).as_deref(), Some("/a/1/b~1c"));
        assert_eq!(first_difference(&was, &is, &allowed(&["/a/1"])), None);
        let is = json!({ "a": [1, { "b/c": 2 }, 5] });
        assert_eq!(first_difference(&was, &is, &allowed(&["/a/2"])).as_deref(), Some("/d"));
        assert_eq!(first_difference(&was, &is, &allowed(&["/a/2", "/d"])), None);
    }
}
