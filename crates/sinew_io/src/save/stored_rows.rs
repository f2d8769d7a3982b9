//! The weight rows of a pool, read from the stored numbers one vertex at a time: for comparing a million rows without
//! building a table of them.
//!
//! Boundary: what the numbers mean is the importer's [`merge`].

use sinew_model::{Row, RowRef};

use crate::accessor::{Accessors, Component};
use crate::error::OpenError;
use crate::import::rows::merge;
use crate::save::quantize::weight_of;
use crate::source::PoolMap;

/// The rows of a pool as a file stores them.
pub(super) struct StoredRows<'a> {
    sets: Vec<[Side<'a>; 2]>,
    n_slots: usize,
    count: usize,
}

/// JOINTS_n or WEIGHTS_n.
struct Side<'a> {
    component: Component,
    numbers: Numbers<'a>,
}

enum Numbers<'a> {
    Plain {
        bytes: &'a [u8],
        stride: usize,
    },
    /// Of sparse accessors and those without a view.
    Decoded(Vec<[u32; 4]>),
}

impl<'a> StoredRows<'a> {
    /// The rows of a pool whose joint numbers end at `n_slots`.
    pub fn new(accessors: &'a Accessors<'_>, pool: &PoolMap, n_slots: usize) -> Result<Self, OpenError> {
        let mut counts = Vec::new();
        let mut sets = Vec::with_capacity(pool.sets.len());
        for set in &pool.sets {
            let mut side = |accessor: u32, used_as: &str| {
                let side = Side::new(accessors, accessor, used_as)?;
                counts.push(accessors.layout(accessor)?.count);
                Ok::<_, OpenError>(side)
            };
            sets.push([side(set.joints, "JOINTS_n")?, side(set.weights, "WEIGHTS_n")?]);
        }
        // Reading stops where the shortest ends; whoever asks compares the count.
        Ok(Self { sets, n_slots, count: counts.into_iter().min().unwrap_or(0) })
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The component type of the first set's weights.
    pub fn weights_component(&self) -> Option<Component> {
        self.sets.first().map(|[_, weights]| weights.component)
    }

    /// The row of a vertex, as the importer reads it.
    pub fn row(&self, v: u32) -> Row {
        let sets = self.sets.iter().map(|[joints, weights]| (joints.at(v), weights.weights_at(v)));
        merge(sets, self.n_slots).0
    }

    /// Whether a row of a document gives every joint the same weight to the bit, in whatever order.
    pub fn is_row(&self, v: u32, row: RowRef<'_>) -> bool {
        if self.stands_as(v, row) {
            return true;
        }
        let own = self.row(v);
        own.len() == row.len() && own.influences().iter().all(|i| (0..row.len()).any(|place| row.at(place) == *i))
    }

    /// Whether the stored numbers are the row, place for place in some order. Rows that say less plainly what they mean
    /// (a joint twice, weights that are none) are left to the importer.
    fn stands_as(&self, v: u32, row: RowRef<'_>) -> bool {
        let (mut found, mut n_found) = (0_u64, 0);
        for [joints, weights] in &self.sets {
            for (joint, weight) in joints.at(v).into_iter().zip(weights.weights_at(v)) {
                if weight == 0.0 {
                    continue;
                }
                let is_it = |&place: &usize| {
                    let influence = row.at(place);
                    u32::from(influence.slot.0) == joint && influence.weight.to_bits() == weight.to_bits()
                };
                match (0..row.len().min(64)).find(is_it) {
                    Some(place) if found >> place & 1 == 0 => found |= 1 << place,
                    _ => return false,
                }
                n_found += 1;
            }
        }
        n_found == row.len()
    }

    /// Whether both files give a vertex the same row.
    pub fn is_same(&self, other: &Self, v: u32) -> bool {
        let same_numbers = |(a, b): (&Side<'_>, &Side<'_>)| a.component == b.component && a.at(v) == b.at(v);
        let same_sets = self.sets.len() == other.sets.len();
        let (own, others) = (self.sets.iter().flatten(), other.sets.iter().flatten());
        same_sets && own.zip(others).all(same_numbers) || self.row(v).same_influences(&other.row(v))
    }
}

impl<'a> Side<'a> {
    fn new(accessors: &'a Accessors<'_>, accessor: u32, used_as: &str) -> Result<Self, OpenError> {
        let accessor = accessors.get(accessor)?;
        let component = accessor.layout.component;
        let numbers = match accessor.stored() {
            [Some(base), None, None] if base.size == 4 * component.size() => {
                Numbers::Plain { bytes: base.bytes, stride: base.stride }
            }
            _ if component == Component::F32 => {
                let floats = accessor.floats::<4>(used_as)?;
                Numbers::Decoded(floats.into_iter().map(|row| row.map(f32::to_bits)).collect())
            }
            _ => Numbers::Decoded(accessor.integers(used_as)?),
        };
        Ok(Self { component, numbers })
    }

    /// The stored numbers of a vertex; floats as their bits.
    #[inline]
    fn at(&self, v: u32) -> [u32; 4] {
        match &self.numbers {
            Numbers::Decoded(numbers) => numbers[v as usize],
            Numbers::Plain { bytes, stride } => {
                let element = &bytes[v as usize * stride..];
                match self.component.size() {
                    1 => std::array::from_fn(|c| u32::from(element[c])),
                    2 => std::array::from_fn(|c| u32::from(u16::from_le_bytes([element[2 * c], element[2 * c + 1]]))),
                    _ => std::array::from_fn(|c| {
                        let at = 4 * c;
                        u32::from_le_bytes([element[at], element[at + 1], element[at + 2], element[at + 3]])
                    }),
                }
            }
        }
    }

    #[inline]
    fn weights_at(&self, v: u32) -> [f32; 4] {
        self.at(v).map(|number| weight_of(number, self.component))
    }
}
