//! The edited rows as the numbers of JOINTS_n and WEIGHTS_n: which sets there must be, in which component type, and
//! which vertices differ.
//!
//! Boundary: numbers, not bytes; where they go is decided in `plan`.

use rayon::prelude::*;
use sinew_model::{Document, VertexIndex};

use crate::accessor::{Accessors, Component};
use crate::save::error::SaveError;
use crate::save::quantize::{StoredInfluence, StoredRow, put_in_places, quantize, widen};
use crate::save::rows::PoolEdit;
use crate::source::{PoolMap, WeightSet};

/// JOINTS or WEIGHTS.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Semantic {
    Joints,
    Weights,
}

/// One attribute of a pool, with all its values; made only where something differs from the file.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub semantic: Semantic,
    /// The n of JOINTS_n or WEIGHTS_n.
    pub set: u32,
    /// The accessor that holds it in the file; none for a set that is new.
    pub accessor: Option<u32>,
    pub component: Component,
    /// Whether the values must be written as another component type than the file has.
    pub retyped: bool,
    pub values: Vec<[u32; 4]>,
    /// Elements that differ from the file, rising.
    pub changed: Vec<u32>,
}

impl Attribute {
    /// The attribute's name.
    pub fn name(&self) -> String {
        let name = match self.semantic {
            Semantic::Joints => "JOINTS",
            Semantic::Weights => "WEIGHTS",
        };
        format!("{name}_{}", self.set)
    }

    /// Bytes of one element.
    pub fn element_size(&self) -> usize {
        4 * self.component.size()
    }

    /// Whether the numbers are integers that stand for 0 to 1.
    pub fn is_normalized(&self) -> bool {
        self.semantic == Semantic::Weights && self.component != Component::F32
    }

    /// Writes element `v` as the file stores it.
    pub fn write_element(&self, v: u32, out: &mut [u8]) {
        let size = self.component.size();
        for (number, bytes) in self.values[v as usize].iter().zip(out.chunks_exact_mut(size)) {
            bytes.copy_from_slice(&number.to_le_bytes()[..size]);
        }
    }

    /// All elements, end to end.
    pub fn packed(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.values.len() * self.element_size()];
        for (v, element) in bytes.chunks_exact_mut(self.element_size()).enumerate() {
            self.write_element(v as u32, element);
        }
        bytes
    }
}

/// A set while it is being edited: joints first, weights second.
struct Set {
    number: u32,
    accessors: Option<[u32; 2]>,
    components: [Component; 2],
    retyped: [bool; 2],
    values: [Vec<[u32; 4]>; 2],
    changed: [Vec<u32>; 2],
}

/// The attributes of a pool that have to be written.
///
/// All WEIGHTS_n get one component type, the widest that the file uses; bytes of joints become shorts where an edited
/// row needs a joint from 256 on (B16).
pub(super) fn changed_attributes(
    document: &Document,
    accessors: &Accessors<'_>,
    edit: &PoolEdit,
    map: &PoolMap,
) -> Result<Vec<Attribute>, SaveError> {
    let mut sets = map.sets.iter().map(|set| read_set(accessors, *set)).collect::<Result<Vec<_>, _>>()?;
    let component = widest(sets.iter().map(|set| set.components[1]));
    for set in &mut sets {
        set.retype_weights(component);
    }
    let rows = &document.mesh(edit.mesh).weights;
    let new_row = |&v: &u32| quantize(&rows.get(VertexIndex(edit.range.first + v)), component);
    let new_rows: Vec<StoredRow> = edit.vertices.par_iter().with_min_len(1024).map(new_row).collect();
    let longest = new_rows.iter().map(StoredRow::len).max().unwrap_or(0);
    // The lowest number without a whole set: readers stop at the first gap (glTF 2.0 §3.7.2.1). Where JOINTS_n or
    // WEIGHTS_n stands alone, it meant nothing and is replaced.
    let mut number = 0;
    while sets.len() * 4 < longest {
        while map.sets.iter().any(|set| set.set == number) {
            number += 1;
        }
        let joints = sets.first().map_or(Component::U8, |set| set.components[0]);
        sets.push(Set::empty(number, [joints, component], edit.range.count as usize));
        number += 1;
    }
    let mut places = vec![StoredInfluence::default(); sets.len() * 4];
    for (&v, row) in edit.vertices.iter().zip(&new_rows) {
        for (place, p) in places.iter_mut().zip(0..) {
            let [joints, weights] = &sets[p / 4].values;
            *place = StoredInfluence { joint: joints[v as usize][p % 4], weight: weights[v as usize][p % 4] };
        }
        put_in_places(row, &mut places);
        for (set, places) in sets.iter_mut().zip(places.chunks_exact(4)) {
            set.put(v, [places[0], places[1], places[2], places[3]]);
        }
    }
    Ok(sets.into_iter().flat_map(Set::into_attributes).collect())
}

fn read_set(accessors: &Accessors<'_>, set: WeightSet) -> Result<Set, SaveError> {
    let (joints, weights) = (accessors.get(set.joints)?, accessors.get(set.weights)?);
    let joint_values = joints.integers(&format!("JOINTS_{}", set.set))?;
    let used_as = format!("WEIGHTS_{}", set.set);
    let weight_values = match weights.layout.component {
        Component::F32 => weights.floats::<4>(&used_as)?.iter().map(|row| row.map(f32::to_bits)).collect(),
        _ => weights.integers(&used_as)?,
    };
    Ok(Set {
        number: set.set,
        accessors: Some([set.joints, set.weights]),
        components: [joints.layout.component, weights.layout.component],
        retyped: [false; 2],
        values: [joint_values, weight_values],
        changed: [Vec::new(), Vec::new()],
    })
}

impl Set {
    fn empty(number: u32, components: [Component; 2], count: usize) -> Self {
        let zeros = vec![[0; 4]; count];
        let values = [zeros.clone(), zeros];
        Self { number, accessors: None, components, retyped: [false; 2], values, changed: [Vec::new(), Vec::new()] }
    }

    fn retype_weights(&mut self, component: Component) {
        let from = self.components[1];
        if from == component {
            return;
        }
        for row in &mut self.values[1] {
            *row = row.map(|weight| widen(weight, from, component));
        }
        self.components[1] = component;
        self.retyped[1] = true;
    }

    fn put(&mut self, v: u32, places: [StoredInfluence; 4]) {
        let new = [places.map(|place| place.joint), places.map(|place| place.weight)];
        for (side, new) in new.into_iter().enumerate() {
            let value = &mut self.values[side][v as usize];
            if *value != new {
                *value = new;
                self.changed[side].push(v);
            }
        }
        if self.components[0] == Component::U8 && new[0].iter().any(|&joint| joint > 255) {
            self.components[0] = Component::U16;
            self.retyped[0] = true;
        }
    }

    fn into_attributes(self) -> impl Iterator<Item = Attribute> {
        let is_new = self.accessors.is_none();
        let sides = [Semantic::Joints, Semantic::Weights].into_iter().zip(self.values).zip(self.changed).enumerate();
        let attributes = sides.map(move |(side, ((semantic, values), changed))| Attribute {
            semantic,
            set: self.number,
            accessor: self.accessors.map(|accessors| accessors[side]),
            component: self.components[side],
            retyped: self.retyped[side],
            values,
            changed,
        });
        attributes.filter(move |attribute| is_new || attribute.retyped || !attribute.changed.is_empty())
    }
}

fn widest(components: impl Iterator<Item = Component>) -> Component {
    let rank = |component: &Component| match component {
        Component::U8 => 0,
        Component::U16 => 1,
        _ => 2,
    };
    components.max_by_key(rank).unwrap_or(Component::F32)
}
